//! Which vertices are coupled: rows of sorted neighbours, without the vertex itself.

use super::PointCliques;

/// An undirected graph without loops. Invariant: rows ascend, and `b` in row `a` means `a` in row `b`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Graph {
    start: Vec<usize>,
    neighbors: Vec<u32>,
}

impl Graph {
    /// Couples every two vertices that share a clique.
    pub fn from_cliques(cliques: &PointCliques) -> Self {
        let count = cliques.point_count();
        let (clique_start, clique_of) = cliques_of_vertices(cliques);
        let mut start = Vec::with_capacity(count + 1);
        let mut neighbors = Vec::with_capacity(27 * count);
        let mut seen = vec![u32::MAX; count];
        start.push(0);
        for vertex in 0..count {
            let first = neighbors.len();
            seen[vertex] = vertex as u32;
            for &clique in &clique_of[clique_start[vertex]..clique_start[vertex + 1]] {
                for &other in cliques.clique(clique as usize) {
                    if seen[other as usize] != vertex as u32 {
                        seen[other as usize] = vertex as u32;
                        neighbors.push(other);
                    }
                }
            }
            neighbors[first..].sort_unstable();
            start.push(neighbors.len());
        }
        Self { start, neighbors }
    }

    /// Number of vertices.
    pub fn vertex_count(&self) -> usize {
        self.start.len() - 1
    }

    /// Number of coupled pairs.
    pub fn edge_count(&self) -> usize {
        self.neighbors.len() / 2
    }

    /// Neighbours of a vertex, ascending.
    pub fn neighbors(&self, vertex: u32) -> &[u32] {
        &self.neighbors[self.start[vertex as usize]..self.start[vertex as usize + 1]]
    }
}

/// The transpose of the cliques: where each vertex's cliques start, and their numbers.
fn cliques_of_vertices(cliques: &PointCliques) -> (Vec<usize>, Vec<u32>) {
    let mut start = vec![0_usize; cliques.point_count() + 1];
    for &vertex in cliques.members() {
        start[vertex as usize + 1] += 1;
    }
    for vertex in 0..cliques.point_count() {
        start[vertex + 1] += start[vertex];
    }
    let mut next = start.clone();
    let mut clique_of = vec![0_u32; cliques.members().len()];
    for clique in 0..cliques.clique_count() {
        for &vertex in cliques.clique(clique) {
            clique_of[next[vertex as usize]] = clique as u32;
            next[vertex as usize] += 1;
        }
    }
    (start, clique_of)
}
