//! The force term of many links of one kind, four side by side in fixed parts as elements are.

use std::sync::Arc;

use pliant_numerics::{BlockMatrix, BlockPattern, F64x4, Lane, Mat3, Pack, PatternBuilder};

use super::partition::{Part, PartView, Partition, Rows, load_rows};
use super::tangent_parts::{TangentParts, pair_count};
use crate::link::{Link, LinkKind, Points};
use crate::term::{At, Caps, Coeffs, Deformation, ForceTerm, Report, Scatter, Scratch};

type Row = <F64x4 as Pack>::Row;

/// Four links and the rows of their particles.
struct Block<K: LinkKind<N>, const N: usize> {
    rows: [[u16; 4]; N],
    link: K::Four,
}

impl<K: LinkKind<N>, const N: usize> Block<K, N> {
    #[inline(always)]
    fn gather(&self, rows: &[Row]) -> Points<F64x4, N> {
        // SAFETY: row numbers were made by `Partition::new` for exactly these rows and are private.
        std::array::from_fn(|i| unsafe { F64x4::gather(rows, &self.rows[i]) })
    }

    #[inline(always)]
    fn scatter_add(&self, rows: &mut [Row], values: &Points<F64x4, N>) {
        for (index, value) in self.rows.iter().zip(values) {
            // SAFETY: as in `gather`.
            unsafe { F64x4::scatter_add(rows, index, *value) };
        }
    }
}

/// All links `K` of a body.
pub struct Links<K: LinkKind<N>, const N: usize> {
    body: usize,
    is_damped: bool,
    blocks: Vec<Block<K, N>>,
    parts: Vec<Part>,
    /// World nodes of each lane, and whether it holds a link or only fills up.
    nodes: Vec<[u32; N]>,
    holds: Vec<bool>,
}

impl<K: LinkKind<N>, const N: usize> Links<K, N> {
    /// Links of a body by their world nodes; the world has `node_count` of them.
    pub fn new(body: usize, node_count: usize, mut links: Vec<([u32; N], K)>) -> Self {
        // neighbours in memory are neighbours in space: nodes are numbered so
        links.sort_by_key(|(nodes, _)| nodes.iter().copied().min());
        let elements: Vec<[u32; N]> = links.iter().map(|(nodes, _)| *nodes).collect();
        let partition = Partition::new(&elements, node_count, F64x4::WIDTH, 1);
        let is_damped = links.iter().any(|(_, link)| link.is_damped());
        let (mut blocks, mut nodes, mut holds) = (Vec::new(), Vec::new(), Vec::new());
        for lanes in &partition.lanes {
            let first = lanes.iter().flatten().next().copied().unwrap_or(0);
            let of = |lane: usize| lanes[lane].unwrap_or(first) as usize;
            let link = |lane: usize| match lanes[lane] {
                Some(e) => links[e as usize].1,
                None => links[first as usize].1.idle(),
            };
            let four: [K; 4] = std::array::from_fn(link);
            blocks.push(Block {
                rows: std::array::from_fn(|i| std::array::from_fn(|lane| partition.rows[of(lane)][i])),
                link: K::four(four.each_ref()),
            });
            nodes.extend((0..F64x4::WIDTH).map(|lane| elements[of(lane)]));
            holds.extend(lanes.iter().map(Option::is_some));
        }
        Self { body, is_damped, blocks, parts: partition.parts, nodes, holds }
    }

    fn force_pass<const RATE: bool>(&self, at: &At, rows: &mut Rows<F64x4>, force: &mut [f64]) {
        rows.run(&self.parts, force, &|part, PartView { x, v, f }: &mut PartView<F64x4>| {
            load_rows::<F64x4>(x, &part.nodes, at.x, None);
            if RATE {
                load_rows::<F64x4>(v, &part.nodes, at.v, None);
            }
            f.fill(F64x4::row([0.0; 3]));
            let mut power = F64x4::splat(0.0);
            for block in &self.blocks[part.blocks.clone()] {
                let places = block.gather(x);
                let speeds = if RATE { block.gather(v) } else { places };
                let (forces, lost) = block.link.force::<RATE>(&places, &speeds);
                block.scatter_add(f, &forces);
                if RATE {
                    power += lost;
                }
            }
            power.sum()
        });
    }

