//! Pairs of overlapping boxes by sorted lists of their ends along three axes [Stolfi 6.4].
//!
//! The lists are kept from one step to the next and put in order again by insertion, whose cost is the number
//! of ends that pass each other. When the low end of a box passes below the high end of another the two begin
//! to overlap along that axis: if they do along all three they become a pair. At the end pairs whose boxes
//! have parted are taken out.
//!
//! Differs from the source: it keeps three matrices of flags, whether i and j overlap along an axis, which
//! grow with the square of the boxes. Here the boxes themselves are asked at each such passing, so that
//! memory is linear in boxes and pairs; a pair may then be met up to three times in a step, and is kept once.
//!
//! The source expects the passings to be linear in the boxes. On a surface of n elements that moves by a part
//! f of one, an end passes f sqrt(n) others, since so many elements share a place on an axis: n^1.5.

use pliant_numerics::parallel;

use super::Groups;
use super::pair_sort::PairSort;
use crate::bounds::Bounds;

/// Passings for each end after which the lists are sorted from scratch: boxes have jumped.
const MOST_PASSINGS: usize = 1000;

/// The memory of the method.
#[derive(Clone, Debug, Default)]
pub(super) struct Sweep {
    axes: [Axis; 3],
    counts: [usize; 2],
    /// The pairs, sorted, and those that come and go.
    lists: Vec<Vec<[u32; 2]>>,
    active: Vec<u32>,
    sort: PairSort,
    compared: u64,
}

#[derive(Clone, Debug, Default)]
struct Axis {
    ends: Vec<End>,
    found: Vec<[u32; 2]>,
    passings: usize,
}

/// One end of a box along an axis.
#[derive(Clone, Copy, Debug, Default)]
struct End {
    /// Its coordinate, as a number that grows with it.
    key: u64,
    /// Number of the box in both groups together, twice; one more for the high end.
    tag: u32,
}

impl End {
    /// Whether it comes before: of equal ones low ends, since boxes that touch overlap.
    #[inline]
    fn is_before(&self, other: &Self) -> bool {
        (self.key, self.tag & 1) < (other.key, other.tag & 1)
    }
}

/// A number whose order is that of the coordinate; zeros of both signs are one.
#[inline]
fn key(coordinate: f64) -> u64 {
    let bits = (coordinate + 0.0).to_bits();
    // negative ones run backwards
    if bits >> 63 == 1 { !bits } else { bits | 1 << 63 }
}

impl Sweep {
    /// Ends that passed each other the last time, or boxes compared if the lists were sorted from scratch.
    pub fn compared(&self) -> u64 {
        self.compared
    }

    /// Writes the pairs of overlapping boxes that are kept, sorted.
    pub fn pairs_into(
        &mut self,
        groups: Groups<'_>,
        keep: impl Fn(u32, u32) -> bool + Sync,
        out: &mut Vec<[u32; 2]>,
    ) {
        let all = Ends { groups, keep: &keep };
        let counts = groups.both().map(<[Bounds]>::len);
        let known = self.counts == counts && self.renew(&all);
        self.lists.resize_with(2, Vec::new);
        let [before, found] = &mut self.lists[..] else { return };
        match known {
            true => {
                before.retain(|pair| all.overlap(*pair));
                found.clear();
                self.axes.iter().for_each(|axis| found.extend(&axis.found));
            }
            false => {
                before.clear();
                found.clear();
                self.counts = counts;
                self.compared = start(&mut self.axes, &all, &mut self.active, found);
            }
        }
        self.sort.sorted_into(&self.lists, counts[0], out);
        out.dedup();
        let [before, _] = &mut self.lists[..] else { return };
        before.clone_from(out);
    }

    /// Puts the lists in order again; false if too much passes for that.
    fn renew<K: Fn(u32, u32) -> bool + Sync>(&mut self, all: &Ends<'_, K>) -> bool {
        let [x, y, z] = &mut self.axes;
        let (first, (second, third)) =
            parallel::join(|| x.renew(0, all), || parallel::join(|| y.renew(1, all), || z.renew(2, all)));
        self.compared = self.axes.iter().map(|axis| axis.passings as u64).sum();
        first && second && third
    }
}

