//! Equilibrium: the resting shape under full loads, or under the loads and motions of every time of a history.
//!
//! ```text
//! R(x) = s F(t),   s = 0 ... 1                                                             (1)
//! ```
//!
//! Source: [Zhuang 2.72, 2.74]. `static` takes loads and motions as they are at the end of the run and brings them up in load steps: a
//! step is as long as it can be, halved where Newton's method finds nothing and doubled where it is quick. State after each is an
//! equilibrium, so that the last sound one is there when there is no next. `quasistatic` first brings up the loads of time zero, then
//! follows time. Once all of the load acts, further steps of `static` leave time and load as they are and find the equilibrium with the hands of
//! that moment. Equilibria whose tangent is not positive definite, or with elements inside out, are refused.

use std::ops::Range;

use super::balance::Balance;
use super::frame::{Attempt, Failed, Goal, Leaps, Rules, Search, Spent, Turning};
use super::held::{aim_held, keep_standing, read_reactions, turn_between};
use super::needs::{needs_doubles, needs_energy, needs_springs, needs_standing_bones};
use super::newton::{Indefinite, Inversion, NewtonLimits, settle};
use super::newton_report::{NewtonFault, NewtonReport};
use super::rigid_motion::held_well;
use super::sparse_system::{LinearSolver, SparseSystem, Weights};
use super::step_choice::StepChoice;
use super::traits::{Course, MethodTraits, StepMatrix};
use super::{Inputs, Integrator, Kit, Refusal, StepError, StepReport};
use crate::holding::Holding;
use crate::model::Model;
use crate::state::State;
use crate::term::{At, Exchange};
use crate::workspace::{Phase, Workspace};

/// The shortest step that is tried, as a part of the whole.
const SHORTEST: f64 = 1e-4;
/// Iterations after which a shorter step is tried.
const MOST_ITERATIONS: usize = 25;
/// The same for the resting shape of bodies with an initial stress.
const MOST_UNLOADED: usize = 200;
/// The same for a body at rest that hands pull or let go.
const MOST_PULLED: usize = 60;
/// Iterations up to which the next step may be longer.
const QUICK: usize = 6;
/// The last correction of an equilibrium, as a part of the largest displacement.
const CORRECTION: f64 = 1e-8;

/// Equilibria, resting or along a history.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Statics {
    /// Which equilibria.
    pub course: Course,
    /// End of the run, s.
    pub duration: f64,
    /// Steps of load (as parts of the duration) or time; automatic ones start with all of it, or a fiftieth of the time.
    pub step: StepChoice,
    /// Norm of the forces left over, as a part of the elements' forces.
    pub tolerance: f64,
}

impl Integrator for Statics {
    fn traits(&self) -> MethodTraits {
        MethodTraits {
            name: match self.course {
                Course::Resting => "static",
                Course::History => "quasistatic",
            },
            step: self.step,
            equilibria: Some(self.course),
            bound_by_stability: false,
            matrix: StepMatrix::Consistent,
            newton: Some(self.tolerance),
            dissipates: false,
        }
    }

    fn accepts(&self, model: &Model) -> Result<(), Refusal> {
        needs_springs(model, "static")?;
        let method = self.traits().name;
        needs_doubles(model, method)?;
        needs_energy(model, method)?;
        needs_standing_bones(model, method)?;
        // a history may let go of fixes and hands
        let releases = model.fixes().iter().filter_map(|f| f.release);
        let jumps = releases.chain(model.terms().iter().flat_map(|t| t.jumps()));
        let times: Vec<f64> = match self.course {
            Course::Resting => vec![self.duration],
            Course::History => {
                std::iter::once(0.0).chain(jumps.filter(|t| (0.0..=self.duration).contains(t))).collect()
            }
        };
        times.into_iter().try_for_each(|time| held_well(model, time))
    }

    fn kinetic(&self, _model: &Model, _state: &State, _dofs: Range<usize>) -> f64 {
        0.0
    }

