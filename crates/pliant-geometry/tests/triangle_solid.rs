//! Distances from closed surfaces of triangles: against closed forms, and against a look at every triangle.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;

use pliant_geometry::{
    BoxElement, Mesh, SurfaceQuery, Torus, TriangleSolid, TriangleSolidError, box_mesh, surface_mesh,
};

type Vec3 = [f64; 3];

fn norm(a: Vec3) -> f64 {
    a.iter().map(|x| x * x).sum::<f64>().sqrt()
}

fn moved(place: Vec3, way: Vec3, step: f64) -> Vec3 {
    std::array::from_fn(|k| place[k] + step * way[k])
}

/// Numbers between -1 and 1, the same in every run.
struct Noise(u64);

impl Noise {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    fn place(&mut self, size: Vec3) -> Vec3 {
        size.map(|s| s * self.next())
    }
}

fn solid(mesh: &Mesh) -> TriangleSolid {
    TriangleSolid::new(mesh.positions().to_vec(), mesh.triangles().to_vec()).unwrap()
}

/// The surface of a box about the origin, given by half its edges.
fn box_skin(half: Vec3, cells: [usize; 3]) -> Mesh {
    let whole = box_mesh(half.map(|h| 2.0 * h), cells, BoxElement::Hex).unwrap();
    let skin = surface_mesh(&whole).unwrap().mesh;
    skin.transformed(|p| std::array::from_fn(|k| p[k] - half[k])).unwrap()
}

/// A ball of unit radius: an octahedron whose triangles are cut in four and pushed out, some times over.
fn ball(rounds: usize) -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let mut positions: Vec<Vec3> = vec![
        [1.0, 0.0, 0.0],
        [-1.0, 0.0, 0.0],
        [0.0, 1.0, 0.0],
        [0.0, -1.0, 0.0],
        [0.0, 0.0, 1.0],
        [0.0, 0.0, -1.0],
    ];
    let mut triangles: Vec<[u32; 3]> =
        vec![[0, 2, 4], [2, 1, 4], [1, 3, 4], [3, 0, 4], [2, 0, 5], [1, 2, 5], [3, 1, 5], [0, 3, 5]];
    for _ in 0..rounds {
        let mut middles: BTreeMap<[u32; 2], u32> = BTreeMap::new();
        let mut fine = Vec::new();
        for [a, b, c] in triangles {
            let mut middle = |p: u32, q: u32| {
                *middles.entry([p.min(q), p.max(q)]).or_insert_with(|| {
                    let sum = moved(positions[p as usize], positions[q as usize], 1.0);
                    positions.push(sum.map(|x| x / norm(sum)));
                    positions.len() as u32 - 1
                })
            };
            let (ab, bc, ca) = (middle(a, b), middle(b, c), middle(c, a));
            fine.extend([[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]);
        }
        triangles = fine;
    }
    (positions, triangles)
}

/// Signed distance and outward direction of a box about the origin.
fn from_box(place: Vec3, half: Vec3) -> (f64, Vec3) {
    let beyond: Vec3 = std::array::from_fn(|k| place[k].abs() - half[k]);
    let nearest = (0..3).max_by(|a, b| beyond[*a].total_cmp(&beyond[*b])).unwrap();
    if beyond[nearest] <= 0.0 {
        let way = std::array::from_fn(|k| if k == nearest { place[k].signum() } else { 0.0 });
        return (beyond[nearest], way);
    }
    let out = beyond.map(|b| b.max(0.0));
    (norm(out), std::array::from_fn(|k| place[k].signum() * out[k] / norm(out)))
}

#[test]
fn a_box_and_a_thin_plate_are_what_they_are_by_formula() {
    let mut noise = Noise(1);
    for (half, cells) in
        [([0.5, 0.3, 0.7], [1, 1, 1]), ([0.5, 0.3, 0.7], [3, 4, 5]), ([1.0, 1.0, 5e-7], [8, 8, 1])]
    {
        let solid = solid(&box_skin(half, cells));
        for round in 0..10_000 {
            // half of them close to the surface, some inside a thin plate
            let far = if round % 2 == 0 { 2.0 } else { 1.01 };
            let place = noise.place(half.map(|h| far * h));
            let ((found, way), (exact, out)) = (solid.distance(place), from_box(place, half));
            assert!((found - exact).abs() < 1e-14, "{place:?}: {found} for {exact}");
            // where two faces are as near inside, either way is right
            if exact > 0.0 || (norm(moved(way, out, -1.0)) > 1e-9) {
                let there = from_box(moved(place, way, 1e-9), half).0;
                assert!((there - exact - 1e-9).abs() < 1e-15, "{place:?}");
            }
            assert!((norm(way) - 1.0).abs() < 1e-14);
        }
    }
}

