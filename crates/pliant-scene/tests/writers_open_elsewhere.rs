//! What Pliant writes, read by meshio: the same bits, cells and groups.
#![allow(clippy::unwrap_used)]

use crate::sample;
use crate::support;

use std::path::Path;

use pliant_geometry::{BoxElement, Mesh, box_mesh};
use pliant_scene::mesh_file::{self, MshEncoding, NodeScalars, TriangleSurface, WriteOptions};
use sample::{grouped_mesh, grouped_surface};
use serde_json::{Value, json};
use support::python::run_script;

fn read_with_meshio(file: &Path) -> Value {
    serde_json::from_slice(&run_script("read_mesh.py", &[file])).unwrap()
}

fn written_and_read(mesh: &Mesh, file: &str, options: WriteOptions) -> Value {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(file);
    mesh_file::write(&path, mesh, &options).unwrap();
    read_with_meshio(&path)
}

fn bits(positions: &[[f64; 3]]) -> Value {
    json!(positions.iter().map(|p| p.map(f64::to_bits)).collect::<Vec<_>>())
}

#[test]
fn meshio_reads_gmsh_files_of_both_encodings() {
    let mesh = grouped_mesh();
    for msh in [MshEncoding::Binary, MshEncoding::Text] {
        let read = written_and_read(&mesh, "a.msh", WriteOptions { msh });
        assert_eq!(read["point_bits"], bits(mesh.positions()), "{msh:?}");
        assert_eq!(read["cells"]["tetra"], json!(mesh.tets()), "{msh:?}");
        assert_eq!(read["cells"]["hexahedron"], json!(mesh.hexes()));
        assert_eq!(read["cells"]["triangle"], json!(mesh.triangles()));
        // (tag, dimension) by name: meshio knows one dimension for each
        assert_eq!(read["names"]["all of it"], json!([1, 3]));
        assert_eq!(read["names"]["floor & <ceiling>"], json!([3, 2]));
        assert_eq!(read["sets"]["all of it"], json!({ "tetra": [0, 1, 2], "hexahedron": [0] }));
        assert_eq!(read["sets"]["outer"], json!({ "tetra": [0, 2] }));
        assert_eq!(read["sets"]["floor & <ceiling>"], json!({ "triangle": [0, 2] }));
        // the nodes that groups name: those of "every kind" alone, then the one of "outer" too
        assert_eq!(read["cells"]["vertex"], json!([[1], [10], [9]]));
    }
}

#[test]
fn meshio_reads_vtu_files_with_their_groups() {
    let mesh = grouped_mesh();
    let read = written_and_read(&mesh, "a.vtu", WriteOptions::default());
    assert_eq!(read["point_bits"], bits(mesh.positions()));
    assert_eq!(read["cells"]["tetra"], json!(mesh.tets()));
    assert_eq!(read["cells"]["hexahedron"], json!(mesh.hexes()));
    assert_eq!(read["cells"]["triangle"], json!(mesh.triangles()));
    // three tetrahedra, a hexahedron, three triangles
    assert_eq!(read["cell_data"]["group every kind"], json!([0, 0, 1, 1, 0, 1, 1]));
    assert_eq!(read["cell_data"]["group floor & <ceiling>"], json!([0, 0, 0, 0, 1, 0, 1]));
    assert_eq!(read["cell_data"]["group nothing"], json!([0, 0, 0, 0, 0, 0, 0]));
    assert_eq!(read["point_data"]["group every kind"], json!([0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 1]));
    assert_eq!(read["point_data"]["group all of it"], Value::Null);
}

#[test]
fn meshio_reads_surfaces() {
    let mesh = grouped_surface();
    for file in ["a.obj", "a.ply"] {
        let read = written_and_read(&mesh, file, WriteOptions::default());
        assert_eq!(read["point_bits"], bits(mesh.positions()), "{file}");
        assert_eq!(read["cells"]["triangle"], json!(mesh.triangles()), "{file}");
    }
    // a corner for each triangle, in floats
    let read = written_and_read(&mesh, "a.stl", WriteOptions::default());
    let corner = |vertex: &Value| read["point_bits"][vertex.as_u64().unwrap() as usize].clone();
    for (nodes, vertices) in mesh.triangles().iter().zip(read["cells"]["triangle"].as_array().unwrap()) {
        for (node, vertex) in nodes.iter().zip(vertices.as_array().unwrap()) {
            let float = mesh.positions()[*node as usize].map(|x| x as f32);
            // the bits of numpy's array: floats, or the doubles they became
            let expected = match read["point_type"].as_str().unwrap() {
                "float32" => json!(float.map(f32::to_bits)),
                _ => json!(float.map(|x| f64::from(x).to_bits())),
            };
            assert_eq!(corner(vertex), expected);
        }
    }
}

#[test]
fn meshio_reads_numbers_at_the_vertices_of_a_ply() {
    let mesh = grouped_mesh();
    let surface = TriangleSurface::of(&mesh).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.ply");
    let stress: Vec<f64> = (0..mesh.node_count()).map(|i| 1e5 / (1.0 + i as f64)).collect();
    let scalars = [NodeScalars { name: "von_mises", values: &stress }];
    mesh_file::write_ply(&path, &surface, mesh.positions(), &scalars).unwrap();
    let read = read_with_meshio(&path);
    assert_eq!(read["point_bits"], bits(surface.rest()));
    assert_eq!(read["cells"]["triangle"], json!(surface.triangles()));
    let expected: Vec<f64> = surface.nodes().iter().map(|&n| f64::from(stress[n as usize] as f32)).collect();
    assert_eq!(read["point_data"]["von_mises"], json!(expected));
}

#[test]
fn meshio_reads_vtu_files_of_every_size() {
    // meshio mixes up arrays of some sizes, five hexahedra in a row among them, unless they are stored last first
    for cells in 1..12 {
        let mesh = box_mesh([1.0; 3], [cells, 1, 1], BoxElement::Hex).unwrap();
        let read = written_and_read(&mesh, "a.vtu", WriteOptions::default());
        assert_eq!(read["cells"]["hexahedron"], json!(mesh.hexes()), "{cells} cells");
        assert_eq!(read["point_bits"], bits(mesh.positions()), "{cells} cells");
    }
}
