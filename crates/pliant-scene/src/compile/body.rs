//! Bodies: their meshes, where they stand, what they are made of.

use std::path::Path;
use std::sync::Arc;

use pliant_geometry::{Mesh, MeshError, Surface};
use pliant_numerics::Mat3;
use pliant_solid::assembly::{Precision, lumped_volumes};
use pliant_solid::law::{ElasticModuli, LawKind, StretchLimit};
use pliant_solid::{BodyMatter, Layout, MassKind};

use super::initial::initial_fields;
use super::magnitude;
use super::memory::Room;
use super::network::{self, warp};
use super::shape::made;
use crate::diagnostic::Problem;
use crate::inspect::{FindingKind, MeshReport, Severity, inspect};
use crate::mesh_file::{self, MeshFile};
use crate::spec::{self, Warning};
use crate::units::si_array;

/// A body's mesh in its own coordinates and in the world.
pub(super) struct PlacedBody<'a> {
    pub name: String,
    pub spec: &'a spec::Body,
    /// As the file has it, after `scale`.
    pub own: Mesh,
    /// Turned and moved into the world.
    pub placed: Arc<Mesh>,
    pub surface: Surface,
    pub report: MeshReport,
    rotation: Mat3<f64>,
    position: [f64; 3],
}

impl<'a> PlacedBody<'a> {
    /// Reads, examines and places a mesh; tells what is wrong with it.
    pub fn load(
        name: &str,
        spec: &'a spec::Body,
        (folder, room): (&Path, &mut Room),
        problems: &mut Vec<Problem>,
        warnings: &mut Vec<Warning>,
    ) -> Option<Self> {
        let span = spec.mesh.span();
        let mesh = room.read_mesh(name, &spec.mesh, folder);
        let MeshFile { mesh: own, notes } = mesh.map_err(|p| problems.push(p)).ok()?;
        if let Some(problem) = magnitude::size(name, &own, &spec.mesh, spec.mesh.span()) {
            problems.push(problem);
            return None;
        }
        let noted = |note| Warning { message: format!("body `{name}`: {note}"), span: span.clone() };
        warnings.extend(notes.into_iter().map(noted));
        let mut report = inspect(name, &own);
        if spec.network.is_some() && own.cell_count() == 0 {
            // particles need neither cells nor a closed surface
            report.findings.retain(|finding| finding.kind == FindingKind::Units);
        }
        for finding in &report.findings {
            let message = format!("body `{name}`: {}", finding.message);
            match finding.severity {
                Severity::Error => {
                    problems.push(Problem::new(spec.mesh.span(), message).help(&finding.way_out))
                }
                Severity::Warning => warnings.push(Warning {
                    message: format!("{message}; {}", finding.way_out),
                    span: spec.mesh.span(),
                }),
            }
        }
        if report.has_errors() {
            return None;
        }
        let rotation = spec
            .rotation
            .as_ref()
            .map_or(Mat3::identity(), |r| Mat3::rotation(si_array(&r.axis), r.angle.si()));
        let position = si_array(&spec.position);
        let place = |p: [f64; 3]| {
            let turned = rotation.mul_vec(p);
            std::array::from_fn(|c| turned[c] + position[c])
        };
        let placed = own.clone().transformed(place);
        let placed = placed.map_err(|e| problems.push(Problem::new(spec.mesh.span(), e.to_string()))).ok()?;
        let surface = Surface::of(&own).unwrap_or(Surface { faces: Vec::new() });
        let name = name.to_string();
        let body = Self { name, spec, own, placed: Arc::new(placed), surface, report, rotation, position };
        magnitude::place(&body, problems, warnings);
        magnitude::speed(&body, problems);
        Some(body)
    }

    /// A point of the mesh's coordinates in the world.
    pub fn to_world(&self, point: [f64; 3]) -> [f64; 3] {
        let turned = self.rotation.mul_vec(point);
        std::array::from_fn(|c| turned[c] + self.position[c])
    }

    /// A tensor along the mesh's axes, along the world's.
    pub fn turned(&self, tensor: &Mat3<f64>) -> Mat3<f64> {
        (self.rotation * *tensor).mul_transpose(&self.rotation)
    }

    /// A typical distance in the mesh, m.
    pub fn extent(&self) -> f64 {
        self.own.bounds().map_or(0.0, |b| b.diagonal())
    }

