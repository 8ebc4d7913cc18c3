//! Held nodes in a step: scripted ones on their path, pinned and frozen ones where they were.

use super::{Inputs, Integrator};
use crate::holding::Holding;
use crate::model::{FixedNode, Model};
use crate::rigid::Bone;
use crate::state::State;
use crate::workspace::Workspace;

/// Held nodes at their scripted place, pinned and frozen ones where they were.
pub(super) fn place_held(model: &Model, s0: &State, s1: &mut State, dt: f64, inputs: &Inputs) {
    let mut place = |dof: usize, x: f64| {
        s1.x[dof] = x;
        s1.v[dof] = (x - s0.x[dof]) / dt;
    };
    for (_, fix) in s0.holding.fixes(model.fixes()) {
        for &node in &fix.nodes {
            let target = fix.motion.at(s1.time, model.layout().rest_of(node)).x;
            (0..3).filter(|c| fix.axes[*c]).for_each(|c| place(3 * node as usize + c, target[c]));
        }
    }
    for dof in standing_dofs(model, &s0.holding, inputs.pins) {
        place(dof, s0.x[dof]);
    }
}

/// Whether a bone is held or carried in a step from s0.
pub(super) fn stands(model: &Model, s0: &State, bone: &Bone) -> bool {
    let holding = &s0.holding;
    holding.is_frozen(bone.body)
        || holding.fixes(model.fixes()).any(|(_, fix)| fix.nodes.contains(&bone.first))
}

/// The largest angle that a step may turn held nodes by, rad: positions alone do not tell a full turn from none.
pub(super) const MOST_TURN: f64 = std::f64::consts::FRAC_PI_4;

/// The largest angle by which fixes that hold turn their nodes between two times, rad.
pub(super) fn turn_between(model: &Model, holding: &Holding, from: f64, to: f64) -> f64 {
    let held = holding.fixes(model.fixes());
    held.map(|(_, f)| (f.motion.angle(to) - f.motion.angle(from)).abs()).fold(0.0, f64::max)
}

/// Calls `visit` for every degree of freedom that is held.
pub(super) fn for_each_held(model: &Model, holding: &Holding, inputs: &Inputs, mut visit: impl FnMut(usize)) {
    for (_, fix) in holding.fixes(model.fixes()) {
        for &node in &fix.nodes {
            (0..3).filter(|c| fix.axes[*c]).for_each(|c| visit(3 * node as usize + c));
        }
    }
    standing_dofs(model, holding, inputs.pins).for_each(visit);
}

/// Pinned and frozen nodes stay where they are, whatever a fix on them wants.
pub(super) fn keep_standing(model: &Model, s0: &State, inputs: &Inputs, target: &mut [f64]) {
    for dof in standing_dofs(model, &s0.holding, inputs.pins) {
        target[dof] = s0.x[dof];
    }
}

/// Where nodes have to be at the end of a step (into `target`), how fast and with what acceleration, that are held from its start on, or where
/// that is not given, from the state itself on.
pub(super) fn aim_held(
    model: &Model,
    from: Option<&Holding>,
    s: &mut State,
    inputs: &Inputs,
    target: &mut [f64],
) {
    let State { time, v, a, holding, .. } = s;
    let holding = from.unwrap_or(holding);
    for (_, fix) in holding.fixes(model.fixes()) {
        for &node in &fix.nodes {
            let script = fix.motion.at(*time, model.layout().rest_of(node));
            for c in (0..3).filter(|c| fix.axes[*c]) {
                let dof = 3 * node as usize + c;
                (target[dof], v[dof], a[dof]) = (script.x[c], script.v[c], script.a[c]);
            }
        }
    }
    for dof in standing_dofs(model, holding, inputs.pins) {
        (v[dof], a[dof]) = (0.0, 0.0);
    }
}

/// Reactions of the nodes that were held from a step's start on, or are from the state itself on, from the forces left over on them.
pub(super) fn read_reactions(model: &Model, s: &mut State, from: Option<&Holding>, unbalanced: &[f64]) {
    let State { reactions, holding, .. } = s;
    let holding = from.unwrap_or(holding);
    for FixedNode { slot, index, fix, node } in model.fixed_nodes() {
        for c in 0..3 {
            let held = fix.axes[c] && holding.holds(index);
            reactions[slot + c] = if held { -unbalanced[3 * node as usize + c] } else { 0.0 };
        }
    }
}

/// Degrees of freedom of pinned nodes and frozen bodies.
fn standing_dofs<'a>(
    model: &'a Model,
    holding: &'a Holding,
    pins: &'a [u32],
) -> impl Iterator<Item = usize> + 'a {
    let bodies = model.layout().bodies().iter().zip(holding.frozen()).filter(|(_, frozen)| **frozen);
    let frozen_nodes = bodies.flat_map(|(body, _)| body.nodes.clone());
    frozen_nodes.chain(pins.iter().copied()).flat_map(|node| 3 * node as usize..3 * node as usize + 3)
}

/// Velocities, accelerations and reactions of held nodes: m a + d v - f is what holds them.
///
/// `from` is what held at the step's start, and the state itself where that is not given: nodes that are let go during the step leave with the
/// velocity of their script and the acceleration of a free node, after a last reaction.
pub(super) fn set_held(model: &Model, s: &mut State, w: &Workspace, from: Option<&Holding>, inputs: &Inputs) {
    let g = model.gravity();
    let State { time, v, a, reactions, holding, .. } = s;
    reactions.fill(0.0);
    for FixedNode { slot, index, fix, node } in model.held_nodes(from.unwrap_or(holding)) {
        let target = fix.motion.at(*time, model.layout().rest_of(node));
        let (mass, damping) = (model.mass()[node as usize], model.damping()[node as usize]);
        for c in (0..3).filter(|c| fix.axes[*c]) {
            let dof = 3 * node as usize + c;
            v[dof] = target.v[c];
            if holding.holds(index) {
                a[dof] = target.a[c];
            }
            reactions[slot + c] = mass * (target.a[c] - g[c]) + damping * target.v[c] - w.force[dof];
        }
    }
    for dof in standing_dofs(model, holding, inputs.pins) {
        v[dof] = 0.0;
        a[dof] = 0.0;
    }
}

/// Work of the moving fixes in a step, J: the mean of the reactions at both ends along the path.
pub(super) fn work_of_fixes(model: &Model, s0: &State, s1: &State) -> f64 {
    let mut work = 0.0;
    let moving = model.held_nodes(&s0.holding).filter(|held| held.fix.motion.moves());
    for FixedNode { slot, node, .. } in moving {
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
    let mut lost = 0.0;
    let carried = model.held_nodes(&s0.holding).filter(|held| held.fix.motion.moves());
    for FixedNode { fix, node, .. } in carried {
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
