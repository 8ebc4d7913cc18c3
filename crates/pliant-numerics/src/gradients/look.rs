//! When to look at the true residual, and what is seen.
//!
//! ```text
//! enough = square (tolerance / residual)^2 / 2                                                (1)
//! floor = 4 eps | |b| + |A| |x| | / |b|                                                       (2)
//! ```
//!
//! The square of r in the norm of M^-1 is at hand in every step; b - A x costs a product. So it is found when that
//! square has fallen as far as, by (1), the true residual still had to. Where that has not fallen with it, the
//! recurrence of r has strayed from b - A x by rounding, and the method begins anew from there. What is left below (2)
//! is rounding.

use super::part::Part;
use super::{
    ConjugateGradients, ExtraProduct, GradientLimits, GradientReport, Preconditioner, each, each_with,
    sum_over,
};

/// Looks in a row that found less than a tenth of the residual gone, after which nothing more is expected.
const MOST_STALLS: usize = 3;
/// Beyond this part of the right side rounding is no excuse.
const MOST_ROUNDING: f64 = 1e-6;

/// What is wanted, and what is known so far.
pub(super) struct Goal {
    tolerance: f64,
    /// The square of r at which the true residual is looked at.
    enough: f64,
    stalls: usize,
    /// Whether the next step is the first of a new beginning.
    pub anew: bool,
    /// Steps at the time of the true residual that was seen last.
    seen_at: usize,
    pub report: GradientReport,
}

impl Goal {
    /// (1).
    fn aim(&mut self, square: f64) {
        let ratio = self.tolerance / self.report.residual;
        self.enough = square * 0.5 * ratio * ratio;
    }
}

impl ConjugateGradients {
    /// The first r and its square; where there is nothing to solve, the report.
    pub(super) fn begin(
        &mut self,
        b: &[f64],
        x: &mut [f64],
        limits: GradientLimits,
        extra: &mut Option<ExtraProduct>,
    ) -> Result<(Goal, f64), GradientReport> {
        if self.parts.iter().any(|part| part.gives_way) {
            let residual = 1.0;
            return Err(GradientReport {
                indefinite: true,
                unsolved: true,
                residual,
                ..GradientReport::default()
            });
        }
        self.load(b);
        if !self.pieces.note_whole(&self.parts) {
            x.fill(0.0);
            return Err(GradientReport::default());
        }
        self.load_guess(x);
        let residual = self.look(extra);
        let report = GradientReport { residual, ..GradientReport::default() };
        let tolerance = limits.tolerance;
        let mut goal = Goal { tolerance, enough: f64::INFINITY, stalls: 0, anew: true, seen_at: 0, report };
        let square = self.take_up();
        if residual > tolerance {
            goal.aim(square);
        }
        Ok((goal, square))
    }

    /// Whether the true residual is small enough, looked at when it may be.
    pub(super) fn is_reached(
        &mut self,
        goal: &mut Goal,
        square: &mut f64,
        extra: &mut Option<ExtraProduct>,
    ) -> bool {
        if goal.report.residual <= goal.tolerance {
            return true;
        }
        if *square > goal.enough {
            return false;
        }
        let before = goal.report.residual;
        goal.report.residual = self.look(extra);
        goal.seen_at = goal.report.steps;
        if goal.report.residual <= goal.tolerance || *square == 0.0 {
            return true;
        }
        if goal.report.residual > 0.9 * before {
            goal.stalls += 1;
            goal.anew = true;
            *square = self.take_up();
        } else {
            goal.stalls = 0;
        }
        goal.aim(*square);
        goal.stalls >= MOST_STALLS
    }

    /// What is left in truth, and the solution.
    pub(super) fn end(
        &mut self,
        mut goal: Goal,
        x: &mut [f64],
        extra: &mut Option<ExtraProduct>,
    ) -> GradientReport {
        let report = &mut goal.report;
        if goal.seen_at != report.steps {
            report.residual = self.look(extra);
        }
        let solved = report.residual <= goal.tolerance
            || (report.residual <= MOST_ROUNDING && report.residual <= self.floor());
        report.unsolved = !solved;
        self.unload(x);
        *report
    }

    /// b - A' x, kept by the parts as `product`; gives the largest of the pieces, as a part of their b.
    fn look(&mut self, extra: &mut Option<ExtraProduct>) -> f64 {
        each_with(&mut self.parts, &mut self.swept, |part, swept| swept.copy_from_slice(&part.solution));
        let more = self.fill_extra(extra);
        let (swept, extra) = (&self.swept, more.then_some(self.extra.as_slice()));
        each(&mut self.parts, |part| part.find_residual(swept, extra));
        self.pieces.worst(&self.parts)
    }

    /// The residual that was found becomes r, swept where sweeps precondition; gives its square in the norm of M^-1.
    fn take_up(&mut self) -> f64 {
        let sweeps = self.preconditioner == Preconditioner::Sweeps;
        sum_over(&mut self.parts, |part| {
            part.residual.copy_from_slice(&part.product);
            if sweeps {
                part.sweep_residual();
            }
            part.square()
        })
    }

    /// (2), of all rows.
    fn floor(&mut self) -> f64 {
        each_with(&mut self.parts, &mut self.swept, |part, swept| swept.copy_from_slice(&part.solution));
        let swept = &self.swept;
        let rounded = sum_over(&mut self.parts, |part| part.sizes(swept));
        let whole = sum_over(&mut self.parts, Part::right_square);
        4.0 * f64::EPSILON * (rounded / whole).sqrt()
    }
}
