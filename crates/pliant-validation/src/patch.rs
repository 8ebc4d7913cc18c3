//! The solid patch of MacNeal and Harder (1985): seven distorted hexahedra in the unit cube, and the same in tetrahedra.

use std::collections::BTreeMap;

use pliant_geometry::{Mesh, hexes_in_tets};

use crate::CaseError;
use crate::measure::Vec3;
use crate::reference::reference_mesh;

/// The patch in both elements.
pub fn patches() -> Result<[(&'static str, Mesh); 2], CaseError> {
    let hexes = reference_mesh("PATCH-MH_hex8.vtk")?;
    let tets = in_tets(&hexes)?;
    Ok([("hex8", hexes), ("tet4", tets)])
}

/// Every hexahedron cut into six tetrahedra that meet their neighbours face to face.
fn in_tets(mesh: &Mesh) -> Result<Mesh, CaseError> {
    let tets = hexes_in_tets(mesh.hexes());
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