#[test]
fn a_ball_of_triangles_tends_to_a_ball() {
    let mut errors = Vec::new();
    for rounds in 2..5 {
        let (positions, triangles) = ball(rounds);
        let solid = TriangleSolid::new(positions, triangles).unwrap();
        let mut noise = Noise(2);
        let mut worst: f64 = 0.0;
        for _ in 0..3000 {
            let place = noise.place([1.5; 3]);
            let (found, way) = solid.distance(place);
            worst = worst.max((found - (norm(place) - 1.0)).abs());
            // facets turn the way by no more than their slope
            if norm(place) > 1.0 {
                assert!(norm(moved(way, place, -1.0 / norm(place))) < 1.5 / f64::from(1 << rounds));
            }
        }
        errors.push(worst);
    }
    // the sagitta of a facet goes with the square of its size
    for pair in errors.windows(2) {
        let order = (pair[0] / pair[1]).log2();
        assert!((order - 2.0).abs() < 0.2, "{errors:?}");
    }
}

/// A torus with waves on it: bumps, dents and saddles.
fn wavy() -> Mesh {
    let torus = Torus { radius: 1.0, tube: 0.4, sections: 24, rim: 12 }.mesh().unwrap();
    let wave = |[x, y, z]: Vec3| {
        let s = 1.0 + 0.2 * (5.0 * x).sin() * (4.0 * y + 1.0).cos();
        [s * x, s * y, z * (1.0 + 0.4 * (6.0 * y).sin()) + 0.1 * x * x]
    };
    surface_mesh(&torus).unwrap().mesh.transformed(wave).unwrap()
}

#[test]
fn distances_are_those_of_a_look_at_every_triangle() {
    let mesh = wavy();
    let (solid, all) = (solid(&mesh), SurfaceQuery::of(&mesh));
    let mut noise = Noise(3);
    let mut inside = 0;
    for round in 0..10_000 {
        let place = match round % 3 {
            0 => noise.place([2.0, 2.0, 1.0]),
            // just beside a vertex, where the side is hardest to tell
            1 => moved(mesh.positions()[round % mesh.node_count()], noise.place([1.0; 3]), 1e-3),
            _ => moved(mesh.positions()[round % mesh.node_count()], noise.place([1.0; 3]), 0.2),
        };
        let (found, way) = solid.distance(place);
        let sign = if all.surrounds(place) { -1.0 } else { 1.0 };
        let exact = sign * all.distance(place);
        assert!((found - exact).abs() < 1e-12, "{place:?}: {found} for {exact}");
        assert!((solid.distance(moved(place, way, -found)).0).abs() < 1e-12, "the way leads to the surface");
        assert_eq!(solid.distance_within(place, 0.05), (found <= 0.05).then_some((found, way)));
        assert_eq!(solid.distance_within(place, -0.05), (found <= -0.05).then_some((found, way)));
        inside += usize::from(found < 0.0);
    }
    assert!((2000..8000).contains(&inside), "{inside} inside");
}

#[test]
fn the_side_is_right_beside_sharp_edges_and_vertices() {
    // a needle: seen from beyond its tip or its edges a face's own normal may point away
    let positions = vec![[0.0, 0.0, 0.0], [0.02, 0.0, 0.0], [0.0, 0.03, 0.0], [0.5, 0.4, 1.0]];
    let needle =
        TriangleSolid::new(positions.clone(), vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]]).unwrap();
    let mut noise = Noise(4);
    for _ in 0..10_000 {
        let way = noise.place([1.0; 3]);
        for (a, b) in [(0, 3), (1, 3), (2, 3), (0, 1), (1, 2), (2, 0)] {
            let share = 0.5 + 0.5 * noise.next();
            let on = moved(positions[a], moved(positions[b], positions[a], -1.0), share.clamp(0.0, 1.0));
            let place = moved(on, way, 0.01);
            let inside = needle_holds(&positions, place);
            assert_eq!(needle.distance(place).0 < 0.0, inside, "{place:?}");
        }
    }
    // on the surface the way is a normal there: of the face, at an edge or a vertex of one that meets in it
    let cube = solid(&box_skin([1.0; 3], [2, 2, 2]));
    assert_eq!(cube.distance([1.0, 0.3, 0.4]), (0.0, [1.0, 0.0, 0.0]));
    for place in [[1.0, -1.0, 0.3], [1.0, 1.0, -1.0], [0.0, -1.0, 1.0]] {
        let (distance, way) = cube.distance(place);
        let outward = (0..3).all(|k| way[k] * place[k] >= 0.0 && (place[k].abs() == 1.0 || way[k] == 0.0));
        assert!(distance == 0.0 && outward && (norm(way) - 1.0).abs() < 1e-15, "{place:?}: {way:?}");
    }
}

/// Whether a tetrahedron holds a place, by its four planes.
fn needle_holds(p: &[Vec3], place: Vec3) -> bool {
    [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]].iter().all(|[a, b, c]| {
        let (u, v, w) = (moved(p[*b], p[*a], -1.0), moved(p[*c], p[*a], -1.0), moved(place, p[*a], -1.0));
        let n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
        n.iter().zip(w).map(|(n, w)| n * w).sum::<f64>() < 0.0
    })
}

