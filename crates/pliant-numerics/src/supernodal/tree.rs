//! The elimination tree cut into branches that can be worked on side by side.
//!
//! A branch is a range of parts: first its children, which share nothing with each other, then its trunk, one part after
//! the other. A branch without children is a leaf: whole subtrees. The cuts depend on the pattern alone, so that sums have the
//! same order for any number of threads.

use std::ops::Range;

use super::plan::{Part, Parts};

/// A subtree with less than this share of all the work is not cut.
const SHARE: f64 = 1.0 / 16.0;
/// Multiplications below which nothing is cut: about a millisecond.
const LEAST: f64 = 2e7;
/// Into how many blocks of rows the parts of the lowest trunk are cut; half as many with each branching.
const BLOCKS: usize = 8;

/// Some subtrees, or the part above some and what stands on it.
pub(crate) struct Branch<T> {
    /// Before the trunk, ascending.
    pub(crate) children: Vec<Branch<T>>,
    pub(crate) trunk: Range<usize>,
    /// Its own working memory.
    pub(crate) memory: T,
}

impl<T> Branch<T> {
    /// The first part.
    pub(crate) fn start(&self) -> usize {
        self.children.first().map_or(self.trunk.start, Branch::start)
    }
}

/// A branch still growing: with its work, and whether that is above the limit for leaves.
struct Shoot {
    children: Vec<Shoot>,
    trunk: Range<usize>,
    work: f64,
    heavy: bool,
}

impl Shoot {
    fn start(&self) -> usize {
        self.children.first().map_or(self.trunk.start, Shoot::start)
    }
}

/// The branches at the root, each with memory for its blocks of rows.
pub(crate) fn branches<T>(
    parts: &Parts,
    parents: &[Option<usize>],
    memory: impl Fn(usize) -> T,
) -> Vec<Branch<T>> {
    let count = parts.n_supernodes();
    let (mut work, mut first): (Vec<f64>, Vec<usize>) = (vec![0.0; count], (0..count).collect());
    let mut total = 0.0;
    for s in 0..count {
        let part = Part::of(parts, s);
        let own = part.width as f64 * (part.height() as f64).powi(2);
        work[s] += own;
        total += own;
        if let Some(parent) = parents[s] {
            work[parent] += work[s];
            first[parent] = first[parent].min(first[s]);
        }
    }
    let most = if total < LEAST { f64::INFINITY } else { SHARE * total };
    let mut shoots: Vec<Shoot> = Vec::new();
    for s in 0..count {
        if work[s] > most {
            let children = shoots.split_off(shoots.partition_point(|shoot| shoot.start() < first[s]));
            shoots.push(above(children, s, work[s]));
        } else if parents[s].is_none_or(|parent| work[parent] > most) {
            shoots.push(Shoot { children: Vec::new(), trunk: first[s]..s + 1, work: work[s], heavy: false });
        }
    }
    grown(shoots, most, BLOCKS, &memory)
}

/// Part `s` above its children. On a single heavy one it only lengthens the trunk: so branchings are few, and so is the depth.
fn above(mut children: Vec<Shoot>, s: usize, work: f64) -> Shoot {
    let heavy: Vec<usize> = (0..children.len()).filter(|&i| children[i].heavy).collect();
    let [only] = heavy[..] else { return Shoot { children, trunk: s..s + 1, work, heavy: true } };
    // light ones after it become part of the trunk
    children.truncate(only + 1);
    let below = children.pop().map_or((Vec::new(), s), |shoot| (shoot.children, shoot.trunk.start));
    children.extend(below.0);
    Shoot { children, trunk: below.1..s + 1, work, heavy: true }
}

/// With memory, and with light neighbours put together.
fn grown<T>(shoots: Vec<Shoot>, most: f64, blocks: usize, memory: &impl Fn(usize) -> T) -> Vec<Branch<T>> {
    let mut merged: Vec<Shoot> = Vec::new();
    for shoot in shoots {
        match merged.last_mut() {
            Some(last) if !last.heavy && !shoot.heavy && last.work + shoot.work <= most => {
                last.trunk.end = shoot.trunk.end;
                last.work += shoot.work;
            }
            _ => merged.push(shoot),
        }
    }
    let branch = |shoot: Shoot| Branch {
        children: grown(shoot.children, most, (blocks / 2).max(1), memory),
        trunk: shoot.trunk,
        memory: memory(if shoot.heavy { blocks } else { 1 }),
    };
    merged.into_iter().map(branch).collect()
}
