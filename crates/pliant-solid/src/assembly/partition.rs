//! Fixed partitions with private buffers: the same bits for any number of threads.
//!
//! The elements of a term are cut into parts whose number depends on the mesh alone. A part gathers
//! its nodes into rows that stay in the core's cache, adds forces into such rows, hands the nodes it
//! owns (the first part that touches a node owns it) to the world at once and keeps the rest; then
//! every owner adds what the later parts kept for it, in part order.

use pliant_numerics::{DisjointMut, Pack, parallel};
use rayon::prelude::*;

/// Cost, in tetrahedra, below which a term is one part: forking would cost more than it saves.
const SINGLE_PART: usize = 2048;
/// Cost of a part of a large term: its rows then stay in a core's second-level cache.
const PART_COST: usize = 4096;
/// Foreign rows below which they are added by one thread.
const FEW_INCOMING: usize = 8192;
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

/// Rows that a thread computes on, one part after another.
pub struct WorkRows<P: Pack> {
    /// Positions, or displacements for short lanes.
    pub x: Vec<P::Row>,
    /// Velocities, or a direction.
    pub v: Vec<P::Row>,
    /// Forces.
    pub f: Vec<P::Row>,
}

/// What a part keeps for the owners of its foreign nodes.
struct PartResult<P: Pack> {
    ghosts: Vec<P::Row>,
    scalars: [f64; 2],
}

/// All rows of a term.
pub struct Rows<P: Pack> {
    work: Vec<WorkRows<P>>,
    results: Vec<PartResult<P>>,
    longest: usize,
    incoming: usize,
}

/// The number of parts; `weight` is the cost of an element in tetrahedra.
fn part_count(element_count: usize, weight: usize) -> usize {
    let cost = element_count * weight;
    if cost <= SINGLE_PART {
        1
    } else {
        // a multiple of MIN_PARTS, so that 2, 4 or 8 threads finish together
        cost.div_ceil(PART_COST).next_multiple_of(MIN_PARTS).min(element_count)
    }
}

