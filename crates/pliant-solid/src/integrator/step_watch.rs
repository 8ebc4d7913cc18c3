//! The automatic step: below the stability limit while matter deforms.
//!
//! ```text
//! dt = dt_found (1 - 1.5 (e_high - e_found)) (1 - e_high + e_low)                        (1)
//! ```
//!
//! Finding the limit costs some twenty force evaluations, so it is done now and then; between, the
//! largest strain e is looked at. The first factor of (1) follows stiffening: in uniaxial tension e the
//! tangent of St. Venant-Kirchhoff matter is E (1 + 3 e), its frequency grows by 1.5 e. The second keeps a
//! distance when strain swings fast: near the limit the highest modes of a central difference beat
//! slowly, and a stiffness that changes at that pace pumps them up. e_high and e_low are the extremes of the
//! last steps, forgotten slowly, so that the step does not swing with the strain.

use super::{Inputs, stable_step};
use crate::model::Model;
use crate::state::State;
use crate::term::At;
use crate::workspace::Workspace;

/// Steps between looks at the strain, at most.
const LOOK_EVERY: u64 = 8;
/// Change of the largest strain between two looks that is aimed at.
const STRAIN_PER_LOOK: f64 = 0.01;
/// Steps over which extremes of the strain are forgotten.
const MEMORY: f64 = 128.0;
/// Steps after which the limit is found anew in any case, and before which strain is no reason to.
const RENEW_AFTER: u64 = 256;
const RENEW_BEFORE: u64 = 8;
/// Growth of the largest strain after which the limit is found anew; twice that when it shrinks.
const STRAIN_CHANGE: f64 = 0.02;
/// How much faster the highest frequency may grow than the largest strain.
const FREQUENCY_PER_STRAIN: f64 = 1.5;
/// How much of the step a swing of the strain costs.
const STEP_PER_SWING: f64 = 1.0;

/// Sets the step that is stable now; tells whether the limit was found anew.
pub(super) fn watch_step(
    model: &Model,
    s0: &State,
    s1: &mut State,
    w: &mut Workspace,
    inputs: &Inputs,
    safety: f64,
) -> bool {
    // a new hand, or nodes let go, may shorten the step at once
    let changed = circumstances(model, s0, inputs) != s0.solver.circumstances;
    if s0.step < s0.solver.look_at && !changed {
        return false;
    }
    let at = At { time: s0.time, x: &s0.x, v: &s0.v, history: &s0.history };
    let strain = w.strain_level(model, at);
    look(s0, s1, strain);
    let age = s0.step - s0.solver.mode_of;
    let grown = strain > s0.solver.strain_found + STRAIN_CHANGE;
    let sunk = s1.solver.strain_high < s0.solver.strain_found - 2.0 * STRAIN_CHANGE;
    if changed || age >= RENEW_AFTER || ((grown || sunk) && age >= RENEW_BEFORE) {
        find_limit(model, s0, s1, w, inputs, safety);
        return true;
    }
    false
}

/// Finds the stability limit at `s0` and notes in `s1` what it was found for.
pub(super) fn find_limit(
    model: &Model,
    s0: &State,
    s1: &mut State,
    w: &mut Workspace,
    inputs: &Inputs,
    safety: f64,
) {
    let mut mode = std::mem::take(&mut s1.solver.mode);
    let limit = stable_step(model, s0, w, &mut mode, inputs);
    let at = At { time: s0.time, x: &s0.x, v: &s0.v, history: &s0.history };
    let strain = w.strain_level(model, at);
    let circumstances = circumstances(model, s0, inputs);
    let solver = &mut s1.solver;
    solver.mode = mode;
    solver.mode_of = s0.step;
    // where nothing can move any step is stable
    let found = if limit.dt.is_finite() { safety * limit.dt } else { 1e-3 };
    // a moment of ease within a swing says nothing of its stiffest one
    let at_ease = strain < solver.strain_high - STRAIN_CHANGE;
    if !at_ease || found < solver.dt_found || circumstances != solver.circumstances {
        solver.dt_found = found;
        solver.strain_found = strain;
    }
    solver.circumstances = circumstances;
    look(s0, s1, strain);
}

/// Notes the strain, when to look again, and the step that is stable until then if it goes on growing as it did.
fn look(s0: &State, s1: &mut State, strain: f64) {
    let solver = &mut s1.solver;
    let steps = s0.step - s0.solver.looked_at;
    let first = s0.step == 0;
    // nothing is known of the pace at the start: look again at once
    let pace = if steps > 0 { (strain - s0.solver.strain_seen) / steps as f64 } else { 0.0 };
    let interval = if first { 1 } else { ((STRAIN_PER_LOOK / pace.abs()) as u64).clamp(1, LOOK_EVERY) };
    let kept = 1.0 - (steps as f64 / MEMORY).min(1.0);
    let ahead = strain + pace * interval as f64;
    let extreme = |old: f64| if first { strain } else { strain + kept * (old - strain) };
    solver.strain_high = extreme(s0.solver.strain_high).max(strain).max(ahead);
    solver.strain_low = extreme(s0.solver.strain_low).min(strain);
    let stiffening = FREQUENCY_PER_STRAIN * (solver.strain_high - solver.strain_found).max(0.0);
    let swing = STEP_PER_SWING * (solver.strain_high - solver.strain_low);
    solver.dt_limit = solver.dt_found * (1.0 - stiffening).max(0.5) * (1.0 - swing).max(0.5); // (1)
    solver.strain_seen = strain;
    solver.looked_at = s0.step;
    solver.look_at = s0.step + interval;
}

/// A number that changes with whatever is held or pulled from outside: fixes, frozen bodies, pins, hands.
fn circumstances(model: &Model, s0: &State, inputs: &Inputs) -> u64 {
    let mut mixed = 0xcbf2_9ce4_8422_2325_u64;
    // FNV-1a, word by word; the lengths keep neighbouring lists apart
    let mut mix = |word: u64| mixed = (mixed ^ word).wrapping_mul(0x0000_0100_0000_01b3).rotate_left(29);
    model.fixes().iter().for_each(|fix| mix(u64::from(fix.holds(s0.time))));
    s0.frozen.iter().for_each(|frozen| mix(u64::from(*frozen)));
    mix(inputs.pins.len() as u64);
    inputs.pins.iter().for_each(|node| mix(u64::from(*node)));
    for grab in inputs.grabs {
        mix(grab.stiffness.to_bits());
        mix(grab.damping.to_bits());
        for (node, weight) in &grab.point {
            mix(u64::from(*node));
            mix(weight.to_bits());
        }
    }
    mixed
}
