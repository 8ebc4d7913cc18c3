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

/// Members of groups as arrays of a .vtu.
#[derive(Clone, Debug, Default)]
pub struct GroupMarks {
    /// By name, for tetrahedra, hexahedra and triangles: 1 for members.
    of_cells: Vec<(String, Vec<u8>)>,
    /// The same for nodes, of groups that name some.
    of_nodes: Vec<(String, Vec<u8>)>,
}

impl GroupMarks {
    /// The first `most` groups of a mesh.
    pub fn of(mesh: &Mesh, most: usize) -> Self {
        let first_triangle = mesh.cell_count();
        let cell_count = first_triangle + mesh.triangles().len();
        let mut marks = Self::default();
        for (name, group) in mesh.groups().iter().take(most) {
            let name = format!("{GROUP_PREFIX}{name}");
            let mut cells = vec![0; cell_count];
            let lists =
                [(&group.tets, 0), (&group.hexes, mesh.tets().len()), (&group.triangles, first_triangle)];
            for (members, first) in lists {
                members.iter().for_each(|&m| cells[first + m as usize] = 1);
            }
            if !group.nodes.is_empty() {
                let mut nodes = vec![0; mesh.node_count()];
                group.nodes.iter().for_each(|&n| nodes[n as usize] = 1);
                marks.of_nodes.push((name.clone(), nodes));
            }
            marks.of_cells.push((name, cells));
        }
        marks
    }

    /// Fields for the first `count` cells.
    pub fn cell_fields(&self, count: usize) -> Vec<Field<'_>> {
        fields(&self.of_cells, count)
    }

    /// Fields for the nodes.
    pub fn point_fields(&self) -> Vec<Field<'_>> {
        fields(&self.of_nodes, usize::MAX)
    }
}

/// Writes a mesh with its groups, replacing what is there.
pub fn write_mesh_vtu(path: &Path, mesh: &Mesh) -> io::Result<()> {
    if mesh.groups().len() > MOST_GROUPS {
        let count = mesh.groups().len();
        let problem = format!("{count} groups are more than a .vtu keeps ({MOST_GROUPS}); write .msh");
        return Err(io::Error::new(io::ErrorKind::InvalidInput, problem));
    }
    let marks = GroupMarks::of(mesh, MOST_GROUPS);
    let frame = VtuFrame {
        positions: mesh.positions(),
        tets: mesh.tets(),
        hexes: mesh.hexes(),
        triangles: mesh.triangles(),
        lines: &[],
        point_fields: &marks.point_fields(),
        cell_fields: &marks.cell_fields(usize::MAX),
    };
    write_vtu(path, &frame)
}

fn fields(arrays: &[(String, Vec<u8>)], count: usize) -> Vec<Field<'_>> {
    let mut fields = Vec::new();
    for (name, values) in arrays {
        let values = FieldValues::U8(&values[..values.len().min(count)]);
        fields.push(Field { name, components: 1, values });
    }
    fields
}
