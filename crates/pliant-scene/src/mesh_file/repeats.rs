//! Elements that a file repeats once for each of their groups.
//!
//! A repeat has the same nodes in the same order and shares no group with the first. Elements of no group, or
//! twice in the same one, are left: that is a fault of the mesh, for others to report.

/// Drops repeats from `cells`; the first of them takes their places in the groups, which are lists of cells.
pub(super) fn join_repeated<'g, const N: usize>(
    cells: &mut Vec<[u32; N]>,
    groups: impl Iterator<Item = &'g mut Vec<u32>>,
) {
    let candidates = repeated(cells);
    if candidates.is_empty() {
        return;
    }
    let mut groups: Vec<&mut Vec<u32>> = groups.collect();
    let memberships = memberships(&candidates, &groups);
    let groups_of = |cell: u32| -> &[(u32, u32)] {
        let start = memberships.partition_point(|&(other, _)| other < cell);
        let length = memberships[start..].partition_point(|&(other, _)| other == cell);
        &memberships[start..start + length]
    };
    // the cell that each one becomes
    let mut becomes: Vec<u32> = (0..cells.len() as u32).collect();
    for (first, again) in candidates {
        let (before, now) = (groups_of(first), groups_of(again));
        // both are sorted by group
        let shared = |&(_, group): &(u32, u32)| before.binary_search_by_key(&group, |&(_, g)| g).is_ok();
        if !before.is_empty() && !now.is_empty() && !now.iter().any(shared) {
            becomes[again as usize] = first;
        }
    }
    let mut place = 0;
    let mut next = 0;
    // a repeat comes after its first, whose new number is known by then
    let mut renumbered = vec![0_u32; cells.len()];
    cells.retain(|_| {
        let own = becomes[place] as usize == place;
        renumbered[place] = if own { next } else { renumbered[becomes[place] as usize] };
        next += u32::from(own);
        place += 1;
        own
    });
    for group in &mut groups {
        group.iter_mut().for_each(|cell| *cell = renumbered[*cell as usize]);
    }
}

/// (cell, group) of the candidates, sorted: asking every group for every cell would take the product of both.
fn memberships(candidates: &[(u32, u32)], groups: &[&mut Vec<u32>]) -> Vec<(u32, u32)> {
    let mut cells: Vec<u32> = candidates.iter().flat_map(|&(first, again)| [first, again]).collect();
    cells.sort_unstable();
    cells.dedup();
    let mut pairs = Vec::new();
    for (g, group) in (0_u32..).zip(groups) {
        let asked = group.iter().filter(|cell| cells.binary_search(cell).is_ok());
        pairs.extend(asked.map(|&cell| (cell, g)));
    }
    pairs.sort_unstable();
    pairs
}

/// Pairs of a cell and a later one with the same nodes, in rising order of the later one.
fn repeated<const N: usize>(cells: &[[u32; N]]) -> Vec<(u32, u32)> {
    // short hashes sort fast and take a quarter of the cells' own memory
    let mut order: Vec<(u32, u32)> = (0_u32..).zip(cells).map(|(i, nodes)| (hash(nodes), i)).collect();
    order.sort_unstable();
    let mut pairs = Vec::new();
    for bucket in order.chunk_by(|a, b| a.0 == b.0).filter(|bucket| bucket.len() > 1) {
        // cells of one hash are few unless they are the same; sorting keeps even hostile files fast
        let mut same: Vec<(&[u32; N], u32)> = bucket.iter().map(|&(_, i)| (&cells[i as usize], i)).collect();
        same.sort_unstable();
        for run in same.chunk_by(|a, b| a.0 == b.0) {
            pairs.extend(run[1..].iter().map(|&(_, again)| (run[0].1, again)));
        }
    }
    pairs.sort_unstable_by_key(|&(_, again)| again);
    pairs
}

fn hash(nodes: &[u32]) -> u32 {
    let mixed = nodes.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, &node| {
        (hash ^ u64::from(node)).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29)
    });
    (mixed ^ (mixed >> 32)) as u32
}
