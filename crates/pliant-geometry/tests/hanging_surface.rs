//! The boundary of meshes with hanging nodes is that of the solid: nothing at seams, closed edge by edge.
#![allow(clippy::unwrap_used)]

use std::collections::{BTreeMap, BTreeSet, HashMap};

use pliant_geometry::{
    BoxElement, MaterialPoint, Mesh, Surface, SurfaceCheck, box_mesh, surface_check, without_orphans,
};

type Hanging = Vec<(u32, MaterialPoint)>;

/// Cubes of a lattice by their lowest corner and side.
type Cubes = Vec<([i32; 3], [i32; 3])>;

/// A mesh of boxes on the lattice, and the nodes that hang: those in the side or face of a larger box.
fn lattice_mesh(cubes: &Cubes) -> (Mesh, Hanging) {
    let mut number: BTreeMap<[i32; 3], u32> = BTreeMap::new();
    let corner = |(low, size): &([i32; 3], [i32; 3]), c: usize| {
        let bits =
            [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 1], [1, 0, 1], [1, 1, 1], [0, 1, 1]][c];
        [0, 1, 2].map(|k| low[k] + bits[k] * size[k])
    };
    for cube in cubes {
        for c in 0..8 {
            let next = number.len() as u32;
            number.entry(corner(cube, c)).or_insert(next);
        }
    }
    let hexes = cubes.iter().map(|cube| [0, 1, 2, 3, 4, 5, 6, 7].map(|c| number[&corner(cube, c)])).collect();
    let mut positions = vec![[0.0; 3]; number.len()];
    number.iter().for_each(|(at, n)| positions[*n as usize] = at.map(f64::from));
    let mut hanging = Vec::new();
    for (at, &node) in &number {
        let mut masters: Vec<MaterialPoint> =
            cubes.iter().filter_map(|c| masters_in(c, *at, &number)).collect();
        // of several boxes the one on whose side the node is: its masters are fewest
        masters.sort_by_key(MaterialPoint::len);
        hanging.extend(masters.into_iter().next().map(|m| (node, m)));
    }
    (Mesh::new(positions, vec![], hexes, vec![], BTreeMap::new()).unwrap(), hanging)
}

/// The corners of a box that a node in one of its sides or faces hangs on.
fn masters_in(
    (low, size): &([i32; 3], [i32; 3]),
    at: [i32; 3],
    number: &BTreeMap<[i32; 3], u32>,
) -> Option<MaterialPoint> {
    let along = [0, 1, 2].map(|k| f64::from(at[k] - low[k]) / f64::from(size[k]));
    let inner = along.iter().filter(|s| **s > 0.0 && **s < 1.0).count();
    if along.iter().any(|s| *s < 0.0 || *s > 1.0) || inner == 0 || inner == 3 {
        return None;
    }
    let corner = |bits: usize| {
        let bit = |k: usize| bits >> k & 1;
        let weight: f64 = (0..3).map(|k| if bit(k) == 1 { along[k] } else { 1.0 - along[k] }).product();
        (number[&[0, 1, 2].map(|k| low[k] + bit(k) as i32 * size[k])], weight)
    };
    Some((0..8).map(corner).filter(|(_, weight)| *weight > 0.0).collect())
}

/// Area, volume (m^2, m^3) and what is wrong with the triangles.
fn measured(mesh: &Mesh, surface: &Surface) -> (f64, f64, SurfaceCheck) {
    let at = |n: u32| mesh.positions()[n as usize];
    let (mut area, mut volume) = (0.0, 0.0);
    for face in &surface.faces {
        let vector = face.area_vector(mesh.positions());
        area += vector.iter().map(|a| a * a).sum::<f64>().sqrt();
        volume += vector.iter().zip(at(face.nodes()[0])).map(|(a, x)| a * x).sum::<f64>() / 3.0;
    }
    let shell =
        Mesh::new(mesh.positions().to_vec(), vec![], vec![], surface.triangles(), BTreeMap::new()).unwrap();
    (area, volume, surface_check(&without_orphans(&shell).mesh))
}

