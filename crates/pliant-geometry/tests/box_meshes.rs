//! What is true of every box, however it is cut: volume, closed surface, counts, located points.
#![allow(clippy::unwrap_used)]

use std::collections::{BTreeMap, BTreeSet};

use pliant_geometry::{
    BoxElement, Group, Mesh, NodeCells, NodeNeighbours, Surface, SurfaceError, box_mesh, cell_order,
    connected_parts, locate, orientation, orphan_nodes, quality, slivers,
};

const ALL: [BoxElement; 3] = [BoxElement::Tet5, BoxElement::Tet6, BoxElement::Hex];

fn boxes() -> impl Iterator<Item = (BoxElement, Mesh)> {
    ALL.into_iter().map(|element| (element, box_mesh([0.3, 0.5, 1.0], [3, 4, 5], element).unwrap()))
}

/// A smooth map that bends every cell and turns none inside out.
fn bent(mesh: Mesh) -> Mesh {
    mesh.transformed(|[x, y, z]| [x + 0.1 * y * z, y - 0.2 * x * z, z + 0.1 * (3.0 * x).sin()]).unwrap()
}

fn with_cells(positions: Vec<[f64; 3]>, tets: Vec<[u32; 4]>) -> Mesh {
    Mesh::new(positions, tets, vec![], vec![], BTreeMap::new()).unwrap()
}

#[test]
fn cells_fill_the_box() {
    for (element, mesh) in boxes() {
        assert!((mesh.volume() - 0.15).abs() < 1e-15, "{element:?}");
        assert_eq!(mesh.bounds().unwrap().max, [0.3, 0.5, 1.0]);
        assert!(orientation(&mesh).is_empty() && orphan_nodes(&mesh).is_empty());
        assert_eq!(connected_parts(&mesh).count, 1);
    }
}

#[test]
fn the_surface_is_closed_outward_and_has_the_right_area() {
    for (element, mesh) in boxes() {
        let surface = Surface::of(&mesh).unwrap();
        let area: f64 = surface.faces.iter().map(|f| length(f.area_vector(mesh.positions()))).sum();
        assert!((area - 2.0 * (0.15 + 0.3 + 0.5)).abs() < 1e-13, "{element:?}");
        for face in &surface.faces {
            // a box is convex: outward is away from its middle
            let p = mesh.positions()[face.nodes()[0] as usize];
            let a = face.area_vector(mesh.positions());
            let away = a[0] * (p[0] - 0.15) + a[1] * (p[1] - 0.25) + a[2] * (p[2] - 0.5);
            assert!(away > 0.0, "{element:?} {face:?}");
        }
        let bent = bent(mesh);
        for k in 0..3 {
            let sum: f64 = surface.faces.iter().map(|f| f.area_vector(bent.positions())[k]).sum();
            assert!(sum.abs() < 1e-14, "{element:?}");
        }
        // the divergence theorem: the integral of x . n over the boundary is 3 V (triangles are flat)
        if element != BoxElement::Hex {
            let flux: f64 = surface.faces.iter().map(|f| flux(&bent, f.nodes())).sum();
            assert!((flux / 3.0 - bent.volume()).abs() < 1e-14, "{element:?}");
        }
    }
}

fn length(a: [f64; 3]) -> f64 {
    a.iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// Integral of x . n over a triangle: half the determinant of its corners.
fn flux(mesh: &Mesh, nodes: &[u32]) -> f64 {
    let [a, b, c] = [0, 1, 2].map(|i| mesh.positions()[nodes[i] as usize]);
    0.5 * (a[0] * (b[1] * c[2] - b[2] * c[1])
        + a[1] * (b[2] * c[0] - b[0] * c[2])
        + a[2] * (b[0] * c[1] - b[1] * c[0]))
}

#[test]
fn the_surface_of_a_box_is_a_sphere_by_eulers_count() {
    for (element, mesh) in boxes() {
        let surface = Surface::of(&mesh).unwrap();
        let triangles = surface.triangles();
        let mut edges = BTreeSet::new();
        for &[a, b, c] in &triangles {
            edges.extend([(a.min(b), a.max(b)), (b.min(c), b.max(c)), (c.min(a), c.max(a))]);
        }
        let euler = surface.nodes().len() + triangles.len() - edges.len();
        assert_eq!(euler, 2, "{element:?}");
    }
}

#[test]
fn a_face_of_three_cells_is_an_error_with_its_place() {
    let positions =
        vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [0.0, 0.0, -1.0], [0.1, 0.1, 2.0]];
    let mesh = with_cells(positions, vec![[0, 1, 2, 3], [0, 2, 1, 4], [0, 1, 2, 5]]);
    let Err(SurfaceError::Overshared { count, first }) = Surface::of(&mesh) else { panic!("no error") };
    assert_eq!((count, first.cells), (1, vec![0, 1, 2]));
    assert_eq!(first.center, [0.5, 0.5, 0.0]);
}

