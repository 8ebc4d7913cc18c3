//! Cholesky factors of symmetric matrices of 3x3 blocks, in an order that the caller chooses.
//!
//! ```text
//! P A P^T = L L^T      A: the lower triangle of the block matrix, with rows and columns of `held` unknowns replaced by the identity
//! ```
//!
//! The symbolic part is found once; refilling, factoring and solving then allocate nothing (after the first
//! factor), and the bits do not depend on the number of threads.

use std::sync::Arc;

use faer::sparse::SymbolicSparseColMat;

use crate::sparse_cholesky::{CholeskyError, SparseCholesky, check_order};
use crate::{BlockMatrix, BlockPattern};

/// A factor and everything that making it anew needs.
pub struct BlockCholesky {
    pattern: Arc<BlockPattern>,
    core: SparseCholesky,
}

impl BlockCholesky {
    /// Prepares factors of all matrices with this pattern; `order` lists the block rows as they are eliminated.
    pub fn analyse(pattern: &Arc<BlockPattern>, order: &[u32]) -> Result<Self, CholeskyError> {
        check_order(order, pattern.row_count())?;
        let unknowns: Vec<usize> =
            order.iter().flat_map(|&row| (0..3).map(move |c| 3 * row as usize + c)).collect();
        let core = SparseCholesky::analyse(lower_triangle(pattern), &unknowns, 1)?;
        Ok(Self { pattern: Arc::clone(pattern), core })
    }

    /// Number of unknowns.
    pub fn len(&self) -> usize {
        self.core.len()
    }

    /// Is it the factor of nothing?
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Stored numbers of the factor, the zeros inside its dense parts included.
    pub fn factor_length(&self) -> usize {
        self.core.factor_length()
    }

    /// Factors a matrix of the pattern; only its upper triangle is looked at. `held` unknowns get rows of the identity.
    ///
    /// # Panics
    /// If the matrix has another pattern, or `held` another length than the unknowns.
    pub fn factor(&mut self, matrix: &BlockMatrix, held: &[bool]) -> Result<(), CholeskyError> {
        assert_eq!(**matrix.pattern(), *self.pattern, "the matrix has another pattern");
        assert_eq!(held.len(), self.len(), "one flag for every unknown");
        self.refill(matrix, held);
        self.core.factor().map_err(|unknown| CholeskyError::NotPositiveDefinite { unknown })
    }

    /// The lower triangle, column by column: that of the transposed rows.
    fn refill(&mut self, matrix: &BlockMatrix, held: &[bool]) {
        let mut next = 0;
        let values = self.core.values_mut();
        for column in 0..self.pattern.row_count() {
            let start = self.pattern.row_start(column);
            let rows = self.pattern.row(column);
            for c in 0..3 {
                let j = 3 * column + c;
                // symmetric: the block below the diagonal is the transpose of the one to its right
                for (place, &row) in (start..).zip(rows).filter(|(_, row)| **row as usize >= column) {
                    let block = &matrix.blocks()[place];
                    let first = if row as usize == column { c } else { 0 };
                    for r in first..3 {
                        let i = 3 * row as usize + r;
                        let value = block.0[c][r];
                        values[next] = if held[i] || held[j] { f64::from(i == j) } else { value };
                        next += 1;
                    }
                }
            }
        }
        debug_assert_eq!(next, values.len());
    }

    /// Turns the right side into the solution. The factor must have been made.
    ///
    /// # Panics
    /// If the length is not that of the unknowns.
    pub fn solve_in_place(&mut self, right: &mut [f64]) {
        assert_eq!(right.len(), self.len(), "one number for every unknown");
        self.core.solve_in_place(right);
    }
}

/// Columns of the scalar lower triangle, diagonal included.
fn lower_triangle(pattern: &BlockPattern) -> SymbolicSparseColMat<usize> {
    let size = 3 * pattern.row_count();
    let (mut starts, mut rows) = (vec![0], Vec::new());
    for column in 0..pattern.row_count() {
        for c in 0..3 {
            for &row in pattern.row(column).iter().filter(|row| **row as usize >= column) {
                let first = if row as usize == column { c } else { 0 };
                rows.extend((first..3).map(|r| 3 * row as usize + r));
            }
            starts.push(rows.len());
        }
    }
    SymbolicSparseColMat::new_checked(size, size, starts, None, rows)
}
