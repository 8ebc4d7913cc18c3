//! Explicit Newmark: central differences with lumped mass and a step that may vary.
//!
//! ```text
//! v_h     = v_n + dt/2 a_n,   x_{n+1} = x_n + dt v_h                                    (1)
//! (M + dt/2 D) a_{n+1} = F_{n+1} - R(x_{n+1}) - D v_h                                   (2)
//! v_{n+1} = v_h + dt/2 a_{n+1}                                                          (3)
//! ```
//!
//! Source: [Zhuang 3.7-3.10], beta = 0 and gamma = 1/2 of the Newmark family. D is proportional to mass, hence
//! diagonal; stiffness-proportional damping and grabs' dampers see v_h, half a step late. Second order,
//! reversible without damping, stable up to the limit of `stable_step`.

use std::ops::Range;

use pliant_numerics::parallel;
use rayon::prelude::*;

use super::contact::{Answered, ContactKit, ContactTally, Penalty, SpringsAt, bounce, calm_held, respond};
use super::frame::{Attempt, Failed, Goal, Leaps, Rules, Search, Spent, Turning, has_springs, response};
use super::held::{place_held, set_held, stands};
use super::leap::check;
use super::needs::needs_no_restitution;
use super::sparse_system::Weights;
use super::step_choice::StepChoice;
use super::step_watch::{first_step, watch_step};
use super::traits::{MethodTraits, StepMatrix};
use super::{Divergence, Inputs, Integrator, Kit, Refusal, StepError, StepReport};
use crate::contact::Response;
use crate::layout::Layout;
use crate::matter::MassKind;
use crate::model::Model;
use crate::rigid::{fastest_turn, fly, project};
use crate::state::State;
use crate::term::{At, Coeffs};
use crate::workspace::{CHUNK_NODES, ChunkResult, Phase, Workspace};

/// See the [module](self).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Explicit {
    /// How the step is chosen.
    pub step: StepChoice,
}

impl Integrator for Explicit {
    fn traits(&self) -> MethodTraits {
        MethodTraits {
            name: "explicit",
            step: self.step,
            equilibria: None,
            bound_by_stability: true,
            matrix: StepMatrix::Diagonal,
            newton: None,
            dissipates: false,
        }
    }

    fn accepts(&self, model: &Model) -> Result<(), Refusal> {
        if model.contact_settings().response == Some(Response::Penalty) {
            needs_no_restitution(model, "explicit")?;
        }
        for (body, matter) in model.layout().bodies().iter().zip(model.matter()) {
            if matter.mass_kind() == MassKind::Consistent {
                return Err(Refusal {
                    what: format!(
                        "body `{}` has consistent mass, which the explicit method cannot invert",
                        body.name
                    ),
                    way_out: "use mass = \"lumped\", or the method with full matrices".into(),
                });
            }
        }
        Ok(())
    }

    /// The mean of the two half-step energies, m (v^2 + (dt a / 2)^2) / 2.
    fn kinetic(&self, model: &Model, state: &State, dofs: Range<usize>) -> f64 {
        // before the first step there is no half step behind, and v is exact
        let half = half_step_behind(state);
        let one = |dof: usize| {
            let (v, a) = (state.v[dof], half * state.a[dof]);
            0.5 * model.mass()[dof / 3] * (v * v + a * a)
        };
        dofs.map(one).sum()
    }

    fn start(&self, model: &Model, state: &mut State, kit: &mut Kit) -> Result<(), Refusal> {
        let w = &mut kit.workspace;
        w.force.fill(0.0);
        let at = state.at();
        w.evaluate_forces(model, at, &[]);
        let g = model.gravity();
        for (i, a) in state.a.iter_mut().enumerate() {
            let (mass, damping) = (model.mass()[i / 3], model.damping()[i / 3]);
            *a = if mass > 0.0 { (w.force[i] - damping * state.v[i]) / mass + g[i % 3] } else { 0.0 };
        }
        let inputs = Inputs::default();
        let still = state.clone();
        project(model.layout().skeleton(), state, |bone| stands(model, &still, bone));
        set_held(model, state, w, None, &inputs);
        match self.step {
            StepChoice::Fixed(dt) => {
                state.solver.dt = dt;
                state.solver.dt_limit = dt;
                state.solver.watch.look_at = u64::MAX;
            }
            StepChoice::Auto { safety } => {
                state.solver.watch.mode = vec![0.0; state.x.len()];
                first_step(model, state, kit, safety);
                state.solver.dt = state.solver.dt_limit;
            }
        }
        Ok(())
    }

    fn usual_response(&self) -> Response {
        Response::Constraint
    }

