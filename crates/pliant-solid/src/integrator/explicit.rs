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

use rayon::prelude::*;

use super::{Divergence, Inputs, Integrator, Refusal, StepError, StepReport, stable_step};
use crate::layout::Layout;
use crate::model::{MassKind, Model};
use crate::state::State;
use crate::term::{At, ForceTerm};
use crate::workspace::{CHUNK_NODES, ChunkResult, Phase, Workspace};

/// How the step is chosen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum StepChoice {
    /// Always this long, s.
    Fixed(f64),
    /// The stability limit times a safety factor, renewed as the bodies deform.
    Auto {
        /// Below 1.
        safety: f64,
    },
}

/// See the [module](self).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Explicit {
    /// How the step is chosen.
    pub step: StepChoice,
}

/// Steps between looks at the strain.
const LOOK_EVERY: u64 = 8;
/// Steps after which the limit is found anew in any case.
const RENEW_AFTER: u64 = 256;
/// Growth of the largest strain after which the limit is found anew; twice that when it shrinks.
const STRAIN_CHANGE: f64 = 0.02;
/// How much faster the highest frequency may grow than the largest strain: in uniaxial tension e the
/// tangent of St. Venant-Kirchhoff matter is E (1 + 3 e), so the frequency grows by 1.5 e.
const FREQUENCY_PER_STRAIN: f64 = 1.5;

impl Integrator for Explicit {
    fn accepts(&self, model: &Model) -> Result<(), Refusal> {
        for (body, matter) in model.layout().bodies().iter().zip(model.matter()) {
            if matter.mass == MassKind::Consistent {
                return Err(Refusal {
                    what: format!(
                        "body `{}` has consistent mass, which the explicit method cannot invert",
                        body.name
                    ),
                    way_out: "use mass = \"lumped\"".into(),
                });
            }
        }
        Ok(())
    }

    fn start(&self, model: &Model, state: &mut State, w: &mut Workspace) {
        w.force.fill(0.0);
        let at = At { time: state.time, x: &state.x, v: &state.v, history: &state.history };
        w.evaluate_forces(model, at, &[]);
        let g = model.gravity();
        for (i, a) in state.a.iter_mut().enumerate() {
            let (mass, damping) = (model.mass()[i / 3], model.damping()[i / 3]);
            *a = if mass > 0.0 { (w.force[i] - damping * state.v[i]) / mass + g[i % 3] } else { 0.0 };
        }
        set_held(model, state, w, None);
        let inputs = Inputs::default();
        match self.step {
            StepChoice::Fixed(dt) => {
                state.solver.dt = dt;
                state.solver.dt_limit = dt;
                state.solver.look_at = u64::MAX;
            }
            StepChoice::Auto { safety } => {
                state.solver.mode = vec![0.0; state.x.len()];
                let now = state.clone();
                find_limit(model, &now, state, w, &inputs, safety);
                state.solver.dt = state.solver.dt_limit;
            }
        }
    }

    fn step(
        &self,
        model: &Model,
        s0: &State,
        s1: &mut State,
        w: &mut Workspace,
        inputs: &Inputs,
    ) -> Result<StepReport, StepError> {
        w.phase(Phase::Stability);
        s1.solver.follow(&s0.solver);
        let renewed = self.renew_limit(model, s0, s1, w, inputs);
        let (dt, time) = self.choose_step(s0, s1.solver.dt_limit, inputs.end);
        s1.solver.dt = dt;
        s1.time = time;
        s1.step = s0.step + 1;
        s1.history.clone_from(&s0.history);
        s1.frozen.clone_from(&s0.frozen);

        w.phase(Phase::Predict);
        predict(s0, s1, &mut w.force, dt);
        place_held(model, s0, s1, dt, inputs);

        w.phase(Phase::Forces);
        let at = At { time: s1.time, x: &s1.x, v: &s1.v, history: &s1.history };
        let report = w.evaluate_forces(model, at, inputs.grabs);

        w.phase(Phase::Advance);
        advance(model, s1, w, dt);

        w.phase(Phase::Accounts);
        check(model, s0, s1, w, dt)?;
        set_held(model, s1, w, Some(inputs));
        settle_accounts(model, s0, s1, w, inputs, dt * report.dissipated_power);
        w.phase(Phase::Done);
        let peak = w.chunks.iter().fold(0.0_f64, |most, c| most.max(c.peak));
        Ok(StepReport { dt, peak_speed: peak.sqrt(), renewed })
    }
}

impl Explicit {
    /// Keeps the step below the stability limit: looks at the strain now and then, shortens the step as it
    /// grows, and finds the limit anew once it has changed. Tells whether it was found anew.
    fn renew_limit(
        &self,
        model: &Model,
        s0: &State,
        s1: &mut State,
        w: &mut Workspace,
        inputs: &Inputs,
    ) -> bool {
        let StepChoice::Auto { safety } = self.step else { return false };
        if s0.step < s0.solver.look_at {
            return false;
        }
        let at = At { time: s0.time, x: &s0.x, v: &s0.v, history: &s0.history };
        let growth = w.strain_level(model, at) - s0.solver.strain_found;
        let due = s0.step >= s0.solver.mode_of + RENEW_AFTER;
        if due || !(-2.0 * STRAIN_CHANGE..=STRAIN_CHANGE).contains(&growth) {
            find_limit(model, s0, s1, w, inputs, safety);
            return true;
        }
        s1.solver.dt_limit = s0.solver.dt_found * (1.0 - FREQUENCY_PER_STRAIN * growth.max(0.0));
        s1.solver.look_at = s0.step + LOOK_EVERY;
        false
    }