#[test]
fn a_coarse_cell_beside_finer_ones_has_the_boundary_of_the_box() {
    let coarse = ([0; 3], [2; 3]);
    let layer: Cubes = (0..4).map(|n| ([2, n / 2, n % 2], [1; 3])).collect();
    let block: Cubes = (0..8).map(|n| ([2 + n / 4, n / 2 % 2, n % 2], [1; 3])).collect();
    let halves: Cubes = (0..2).map(|n| ([2, n, 0], [1, 1, 2])).collect();
    let rows: Cubes = (0..2).map(|n| ([2, 0, n], [1, 2, 1])).collect();
    for (fine, length, faces, nodes) in
        [(layer, 3.0, 25, 21), (block, 4.0, 33, 29), (halves, 3.0, 17, 16), (rows, 3.0, 17, 16)]
    {
        let (mesh, hanging) = lattice_mesh(&std::iter::once(coarse).chain(fine).collect());
        let surface = Surface::of_hanging(&mesh, &hanging).unwrap();
        let (area, volume, check) = measured(&mesh, &surface);
        assert!(check.is_sound() && check.shells == 1, "{check:?}");
        assert_eq!((area, surface.faces.len()), (8.0 + 8.0 * length, faces));
        assert!((volume - 4.0 * length).abs() < 1e-12);
        // the middle of the seam is inside, the middles of its sides are outside
        assert_eq!(surface.nodes().len(), nodes);
        assert_eq!(Surface::of_hanging(&mesh, &[]), Surface::of(&mesh));
    }
}

#[test]
fn a_refined_cell_in_the_middle_changes_nothing() {
    let mut cubes: Cubes = Vec::new();
    for n in 0..27 {
        let low = [n / 9, n / 3 % 3, n % 3].map(|i| 2 * i);
        match n {
            13 => cubes.extend((0..8).map(|m| ([0, 1, 2].map(|k| low[k] + (m >> k & 1)), [1; 3]))),
            _ => cubes.push((low, [2; 3])),
        }
    }
    let (mesh, hanging) = lattice_mesh(&cubes);
    assert_eq!(hanging.len(), 18);
    let surface = Surface::of_hanging(&mesh, &hanging).unwrap();
    let plain = Surface::of(&box_mesh([6.0; 3], [3; 3], BoxElement::Hex).unwrap()).unwrap();
    assert_eq!(surface.faces.len(), plain.faces.len());
    assert_eq!(surface.nodes().len(), plain.nodes().len());
    assert!(measured(&mesh, &surface).2.is_sound());
}

#[test]
fn a_tetrahedron_against_four_smaller_ones_is_one_solid() {
    let mut positions = vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.2, 0.2, -1.0], [0.3, 0.3, 1.0]];
    let mut hanging = Hanging::new();
    for (a, b) in [(0, 1), (1, 2), (2, 0)] {
        let masters = MaterialPoint::from([(a, 0.5), (b, 0.5)]);
        hanging.push((positions.len() as u32, masters.clone()));
        positions.push(masters.position(&positions));
    }
    let tets = vec![[0, 2, 1, 3], [0, 5, 7, 4], [5, 1, 6, 4], [7, 6, 2, 4], [5, 6, 7, 4]];
    let mesh = Mesh::new(positions, tets, vec![], vec![], BTreeMap::new()).unwrap();
    let surface = Surface::of_hanging(&mesh, &hanging).unwrap();
    let (_, volume, check) = measured(&mesh, &surface);
    // three sides below, each in two halves, and six above
    assert!(check.is_sound() && surface.faces.len() == 12, "{check:?}");
    assert!((volume - 2.0 / 6.0).abs() < 1e-15);
    assert_eq!(surface.nodes().len(), 8);
}

#[test]
fn what_is_left_of_a_face_that_is_covered_in_part_is_boundary() {
    let cubes = |kept: &[i32]| -> Cubes {
        let small = kept.iter().map(|n| ([2, n / 2, n % 2], [1; 3]));
        std::iter::once(([0; 3], [2; 3])).chain(small).collect()
    };
    // of four small cells some: each adds its sides that touch no other, its end equals what it covers
    for (kept, area) in [(&[0][..], 28.0), (&[0, 1], 30.0), (&[0, 3], 32.0), (&[0, 1, 2], 32.0)] {
        let (mesh, hanging) = lattice_mesh(&cubes(kept));
        let surface = Surface::of_hanging(&mesh, &hanging).unwrap();
        let (found, volume, check) = measured(&mesh, &surface);
        assert!((found - area).abs() < 1e-12, "{kept:?}: {found}");
        assert!((volume - 8.0 - kept.len() as f64).abs() < 1e-12);
        assert_eq!(check.free_edges.count, 0, "{kept:?}");
    }
}

/// Numbers from 0 up to a bound, the same in every run.
struct Noise(u64);

impl Noise {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % bound
    }
}

