//! Implicit Euler: first order, and calm at any step; by one linearised solution a step or by Newton's method.
//!
//! ```text
//! x_{n+1} = x_n + dt v_{n+1},   M v_{n+1} = M v_n + dt (f(x_{n+1}, v_{n+1}) + M g - D v_{n+1})                     (1)
//! (M / dt^2 + (D + D_f) / dt + K) d = f(x*, v*) + M g - D v* - M (v* - v_n) / dt,   x_{n+1} = x* + d,   v* = (x* - x_n) / dt    (2)
//! dt |v_{n+1} - v_n| / 2                                                                                          (3)
//! ```
//!
//! Source: [Warp 4, 3.2]; (2) is (1) with the forces linearised at x*: that is x_n, as in the paper, or where a free body would be if it were rigid. K is the definite tangent of
//! the terms where they have one, so that conjugate gradients go downhill; where it is not symmetric, conjugate residuals solve. (3) is the local error, which `auto` keeps at a small part of the smallest body. Energy is lost in proportion to the step; momenta of
//! free bodies are kept by `momentum`. A step that fails is halved; one in contact is solved by Newton's method in any case.

use std::ops::Range;

use pliant_numerics::GradientLimits;

use super::balance::{Balance, Recurrence};
use super::contact::leap_limit;
use super::frame::{Attempt, Failed, Goal, Leaps, Rules, Search, Spent, Turning};
use super::held::{aim_held, keep_standing};
use super::implicit::{
    begin, kinetic, largest_change, no_leap, note_travelled, peak_speed, seen_at_end, spent, up_to_jump,
};
use super::linearised::{is_in_contact, linearised};
use super::momentum::{carry_rigidly, keep_momenta};
use super::needs::{needs_doubles, needs_springs, needs_symmetry};
use super::newton::{FORCING, Indefinite, Inversion, NewtonLimits, settle};
use super::newton_report::{NewtonFault, NewtonReport};
use super::solver_choice::sooner;
use super::sparse_system::{LinearSolver, SparseSystem, Weights};
use super::step_choice::StepChoice;
use super::traits::{MethodTraits, StepMatrix};
use super::{Inputs, Integrator, Kit, Refusal, StepError, StepReport};
use crate::model::Model;
use crate::rigid::{flight, settle_bones};
use crate::state::State;
use crate::workspace::{Phase, Workspace};

/// Halvings of a step before it is given up.
const MOST_HALVINGS: u32 = 12;
/// Iterations of Newton's method in a step.
const MOST_ITERATIONS: usize = 30;
/// Steps of conjugate gradients in a step.
const MOST_GRADIENTS: usize = 2000;
/// How far a node may go in a step, in sizes of its body: a strong hand takes it there at once, and forces of any size are borne.
const REACH: f64 = 30.0;
/// A fixed step that is so many times longer than the last one, halved, is not tried at once: the next is this much longer than the last.
const MUCH_SHORTER: f64 = 32.0;
const REGROWTH: f64 = 4.0;
/// For the choice of a solver where steps are automatic, s.
const USUAL_STEP: f64 = 0.01;
/// The local error (3) that `auto` allows, as a part of the body, and of the way that it has been: a vibration gets 140 steps a period or more.
const LOCAL_ERROR: f64 = 1e-5;
const ERROR_OF_WAY: f64 = 1e-3;

/// How (1) is solved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum EulerSolve {
    /// (2), once a step, to a residual that is this part of the right side.
    Linearised {
        /// Relative residual at which conjugate gradients end.
        tolerance: f64,
    },
    /// Newton's method.
    Newton {
        /// Relative residual at which it ends.
        tolerance: f64,
    },
}

/// Implicit Euler.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ImplicitEuler {
    /// How the equations of a step are solved.
    pub solve: EulerSolve,
    /// How linear equations are solved; where it is not given, by what is expected to take less time.
    pub solver: Option<LinearSolver>,
    /// Whether momenta of free bodies are kept.
    pub keep_momenta: bool,
    /// How the step is chosen; `safety` is not used.
    pub step: StepChoice,
}

