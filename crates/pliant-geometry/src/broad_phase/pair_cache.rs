//! Pairs of boxes that may overlap, kept while no box has moved far.
//!
//! Boxes are taken with a margin on every side. As long as each is still within its fat box, boxes that
//! overlap are among the pairs of fat boxes that do, which need not be found again. How often they must be is
//! the margin's choice: with speed v and time step h they last for margin / (v h) steps.

use std::sync::atomic::{AtomicBool, Ordering};

use pliant_numerics::parallel;
use rayon::prelude::*;

use super::sweep::Sweep;
use super::tree_pairs::TreePairs;
use super::{BroadPhase, Groups};
use crate::bounds::Bounds;

/// Boxes that are worth a thread.
const CHUNK: usize = 2048;

/// Pairs of boxes that may overlap, kept while no box has left its margin.
///
/// Which pairs there are beyond those whose boxes overlap now depends on when they were last found: whoever
/// must not depend on the past asks the boxes of a pair again.
///
/// ```
/// use pliant_geometry::{Bounds, BroadPhase, Groups, PairCache, Renewal};
///
/// let cube = |x: f64| Bounds { min: [x, 0.0, 0.0], max: [x + 1.0, 1.0, 1.0] };
/// let mut cache = PairCache::new(BroadPhase::default());
/// let mut at = |x: f64| cache.update(Groups::One(&[cube(0.0), cube(x)]), 0.1, |_, _| true);
/// assert_eq!([at(1.15), at(1.1), at(2.0)], [Renewal::Found, Renewal::Kept, Renewal::Found]);
/// at(0.5);
/// assert_eq!(cache.pairs(), [[0, 1]]);
/// ```
#[derive(Clone, Debug)]
pub struct PairCache {
    method: Method,
    /// One group or two.
    one: bool,
    fat: [Vec<Bounds>; 2],
    pairs: Vec<[u32; 2]>,
    is_stale: bool,
}

#[derive(Clone, Debug)]
enum Method {
    Tree(Box<TreePairs>),
    Sweep(Box<Sweep>),
}

/// What became of the pairs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Renewal {
    /// No box has left its fat box; the pairs are the old ones.
    Kept,
    /// They were found anew.
    Found,
}

impl PairCache {
    /// One that has no pairs yet.
    pub fn new(broad_phase: BroadPhase) -> Self {
        let method = match broad_phase {
            BroadPhase::Tree => Method::Tree(Box::default()),
            BroadPhase::Sweep => Method::Sweep(Box::default()),
        };
        Self { method, one: true, fat: [Vec::new(), Vec::new()], pairs: Vec::new(), is_stale: true }
    }

    /// Takes the boxes where they are now. Pairs that `keep` refuses are left out.
    ///
    /// `margin` (m) is what boxes get when pairs are found anew, and `keep` is asked then only, with numbers
    /// as in [`Self::pairs`]: its answers must not change. Allocates nothing once there were as many boxes
    /// and pairs before.
    pub fn update(
        &mut self,
        groups: Groups<'_>,
        margin: f64,
        keep: impl Fn(u32, u32) -> bool + Sync,
    ) -> Renewal {
        let one = matches!(groups, Groups::One(_));
        let [a, b] = groups.both();
        if !self.is_stale && self.one == one && holds(&self.fat[0], a) && holds(&self.fat[1], b) {
            return Renewal::Kept;
        }
        self.one = one;
        for (fat, boxes) in self.fat.iter_mut().zip([a, b]) {
            fat.resize(boxes.len(), Bounds::NOTHING);
            let pieces = fat.par_iter_mut().zip(boxes).with_min_len(CHUNK);
            parallel::for_each(pieces, |(fat, bounds)| *fat = bounds.grown(margin));
        }
        let fat = self.fat.each_ref().map(Vec::as_slice);
        let fat = if one { Groups::One(fat[0]) } else { Groups::Two(fat[0], fat[1]) };
        match &mut self.method {
            Method::Tree(tree) => tree.pairs_into(fat, keep, &mut self.pairs),
            Method::Sweep(sweep) => sweep.pairs_into(fat, keep, &mut self.pairs),
        }
        self.is_stale = false;
        Renewal::Found
    }

    /// Has the pairs found anew the next time, wherever the boxes are: because the items or what is kept
    /// changed.
    pub fn invalidate(&mut self) {
        self.is_stale = true;
    }

    /// The pairs, sorted: of one group a < b, of two a in the first and b in the second.
    pub fn pairs(&self) -> &[[u32; 2]] {
        &self.pairs
    }

    /// The fat boxes that the pairs were found of.
    pub fn fat_boxes(&self) -> Groups<'_> {
        match self.one {
            true => Groups::One(&self.fat[0]),
            false => Groups::Two(&self.fat[0], &self.fat[1]),
        }
    }

    /// Boxes compared, or ends that passed each other, when the pairs were last found: the work that took.
    pub fn compared(&self) -> u64 {
        match &self.method {
            Method::Tree(tree) => tree.compared(),
            Method::Sweep(sweep) => sweep.compared(),
        }
    }
}

/// Whether each box is within its fat one.
fn holds(fat: &[Bounds], boxes: &[Bounds]) -> bool {
    if fat.len() != boxes.len() {
        return false;
    }
    let left = AtomicBool::new(false);
    let pieces = fat.par_chunks(CHUNK).zip(boxes.par_chunks(CHUNK));
    parallel::for_each(pieces, |(fat, boxes)| {
        if !fat.iter().zip(boxes).all(|(fat, bounds)| fat.holds(bounds)) {
            left.store(true, Ordering::Relaxed);
        }
    });
    !left.into_inner()
}
