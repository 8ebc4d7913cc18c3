//! Live hands in implicit steps: an update of low rank instead of places in the sparse matrix.
//!
//! ```text
//! A' = A + U S U^T,   U = (w_1 (x) I, w_2 (x) I, ...),   S = diag(S_1, S_2, ...)                  (1)
//! A' x = b   =>   x = A^-1 b - A^-1 U S y,   y = U^T x                                            (2)
//! (I + C S) y = U^T A^-1 b,   C = U^T A^-1 U                                                      (3)
//! ```
//!
//! A hand may hold any nodes, so the blocks that it couples are not in the model's pattern. w_g are its weights on free nodes (those of
//! dependent nodes handed to their masters), or 3x3 levers on the motions of a bone, rows of held unknowns zero, and S_g its 3x3 tangent. (2) is A' x = b with the second part of
//! A' moved to the right; (3) is U^T (2). No inverse of S is asked for, which is singular where the largest force is reached. The
//! eigenvalues of C S are those of S^1/2 C S^1/2, none below zero, so (3) has a solution whenever A is positive definite. A hand costs three
//! solutions with the factor of A.
//!
//! A' is definite where A is, so that Newton's method goes downhill as without hands. Where A has no factor, `lumped_hands` asks whether A' is
//! definite all the same. Stiffening and the search for the weakest motion of a failed step look at A alone.

use pliant_numerics::{BlockCholesky, Mat3};

use crate::model::Model;
use crate::rigid::RigidRows;
use crate::term::{At, Coeffs, Grab};

/// The hands of a step; see the [module](self). Keeps its memory from step to step.
#[derive(Default)]
pub(crate) struct Hands {
    /// Rows of all hands with their weights, hand after hand; a row may come more than once.
    weights: Vec<(u32, Mat3<f64>)>,
    /// One past the last of each hand's weights.
    ends: Vec<usize>,
    /// S_g; zero where a hand waits.
    tangents: Vec<Mat3<f64>>,
    /// A^-1 U, column after column.
    columns: Vec<f64>,
    /// I + C S, row after row.
    small: Vec<f64>,
    /// The right side of (3), then y, then S y.
    pulls: Vec<f64>,
}

impl Hands {
    /// Notes U and S at a state with its dependent nodes filled in.
    pub fn take(&mut self, model: &Model, at: &At, c: Coeffs, (grabs, rigid): (&[Grab], &RigidRows)) {
        let (dependents, free) = (model.layout().dependents(), model.layout().free_count());
        self.weights.clear();
        self.ends.clear();
        self.tangents.clear();
        for grab in grabs {
            dependents.for_each_free(&grab.point, free, |node, weight| {
                rigid.for_each_lever(node, |row, lever| self.weights.push((row, lever.scale(weight))));
            });
            self.ends.push(self.weights.len());
            self.tangents.push(grab.tangent(at, c).unwrap_or_else(Mat3::zero));
        }
    }

    /// Makes room for what a factor does with them.
    pub fn make_columns(&mut self, free: usize) {
        let count = 3 * self.tangents.len();
        self.columns.resize(3 * free * count, 0.0);
        self.small.resize(count * count, 0.0);
        self.pulls.resize(count, 0.0);
    }

    /// Adds U S U^T times the motion of held unknowns, their weights for once not zero.
    pub fn multiply_add(&self, motion: &[f64], product: &mut [f64]) {
        for (hand, tangent) in self.tangents.iter().enumerate() {
            let mean = std::array::from_fn(|c| mean(self.weights_of(hand), |i| motion[i], c));
            let pull = tangent.mul_vec(mean);
            for &(node, weight) in self.weights_of(hand) {
                let share = weight.transpose().mul_vec(pull);
                (0..3).for_each(|c| product[3 * node as usize + c] += share[c]);
            }
        }
    }

    /// Turns A^-1 b into A'^-1 b by (2) and (3), with the factor of A.
    pub fn correct(&mut self, factor: &mut BlockCholesky, held: &[bool], x: &mut [f64]) {
        if self.tangents.is_empty() {
            return;
        }
        self.solve_columns(factor, held);
        self.fill_small();
        for row in 0..self.pulls.len() {
            let free = |i: usize| if held[i] { 0.0 } else { x[i] };
            self.pulls[row] = mean(self.weights_of(row / 3), free, row % 3);
        }
        eliminate(&mut self.small, &mut self.pulls); // (3)
        for (tangent, pull) in self.tangents.iter().zip(self.pulls.chunks_exact_mut(3)) {
            pull.copy_from_slice(&tangent.mul_vec([pull[0], pull[1], pull[2]]));
        }
        for (column, pull) in self.columns.chunks_exact(x.len()).zip(&self.pulls) {
            x.iter_mut().zip(column).for_each(|(x, w)| *x -= w * pull); // (2)
        }
    }

