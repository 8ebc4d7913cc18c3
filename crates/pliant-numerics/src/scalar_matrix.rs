//! Sparse matrices whose 3x3 blocks are multiples of the identity: one number a block.

use std::sync::Arc;

use rayon::prelude::*;

use crate::{BlockMatrix, BlockPattern, parallel};

/// Block rows a task of the matrix-vector product takes.
const ROWS_PER_TASK: usize = 1024;

/// A square sparse matrix that treats three components alike.
#[derive(Clone, Debug)]
pub struct ScalarMatrix {
    pattern: Arc<BlockPattern>,
    values: Vec<f64>,
}

impl ScalarMatrix {
    /// The zero matrix of a pattern.
    pub fn zero(pattern: Arc<BlockPattern>) -> Self {
        let values = vec![0.0; pattern.block_count()];
        Self { pattern, values }
    }

    /// The matrix of given values, one for every block of the pattern, row by row.
    ///
    /// # Panics
    /// If there are more or fewer.
    pub fn from_values(pattern: Arc<BlockPattern>, values: Vec<f64>) -> Self {
        assert_eq!(values.len(), pattern.block_count(), "one value for every block");
        Self { pattern, values }
    }

    /// The pattern the values follow.
    pub fn pattern(&self) -> &Arc<BlockPattern> {
        &self.pattern
    }

    /// The factor of the identity in every block, row by row.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// Adds `value` times the identity to a block.
    ///
    /// # Panics
    /// If the pattern lacks it.
    pub fn add(&mut self, row: u32, column: u32, value: f64) {
        let place = self.pattern.find(row, column);
        let place = place.unwrap_or_else(|| panic!("block ({row}, {column}) is not in the pattern"));
        self.values[place] += value;
    }

    /// One row of `self * x`.
    pub fn row_times(&self, row: usize, x: &[f64]) -> [f64; 3] {
        let start = self.pattern.row_start(row);
        let mut sum = [0.0; 3];
        for (value, &column) in self.values[start..].iter().zip(self.pattern.row(row)) {
            let x = &x[3 * column as usize..][..3];
            (0..3).for_each(|c| sum[c] += value * x[c]);
        }
        sum
    }

    /// `out = self * x`, three components a row; the bits do not depend on the number of threads.
    pub fn multiply_into(&self, x: &[f64], out: &mut [f64]) {
        let rows = |(task, out): (usize, &mut [f64])| {
            for (i, out) in out.chunks_exact_mut(3).enumerate() {
                out.copy_from_slice(&self.row_times(task * ROWS_PER_TASK + i, x));
            }
        };
        parallel::for_each(out.par_chunks_mut(3 * ROWS_PER_TASK).enumerate(), rows);
    }

    /// Adds `factor` times this matrix to one of the same pattern.
    ///
    /// # Panics
    /// If the patterns differ.
    pub fn add_to(&self, factor: f64, out: &mut BlockMatrix) {
        assert_eq!(self.pattern, *out.pattern(), "the matrices have different patterns");
        for (block, value) in out.blocks_mut().iter_mut().zip(&self.values) {
            *block = block.add_diagonal(factor * value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PatternBuilder;

    #[test]
    fn it_acts_as_the_block_matrix_that_it_stands_for() {
        let mut builder = PatternBuilder::new(3);
        builder.clique(&[0, 2]);
        let pattern = Arc::new(builder.build());
        let mut scalar = ScalarMatrix::zero(Arc::clone(&pattern));
        for (row, column, value) in [(0, 0, 2.0), (0, 2, -1.0), (2, 0, -1.0), (2, 2, 3.0), (1, 1, 5.0)] {
            scalar.add(row, column, value);
        }
        let mut blocks = BlockMatrix::zero(pattern);
        scalar.add_to(2.0, &mut blocks);
        let x: Vec<f64> = (1..10).map(f64::from).collect();
        let (mut ours, mut theirs) = (vec![0.0; 9], vec![0.0; 9]);
        scalar.multiply_into(&x, &mut ours);
        blocks.multiply_into(&x, &mut theirs);
        assert!(ours.iter().zip(&theirs).all(|(a, b)| 2.0 * a == *b));
        assert_eq!(ours[..3], [2.0 - 7.0, 4.0 - 8.0, 6.0 - 9.0]); // 2 x_0 - x_2
    }
}