    /// The coming step's length and end time.
    fn choose_step(&self, s0: &State, limit: f64, end: Option<f64>) -> (f64, f64) {
        match self.step {
            // a multiple, not a sum, so that many steps end where they should
            StepChoice::Fixed(dt) => {
                let time = (s0.step + 1) as f64 * dt;
                let last = end.filter(|end| (time - end).abs() < 0.5 * dt);
                (dt, last.unwrap_or(time))
            }
            StepChoice::Auto { .. } => match end.map(|end| (end, end - s0.time)) {
                Some((end, left)) if left <= limit * (1.0 + 1e-12) => (left, end),
                Some((_, left)) if left < 2.0 * limit => (0.5 * left, s0.time + 0.5 * left),
                _ => (limit, s0.time + limit),
            },
        }
    }
}

/// Finds the stability limit at `s0` and notes in `s1` what it was found for.
fn find_limit(model: &Model, s0: &State, s1: &mut State, w: &mut Workspace, inputs: &Inputs, safety: f64) {
    let mut mode = std::mem::take(&mut s1.solver.mode);
    let limit = stable_step(model, s0, w, &mut mode, inputs);
    let at = At { time: s0.time, x: &s0.x, v: &s0.v, history: &s0.history };
    let strain = w.strain_level(model, at);
    let solver = &mut s1.solver;
    solver.mode = mode;
    solver.mode_of = s0.step;
    // where nothing can move any step is stable
    solver.dt_found = if limit.dt.is_finite() { safety * limit.dt } else { 1e-3 };
    solver.dt_limit = solver.dt_found;
    solver.strain_found = strain;
    solver.look_at = s0.step + LOOK_EVERY;
}

/// (1), and forces back to zero.
fn predict(s0: &State, s1: &mut State, force: &mut [f64], dt: f64) {
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
    let (force, dependent) = force.split_at_mut(s1.x.len());
    dependent.fill(0.0);
    if s1.x.len() <= length {
        chunk(0, &mut s1.x, &mut s1.v, force);
    } else {
        let parts = (s1.x.par_chunks_mut(length), s1.v.par_chunks_mut(length), force.par_chunks_mut(length));
        parts.into_par_iter().enumerate().for_each(|(c, (x1, v1, f))| chunk(c, x1, v1, f));
    }
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
            let d = if damped { model.damping()[first + i] } else { 0.0 };
            // a node in no element has no mass and does not move
            let inverse = if mass > 0.0 { 1.0 / half.mul_add(d, mass) } else { 0.0 };
            let speed = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
            for k in 0..3 {
                a[k] = (force[k] + mass * g[k] - d * v[k]) * inverse; // (2)
                v[k] = a[k].mul_add(half, v[k]); // (3)
            }
            power += d * speed;
            peak = peak.max(speed);
            poison += (a[0] + a[1] + a[2]) * 0.0;
        }
        *result =
            ChunkResult { dissipated_power: power, peak: if poison == 0.0 { peak } else { f64::INFINITY } };
    };
    if w.chunks.len() == 1 {
        chunk(0, &mut s1.v, &mut s1.a, &mut w.chunks[0]);
    } else {
        let length = 3 * CHUNK_NODES;
        let parts = (s1.v.par_chunks_mut(length), s1.a.par_chunks_mut(length), w.chunks.par_iter_mut());
        parts.into_par_iter().enumerate().for_each(|(c, (v, a, result))| chunk(c, v, a, result));
    }
}

/// Held nodes at their scripted place, pinned and frozen ones where they were.
fn place_held(model: &Model, s0: &State, s1: &mut State, dt: f64, inputs: &Inputs) {
    let mut place = |dof: usize, x: f64| {
        s1.x[dof] = x;
        s1.v[dof] = (x - s0.x[dof]) / dt;
    };
    for fix in model.fixes().iter().filter(|f| f.holds(s0.time)) {
        for &node in &fix.nodes {
            let target = fix.motion.at(s1.time, model.layout().rest_of(node)).x;
            (0..3).filter(|c| fix.axes[*c]).for_each(|c| place(3 * node as usize + c, target[c]));
        }
    }
    for dof in standing_dofs(model, &s0.frozen, inputs.pins) {
        place(dof, s0.x[dof]);
    }
}

/// Degrees of freedom of pinned nodes and frozen bodies.
fn standing_dofs<'a>(
    model: &'a Model,
    frozen: &'a [bool],
    pins: &'a [u32],
) -> impl Iterator<Item = usize> + 'a {
    let bodies = model.layout().bodies().iter().zip(frozen).filter(|(_, frozen)| **frozen);
    let frozen_nodes = bodies.flat_map(|(body, _)| body.nodes.clone());
    frozen_nodes.chain(pins.iter().copied()).flat_map(|node| 3 * node as usize..3 * node as usize + 3)
}

