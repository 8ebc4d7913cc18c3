//! How Newton's method went, and why it found nothing.

use pliant_numerics::GradientReport;

/// Residuals that are remembered.
const REMEMBERED: usize = 16;

/// How Newton's method went.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NewtonReport {
    /// Solutions of linear equations.
    pub iterations: usize,
    /// Relative residual before each of them, and after the last; the last 16.
    residuals: [f64; REMEMBERED],
    count: usize,
    /// Steps that were shortened by the line search.
    pub shortened: usize,
}

impl NewtonReport {
    pub(super) fn new() -> Self {
        Self { iterations: 0, residuals: [0.0; REMEMBERED], count: 0, shortened: 0 }
    }

    /// Notes a relative residual, which is nothing where it can only be rounding.
    pub(super) fn note(&mut self, worst: f64, rounding: bool) {
        if self.count == REMEMBERED {
            self.residuals.rotate_left(1);
            self.count -= 1;
        }
        // next to nothing over next to nothing says nothing
        self.residuals[self.count] = if rounding { 0.0 } else { worst };
        self.count += 1;
    }

    /// Takes back that what is left is nothing but rounding.
    pub(super) fn is_not_rounding(&mut self, worst: f64) {
        self.residuals[self.count - 1] = worst;
    }

    /// Relative residuals from iteration to iteration, the last one last.
    pub fn residuals(&self) -> &[f64] {
        &self.residuals[..self.count]
    }

    /// The relative residual at the end.
    pub fn residual(&self) -> f64 {
        self.residuals().last().copied().unwrap_or(0.0)
    }
}

/// Why Newton's method found nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum NewtonFault {
    /// The tangent is not positive definite.
    NotPositiveDefinite,
    /// A bone of this body turns too fast for the step.
    Spin { body: usize },
    /// Gradients came to no end.
    Unsolved { report: GradientReport },
    /// Forces are not finite, however short the step.
    NotFinite,
    /// Elements turn inside out, however short the step.
    Inverted,
    /// Too many iterations.
    NotConverged { report: NewtonReport },
}
