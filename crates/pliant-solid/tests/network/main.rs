//! What every network of springs must satisfy. A new kind of link is one line in `networks()`.
#![allow(clippy::unwrap_used, missing_docs)]

use crate::support;

mod bits;
mod derivatives;
mod motion;
mod refusals;

use pliant_geometry::{BoxElement, Grid, Mesh};
use pliant_solid::integrator::{ImplicitEuler, IntegratorKind, StepChoice};
use pliant_solid::law::Warp;
use pliant_solid::{Cloth, Network, NetworkLaw, SpringDamping, SpringStiffness, State, Weave};
use support::Scene;
use support::meshes::{block, distorted};

/// 100 N/m, damped.
pub const WEAVE: Weave =
    Weave { stiffness: SpringStiffness::Each(100.0), damping: SpringDamping::Relaxation(1e-3) };

/// Springs on a mesh's cells, a gram a node.
pub fn of_cells(mesh: &Mesh, law: NetworkLaw) -> Network {
    let mass = vec![1e-3; mesh.node_count()];
    Network { law, springs: WEAVE.of_cells(mesh), angles: vec![], mass, drag: 0.0 }
}

/// A sheet of so many cells with all kinds of links.
pub fn cloth(size: [f64; 2], cells: [usize; 2]) -> (Mesh, Network) {
    let grid = Grid { size, cells };
    let mesh = grid.mesh().unwrap();
    let network = Cloth { grid, weave: WEAVE, angle: 2e-3, bend: 1e-3, mass: 0.1 }.network(&mesh);
    (mesh, network)
}

/// Every kind of link, as a body.
pub fn networks() -> Vec<(&'static str, Mesh, Network)> {
    let solid = distorted([0.2, 0.1, 0.1], [3, 2, 2], BoxElement::Tet6, 0.1);
    let hexes = block([0.2, 0.1, 0.1], [2, 1, 1], BoxElement::Hex);
    let (sheet, woven) = cloth([0.3, 0.2], [3, 2]);
    let linear = Network { law: NetworkLaw::Linear, ..woven.clone() };
    vec![
        ("springs of tetrahedra", solid.clone(), of_cells(&solid, NetworkLaw::Springs)),
        ("springs of hexahedra", hexes.clone(), of_cells(&hexes, NetworkLaw::Springs)),
        ("cloth with angle springs", sheet.clone(), woven),
        ("linear springs", solid.clone(), of_cells(&solid, NetworkLaw::Linear)),
        ("linear cloth", sheet, linear),
    ]
}

pub fn warped(mesh: &Mesh) -> Network {
    of_cells(mesh, NetworkLaw::Warped(Warp::default()))
}

/// A world with one network.
pub fn scene(mesh: &Mesh, network: &Network) -> Scene {
    let matter = pliant_solid::Matter::of_network(network.clone(), mesh);
    let none = pliant_solid::law::LawKind::Linear(support::moduli(1.0, 0.0));
    Scene::new(mesh.clone(), none).matter(move |m| m.finished = Some(matter.clone()))
}

pub fn implicit(step: StepChoice) -> IntegratorKind {
    IntegratorKind::ImplicitEuler(ImplicitEuler { step, ..ImplicitEuler::default() })
}

pub fn bytes(state: &State) -> Vec<u8> {
    postcard::to_allocvec(state).unwrap()
}
