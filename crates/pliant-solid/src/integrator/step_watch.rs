//! The automatic step: below the stability limit while matter deforms, and changed as seldom as that allows.
//!
//! ```text
//! w(e) <= w(e_found) (1 + 1.5 e) / (1 + 1.5 e_found)                                      (1)
//! allowed = safety dt_found (1 + 1.5 e_found) / (1 + 1.5 e) (1 - swing)                   (2)
//! ```
//!
//! A central difference keeps x^T (K - dt^2/4 K M^-1 K) x + v^T M v of each mode. Near the limit the first part all but
//! vanishes and depends on dt: every change of dt stretches the motion of the highest modes by a factor, and many
//! changes pump them up without bound, even under a linear law. So the step is held. It is shortened when (2) falls below it (and
//! the limit, found anew, confirms that), lengthened when it has been too short for many steps.
//!
//! Under a nonlinear law n high modes whose phases per step add up to a full turn exchange energy that is nowhere: a
//! resonance of the discrete motion alone, which exists only if dt w reaches 2 sin(pi / n). So once there is strain to couple
//! three of them the step stays below sqrt(3)/2 = 0.866 of the limit, and below sqrt(2)/2 = 0.707 once it couples four.   (3)
//!
//! e is a law's own measure of how far it has stiffened; (1) holds for St. Venant-Kirchhoff in tension, whose tangent is
//! E (1 + 3 e), and neo-Hookean matter in compression. Swing is how much e has varied over the last steps: a stiffness that
//! changes at the pace at which the highest modes beat pumps them, too.

use super::contact::{Penalty, leap_limit};
use super::frame::{has_springs, response};
use super::reference::MARGIN;
use super::stable_step::{has_full_matrices, stable_step};
use super::{Inputs, Kit};
use crate::contact::Response;
use crate::model::Model;
use crate::rigid::fastest_turn;
use crate::solver_memory::SolverMemory;
use crate::state::State;
use crate::term::Deformation;
use crate::workspace::Workspace;

/// Steps between looks at the strain, at most.
const LOOK_EVERY: u64 = 8;
/// Relative change of (1) between two looks that is aimed at.
const STRAIN_PER_LOOK: f64 = 0.01;
/// Steps over which extremes of the strain are forgotten.
const MEMORY: f64 = 128.0;
/// Steps after which the limit is found anew in any case, and before which it is not found again.
const RENEW_AFTER: u64 = 256;
const RENEW_BEFORE: u64 = 8;
/// How far above (2) the step may come before it is shortened: 0.985 of the limit for the usual safety of 0.96.
const SLACK: f64 = 1.026;
/// Strains from which on (3) limits the step to a part of the stability limit; with slack, 0.862 and 0.698 of it.
const RESONANCES: [(f64, f64); 2] = [(0.01, 0.84), (0.15, 0.68)];
/// How much any element may deform in a step.
const DEFORMATION_PER_STEP: f64 = 0.2;
/// How far below (2) a changed step is set, so that the next change is not near.
const DISTANCE: f64 = 0.95;
/// How much too short, and for how many steps, the step must be before it is lengthened.
const WORTH_WHILE: f64 = 1.25;
const PATIENCE: u64 = 512;
/// How much faster the highest frequency may grow than the measure of strain.
const FREQUENCY_PER_STRAIN: f64 = 1.5;
/// The part of the stability limit that steps have while contacts may push in every second one.
const ALTERNATING: f64 = 0.68;
/// How much shorter a step becomes at a look because a fast body comes near a collider, at most.
const SHORTEST_LEAP: f64 = 0.1;
/// The step where nothing can move and any step is stable, s.
const ANY_STEP: f64 = 1e-3;

