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
//! (4) is the local error of (1) [ZienkiewiczXie], which `auto` keeps at a small part of the body and of its way.
//! A step whose equations are not solved is halved.

use std::ops::Range;

use super::balance::{Balance, Recurrence};
use super::contact::leap_limit;
use super::frame::{Attempt, Failed, Goal, Leaps, Rules, Search, Spent, Turning};
use super::held::{aim_held, keep_standing};
use super::implicit::{
    accelerate, begin, kinetic, largest_change, no_leap, note_travelled, peak_speed, seen_at_end, spent,
    up_to_jump,
};
use super::needs::{needs_doubles, needs_energy, needs_springs, needs_standing_bones};
use super::newton::{Indefinite, Inversion, NewtonLimits, settle};
use super::newton_report::{NewtonFault, NewtonReport};
use super::sparse_system::{SparseSystem, Weights};
use super::step_choice::StepChoice;
use super::traits::{MethodTraits, StepMatrix};
use super::{Inputs, Integrator, Kit, Refusal, StepError, StepReport};
use crate::model::Model;
use crate::state::State;
use crate::workspace::{Phase, Workspace};

/// Halvings of a step before it is given up.
const MOST_HALVINGS: u32 = 12;
/// Iterations of Newton's method in a step.
const MOST_ITERATIONS: usize = 15;
/// The local error (4) that `auto` allows, as a part of the body, and of the way that it has been: a vibration gets 47 steps a period or more.
const LOCAL_ERROR: f64 = 1e-4;
const ERROR_OF_WAY: f64 = 2e-4;

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
    fn traits(&self) -> MethodTraits {
        MethodTraits {
            name: "newmark",
            step: self.step,
            equilibria: None,
            bound_by_stability: false,
            matrix: StepMatrix::Consistent,
            newton: Some(self.tolerance),
            dissipates: self.gamma > 0.5,
        }
    }

    fn caution(&self) -> Option<String> {
        let Self { beta, gamma, .. } = self;
        (2.0 * beta < *gamma).then(|| {
            format!(
                "beta = {beta} and gamma = {gamma} are stable for short steps only; any step is stable with beta >= gamma / 2"
            )
        })
    }

    fn accepts(&self, model: &Model) -> Result<(), Refusal> {
        needs_springs(model, "newmark")?;
        let method = self.traits().name;
        needs_doubles(model, method)?;
        needs_energy(model, method)?;
        needs_standing_bones(model, method)
    }

    fn kinetic(&self, model: &Model, state: &State, dofs: Range<usize>) -> f64 {
        kinetic(model, &state.v, dofs)
    }

    fn start(&self, model: &Model, state: &mut State, kit: &mut Kit) -> Result<(), Refusal> {
        begin(self.step, model, state, kit)
    }

    fn resistance(&self, dt: f64) -> Weights {
        Recurrence { beta: self.beta, gamma: self.gamma, dt }.weights()
    }

    fn rules(&self) -> Rules {
        Rules {
            // the first automatic step knows nothing of how fast things swing
            retries: if self.is_automatic() { 2 * MOST_HALVINGS } else { MOST_HALVINGS },
            shortest: 0.0,
            turning: Turning::Counted,
            leaps: Leaps::End,
            too_far: 4.0,
            far_is_failure: true,
            of_load: false,
        }
    }

    fn aim(&self, model: &Model, s0: &State, _s1: &mut State, kit: &mut Kit, inputs: &Inputs) -> Goal {
        kit.solvers.system().hold(model, s0, inputs);
        let mut limit = s0.solver.dt_limit.min(model.script_resolution(s0.time));
        if self.is_automatic() {
            limit = limit.min(leap_limit(model, s0, inputs, limit));
        }
        let (dt, time) = up_to_jump(model, inputs, s0.time, self.step.coming(s0, limit, inputs.end));
        Goal { time, dt, load: s0.solver.load, search: Search::default() }
    }

    fn attempt(
        &self,
        model: &Model,
        s0: &State,
        s1: &mut State,
        kit: &mut Kit,
        (place, inputs): (&Goal, &Inputs),
    ) -> Result<Attempt, Failed> {
        let Kit { workspace: w, solvers, .. } = kit;
        let system = solvers.system();
        let first = self.solve_from(model, s0, s1, (system, w), (place.dt, Guess::Flight, inputs));
        let newton =
            first.or_else(|_| self.solve_from(model, s0, s1, (system, w), (place.dt, Guess::Still, inputs)));
        let newton = Some(newton.map_err(Failed::Fault)?);
        Ok(Attempt { report: StepReport { newton, ..StepReport::default() }, ..Attempt::default() })
    }

    fn inspect(
        &self,
        model: &Model,
        ends: [&State; 2],
        kit: &mut Kit,
        inputs: &Inputs,
    ) -> Result<(), StepError> {
        no_leap(model, ends, kit, (1.0, inputs))
    }

    /// (4) over what is allowed.
    fn error(&self, model: &Model, s0: &State, s1: &State, dt: f64) -> f64 {
        if !self.is_automatic() {
            return 0.0;
        }
        // beta = 1/6 has no error of this order, but one of the next
        let weight = (self.beta - 1.0 / 6.0).abs().max(1.0 / 24.0);
        weight * dt * dt * largest_change(model, s1, (&s0.a, &s1.a), (LOCAL_ERROR, ERROR_OF_WAY))
    }

    fn next_step(&self, model: &Model, s0: &State, s1: &State, _how: (&StepReport, f64)) -> f64 {
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

    fn finish(
        &self,
        model: &Model,
        s0: &State,
        s1: &mut State,
        kit: &mut Kit,
        (taken, inputs): (&mut Attempt, &Inputs),
    ) -> Spent {
        let Kit { workspace: w, solvers, .. } = kit;
        let system = solvers.system();
        let during = spent(model, s0, s1, (system, w), inputs);
        // nodes that are let go leave with the velocity of their script and the acceleration of free ones, and others with that of the
        // forces that act from now on
        if s0.holding.releases_before(&s1.holding) || seen_at_end(model, inputs, s0.time, s1.time) != s1.time
        {
            accelerate(model, s1, system, w, inputs);
        }
        if self.is_automatic() {
            note_travelled(model, s1);
        }
        taken.report.peak_speed = peak_speed(s1);
        Spent { during, ..Spent::default() }
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
    fn solve_from(
        &self,
        model: &Model,
        s0: &State,
        s1: &mut State,
        (system, w): (&mut SparseSystem, &mut Workspace),
        (dt, guess, inputs): (f64, Guess, &Inputs),
    ) -> Result<NewtonReport, NewtonFault> {
        w.phase(Phase::Predict);
        let Self { beta, gamma, .. } = *self;
        aim_held(model, Some(&s0.holding), s1, inputs, &mut system.target);
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
        let balance = Balance {
            model,
            inputs,
            time: seen_at_end(model, inputs, s0.time, s1.time),
            load: 1.0,
            recurrence,
            since: dt,
            definite: false,
        };
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
}
