//! Conjugate gradients for symmetric matrices of 3x3 blocks, judged by the true residual.
//!
//! ```text
//! A = L + D + L^T + O,   M = (L + D) D^-1 (D + L^T)                                          (1)
//! q = (L + D)^-1 A (D + L^T)^-1 p = t + (L + D)^-1 (p - D t + O t),   t = (D + L^T)^-1 p      (2)
//! |b - A x| <= tolerance |b|                                                                 (3)
//! ```
//!
//! L holds blocks below the diagonal within a part of the rows, O those between parts; parts are worked on side by
//! side, and their number follows from the size alone. M is symmetric Gauss-Seidel, one sweep forth and one back: M is
//! A + L D^-1 L^T and so as definite as A, whatever A is. (An incomplete factor in place of D needs no fewer steps
//! near Poisson's ratio 0.3 and breaks down above: `benches/preconditioners.rs`.) By (2) [Eisenstat] a step needs no
//! product with A beside the two sweeps. Steps go on in p and r' = (L + D)^-1 r; with z = D r' the square r' . z is
//! r . M^-1 r, and the solution grows by t. With block Jacobi, M = D, q = A p and r stays as it is: more steps, none
//! of which waits for its neighbours' rows.
//!
//! The norm of M^-1 only tells when to look: what counts is (3), found from b, A and x. Rows that nothing connects,
//! those of several bodies, are solved side by side; each such piece has to meet (3) by itself.

mod blocks;
mod look;
mod part;
mod pieces;
mod residuals;

use std::sync::Arc;

use rayon::prelude::*;
use wide::f64x4;

use self::part::Part;
use self::pieces::Pieces;
use crate::{BlockMatrix, BlockPattern, Mat3, parallel};

/// Rows of a part, at least.
const ROWS_OF_A_PART: usize = 4096;
/// Parts, at most.
const MOST_PARTS: usize = 64;

/// M of the module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Preconditioner {
    /// Symmetric Gauss-Seidel.
    Sweeps,
    /// The diagonal blocks.
    Jacobi,
}

/// When to stop.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GradientLimits {
    /// |b - A x| / |b| at which it ends, in every piece that nothing connects to others.
    pub tolerance: f64,
    /// Steps, at most.
    pub steps: usize,
}

/// How it went.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct GradientReport {
    /// Steps taken.
    pub steps: usize,
    /// |b - A x| / |b|, found from b, A and x, of the piece where it is largest.
    pub residual: f64,
    /// Whether that is above the tolerance, and above what rounding leaves of b and A x.
    pub unsolved: bool,
    /// Whether a direction was met that the matrix does not resist.
    pub indefinite: bool,
}

/// A matrix with its preconditioner, and the vectors of the method.
pub struct ConjugateGradients {
    pattern: Arc<BlockPattern>,
    preconditioner: Preconditioner,
    /// Rows of the matrix in the order of the sweeps.
    order: Vec<u32>,
    parts: Vec<Part>,
    pieces: Pieces,
    /// t of all parts, or what is multiplied with A.
    swept: Vec<f64x4>,
    /// What the caller adds to A t.
    extra: Vec<f64x4>,
    plain: [Vec<f64>; 2],
}

/// What the caller adds to products with the matrix: given x it adds to the other vector.
pub type ExtraProduct<'a> = &'a mut dyn FnMut(&[f64], &mut [f64]);

impl ConjugateGradients {
    /// For all matrices with this pattern; `order` lists the block rows in the order of the sweeps.
    pub fn analyse(pattern: &Arc<BlockPattern>, order: &[u32], preconditioner: Preconditioner) -> Self {
        let count = pattern.row_count();
        // halves of halves, so that two or four threads share them evenly
        let parts = 1_usize << (count / ROWS_OF_A_PART).clamp(1, MOST_PARTS).ilog2();
        let size = count.div_ceil(parts).max(1);
        let mut place = vec![0; count];
        order.iter().enumerate().for_each(|(i, row)| place[*row as usize] = i as u32);
        let part = |first: usize| Part::new(pattern, order, &place, first, size.min(count - first));
        let parts: Vec<Part> = (0..count).step_by(size).map(part).collect();
        Self {
            pattern: Arc::clone(pattern),
            preconditioner,
            order: order.to_vec(),
            pieces: Pieces::new(pattern, order),
            swept: vec![f64x4::splat(0.0); count],
            extra: vec![f64x4::splat(0.0); count],
            plain: [vec![0.0; 3 * count], vec![0.0; 3 * count]],
            parts,
        }
    }

    /// Takes the values of a matrix, of which both triangles must be there; rows and columns of `held` unknowns
    /// become the identity's. M alone sees what `heavier` adds to diagonal blocks.
    ///
    /// # Panics
    /// If the matrix has another pattern.
    pub fn refill(
        &mut self,
        matrix: &BlockMatrix,
        held: &[bool],
        heavier: impl Fn(u32) -> Option<Mat3<f64>> + Sync,
    ) {
        assert!(Arc::ptr_eq(matrix.pattern(), &self.pattern), "the matrix has another pattern");
        let (order, preconditioner) = (&self.order, self.preconditioner);
        each(&mut self.parts, |part| part.refill(matrix, held, order, (preconditioner, &heavier)));
    }

