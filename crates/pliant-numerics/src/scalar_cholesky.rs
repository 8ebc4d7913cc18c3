//! Cholesky factors of block matrices whose blocks are numbers times the 3x3 identity, such as mass matrices.
//!
//! ```text
//! A = B (x) I3,  P B P^T = L L^T      B: one number a block, with rows and columns of `held` block rows replaced by the identity
//! ```
//!
//! One factor of a third of the size serves the three components, which are solved side by side: about a ninth of the
//! numbers that [`BlockCholesky`](crate::BlockCholesky) stores for the same matrix. Once the symbolic part is
//! there, factoring and solving allocate nothing (after the first factor), and the bits do not depend on the
//! number of threads.

use std::sync::Arc;

use faer::sparse::SymbolicSparseColMat;

use crate::BlockPattern;
use crate::sparse_cholesky::{CholeskyError, SparseCholesky, check_order};

/// A factor of one number a block, and everything that making it anew needs.
pub struct ScalarCholesky {
    pattern: Arc<BlockPattern>,
    core: SparseCholesky,
}

impl ScalarCholesky {
    /// Prepares factors of all matrices with this pattern; `order` lists the block rows as they are eliminated.
    pub fn analyse(pattern: &Arc<BlockPattern>, order: &[u32]) -> Result<Self, CholeskyError> {
        check_order(order, pattern.row_count())?;
        let rows: Vec<usize> = order.iter().map(|&row| row as usize).collect();
        let core = SparseCholesky::analyse(lower_triangle(pattern), &rows, 3)?;
        Ok(Self { pattern: Arc::clone(pattern), core })
    }

    /// Number of block rows.
    pub fn row_count(&self) -> usize {
        self.core.len()
    }

    /// Stored numbers of the factor, the zeros inside its dense parts included.
    pub fn factor_length(&self) -> usize {
        self.core.factor_length()
    }

    /// Factors the matrix with these numbers, one a block of the pattern; only its upper triangle is looked at. `held`
    /// block rows get rows of the identity. A failed pivot names the first unknown of its block row.
    ///
    /// # Panics
    /// If there is not one number for every block and one flag for every block row.
    pub fn factor(&mut self, values: &[f64], held: &[bool]) -> Result<(), CholeskyError> {
        assert_eq!(values.len(), self.pattern.block_count(), "one number for every block");
        assert_eq!(held.len(), self.row_count(), "one flag for every block row");
        let mut lower = self.core.values_mut().iter_mut();
        for column in 0..self.pattern.row_count() {
            let (rows, start) = (self.pattern.row(column), self.pattern.row_start(column));
            let below = rows.iter().zip(&values[start..]).filter(|(row, _)| **row as usize >= column);
            for ((&row, &value), place) in below.zip(&mut lower) {
                let row = row as usize;
                *place = if held[row] || held[column] { f64::from(row == column) } else { value };
            }
        }
        self.core.factor().map_err(|row| CholeskyError::NotPositiveDefinite { unknown: 3 * row })
    }

    /// Turns the right side, three numbers a block row, into the solution. The factor must have been made.
    ///
    /// # Panics
    /// If there are not three numbers for every block row.
    pub fn solve3_in_place(&mut self, right: &mut [f64]) {
        assert_eq!(right.len(), 3 * self.row_count(), "three numbers for every block row");
        self.core.solve_in_place(right);
    }
}

/// Columns of the lower triangle, diagonal included: the rows of the upper one.
fn lower_triangle(pattern: &BlockPattern) -> SymbolicSparseColMat<usize> {
    let size = pattern.row_count();
    let (mut starts, mut rows) = (vec![0], Vec::new());
    for column in 0..size {
        let below = pattern.row(column).iter().map(|&row| row as usize).filter(|&row| row >= column);
        rows.extend(below);
        starts.push(rows.len());
    }
    SymbolicSparseColMat::new_checked(size, size, starts, None, rows)
}
