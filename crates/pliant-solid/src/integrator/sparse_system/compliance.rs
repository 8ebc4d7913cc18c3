//! What a force at a point moves there, by the factor that was made last.

use pliant_geometry::MaterialPoint;
use pliant_numerics::{Mat3, ordered};

use super::super::hands::add_point;
use super::{Solver, SparseSystem, mask};
use crate::model::Model;
use crate::rows::{HeldMatrix, RowGroup, Rows};

/// A solution that leaves more than this part of its right side is refined.
const ENOUGH: f64 = 1e-10;

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
            let mut found = self.left_by_correction();
            if found > ENOUGH {
                self.refine_correction()?;
                found = self.left_by_correction();
            }
            *column = std::array::from_fn(|row| at.motion(0, row, |i| self.correction[i]));
            left = if found.is_nan() { f64::INFINITY } else { left.max(found) };
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

    /// Holds all bodies that the point is not tied to: what they do is not asked.
    pub fn hold_others(&mut self, model: &Model, point: &MaterialPoint) {
        let layout = model.layout();
        let mut own = vec![false; layout.bodies().len()];
        layout
            .dependents()
            .for_each_free(point, layout.free_count(), |node, _| own[layout.body_of(node)] = true);
        for cluster in layout.clusters().iter().filter(|cluster| !cluster.iter().any(|body| own[*body])) {
            for nodes in cluster.iter().map(|body| &layout.bodies()[*body].nodes) {
                self.held[3 * nodes.start as usize..3 * nodes.end as usize].fill(true);
            }
        }
        self.rigid.hold(&self.held, &mut self.shut);
    }

    /// Adds to `correction` what solves for what it leaves.
    fn refine_correction(&mut self) -> Option<()> {
        let first = self.correction.clone();
        self.correction.copy_from_slice(&self.product);
        self.solve_correction()?;
        self.correction.iter_mut().zip(&first).for_each(|(c, f)| *c += f);
        Some(())
    }

    /// What `correction` leaves of `right`, as a part of it; the vector stays in `product`.
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