#[test]
fn reversed_cells_are_found_and_their_faces_still_point_outward() {
    for (element, mesh) in boxes() {
        let (mut tets, mut hexes) = (mesh.tets().to_vec(), mesh.hexes().to_vec());
        tets.iter_mut().step_by(7).for_each(|tet| tet.swap(1, 2));
        hexes.iter_mut().step_by(7).for_each(|hex| hex.rotate_left(4));
        let turned = Mesh::new(mesh.positions().to_vec(), tets, hexes, vec![], BTreeMap::new()).unwrap();
        let expected: Vec<u32> = (0..mesh.cell_count() as u32).step_by(7).collect();
        assert_eq!(orientation(&turned), expected, "{element:?}");
        let (before, after) = (Surface::of(&mesh).unwrap(), Surface::of(&turned).unwrap());
        let total =
            |s: &Surface| s.faces.iter().map(|f| f.area_vector(mesh.positions())[2].max(0.0)).sum::<f64>();
        assert!((total(&before) - total(&after)).abs() < 1e-15, "{element:?}");
    }
}

#[test]
fn quality_is_one_for_the_best_shape_and_zero_for_a_flat_one() {
    let height = (2.0_f64 / 3.0).sqrt();
    let third = 3.0_f64.sqrt() / 2.0;
    let regular = |h| vec![[0.0; 3], [1.0, 0.0, 0.0], [0.5, third, 0.0], [0.5, third / 3.0, h]];
    assert!((quality(&with_cells(regular(height), vec![[0, 1, 2, 3]]), 0) - 1.0).abs() < 1e-14);
    assert_eq!(quality(&with_cells(regular(0.0), vec![[0, 1, 2, 3]]), 0), 0.0);
    assert_eq!(quality(&with_cells(regular(-height), vec![[0, 1, 2, 3]]), 0), 0.0);
    let thin = with_cells(regular(1e-3), vec![[0, 1, 2, 3]]);
    assert_eq!(slivers(&thin, 0.1).len(), 1);
    assert!(slivers(&thin, 0.01).is_empty(), "quality {}", quality(&thin, 0));

    let brick = box_mesh([1.0, 2.0, 3.0], [1, 1, 1], BoxElement::Hex).unwrap();
    assert!((quality(&brick, 0) - 1.0).abs() < 1e-14);
    // sheared by 45 degrees the edges meet at 45 degrees
    let sheared = brick.transformed(|[x, y, z]| [x + y, y, z]).unwrap();
    assert!((quality(&sheared, 0) - 0.5_f64.sqrt()).abs() < 1e-14);
}

#[test]
fn parts_are_numbered_by_size_and_orphans_are_listed() {
    let mut positions: Vec<[f64; 3]> = (0..14).map(|i| [f64::from(i), f64::from(i * i), 0.0]).collect();
    positions[3][2] = 1.0;
    let mesh = with_cells(positions, vec![[0, 1, 2, 3], [5, 6, 7, 8], [8, 9, 10, 11]]);
    let parts = connected_parts(&mesh);
    assert_eq!((parts.count, parts.of_cell.as_slice()), (2, &[1, 0, 0][..]));
    assert_eq!(parts.cell_counts(), [2, 1]);
    assert_eq!(orphan_nodes(&mesh), [4, 12, 13]);
}

#[test]
fn node_tables_agree_with_the_cells() {
    for (element, mesh) in boxes() {
        let cells = NodeCells::of(&mesh);
        let neighbours = NodeNeighbours::of(&mesh);
        for n in 0..mesh.node_count() as u32 {
            let expected: Vec<u32> =
                (0..mesh.cell_count() as u32).filter(|&c| mesh.cell_nodes(c as usize).contains(&n)).collect();
            assert_eq!(cells.cells(n), expected, "{element:?}");
            assert!(neighbours.neighbours(n).iter().all(|&m| neighbours.neighbours(m).contains(&n)));
            assert!(!neighbours.neighbours(n).contains(&n));
        }
    }
}