impl Default for ImplicitEuler {
    /// One linearised solution in automatic steps.
    fn default() -> Self {
        Self {
            solve: EulerSolve::Linearised { tolerance: 1e-5 },
            solver: None,
            keep_momenta: true,
            step: StepChoice::Auto { safety: 1.0 },
        }
    }
}

impl Integrator for ImplicitEuler {
    fn traits(&self) -> MethodTraits {
        MethodTraits {
            name: "implicit-euler",
            step: self.step,
            equilibria: None,
            bound_by_stability: false,
            matrix: StepMatrix::Definite,
            newton: match self.solve {
                EulerSolve::Newton { tolerance } => Some(tolerance),
                EulerSolve::Linearised { .. } => None,
            },
            dissipates: true,
        }
    }

    fn accepts(&self, model: &Model) -> Result<(), Refusal> {
        needs_springs(model, "implicit-euler")?;
        needs_doubles(model, self.traits().name)?;
        match self.solver {
            Some(LinearSolver::Direct) => needs_symmetry(model),
            _ => Ok(()),
        }
    }

    fn linear_solver(&self, model: &Model) -> LinearSolver {
        let dt = match self.step {
            StepChoice::Fixed(step) => step,
            StepChoice::Auto { .. } => USUAL_STEP,
        };
        let tolerance = match self.solve {
            EulerSolve::Linearised { tolerance } => tolerance,
            EulerSolve::Newton { .. } => FORCING.tolerance,
        };
        match self.solver {
            Some(chosen @ (LinearSolver::Direct | LinearSolver::Jacobi)) => chosen,
            asked => sooner(model, dt, tolerance, asked),
        }
    }

    fn kinetic(&self, model: &Model, state: &State, dofs: Range<usize>) -> f64 {
        kinetic(model, &state.v, dofs)
    }

    fn start(&self, model: &Model, state: &mut State, kit: &mut Kit) -> Result<(), Refusal> {
        begin(self.step, model, state, kit)
    }

    fn resistance(&self, dt: f64) -> Weights {
        let definite = matches!(self.solve, EulerSolve::Linearised { .. });
        Weights { definite, ..Recurrence { beta: 1.0, gamma: 1.0, dt }.weights() }
    }

