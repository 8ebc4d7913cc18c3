//! Bones: bodies that are rigid as a whole, rigid parts of soft ones, and what is tied to them.
#![allow(clippy::unwrap_used, clippy::panic)] // a failing helper is a failing test

use crate::support;

mod attached;
mod bits;
mod bone_and_skin;
mod free;
mod frozen;
mod pendulum;

use pliant_geometry::{BoxElement, Mesh, box_mesh};
use pliant_solid::World;
use pliant_solid::integrator::{Explicit, ImplicitEuler, IntegratorKind, StepChoice};
use pliant_solid::law::LawKind;
use support::{Vec3, moduli};

fn block(size: Vec3, cells: [usize; 3]) -> Mesh {
    box_mesh(size, cells, BoxElement::Tet5).unwrap()
}

fn corotated(young: f64) -> LawKind {
    LawKind::Corotated(moduli(young, 0.33))
}

fn explicit(dt: f64) -> IntegratorKind {
    IntegratorKind::Explicit(Explicit { step: StepChoice::Fixed(dt) })
}

fn euler(dt: f64) -> IntegratorKind {
    IntegratorKind::ImplicitEuler(ImplicitEuler { step: StepChoice::Fixed(dt), ..ImplicitEuler::default() })
}

fn cross(a: Vec3, b: Vec3) -> Vec3 {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn distance(a: Vec3, b: Vec3) -> f64 {
    (0..3).map(|c| (a[c] - b[c]).powi(2)).sum::<f64>().sqrt()
}

/// Momentum and angular momentum about the origin.
fn momenta(world: &World) -> [Vec3; 2] {
    let (mass, s) = (world.model().mass(), world.state());
    let mut out = [[0.0; 3]; 2];
    for ((x, v), m) in s.x.chunks_exact(3).zip(s.v.chunks_exact(3)).zip(mass) {
        let spin = cross([x[0], x[1], x[2]], [v[0], v[1], v[2]]);
        (0..3).for_each(|c| (out[0][c], out[1][c]) = (out[0][c] + m * v[c], out[1][c] + m * spin[c]));
    }
    out
}

/// Where a mesh node of the first body is.
fn node(world: &World, mesh_node: usize) -> Vec3 {
    let full = world.model().full_state(world.state());
    let at = 3 * world.model().layout().bodies()[0].world[mesh_node] as usize;
    [full.x[at], full.x[at + 1], full.x[at + 2]]
}
