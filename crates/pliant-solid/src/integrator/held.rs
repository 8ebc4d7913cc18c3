//! Held nodes in a step: scripted ones on their path, pinned and frozen ones where they were.

use super::{Inputs, Integrator};
use crate::fix::Fix;
use crate::model::Model;
use crate::rigid::Bone;
use crate::state::State;
use crate::workspace::Workspace;

/// Held nodes at their scripted place, pinned and frozen ones where they were.
pub(super) fn place_held(model: &Model, s0: &State, s1: &mut State, dt: f64, inputs: &Inputs) {
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

/// Whether a bone is held or carried in a step from s0.
pub(super) fn stands(model: &Model, s0: &State, bone: &Bone) -> bool {
    let holds = |fix: &Fix| fix.holds(s0.time) && fix.nodes.contains(&bone.first);
    s0.frozen[bone.body] || model.fixes().iter().any(holds)
}

/// The largest angle that a step may turn held nodes by, rad: positions alone do not tell a full turn from none.
pub(super) const MOST_TURN: f64 = std::f64::consts::FRAC_PI_4;

/// The largest angle by which fixes turn their nodes between two times, rad.
pub(super) fn turn_between(model: &Model, from: f64, to: f64) -> f64 {
    let held = model.fixes().iter().filter(|f| f.holds(from));
    held.map(|f| (f.motion.angle(to) - f.motion.angle(from)).abs()).fold(0.0, f64::max)
}

/// Calls `visit` for every degree of freedom that is held in a step from a time on.
pub(super) fn for_each_held(
    model: &Model,
    (time, frozen): (f64, &[bool]),
    inputs: &Inputs,
    mut visit: impl FnMut(usize),
) {
    for fix in model.fixes().iter().filter(|f| f.holds(time)) {
        for &node in &fix.nodes {
            (0..3).filter(|c| fix.axes[*c]).for_each(|c| visit(3 * node as usize + c));
        }
    }
    standing_dofs(model, frozen, inputs.pins).for_each(visit);
}

/// Pinned and frozen nodes stay where they are, whatever a fix on them wants.
pub(super) fn keep_standing(model: &Model, s0: &State, inputs: &Inputs, target: &mut [f64]) {
    for dof in standing_dofs(model, &s0.frozen, inputs.pins) {
        target[dof] = s0.x[dof];
    }
}

/// Where held nodes have to be at the end of a step from time `from` (into `target`), how fast and with what acceleration.
pub(super) fn aim_held(model: &Model, from: f64, s: &mut State, inputs: &Inputs, target: &mut [f64]) {
    let State { time, v, a, frozen, .. } = s;
    for fix in model.fixes().iter().filter(|f| f.holds(from)) {
        for &node in &fix.nodes {
            let script = fix.motion.at(*time, model.layout().rest_of(node));
            for c in (0..3).filter(|c| fix.axes[*c]) {
                let dof = 3 * node as usize + c;
                (target[dof], v[dof], a[dof]) = (script.x[c], script.v[c], script.a[c]);
            }
        }
    }
    for dof in standing_dofs(model, frozen, inputs.pins) {
        (v[dof], a[dof]) = (0.0, 0.0);
    }
}

/// Reactions of the nodes that were held from a time on, from the forces left over on them.
pub(super) fn read_reactions(model: &Model, s: &mut State, from: f64, unbalanced: &[f64]) {
    for (slot, fix, node) in model.held_nodes() {
        for c in 0..3 {
            let held = fix.axes[c] && fix.holds(from);
            s.reactions[slot + c] = if held { -unbalanced[3 * node as usize + c] } else { 0.0 };
        }
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

/// Velocities, accelerations and reactions of held nodes: m a + d v - f is what holds them.
///
/// `from` is the time at the step's start: nodes that are let go during the step leave with the
/// velocity of their script and the acceleration of a free node, after a last reaction.
pub(super) fn set_held(model: &Model, s: &mut State, w: &Workspace, from: f64, inputs: &Inputs) {
    let g = model.gravity();
    s.reactions.fill(0.0);
    for (slot, fix, node) in model.held_nodes().filter(|(_, fix, _)| fix.holds(from)) {
        let target = fix.motion.at(s.time, model.layout().rest_of(node));
        let (mass, damping) = (model.mass()[node as usize], model.damping()[node as usize]);
        for c in (0..3).filter(|c| fix.axes[*c]) {
            let dof = 3 * node as usize + c;
            s.v[dof] = target.v[c];
            if fix.holds(s.time) {
                s.a[dof] = target.a[c];
            }
            s.reactions[slot + c] = mass * (target.a[c] - g[c]) + damping * target.v[c] - w.force[dof];
        }
    }
    let State { frozen, v, a, .. } = s;
    for dof in standing_dofs(model, frozen, inputs.pins) {
        v[dof] = 0.0;
        a[dof] = 0.0;
    }
}

/// Work of the moving fixes in a step, J: the mean of the reactions at both ends along the path.
pub(super) fn work_of_fixes(model: &Model, s0: &State, s1: &State) -> f64 {
    let moving = |fix: &Fix| fix.motion.moves() && fix.holds(s0.time);
    let mut work = 0.0;
    for (slot, _, node) in model.held_nodes().filter(|(_, fix, _)| moving(fix)) {
        for c in 0..3 {
            let dof = 3 * node as usize + c;
            let mean = 0.5 * (s0.reactions[slot + c] + s1.reactions[slot + c]);
            work += mean * (s1.x[dof] - s0.x[dof]);
        }
    }
    work
}

/// What mass-proportional damping takes from nodes that fixes carry along in a step, J: their script gives it back at once, so that no
/// free node ever feels it.
pub(super) fn loss_of_carried(model: &Model, s0: &State, s1: &State) -> f64 {
    let dt = s1.solver.dt;
    if !model.is_mass_damped() || dt <= 0.0 {
        return 0.0;
    }
    let carried = |fix: &Fix| fix.motion.moves() && fix.holds(s0.time);
    let mut lost = 0.0;
    for (_, fix, node) in model.held_nodes().filter(|(_, fix, _)| carried(fix)) {
        for dof in (0..3).filter(|c| fix.axes[*c]).map(|c| 3 * node as usize + c) {
            lost += model.damping()[node as usize] * (s1.x[dof] - s0.x[dof]).powi(2) / dt;
        }
    }
    lost
}

/// Kinetic energy that pins take from nodes that were moving, J: they stop at once.
pub(super) fn loss_at_pins(model: &Model, method: &dyn Integrator, s0: &State, pins: &[u32]) -> f64 {
    let dofs = || pins.iter().flat_map(|&node| 3 * node as usize..3 * node as usize + 3);
    if model.inertia().is_some() && dofs().any(|dof| s0.v[dof] != 0.0) {
        // full mass couples them with their neighbours
        let all = |s: &State| method.kinetic(model, s, 0..s.v.len());
        let mut after = s0.clone();
        dofs().for_each(|dof| (after.v[dof], after.a[dof]) = (0.0, 0.0));
        return all(s0) - all(&after);
    }
    dofs().map(|dof| method.kinetic(model, s0, dof..dof + 1)).sum()
}
