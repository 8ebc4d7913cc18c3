//! Stiffness warping: the linear law's matrix, turned along a field of rotations.
//!
//! ```text
//! f_i = - R_i sum_j k_ij (R_i^T (x_j - x_i) - (X_j - X_i))                                 (1)
//! f_i = - R_b sum_j k_ij (R_b^T (x_j - x_i) - (X_j - X_i))                                 (2)
//! f_i = - R_i sum_j k_ij (R_j^T (x_j - x_i) - (X_j - X_i))                                 (3)
//! D = beta K,   K = -df/dx with the rotations held                                         (4)
//! ```
//!
//! (1), (2) and (3) are [Warp 12], [Warp 11] and [Warp 13] with the sign of a force that restores, and with differences for positions: the blocks of
//! a row add up to zero, so that (1) and (2) are the same for it, while (3) as printed would change when the whole scene is moved.
//! The body's matrix of the law `linear` is assembled once. `rows` holds it, `field` and `frames` find the rotations,
//! `ghost` removes the net force and torque that (1) leaves, `blocks` writes the matrix.
//!
//! There is no energy with these forces as its gradient. What is told as energy, stress and shape of the cells is that of the law `corotated` on them:
//! an estimate, near for moderate strains.

mod blocks;
mod chunks;
mod field;
mod frames;
mod ghost;
mod rows;

pub use ghost::Ghost;

use std::sync::Arc;

use pliant_numerics::{BlockMatrix, DisjointMut, Mat3, PatternBuilder};

use super::{At, Caps, CellFields, Coeffs, Deformation, ForceTerm, Report, Scatter, Scratch, WorstElement};
use crate::law::{Rotations, Warp};
use blocks::WarpBlocks;
use chunks::{chunk_count, each_chunk};
use field::Field;
use ghost::{GhostMotion, Tally};
use rows::WarpRows;

/// What a warped body is made from.
pub struct WarpParts<'a> {
    /// Options.
    pub warp: Warp,
    /// Stiffness-proportional damping, s.
    pub beta: f64,
    /// The body's number.
    pub body: usize,
    /// World numbers of the nodes of its cells, ascending.
    pub nodes: Vec<u32>,
    /// Their lumped masses in any unit: only ratios count.
    pub mass: Vec<f64>,
    /// Its matrix of the law `linear`, over all nodes of the world.
    pub stiffness: &'a BlockMatrix,
    /// Rest positions of all nodes of the world, m.
    pub rest: &'a [f64],
    /// Terms of the law `corotated` on the same cells.
    pub cells: Vec<Arc<dyn ForceTerm>>,
}

/// The force term of a body under the law `warped`.
pub struct Warped {
    mixed: bool,
    beta: f64,
    body: usize,
    rows: WarpRows,
    field: Field,
    mass: Vec<f64>,
    total_mass: f64,
    cells: Vec<Arc<dyn ForceTerm>>,
}

impl Warped {
    /// From the matrix of a body.
    pub fn new(parts: WarpParts) -> Self {
        let WarpParts { warp, beta, body, nodes, mass, stiffness, rest, cells } = parts;
        let rows = WarpRows::new(nodes, stiffness, rest);
        let own: Vec<[f64; 3]> = rows.nodes.iter().map(|n| point(rest, *n)).collect();
        let field = Field::new(warp, &rows, &mass, &own);
        let total_mass = mass.iter().sum();
        let mixed = warp.rotations == Rotations::Mixed;
        Self { mixed, beta, body, rows, field, mass, total_mass, cells }
    }

    /// Copies the positions of the body's nodes; finds their rotations where they have changed.
    fn turn(&self, x: &[f64], scratch: &mut WarpScratch) {
        let mut same = true;
        for (own, &node) in scratch.x.iter_mut().zip(&self.rows.nodes) {
            let now = point(x, node);
            same &= (0..3).all(|c| own[c].to_bits() == now[c].to_bits());
            *own = now;
        }
        if !same {
            let WarpScratch { x, rotations, tallies, .. } = scratch;
            self.field.rotations_into(&self.rows, x, rotations, tallies);
        }
    }

