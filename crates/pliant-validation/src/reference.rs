//! Meshes and displacements that come with the crate.

use pliant_geometry::Mesh;
use pliant_scene::mesh_file;

use crate::CaseError;
use crate::measure::Vec3;

/// The mesh files that no generator makes.
const MESHES: [(&str, &[u8]); 2] = [
    ("PATCH-MH_hex8.vtk", include_bytes!("../../pliant-scene/data/reference/PATCH-MH_hex8.vtk")),
    ("SPHERE_tet4.vtk", include_bytes!("../../pliant-scene/data/reference/SPHERE_tet4.vtk")),
];

/// Final displacements of every node, by independent codes.
const TABLES: [(&str, &str); 11] = [
    ("SVK-TWIST-1_hex8", include_str!("../data/SVK-TWIST-1_hex8.csv")),
    ("SVK-TWIST-1_tet4", include_str!("../data/SVK-TWIST-1_tet4.csv")),
    ("SVK-CANT-1_hex8", include_str!("../data/SVK-CANT-1_hex8.csv")),
    ("SVK-CANT-1_tet4", include_str!("../data/SVK-CANT-1_tet4.csv")),
    ("SVK-COMP-1_hex8", include_str!("../data/SVK-COMP-1_hex8.csv")),
    ("SVK-COMP-1_tet4", include_str!("../data/SVK-COMP-1_tet4.csv")),
    ("NH-COMP-2_hex8", include_str!("../data/NH-COMP-2_hex8.csv")),
    ("NH-COMP-2_tet4", include_str!("../data/NH-COMP-2_tet4.csv")),
    ("DYN-CANT-1_final", include_str!("../data/DYN-CANT-1_final.csv")),
    ("DYN-SPIN-1_final", include_str!("../data/DYN-SPIN-1_final.csv")),
    ("DYN-COLUMN-1_final", include_str!("../data/DYN-COLUMN-1_final.csv")),
];

fn missing(name: &str) -> CaseError {
    CaseError::Data { file: name.into(), problem: "no such file in the crate".into() }
}

/// One of the mesh files.
pub fn reference_mesh(name: &str) -> Result<Mesh, CaseError> {
    let (_, bytes) = MESHES.iter().find(|(known, _)| *known == name).ok_or_else(|| missing(name))?;
    Ok(mesh_file::read_bytes(name, bytes)?.mesh)
}

/// Displacements of a table in the order of its mesh's nodes, m.
pub fn reference_displacements(name: &str) -> Result<Vec<Vec3>, CaseError> {
    let (_, table) = TABLES.iter().find(|(known, _)| *known == name).ok_or_else(|| missing(name))?;
    let row = |line: &str| -> Option<Vec3> {
        let values: Vec<f64> = line.split(',').skip(4).filter_map(|field| field.parse().ok()).collect();
        values.try_into().ok()
    };
    let rows: Option<Vec<Vec3>> = table.lines().skip(1).map(row).collect();
    rows.ok_or_else(|| CaseError::Data {
        file: format!("{name}.csv"),
        problem: "a row is not 7 numbers".into(),
    })
}
