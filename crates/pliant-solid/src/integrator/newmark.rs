//! The Newmark family, implicit: Newton's method in every step, for stiff bodies and large steps.
//!
//! ```text
//! x_{n+1} = x_n + dt v_n + dt^2 ((1/2 - beta) a_n + beta a_{n+1})                         (1)
//! v_{n+1} = v_n + dt ((1 - gamma) a_n + gamma a_{n+1})                                     (2)
//! M a_{n+1} + D v_{n+1} + R(x_{n+1}) = F_{n+1}                                              (3)
//! |beta - 1/6| dt^2 |a_{n+1} - a_n|                                                         (4)
//! ```
//!
//! Source: [Zhuang 3.2-3.6], whose gamma is 2 beta and whose alpha is gamma. beta = 1/4, gamma = 1/2 (average acceleration) is second order,
//! stable at any step for linear bodies, and keeps their energy; gamma > 1/2 takes energy from high modes and is first order.
//! (4) is the local error of (1) [ZienkiewiczXie], which `auto` keeps at a small part of the smallest body.
//! A step whose equations are not solved is halved.

use std::ops::Range;

use super::balance::{Balance, Recurrence};
use super::failure::step_error;
use super::held::{MOST_TURN, aim_held, keep_standing, turn_between};
use super::implicit::{
    accelerate, begin, kinetic, needs_doubles, needs_energy, needs_standing_bones, no_leap, settle_accounts,
    smallest_extent,
};
use super::newton::{Indefinite, Inversion, NewtonFault, NewtonLimits, NewtonReport, settle};
use super::sparse_system::SparseSystem;
use super::step_choice::StepChoice;
use super::{Inputs, Integrator, Refusal, StepError, StepReport};
use crate::model::Model;
use crate::state::State;
use crate::workspace::{Phase, Workspace};

/// Halvings of a step before it is given up.
const MOST_HALVINGS: u32 = 12;
/// Iterations of Newton's method in a step.
const MOST_ITERATIONS: usize = 15;
/// The local error (4) that `auto` allows, as a part of the smallest body.
const LOCAL_ERROR: f64 = 1e-4;

/// The implicit Newmark family.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Newmark {
    /// beta of (1), above 0: 1/4 for average acceleration.
    pub beta: f64,
    /// gamma of (2), at least 1/2.
    pub gamma: f64,
    /// Relative residual at which Newton's method ends.
    pub tolerance: f64,
    /// How the step is chosen; `safety` is not used.
    pub step: StepChoice,
}

impl Default for Newmark {
    /// Average acceleration, automatic steps.
    fn default() -> Self {
        Self { beta: 0.25, gamma: 0.5, tolerance: 1e-6, step: StepChoice::Auto { safety: 1.0 } }
    }
}

impl Integrator for Newmark {
    fn accepts(&self, model: &Model) -> Result<(), Refusal> {
        needs_doubles(model, "newmark")?;
        needs_energy(model, "newmark")?;
        needs_standing_bones(model, "newmark")
    }

    fn kinetic(&self, model: &Model, state: &State, dofs: Range<usize>) -> f64 {
        kinetic(model, &state.v, dofs)
    }

    fn start(&self, model: &Model, state: &mut State, w: &mut Workspace) -> Result<(), Refusal> {
        begin(self.step, model, state, w)
    }

    fn step(
        &self,
        model: &Model,
        s0: &State,
        s1: &mut State,
        w: &mut Workspace,
        inputs: &Inputs,
    ) -> Result<StepReport, StepError> {
        let mut system = w.take_system(model);
        let taken = self.solve(model, s0, s1, (&mut system, w), inputs);
        let taken = taken.map_err(|(dt, fault)| step_error(model, s0, (dt, None), &fault, &mut system));
        let taken = taken.and_then(|taken| no_leap(model, s0, s1, w, (1.0, inputs)).map(|()| taken));
        let report = taken.map(|(newton, halvings)| {
            w.phase(Phase::Accounts);
            settle_accounts(model, s0, s1, (&mut system, w), inputs);
            // nodes that are let go leave with the velocity of their script and the acceleration of free ones
            if model.fixes().iter().any(|fix| fix.holds(s0.time) && !fix.holds(s1.time)) {
                accelerate(model, s1, &mut system, w, inputs);
            }
            w.phase(Phase::Done);
            let peak = s1.v.chunks_exact(3).map(|v| v.iter().map(|c| c * c).sum()).fold(0.0, f64::max);
            StepReport {
                dt: s1.solver.dt,
                peak_speed: peak.sqrt(),
                newton: Some(newton),
                halvings,
                ..StepReport::default()
            }
        });
        w.system = Some(system);
        report
    }
}

/// Where Newton's method starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Guess {
    /// Where the nodes would be without further acceleration.
    Flight,
    /// Where they are.
    Still,
}

