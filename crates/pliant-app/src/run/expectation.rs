//! How many steps a run takes and how long it is likely to last, told before it begins.

use pliant_scene::compile::{Counting, StepEstimate};
use pliant_scene::{Compiled, LoadedScene, SceneError};
use pliant_solid::integrator::expected_step_time;
use serde_json::{Value, json};

/// Runs that are likely to last longer are refused, s: nobody waits a year, and a slip of the keyboard is likelier.
const LONGEST: f64 = 365.0 * DAY;
const DAY: f64 = 86_400.0;

/// What can be told of a run before it begins.
pub struct Expectation {
    estimate: StepEstimate,
    /// On one thread, s.
    wall: f64,
    duration: f64,
}

impl Expectation {
    /// Of a compiled scene.
    pub fn of(loaded: &LoadedScene, compiled: &Compiled) -> Self {
        let estimate = compiled.estimate(&loaded.scene);
        let wall = estimate.steps * expected_step_time(&compiled.model, &compiled.scheme);
        Self { estimate, wall, duration: compiled.duration }
    }

    /// Refuses a run that nobody will see the end of.
    pub fn bearable(&self, loaded: &LoadedScene) -> Result<(), SceneError> {
        let too_long = (self.wall > LONGEST).then(|| {
            let words =
                format!("the run would last {} ({} steps)", duration(self.wall), count(self.estimate.steps));
            self.estimate.problem(&words)
        });
        SceneError::check(&loaded.source, self.estimate.too_many().or(too_long).into_iter().collect())
    }

    /// Steps and time; nothing where an equilibrium is sought in as few steps as it takes.
    pub fn line(&self) -> Option<String> {
        let StepEstimate { steps, counting, because, .. } = &self.estimate;
        let about = match counting {
            Counting::Exactly => "",
            Counting::About => "about ",
            Counting::AtLeast if because.is_none() => return None,
            Counting::AtLeast => "at least ",
        };
        let plural = if *steps == 1.0 { "step" } else { "steps" };
        let time = match self.wall {
            wall if wall < 1.0 => "less than a second".into(),
            wall => format!("{}{}", if about.is_empty() { "about " } else { about }, duration(wall)),
        };
        // what is short by intent need not be told why
        let because = because.as_ref().filter(|_| self.wall > 600.0 && *counting != Counting::Exactly);
        let because = because.map_or(String::new(), |words| format!(": {words}"));
        Some(format!(
            "{about}{} {plural} for {} s, {time} on one thread{because}",
            count(*steps),
            self.duration
        ))
    }

    /// The same for programs.
    pub fn json(&self) -> Value {
        let counting = match self.estimate.counting {
            Counting::Exactly => "exactly",
            Counting::About => "about",
            Counting::AtLeast => "at least",
        };
        json!({ "steps": self.estimate.steps, "counted": counting, "expected_wall_s": self.wall, "because": self.estimate.because })
    }
}

fn count(steps: f64) -> String {
    if steps < 1e7 { format!("{steps:.0}") } else { format!("{steps:.1e}") }
}

/// A time to wait, in the unit that suits it.
fn duration(seconds: f64) -> String {
    let (value, unit) = match seconds {
        s if s < 120.0 => (s, "s"),
        s if s < 7200.0 => (s / 60.0, "minutes"),
        s if s < 2.0 * DAY => (s / 3600.0, "hours"),
        s if s < 2.0 * 365.0 * DAY => (s / DAY, "days"),
        s => (s / (365.0 * DAY), "years"),
    };
    if value < 1e6 { format!("{value:.0} {unit}") } else { format!("{value:.0e} {unit}") }
}
