//! What a surface that rides on cells must do: follow them, inside and outside, smoothly and with the same bits for any threads.
#![allow(clippy::unwrap_used, missing_docs)]

use std::collections::BTreeMap;

use pliant_geometry::vector::{dot, norm};
use pliant_geometry::{
    BoxElement, Embedding, EmbeddingError, Mesh, Sphere, Torus, VertexNormals, box_mesh, locate, surface_mesh,
};

/// A wavy deformation of the unit cube that keeps its cells far from flat.
fn wavy([x, y, z]: [f64; 3]) -> [f64; 3] {
    [x + 0.04 * (7.0 * y + z).sin(), y + 0.05 * (5.0 * z - x).cos(), z + 0.04 * (6.0 * x + 2.0 * y).sin()]
}

/// Distorted meshes of every kind of cell on about the unit cube.
fn meshes() -> Vec<(&'static str, Mesh)> {
    let block = |element| box_mesh([1.0; 3], [4, 3, 5], element).unwrap().transformed(wavy).unwrap();
    vec![("tets", block(BoxElement::Tet5)), ("hexes", block(BoxElement::Hex)), ("both", mixed())]
}

/// A hexahedron with a tetrahedron on two of its faces' corners.
fn mixed() -> Mesh {
    let hex = box_mesh([0.5, 1.0, 1.0], [1, 1, 1], BoxElement::Hex).unwrap();
    let mut positions = hex.positions().to_vec();
    positions.push([1.0, 0.4, 0.5]);
    let at = |p: [f64; 3]| positions.iter().position(|q| *q == p).unwrap() as u32;
    let [a, b, c, d] = [[0.5, 0.0, 0.0], [0.5, 1.0, 0.0], [0.5, 1.0, 1.0], [0.5, 0.0, 1.0]].map(at);
    let tip = positions.len() as u32 - 1;
    let tets = vec![[a, b, c, tip], [a, c, d, tip]];
    Mesh::new(positions, tets, hex.hexes().to_vec(), vec![], BTreeMap::new()).unwrap()
}

/// A torus through the cube that leans out of it on all sides.
fn torus() -> Mesh {
    let torus = Torus { radius: 0.42, tube: 0.2, sections: 40, rim: 16 }.mesh().unwrap();
    let placed = |[x, y, z]: [f64; 3]| [x + 0.5, 0.8 * y + 0.3 * z + 0.5, 1.5 * z + 0.5];
    surface_mesh(&torus).unwrap().mesh.transformed(placed).unwrap()
}

fn moved(embedding: &Embedding, nodes: impl IntoIterator<Item = [f64; 3]>) -> Vec<[f64; 3]> {
    let mut out = Vec::new();
    embedding.positions_into(&nodes.into_iter().collect::<Vec<_>>(), &mut out);
    out
}

fn distance(a: [f64; 3], b: [f64; 3]) -> f64 {
    norm(std::array::from_fn(|c| a[c] - b[c]))
}

#[test]
fn affine_motions_are_the_vertices_own() {
    // a turn, a stretch and a shift; the weights of vertices outside are extended
    let affine = |p: [f64; 3]| {
        let rows = [[0.3, -1.4, 0.2], [1.1, 0.5, 0.6], [-0.7, 0.1, 1.9]];
        let shift = [2.0, -1.0, 0.5];
        std::array::from_fn(|r| dot(rows[r], p) + shift[r])
    };
    for (name, mesh) in meshes() {
        let embedding = Embedding::bind(&mesh, &torus()).unwrap();
        assert!(embedding.outside().count > 50, "{name}: {:?}", embedding.outside());
        assert!(embedding.outside().count < embedding.vertex_count() - 50, "{name}");
        let after = moved(&embedding, mesh.positions().iter().map(|&p| affine(p)));
        for (rest, x) in embedding.surface().positions().iter().zip(after) {
            let off = distance(x, affine(*rest));
            assert!(off < 1e-12, "{name}: {rest:?} is off by {off:e}");
        }
    }
}

