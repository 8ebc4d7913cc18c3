//! Pairs found in any order, sorted by their first and then by their second number.
//!
//! A counting sort by the first, then a sort of each one's few seconds: linear in the pairs. The result is
//! the same in whatever order, and on however many threads, they were found.

use pliant_numerics::parallel;

/// Firsts whose seconds are worth a thread.
const CHUNK: usize = 1024;

/// The memory of a sort.
#[derive(Clone, Debug, Default)]
pub(super) struct PairSort {
    /// Where the pairs of each first begin.
    offsets: Vec<usize>,
}

impl PairSort {
    /// Writes the pairs of all lists; firsts are below `first_count`. Allocates if there are more than ever
    /// before.
    pub fn sorted_into(&mut self, found: &[Vec<[u32; 2]>], first_count: usize, out: &mut Vec<[u32; 2]>) {
        // where the pairs of a first are to go is two places on: filling moves it to one, where the next
        // one's begin
        self.offsets.clear();
        self.offsets.resize(first_count + 2, 0);
        for [first, _] in found.iter().flatten() {
            self.offsets[*first as usize + 2] += 1;
        }
        for first in 2..first_count + 2 {
            self.offsets[first] += self.offsets[first - 1];
        }
        out.clear();
        out.resize(self.offsets[first_count + 1], [0; 2]);
        for pair in found.iter().flatten() {
            let next = &mut self.offsets[pair[0] as usize + 1];
            out[*next] = *pair;
            *next += 1;
        }
        sort_seconds(out, &self.offsets[..=first_count]);
    }
}

/// Sorts the pairs of each first, which lie between neighbouring offsets.
fn sort_seconds(pairs: &mut [[u32; 2]], offsets: &[usize]) {
    let count = offsets.len() - 1;
    if count > CHUNK {
        let (low, high) = pairs.split_at_mut(offsets[count / 2] - offsets[0]);
        parallel::join(
            || sort_seconds(low, &offsets[..=count / 2]),
            || sort_seconds(high, &offsets[count / 2..]),
        );
        return;
    }
    for ends in offsets.windows(2) {
        pairs[ends[0] - offsets[0]..ends[1] - offsets[0]].sort_unstable_by_key(|pair| pair[1]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_come_out_in_order() {
        let mut found = vec![Vec::new(); 3];
        (0..20_000_u32).for_each(|i| found[i as usize % 3].push([i * 7919 % 3000, i * 104_729 % 10_007]));
        let mut exact: Vec<[u32; 2]> = found.concat();
        exact.sort_unstable();
        let (mut sort, mut out) = (PairSort::default(), Vec::new());
        sort.sorted_into(&found, 3000, &mut out);
        assert_eq!(out, exact);
        sort.sorted_into(&[], 0, &mut out);
        assert_eq!(out, [[0; 2]; 0]);
    }
}
