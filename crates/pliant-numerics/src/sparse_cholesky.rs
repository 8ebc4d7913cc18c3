//! The scalar core of all sparse Cholesky factors: P A P^T = L L^T for a fixed pattern and a fixed order.
//!
//! The symbolic part is found once; factoring and solving then allocate nothing, but for the room that a thread's first dense
//! product makes for itself. On faer, one thread, so the bits do not depend on the number of threads.

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::llt::factor::LltError;
use faer::perm::Perm;
use faer::sparse::linalg::cholesky::{
    CholeskySymbolicParams, LltRef, SymbolicCholesky, SymbolicCholeskyRaw, SymmetricOrdering,
    factorize_symbolic_cholesky,
};
use faer::sparse::{SparseColMatRef, SymbolicSparseColMat};
use faer::{Conj, MatMut, Par, Side, Spec};

use crate::supernodal_solve;

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

/// The lower triangle of a matrix, its factor and everything that making it anew needs.
pub(crate) struct SparseCholesky {
    symbolic: SymbolicCholesky<usize>,
    lower: SymbolicSparseColMat<usize>,
    /// Of the lower triangle, column by column.
    values: Vec<f64>,
    factor: Vec<f64>,
    memory: MemBuffer,
    /// The row that is eliminated at each place.
    order: Vec<usize>,
    /// Right sides in the order of elimination, one after the other.
    ordered: Vec<f64>,
    work: Vec<f64>,
    sides: usize,
}

impl SparseCholesky {
    /// Prepares factors of matrices with this lower triangle, and solutions for as many right sides at once as `sides` says.
    /// `order` lists all rows, each once.
    pub(crate) fn analyse(
        lower: SymbolicSparseColMat<usize>,
        order: Vec<usize>,
        sides: usize,
    ) -> Result<Self, CholeskyError> {
        let mut inverse = vec![0; order.len()];
        order.iter().enumerate().for_each(|(new, &old)| inverse[old] = new);
        let perm = Perm::new_checked(order.into_boxed_slice(), inverse.into_boxed_slice(), lower.ncols());
        let ordering = SymmetricOrdering::Custom(perm.as_ref());
        let parameters = CholeskySymbolicParams::default();
        let symbolic = factorize_symbolic_cholesky(lower.as_ref(), Side::Lower, ordering, parameters)
            .map_err(|_| CholeskyError::TooLarge)?;
        // within what the order leaves open, faer moves columns together
        let order = symbolic.perm().map_or(Vec::new(), |perm| perm.arrays().0.to_vec());
        let needed = symbolic
            .factorize_numeric_llt_scratch::<f64>(Par::Seq, Spec::default())
            .or(symbolic.solve_in_place_scratch::<f64>(sides, Par::Seq));
        let memory = MemBuffer::try_new(needed).map_err(|_| CholeskyError::TooLarge)?;
        let (values, factor) = (vec![0.0; lower.compute_nnz()], vec![0.0; symbolic.len_val()]);
        let work = match symbolic.raw() {
            SymbolicCholeskyRaw::Supernodal(parts) => supernodal_solve::work_length(parts),
            SymbolicCholeskyRaw::Simplicial(_) => 0,
        };
        let (ordered, work) = (vec![0.0; sides * lower.ncols()], vec![0.0; sides * work]);
        Ok(Self { symbolic, lower, values, factor, memory, order, ordered, work, sides })
    }

    /// Number of rows.
    pub(crate) fn len(&self) -> usize {
        self.lower.ncols()
    }

    /// Stored numbers of the factor, the zeros inside its dense parts included.
    pub(crate) fn factor_length(&self) -> usize {
        self.factor.len()
    }

    /// The numbers of the lower triangle, column by column, for the caller to fill.
    pub(crate) fn values_mut(&mut self) -> &mut [f64] {
        &mut self.values
    }

    /// Factors what the values now are; on failure, the row whose pivot is not above zero.
    pub(crate) fn factor(&mut self) -> Result<(), usize> {
        let factored = self.symbolic.factorize_numeric_llt(
            &mut self.factor,
            SparseColMatRef::new(self.lower.as_ref(), &self.values),
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
                Err(self.order.get(index).copied().unwrap_or(index))
            }
        }
    }

    /// Turns the right sides, which stand side by side in every row, into solutions.
    pub(crate) fn solve_in_place(&mut self, right: &mut [f64]) {
        let (rows, sides) = (self.len(), self.sides);
        let parts = match self.symbolic.raw() {
            SymbolicCholeskyRaw::Supernodal(parts) => parts,
            SymbolicCholeskyRaw::Simplicial(_) => {
                let factor = LltRef::<usize, f64>::new(&self.symbolic, &self.factor);
                let right = MatMut::from_row_major_slice_mut(right, rows, sides);
                let memory = MemStack::new(&mut self.memory);
                return factor.solve_in_place_with_conj(Conj::No, right, Par::Seq, memory);
            }
        };
        let places = || (0..sides).flat_map(|side| self.order.iter().map(move |row| sides * row + side));
        self.ordered.iter_mut().zip(places()).for_each(|(to, place)| *to = right[place]);
        supernodal_solve::solve_in_place(parts, &self.factor, &mut self.ordered, &mut self.work);
        self.ordered.iter().zip(places()).for_each(|(from, place)| right[place] = *from);
    }
}

/// Is every one of `rows` block rows in the order, once?
pub(crate) fn check_order(order: &[u32], rows: usize) -> Result<(), CholeskyError> {
    let fault = CholeskyError::Order { rows, given: order.len() };
    let mut seen = vec![false; rows];
    for &row in order {
        match seen.get_mut(row as usize) {
            Some(seen) if !*seen => *seen = true,
            _ => return Err(fault),
        }
    }
    if order.len() == rows { Ok(()) } else { Err(fault) }
}
