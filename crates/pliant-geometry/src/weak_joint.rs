//! Cells that hang together by a node or an edge only.
//!
//! Such cells count as one connected part, but no stress passes over a point or a line: they hinge freely. Parts connected over faces are
//! found by joining the cells of each shared face; where one node has cells of two such parts, there is a weak joint.

use crate::adjacency::{Parts, connected_parts, join, root};
use crate::mesh::Mesh;
use crate::surface::face_neighbours;
use crate::tally::Tally;

/// How a mesh hangs together.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WeakJoints {
    /// Parts connected over nodes, as in [`connected_parts`].
    pub parts: usize,
    /// Parts connected over faces; more than `parts` if some are joined weakly.
    pub face_parts: usize,
    /// Nodes that join parts which no face joins; places by node.
    pub nodes: Tally,
}

/// The parts of a mesh whose cells are connected over faces, in the order of their first cells.
pub fn face_parts(mesh: &Mesh) -> Parts {
    let mut parent: Vec<u32> = (0..mesh.cell_count() as u32).collect();
    for [a, b] in face_neighbours(mesh) {
        join(&mut parent, a, b);
    }
    let (mut numbers, mut count) = (vec![u32::MAX; parent.len()], 0);
    let mut number = |cell: u32| {
        let of_root = &mut numbers[root(&mut parent, cell) as usize];
        if *of_root == u32::MAX {
            *of_root = count;
            count += 1;
        }
        *of_root
    };
    let of_cell = (0..mesh.cell_count() as u32).map(&mut number).collect();
    Parts { count: count as usize, of_cell }
}

/// Finds the nodes where parts of the mesh touch without sharing a face.
pub fn weak_joints(mesh: &Mesh) -> WeakJoints {
    let Parts { count: face_parts, of_cell } = face_parts(mesh);
    let parts = connected_parts(mesh).count;
    let mut joints = WeakJoints { parts, face_parts, ..WeakJoints::default() };
    let mut part_of_node = vec![None; mesh.node_count()];
    let mut weak = vec![false; mesh.node_count()];
    for (c, part) in of_cell.into_iter().enumerate() {
        for &n in mesh.cell_nodes(c) {
            weak[n as usize] |= *part_of_node[n as usize].get_or_insert(part) != part;
        }
    }
    for n in (0..weak.len()).filter(|&n| weak[n]) {
        joints.nodes.note(n as u32, || mesh.positions()[n]);
    }
    joints
}
