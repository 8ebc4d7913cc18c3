//! What the methods share that solve equations of motion in every step: how they begin, and what a step that was solved leaves behind.

use std::ops::Range;

use super::balance::{Balance, Recurrence};
use super::held::{aim_held, read_reactions};
use super::leap::check;
use super::sparse_system::SparseSystem;
use super::step_choice::StepChoice;
use super::{Inputs, Kit, Refusal, StepError};
use crate::layout::Body;
use crate::model::Model;
use crate::state::State;
use crate::term::{At, Exchange, ForceTerm, until};
use crate::workspace::{ChunkResult, Workspace};

/// A way of this part of a body's size counts as none.
const LEAST_WAY: f64 = 1e-9;
/// The first automatic step moves no node farther than this part of the smallest body.
const FIRST_MOTION: f64 = 1e-2;

/// Completes an initial state: equations, accelerations, reactions, and the first step.
pub(super) fn begin(
    step: StepChoice,
    model: &Model,
    state: &mut State,
    kit: &mut Kit,
) -> Result<(), Refusal> {
    kit.solvers.make_system(model, kit.scheme.linear_solver(model))?;
    let Kit { workspace: w, solvers, .. } = kit;
    let system = solvers.system();
    accelerate(model, state, system, w, &Inputs::default());
    read_reactions(model, state, None, &system.unbalanced);
    let dt = match step {
        StepChoice::Fixed(dt) => dt,
        StepChoice::Auto { .. } => first_step(model, state),
    };
    state.solver.dt = dt;
    state.solver.dt_limit = dt;
    state.solver.watch.look_at = u64::MAX;
    Ok(())
}

/// A first automatic step that moves nothing far.
fn first_step(model: &Model, state: &State) -> f64 {
    let largest = |values: &[f64]| {
        values.chunks_exact(3).map(|v| v.iter().map(|c| c * c).sum::<f64>()).fold(0.0, f64::max).sqrt()
    };
    let motion = FIRST_MOTION * smallest_extent(model);
    let (by_speed, by_force) = (motion / largest(&state.v), (2.0 * motion / largest(&state.a)).sqrt());
    let step = by_speed.min(by_force).min(model.script_resolution(0.0));
    if step.is_finite() { step } else { FIRST_MOTION }
}

/// The largest change of vectors of free nodes, as a part of what each body's node may change by: `part` of the body's size, or `of_way` of the way
/// that its nodes have been, whichever is less.
///
/// A linear body must move twice as far under twice the load: what is small beside the body may be all that happens.
pub(super) fn largest_change(
    model: &Model,
    s1: &State,
    (from, to): (&[f64], &[f64]),
    (part, of_way): (f64, f64),
) -> f64 {
    let one = |(index, body): (usize, &Body)| {
        let dofs = 3 * body.nodes.start as usize..3 * body.nodes.end as usize;
        let change = from[dofs.clone()].chunks_exact(3).zip(to[dofs.clone()].chunks_exact(3));
        let squared = |(a, b): (&[f64], &[f64])| (0..3).map(|c| (b[c] - a[c]).powi(2)).sum::<f64>();
        let largest = change.map(squared).fold(0.0, f64::max).sqrt();
        let way = s1.travelled[index].max(farthest(model, s1, dofs)).max(LEAST_WAY * body.extent);
        largest / (part * body.extent).min(of_way * way)
    };
    model.layout().bodies().iter().enumerate().map(one).fold(0.0, f64::max)
}

/// Notes how far nodes of each body are from their places at rest.
pub(super) fn note_travelled(model: &Model, s1: &mut State) {
    for (index, body) in model.layout().bodies().iter().enumerate() {
        let dofs = 3 * body.nodes.start as usize..3 * body.nodes.end as usize;
        s1.travelled[index] = s1.travelled[index].max(farthest(model, s1, dofs));
    }
}

/// How far a node of some degrees of freedom is from its place at rest, at most, m.
fn farthest(model: &Model, s: &State, dofs: Range<usize>) -> f64 {
    let (x, rest) = (&s.x[dofs.clone()], &model.layout().rest()[dofs]);
    let nodes = x.chunks_exact(3).zip(rest.chunks_exact(3));
    nodes.map(|(x, rest)| (0..3).map(|c| (x[c] - rest[c]).powi(2)).sum::<f64>()).fold(0.0, f64::max).sqrt()
}

pub(super) fn smallest_extent(model: &Model) -> f64 {
    model.layout().bodies().iter().map(|b| b.extent).fold(f64::INFINITY, f64::min)
}

