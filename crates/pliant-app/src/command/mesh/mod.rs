//! `pliant mesh`: mesh files made, converted and examined.

mod convert;
mod inspect;
mod make;

use pliant_geometry::Mesh;

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
