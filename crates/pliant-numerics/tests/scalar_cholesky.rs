//! Factors of one number a block: three components solved at once, as a dense solution of the whole has them.
#![allow(clippy::unwrap_used, missing_docs)]

use std::sync::Arc;

use pliant_numerics::{BlockPattern, CholeskyError, PatternBuilder, ScalarCholesky};

/// A pattern and a number for each of its blocks.
type Matrix = (Arc<BlockPattern>, Vec<f64>);

/// `n` x `n` points, coupled with their eight neighbours.
fn plate(n: u32) -> Matrix {
    let mut builder = PatternBuilder::new((n * n) as usize);
    for (i, j) in (0..n - 1).flat_map(|i| (0..n - 1).map(move |j| (i, j))) {
        builder.clique(&[i * n + j, i * n + j + 1, (i + 1) * n + j, (i + 1) * n + j + 1]);
    }
    numbered(builder)
}

/// All coupled with all: above 120 rows, faer takes its method for dense parts.
fn full(count: u32) -> Matrix {
    let mut builder = PatternBuilder::new(count as usize);
    builder.clique(&(0..count).collect::<Vec<_>>());
    numbered(builder)
}

/// Symmetric, no two numbers alike, and the diagonal dominant.
fn numbered(builder: PatternBuilder) -> Matrix {
    let pattern = Arc::new(builder.build());
    let mut values = Vec::new();
    for row in 0..pattern.row_count() as u32 {
        let couplings = pattern.row(row as usize).len() as f64;
        for &column in pattern.row(row as usize) {
            let (low, high) = (f64::from(row.min(column)), f64::from(row.max(column)));
            values.push(if row == column { couplings + 0.1 * low } else { (low + 1.3 * high).sin() });
        }
    }
    (pattern, values)
}

/// The whole matrix, row by row, with the identity in held rows and columns.
fn dense(pattern: &BlockPattern, values: &[f64], held: &[bool]) -> Vec<Vec<f64>> {
    let size = pattern.row_count();
    let mut rows = vec![vec![0.0; size]; size];
    for row in 0..size {
        for (place, &column) in (pattern.row_start(row)..).zip(pattern.row(row)) {
            let column = column as usize;
            rows[row][column] =
                if held[row] || held[column] { f64::from(row == column) } else { values[place] };
        }
    }
    rows
}

/// Gauss elimination without exchange of rows, enough for a dominant diagonal.
fn eliminated(mut a: Vec<Vec<f64>>, mut right: Vec<f64>) -> Vec<f64> {
    let size = right.len();
    for k in 0..size {
        for i in k + 1..size {
            let ratio = a[i][k] / a[k][k];
            (k..size).for_each(|j| a[i][j] -= ratio * a[k][j]);
            right[i] -= ratio * right[k];
        }
    }
    for i in (0..size).rev() {
        let known: f64 = (i + 1..size).map(|j| a[i][j] * right[j]).sum();
        right[i] = (right[i] - known) / a[i][i];
    }
    right
}

/// Forward, backward, and every third first.
fn orders(count: u32) -> [Vec<u32>; 3] {
    let thirds = (0..3).flat_map(|k| (k..count).step_by(3)).collect();
    [(0..count).collect(), (0..count).rev().collect(), thirds]
}

/// The largest difference between ours and the dense solution of each component.
fn error((pattern, values): &Matrix, order: &[u32], held: &[bool]) -> f64 {
    let mut cholesky = ScalarCholesky::analyse(pattern, order).unwrap();
    cholesky.factor(values, held).unwrap();
    let right: Vec<f64> = (0..3 * held.len()).map(|i| (i % 11) as f64 - 5.0).collect();
    let mut x = right.clone();
    cholesky.solve3_in_place(&mut x);
    let component = |c: usize| {
        let expected =
            eliminated(dense(pattern, values, held), right.iter().skip(c).step_by(3).copied().collect());
        let ours = x.iter().skip(c).step_by(3);
        ours.zip(expected).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
    };
    (0..3).map(component).fold(0.0, f64::max)
}

#[test]
fn every_order_gives_the_dense_solution() {
    for order in orders(25) {
        assert!(error(&plate(5), &order, &[false; 25]) < 1e-13);
    }
}

#[test]
fn dense_parts_give_it_too() {
    let mut held = [false; 150];
    for order in orders(150) {
        assert!(error(&full(150), &order, &held) < 1e-13);
    }
    held[77] = true;
    assert!(error(&full(150), &orders(150)[2], &held) < 1e-13);
}

#[test]
fn held_rows_stay_apart() {
    let mut held = [false; 25];
    for row in [0, 7, 24] {
        held[row] = true;
    }
    for order in orders(25) {
        assert!(error(&plate(5), &order, &held) < 1e-13);
    }
}

#[test]
fn an_indefinite_matrix_names_its_row() {
    for ((pattern, mut values), bad) in [(plate(4), 6_u32), (full(150), 100)] {
        values[pattern.find(bad, bad).unwrap()] = -1.0;
        let count = pattern.row_count() as u32;
        // everything before the bad row is definite
        let order: Vec<u32> = (0..count).filter(|&i| i != bad).chain([bad]).collect();
        let mut cholesky = ScalarCholesky::analyse(&pattern, &order).unwrap();
        let mut held = vec![false; count as usize];
        let fault = CholeskyError::NotPositiveDefinite { unknown: 3 * bad as usize };
        assert_eq!(cholesky.factor(&values, &held), Err(fault));
        // held, it does no harm
        held[bad as usize] = true;
        assert_eq!(cholesky.factor(&values, &held), Ok(()));
    }
}

#[test]
fn only_the_upper_triangle_is_looked_at() {
    let (pattern, mut values) = plate(4);
    let order: Vec<u32> = (0..16).collect();
    let mut cholesky = ScalarCholesky::analyse(&pattern, &order).unwrap();
    let mut solution = |values: &[f64]| {
        let mut x = vec![1.0; 48];
        cholesky.factor(values, &[false; 16]).unwrap();
        cholesky.solve3_in_place(&mut x);
        x
    };
    let before = solution(&values);
    values[pattern.find(6, 1).unwrap()] = f64::NAN;
    assert_eq!(solution(&values), before);
    values[pattern.find(1, 6).unwrap()] += 0.5;
    assert_ne!(solution(&values), before);
}

#[test]
fn an_order_that_is_none_is_refused() {
    let (pattern, _) = plate(2);
    for order in [&[0, 1, 2][..], &[0, 1, 1, 2], &[0, 1, 2, 4], &[0, 1, 2, 3, 3]] {
        let refused = ScalarCholesky::analyse(&pattern, order).err();
        assert_eq!(refused, Some(CholeskyError::Order { rows: 4, given: order.len() }));
    }
}
