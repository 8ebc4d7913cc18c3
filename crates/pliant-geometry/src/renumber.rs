//! Groups carried over to a mesh with other numbers.

use std::collections::BTreeMap;

use crate::mesh::Group;

/// The new number of what is no longer there.
pub(crate) const GONE: u32 = u32::MAX;

/// The new number of each old node and element, or [`GONE`]. Several may become one.
pub(crate) struct Renumbering {
    pub nodes: Vec<u32>,
    pub tets: Vec<u32>,
    pub hexes: Vec<u32>,
    pub triangles: Vec<u32>,
}

impl Renumbering {
    /// The groups with their members' new numbers; empty ones stay.
    pub fn groups(&self, groups: &BTreeMap<String, Group>) -> BTreeMap<String, Group> {
        let renumbered = |group: &Group| Group {
            nodes: members(&group.nodes, &self.nodes),
            tets: members(&group.tets, &self.tets),
            hexes: members(&group.hexes, &self.hexes),
            triangles: members(&group.triangles, &self.triangles),
        };
        groups.iter().map(|(name, group)| (name.clone(), renumbered(group))).collect()
    }
}

/// New numbers of those that are kept, [`GONE`] for the others; and the old number of each new one.
pub(crate) fn packed(kept: &[bool]) -> (Vec<u32>, Vec<u32>) {
    let mut old = Vec::new();
    let mut new = vec![GONE; kept.len()];
    for (i, _) in kept.iter().enumerate().filter(|(_, kept)| **kept) {
        new[i] = old.len() as u32;
        old.push(i as u32);
    }
    (new, old)
}

fn members(old: &[u32], new: &[u32]) -> Vec<u32> {
    once_each(old.iter().map(|&m| new[m as usize]).filter(|&m| m != GONE))
}

/// Each number once, where it comes first.
pub(crate) fn once_each(numbers: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut placed: Vec<(u32, usize)> = numbers.enumerate().map(|(place, m)| (m, place)).collect();
    placed.sort_unstable();
    placed.dedup_by_key(|(m, _)| *m);
    placed.sort_unstable_by_key(|(_, place)| *place);
    placed.into_iter().map(|(m, _)| m).collect()
}
