//! Smallest vertex covers of bipartite graphs.

use pliant_numerics::ordering::{Bipartite, Cover};
use proptest::prelude::*;

fn bipartite(rows: &[Vec<u32>], right_count: usize) -> Bipartite {
    let mut graph = Bipartite { start: vec![0], ends: Vec::new(), right_count };
    for row in rows {
        graph.ends.extend_from_slice(row);
        graph.start.push(graph.ends.len() as u32);
    }
    graph
}

fn covers(rows: &[Vec<u32>], cover: &Cover) -> bool {
    let covered =
        |(l, row): (usize, &Vec<u32>)| row.iter().all(|&r| cover.left[l] || cover.right[r as usize]);
    rows.iter().enumerate().all(covered)
}

fn size(cover: &Cover) -> usize {
    cover.left.iter().chain(&cover.right).filter(|&&inside| inside).count()
}

/// Tries every set of left vertices: the rest of the cover is what their complement touches.
fn smallest_by_trial(rows: &[Vec<u32>]) -> usize {
    let size = |chosen: u32| {
        let rest = (0..rows.len()).filter(|l| chosen >> l & 1 == 0);
        let touched = rest.flat_map(|l| rows[l].iter()).fold(0_u32, |set, &r| set | 1 << r);
        (chosen.count_ones() + touched.count_ones()) as usize
    };
    (0..1_u32 << rows.len()).map(size).min().unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn both_covers_cover_and_none_is_smaller(
        rows in prop::collection::vec(prop::collection::vec(0_u32..9, 0..5), 0..9)
    ) {
        let smallest = smallest_by_trial(&rows);
        for cover in bipartite(&rows, 9).smallest_covers() {
            prop_assert!(covers(&rows, &cover));
            prop_assert_eq!(size(&cover), smallest);
        }
    }
}

#[test]
fn a_long_chain_needs_paths_through_all_of_it() {
    // left i meets right i and i + 1, the last one only right 0: a perfect matching, hence a cover of n
    let count = 20_000_u32;
    let mut rows: Vec<Vec<u32>> = (0..count - 1).map(|i| vec![i, i + 1]).collect();
    rows.push(vec![0]);
    for cover in bipartite(&rows, count as usize).smallest_covers() {
        assert!(covers(&rows, &cover));
        assert_eq!(size(&cover), count as usize);
    }
}
