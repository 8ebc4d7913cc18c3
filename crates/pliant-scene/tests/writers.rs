//! What is written reads back: the same bits, elements in the same order, the same groups.
#![allow(clippy::unwrap_used)]

use crate::sample;

use std::collections::BTreeMap;
use std::fs;

use pliant_geometry::{BoxElement, Mesh, box_mesh};
use pliant_scene::mesh_file::{self, MeshWriteError, MshEncoding, TriangleSurface, WriteOptions};
use sample::{grouped_mesh, grouped_surface};

/// Writes a mesh and reads it back.
fn round_trip(mesh: &Mesh, file: &str, options: WriteOptions) -> Mesh {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(file);
    mesh_file::write(&path, mesh, &options).unwrap_or_else(|error| panic!("{error}"));
    assert!(!folder.path().join(format!("{file}.tmp")).exists());
    mesh_file::read(&path).unwrap_or_else(|error| panic!("{error}")).mesh
}

/// The same to the bit: `==` would take -0 for 0.
fn assert_same(read: &Mesh, written: &Mesh, what: &str) {
    let bits = |mesh: &Mesh| mesh.positions().iter().map(|p| p.map(f64::to_bits)).collect::<Vec<_>>();
    assert_eq!(bits(read), bits(written), "{what}");
    assert_eq!(read, written, "{what}");
}

#[test]
fn gmsh_files_keep_every_bit_element_and_group() {
    for msh in [MshEncoding::Binary, MshEncoding::Text] {
        let empty = Mesh::default();
        let nodes = Mesh::new(vec![[1.0; 3]], vec![], vec![], vec![], BTreeMap::new()).unwrap();
        let block = box_mesh([1.0, 0.3, 0.3], [10, 3, 3], BoxElement::Tet5).unwrap();
        for mesh in [grouped_mesh(), grouped_surface(), empty, nodes, block] {
            assert_same(&round_trip(&mesh, "a.msh", WriteOptions { msh }), &mesh, &format!("{msh:?}"));
        }
    }
}

#[test]
fn vtu_files_keep_every_bit_element_and_group() {
    let block = box_mesh([1.0, 0.3, 0.3], [10, 3, 3], BoxElement::Hex).unwrap();
    for mesh in [grouped_mesh(), grouped_surface(), Mesh::default(), block] {
        assert_same(&round_trip(&mesh, "a.vtu", WriteOptions::default()), &mesh, "vtu");
    }
}

#[test]
fn elements_of_a_set_of_groups_share_an_entity_of_gmsh() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.msh");
    mesh_file::write(&path, &grouped_mesh(), &WriteOptions { msh: MshEncoding::Text }).unwrap();
    let text = fs::read_to_string(&path).unwrap();
    let counts = text.lines().skip_while(|line| *line != "$Entities").nth(1).unwrap();
    // points {every kind}, {every kind, outer}; triangles {floor}, {every kind}, {every kind, floor}; cells {all, outer},
    // {all}, {all, every kind, outer} and the hexahedron {all, every kind}
    assert_eq!(counts.trim(), "2 0 3 4");
}

#[test]
fn surfaces_keep_every_bit_in_obj_and_ply() {
    let surface = grouped_surface();
    assert_same(&round_trip(&surface, "a.obj", WriteOptions::default()), &surface, "obj");
    // PLY has no groups
    let bare = Mesh::new(
        surface.positions().to_vec(),
        vec![],
        vec![],
        surface.triangles().to_vec(),
        BTreeMap::new(),
    );
    assert_same(&round_trip(&surface, "a.ply", WriteOptions::default()), &bare.unwrap(), "ply");
}

