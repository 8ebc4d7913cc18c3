//! What the solution of equations cost, over a run.

use pliant_solid::integrator::StepReport;
use serde::Serialize;

/// Iterations, residuals and halvings of implicit steps and statics.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Effort {
    /// Steps that solved equations.
    pub steps: u64,
    /// Solutions of linear equations.
    pub iterations: u64,
    /// The most that one step needed.
    pub most_iterations: u64,
    /// The largest relative residual that a step was accepted with.
    pub worst_residual: f64,
    /// How often a step was halved until its equations were solved.
    pub halvings: u64,
    /// The part of the loads that acts at the end, in statics.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub load_factor: Option<f64>,
}

impl Effort {
    /// Adds a step.
    pub fn add(&mut self, report: &StepReport) {
        let Some(newton) = report.newton else { return };
        self.steps += 1;
        self.iterations += newton.iterations as u64;
        self.most_iterations = self.most_iterations.max(newton.iterations as u64);
        self.worst_residual = self.worst_residual.max(newton.residual());
        self.halvings += u64::from(report.halvings);
        self.load_factor = report.load;
    }
}
