//! Exact, compliant and one-sided rows over an inverse: the Schur complement of their multipliers.
//!
//! ```text
//! (W + C) lambda - (r - J A^-1 b) = w,   W = J A^-1 G,   lambda and w as in `rows` (5)                     (1)
//! x = A^-1 b + A^-1 G lambda                                                                              (2)
//! ```
//!
//! Up to [`DENSE_ROWS`] rows W is a dense matrix, a solution a column, and (1) is solved by pivoting with its rank revealed. Above that it is known by
//! its products, a solution each, and projected gradients solve.

use pliant_numerics::small::{Bounded, ProjectedGradients};

use super::{DENSE_ROWS, Inverse, Rows, RowsReport, RowsWay, TooManyRows};

/// What projected gradients leave of the right side.
const TOLERANCE: f64 = 1e-10;
/// Products that they may take, for each row.
const PRODUCTS: usize = 10;

/// A row that misses less than this part of its own motion is met.
const MET: f64 = 1e-8;

/// Imposes exact, compliant and one-sided rows over any inverse. Keeps its memory from step to step.
#[derive(Clone, Debug, Default)]
pub struct HardRows {
    /// A^-1 G, column after column.
    columns: Vec<f64>,
    /// W + C, row after row.
    matrix: Vec<f64>,
    right: Vec<f64>,
    bounds: Vec<[f64; 2]>,
    forces: Vec<f64>,
    bounded: Bounded,
    gradients: ProjectedGradients,
    motion: Vec<f64>,
    scale: Vec<f64>,
    true_forces: Vec<f64>,
}

impl HardRows {
    /// lambda of the last solution, row after row.
    pub fn forces(&self) -> &[f64] {
        &self.forces
    }

    /// W, row after row: what a force in one row moves in another; for at most [`DENSE_ROWS`] rows.
    pub fn schur(&mut self, rows: &Rows, inverse: &mut dyn Inverse, held: &[bool]) -> &[f64] {
        self.solve_columns(rows, inverse, held);
        self.fill_matrix(rows, held.len());
        &self.matrix
    }

    /// Turns A^-1 b into (2). Rows of unknowns that are held count as far as the others move.
    pub fn impose(
        &mut self,
        rows: &Rows,
        inverse: &mut dyn Inverse,
        held: &[bool],
        x: &mut [f64],
    ) -> Result<RowsReport, TooManyRows> {
        let count = rows.hard_count();
        if count == 0 {
            self.forces.clear();
            return Ok(RowsReport::default());
        }
        rows.ask(x, (&mut self.right, &mut self.bounds, &mut self.forces));
        if let Some(row) = self.right.iter().position(|r| !r.is_finite()) {
            return Ok(RowsReport {
                conflict: Some((group_of(rows, row), f64::NAN)),
                ..RowsReport::default()
            });
        }
        if count > DENSE_ROWS {
            return self.iterate(rows, inverse, held, x);
        }
        self.schur(rows, inverse, held);
        add_compliances(rows, &mut self.matrix);
        let Self { matrix, right, bounds, forces, bounded, .. } = self;
        let found = bounded.solve(matrix, right, bounds, forces);
        for (column, force) in self.columns.chunks_exact(x.len()).zip(&self.forces) {
            x.iter_mut().zip(column).for_each(|(x, c)| *x += c * force);
        }
        let conflict = found.conflict.map(|(row, left)| (group_of(rows, row), left));
        let (iterations, redundant) = (found.iterations, found.redundant);
        Ok(RowsReport { way: RowsWay::Dense, iterations, redundant, conflict, ..RowsReport::default() })
    }

    fn solve_columns(&mut self, rows: &Rows, inverse: &mut dyn Inverse, held: &[bool]) {
        self.columns.clear();
        self.columns.resize(rows.hard_count() * held.len(), 0.0);
        for (group, first, what) in rows.hard() {
            for row in 0..what.rows {
                let column = &mut self.columns[(first + row) * held.len()..][..held.len()];
                rows.fill_column((group, row), held, column);
                inverse.solve_in_place(column);
                column.iter_mut().zip(held).filter(|(_, held)| **held).for_each(|(c, _)| *c = 0.0);
            }
        }
    }

    fn fill_matrix(&mut self, rows: &Rows, unknowns: usize) {
        let count = rows.hard_count();
        self.matrix.resize(count * count, 0.0);
        for (group, first, what) in rows.hard() {
            for row in 0..what.rows {
                for j in 0..count {
                    let column = &self.columns[j * unknowns..][..unknowns];
                    self.matrix[(first + row) * count + j] = rows.motion(group, row, |i| column[i]);
                }
            }
        }
    }