/// M a = f + M g - D v for what moves freely from the state's time on.
pub(super) fn accelerate(
    model: &Model,
    state: &mut State,
    system: &mut SparseSystem,
    w: &mut Workspace,
    inputs: &Inputs,
) {
    system.hold(model, state, inputs);
    state.a.fill(0.0);
    let from = state.time;
    aim_held(model, None, state, inputs, &mut system.target);
    // any recurrence: only that something moves is asked
    let recurrence = Some(Recurrence { beta: 1.0, gamma: 1.0, dt: 1.0 });
    let balance = Balance { model, inputs, time: from, load: 1.0, recurrence, since: 0.0, definite: false };
    balance.evaluate(state, system, w);
    let mut right = std::mem::take(&mut system.step);
    right.copy_from_slice(&system.unbalanced);
    if model.inertia().is_some() {
        system.matrix.clear();
        model.inertia_add(1.0, 0.0, &mut system.matrix);
        match system.factor_alone() {
            Ok(()) => system.solve_for(&mut right),
            // a mass matrix is positive definite, and nodes without mass are held; the first step would say so
            Err(_) => right.fill(0.0),
        }
    } else {
        let inverse = model.inverse_mass();
        right.iter_mut().enumerate().for_each(|(i, r)| *r *= inverse[i / 3]);
    }
    let free = state.a.iter_mut().zip(&right).zip(&system.held).filter(|(_, held)| !**held);
    free.for_each(|((a, r), _)| *a = *r);
    system.step = right;
    // what is left over now are the reactions
    balance.evaluate(state, system, w);
}

/// Refuses a step that throws a node out of its body, as the explicit method does.
pub(super) fn no_leap(
    model: &Model,
    [s0, s1]: [&State; 2],
    kit: &mut Kit,
    (reach, inputs): (f64, &Inputs),
) -> Result<(), StepError> {
    let dt = s1.solver.dt;
    let nodes = s0.x.chunks_exact(3).zip(s1.x.chunks_exact(3));
    let squared = nodes.map(|(a, b)| (0..3).map(|c| ((b[c] - a[c]) / dt).powi(2)).sum::<f64>());
    let w = &mut kit.workspace;
    w.chunks.fill(ChunkResult::default());
    w.chunks[0].peak = squared.fold(0.0, f64::max);
    check(model, [s0, s1], kit, (dt, reach), inputs)
}

/// Reactions of a step that was solved, and what it exchanged with the outside.
pub(super) fn spent(
    model: &Model,
    s0: &State,
    s1: &mut State,
    (system, w): (&SparseSystem, &mut Workspace),
    inputs: &Inputs,
) -> Exchange {
    read_reactions(model, s1, Some(&s0.holding), &system.unbalanced);
    let to = At { time: seen_at_end(model, inputs, s0.time, s1.time), ..s1.at() };
    let exchange = w.exchange(model, [s0.at(), to], (0.0, &s0.a), inputs.grabs);
    let dt = s1.solver.dt;
    exchange.lost(dt * w.power_lost_between(model, s0, s1, dt))
}

/// Length and end of a step that is cut where a load or a hand begins or ends or a fix lets go, also of a fixed one, which comes back to
/// its beat with the next.
pub(super) fn up_to_jump(model: &Model, inputs: &Inputs, from: f64, (dt, time): (f64, f64)) -> (f64, f64) {
    let jump = model.next_jump(from).min(next_jump_of_hands(inputs, from));
    if jump < time && until(time, jump).is_finite() { (jump - from, jump) } else { (dt, time) }
}

/// The time that forces see at the end of a step from another: where one of them jumps there, the moment before, since what acted all
/// along the step counts, and not what comes after it.
pub(super) fn seen_at_end(model: &Model, inputs: &Inputs, from: f64, to: f64) -> f64 {
    let jump = model.next_jump_of_forces(from).min(next_jump_of_hands(inputs, from));
    if jump == f64::INFINITY || until(jump, to).is_finite() { to } else { jump.next_down() }
}

/// The first time after another at which a live hand begins or ends, s.
fn next_jump_of_hands(inputs: &Inputs, time: f64) -> f64 {
    inputs.grabs.iter().map(|grab| grab.next_jump(time)).fold(f64::INFINITY, f64::min)
}

/// The highest speed of a node, m/s.
pub(super) fn peak_speed(s: &State) -> f64 {
    s.v.chunks_exact(3).map(|v| v.iter().map(|c| c * c).sum()).fold(0.0, f64::max).sqrt()
}

/// v^T M v / 2 over some degrees of freedom.
pub(super) fn kinetic(model: &Model, v: &[f64], dofs: Range<usize>) -> f64 {
    match model.inertia() {
        Some(inertia) => {
            let one = |dof: usize| 0.5 * v[dof] * inertia.mass.row_times(dof / 3, v)[dof % 3];
            dofs.map(one).sum()
        }
        None => dofs.map(|dof| 0.5 * model.mass()[dof / 3] * v[dof] * v[dof]).sum(),
    }
}
