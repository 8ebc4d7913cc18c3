//! Elimination with complete pivoting: what depends on other rows is found and left out.
//!
//! ```text
//! D Q D y = D q,   x = D y,   D_ii = |Q_ii|^-1/2                                                          (1)
//! ```
//!
//! (1) makes rows of light and heavy things alike, so that a pivot says something: one below a small number is a row that depends on
//! those before it. Its unknown is zero, and what its equation is left with is told.

/// A pivot of (1) below this is zero: Schur complements over factors of slender bodies have errors of about a hundredth of it.
const ZERO: f64 = 1e-10;

/// Elimination that reveals the rank and keeps its memory.
#[derive(Clone, Debug, Default)]
pub struct Ranked {
    matrix: Vec<f64>,
    right: Vec<f64>,
    scale: Vec<f64>,
    /// Which unknown is at a place now.
    columns: Vec<usize>,
    /// Which equation.
    rows: Vec<usize>,
    rank: usize,
}

impl Ranked {
    /// Solves the equations `chosen` of a square matrix for the unknowns of the same numbers; others of `x` stay. Gives the rank.
    pub fn solve(&mut self, matrix: &[f64], right: &[f64], chosen: &[usize], x: &mut [f64]) -> usize {
        let (n, whole) = (chosen.len(), right.len());
        self.take(matrix, right, chosen, whole);
        self.rank = n;
        for k in 0..n {
            if !self.pivot(k, n) {
                self.rank = k;
                break;
            }
            for i in k + 1..n {
                let factor = self.matrix[i * n + k] / self.matrix[k * n + k];
                if factor != 0.0 {
                    let (above, below) = self.matrix.split_at_mut(i * n);
                    let pivot = &above[k * n + k..k * n + n];
                    below[k..n].iter_mut().zip(pivot).for_each(|(b, p)| *b -= factor * p);
                    self.right[i] -= factor * self.right[k];
                }
            }
        }
        for k in (0..self.rank).rev() {
            let row = &self.matrix[k * n..][..n];
            let known: f64 = (k + 1..self.rank).map(|j| row[j] * self.right[j]).sum();
            self.right[k] = (self.right[k] - known) / row[k];
        }
        chosen.iter().for_each(|i| x[*i] = 0.0);
        for k in 0..self.rank {
            let column = self.columns[k];
            x[chosen[column]] = self.right[k] * self.scale[column];
        }
        self.rank
    }

    /// Places in `chosen` of the equations that were left out of the last solution.
    pub fn left_out(&self) -> &[usize] {
        &self.rows[self.rank..]
    }

    fn take(&mut self, matrix: &[f64], right: &[f64], chosen: &[usize], whole: usize) {
        let Self { matrix: own, right: sides, scale, columns, rows, .. } = self;
        scale.clear();
        scale.extend(chosen.iter().map(|i| match matrix[i * whole + i].abs() {
            diagonal if diagonal > 0.0 => diagonal.sqrt().recip(),
            _ => 1.0,
        }));
        own.clear();
        for (a, i) in chosen.iter().enumerate() {
            own.extend(chosen.iter().enumerate().map(|(b, j)| scale[a] * matrix[i * whole + j] * scale[b]));
        }
        sides.clear();
        sides.extend(chosen.iter().zip(&*scale).map(|(i, s)| s * right[*i]));
        for places in [columns, rows] {
            places.clear();
            places.extend(0..chosen.len());
        }
    }

    /// Brings the largest entry of what is left to the diagonal; says whether it is one.
    fn pivot(&mut self, k: usize, n: usize) -> bool {
        let (mut place, mut largest) = ((k, k), 0.0);
        for i in k..n {
            for j in k..n {
                let size = self.matrix[i * n + j].abs();
                if size > largest {
                    (place, largest) = ((i, j), size);
                }
            }
        }
        if largest <= ZERO {
            return false;
        }
        let (row, column) = place;
        if row != k {
            (0..n).for_each(|j| self.matrix.swap(k * n + j, row * n + j));
            self.right.swap(k, row);
            self.rows.swap(k, row);
        }
        if column != k {
            (0..n).for_each(|i| self.matrix.swap(i * n + k, i * n + column));
            self.columns.swap(k, column);
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_that_depends_on_others_is_left_out() {
        // the third is the sum of the first two; scales a million apart
        let (a, b) = (1e6, 1.0);
        let matrix = [a, 0.0, a, 0.0, b, b, a, b, a + b];
        let right = [2.0 * a, 3.0 * b, 2.0 * a + 3.0 * b];
        let mut ranked = Ranked::default();
        let mut x = [7.0; 3];
        assert_eq!(ranked.solve(&matrix, &right, &[0, 1, 2], &mut x), 2);
        assert_eq!(ranked.left_out().len(), 1);
        for i in 0..3 {
            let product: f64 = (0..3).map(|j| matrix[3 * i + j] * x[j]).sum();
            assert!((product - right[i]).abs() < 1e-9 * a, "{x:?}");
        }
    }

    #[test]
    fn chosen_unknowns_alone_are_solved_for() {
        let mut x = [1.0, 2.0, 5.0];
        let matrix = [2.0, 9.0, 1.0, 9.0, 9.0, 9.0, 1.0, 9.0, 3.0];
        assert_eq!(Ranked::default().solve(&matrix, &[4.0, 9.0, 7.0], &[0, 2], &mut x), 2);
        assert!(x.iter().zip([1.0, 2.0, 2.0]).all(|(a, b): (&f64, f64)| (a - b).abs() < 1e-14), "{x:?}");
        assert_eq!(Ranked::default().solve(&[0.0], &[1.0], &[0], &mut [3.0]), 0);
    }
}
