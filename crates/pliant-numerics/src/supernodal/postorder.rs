//! Orders of elimination with the children of the elimination tree before their parents, one subtree after the other.
//!
//! The factor keeps its entries; columns that become alike come to stand side by side. Tree by Liu's method with
//! compressed paths (T. A. Davis, Direct Methods for Sparse Linear Systems, SIAM 2006, 4.1).

use faer::sparse::SymbolicSparseColMat;

const NONE: usize = usize::MAX;

/// The same elimination, children first: an order of the rows of a matrix with this lower triangle.
pub(crate) fn postordered(lower: &SymbolicSparseColMat<usize>, order: &[usize]) -> Vec<usize> {
    let parents = parents(lower, order);
    let (mut child, mut sibling) = (vec![NONE; order.len()], vec![NONE; order.len()]);
    // backward, so that the lists are ascending
    for j in (0..order.len()).rev().filter(|&j| parents[j] != NONE) {
        sibling[j] = child[parents[j]];
        child[parents[j]] = j;
    }
    let mut found = Vec::with_capacity(order.len());
    for root in (0..order.len()).filter(|&j| parents[j] == NONE) {
        let mut path = vec![root];
        while let Some(&j) = path.last() {
            if child[j] == NONE {
                found.push(order[j]);
                path.pop();
            } else {
                path.push(child[j]);
                child[j] = sibling[child[j]];
            }
        }
    }
    found
}

/// The parent of each place of the order in the elimination tree.
fn parents(lower: &SymbolicSparseColMat<usize>, order: &[usize]) -> Vec<usize> {
    let mut new = vec![0; order.len()];
    order.iter().enumerate().for_each(|(place, &row)| new[row] = place);
    let mut earlier = vec![Vec::new(); order.len()];
    for j in 0..order.len() {
        for &i in lower.row_idx_of_col_raw(j).iter().filter(|&&i| i != j) {
            earlier[new[i].max(new[j])].push(new[i].min(new[j]));
        }
    }
    let (mut parents, mut ancestors) = (vec![NONE; order.len()], vec![NONE; order.len()]);
    for (j, earlier) in earlier.iter().enumerate() {
        for &i in earlier {
            let mut i = i;
            while i != NONE && i < j {
                let above = ancestors[i];
                ancestors[i] = j;
                if above == NONE {
                    parents[i] = j;
                }
                i = above;
            }
        }
    }
    parents
}
