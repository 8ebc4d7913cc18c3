//! Which of many boxes overlap.
//!
//! A [`BoxTree`] answers questions about single boxes and points.

mod box_tree;

pub use box_tree::BoxTree;
