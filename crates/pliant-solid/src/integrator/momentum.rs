//! Momenta of free bodies, kept: what a step gave them beside the impulse of the forces on them is taken away.
//!
//! ```text
//! P_1 = P_0 + dt sum f_i,   L_1 = L_0 + dt sum (x_i - c_1) x f_i,   L about the centre of mass c, f at the end of the step    (1)
//! v_i <- v_i + V + W x r_i,   x_i = x_i^0 + dt v_i,   r_i = x_i^0 - c                                             (2)
//! m V = dt sum u_i,   J W = dt sum (x_i - c_1) x u_i - dt sum (v_i - c') x (M v^0)_i,   u = f - M (v - v^0) / dt,   c' = (c_1 - c) / dt    (3)
//! ```
//!
//! Implicit Euler by itself turns a body too slowly: it has L_1 - L_0 = dt sum x_i^0 x f_i. A solution that is not exact adds to both, and so do the
//! forces of a warped body, which do not balance. Source: [Warp 3], after [Desbrun]. c is the centre of mass and J the inertia about it at the step's start;
//! since x_i = x_i^0 + dt v_i makes sum (x_i - c_1) x (M v)_i = sum (x_i^0 - c) x (M v)_i, (3) is (1) exactly, however fast the body flies. u is what is left of the balance of forces.

use pliant_geometry::vector::{Vec3, cross, norm};
use pliant_numerics::Mat3;

use super::sparse_system::SparseSystem;
use crate::model::Model;
use crate::rigid::{Bone, Joint};
use crate::spin::inverse_inertia;
use crate::state::State;

/// The largest angle by which a body is carried: what spins faster is not followed by such steps.
const MOST_CARRIED: f64 = 1.5;

/// What (3) needs of a body.
struct Spin {
    mass: f64,
    centre: Vec3,
    inertia: Mat3<f64>,
}

/// Brings the momenta of bodies none of whose unknowns is held to (1), if asked, from what is left over at the end of the step; gives the largest part of
/// its momentum, of either kind, that a body had too much or lacked. Bodies that are tied together count as one.
pub(super) fn keep_momenta(
    model: &Model,
    s0: &State,
    s1: &mut State,
    system: &mut SparseSystem,
    (dt, keep): (f64, bool),
) -> f64 {
    let mut largest = 0.0_f64;
    for cluster in model.layout().clusters() {
        let nodes = Nodes { model, cluster };
        // a bone alone keeps its momenta by itself; springs that are stiff would fight with what moves points after the solution
        if !is_free(system, nodes) || system.penalty.pushes(model, cluster) || nodes.lone_bone().is_some() {
            continue;
        }
        let spin = Spin::of(&s0.x, &mut system.product, nodes);
        let [linear, angular] = missing([s0, s1], (system, &spin), dt, nodes);
        largest = largest.max(drift(s1, &spin, [linear, angular], nodes));
        if !keep {
            continue;
        }
        match nodes.bones().next() {
            None => spin.give([linear, angular], s0, s1, (dt, nodes)),
            Some(_) => spin.give_with_bones([linear, angular], s1, system, (dt, nodes)),
        }
    }
    largest
}

/// Moves bodies none of whose unknowns is held as if they were rigid, with their own momenta: x and v = (x - x^0) / dt of the new state.
///
/// Forces that are linearised there have not been strained by the turn of a step: from where it begins a straight way along the velocities is longer by (W dt)^2 / 2,
/// however stiff the body is. A body that is nothing but a bone flies as it does without forces.
pub(super) fn carry_rigidly(model: &Model, s0: &State, s1: &mut State, system: &mut SparseSystem, dt: f64) {
    for cluster in model.layout().clusters() {
        let nodes = Nodes { model, cluster };
        if let Some(bone) = nodes.lone_bone().filter(|bone| system.rigid.is_active(bone)) {
            s1.x[bone.dofs()].copy_from_slice(&system.predicted_x[bone.dofs()]);
            continue;
        }
        if !is_free(system, nodes) {
            continue;
        }
        let spin = Spin::of(&s0.x, &mut system.product, nodes);
        let [linear, angular] = momenta(&spin, &s0.x, &s0.v, nodes);
        let turn = inverse_inertia(&spin.inertia).mul_vec(angular);
        let rate = norm(turn);
        if !(rate * dt > 0.0 && rate.is_finite()) {
            continue;
        }
        let rotation = Mat3::rotation(turn, (rate * dt).min(MOST_CARRIED)).add_diagonal(-1.0);
        for node in nodes.iter() {
            let turned = rotation.mul_vec(spin.arm(&s0.x, node));
            for c in 0..3 {
                let dof = 3 * node + c;
                s1.v[dof] = linear[c] / spin.mass + turned[c] / dt;
                s1.x[dof] = s1.v[dof].mul_add(dt, s0.x[dof]);
            }
        }
    }
}

