//! Explicit Newmark: its order, its exact discrete facts, what it keeps.
#![allow(clippy::unwrap_used, clippy::print_stdout, missing_docs)]

mod conserved;
mod oscillator;
mod reference_runs;
#[path = "../support/mod.rs"]
mod support;

use pliant_geometry::BoxElement;
use pliant_solid::World;
use pliant_solid::law::LawKind;
use support::meshes::block;
use support::{Scene, Vec3, add, cross, moduli};

/// DYN-CANT-1: a clamped soft beam, gravity switched on at t = 0, 0.6 s in `steps` steps.
fn cantilever(steps: usize) -> World {
    let mesh = block([0.4, 0.1, 0.1], [8, 2, 2], BoxElement::Hex);
    Scene::new(mesh, LawKind::StVenant(moduli(2e5, 0.3)))
        .gravity([0.0, 0.0, -9.81])
        .hold(|p| p[0] < 1e-9)
        .dt(0.6 / steps as f64)
        .world()
}

/// v of DYN-SPIN-1 at the start: (0.5, 0, 1) + (2, 10, 1) x (X - centre).
fn spin([x, y, z]: Vec3) -> Vec3 {
    add([0.5, 0.0, 1.0], cross([2.0, 10.0, 1.0], [x - 0.05, y - 0.1, z - 0.15]))
}

/// DYN-SPIN-1: a free spinning block, 0.5 s in `steps` steps.
fn spinning_block(steps: usize) -> World {
    let mesh = block([0.1, 0.2, 0.3], [2, 4, 6], BoxElement::Hex);
    Scene::new(mesh, LawKind::StVenant(moduli(1e5, 0.3))).velocity(spin).dt(0.5 / steps as f64).world()
}

/// DYN-COLUMN-1: a clamped neo-Hookean column with a twisting start, 0.1 s in `steps` steps.
fn column(steps: usize) -> World {
    let mesh = block([1.0, 1.0, 6.0], [2, 2, 12], BoxElement::Hex);
    Scene::new(mesh, LawKind::NeoHookean(moduli(1.7e7, 0.3)))
        .density(1100.0)
        .hold(|p| p[2] < 1e-9)
        .velocity(|[x, y, z]| {
            let twist = 40.0 * (std::f64::consts::PI * z / 12.0).sin();
            [-twist * (y - 0.5), twist * (x - 0.5), 0.0]
        })
        .dt(0.1 / steps as f64)
        .world()
}
