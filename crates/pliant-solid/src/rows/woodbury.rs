//! Springs over a factor: an update of low rank instead of places in the sparse matrix.
//!
//! ```text
//! A' = A + G S J,   A' x = b   =>   x = A^-1 b - A^-1 G S y,   y = J x                                    (1)
//! (I + W S) y = J A^-1 b,   W = J A^-1 G                                                                  (2)
//! ```
//!
//! A spring may hold any nodes, so the blocks that it couples are not in the model's pattern. (1) is A' x = b with the second part of A' moved to the right;
//! (2) is J (1). No inverse of S is asked for, which is singular where a hand's largest force is reached. With G = J^T the eigenvalues of W S are those
//! of S^1/2 W S^1/2, none below zero, so (2) has a solution whenever A is positive definite. A spring costs three solutions with the factor.

use pliant_numerics::Mat3;
use pliant_numerics::small::eliminate;

use super::{Inverse, Rows};

/// Adds springs to the solutions of an inverse. Keeps its memory from step to step.
#[derive(Clone, Debug, Default)]
pub struct Woodbury {
    /// A^-1 G, column after column.
    columns: Vec<f64>,
    /// I + W S, row after row, and what elimination leaves of it.
    small: Vec<f64>,
    used: Vec<f64>,
    /// The right side of (2), then y.
    motions: Vec<f64>,
}

impl Woodbury {
    /// Makes room, so that steps need not.
    pub fn make_room(&mut self, rows: &Rows, unknowns: usize) {
        let count = 3 * rows.springs().count();
        self.columns.resize(unknowns * count, 0.0);
        self.small.resize(count * count, 0.0);
        self.used.resize(count * count, 0.0);
        self.motions.resize(count, 0.0);
    }

    /// Turns A^-1 b into A'^-1 b.
    pub fn correct(&mut self, rows: &Rows, inverse: &mut dyn Inverse, held: &[bool], x: &mut [f64]) {
        if rows.springs().next().is_none() {
            return;
        }
        self.prepare(rows, inverse, held);
        self.apply(rows, held, x);
    }

    /// W S of a new factor or of new rows.
    pub fn prepare(&mut self, rows: &Rows, inverse: &mut dyn Inverse, held: &[bool]) {
        self.make_room(rows, held.len());
        self.solve_columns(rows, inverse, held);
        self.fill_small(rows, held.len());
    }

    /// (1) and (2) for a solution of A.
    pub fn apply(&mut self, rows: &Rows, held: &[bool], x: &mut [f64]) {
        let count = self.motions.len();
        if count == 0 {
            return;
        }
        let free = |i: usize| if held[i] { 0.0 } else { x[i] };
        for ((group, _), out) in rows.springs().zip(self.motions.chunks_exact_mut(3)) {
            (0..3).for_each(|c| out[c] = rows.motion(group, c, free));
        }
        self.used.copy_from_slice(&self.small);
        eliminate(&mut self.used, &mut self.motions, count); // (2)
        for ((_, stiffness), y) in rows.springs().zip(self.motions.chunks_exact_mut(3)) {
            y.copy_from_slice(&stiffness.mul_vec([y[0], y[1], y[2]]));
        }
        for (column, force) in self.columns.chunks_exact(x.len()).zip(&self.motions) {
            x.iter_mut().zip(column).for_each(|(x, w)| *x -= w * force); // (1)
        }
    }

    fn solve_columns(&mut self, rows: &Rows, inverse: &mut dyn Inverse, held: &[bool]) {
        let columns = self.columns.chunks_exact_mut(3 * held.len());
        for ((group, stiffness), columns) in rows.springs().zip(columns) {
            columns.fill(0.0);
            if stiffness == Mat3::zero() {
                continue;
            }
            for (c, column) in columns.chunks_exact_mut(held.len()).enumerate() {
                rows.fill_column((group, c), held, column);
                inverse.solve_in_place(column);
            }
        }
    }

    /// I + W S; columns are zero where unknowns are held, so that J needs no mask here.
    fn fill_small(&mut self, rows: &Rows, unknowns: usize) {
        let count = self.motions.len();
        for ((group, _), three) in rows.springs().zip(self.small.chunks_exact_mut(3 * count.max(1))) {
            for (c, out) in three.chunks_exact_mut(count).enumerate() {
                for (spring, (_, stiffness)) in rows.springs().enumerate() {
                    let entry = |l: usize| {
                        let column = &self.columns[(3 * spring + l) * unknowns..];
                        rows.motion(group, c, |i| column[i])
                    };
                    let compliance: [f64; 3] = std::array::from_fn(entry);
                    for m in 0..3 {
                        out[3 * spring + m] = (0..3).map(|l| compliance[l] * stiffness.0[l][m]).sum();
                    }
                }
            }
        }
        (0..count).for_each(|i| self.small[i * count + i] += 1.0);
    }
}

/// A'^-1: an inverse with springs beside it, prepared.
pub struct Corrected<'a> {
    /// A^-1.
    pub inverse: &'a mut dyn Inverse,
    /// Prepared with it.
    pub woodbury: &'a mut Woodbury,
    /// The springs.
    pub rows: &'a Rows,
    /// Unknowns that do not move.
    pub held: &'a [bool],
}

impl Inverse for Corrected<'_> {
    fn solve_in_place(&mut self, x: &mut [f64]) {
        self.inverse.solve_in_place(x);
        self.woodbury.apply(self.rows, self.held, x);
    }
}
