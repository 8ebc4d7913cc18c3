//! The tests of this crate that need no allocator of their own, in one program: every further one would be linked with
//! everything again.
#![allow(clippy::unwrap_used, missing_docs)]

#[path = "support/grids.rs"]
mod grids;

mod block_cholesky;
mod gradients;
mod grid_factors;
#[path = "ordering/main.rs"]
mod ordering;
mod scalar_cholesky;