/// Sets the step that is stable now; tells whether the limit was found anew.
pub(super) fn watch_step(
    model: &Model,
    s0: &State,
    s1: &mut State,
    kit: &mut Kit,
    inputs: &Inputs,
    safety: f64,
) -> bool {
    // a new hand, or nodes let go, may shorten the step at once
    let circumstances = circumstances(model, s0, inputs);
    if circumstances != s0.solver.watch.circumstances {
        s1.solver.watch.circumstances = circumstances;
        look(model, s0, s1, &mut kit.workspace);
        feel_hands(model, s1, kit, inputs);
        // a search takes as long as a hundred steps, and a hand must be felt, and let go, at once
        let renewed = !bounds_hands(model, kit) || circumstances >> 32 != s0.solver.watch.circumstances >> 32;
        if renewed {
            renew(model, s0, s1, kit, inputs);
        }
        let allowed = allowed(model, s1, s0.time, safety);
        change_step(s0, s1, allowed);
        // what follows may be quicker than what was
        s1.solver.watch.look_at = s0.step + 1;
        return renewed;
    }
    if s0.step < s0.solver.watch.look_at {
        return false;
    }
    look(model, s0, s1, &mut kit.workspace);
    let age = s0.step - s0.solver.watch.mode_of;
    let leap = leap_limit(model, s0, inputs, s0.solver.dt_limit).max(SHORTEST_LEAP * s0.solver.dt_limit);
    let mut allowed_now = allowed(model, s1, s0.time, safety).min(leap);
    s1.solver.watch.calm = s1.solver.watch.calm.min(allowed_now);
    let held_for = s0.step - s0.solver.watch.changed_at;
    let too_long = s1.solver.dt_limit > SLACK * allowed_now;
    // two equal steps bring a point back that a constraint holds
    let touching = s0.contacts.touches().iter().any(|touch| touch.held);
    let too_short =
        !touching && held_for >= PATIENCE && s1.solver.watch.calm > WORTH_WHILE * s1.solver.dt_limit;
    let renewed = age >= RENEW_AFTER || ((too_long || too_short) && age >= RENEW_BEFORE);
    if renewed {
        renew(model, s0, s1, kit, inputs);
        allowed_now = allowed(model, s1, s0.time, safety).min(leap);
    }
    if s1.solver.dt_limit > SLACK * allowed_now {
        change_step(s0, s1, DISTANCE * allowed_now);
    } else if held_for >= PATIENCE {
        // a moment of ease within a swing says nothing of its stiffest one: the least that was allowed all the while counts
        let allowed_long = DISTANCE * s1.solver.watch.calm.min(allowed_now);
        let step = if too_short { allowed_long.max(s1.solver.dt_limit) } else { s1.solver.dt_limit };
        change_step(s0, s1, step);
    }
    renewed
}

/// The first step, from the state at the start.
pub(super) fn first_step(model: &Model, state: &mut State, kit: &mut Kit, safety: f64) {
    let (now, inputs) = (state.clone(), Inputs::default());
    state.solver.watch.circumstances = circumstances(model, &now, &inputs);
    look(model, &now, state, &mut kit.workspace);
    feel_hands(model, state, kit, &inputs);
    renew(model, &now, state, kit, &inputs);
    let allowed = allowed(model, state, now.time, safety);
    change_step(&now, state, allowed);
}

/// Holds a step from now on: the rung below it on a ladder, which may be as far above as a held step comes.
fn change_step(s0: &State, s1: &mut State, dt: f64) {
    let slack = if s1.solver.ladder.largest > 0.0 { SLACK } else { 1.0 };
    s1.solver.dt_limit = s1.solver.ladder.rung_below(slack * dt);
    s1.solver.watch.changed_at = s0.step;
    s1.solver.watch.calm = f64::INFINITY;
}

/// Finds the stability limit at `s0`, whose strain has been looked at, and notes in `s1` what it was found for.
fn renew(model: &Model, s0: &State, s1: &mut State, kit: &mut Kit, inputs: &Inputs) {
    let mut mode = std::mem::take(&mut s1.solver.watch.mode);
    let grabs = if bounds_hands(model, kit) { &[] } else { inputs.grabs };
    let limit = stable_step(model, s0, kit, &mut mode, &Inputs { grabs, ..*inputs });
    s1.solver.watch.mode = mode;
    s1.solver.watch.mode_of = s0.step;
    s1.solver.watch.dt_found = limit.dt;
    s1.solver.watch.strain_found = s1.solver.watch.strain_seen;
}

/// Notes the strain, its extremes, and when to look again.
fn look(model: &Model, s0: &State, s1: &mut State, w: &mut Workspace) {
    let at = s0.at();
    let Deformation { stiffening: strain, rate } = w.deformation(model, at);
    let solver = &mut s1.solver;
    // a bone must not turn farther in a step than matter may deform
    solver.watch.rate = rate.max(fastest_turn(model.layout().skeleton(), s0));
    let steps = s0.step - s0.solver.watch.looked_at;
    let first = s0.step == 0;
    // nothing is known of the pace at the start: look again at once
    let pace = if steps > 0 { (strain - s0.solver.watch.strain_seen) / steps as f64 } else { 0.0 };
    let aim = STRAIN_PER_LOOK * (1.0 + strain);
    let interval = if first { 1 } else { ((aim / pace.abs()) as u64).clamp(1, LOOK_EVERY) };
    let kept = 1.0 - (steps as f64 / MEMORY).min(1.0);
    let extreme = |old: f64| if first { strain } else { strain + kept * (old - strain) };
    solver.watch.strain_ahead = strain.max(strain + pace * interval as f64);
    solver.watch.strain_high = extreme(s0.solver.watch.strain_high).max(solver.watch.strain_ahead);
    solver.watch.strain_low = extreme(s0.solver.watch.strain_low).min(strain);
    solver.watch.strain_seen = strain;
    solver.watch.looked_at = s0.step;
    solver.watch.look_at = s0.step + interval;
}

