//! Between the rungs, the open question at the end of [Zhuang 4.2]: M + h D for any h from the factor for another one.
//!
//! ```text
//! (M + h0 D)^-1 (M + h D):  eigenvalues (1 + h d) / (1 + h0 d), d >= 0, between 1 and h / h0     (1)
//! error after m steps of conjugate gradients <= 2 q^m,  q = (sqrt k - 1) / (sqrt k + 1),  k = h / h0   (2)
//! ```
//!
//! With a factor at every power of two, the nearest has k <= sqrt 2 and (2) asks for 10 steps of 1e-10; with one factor of a
//! whole octave k <= 2 and 14.

use std::sync::Arc;
use std::time::Instant;

use pliant_geometry::BoxElement;
use pliant_numerics::{BlockCholesky, BlockMatrix};
use pliant_solid::law::LawKind;
use pliant_solid::term::Coeffs;
use pliant_solid::{MassKind, Model};

use crate::support::meshes::block;
use crate::support::{Noise, Scene, at_rest, dot, moduli};

fn matrix(model: &Model, h: f64) -> BlockMatrix {
    let mut out = model.tangent(&at_rest(model), Coeffs { k: 0.0, d: h });
    model.inertia_add(1.0, h, &mut out);
    out
}

/// Steps of conjugate gradients until |r| <= 1e-10 |b|, with the factor as preconditioner.
fn steps(a: &BlockMatrix, factor: &mut BlockCholesky, b: &[f64]) -> usize {
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

#[test]
fn conjugate_gradients_with_the_nearest_rung_keep_their_bound() {
    let scene = Scene::new(block([0.1; 3], [5; 3], BoxElement::Hex), LawKind::Linear(moduli(1e6, 0.3)))
        .matter(|m| (m.mass, m.stiffness_damping, m.mass_damping) = (MassKind::Consistent, 1e-2, 3.0));
    let model = scene.model();
    let structure = model.structure();
    let mut factor = BlockCholesky::analyse(structure.free(), structure.order()).unwrap();
    let free = vec![false; factor.len()];
    let h0 = 1e-4;
    factor.factor(&matrix(&model, h0), &free).unwrap();
    let b = Noise::new(3).vector(factor.len(), 1.0);
    // 2 q^m = 1e-10 sqrt k; the residual's norm may lag behind the bound of the energy norm by that
    for (k, bound) in [(1.0, 1), (2_f64.powf(0.25), 8), (2_f64.sqrt(), 10), (2.0, 14), (4.0, 23)] {
        let found = [h0 * k, h0 / k].map(|h| steps(&matrix(&model, h), &mut factor, &b));
        println!("h / h0 = {k:.3} and its inverse: {found:?} steps, bound {bound}");
        assert!(found.iter().all(|n| *n <= bound), "{k}: {found:?}");
        assert!(k < 1.2 || found.iter().all(|n| 2 * n > bound), "{k}: the bound is far off, {found:?}");
    }
    assert!(Arc::ptr_eq(structure.free(), structure.all()));
}

/// The shortest of some runs, ms.
fn best(mut run: impl FnMut()) -> f64 {
    let one = |_| {
        let start = Instant::now();
        run();
        1e3 * start.elapsed().as_secs_f64()
    };
    (0..7).map(one).fold(f64::INFINITY, f64::min)
}

#[test]
#[ignore = "prints what the ways between the rungs cost"]
fn what_the_ways_between_the_rungs_cost() {
    for n in [5, 9, 14] {
        let beta = 1e-3;
        let scene = Scene::new(block([0.1; 3], [n; 3], BoxElement::Hex), LawKind::Linear(moduli(1e5, 0.3)))
            .matter(|m| (m.mass, m.stiffness_damping) = (MassKind::Consistent, beta));
        let model = scene.model();
        let structure = model.structure();
        let mut factor = BlockCholesky::analyse(structure.free(), structure.order()).unwrap();
        let (size, free) = (factor.len(), vec![false; factor.len()]);
        let mut world = crate::automatic(scene, 0.96).world();
        let h0 = 0.5 * world.state().solver.dt;
        let near = matrix(&model, h0);
        let factoring = best(|| factor.factor(&near, &free).unwrap());
        let b = Noise::new(3).vector(size, 1.0);
        let solving = best(|| factor.solve_in_place(&mut b.clone()));
        let ways = [2_f64.sqrt(), 2.0].map(|k| {
            let between = matrix(&model, h0 * k);
            let count = steps(&between, &mut factor, &b);
            (count, best(|| assert!(steps(&between, &mut factor, &b) < 60)))
        });
        let whole = best(|| crate::support::run(&mut world, 1));
        let plain = Scene::new(block([0.1; 3], [n; 3], BoxElement::Hex), LawKind::Linear(moduli(1e5, 0.3)))
            .matter(|m| m.mass = MassKind::Consistent);
        let mut inert = crate::ladder(plain, 1e-6).world();
        let by_mass = best(|| crate::support::run(&mut inert, 1));
        let mut lumped =
            Scene::new(block([0.1; 3], [n; 3], BoxElement::Hex), LawKind::Linear(moduli(1e5, 0.3)))
                .dt(1e-6)
                .world();
        let explicit = best(|| crate::support::run(&mut lumped, 1));
        // two products with the matrix of eigenvectors: one row of it stands for all
        let row = Noise::new(5).vector(size, 1.0);
        let mut sum = 0.0;
        let dense = best(|| (0..2 * size).for_each(|_| sum += std::hint::black_box(dot(&row, &b))));
        println!(
            "{size} unknowns: factor {factoring:.2} ms, solve {solving:.3}, cg sqrt 2: {} steps {:.2}, cg 2: {} steps {:.2}, step {whole:.2}, without viscosity {by_mass:.3}, explicit {explicit:.3}, eigenvectors {dense:.2} ms and {} MB (factor {} MB) {sum:e}",
            ways[0].0,
            ways[0].1,
            ways[1].0,
            ways[1].1,
            size * size / 131_072,
            factor.factor_length() / 131_072,
        );
    }
}

/// The largest |z| of the modes x_n = z^n of a step of length dt = 1 with frequency w, damper d and d0 in the matrix of half a step:
/// (2 + d0) z (z - 1)^2 + 2 w^2 z^2 + 2 d z (z - 1) + (d - d0) (z - 1)^2 = 0, by a long run of the recurrence.
fn growth(w: f64, d: f64, d0: f64) -> f64 {
    let (mut x, mut v, mut a) = (1e-3, 1.0, 0.3);
    let mut largest = 0.0_f64;
    for step in 0..4000 {
        let expected = v + a;
        x += v + 0.5 * a;
        let change = (-w * w * x - d * expected - a) / (1.0 + 0.5 * d0);
        v = expected + 0.5 * change;
        a += change;
        if !x.is_finite() || x.abs() > 1e12 {
            return f64::INFINITY;
        }
        largest = if step > 2000 { largest.max(x.abs()) } else { 0.0 };
    }
    largest
}

#[test]
fn the_factor_of_a_longer_stable_step_is_stable_for_any_shorter_one() {
    // T = 0.96 of the limit, steps T / rho: w dt = 1.92 / rho for the highest mode, h / (dt/2) = rho
    for rho in [1.0, 1.1, 1.4, 2.0, 3.0, 8.0] {
        for part in [0.05, 0.3, 0.7, 1.0] {
            for d in [1e-3, 0.1, 1.0, 10.0, 100.0] {
                let peak = growth(1.92 / rho * part, d, rho * d);
                assert!(peak < 1e3, "rho {rho}, w {part}, d {d}: {peak:e}");
            }
        }
    }
    // a factor of a shorter step is not: dt^2 w^2 + 4 dt (d - d0) > 4
    assert_eq!(growth(1.0, 10.0, 5.0), f64::INFINITY);
    // nor is one that damps what is hardly damped, near the limit: dt^2 w^2 (d0 - d) > (2 + d) d
    assert_eq!(growth(1.7, 0.1, 0.3), f64::INFINITY);
}