/// Two surfaces as one; the second turned inside out if `turned`.
fn both(first: &Mesh, second: &Mesh, turned: bool) -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let shift = first.node_count() as u32;
    let positions = first.positions().iter().chain(second.positions()).copied().collect();
    let other = second.triangles().iter().map(|t| t.map(|n| n + shift));
    let other = other.map(|[a, b, c]| if turned { [a, c, b] } else { [a, b, c] });
    (positions, first.triangles().iter().copied().chain(other).collect())
}

#[test]
fn a_cavity_is_outside() {
    let (positions, triangles) = both(&box_skin([2.0; 3], [2; 3]), &box_skin([1.0; 3], [3; 3]), true);
    let shell = TriangleSolid::new(positions, triangles).unwrap();
    assert_eq!(shell.distance([0.0, 0.0, 0.4]).0, 0.6);
    assert_eq!(shell.distance([0.0, 0.0, 0.4]).1, [0.0, 0.0, -1.0]);
    assert_eq!(shell.distance([1.25, 0.0, 0.0]), (-0.25, [-1.0, 0.0, 0.0]));
    assert_eq!(shell.distance([0.0, 3.0, 0.0]), (1.0, [0.0, 1.0, 0.0]));
    assert_eq!(shell.distance_within([0.0; 3], 0.9), None);
    assert_eq!(shell.bounds().max, [2.0; 3]);
}

#[test]
fn what_is_no_solid_is_refused_with_its_reason() {
    let skin = box_skin([1.0; 3], [1; 3]);
    let (positions, triangles) = (skin.positions().to_vec(), skin.triangles().to_vec());
    let made = |triangles: Vec<[u32; 3]>| TriangleSolid::new(positions.clone(), triangles);
    assert_eq!(made(vec![]), Err(TriangleSolidError::Empty));
    assert_eq!(made(vec![[0, 0, 1]]), Err(TriangleSolidError::Empty));
    let out_of_range = TriangleSolidError::VertexOutOfRange { triangle: 1, vertex: 8, count: 8 };
    assert_eq!(made(vec![[0, 1, 2], [0, 8, 1]]), Err(out_of_range));
    assert!(matches!(
        made(triangles[1..].to_vec()),
        Err(TriangleSolidError::NotClosed { count: 3, place }) if place.iter().all(|x| x.abs() <= 1.0)
    ));
    let turned = triangles.iter().map(|&[a, b, c]| [a, c, b]).collect();
    assert_eq!(made(turned), Err(TriangleSolidError::InsideOut { volume: -8.0 }));
    let mut one_turned = triangles.clone();
    one_turned[0].swap(1, 2);
    assert!(matches!(made(one_turned), Err(TriangleSolidError::NotClosed { count: 3, .. })));
    let mut bent = positions.clone();
    bent[3][1] = f64::NAN;
    let error = TriangleSolid::new(bent, triangles.clone());
    assert!(matches!(error, Err(TriangleSolidError::NotFinite { vertex: 3, .. })));
    // all on one plane
    let flat = positions.iter().map(|&[x, y, _]| [x, y, 0.0]).collect();
    assert!(matches!(
        TriangleSolid::new(flat, triangles.clone()),
        Err(TriangleSolidError::Flat { count: 8, .. }) | Err(TriangleSolidError::InsideOut { .. })
    ));
    // a triangle on two vertices closes itself, and is left out
    let mut doubled = triangles.clone();
    doubled.push([0, 1, 1]);
    assert_eq!(made(doubled).unwrap(), made(triangles).unwrap());
}

#[test]
fn solids_that_meet_along_an_edge_are_one() {
    let cube = |at: f64| {
        let moved = box_skin([1.0; 3], [1; 3]).transformed(|p| [p[0] + at, p[1] + at, p[2]]).unwrap();
        (moved.positions().to_vec(), moved.triangles().to_vec())
    };
    let ((mut positions, mut triangles), (others, more)) = (cube(0.0), cube(2.0));
    // vertices at the same place become one
    let numbers: Vec<u32> = others
        .iter()
        .map(|p| match positions.iter().position(|q| q == p) {
            Some(n) => n as u32,
            None => {
                positions.push(*p);
                positions.len() as u32 - 1
            }
        })
        .collect();
    assert_eq!(positions.len(), 14);
    triangles.extend(more.iter().map(|t| t.map(|n| numbers[n as usize])));
    let solid = TriangleSolid::new(positions, triangles).unwrap();
    let mut noise = Noise(5);
    for _ in 0..2000 {
        let place = moved([1.0, 1.0, 0.0], noise.place([1.8; 3]), 1.0);
        let shifted = [place[0] - 2.0, place[1] - 2.0, place[2]];
        let exact = from_box(place, [1.0; 3]).0.min(from_box(shifted, [1.0; 3]).0);
        assert!((solid.distance(place).0 - exact).abs() < 1e-14, "{place:?}");
    }
}
