//! Solutions by conjugate gradients; where the matrix is not symmetric, by generalised conjugate residuals.
//!
//! What they leave is judged by |b - A x| / |b|. Where that stays above the tolerance a factor solves instead, if the
//! matrix has one that fits into memory.

use pliant_numerics::{BlockCholesky, ExtraProduct, GradientLimits, GradientReport, ordered};

use super::super::newton_report::NewtonFault;
use super::{Iterative, Solver, SparseSystem, mask};
use crate::model::Model;

/// The part of the right side that a solution may leave before it counts as none.
pub(super) const LEFT_TO_FAIL: f64 = 0.1;

impl SparseSystem {
    /// As [`Self::solve`], from what `step` holds as a first guess; gives the steps that gradients took, and what was
    /// left.
    pub fn solve_from_guess(
        &mut self,
        model: &Model,
        x: &[f64],
        limits: GradientLimits,
    ) -> Result<GradientReport, NewtonFault> {
        self.ask_from_guess(x);
        let report = self.gradients(model, limits)?;
        self.take_correction();
        self.rigid.expand(&mut self.step);
        Ok(report)
    }

    /// Whether gradients alone solve within limits, from zero.
    pub fn is_solved_by_gradients(&mut self, x: &[f64], limits: GradientLimits) -> Option<GradientReport> {
        self.step.fill(0.0);
        self.ask_from_guess(x);
        self.iterate(limits).filter(|report| !report.unsolved && !report.indefinite)
    }

    /// The right side, and `step` as the first guess of the solution.
    fn ask_from_guess(&mut self, x: &[f64]) {
        std::mem::swap(&mut self.step, &mut self.correction);
        let moves = self.carry_held(x);
        self.rigid.compress(&mut self.correction);
        mask(&mut self.correction, &self.shut);
        if moves {
            self.matrix.multiply_into(&self.step, &mut self.product);
            self.rows.multiply_add(&self.step, &mut self.product);
        }
        self.ask_of_free(moves);
    }

    /// Gradients from `correction` on, rows included; a factor where they do not get there.
    pub(super) fn gradients(
        &mut self,
        model: &Model,
        limits: GradientLimits,
    ) -> Result<GradientReport, NewtonFault> {
        let report = self.iterate(limits).ok_or(NewtonFault::NotPositiveDefinite)?;
        if report.unsolved && self.symmetric && !report.indefinite && model.elimination().is_worth_a_factor()
        {
            return self.by_factor(model, report);
        }
        match report.residual {
            _ if report.indefinite => Err(NewtonFault::NotPositiveDefinite),
            // a solution that is far from one is none
            left if left.is_nan() || left > LEFT_TO_FAIL => Err(NewtonFault::Unsolved { report }),
            _ => Ok(report),
        }
    }

    fn iterate(&mut self, limits: GradientLimits) -> Option<GradientReport> {
        let symmetric = self.symmetric;
        let Self { solver: Solver::Gradients(iterative), right, correction, rows, shut: held, .. } = self
        else {
            return None;
        };
        let mut pull = |x: &[f64], out: &mut [f64]| {
            rows.multiply_add(x, out);
            mask(out, held);
        };
        let extra: Option<ExtraProduct> = if rows.resist() { Some(&mut pull) } else { None };
        Some(match symmetric {
            true => iterative.method.solve(right, correction, limits, extra),
            false => iterative.method.solve_unsymmetric(right, correction, limits, extra),
        })
    }

    /// The solution of a factor, made where the first one is needed, with what it leaves in truth.
    fn by_factor(&mut self, model: &Model, tried: GradientReport) -> Result<GradientReport, NewtonFault> {
        self.woodbury.make_room(&self.rows, self.shut.len());
        let Self {
            solver: Solver::Gradients(iterative),
            matrix,
            right,
            correction,
            rows,
            woodbury,
            shut,
            product,
            ..
        } = self
        else {
            return Err(NewtonFault::NotPositiveDefinite);
        };
        let Iterative { factor, fallbacks, .. } = &mut **iterative;
        if factor.is_none() {
            let made = BlockCholesky::analyse(matrix.pattern(), &model.elimination().order);
            *factor = made.ok().map(Box::new);
        }
        let Some(factor) = factor else { return Err(NewtonFault::Unsolved { report: tried }) };
        factor.factor(matrix, shut).map_err(|_| NewtonFault::NotPositiveDefinite)?;
        correction.copy_from_slice(right);
        factor.solve_in_place(correction);
        woodbury.correct(rows, &mut **factor, shut, correction);
        *fallbacks += 1;
        // what is left
        matrix.multiply_into(correction, product);
        rows.multiply_add(correction, product);
        for (product, right) in product.iter_mut().zip(&*right) {
            *product = right - *product;
        }
        mask(product, shut);
        let residual = (ordered::dot(product, product) / ordered::dot(right, right)).sqrt();
        match residual.is_finite() && residual <= LEFT_TO_FAIL {
            true => Ok(GradientReport { residual, unsolved: false, ..tried }),
            false => Err(NewtonFault::Unsolved { report: tried }),
        }
    }

    /// Solutions that only a factor found, since this was last asked.
    pub fn take_fallbacks(&mut self) -> u32 {
        match &mut self.solver {
            Solver::Gradients(iterative) => std::mem::take(&mut iterative.fallbacks),
            Solver::Direct(_) => 0,
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