    /// Solves A' x = b, A' = A and the extra product, which must not touch held unknowns; `x` is the first guess.
    pub fn solve(
        &mut self,
        b: &[f64],
        x: &mut [f64],
        limits: GradientLimits,
        mut extra: Option<ExtraProduct>,
    ) -> GradientReport {
        let (mut goal, mut square) = match self.begin(b, x, limits, &mut extra) {
            Ok(begun) => begun,
            Err(report) => return report,
        };
        let mut turn = 0.0;
        while !self.is_reached(&mut goal, &mut square, &mut extra) && goal.report.steps < limits.steps {
            if std::mem::take(&mut goal.anew) {
                turn = 0.0;
            }
            each(&mut self.parts, |part| part.turn(turn));
            let curvature = self.product(&mut extra);
            if curvature.is_nan() || curvature <= 0.0 {
                goal.report.indefinite = true;
                break;
            }
            let next = self.advance(square / curvature);
            turn = next / square;
            square = next;
            goal.report.steps += 1;
        }
        self.end(goal, x, &mut extra)
    }

    /// The right side, in the order of the sweeps; p starts at zero.
    fn load(&mut self, b: &[f64]) {
        each(&mut self.parts, |part| {
            for (row, &node) in part.nodes.iter().enumerate() {
                let b = &b[3 * node as usize..][..3];
                part.right[row] = f64x4::from([b[0], b[1], b[2], 0.0]);
                part.direction[row] = f64x4::splat(0.0);
            }
        });
    }

    /// x becomes the solution so far.
    fn load_guess(&mut self, x: &[f64]) {
        each(&mut self.parts, |part| {
            for (row, &node) in part.nodes.iter().enumerate() {
                let x = &x[3 * node as usize..][..3];
                part.solution[row] = f64x4::from([x[0], x[1], x[2], 0.0]);
            }
        });
    }

    fn unload(&self, x: &mut [f64]) {
        for part in &self.parts {
            for (value, &node) in part.solution.iter().zip(&part.nodes) {
                x[3 * node as usize..][..3].copy_from_slice(&value.to_array()[..3]);
            }
        }
    }

    /// The caller's product with what is in `swept`, if there is one.
    fn fill_extra(&mut self, extra: &mut Option<ExtraProduct>) -> bool {
        let Some(extra) = extra else { return false };
        let [x, out] = &mut self.plain;
        for (value, &node) in self.swept.iter().zip(&self.order) {
            x[3 * node as usize..][..3].copy_from_slice(&value.to_array()[..3]);
        }
        out.fill(0.0);
        extra(x, out);
        for (value, &node) in self.extra.iter_mut().zip(&self.order) {
            let out = &out[3 * node as usize..][..3];
            *value = f64x4::from([out[0], out[1], out[2], 0.0]);
        }
        true
    }

    /// t of p, then q; gives p . q.
    fn product(&mut self, extra: &mut Option<ExtraProduct>) -> f64 {
        let sweeps = self.preconditioner == Preconditioner::Sweeps;
        each_with(&mut self.parts, &mut self.swept, |part, swept| match sweeps {
            true => part.sweep_back(swept),
            false => swept.copy_from_slice(&part.direction),
        });
        let more = self.fill_extra(extra);
        let (swept, extra) = (&self.swept, more.then_some(self.extra.as_slice()));
        sum_over(&mut self.parts, |part| match sweeps {
            true => part.sweep_forth(swept, extra),
            false => part.multiply(swept, extra),
        })
    }

    fn advance(&mut self, length: f64) -> f64 {
        let swept = &self.swept;
        sum_over(&mut self.parts, |part| {
            let own = &swept[part.first..];
            part.advance(length, own)
        })
    }
}

/// Runs `work` on every part, side by side when there are several.
fn each(parts: &mut [Part], work: impl Fn(&mut Part) + Sync) {
    parallel::for_each(parts.par_iter_mut(), work);
}

/// The same, with the part's rows of a vector over all rows.
fn each_with(parts: &mut [Part], all: &mut [f64x4], work: impl Fn(&mut Part, &mut [f64x4]) + Sync) {
    let size = parts.first().map_or(1, |p| p.nodes.len());
    parallel::for_each(parts.par_iter_mut().zip(all.par_chunks_mut(size)), |(part, own)| work(part, own));
}

/// The sum of what `work` gives for every part, in their order.
fn sum_over(parts: &mut [Part], work: impl Fn(&mut Part) -> f64 + Sync) -> f64 {
    each(parts, |part| part.sums[0] = work(part));
    parts.iter().map(|part| part.sums[0]).sum()
}
