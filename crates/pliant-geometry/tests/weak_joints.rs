//! Parts that share a node or an edge hang together by it; parts that share a face are one.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;

use pliant_geometry::{BoxElement, Mesh, box_mesh, merged, weak_joints};

/// A unit cube and another at `offset`, their coincident nodes joined.
fn pair(offset: [f64; 3], element: BoxElement) -> Mesh {
    let cube = box_mesh([1.0; 3], [2, 2, 2], element).unwrap();
    let other = cube.clone().transformed(|p| std::array::from_fn(|k| p[k] + offset[k])).unwrap();
    let tets = cube.tets().iter().copied().chain(other.tets().iter().map(|t| t.map(|n| n + 27))).collect();
    let hexes = cube.hexes().iter().copied().chain(other.hexes().iter().map(|h| h.map(|n| n + 27))).collect();
    let positions = [cube.positions(), other.positions()].concat();
    merged(Mesh::new(positions, tets, hexes, vec![], BTreeMap::new()).unwrap(), 1e-9).unwrap().0
}

#[test]
fn joints_of_two_cubes_are_counted() {
    for element in [BoxElement::Tet6, BoxElement::Hex] {
        for (offset, parts, face_parts, nodes) in [
            ([1.0, 0.0, 0.0], 1, 1, 0), // a face
            ([1.0, 1.0, 0.0], 1, 2, 3), // an edge of two cells
            ([1.0, 1.0, 1.0], 1, 2, 1), // a corner
            ([3.0, 0.0, 0.0], 2, 2, 0), // nothing
        ] {
            let found = weak_joints(&pair(offset, element));
            assert_eq!((found.parts, found.face_parts, found.nodes.count), (parts, face_parts, nodes));
        }
    }
    let corner = weak_joints(&pair([1.0; 3], BoxElement::Hex)).nodes.first.unwrap();
    assert_eq!((corner.element, corner.position), (26, [1.0; 3]));
}

#[test]
fn tets_on_the_face_of_a_hexahedron_are_joined_firmly() {
    // a pyramid of two tets on the top of a cube: its base is two triangles on one quadrilateral
    let cube = box_mesh([1.0; 3], [1; 3], BoxElement::Hex).unwrap();
    let mut positions = cube.positions().to_vec();
    positions.push([0.5, 0.5, 1.5]);
    let tets = vec![[4, 5, 7, 8], [4, 7, 6, 8]];
    let mesh = Mesh::new(positions, tets, cube.hexes().to_vec(), vec![], BTreeMap::new()).unwrap();
    let found = weak_joints(&mesh);
    assert_eq!((found.parts, found.face_parts, found.nodes.count), (1, 1, 0));
}

#[test]
fn a_mesh_without_cells_has_no_joints() {
    for positions in [vec![], vec![[0.0; 3]; 4]] {
        let found = weak_joints(&Mesh::new(positions, vec![], vec![], vec![], BTreeMap::new()).unwrap());
        assert_eq!((found.parts, found.face_parts, found.nodes.count), (0, 0, 0));
    }
}