/// (2), and no longer than the motion, the script of held nodes and mass damping can be followed with.
fn allowed(model: &Model, s1: &State, time: f64, safety: f64) -> f64 {
    let solver = &s1.solver;
    let found = if solver.watch.dt_found.is_finite() { solver.watch.dt_found } else { ANY_STEP };
    let found = beside_hands(model, solver, found);
    let stiffness = |e: f64| 1.0 + FREQUENCY_PER_STRAIN * e;
    let stiffening = stiffness(solver.watch.strain_ahead.max(solver.watch.strain_found))
        / stiffness(solver.watch.strain_found);
    let swing = (solver.watch.strain_high - solver.watch.strain_low) / (1.0 + solver.watch.strain_high);
    let coupled = RESONANCES.iter().filter(|(strain, _)| solver.watch.strain_high > *strain);
    let distance = coupled.fold(safety * (1.0 - swing).max(0.5), |least, (_, part)| least.min(*part)); // (3)
    // forces that alternate from step to step would drive what swings as fast
    let distance = if solver.watch.alternates { distance.min(ALTERNATING) } else { distance };
    let stable = distance * found / stiffening; // (2)
    // a body that grows without bound must end as a diverged one, not in ever smaller steps
    let followed = (DEFORMATION_PER_STEP / solver.watch.rate).max(stable / 16.0);
    // a damping matrix of a ladder must not fall behind within one step
    let turning = if solver.ladder.decay > 0.0 {
        (0.5 * MARGIN / (solver.watch.rate * solver.ladder.decay)).sqrt()
    } else {
        stable
    };
    let followed = followed.min(turning.max(stable / 16.0));
    stable.min(followed).min(model.resolution(time))
}

/// A number that changes with whatever is held or pulled from outside: fixes, frozen bodies and pins in its upper half, hands in its lower one.
fn circumstances(model: &Model, s0: &State, inputs: &Inputs) -> u64 {
    let mut held = Mixture::new();
    (0..model.fixes().len()).for_each(|fix| held.add(u64::from(s0.holding.holds(fix))));
    s0.holding.frozen().iter().for_each(|frozen| held.add(u64::from(*frozen)));
    // the lengths keep neighbouring lists apart
    held.add(inputs.pins.len() as u64);
    inputs.pins.iter().for_each(|node| held.add(u64::from(*node)));
    let mut hands = Mixture::new();
    // a tool is there or not; where it is changes nothing
    hands.add(inputs.tools.len() as u64);
    for grab in inputs.grabs {
        hands.add(grab.stiffness.to_bits());
        hands.add(grab.damping.to_bits());
        for (node, weight) in &grab.point {
            hands.add(u64::from(node));
            hands.add(weight.to_bits());
        }
    }
    u64::from(held.half()) << 32 | u64::from(hands.half())
}

/// FNV-1a, word by word.
struct Mixture(u64);

impl Mixture {
    fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    fn add(&mut self, word: u64) {
        self.0 = (self.0 ^ word).wrapping_mul(0x0000_0100_0000_01b3).rotate_left(29);
    }

    fn half(&self) -> u32 {
        (self.0 ^ (self.0 >> 32)) as u32
    }
}

/// Whether live hands are allowed for by [`beside_hands`], so that the limit without them is what is found and kept: with lumped mass.
fn bounds_hands(model: &Model, kit: &Kit) -> bool {
    !has_full_matrices(model, kit)
}

/// Notes how much the live hands, and springs of contacts, can add to the highest frequency.
fn feel_hands(model: &Model, s1: &mut State, kit: &Kit, inputs: &Inputs) {
    let grabs = if bounds_hands(model, kit) { inputs.grabs } else { &[] };
    let springs = has_springs(kit.scheme.get(), model, inputs);
    let alternates =
        !Penalty::is_idle(model, inputs) && response(kit.scheme.get(), model) == Response::Constraint;
    let contact = if springs { model.contact_frequency(inputs.tools.len()) } else { 0.0 };
    let solver = &mut s1.solver;
    (solver.watch.hand_stiffness, solver.watch.hand_damping) = (contact, 0.0);
    solver.watch.alternates = alternates;
    for grab in grabs {
        let inverse = model.inverse_point_mass(&grab.point);
        solver.watch.hand_stiffness += grab.stiffness * inverse;
        solver.watch.hand_damping += grab.damping * inverse;
    }
}

/// A step that is stable with the live hands, from the one without, s.
///
/// dt is stable if dt^2 K + 2 dt D <= 4 M. Largest eigenvalues of a sum are at most the sum of the largest ones (Weyl), those of a hand are k and c times
/// sum w^2 / m. Of dt = x dt_0 without hands they are at most 4 x, or 4 x^2 where nothing else damps:
///
/// ```text
/// (a + 4) x^2 + b x = 4   or   a x^2 + (b + 4) x = 4,   a = dt_0^2 k sum w^2/m,   b = 2 dt_0 c sum w^2/m
/// ```
fn beside_hands(model: &Model, solver: &SolverMemory, free: f64) -> f64 {
    let (a, b) = (free * free * solver.watch.hand_stiffness, 2.0 * free * solver.watch.hand_damping);
    if !(a + b).is_finite() || a + b == 0.0 {
        return free;
    }
    let (a, b) = if model.has_rate_terms() { (a, b + 4.0) } else { (a + 4.0, b) };
    // the positive root, in a form that does not cancel
    free * 8.0 / (b + (b * b + 16.0 * a).sqrt())
}
