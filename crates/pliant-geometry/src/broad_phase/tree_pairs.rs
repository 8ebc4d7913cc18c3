//! Pairs of overlapping boxes by trees: one over each group.
//!
//! The tree of the first group is cut into subtrees; each goes down against the tree of the second, at every
//! step into the larger of two boxes that overlap, and keeps what it finds in a list of its own. A group with
//! itself is its tree against itself, of which only what lies later in the order of the leaves counts, so
//! that each pair is met once.
//!
//! Trees are refitted as long as that is good enough: they are built anew once the boxes compared for each
//! item are twice as many as after the last time.

use pliant_numerics::parallel;
use rayon::prelude::*;

use super::Groups;
use super::box_tree::{BoxTree, DEPTH, Seed};
use super::lane_box::LEAF;
use super::pair_sort::PairSort;

/// Subtrees that are gone down from, at most.
const TASKS: usize = 128;

/// The memory of the method.
#[derive(Clone, Debug, Default)]
pub(super) struct TreePairs {
    trees: [BoxTree; 2],
    seeds: Vec<Seed>,
    /// What each subtree finds, and how many boxes it compares.
    found: Vec<Vec<[u32; 2]>>,
    work: Vec<u64>,
    sort: PairSort,
    /// Boxes compared the last time, and the first time after the trees were built.
    compared: [u64; 2],
}

impl TreePairs {
    /// Boxes compared the last time.
    pub fn compared(&self) -> u64 {
        self.compared[0]
    }

    /// Writes the pairs of overlapping boxes that are kept, sorted.
    pub fn pairs_into(
        &mut self,
        groups: Groups<'_>,
        keep: impl Fn(u32, u32) -> bool + Sync,
        out: &mut Vec<[u32; 2]>,
    ) {
        let built = self.fit(groups);
        let one = matches!(groups, Groups::One(_));
        let (first, second) = (&self.trees[0], &self.trees[usize::from(!one)]);
        // a level that all leaves are under
        let count = TASKS.min(1 << first.leaf_count().ilog2());
        self.found.resize_with(count.max(self.found.len()), Vec::new);
        self.work.resize(count, 0);
        let tasks = self.work.par_iter_mut().zip(&mut self.found[..count]).enumerate();
        parallel::for_each(tasks, |(place, (work, found))| {
            found.clear();
            // the subtrees of one level are neighbours
            let mut descent = Descent { first, second, one, keep: &keep, found, compared: 0 };
            descent.run(count + place);
            *work = descent.compared;
            // pairs that move from one subtree to another must not need memory each time
            if found.capacity() < found.len() + found.len() / 4 + 32 {
                found.reserve(found.len() + 64);
            }
        });
        self.found[count..].iter_mut().for_each(Vec::clear);
        self.compared[0] = self.work.iter().sum();
        if built {
            self.compared[1] = self.compared[0];
        }
        self.sort.sorted_into(&self.found, first.len(), out);
    }

    /// Makes the trees fit the boxes; whether they were built anew.
    fn fit(&mut self, groups: Groups<'_>) -> bool {
        let [a, b] = groups.both();
        let other = [a.len(), b.len()] != self.trees.each_ref().map(BoxTree::len);
        // boxes that are far apart cost next to nothing, however old their trees
        let usual = self.compared[1].max(8 * (a.len() + b.len()) as u64);
        let build = other || self.compared[0] > 2 * usual;
        for (tree, boxes) in self.trees.iter_mut().zip([a, b]) {
            match build {
                true => tree.build(boxes, &mut self.seeds),
                false => tree.refit(boxes),
            }
        }
        build
    }
}

/// A subtree on its way down another tree.
struct Descent<'a, K> {
    first: &'a BoxTree,
    second: &'a BoxTree,
    one: bool,
    keep: &'a K,
    found: &'a mut Vec<[u32; 2]>,
    compared: u64,
}

impl<K: Fn(u32, u32) -> bool> Descent<'_, K> {
    /// All pairs of items of a node of the first tree with items of the second.
    fn run(&mut self, node: usize) {
        let (first, second, one) = (self.first, self.second, self.one);
        let leaves = [first.leaf_count(), second.leaf_count()];
        let mut waiting = [(node, 1); 2 * DEPTH];
        let meets = |a: usize, b: usize| first.node(a).overlaps(second.node(b)) & !(one && is_before(b, a));
        let mut count = usize::from(meets(node, 1));
        let mut compared = 1;
        while count > 0 {
            count -= 1;
            let (a, b) = waiting[count];
            let into_first = match (a < leaves[0], b < leaves[1]) {
                (false, false) => {
                    self.compare_leaves(a, b);
                    continue;
                }
                (true, true) => first.node(a).girth() > second.node(b).girth(),
                (inner, _) => inner,
            };
            let halves = if into_first { [(2 * a, b), (2 * a + 1, b)] } else { [(a, 2 * b), (a, 2 * b + 1)] };
            // half of them meet, in no order that a processor could foresee: no branch
            for half in halves {
                waiting[count] = half;
                count += usize::from(meets(half.0, half.1));
            }
            compared += 2;
        }
        self.compared += compared;
    }

    fn compare_leaves(&mut self, a: usize, b: usize) {
        let (first, second) = (self.first, self.second);
        let (own, others) = (first.leaf(a), second.leaf(b));
        // four bits for each item of the first leaf; of a leaf with itself those of later ones
        let row = |lane: usize| others.overlapping(own, lane) << (4 * lane);
        let mut met = row(0) | row(1) | row(2) | row(3);
        if self.one && a == b {
            met &= 0b0000_1000_1100_1110;
        }
        self.compared += (LEAF * LEAF) as u64;
        let [start, other_start] = [first.leaf_places(a).start, second.leaf_places(b).start];
        while met != 0 {
            let bit = met.trailing_zeros() as usize;
            met &= met - 1;
            let pair = [first.items()[start + bit / LEAF], second.items()[other_start + bit % LEAF]];
            let [a, b] = if self.one && pair[0] > pair[1] { [pair[1], pair[0]] } else { pair };
            if (self.keep)(a, b) {
                self.found.push([a, b]);
            }
        }
    }
}

/// Whether all leaves under one node of a tree come before all under another.
#[inline]
fn is_before(node: usize, other: usize) -> bool {
    // compared on the level of the higher of the two
    let (level, level_of_other) = (node.ilog2(), other.ilog2());
    let higher = level.min(level_of_other);
    (node >> (level - higher)) < (other >> (level_of_other - higher))
}
