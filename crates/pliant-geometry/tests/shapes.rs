//! What is true of every generated shape: sound cells, one closed surface, the right volume and the right skin.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::f64::consts::PI;

use pliant_geometry::generator::MOST_CELLS;
use pliant_geometry::{
    Cylinder, GeneratorError, Hemisphere, Mesh, ShapeElement, Sphere, Surface, Torus, Tube, connected_parts,
    orientation, orphan_nodes, quality,
};

const RADIUS: f64 = 0.7;
const HEIGHT: f64 = 1.3;
const SMALL: f64 = 0.3;

/// A family of meshes of one shape that gets finer with `n`.
struct Family {
    name: &'static str,
    make: fn(usize, ShapeElement) -> Mesh,
    elements: &'static [ShapeElement],
    /// Exact volume, m^3.
    volume: f64,
    /// Euler's number of its surface: 2 for a sphere, 0 for a torus.
    euler: i64,
    /// Distance of a point from the exact surface, m.
    away: fn([f64; 3]) -> f64,
    /// The least quality over all n, of hexahedra and of tetrahedra.
    least: [f64; 2],
}

const BOTH: &[ShapeElement] = &[ShapeElement::Hex, ShapeElement::Tet];

/// The least of the distances that make up a surface.
fn nearest(distances: &[f64]) -> f64 {
    distances.iter().map(|d| d.abs()).fold(f64::INFINITY, f64::min)
}

fn families() -> Vec<Family> {
    vec![
        Family {
            name: "torus",
            make: |n, _| Torus { radius: RADIUS, tube: SMALL, sections: 5 * n, rim: 3 * n }.mesh().unwrap(),
            elements: &[ShapeElement::Tet],
            volume: 2.0 * PI * PI * RADIUS * SMALL * SMALL,
            euler: 0,
            away: |[x, y, z]| (x.hypot(y) - RADIUS).hypot(z) - SMALL,
            least: [0.0, 0.25],
        },
        Family {
            name: "tube",
            make: |n, element| {
                Tube { inner: SMALL, outer: RADIUS, height: HEIGHT, cells: [4 * n, n, 2 * n], element }
                    .mesh()
                    .unwrap()
            },
            elements: BOTH,
            volume: PI * (RADIUS * RADIUS - SMALL * SMALL) * HEIGHT,
            euler: 0,
            away: |[x, y, z]| nearest(&[x.hypot(y) - RADIUS, x.hypot(y) - SMALL, z, z - HEIGHT]),
            least: [0.70, 0.46],
        },
        Family {
            name: "cylinder",
            make: |n, element| {
                Cylinder { radius: RADIUS, height: HEIGHT, cells: [n, 2 * n], element }.mesh().unwrap()
            },
            elements: BOTH,
            volume: PI * RADIUS * RADIUS * HEIGHT,
            euler: 2,
            away: |[x, y, z]| nearest(&[x.hypot(y) - RADIUS, z, z - HEIGHT]),
            least: [0.70, 0.35],
        },
        Family {
            name: "sphere",
            make: |n, element| Sphere { radius: RADIUS, cells: n, element }.mesh().unwrap(),
            elements: BOTH,
            volume: 4.0 / 3.0 * PI * RADIUS.powi(3),
            euler: 2,
            away: |[x, y, z]| x.hypot(y).hypot(z) - RADIUS,
            least: [0.57, 0.32],
        },
        Family {
            name: "hemisphere",
            make: |n, element| Hemisphere { radius: RADIUS, cells: n, element }.mesh().unwrap(),
            elements: BOTH,
            volume: 2.0 / 3.0 * PI * RADIUS.powi(3),
            euler: 2,
            away: |[x, y, z]| if z == 0.0 { 0.0 } else { x.hypot(y).hypot(z) - RADIUS },
            least: [0.57, 0.28],
        },
    ]
}

/// Every family, element and a few sizes.
fn for_each_mesh(mut visit: impl FnMut(&Family, ShapeElement, usize, &Mesh)) {
    for family in families() {
        for &element in family.elements {
            for n in [1, 2, 3, 4, 7] {
                visit(&family, element, n, &(family.make)(n, element));
            }
        }
    }
}

#[test]
fn the_torus_has_the_counts_of_the_paper() {
    // [Stolfi 8.1] has 480 tetrahedra, 180 vertices, 320 exposed triangles
    let torus = Torus { radius: 1.0, tube: 0.25, sections: 20, rim: 8 }.mesh().unwrap();
    assert_eq!((torus.node_count(), torus.tets().len()), (180, 480));
    assert_eq!(Surface::of(&torus).unwrap().faces.len(), 320);
}

#[test]
fn blocks_and_nodes_are_counted_by_the_formulas() {
    let sphere = Sphere { radius: 1.0, cells: 4, element: ShapeElement::Hex }.mesh().unwrap();
    // cube 4^3, six faces of 4^2 in 2 layers; nodes 5^3 and the cube's skin 5^3 - 3^3 twice
    assert_eq!((sphere.hexes().len(), sphere.node_count()), (64 + 6 * 16 * 2, 125 + 2 * 98));
    let half = Hemisphere { radius: 1.0, cells: 4, element: ShapeElement::Hex }.mesh().unwrap();
    assert_eq!(2 * half.hexes().len(), sphere.hexes().len());
    let cylinder =
        Cylinder { radius: 1.0, height: 1.0, cells: [4, 3], element: ShapeElement::Tet }.mesh().unwrap();
    // square 4^2 and a ring of 16 in 2 layers, 3 levels, 6 tets each
    assert_eq!((cylinder.tets().len(), cylinder.node_count()), (6 * 3 * (16 + 32), 4 * (25 + 32)));
    let tube = Tube { inner: 1.0, outer: 2.0, height: 1.0, cells: [8, 2, 3], element: ShapeElement::Hex };
    let tube = tube.mesh().unwrap();
    assert_eq!((tube.hexes().len(), tube.node_count()), (48, 8 * 3 * 4));
}