impl Newmark {
    /// A step that solves (1) to (3), halved as often as it takes; gives how often.
    fn solve(
        &self,
        model: &Model,
        s0: &State,
        s1: &mut State,
        (system, w): (&mut SparseSystem, &mut Workspace),
        inputs: &Inputs,
    ) -> Result<(NewtonReport, u32), (f64, NewtonFault)> {
        s1.follow(s0);
        system.hold(model, s0, s0.time, inputs);
        let limit = s0.solver.dt_limit.min(model.script_resolution(s0.time));
        let (mut dt, time) = self.step.coming(s0, limit, inputs.end);
        s1.time = time;
        let mut halvings = 0;
        while turn_between(model, s0.time, s1.time) > MOST_TURN {
            halvings += 1;
            dt *= 0.5;
            s1.time = s0.time + dt;
        }
        loop {
            let first = self.attempt(model, s0, s1, (system, w), (dt, Guess::Flight, inputs));
            let taken =
                first.or_else(|_| self.attempt(model, s0, s1, (system, w), (dt, Guess::Still, inputs)));
            let far = taken.is_ok() && self.is_automatic() && self.error(model, s0, s1, dt) > 4.0;
            match taken {
                Ok(report) if !far || halvings >= MOST_HALVINGS => {
                    s1.solver.dt = dt;
                    s1.solver.dt_limit = self.next_step(model, s0, s1);
                    return Ok((report, halvings));
                }
                Err(fault) if halvings >= MOST_HALVINGS => return Err((dt, fault)),
                _ => {
                    halvings += 1;
                    dt *= 0.5;
                    s1.time = s0.time + dt;
                }
            }
        }
    }

    fn attempt(
        &self,
        model: &Model,
        s0: &State,
        s1: &mut State,
        (system, w): (&mut SparseSystem, &mut Workspace),
        (dt, guess, inputs): (f64, Guess, &Inputs),
    ) -> Result<NewtonReport, NewtonFault> {
        w.phase(Phase::Predict);
        let Self { beta, gamma, .. } = *self;
        aim_held(model, s0.time, s1, inputs, &mut system.target);
        keep_standing(model, s0, inputs, &mut system.target);
        for i in 0..s0.x.len() {
            let (x, v, a) = (s0.x[i], s0.v[i], s0.a[i]);
            system.predicted_x[i] = x + dt * (v + dt * (0.5 - beta) * a);
            system.predicted_v[i] = v + dt * (1.0 - gamma) * a;
            s1.x[i] = match guess {
                Guess::Flight if system.held[i] => system.target[i],
                Guess::Flight => x + dt * v,
                Guess::Still => x,
            };
            if !system.held[i] {
                s1.a[i] = (s1.x[i] - system.predicted_x[i]) / (beta * dt * dt);
                s1.v[i] = s1.a[i].mul_add(gamma * dt, system.predicted_v[i]);
            }
        }
        let recurrence = Some(Recurrence { beta, gamma, dt });
        let balance = Balance { model, inputs, time: s1.time, load: 1.0, recurrence, definite: false };
        let limits = NewtonLimits {
            tolerance: self.tolerance,
            correction: f64::INFINITY,
            iterations: MOST_ITERATIONS,
            inversion: Inversion::Allowed,
            indefinite: Indefinite::Fails,
        };
        settle(&balance, s1, system, w, &limits)
    }

    fn is_automatic(&self) -> bool {
        matches!(self.step, StepChoice::Auto { .. })
    }

    /// (4) over what is allowed.
    fn error(&self, model: &Model, s0: &State, s1: &State, dt: f64) -> f64 {
        let change = s0.a.chunks_exact(3).zip(s1.a.chunks_exact(3));
        let squared = |(a, b): (&[f64], &[f64])| (0..3).map(|c| (b[c] - a[c]).powi(2)).sum::<f64>();
        let largest = change.map(squared).fold(0.0, f64::max).sqrt();
        // beta = 1/6 has no error of this order, but one of the next
        let weight = (self.beta - 1.0 / 6.0).abs().max(1.0 / 24.0);
        weight * dt * dt * largest / (LOCAL_ERROR * smallest_extent(model))
    }

    /// The length that the coming step should have.
    fn next_step(&self, model: &Model, s0: &State, s1: &State) -> f64 {
        if !self.is_automatic() {
            return s1.solver.dt_limit;
        }
        let dt = s1.solver.dt;
        // the error goes with the cube of the step
        let wanted = 0.9 * self.error(model, s0, s1, dt).max(1e-3).powf(-1.0 / 3.0);
        // small changes are not worth their noise
        let factor = if (0.8..1.2).contains(&wanted) { 1.0 } else { wanted.clamp(0.3, 1.5) };
        // a step that was cut says nothing against the one before
        if dt < s0.solver.dt_limit && factor >= 1.0 { s0.solver.dt_limit } else { factor * dt }
    }
}