    fn start(&self, model: &Model, state: &mut State, kit: &mut Kit) -> Result<(), Refusal> {
        kit.solvers.make_system(model, LinearSolver::Direct)?;
        state.v.fill(0.0);
        state.solver.dt_limit = match (self.step, self.course) {
            (StepChoice::Fixed(dt), _) => dt,
            (StepChoice::Auto { .. }, Course::Resting) => self.duration,
            (StepChoice::Auto { .. }, Course::History) => self.duration / 50.0,
        };
        state.solver.watch.look_at = u64::MAX;
        Ok(())
    }

    fn seen(&self, time: f64) -> f64 {
        match self.course {
            Course::Resting => self.duration,
            Course::History => time,
        }
    }

    fn resistance(&self, _dt: f64) -> Weights {
        Weights::STATIC
    }

    fn rules(&self) -> Rules {
        Rules {
            retries: u32::MAX,
            shortest: SHORTEST * self.duration,
            turning: Turning::Halved,
            leaps: Leaps::Ignored,
            too_far: f64::INFINITY,
            far_is_failure: false,
            of_load: true,
        }
    }

    fn aim(&self, model: &Model, s0: &State, _s1: &mut State, kit: &mut Kit, inputs: &Inputs) -> Goal {
        kit.solvers.system().hold(model, s0, inputs);
        let (time, load) = self.coming(model, s0, inputs);
        let dt = (time - s0.time).max(self.duration * (load - s0.solver.load));
        Goal { time, dt, load, search: Search::default() }
    }

    fn turn(&self, model: &Model, s0: &State, goal: &Goal, part: f64) -> f64 {
        match self.course {
            Course::Resting => {
                let all = model.fixes().iter().map(|f| f.motion.angle(self.duration).abs());
                part * (goal.load - s0.solver.load) * all.fold(0.0, f64::max)
            }
            Course::History => {
                turn_between(model, &s0.holding, s0.time, s0.time + part * (goal.time - s0.time))
            }
        }
    }

    fn part_way(&self, s0: &State, goal: &Goal, part: f64) -> Goal {
        let mix = |from: f64, to: f64| if part == 1.0 { to } else { from + part * (to - from) };
        Goal {
            time: mix(s0.time, goal.time),
            dt: part * goal.dt,
            load: mix(s0.solver.load, goal.load),
            ..*goal
        }
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
        s1.time = self.seen(place.time);
        let newton = self.solve(model, (s0, place), s1, (solvers.system(), w), inputs);
        s1.time = place.time;
        let newton = Some(newton.map_err(Failed::Fault)?);
        Ok(Attempt { report: StepReport { newton, ..StepReport::default() }, ..Attempt::default() })
    }

    fn inspect(&self, _: &Model, _: [&State; 2], _: &mut Kit, _: &Inputs) -> Result<(), StepError> {
        Ok(())
    }

    fn next_step(&self, _model: &Model, _s0: &State, s1: &State, (report, part): (&StepReport, f64)) -> f64 {
        match self.step {
            StepChoice::Fixed(dt) => dt,
            StepChoice::Auto { .. } => {
                let quick = report.newton.is_some_and(|newton| newton.iterations <= QUICK);
                let factor = if quick { 2.0 } else { 1.0 };
                let length = s1.solver.dt;
                // a step that was cut short by the end or brought up the first loads says little
                let kept = if part == 1.0 { length.max(s1.solver.dt_limit) } else { length };
                let most = match self.course {
                    Course::Resting => self.duration,
                    Course::History => self.duration / 50.0,
                };
                (factor * kept).min(most)
            }
        }
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
        let (from, to) = (self.seen(s0.time), self.seen(s1.time));
        read_reactions(model, s1, Some(&s0.holding), &solvers.system().unbalanced);
        s1.a.fill(0.0);
        let seen = |s, time, load| At { time, load, still: true, ..State::at(s) };
        let ends = [seen(s0, from, s0.solver.load), seen(s1, to, s1.solver.load)];
        let during = w.exchange(model, ends, (0.0, &s0.a), inputs.grabs);
        let work = work_of_the_lowering_hand(model, s0, s1);
        if self.course == Course::History && s1.time > s0.time {
            let dt = s1.time - s0.time;
            for i in 0..s1.x.len() {
                s1.v[i] = (s1.x[i] - s0.x[i]) / dt;
            }
        }
        (taken.report.dt, taken.report.load) = (s1.time - s0.time, Some(s1.solver.load));
        Spent { during: Exchange { dissipated: 0.0, ..during }, after: Exchange { work, dissipated: 0.0 } }
    }
}