    /// What it is made of.
    pub fn matter(&self, scene: &spec::Scene, problems: &mut Vec<Problem>) -> Option<BodyMatter> {
        if let Some(name) = &self.spec.network {
            return scene.network.get(name.as_str()).map(|spec| network::matter(self, spec));
        }
        let material = scene.material.get(self.spec.material.as_ref()?.as_str())?;
        let moduli = ElasticModuli::new(material.young.si(), material.poisson.si());
        let moduli =
            moduli.map_err(|e| problems.push(Problem::new(material.young.span(), e.to_string()))).ok()?;
        let law = match material.law {
            spec::Law::Linear => LawKind::Linear(moduli),
            spec::Law::StVenant => LawKind::StVenant(moduli),
            spec::Law::NeoHookean => LawKind::NeoHookean(moduli),
            spec::Law::Corotated => LawKind::Corotated(moduli),
            spec::Law::Warped => {
                LawKind::Warped(moduli, warp(material.warp.as_deref().copied().unwrap_or_default()))
            }
        };
        Some(BodyMatter {
            density: material.density.si(),
            law,
            limit: material.stretch_limit.as_ref().map(|limit| StretchLimit {
                strain: limit.strain.si(),
                stiffness: (limit.factor.si() - 1.0) * material.young.si(),
                factor: limit.factor.si(),
            }),
            mass_damping: material.damping.mass.si(),
            stiffness_damping: material.damping.stiffness.si(),
            initial: initial_fields(self, law, problems),
            mass: match *self.spec.mass {
                spec::Mass::Lumped => MassKind::Lumped,
                spec::Mass::Consistent => MassKind::Consistent,
            },
            network: None,
        })
    }
}

/// Makes or reads what a table `mesh = { ... }` says.
pub(super) fn read_mesh(mesh: &spec::Mesh, folder: &Path) -> Result<MeshFile, Problem> {
    match mesh {
        spec::Mesh::Shape(shape) => {
            let mesh = made(shape).map_err(|e| Problem::new(shape.extent().1, e.to_string()))?;
            Ok(MeshFile { mesh, notes: Vec::new() })
        }
        spec::Mesh::Particles { particles, .. } => {
            let fault = |e: MeshError| Problem::new(particles.span(), e.to_string());
            let places = particles.iter().map(si_array).collect();
            let mesh = Mesh::new(places, vec![], vec![], vec![], Default::default()).map_err(fault)?;
            Ok(MeshFile { mesh, notes: Vec::new() })
        }
        spec::Mesh::File { file, scale } => {
            let fault = |message: String| Problem::new(file.span(), message);
            let path = folder.join(file.as_str());
            let MeshFile { mesh, notes } = mesh_file::read(&path).map_err(|e| {
                let help = if path.exists() { "" } else { "paths are relative to the scene file" };
                fault(e.to_string()).help(help)
            })?;
            let mesh = mesh.scaled(scale.si()).map_err(|e| fault(e.to_string()))?;
            Ok(MeshFile { mesh, notes })
        }
    }
}

/// Velocities of all free nodes at the start: v + omega x (X - centre).
pub(super) fn velocities(bodies: &[PlacedBody], centres: &[[f64; 3]], layout: &Layout) -> Vec<f64> {
    let mut out = vec![0.0; 3 * layout.free_count()];
    for ((body, centre), placed) in bodies.iter().zip(centres).zip(layout.bodies()) {
        let (v, w) = (si_array(&body.spec.velocity), si_array(&body.spec.angular_velocity));
        for node in placed.nodes.clone() {
            let position = layout.rest_of(node);
            let r: [f64; 3] = std::array::from_fn(|c| position[c] - centre[c]);
            let spin = [w[1] * r[2] - w[2] * r[1], w[2] * r[0] - w[0] * r[2], w[0] * r[1] - w[1] * r[0]];
            (0..3).for_each(|c| out[3 * node as usize + c] = v[c] + spin[c]);
        }
    }
    out
}

/// Lumped mass of every node of a mesh, kg.
pub(super) fn node_masses(mesh: &Mesh, matter: &BodyMatter) -> Vec<f64> {
    match &matter.network {
        Some(network) => network.mass.clone(),
        None => lumped_volumes(mesh).into_iter().map(|volume| matter.density * volume).collect(),
    }
}

impl From<spec::Precision> for Precision {
    fn from(precision: spec::Precision) -> Self {
        match precision {
            spec::Precision::Double => Self::Double,
            spec::Precision::Single => Self::Single,
        }
    }
}
