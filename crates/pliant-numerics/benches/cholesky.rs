//! How long ordering, analysing, factoring again and solving take on grids of 10^3 and 20^3 points with three unknowns.
//!
//! `bench/cholesky/compare.py` runs it in turn with CHOLMOD on the same matrix; `--json` is for it.
#![allow(clippy::print_stdout, clippy::unwrap_used, missing_docs)]

#[path = "../tests/support/grids.rs"]
mod grids;

use std::sync::Arc;
use std::time::Instant;

use grids::Grid;
use pliant_numerics::ordering::{Ordering, order};
use pliant_numerics::{BlockCholesky, BlockMatrix, Mat3, PatternBuilder, ScalarCholesky};

/// A scalar entry, the same in `bench/cholesky/cholmod.c`: dense blocks, positive definite by its diagonal.
fn entry(i: usize, j: usize) -> f64 {
    let (low, high) = (i.min(j), i.max(j));
    if i == j { 100.0 + (i % 5) as f64 } else { -(((low + 2 * high) % 7) as f64) / 7.0 }
}

fn matrix(grid: &Grid) -> BlockMatrix {
    let mut builder = PatternBuilder::new(grid.points.len());
    for ends in grid.offsets.windows(2) {
        builder.clique(&grid.members[ends[0] as usize..ends[1] as usize]);
    }
    let pattern = Arc::new(builder.build());
    let mut matrix = BlockMatrix::zero(Arc::clone(&pattern));
    for row in 0..pattern.row_count() {
        for &column in pattern.row(row) {
            let scalar = |r, c| entry(3 * row + r, 3 * column as usize + c);
            let block = Mat3(std::array::from_fn(|r| std::array::from_fn(|c| scalar(r, c))));
            matrix.add(row as u32, column, &block);
        }
    }
    matrix
}

/// The median of `runs` runs, ms; what a run makes is dropped after its time.
fn median<T>(runs: usize, mut work: impl FnMut() -> T) -> f64 {
    let one = |_| {
        let start = Instant::now();
        let made = work();
        let time = 1e3 * start.elapsed().as_secs_f64();
        drop(made);
        time
    };
    let mut times: Vec<f64> = (0..runs).map(one).collect();
    times.sort_by(f64::total_cmp);
    times[runs / 2]
}

/// Names and figures of one grid and one way to order it.
fn figures(side: usize, ordering: Ordering, runs: usize) -> Vec<(&'static str, f64)> {
    let grid = Grid::hex([side; 3]);
    let matrix = matrix(&grid);
    let sequence: Vec<u32> = order(&grid.view(), ordering).new_to_old().to_vec();
    let analyse = || BlockCholesky::analyse(matrix.pattern(), &sequence).unwrap();
    let mut cholesky = analyse();
    let held = vec![false; cholesky.len()];
    let right: Vec<f64> = (0..cholesky.len()).map(|i| 1.0 + (i % 11) as f64).collect();
    let mut x = right.clone();
    cholesky.factor(&matrix, &held).unwrap();
    cholesky.solve_in_place(&mut x);
    let mut scalar = ScalarCholesky::analyse(matrix.pattern(), &sequence).unwrap();
    let values: Vec<f64> = matrix.blocks().iter().map(|block| block.0[0][0]).collect();
    scalar.factor(&values, &held[..scalar.row_count()]).unwrap();
    let mut y = right.clone();
    vec![
        ("threads", pliant_numerics::parallel::thread_count() as f64),
        ("order_ms", median(runs, || order(&grid.view(), ordering))),
        ("analyse_ms", median(runs, analyse)),
        ("stored_entries", cholesky.factor_length() as f64),
        ("refactor_ms", median(runs, || cholesky.factor(&matrix, &held).unwrap())),
        ("sum_of_solution", x.iter().sum()),
        (
            "solve_ms",
            median(4 * runs, || {
                x.copy_from_slice(&right);
                cholesky.solve_in_place(&mut x);
            }),
        ),
        ("scalar_stored_entries", scalar.factor_length() as f64),
        ("scalar_refactor_ms", median(runs, || scalar.factor(&values, &held[..scalar.row_count()]).unwrap())),
        (
            "scalar_solve3_ms",
            median(4 * runs, || {
                y.copy_from_slice(&right);
                scalar.solve3_in_place(&mut y);
            }),
        ),
    ]
}

fn main() {
    // without --bench this is a test that it runs: small grids will do
    let full = std::env::args().any(|a| a == "--bench");
    let json = std::env::args().any(|a| a == "--json");
    let sides = if full { [10, 20] } else { [4, 5] };
    // RAYON_NUM_THREADS, or as many as the machine has
    let pool = rayon::ThreadPoolBuilder::new().build().unwrap();
    for side in sides {
        for (name, ordering) in [("default", Ordering::Default), ("best", Ordering::Best)] {
            let runs = if !full {
                1
            } else if side == 10 {
                25
            } else {
                5
            };
            let figures = pool.install(|| figures(side, ordering, runs));
            if json {
                let figures: Vec<String> =
                    figures.iter().map(|(name, x)| format!("\"{name}\": {x}")).collect();
                println!("{{\"side\": {side}, \"ordering\": \"{name}\", {}}}", figures.join(", "));
            } else {
                println!("{side}^3 points, order {name}");
                figures.iter().for_each(|(name, x)| println!("{name:>24} {x:>16.3}"));
            }
        }
    }
}
