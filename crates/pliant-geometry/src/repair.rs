//! Elements that are turned the wrong way, turned back.
//!
//! - a tetrahedron of negative volume has two nodes swapped;
//! - a hexahedron whose det J is negative at all eight corners is a mirror image: its lower and upper faces are swapped. One with mixed
//!   signs is folded, which no order of nodes mends: it is left;
//! - in a mesh with cells, triangles on their boundary are turned outward; those inside or elsewhere have no outside and are left;
//! - in a mesh of triangles only, those joined over an edge of exactly two are made to agree. A closed shell is then turned away
//!   from the solid: outward, or inward if it is a cavity (`nesting.rs` finds which shell lies in which); an open sheet keeps the side that
//!   most of its triangles have; so does one that ends at a fork (an edge of more than two), where nothing tells its outside, and it is
//!   told; a one-sided one is left.

use crate::edge_table::EdgeTable;
use crate::mesh::{Mesh, MeshParts};
use crate::nesting::inside_out;
use crate::shell::Shells;
use crate::surface::{FaceNodes, boundary};
use crate::tally::Tally;
use crate::{hexahedron, tetrahedron};

/// What was turned, and what could not be mended.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Reorientation {
    /// Tetrahedra turned.
    pub tets: usize,
    /// Hexahedra turned.
    pub hexes: usize,
    /// Surface triangles turned.
    pub triangles: usize,
    /// Tetrahedra without volume, left; places by cell.
    pub flat_tets: Tally,
    /// Hexahedra with det J of both signs, or zero, at their corners, left; places by cell.
    pub folded_hexes: Tally,
    /// One-sided shells of triangles, left; places by their lowest triangle.
    pub one_sided_shells: Tally,
    /// Other shells that end at an edge of more than two triangles: made to agree, but their outside is not known; places likewise.
    pub forked_shells: Tally,
}

impl Reorientation {
    /// Number of elements turned.
    pub fn turned(&self) -> usize {
        self.tets + self.hexes + self.triangles
    }

    /// Is every element oriented now?
    pub fn is_complete(&self) -> bool {
        let left = [&self.flat_tets, &self.folded_hexes, &self.one_sided_shells, &self.forked_shells];
        left.iter().all(|tally| tally.count == 0)
    }
}

/// The mesh with its elements oriented, and what that took. Numbers and groups stay.
pub fn reoriented(mesh: Mesh) -> (Mesh, Reorientation) {
    let mut report = Reorientation::default();
    let (mut tets, mut hexes) = (mesh.tets().to_vec(), mesh.hexes().to_vec());
    for (c, tet) in tets.iter_mut().enumerate() {
        let volume = tetrahedron::volume(&mesh.corners(tet));
        if volume < 0.0 {
            tet.swap(2, 3);
            report.tets += 1;
        } else if volume == 0.0 || volume.is_nan() {
            report.flat_tets.note(c as u32, || mesh.mean_position(tet));
        }
    }
    for (c, hex) in (mesh.tets().len()..).zip(&mut hexes) {
        let corners = mesh.corners(hex);
        let at_corners = hexahedron::CORNERS.map(|s| hexahedron::jacobian_determinant(&corners, s));
        if at_corners.iter().all(|&d| d < 0.0) {
            hex.rotate_left(4);
            report.hexes += 1;
        } else if !at_corners.iter().all(|&d| d > 0.0) {
            report.folded_hexes.note(c as u32, || mesh.mean_position(hex));
        }
    }
    let mesh = Mesh::from_sound(MeshParts { tets, hexes, ..mesh.into_parts() });
    let turns = match (mesh.triangles().is_empty(), mesh.cell_count()) {
        (true, _) => Vec::new(),
        (false, 0) => turns_of_shells(&mesh, &mut report),
        (false, _) => turns_on_boundary(&mesh),
    };
    let mut parts = mesh.into_parts();
    for (triangle, _) in parts.triangles.iter_mut().zip(turns).filter(|(_, turn)| *turn) {
        triangle.swap(1, 2);
        report.triangles += 1;
    }
    (Mesh::from_sound(parts), report)
}

/// The nodes in rising order, and whether that is an even permutation (the same side).
fn sorted_with_side([a, b, c]: [u32; 3]) -> ([u32; 3], bool) {
    let mut sorted = [a, b, c];
    sorted.sort_unstable();
    let next_of_lowest = if a == sorted[0] {
        b
    } else if b == sorted[0] {
        c
    } else {
        a
    };
    (sorted, next_of_lowest == sorted[1])
}

/// Which triangles lie on the boundary of the cells and face inward.
fn turns_on_boundary(mesh: &Mesh) -> Vec<bool> {
    let mut outward = Vec::new();
    for face in boundary(mesh).0 {
        match face.nodes {
            FaceNodes::Triangle(nodes) => outward.push(sorted_with_side(nodes)),
            // half of a quadrilateral, cut either way
            FaceNodes::Quad([a, b, c, d]) => {
                outward.extend([[a, b, c], [b, c, d], [c, d, a], [d, a, b]].map(sorted_with_side));
            }
        }
    }
    outward.sort_unstable();
    let turn = |&nodes: &[u32; 3]| {
        let (sorted, side) = sorted_with_side(nodes);
        let found = outward.partition_point(|(other, _)| *other < sorted);
        outward.get(found).is_some_and(|&(other, outer_side)| other == sorted && outer_side != side)
    };
    mesh.triangles().iter().map(turn).collect()
}

/// Which triangles must be turned so that each shell agrees and the closed ones face away from the solid.
fn turns_of_shells(mesh: &Mesh, report: &mut Reorientation) -> Vec<bool> {
    let all = Shells::of(mesh, &EdgeTable::of(mesh));
    let wrong = inside_out(mesh, &all);
    let Shells { shells, of_triangle, mut turned } = all;
    for shell in &shells {
        let tally = match (shell.one_sided, shell.forked) {
            (true, _) => &mut report.one_sided_shells,
            (false, true) => &mut report.forked_shells,
            (false, false) => continue,
        };
        let nodes = &mesh.triangles()[shell.first as usize];
        tally.note(shell.first, || mesh.mean_position(nodes));
    }
    for (t, turn) in turned.iter_mut().enumerate() {
        let s = of_triangle[t] as usize;
        let shell = &shells[s];
        let whole = if shell.closed { wrong[s] } else { 2 * shell.turned > shell.triangles };
        *turn = (*turn != whole) && !shell.one_sided;
    }
    turned
}
