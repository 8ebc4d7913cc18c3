//! The mesh of a body, a bone or a surface: made here, read from a file, or given particle by particle.

use std::path::Path;

use pliant_geometry::{Mesh, MeshError};

use super::shape::made;
use crate::diagnostic::Problem;
use crate::mesh_file::{self, MeshFile};
use crate::spec;
use crate::units::si_array;

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
