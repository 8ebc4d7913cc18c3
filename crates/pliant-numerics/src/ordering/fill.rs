//! How full the Cholesky factor of a graph becomes under an order.
//!
//! ```text
//! row k of L  = union of the paths j -> parent(j) -> ... -> k of the elimination tree,
//!               over the neighbours j of k that come before k                        (1)
//! parent(j)   = row of the first entry below the diagonal of column j                (2)
//! fills       = 9 (pairs in L - pairs in A),   a 3x3 block for each pair             (3)
//! ```
//!
//! (1), (2): Liu's elimination tree; walking each path up to a vertex already marked for k
//! visits every entry of L once. (3) is how [Zhuang Table 4.1] counts.

use super::{Graph, Permutation};

/// Entries of L in each column, diagonal included, in the new numbering.
pub fn column_counts(graph: &Graph, order: &Permutation) -> Vec<u32> {
    let count = graph.vertex_count();
    assert_eq!(count, order.len(), "the order is of another graph");
    let mut parent = vec![u32::MAX; count];
    let mut mark = vec![u32::MAX; count];
    let mut counts = vec![1_u32; count];
    for (row, &vertex) in order.new_to_old().iter().enumerate() {
        mark[row] = row as u32;
        for &neighbor in graph.neighbors(vertex) {
            let mut column = order.old_to_new()[neighbor as usize] as usize;
            // (1): stop where another path of this row has been
            while column < row && mark[column] != row as u32 {
                mark[column] = row as u32;
                counts[column] += 1;
                if parent[column] == u32::MAX {
                    parent[column] = row as u32; // (2)
                }
                column = parent[column] as usize;
            }
        }
    }
    counts
}

/// Entries of L, diagonal included.
pub fn factor_entries(graph: &Graph, order: &Permutation) -> u64 {
    column_counts(graph, order).iter().map(|&c| u64::from(c)).sum()
}

/// Fills as [Zhuang Table 4.1] counts them, (3).
pub fn block_fills(graph: &Graph, order: &Permutation) -> u64 {
    9 * (factor_entries(graph, order) - graph.vertex_count() as u64 - graph.edge_count() as u64)
}
