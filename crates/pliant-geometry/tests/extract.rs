//! What is taken out of a mesh is the same to the bit, with the groups that are left of it.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;

use pliant_geometry::{
    BoxElement, Extract, Group, Mesh, Surface, box_mesh, group_mesh, part, surface_check, surface_mesh,
    without_orphans,
};

/// A small box of tets, an unused node, a large box of hexes, two triangles on the large and one on the small box.
fn two_boxes() -> Mesh {
    let small = box_mesh([1.0; 3], [1, 1, 1], BoxElement::Tet6).unwrap();
    let large = box_mesh([1.0, 1.0, 2.0], [2, 2, 2], BoxElement::Hex).unwrap();
    let large = large.transformed(|[x, y, z]| [x + 5.0, y, z]).unwrap();
    let positions = [small.positions(), &[[9.0; 3]], large.positions()].concat();
    let hexes = large.hexes().iter().map(|hex| hex.map(|n| n + 9)).collect();
    // the lowest faces: nodes 0 1 3 2 of the first, 9 10 13 12 of the other cut along 10-12
    let triangles = vec![[9, 12, 10], [0, 3, 1], [10, 12, 13]];
    let groups = BTreeMap::from([
        ("feet".to_owned(), Group { triangles: vec![0, 1, 2], nodes: vec![8, 9], ..Group::default() }),
        ("last".to_owned(), Group { hexes: vec![7], tets: vec![5], ..Group::default() }),
        ("empty".to_owned(), Group::default()),
    ]);
    Mesh::new(positions, small.tets().to_vec(), hexes, triangles, groups).unwrap()
}

/// Positions are those of the nodes they come from, and these are in rising order.
fn assert_origin(whole: &Mesh, taken: &Extract) {
    assert_eq!(taken.node_origin.len(), taken.mesh.node_count());
    assert!(taken.node_origin.windows(2).all(|pair| pair[0] < pair[1]));
    for (new, &old) in taken.node_origin.iter().enumerate() {
        assert_eq!(taken.mesh.positions()[new], whole.positions()[old as usize]);
    }
    assert_eq!(taken.mesh.groups().keys().collect::<Vec<_>>(), whole.groups().keys().collect::<Vec<_>>());
}

#[test]
fn a_connected_part_comes_with_its_triangles_and_groups() {
    let whole = two_boxes();
    let large = part(&whole, 0).unwrap();
    assert_origin(&whole, &large);
    assert_eq!((large.mesh.hexes().len(), large.mesh.tets().len(), large.mesh.node_count()), (8, 0, 27));
    assert_eq!(large.mesh.triangles(), [[0, 3, 1], [1, 3, 4]]);
    assert_eq!(
        large.mesh.groups()["feet"],
        Group { triangles: vec![0, 1], nodes: vec![0], ..Group::default() }
    );
    assert_eq!(large.mesh.groups()["last"].hexes, [7]);
    let small = part(&whole, 1).unwrap();
    assert_origin(&whole, &small);
    assert_eq!((small.mesh.tets().len(), small.mesh.node_count()), (6, 8));
    assert_eq!(small.mesh.triangles(), [[0, 3, 1]]);
    assert_eq!(small.mesh.groups()["last"].tets, [5]);
    assert!((small.mesh.volume() + large.mesh.volume() - whole.volume()).abs() < 1e-15);
    let error = part(&whole, 2).unwrap_err().to_string();
    assert!(error.contains("no part 2: the mesh has 2 connected parts"), "{error}");
}

#[test]
fn parts_of_a_mesh_without_cells_are_parts_of_its_triangles() {
    let skin = surface_mesh(&two_boxes()).unwrap().mesh;
    let (large, small) = (part(&skin, 0).unwrap(), part(&skin, 1).unwrap());
    // 24 quadrilaterals cut in two, and 12 triangles
    assert_eq!((large.mesh.triangles().len(), small.mesh.triangles().len()), (48, 12));
    assert_eq!(small.mesh.node_count(), 8);
    assert!(surface_check(&small.mesh).is_sound() && part(&skin, 2).is_err());
}

#[test]
fn a_group_becomes_a_mesh() {
    let whole = two_boxes();
    let last = group_mesh(&whole, "last").unwrap();
    assert_origin(&whole, &last);
    assert_eq!((last.mesh.tets().len(), last.mesh.hexes().len(), last.mesh.node_count()), (1, 1, 12));
    assert_eq!(last.mesh.groups()["last"], Group { tets: vec![0], hexes: vec![0], ..Group::default() });
    assert_eq!(last.mesh.groups()["feet"], Group::default());
    let feet = group_mesh(&whole, "feet").unwrap();
    // nodes named directly come too: 8 is in no element
    assert_eq!((feet.mesh.triangles().len(), feet.node_origin), (3, vec![0, 1, 3, 8, 9, 10, 12, 13]));
    assert_eq!(group_mesh(&whole, "empty").unwrap().mesh.node_count(), 0);
    let error = group_mesh(&whole, "foot").unwrap_err().to_string();
    assert_eq!(error, "there is no group \"foot\"; the mesh has \"empty\", \"feet\", \"last\"");
    assert!(group_mesh(&Mesh::default(), "a").unwrap_err().to_string().ends_with("has no groups"));
}

