//! Preparing the solver: a factor of A, of A with the lumps of its rows, or of a stiffened A.

use std::sync::Arc;

use pliant_numerics::{CholeskyError, Mat3};

use super::{Solver, SparseSystem};
use crate::rows::{DENSE_ROWS, HeldMatrix};

/// How often the diagonal is raised fourfold, from a ten-thousandth of its largest entry.
const MOST_STIFFENINGS: usize = 12;
/// Steps of the search for the weakest motion.
const INVERSE_ITERATIONS: usize = 20;

impl SparseSystem {
    /// Prepares the solver for the matrix as it is.
    pub fn factor(&mut self) -> Result<(), CholeskyError> {
        // so many are never a dense matrix
        if self.is_direct() && self.rows.spring_count() > DENSE_ROWS / 3 {
            let definite = self.factor_with_rows();
            return if definite { Ok(()) } else { Err(CholeskyError::NotPositiveDefinite { unknown: 0 }) };
        }
        self.factor_alone()
    }

    /// The same without the rows.
    pub fn factor_alone(&mut self) -> Result<(), CholeskyError> {
        self.lumped = false;
        match &mut self.solver {
            Solver::Direct(factor) => factor.factor(&self.matrix, &self.shut),
            Solver::Gradients(iterative) => {
                self.lumps.clear();
                self.rows
                    .for_each_lump(|node, lump| self.lumps.push(((node, self.lumps.len() as u32), lump)));
                self.lumps.sort_unstable_by_key(|(place, _)| *place);
                let lumps = &self.lumps;
                iterative.method.refill(&self.matrix, &self.shut, |node| lump_of(lumps, node));
                Ok(())
            }
        }
    }

    /// Factors a matrix that has no factor of its own, but may be positive definite together with the rows; says whether it is.
    pub fn factor_with_rows(&mut self) -> bool {
        if !self.rows.resist() {
            return false;
        }
        self.add_lumps(1.0);
        let factored = self.factor_alone();
        let Self { matrix, rows, shut: held, solver: Solver::Direct(factor), .. } = self else {
            return false;
        };
        let definite =
            factored.is_ok() && HeldMatrix { matrix, rows, held }.is_definite(factor, &mut self.gradients);
        self.lumped = definite;
        if !definite {
            self.add_lumps(-1.0);
        }
        definite
    }

    fn add_lumps(&mut self, part: f64) {
        let Self { matrix, rows, .. } = self;
        rows.for_each_lump(|node, lump| {
            // a node in no element has no place and does not move
            if let Some(place) = matrix.pattern().find(node, node) {
                let block = &mut matrix.blocks_mut()[place];
                *block = *block + lump.scale(part);
            }
        });
    }

    /// Adds to the diagonal until the matrix has a factor; gives how much.
    pub fn stiffen(&mut self) -> Result<f64, CholeskyError> {
        let pattern = Arc::clone(self.matrix.pattern());
        let places = || (0..pattern.row_count() as u32).filter_map(|row| pattern.find(row, row));
        let largest = places().map(|p| self.matrix.blocks()[p].trace().abs()).fold(0.0, f64::max);
        let (mut added, mut wanted) = (0.0, 1e-4 * largest);
        let mut failed = CholeskyError::TooLarge;
        for _ in 0..MOST_STIFFENINGS {
            for place in places() {
                let block = &mut self.matrix.blocks_mut()[place];
                *block = block.add_diagonal(wanted - added);
            }
            added = wanted;
            wanted *= 4.0;
            match self.factor() {
                Ok(()) => return Ok(added),
                Err(error) => failed = error,
            }
        }
        Err(failed)
    }

    /// The unknown that moves most where the matrix resists least: inverse iteration with a stiffened one.
    pub fn weakest(&mut self) -> Option<usize> {
        self.stiffen().ok()?;
        let mut mode = std::mem::take(&mut self.product);
        mode.iter_mut().enumerate().for_each(|(i, m)| *m = 1.0 + (i % 7) as f64);
        for _ in 0..INVERSE_ITERATIONS {
            self.solve_for(&mut mode);
            let largest = mode.iter().fold(0.0_f64, |most, m| most.max(m.abs()));
            mode.iter_mut().for_each(|m| *m /= largest);
        }
        let weakest = (0..mode.len()).max_by(|a, b| mode[*a].abs().total_cmp(&mode[*b].abs()));
        self.product = mode;
        weakest
    }
}

/// What rows put on the diagonal of a node, from a list sorted by nodes.
fn lump_of(lumps: &[((u32, u32), Mat3<f64>)], node: u32) -> Option<Mat3<f64>> {
    if lumps.is_empty() {
        return None;
    }
    let first = lumps.partition_point(|((n, _), _)| *n < node);
    let own = lumps[first..].iter().take_while(|((n, _), _)| *n == node);
    own.map(|(_, lump)| *lump).reduce(|a, b| a + b)
}
