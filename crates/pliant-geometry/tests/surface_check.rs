//! Each fault put into a sound surface is found, alone and with its place.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;

use pliant_geometry::{
    Cylinder, Mesh, ShapeElement, Sphere, SurfaceCheck, Torus, surface_check, surface_mesh,
};

fn skin() -> Mesh {
    let ball = Sphere { radius: 1.0, cells: 2, element: ShapeElement::Tet }.mesh().unwrap();
    surface_mesh(&ball).unwrap().mesh
}

fn checked(positions: &[[f64; 3]], triangles: Vec<[u32; 3]>) -> SurfaceCheck {
    surface_check(&Mesh::new(positions.to_vec(), vec![], vec![], triangles, BTreeMap::new()).unwrap())
}

/// Middle of a triangle, m.
fn middle(mesh: &Mesh, t: usize) -> [f64; 3] {
    let [a, b, c] = mesh.triangles()[t].map(|n| mesh.positions()[n as usize]);
    std::array::from_fn(|k| (a[k] + b[k] + c[k]) * (1.0 / 3.0))
}

#[test]
fn surfaces_of_solids_are_sound() {
    for solid in [
        Torus { radius: 1.0, tube: 0.25, sections: 20, rim: 8 }.mesh().unwrap(),
        Sphere { radius: 1.0, cells: 3, element: ShapeElement::Hex }.mesh().unwrap(),
        Cylinder { radius: 1.0, height: 2.0, cells: [3, 4], element: ShapeElement::Tet }.mesh().unwrap(),
    ] {
        let found = surface_check(&surface_mesh(&solid).unwrap().mesh);
        assert!(found.is_sound(), "{found:?}");
        assert_eq!((found.shells, found.closed_shells, found.holes), (1, 1, 0));
    }
}

#[test]
fn a_missing_triangle_is_a_hole_of_three_edges() {
    let skin = skin();
    let mut triangles = skin.triangles().to_vec();
    triangles.remove(5);
    // and one far from it
    triangles.pop();
    let found = checked(skin.positions(), triangles);
    assert_eq!((found.free_edges.count, found.holes, found.closed_shells), (6, 2, 0));
    assert!(!found.is_sound() && found.forked_edges.count == 0 && found.disagreeing_edges.count == 0);
}

#[test]
fn a_turned_triangle_disagrees_with_its_three_neighbours() {
    let skin = skin();
    let mut triangles = skin.triangles().to_vec();
    triangles[7].swap(0, 1);
    let found = checked(skin.positions(), triangles);
    assert_eq!((found.disagreeing_edges.count, found.inside_out_shells.count), (3, 0));
    assert_eq!((found.free_edges.count, found.closed_shells), (0, 1));
    let place = found.disagreeing_edges.first.unwrap();
    let away = (0..3).map(|k| (place.position[k] - middle(&skin, 7)[k]).abs()).fold(0.0, f64::max);
    assert!(away < 0.5, "{place:?}");
}

#[test]
fn a_surface_inside_out_is_found_as_a_whole() {
    let skin = skin();
    let found = checked(skin.positions(), skin.triangles().iter().map(|&[a, b, c]| [a, c, b]).collect());
    assert_eq!((found.inside_out_shells.count, found.disagreeing_edges.count), (1, 0));
    assert_eq!(found.inside_out_shells.first.unwrap().element, 0);
}

/// Balls' surfaces at these x, of these radii; a negative one faces inward.
fn balls(list: &[(f64, f64)]) -> SurfaceCheck {
    let (skin, mut positions, mut triangles) = (skin(), Vec::new(), Vec::new());
    for &(at, radius) in list {
        let offset = positions.len() as u32;
        positions.extend(
            skin.positions()
                .iter()
                .map(|p| [at + radius.abs() * p[0], radius.abs() * p[1], radius.abs() * p[2]]),
        );
        let side = |[a, b, c]: [u32; 3]| if radius < 0.0 { [a, c, b] } else { [a, b, c] };
        triangles.extend(skin.triangles().iter().map(|&t| side(t.map(|n| n + offset))));
    }
    checked(&positions, triangles)
}

#[test]
fn a_cavity_faces_inward_and_what_lies_in_it_outward() {
    let right: [&[(f64, f64)]; 4] = [
        &[(0.0, 1.0), (0.0, -0.5)],
        &[(0.0, 0.2), (0.0, -0.5), (0.0, 1.0)],
        &[(0.0, 1.0), (3.0, 1.0)],
        // two cavities, in one of them a hollow ball
        &[(0.0, 4.0), (2.0, -1.0), (-2.0, -1.0), (2.0, 0.5), (2.0, -0.2)],
    ];
    for list in right {
        let found = balls(list);
        assert!(found.is_sound() && found.closed_shells == list.len(), "{list:?}: {found:?}");
        // each turned alone is found alone
        for wrong in 0..list.len() {
            let mut list = list.to_vec();
            list[wrong].1 *= -1.0;
            let found = balls(&list);
            assert_eq!(found.inside_out_shells.count, 1, "{list:?}");
            let place = found.inside_out_shells.first.unwrap();
            assert_eq!(place.element as usize, wrong * skin().triangles().len(), "{list:?}");
            assert!(!found.is_sound() && found.disagreeing_edges.count == 0);
        }
    }
}

#[test]
fn a_repeated_triangle_forks_three_edges() {
    let skin = skin();
    let mut triangles = skin.triangles().to_vec();
    let [a, b, c] = triangles[3];
    triangles.push([c, b, a]);
    let found = checked(skin.positions(), triangles);
    assert_eq!((found.repeated_triangles.count, found.forked_edges.count), (1, 3));
    let first = found.repeated_triangles.first.unwrap();
    assert_eq!(first.element as usize, skin.triangles().len());
    // the triangle that forks comes first at its edges
    assert_eq!(found.forked_edges.first.unwrap().element, 3);
}

#[test]
fn a_flat_triangle_is_found_at_any_size() {
    for size in [1e-6, 1.0, 1e6] {
        let points = [[0.0; 3], [size, 0.0, 0.0], [0.3 * size, 1e-10 * size, 0.0], [0.0, size, 0.0]];
        let found = checked(&points, vec![[0, 1, 3], [0, 1, 2]]);
        assert_eq!((found.flat_triangles.count, found.flat_triangles.first.unwrap().element), (1, 1));
    }
}

#[test]
fn degenerate_surfaces_do_not_panic() {
    let nothing = surface_check(&Mesh::default());
    assert!(!nothing.is_sound() && nothing == SurfaceCheck::default());
    let found = checked(&[[1.0; 3]; 5], vec![[0, 1, 2], [2, 1, 3]]);
    assert_eq!((found.flat_triangles.count, found.free_edges.count, found.shells), (2, 4, 1));
}
