//! Central differences with the full matrices of mass and damping, at steps from a ladder.
//!
//! ```text
//! v_h = v_n + dt/2 a_n,   x_{n+1} = x_n + dt v_h,   v^ = v_h + dt/2 a_n                      (1)
//! M a_{n+1} + dt/2 D_mass a_{n+1} + dt/2 D0 (a_{n+1} - a_n) = f(x_{n+1}, v^) - D_mass v_h    (2)
//! v_{n+1} = v_h + dt/2 a_{n+1}                                                             (3)
//! dt = T / 2^i,   or any dt with (M + h (D_mass + D0)) (a_{n+1} - a_n), h = T / 2^(i+1) >= dt/2     (4)
//! |F - F_ref| <= margin / (dt d_max),   d_max the fastest decay of D0                      (5)
//! ```
//!
//! Source: [Zhuang 3.7-3.9] with neither M nor D lumped, and (4) from [Zhuang 4]: few steps, hence few factors of M + dt/2 D. D0 is the
//! damping matrix of the elements at a reference shape. For linear bodies it is theirs, and (2) is [Zhuang 3.8] to the letter. Under other laws
//! f is the true, objective force at the velocity that is expected, and D0 corrects what was expected: of second order for any D0, and
//! stable up to the undamped limit while D0 is near D. A body that turns takes its damping with it, so D0 is taken anew by (5), and an
//! automatic step turns no element by more than half of that.
//! Dampers of hands come and go and are not in D0.
//!
//! Between the rungs, the open question at the end of [Zhuang 4.2], (2) is solved for the change of the accelerations. A matrix with too much damping,
//! h > dt/2, then only errs by (h - dt/2) D (a_{n+1} - a_n), of second order, and is stable as long as dt^2 K (2 h / dt - 1) <= 2 M + dt D, see
//! `stable_step::full`: below a stable T always. So the factor of the rung above serves any step.

use std::ops::Range;

use pliant_numerics::{CholeskyError, ordered, parallel};
use rayon::prelude::*;

use super::contact::{ContactKit, ContactTally, Penalty};
use super::explicit::{AT_ONCE, found_by_chunks, half_step_behind, predict, watched_goal};
use super::failure::too_large;
use super::frame::{Attempt, Failed, Goal, Rules, Spent, response};
use super::held::{aim_held, place_held};
use super::implicit;
use super::ladder_contact::LadderContact;
use super::ladder_losses::{excess_before, viscous_power};
use super::leap::{check, divergence};
use super::needs::{needs_cells, needs_energy, needs_no_restitution, needs_standing_bones};
use super::reference::{follow_shape, take_reference};
use super::rungs::{PREPARED, Rungs};
use super::sparse_system::Weights;
use super::stable_step::fastest_decay;
use super::step_choice::StepChoice;
use super::step_watch::first_step;
use super::traits::{MethodTraits, StepMatrix};
use super::{Divergence, Inputs, Integrator, Kit, Refusal, StepError};
use crate::contact::Response;
use crate::holding::Holding;
use crate::model::{FixedNode, Model};
use crate::state::State;
use crate::term::{At, Coeffs, Exchange};
use crate::workspace::{CHUNK_NODES, ChunkResult, Phase, Workspace};

/// T as a part of the stability limit under nonlinear laws: below the resonances of `step_watch`, with room for some strain.
const HEADROOM: f64 = 0.8;

/// Central differences with full mass and damping.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ladder {
    /// How the step is chosen; a fixed one is the only rung.
    pub step: StepChoice,
    /// Which lengths an automatic step may have.
    pub lengths: Lengths,
}

/// (4): the lengths that an automatic step may have, where one factor does not serve all of them anyway.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Lengths {
    /// T / 2^i, each with its own factor.
    #[default]
    Halved,
    /// Any, with the factor of the rung above.
    Any,
}

impl Integrator for Ladder {
    fn traits(&self) -> MethodTraits {
        MethodTraits {
            name: "explicit",
            step: self.step,
            equilibria: None,
            bound_by_stability: true,
            matrix: StepMatrix::Constant,
            newton: None,
            dissipates: false,
        }
    }

    fn accepts(&self, model: &Model) -> Result<(), Refusal> {
        if model.contact_settings().response == Some(Response::Penalty) {
            needs_no_restitution(model, "explicit with full matrices")?;
        }
        needs_energy(model, "explicit with full matrices")?;
        needs_standing_bones(model, "explicit with full matrices")?;
        needs_cells(model)?;
        let unknown = |t: &&std::sync::Arc<dyn crate::term::ForceTerm>| t.caps().rate && !t.caps().tangent;
        match model.terms().iter().find(unknown) {
            None => Ok(()),
            Some(_) => Err(Refusal {
                what: "a force that depends on velocities cannot tell its damping matrix".into(),
                way_out: "use lumped mass and the explicit method without damping = \"full\"".into(),
            }),
        }
    }