#[test]
fn cells_are_sound_connected_and_well_shaped() {
    for_each_mesh(|family, element, n, mesh| {
        let what = format!("{} {element:?} {n}", family.name);
        assert!(orientation(mesh).is_empty() && orphan_nodes(mesh).is_empty(), "{what}");
        assert_eq!(connected_parts(mesh).count, 1, "{what}");
        assert!(mesh.groups().is_empty() && mesh.triangles().is_empty(), "{what}");
        let worst = (0..mesh.cell_count()).map(|c| quality(mesh, c)).fold(1.0, f64::min);
        let least = family.least[usize::from(element == ShapeElement::Tet)];
        assert!(worst > least, "{what}: {worst}");
    });
}

#[test]
fn the_surface_is_closed_and_of_the_right_kind() {
    for_each_mesh(|family, element, n, mesh| {
        let what = format!("{} {element:?} {n}", family.name);
        let surface = Surface::of(mesh).unwrap();
        let triangles = surface.triangles();
        let mut uses: BTreeMap<(u32, u32), i32> = BTreeMap::new();
        for &[a, b, c] in &triangles {
            for (from, to) in [(a, b), (b, c), (c, a)] {
                assert!(uses.insert((from, to), 1).is_none(), "{what}: edge {from} {to} used twice one way");
            }
        }
        assert!(uses.keys().all(|&(from, to)| uses.contains_key(&(to, from))), "{what}: open");
        let euler = surface.nodes().len() as i64 - uses.len() as i64 / 2 + triangles.len() as i64;
        assert_eq!(euler, family.euler, "{what}");
    });
}

#[test]
fn nodes_of_the_surface_lie_on_the_exact_one() {
    for_each_mesh(|family, element, n, mesh| {
        for node in Surface::of(mesh).unwrap().nodes() {
            let away = (family.away)(mesh.positions()[node as usize]);
            // a few roundings of numbers of order 1
            assert!(away.abs() < 1e-15, "{} {element:?} {n}: node {node} is {away} m away", family.name);
        }
    });
}

#[test]
fn the_volume_is_approached_with_the_second_order() {
    for family in families() {
        for &element in family.elements {
            let error = |n: usize| 1.0 - (family.make)(n, element).volume() / family.volume;
            let (coarse, fine) = (error(6), error(12));
            let order = (coarse / fine).log2();
            assert!(coarse > 0.0 && coarse < 0.06, "{} {element:?}: {coarse}", family.name);
            // inscribed faces miss a volume of order h^2
            assert!((order - 2.0).abs() < 0.05, "{} {element:?}: order {order}", family.name);
        }
    }
}

#[test]
fn the_flat_face_of_a_hemisphere_is_a_disc() {
    for n in [1, 2, 5] {
        let mesh = Hemisphere { radius: RADIUS, cells: n, element: ShapeElement::Hex }.mesh().unwrap();
        let p = mesh.positions();
        assert!(p.iter().all(|x| x[2] >= 0.0));
        let flat: f64 = Surface::of(&mesh)
            .unwrap()
            .faces
            .iter()
            .filter(|face| face.nodes().iter().all(|&n| p[n as usize][2] == 0.0))
            .map(|face| -face.area_vector(p)[2])
            .sum();
        // the regular polygon of 4 n corners on the circle
        let sides = 4.0 * n as f64;
        let polygon = 0.5 * sides * RADIUS * RADIUS * (2.0 * PI / sides).sin();
        assert!((flat - polygon).abs() < 1e-14, "{n}: {flat} {polygon}");
    }
}

#[test]
fn a_shape_made_twice_has_the_same_bits() {
    for_each_mesh(|family, element, n, mesh| assert_eq!(*mesh, (family.make)(n, element)));
}

#[test]
fn wrong_measures_and_counts_are_refused_with_their_name() {
    let torus = Torus { radius: 1.0, tube: 0.25, sections: 20, rim: 8 };
    let tube = Tube { inner: 1.0, outer: 2.0, height: 1.0, cells: [8, 1, 1], element: ShapeElement::Hex };
    let sphere = Sphere { radius: 1.0, cells: 4, element: ShapeElement::Hex };
    let message = |result: Result<Mesh, GeneratorError>| result.unwrap_err().to_string();
    for (found, expected) in [
        (
            message(Torus { tube: 1.0, ..torus }.mesh()),
            "the tube radius of a torus must be less than its radius",
        ),
        (message(Torus { sections: 2, ..torus }.mesh()), "a torus needs 3 or more sections, got 2"),
        (
            message(Torus { radius: f64::NAN, ..torus }.mesh()),
            "radius of a torus must be positive and finite",
        ),
        (message(Tube { inner: 3.0, ..tube }.mesh()), "make the inner radius smaller"),
        (message(Tube { cells: [8, 0, 1], ..tube }.mesh()), "1 or more cells through the wall"),
        (message(Sphere { radius: -1.0, ..sphere }.mesh()), "got -1 m"),
        (message(Sphere { cells: 0, ..sphere }.mesh()), "a sphere needs 1 or more cells across"),
        (message(Sphere { cells: usize::MAX, ..sphere }.mesh()), "use smaller counts"),
        (message(Sphere { radius: f64::INFINITY, ..sphere }.mesh()), "must be positive and finite"),
    ] {
        assert!(found.contains(expected), "{found}");
    }
    let many = Torus { sections: MOST_CELLS, rim: 3, ..torus }.mesh();
    assert!(matches!(many, Err(GeneratorError::TooMany { shape: "torus", .. })), "{many:?}");
}
