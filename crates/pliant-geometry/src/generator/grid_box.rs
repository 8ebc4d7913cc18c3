//! Boxes cut into tetrahedra or hexahedra.
//!
//! Nodes run x fastest, then y, then z, and so do the cells of the grid. A grid cell becomes one
//! hexahedron, six tetrahedra around the diagonal from its lowest to its highest corner (Kuhn; every
//! cell alike), or five tetrahedra: one on each of four corners and one between them, mirrored in every
//! second cell (odd i + j + k) so that the faces of neighbours match. Coordinates are size * (i / n),
//! so both ends are exact.

use std::collections::BTreeMap;

use super::{GeneratorError, MOST_CELLS};
use crate::mesh::Mesh;

/// How a box is cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoxElement {
    /// Five tetrahedra per grid cell, alternating.
    Tet5,
    /// Six tetrahedra per grid cell (Kuhn).
    Tet6,
    /// One hexahedron per grid cell.
    Hex,
}

// corners of a grid cell are numbered as in VTK type 12: 0-3 below, 4-7 above, both counter-clockwise from the lowest
const EVEN: [[usize; 4]; 5] = [[0, 1, 3, 4], [2, 3, 1, 6], [5, 1, 4, 6], [7, 4, 3, 6], [1, 3, 4, 6]];
const ODD: [[usize; 4]; 5] = [[1, 0, 5, 2], [3, 0, 2, 7], [4, 0, 7, 5], [6, 2, 5, 7], [0, 5, 2, 7]];
const KUHN: [[usize; 4]; 6] =
    [[0, 1, 2, 6], [0, 2, 3, 6], [0, 3, 7, 6], [0, 7, 4, 6], [0, 4, 5, 6], [0, 5, 1, 6]];

/// The box from the origin to `size` (m), cut into `cells` grid cells along x, y, z.
pub fn box_mesh(size: [f64; 3], cells: [usize; 3], element: BoxElement) -> Result<Mesh, GeneratorError> {
    if !size.iter().all(|&s| s > 0.0 && s.is_finite()) {
        return Err(GeneratorError::Size(size));
    }
    let count = cells.iter().try_fold(1_usize, |product, &n| product.checked_mul(n));
    if !count.is_some_and(|n| (1..=MOST_CELLS).contains(&n)) {
        return Err(GeneratorError::Cells(cells));
    }
    let (mut tets, mut hexes) = (Vec::new(), Vec::new());
    for (cell, corners) in grid_cells(cells) {
        let parity = cell.iter().sum::<usize>() % 2;
        match element {
            BoxElement::Hex => hexes.push(corners),
            BoxElement::Tet6 => tets.extend(KUHN.map(|tet| tet.map(|i| corners[i]))),
            BoxElement::Tet5 => tets.extend([EVEN, ODD][parity].map(|tet| tet.map(|i| corners[i]))),
        }
    }
    Ok(Mesh::new(grid_points(size, cells), tets, hexes, Vec::new(), BTreeMap::new())?)
}

fn grid_points(size: [f64; 3], cells: [usize; 3]) -> Vec<[f64; 3]> {
    let along = |k: usize, i: usize| size[k] * (i as f64 / cells[k] as f64);
    let mut points = Vec::with_capacity((cells[0] + 1) * (cells[1] + 1) * (cells[2] + 1));
    for k in 0..=cells[2] {
        for j in 0..=cells[1] {
            points.extend((0..=cells[0]).map(|i| [along(0, i), along(1, j), along(2, k)]));
        }
    }
    points
}

/// Each grid cell with its place and its corner nodes.
pub(super) fn grid_cells(cells: [usize; 3]) -> impl Iterator<Item = ([usize; 3], [u32; 8])> {
    let [nx, ny, nz] = cells;
    let row = nx + 1;
    let layer = row * (ny + 1);
    (0..nx * ny * nz).map(move |c| {
        let (i, j, k) = (c % nx, c / nx % ny, c / nx / ny);
        let lowest = i + row * j + layer * k;
        let corners = [0, 1, row + 1, row, layer, layer + 1, layer + row + 1, layer + row];
        ([i, j, k], corners.map(|offset| (lowest + offset) as u32))
    })
}