/// The free nodes of bodies that are tied together.
#[derive(Clone, Copy)]
struct Nodes<'a> {
    model: &'a Model,
    cluster: &'a [usize],
}

impl<'a> Nodes<'a> {
    fn iter(self) -> impl Iterator<Item = usize> + 'a {
        let bodies = self.cluster.iter().map(move |body| &self.model.layout().bodies()[*body]);
        bodies.flat_map(|body| body.nodes.start as usize..body.nodes.end as usize)
    }

    fn bones(self) -> impl Iterator<Item = &'a Bone> {
        let bones = self.model.layout().bones().iter();
        bones.filter(move |bone| self.cluster.contains(&bone.body))
    }

    /// The bone that is all there is.
    fn lone_bone(self) -> Option<&'a Bone> {
        self.bones().next().filter(|bone| self.iter().eq(bone.masters().map(|m| m as usize)))
    }
}

/// Whether nothing holds any of the nodes that have mass, and there are any.
fn is_free(system: &SparseSystem, nodes: Nodes) -> bool {
    let held = |n: usize| nodes.model.mass()[n] > 0.0 && system.held[3 * n..3 * n + 3].contains(&true);
    let hinged = nodes.bones().any(|bone| bone.joint != Joint::Free);
    !hinged && nodes.iter().next().is_some() && !nodes.iter().any(held)
}

/// m V and J W of a state, the latter about the centre.
fn momenta(spin: &Spin, x: &[f64], v: &[f64], nodes: Nodes) -> [Vec3; 2] {
    let (mut linear, mut angular) = ([0.0; 3], [0.0; 3]);
    for node in nodes.iter() {
        let own = momentum(nodes.model, node, v);
        let spun = cross(spin.arm(x, node), own);
        (0..3).for_each(|c| (linear[c], angular[c]) = (linear[c] + own[c], angular[c] + spun[c]));
    }
    [linear, angular]
}

/// (M v)_i.
fn momentum(model: &Model, node: usize, v: &[f64]) -> Vec3 {
    match model.inertia() {
        Some(inertia) => inertia.mass.row_times(node, v),
        None => triple(v, node).map(|v| model.mass()[node] * v),
    }
}

/// m V and J W of (3).
///
/// A bone has x = x^0 + dt v for its centre alone; its own turn keeps L by itself (`rigid`).
fn missing(
    [s0, s1]: [&State; 2],
    (system, spin): (&SparseSystem, &Spin),
    dt: f64,
    nodes: Nodes,
) -> [Vec3; 2] {
    let (mut linear, mut angular) = ([0.0; 3], [0.0; 3]);
    let centre = spin.centre_of(&s1.x, nodes);
    let flight: Vec3 = std::array::from_fn(|c| (centre[c] - spin.centre[c]) / dt);
    let bone_of = |node: usize| nodes.bones().find(|bone| bone.masters().contains(&(node as u32)));
    for node in nodes.iter() {
        let (x, u) = (triple(&s1.x, node), triple(&system.unbalanced, node));
        let arm = std::array::from_fn(|c| x[c] - centre[c]);
        let turned = cross(arm, u);
        let went = match bone_of(node) {
            None => triple(&s1.v, node),
            Some(bone) => {
                let mean = |c: usize| bone.dofs().skip(c).step_by(3).map(|i| s1.x[i] - s0.x[i]).sum::<f64>();
                std::array::from_fn(|c| 0.25 * mean(c) / dt)
            }
        };
        let beside = std::array::from_fn(|c| went[c] - flight[c]);
        let flown = cross(beside, momentum(nodes.model, node, &s0.v));
        for c in 0..3 {
            linear[c] += dt * u[c];
            angular[c] += dt * (turned[c] - flown[c]);
        }
    }
    [linear, angular]
}

/// How much that is beside what the body has: m |v| and m |r| |v| summed over its nodes.
fn drift(s1: &State, spin: &Spin, missing: [Vec3; 2], nodes: Nodes) -> f64 {
    let mut has = [0.0; 2];
    for node in nodes.iter() {
        let momentum = nodes.model.mass()[node] * norm(triple(&s1.v, node));
        has[0] += momentum;
        has[1] += norm(spin.arm(&s1.x, node)) * momentum;
    }
    let part = |lacks: Vec3, has: f64| if has > 0.0 { norm(lacks) / has } else { 0.0 };
    part(missing[0], has[0]).max(part(missing[1], has[1]))
}

