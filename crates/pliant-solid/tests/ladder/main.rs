//! Central differences with full mass and damping: limits, order, damping, rungs, bits.
#![allow(clippy::unwrap_used, clippy::print_stdout, missing_docs)]

use crate::support;

mod between_rungs;
mod bits;
mod damping;
mod limits;
mod order;
mod rungs;

use pliant_solid::integrator::{IntegratorKind, Ladder, Lengths, StepChoice};
use pliant_solid::law::LawKind;
use pliant_solid::{MassKind, World};

use support::meshes::block;
use support::{Scene, run_until};

/// The same scene with full matrices and a fixed step.
fn ladder(scene: Scene, dt: f64) -> Scene {
    scene.integrator(IntegratorKind::Ladder(Ladder { step: StepChoice::Fixed(dt), lengths: Lengths::Halved }))
}

/// The same scene with full matrices and an automatic step.
fn automatic(scene: Scene, safety: f64) -> Scene {
    scene.integrator(IntegratorKind::Ladder(Ladder {
        step: StepChoice::Auto { safety },
        lengths: Lengths::Halved,
    }))
}

/// A bar of consistent mass that is clamped at x = 0 and thrown upwards.
fn thrown_bar(law: LawKind) -> Scene {
    Scene::new(block([0.5, 0.1, 0.1], [5, 1, 1], pliant_geometry::BoxElement::Hex), law)
        .hold(|p| p[0] < 1e-9)
        .velocity(|p| [0.0, 0.0, 2.0 * p[0] * p[0]])
        .matter(|m| m.mass = MassKind::Consistent)
}

fn finished(scene: &Scene, end: f64) -> World {
    let mut world = scene.world();
    let (_, error) = run_until(&mut world, end);
    assert_eq!(error, None);
    world
}

fn end_of(scene: &Scene, end: f64) -> Vec<f64> {
    finished(scene, end).state().x.clone()
}

/// The same with steps of any length between the rungs.
fn between(scene: Scene, safety: f64) -> Scene {
    let step = StepChoice::Auto { safety };
    scene.integrator(IntegratorKind::Ladder(Ladder { step, lengths: Lengths::Any }))
}
