//! Meshes that tests need beside boxes.

use std::collections::BTreeMap;

use pliant_geometry::{BoxElement, MaterialPoint, Mesh, box_mesh, hexes_in_tets};
use pliant_solid::Hanging;

use super::{Noise, Vec3};

/// The nodes of the solid patch test of MacNeal and Harder (1985): 8 inside, 8 at the cube's corners.
const PATCH_NODES: [Vec3; 16] = [
    [0.249, 0.342, 0.192],
    [0.826, 0.288, 0.288],
    [0.85, 0.649, 0.263],
    [0.273, 0.75, 0.23],
    [0.32, 0.186, 0.643],
    [0.677, 0.305, 0.683],
    [0.788, 0.693, 0.644],
    [0.165, 0.745, 0.702],
    [0.0, 0.0, 0.0],
    [1.0, 0.0, 0.0],
    [1.0, 1.0, 0.0],
    [0.0, 1.0, 0.0],
    [0.0, 0.0, 1.0],
    [1.0, 0.0, 1.0],
    [1.0, 1.0, 1.0],
    [0.0, 1.0, 1.0],
];

const PATCH_HEXES: [[u32; 8]; 7] = [
    [0, 1, 2, 3, 4, 5, 6, 7],
    [0, 3, 2, 1, 8, 11, 10, 9],
    [4, 5, 6, 7, 12, 13, 14, 15],
    [0, 1, 5, 4, 8, 9, 13, 12],
    [1, 2, 6, 5, 9, 10, 14, 13],
    [2, 3, 7, 6, 10, 11, 15, 14],
    [3, 0, 4, 7, 11, 8, 12, 15],
];

pub fn mesh(positions: Vec<Vec3>, tets: Vec<[u32; 4]>, hexes: Vec<[u32; 8]>) -> Mesh {
    Mesh::new(positions, tets, hexes, vec![], BTreeMap::new()).unwrap()
}

pub fn block(size: Vec3, cells: [usize; 3], element: BoxElement) -> Mesh {
    box_mesh(size, cells, element).unwrap()
}

/// Seven distorted hexahedra in the unit cube.
pub fn patch_hexes() -> Mesh {
    mesh(PATCH_NODES.to_vec(), vec![], PATCH_HEXES.to_vec())
}

/// The same cube, each hexahedron cut into six tetrahedra that meet their neighbours face to face.
pub fn patch_tets() -> Mesh {
    mesh(PATCH_NODES.to_vec(), hexes_in_tets(&PATCH_HEXES), vec![])
}

/// Both patches, with names.
pub fn patches() -> [(&'static str, Mesh); 2] {
    [("hex8", patch_hexes()), ("tet4", patch_tets())]
}

/// Whether a point is a corner of the unit cube: the outer nodes of the patches.
pub fn on_cube(p: Vec3) -> bool {
    p.iter().all(|c| *c == 0.0 || *c == 1.0)
}

/// A box whose inner nodes are pushed about by a part of the cell size.
pub fn distorted(size: Vec3, cells: [usize; 3], element: BoxElement, part: f64) -> Mesh {
    let plain = block(size, cells, element);
    let mut noise = Noise::new(7);
    let mut positions = plain.positions().to_vec();
    for p in &mut positions {
        for c in 0..3 {
            let inside = p[c] > 1e-9 * size[c] && p[c] < (1.0 - 1e-9) * size[c];
            let shift = part * size[c] / cells[c] as f64 * noise.next();
            p[c] += if inside { shift } else { 0.0 };
        }
    }
    mesh(positions, plain.tets().to_vec(), plain.hexes().to_vec())
}

/// 27 cells of side 1/3 in the unit cube, the middle one cut into eight: its 12 mid-edge and 6
/// mid-face nodes hang on its corners.
pub fn cube_with_hanging_nodes() -> (Mesh, Vec<Hanging>) {
    let coarse = block([1.0; 3], [3; 3], BoxElement::Hex);
    let mut positions = coarse.positions().to_vec();
    let mut hexes = coarse.hexes().to_vec();
    let corners = hexes.remove(13); // cell (1, 1, 1)
    // corner numbers of a hexahedron by (i, j, k)
    let corner = |i: usize, j: usize, k: usize| corners[[[0, 4], [3, 7], [1, 5], [2, 6]][2 * i + j][k]];
    let mut hanging = Vec::new();
    let mut fine = [[[0_u32; 3]; 3]; 3];
    for (n, node) in fine.iter_mut().flatten().flatten().enumerate() {
        let place = [n / 9, n / 3 % 3, n % 3];
        let masters = masters_of(place, corner);
        if masters.len() == 1 {
            *node = masters.nodes().next().unwrap();
            continue;
        }
        *node = positions.len() as u32;
        positions.push(masters.position(&positions));
        if masters.len() < 8 {
            hanging.push((*node, masters));
        }
    }
    for n in 0..8 {
        let (i, j, k) = (n >> 2, n >> 1 & 1, n & 1);
        let at = |a: usize, b: usize, c: usize| fine[i + a][j + b][k + c];
        hexes.push([
            at(0, 0, 0),
            at(1, 0, 0),
            at(1, 1, 0),
            at(0, 1, 0),
            at(0, 0, 1),
            at(1, 0, 1),
            at(1, 1, 1),
            at(0, 1, 1),
        ]);
    }
    (mesh(positions, vec![], hexes), hanging)
}

/// The corners a node of the 3 x 3 x 3 subdivision lies between, with equal weights.
fn masters_of(place: [usize; 3], corner: impl Fn(usize, usize, usize) -> u32) -> MaterialPoint {
    let ends = place.map(|p| match p {
        0 => vec![0],
        1 => vec![0, 1],
        _ => vec![1],
    });
    let weight = 1.0 / (ends[0].len() * ends[1].len() * ends[2].len()) as f64;
    let mut out = MaterialPoint::default();
    for &i in &ends[0] {
        for &j in &ends[1] {
            out.extend(ends[2].iter().map(|&k| (corner(i, j, k), weight)));
        }
    }
    out
}
