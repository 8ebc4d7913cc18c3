//! The warped matrix of a body, and where its blocks go.
//!
//! ```text
//! b_ij = R_i k_ij R_i^T                                                                    (1)
//! b_ij = R_i k_ij R_j^T,   b_ii = - sum of the others in the row                           (2)
//! ```
//!
//! (1) is -df/dx of [Warp 12] with the rotations held, (2) that of [Warp 13] with differences for positions. (1) is not symmetric, by 6 % on a bar bent
//! by 90 degrees.

use std::sync::Arc;

use pliant_numerics::{BlockMatrix, BlockPattern, DisjointMut, F64x4, Mat3};

use super::chunks::each_chunk;
use super::rows::WarpRows;

/// The places of a body's blocks in a matrix.
pub struct WarpBlocks {
    pattern: Arc<BlockPattern>,
    places: Vec<u32>,
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
        let (chunks, nodes) = (vec![(); chunks], vec![(); rows.node_count()]);
        Self { pattern: Arc::clone(pattern), places, chunks, nodes }
    }

    /// Whether these are the places of a pattern.
    pub fn belong_to(&self, pattern: &Arc<BlockPattern>) -> bool {
        Arc::ptr_eq(&self.pattern, pattern)
    }

    /// Adds (1) or, with `MIXED`, (2), times `weight`.
    pub fn add<const MIXED: bool>(
        &mut self,
        rows: &WarpRows,
        rotations: &[Mat3<f64>],
        weight: f64,
        out: &mut BlockMatrix,
    ) {
        let Self { places, nodes, chunks, .. } = self;
        let places = &*places;
        let matrix = DisjointMut::new(out.blocks_mut());
        let add = |block: usize, value: Mat3<f64>| {
            // SAFETY: every block of the body has a place of its own in the pattern that the matrix was made for, and is
            // added by the one task of its row.
            let out = &mut unsafe { matrix.get_mut(places[block] as usize, 1) }[0];
            *out = *out + value;
        };
        each_chunk(nodes, chunks, |first, nodes, ()| {
            for node in first..first + nodes.len() {
                let (mut others, mut own) = (Mat3::zero(), 0);
                let mut blocks = rows.blocks(node);
                for pack in rows.packs(node) {
                    let warped = rows.warped::<MIXED>(node, pack, rotations).scale(F64x4::splat(weight));
                    let lanes = warped.0.map(|row| row.map(F64x4::to_array));
                    for (lane, (block, column)) in blocks.by_ref().take(4).enumerate() {
                        let value = Mat3::from_fn(|r, c| lanes[r][c][lane]);
                        if MIXED && column as usize == node {
                            own = block;
                            continue;
                        }
                        others = others + value;
                        add(block, value);
                    }
                }
                if MIXED {
                    add(own, -others);
                }
            }
        });
    }
}
