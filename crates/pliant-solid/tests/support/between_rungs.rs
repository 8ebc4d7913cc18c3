//! M + h D at rest, and conjugate gradients with the factor for another h as preconditioner.

use pliant_numerics::{BlockCholesky, BlockMatrix};
use pliant_solid::Model;
use pliant_solid::term::Coeffs;

use super::{at_rest, dot};

/// M + h D.
pub fn matrix(model: &Model, h: f64) -> BlockMatrix {
    let mut out = model.tangent(&at_rest(model), Coeffs { k: 0.0, d: h });
    model.inertia_add(1.0, h, &mut out);
    out
}

/// Steps of conjugate gradients until |r| <= 1e-10 |b|, with the factor as preconditioner.
pub fn steps(a: &BlockMatrix, factor: &mut BlockCholesky, b: &[f64]) -> usize {
    let (mut x, mut r) = (vec![0.0; b.len()], b.to_vec());
    let mut z = r.clone();
    factor.solve_in_place(&mut z);
    let (mut p, mut image, mut rz) = (z.clone(), vec![0.0; b.len()], dot(&r, &z));
    for step in 1..60 {
        a.multiply_into(&p, &mut image);
        let alpha = rz / dot(&p, &image);
        x.iter_mut().zip(&p).for_each(|(x, p)| *x += alpha * p);
        r.iter_mut().zip(&image).for_each(|(r, i)| *r -= alpha * i);
        if dot(&r, &r) <= 1e-20 * dot(b, b) {
            return step;
        }
        z.copy_from_slice(&r);
        factor.solve_in_place(&mut z);
        let next = dot(&r, &z);
        p.iter_mut().zip(&z).for_each(|(p, z)| *p = next / rz * *p + z);
        rz = next;
    }
    60
}
