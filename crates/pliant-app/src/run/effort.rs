//! What the solution of equations cost, over a run.

use pliant_solid::integrator::StepReport;
use serde::{Deserialize, Serialize};

/// Iterations, residuals and halvings of implicit steps and statics; iterations are those of Newton's method, or of conjugate gradients where a step
/// solves linear equations once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Effort {
    /// Steps that solved equations.
    pub steps: u64,
    /// Iterations of all of them.
    pub iterations: u64,
    /// The most that one step needed.
    pub most_iterations: u64,
    /// The largest relative residual that a step was accepted with.
    pub worst_residual: f64,
    /// How often a step was halved until its equations were solved.
    pub halvings: u64,
    /// Steps whose linear equations were not solved to the tolerance.
    pub unsolved: u64,
    /// Solutions that gradients did not find and a factor did.
    #[serde(skip_serializing_if = "is_none")]
    pub fallbacks: u64,
    /// The largest part of its momentum that a step took from a free body or gave it: removed again where momenta are kept.
    #[serde(skip_serializing_if = "is_zero")]
    pub momentum_drift: f64,
    /// Whether iterations are those of conjugate gradients.
    #[serde(skip)]
    pub by_gradients: bool,
    /// Whether they are those of Newton's method.
    #[serde(skip)]
    pub by_newton: bool,
    /// The part of the loads that acts at the end, in statics.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub load_factor: Option<f64>,
}

impl Effort {
    /// Adds a step.
    pub fn add(&mut self, report: &StepReport) {
        let (iterations, residual) = match (report.newton, report.gradients) {
            (Some(newton), _) => {
                self.by_newton = true;
                (newton.iterations as u64, newton.residual())
            }
            (None, Some(gradients)) => {
                self.by_gradients = true;
                self.unsolved += u64::from(gradients.unsolved);
                (gradients.steps as u64, gradients.residual)
            }
            // a step that solves once with a factor has no iterations to tell
            (None, None) if report.solved => {
                self.unsolved += u64::from(report.factor.is_some_and(|left| left.unsolved));
                (1, report.factor.map_or(0.0, |left| left.residual))
            }
            (None, None) => return,
        };
        self.steps += 1;
        self.iterations += iterations;
        self.most_iterations = self.most_iterations.max(iterations);
        self.worst_residual = self.worst_residual.max(residual);
        self.momentum_drift = self.momentum_drift.max(report.momentum_drift);
        self.halvings += u64::from(report.halvings);
        self.fallbacks += u64::from(report.fallbacks);
        self.load_factor = report.load;
    }
}

fn is_none(count: &u64) -> bool {
    *count == 0
}

fn is_zero(value: &f64) -> bool {
    *value == 0.0
}
