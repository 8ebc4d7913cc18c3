//! Sparse matrices of 3x3 blocks with a pattern fixed once.

use std::sync::Arc;

use rayon::prelude::*;

use crate::{BlockPattern, Mat3, parallel};

/// Block rows a task of the matrix-vector product takes.
const ROWS_PER_TASK: usize = 256;

/// A square sparse matrix of 3x3 blocks; refilled in place.
#[derive(Clone, Debug)]
pub struct BlockMatrix {
    pattern: Arc<BlockPattern>,
    blocks: Vec<Mat3<f64>>,
}

impl BlockMatrix {
    /// The zero matrix of a pattern.
    pub fn zero(pattern: Arc<BlockPattern>) -> Self {
        let blocks = vec![Mat3::zero(); pattern.block_count()];
        Self { pattern, blocks }
    }

    /// The pattern the blocks follow.
    pub fn pattern(&self) -> &Arc<BlockPattern> {
        &self.pattern
    }

    /// All blocks, row by row.
    pub fn blocks(&self) -> &[Mat3<f64>] {
        &self.blocks
    }

    /// All blocks, row by row, for whoever knows their places.
    pub fn blocks_mut(&mut self) -> &mut [Mat3<f64>] {
        &mut self.blocks
    }

    /// All entries back to zero, the pattern kept.
    pub fn clear(&mut self) {
        self.blocks.fill(Mat3::zero());
    }

    /// Becomes its symmetric part.
    pub fn symmetrise(&mut self) {
        let pattern = Arc::clone(&self.pattern);
        for row in 0..pattern.row_count() {
            for (place, &column) in (pattern.row_start(row)..).zip(pattern.row(row)) {
                if (column as usize) < row {
                    continue;
                }
                // the pattern is made of cliques, so the mirror image is there
                let mirror = pattern.find(column, row as u32).unwrap_or(place);
                let mean = (self.blocks[place] + self.blocks[mirror].transpose()).scale(0.5);
                self.blocks[place] = mean;
                self.blocks[mirror] = mean.transpose();
            }
        }
    }

    /// Adds a block.
    ///
    /// # Panics
    /// If the pattern lacks it: whoever adds blocks has announced its cliques to the pattern.
    pub fn add(&mut self, row: u32, column: u32, block: &Mat3<f64>) {
        let place = self.pattern.find(row, column);
        let place = place.unwrap_or_else(|| panic!("block ({row}, {column}) is not in the pattern"));
        self.blocks[place] = self.blocks[place] + *block;
    }

    /// The block at a place, zero when the pattern lacks it.
    pub fn block(&self, row: u32, column: u32) -> Mat3<f64> {
        self.pattern.find(row, column).map_or(Mat3::zero(), |place| self.blocks[place])
    }

    /// One block row of `self * x`.
    pub fn row_times(&self, row: usize, x: &[f64]) -> [f64; 3] {
        let start = self.pattern.row_start(row);
        let mut sum = [0.0; 3];
        for (block, &column) in self.blocks[start..].iter().zip(self.pattern.row(row)) {
            let x = &x[3 * column as usize..][..3];
            let product = block.mul_vec([x[0], x[1], x[2]]);
            sum = std::array::from_fn(|c| sum[c] + product[c]);
        }
        sum
    }

    /// `out = self * x`; rows are independent, so the bits do not depend on the thread count.
    pub fn multiply_into(&self, x: &[f64], out: &mut [f64]) {
        let rows = |(task, out): (usize, &mut [f64])| {
            for (i, out) in out.chunks_exact_mut(3).enumerate() {
                out.copy_from_slice(&self.row_times(task * ROWS_PER_TASK + i, x));
            }
        };
        parallel::for_each(out.par_chunks_mut(3 * ROWS_PER_TASK).enumerate(), rows);
    }

    /// Calls `visit(row, column, value)` for every stored scalar entry, in row order.
    pub fn for_each_entry(&self, mut visit: impl FnMut(usize, usize, f64)) {
        for row in 0..self.pattern.row_count() {
            let start = self.pattern.row_start(row);
            for (block, &column) in self.blocks[start..].iter().zip(self.pattern.row(row)) {
                for r in 0..3 {
                    for c in 0..3 {
                        visit(3 * row + r, 3 * column as usize + c, block.0[r][c]);
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PatternBuilder;

    #[test]
    fn product_equals_the_dense_one() {
        let mut builder = PatternBuilder::new(3);
        builder.clique(&[0, 2]);
        builder.clique(&[1, 2]);
        let mut matrix = BlockMatrix::zero(Arc::new(builder.build()));
        let block = Mat3([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]]);
        for (r, c) in [(0, 0), (0, 2), (2, 1), (2, 1), (1, 1)] {
            matrix.add(r, c, &block);
        }
        let x: Vec<f64> = (0..9).map(f64::from).collect();
        let mut dense = vec![0.0; 9];
        matrix.for_each_entry(|r, c, value| dense[r] += value * x[c]);
        let mut out = vec![0.0; 9];
        matrix.multiply_into(&x, &mut out);
        assert_eq!(out, dense);
        assert_eq!(out[6], 2.0 * (3.0 + 2.0 * 4.0 + 3.0 * 5.0)); // twice block row 0 times x[3..6]
        assert_eq!(matrix.block(1, 0), Mat3::zero());
    }
}