#[test]
fn stl_keeps_floats_and_points_its_normals_outward() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.stl");
    let mesh = box_mesh([1.0, 0.3, 0.7], [2, 1, 1], BoxElement::Hex).unwrap();
    mesh_file::write(&path, &mesh, &WriteOptions::default()).unwrap();
    let read = mesh_file::read(&path).unwrap().mesh;
    let corners = |mesh: &Mesh, triangles: &[[u32; 3]]| -> Vec<[[f32; 3]; 3]> {
        triangles.iter().map(|t| t.map(|n| mesh.positions()[n as usize].map(|x| x as f32))).collect()
    };
    let surface = TriangleSurface::of(&mesh).unwrap();
    let of_mesh: Vec<_> =
        surface.triangles().iter().map(|t| t.map(|v| surface.nodes()[v as usize])).collect();
    assert_eq!(corners(&read, read.triangles()), corners(&mesh, &of_mesh));
    // 10 faces of 2 cells, 12 nodes
    assert_eq!((read.triangles().len(), read.node_count()), (20, 12));
    let bytes = fs::read(&path).unwrap();
    for (triangle, corners) in bytes[84..].chunks_exact(50).zip(corners(&read, read.triangles())) {
        let number = |i: usize| f32::from_le_bytes(triangle[4 * i..4 * i + 4].try_into().unwrap());
        // out of a box that begins at the origin: away from its middle along one axis
        let axis = (0..3).find(|&k| corners.iter().all(|c| c[k] == corners[0][k])).unwrap();
        let side = if corners[0][axis] == 0.0 { -1.0 } else { 1.0 };
        let normal: [f32; 3] = std::array::from_fn(|k| if k == axis { side } else { 0.0 });
        assert_eq!(std::array::from_fn(number), normal);
    }
}

#[test]
fn the_surface_of_cells_is_cut_from_the_lowest_node_and_closed() {
    let mesh = box_mesh([1.0, 1.0, 1.0], [2, 2, 2], BoxElement::Hex).unwrap();
    let surface = TriangleSurface::of(&mesh).unwrap();
    // 6 faces of 4 squares; 27 nodes less the one inside
    assert_eq!((surface.triangles().len(), surface.nodes().len()), (48, 26));
    let mut edges: BTreeMap<(u32, u32), i32> = BTreeMap::new();
    for pair in surface.triangles().chunks(2) {
        let lowest = pair.as_flattened().iter().min().unwrap();
        assert!(pair.iter().all(|t| t[0] == *lowest));
        for [a, b, c] in pair.iter().copied() {
            for (from, to) in [(a, b), (b, c), (c, a)] {
                *edges.entry((from.min(to), from.max(to))).or_default() += if from < to { 1 } else { -1 };
            }
        }
    }
    // every edge is passed once each way
    assert!(edges.values().all(|&sum| sum == 0) && edges.len() == 72);
    // V = sum of x . (a x b) / 6 over the triangles, positive if they point outward
    let volume: f64 = surface
        .triangles()
        .iter()
        .map(|t| {
            let [a, b, c] = t.map(|v| surface.rest()[v as usize]);
            (a[0] * (b[1] * c[2] - b[2] * c[1])
                + a[1] * (b[2] * c[0] - b[0] * c[2])
                + a[2] * (b[0] * c[1] - b[1] * c[0]))
                / 6.0
        })
        .sum();
    assert!((volume - 1.0).abs() < 1e-14, "{volume}");
}

#[test]
fn what_cannot_be_written_is_said_with_the_way_out() {
    let folder = tempfile::tempdir().unwrap();
    let complaint = |file: &str, mesh: &Mesh| {
        let path = folder.path().join(file);
        let error = mesh_file::write(&path, mesh, &WriteOptions::default()).unwrap_err();
        assert!(!path.exists());
        error
    };
    let mesh = grouped_mesh();
    let unknown = complaint("a.xyz", &mesh);
    assert!(
        matches!(unknown, MeshWriteError::UnknownFormat { .. }) && unknown.to_string().contains("(.msh)")
    );
    let nothing = complaint("a.stl", &Mesh::default());
    assert!(nothing.to_string().contains("write .vtu or .msh"), "{nothing}");
    let missing = complaint("no/such/folder/a.msh", &mesh);
    assert!(matches!(missing, MeshWriteError::Write { .. }), "{missing}");
    let twice = Mesh::new(mesh.positions().to_vec(), vec![[4, 5, 6, 8]; 2], vec![], vec![], BTreeMap::new());
    let overlap = complaint("a.obj", &twice.unwrap());
    assert!(overlap.to_string().contains("remove the doubled"), "{overlap}");
    assert!(
        mesh_file::writes_surface_only("a.STL".as_ref()) && !mesh_file::writes_surface_only("a.msh".as_ref())
    );
}
