//! Factors of block matrices: right solutions in any order, held unknowns, and where definiteness ends.
#![allow(clippy::unwrap_used, missing_docs)]

use std::sync::Arc;

use pliant_numerics::{BlockCholesky, BlockMatrix, CholeskyError, Mat3, PatternBuilder};

/// A chain of `count` blocks: springs between neighbours and one of each to the ground, with coupled axes.
fn chain(count: u32) -> BlockMatrix {
    let mut builder = PatternBuilder::new(count as usize);
    (1..count).for_each(|i| builder.clique(&[i - 1, i]));
    let mut matrix = BlockMatrix::zero(Arc::new(builder.build()));
    // symmetric and positive definite, and no block is a multiple of another
    let spring = |i: u32| {
        let s = 1.0 + f64::from(i % 7) / 3.0;
        Mat3([[2.0 * s, 0.3, -0.1], [0.3, 3.0, 0.2 * s], [-0.1, 0.2 * s, 4.0]])
    };
    for i in 0..count {
        matrix.add(i, i, &Mat3([[0.1, 0.0, 0.0], [0.0, 0.1, 0.0], [0.0, 0.0, 0.1]]));
        if i > 0 {
            let (k, minus) = (spring(i), Mat3(spring(i).0.map(|row| row.map(|x| -x))));
            matrix.add(i - 1, i - 1, &k);
            matrix.add(i, i, &k);
            matrix.add(i - 1, i, &minus);
            matrix.add(i, i - 1, &minus);
        }
    }
    matrix
}

/// Forward, backward, and every third first.
fn orders(count: u32) -> [Vec<u32>; 3] {
    let thirds = (0..3).flat_map(|k| (k..count).step_by(3)).collect();
    [(0..count).collect(), (0..count).rev().collect(), thirds]
}

fn residual(matrix: &BlockMatrix, x: &[f64], right: &[f64]) -> f64 {
    let mut product = vec![0.0; x.len()];
    matrix.multiply_into(x, &mut product);
    product.iter().zip(right).map(|(p, r)| (p - r).abs()).fold(0.0, f64::max)
}

#[test]
fn every_order_solves_the_same_system() {
    let matrix = chain(40);
    let right: Vec<f64> = (0..120).map(|i| f64::from(i % 11) - 5.0).collect();
    for order in orders(40) {
        let mut cholesky = BlockCholesky::analyse(matrix.pattern(), &order).unwrap();
        cholesky.factor(&matrix, &[false; 120]).unwrap();
        let mut x = right.clone();
        cholesky.solve_in_place(&mut x);
        assert!(residual(&matrix, &x, &right) < 1e-11);
        // again, with other numbers in the same pattern: nothing of the old factor is left
        let mut stiffer = chain(40);
        stiffer.add(7, 7, &Mat3([[5.0, 0.0, 0.0], [0.0, 5.0, 0.0], [0.0, 0.0, 5.0]]));
        cholesky.factor(&stiffer, &[false; 120]).unwrap();
        let mut y = right.clone();
        cholesky.solve_in_place(&mut y);
        assert!(residual(&stiffer, &y, &right) < 1e-11);
        assert!(x.iter().zip(&y).any(|(x, y)| (x - y).abs() > 1e-3));
    }
}

#[test]
fn held_unknowns_stay_where_they_are() {
    let matrix = chain(10);
    let mut held = [false; 30];
    for i in [0, 1, 2, 13] {
        held[i] = true;
    }
    let mut cholesky = BlockCholesky::analyse(matrix.pattern(), &orders(10)[2]).unwrap();
    cholesky.factor(&matrix, &held).unwrap();
    let right: Vec<f64> = (0..30).map(|i| if held[i] { 0.0 } else { 1.0 + i as f64 }).collect();
    let mut x = right.clone();
    cholesky.solve_in_place(&mut x);
    assert!((0..30).filter(|&i| held[i]).all(|i| x[i] == 0.0));
    let mut product = vec![0.0; 30];
    matrix.multiply_into(&x, &mut product);
    // equilibrium holds at the others
    assert!((0..30).filter(|&i| !held[i]).all(|i| (product[i] - right[i]).abs() < 1e-10));
}

#[test]
fn an_indefinite_matrix_names_an_unknown() {
    let mut matrix = chain(12);
    matrix.add(5, 5, &Mat3([[0.0, 0.0, 0.0], [0.0, -50.0, 0.0], [0.0, 0.0, 0.0]]));
    // in this order everything before the bad unknown is definite
    let order: Vec<u32> = (0..12).filter(|&i| i != 5).chain([5]).collect();
    let mut cholesky = BlockCholesky::analyse(matrix.pattern(), &order).unwrap();
    let error = cholesky.factor(&matrix, &[false; 36]).unwrap_err();
    assert_eq!(error, CholeskyError::NotPositiveDefinite { unknown: 16 });
    // held, it does no harm
    let mut held = [false; 36];
    held[16] = true;
    assert_eq!(cholesky.factor(&matrix, &held), Ok(()));
}

#[test]
fn the_unknown_is_right_in_dense_parts_too() {
    // all coupled with all: faer takes its other method
    let count = 30_u32;
    let mut builder = PatternBuilder::new(count as usize);
    builder.clique(&(0..count).collect::<Vec<_>>());
    let mut matrix = BlockMatrix::zero(Arc::new(builder.build()));
    for i in 0..count {
        for j in 0..count {
            let diagonal = if i == j { 100.0 } else { 0.0 };
            matrix.add(
                i,
                j,
                &Mat3([[1.0 + diagonal, 0.1, 0.0], [0.1, 1.0 + diagonal, 0.0], [0.0, 0.0, 1.0 + diagonal]]),
            );
        }
    }
    matrix.add(11, 11, &Mat3([[0.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, -500.0]]));
    let order: Vec<u32> = (0..count).filter(|&i| i != 11).chain([11]).collect();
    let mut cholesky = BlockCholesky::analyse(matrix.pattern(), &order).unwrap();
    let error = cholesky.factor(&matrix, &[false; 90]).unwrap_err();
    assert_eq!(error, CholeskyError::NotPositiveDefinite { unknown: 35 });
}

#[test]
fn an_order_that_is_none_is_refused() {
    let matrix = chain(3);
    for order in [&[0, 1][..], &[0, 1, 1], &[0, 1, 3], &[0, 1, 2, 2]] {
        let refused = BlockCholesky::analyse(matrix.pattern(), order).err();
        assert_eq!(refused, Some(CholeskyError::Order { rows: 3, given: order.len() }));
    }
}