impl Statics {
    /// Time and load that the coming step should lead to: first to where bodies with an initial stress rest without loads.
    fn coming(&self, model: &Model, s0: &State, inputs: &Inputs) -> (f64, f64) {
        if s0.step == 0 && model.is_prestressed() {
            return (s0.time, 0.0);
        }
        match self.course {
            Course::History if s0.solver.load < 1.0 => (s0.time, 1.0),
            Course::History => {
                let limit = s0.solver.dt_limit.min(model.script_resolution(s0.time));
                let (_, time) = self.step.coming(s0, limit, inputs.end);
                (time, 1.0)
            }
            // hands may still move what carries all of its load
            Course::Resting if s0.time >= self.duration => (s0.time, 1.0),
            Course::Resting => {
                let (_, time) = self.step.coming(s0, s0.solver.dt_limit, Some(self.duration));
                let load = if time >= self.duration { 1.0 } else { time / self.duration };
                (time, load)
            }
        }
    }

    /// The equilibrium at a place.
    fn solve(
        &self,
        model: &Model,
        (s0, place): (&State, &Goal),
        s1: &mut State,
        (system, w): (&mut SparseSystem, &mut Workspace),
        inputs: &Inputs,
    ) -> Result<NewtonReport, NewtonFault> {
        w.phase(Phase::Predict);
        s1.x.copy_from_slice(&s0.x);
        aim_held(model, Some(&s0.holding), s1, inputs, &mut system.target);
        if self.course == Course::Resting {
            aim_part_way(model, &s0.holding, (place.load, self.duration), &mut system.target);
        }
        keep_standing(model, s0, inputs, &mut system.target);
        s1.v.fill(0.0);
        s1.a.fill(0.0);
        let balance = Balance {
            model,
            inputs,
            time: self.seen(place.time),
            load: place.load,
            recurrence: None,
            since: match self.course {
                Course::Resting => f64::INFINITY,
                Course::History => place.time - s0.time,
            },
            definite: false,
        };
        // there is no way to bring up an initial stress bit by bit, nor a hand on a body at rest
        let unloaded = place.load == 0.0;
        let pulled = place.time == s0.time && place.load == s0.solver.load;
        let limits = NewtonLimits {
            tolerance: self.tolerance,
            correction: CORRECTION,
            iterations: match (unloaded, pulled) {
                (true, _) => MOST_UNLOADED,
                (false, true) => MOST_PULLED,
                (false, false) => MOST_ITERATIONS,
            },
            inversion: Inversion::Refused,
            indefinite: if unloaded || pulled { Indefinite::Stiffened } else { Indefinite::Fails },
        };
        settle(&balance, s1, system, w, &limits)
    }
}

/// Held nodes at a part of their way.
fn aim_part_way(model: &Model, holding: &Holding, (part, end): (f64, f64), target: &mut [f64]) {
    for (_, fix) in holding.fixes(model.fixes()).filter(|(_, fix)| fix.motion.moves()) {
        for &node in &fix.nodes {
            let place = fix.motion.part(part, end, model.layout().rest_of(node));
            (0..3).filter(|c| fix.axes[*c]).for_each(|c| target[3 * node as usize + c] = place[c]);
        }
    }
}

/// Work of whoever lets gravity in bit by bit, J: the part that does not act yet is held back.
fn work_of_the_lowering_hand(model: &Model, s0: &State, s1: &State) -> f64 {
    let held_back = 1.0 - 0.5 * (s0.solver.load + s1.solver.load);
    let (g, mass) = (model.gravity(), model.mass());
    let fall: f64 = (0..s0.x.len()).map(|i| mass[i / 3] * g[i % 3] * (s1.x[i] - s0.x[i])).sum();
    -held_back * fall
}