    /// The mean of the two half-step energies, as in [`super::Explicit`].
    fn kinetic(&self, model: &Model, state: &State, dofs: Range<usize>) -> f64 {
        let half = half_step_behind(state);
        let of_change = implicit::kinetic(model, &state.a, dofs.clone());
        implicit::kinetic(model, &state.v, dofs) + half * half * of_change
    }

    fn start(&self, model: &Model, state: &mut State, kit: &mut Kit) -> Result<(), Refusal> {
        kit.solvers.make_rungs(model)?;
        let Kit { workspace: w, solvers, .. } = kit;
        w.force.fill(0.0);
        let at = state.at();
        w.evaluate_forces(model, at, &[]);
        let rungs = solvers.rungs(model);
        let (now, inputs) = (state.clone(), Inputs::default());
        if rungs.has_viscosity() {
            take_reference(&mut state.solver.ladder, &now.x);
            rungs.refer(model, &now, &state.solver.ladder, w);
        }
        resist(model, state, rungs);
        drive(model, rungs, w);
        state.a.fill(0.0);
        rungs.hold(model, &now.holding, &inputs);
        aim_held(model, None, state, &inputs, &mut rungs.product);
        // M is positive definite; if not, the first step says so
        if accelerate(model, state, rungs, (0.0, 0.0)).is_ok() {
            react(model, state, rungs, (&now.holding, 0.0));
        }
        let (varies, any_step) = (rungs.varies, rungs.serves_any_step());
        if varies {
            state.solver.ladder.decay = fastest_decay(model, &now, kit);
            state.solver.watch.rate = kit.workspace.deformation(model, now.at()).rate;
        }
        self.choose_first(model, state, kit, any_step);
        let count = if matches!(self.step, StepChoice::Auto { .. }) { PREPARED } else { 1 };
        match kit.solvers.rungs(model).prepare(model, state.solver.ladder.factored, count) {
            Err(CholeskyError::TooLarge) => Err(too_large(model, &CholeskyError::TooLarge)),
            // likewise
            _ => Ok(()),
        }
    }

    fn usual_response(&self) -> Response {
        Response::Constraint
    }

    fn penalty<'a>(&self, kit: &'a mut Kit) -> &'a mut Penalty {
        &mut kit.contact.penalty
    }

    fn resistance(&self, dt: f64) -> Weights {
        let terms = Coeffs { k: 0.0, d: 0.5 / dt };
        Weights { mass: 1.0 / (dt * dt), mass_damping: 0.5 / dt, terms, definite: false }
    }

    fn rules(&self) -> Rules {
        AT_ONCE
    }

    fn aim(&self, model: &Model, s0: &State, s1: &mut State, kit: &mut Kit, inputs: &Inputs) -> Goal {
        kit.workspace.phase(Phase::Stability);
        follow_shape(model, s0, s1, &mut kit.workspace);
        watched_goal(self.step, model, s0, s1, kit, inputs)
    }

    fn attempt(
        &self,
        model: &Model,
        s0: &State,
        s1: &mut State,
        kit: &mut Kit,
        (place, inputs): (&Goal, &Inputs),
    ) -> Result<Attempt, Failed> {
        let Kit { workspace: w, solvers, contact, .. } = kit;
        let response = response(self, model);
        match advance(model, s0, s1, (solvers.rungs(model), w, contact), (inputs, response)) {
            Ok((exchange, contact)) => Ok(Attempt { exchange, contact, ..Attempt::default() }),
            Err(error) => Err(Failed::Error(not_factored(model, s0, kit, inputs, (place.dt, error)))),
        }
    }

    fn inspect(
        &self,
        model: &Model,
        ends: [&State; 2],
        kit: &mut Kit,
        inputs: &Inputs,
    ) -> Result<(), StepError> {
        check(model, ends, kit, (ends[1].solver.dt, 1.0), inputs)
    }

    fn finish(
        &self,
        _model: &Model,
        _s0: &State,
        s1: &mut State,
        kit: &mut Kit,
        (taken, _inputs): (&mut Attempt, &Inputs),
    ) -> Spent {
        (_, taken.report.rung) = s1.solver.ladder.rung_above(s1.solver.dt);
        found_by_chunks(s1, kit, taken)
    }
}

