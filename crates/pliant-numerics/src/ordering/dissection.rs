//! Nested dissection of a region: its separator last, each part by itself before.
//!
//! ```text
//! entries(region) = sum of entries(part) + entries(separator | rims of the parts)      (1)
//! ```
//!
//! Once a connected part is eliminated its rim is a clique, so (1) is exact and local: two ways to order a
//! region can be compared without the rest of the graph. `fast` takes the cut of lowest estimate; `rollout`
//! finishes each of several cuts with `fast`, keeps the one with the fewest entries, and does the same in its
//! parts. Separators beyond 700 vertices count as dense, then (1) is a bound.
//! Source of the separators: [Zhuang 4.1.1.2]; the comparison goes beyond the paper.

use super::cut::{Side, Sweep, cuts};
use super::elimination::{Eliminated, eliminate};
use super::region::{Part, Region};
use crate::parallel;

/// How a graph is dissected.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plan {
    /// Regions up to this size go to minimum degree.
    pub leaf: usize,
    /// Regions up to this size try minimum degree beside the cut.
    pub compare: usize,
    /// Planes of the fast way.
    pub sweep: Sweep,
}

/// What `rollout` tries at each region.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rollout {
    pub base: Plan,
    pub sweep: Sweep,
    /// Cuts that are finished and compared. More than two gained nothing on the mean of 18 grids.
    pub tries: usize,
}

/// Orders a region; `order` in numbers of the whole graph.
pub(super) fn fast(region: &Region, points: &[[f64; 3]], plan: &Plan) -> Eliminated {
    if region.inner() <= plan.leaf {
        return leaf(region);
    }
    let cut = cuts(region, points, plan.sweep).swap_remove(0);
    let parts = region.parts(|k| cut.sides[k] == Side::Separator);
    let ordered = in_parallel(&parts, |part| fast(&part.region, points, plan));
    let found = joined(region, &cut.sides, &parts, ordered);
    if region.inner() > plan.compare {
        return found;
    }
    fewer(found, leaf(region))
}

/// As `fast`, but compares several cuts by their exact number of entries.
pub(super) fn rollout(region: &Region, points: &[[f64; 3]], plan: &Rollout) -> Eliminated {
    if region.inner() <= plan.base.leaf.min(8) {
        return leaf(region);
    }
    let mut best: Option<(Eliminated, Vec<Side>, Vec<Part>)> = None;
    for cut in cuts(region, points, plan.sweep).into_iter().take(plan.tries) {
        let parts = region.parts(|k| cut.sides[k] == Side::Separator);
        let ordered = in_parallel(&parts, |part| fast(&part.region, points, &plan.base));
        let whole = joined(region, &cut.sides, &parts, ordered);
        if best.as_ref().is_none_or(|(b, ..)| whole.entries < b.entries) {
            best = Some((whole, cut.sides, parts));
        }
    }
    let Some((guessed, sides, parts)) = best else { return leaf(region) };
    let ordered = in_parallel(&parts, |part| rollout(&part.region, points, plan));
    let found = fewer(guessed, joined(region, &sides, &parts, ordered));
    if region.inner() > plan.base.compare {
        return found;
    }
    fewer(found, leaf(region))
}

fn fewer(one: Eliminated, other: Eliminated) -> Eliminated {
    if other.entries < one.entries { other } else { one }
}

fn leaf(region: &Region) -> Eliminated {
    let all: Vec<u32> = (0..region.inner() as u32).collect();
    let mut found = eliminate(region, &all, &[]);
    found.order.iter_mut().for_each(|k| *k = region.vertices[*k as usize]);
    found
}

/// (1)
fn joined(region: &Region, sides: &[Side], parts: &[Part], ordered: Vec<Eliminated>) -> Eliminated {
    let mut whole = Eliminated::default();
    whole.order.reserve(region.inner());
    for part in ordered {
        whole.order.extend_from_slice(&part.order);
        whole.entries += part.entries;
    }
    let set: Vec<u32> =
        (0..region.inner() as u32).filter(|&k| sides[k as usize] == Side::Separator).collect();
    let rims: Vec<&[u32]> = parts.iter().map(Part::rim).collect();
    let last = eliminate(region, &set, &rims);
    whole.order.extend(last.order.iter().map(|&k| region.vertices[k as usize]));
    whole.entries += last.entries;
    whole
}

/// The parts in their order, whatever thread did them.
pub(super) fn in_parallel(parts: &[Part], work: impl Fn(&Part) -> Eliminated + Sync) -> Vec<Eliminated> {
    use rayon::prelude::*;
    // small parts are not worth a thread
    let vertices: usize = parts.iter().map(|p| p.region.inner()).sum();
    if vertices < 300 { parts.iter().map(work).collect() } else { parallel::collect(parts.par_iter(), &work) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ordering::cut::Beside;
    use crate::ordering::{Graph, Permutation, PointCliques, fill};

    /// Points on a line of blocks, coupled in overlapping groups of five, some far apart.
    fn graph() -> (Graph, Vec<[f64; 3]>) {
        let points: Vec<[f64; 3]> = (0..240).map(|v| [v % 13, v % 7, v % 5].map(f64::from)).collect();
        let members: Vec<u32> = (0..230_u32).flat_map(|v| [v, v + 1, v + 3, v + 9, (v * 7) % 240]).collect();
        let offsets: Vec<u32> = (0..=230).map(|c| 5 * c).collect();
        (Graph::from_cliques(&PointCliques::new(&points, &offsets, &members).unwrap()), points)
    }

    #[test]
    fn entries_counted_part_by_part_are_those_of_the_whole_factor() {
        // (1) holds only if separators separate and rims are exact
        let (graph, points) = graph();
        let sweep = Sweep { planes: 2, balance: 0.3, beside: Beside::Principal, smoothed: 2 };
        let base = Plan { leaf: 10, compare: 60, sweep };
        let compared = Rollout { base, sweep, tries: 3 };
        for part in Region::whole(&graph).parts(|_| false) {
            assert_eq!(part.region.inner(), 240, "the graph is meant to be connected");
            for found in [fast(&part.region, &points, &base), rollout(&part.region, &points, &compared)] {
                let order = Permutation::of_order(found.order);
                assert_eq!(found.entries, fill::factor_entries(&graph, &order));
            }
        }
    }
}