    fn penalty<'a>(&self, kit: &'a mut Kit) -> &'a mut Penalty {
        &mut kit.contact.penalty
    }

    fn resistance(&self, dt: f64) -> Weights {
        let terms = Coeffs { k: 0.0, d: 0.0 };
        Weights { mass: 1.0 / (dt * dt), mass_damping: 0.5 / dt, terms, definite: false }
    }

    fn rules(&self) -> Rules {
        AT_ONCE
    }

    fn aim(&self, model: &Model, s0: &State, s1: &mut State, kit: &mut Kit, inputs: &Inputs) -> Goal {
        kit.workspace.phase(Phase::Stability);
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
        let (w, dt) = (&mut kit.workspace, place.dt);
        w.phase(Phase::Predict);
        predict(s0, s1, w, dt);
        let bounced = self.meet(Meeting::Bounces, model, s0, s1, (w, &mut kit.contact), (dt, inputs));
        place_held(model, s0, s1, dt, inputs);
        fly(model.layout().skeleton(), s0, s1, dt, |bone| stands(model, s0, bone))
            .map_err(|body| Failed::Error(too_fast(model, [s0, s1], dt, body)))?;

        w.phase(Phase::Forces);
        let at = At { since: dt, ..s1.at() };
        let flips = model.has_rate_terms() && response(self, model) == Response::Constraint;
        let report = match flips && s0.contacts.touches().iter().any(|touch| touch.held) {
            true => {
                w.evaluate_forces_calmed(model, at, inputs.grabs, |v| calm_held(model, [s0, s1], inputs, v))
            }
            false => w.evaluate_forces(model, at, inputs.grabs),
        };
        let exchange = w.exchange(model, [s0.at(), at], (half_step_behind(s0), &s0.a), inputs.grabs);
        if has_springs(self, model, inputs) {
            let travel = kit.contact.mark_held(model, [s0, s1], inputs, fastest(&w.chunks) * dt);
            kit.contact.penalty.begin(s0, Some(travel));
            add_springs(model, s1, inputs, (&mut kit.contact.penalty, w));
        }

        w.phase(Phase::Advance);
        advance(model, s1, w, dt);
        let mut contact = self.meet(Meeting::Holds, model, s0, s1, (w, &mut kit.contact), (dt, inputs));
        contact.add(bounced);
        project(model.layout().skeleton(), s1, |bone| stands(model, s0, bone));
        let exchange = exchange.lost(dt * report.dissipated_power);
        Ok(Attempt { report: StepReport::default(), exchange, contact })
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
        model: &Model,
        s0: &State,
        s1: &mut State,
        kit: &mut Kit,
        (taken, inputs): (&mut Attempt, &Inputs),
    ) -> Spent {
        set_held(model, s1, &kit.workspace, Some(&s0.holding), inputs);
        found_by_chunks(s1, kit, taken)
    }
}

/// Where in a step points meet colliders.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Meeting {
    /// Before forces: nodes bounce.
    Bounces,
    /// After accelerations.
    Holds,
}

impl Explicit {
    /// Lets points of bodies meet colliders.
    fn meet(
        &self,
        meeting: Meeting,
        model: &Model,
        s0: &State,
        s1: &mut State,
        (w, kit): (&Workspace, &mut ContactKit),
        (dt, inputs): (f64, &Inputs),
    ) -> ContactTally {
        let response = response(self, model);
        let bounces = || model.colliders().iter().any(|collider| collider.restitution.is_some());
        let idle = Penalty::is_idle(model, inputs) || (meeting == Meeting::Bounces && !bounces());
        if idle || response == Response::Penalty {
            return ContactTally::default();
        }
        let travel = kit.mark_held(model, [s0, s1], inputs, fastest(&w.chunks) * dt);
        let held = kit.take_marks();
        let step = Answered { model, s0, inputs, response, dt, travel, held: &held };
        let tally = match meeting {
            Meeting::Bounces => bounce(&step, s1, kit),
            Meeting::Holds => respond(&step, s1, kit),
        };
        kit.give_marks(held);
        tally
    }
}

/// Adds the springs of contacts at the end of a step to forces.
pub(super) fn add_springs(
    model: &Model,
    s1: &State,
    inputs: &Inputs,
    (penalty, w): (&mut Penalty, &mut Workspace),
) {
    let at = SpringsAt { model, inputs, time: s1.time, part: 1.0, still: false, x: &s1.x, v: &s1.v };
    penalty.force_add(&at, &mut w.force[..s1.x.len()]);
}

/// The highest speed with which nodes left for their new places, m/s.
pub(super) fn fastest(chunks: &[ChunkResult]) -> f64 {
    chunks.iter().fold(0.0_f64, |most, chunk| most.max(chunk.travel)).sqrt()
}

/// One attempt, and what it gives is the step.
pub(super) const AT_ONCE: Rules = Rules {
    retries: 0,
    shortest: 0.0,
    turning: Turning::Free,
    leaps: Leaps::End,
    too_far: f64::INFINITY,
    far_is_failure: false,
    of_load: false,
};

