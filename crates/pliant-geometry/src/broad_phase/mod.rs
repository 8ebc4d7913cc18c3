//! Which of many boxes overlap: the pairs that contact has to look at.
//!
//! A [`PairCache`] keeps the pairs of one group of boxes, or of two, and finds them anew when a box has left
//! its margin: by [`BroadPhase::Tree`], refitted trees of boxes, or by [`BroadPhase::Sweep`], sorted lists
//! along three axes. Both find what a look at all pairs would, sorted, whatever the number of threads. A
//! [`BoxTree`] alone answers questions about single boxes and points.
//!
//! Found anew, two sheets of 1000, 10 000 and 100 000 triangles in all, one thread: tree 0.04, 0.59, 7.1 ms
//! (exponent 1.1), sweep 0.13, 4.6, 195 ms (1.6); kept 0.001, 0.012, 0.2 ms
//! (`bench/results/2026-11-18-epyc-2core-broad-phase.json`). Hence the default.

mod box_tree;
mod lane_box;
mod pair_cache;
mod pair_sort;
mod sweep;
mod tree_pairs;

pub use box_tree::BoxTree;
pub use pair_cache::{PairCache, Renewal};

use crate::bounds::Bounds;

/// How pairs are found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BroadPhase {
    /// Trees of boxes.
    #[default]
    Tree,
    /// Sweep and prune along three axes [Stolfi 6.4].
    Sweep,
}

/// The boxes among which pairs are wanted, m.
#[derive(Clone, Copy, Debug)]
pub enum Groups<'a> {
    /// Each with each other.
    One(&'a [Bounds]),
    /// Each of the first with each of the second.
    Two(&'a [Bounds], &'a [Bounds]),
}

impl<'a> Groups<'a> {
    /// Both; the second is empty if there is one only.
    fn both(self) -> [&'a [Bounds]; 2] {
        match self {
            Self::One(all) => [all, &[]],
            Self::Two(first, second) => [first, second],
        }
    }
}
