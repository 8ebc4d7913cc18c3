//! Pieces of the rows that nothing connects, and how well each is solved.

use wide::f64x4;

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
        let squares = vec![0.0; (count as usize).max(1)];
        Self { of_row, whole: squares.clone(), left: squares }
    }

    /// Notes the squares of the right sides; says whether there is any.
    pub fn note_whole(&mut self, parts: &[Part]) -> bool {
        add_squares(&self.of_row, parts, |part| &part.right, &mut self.whole);
        self.whole.iter().any(|whole| *whole != 0.0)
    }

    /// The largest residual, which the parts hold as `product`, as a part of the piece's right side; NaN where one is.
    pub fn worst(&mut self, parts: &[Part]) -> f64 {
        let Self { of_row, whole, left } = self;
        add_squares(of_row, parts, |part| &part.product, left);
        let largest = whole.iter().fold(0.0_f64, |most, w| most.max(*w));
        let part = |(left, whole): (&f64, &f64)| left / whole.max(LEAST * largest).max(f64::MIN_POSITIVE);
        let larger = |a: f64, b: f64| if b.is_nan() || b > a { b } else { a };
        left.iter().zip(&*whole).map(part).fold(0.0, larger).sqrt()
    }
}

/// The squares of a vector that the parts hold, piece by piece.
fn add_squares(of_row: &[u32], parts: &[Part], vector: impl Fn(&Part) -> &[f64x4], out: &mut [f64]) {
    out.fill(0.0);
    for part in parts {
        for (row, value) in vector(part).iter().enumerate() {
            let [a, b, c, _] = (*value * *value).to_array();
            out[of_row.get(part.first + row).map_or(0, |piece| *piece as usize)] += a + b + c;
        }
    }
}
