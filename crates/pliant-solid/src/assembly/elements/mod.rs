//! The force term of many elements of one kind and one law.

mod chosen;

use std::sync::Arc;

use pliant_numerics::{BlockMatrix, BlockPattern, Mat3, Pack, PatternBuilder, parallel};
use rayon::prelude::*;

use self::chosen::ChosenElements;
use super::block::{self, Block};
use super::kernels::{ForceKernel, PointValues};
use super::partition::{Part, PartView, Partition, Rows, load_rows};
use super::tangent_parts::{TangentParts, pair_count};
use crate::element::Element;
use crate::term::{
    At, Caps, CellFields, Coeffs, Deformation, ForceTerm, Report, Scatter, Scratch, WorstElement,
};

/// Elements `E` in lanes `P` under any law that keeps a `Local` in each: the law is an object, or all of this would be compiled anew
/// for every law.
pub struct Elements<E, P: Pack, Local, const N: usize, const Q: usize, const S: usize> {
    law: Box<dyn ForceKernel<E, P, Local, N, Q, S>>,
    /// Stiffness-proportional damping, s.
    beta: f64,
    body: usize,
    pub(super) blocks: Vec<Block<P, Local, N, S>>,
    pub(super) parts: Vec<Part>,
    /// Mesh cell of each lane, block by block; `u32::MAX` where a lane only pads.
    pub(super) cells: Vec<u32>,
    /// World nodes of each lane, for patterns and reports.
    pub(super) nodes: Vec<[u32; N]>,
    pub(super) pick_local: PickLocal<Local>,
    /// Rest positions of the world's nodes.
    rest: Arc<Vec<f64>>,
}

/// Gathers the law's data of the elements in the lanes of a block.
pub type PackLocal<Rest, Local, const Q: usize> = fn(&[ElementRest<Rest, Q>]) -> Local;

/// Gathers the law's data from a lane of each of some blocks.
pub type PickLocal<Local> = fn(&[(&Local, usize)]) -> Local;

/// What [`Elements::new`] needs to know of one element.
pub struct ElementRest<Local, const Q: usize> {
    /// Inverse Jacobian and weight at each point, a relaxed shape already in them.
    pub points: [(Mat3<f64>, f64); Q],
    /// What the law keeps, as numbers.
    pub local: Local,
}

/// Elements that are to be packed, in storage order. What one is at rest is found when it is asked for: the points of a hexahedron take
/// ten times what is kept of an affine one.
pub struct RestElements<'a, Local, const N: usize, const Q: usize> {
    /// Mesh cells.
    pub cells: Vec<u32>,
    /// World nodes of each.
    pub nodes: Vec<[u32; N]>,
    /// What a cell is at rest.
    pub rest: Box<dyn Fn(u32) -> ElementRest<Local, Q> + 'a>,
}