/// Velocities, accelerations and reactions of held nodes: q a + d v - f is what holds them.
fn set_held(model: &Model, s: &mut State, w: &Workspace, inputs: Option<&Inputs>) {
    let g = model.gravity();
    let mut slot = 0;
    for fix in model.fixes() {
        for &node in &fix.nodes {
            let reaction = &mut s.reactions[slot..slot + 3];
            slot += 3;
            reaction.fill(0.0);
            if !fix.holds(s.time) {
                continue;
            }
            let target = fix.motion.at(s.time, model.layout().rest_of(node));
            let (mass, damping) = (model.mass()[node as usize], model.damping()[node as usize]);
            for c in (0..3).filter(|c| fix.axes[*c]) {
                let dof = 3 * node as usize + c;
                s.v[dof] = target.v[c];
                s.a[dof] = target.a[c];
                reaction[c] = mass * (target.a[c] - g[c]) + damping * target.v[c] - w.force[dof];
            }
        }
    }
    if let Some(inputs) = inputs {
        let State { frozen, v, a, .. } = s;
        for dof in standing_dofs(model, frozen, inputs.pins) {
            v[dof] = 0.0;
            a[dof] = 0.0;
        }
    }
}

/// Refuses a step that gave something that is not a number, or a leap.
fn check(model: &Model, s0: &State, s1: &State, w: &mut Workspace, dt: f64) -> Result<(), StepError> {
    let largest = model.layout().bodies().iter().map(|b| b.extent).fold(0.0, f64::max);
    let peak = w.chunks.iter().fold(0.0_f64, |most, c| most.max(c.peak));
    // the smallest body decides: most steps pass here without a look at nodes
    let smallest = model.layout().bodies().iter().map(|b| b.extent).fold(largest, f64::min);
    if peak.sqrt() * dt <= smallest {
        return Ok(());
    }
    for node in 0..model.layout().free_count() as u32 {
        let body = model.layout().body_of(node);
        if s0.frozen[body] {
            continue;
        }
        let dofs = 3 * node as usize..3 * node as usize + 3;
        let moved = dofs.clone().map(|i| (s1.x[i] - s0.x[i]).powi(2)).sum::<f64>().sqrt();
        let extent = model.layout().bodies()[body].extent;
        let reason = if !s1.a[dofs].iter().all(|a| a.is_finite()) || !moved.is_finite() {
            Divergence::NotFinite
        } else if moved > extent {
            Divergence::Leap { moved, extent }
        } else {
            continue;
        };
        return Err(divergence(model, s0, w, (dt, body, reason)));
    }
    Ok(())
}

/// All that can be said about a failed step.
fn divergence(
    model: &Model,
    s0: &State,
    w: &mut Workspace,
    (dt, body, reason): (f64, usize, Divergence),
) -> StepError {
    let full = model.full_state(s0.time, &s0.x, &s0.v);
    let mut mode = vec![0.0; s0.x.len()];
    let stable = stable_step(model, s0, w, &mut mode, &Inputs::default()).dt;
    StepError {
        time: s0.time,
        step: s0.step,
        dt,
        body,
        body_name: model.layout().bodies()[body].name.clone(),
        reason,
        worst: model.worst_element(&full, Some(body)),
        stable_dt: stable.is_finite().then_some(stable),
    }
}

/// Adds this step's exchange with the outside, each from its own forces.
fn settle_accounts(
    model: &Model,
    s0: &State,
    s1: &mut State,
    w: &Workspace,
    inputs: &Inputs,
    viscous_loss: f64,
) {
    let from = At { time: s0.time, x: &s0.x, v: &s0.v, history: &s0.history };
    let to = At { time: s1.time, x: &s1.x, v: &s1.v, history: &s1.history };
    let mut accounts = s0.accounts;
    let mass_loss: f64 = w.chunks.iter().map(|c| c.dissipated_power).sum();
    accounts.dissipated += viscous_loss + s1.solver.dt * mass_loss;
    let terms = model.terms().iter().map(|t| t.exchange(&from, &to));
    for exchange in terms.chain(inputs.grabs.iter().map(|g| g.exchange(&from, &to))) {
        accounts.work += exchange.work;
        accounts.dissipated += exchange.dissipated;
    }
    // moving fixes: the mean of the reactions at both ends along the path
    let mut slot = 0;
    for fix in model.fixes() {
        let moving = fix.motion.moves() && fix.holds(s0.time);
        for &node in fix.nodes.iter().filter(|_| moving) {
            for c in 0..3 {
                let dof = 3 * node as usize + c;
                let mean = 0.5 * (s0.reactions[slot + c] + s1.reactions[slot + c]);
                accounts.work += mean * (s1.x[dof] - s0.x[dof]);
            }
            slot += 3;
        }
        slot += if moving { 0 } else { 3 * fix.nodes.len() };
    }
    s1.accounts = accounts;
}