impl Ladder {
    /// T, and the first step.
    fn choose_first(&self, model: &Model, state: &mut State, kit: &mut Kit, any_step: bool) {
        let solver = &mut state.solver;
        match self.step {
            StepChoice::Fixed(dt) => {
                (solver.dt, solver.dt_limit, solver.watch.look_at) = (dt, dt, u64::MAX);
                solver.ladder.factored = if any_step { 0.0 } else { dt };
            }
            StepChoice::Auto { safety } => {
                solver.watch.mode = vec![0.0; state.x.len()];
                first_step(model, state, kit, safety);
                let solver = &mut state.solver;
                let linear = model.matter().iter().all(|m| m.traits().small_strain);
                let part = if linear { safety } else { safety.min(HEADROOM) };
                let found = part * solver.watch.dt_found;
                let top = if found.is_finite() { found } else { solver.dt_limit };
                solver.ladder.factored = if any_step { 0.0 } else { top };
                solver.ladder.largest =
                    if self.lengths == Lengths::Halved { solver.ladder.factored } else { 0.0 };
                solver.dt_limit = solver.ladder.rung_below(solver.dt_limit);
                solver.dt = solver.dt_limit;
            }
        }
    }
}

/// Minus the damping by mass at the velocities of s, as the right side; gives the power that it takes, W.
fn resist(model: &Model, s: &State, rungs: &mut Rungs) -> f64 {
    if !model.is_mass_damped() {
        rungs.right.fill(0.0);
        return 0.0;
    }
    model.damping_times(&s.v, &mut rungs.right);
    let power = ordered::dot(&s.v, &rungs.right);
    rungs.right.iter_mut().for_each(|right| *right = -*right);
    power
}

/// Adds forces and gravity to the right side.
fn drive(model: &Model, rungs: &mut Rungs, w: &Workspace) {
    let (g, mass) = (model.gravity(), model.mass());
    let right = rungs.right.iter_mut().zip(&w.force).enumerate();
    right.for_each(|(i, (right, force))| *right += mass[i / 3].mul_add(g[i % 3], *force));
}

/// (2) for accelerations that begin as those that are expected, or as those of what is held, with the factor of the step `above`; the change
/// is left in `solution`.
fn accelerate(
    model: &Model,
    s: &mut State,
    rungs: &mut Rungs,
    (dt, above): (f64, f64),
) -> Result<(), CholeskyError> {
    let mut solution = std::mem::take(&mut rungs.solution);
    solution.copy_from_slice(&rungs.right);
    if s.a.iter().any(|a| *a != 0.0) {
        let rows = solution.par_chunks_exact_mut(3).with_min_len(CHUNK_NODES).enumerate();
        parallel::for_each(rows, |(node, out)| {
            let expected = rungs.mass_row(model, 0.5 * dt, node, &s.a);
            (0..3).for_each(|c| out[c] -= expected[c]);
        });
    }
    solution.iter_mut().zip(&rungs.held).filter(|(_, held)| **held).for_each(|(out, _)| *out = 0.0);
    let solved = if dt > 0.0 {
        rungs.solution = solution;
        rungs.solve(model, above)
    } else {
        let solved = rungs.solve_mass(model, &mut solution);
        rungs.solution = solution;
        solved
    };
    s.a.iter_mut().zip(&rungs.solution).for_each(|(a, change)| *a += change);
    solved
}

/// What holds the nodes of fixes that held from the step's start on: the rows of (2) that were not solved.
fn react(model: &Model, s: &mut State, rungs: &Rungs, (from, dt): (&Holding, f64)) {
    let half = 0.5 * dt;
    s.reactions.fill(0.0);
    for FixedNode { slot, fix, node, .. } in model.held_nodes(from) {
        let node = node as usize;
        let (inert, given) = (rungs.mass_row(model, half, node, &s.a), &rungs.right[3 * node..]);
        let viscous = if dt > 0.0 { rungs.viscosity_row(node, &rungs.solution) } else { [0.0; 3] };
        let held = (0..3).filter(|c| fix.axes[*c]);
        held.for_each(|c| s.reactions[slot + c] = half.mul_add(viscous[c], inert[c]) - given[c]);
    }
}

