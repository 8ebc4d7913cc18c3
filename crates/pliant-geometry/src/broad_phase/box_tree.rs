//! A tree of boxes over the boxes of items: built once, refitted when they move.
//!
//! The tree is complete, so that no node names another: of L leaves node 1 is the root, nodes 2i and 2i + 1
//! are the halves of node i < L, and nodes L to 2L - 1 are the leaves, the lowest level of them to the left
//! of the one above. The l-th from the left has the items l n / L to (l + 1) n / L, four or three, of an
//! order that building finds: each half holds one side of its items' centres along the longest side of their
//! box. Refitting keeps the order and joins boxes from the leaves up, in time linear in the items; answers do
//! not depend on the order, only their cost does.

use pliant_numerics::parallel;
use rayon::prelude::*;

use super::lane_box::{LEAF, LaneBox, LeafBoxes};
use crate::bounds::Bounds;
use crate::vector::Vec3;

/// Nodes of a level that are worth more than one thread.
const CHUNK: usize = 1024;
/// Places that wait while a question goes down the tree: one for each level, of which 2^32 items have 31.
pub(super) const DEPTH: usize = 64;

/// A tree of boxes over the boxes of items: built once, refitted when they move.
#[derive(Clone, Debug, PartialEq)]
pub struct BoxTree {
    /// The items in the order of the leaves.
    items: Vec<u32>,
    /// Their boxes, leaf by leaf.
    leaves: Vec<LeafBoxes>,
    /// Boxes of the nodes; the first is not used.
    nodes: Vec<LaneBox>,
}

impl Default for BoxTree {
    /// Without items.
    fn default() -> Self {
        Self { items: Vec::new(), leaves: vec![LeafBoxes::nothing()], nodes: vec![LaneBox::nothing(); 2] }
    }
}

/// An item while the order is found.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seed {
    center: Vec3,
    item: u32,
}

impl BoxTree {
    /// Over these boxes, items numbered as they come.
    pub fn new(boxes: &[Bounds]) -> Self {
        let mut tree = Self::default();
        tree.build(boxes, &mut Vec::new());
        tree
    }

    /// The same in place. Allocates nothing if tree and seeds had as many items before.
    pub(super) fn build(&mut self, boxes: &[Bounds], seeds: &mut Vec<Seed>) {
        let seed = |(item, bounds): (u32, &Bounds)| Seed { center: bounds.center(), item };
        seeds.clear();
        seeds.extend((0_u32..).zip(boxes).map(seed));
        let leaf_count = boxes.len().div_ceil(LEAF).max(1);
        arrange(seeds, &Range { node: 1, leaf_count, item_count: boxes.len() });
        self.items.clear();
        self.items.extend(seeds.iter().map(|seed| seed.item));
        self.leaves.resize(leaf_count, LeafBoxes::nothing());
        self.nodes.resize(2 * leaf_count, LaneBox::nothing());
        self.refit(boxes);
    }

    /// Takes the boxes of the same items where they are now. Allocates nothing.
    ///
    /// # Panics
    /// If there are more or fewer than the tree was built over.
    pub fn refit(&mut self, boxes: &[Bounds]) {
        assert_eq!(boxes.len(), self.items.len(), "one box for each item");
        let (items, leaf_count) = (&self.items, self.leaves.len());
        let leaves = self.leaves.par_iter_mut().zip(&mut self.nodes[leaf_count..]).enumerate();
        parallel::for_each(leaves.with_min_len(CHUNK), |(leaf, (own, node))| {
            let places = leaf_places(leaf_count + leaf, leaf_count, items.len());
            *own = LeafBoxes::of(items[places].iter().map(|item| &boxes[*item as usize]));
            *node = own.joined();
        });
        // level by level, the root last
        let mut level = leaf_count.next_power_of_two() / 2;
        while level > 0 {
            let inner = level..leaf_count.min(2 * level);
            let (upper, lower) = self.nodes.split_at_mut(2 * level);
            let halves = lower[..2 * inner.len()].par_chunks_exact(2);
            let parents = upper[inner].par_iter_mut().zip(halves).with_min_len(CHUNK);
            parallel::for_each(parents, |(node, halves)| *node = halves[0].joined(&halves[1]));
            level /= 2;
        }
    }

