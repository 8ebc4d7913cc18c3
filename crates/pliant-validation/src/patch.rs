//! The solid patch of MacNeal and Harder (1985): seven distorted hexahedra in the unit cube, and the same in tetrahedra.

use std::collections::BTreeMap;

use pliant_geometry::Mesh;

use crate::CaseError;
use crate::measure::Vec3;
use crate::reference::reference_mesh;

/// Faces of a hexahedron, outward.
const FACES: [[usize; 4]; 6] =
    [[0, 3, 2, 1], [4, 5, 6, 7], [0, 1, 5, 4], [1, 2, 6, 5], [2, 3, 7, 6], [3, 0, 4, 7]];

/// The patch in both elements.
pub fn patches() -> Result<[(&'static str, Mesh); 2], CaseError> {
    let hexes = reference_mesh("PATCH-MH_hex8.vtk")?;
    let tets = in_tets(&hexes)?;
    Ok([("hex8", hexes), ("tet4", tets)])
}

/// Every hexahedron cut into six tetrahedra that meet their neighbours face to face: faces are cut from
/// their lowest node, cells from theirs.
fn in_tets(mesh: &Mesh) -> Result<Mesh, CaseError> {
    let mut tets = Vec::new();
    for hex in mesh.hexes() {
        let apex = hex.iter().fold(u32::MAX, |low, n| low.min(*n));
        for face in FACES {
            let mut quad = face.map(|i| hex[i]);
            if quad.contains(&apex) {
                continue;
            }
            let lowest = (0..4).min_by_key(|&i| quad[i]).unwrap_or_default();
            quad.rotate_left(lowest);
            tets.push([quad[0], quad[2], quad[1], apex]);
            tets.push([quad[0], quad[3], quad[2], apex]);
        }
    }
    let made = Mesh::new(mesh.positions().to_vec(), tets, vec![], vec![], BTreeMap::new());
    made.map_err(|e| CaseError::Data { file: "PATCH-MH_hex8.vtk".into(), problem: e.to_string() })
}

/// Whether a point is a corner of the unit cube: the outer nodes of the patch.
pub fn on_cube(p: Vec3) -> bool {
    p.iter().all(|c| *c == 0.0 || *c == 1.0)
}

/// A smooth displacement without symmetry, up to `size` in every component.
pub fn wobble(size: f64) -> impl Fn(Vec3) -> Vec3 {
    move |[x, y, z]| {
        let phase = 17.0 * x + 31.0 * y + 43.0 * z;
        [phase.sin(), (1.0 + 1.3 * phase).sin(), (2.0 + 0.7 * phase).sin()].map(|s| size * s)
    }
}
