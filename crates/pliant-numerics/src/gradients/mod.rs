//! Conjugate gradients for symmetric matrices of 3x3 blocks, preconditioned by a sweep forth and a sweep back.
//!
//! ```text
//! A = L + A_D + L^T + O,   M = (L + D) D^-1 (D + L^T)                                                       (1)
//! D_i = A_ii - sum_{j<i} A_ij D_j^-1 A_ij^T                                                                 (2)
//! q = (L + D)^-1 A (D + L^T)^-1 p = t + (L + D)^-1 (p + (A_D - 2 D) t + O t),   t = (D + L^T)^-1 p           (3)
//! ```
//!
//! L holds blocks below the diagonal within a part of the rows, O those between parts; parts are worked on side by side, and their number
//! follows from the size alone. (2) is the incomplete factor that changes nothing but the diagonal, so that M costs no more to make than a
//! product. By (3) [Eisenstat] a step needs no product with A beside the two sweeps, and costs as much as one of conjugate gradients without a
//! preconditioner. Steps go on in p and r' = (L + D)^-1 r; with z = D r' the square r' . z is r . M^-1 r, and the solution grows by t.
//!
//! Rows that nothing connects, those of several bodies, are solved side by side; each such piece has to meet the tolerance by itself.

mod blocks;
mod part;
mod pieces;
mod residuals;

use std::sync::Arc;

use rayon::prelude::*;
use wide::f64x4;

use self::part::Part;
use self::pieces::Pieces;
use crate::{BlockMatrix, BlockPattern, Mat3};

/// Rows of a part, at least.
const ROWS_OF_A_PART: usize = 4096;
/// Parts, at most.
const MOST_PARTS: usize = 64;

/// When to stop.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GradientLimits {
    /// The residual at which it ends, as a part of the right side, both in the norm of M^-1, in every piece that nothing connects to others.
    pub tolerance: f64,
    /// Steps, at most.
    pub steps: usize,
}

/// How it went.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct GradientReport {
    /// Steps taken.
    pub steps: usize,
    /// The residual as a part of the right side, both in the norm of M^-1, of the piece where that is largest.
    pub residual: f64,
    /// Whether the steps ran out before the tolerance was met.
    pub unsolved: bool,
    /// Whether a direction was met that the matrix does not resist.
    pub indefinite: bool,
}

/// A matrix with its sweeps, and the vectors of the method.
pub struct SweptGradients {
    pattern: Arc<BlockPattern>,
    /// Rows of the matrix in the order of the sweeps.
    order: Vec<u32>,
    parts: Vec<Part>,
    pieces: Pieces,
    /// t of all parts.
    swept: Vec<f64x4>,
    /// What the caller adds to A t.
    extra: Vec<f64x4>,
    plain: [Vec<f64>; 2],
}

/// What the caller adds to products with the matrix: given x it adds to the other vector.
pub type ExtraProduct<'a> = &'a mut dyn FnMut(&[f64], &mut [f64]);

