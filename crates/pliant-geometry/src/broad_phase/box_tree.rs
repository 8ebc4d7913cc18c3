//! A tree of boxes over the boxes of items: built once, refitted when they move.
//!
//! The tree is complete, so that no node names another: node 1 is the root, nodes 2i and 2i + 1 are the
//! halves of node i, and the last 2^d nodes are the leaves. Leaf l of L has the items l n / L to (l + 1) n /
//! L of an order that building finds: each half holds one side of the median of its items' centres along the
//! longest side of their box. Refitting keeps the order and joins boxes from the leaves up, in time linear in
//! the items; results of questions do not depend on the order, only their cost does.

use pliant_numerics::parallel;
use rayon::prelude::*;

use crate::bounds::Bounds;
use crate::vector::Vec3;

/// Items in a leaf, at most; at least half as many.
const LEAF: usize = 4;
/// Nodes of a level that are worth more than one thread.
const CHUNK: usize = 1024;
/// Places that wait while a question goes down the tree: one for each level, of which 2^32 items have 31.
pub(super) const DEPTH: usize = 64;

/// See the [module](self).
#[derive(Clone, Debug, PartialEq)]
pub struct BoxTree {
    /// The items in the order of the leaves.
    items: Vec<u32>,
    /// Their boxes, in the same order.
    boxes: Vec<Bounds>,
    /// Boxes of the nodes; the first is not used.
    nodes: Vec<Bounds>,
}

/// An item while the order is found.
#[derive(Clone, Copy)]
struct Seed {
    center: Vec3,
    item: u32,
}

impl BoxTree {
    /// Over these boxes, items numbered as they come.
    pub fn new(boxes: &[Bounds]) -> Self {
        let seed = |(item, bounds): (u32, &Bounds)| Seed { center: bounds.center(), item };
        let mut seeds: Vec<Seed> = (0_u32..).zip(boxes).map(seed).collect();
        let leaf_count = boxes.len().div_ceil(LEAF).next_power_of_two();
        let whole = Range { node: 1, leaf_count, item_count: boxes.len() };
        arrange(&mut seeds, &whole);
        let mut tree = Self {
            items: seeds.iter().map(|seed| seed.item).collect(),
            boxes: vec![Bounds::NOTHING; boxes.len()],
            nodes: vec![Bounds::NOTHING; 2 * leaf_count],
        };
        tree.refit(boxes);
        tree
    }

    /// Takes the boxes of the same items where they are now. Allocates nothing.
    ///
    /// # Panics
    /// If there are more or fewer than the tree was built over.
    pub fn refit(&mut self, boxes: &[Bounds]) {
        assert_eq!(boxes.len(), self.items.len(), "one box for each item");
        let pieces = self.boxes.par_iter_mut().zip(&self.items).with_min_len(CHUNK);
        parallel::for_each(pieces, |(own, item)| *own = boxes[*item as usize]);
        let (item_count, leaf_count) = (self.items.len(), self.leaf_count());
        let own = &self.boxes;
        let leaves = self.nodes[leaf_count..].par_iter_mut().enumerate().with_min_len(CHUNK);
        parallel::for_each(leaves, |(leaf, node)| {
            let items =
                &own[first_item(leaf, leaf_count, item_count)..first_item(leaf + 1, leaf_count, item_count)];
            *node = items.iter().fold(Bounds::NOTHING, |joined, bounds| joined.joined(bounds));
        });
        // level by level, the root last
        let mut level = leaf_count / 2;
        while level > 0 {
            let (upper, lower) = self.nodes.split_at_mut(2 * level);
            let halves = lower[..2 * level].par_chunks_exact(2);
            let parents = upper[level..].par_iter_mut().zip(halves).with_min_len(CHUNK);
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
        (!self.is_empty()).then_some(self.nodes[1])
    }

    /// The items in the order of the leaves, in which neighbours are near each other.
    pub fn items(&self) -> &[u32] {
        &self.items
    }

    /// Shows every item whose box overlaps this one. Allocates nothing.
    pub fn overlapping(&self, query: &Bounds, mut visit: impl FnMut(u32)) {
        let mut waiting = [0_usize; DEPTH];
        let mut count = 0;
        let mut node = 1;
        let leaf_count = self.leaf_count();
        loop {
            let mut next = 0;
            if self.nodes[node].overlaps(query) {
                if node < leaf_count {
                    waiting[count] = 2 * node + 1;
                    count += 1;
                    next = 2 * node;
                } else {
                    for place in self.leaf_places(node) {
                        if self.boxes[place].overlaps(query) {
                            visit(self.items[place]);
                        }
                    }
                }
            }
            if next == 0 {
                if count == 0 {
                    return;
                }
                count -= 1;
                next = waiting[count];
            }
            node = next;
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
                for place in self.leaf_places(node) {
                    if self.boxes[place].square_outside(point) <= square {
                        square = visit(place);
                    }
                }
            }
        }
    }

    pub(super) fn leaf_count(&self) -> usize {
        self.nodes.len() / 2
    }

    /// Places of the items of a leaf, given as a node.
    #[inline]
    pub(super) fn leaf_places(&self, node: usize) -> std::ops::Range<usize> {
        let (leaf_count, item_count) = (self.leaf_count(), self.items.len());
        let leaf = node - leaf_count;
        first_item(leaf, leaf_count, item_count)..first_item(leaf + 1, leaf_count, item_count)
    }
}

/// Place of the first item of a leaf.
#[inline]
fn first_item(leaf: usize, leaf_count: usize, item_count: usize) -> usize {
    // leaf_count is a power of two
    (leaf * item_count) >> leaf_count.trailing_zeros()
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
        // its level has 2^k nodes, each of so many leaves
        let level = 1 << self.node.ilog2();
        let leaves = self.leaf_count / level;
        let first = (self.node - level) * leaves;
        first_item(first, self.leaf_count, self.item_count)
            ..first_item(first + leaves, self.leaf_count, self.item_count)
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
            assert!(sizes.iter().all(|size| (1..=LEAF).contains(size)), "{count}: {sizes:?}");
        }
    }
}
