//! Meshes that the tests of writers share.

use std::collections::BTreeMap;

use pliant_geometry::{Group, Mesh};

/// Numbers that are hard to keep: no short decimal form, the smallest one, minus zero, a large one.
const POSITIONS: [[f64; 3]; 11] = [
    [0.0, -0.0, 5e-324],
    [1.0, 0.0, 0.0],
    [1.0, 1.0 / 3.0, 0.0],
    [0.0, 1.0, 1e-300],
    [0.0, 0.0, 1.0],
    [1.0, 0.0, 1.0],
    [1.0, 1.0, 1.0],
    [0.0, 1.0, 0.1 + 0.2],
    [0.5, -0.25, 2.0],
    [1.5, -0.25, 3.0],
    [1e15 / 7.0, 9.0, 9.0],
];

fn group(nodes: &[u32], tets: &[u32], hexes: &[u32], triangles: &[u32]) -> Group {
    Group { nodes: nodes.into(), tets: tets.into(), hexes: hexes.into(), triangles: triangles.into() }
}

/// A hexahedron, tetrahedra and triangles; groups overlap, and change from one element to the next and back. A
/// node belongs to no cell, a group to no element.
pub fn grouped_mesh() -> Mesh {
    let tets = vec![[4, 5, 6, 8], [5, 6, 8, 9], [4, 6, 7, 8]];
    let triangles = vec![[0, 2, 1], [5, 9, 6], [0, 3, 2]];
    let groups = BTreeMap::from([
        ("all of it".to_owned(), group(&[], &[0, 1, 2], &[0], &[])),
        ("every kind".to_owned(), group(&[1, 9, 10], &[2], &[0], &[1, 2])),
        ("nothing".to_owned(), Group::default()),
        ("outer".to_owned(), group(&[9], &[0, 2], &[], &[])),
        ("floor & <ceiling>".to_owned(), group(&[], &[], &[], &[0, 2])),
    ]);
    Mesh::new(POSITIONS.into(), tets, vec![[0, 1, 2, 3, 4, 5, 6, 7]], triangles, groups).unwrap()
}

/// Triangles alone, in two groups that overlap; a node of none.
#[allow(dead_code)]
pub fn grouped_surface() -> Mesh {
    let triangles = vec![[0, 2, 1], [5, 9, 6], [0, 3, 2], [7, 8, 10]];
    let groups = BTreeMap::from([
        ("left".to_owned(), group(&[], &[], &[], &[0, 2])),
        ("low".to_owned(), group(&[], &[], &[], &[0, 1])),
    ]);
    Mesh::new(POSITIONS.into(), vec![], vec![], triangles, groups).unwrap()
}