impl SweptGradients {
    /// For all matrices with this pattern; `order` lists the block rows in the order of the sweeps.
    pub fn analyse(pattern: &Arc<BlockPattern>, order: &[u32]) -> Self {
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
            order: order.to_vec(),
            pieces: Pieces::new(pattern, order),
            swept: vec![f64x4::splat(0.0); count],
            extra: vec![f64x4::splat(0.0); count],
            plain: [vec![0.0; 3 * count], vec![0.0; 3 * count]],
            parts,
        }
    }

    /// Takes the values of a matrix, of which both triangles must be there; rows and columns of `held` unknowns become the identity's. M alone
    /// sees what `heavier` adds to diagonal blocks.
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
        let order = &self.order;
        each(&mut self.parts, |part| part.refill(matrix, held, order, &heavier));
    }

    /// Solves A' x = b, A' = A and the extra product, which must not touch held unknowns; `x` is the first guess.
    pub fn solve(
        &mut self,
        b: &[f64],
        x: &mut [f64],
        limits: GradientLimits,
        mut extra: Option<ExtraProduct>,
    ) -> GradientReport {
        let Squares { whole, mut square } = match self.begin(b, x, &mut extra) {
            Ok(squares) => squares,
            Err(report) => return report,
        };
        let mut goal = Goal::new(limits, whole);
        let mut report = GradientReport::default();
        let mut turn = 0.0;
        while !self.is_reached(&mut goal, square) && report.steps < limits.steps {
            each(&mut self.parts, |part| part.turn(turn));
            let curvature = self.product(&mut extra);
            if curvature.is_nan() || curvature <= 0.0 {
                report.indefinite = true;
                break;
            }
            let next = self.advance(square / curvature);
            turn = next / square;
            square = next;
            report.steps += 1;
        }
        self.end(&mut report, &mut goal, square);
        self.unload(x);
        report
    }

    /// Whether all pieces meet the tolerance; where all of them together do and one does not, more is asked of all.
    fn is_reached(&mut self, goal: &mut Goal, square: f64) -> bool {
        while square <= goal.enough {
            let worst = self.pieces.worst(&self.parts);
            if worst <= goal.tolerance * goal.tolerance || square == 0.0 {
                return true;
            }
            goal.enough *= 0.25 * goal.tolerance * goal.tolerance / worst;
        }
        false
    }

    /// What a report says at the end.
    fn end(&mut self, report: &mut GradientReport, goal: &mut Goal, square: f64) {
        report.unsolved = square.is_nan() || !self.is_reached(goal, square);
        report.residual = (square / goal.whole).sqrt().max(self.pieces.worst(&self.parts).sqrt());
    }

    /// Makes r' of the first guess; where there is nothing to solve, the report.
    fn begin(
        &mut self,
        b: &[f64],
        x: &mut [f64],
        extra: &mut Option<ExtraProduct>,
    ) -> Result<Squares, GradientReport> {
        if self.parts.iter().any(|part| part.gives_way) {
            return Err(GradientReport { indefinite: true, residual: 1.0, ..GradientReport::default() });
        }
        self.load(b);
        let whole = sum_over(&mut self.parts, Part::sweep_residual);
        self.pieces.note_whole(&self.parts);
        if whole == 0.0 {
            x.fill(0.0);
            return Err(GradientReport::default());
        }
        self.load(b);
        self.subtract_guess(x, extra);
        Ok(Squares { whole, square: sum_over(&mut self.parts, Part::sweep_residual) })
    }

    /// The right side, in the order of the sweeps; p starts at zero.
    fn load(&mut self, b: &[f64]) {
        each(&mut self.parts, |part| {
            for (row, &node) in part.nodes.iter().enumerate() {
                let b = &b[3 * node as usize..][..3];
                part.residual[row] = f64x4::from([b[0], b[1], b[2], 0.0]);
                part.direction[row] = f64x4::splat(0.0);
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

    /// `residual` minus A' x; x becomes the solution so far.
    fn subtract_guess(&mut self, x: &[f64], extra: &mut Option<ExtraProduct>) {
        for part in &mut self.parts {
            for (row, &node) in part.nodes.iter().enumerate() {
                let x = &x[3 * node as usize..][..3];
                let value = f64x4::from([x[0], x[1], x[2], 0.0]);
                part.solution[row] = value;
                self.swept[part.first + row] = value;
            }
        }
        let swept = &self.swept;
        each(&mut self.parts, |part| part.subtract_product(swept));
        if self.fill_extra(extra) {
            for part in &mut self.parts {
                let more = &self.extra[part.first..];
                part.residual.iter_mut().zip(more).for_each(|(r, e)| *r -= *e);
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

    /// (3); gives p . q.
    fn product(&mut self, extra: &mut Option<ExtraProduct>) -> f64 {
        each_with(&mut self.parts, &mut self.swept, |part, swept| part.sweep_back(swept));
        let more = self.fill_extra(extra);
        let (swept, extra) = (&self.swept, more.then_some(self.extra.as_slice()));
        sum_over(&mut self.parts, |part| part.sweep_forth(swept, extra))
    }

    fn advance(&mut self, length: f64) -> f64 {
        let swept = &self.swept;
        sum_over(&mut self.parts, |part| {
            let own = &swept[part.first..];
            part.advance(length, own)
        })
    }
}

/// Squares of the right side and of the residual, in the norm of M^-1.
struct Squares {
    whole: f64,
    square: f64,
}

/// When all rows together are solved well enough.
struct Goal {
    tolerance: f64,
    whole: f64,
    /// The square of the residual at which pieces are looked at.
    enough: f64,
}

impl Goal {
    fn new(limits: GradientLimits, whole: f64) -> Self {
        let tolerance = limits.tolerance;
        Self { tolerance, whole, enough: tolerance * tolerance * whole }
    }
}

/// Runs `work` on every part, side by side when there are several.
fn each(parts: &mut [Part], work: impl Fn(&mut Part) + Sync) {
    match parts {
        [one] => work(one),
        parts => parts.par_iter_mut().for_each(&work),
    }
}

/// The same, with the part's rows of a vector over all rows.
fn each_with(parts: &mut [Part], all: &mut [f64x4], work: impl Fn(&mut Part, &mut [f64x4]) + Sync) {
    let size = parts.first().map_or(1, |p| p.nodes.len());
    match parts {
        [one] => work(one, all),
        parts => parts.par_iter_mut().zip(all.par_chunks_mut(size)).for_each(|(part, own)| work(part, own)),
    }
}

/// The sum of what `work` gives for every part, in their order.
fn sum_over(parts: &mut [Part], work: impl Fn(&mut Part) -> f64 + Sync) -> f64 {
    each(parts, |part| part.sums[0] = work(part));
    parts.iter().map(|part| part.sums[0]).sum()
}
