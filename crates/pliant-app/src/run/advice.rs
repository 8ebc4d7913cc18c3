//! What would have helped a step that failed.

use pliant_solid::Model;
use pliant_solid::integrator::{Divergence, IntegratorKind, StepError};
use pliant_solid::law::InsideOut;

/// What to change so that a step does not fail.
pub fn help(error: &StepError, model: &Model, integrator: &IntegratorKind) -> String {
    let stable = error.stable_dt.filter(|dt| *dt < error.dt);
    let method = integrator.traits();
    match stable {
        Some(dt) if method.bound_by_stability && !method.is_automatic() => format!(
            "the step was {:.4} ms, the longest stable one in that state {:.4} ms: use step = \"auto\" or a shorter one",
            1e3 * error.dt,
            1e3 * dt
        ),
        _ if matches!(error.reason, Divergence::Spin { .. }) => {
            "use a shorter step, a slower spin, or gentler pulls at the bone".into()
        }
        _ if matches!(error.reason, Divergence::Stalled { .. })
            && error.dt > 0.0
            && method.is_automatic() =>
        {
            format!(
                "automatic steps follow an error that is a small part of the body: use a fixed `step`, a shorter `duration`, or gentler loads; where that is no way, {}",
                beyond_the_law(error, model, integrator)
            )
        }
        _ if matches!(error.reason, Divergence::Energy { .. }) => fed_from_nowhere(error, model),
        _ if matches!(error.reason, Divergence::LostDefiniteness { .. }) => beyond_the_peak(error, model),
        _ => beyond_the_law(error, model, integrator),
    }
}

/// Which law bears more than one that takes elements inside out in a given way, with a comma behind it; nothing where none does.
pub fn other_law(inside_out: InsideOut) -> &'static str {
    if inside_out.gives_way() { "law = \"neo-hookean\" or \"corotated\", " } else { "" }
}

/// The ways out where no shorter step is known to help.
fn beyond_the_law(error: &StepError, model: &Model, integrator: &IntegratorKind) -> String {
    let other = other_law(model.matter()[error.body].traits().inside_out);
    let shorter = match integrator.traits().bound_by_stability {
        true => "(`safety`, or a fixed `step`)",
        false => "(a fixed `step`)",
    };
    format!(
        "the matter is deformed beyond what its law or mesh can bear: use {other}stiffer matter, a finer mesh there, gentler loads or \
         motions (`over` a longer time, a grab with `max_force` or a path that starts at its point), damping = {{ mass = ... }}, or a \
         shorter step {shorter}"
    )
}

/// The ways out where forces feed the motion.
fn fed_from_nowhere(error: &StepError, model: &Model) -> String {
    let law = match model.matter()[error.body].traits().has_energy {
        false => "law = \"corotated\" (forces of `warped` have no energy), ",
        true => "",
    };
    let is_stiff_in_volume = model.matter()[error.body].moduli().any(|moduli| moduli.poisson() > 0.45);
    let compressible = if is_stiff_in_volume { "`poisson` of 0.45 or less, " } else { "" };
    format!(
        "the forces feed the motion from nowhere: use {law}{compressible}solver = \"direct\" where it is taken, or a shorter `step`"
    )
}

/// The ways out where a body gives way.
fn beyond_the_peak(error: &StepError, model: &Model) -> String {
    let other_law = other_law(model.matter()[error.body].traits().inside_out);
    let law = if other_law.is_empty() { String::new() } else { format!("use {other_law}") };
    let other = if error.load.is_some() {
        "or follow the motion in time with method = \"newmark\" and damping"
    } else {
        "or a shorter `step`"
    };
    format!(
        "beyond a peak or buckling load there is no equilibrium nearby: load or move it less, {law}where a force loads it prescribe the \
         motion instead (`move` of a fix), {other}"
    )
}