/// The boxes of both groups as one list.
struct Ends<'a, K> {
    groups: Groups<'a>,
    keep: &'a K,
}

impl<K: Fn(u32, u32) -> bool> Ends<'_, K> {
    #[inline]
    fn at(&self, number: u32) -> &Bounds {
        let [a, b] = self.groups.both();
        a.get(number as usize).unwrap_or_else(|| &b[number as usize - a.len()])
    }

    fn key(&self, tag: u32, axis: usize) -> u64 {
        let bounds = self.at(tag >> 1);
        key(if tag & 1 == 0 { bounds.min[axis] } else { bounds.max[axis] })
    }

    /// Whether the boxes of a pair, each by its number in its group, overlap.
    fn overlap(&self, [a, b]: [u32; 2]) -> bool {
        let [firsts, seconds] = self.groups.both();
        let seconds = if let Groups::One(all) = self.groups { all } else { seconds };
        firsts[a as usize].overlaps(&seconds[b as usize])
    }

    /// Notes two boxes, by their numbers in the list, if they are a pair.
    #[inline]
    fn note(&self, i: u32, j: u32, found: &mut Vec<[u32; 2]>) {
        let (low, high) = (i.min(j), i.max(j));
        let pair = match self.groups {
            Groups::One(_) => [low, high],
            Groups::Two(firsts, _) => {
                let count = firsts.len() as u32;
                if low >= count || high < count {
                    return;
                }
                [low, high - count]
            }
        };
        if self.at(i).overlaps(self.at(j)) && (self.keep)(pair[0], pair[1]) {
            found.push(pair);
        }
    }
}

impl Axis {
    fn renew<K: Fn(u32, u32) -> bool>(&mut self, axis: usize, all: &Ends<'_, K>) -> bool {
        let most = MOST_PASSINGS * self.ends.len();
        self.found.clear();
        self.passings = 0;
        self.ends.iter_mut().for_each(|end| end.key = all.key(end.tag, axis));
        for i in 1..self.ends.len() {
            let end = self.ends[i];
            let mut place = i;
            while place > 0 && end.is_before(&self.ends[place - 1]) {
                let passed = self.ends[place - 1];
                self.ends[place] = passed;
                place -= 1;
                // a low end below a high one: they begin to overlap
                if end.tag & 1 == 0 && passed.tag & 1 == 1 {
                    all.note(end.tag >> 1, passed.tag >> 1, &mut self.found);
                }
            }
            self.ends[place] = end;
            self.passings += i - place;
            if self.passings > most {
                return false;
            }
        }
        true
    }
}

/// Sorts the lists from scratch and finds all pairs in one pass along the axis on which the boxes lie
/// farthest apart.
fn start<K: Fn(u32, u32) -> bool>(
    axes: &mut [Axis; 3],
    all: &Ends<'_, K>,
    active: &mut Vec<u32>,
    found: &mut Vec<[u32; 2]>,
) -> u64 {
    let [a, b] = all.groups.both();
    let count = (a.len() + b.len()) as u32;
    for (k, axis) in axes.iter_mut().enumerate() {
        axis.found.clear();
        axis.ends.clear();
        axis.ends.extend((0..2 * count).map(|tag| End { key: all.key(tag, k), tag }));
        axis.ends.sort_unstable_by_key(|end| (end.key, end.tag & 1, end.tag));
    }
    let spread = |k: usize| {
        let middles = a.iter().chain(b).map(|bounds| bounds.center()[k]);
        let mean = middles.clone().sum::<f64>() / f64::from(count.max(1));
        middles.map(|x| (x - mean).powi(2)).sum::<f64>()
    };
    let widest = (1..3).fold(0, |best, k| if spread(k) > spread(best) { k } else { best });
    active.clear();
    let mut compared = 0;
    for end in &axes[widest].ends {
        let number = end.tag >> 1;
        if end.tag & 1 == 1 {
            if let Some(place) = active.iter().position(|other| *other == number) {
                active.swap_remove(place);
            }
            continue;
        }
        compared += active.len() as u64;
        active.iter().for_each(|other| all.note(*other, number, found));
        active.push(number);
    }
    compared
}