/// The coming step, by the stability that is watched.
pub(super) fn watched_goal(
    step: StepChoice,
    model: &Model,
    s0: &State,
    s1: &mut State,
    kit: &mut Kit,
    inputs: &Inputs,
) -> Goal {
    kit.workspace.products = 0;
    let renewed = match step {
        StepChoice::Auto { safety } => watch_step(model, s0, s1, kit, inputs, safety),
        StepChoice::Fixed(_) => false,
    };
    let (dt, time) = step.coming(s0, s1.solver.dt_limit, inputs.end);
    let search = Search { renewed, products: kit.workspace.products };
    Goal { time, dt, load: s0.solver.load, search }
}

/// What chunks of nodes found while they advanced: losses to damping by mass, and the highest speed.
pub(super) fn found_by_chunks(s1: &State, kit: &Kit, taken: &mut Attempt) -> Spent {
    let chunks = &kit.workspace.chunks;
    let mass_loss: f64 = chunks.iter().map(|c| c.dissipated_power).sum();
    let peak = chunks.iter().fold(0.0_f64, |most, c| most.max(c.peak));
    taken.report.peak_speed = peak.sqrt();
    Spent { during: taken.exchange.lost(s1.solver.dt * mass_loss), ..Spent::default() }
}

/// A bone turns too fast for the step.
fn too_fast(model: &Model, [s0, s1]: [&State; 2], dt: f64, body: usize) -> StepError {
    let reason = Divergence::Spin { angle: dt * fastest_turn(model.layout().skeleton(), s1) };
    StepError::of(model, s0, dt, body, reason)
}

/// What separates v from the velocity that the forces of a state were evaluated with: v - half a.
pub(super) fn half_step_behind(state: &State) -> f64 {
    if state.step == 0 { 0.0 } else { 0.5 * state.solver.dt }
}

/// (1), and forces back to zero.
pub(super) fn predict(s0: &State, s1: &mut State, w: &mut Workspace, dt: f64) {
    let half = 0.5 * dt;
    let length = 3 * CHUNK_NODES;
    let chunk = |c: usize, x1: &mut [f64], v1: &mut [f64], f: &mut [f64]| {
        let here = c * length..c * length + x1.len();
        let (x0, v0, a0) = (&s0.x[here.clone()], &s0.v[here.clone()], &s0.a[here]);
        for i in 0..x1.len() {
            v1[i] = a0[i].mul_add(half, v0[i]);
            x1[i] = Layout::retract(x0[i], dt, v1[i]);
        }
        f.fill(0.0);
    };
    // forces on dependent nodes follow those on free ones
    let (force, dependent) = w.force.split_at_mut(s1.x.len());
    dependent.fill(0.0);
    let parts = (
        s1.x.par_chunks_mut(length),
        s1.v.par_chunks_mut(length),
        force.par_chunks_mut(length),
        w.chunks.par_iter_mut(),
    );
    parallel::for_each(parts.into_par_iter().enumerate(), |(c, (x1, v1, f, found))| {
        chunk(c, x1, v1, f);
        let squared = |v: &[f64]| v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
        found.travel = v1.chunks_exact(3).map(squared).fold(0.0, f64::max);
    });
}

/// (2) and (3).
fn advance(model: &Model, s1: &mut State, w: &mut Workspace, dt: f64) {
    let damped = model.is_mass_damped();
    let (g, half) = (model.gravity(), 0.5 * dt);
    let chunk = |c: usize, v: &mut [f64], a: &mut [f64], result: &mut ChunkResult| {
        let first = c * CHUNK_NODES;
        let force = &w.force[3 * first..];
        let (mut peak, mut power, mut poison) = (0.0_f64, 0.0, 0.0);
        let nodes = v.chunks_exact_mut(3).zip(a.chunks_exact_mut(3)).zip(force.chunks_exact(3));
        for (i, ((v, a), force)) in nodes.enumerate() {
            let mass = model.mass()[first + i];
            let mut inverse = model.inverse_mass()[first + i];
            let d = if damped { model.damping()[first + i] } else { 0.0 };
            if damped {
                inverse /= half.mul_add(d * inverse, 1.0); // 1 / (m + dt/2 d)
            }
            let speed = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
            for k in 0..3 {
                a[k] = (force[k] + mass * g[k] - d * v[k]) * inverse; // (2)
                v[k] = a[k].mul_add(half, v[k]); // (3)
            }
            power += d * speed;
            peak = peak.max(speed);
            poison += (a[0] + a[1] + a[2]) * 0.0;
        }
        result.dissipated_power = power;
        result.peak = if poison == 0.0 { peak } else { f64::INFINITY };
    };
    let length = 3 * CHUNK_NODES;
    let parts = (s1.v.par_chunks_mut(length), s1.a.par_chunks_mut(length), w.chunks.par_iter_mut());
    parallel::for_each(parts.into_par_iter().enumerate(), |(c, (v, a, result))| chunk(c, v, a, result));
}