/// (1) to (3); gives what was exchanged with the outside.
fn advance(
    model: &Model,
    s0: &State,
    s1: &mut State,
    (rungs, w, contact): (&mut Rungs, &mut Workspace, &mut ContactKit),
    (inputs, response): (&Inputs, Response),
) -> Result<(Exchange, ContactTally), CholeskyError> {
    w.phase(Phase::Predict);
    let (dt, half) = (s1.solver.dt, 0.5 * s1.solver.dt);
    let before = excess_before(model, s0, s1, rungs, w);
    predict(s0, s1, w, dt);
    place_held(model, s0, s1, dt, inputs);
    let power = resist(model, s1, rungs);
    rungs.hold(model, &s0.holding, inputs);
    expect(model, s0, s1, rungs, inputs);

    w.phase(Phase::Forces);
    let at = At { since: dt, ..s1.at() };
    let report = w.evaluate_forces(model, at, inputs.grabs);
    let exchange = w.exchange(model, [s0.at(), at], (0.0, &s0.a), inputs.grabs);
    let touching = !Penalty::is_idle(model, inputs);
    let step = LadderContact { model, s0, inputs, response, dt };
    if touching && response == Response::Penalty {
        step.push(s1, (w, contact));
    }
    s1.solver.ladder.excess =
        if rungs.varies { report.dissipated_power - rungs.power_of(&s1.v) } else { 0.0 };

    w.phase(Phase::Advance);
    drive(model, rungs, w);
    let (above, _) = s1.solver.ladder.rung_above(dt);
    accelerate(model, s1, rungs, (dt, above))?;
    let free = s1.v.iter_mut().zip(s1.a.iter().zip(&s0.a)).zip(&rungs.held).filter(|(_, held)| !**held);
    free.for_each(|((v, (a1, a0)), _)| *v += half * (a1 - a0)); // (3)
    let tally = match touching && response != Response::Penalty {
        true => step.hold(s1, (rungs, w, contact), above),
        false => ContactTally::default(),
    };
    react(model, s1, rungs, (&s0.holding, dt));
    let power = power + viscous_power(s0, s1, rungs) + 0.5 * (before + s1.solver.ladder.excess);
    // nodes that are let go leave with the velocity of their script and the acceleration of free ones
    if s0.holding.releases_before(&s1.holding) {
        rungs.hold(model, &s1.holding, inputs);
        accelerate(model, s1, rungs, (dt, above))?;
    }
    look_at_chunks(s1, w);
    w.chunks[0].dissipated_power = power;
    Ok((exchange, tally))
}

/// v^ of (1), and the accelerations that are expected: those of the script where held, elsewhere the last ones, or none where one factor
/// serves any step and its equation is solved to the letter.
fn expect(model: &Model, s0: &State, s1: &mut State, rungs: &mut Rungs, inputs: &Inputs) {
    let half = 0.5 * s1.solver.dt;
    s1.v.iter_mut().zip(&s0.a).for_each(|(v, a)| *v = a.mul_add(half, *v));
    if !rungs.serves_any_step() {
        let free = s1.a.iter_mut().zip(&s0.a).zip(&rungs.held);
        free.for_each(|((a1, a0), held)| *a1 = if *held { 0.0 } else { *a0 });
    } else {
        s1.a.fill(0.0);
    }
    aim_held(model, Some(&s0.holding), s1, inputs, &mut rungs.product);
}

/// Notes peaks and what is not a number, chunk by chunk.
fn look_at_chunks(s1: &State, w: &mut Workspace) {
    let nodes = s1.v.chunks(3 * CHUNK_NODES).zip(s1.a.chunks(3 * CHUNK_NODES));
    for (chunk, (v, a)) in w.chunks.iter_mut().zip(nodes) {
        let sound = a.iter().all(|a| a.is_finite());
        let peak = v.chunks_exact(3).map(|v| v[0] * v[0] + v[1] * v[1] + v[2] * v[2]).fold(0.0, f64::max);
        *chunk = ChunkResult {
            dissipated_power: 0.0,
            peak: if sound { peak } else { f64::INFINITY },
            travel: chunk.travel,
        };
    }
}

/// A matrix of (2) that has no factor.
fn not_factored(
    model: &Model,
    s0: &State,
    kit: &mut Kit,
    inputs: &Inputs,
    (dt, error): (f64, CholeskyError),
) -> StepError {
    let unknown = match error {
        CholeskyError::NotPositiveDefinite { unknown } => unknown,
        CholeskyError::Order { .. } | CholeskyError::TooLarge => 0,
    };
    let node = unknown / 3;
    let place = std::array::from_fn(|c| s0.x[3 * node + c]);
    let body = model.layout().body_of(node as u32);
    divergence(model, s0, kit, inputs, (dt, body, Divergence::LostDefiniteness { place }))
}
