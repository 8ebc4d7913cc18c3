//! Whole meshes as .vtu, with their groups.
//!
//! Cells are the tetrahedra, then the hexahedra, then the surface triangles, in the order of the mesh. Every group NAME is
//! an array "group NAME" of type UInt8 with one component in the cell data: 1 in its members, 0 elsewhere, so a group
//! without cells or triangles is all zeros. If it names nodes directly there is an array of the same name in the
//! point data: 1 at these nodes. Control characters in names become blanks, as XML has none.

use std::io;
use std::path::Path;

use pliant_geometry::Mesh;

use super::vtu::{Field, FieldValues, VtuFrame, write_vtu};

/// What the name of a group's array begins with.
pub(super) const GROUP_PREFIX: &str = "group ";

/// Each group takes a byte for every cell.
const MOST_GROUPS: usize = 1000;

/// Writes a mesh with its groups, replacing what is there.
pub fn write_mesh_vtu(path: &Path, mesh: &Mesh) -> io::Result<()> {
    if mesh.groups().len() > MOST_GROUPS {
        let count = mesh.groups().len();
        let problem = format!("{count} groups are more than a .vtu keeps ({MOST_GROUPS}); write .msh");
        return Err(io::Error::new(io::ErrorKind::InvalidInput, problem));
    }
    let first_hex = mesh.tets().len();
    let first_triangle = mesh.cell_count();
    let cell_count = first_triangle + mesh.triangles().len();
    let mut of_cells: Vec<(String, Vec<u8>)> = Vec::new();
    let mut of_nodes: Vec<(String, Vec<u8>)> = Vec::new();
    for (name, group) in mesh.groups() {
        let name = format!("{GROUP_PREFIX}{name}");
        let mut cells = vec![0; cell_count];
        for (members, first) in
            [(&group.tets, 0), (&group.hexes, first_hex), (&group.triangles, first_triangle)]
        {
            members.iter().for_each(|&m| cells[first + m as usize] = 1);
        }
        if !group.nodes.is_empty() {
            let mut nodes = vec![0; mesh.node_count()];
            group.nodes.iter().for_each(|&n| nodes[n as usize] = 1);
            of_nodes.push((name.clone(), nodes));
        }
        of_cells.push((name, cells));
    }
    let frame = VtuFrame {
        positions: mesh.positions(),
        tets: mesh.tets(),
        hexes: mesh.hexes(),
        triangles: mesh.triangles(),
        point_fields: &fields(&of_nodes),
        cell_fields: &fields(&of_cells),
    };
    write_vtu(path, &frame)
}

fn fields(arrays: &[(String, Vec<u8>)]) -> Vec<Field<'_>> {
    let mut fields = Vec::new();
    for (name, values) in arrays {
        fields.push(Field { name, components: 1, values: FieldValues::U8(values) });
    }
    fields
}