fn refined(low: [i32; 3], size: i32, noise: &mut Noise, out: &mut Cubes) {
    if size == 1 || noise.below(3) == 0 {
        return out.push((low, [size; 3]));
    }
    let half = size / 2;
    (0..8).for_each(|m| refined([0, 1, 2].map(|k| low[k] + half * (m >> k & 1)), half, noise, out));
}

/// Faces of unit cubes with nothing behind them.
fn exposed_area(cubes: &Cubes) -> f64 {
    let mut filled = BTreeSet::new();
    for (low, size) in cubes {
        for n in 0..size[0] * size[1] * size[2] {
            filled.insert([
                low[0] + n % size[0],
                low[1] + n / size[0] % size[1],
                low[2] + n / size[0] / size[1],
            ]);
        }
    }
    let steps = [[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]];
    let open = |at: &[i32; 3]| {
        steps.iter().filter(|step| !filled.contains(&[0, 1, 2].map(|k| at[k] + step[k]))).count()
    };
    filled.iter().map(open).sum::<usize>() as f64
}

/// Whether every edge is run along as often one way as the other.
fn is_closed(surface: &Surface) -> bool {
    let mut ways: HashMap<[u32; 2], i32> = HashMap::new();
    for [a, b, c] in surface.triangles() {
        for [from, to] in [[a, b], [b, c], [c, a]] {
            *ways.entry([from.min(to), from.max(to)]).or_default() += if from < to { 1 } else { -1 };
        }
    }
    ways.values().all(|balance| *balance == 0)
}

#[test]
fn random_trees_of_cells_have_the_boundary_of_their_solid() {
    let mut noise = Noise(7);
    for round in 0..60 {
        // up to 4:1 across a face where all cells are there; 2:1 with a third of the cells taken away
        let (side, takes) = if round % 2 == 0 { (4, 1) } else { (2, 3) };
        let mut cubes = Cubes::new();
        (0..8).for_each(|m| refined([0, 1, 2].map(|k| side * (m >> k & 1)), side, &mut noise, &mut cubes));
        cubes.retain(|_| takes == 1 || noise.below(takes) > 0);
        let (mesh, hanging) = lattice_mesh(&cubes);
        let surface = Surface::of_hanging(&mesh, &hanging).unwrap();
        let (area, volume, check) = measured(&mesh, &surface);
        assert!(is_closed(&surface), "round {round}");
        assert_eq!(check.flat_triangles.count, 0, "round {round}");
        let exact: i32 = cubes.iter().map(|(_, s)| s[0] * s[1] * s[2]).sum();
        assert!((volume - f64::from(exact)).abs() < 1e-9, "round {round}: {volume}");
        assert!((area - exposed_area(&cubes)).abs() < 1e-9, "round {round}: {area}");
        if round % 2 == 0 {
            let outer = surface.nodes().iter().all(|n| {
                mesh.positions()[*n as usize].iter().any(|x| *x == 0.0 || *x == f64::from(2 * side))
            });
            assert!(outer, "round {round}: a seam shows");
        }
    }
}

#[test]
fn masters_may_be_given_with_or_without_hanging_ones_among_them() {
    // sides 4, 2 and 1: some nodes hang on hanging ones
    let mut cubes: Cubes = vec![([0; 3], [4; 3])];
    cubes.extend((0..4).filter(|n| *n != 0).map(|n| ([4, n / 2 * 2, n % 2 * 2], [2; 3])));
    cubes.extend((0..8).map(|m| ([4 + (m & 1), m >> 1 & 1, m >> 2], [1; 3])));
    let (mesh, chained) = lattice_mesh(&cubes);
    let of: HashMap<u32, MaterialPoint> = chained.iter().cloned().collect();
    let resolved: Hanging = chained
        .iter()
        .map(|(node, masters)| {
            let mut point = masters.clone();
            for _ in 0..2 {
                let roots = point.iter().flat_map(|(n, w)| {
                    of.get(&n)
                        .cloned()
                        .unwrap_or_else(|| MaterialPoint::node(n))
                        .scaled(w)
                        .iter()
                        .collect::<Vec<_>>()
                });
                point = roots.collect::<MaterialPoint>().merged();
            }
            (*node, point)
        })
        .collect();
    assert_ne!(chained, resolved);
    let [one, other] = [chained, resolved].map(|hanging| Surface::of_hanging(&mesh, &hanging).unwrap());
    assert_eq!(one, other);
    let (area, _, check) = measured(&mesh, &one);
    assert!(check.is_sound() && (area - 128.0).abs() < 1e-12, "{area} {check:?}");
}
