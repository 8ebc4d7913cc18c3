//! Equilibrium by Newton's method with a sparse Cholesky factor: stands in until the static solver lands.
//!
//! ```text
//! K(x) dx = f_inner(x) + load,   x <- x + dx     on the free degrees of freedom            (1)
//! ```

use faer::linalg::solvers::Solve;
use faer::sparse::linalg::solvers::Llt;
use faer::sparse::{SparseColMat, Triplet};
use faer::{Mat, Side};
use pliant_numerics::BlockMatrix;
use pliant_solid::term::Coeffs;
use pliant_solid::{FullState, Model};

use crate::CaseError;
use crate::measure::{Vec3, forces, peak, placed};

/// Weights of a pure stiffness.
pub const STIFFNESS: Coeffs = Coeffs { k: 1.0, d: 0.0 };

/// A state on its way to equilibrium.
pub struct Equilibrium<'a> {
    model: &'a Model,
    /// Degrees of freedom that move.
    pub free: Vec<usize>,
    /// Where everything is.
    pub full: FullState,
    /// Dead loads, N, three per node.
    pub load: Vec<f64>,
}

impl<'a> Equilibrium<'a> {
    /// At rest, without load; `is_free` says which axes of which rest positions move.
    pub fn new(model: &'a Model, is_free: impl Fn(Vec3, usize) -> bool) -> Self {
        let load = vec![0.0; 3 * model.layout().node_count()];
        Self { model, free: free_dofs(model, is_free), full: placed(model, |p| p), load }
    }

    /// Adds forces to the load.
    pub fn load_nodes(&mut self, forces: &[(u32, Vec3)]) {
        for (node, force) in forces {
            (0..3).for_each(|c| self.load[3 * *node as usize + c] += force[c]);
        }
    }

    /// Moves the free degrees of freedom until the forces vanish on them, or tells how far it came.
    pub fn settle(&mut self) -> Result<(), CaseError> {
        const MOST_ITERATIONS: usize = 30;
        let mut correction = f64::INFINITY;
        for _ in 0..MOST_ITERATIONS {
            correction = self.correct()?;
            if correction < 1e-13 * peak(&self.full.x) {
                return Ok(());
            }
        }
        Err(CaseError::NotSettled { correction, iterations: MOST_ITERATIONS })
    }

    /// One correction: all that a linear law needs.
    pub fn settle_linear(&mut self) -> Result<(), CaseError> {
        self.correct().map(drop)
    }

    /// A step of (1); gives the largest change.
    fn correct(&mut self) -> Result<f64, CaseError> {
        let force = forces(self.model, &self.full);
        let right: Vec<f64> = self.free.iter().map(|&i| force[i] + self.load[i]).collect();
        let tangent = self.model.tangent(&self.full, STIFFNESS);
        let change = solve(&factor(&tangent, &self.free)?, &right);
        self.free.iter().zip(&change).for_each(|(&i, change)| self.full.x[i] += change);
        Ok(peak(&change))
    }
}

/// Degrees of freedom by rest position and axis.
pub fn free_dofs(model: &Model, is_free: impl Fn(Vec3, usize) -> bool) -> Vec<usize> {
    let layout = model.layout();
    let all = 0..3 * layout.node_count();
    all.filter(|&i| is_free(layout.rest_of((i / 3) as u32), i % 3)).collect()
}

/// The Cholesky factor of some rows and columns of a symmetric matrix.
pub fn factor(matrix: &BlockMatrix, kept: &[usize]) -> Result<Llt<usize, f64>, CaseError> {
    let entries = lower_entries(matrix, kept);
    let failed = |e: &dyn std::fmt::Debug| CaseError::NotPositive(format!("{e:?}"));
    let sparse = SparseColMat::<usize, f64>::try_new_from_triplets(kept.len(), kept.len(), &entries)
        .map_err(|e| failed(&e))?;
    sparse.sp_cholesky(Side::Lower).map_err(|e| failed(&e))
}

fn lower_entries(matrix: &BlockMatrix, kept: &[usize]) -> Vec<Triplet<usize, usize, f64>> {
    let mut place = vec![usize::MAX; 3 * matrix.pattern().row_count()];
    kept.iter().enumerate().for_each(|(i, &dof)| place[dof] = i);
    let mut entries = Vec::new();
    matrix.for_each_entry(|r, c, val| {
        let (row, col) = (place[r], place[c]);
        if row != usize::MAX && col != usize::MAX && row >= col {
            entries.push(Triplet { row, col, val });
        }
    });
    entries
}

/// The solution for one right-hand side.
pub fn solve(factor: &Llt<usize, f64>, right: &[f64]) -> Vec<f64> {
    let mut solution = Mat::from_fn(right.len(), 1, |i, _| right[i]);
    factor.solve_in_place(solution.as_mut());
    (0..right.len()).map(|i| solution[(i, 0)]).collect()
}
