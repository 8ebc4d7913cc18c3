//! Some elements of a term, packed anew, so that the others cost nothing.
//!
//! The lanes of a block walk through stretches of their own, so that a tenth of the cells would touch a third of the blocks. Here chosen
//! lanes are put side by side, part by part. A lane does not see its neighbours: values have the same bits as those of all
//! elements. Short lanes hold differences to the part's first node, so that it is the first row here, too.

use pliant_numerics::{Mat3, Pack, parallel};
use rayon::prelude::*;

use super::Elements;
use crate::assembly::block::Block;
use crate::assembly::partition::{Part, load_rows};
use crate::element::Element;
use crate::term::{At, CellFields};

/// Chosen elements of a term; see the [module](self).
pub(super) struct ChosenElements<P: Pack, Local, const N: usize, const S: usize> {
    groups: Vec<Group<P, Local, N, S>>,
}

/// The chosen elements of one part.
struct Group<P: Pack, Local, const N: usize, const S: usize> {
    /// World node of each row.
    nodes: Vec<u32>,
    blocks: Vec<Block<P, Local, N, S>>,
    /// Mesh cell of each lane but for those that pad.
    cells: Vec<u32>,
    rows: Vec<P::Row>,
    /// Von Mises stress, energy density and volume ratio of each cell.
    values: Vec<[f64; 3]>,
}

impl<E, P, Local, const N: usize, const Q: usize, const S: usize> Elements<E, P, Local, N, Q, S>
where
    E: Element<N, Q>,
    P: Pack,
    Local: Copy + Send + Sync + 'static,
{
    /// The elements whose cells are wanted.
    pub(super) fn chosen(&self, wanted: &dyn Fn(u32) -> bool) -> ChosenElements<P, Local, N, S> {
        let groups = self.parts.iter().filter_map(|part| self.group(part, wanted));
        ChosenElements { groups: groups.collect() }
    }

    fn group(&self, part: &Part, wanted: &dyn Fn(u32) -> bool) -> Option<Group<P, Local, N, S>> {
        let lanes = part.blocks.start * P::WIDTH..part.blocks.end * P::WIDTH;
        let is_chosen = |lane: &usize| self.cells[*lane] != u32::MAX && wanted(self.cells[*lane]);
        let chosen: Vec<usize> = lanes.filter(is_chosen).collect();
        let mut rest: Vec<u32> = chosen.iter().flat_map(|&lane| self.nodes[lane]).collect();
        rest.sort_unstable();
        rest.dedup();
        let origin = *part.nodes.first()?;
        let nodes: Vec<u32> = std::iter::once(origin).chain(rest).collect();
        Some(Group {
            blocks: chosen.chunks(P::WIDTH).map(|lanes| self.repacked(lanes, &nodes)).collect(),
            cells: chosen.iter().map(|&lane| self.cells[lane]).collect(),
            rows: vec![P::row([0.0; 3]); nodes.len()],
            values: vec![[0.0; 3]; chosen.len()],
            nodes,
        })
        .filter(|group| !group.cells.is_empty())
    }

    /// A block of lanes from anywhere in a part; the last lane is repeated where there are too few.
    fn repacked(&self, lanes: &[usize], nodes: &[u32]) -> Block<P, Local, N, S> {
        let source = |lane: usize| lanes[lane.min(lanes.len() - 1)];
        let from: Vec<_> =
            (0..P::WIDTH).map(source).map(|l| (&self.blocks[l / P::WIDTH], l % P::WIDTH)).collect();
        let locals: Vec<_> = from.iter().map(|(block, lane)| (&block.local, *lane)).collect();
        Block {
            rows: std::array::from_fn(|i| {
                let mut index = P::zero_index();
                for (lane, row) in index.as_mut().iter_mut().enumerate() {
                    // all nodes of these lanes are in the list, after the origin
                    let place = nodes[1..].partition_point(|node| *node < self.nodes[source(lane)][i]);
                    *row = 1 + place as u16;
                }
                index
            }),
            inverse: std::array::from_fn(|q| {
                Mat3::from_fn(|r, c| P::from_fn(|lane| from[lane].0.inverse[q].0[r][c].lane(from[lane].1)))
            }),
            weight: std::array::from_fn(|q| P::from_fn(|lane| from[lane].0.weight[q].lane(from[lane].1))),
            local: (self.pick_local)(&locals),
        }
    }

    /// Evaluates chosen elements, side by side in a pool, and writes their cells.
    pub(super) fn evaluate_chosen(
        &self,
        at: &At,
        chosen: &mut ChosenElements<P, Local, N, S>,
        out: &mut CellFields,
    ) {
        let evaluate = |group: &mut Group<P, Local, N, S>| {
            let Group { nodes, blocks, rows, values, .. } = group;
            load_rows::<P>(rows, nodes, at.x, self.shift());
            for (block, values) in blocks.iter().zip(values.chunks_mut(P::WIDTH)) {
                let points = block.at_points::<E, _, Q>(rows, |points| self.law.block_values(points));
                values.iter_mut().enumerate().for_each(|(lane, v)| *v = points.cell_values::<Q>(lane));
            }
        };
        parallel::for_each(chosen.groups.par_iter_mut(), evaluate);
        for group in &chosen.groups {
            group.cells.iter().zip(&group.values).for_each(|(cell, values)| out.write(*cell, *values));
        }
    }
}
