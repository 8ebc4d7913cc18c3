//! Explicit Newmark: its order, its exact discrete facts, what it keeps.
#![allow(clippy::unwrap_used, clippy::print_stdout, missing_docs)]

mod conserved;
mod oscillator;
use crate::support;

use pliant_geometry::BoxElement;
use pliant_solid::World;
use pliant_solid::law::LawKind;
use support::meshes::block;
use support::{Scene, Vec3, add, cross, moduli};

/// v of DYN-SPIN-1 at the start: (0.5, 0, 1) + (2, 10, 1) x (X - centre).
fn spin([x, y, z]: Vec3) -> Vec3 {
    add([0.5, 0.0, 1.0], cross([2.0, 10.0, 1.0], [x - 0.05, y - 0.1, z - 0.15]))
}

/// DYN-SPIN-1: a free spinning block, 0.5 s in `steps` steps.
fn spinning_block(steps: usize) -> World {
    let mesh = block([0.1, 0.2, 0.3], [2, 4, 6], BoxElement::Hex);
    Scene::new(mesh, LawKind::StVenant(moduli(1e5, 0.3))).velocity(spin).dt(0.5 / steps as f64).world()
}
