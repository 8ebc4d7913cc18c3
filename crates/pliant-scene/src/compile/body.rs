//! Bodies: how their meshes are read and examined, what they are made of, how they move at the start.

use std::path::Path;

use pliant_geometry::Mesh;
use pliant_solid::assembly::Precision;
use pliant_solid::law::{ElasticModuli, LawKind, StretchLimit};
use pliant_solid::{Layout, MassKind, Material, Matter, Solid};

use super::initial::initial_fields;
use super::magnitude;
use super::memory::Room;
use super::network::{self, warp};
use super::placed_body::PlacedBody;
use crate::diagnostic::Problem;
use crate::inspect::{FindingKind, Severity, inspect};
use crate::mesh_file::MeshFile;
use crate::spec::{self, Warning};
use crate::units::si_array;

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
        let body = Self::new(name, spec, own, report);
        let body = body.map_err(|e| problems.push(Problem::new(spec.mesh.span(), e.to_string()))).ok()?;
        magnitude::place(&body, problems, warnings);
        magnitude::speed(&body, problems);
        Some(body)
    }

    /// What it is made of.
    pub fn matter(&self, scene: &spec::Scene, problems: &mut Vec<Problem>) -> Option<Matter> {
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
        let made_of = Material {
            density: material.density.si(),
            law,
            limit: material.stretch_limit.as_ref().map(|limit| StretchLimit {
                strain: limit.strain.si(),
                stiffness: (limit.factor.si() - 1.0) * material.young.si(),
                factor: limit.factor.si(),
            }),
            mass_damping: material.damping.mass.si(),
            stiffness_damping: material.damping.stiffness.si(),
        };
        Some(Matter::Elements(Solid {
            initial: initial_fields(self, law, problems),
            mass: match *self.spec.mass {
                spec::Mass::Lumped => MassKind::Lumped,
                spec::Mass::Consistent => MassKind::Consistent,
            },
            ..Solid::of(made_of)
        }))
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
pub(super) fn node_masses(mesh: &Mesh, matter: &Matter) -> Vec<f64> {
    let all: Vec<u32> = (0..mesh.cell_count() as u32).collect();
    matter.node_masses(mesh, &all)
}

impl From<spec::Precision> for Precision {
    fn from(precision: spec::Precision) -> Self {
        match precision {
            spec::Precision::Double => Self::Double,
            spec::Precision::Single => Self::Single,
        }
    }
}
