//! Fixed partitions with private buffers: the same bits for any number of threads.
//!
//! The elements of a term are cut into parts whose number depends on the mesh alone. Each part
//! gathers its nodes into rows of its own, adds forces into rows of its own, and then every node's
//! owner (the first part that touches it) sums what the parts have for it, in part order.

use pliant_numerics::{DisjointMut, Pack};
use rayon::prelude::*;

/// Elements below which a term is one part: forking would cost more than it saves.
const SINGLE_PART: usize = 2048;
/// Elements a part holds in a large term: its rows then stay in a core's second-level cache.
const PART_ELEMENTS: usize = 4096;
/// Parts of a term that is worth cutting at all; enough to balance 8 threads.
const MIN_PARTS: usize = 8;

/// One part: its nodes and who needs its rows.
#[derive(Clone, Debug)]
pub struct Part {
    /// First block and one past the last.
    pub blocks: std::ops::Range<usize>,
    /// World node of each row; the first `owned` belong to this part.
    pub nodes: Vec<u32>,
    /// How many rows this part owns.
    pub owned: usize,
    /// Rows of later parts that this part adds to its own nodes, in part order.
    pub incoming: Vec<Incoming>,
}

/// A row of another part that belongs to one of our nodes.
#[derive(Clone, Copy, Debug)]
pub struct Incoming {
    /// The other part.
    pub part: u32,
    /// Its row.
    pub row: u32,
    /// The world node.
    pub node: u32,
}

/// The parts of one term, and for every element its rows.
pub struct Partition<const N: usize> {
    /// All parts.
    pub parts: Vec<Part>,
    /// For each block and lane the element (an index into the term's elements) or `None` for padding.
    pub lanes: Vec<Vec<Option<u32>>>,
    /// Rows of each element's nodes in its part.
    pub rows: Vec<[u16; N]>,
}

/// Rows a part computes on.
pub struct PartRows<P: Pack> {
    /// Positions, or displacements for short lanes.
    pub x: Vec<P::Row>,
    /// Velocities, or a direction; empty if never needed.
    pub v: Vec<P::Row>,
    /// Forces.
    pub f: Vec<P::Row>,
    /// A scalar of the last pass, such as power.
    pub sum: f64,
}

fn part_count(element_count: usize) -> usize {
    if element_count <= SINGLE_PART {
        1
    } else {
        // a multiple of MIN_PARTS, so that 2, 4 or 8 threads finish together
        element_count.div_ceil(PART_ELEMENTS).next_multiple_of(MIN_PARTS)
    }
}

impl<const N: usize> Partition<N> {
    /// Cuts `elements` (world nodes, in storage order) for lanes of `width`.
    pub fn new(elements: &[[u32; N]], node_count: usize, width: usize) -> Self {
        let count = part_count(elements.len());
        let bounds = |p: usize| p * elements.len() / count;
        let owner = owners(elements, node_count, count, bounds);
        let mut partition = Self { parts: Vec::new(), lanes: Vec::new(), rows: vec![[0; N]; elements.len()] };
        let mut row_of_node = vec![0_u16; node_count];
        for p in 0..count {
            let (first, last) = (bounds(p), bounds(p + 1));
            let mut nodes: Vec<u32> = elements[first..last].iter().flatten().copied().collect();
            nodes.sort_unstable();
            nodes.dedup();
            // owned rows first, both halves ascending
            nodes.sort_by_key(|&n| owner[n as usize] != p as u32);
            let owned = nodes.iter().take_while(|&&n| owner[n as usize] == p as u32).count();
            for (row, &node) in nodes.iter().enumerate() {
                row_of_node[node as usize] = row as u16;
            }
            for e in first..last {
                partition.rows[e] = elements[e].map(|n| row_of_node[n as usize]);
            }
            let first_block = partition.lanes.len();
            partition.lanes.extend(strided_lanes(first, last, width));
            let blocks = first_block..partition.lanes.len();
            partition.parts.push(Part { blocks, nodes, owned, incoming: Vec::new() });
        }
        partition.connect(&owner);
        partition
    }

    /// Tells every owner where its foreign rows are.
    fn connect(&mut self, owner: &[u32]) {
        let mut incoming = vec![Vec::new(); self.parts.len()];
        for (p, part) in self.parts.iter().enumerate() {
            for (row, &node) in part.nodes.iter().enumerate().skip(part.owned) {
                let to = owner[node as usize] as usize;
                incoming[to].push(Incoming { part: p as u32, row: row as u32, node });
            }
        }
        for (part, incoming) in self.parts.iter_mut().zip(incoming) {
            part.incoming = incoming;
        }
    }
}

/// The first part that touches each node.
fn owners<const N: usize>(
    elements: &[[u32; N]],
    node_count: usize,
    count: usize,
    bounds: impl Fn(usize) -> usize,
) -> Vec<u32> {
    let mut owner = vec![u32::MAX; node_count];
    for p in 0..count {
        for node in elements[bounds(p)..bounds(p + 1)].iter().flatten() {
            let owner = &mut owner[*node as usize];
            *owner = (*owner).min(p as u32);
        }
    }
    owner
}

