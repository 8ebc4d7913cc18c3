//! Eliminates a small set of vertices by minimum degree, on rows of bits, with the rim in the degrees.
//!
//! The degree of a vertex counts the rim too: what is eliminated later still fills the column.
//! Rows of bits make the degrees exact: eliminating v is row[u] |= row[v] for its neighbours u.
//! Sum of the degrees met, plus one each, is the number of entries of L in these columns.

use super::region::Region;

/// Above this size the set is taken as one dense clique.
const DENSE: usize = 700;

/// Vertices in their order of elimination, and the entries of L in their columns.
#[derive(Clone, Debug, Default)]
pub(super) struct Eliminated {
    pub order: Vec<u32>,
    pub entries: u64,
}

/// Rows of bits, one row for each vertex of the set; columns are the set, then the rest it touches.
struct Rows {
    words: usize,
    bits: Vec<u64>,
}

impl Rows {
    fn row(&self, row: usize) -> &[u64] {
        &self.bits[row * self.words..(row + 1) * self.words]
    }

    fn set(&mut self, row: usize, column: usize) {
        self.bits[row * self.words + column / 64] |= 1 << (column % 64);
    }

    fn clear(&mut self, row: usize, column: usize) {
        self.bits[row * self.words + column / 64] &= !(1 << (column % 64));
    }

    fn degree(&self, row: usize) -> u32 {
        self.row(row).iter().map(|w| w.count_ones()).sum()
    }
}

/// Orders `set` (vertices of the region); each of `cliques` couples its members already.
pub(super) fn eliminate(region: &Region, set: &[u32], cliques: &[&[u32]]) -> Eliminated {
    let rows = rows(region, set, cliques);
    let dense = set.len() > DENSE;
    let (order, entries) = if dense { as_clique(&rows, set.len()) } else { by_degree(rows, set.len()) };
    Eliminated { order: order.into_iter().map(|k| set[k as usize]).collect(), entries }
}

fn rows(region: &Region, set: &[u32], cliques: &[&[u32]]) -> Rows {
    // names of columns: the set first, then whatever else is touched
    let mut column = vec![u32::MAX; region.total()];
    for (k, &vertex) in set.iter().enumerate() {
        column[vertex as usize] = k as u32;
    }
    let mut count = set.len() as u32;
    let rim = region.inner()..region.total();
    for slot in &mut column[rim] {
        *slot = count;
        count += 1;
    }
    let words = (count as usize).div_ceil(64);
    let mut rows = Rows { words, bits: vec![0; words * set.len()] };
    for (k, &vertex) in set.iter().enumerate() {
        for &other in region.links(vertex as usize) {
            // neighbours that are neither in the set nor on the rim went before
            if column[other as usize] != u32::MAX {
                rows.set(k, column[other as usize] as usize);
            }
        }
    }
    let mut mask = vec![0_u64; words];
    for clique in cliques {
        mask.fill(0);
        for &vertex in *clique {
            let c = column[vertex as usize] as usize;
            mask[c / 64] |= 1 << (c % 64);
        }
        for &vertex in *clique {
            let k = column[vertex as usize] as usize;
            if k < set.len() {
                let row = &mut rows.bits[k * words..(k + 1) * words];
                row.iter_mut().zip(&mask).for_each(|(a, b)| *a |= b);
            }
        }
    }
    (0..set.len()).for_each(|k| rows.clear(k, k));
    rows
}

/// Exact minimum degree, of equal ones the first, until all that is left is coupled with all.
fn by_degree(mut rows: Rows, count: usize) -> (Vec<u32>, u64) {
    let mut degrees: Vec<u32> = (0..count).map(|k| rows.degree(k)).collect();
    let mut left: Vec<u32> = (0..count as u32).collect();
    let mut order = Vec::with_capacity(count);
    let mut entries = 0;
    let mut pivot = vec![0_u64; rows.words];
    while let Some(place) = (0..left.len()).min_by_key(|&i| (degrees[left[i] as usize], left[i])) {
        let k = left.swap_remove(place) as usize;
        order.push(k as u32);
        entries += u64::from(degrees[k]) + 1;
        pivot.copy_from_slice(rows.row(k));
        let front: Vec<u32> = left.iter().copied().filter(|&u| bit(&pivot, u as usize)).collect();
        if front.len() == left.len() {
            // what follows is a clique, which may hold the pivot's bit still
            for &u in &left {
                rows.clear(u as usize, k);
            }
            let degree =
                |u: u32| rows.row(u as usize).iter().zip(&pivot).map(|(a, b)| (a | b).count_ones()).sum();
            left.sort_by_cached_key(|&u| -> (u32, u32) { (degree(u), u) });
            entries += clique_entries(&rows, &left, pivot);
            order.extend(left);
            break;
        }
        for u in front.into_iter().map(|u| u as usize) {
            let row = &mut rows.bits[u * rows.words..(u + 1) * rows.words];
            row.iter_mut().zip(&pivot).for_each(|(a, b)| *a |= b);
            rows.clear(u, k);
            rows.clear(u, u);
            degrees[u] = rows.degree(u);
        }
    }
    (order, entries)
}

/// As if all were coupled with all: an upper bound.
fn as_clique(rows: &Rows, count: usize) -> (Vec<u32>, u64) {
    let mut order: Vec<u32> = (0..count as u32).collect();
    order.sort_by_key(|&k| rows.degree(k as usize));
    let mut all = vec![0_u64; rows.words];
    (0..count).for_each(|k| all[k / 64] |= 1 << (k % 64));
    let entries = clique_entries(rows, &order, all);
    (order, entries)
}

/// Entries of the columns of a clique taken in this order: each passes on all it meets to the next.
/// `met` starts with what every member meets, the members themselves among it.
fn clique_entries(rows: &Rows, order: &[u32], mut met: Vec<u64>) -> u64 {
    let mut entries = 0;
    for (done, &k) in order.iter().enumerate() {
        met.iter_mut().zip(rows.row(k as usize)).for_each(|(a, b)| *a |= b);
        entries += met.iter().map(|w| u64::from(w.count_ones())).sum::<u64>() - done as u64;
    }
    entries
}

fn bit(row: &[u64], column: usize) -> bool {
    row[column / 64] >> (column % 64) & 1 == 1
}
