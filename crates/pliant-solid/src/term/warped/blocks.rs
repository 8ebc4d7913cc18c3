//! The warped matrix of a body and its symmetric part, and where their blocks go.
//!
//! ```text
//! b_ij = R_i k_ij R_i^T                                                                    (1)
//! b_ij = R_i k_ij R_j^T,   b_ii = - sum of the others in the row                           (2)
//! s_ij = (b_ij + b_ji^T) / 2 = (R_i k_ij R_i^T + R_j k_ij R_j^T) / 2                       (3)
//! ```
//!
//! (1) is -df/dx of [Warp 12] with the rotations held, (2) that of [Warp 13] with differences for positions. (1) is not symmetric; on a bar bent by
//! 90 degrees (3) differs from it by some per cent. Rows of (1) add up to zero, so that a body may be carried away without resistance, but rows
//! of (3) do not: on a free body that is bent (3) has small eigenvalues below zero, which its mass outweighs in any useful step. For (2) the diagonal
//! of (3) is R_i k_ii R_i^T, so that it is R K R^T, never below zero.

use std::sync::Arc;

use pliant_numerics::{BlockMatrix, BlockPattern, DisjointMut, F64x4, Mat3};

use super::chunks::each_chunk;
use super::rows::WarpRows;

/// Room for the blocks of a body, and their places in a matrix.
pub struct WarpBlocks {
    pattern: Arc<BlockPattern>,
    places: Vec<u32>,
    values: Vec<Mat3<f64>>,
    /// One per chunk of nodes.
    chunks: Vec<()>,
    /// One per node.
    nodes: Vec<()>,
}

impl WarpBlocks {
    /// For matrices of a pattern.
    ///
    /// # Panics
    /// If the pattern lacks a block: the term has announced its cliques to the pattern.
    pub fn new(pattern: &Arc<BlockPattern>, rows: &WarpRows, chunks: usize) -> Self {
        let mut places = vec![u32::MAX; 4 * rows.pack_count()];
        for (node, &row) in rows.nodes.iter().enumerate() {
            for (block, column) in rows.blocks(node) {
                let column = rows.nodes[column as usize];
                let place = pattern.find(row, column);
                let place = place.unwrap_or_else(|| panic!("block ({row}, {column}) is not in the pattern"));
                places[block] = place as u32;
            }
        }
        let values = vec![Mat3::zero(); places.len()];
        let (chunks, nodes) = (vec![(); chunks], vec![(); rows.node_count()]);
        Self { pattern: Arc::clone(pattern), places, values, chunks, nodes }
    }

    /// Whether these are the places of a pattern.
    pub fn belong_to(&self, pattern: &Arc<BlockPattern>) -> bool {
        Arc::ptr_eq(&self.pattern, pattern)
    }

    /// (1) or, with `MIXED`, (2) but for its diagonal, times `weight`, into the own room.
    fn fill<const MIXED: bool>(&mut self, rows: &WarpRows, rotations: &[Mat3<f64>], weight: f64) {
        let values = DisjointMut::new(&mut self.values);
        each_chunk(&mut self.nodes, &mut self.chunks, |first, nodes, ()| {
            for node in first..first + nodes.len() {
                let packs = rows.packs(node);
                // SAFETY: the blocks of a row are written by the one task of its node, and `values` has four for every pack.
                let own = unsafe { values.get_mut(4 * rows.first_pack(node), 4 * packs.len()) };
                for (pack, out) in packs.iter().zip(own.chunks_exact_mut(4)) {
                    let warped = rows.warped::<MIXED>(node, pack, rotations).scale(F64x4::splat(weight));
                    let lanes = warped.0.map(|row| row.map(F64x4::to_array));
                    for (lane, out) in out.iter_mut().enumerate() {
                        *out = Mat3::from_fn(|r, c| lanes[r][c][lane]);
                    }
                }
            }
        });
    }

    /// Adds (1) or (2) times `weight`.
    pub fn add_exact<const MIXED: bool>(
        &mut self,
        rows: &WarpRows,
        rotations: &[Mat3<f64>],
        weight: f64,
        out: &mut BlockMatrix,
    ) {
        self.fill::<MIXED>(rows, rotations, weight);
        let (values, places) = (&self.values, &self.places);
        let matrix = DisjointMut::new(out.blocks_mut());
        each_chunk(&mut self.nodes, &mut self.chunks, |first, nodes, ()| {
            for node in first..first + nodes.len() {
                let is_own = |column: u32| column as usize == node;
                let others = rows.blocks(node).filter(|(_, column)| !is_own(*column));
                let diagonal = others.fold(Mat3::zero(), |sum, (block, _)| sum - values[block]);
                for (block, column) in rows.blocks(node) {
                    let value = if MIXED && is_own(column) { &diagonal } else { &values[block] };
                    // SAFETY: rows are disjoint, and a row belongs to one task.
                    let out = &mut unsafe { matrix.get_mut(places[block] as usize, 1) }[0];
                    *out = *out + *value;
                }
            }
        });
    }

    /// Adds (3) times `weight`.
    pub fn add_symmetric<const MIXED: bool>(
        &mut self,
        rows: &WarpRows,
        rotations: &[Mat3<f64>],
        weight: f64,
        out: &mut BlockMatrix,
    ) {
        self.fill::<MIXED>(rows, rotations, weight);
        let (values, places) = (&self.values, &self.places);
        let matrix = DisjointMut::new(out.blocks_mut());
        each_chunk(&mut self.nodes, &mut self.chunks, |first, nodes, ()| {
            for node in first..first + nodes.len() {
                // the node with the smaller number writes both blocks of a pair
                for (block, column) in rows.blocks(node).filter(|(_, column)| *column as usize >= node) {
                    let mirror = rows.mirror(block);
                    let mean = (values[block] + values[mirror].transpose()).scale(0.5); // (3)
                    // SAFETY: a block and its mirror image belong to the task of one node.
                    let out = &mut unsafe { matrix.get_mut(places[block] as usize, 1) }[0];
                    *out = *out + mean;
                    if column as usize != node {
                        // SAFETY: as above.
                        let out = &mut unsafe { matrix.get_mut(places[mirror] as usize, 1) }[0];
                        *out = *out + mean.transpose();
                    }
                }
            }
        });
    }
}