    /// Forces into the scratch, with what they add up to.
    fn force_pass<const MIXED: bool, const RATE: bool>(&self, scratch: &mut WarpScratch) {
        let WarpScratch { x, v, rotations, force, tallies, .. } = scratch;
        each_chunk(force, tallies, |first, out, tally| {
            *tally = Tally::default();
            for (node, out) in (first..).zip(out) {
                let turn = |sum: [f64; 3]| rotations[node].mul_vec(sum).map(|f| -f);
                let arm = std::array::from_fn(|c| x[node][c] - x[0][c]);
                let mass = self.mass[node];
                *out = turn(self.rows.sum::<MIXED, true>(node, x, rotations)); // (1)
                if RATE {
                    let viscous = turn(self.rows.sum::<MIXED, false>(node, v, rotations));
                    let viscous = viscous.map(|f| self.beta * f); // (4)
                    tally.add_viscous(mass, arm, viscous, v[node]);
                    *out = std::array::from_fn(|c| out[c] + viscous[c]);
                }
                tally.add(mass, arm, *out);
            }
        });
    }

    /// Adds the forces in the scratch without their ghost.
    fn hand_out(&self, scratch: &mut WarpScratch, ghost: &GhostMotion, out: &mut [f64]) {
        let WarpScratch { x, force, tallies, .. } = scratch;
        let world = DisjointMut::new(out);
        each_chunk(force, tallies, |first, force, _| {
            for (node, force) in (first..).zip(force) {
                let arm = std::array::from_fn(|c| x[node][c] - x[0][c]);
                let removed = ghost.force(self.mass[node], arm);
                // SAFETY: the nodes of a body are distinct, each belongs to one chunk, and all are nodes of the world.
                let out = unsafe { world.get_mut(3 * self.rows.nodes[node] as usize, 3) };
                (0..3).for_each(|c| out[c] += force[c] - removed[c]);
            }
        });
    }

    fn apply<const MIXED: bool>(&self, scratch: &mut WarpScratch, weight: f64, out: &mut [f64]) {
        let WarpScratch { v, rotations, force, tallies, .. } = scratch;
        let world = DisjointMut::new(out);
        each_chunk(force, tallies, |first, chunk, _| {
            for node in first..first + chunk.len() {
                let product = rotations[node].mul_vec(self.rows.sum::<MIXED, false>(node, v, rotations));
                // SAFETY: as in `hand_out`.
                let out = unsafe { world.get_mut(3 * self.rows.nodes[node] as usize, 3) };
                (0..3).for_each(|c| out[c] += weight * product[c]);
            }
        });
    }

    /// Makes the rotations and the places of a matrix ready.
    fn blocks<'s>(
        &self,
        at: &At,
        out: &BlockMatrix,
        scratch: &'s mut Scratch,
    ) -> (&'s mut WarpBlocks, &'s [Mat3<f64>]) {
        let scratch = scratch_of(scratch);
        self.turn(at.x, scratch);
        let kept = scratch.blocks.take().filter(|places| places.belong_to(out.pattern()));
        let made = || WarpBlocks::new(out.pattern(), &self.rows, scratch.tallies.len());
        let blocks = kept.unwrap_or_else(made);
        (scratch.blocks.insert(blocks), &scratch.rotations)
    }

    /// The inner terms, each with its scratch.
    fn each_cells<'s>(
        &'s self,
        scratch: &'s mut Scratch,
    ) -> impl Iterator<Item = (&'s Arc<dyn ForceTerm>, &'s mut Scratch)> {
        self.cells.iter().zip(&mut scratch_of(scratch).cells)
    }
}

impl ForceTerm for Warped {
    fn caps(&self) -> Caps {
        Caps { energy: false, tangent: true, symmetric: false, rate: self.beta > 0.0, history: false }
    }

    fn pattern(&self, out: &mut PatternBuilder) {
        self.cells.iter().for_each(|cells| cells.pattern(out));
    }

    fn new_scratch(&self) -> Scratch {
        let count = self.rows.node_count();
        Box::new(WarpScratch {
            // no position is this, so that the first rotations are found
            x: vec![[f64::NAN; 3]; count],
            v: vec![[0.0; 3]; count],
            rotations: vec![Mat3::identity(); count],
            force: vec![[0.0; 3]; count],
            tallies: vec![Tally::default(); chunk_count(count)],
            blocks: None,
            cells: self.cells.iter().map(|cells| cells.new_scratch()).collect(),
        })
    }

    fn force_add(&self, at: &At, out: &mut Scatter) -> Report {
        let scratch = scratch_of(out.scratch);
        self.turn(at.x, scratch);
        if self.beta > 0.0 {
            scratch.load_v(&self.rows.nodes, at.v);
        }
        match (self.mixed, self.beta > 0.0) {
            (false, false) => self.force_pass::<false, false>(scratch),
            (false, true) => self.force_pass::<false, true>(scratch),
            (true, false) => self.force_pass::<true, false>(scratch),
            (true, true) => self.force_pass::<true, true>(scratch),
        }
        let motion = GhostMotion::of(&Tally::total(&scratch.tallies), self.total_mass);
        self.hand_out(scratch, &motion, out.force);
        Report { dissipated_power: motion.lost, ghost: motion.ghost, ..Report::default() }
    }