#[test]
fn weights_reproduce_the_point_in_bent_cells() {
    for (element, mesh) in boxes() {
        let mesh = bent(mesh);
        for i in 0..mesh.cell_count() {
            let p = mesh.cell_centroid(i);
            let found = locate(&mesh, p, 0.0).unwrap();
            assert!(found.cell as usize <= i, "{element:?}: ties go to the lowest cell");
            let error = length(std::array::from_fn(|k| found.point.position(mesh.positions())[k] - p[k]));
            assert!(error < 1e-13, "{element:?}: {error}");
            assert!((found.point.iter().map(|(_, w)| w).sum::<f64>() - 1.0).abs() < 1e-14);
        }
        // a node belongs to the lowest of its cells
        let cells = NodeCells::of(&mesh);
        for (n, &p) in (0_u32..).zip(mesh.positions()) {
            assert_eq!(locate(&mesh, p, 1e-9).unwrap().cell, cells.cells(n)[0], "{element:?} node {n}");
        }
    }
}

#[test]
fn the_cell_order_is_a_compact_permutation() {
    for element in ALL {
        let mesh = box_mesh([1.0, 1.0, 1.0], [8, 8, 8], element).unwrap();
        let order = cell_order(&mesh);
        let seen: BTreeSet<u32> = order.iter().copied().collect();
        assert_eq!((seen.len(), order.len()), (mesh.cell_count(), mesh.cell_count()));
        // an eighth of the cells fills an octant: far from the slab of thickness 1/8 that file order gives
        for chunk in order.chunks(mesh.cell_count() / 8) {
            let (mut min, mut max) = ([1.0_f64; 3], [0.0_f64; 3]);
            for &c in chunk {
                for (k, x) in mesh.cell_centroid(c as usize).into_iter().enumerate() {
                    (min[k], max[k]) = (min[k].min(x), max[k].max(x));
                }
            }
            assert!((0..3).all(|k| max[k] - min[k] <= 0.5), "{element:?}: {min:?} {max:?}");
        }
    }
}

#[test]
fn groups_know_their_cells() {
    let mesh = box_mesh([1.0, 1.0, 1.0], [2, 1, 1], BoxElement::Hex).unwrap();
    let groups = BTreeMap::from([("half".to_owned(), Group { hexes: vec![1], ..Group::default() })]);
    let mesh = Mesh::new(mesh.positions().to_vec(), vec![], mesh.hexes().to_vec(), vec![], groups).unwrap();
    assert_eq!(mesh.groups()["half"].cells(&mesh), [1]);
    assert_eq!(mesh.groups()["half"].member_nodes(&mesh).len(), 8);
}

#[test]
fn a_hexahedron_with_tets_on_its_face_has_one_surface() {
    // a unit cube with a pyramid of two tets on its top, apex at (0.5, 0.5, 1.5)
    let cube = box_mesh([1.0; 3], [1; 3], BoxElement::Hex).unwrap();
    let mut positions = cube.positions().to_vec();
    positions.push([0.5, 0.5, 1.5]);
    // top nodes of the grid: 4 (0,0,1), 5 (1,0,1), 6 (0,1,1), 7 (1,1,1)
    for tets in [vec![[4, 5, 7, 8], [4, 7, 6, 8]], vec![[4, 5, 6, 8], [5, 7, 6, 8]]] {
        let mesh =
            Mesh::new(positions.clone(), tets, cube.hexes().to_vec(), vec![], BTreeMap::new()).unwrap();
        let surface = Surface::of(&mesh).unwrap();
        // five faces of the cube, four of the pyramid; closed, so that the area vectors sum to zero
        assert_eq!(surface.faces.len(), 9, "{:?}", surface.faces);
        let sum = surface.faces.iter().fold([0.0; 3], |sum, face| {
            let area = face.area_vector(mesh.positions());
            std::array::from_fn(|c| sum[c] + area[c])
        });
        assert!(sum.iter().all(|c: &f64| c.abs() < 1e-15), "{sum:?}");
    }
}
