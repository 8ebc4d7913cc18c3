//! Bodies that would give way without the springs on them: pushed together by hands, lifted against their weight.
//!
//! ```text
//! A' = A + U S U^T = M - (D - U S U^T),   M = A + D,   D_i = |w_i| (sum_j |w_j|) S                 (1)
//! ```
//!
//! A, S and U = J^T of springs; here A has no factor, so that its solutions cannot be corrected. D lies on the diagonal and resists more than the springs do,
//! by the inequality of Cauchy and Schwarz, (sum w x)^2 <= sum |w| sum |w| x^2: if M has no factor, A' is not positive definite. If it
//! has, conjugate gradients with M solve A' x = b. They come to no end without meeting a direction with p . A' p <= 0 where A' is not
//! positive definite and b has a part along what it does not resist, so a right side without any symmetry is solved first to judge A'.
//! M - A' sees nothing but the nodes that springs hold, so that either takes few steps.

use pliant_numerics::{BlockCholesky, BlockMatrix, ordered};

use super::Rows;

/// Steps of conjugate gradients.
const MOST_STEPS: usize = 400;
/// The residual at which they end, as a part of the right side, in the norm of M^-1.
const TOLERANCE: f64 = 1e-10;

/// A' of (1).
pub(crate) struct HeldMatrix<'a> {
    /// M.
    pub matrix: &'a BlockMatrix,
    pub rows: &'a Rows,
    pub held: &'a [bool],
}

/// Vectors of the iterations; made when they are first needed.
#[derive(Default)]
pub(crate) struct Gradients {
    probe: Vec<f64>,
    solution: Vec<f64>,
    direction: Vec<f64>,
    product: Vec<f64>,
    preconditioned: Vec<f64>,
}

impl HeldMatrix<'_> {
    /// A' x; rows of held unknowns mean nothing.
    pub fn multiply_into(&self, x: &[f64], out: &mut [f64]) {
        self.matrix.multiply_into(x, out);
        self.rows.for_each_lump(|node, lump| {
            let first = 3 * node as usize;
            let pull = lump.mul_vec([x[first], x[first + 1], x[first + 2]]);
            (0..3).for_each(|c| out[first + c] -= pull[c]);
        });
        self.rows.multiply_add(x, out);
    }

    fn free_product(&self, x: &[f64], out: &mut [f64]) {
        self.multiply_into(x, out);
        out.iter_mut().zip(self.held).filter(|(_, held)| **held).for_each(|(out, _)| *out = 0.0);
    }

    /// Whether A' is positive definite, as far as a right side without symmetry tells.
    pub fn is_definite(&self, factor: &mut BlockCholesky, own: &mut Gradients) -> bool {
        let mut probe = std::mem::take(&mut own.probe);
        probe.resize(self.held.len(), 0.0);
        // a sequence that fills the interval evenly
        let value = |i: usize| (0.618_033_988_749_895 * (i + 1) as f64).fract() - 0.5;
        probe.iter_mut().enumerate().for_each(|(i, v)| *v = if self.held[i] { 0.0 } else { value(i) });
        let solved = self.solve(factor, own, &mut probe);
        own.probe = probe;
        solved
    }

    /// Turns the right side in the free unknowns of `x` into the solution, by conjugate gradients with the factor of M; says whether
    /// they came to an end.
    pub fn solve(&self, factor: &mut BlockCholesky, own: &mut Gradients, x: &mut [f64]) -> bool {
        own.provide(x.len());
        let Gradients { solution, direction, product, preconditioned, .. } = own;
        // x is the residual until the end; motions of held unknowns wait in the solution
        for i in 0..x.len() {
            (solution[i], x[i]) = if self.held[i] { (x[i], 0.0) } else { (0.0, x[i]) };
        }
        direction.fill(0.0);
        let (mut before, mut enough, mut solved) = (f64::INFINITY, 0.0, false);
        for step in 0..MOST_STEPS {
            preconditioned.copy_from_slice(x);
            factor.solve_in_place(preconditioned);
            let square = ordered::dot(x, preconditioned);
            if step == 0 {
                enough = TOLERANCE * TOLERANCE * square;
            }
            solved = square <= enough;
            if solved {
                break;
            }
            let turn = square / before;
            direction.iter_mut().zip(&*preconditioned).for_each(|(d, z)| *d = turn.mul_add(*d, *z));
            self.free_product(direction, product);
            let curvature = ordered::dot(direction, product);
            // a part of the way downhill is better than none
            if curvature.is_nan() || curvature <= 0.0 {
                break;
            }
            let part = square / curvature;
            solution.iter_mut().zip(&*direction).for_each(|(s, d)| *s += part * d);
            x.iter_mut().zip(&*product).for_each(|(r, q)| *r -= part * q);
            before = square;
        }
        x.copy_from_slice(solution);
        solved
    }
}

impl Gradients {
    fn provide(&mut self, unknowns: usize) {
        let Self { solution, direction, product, preconditioned, .. } = self;
        [solution, direction, product, preconditioned].into_iter().for_each(|v| v.resize(unknowns, 0.0));
    }
}
