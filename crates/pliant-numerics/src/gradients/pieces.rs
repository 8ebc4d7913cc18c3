//! Pieces of the rows that nothing connects, and how well each is solved.

use wide::f64x4;

use super::blocks::times;
use super::part::Part;
use crate::BlockPattern;

/// The smallest square of a right side, as a part of the largest, that a piece is measured by: what is smaller is rounding of the others.
const LEAST: f64 = 1e-24;

/// Which piece every row belongs to, and the square of its right side.
pub struct Pieces {
    /// In the order of the sweeps; empty where all rows are one piece.
    of_row: Vec<u32>,
    whole: Vec<f64>,
    left: Vec<f64>,
}

impl Pieces {
    /// Of a pattern, its rows in an order.
    pub fn new(pattern: &BlockPattern, order: &[u32]) -> Self {
        let mut piece = vec![u32::MAX; pattern.row_count()];
        let (mut count, mut open) = (0, Vec::new());
        for &first in order {
            if piece[first as usize] != u32::MAX {
                continue;
            }
            piece[first as usize] = count;
            open.push(first);
            while let Some(row) = open.pop() {
                for &next in pattern.row(row as usize) {
                    if piece[next as usize] == u32::MAX {
                        piece[next as usize] = count;
                        open.push(next);
                    }
                }
            }
            count += 1;
        }
        let of_row =
            if count > 1 { order.iter().map(|row| piece[*row as usize]).collect() } else { Vec::new() };
        let squares = vec![0.0; count as usize];
        Self { of_row, whole: squares.clone(), left: squares }
    }

    /// Notes the squares of the right sides, which the parts hold as residuals.
    pub fn note_whole(&mut self, parts: &[Part]) {
        add_squares(&self.of_row, parts, &mut self.whole);
    }

    /// The largest square of a residual, as a part of that of the piece's right side; zero where all rows are one piece.
    pub fn worst(&mut self, parts: &[Part]) -> f64 {
        let Self { of_row, whole, left } = self;
        add_squares(of_row, parts, left);
        let largest = whole.iter().fold(0.0_f64, |most, w| most.max(*w));
        let part = |(left, whole): (&f64, &f64)| left / whole.max(LEAST * largest).max(f64::MIN_POSITIVE);
        left.iter().zip(&*whole).map(part).fold(0.0, f64::max)
    }
}

/// The squares of what the parts hold as residuals, in the norm of M^-1, piece by piece.
fn add_squares(of_row: &[u32], parts: &[Part], out: &mut [f64]) {
    out.fill(0.0);
    if of_row.is_empty() {
        return;
    }
    for part in parts {
        for (row, residual) in part.residual.iter().enumerate() {
            let weighted: f64x4 = times(part.diagonal_of(row), *residual) * *residual;
            let [a, b, c, _] = weighted.to_array();
            out[of_row[part.first + row] as usize] += a + b + c;
        }
    }
}
