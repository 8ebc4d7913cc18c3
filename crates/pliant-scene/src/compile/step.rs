//! The integrator, and whether a given step is stable.

use pliant_solid::integrator::{Explicit, Inputs, IntegratorKind, StepChoice, StepLimit, stable_step};
use pliant_solid::{Model, Workspace};

use crate::diagnostic::Problem;
use crate::spec::{Method, Scene, Step};

/// The scene's integrator; a fixed step is adjusted so that it divides the duration.
pub(super) fn integrator(scene: &Scene, duration: f64) -> IntegratorKind {
    let Method::Explicit = scene.integrator.method;
    let step = match &*scene.integrator.step {
        Step::Auto => StepChoice::Auto { safety: scene.integrator.safety.si() },
        Step::Fixed(step) => StepChoice::Fixed(even_step(duration, step.si())),
    };
    IntegratorKind::Explicit(Explicit { step })
}

/// duration / round(duration / step).
fn even_step(duration: f64, step: f64) -> f64 {
    duration / (duration / step).round().max(1.0)
}

/// The longest stable step at the start.
pub(super) fn limit(model: &Model) -> StepLimit {
    let state = model.initial_state();
    let mut mode = vec![0.0; state.x.len()];
    stable_step(model, &state, &mut Workspace::new(model), &mut mode, &Inputs::default())
}

/// Refuses a given step above the stable one, with the number to use.
pub(super) fn check(scene: &Scene, duration: f64, limit: &StepLimit, force: bool) -> Result<(), Problem> {
    let Step::Fixed(step) = &*scene.integrator.step else { return Ok(()) };
    let dt = even_step(duration, step.si());
    if dt <= limit.dt || force {
        return Ok(());
    }
    // rounded down to two digits, so that it can be typed
    let magnitude = 10_f64.powf(limit.dt.log10().floor() - 1.0);
    let usable = (limit.dt / magnitude).floor() * magnitude;
    let message =
        format!("the step of {} is not stable: the longest stable one is {}", time(dt), time(limit.dt));
    Err(Problem::new(scene.integrator.step.span(), message)
        .help(format!("use step = \"{}\", or step = \"auto\"; --force runs it all the same", time(usable))))
}

/// A time with the prefix that suits it.
fn time(seconds: f64) -> String {
    let (factor, unit) = match seconds {
        s if s >= 1.0 => (1.0, "s"),
        s if s >= 1e-3 => (1e3, "ms"),
        s if s >= 1e-6 => (1e6, "us"),
        _ => (1e9, "ns"),
    };
    let digits = format!("{:.4}", seconds * factor);
    format!("{} {unit}", digits.trim_end_matches('0').trim_end_matches('.'))
}
