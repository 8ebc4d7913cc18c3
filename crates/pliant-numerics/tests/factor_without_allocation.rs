//! Refilling, factoring and solving allocate nothing.
//!
//! One test, so that nothing else allocates meanwhile.
#![allow(clippy::unwrap_used, missing_docs)]

#[path = "support/grids.rs"]
mod grids;

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use grids::Grid;
use pliant_numerics::ordering::order;
use pliant_numerics::{BlockCholesky, BlockMatrix, BlockPattern, Mat3, PatternBuilder, ScalarCholesky};

struct Counting;

static COUNT: AtomicUsize = AtomicUsize::new(0);

// SAFETY: hands everything to the system's allocator; counting neither allocates nor unwinds.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.fetch_add(1, Ordering::Relaxed);
        // SAFETY: the caller's contract is the system allocator's.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller's contract is the system allocator's.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// `n` x `n` points coupled with their eight neighbours, and every third with all thirds: enough for dense parts in the factor
/// of blocks, not in that of numbers, so that both methods are seen.
fn plate(n: u32) -> (BlockPattern, Vec<u32>) {
    let mut builder = PatternBuilder::new((n * n) as usize);
    for (i, j) in (0..n - 1).flat_map(|i| (0..n - 1).map(move |j| (i, j))) {
        builder.clique(&[i * n + j, i * n + j + 1, (i + 1) * n + j, (i + 1) * n + j + 1]);
    }
    builder.clique(&(0..n * n).step_by(3).collect::<Vec<_>>());
    (builder.build(), (0..n * n).collect())
}

/// Enough for several threads.
fn cube(n: usize) -> (BlockPattern, Vec<u32>) {
    let grid = Grid::hex([n; 3]);
    let mut builder = PatternBuilder::new(grid.points.len());
    for ends in grid.offsets.windows(2) {
        builder.clique(&grid.members[ends[0] as usize..ends[1] as usize]);
    }
    (builder.build(), order(&grid.view(), Default::default()).new_to_old().to_vec())
}

fn solved_without_allocation((pattern, order): (BlockPattern, Vec<u32>)) {
    let pattern = Arc::new(pattern);
    let mut matrix = BlockMatrix::zero(Arc::clone(&pattern));
    for row in 0..pattern.row_count() {
        for &column in pattern.row(row) {
            let value = if column as usize == row { pattern.row(row).len() as f64 } else { -1.0 };
            matrix.add(row as u32, column, &Mat3([[value, 0.0, 0.0], [0.0, value, 0.0], [0.0, 0.0, value]]));
        }
    }
    let mut cholesky = BlockCholesky::analyse(&pattern, &order).unwrap();
    let held = vec![false; cholesky.len()];
    let mut x = vec![1.0; cholesky.len()];
    // the same numbers again, one a block
    let mut scalar = ScalarCholesky::analyse(&pattern, &order).unwrap();
    let values: Vec<f64> = matrix.blocks().iter().map(|block| block.0[0][0]).collect();
    let mut y = x.clone();
    // the first factor makes room in all threads
    cholesky.factor(&matrix, &held).unwrap();
    scalar.factor(&values, &held[..scalar.row_count()]).unwrap();
    let before = COUNT.load(Ordering::Relaxed);
    for _ in 0..3 {
        cholesky.factor(&matrix, &held).unwrap();
        cholesky.solve_in_place(&mut x);
        scalar.factor(&values, &held[..scalar.row_count()]).unwrap();
        scalar.solve3_in_place(&mut y);
    }
    assert_eq!(COUNT.load(Ordering::Relaxed) - before, 0);
    assert!(x.iter().all(|x| x.is_finite() && *x > 0.0));
    // rounding over three solutions in a row
    assert!(x.iter().zip(&y).all(|(x, y)| (x - y).abs() < 1e-12 * x));
}

#[test]
fn factoring_and_solving_allocate_nothing() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    pool.install(|| solved_without_allocation(plate(12)));
    pool.install(|| solved_without_allocation(cube(10)));
}
