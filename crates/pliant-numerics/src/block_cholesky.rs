//! Cholesky factors of symmetric matrices of 3x3 blocks, in an order that the caller chooses.
//!
//! ```text
//! P A P^T = L L^T      A: the lower triangle of the block matrix, with rows and columns of `held` unknowns replaced by the identity
//! ```
//!
//! The symbolic part is found once; refilling, factoring and solving then allocate nothing. On faer, one thread, so the bits
//! do not depend on the number of threads.

use std::sync::Arc;

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::llt::factor::LltError;
use faer::perm::Perm;
use faer::sparse::linalg::cholesky::{
    CholeskySymbolicParams, LltRef, SymbolicCholesky, SymbolicCholeskyRaw, SymmetricOrdering,
    factorize_symbolic_cholesky,
};
use faer::sparse::{SparseColMatRef, SymbolicSparseColMat};
use faer::{Conj, MatMut, Par, Side, Spec};

use crate::{BlockMatrix, BlockPattern};

/// Why a matrix has no factor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CholeskyError {
    /// A pivot is not above zero.
    #[error("the matrix is not positive definite: its factor ends at unknown {unknown}")]
    NotPositiveDefinite {
        /// The unknown whose pivot failed: 3 times the block row plus the component.
        unknown: usize,
    },
    /// The order is no permutation of the block rows.
    #[error("an order of {rows} block rows was expected, each once, got {given} numbers")]
    Order {
        /// Rows of the matrix.
        rows: usize,
        /// Length of the order.
        given: usize,
    },
    /// The matrix is too large for the memory or for its numbers.
    #[error("the factor is too large: use a smaller matrix or an iterative solver")]
    TooLarge,
}

/// A factor and everything that making it anew needs.
pub struct BlockCholesky {
    pattern: Arc<BlockPattern>,
    symbolic: SymbolicCholesky<usize>,
    lower: SymbolicSparseColMat<usize>,
    /// Of the lower triangle, column by column.
    values: Vec<f64>,
    factor: Vec<f64>,
    memory: MemBuffer,
    /// The unknown that is eliminated at each place.
    order: Vec<usize>,
}

impl BlockCholesky {
    /// Prepares factors of all matrices with this pattern; `order` lists the block rows as they are eliminated.
    pub fn analyse(pattern: &Arc<BlockPattern>, order: &[u32]) -> Result<Self, CholeskyError> {
        let rows = pattern.row_count();
        let (forward, inverse) = unknowns(order, rows)?;
        let lower = lower_triangle(pattern);
        let perm = Perm::new_checked(forward.into_boxed_slice(), inverse.into_boxed_slice(), 3 * rows);
        let ordering = SymmetricOrdering::Custom(perm.as_ref());
        let parameters = CholeskySymbolicParams::default();
        let symbolic = factorize_symbolic_cholesky(lower.as_ref(), Side::Lower, ordering, parameters)
            .map_err(|_| CholeskyError::TooLarge)?;
        // within what the order leaves open, faer moves columns together
        let order = symbolic.perm().map_or(Vec::new(), |perm| perm.arrays().0.to_vec());
        let needed = symbolic
            .factorize_numeric_llt_scratch::<f64>(Par::Seq, Spec::default())
            .or(symbolic.solve_in_place_scratch::<f64>(1, Par::Seq));
        let memory = MemBuffer::try_new(needed).map_err(|_| CholeskyError::TooLarge)?;
        let (values, factor) = (vec![0.0; lower.compute_nnz()], vec![0.0; symbolic.len_val()]);
        Ok(Self { pattern: Arc::clone(pattern), symbolic, lower, values, factor, memory, order })
    }

    /// Number of unknowns.
    pub fn len(&self) -> usize {
        3 * self.pattern.row_count()
    }

    /// Is it the factor of nothing?
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Stored numbers of the factor, the zeros inside its dense parts included.
    pub fn factor_length(&self) -> usize {
        self.factor.len()
    }

    /// Factors a matrix of the pattern; only its lower triangle is looked at. `held` unknowns get rows of the identity.
    ///
    /// # Panics
    /// If the matrix has another pattern, or `held` another length than the unknowns.
    pub fn factor(&mut self, matrix: &BlockMatrix, held: &[bool]) -> Result<(), CholeskyError> {
        assert_eq!(**matrix.pattern(), *self.pattern, "the matrix has another pattern");
        assert_eq!(held.len(), self.len(), "one flag for every unknown");
        self.refill(matrix, held);
        let lower = SparseColMatRef::new(self.lower.as_ref(), &self.values);
        let factored = self.symbolic.factorize_numeric_llt(
            &mut self.factor,
            lower,
            Side::Lower,
            Default::default(),
            Par::Seq,
            MemStack::new(&mut self.memory),
            Spec::default(),
        );
        match factored {
            Ok(_) => Ok(()),
            Err(LltError::NonPositivePivot { index }) => {
                // faer counts from 1 in one of its two methods
                let simplicial = matches!(self.symbolic.raw(), SymbolicCholeskyRaw::Simplicial(_));
                let index = index - usize::from(simplicial);
                let unknown = self.order.get(index).copied().unwrap_or(index);
                Err(CholeskyError::NotPositiveDefinite { unknown })
            }
        }
    }

    /// The lower triangle, column by column: that of the transposed rows.
    fn refill(&mut self, matrix: &BlockMatrix, held: &[bool]) {
        let mut next = 0;
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
                        self.values[next] = if held[i] || held[j] { f64::from(i == j) } else { value };
                        next += 1;
                    }
                }
            }
        }
        debug_assert_eq!(next, self.values.len());
    }

    /// Turns the right side into the solution. The factor must have been made.
    ///
    /// # Panics
    /// If the length is not that of the unknowns.
    pub fn solve_in_place(&mut self, right: &mut [f64]) {
        assert_eq!(right.len(), self.len(), "one number for every unknown");
        let count = right.len();
        let factor = LltRef::<usize, f64>::new(&self.symbolic, &self.factor);
        let right = MatMut::from_column_major_slice_mut(right, count, 1);
        factor.solve_in_place_with_conj(Conj::No, right, Par::Seq, MemStack::new(&mut self.memory));
    }
}

/// The order of the unknowns and its inverse.
fn unknowns(order: &[u32], rows: usize) -> Result<(Vec<usize>, Vec<usize>), CholeskyError> {
    let fault = CholeskyError::Order { rows, given: order.len() };
    let mut inverse = vec![usize::MAX; 3 * rows];
    let forward: Vec<usize> =
        order.iter().flat_map(|&row| (0..3).map(move |c| 3 * row as usize + c)).collect();
    for (new, &old) in forward.iter().enumerate() {
        match inverse.get_mut(old) {
            Some(place) if *place == usize::MAX => *place = new,
            _ => return Err(fault),
        }
    }
    if forward.len() == 3 * rows { Ok((forward, inverse)) } else { Err(fault) }
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