    fn iterate(
        &mut self,
        rows: &Rows,
        inverse: &mut dyn Inverse,
        held: &[bool],
        x: &mut [f64],
    ) -> Result<RowsReport, TooManyRows> {
        let count = rows.hard_count();
        if !rows.is_symmetric() {
            return Err(TooManyRows { rows: count });
        }
        self.find_scale(rows, inverse, held);
        let Self { right, bounds, forces, gradients, motion, scale, .. } = self;
        let whole = right.iter().map(|r| r * r).sum::<f64>().sqrt();
        right.iter_mut().zip(&*scale).for_each(|(r, s)| *r *= s);
        bounds.iter_mut().zip(&*scale).for_each(|(b, s)| *b = b.map(|b| b / s));
        let mut answer = |forces: &[f64], motion: &mut [f64]| {
            motion.fill(0.0);
            for (group, first, what) in rows.hard() {
                rows.spread(group, force_of(forces, first, what.rows), motion);
            }
            mask(motion, held);
            inverse.solve_in_place(motion);
            mask(motion, held);
        };
        let mut true_forces = std::mem::take(&mut self.true_forces);
        true_forces.resize(count, 0.0);
        let product = |z: &[f64], out: &mut [f64]| {
            true_forces.iter_mut().zip(z).zip(&*scale).for_each(|((f, z), s)| *f = z * s);
            let forces = &true_forces;
            answer(forces, motion);
            for (group, first, what) in rows.hard() {
                let soft = what.compliance().mul_vec(force_of(forces, first, what.rows));
                for row in 0..what.rows {
                    out[first + row] =
                        scale[first + row] * (rows.motion(group, row, |i| motion[i]) + soft[row]);
                }
            }
        };
        let found = gradients.solve(product, right, bounds, forces, (TOLERANCE, PRODUCTS * count));
        forces.iter_mut().zip(&*scale).for_each(|(f, s)| *f *= s);
        answer(forces, motion);
        x.iter_mut().zip(&*motion).for_each(|(x, m)| *x += m);
        self.true_forces = true_forces;
        let conflict = most_missed(rows, x, &self.forces, TOLERANCE * whole);
        Ok(RowsReport {
            way: RowsWay::Projected,
            iterations: found.products,
            redundant: 0,
            conflict,
            residual: found.residual,
            unsolved: found.unsolved,
        })
    }

    /// The diagonal of W + C to the power -1/2: rows of light and heavy things alike.
    fn find_scale(&mut self, rows: &Rows, inverse: &mut dyn Inverse, held: &[bool]) {
        self.scale.clear();
        self.motion.resize(held.len(), 0.0);
        for (group, _, what) in rows.hard() {
            for row in 0..what.rows {
                self.motion.fill(0.0);
                rows.fill_column((group, row), held, &mut self.motion);
                inverse.solve_in_place(&mut self.motion);
                mask(&mut self.motion, held);
                let own = rows.motion(group, row, |i| self.motion[i]) + what.compliance().0[row][row];
                self.scale.push(if own > 0.0 { own.sqrt().recip() } else { 1.0 });
            }
        }
    }
}

/// The forces of a group, rows that it does not have zero.
pub(super) fn force_of(forces: &[f64], first: usize, rows: usize) -> [f64; 3] {
    std::array::from_fn(|row| if row < rows { forces[first + row] } else { 0.0 })
}

fn mask(values: &mut [f64], held: &[bool]) {
    values.iter_mut().zip(held).filter(|(_, held)| **held).for_each(|(value, _)| *value = 0.0);
}

/// Adds C to W.
pub(super) fn add_compliances(rows: &Rows, matrix: &mut [f64]) {
    let count = rows.hard_count();
    for (_, first, what) in rows.hard() {
        let compliance = what.compliance();
        for (i, j) in (0..what.rows).flat_map(|i| (0..what.rows).map(move |j| (i, j))) {
            matrix[(first + i) * count + first + j] += compliance.0[i][j];
        }
    }
}

/// The group of a row.
pub(super) fn group_of(rows: &Rows, row: usize) -> usize {
    rows.hard().take_while(|(_, first, _)| *first <= row).last().map_or(0, |(group, ..)| group)
}

/// The group whose w is farthest from what its bounds allow, and that w; `None` where all are met to within rounding and what iterations leave.
pub(super) fn most_missed(rows: &Rows, x: &[f64], forces: &[f64], left: f64) -> Option<(usize, f64)> {
    let mut worst: Option<(usize, f64)> = None;
    for (group, first, what) in rows.hard() {
        let soft = what.compliance().mul_vec(force_of(forces, first, what.rows));
        for row in 0..what.rows {
            let y = rows.motion(group, row, |i| x[i]);
            let w = y + soft[row] - what.target[row];
            let [low, high] = what.bounds[row];
            let w = if forces[first + row] <= low { w.min(0.0) } else { w };
            let w = if forces[first + row] >= high { w.max(0.0) } else { w };
            let nothing = MET * y.abs().max(soft[row].abs()).max(what.target[row].abs()) + 10.0 * left;
            let missed = w.is_nan() || w.abs() > nothing;
            if missed && worst.is_none_or(|(_, most)| w.is_nan() || w.abs() > most.abs()) {
                worst = Some((group, w));
            }
        }
    }
    worst
}
