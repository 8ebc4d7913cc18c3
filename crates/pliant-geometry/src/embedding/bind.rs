//! Which cell holds each vertex of a surface, and with which weights.
//!
//! ```text
//! w_i = N_i(s) + dN_i/dX (X - x(s)),    x(s) the point of the cell closest to X                          (1)
//! ```
//!
//! A vertex inside goes to the lowest cell that contains it; there X = x(s) and (1) are its weights in that cell. One outside goes to the
//! cell with the closest point of the mesh and is held by that point's motion to first order: (1) keeps affine motions exact and runs
//! on continuously from inside to outside. Where several cells share the closest point (an edge or a corner), the one that needs the smallest
//! sum |w_i| holds it, since that sum is how much errors of the nodes grow; then the lowest.

use pliant_numerics::parallel;
use rayon::prelude::*;

use super::Followers;
use crate::bounds::Bounds;
use crate::broad_phase::BoxTree;
use crate::locate::{ROUNDING, within_cell};
use crate::mesh::Mesh;
use crate::vector::Vec3;
use crate::{hexahedron, tetrahedron};

/// Beyond this part of the diagonal of its cell's box a vertex is far outside.
const FAR: f64 = 0.25;
/// Distances this close to each other, over the size of the cell, are equal.
const EQUAL: f64 = 1e-9;

/// How the vertices of a surface lie to the cells that hold them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct OutsideVertices {
    /// How many are outside all cells.
    pub count: usize,
    /// How many are farther out than a quarter of the diagonal of their cell.
    pub far: usize,
    /// The one farthest out.
    pub worst: Option<OutsideVertex>,
}

/// A vertex outside all cells.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OutsideVertex {
    /// Its number.
    pub vertex: u32,
    /// Where it is at rest, m.
    pub position: [f64; 3],
    /// How far from the nearest cell, m.
    pub distance: f64,
    /// Diagonal of the box around that cell, m.
    pub cell_size: f64,
}

/// A vertex with its cell.
#[derive(Clone, Copy)]
pub(super) struct Bound {
    pub cell: u32,
    /// From the cell, m; 0 inside.
    pub distance: f64,
    pub weights: [f64; 8],
}

/// Binds all vertices; `None` if no cell has a volume.
pub(super) fn bound(mesh: &Mesh, vertices: &[Vec3]) -> Option<(Followers, OutsideVertices)> {
    let tree = cell_tree(mesh);
    let one = |vertex: &Vec3| bound_vertex(mesh, &tree, *vertex);
    let bounds: Vec<Option<Bound>> = parallel::collect(vertices.par_iter().with_min_len(64), one);
    let bounds: Vec<Bound> = bounds.into_iter().collect::<Option<_>>()?;
    let outside = outside(mesh, vertices, &bounds);
    let followers = if mesh.hexes().is_empty() {
        let (nodes, weights) = filled::<4>(mesh, &bounds);
        Followers::Four { nodes, weights }
    } else {
        let (nodes, weights) = filled::<8>(mesh, &bounds);
        Followers::Eight { nodes, weights }
    };
    Some((followers, outside))
}

/// Nodes and weights side by side; those that a cell does not have are its first node with weight zero.
fn filled<const N: usize>(mesh: &Mesh, bounds: &[Bound]) -> (Vec<[u32; N]>, Vec<[f64; N]>) {
    let nodes = |bound: &Bound| {
        let cell = mesh.cell_nodes(bound.cell as usize);
        std::array::from_fn(|i| cell.get(i).copied().unwrap_or(cell[0]))
    };
    let weights = |bound: &Bound| std::array::from_fn(|i| bound.weights[i]);
    (bounds.iter().map(nodes).collect(), bounds.iter().map(weights).collect())
}

/// A tree over the boxes of the cells, for many questions about points.
pub(super) fn cell_tree(mesh: &Mesh) -> BoxTree {
    BoxTree::new(&(0..mesh.cell_count() as u32).map(|c| cell_box(mesh, c)).collect::<Vec<_>>())
}

fn cell_box(mesh: &Mesh, cell: u32) -> Bounds {
    let corners = mesh.cell_nodes(cell as usize).iter().map(|&n| mesh.positions()[n as usize]);
    Bounds::of(corners).unwrap_or(Bounds::NOTHING)
}

pub(super) fn bound_vertex(mesh: &Mesh, tree: &BoxTree, vertex: Vec3) -> Option<Bound> {
    let (nearest, distance) = nearest_cell(mesh, tree, vertex)?;
    if distance == 0.0 {
        return Some(Bound { cell: nearest, distance, weights: weights(mesh, nearest, vertex)? });
    }
    // all cells with that closest point
    let reach = distance + EQUAL * cell_size(mesh, nearest);
    let mut best: Option<(f64, Bound)> = None;
    tree.near(vertex, reach * reach, |place| {
        let cell = tree.items()[place];
        let within = within_cell(mesh, cell as usize, vertex).is_some_and(|found| found.distance <= reach);
        if let Some(weights) = within.then(|| weights(mesh, cell, vertex)).flatten() {
            let growth = weights.iter().map(|w| w.abs()).sum::<f64>();
            if best.is_none_or(|(least, bound)| (growth, cell) < (least, bound.cell)) {
                best = Some((growth, Bound { cell, distance, weights }));
            }
        }
        reach * reach
    });
    best.map(|(_, bound)| bound)
}

/// The cell that contains the vertex, or the nearest one and its distance; the lowest of equals.
fn nearest_cell(mesh: &Mesh, tree: &BoxTree, vertex: Vec3) -> Option<(u32, f64)> {
    let mut nearest: Option<(u32, f64)> = None;
    tree.near(vertex, f64::INFINITY, |place| {
        let cell = tree.items()[place];
        if let Some(found) = within_cell(mesh, cell as usize, vertex) {
            let rounding = ROUNDING * cell_size(mesh, cell);
            let distance = if found.distance <= rounding { 0.0 } else { found.distance };
            if nearest.is_none_or(|(lowest, least)| (distance, cell) < (least, lowest)) {
                nearest = Some((cell, distance));
            }
        }
        nearest.map_or(f64::INFINITY, |(_, least)| least * least)
    });
    nearest
}

/// (1), for tetrahedra the barycentric weights of any point; `None` for a flat cell.
fn weights(mesh: &Mesh, cell: u32, point: Vec3) -> Option<[f64; 8]> {
    let cell = cell as usize;
    match mesh.tets().get(cell) {
        Some(tet) => {
            let [a, b, c, d] = tetrahedron::weights(&mesh.corners(tet), point)?;
            Some([a, b, c, d, 0.0, 0.0, 0.0, 0.0])
        }
        None => hexahedron::extended_weights(&mesh.corners(&mesh.hexes()[cell - mesh.tets().len()]), point),
    }
}

/// Diagonal of the box around a cell, m.
fn cell_size(mesh: &Mesh, cell: u32) -> f64 {
    cell_box(mesh, cell).diagonal()
}

fn outside(mesh: &Mesh, vertices: &[Vec3], bounds: &[Bound]) -> OutsideVertices {
    let mut all = OutsideVertices::default();
    for (vertex, bound) in (0..).zip(bounds).filter(|(_, bound)| bound.distance > 0.0) {
        let cell_size = cell_size(mesh, bound.cell);
        all.count += 1;
        all.far += usize::from(bound.distance > FAR * cell_size);
        if all.worst.is_none_or(|worst| bound.distance > worst.distance) {
            let (position, distance) = (vertices[vertex as usize], bound.distance);
            all.worst = Some(OutsideVertex { vertex, position, distance, cell_size });
        }
    }
    all
}
