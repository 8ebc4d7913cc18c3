//! One linearised solution as a step of implicit Euler.

use pliant_numerics::GradientLimits;

use super::StepReport;
use super::balance::Balance;
use super::contact::{Penalty, SpringsAt};
use super::held::aim_held;
use super::newton_report::NewtonFault;
use super::sparse_system::SparseSystem;
use crate::state::State;
use crate::workspace::{Phase, Workspace};

/// (2) of `implicit_euler`.
pub(super) fn linearised(
    balance: &Balance,
    s0: &State,
    s1: &mut State,
    (system, w): (&mut SparseSystem, &mut Workspace),
    limits: GradientLimits,
) -> Result<StepReport, NewtonFault> {
    w.phase(Phase::Forces);
    let dt = balance.recurrence.map_or(0.0, |r| r.dt);
    // (2) is linearised where nothing has moved yet: what held unknowns do is in its right side. Full mass hands the acceleration of
    // their script on to free ones, of which the matrix takes (x_{n+1} - x_n) / dt^2
    for i in (0..s0.x.len()).filter(|i| system.held[*i]) {
        let moved = system.target[i] - s1.x[i];
        (s1.a[i], s1.v[i]) = (s1.a[i] - moved / (dt * dt), 0.0);
    }
    let report = solve_once(balance, [s0, s1], (system, w), limits)?;
    w.phase(Phase::Advance);
    take_step(balance, s1, system);
    // held unknowns leave with the velocity of their script
    aim_held(balance.model, Some(&s0.holding), s1, balance.inputs, &mut system.target);
    // what is left over now are reactions, and what linearising cost
    match balance.evaluate(s1, system, w).norm.is_finite() {
        true => Ok(report),
        false => Err(NewtonFault::NotFinite),
    }
}

/// Whether points touch in a step, or would where nodes fly without forces but that of gravity: then one linearised solution would let them
/// in, hold them where they leave, and rub with forces that friction does not have.
pub(super) fn is_in_contact(balance: &Balance, s0: &State, system: &mut SparseSystem) -> bool {
    if Penalty::is_idle(balance.model, balance.inputs) {
        return false;
    }
    let dt = balance.recurrence.map_or(0.0, |r| r.dt);
    let g = balance.model.gravity();
    let mut flight = std::mem::take(&mut system.product);
    let places = flight.iter_mut().zip(&system.predicted_x).enumerate();
    places.for_each(|(i, (flight, x))| *flight = dt.mul_add(dt * g[i % 3], *x));
    let now = balance.springs_at(s0);
    let touches = system.penalty.touches(&now) || system.penalty.touches(&SpringsAt { x: &flight, ..now });
    system.product = flight;
    touches
}

/// (2) at a state, solved.
fn solve_once(
    balance: &Balance,
    [s0, s1]: [&State; 2],
    (system, w): (&mut SparseSystem, &mut Workspace),
    limits: GradientLimits,
) -> Result<StepReport, NewtonFault> {
    let dt = balance.recurrence.map_or(0.0, |r| r.dt);
    w.phase(Phase::Forces);
    if !balance.evaluate(s1, system, w).norm.is_finite() {
        return Err(NewtonFault::NotFinite);
    }
    w.phase(Phase::Assemble);
    balance.assemble(s1, system, w);
    w.phase(Phase::Factor);
    system.factor().map_err(|_| NewtonFault::NotPositiveDefinite)?;
    w.phase(Phase::Solve);
    if system.is_direct() {
        let factor = Some(system.solve_by_factor(balance.model, &s1.x, limits)?);
        return Ok(StepReport { factor, ..StepReport::default() });
    }
    // accelerations change little from step to step
    for (i, step) in system.step.iter_mut().enumerate() {
        let went = s1.x[i] - s0.x[i];
        *step = s0.a[i].mul_add(dt, s0.v[i]).mul_add(dt, -went);
    }
    let gradients = Some(system.solve_from_guess(balance.model, &s1.x, limits)?);
    Ok(StepReport { gradients, ..StepReport::default() })
}

/// Takes all of the step that was solved for.
fn take_step(balance: &Balance, s1: &mut State, system: &mut SparseSystem) {
    balance.begin(s1, system);
    balance.take(1.0, s1, system);
}