    /// Without what the removal of ghost forces would add, which couples all nodes of a body.
    fn tangent_apply_add(&self, at: &At, c: Coeffs, direction: &[f64], out: &mut Scatter) {
        let scratch = scratch_of(out.scratch);
        self.turn(at.x, scratch);
        scratch.load_v(&self.rows.nodes, direction);
        let weight = c.k + c.d * self.beta; // (4)
        if self.mixed {
            self.apply::<true>(scratch, weight, out.force);
        } else {
            self.apply::<false>(scratch, weight, out.force);
        }
    }

    /// Not symmetric: row i is turned by the rotation of node i.
    fn tangent_add(&self, at: &At, c: Coeffs, out: &mut BlockMatrix, scratch: &mut Scratch) {
        let (blocks, rotations) = self.blocks(at, out, scratch);
        let weight = c.k + c.d * self.beta;
        if self.mixed {
            blocks.add::<true>(&self.rows, rotations, weight, out);
        } else {
            blocks.add::<false>(&self.rows, rotations, weight, out);
        }
    }

    /// That of the law `corotated` in this shape: an estimate, whose gradient the forces are not.
    fn energy(&self, at: &At) -> f64 {
        self.cells.iter().map(|cells| cells.energy(at)).sum()
    }

    fn deformation(&self, at: &At, scratch: &mut Scratch) -> Deformation {
        let all = self.each_cells(scratch).map(|(cells, scratch)| cells.deformation(at, scratch));
        all.fold(Deformation::default(), |most, d| Deformation {
            stiffening: most.stiffening.max(d.stiffening),
            rate: most.rate.max(d.rate),
        })
    }

    fn smallest_volume_ratio(&self, at: &At, scratch: &mut Scratch) -> f64 {
        let all = self.each_cells(scratch).map(|(cells, scratch)| cells.smallest_volume_ratio(at, scratch));
        all.fold(f64::INFINITY, f64::min)
    }

    fn worst_element(&self, at: &At) -> Option<WorstElement> {
        let badness = |w: &WorstElement| {
            if w.energy_density.is_finite() { w.energy_density } else { f64::INFINITY }
        };
        let all = self.cells.iter().filter_map(|cells| cells.worst_element(at));
        all.max_by(|a, b| badness(a).total_cmp(&badness(b)))
    }

    fn cell_body(&self) -> Option<usize> {
        Some(self.body)
    }

    fn cell_fields(&self, at: &At, out: &mut CellFields) {
        self.cells.iter().for_each(|cells| cells.cell_fields(at, out));
    }

    fn choose_cells(&self, wanted: &dyn Fn(u32) -> bool) -> Scratch {
        let chosen: Vec<Scratch> = self.cells.iter().map(|cells| cells.choose_cells(wanted)).collect();
        Box::new(chosen)
    }

    fn chosen_fields(&self, at: &At, chosen: &mut Scratch, out: &mut CellFields) {
        let chosen: &mut Vec<Scratch> = chosen.downcast_mut().expect("a term is given the cells it chose");
        let all = self.cells.iter().zip(chosen);
        all.for_each(|(cells, chosen)| cells.chosen_fields(at, chosen, out));
    }
}

/// What a warped body writes while it is evaluated; vectors are over its own nodes.
struct WarpScratch {
    /// Where the rotations were found, m.
    x: Vec<[f64; 3]>,
    /// Velocities, or a direction.
    v: Vec<[f64; 3]>,
    rotations: Vec<Mat3<f64>>,
    force: Vec<[f64; 3]>,
    /// One per chunk.
    tallies: Vec<Tally>,
    /// Made for the first matrix and kept while its pattern stays.
    blocks: Option<WarpBlocks>,
    /// Of the inner terms.
    cells: Vec<Scratch>,
}

impl WarpScratch {
    fn load_v(&mut self, nodes: &[u32], v: &[f64]) {
        self.v.iter_mut().zip(nodes).for_each(|(own, node)| *own = point(v, *node));
    }
}

/// This term's scratch, whose type no other term makes.
fn scratch_of(scratch: &mut Scratch) -> &mut WarpScratch {
    scratch.downcast_mut().expect("a term is given the scratch it made")
}

fn point(values: &[f64], node: u32) -> [f64; 3] {
    let first = 3 * node as usize;
    [values[first], values[first + 1], values[first + 2]]
}