    /// Where the links' matrices go in a matrix of a pattern.
    fn tangent_parts<'s>(
        &self,
        scratch: &'s mut Scratch,
        pattern: &Arc<BlockPattern>,
    ) -> &'s mut TangentParts<F64x4> {
        let tangent = &mut scratch_of(scratch).tangent;
        let kept = tangent.take().filter(|places| places.belong_to(pattern));
        let made = || TangentParts::new(pattern, &self.parts, &self.nodes, |lane| self.holds[lane]);
        tangent.insert(kept.unwrap_or_else(made))
    }

    fn tangent_pass<const DEFINITE: bool>(
        &self,
        at: &At,
        c: Coeffs,
        out: &mut BlockMatrix,
        scratch: &mut Scratch,
    ) {
        let (k, d) = (F64x4::splat(c.k), F64x4::splat(c.d));
        let viscous = self.is_damped && c.d != 0.0;
        let places = self.tangent_parts(scratch, out.pattern());
        places.run(&self.parts, out, &|part, own| {
            load_rows::<F64x4>(&mut own.x, &part.nodes, at.x, None);
            for b in part.blocks.clone() {
                let Block { link, .. } = &self.blocks[b];
                let x = self.blocks[b].gather(&own.x);
                let mut matrix = link.stiffness::<DEFINITE>(&x).map(|column| column.map(|m| m.scale(k)));
                if viscous {
                    let damping = link.viscosity(&x);
                    matrix = std::array::from_fn(|j| {
                        std::array::from_fn(|i| damping[j][i].scale_add(d, &matrix[j][i]))
                    });
                }
                for lane in (0..F64x4::WIDTH).filter(|lane| self.holds[b * F64x4::WIDTH + lane]) {
                    let mut pair = ((b - part.blocks.start) * F64x4::WIDTH + lane) * pair_count(N);
                    for (j, column) in matrix.iter().enumerate() {
                        for block in &column[..=j] {
                            own.add(pair, &Mat3::from_fn(|r, c| block.0[r][c].lane(lane)));
                            pair += 1;
                        }
                    }
                }
            }
        });
    }
}

impl<K: LinkKind<N>, const N: usize> ForceTerm for Links<K, N> {
    fn caps(&self) -> Caps {
        Caps { energy: true, tangent: true, symmetric: true, rate: self.is_damped, history: false }
    }

    fn pattern(&self, out: &mut PatternBuilder) {
        let links = self.nodes.iter().zip(&self.holds).filter(|(_, holds)| **holds);
        links.for_each(|(nodes, _)| out.clique(nodes));
    }

    fn new_scratch(&self) -> Scratch {
        Box::new(LinkScratch { rows: Rows::new(&self.parts), tangent: None })
    }

    fn force_add(&self, at: &At, out: &mut Scatter) -> Report {
        let rows = &mut scratch_of(out.scratch).rows;
        if self.is_damped && !at.still {
            self.force_pass::<true>(at, rows, out.force);
        } else {
            self.force_pass::<false>(at, rows, out.force);
        }
        Report { dissipated_power: rows.total(), ..Report::default() }
    }

    fn tangent_apply_add(&self, at: &At, c: Coeffs, direction: &[f64], out: &mut Scatter) {
        let weights = [F64x4::splat(c.k), F64x4::splat(c.d)];
        let rows = &mut scratch_of(out.scratch).rows;
        rows.run(&self.parts, out.force, &|part, PartView { x, v, f }: &mut PartView<F64x4>| {
            load_rows::<F64x4>(x, &part.nodes, at.x, None);
            load_rows::<F64x4>(v, &part.nodes, direction, None);
            f.fill(F64x4::row([0.0; 3]));
            for block in &self.blocks[part.blocks.clone()] {
                let product = block.link.stiffest(&block.gather(x), weights, &block.gather(v));
                block.scatter_add(f, &product);
            }
            0.0
        });
    }

    fn tangent_add(&self, at: &At, c: Coeffs, out: &mut BlockMatrix, scratch: &mut Scratch) {
        self.tangent_pass::<false>(at, c, out, scratch);
    }

    fn definite_tangent_add(&self, at: &At, c: Coeffs, out: &mut BlockMatrix, scratch: &mut Scratch) {
        self.tangent_pass::<true>(at, c, out, scratch);
    }

    fn energy(&self, at: &At) -> f64 {
        let part_energy = |part: &Part| -> f64 {
            let mut rows = vec![F64x4::row([0.0; 3]); part.nodes.len()];
            load_rows::<F64x4>(&mut rows, &part.nodes, at.x, None);
            let blocks = self.blocks[part.blocks.clone()].iter();
            blocks.map(|block| block.link.energy(&block.gather(&rows)).sum()).sum()
        };
        self.parts.iter().map(part_energy).sum()
    }

    fn deformation(&self, at: &At, scratch: &mut Scratch) -> Deformation {
        let rows = &mut scratch_of(scratch).rows;
        let of_lanes = |most: F64x4| most.to_array().into_iter().fold(0.0, f64::max);
        rows.visit(&self.parts, &|part, PartView { x, v, .. }: &mut PartView<F64x4>| {
            load_rows::<F64x4>(x, &part.nodes, at.x, None);
            load_rows::<F64x4>(v, &part.nodes, at.v, None);
            let mut most = [F64x4::splat(0.0); 2];
            for block in &self.blocks[part.blocks.clone()] {
                let own = block.link.deformation(&block.gather(x), &block.gather(v));
                most = std::array::from_fn(|i| Lane::max(most[i], own[i]));
            }
            most.map(of_lanes)
        });
        let [stiffening, rate] = rows.largest().map(|squared| squared.max(0.0).sqrt());
        Deformation { stiffening, rate }
    }

    fn cell_body(&self) -> Option<usize> {
        Some(self.body)
    }
}

/// What a term of links writes while it is evaluated.
struct LinkScratch {
    rows: Rows<F64x4>,
    /// Made for the first matrix and kept while its pattern stays.
    tangent: Option<TangentParts<F64x4>>,
}

/// This term's scratch, whose type no other term makes.
fn scratch_of(scratch: &mut Scratch) -> &mut LinkScratch {
    scratch.downcast_mut().expect("a term is given the scratch it made")
}
