//! The edges of the surface triangles, each with the triangles that use it.
//!
//! A counting sort by the lower node and a sort of each node's edges: linear but for the logarithm of the largest fan.

use crate::mesh::Mesh;

/// One use of an edge by a triangle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct EdgeUse {
    /// The node of the edge with the higher number.
    pub high: u32,
    /// The triangle.
    pub triangle: u32,
    /// Which edge of the triangle: from corner `local` to the next.
    pub local: u32,
}

/// All uses, ordered by the edge's lower node, then its higher one, then the triangle.
pub(crate) struct EdgeTable {
    offsets: Vec<usize>,
    uses: Vec<EdgeUse>,
}

impl EdgeTable {
    /// Reads the edges of all triangles.
    pub fn of(mesh: &Mesh) -> Self {
        let ends = |t: usize, local: usize| {
            let nodes = mesh.triangles()[t];
            let (a, b) = (nodes[local], nodes[(local + 1) % 3]);
            (a.min(b), a.max(b))
        };
        let mut offsets = vec![0_usize; mesh.node_count() + 1];
        for t in 0..mesh.triangles().len() {
            (0..3).for_each(|local| offsets[ends(t, local).0 as usize + 1] += 1);
        }
        for n in 0..mesh.node_count() {
            offsets[n + 1] += offsets[n];
        }
        let mut next = offsets.clone();
        let mut uses = vec![EdgeUse { high: 0, triangle: 0, local: 0 }; 3 * mesh.triangles().len()];
        for t in 0..mesh.triangles().len() {
            for local in 0..3 {
                let (low, high) = ends(t, local);
                uses[next[low as usize]] = EdgeUse { high, triangle: t as u32, local: local as u32 };
                next[low as usize] += 1;
            }
        }
        for bucket in offsets.windows(2) {
            uses[bucket[0]..bucket[1]].sort_unstable();
        }
        Self { offsets, uses }
    }

    /// Each edge once: its lower node and its uses.
    pub fn edges(&self) -> impl Iterator<Item = (u32, &[EdgeUse])> {
        (0_u32..).zip(self.offsets.windows(2)).flat_map(|(low, bucket)| {
            let same = self.uses[bucket[0]..bucket[1]].chunk_by(|a, b| a.high == b.high);
            same.map(move |uses| (low, uses))
        })
    }
}

impl EdgeUse {
    /// Does the triangle run along the edge from the lower to the higher node?
    pub fn is_forward(&self, mesh: &Mesh) -> bool {
        mesh.triangles()[self.triangle as usize][(self.local as usize + 1) % 3] == self.high
    }
}