#[test]
fn the_surface_is_closed_outward_and_keeps_its_groups() {
    let whole = two_boxes();
    let skin = surface_mesh(&whole).unwrap();
    assert_origin(&whole, &skin);
    // 8 corners of the small box, 26 of the 27 nodes of the large one
    assert_eq!((skin.mesh.node_count(), skin.mesh.triangles().len()), (34, 60));
    assert!(surface_check(&skin.mesh).is_sound());
    let group = &skin.mesh.groups()["feet"];
    let old = |t: u32| {
        let mut nodes = skin.mesh.triangles()[t as usize].map(|n| skin.node_origin[n as usize]);
        nodes.sort_unstable();
        nodes
    };
    // the mesh's own triangles say where the quadrilateral is cut
    assert_eq!(
        group.triangles.iter().map(|&t| old(t)).collect::<Vec<_>>(),
        [[9, 10, 12], [0, 1, 3], [10, 12, 13]]
    );
    assert_eq!(group.nodes, [8]);
    // the last hexahedron has three outer faces, the last tet of the box two
    assert_eq!(skin.mesh.groups()["last"].triangles.len(), 2 * 3 + 2);
    // a surface is its own surface
    assert_eq!(surface_mesh(&skin.mesh).unwrap().mesh, skin.mesh);
}

#[test]
fn quadrilaterals_are_cut_along_the_shorter_diagonal() {
    let cube = box_mesh([1.0; 3], [1; 3], BoxElement::Hex).unwrap();
    // sheared along x by y: the diagonal from (1, 0) to (0 + 1/2, 1) is the shorter one of top and bottom
    let sheared = cube.transformed(|[x, y, z]| [x + 0.5 * y, y, z]).unwrap();
    let skin = surface_mesh(&sheared).unwrap();
    let longest = skin
        .mesh
        .triangles()
        .iter()
        .filter(|t| t.iter().all(|&n| skin.mesh.positions()[n as usize][2] == 0.0))
        .flat_map(|&[a, b, c]| [(a, b), (b, c), (c, a)])
        .map(|(a, b)| {
            let [p, q] = [a, b].map(|n| skin.mesh.positions()[n as usize]);
            (p[0] - q[0]).hypot(p[1] - q[1])
        })
        .fold(0.0, f64::max);
    // sides 1 and sqrt(5)/2, the other diagonal is sqrt(3.25)
    assert!((longest - 1.25_f64.sqrt()).abs() < 1e-15, "{longest}");
}

#[test]
fn overlapping_cells_have_no_surface() {
    let cube = box_mesh([1.0; 3], [1; 3], BoxElement::Hex).unwrap();
    let twice = [cube.hexes(), cube.hexes()].concat();
    let mesh = Mesh::new(cube.positions().to_vec(), vec![], twice, vec![], BTreeMap::new()).unwrap();
    assert_eq!(surface_mesh(&mesh).unwrap_err(), Surface::of(&mesh).unwrap_err());
}

#[test]
fn unused_nodes_go_and_all_else_stays() {
    let whole = two_boxes();
    let clean = without_orphans(&whole);
    assert_origin(&whole, &clean);
    assert_eq!(clean.node_origin.len(), whole.node_count() - 1);
    assert!(!clean.node_origin.contains(&8));
    assert_eq!((clean.mesh.cell_count(), clean.mesh.triangles().len()), (14, 3));
    // node 8 was unused, 9 is 8 now
    assert_eq!(clean.mesh.groups()["feet"].nodes, [8]);
    assert_eq!(without_orphans(&clean.mesh).mesh, clean.mesh);
}

#[test]
fn nothing_can_be_taken_out_of_nothing() {
    let empty = Mesh::default();
    assert!(part(&empty, 0).is_err());
    assert_eq!(surface_mesh(&empty).unwrap().mesh, empty);
    assert_eq!(without_orphans(&empty).mesh, empty);
    let orphans = Mesh::new(vec![[0.0; 3]; 5], vec![], vec![], vec![], BTreeMap::new()).unwrap();
    assert_eq!(without_orphans(&orphans).mesh, empty);
}