#[test]
fn hexahedra_carry_trilinear_motions() {
    // products of coordinates are in the space of a brick's shape functions
    let trilinear =
        |[x, y, z]: [f64; 3]| [x + 0.3 * y * z, y - 0.2 * x * z, z + 0.4 * x * y + 0.1 * x * y * z];
    let mesh = box_mesh([1.0; 3], [1; 3], BoxElement::Hex).unwrap();
    let ball = Sphere { radius: 0.45, cells: 3, element: pliant_geometry::ShapeElement::Tet }.mesh().unwrap();
    let ball = ball.transformed(|p| p.map(|x| x + 0.5)).unwrap();
    let embedding = Embedding::bind(&mesh, &ball).unwrap();
    assert_eq!(embedding.outside().count, 0);
    let after = moved(&embedding, mesh.positions().iter().map(|&p| trilinear(p)));
    for (rest, x) in embedding.surface().positions().iter().zip(after) {
        assert!(distance(x, trilinear(*rest)) < 1e-14);
    }
}

#[test]
fn vertices_inside_go_to_the_cell_that_point_location_finds() {
    for (name, mesh) in meshes() {
        let embedding = Embedding::bind(&mesh, &torus()).unwrap();
        let mut outside = 0;
        for (vertex, &place) in (0..).zip(embedding.surface().positions()) {
            let Some(found) = locate(&mesh, place, 0.0) else {
                outside += 1;
                continue;
            };
            for (node, weight) in &embedding.point(vertex) {
                let (_, found) = found.point.iter().find(|(n, _)| *n == node).unwrap();
                assert!((found - weight).abs() < 1e-10, "{name}: {vertex}");
            }
        }
        assert_eq!(outside, embedding.outside().count, "{name}");
    }
}

#[test]
fn a_vertex_follows_its_nodes_continuously() {
    for (name, mesh) in meshes() {
        let embedding = Embedding::bind(&mesh, &torus()).unwrap();
        let growth = (0..embedding.vertex_count() as u32)
            .map(|v| embedding.point(v).iter().map(|(_, w)| w.abs()).sum::<f64>())
            .fold(0.0, f64::max);
        assert!(growth < 10.0, "{name}: extended weights stay small: {growth}");
        // nodes that move by 1e-6 move no vertex by more than that times the sum of its weights
        let shaken = |p: [f64; 3]| {
            let push = p.map(|x| (1e4 * x + 1.0).sin());
            std::array::from_fn(|c| p[c] + 1e-6 * push[c] / norm(push))
        };
        let after = moved(&embedding, mesh.positions().iter().map(|&p| shaken(p)));
        for (rest, x) in embedding.surface().positions().iter().zip(after) {
            assert!(distance(*rest, x) <= growth * 1e-6 * (1.0 + 1e-6), "{name}");
        }
    }
}

#[test]
fn nothing_jumps_where_a_vertex_leaves_the_cells() {
    // pairs of vertices on both sides of the boundary, under a motion that is not affine
    for (name, mesh) in meshes() {
        let boundary = surface_mesh(&mesh).unwrap().mesh;
        let (mut places, mut triangles) = (Vec::new(), Vec::new());
        for corners in boundary.triangles() {
            let [a, b, c] = corners.map(|v| boundary.positions()[v as usize]);
            let (u, v): ([f64; 3], [f64; 3]) =
                (std::array::from_fn(|k| b[k] - a[k]), std::array::from_fn(|k| c[k] - a[k]));
            let normal = pliant_geometry::vector::cross(u, v);
            for side in [-1e-9, 1e-9, 2e-9] {
                let away = side / norm(normal);
                // near a corner, where a warped face and the chord that is drawn of it differ least
                places.push(std::array::from_fn(|k| a[k] + 1e-3 * (u[k] + v[k]) + away * normal[k]));
            }
            let first = places.len() as u32 - 3;
            triangles.push([first, first + 1, first + 2]);
        }
        let pairs = Mesh::new(places, vec![], vec![], triangles, BTreeMap::new()).unwrap();
        let embedding = Embedding::bind(&mesh, &pairs).unwrap();
        assert!(embedding.outside().count > 0 && embedding.outside().count < pairs.node_count(), "{name}");
        let after = moved(&embedding, mesh.positions().iter().map(|&p| wavy(wavy(p))));
        for side in after.chunks_exact(3) {
            assert!(
                distance(side[0], side[1]) < 1e-8 && distance(side[1], side[2]) < 1e-8,
                "{name}: {side:?}"
            );
        }
    }
}

