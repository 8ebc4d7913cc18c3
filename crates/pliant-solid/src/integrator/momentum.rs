//! Momenta of free bodies, kept: what a step gave them beside the impulse of the forces on them is taken away.
//!
//! ```text
//! P_1 = P_0 + dt sum f_i,   L_1 = L_0 + dt sum x_i x f_i,   both sums over the body, at the end of the step       (1)
//! v_i <- v_i + V + W x r_i,   x_i = x_i^0 + dt v_i,   r_i = x_i^0 - c                                             (2)
//! m V = dt sum u_i,   J W = dt sum (x_i - c) x u_i - dt sum v_i x (M v^0)_i,   u = f - M (v - v^0) / dt           (3)
//! ```
//!
//! Implicit Euler by itself turns a body too slowly: it has L_1 - L_0 = dt sum x_i^0 x f_i. A solution that is not exact adds to both, and so do the
//! forces of a warped body, which do not balance. Source: [Warp 3], after [Desbrun]. c is the centre of mass and J the inertia about it at the step's start;
//! since x_i = x_i^0 + dt v_i makes sum x_i x (M v)_i = sum x_i^0 x (M v)_i, (3) is (1) exactly. u is what is left of the balance of forces.

use std::ops::Range;

use pliant_geometry::vector::{Vec3, cross, norm};
use pliant_numerics::Mat3;

use super::sparse_system::SparseSystem;
use crate::model::Model;
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
/// its momentum, of either kind, that a body had too much or lacked.
pub(super) fn keep_momenta(
    model: &Model,
    s0: &State,
    s1: &mut State,
    system: &mut SparseSystem,
    (dt, keep): (f64, bool),
) -> f64 {
    let mut largest = 0.0_f64;
    for body in model.layout().bodies() {
        let nodes = body.nodes.start as usize..body.nodes.end as usize;
        if nodes.is_empty() || !is_free(model, system, nodes.clone()) {
            continue;
        }
        let spin = Spin::of(model, s0, &mut system.product, nodes.clone());
        let [linear, angular] =
            missing(model, s0, s1, (&system.unbalanced, spin.centre), (dt, nodes.clone()));
        largest = largest.max(drift(model, s1, &spin, [linear, angular], nodes.clone()));
        if keep {
            spin.give([linear, angular], s0, s1, (dt, nodes));
        }
    }
    largest
}

/// Moves bodies none of whose unknowns is held as if they were rigid, with their own momenta: x and v = (x - x^0) / dt of the new state.
///
/// Forces that are linearised there have not been strained by the turn of a step: from where it begins a straight way along the velocities is longer by (W dt)^2 / 2,
/// however stiff the body is.
pub(super) fn carry_rigidly(model: &Model, s0: &State, s1: &mut State, system: &mut SparseSystem, dt: f64) {
    for body in model.layout().bodies() {
        let nodes = body.nodes.start as usize..body.nodes.end as usize;
        if nodes.is_empty() || !is_free(model, system, nodes.clone()) {
            continue;
        }
        let spin = Spin::of(model, s0, &mut system.product, nodes.clone());
        let (mut linear, mut angular) = ([0.0; 3], [0.0; 3]);
        for node in nodes.clone() {
            let own = momentum(model, node, &s0.v);
            let spun = cross(spin.arm(&s0.x, node), own);
            (0..3).for_each(|c| (linear[c], angular[c]) = (linear[c] + own[c], angular[c] + spun[c]));
        }
        let turn = inverse_inertia(&spin.inertia).mul_vec(angular);
        let rate = norm(turn);
        if !(rate * dt > 0.0 && rate.is_finite()) {
            continue;
        }
        let rotation = Mat3::rotation(turn, (rate * dt).min(MOST_CARRIED)).add_diagonal(-1.0);
        for node in nodes {
            let turned = rotation.mul_vec(spin.arm(&s0.x, node));
            for c in 0..3 {
                let dof = 3 * node + c;
                s1.v[dof] = linear[c] / spin.mass + turned[c] / dt;
                s1.x[dof] = s1.v[dof].mul_add(dt, s0.x[dof]);
            }
        }
    }
}

