//! The warped matrix of a body and its symmetric part, and where their blocks go.
//!
//! ```text
//! b_ij = R_i k_ij R_i^T                                                                    (1)
//! b_ij = R_i k_ij R_j^T,   b_ii = - sum of the others in the row                           (2)
//! s_ij = (b_ij + b_ji^T) / 2 = (R_i k_ij R_i^T + R_j k_ij R_j^T) / 2                       (3)
//! s_ii = symmetric part of - sum of the others in the row                                  (4)
//! ```
//!
//! (1) is -df/dx of [Warp 12] with the rotations held, (2) that of [Warp 13] with differences for positions. (1) is not symmetric, by 6 % on a bar bent
//! by 90 degrees. With (4) a body is carried away without resistance, as with (1). R_i k_ii R_i^T, the symmetric part of (1), would
//! resist there, or push: on that bar its smallest eigenvalue is -2.4e-3 of the largest, that of (4) -3e-4 (of the held bar -5e-5), which the mass outweighs in
//! any useful step. For (2) (3) is R K R^T with the diagonal R_i k_ii R_i^T, never below zero.

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
        let value = |values: &[Mat3<f64>], block: usize| values[block];
        let diagonal = |own: Mat3<f64>, others: Mat3<f64>| if MIXED { -others } else { own };
        self.add_rows(rows, value, diagonal, out);
    }

    /// Adds (3), with (4) or, where `MIXED`, without, times `weight`.
    pub fn add_symmetric<const MIXED: bool>(
        &mut self,
        rows: &WarpRows,
        rotations: &[Mat3<f64>],
        weight: f64,
        out: &mut BlockMatrix,
    ) {
        self.fill::<MIXED>(rows, rotations, weight);
        let value = |values: &[Mat3<f64>], block: usize| {
            (values[block] + values[rows.mirror(block)].transpose()).scale(0.5) // (3)
        };
        let diagonal = |own: Mat3<f64>, others: Mat3<f64>| if MIXED { own } else { -others.symmetric_part() };
        self.add_rows(rows, value, diagonal, out);
    }

    /// Adds `value` of every block off the diagonal, and on it `diagonal` of the value there and the sum of the others.
    fn add_rows(
        &mut self,
        rows: &WarpRows,
        value: impl Fn(&[Mat3<f64>], usize) -> Mat3<f64> + Sync,
        diagonal: impl Fn(Mat3<f64>, Mat3<f64>) -> Mat3<f64> + Sync,
        out: &mut BlockMatrix,
    ) {
        let Self { values, places, nodes, chunks, .. } = self;
        let (values, places) = (&*values, &*places);
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
                for (block, column) in rows.blocks(node) {
                    if column as usize == node {
                        own = block;
                    } else {
                        let value = value(values, block);
                        others = others + value;
                        add(block, value);
                    }
                }
                add(own, diagonal(value(values, own), others));
            }
        });
    }
}
