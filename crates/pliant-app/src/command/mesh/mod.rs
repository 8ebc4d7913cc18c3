//! `pliant mesh`: mesh files made, converted and examined.

mod convert;
mod inspect;
mod make;

use std::path::Path;

use pliant_geometry::{Mesh, surface_mesh};
use pliant_scene::mesh_file::writes_surface_only;

use crate::cli::MeshCommand;
use crate::report::Failure;

/// Runs the command that was asked for.
pub fn mesh(command: &MeshCommand) -> Result<(), Failure> {
    match command {
        MeshCommand::Make(options) => make::make(options),
        MeshCommand::Convert(options) => convert::convert(options),
        MeshCommand::Inspect(options) => inspect::inspect(options),
    }
}

/// `451 nodes, 1598 tetrahedra, 58 triangles`.
fn contents(mesh: &Mesh) -> String {
    let counts = [
        (mesh.tets().len(), "tetrahedra"),
        (mesh.hexes().len(), "hexahedra"),
        (mesh.triangles().len(), "triangles"),
    ];
    let cells =
        counts.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!(", {count} {what}"));
    format!("{} nodes{}", mesh.node_count(), cells.collect::<String>())
}

/// What a file of this name keeps of the mesh.
fn written(mesh: &Mesh, path: &Path) -> String {
    let surface =
        (mesh.cell_count() > 0 && writes_surface_only(path)).then(|| surface_mesh(mesh).ok()).flatten();
    match surface {
        Some(surface) => format!("{} (the surface; this format keeps no elements)", contents(&surface.mesh)),
        None if mesh.cell_count() > 0 => format!("{}, volume {:.6e} m^3", contents(mesh), mesh.volume()),
        None => contents(mesh),
    }
}