    /// Whether any hand resists now.
    pub fn act(&self) -> bool {
        self.tangents.iter().any(|tangent| *tangent != Mat3::zero())
    }

    /// Calls `visit` with the nodes of all hands and what `lumped_hands` puts there on the diagonal instead of U S U^T.
    pub fn for_each_lump(&self, mut visit: impl FnMut(u32, Mat3<f64>)) {
        for (hand, tangent) in self.tangents.iter().enumerate() {
            let weights = self.weights_of(hand);
            // (sum W x)^T S (sum W x) <= sum_i (sum_j |W_j| / |W_i|) x_i^T W_i^T S W_i x_i
            let sum: f64 = weights.iter().map(|(_, weight)| weight.norm()).sum();
            for (node, weight) in weights.iter().filter(|(_, weight)| weight.norm() > 0.0) {
                let turned = weight.transpose_mul(&(*tangent * *weight));
                visit(*node, turned.scale(sum / weight.norm()));
            }
        }
    }

    fn weights_of(&self, hand: usize) -> &[(u32, Mat3<f64>)] {
        let first = hand.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.weights[first..self.ends[hand]]
    }

    /// A^-1 U: once for a factor, of which every solution of Newton's method makes a new one.
    fn solve_columns(&mut self, factor: &mut BlockCholesky, held: &[bool]) {
        let mut columns = std::mem::take(&mut self.columns);
        for (index, column) in columns.chunks_exact_mut(held.len()).enumerate() {
            let (hand, c) = (index / 3, index % 3);
            column.fill(0.0);
            if self.tangents[hand] == Mat3::zero() {
                continue;
            }
            for &(node, weight) in self.weights_of(hand) {
                for k in 0..3 {
                    let dof = 3 * node as usize + k;
                    column[dof] += if held[dof] { 0.0 } else { weight.0[c][k] };
                }
            }
            factor.solve_in_place(column);
        }
        self.columns = columns;
    }

    /// I + C S; columns are zero where unknowns are held, so that U needs no mask here.
    fn fill_small(&mut self) {
        let (count, unknowns) = (self.pulls.len(), self.columns.len() / self.pulls.len());
        let mut small = std::mem::take(&mut self.small);
        for (row, out) in small.chunks_exact_mut(count).enumerate() {
            for (hand, tangent) in self.tangents.iter().enumerate() {
                let weights = self.weights_of(row / 3);
                let entry = |l: usize| {
                    let column = &self.columns[(3 * hand + l) * unknowns..];
                    mean(weights, |i| column[i], row % 3)
                };
                let compliance: [f64; 3] = std::array::from_fn(entry);
                for m in 0..3 {
                    out[3 * hand + m] = (0..3).map(|l| compliance[l] * tangent.0[l][m]).sum();
                }
            }
            out[row] += 1.0;
        }
        self.small = small;
    }
}

/// The weighted sum of one component over the nodes of a hand.
fn mean(weights: &[(u32, Mat3<f64>)], value: impl Fn(usize) -> f64, c: usize) -> f64 {
    let one = |(node, weight): &(u32, Mat3<f64>)| -> f64 {
        (0..3).map(|k| weight.0[c][k] * value(3 * *node as usize + k)).sum()
    };
    weights.iter().map(one).sum()
}

/// Gaussian elimination with row exchanges of a small matrix, row after row; `right` becomes the solution.
fn eliminate(matrix: &mut [f64], right: &mut [f64]) {
    let n = right.len();
    for k in 0..n {
        let largest = (k..n).max_by(|a, b| matrix[a * n + k].abs().total_cmp(&matrix[b * n + k].abs()));
        let pivot = largest.unwrap_or(k);
        if pivot != k {
            (k..n).for_each(|j| matrix.swap(k * n + j, pivot * n + j));
            right.swap(k, pivot);
        }
        for i in k + 1..n {
            let factor = matrix[i * n + k] / matrix[k * n + k];
            (k..n).for_each(|j| matrix[i * n + j] -= factor * matrix[k * n + j]);
            right[i] -= factor * right[k];
        }
    }
    for k in (0..n).rev() {
        let known: f64 = (k + 1..n).map(|j| matrix[k * n + j] * right[j]).sum();
        right[k] = (right[k] - known) / matrix[k * n + k];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elimination_exchanges_rows_where_it_must() {
        // by hand: x = (1, -2, 3)
        let mut matrix = [0.0, 2.0, 1.0, 1.0, 1.0, 0.0, 4.0, 0.0, -1.0];
        let mut right = [-1.0, -1.0, 1.0];
        eliminate(&mut matrix, &mut right);
        assert!(right.iter().zip([1.0, -2.0, 3.0]).all(|(a, b)| (a - b).abs() < 1e-14), "{right:?}");
    }
}
