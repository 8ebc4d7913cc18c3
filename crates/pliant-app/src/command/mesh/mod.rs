//! `pliant mesh`: mesh files made, converted and examined.

mod convert;
mod inspect;
mod make;

use std::io::ErrorKind;
use std::path::Path;

use pliant_geometry::{Mesh, surface_mesh};
use pliant_scene::counted;
use pliant_scene::mesh_file::{MeshWriteError, MshEncoding, WriteOptions, write, writes_surface_only};

use super::mesh_report::cell_counts;
use crate::cli::MeshCommand;
use crate::report::{self, Failure};

/// Runs the command that was asked for.
pub fn mesh(command: &MeshCommand) -> Result<(), Failure> {
    match command {
        MeshCommand::Make(options) => make::make(options),
        MeshCommand::Convert(options) => convert::convert(options),
        MeshCommand::Inspect(options) => inspect::inspect(options),
    }
}

/// `451 nodes, 1598 tetrahedra, 58 surface triangles`.
fn contents(mesh: &Mesh) -> String {
    let counts = [mesh.tets().len(), mesh.hexes().len(), mesh.triangles().len()];
    format!("{}{}", counted(mesh.node_count(), "node", "nodes"), cell_counts(counts))
}

/// Writes a mesh and says what the file keeps of it.
fn write_and_tell(path: &Path, mesh: &Mesh, encoding: MshEncoding) -> Result<(), Failure> {
    let is_msh = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("msh"));
    if encoding == MshEncoding::Text && !is_msh {
        let message = format!("{}: --ascii is for .msh; leave it out for other formats", path.display());
        return Err(Failure::Input(message));
    }
    if path.is_dir() {
        let message =
            format!("{}: this is a folder; name the file to write in it, such as mesh.msh", path.display());
        return Err(Failure::Input(message));
    }
    if !mesh.volume().is_finite() {
        return Err(Failure::Input("the mesh is too large for numbers: its volume is not finite".into()));
    }
    write(path, mesh, &WriteOptions { msh: encoding }).map_err(|error| match error {
        MeshWriteError::Write { ref source, .. } if source.kind() != ErrorKind::InvalidInput => {
            Failure::Ran(error.to_string())
        }
        other => Failure::Input(other.to_string()),
    })?;
    report::line(&format!("{}: {}", path.display(), kept(mesh, path)));
    Ok(())
}

/// What a file of this name keeps of the mesh.
fn kept(mesh: &Mesh, path: &Path) -> String {
    let only_surface = mesh.cell_count() > 0 && writes_surface_only(path);
    match only_surface.then(|| surface_mesh(mesh).ok()).flatten() {
        Some(surface) => {
            let groups = if mesh.groups().is_empty() { "" } else { " and no groups of them" };
            format!("{} (this format keeps no elements{groups})", contents(&surface.mesh))
        }
        None if mesh.cell_count() > 0 => format!("{}, volume {:.6e} m^3", contents(mesh), mesh.volume()),
        None => contents(mesh),
    }
}