/// Elements of one part to blocks of lanes, each lane walking through its own stretch: lanes of a
/// block then rarely share a node, so that one scatter seldom waits for the one before.
fn strided_lanes(first: usize, last: usize, width: usize) -> Vec<Vec<Option<u32>>> {
    let blocks = (last - first).div_ceil(width);
    let element = |b: usize, lane: usize| {
        let e = first + lane * blocks + b;
        (e < last).then_some(e as u32)
    };
    (0..blocks).map(|b| (0..width).map(|lane| element(b, lane)).collect()).collect()
}

impl<P: Pack> PartRows<P> {
    /// Rows for a part.
    pub fn new(part: &Part) -> Self {
        let zero = vec![P::row([0.0; 3]); part.nodes.len()];
        Self { x: zero.clone(), v: zero.clone(), f: zero, sum: 0.0 }
    }
}

/// Fills rows from a world vector: `row = values[node] - rest[node]`, or plain values.
#[inline]
pub fn load_rows<P: Pack>(rows: &mut [P::Row], nodes: &[u32], values: &[f64], rest: Option<&[f64]>) {
    let triple = |v: &[f64], node: u32| -> [f64; 3] {
        let v = &v[3 * node as usize..][..3];
        [v[0], v[1], v[2]]
    };
    match rest {
        None => rows.iter_mut().zip(nodes).for_each(|(row, &n)| *row = P::row(triple(values, n))),
        Some(rest) => rows.iter_mut().zip(nodes).for_each(|(row, &n)| {
            let (x, r) = (triple(values, n), triple(rest, n));
            *row = P::row([x[0] - r[0], x[1] - r[1], x[2] - r[2]]);
        }),
    }
}

/// Runs `work` on every part, side by side when there are several.
pub fn for_each_part<P: Pack>(
    parts: &[Part],
    rows: &mut [PartRows<P>],
    work: impl Fn(&Part, &mut PartRows<P>) + Sync,
) {
    if parts.len() == 1 {
        work(&parts[0], &mut rows[0]);
    } else {
        parts.par_iter().zip(rows.par_iter_mut()).for_each(|(part, rows)| work(part, rows));
    }
}

/// Adds the force rows of all parts to the world's forces, owner by owner, in part order.
pub fn reduce<P: Pack>(parts: &[Part], rows: &[PartRows<P>], force: &mut [f64]) {
    let force = DisjointMut::new(force);
    let add = |node: u32, row: P::Row| {
        // SAFETY: a node has one owner and only the owner's task adds to it; nodes are in range
        // because the partition was made from the elements of this world.
        let out = unsafe { force.get_mut(3 * node as usize, 3) };
        let value = P::point(row);
        (0..3).for_each(|c| out[c] += value[c]);
    };
    let own = |(part, own): (&Part, &PartRows<P>)| {
        for (&node, &row) in part.nodes.iter().zip(&own.f).take(part.owned) {
            add(node, row);
        }
        for incoming in &part.incoming {
            add(incoming.node, rows[incoming.part as usize].f[incoming.row as usize]);
        }
    };
    if parts.len() == 1 {
        own((&parts[0], &rows[0]));
    } else {
        parts.par_iter().zip(rows.par_iter()).for_each(own);
    }
}

/// The parts' scalars, summed in part order.
pub fn total<P: Pack>(rows: &[PartRows<P>]) -> f64 {
    rows.iter().map(|r| r.sum).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A chain of overlapping "elements" i, i+1, i+2, i+3.
    fn chain(count: u32) -> Vec<[u32; 4]> {
        (0..count).map(|i| [i, i + 1, i + 2, i + 3]).collect()
    }

    #[test]
    fn every_element_has_one_lane_and_every_node_one_owner() {
        let elements = chain(10_000);
        let partition = Partition::new(&elements, 10_003, 4);
        let mut seen = vec![0; elements.len()];
        partition.lanes.iter().flatten().flatten().for_each(|&e| seen[e as usize] += 1);
        assert!(seen.iter().all(|&times| times == 1));
        let mut owned = vec![0; 10_003];
        for part in &partition.parts {
            part.nodes[..part.owned].iter().for_each(|&n| owned[n as usize] += 1);
        }
        assert!(owned.iter().all(|&times| times == 1));
        assert_eq!(partition.parts.len(), 8);
    }

    #[test]
    fn rows_name_the_elements_nodes() {
        let elements = chain(5_000);
        let partition = Partition::new(&elements, 5_003, 8);
        for part in &partition.parts {
            for block in &partition.lanes[part.blocks.clone()] {
                for &e in block.iter().flatten() {
                    let nodes = partition.rows[e as usize].map(|row| part.nodes[usize::from(row)]);
                    assert_eq!(nodes, elements[e as usize]);
                }
            }
        }
    }
}
