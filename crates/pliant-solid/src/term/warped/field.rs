//! The rotations of the nodes of a body.
//!
//! ```text
//! R_i = argmax sum_j (x_j - x_i) . R (X_j - X_i)                                           (1)
//!     = the rotation nearest to A_i = sum_j (x_j - x_i) (X_j - X_i)^T                      (2)
//! R_b = the rotation nearest to sum_i m_i (x_i - c) (X_i - C)^T                            (3)
//! ```
//!
//! Source: [Warp 14] with u the edges at rest and v the deformed ones is A^T, so that its U S V^T is that of A the other way round and V U^T of
//! [Warp 15] the rotation of A; det R = 1 is what diag(1, 1, det(V U^T)) adds to it. Neighbours are the nodes that share an element. (3) serves [Warp 11];
//! c may be any point there, since the arms m_i (X_i - C) add up to zero.

use pliant_numerics::{F64x4, Mat3, Pack, nearest_rotation};

use super::chunks::each_chunk;
use super::frames::NodeFrame;
use super::ghost::Tally;
use super::rows::WarpRows;
use crate::law::{RotationField, Rotations, Warp};

/// How a body's rotations are found.
pub enum Field {
    /// (2) for every node.
    Polar,
    /// Frames on edges; (2) where there is none.
    Frames(Vec<Option<NodeFrame>>),
    /// (3), with the arms m_i (X_i - C), kg m.
    Body(Vec<[f64; 3]>),
}

impl Field {
    /// Of a body with given masses and rest positions of its own nodes.
    pub fn new(warp: Warp, rows: &WarpRows, mass: &[f64], rest: &[[f64; 3]]) -> Self {
        match (warp.rotations, warp.field) {
            (Rotations::Body, _) => {
                let total: f64 = mass.iter().sum();
                let mean = |c: usize| mass.iter().zip(rest).map(|(m, x)| m * x[c]).sum::<f64>() / total;
                let centre: [f64; 3] = std::array::from_fn(mean);
                let arm = |(m, x): (&f64, &[f64; 3])| std::array::from_fn(|c| m * (x[c] - centre[c]));
                Self::Body(mass.iter().zip(rest).map(arm).collect())
            }
            (_, RotationField::Polar) => Self::Polar,
            (_, RotationField::Frames) => {
                let frame = |node: usize| NodeFrame::choose(rows, node, rest);
                Self::Frames((0..rows.node_count()).map(frame).collect())
            }
        }
    }

    /// Writes the rotation of every node.
    pub fn rotations_into(
        &self,
        rows: &WarpRows,
        x: &[[f64; 3]],
        out: &mut [Mat3<f64>],
        tallies: &mut [Tally],
    ) {
        match self {
            Self::Polar => each_chunk(out, tallies, |first, out, _| polar(rows, x, first, out)),
            Self::Frames(frames) => each_chunk(out, tallies, |first, out, _| {
                for (node, out) in (first..).zip(out) {
                    let framed = frames[node].and_then(|frame| frame.rotation(node, x));
                    *out = framed.unwrap_or_else(|| nearest_rotation(&rows.moment(node, x)));
                }
            }),
            Self::Body(arms) => {
                each_chunk(out, tallies, |first, out, tally| {
                    tally.moment = Mat3::zero();
                    for node in first..first + out.len() {
                        let arm = std::array::from_fn(|c| x[node][c] - x[0][c]);
                        tally.moment = tally.moment + Mat3::dyad(arm, arms[node]);
                    }
                });
                let sum = tallies.iter().fold(Mat3::zero(), |sum, tally| sum + tally.moment);
                out.fill(nearest_rotation(&sum)); // (3)
            }
        }
    }
}

/// (2), four nodes at a time.
fn polar(rows: &WarpRows, x: &[[f64; 3]], first: usize, out: &mut [Mat3<f64>]) {
    for (four, out) in out.chunks_mut(4).enumerate() {
        let node = first + 4 * four;
        let mut moments = [Mat3::identity(); 4];
        let own = moments.iter_mut().zip(node..).take(out.len());
        own.for_each(|(moment, node)| *moment = rows.moment(node, x));
        let packed = Mat3::from_fn(|r, c| F64x4::from_fn(|lane| moments[lane].0[r][c]));
        let found = nearest_rotation(&packed);
        let lanes = found.0.map(|row| row.map(F64x4::to_array));
        for (lane, out) in out.iter_mut().enumerate() {
            *out = Mat3::from_fn(|r, c| lanes[r][c][lane]);
        }
    }
}