impl<E, P, Local, const N: usize, const Q: usize, const S: usize> Elements<E, P, Local, N, Q, S>
where
    E: Element<N, Q>,
    P: Pack,
    Local: Copy + Send + Sync + 'static,
{
    /// Packs elements (in storage order) into blocks and parts.
    pub fn new<Rest>(
        (law, beta, body): (Box<dyn ForceKernel<E, P, Local, N, Q, S>>, f64, usize),
        rest: Arc<Vec<f64>>,
        elements: &RestElements<Rest, N, Q>,
        (pack_local, pick_local): (PackLocal<Rest, Local, Q>, PickLocal<Local>),
    ) -> Self {
        let partition = Partition::new(&elements.nodes, rest.len() / 3, P::WIDTH, Q);
        let mut blocks = Vec::with_capacity(partition.lanes.len());
        let mut cells = Vec::with_capacity(partition.lanes.len() * P::WIDTH);
        let mut lane_nodes = Vec::with_capacity(cells.capacity());
        for lanes in &partition.lanes {
            // a padding lane repeats the first element with weight zero
            let first = lanes.iter().flatten().next().copied().unwrap_or(0);
            let element = |lane: usize| lanes[lane].unwrap_or(first) as usize;
            let rests: Vec<_> =
                (0..P::WIDTH).map(|lane| (elements.rest)(elements.cells[element(lane)])).collect();
            let weight =
                |lane: usize, q: usize| if lanes[lane].is_some() { rests[lane].points[q].1 } else { 0.0 };
            blocks.push(Block {
                rows: std::array::from_fn(|i| {
                    let mut index = P::zero_index();
                    for (lane, row) in index.as_mut().iter_mut().enumerate() {
                        *row = partition.rows[element(lane)][i];
                    }
                    index
                }),
                inverse: std::array::from_fn(|q| {
                    Mat3::from_fn(|r, c| P::from_fn(|lane| rests[lane].points[q].0.0[r][c]))
                }),
                weight: std::array::from_fn(|q| P::from_fn(|lane| weight(lane, q))),
                local: pack_local(&rests),
            });
            for lane in 0..P::WIDTH {
                cells.push(lanes[lane].map_or(u32::MAX, |e| elements.cells[e as usize]));
                lane_nodes.push(elements.nodes[element(lane)]);
            }
        }
        let (parts, nodes) = (partition.parts, lane_nodes);
        Self { law, beta, body, blocks, parts, cells, nodes, pick_local, rest }
    }

    /// Rest positions if lanes are too short for positions.
    pub(super) fn shift(&self) -> Option<&[f64]> {
        P::SHORT.then_some(self.rest.as_slice())
    }

    /// Lanes of a block that hold an element, with their cells.
    fn cells_of(&self, block: usize) -> impl Iterator<Item = (usize, u32)> {
        let cells = &self.cells[block * P::WIDTH..(block + 1) * P::WIDTH];
        cells.iter().copied().enumerate().filter(|(_, cell)| *cell != u32::MAX)
    }

    /// Where the element matrices go in a matrix of a pattern.
    fn tangent_parts<'s>(
        &self,
        scratch: &'s mut Scratch,
        pattern: &Arc<BlockPattern>,
    ) -> &'s mut TangentParts<P> {
        let tangent = &mut scratch_of::<P>(scratch).tangent;
        let kept = tangent.take().filter(|places| places.belong_to(pattern));
        let is_element = |lane: usize| self.cells[lane] != u32::MAX;
        tangent
            .insert(kept.unwrap_or_else(|| TangentParts::new(pattern, &self.parts, &self.nodes, is_element)))
    }

    /// Adds the element matrices of c.k K + c.d D.
    fn tangent_pass(&self, definite: bool, at: &At, c: Coeffs, out: &mut BlockMatrix, scratch: &mut Scratch) {
        let weights = (c.k, c.d * self.beta);
        let places = self.tangent_parts(scratch, out.pattern());
        places.run(&self.parts, out, &|part, own| {
            load_rows::<P>(&mut own.x, &part.nodes, at.x, self.shift());
            let mut matrix = [[Mat3::zero(); N]; N];
            for b in part.blocks.clone() {
                let gradients = self.blocks[b].shape_gradients::<E, Q>();
                self.blocks[b].at_points::<E, _, Q>(&own.x, |points| {
                    self.law.block_matrix(weights, definite, points, &gradients, &mut matrix);
                });
                for (lane, _) in self.cells_of(b) {
                    let mut pair = ((b - part.blocks.start) * P::WIDTH + lane) * pair_count(N);
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

    /// Positions of a part's nodes, for passes outside the hot path.
    fn rows_of_part(&self, part: &Part, x: &[f64]) -> Vec<P::Row> {
        let mut rows = vec![P::row([0.0; 3]); part.nodes.len()];
        load_rows::<P>(&mut rows, &part.nodes, x, self.shift());
        rows
    }

    /// Calls `visit(block, values)` for every block of a part.
    fn for_each_value(&self, part: &Part, x: &[f64], mut visit: impl FnMut(usize, &PointValues<P>)) {
        let rows = self.rows_of_part(part, x);
        for b in part.blocks.clone() {
            visit(b, &self.blocks[b].at_points::<E, _, Q>(&rows, |points| self.law.block_values(points)));
        }
    }
}

impl<E, P, Local, const N: usize, const Q: usize, const S: usize> ForceTerm for Elements<E, P, Local, N, Q, S>
where
    E: Element<N, Q>,
    P: Pack,
    Local: Copy + Send + Sync + 'static,
{
    fn caps(&self) -> Caps {
        Caps { energy: true, tangent: true, symmetric: true, rate: self.beta > 0.0, history: false }
    }

    fn pattern(&self, out: &mut PatternBuilder) {
        for (nodes, cell) in self.nodes.iter().zip(&self.cells) {
            if *cell != u32::MAX {
                out.clique(nodes);
            }
        }
    }

    fn new_scratch(&self) -> Scratch {
        Box::new(ElementScratch::<P> { rows: Rows::new(&self.parts), tangent: None })
    }

    fn force_add(&self, at: &At, out: &mut Scatter) -> Report {
        let rows = rows_of::<P>(out.scratch);
        rows.run(&self.parts, out.force, &|part, PartView { x, v, f }: &mut PartView<P>| {
            load_rows::<P>(x, &part.nodes, at.x, self.shift());
            if self.beta > 0.0 {
                load_rows::<P>(v, &part.nodes, at.v, None);
            }
            f.fill(P::row([0.0; 3]));
            self.law.forces_add(self.beta, &self.blocks[part.blocks.clone()], [x, v], f).sum()
        });
        Report { dissipated_power: rows.total(), ..Report::default() }
    }

    fn tangent_apply_add(&self, at: &At, c: Coeffs, direction: &[f64], out: &mut Scatter) {
        let weights = (c.k, c.d * self.beta);
        let rows = rows_of::<P>(out.scratch);
        rows.run(&self.parts, out.force, &|part, PartView { x, v, f }: &mut PartView<P>| {
            load_rows::<P>(x, &part.nodes, at.x, self.shift());
            load_rows::<P>(v, &part.nodes, direction, None);
            f.fill(P::row([0.0; 3]));
            for b in &self.blocks[part.blocks.clone()] {
                let mut flux = b.changes::<E, Q>(v);
                b.at_points::<E, _, Q>(x, |points| self.law.stress_changes(weights, points, &mut flux));
                // the minus of `force_flux` makes it +K, +D
                flux.iter_mut().enumerate().for_each(|(q, p)| *p = b.force_flux(q, p));
                b.scatter_add(f, &E::divergence(&flux));
            }
            0.0
        });
    }

    fn tangent_add(&self, at: &At, c: Coeffs, out: &mut BlockMatrix, scratch: &mut Scratch) {
        self.tangent_pass(false, at, c, out, scratch);
    }

    fn definite_tangent_add(&self, at: &At, c: Coeffs, out: &mut BlockMatrix, scratch: &mut Scratch) {
        self.tangent_pass(true, at, c, out, scratch);
    }

    fn energy(&self, at: &At) -> f64 {
        let part_energy = |part: &Part| -> f64 {
            let rows = self.rows_of_part(part, at.x);
            let blocks = self.blocks[part.blocks.clone()].iter();
            let energy = |b: &Block<P, Local, N, S>| {
                b.at_points::<E, _, Q>(&rows, |points| self.law.block_energy(points)).sum()
            };
            blocks.map(energy).sum()
        };
        parallel::collect(self.parts.par_iter(), part_energy).iter().sum()
    }

    fn deformation(&self, at: &At, scratch: &mut Scratch) -> Deformation {
        let rows = rows_of::<P>(scratch);
        let of_lanes = |most: P| (0..P::WIDTH).map(|lane| most.lane(lane)).fold(0.0, f64::max);
        rows.visit(&self.parts, &|part, PartView { x, v, .. }: &mut PartView<P>| {
            load_rows::<P>(x, &part.nodes, at.x, self.shift());
            load_rows::<P>(v, &part.nodes, at.v, None);
            let (mut stiffening, mut rate) = (P::splat(0.0), P::splat(0.0));
            for b in &self.blocks[part.blocks.clone()] {
                let h = b.displacement_gradients::<E, Q>(x);
                stiffening = stiffening.max(self.law.largest_stiffening_squared(&h));
                rate = rate.max(block::rate_squared::<E, P, Local, N, Q, S>(b, v));
            }
            [of_lanes(stiffening), of_lanes(rate)]
        });
        let [stiffening, rate] = rows.largest().map(f64::sqrt);
        Deformation { stiffening, rate }
    }

    fn smallest_volume_ratio(&self, at: &At, scratch: &mut Scratch) -> f64 {
        let rows = rows_of::<P>(scratch);
        rows.visit(&self.parts, &|part, PartView { x, .. }: &mut PartView<P>| {
            load_rows::<P>(x, &part.nodes, at.x, self.shift());
            let mut least = f64::INFINITY;
            for b in part.blocks.clone() {
                let ratio = block::smallest_volume_ratio::<E, P, Local, N, Q, S>(&self.blocks[b], x);
                for (lane, _) in self.cells_of(b) {
                    let ratio = ratio.lane(lane);
                    least = if ratio.is_nan() { f64::NEG_INFINITY } else { least.min(ratio) };
                }
            }
            // the largest scalar is asked for, so the smallest ratio goes in with its sign turned
            [-least, 0.0]
        });
        -rows.largest()[0]
    }

    fn worst_element(&self, at: &At) -> Option<WorstElement> {
        let mut worst: Option<(f64, WorstElement)> = None;
        for part in &self.parts {
            self.for_each_value(part, at.x, |b, values| {
                for (lane, cell) in self.cells_of(b) {
                    let density = values.energy.lane(lane) / values.volume.lane(lane);
                    let badness = if density.is_finite() { density } else { f64::INFINITY };
                    if worst.as_ref().is_some_and(|(most, _)| badness <= *most) {
                        continue;
                    }
                    let nodes = &self.nodes[b * P::WIDTH + lane];
                    let mean =
                        |c: usize| nodes.iter().map(|&n| at.x[3 * n as usize + c]).sum::<f64>() / N as f64;
                    let found = WorstElement {
                        body: self.body,
                        cell,
                        place: std::array::from_fn(mean),
                        volume_ratio: values.smallest_ratio::<Q>(lane),
                        energy_density: density,
                    };
                    worst = Some((badness, found));
                }
            });
        }
        worst.map(|(_, found)| found)
    }

    fn cell_body(&self) -> Option<usize> {
        Some(self.body)
    }

    fn cell_fields(&self, at: &At, out: &mut CellFields) {
        for part in &self.parts {
            self.for_each_value(part, at.x, |b, values| {
                self.cells_of(b).for_each(|(lane, cell)| out.write(cell, values.cell_values::<Q>(lane)));
            });
        }
    }

    fn choose_cells(&self, wanted: &dyn Fn(u32) -> bool) -> Scratch {
        Box::new(self.chosen(wanted))
    }

    fn chosen_fields(&self, at: &At, chosen: &mut Scratch, out: &mut CellFields) {
        let chosen = chosen.downcast_mut::<ChosenElements<P, Local, N, S>>();
        self.evaluate_chosen(at, chosen.expect("a term is given the cells it chose"), out);
    }
}

/// What a term of elements writes while it is evaluated.
struct ElementScratch<P: Pack> {
    rows: Rows<P>,
    /// Made for the first matrix and kept while its pattern stays.
    tangent: Option<TangentParts<P>>,
}

/// This term's scratch, whose type no other term makes.
fn scratch_of<P: Pack>(scratch: &mut Scratch) -> &mut ElementScratch<P> {
    scratch.downcast_mut().expect("a term is given the scratch it made")
}

fn rows_of<P: Pack>(scratch: &mut Scratch) -> &mut Rows<P> {
    &mut scratch_of::<P>(scratch).rows
}
