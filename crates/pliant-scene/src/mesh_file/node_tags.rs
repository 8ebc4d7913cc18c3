//! What a file calls its nodes: numbers that need not be in order nor without gaps.

use std::ops::RangeInclusive;

use super::error::{CUT_OFF, Fault, Place};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Entry {
    tag: u64,
    node: u32,
    place: Place,
}

/// Tags of the nodes 0, 1, 2, ... of a mesh.
#[derive(Debug, Default)]
pub(super) struct NodeTags {
    /// Sorted by tag once `close` has run.
    entries: Vec<Entry>,
}

impl NodeTags {
    pub fn reserve(&mut self, count: usize) {
        self.entries.reserve(count);
    }

    /// The tag of the next node.
    pub fn add(&mut self, tag: u64, place: Place) {
        self.entries.push(Entry { tag, node: self.entries.len() as u32, place });
    }

    /// To be called when all nodes are in; finds tags that are there twice.
    pub fn close(&mut self) -> Result<(), Fault> {
        self.close_as("node")
    }

    /// The same for tags of other things than nodes.
    pub fn close_as(&mut self, what: &str) -> Result<(), Fault> {
        if !self.entries.is_sorted() {
            self.entries.sort_unstable();
        }
        match self.entries.windows(2).find(|pair| pair[0].tag == pair[1].tag) {
            None => Ok(()),
            Some(pair) => Err(Fault {
                place: pair[1].place,
                problem: format!("the {what} {} is there twice", pair[1].tag),
                found: pair[1].tag.to_string(),
                way_out: CUT_OFF.to_owned(),
            }),
        }
    }

    /// The node with this tag.
    pub fn node(&self, tag: u64) -> Option<u32> {
        // tags without gaps are found at once
        let first = self.entries.first()?.tag;
        let guess = tag.checked_sub(first).and_then(|place| self.entries.get(usize::try_from(place).ok()?));
        if let Some(entry) = guess.filter(|entry| entry.tag == tag) {
            return Some(entry.node);
        }
        let place = self.entries.binary_search_by_key(&tag, |entry| entry.tag).ok()?;
        Some(self.entries[place].node)
    }

    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// The tags in a range, in rising order, each with its node.
    pub fn range(&self, tags: RangeInclusive<u64>) -> impl Iterator<Item = (u64, u32)> + '_ {
        let start = self.entries.partition_point(|entry| entry.tag < *tags.start());
        let rest = self.entries[start..].iter().take_while(move |entry| entry.tag <= *tags.end());
        rest.map(|entry| (entry.tag, entry.node))
    }
}