impl<const N: usize> Partition<N> {
    /// Cuts `elements` (world nodes, in storage order) for lanes of `width`; an element costs as
    /// much as `weight` tetrahedra.
    pub fn new(elements: &[[u32; N]], node_count: usize, width: usize, weight: usize) -> Self {
        let count = part_count(elements.len(), weight);
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

impl<P: Pack> Rows<P> {
    /// Rows for the parts of a term.
    pub fn new(parts: &[Part]) -> Self {
        let ghosts = |part: &Part| vec![P::row([0.0; 3]); part.nodes.len() - part.owned];
        let mut rows = Self {
            work: Vec::new(),
            results: parts
                .iter()
                .map(|part| PartResult { ghosts: ghosts(part), scalars: [0.0; 2] })
                .collect(),
            longest: parts.iter().map(|p| p.nodes.len()).max().unwrap_or(0),
            incoming: parts.iter().map(|p| p.incoming.len()).sum(),
        };
        rows.provide(parallel::thread_count());
        rows
    }

    /// Working rows for so many threads; allocates only when the pool has grown.
    fn provide(&mut self, threads: usize) {
        while self.work.len() < threads {
            let zero = vec![P::row([0.0; 3]); self.longest];
            self.work.push(WorkRows { x: zero.clone(), v: zero.clone(), f: zero });
        }
    }

    /// The parts' first scalars, summed in part order.
    pub fn total(&self) -> f64 {
        self.results.iter().map(|r| r.scalars[0]).sum()
    }

    /// The largest of the parts' scalars, each for itself.
    pub fn largest(&self) -> [f64; 2] {
        let larger = |a: [f64; 2], r: &PartResult<P>| [a[0].max(r.scalars[0]), a[1].max(r.scalars[1])];
        self.results.iter().fold([f64::NEG_INFINITY; 2], larger)
    }

    /// Runs `work` on every part, side by side when there are several and a pool to run in.
    ///
    /// `work` returns two scalars for [`Rows::total`] or [`Rows::largest`]; the rows it sees are as long
    /// as the part's nodes. What it leaves in the foreign rows of `f` is kept for the owners.
    ///
    /// An object, here and in [`Rows::run`]: a call a part costs nothing, while rayon would take kernels in as often as
    /// it may fork.
    pub fn visit(&mut self, parts: &[Part], work: &(dyn Fn(&Part, &mut PartView<P>) -> [f64; 2] + Sync)) {
        self.provide(parallel::thread_count());
        let threads = DisjointMut::new(&mut self.work);
        let one = |part: &Part, result: &mut PartResult<P>| {
            // SAFETY: a thread runs one part at a time, since `without_nesting` lets no loop start inside of it, for
            // which the thread would wait and take up another part; thread numbers are below `thread_count`.
            let WorkRows { x, v, f } = &mut unsafe { threads.get_mut(parallel::thread_index(), 1) }[0];
            let count = part.nodes.len();
            let mut view = PartView { x: &mut x[..count], v: &mut v[..count], f: &mut f[..count] };
            result.scalars = parallel::without_nesting(|| work(part, &mut view));
            result.ghosts.copy_from_slice(&view.f[part.owned..]);
        };
        parallel::for_each(parts.par_iter().zip(&mut self.results), |(part, result)| one(part, result));
    }

    /// [`Rows::visit`], and adds the rows that `work` leaves in `f` to the world's forces.
    pub fn run(
        &mut self,
        parts: &[Part],
        force: &mut [f64],
        work: &(dyn Fn(&Part, &mut PartView<P>) -> f64 + Sync),
    ) {
        let force = DisjointMut::new(force);
        self.visit(parts, &|part, view| {
            let first = work(part, view);
            for (&node, &row) in part.nodes.iter().zip(&view.f[..part.owned]) {
                add_row::<P>(&force, node, row);
            }
            [first, 0.0]
        });
        let results = &self.results;
        let gather = |part: &Part| {
            for incoming in &part.incoming {
                let other = incoming.part as usize;
                let ghost = incoming.row as usize - parts[other].owned;
                add_row::<P>(&force, incoming.node, results[other].ghosts[ghost]);
            }
        };
        if self.incoming < FEW_INCOMING {
            parts.iter().for_each(gather);
        } else {
            parallel::for_each(parts.par_iter(), gather);
        }
    }
}

/// The rows a part computes on.
pub struct PartView<'a, P: Pack> {
    /// Positions, or displacements for short lanes.
    pub x: &'a mut [P::Row],
    /// Velocities, or a direction.
    pub v: &'a mut [P::Row],
    /// Forces.
    pub f: &'a mut [P::Row],
}

#[inline(always)]
fn add_row<P: Pack>(force: &DisjointMut<f64>, node: u32, row: P::Row) {
    // SAFETY: only the task of a node's owner adds to it, and the passes follow one another; nodes
    // are in range because the partition was made from the elements of this world.
    let out = unsafe { force.get_mut(3 * node as usize, 3) };
    let value = P::point(row);
    (0..3).for_each(|c| out[c] += value[c]);
}

/// Fills rows from a world vector: `row = values[node] - rest[node]`, or plain values.
///
/// Short lanes hold the differences to the first node: gradients do not see a constant, and a body
/// that is far from home, or fast, then keeps its digits.
#[inline]
pub fn load_rows<P: Pack>(rows: &mut [P::Row], nodes: &[u32], values: &[f64], rest: Option<&[f64]>) {
    let triple = |v: &[f64], node: u32| -> [f64; 3] {
        let v = &v[3 * node as usize..][..3];
        [v[0], v[1], v[2]]
    };
    if !P::SHORT {
        return rows.iter_mut().zip(nodes).for_each(|(row, &n)| *row = P::row(triple(values, n)));
    }
    let value = |node: u32| {
        let (x, r) = (triple(values, node), rest.map_or([0.0; 3], |rest| triple(rest, node)));
        [x[0] - r[0], x[1] - r[1], x[2] - r[2]]
    };
    let origin = nodes.first().map_or([0.0; 3], |&n| value(n));
    for (row, &n) in rows.iter_mut().zip(nodes) {
        let u = value(n);
        *row = P::row([u[0] - origin[0], u[1] - origin[1], u[2] - origin[2]]);
    }
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
        let partition = Partition::new(&elements, 10_003, 4, 1);
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
        let partition = Partition::new(&elements, 5_003, 8, 1);
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
