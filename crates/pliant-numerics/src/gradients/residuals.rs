//! The same sweeps where the matrix is not symmetric: generalised conjugate residuals, the last few directions kept.
//!
//! ```text
//! p = D r',   t = (D + U)^-1 p,   q = (L + D)^-1 A t                                       (1)
//! b_k = q . D q_k,   q <- q - sum b_k q_k,   t <- t - sum b_k t_k                          (2)
//! a = r' . D q / q . D q,   x <- x + a t,   r' <- r' - a q                                 (3)
//! ```
//!
//! Source: [EisenstatElmanSchultz], preconditioned from both sides by (2) of the module above with U, the blocks
//! above the diagonal, in place of L^T. No step makes r' larger in the norm of D, however far the matrix is from
//! symmetric; where it is symmetric and definite, one direction kept is as good as all. D is the symmetric part of
//! the diagonal. With block Jacobi r stands for r', D^-1 for D, and p for t.

use super::part::{KEPT, Part};
use super::{ConjugateGradients, ExtraProduct, GradientLimits, GradientReport, each, each_with};

/// After so many steps without a square that is smaller by so much, nothing is expected of more of them.
const LOOK_EVERY: usize = 100;
const STALLED: f64 = 0.9;

impl ConjugateGradients {
    /// As [`Self::solve`], for a matrix that need not be symmetric.
    pub fn solve_unsymmetric(
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
        each(&mut self.parts, Part::make_room);
        let mut looked = square;
        while !self.is_reached(&mut goal, &mut square, &mut extra) && goal.report.steps < limits.steps {
            let report = &mut goal.report;
            if report.steps > 0 && report.steps.is_multiple_of(LOOK_EVERY) {
                if square > STALLED * looked {
                    break;
                }
                looked = square;
            }
            each(&mut self.parts, |part| part.turn(0.0)); // p of (1)
            let curvature = self.product(&mut extra);
            if curvature.is_nan() || curvature <= 0.0 {
                report.indefinite = true;
                break;
            }
            let kept = report.steps.min(KEPT);
            each(&mut self.parts, |part| part.along_kept(kept));
            let along = self.sums();
            each_with(&mut self.parts, &mut self.swept, |part, swept| part.turn_away(&along[..kept], swept)); // (2)
            let [norm, slope, ..] = self.sums();
            // nothing new to go along
            if !(norm > 0.0 && slope != 0.0) {
                break;
            }
            square = self.advance(slope / norm); // (3)
            let (place, swept) = (report.steps % KEPT, &self.swept);
            each(&mut self.parts, |part| part.keep(place, norm.sqrt(), &swept[part.first..]));
            report.steps += 1;
        }
        self.end(goal, x, &mut extra)
    }

    /// Over all parts, in their order.
    fn sums(&self) -> [f64; KEPT] {
        std::array::from_fn(|k| self.parts.iter().map(|part| part.sums[k]).sum())
    }
}
