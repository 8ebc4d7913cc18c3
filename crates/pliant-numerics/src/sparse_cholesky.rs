//! The scalar core of all sparse Cholesky factors: P A P^T = L L^T for a fixed pattern and a fixed order.
//!
//! The symbolic part is found once; factoring and solving then allocate nothing, but for the room that the first factor
//! makes in every thread of the pool. A factor with little fill is faer's, made by one thread; one with dense parts is made by all
//! threads of the pool that the caller runs in ([`crate::supernodal`]). The bits do not depend on their number.

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::llt::factor::LltError;
use faer::perm::PermRef;
use faer::sparse::linalg::cholesky::{
    CholeskySymbolicParams, LltRef, SymbolicCholesky, SymbolicCholeskyRaw, SymmetricOrdering,
    factorize_symbolic_cholesky,
};
use faer::sparse::{SparseColMatRef, SymbolicSparseColMat};
use faer::{Conj, MatMut, Par, Side, Spec};

use crate::supernodal::factor::{Room, factor, make_room};
use crate::supernodal::plan::{Parts, Plan};
use crate::supernodal::postorder::postordered;
use crate::supernodal::solve::Solve;
use crate::supernodal::tree::{Branch, branches};

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
    /// The row that is eliminated at each place.
    order: Vec<usize>,
    sides: usize,
    memory: Memory,
}

/// What factoring and solving need beside the factor.
enum Memory {
    /// Without dense parts.
    Sparse(MemBuffer),
    Dense(Box<Dense>),
}

/// For a factor in dense parts.
struct Dense {
    plan: Plan,
    branches: Vec<Branch<Room>>,
    work: Vec<f64>,
    /// Has it been factored before?
    warm: bool,
}

impl SparseCholesky {
    /// Prepares factors of matrices with this lower triangle, and solutions for as many right sides at once as `sides` says.
    /// `order` lists all rows, each once.
    pub(crate) fn analyse(
        lower: SymbolicSparseColMat<usize>,
        order: &[usize],
        sides: usize,
    ) -> Result<Self, CholeskyError> {
        let order = postordered(&lower, order);
        let mut inverse = vec![0; order.len()];
        order.iter().enumerate().for_each(|(new, &old)| inverse[old] = new);
        let perm = PermRef::new_checked(&order, &inverse, lower.ncols());
        let ordering = SymmetricOrdering::Custom(perm);
        let parameters = CholeskySymbolicParams::default();
        let symbolic = factorize_symbolic_cholesky(lower.as_ref(), Side::Lower, ordering, parameters)
            .map_err(|_| CholeskyError::TooLarge)?;
        let memory = match symbolic.raw() {
            SymbolicCholeskyRaw::Supernodal(parts) => Memory::dense(parts, &lower, &inverse, sides)?,
            SymbolicCholeskyRaw::Simplicial(_) => Memory::sparse(&symbolic, sides)?,
        };
        let (values, factor) = (vec![0.0; lower.compute_nnz()], vec![0.0; symbolic.len_val()]);
        Ok(Self { symbolic, lower, values, factor, order, sides, memory })
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
        let failed = match (self.symbolic.raw(), &mut self.memory) {
            (SymbolicCholeskyRaw::Supernodal(parts), Memory::Dense(dense)) => {
                if !std::mem::replace(&mut dense.warm, true) {
                    make_room();
                }
                factor((parts, &dense.plan), &self.values, &mut self.factor, &mut dense.branches)
            }
            (_, Memory::Sparse(memory)) => {
                let factored = self.symbolic.factorize_numeric_llt(
                    &mut self.factor,
                    SparseColMatRef::new(self.lower.as_ref(), &self.values),
                    Side::Lower,
                    Default::default(),
                    Par::Seq,
                    MemStack::new(memory),
                    Spec::default(),
                );
                // this method of faer's counts from 1
                factored.map(|_| ()).map_err(|LltError::NonPositivePivot { index }| index - 1)
            }
            _ => unreachable!("dense memory is made for dense parts"),
        };
        failed.map_err(|place| self.order[place])
    }

    /// Turns the right sides, which stand side by side in every row, into solutions.
    pub(crate) fn solve_in_place(&mut self, right: &mut [f64]) {
        match (self.symbolic.raw(), &mut self.memory) {
            (SymbolicCholeskyRaw::Supernodal(parts), Memory::Dense(dense)) => {
                let Dense { plan, branches, work, .. } = &mut **dense;
                let (factor, order, sides) = (&self.factor[..], &self.order[..], self.sides);
                Solve { parts, plan, factor, order, sides }.in_place(branches, right, work);
            }
            (_, Memory::Sparse(memory)) => {
                let factor = LltRef::<usize, f64>::new(&self.symbolic, &self.factor);
                let right = MatMut::from_row_major_slice_mut(right, self.lower.ncols(), self.sides);
                factor.solve_in_place_with_conj(Conj::No, right, Par::Seq, MemStack::new(memory));
            }
            _ => unreachable!("dense memory is made for dense parts"),
        }
    }
}

impl Memory {
    fn sparse(symbolic: &SymbolicCholesky<usize>, sides: usize) -> Result<Self, CholeskyError> {
        let needed = symbolic
            .factorize_numeric_llt_scratch::<f64>(Par::Seq, Spec::default())
            .or(symbolic.solve_in_place_scratch::<f64>(sides, Par::Seq));
        MemBuffer::try_new(needed).map(Self::Sparse).map_err(|_| CholeskyError::TooLarge)
    }

    fn dense(
        parts: &Parts,
        lower: &SymbolicSparseColMat<usize>,
        inverse: &[usize],
        sides: usize,
    ) -> Result<Self, CholeskyError> {
        let plan = Plan::new(parts, lower, inverse).ok_or(CholeskyError::TooLarge)?;
        let branches = branches(parts, &plan.parents, |blocks| Room::new(parts.nrows(), blocks));
        let work = vec![0.0; Solve::work_length(parts, sides)];
        Ok(Self::Dense(Box::new(Dense { plan, branches, work, warm: false })))
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
