//! Joined nodes: no farther than the tolerance, the lowest stays, groups follow, nothing grows with the square.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;

use pliant_geometry::{
    BoxElement, Group, MergeError, Mesh, ShapeElement, Sphere, box_mesh, coincident_nodes, connected_parts,
    merged, surface_check, surface_mesh,
};

fn cloud(positions: Vec<[f64; 3]>) -> Mesh {
    Mesh::new(positions, vec![], vec![], vec![], BTreeMap::new()).unwrap()
}

fn distance(a: [f64; 3], b: [f64; 3]) -> f64 {
    (0..3).map(|k| (a[k] - b[k]).powi(2)).sum::<f64>().sqrt()
}

/// Points in the unit cube from a fixed linear congruence (Knuth's multiplier).
fn points(count: usize) -> Vec<[f64; 3]> {
    let mut seed = 1_u64;
    let mut next = move || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 11) as f64 / (1_u64 << 53) as f64
    };
    (0..count).map(|_| std::array::from_fn(|_| next())).collect()
}

/// Two boxes on top of each other, each with its own nodes on the face between them.
fn stack() -> Mesh {
    let below = box_mesh([1.0; 3], [2, 2, 2], BoxElement::Hex).unwrap();
    let above = below.clone().transformed(|[x, y, z]| [x, y, z + 1.0 + 1e-9]).unwrap();
    let shift = |hex: &[u32; 8]| hex.map(|n| n + 27);
    let hexes: Vec<[u32; 8]> = below.hexes().iter().copied().chain(above.hexes().iter().map(shift)).collect();
    let upper = Group { hexes: (8..16).collect(), nodes: vec![27, 18, 53], ..Group::default() };
    let groups = BTreeMap::from([("upper".to_owned(), upper), ("empty".to_owned(), Group::default())]);
    let positions = [below.positions(), above.positions()].concat();
    Mesh::new(positions, vec![], hexes, vec![], groups).unwrap()
}

#[test]
fn two_boxes_that_only_touch_become_one() {
    let stack = stack();
    assert_eq!(connected_parts(&stack).count, 2);
    let pairs = coincident_nodes(&stack, 1e-8).unwrap();
    // the 9 top nodes of the lower box are its last
    assert_eq!(pairs, (0..9).map(|i| [18 + i, 27 + i]).collect::<Vec<_>>());
    let (one, report) = merged(stack.clone(), 1e-8).unwrap();
    assert_eq!((connected_parts(&one).count, one.node_count(), one.hexes().len()), (1, 45, 16));
    assert_eq!((report.nodes.count, report.nodes.first.unwrap().element), (9, 27));
    assert_eq!((report.collapsed_cells.count, report.repeated_cells.count), (0, 0));
    // node 27 is node 18 now, named once; 53 has moved up by the nine
    assert_eq!(one.groups()["upper"].nodes, [18, 44]);
    assert_eq!(one.groups()["upper"].hexes, (8..16).collect::<Vec<u32>>());
    assert_eq!(one.groups()["empty"], Group::default());
    for (old, &new) in report.new_node.iter().enumerate() {
        assert!(distance(stack.positions()[old], one.positions()[new as usize]) <= 1e-8);
    }
    // too small a tolerance does nothing
    assert_eq!(merged(stack.clone(), 1e-10).unwrap().0, stack);
}

#[test]
fn a_soup_of_triangles_becomes_the_surface_it_was_made_of() {
    let ball = Sphere { radius: 1.0, cells: 4, element: ShapeElement::Tet }.mesh().unwrap();
    let skin = surface_mesh(&ball).unwrap().mesh;
    let corners = skin.triangles().iter().flatten().map(|&n| skin.positions()[n as usize]).collect();
    let own = (0..skin.triangles().len() as u32).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
    let soup = Mesh::new(corners, vec![], vec![], own, BTreeMap::new()).unwrap();
    assert!(!surface_check(&soup).is_sound());
    let (joined, report) = merged(soup, 0.0).unwrap();
    assert_eq!((joined.node_count(), joined.triangles().len()), (skin.node_count(), skin.triangles().len()));
    assert!(surface_check(&joined).is_sound());
    assert_eq!(report.nodes.count, 3 * skin.triangles().len() - skin.node_count());
}

#[test]
fn joining_follows_the_written_rule_for_every_cluster() {
    for (count, tolerance) in [(2000, 1e-3), (2000, 0.05), (1000, 0.5), (500, 3.0), (500, 0.0)] {
        let mut positions = points(count);
        // some at the same place
        for i in 0..count / 4 {
            positions[4 * i + 3] = positions[i];
        }
        // the rule by comparing each with all that stay
        let mut stay: Vec<usize> = Vec::new();
        let mut expected = Vec::new();
        for n in 0..count {
            match stay.iter().find(|&&m| distance(positions[m], positions[n]) <= tolerance) {
                Some(&m) => expected.push([m as u32, n as u32]),
                None => stay.push(n),
            }
        }
        let mesh = cloud(positions);
        assert_eq!(coincident_nodes(&mesh, tolerance).unwrap(), expected, "{count} {tolerance}");
        assert!(!expected.is_empty());
        // merging again changes nothing
        let (once, _) = merged(mesh, tolerance).unwrap();
        assert_eq!(once.node_count(), stay.len());
        assert_eq!(merged(once.clone(), tolerance).unwrap().0, once);
    }
}

