//! The box generators make the reference meshes: the same nodes in the same order, the same cells.
#![allow(clippy::unwrap_used)]

use std::path::Path;

use pliant_geometry::{
    BoxElement, Mesh, Surface, box_mesh, connected_parts, folded_hexes, orientation, orphan_nodes,
};
use pliant_scene::mesh_file;

fn reference(name: &str) -> Mesh {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/reference").join(name);
    mesh_file::read(&path).unwrap_or_else(|error| panic!("{error}")).mesh
}

fn assert_same(name: &str, size: [f64; 3], cells: [usize; 3], element: BoxElement) {
    let (made, file) = (box_mesh(size, cells, element).unwrap(), reference(name));
    assert_eq!(made.tets(), file.tets(), "{name}");
    assert_eq!(made.hexes(), file.hexes(), "{name}");
    assert_eq!(made.node_count(), file.node_count(), "{name}");
    for (n, (a, b)) in made.positions().iter().zip(file.positions()).enumerate() {
        for k in 0..3 {
            // the files carry 12 digits; where a coordinate has fewer the last bit may differ
            let exact = (b[k] * 1e4).fract().abs() < 1e-9;
            let tolerance = if exact { 2.0 * f64::EPSILON * size[k] } else { 1e-12 };
            assert!((a[k] - b[k]).abs() <= tolerance, "{name} node {n}: {a:?} {b:?}");
        }
    }
}

#[test]
fn five_tets_a_cell_make_the_bar_of_450() {
    assert_same("bar450.vtk", [0.3, 0.3, 1.0], [3, 3, 10], BoxElement::Tet5);
}

#[test]
fn kuhn_tets_and_hexes_make_the_reference_boxes() {
    let boxes = [
        ("MODE-FREE-1", [0.1, 0.1, 0.1], [6, 6, 6]),
        ("MODE-FREE-2", [0.1, 0.15, 0.2], [4, 6, 8]),
        ("MODE-CANT-1", [0.5, 0.05, 0.05], [20, 2, 2]),
        ("SVK-CANT-1", [0.5, 0.05, 0.05], [20, 2, 2]),
        ("SVK-COMP-1", [0.1, 0.1, 0.1], [5, 5, 5]),
        ("SVK-TWIST-1", [0.1, 0.1, 0.2], [4, 4, 8]),
        ("NH-COMP-2", [0.1, 0.1, 0.1], [5, 5, 5]),
    ];
    for (name, size, cells) in boxes {
        assert_same(&format!("{name}_tet4.vtk"), size, cells, BoxElement::Tet6);
        assert_same(&format!("{name}_hex8.vtk"), size, cells, BoxElement::Hex);
    }
    assert_same("DYN-CANT-1_hex8.vtk", [0.4, 0.1, 0.1], [8, 2, 2], BoxElement::Hex);
    assert_same("DYN-SPIN-1_hex8.vtk", [0.1, 0.2, 0.3], [2, 4, 6], BoxElement::Hex);
    assert_same("DYN-COLUMN-1_hex8.vtk", [1.0, 1.0, 6.0], [2, 2, 12], BoxElement::Hex);
}

#[test]
fn the_bar_is_the_same_in_all_three_formats() {
    let vtk = reference("bar450.vtk");
    for name in ["bar450_22.msh", "bar450_41.msh"] {
        let msh = reference(name);
        assert_eq!((msh.positions(), msh.tets()), (vtk.positions(), vtk.tets()), "{name}");
    }
}

#[test]
fn every_reference_mesh_is_sound() {
    // the spinning block of DYN-SPIN-1, the patch of distorted hexahedra, the sphere, and all others
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/reference");
    let mut seen = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        if !name.ends_with(".vtk") {
            continue;
        }
        let mesh = reference(&name);
        assert_eq!(orientation(&mesh), folded_hexes(&mesh), "{name}");
        assert!(orphan_nodes(&mesh).is_empty(), "{name}");
        assert_eq!(connected_parts(&mesh).count, 1, "{name}");
        assert!(Surface::of(&mesh).is_ok(), "{name}");
        seen += 1;
    }
    assert_eq!(seen, 20);
    // the patch fills the unit cube; one of its cells is folded at a corner (det J = -1.58e-3 by numpy, too)
    let patch = reference("PATCH-MH_hex8.vtk");
    assert!((patch.volume() - 1.0).abs() < 1e-14);
    assert_eq!(folded_hexes(&patch), [3]);
    // the sphere of radius 0.1 m was matched in volume
    let sphere = 4.0 / 3.0 * std::f64::consts::PI * 1e-3;
    assert!((reference("SPHERE_tet4.vtk").volume() / sphere - 1.0).abs() < 1e-6);
}
