//! Findings about cells: turned inside out, or so thin that they spoil accuracy and step size.
//!
//! ```text
//! tet:  q = 12 (3 V)^(2/3) / (sum of the six squared edge lengths)    1 for the regular tetrahedron   (1)
//! hex:  q = min over corners of det(e1, e2, e3) / (|e1| |e2| |e3|)     1 for a rectangular box          (2)
//! ```
//!
//! (1) is the mean ratio, (2) the scaled Jacobian with e_k the edges that leave the corner. Both are
//! set to 0 where the cell is flat or inverted.

use crate::mesh::Mesh;
use crate::vector::{Vec3, det, dot, norm, sub};
use crate::{hexahedron, tetrahedron};

/// A cell of poor shape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sliver {
    /// The cell.
    pub cell: u32,
    /// Its quality, 0 to 1.
    pub quality: f64,
    /// Mean of its corners, m.
    pub centroid: [f64; 3],
}

/// Cells that are reversed, flat or inverted, in rising order.
///
/// A tetrahedron is when its signed volume is not positive, a hexahedron when det J is not
/// positive at a corner or at a point of the 2x2x2 Gauss rule. See also [`folded_hexes`].
pub fn orientation(mesh: &Mesh) -> Vec<u32> {
    let bad_tets =
        (0_u32..).zip(mesh.tets()).filter(|(_, tet)| tetrahedron::volume(&mesh.corners(tet)) <= 0.0);
    let bad_hexes = numbered_hexes(mesh).filter(|(_, p)| {
        !positive_at(p, &hexahedron::gauss_points()) || !positive_at(p, &hexahedron::CORNERS)
    });
    bad_tets.map(|(c, _)| c).chain(bad_hexes.map(|(c, _)| c)).collect()
}

/// Those cells of [`orientation`] that are folded at a corner only: hexahedra with det J positive at all
/// points of the 2x2x2 Gauss rule. They can be integrated, so they deserve a warning rather than a refusal.
pub fn folded_hexes(mesh: &Mesh) -> Vec<u32> {
    numbered_hexes(mesh)
        .filter(|(_, p)| positive_at(p, &hexahedron::gauss_points()) && !positive_at(p, &hexahedron::CORNERS))
        .map(|(c, _)| c)
        .collect()
}

fn numbered_hexes(mesh: &Mesh) -> impl Iterator<Item = (u32, [Vec3; 8])> {
    (mesh.tets().len() as u32..).zip(mesh.hexes()).map(|(c, hex)| (c, mesh.corners(hex)))
}

fn positive_at(p: &[Vec3; 8], places: &[Vec3; 8]) -> bool {
    places.iter().all(|&s| hexahedron::jacobian_determinant(p, s) > 0.0)
}

/// Shape of cell `c`, from 0 (flat or inverted) to 1 (best); see the [module](self).
pub fn quality(mesh: &Mesh, c: usize) -> f64 {
    match mesh.tets().get(c) {
        Some(tet) => tet_mean_ratio(&mesh.corners(tet)),
        None => hex_scaled_jacobian(&mesh.corners(&mesh.hexes()[c - mesh.tets().len()])),
    }
}

/// Cells of a quality below `threshold`, in rising order.
pub fn slivers(mesh: &Mesh, threshold: f64) -> Vec<Sliver> {
    (0..mesh.cell_count())
        .map(|c| Sliver { cell: c as u32, quality: quality(mesh, c), centroid: mesh.cell_centroid(c) })
        .filter(|sliver| sliver.quality < threshold)
        .collect()
}

fn tet_mean_ratio(p: &[Vec3; 4]) -> f64 {
    let volume = tetrahedron::volume(p);
    let edges = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)];
    let squares: f64 = edges.iter().map(|&(i, j)| sub(p[i], p[j])).map(|e| dot(e, e)).sum();
    if volume <= 0.0 || squares == 0.0 {
        return 0.0;
    }
    (12.0 * (3.0 * volume).powf(2.0 / 3.0) / squares).clamp(0.0, 1.0) // (1)
}

fn hex_scaled_jacobian(p: &[Vec3; 8]) -> f64 {
    let at_corner = |&s: &Vec3| {
        let [a, b, c] = hexahedron::jacobian(p, s);
        let lengths = norm(a) * norm(b) * norm(c);
        if lengths > 0.0 { det(a, b, c) / lengths } else { 0.0 } // (2)
    };
    hexahedron::CORNERS.iter().map(at_corner).fold(1.0, f64::min).clamp(0.0, 1.0)
}