impl Spin {
    /// `scratch` holds three numbers per node.
    fn of(x: &[f64], scratch: &mut [f64], nodes: Nodes) -> Self {
        let (mut mass, mut centre) = (0.0, [0.0; 3]);
        for node in nodes.iter() {
            scratch[3 * node..3 * node + 3].fill(1.0);
        }
        for node in nodes.iter() {
            let own = momentum(nodes.model, node, scratch)[0];
            mass += own;
            (0..3).for_each(|c| centre[c] += own * x[3 * node + c]);
        }
        let centre = centre.map(|c| c / mass);
        let mut spin = Self { mass, centre, inertia: Mat3::zero() };
        for axis in 0..3 {
            let turn = std::array::from_fn(|c| f64::from(c == axis));
            for node in nodes.iter() {
                scratch[3 * node..3 * node + 3].copy_from_slice(&cross(turn, spin.arm(x, node)));
            }
            for node in nodes.iter() {
                let spun = cross(spin.arm(x, node), momentum(nodes.model, node, scratch));
                (0..3).for_each(|c| spin.inertia.0[c][axis] += spun[c]);
            }
        }
        spin
    }

    /// The centre of mass of the same nodes elsewhere.
    fn centre_of(&self, x: &[f64], nodes: Nodes) -> Vec3 {
        let mut out = self.centre;
        for node in nodes.iter() {
            let share = nodes.model.mass()[node] / self.mass;
            let arm = self.arm(x, node);
            (0..3).for_each(|c| out[c] += share * arm[c]);
        }
        out
    }

    /// From the centre to a node.
    fn arm(&self, x: &[f64], node: usize) -> Vec3 {
        std::array::from_fn(|c| x[3 * node + c] - self.centre[c])
    }

    /// (2).
    fn give(&self, [linear, angular]: [Vec3; 2], s0: &State, s1: &mut State, (dt, nodes): (f64, Nodes)) {
        let speed = linear.map(|p| p / self.mass);
        let turn = inverse_inertia(&self.inertia).mul_vec(angular);
        for node in nodes.iter() {
            let spun = cross(turn, self.arm(&s0.x, node));
            for c in 0..3 {
                let dof = 3 * node + c;
                s1.v[dof] += speed[c] + spun[c];
                s1.x[dof] = s1.v[dof].mul_add(dt, s0.x[dof]);
                s1.a[dof] = (s1.v[dof] - s0.v[dof]) / dt;
            }
        }
    }

    /// The same where bones must not be stretched: all places are turned and moved together, then velocities get what is missing there.
    fn give_with_bones(
        &self,
        [linear, angular]: [Vec3; 2],
        s1: &mut State,
        system: &mut SparseSystem,
        (dt, nodes): (f64, Nodes),
    ) {
        let before = Self::of(&s1.x, &mut system.product, nodes);
        let [_, had] = momenta(&before, &s1.x, &s1.v, nodes);
        let speed = linear.map(|p| p / self.mass);
        let turn = inverse_inertia(&self.inertia).mul_vec(angular);
        let rotation = Mat3::rotation(turn, dt * norm(turn));
        for node in nodes.iter().filter(|_| norm(turn) > 0.0) {
            let turned = rotation.mul_vec(before.arm(&s1.x, node));
            (0..3).for_each(|c| s1.x[3 * node + c] = before.centre[c] + turned[c]);
        }
        for node in nodes.iter() {
            (0..3).for_each(|c| s1.x[3 * node + c] += dt * speed[c]);
        }
        let now = Self::of(&s1.x, &mut system.product, nodes);
        let [_, have] = momenta(&now, &s1.x, &s1.v, nodes);
        let lacks = std::array::from_fn(|c| had[c] + angular[c] - have[c]);
        let turn = inverse_inertia(&now.inertia).mul_vec(lacks);
        for node in nodes.iter() {
            let spun = cross(turn, now.arm(&s1.x, node));
            (0..3).for_each(|c| s1.v[3 * node + c] += speed[c] + spun[c]);
        }
    }
}

fn triple(values: &[f64], node: usize) -> Vec3 {
    [values[3 * node], values[3 * node + 1], values[3 * node + 2]]
}
