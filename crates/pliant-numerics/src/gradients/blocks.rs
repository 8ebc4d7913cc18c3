//! Blocks of a matrix in the order in which sweeps read them.

use wide::f64x4;

use crate::Mat3;

/// A 3x3 matrix by columns, the fourth lane zero.
pub type Columns = [f64x4; 3];

/// A matrix as columns.
pub fn columns_of(m: &Mat3<f64>) -> Columns {
    std::array::from_fn(|c| f64x4::from([m.0[0][c], m.0[1][c], m.0[2][c], 0.0]))
}

/// A matrix times a vector in the first three lanes.
#[inline(always)]
pub fn times(m: &Columns, v: f64x4) -> f64x4 {
    let v = v.to_array();
    m[0] * f64x4::splat(v[0]) + (m[1] * f64x4::splat(v[1]) + m[2] * f64x4::splat(v[2]))
}

/// For each row some blocks with their columns, row by row; each block as nine numbers by columns.
#[derive(Default)]
pub struct Blocks {
    /// One past the last block of each row, after a zero.
    starts: Vec<u32>,
    columns: Vec<u32>,
    /// Where each block is in the matrix.
    sources: Vec<u32>,
    /// With one number more at the end, so that four can be read from anywhere in the last block.
    values: Vec<f64>,
}

impl Blocks {
    /// From the blocks of each row: column here and place in the matrix.
    pub fn new(rows: impl Iterator<Item = Vec<(u32, u32)>>) -> Self {
        let mut out = Self { starts: vec![0], ..Self::default() };
        for row in rows {
            for (column, source) in row {
                out.columns.push(column);
                out.sources.push(source);
            }
            out.starts.push(out.columns.len() as u32);
        }
        out.values = vec![0.0; 9 * out.columns.len() + 1];
        out
    }

    /// Takes the values of the blocks of a matrix.
    pub fn refill(&mut self, blocks: &[Mat3<f64>]) {
        for (value, source) in self.values.chunks_exact_mut(9).zip(&self.sources) {
            let block = &blocks[*source as usize].0;
            for c in 0..3 {
                (0..3).for_each(|r| value[3 * c + r] = block[r][c]);
            }
        }
    }

    /// Makes entries zero whose row or column is held; `held` knows the three unknowns of a row, and of a column.
    pub fn hold(&mut self, row: usize, of_row: [bool; 3], of_column: impl Fn(u32) -> [bool; 3]) {
        let own = self.starts[row] as usize..self.starts[row + 1] as usize;
        for entry in own {
            let of_column = of_column(self.columns[entry]);
            for (i, value) in self.values[9 * entry..9 * entry + 9].iter_mut().enumerate() {
                if of_row[i % 3] || of_column[i / 3] {
                    *value = 0.0;
                }
            }
        }
    }

    /// The blocks of a row with their columns.
    pub fn row(&self, row: usize) -> impl Iterator<Item = (u32, Mat3<f64>)> {
        let own = self.starts[row] as usize..self.starts[row + 1] as usize;
        own.map(|entry| {
            let value = &self.values[9 * entry..9 * entry + 9];
            (self.columns[entry], Mat3::from_fn(|r, c| value[3 * c + r]))
        })
    }

    /// `start` minus the row times a vector.
    #[inline(always)]
    pub fn subtract_row(&self, row: usize, x: &[f64x4], start: f64x4) -> f64x4 {
        let (first, last) = (self.starts[row] as usize, self.starts[row + 1] as usize);
        let values = &self.values[9 * first..9 * last + 1];
        // three sums, so that none waits for the others
        let (mut a, mut b, mut c) = (start, f64x4::splat(0.0), f64x4::splat(0.0));
        for (entry, column) in self.columns[first..last].iter().enumerate() {
            let Some(block) = values[9 * entry..].first_chunk::<10>() else { break };
            let x = x[*column as usize].to_array();
            let four = |i: usize| f64x4::from([block[i], block[i + 1], block[i + 2], block[i + 3]]);
            a = four(0).mul_neg_add(f64x4::splat(x[0]), a);
            b = four(3).mul_neg_add(f64x4::splat(x[1]), b);
            c = four(6).mul_neg_add(f64x4::splat(x[2]), c);
        }
        a + (b + c)
    }

    /// `start` plus the sizes of the row's entries times those of a vector.
    pub fn add_sizes(&self, row: usize, x: &[f64x4], start: f64x4) -> f64x4 {
        self.row(row).fold(start, |sum, (column, block)| {
            let sizes = columns_of(&block).map(f64x4::abs);
            sum + times(&sizes, x[column as usize].abs())
        })
    }
}
