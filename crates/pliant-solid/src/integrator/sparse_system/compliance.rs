//! What a force at a point moves there, by the factor that was made last.

use pliant_geometry::MaterialPoint;
use pliant_numerics::{Mat3, ordered};

use super::super::hands::add_point;
use super::{Solver, SparseSystem, mask};
use crate::model::Model;
use crate::rows::{HeldMatrix, RowGroup, Rows};

impl SparseSystem {
    /// J A^-1 J^T of a point with the rows beside A, and what the solutions leave of their right sides at most; `None` without a factor.
    pub fn compliance(&mut self, model: &Model, point: &MaterialPoint) -> Option<(Mat3<f64>, f64)> {
        let mut at = Rows::default();
        add_point(&mut at, (model, &self.rigid), RowGroup::exact(3, [0.0; 3]), point);
        let (mut columns, mut left) = ([[0.0; 3]; 3], 0.0_f64);
        for (c, column) in columns.iter_mut().enumerate() {
            self.right.fill(0.0);
            at.fill_column((0, c), &self.shut, &mut self.right);
            self.correction.copy_from_slice(&self.right);
            self.solve_correction()?;
            *column = std::array::from_fn(|row| at.motion(0, row, |i| self.correction[i]));
            left = left.max(self.left_by_correction());
        }
        Some((Mat3::from_columns(columns), left))
    }

    /// Solves in `correction`, with the rows.
    fn solve_correction(&mut self) -> Option<()> {
        let Self { matrix, rows, woodbury, shut, solver: Solver::Direct(factor), correction, .. } = self
        else {
            return None;
        };
        if self.lumped {
            HeldMatrix { matrix, rows, held: shut }.solve(factor, &mut self.gradients, correction);
        } else {
            factor.solve_in_place(correction);
            woodbury.correct(rows, &mut **factor, shut, correction);
        }
        mask(correction, shut);
        Some(())
    }

    fn left_by_correction(&mut self) -> f64 {
        let mut product = std::mem::take(&mut self.product);
        self.multiply_into(&self.correction, &mut product);
        product.iter_mut().zip(&self.right).for_each(|(product, right)| *product = right - *product);
        mask(&mut product, &self.shut);
        let whole = ordered::dot(&self.right, &self.right);
        let left = if whole == 0.0 { 0.0 } else { (ordered::dot(&product, &product) / whole).sqrt() };
        self.product = product;
        left
    }
}
