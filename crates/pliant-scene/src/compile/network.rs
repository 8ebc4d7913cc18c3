//! Networks of springs: what a body's springs are strung on, and what its particles weigh; walls.

use pliant_geometry::Grid;
use pliant_solid::assembly::lumped_volumes;
use pliant_solid::law::{RotationField, Rotations, Warp};
use pliant_solid::link::Spring;
use pliant_solid::{
    Cloth, Fix, Layout, Matter, Network, NetworkLaw, SpringDamping, SpringStiffness, Wall, Weave,
};

use super::placed_body::PlacedBody;
use crate::counted::counted;
use crate::diagnostic::Problem;
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

/// Walls that act after the equations of a step are solved: solid bodies that rest on them are thrown about.
pub(super) fn late_walls(scene: &Scene) -> Option<Warning> {
    let implicit = *scene.integrator.method == spec::Method::ImplicitEuler;
    let wall = scene.wall.first().filter(|_| implicit)?;
    let (name, _) = scene.body.iter().find(|(_, body)| body.material.is_some())?;
    Some(Warning {
        message: format!(
            "walls put nodes back after the equations of `implicit-euler` are solved: body `{name}`, made of elements, must not rest on one; use method = \"explicit\""
        ),
        span: wall.point.span(),
    })
}

/// The scene's walls; a free node that begins behind one would be thrown back at once.
pub(super) fn walls(
    scene: &Scene,
    bodies: &[PlacedBody],
    (layout, fixes): (&Layout, &[Fix]),
    problems: &mut Vec<Problem>,
) -> Vec<Wall> {
    let held: std::collections::BTreeSet<u32> = fixes.iter().flat_map(|f| f.nodes.iter().copied()).collect();
    let mut out = Vec::new();
    let moving = layout.bones().iter().find(|bone| !held.contains(&bone.first));
    if let (Some(bone), Some(wall)) = (moving, scene.wall.first()) {
        let message = format!("walls do not stop bones, and bone `{}` moves", bone.name);
        let help = "hold the bone with a fix, or remove the wall: contact of rigid bodies is not there yet";
        problems.push(Problem::new(wall.point.span(), message).help(help));
    }
    for spec in &scene.wall {
        let normal = si_array(&spec.normal);
        let length = normal.iter().map(|n| n * n).sum::<f64>().sqrt();
        let wall = Wall {
            point: si_array(&spec.point),
            normal: normal.map(|n| n / length),
            restitution: spec.restitution.si(),
        };
        for (body, placed) in bodies.iter().zip(layout.bodies()) {
            let behind = |(x, world): &(&[f64; 3], &u32)| {
                wall.gap(**x) < -1e-9 * placed.extent && !held.contains(*world)
            };
            let nodes = body.placed.positions().iter().zip(&placed.world);
            if let Some((x, _)) = nodes.clone().find(behind) {
                let [x, y, z] = x.map(|c| format!("{c:.4}"));
                let count = nodes.filter(behind).count();
                let message = format!(
                    "{} of body `{}` {} behind this wall, the first at ({x}, {y}, {z}) m",
                    counted(count, "node", "nodes"),
                    body.name,
                    if count == 1 { "begins" } else { "begin" }
                );
                let help = "move the wall or the body; `normal` points to where the bodies are";
                problems.push(Problem::new(spec.point.span(), message).help(help));
            }
        }
        out.push(wall);
    }
    out
}