    /// Number of items.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether there is no item.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// The box around all; `None` without items.
    pub fn bounds(&self) -> Option<Bounds> {
        (!self.is_empty()).then(|| self.nodes[1].bounds())
    }

    /// The items in the order of the leaves, in which neighbours are near each other.
    pub fn items(&self) -> &[u32] {
        &self.items
    }

    /// Shows every item whose box overlaps this one. Allocates nothing.
    pub fn overlapping(&self, query: &Bounds, mut visit: impl FnMut(u32)) {
        let (alone, query) = (LeafBoxes::of(std::iter::once(query)), LaneBox::from(query));
        let mut waiting = [1_usize; DEPTH];
        let mut count = usize::from(self.nodes[1].overlaps(&query));
        while count > 0 {
            count -= 1;
            let node = waiting[count];
            if node < self.leaf_count() {
                for half in [2 * node, 2 * node + 1] {
                    waiting[count] = half;
                    count += usize::from(self.nodes[half].overlaps(&query));
                }
                continue;
            }
            let (first, mut met) = (self.leaf_places(node).start, self.leaf(node).overlapping(&alone, 0));
            while met != 0 {
                visit(self.items[first + met.trailing_zeros() as usize]);
                met &= met - 1;
            }
        }
    }

    /// Shows the places in [`Self::items`] of items whose box is within the root of `square` (m^2) of a
    /// point, near ones first; `visit` gives the square from there on. Boxes that touch the reach count.
    /// Allocates nothing.
    pub fn near(&self, point: Vec3, mut square: f64, mut visit: impl FnMut(usize) -> f64) {
        let mut waiting = [(0_usize, 0.0); DEPTH];
        waiting[0] = (1, self.nodes[1].square_outside(point));
        let mut count = 1;
        let leaf_count = self.leaf_count();
        while count > 0 {
            count -= 1;
            let (mut node, away) = waiting[count];
            // down to a leaf by the nearer halves
            let mut reached = away <= square;
            while reached && node < leaf_count {
                let halves = [2 * node, 2 * node + 1];
                let aways = halves.map(|half| self.nodes[half].square_outside(point));
                let nearer = usize::from(aways[1] < aways[0]);
                if aways[1 - nearer] <= square {
                    waiting[count] = (halves[1 - nearer], aways[1 - nearer]);
                    count += 1;
                }
                node = halves[nearer];
                reached = aways[nearer] <= square;
            }
            if reached {
                let aways = self.leaf(node).squares_outside(point);
                for (place, away) in self.leaf_places(node).zip(aways) {
                    if away <= square {
                        square = visit(place);
                    }
                }
            }
        }
    }

    pub(super) fn leaf_count(&self) -> usize {
        self.leaves.len()
    }

    /// The box of a node.
    #[inline]
    pub(super) fn node(&self, node: usize) -> &LaneBox {
        &self.nodes[node]
    }

    /// The boxes of the items of a leaf, given as a node.
    #[inline]
    pub(super) fn leaf(&self, node: usize) -> &LeafBoxes {
        &self.leaves[node - self.leaves.len()]
    }

    /// Places of these items.
    #[inline]
    pub(super) fn leaf_places(&self, node: usize) -> std::ops::Range<usize> {
        leaf_places(node, self.leaves.len(), self.items.len())
    }
}

/// Places of the items of a leaf, given as a node.
#[inline]
fn leaf_places(node: usize, leaf_count: usize, item_count: usize) -> std::ops::Range<usize> {
    // from the left: first those of the lowest level, which begins at a power of two
    let lowest = leaf_count.next_power_of_two();
    let leaf = if node >= lowest { node - lowest } else { node + leaf_count - lowest };
    leaf * item_count / leaf_count..(leaf + 1) * item_count / leaf_count
}

