//! Factors of grids in nested dissection orders, with many dense parts: right to rounding, and the same for any number of
//! threads.
#![allow(clippy::unwrap_used, missing_docs)]

use crate::grids;

use std::sync::Arc;

use grids::Grid;
use pliant_numerics::ordering::{Ordering, order};
use pliant_numerics::{
    BlockCholesky, BlockMatrix, BlockPattern, CholeskyError, Mat3, PatternBuilder, ScalarCholesky,
};

fn pattern(grid: &Grid) -> Arc<BlockPattern> {
    let mut builder = PatternBuilder::new(grid.points.len());
    for ends in grid.offsets.windows(2) {
        builder.clique(&grid.members[ends[0] as usize..ends[1] as usize]);
    }
    Arc::new(builder.build())
}

/// Symmetric, the diagonal dominant: 80 others in a row, each below 1.
fn entry(i: usize, j: usize) -> f64 {
    if i == j { 90.0 } else { ((i.min(j) + 3 * i.max(j)) as f64).sin() }
}

fn matrix(pattern: &Arc<BlockPattern>, block: impl Fn(usize, usize) -> Mat3<f64>) -> BlockMatrix {
    let mut matrix = BlockMatrix::zero(Arc::clone(pattern));
    for row in 0..pattern.row_count() {
        for &column in pattern.row(row) {
            matrix.add(row as u32, column, &block(row, column as usize));
        }
    }
    matrix
}

fn dense_blocks(pattern: &Arc<BlockPattern>) -> BlockMatrix {
    let scalar = |i, j| move |r, c| entry(3 * i + r, 3 * j + c);
    matrix(pattern, |i, j| Mat3(std::array::from_fn(|r| std::array::from_fn(|c| scalar(i, j)(r, c)))))
}

fn residual(matrix: &BlockMatrix, x: &[f64], right: &[f64]) -> f64 {
    let mut product = vec![0.0; x.len()];
    matrix.multiply_into(x, &mut product);
    product.iter().zip(right).map(|(p, r)| (p - r).abs()).fold(0.0, f64::max)
}

#[test]
fn dense_blocks_of_a_grid_are_solved_to_rounding() {
    let grid = Grid::hex([8, 7, 9]);
    let pattern = pattern(&grid);
    let sequence = order(&grid.view(), Ordering::Default);
    let matrix = dense_blocks(&pattern);
    let mut cholesky = BlockCholesky::analyse(&pattern, sequence.new_to_old()).unwrap();
    cholesky.factor(&matrix, &vec![false; cholesky.len()]).unwrap();
    let right: Vec<f64> = (0..cholesky.len()).map(|i| (i as f64).cos()).collect();
    let mut x = right.clone();
    cholesky.solve_in_place(&mut x);
    assert!(residual(&matrix, &x, &right) < 1e-14);
}

#[test]
fn numbers_times_the_identity_are_solved_to_rounding() {
    let grid = Grid::hex([11, 12, 11]);
    let pattern = pattern(&grid);
    let sequence = order(&grid.view(), Ordering::Default);
    let block =
        |i, j| Mat3(std::array::from_fn(|r| std::array::from_fn(|c| f64::from(r == c) * entry(i, j))));
    let matrix = matrix(&pattern, block);
    let values: Vec<f64> = matrix.blocks().iter().map(|block| block.0[0][0]).collect();
    let mut cholesky = ScalarCholesky::analyse(&pattern, sequence.new_to_old()).unwrap();
    cholesky.factor(&values, &vec![false; cholesky.row_count()]).unwrap();
    let right: Vec<f64> = (0..3 * cholesky.row_count()).map(|i| (i as f64).cos()).collect();
    let mut x = right.clone();
    cholesky.solve3_in_place(&mut x);
    assert!(residual(&matrix, &x, &right) < 1e-14);
}

#[test]
fn the_number_of_threads_changes_no_bit() {
    // large enough for several branches, and for trunks that are cut into blocks of rows
    let grid = Grid::hex([11, 10, 12]);
    let pattern = pattern(&grid);
    let sequence = order(&grid.view(), Ordering::Default);
    let mut matrix = dense_blocks(&pattern);
    let mut cholesky = BlockCholesky::analyse(&pattern, sequence.new_to_old()).unwrap();
    let held = vec![false; cholesky.len()];
    let pools =
        [1, 2, 3].map(|threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap());
    let mut solution = |pool: &rayon::ThreadPool| -> Vec<u64> {
        let mut x: Vec<f64> = (0..cholesky.len()).map(|i| (i as f64).cos()).collect();
        pool.install(|| cholesky.factor(&matrix, &held)).unwrap();
        pool.install(|| cholesky.solve_in_place(&mut x));
        x.iter().map(|x| x.to_bits()).collect()
    };
    let one = solution(&pools[0]);
    for _ in 0..3 {
        assert_eq!(solution(&pools[1]), one);
        assert_eq!(solution(&pools[2]), one);
    }
    // and a failure is the same one
    let bad = 700;
    matrix.add(bad, bad, &Mat3([[0.0; 3], [0.0, -500.0, 0.0], [0.0; 3]]));
    for pool in &pools {
        let error = pool.install(|| cholesky.factor(&matrix, &held));
        assert_eq!(error, Err(CholeskyError::NotPositiveDefinite { unknown: 3 * bad as usize + 1 }));
    }
}