#[test]
fn a_chain_of_close_nodes_does_not_shrink_to_a_point() {
    let chain = cloud((0..100).map(|i| [0.9 * f64::from(i), 0.0, 0.0]).collect());
    let (joined, report) = merged(chain, 1.0).unwrap();
    // each second one goes
    assert_eq!((joined.node_count(), report.nodes.count), (50, 50));
}

#[test]
fn elements_that_collapse_or_repeat_are_removed_and_counted() {
    let positions = vec![
        [0.0; 3],
        [1.0, 0.0, 0.0],
        [0.0, 1.0, 0.0],
        [0.0, 0.0, 1.0],
        [0.0, 0.0, 1.0 + 1e-7],
        [1e-7, 0.0, 0.0],
    ];
    let tets = vec![[0, 1, 2, 3], [5, 2, 1, 4], [0, 5, 1, 2], [2, 1, 3, 0]];
    let triangles = vec![[0, 1, 2], [1, 2, 5], [0, 2, 1], [0, 5, 3]];
    let all = Group { tets: vec![1, 2, 3], triangles: vec![1, 2, 3], ..Group::default() };
    let groups = BTreeMap::from([("all".to_owned(), all)]);
    let mesh = Mesh::new(positions, tets, vec![], triangles, groups).unwrap();
    let (mesh, report) = merged(mesh, 1e-6).unwrap();
    assert_eq!((mesh.tets(), mesh.node_count()), (&[[0, 1, 2, 3]][..], 4));
    // the reverse side of a triangle is another triangle
    assert_eq!(mesh.triangles(), [[0, 1, 2], [0, 2, 1]]);
    assert_eq!((report.collapsed_cells.count, report.repeated_cells.count), (1, 2));
    assert_eq!((report.collapsed_triangles.count, report.repeated_triangles.count), (1, 1));
    assert_eq!(report.repeated_cells.first.unwrap().element, 1);
    assert_eq!(report.collapsed_triangles.first.unwrap().element, 3);
    // members name what stands for them now
    let group = &mesh.groups()["all"];
    assert_eq!((&group.tets[..], &group.triangles[..]), (&[0][..], &[0, 1][..]));
}

#[test]
fn a_hundred_thousand_nodes_at_one_place_are_no_trouble() {
    let count = 100_000_u32;
    let tets = (0..count / 4).map(|t| [4 * t, 4 * t + 1, 4 * t + 2, 4 * t + 3]).collect();
    let mesh = Mesh::new(vec![[0.1; 3]; count as usize], tets, vec![], vec![], BTreeMap::new()).unwrap();
    for tolerance in [0.0, 1e-6, 1.0] {
        let (point, report) = merged(mesh.clone(), tolerance).unwrap();
        assert_eq!((point.node_count(), point.cell_count()), (1, 0));
        assert_eq!(report.collapsed_cells.count, count as usize / 4);
    }
    // a cluster of many that stay, just apart
    let line = cloud((0..count).map(|i| [1.001 * f64::from(i), 0.0, 0.0]).collect());
    assert!(coincident_nodes(&line, 1.0).unwrap().is_empty());
}

#[test]
fn far_coordinates_and_signed_zeros_compare_by_value() {
    // at 1e20 neighbouring numbers are 16384 apart, far more than the tolerance
    let next = f64::from_bits(1e20_f64.to_bits() + 1);
    let far = cloud(vec![[1e20, 0.0, 0.0], [next, 0.0, 0.0], [1e20, -0.0, 0.0], [f64::MAX, 0.0, 0.0]]);
    for tolerance in [0.0, 1e-9, 1e-300] {
        assert_eq!(coincident_nodes(&far, tolerance).unwrap(), [[0, 2]], "{tolerance}");
    }
    assert_eq!(coincident_nodes(&far, 1e300).unwrap(), [[0, 1], [0, 2]]);
}

#[test]
fn a_tolerance_must_be_a_distance() {
    for tolerance in [f64::NAN, -1e-9, f64::INFINITY] {
        let error = merged(Mesh::default(), tolerance).unwrap_err();
        assert!(matches!(error, MergeError::Tolerance(_)));
        assert!(error.to_string().contains("must be 0 or more and finite"), "{error}");
        assert!(coincident_nodes(&Mesh::default(), tolerance).is_err());
    }
    assert_eq!(merged(Mesh::default(), 1.0).unwrap().0, Mesh::default());
}
