//! Stiffness warping against its formulas, written out plainly.
#![allow(clippy::unwrap_used, clippy::print_stdout, missing_docs)]

mod forces;
mod matrices;
mod net;
mod reference;
mod refusals;
mod runs;
use crate::support;

use std::sync::Arc;

use pliant_geometry::{BoxElement, Mesh, hexes_in_tets};
use pliant_solid::law::{LawKind, RotationField, Rotations, Warp};
use pliant_solid::term::{At, Report, Scatter};
use pliant_solid::{FullState, Model};
use support::meshes::{block, distorted, mesh};
use support::{Noise, Scene, add, moduli, placed};

const YOUNG: f64 = 1e5;

fn warp(field: RotationField, rotations: Rotations) -> Warp {
    Warp { field, rotations }
}

/// Every option.
fn warps() -> [(&'static str, Warp); 5] {
    [
        ("polar, node", Warp::default()),
        ("frames, node", warp(RotationField::Frames, Rotations::Node)),
        ("body", warp(RotationField::Polar, Rotations::Body)),
        ("polar, mixed", warp(RotationField::Polar, Rotations::Mixed)),
        ("frames, mixed", warp(RotationField::Frames, Rotations::Mixed)),
    ]
}

fn warped(warp: Warp) -> LawKind {
    LawKind::Warped(moduli(YOUNG, 0.3), warp)
}

/// Boxes of side 0.1 m: tetrahedra, hexahedra, and both in one mesh.
fn meshes() -> [(&'static str, Mesh); 3] {
    let hexes = distorted([0.1, 0.12, 0.08], [3, 2, 2], BoxElement::Hex, 0.2);
    let (cut, kept) = hexes.hexes().split_at(5);
    let both = mesh(hexes.positions().to_vec(), hexes_in_tets(cut), kept.to_vec());
    let tets = distorted([0.1, 0.12, 0.08], [3, 2, 2], BoxElement::Tet6, 0.2);
    [("tets", tets), ("hexes", hexes), ("both", both)]
}

fn model(mesh: &Mesh, law: LawKind) -> Arc<Model> {
    Scene::new(mesh.clone(), law).model()
}

/// A state with every node at `place(rest)` and pushed about by up to `noise` m.
fn pushed(model: &Model, seed: u64, noise: f64, place: impl Fn(support::Vec3) -> support::Vec3) -> FullState {
    let mut source = Noise::new(seed);
    placed(model, |p| add(place(p), std::array::from_fn(|_| noise * source.next())))
}

/// The force of the warped body alone, and what it tells.
fn force(model: &Model, at: &At) -> (Vec<f64>, Report) {
    let mut force = vec![0.0; 3 * model.layout().node_count()];
    let term = &model.terms()[0];
    let mut scratch = term.new_scratch();
    let report = term.force_add(at, &mut Scatter::new(&mut force, &mut scratch));
    (force, report)
}

/// The bar of 176 nodes and 450 tetrahedra.
fn bar() -> Mesh {
    block([1.0, 0.3, 0.3], [10, 3, 3], BoxElement::Tet5)
}

/// Bends the bar by 90 degrees about the y axis, its middle line a quarter of a circle.
fn bent([x, y, z]: support::Vec3) -> support::Vec3 {
    let angle = std::f64::consts::FRAC_PI_2 * x;
    let radius = 1.0 / std::f64::consts::FRAC_PI_2 + (z - 0.15);
    [radius * angle.sin(), y, radius * angle.cos()]
}
