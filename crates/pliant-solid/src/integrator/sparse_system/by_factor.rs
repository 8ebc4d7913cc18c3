//! Solutions by a factor, with what they leave in truth.
//!
//! A factor of a matrix whose entries are far larger than what they sum up to solves some other equations: |b - A x| / |b|, found from b, A
//! and x, says so. What is above the tolerance is solved for once more.

use pliant_numerics::{GradientLimits, GradientReport, ordered};

use super::super::newton_report::NewtonFault;
use super::by_gradients::LEFT_TO_FAIL;
use super::{Solver, SparseSystem, mask};
use crate::model::Model;
use crate::rows::HeldMatrix;

/// Below this part of the right side what a refined solution leaves is rounding, whatever the tolerance.
const ROUNDING: f64 = 1e-6;

impl SparseSystem {
    /// As [`Self::solve`] with a factor; gives what is left.
    pub fn solve_by_factor(
        &mut self,
        model: &Model,
        x: &[f64],
        limits: GradientLimits,
    ) -> Result<GradientReport, NewtonFault> {
        self.solve_reduced(model, x, limits)?;
        let mut residual = self.left_by_step();
        if residual > limits.tolerance {
            self.refine();
            residual = self.left_by_step();
        }
        self.rigid.expand(&mut self.step);
        let unsolved = residual.is_nan() || residual > limits.tolerance.max(ROUNDING);
        let report = GradientReport { residual, unsolved, ..GradientReport::default() };
        match residual <= LEFT_TO_FAIL {
            true => Ok(report),
            false => Err(NewtonFault::Unsolved { report }),
        }
    }

    /// |b - A x| / |b| of the step; b - A x stays in `product`.
    fn left_by_step(&mut self) -> f64 {
        self.correction.copy_from_slice(&self.step);
        mask(&mut self.correction, &self.shut);
        let mut product = std::mem::take(&mut self.product);
        self.multiply_into(&self.correction, &mut product);
        self.product = product;
        let Self { shut, right, product, .. } = self;
        product.iter_mut().zip(&*right).for_each(|(product, right)| *product = right - *product);
        mask(product, shut);
        let whole = ordered::dot(right, right);
        if whole == 0.0 { 0.0 } else { (ordered::dot(product, product) / whole).sqrt() }
    }

    /// Adds to the step what solves for the rest in `product`.
    fn refine(&mut self) {
        let Self { matrix, rows, shut, solver: Solver::Direct(factor), step, correction, product, .. } = self
        else {
            return;
        };
        correction.copy_from_slice(product);
        if self.lumped {
            HeldMatrix { matrix, rows, held: shut }.solve(factor, &mut self.gradients, correction);
        } else {
            factor.solve_in_place(correction);
            self.woodbury.correct(rows, &mut **factor, shut, correction);
        }
        let free = step.iter_mut().zip(&*correction).zip(&*shut).filter(|(_, shut)| !**shut);
        free.for_each(|((step, correction), _)| *step += correction);
    }
}