    fn rules(&self) -> Rules {
        Rules {
            // the first automatic step knows nothing of how fast things swing
            retries: if self.is_automatic() { 2 * MOST_HALVINGS } else { MOST_HALVINGS },
            // a fixed step that grows back bit by bit must not shrink for ever either
            shortest: match self.step {
                StepChoice::Fixed(step) => 0.5_f64.powi(MOST_HALVINGS as i32) * step,
                StepChoice::Auto { .. } => 0.0,
            },
            turning: Turning::Told,
            leaps: Leaps::Retry,
            too_far: 2.0,
            // those of an automatic step that went too far are no failures
            far_is_failure: false,
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
        let (load, search) = (s0.solver.load, Search::default());
        // where the last step had to be far shorter, the whole one is not tried again at once
        if !self.is_automatic() && dt > MUCH_SHORTER * s0.solver.dt && s0.step > 0 {
            let dt = REGROWTH * s0.solver.dt;
            return Goal { time: s0.time + dt, dt, load, search };
        }
        Goal { time, dt, load, search }
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
        let solved = self.solve(model, s0, s1, (solvers.system(), w), (place.dt, inputs));
        let report = StepReport { solved: true, ..solved.map_err(Failed::Fault)? };
        Ok(Attempt { report, ..Attempt::default() })
    }

    fn inspect(
        &self,
        model: &Model,
        ends: [&State; 2],
        kit: &mut Kit,
        inputs: &Inputs,
    ) -> Result<(), StepError> {
        no_leap(model, ends, kit, (REACH, inputs))
    }

    /// (3) over what is allowed.
    fn error(&self, model: &Model, s0: &State, s1: &State, dt: f64) -> f64 {
        if !self.is_automatic() {
            return 0.0;
        }
        0.5 * dt * largest_change(model, s1, (&s0.v, &s1.v), (LOCAL_ERROR, ERROR_OF_WAY))
    }

    fn next_step(&self, model: &Model, s0: &State, s1: &State, _how: (&StepReport, f64)) -> f64 {
        if !self.is_automatic() {
            return s1.solver.dt_limit;
        }
        let dt = s1.solver.dt;
        // the error goes with the square of the step
        let wanted = 0.9 * self.error(model, s0, s1, dt).max(1e-3).powf(-0.5);
        let factor = if (0.8..1.2).contains(&wanted) { 1.0 } else { wanted.clamp(0.3, 1.5) };
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
        let (system, report) = (solvers.system(), &mut taken.report);
        let flight = (system.predicted_x.as_slice(), system.predicted_v.as_slice());
        settle_bones(model.layout().skeleton(), s1, flight, report.dt, |bone| !system.rigid.is_active(bone));
        report.fallbacks = system.take_fallbacks();
        report.momentum_drift = keep_momenta(model, s0, s1, system, (report.dt, self.keep_momenta));
        let during = spent(model, s0, s1, (system, w), inputs);
        if self.is_automatic() {
            note_travelled(model, s1);
        }
        report.peak_speed = peak_speed(s1);
        Spent { during, ..Spent::default() }
    }
}

impl ImplicitEuler {
    /// (1) in a step of a length.
    fn solve(
        &self,
        model: &Model,
        s0: &State,
        s1: &mut State,
        (system, w): (&mut SparseSystem, &mut Workspace),
        (dt, inputs): (f64, &Inputs),
    ) -> Result<StepReport, NewtonFault> {
        w.phase(Phase::Predict);
        aim_held(model, Some(&s0.holding), s1, inputs, &mut system.target);
        keep_standing(model, s0, inputs, &mut system.target);
        for i in 0..s0.x.len() {
            system.predicted_x[i] = s0.v[i].mul_add(dt, s0.x[i]);
            system.predicted_v[i] = s0.v[i];
            // from where the nodes are: far away from there forces say little
            s1.x[i] = s0.x[i];
            if !system.held[i] {
                s1.v[i] = 0.0;
            }
        }
        let SparseSystem { rigid, predicted_x, predicted_v, .. } = system;
        flight(model.layout().skeleton(), s0, (predicted_x, predicted_v), dt, |bone| !rigid.is_active(bone))
            .map_err(|body| NewtonFault::Spin { body })?;
        carry_rigidly(model, s0, s1, system, dt);
        for i in (0..s0.x.len()).filter(|i| !system.held[*i]) {
            s1.a[i] = (s1.v[i] - s0.v[i]) / dt;
        }
        for i in system.rigid.dofs() {
            s1.a[i] = (s1.x[i] - system.predicted_x[i]) / (dt * dt);
            s1.v[i] = s1.a[i].mul_add(dt, system.predicted_v[i]);
        }
        let recurrence = Some(Recurrence { beta: 1.0, gamma: 1.0, dt });
        let balance = Balance {
            model,
            inputs,
            time: seen_at_end(model, inputs, s0.time, s1.time),
            load: 1.0,
            recurrence,
            since: dt,
            definite: true,
        };
        match self.solve {
            EulerSolve::Linearised { tolerance } if is_in_contact(&balance, s0, system) => {
                let newton = Some(newton(&balance, s1, (system, w), tolerance)?);
                Ok(StepReport { newton, ..StepReport::default() })
            }
            EulerSolve::Linearised { tolerance } => {
                let limits = GradientLimits { tolerance, steps: MOST_GRADIENTS };
                linearised(&balance, s0, s1, (system, w), limits)
            }
            EulerSolve::Newton { tolerance } => {
                let newton = Some(newton(&balance, s1, (system, w), tolerance)?);
                Ok(StepReport { newton, ..StepReport::default() })
            }
        }
    }

    fn is_automatic(&self) -> bool {
        matches!(self.step, StepChoice::Auto { .. })
    }
}

/// (1) to a tolerance.
fn newton(
    balance: &Balance,
    s1: &mut State,
    (system, w): (&mut SparseSystem, &mut Workspace),
    tolerance: f64,
) -> Result<NewtonReport, NewtonFault> {
    let limits = NewtonLimits {
        tolerance,
        correction: f64::INFINITY,
        iterations: MOST_ITERATIONS,
        inversion: Inversion::Allowed,
        indefinite: Indefinite::Fails,
    };
    settle(balance, s1, system, w, &limits)
}
