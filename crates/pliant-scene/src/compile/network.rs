//! Networks of springs: what a body's springs are strung on, and what its particles weigh.

use pliant_geometry::Grid;
use pliant_solid::assembly::lumped_volumes;
use pliant_solid::law::{RotationField, Rotations, Warp};
use pliant_solid::link::Spring;
use pliant_solid::{Cloth, Matter, Network, NetworkLaw, SpringDamping, SpringStiffness, Weave};

use super::placed_body::PlacedBody;
use crate::spec::{self, Scene, SpringTable, Warning};
use crate::units::si_array;

/// The matter of a body that is a network.
pub(super) fn matter(body: &PlacedBody, spec: &spec::Network) -> Matter {
    let weave = Weave {
        stiffness: match (&spec.stiffness, &spec.young) {
            (Some(stiffness), _) => SpringStiffness::Each(stiffness.si()),
            (None, Some(young)) => SpringStiffness::Young(young.si()),
            (None, None) => SpringStiffness::Each(0.0),
        },
        damping: match (&spec.damping, &spec.relaxation) {
            (_, Some(time)) => SpringDamping::Relaxation(time.si()),
            (damping, None) => SpringDamping::Each(damping.as_ref().map_or(0.0, |d| d.si())),
        },
    };
    let mesh = &body.placed;
    let mass = spec.mass.as_ref().map(|mass| mass.si());
    let own = match &*body.spec.mesh {
        spec::Mesh::Shape(spec::Shape::Grid { size, cells }) => {
            let grid = Grid { size: si_array(size), cells: cells.map(|n| n as usize) };
            let (angle, bend) = (spec.angle.si(), spec.bend.si());
            Cloth { grid, weave, angle, bend, mass: mass.unwrap_or(0.0) }.network(mesh)
        }
        spec::Mesh::Particles { springs, .. } => {
            let joined = springs.iter().map(|row| (row.0.between, spring(body, &weave, &row.0)));
            let each = mass.unwrap_or(0.0) / mesh.node_count() as f64;
            plain(joined.collect(), vec![each; mesh.node_count()])
        }
        _ => {
            let density = spec.density.as_ref().map_or(0.0, |density| density.si());
            let density = mass.map_or(density, |mass| mass / mesh.volume());
            let mass = lumped_volumes(mesh).into_iter().map(|volume| density * volume).collect();
            plain(weave.of_cells(mesh), mass)
        }
    };
    let law = match spec.law {
        spec::NetworkLaw::Springs => NetworkLaw::Springs,
        spec::NetworkLaw::Linear => NetworkLaw::Linear,
        spec::NetworkLaw::Warped => {
            NetworkLaw::Warped(warp(spec.warp.as_deref().copied().unwrap_or_default()))
        }
    };
    Matter::of_network(Network { law, drag: spec.drag.si(), ..own }, mesh)
}

fn plain(springs: Vec<([u32; 2], Spring<f64>)>, mass: Vec<f64>) -> Network {
    Network { law: NetworkLaw::Springs, springs, angles: Vec::new(), mass, drag: 0.0 }
}

/// A spring of a table, with what the network says where the row is silent.
fn spring(body: &PlacedBody, weave: &Weave, row: &SpringTable) -> Spring<f64> {
    let [a, b] = row.between.map(|n| body.placed.positions()[n as usize]);
    let apart = (0..3).map(|c| (a[c] - b[c]).powi(2)).sum::<f64>().sqrt();
    let of_all = match weave.stiffness {
        SpringStiffness::Each(each) | SpringStiffness::Young(each) => each,
    };
    let stiffness = row.stiffness.as_ref().map_or(of_all, |k| k.si());
    let own = weave.spring(stiffness, row.length.as_ref().map_or(apart, |l| l.si()));
    Spring { damping: row.damping.as_ref().map_or(own.damping, |b| b.si()), ..own }
}

/// The options of the law `warped`.
pub(super) fn warp(given: spec::Warp) -> Warp {
    Warp {
        field: match given.field.unwrap_or_default() {
            spec::RotationField::Polar => RotationField::Polar,
            spec::RotationField::Frames => RotationField::Frames,
        },
        rotations: match given.rotations {
            spec::Rotations::Node => Rotations::Node,
            spec::Rotations::Body => Rotations::Body,
            spec::Rotations::Mixed => Rotations::Mixed,
        },
    }
}

/// Bodies that surface formats cannot show.
pub(super) fn unseen(scene: &Scene) -> Vec<Warning> {
    let surfaces = scene.output.formats.iter().any(|format| format.series().is_some());
    let tables = scene.body.iter().filter(|(_, body)| matches!(&*body.mesh, spec::Mesh::Particles { .. }));
    let one = |(name, body): (&String, &spec::Body)| Warning {
        message: format!(
            "body `{name}` is a table of particles without a surface: only `vtu` shows its springs, as lines"
        ),
        span: body.mesh.span(),
    };
    if surfaces { tables.map(one).collect() } else { Vec::new() }
}