/// A node whose items are to be put in order.
struct Range {
    node: usize,
    leaf_count: usize,
    item_count: usize,
}

impl Range {
    /// Places of the node's items.
    fn places(&self) -> std::ops::Range<usize> {
        let (mut first, mut last) = (self.node, self.node);
        while first < self.leaf_count {
            first *= 2;
        }
        while last < self.leaf_count {
            last = 2 * last + 1;
        }
        let places = |leaf: usize| leaf_places(leaf, self.leaf_count, self.item_count);
        places(first).start..places(last).end
    }
}

/// Puts the items of a node in the order of its leaves.
fn arrange(seeds: &mut [Seed], range: &Range) {
    if range.node >= range.leaf_count || seeds.len() < 2 {
        return;
    }
    let middles = seeds
        .iter()
        .fold(Bounds::NOTHING, |joined, seed| joined.joined(&Bounds { min: seed.center, max: seed.center }));
    let size = middles.size();
    let axis = (1..3).fold(0, |best, k| if size[k] > size[best] { k } else { best });
    let [low, high] = [2 * range.node, 2 * range.node + 1].map(|node| Range { node, ..*range });
    let half = low.places().len();
    // equal centres by their items, so that the halves do not depend on how the selection works
    let order = |a: &Seed, b: &Seed| a.center[axis].total_cmp(&b.center[axis]).then(a.item.cmp(&b.item));
    seeds.select_nth_unstable_by(half, order);
    let (first, second) = seeds.split_at_mut(half);
    match first.len() > CHUNK {
        true => drop(parallel::join(|| arrange(first, &low), || arrange(second, &high))),
        false => {
            arrange(first, &low);
            arrange(second, &high);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Boxes in a unit cube, the same in every run.
    fn scattered(count: usize, seed: u64) -> Vec<Bounds> {
        let mut state = seed;
        let mut next = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 11) as f64 / (1_u64 << 53) as f64
        };
        let one = |_| {
            let min: Vec3 = std::array::from_fn(|_| next());
            Bounds { min, max: std::array::from_fn(|k| min[k] + 0.2 * next()) }
        };
        (0..count).map(one).collect()
    }

    #[test]
    fn a_refitted_tree_answers_as_a_new_one() {
        for count in [0, 1, 2, 3, 4, 5, 8, 9, 31, 100, 1000] {
            let boxes = scattered(count, 7);
            let mut tree = BoxTree::new(&scattered(count, 3));
            tree.refit(&boxes);
            assert_eq!(tree.bounds(), boxes.iter().copied().reduce(|a, b| a.joined(&b)));
            for query in scattered(50, 11) {
                let mut found = Vec::new();
                tree.overlapping(&query, |item| found.push(item));
                found.sort_unstable();
                let exact = (0..count as u32).filter(|i| boxes[*i as usize].overlaps(&query));
                assert_eq!(found, exact.collect::<Vec<_>>(), "{count} boxes");
                let mut near = Vec::new();
                let square = 0.01;
                tree.near(query.min, square, |place| {
                    near.push(tree.items()[place]);
                    square
                });
                near.sort_unstable();
                let exact =
                    (0..count as u32).filter(|i| boxes[*i as usize].square_outside(query.min) <= square);
                assert_eq!(near, exact.collect::<Vec<_>>(), "{count} boxes");
            }
        }
    }

    #[test]
    fn leaves_are_neither_empty_nor_crowded() {
        for count in 1..200 {
            let tree = BoxTree::new(&scattered(count, 5));
            let leaves = tree.leaf_count()..2 * tree.leaf_count();
            let sizes: Vec<usize> = leaves.map(|node| tree.leaf_places(node).len()).collect();
            assert_eq!(sizes.iter().sum::<usize>(), count);
            assert!(sizes.iter().all(|size| (count.min(2)..=LEAF).contains(size)), "{count}: {sizes:?}");
        }
    }
}