#[test]
fn threads_do_not_change_a_bit() {
    for (name, mesh) in meshes() {
        let frame = || {
            let fine = Torus { radius: 0.4, tube: 0.2, sections: 300, rim: 40 }.mesh().unwrap();
            let embedding = Embedding::bind(&mesh, &fine).unwrap();
            let positions = moved(&embedding, mesh.positions().iter().map(|&p| wavy(p)));
            let normals = VertexNormals::of(positions.len(), embedding.surface().triangles());
            let (mut areas, mut out, mut values) = (Vec::new(), Vec::new(), Vec::new());
            normals.normals_into(&positions, &mut areas, &mut out);
            let of_nodes: Vec<f64> = mesh.positions().iter().map(|p| p[0] * p[1]).collect();
            embedding.values_into(&of_nodes, &mut values);
            let masters: Vec<_> = (0..positions.len() as u32).map(|v| embedding.point(v)).collect();
            (masters, positions, out, values)
        };
        // outside of any pool, and in some
        let alone = frame();
        assert!(alone.1.len() > 3 * 2048, "several chunks");
        for threads in [1, 2, 8] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            assert!(alone == pool.install(frame), "{name}, {threads} threads");
        }
    }
}

#[test]
fn vertices_far_outside_are_told_with_count_distance_and_place() {
    // cells of 0.25 m, diagonal 0.433 m: far begins at 0.108 m
    let mesh = box_mesh([1.0; 3], [4; 3], BoxElement::Hex).unwrap();
    let places = vec![[0.5, 0.5, 0.5], [0.5, 0.5, 1.05], [1.2, 0.5, 0.5], [0.3, -0.5, 0.6]];
    let surface = Mesh::new(places, vec![], vec![], vec![[0, 1, 2], [0, 2, 3]], BTreeMap::new()).unwrap();
    let outside = *Embedding::bind(&mesh, &surface).unwrap().outside();
    assert_eq!((outside.count, outside.far), (3, 2));
    let worst = outside.worst.unwrap();
    assert_eq!((worst.vertex, worst.position), (3, [0.3, -0.5, 0.6]));
    assert!((worst.distance - 0.5).abs() < 1e-12 && (worst.cell_size - 0.25 * 3.0_f64.sqrt()).abs() < 1e-12);
}

#[test]
fn what_cannot_be_bound_is_refused() {
    let mesh = box_mesh([1.0; 3], [2; 3], BoxElement::Tet5).unwrap();
    let points = Mesh::new(vec![[0.0; 3]], vec![], vec![], vec![], BTreeMap::new()).unwrap();
    assert_eq!(Embedding::bind(&mesh, &points).unwrap_err(), EmbeddingError::NoTriangles);
    assert_eq!(Embedding::bind(&torus(), &torus()).unwrap_err(), EmbeddingError::NoCells);
}

#[test]
fn part_of_the_nodes_moves_the_surface_as_all_do() {
    let (_, mesh) = meshes().swap_remove(1);
    let embedding = Embedding::bind(&mesh, &torus()).unwrap();
    let nodes = embedding.master_nodes();
    assert!(nodes.len() < mesh.node_count());
    let few = embedding.on(&nodes);
    let all = moved(&embedding, mesh.positions().iter().map(|&p| wavy(p)));
    assert_eq!(moved(&few, nodes.iter().map(|&n| wavy(mesh.positions()[n as usize]))), all);
}

#[test]
fn normals_of_a_ball_point_away_from_its_middle() {
    let ball = Sphere { radius: 2.0, cells: 12, element: pliant_geometry::ShapeElement::Tet }.mesh().unwrap();
    let ball = surface_mesh(&ball).unwrap().mesh;
    let normals = VertexNormals::of(ball.node_count(), ball.triangles());
    let (mut areas, mut out) = (Vec::new(), Vec::new());
    normals.normals_into(ball.positions(), &mut areas, &mut out);
    for (place, normal) in ball.positions().iter().zip(&out) {
        let normal = normal.map(f64::from);
        assert!((norm(normal) - 1.0).abs() < 1e-6);
        // triangles of 0.1 radians lean by half of that, and their mean by far less
        assert!(dot(normal, *place) / 2.0 > 0.999, "{place:?}: {normal:?}");
    }
    // vertices without triangles, or with flat ones, have none
    let flat = VertexNormals::of(4, &[[0, 1, 2]]);
    flat.normals_into(&[[0.0; 3], [1.0; 3], [2.0; 3], [3.0; 3]], &mut areas, &mut out);
    assert_eq!(out, [[0.0; 3]; 4]);
}
