//! Implicit Euler: order, momenta, and how much it bears.
#![allow(clippy::unwrap_used, missing_docs)]

mod abuse;
mod bits;
mod carried;
mod choice;
mod momenta;
use crate::support;
mod trust;
mod warped;

use pliant_geometry::{BoxElement, box_mesh};
use pliant_solid::integrator::{ImplicitEuler, IntegratorKind, StepChoice};
use pliant_solid::law::LawKind;
use support::Scene;

/// Implicit Euler at a fixed step, otherwise as it comes.
fn euler(dt: f64) -> ImplicitEuler {
    ImplicitEuler { step: StepChoice::Fixed(dt), ..ImplicitEuler::default() }
}

/// The bar that other programs were measured on, along z: 3x3x10 cells of 10 cm, each cut into five tetrahedra.
fn bar(law: LawKind, integrator: ImplicitEuler) -> Scene {
    let mesh = box_mesh([0.3, 0.3, 1.0], [3, 3, 10], BoxElement::Tet5).unwrap();
    Scene::new(mesh, law).integrator(IntegratorKind::ImplicitEuler(integrator))
}
