//! Which steps of a ladder T / 2^i a run took.

use std::collections::BTreeMap;

use pliant_solid::integrator::StepReport;
use serde::{Deserialize, Serialize};

/// Steps by rung.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct RungsUsed {
    /// T, s.
    pub largest_step_s: f64,
    /// How many steps had the length T / 2^i, by i.
    pub steps: BTreeMap<u32, u64>,
}

impl RungsUsed {
    /// Adds a step.
    pub fn add(&mut self, report: &StepReport, largest: f64) {
        // steps of any length have no rungs
        if let Some(rung) = report.rung.filter(|_| largest > 0.0) {
            self.largest_step_s = largest;
            *self.steps.entry(rung).or_default() += 1;
        }
    }

    /// In a line, if there is a ladder.
    pub fn line(&self) -> Option<String> {
        let words: Vec<String> = self
            .steps
            .iter()
            .map(|(rung, steps)| match rung {
                0 => format!("{steps} of T"),
                _ => format!("{steps} of T/{}", 1_u64 << rung),
            })
            .collect();
        let plural = if self.steps.len() == 1 { "rung" } else { "rungs" };
        (!words.is_empty()).then(|| {
            format!(
                "  ladder of steps: {} {plural} of T = {:.4} ms: {}",
                self.steps.len(),
                1e3 * self.largest_step_s,
                words.join(", ")
            )
        })
    }
}
