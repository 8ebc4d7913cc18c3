//! Bodies that would give way without the hands on them: pushed together, lifted against their weight.
//!
//! ```text
//! A' = A + U S U^T = M - (D - U S U^T),   M = A + D,   D_i = |w_i| (sum_j |w_j|) S                 (1)
//! v <- v - M^-1 A' v                                                                              (2)
//! ```
//!
//! A and S of `hands`; here A has no factor, so that its solutions cannot be corrected. D lies on the diagonal and resists more than the hands do,
//! by the inequality of Cauchy and Schwarz, (sum w x)^2 <= sum |w| sum |w| x^2: if M has no factor, A' is not positive definite. If it
//! has, (2) turns any vector towards the one that A' resists least in comparison with M, and A' is refused where v . A' v <= 0.
//! M - A' sees nothing but the nodes that are held by hands, so a few steps tell, and conjugate gradients with M solve A' x = b in a few.

use pliant_numerics::{BlockCholesky, BlockMatrix, ordered};

use super::hands::Hands;

/// Steps of (2).
const JUDGING: usize = 12;
/// Steps of conjugate gradients.
const MOST_STEPS: usize = 200;
/// The residual at which they end, as a part of the right side, in the norm of M^-1.
const TOLERANCE: f64 = 1e-12;

/// A' of (1).
pub(super) struct HeldMatrix<'a> {
    /// M.
    pub matrix: &'a BlockMatrix,
    pub hands: &'a Hands,
    pub held: &'a [bool],
}

/// Vectors of the iterations; made when they are first needed.
#[derive(Default)]
pub(super) struct Gradients {
    solution: Vec<f64>,
    direction: Vec<f64>,
    product: Vec<f64>,
    preconditioned: Vec<f64>,
}

impl HeldMatrix<'_> {
    /// A' x; rows of held unknowns mean nothing.
    pub fn multiply_into(&self, x: &[f64], out: &mut [f64]) {
        self.matrix.multiply_into(x, out);
        self.hands.for_each_lump(|node, lump| {
            let first = 3 * node as usize;
            let pull = lump.mul_vec([x[first], x[first + 1], x[first + 2]]);
            (0..3).for_each(|c| out[first + c] -= pull[c]);
        });
        self.hands.multiply_add(x, out);
    }

    fn free_product(&self, x: &[f64], out: &mut [f64]) {
        self.multiply_into(x, out);
        out.iter_mut().zip(self.held).filter(|(_, held)| **held).for_each(|(out, _)| *out = 0.0);
    }

    /// Whether A' resists every motion that (2) finds, with the factor of M.
    pub fn is_definite(&self, factor: &mut BlockCholesky, own: &mut Gradients) -> bool {
        own.provide(self.held.len());
        let Gradients { direction, product, .. } = own;
        let start = |i: usize| if self.held[i] { 0.0 } else { 1.0 + (i % 7) as f64 };
        direction.iter_mut().enumerate().for_each(|(i, v)| *v = start(i));
        for _ in 0..JUDGING {
            self.free_product(direction, product);
            let curvature = ordered::dot(direction, product);
            if curvature.is_nan() || curvature <= 0.0 {
                return false;
            }
            factor.solve_in_place(product);
            direction.iter_mut().zip(&*product).for_each(|(v, q)| *v -= q); // (2)
            let size = ordered::dot(direction, direction).sqrt();
            if size <= 1e-12 * ordered::dot(product, product).sqrt() {
                break;
            }
            direction.iter_mut().for_each(|v| *v /= size);
        }
        true
    }

    /// Turns the right side in the free unknowns of `x` into the solution, by conjugate gradients with the factor of M.
    pub fn solve(&self, factor: &mut BlockCholesky, own: &mut Gradients, x: &mut [f64]) {
        own.provide(x.len());
        let Gradients { solution, direction, product, preconditioned } = own;
        let free = |i: usize| !self.held[i];
        // x is the residual until the end; motions of held unknowns wait in the solution
        for i in 0..x.len() {
            (solution[i], x[i]) = if free(i) { (0.0, x[i]) } else { (x[i], 0.0) };
        }
        preconditioned.copy_from_slice(x);
        factor.solve_in_place(preconditioned);
        direction.copy_from_slice(preconditioned);
        let mut square = ordered::dot(x, preconditioned);
        let enough = TOLERANCE * TOLERANCE * square;
        for _ in 0..MOST_STEPS {
            self.free_product(direction, product);
            let curvature = ordered::dot(direction, product);
            // a part of the way downhill is better than none
            if square <= enough || curvature.is_nan() || curvature <= 0.0 {
                break;
            }
            let part = square / curvature;
            solution.iter_mut().zip(&*direction).for_each(|(s, d)| *s += part * d);
            x.iter_mut().zip(&*product).for_each(|(r, q)| *r -= part * q);
            preconditioned.copy_from_slice(x);
            factor.solve_in_place(preconditioned);
            let next = ordered::dot(x, preconditioned);
            let turn = next / square;
            direction.iter_mut().zip(&*preconditioned).for_each(|(d, z)| *d = turn.mul_add(*d, *z));
            square = next;
        }
        x.copy_from_slice(solution);
    }
}

impl Gradients {
    fn provide(&mut self, unknowns: usize) {
        let Self { solution, direction, product, preconditioned } = self;
        [solution, direction, product, preconditioned].into_iter().for_each(|v| v.resize(unknowns, 0.0));
    }
}
