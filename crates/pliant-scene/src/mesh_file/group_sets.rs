//! Elements by the set of groups that they are in, for formats where an element has one label.

use std::collections::BTreeMap;
use std::io;
use std::ops::Range;

use super::surface_builder::MOST_GROUPS;

/// Which groups each element of a kind is in.
pub(super) struct GroupSets {
    /// Numbers of groups in rising order; the first set is the empty one.
    sets: Vec<Vec<u32>>,
    /// The set of each element.
    set_of: Vec<u32>,
}

impl GroupSets {
    /// Of `count` elements; `groups` gives the members of each group in turn.
    pub fn of<'m>(count: usize, groups: impl Iterator<Item = &'m [u32]>) -> io::Result<Self> {
        let mut sets = vec![Vec::new()];
        let mut set_of = vec![0_u32; count];
        // (a set, a group more) is this set
        let mut larger = BTreeMap::new();
        for (group, members) in (0_u32..).zip(groups) {
            for &member in members {
                let old = set_of[member as usize];
                // a member that is listed twice
                if sets[old as usize].last() == Some(&group) {
                    continue;
                }
                // refused below; growing lists of thousands would take the square of their number
                if sets[old as usize].len() >= MOST_GROUPS {
                    continue;
                }
                set_of[member as usize] = *larger.entry((old, group)).or_insert_with(|| {
                    let mut set = sets[old as usize].clone();
                    set.push(group);
                    sets.push(set);
                    sets.len() as u32 - 1
                });
            }
        }
        let sets = Self { sets, set_of };
        let crowded = sets.runs().find(|(set, _)| sets.groups(*set).len() >= MOST_GROUPS);
        match crowded {
            None => Ok(sets),
            Some((set, at)) => {
                let (element, count) = (at.start, sets.groups(set).len());
                let problem = format!(
                    "element {element} is in {count} groups or more; write .vtu, or use fewer groups"
                );
                Err(io::Error::new(io::ErrorKind::InvalidInput, problem))
            }
        }
    }

    /// How many sets there are; some may have no element.
    pub fn count(&self) -> usize {
        self.sets.len()
    }

    /// The groups of a set.
    pub fn groups(&self, set: usize) -> &[u32] {
        &self.sets[set]
    }

    /// Elements one after the other in the same set.
    pub fn runs(&self) -> impl Iterator<Item = (usize, Range<usize>)> {
        let mut start = 0;
        self.set_of.chunk_by(|a, b| a == b).map(move |run| {
            let range = start..start + run.len();
            start = range.end;
            (run[0] as usize, range)
        })
    }
}
