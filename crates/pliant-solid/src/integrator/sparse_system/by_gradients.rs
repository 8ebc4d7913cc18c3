//! Solutions by conjugate gradients; where the matrix is not symmetric, by generalised conjugate residuals.

use pliant_numerics::{ExtraProduct, GradientLimits, GradientReport};

use super::super::newton::NewtonFault;
use super::{Solver, SparseSystem, mask};

/// The part of the right side that a solution may leave before it counts as none.
const LEFT_TO_FAIL: f64 = 0.1;

impl SparseSystem {
    /// As [`Self::solve`], from what `step` holds as a first guess; gives the steps that gradients took, and what was left.
    pub fn solve_from_guess(
        &mut self,
        x: &[f64],
        limits: GradientLimits,
    ) -> Result<GradientReport, NewtonFault> {
        std::mem::swap(&mut self.step, &mut self.correction);
        let moves = self.carry_held(x);
        self.rigid.compress(&mut self.correction);
        mask(&mut self.correction, &self.shut);
        if moves {
            self.matrix.multiply_into(&self.step, &mut self.product);
            self.hands.multiply_add(&self.step, &mut self.product);
        }
        self.ask_of_free(moves);
        let report = self.gradients(limits)?;
        self.take_correction();
        self.rigid.expand(&mut self.step);
        Ok(report)
    }

    /// Gradients from `correction` on, hands included.
    pub(super) fn gradients(&mut self, limits: GradientLimits) -> Result<GradientReport, NewtonFault> {
        let symmetric = self.symmetric;
        let Self { solver: Solver::Gradients(gradients), right, correction, hands, shut: held, .. } = self
        else {
            return Err(NewtonFault::NotPositiveDefinite);
        };
        let mut pull = |x: &[f64], out: &mut [f64]| {
            hands.multiply_add(x, out);
            mask(out, held);
        };
        let extra: Option<ExtraProduct> = if hands.act() { Some(&mut pull) } else { None };
        let report = match symmetric {
            true => gradients.solve(right, correction, limits, extra),
            false => gradients.solve_unsymmetric(right, correction, limits, extra),
        };
        match report.residual {
            _ if report.indefinite => Err(NewtonFault::NotPositiveDefinite),
            // a solution that is far from one is none
            left if left.is_nan() || left > LEFT_TO_FAIL => Err(NewtonFault::Unsolved { report }),
            _ => Ok(report),
        }
    }

    /// The free unknowns of the step become what gradients found.
    pub(super) fn take_correction(&mut self) {
        for ((step, correction), held) in self.step.iter_mut().zip(&self.correction).zip(&self.shut) {
            if !held {
                *step = *correction;
            }
        }
    }
}
