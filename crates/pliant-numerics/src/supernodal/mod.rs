//! Sparse Cholesky factors stored in dense parts (supernodes): factored and solved on all threads, with the same bits for
//! any number of them.
//!
//! faer finds the parts and multiplies dense matrices; the order of work is ours. [`postorder`] numbers children
//! first, [`plan`] says who changes whom, [`tree`] what goes on side by side; [`factor`] and [`solve`] do it.

pub(crate) mod factor;
pub(crate) mod plan;
pub(crate) mod postorder;
pub(crate) mod solve;
pub(crate) mod tree;

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