/// Whether nothing holds any of the nodes that have mass.
fn is_free(model: &Model, system: &SparseSystem, mut nodes: Range<usize>) -> bool {
    nodes.all(|n| model.mass()[n] <= 0.0 || !system.held[3 * n..3 * n + 3].contains(&true))
}

/// (M v)_i.
fn momentum(model: &Model, node: usize, v: &[f64]) -> Vec3 {
    match model.inertia() {
        Some(inertia) => inertia.mass.row_times(node, v),
        None => triple(v, node).map(|v| model.mass()[node] * v),
    }
}

/// m V and J W of (3).
fn missing(
    model: &Model,
    s0: &State,
    s1: &State,
    (left, centre): (&[f64], Vec3),
    (dt, nodes): (f64, Range<usize>),
) -> [Vec3; 2] {
    let (mut linear, mut angular) = ([0.0; 3], [0.0; 3]);
    for node in nodes {
        let (x, u) = (triple(&s1.x, node), triple(left, node));
        let arm = std::array::from_fn(|c| x[c] - centre[c]);
        let turned = cross(arm, u);
        let flown = cross(triple(&s1.v, node), momentum(model, node, &s0.v));
        for c in 0..3 {
            linear[c] += dt * u[c];
            angular[c] += dt * (turned[c] - flown[c]);
        }
    }
    [linear, angular]
}

/// How much that is beside what the body has: m |v| and m |r| |v| summed over its nodes.
fn drift(model: &Model, s1: &State, spin: &Spin, missing: [Vec3; 2], nodes: Range<usize>) -> f64 {
    let mut has = [0.0; 2];
    for node in nodes {
        let (x, v) = (triple(&s1.x, node), triple(&s1.v, node));
        let arm = std::array::from_fn(|c| x[c] - spin.centre[c]);
        let momentum = model.mass()[node] * norm(v);
        has[0] += momentum;
        has[1] += norm(arm) * momentum;
    }
    let part = |lacks: Vec3, has: f64| if has > 0.0 { norm(lacks) / has } else { 0.0 };
    part(missing[0], has[0]).max(part(missing[1], has[1]))
}

impl Spin {
    /// At a state; `scratch` holds a field over all unknowns.
    fn of(model: &Model, s: &State, scratch: &mut [f64], nodes: Range<usize>) -> Self {
        let (mut mass, mut centre) = (0.0, [0.0; 3]);
        for node in nodes.clone() {
            let m = model.mass()[node];
            mass += m;
            (0..3).for_each(|c| centre[c] += m * s.x[3 * node + c]);
        }
        let centre = centre.map(|c| c / mass);
        let mut spin = Self { mass, centre, inertia: Mat3::zero() };
        for axis in 0..3 {
            let turn = std::array::from_fn(|c| f64::from(c == axis));
            for node in nodes.clone() {
                scratch[3 * node..3 * node + 3].copy_from_slice(&cross(turn, spin.arm(&s.x, node)));
            }
            for node in nodes.clone() {
                let spun = cross(spin.arm(&s.x, node), momentum(model, node, scratch));
                (0..3).for_each(|c| spin.inertia.0[c][axis] += spun[c]);
            }
        }
        spin
    }

    /// From the centre to a node.
    fn arm(&self, x: &[f64], node: usize) -> Vec3 {
        std::array::from_fn(|c| x[3 * node + c] - self.centre[c])
    }

    /// (2).
    fn give(
        &self,
        [linear, angular]: [Vec3; 2],
        s0: &State,
        s1: &mut State,
        (dt, nodes): (f64, Range<usize>),
    ) {
        let speed = linear.map(|p| p / self.mass);
        let turn = inverse_inertia(&self.inertia).mul_vec(angular);
        for node in nodes {
            let x0 = triple(&s0.x, node);
            let spun = cross(turn, std::array::from_fn(|c| x0[c] - self.centre[c]));
            for c in 0..3 {
                let dof = 3 * node + c;
                s1.v[dof] += speed[c] + spun[c];
                s1.x[dof] = s1.v[dof].mul_add(dt, s0.x[dof]);
                s1.a[dof] = (s1.v[dof] - s0.v[dof]) / dt;
            }
        }
    }
}

fn triple(values: &[f64], node: usize) -> Vec3 {
    [values[3 * node], values[3 * node + 1], values[3 * node + 2]]
}
