//! Loads: tractions, total forces, pressures and body forces to force terms.

use std::sync::Arc;

use pliant_geometry::{FaceNodes, SurfaceFace};
use pliant_solid::assembly::lumped_volumes;
use pliant_solid::term::{ForceTerm, LoadHistory, LoadScript, NodalForce, Pressure};
use pliant_solid::{Body, Layout, Matter};

use super::placed_body::PlacedBody;
use super::region;
use crate::diagnostic::Problem;
use crate::spec::{self, Load, LoadKind};
use crate::units::si_array;

/// The load terms of all bodies, in their order.
pub(super) fn terms(
    bodies: &[PlacedBody],
    (layout, matter): (&Layout, &[Matter]),
    problems: &mut Vec<Problem>,
) -> Vec<Arc<dyn ForceTerm>> {
    let mut out = Vec::new();
    for ((body, placed), matter) in bodies.iter().zip(layout.bodies()).zip(matter) {
        // a linear answer needs forces that do not depend on it
        let rest = matter.traits().small_strain.then(|| layout.rest().as_slice());
        for load in &body.spec.load {
            match term(body, placed, load, rest) {
                Ok(term) => out.push(term),
                Err(problem) => problems.push(problem),
            }
        }
    }
    out
}

/// A load as a term; with `rest` positions pressure acts on the surface there.
fn term(
    body: &PlacedBody,
    placed: &Body,
    load: &Load,
    rest: Option<&[f64]>,
) -> Result<Arc<dyn ForceTerm>, Problem> {
    let history = LoadHistory {
        over: load.over.as_ref().map_or(0.0, |t| t.si()),
        release: load.release.as_ref().map(|t| t.si()),
        script: script(load),
    };
    let nodal = |shares: Vec<(u32, f64)>, vector: [f64; 3]| -> Arc<dyn ForceTerm> {
        let world = |(node, share): (u32, f64)| (placed.world[node as usize], vector.map(|c| c * share));
        Arc::new(NodalForce { forces: shares.into_iter().map(world).collect(), history: history.clone() })
    };
    refused_by_springs(body, load)?;
    match &load.kind {
        LoadKind::Traction(traction) => {
            let faces = faces(body, load)?;
            if faces.is_empty() {
                return Err(no_face(body, load));
            }
            Ok(nodal(face_shares(body, &faces), si_array(traction)))
        }
        LoadKind::Pressure(pressure) => {
            let faces = faces(body, load)?;
            if faces.is_empty() {
                return Err(no_face(body, load));
            }
            let world = |n: u32| placed.world[n as usize];
            let faces = faces.iter().map(|f| match f.nodes {
                FaceNodes::Triangle(n) => FaceNodes::Triangle(n.map(world)),
                FaceNodes::Quad(n) => FaceNodes::Quad(n.map(world)),
            });
            let following =
                Pressure { faces: faces.collect(), pressure: pressure.si(), history: history.clone() };
            Ok(match rest {
                Some(rest) => Arc::new(following.at_rest(rest)),
                None => Arc::new(following),
            })
        }
        LoadKind::Force(force) => Ok(nodal(force_shares(body, load)?, si_array(force))),
        LoadKind::BodyForce(density) => {
            let cells = region::cells(&body.own, &load.region)?;
            if cells.is_empty() {
                return Err(region::nothing_selected(
                    &body.own,
                    "body force acts on no element",
                    &load.region,
                ));
            }
            Ok(nodal(volume_shares(body, &cells), si_array(density)))
        }
    }
}

/// Springs without cells have neither faces nor volume.
fn refused_by_springs(body: &PlacedBody, load: &Load) -> Result<(), Problem> {
    let key = match &load.kind {
        LoadKind::Force(_) => return Ok(()),
        LoadKind::Traction(_) => "traction",
        LoadKind::Pressure(_) => "pressure",
        LoadKind::BodyForce(_) => "body_force",
    };
    if !body.own.tets().is_empty() || !body.own.hexes().is_empty() {
        return Ok(());
    }
    let message = format!("body `{}` is made of springs only and takes no `{key}`", body.name);
    Err(Problem::new(load.region.span(), message).help("use `force`, a total shared by its nodes"))
}

/// How it varies.
pub(super) fn script(load: &Load) -> LoadScript {
    match &load.script {
        None => LoadScript::Constant,
        Some(spec::LoadScript::Sine(sine)) => LoadScript::Sine {
            omega: std::f64::consts::TAU * sine.frequency.si(),
            phase: sine.phase.si(),
            mean: sine.mean.si(),
        },
        Some(spec::LoadScript::Table(table)) => {
            LoadScript::Table(table.iter().map(|entry| (entry.time.si(), entry.factor.si())).collect())
        }
    }
}

fn no_face(body: &PlacedBody, load: &Load) -> Problem {
    region::nothing_selected(&body.own, "load acts on no whole surface face", &load.region)
}

/// Surface faces all of whose nodes lie in the region.
fn faces(body: &PlacedBody, load: &Load) -> Result<Vec<SurfaceFace>, Problem> {
    let nodes = region::nodes(&body.own, &load.region)?;
    let inside = |face: &&SurfaceFace| face.nodes().iter().all(|n| nodes.binary_search(n).is_ok());
    Ok(body.surface.faces.iter().filter(inside).cloned().collect())
}

/// The integral of each node's shape function over faces, m^2.
fn face_shares(body: &PlacedBody, faces: &[SurfaceFace]) -> Vec<(u32, f64)> {
    let mut shares = std::collections::BTreeMap::new();
    for face in faces {
        for (node, area) in pliant_solid::term::face_areas(&face.nodes, body.own.positions()) {
            *shares.entry(node).or_insert(0.0) += area;
        }
    }
    shares.into_iter().collect()
}

/// How a total force is shared: by area over whole faces, else equally over the nodes.
fn force_shares(body: &PlacedBody, load: &Load) -> Result<Vec<(u32, f64)>, Problem> {
    let nodes = region::nodes(&body.own, &load.region)?;
    if nodes.is_empty() {
        return Err(region::nothing_selected(&body.own, "force acts on no node", &load.region));
    }
    let faces = faces(body, load)?;
    if faces.is_empty() {
        let share = 1.0 / nodes.len() as f64;
        return Ok(nodes.into_iter().map(|n| (n, share)).collect());
    }
    let shares = face_shares(body, &faces);
    let total: f64 = shares.iter().map(|(_, area)| area).sum();
    Ok(shares.into_iter().map(|(n, area)| (n, area / total)).collect())
}

/// The integral of each node's shape function over cells, m^3.
fn volume_shares(body: &PlacedBody, cells: &[usize]) -> Vec<(u32, f64)> {
    let mesh = &body.own;
    let tet_count = mesh.tets().len();
    let (tets, hexes): (Vec<usize>, Vec<usize>) = cells.iter().partition(|c| **c < tet_count);
    let tets = tets.into_iter().map(|c| mesh.tets()[c]).collect();
    let hexes = hexes.into_iter().map(|c| mesh.hexes()[c - tet_count]).collect();
    // a part of a sound mesh is sound
    let part = pliant_geometry::Mesh::new(mesh.positions().to_vec(), tets, hexes, vec![], Default::default());
    let volumes = part.map(|part| lumped_volumes(&part)).unwrap_or_default();
    volumes.into_iter().enumerate().filter(|(_, v)| *v > 0.0).map(|(n, v)| (n as u32, v)).collect()
}
