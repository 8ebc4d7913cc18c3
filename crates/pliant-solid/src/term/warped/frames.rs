//! Rotations of nodes from frames on a few edges.
//!
//! ```text
//! n1 = (e1 + e2 + e3) / |e1 + e2 + e3|,   n2 = n1 x e / |n1 x e|,   n3 = n1 x n2          (1)
//! N = (n1, n2, n3),   R = N' N^T                                                          (2)
//! ```
//!
//! Source: [Warp 16] and the text before it, where n2 is not normalised. The three edges are chosen once, at rest: two that are most nearly at right
//! angles and the third that spans most with them; e is the one of them farthest from n1. So neither n1 nor n2 vanishes at
//! rest. N' stands on the same edges in the deformed mesh; where it has none there, (1) gives `None`.

use pliant_geometry::vector::{Vec3, cross, dot, norm};
use pliant_numerics::Mat3;

use super::rows::WarpRows;

/// The sine below which n1 counts as parallel to e, and |e1 + e2 + e3| over the edges' lengths as zero.
const NO_FRAME: f64 = 1e-6;

/// The frame of one node.
#[derive(Clone, Copy, Debug)]
pub struct NodeFrame {
    /// The ends of the three edges, e first.
    ends: [u32; 3],
    /// N^T at rest.
    rest: Mat3<f64>,
}

impl NodeFrame {
    /// On edges of a node that span space at rest.
    pub fn choose(rows: &WarpRows, node: usize, rest: &[Vec3]) -> Option<Self> {
        let edge = |end: u32| minus(rest[end as usize], rest[node]);
        let ends = rows.blocks(node).map(|(_, end)| end).filter(|end| *end as usize != node);
        let ends: Vec<(u32, Vec3)> = ends.map(|end| (end, unit(edge(end)))).collect();
        let mut widest = (0.0, 0, 0);
        for (b, (_, second)) in ends.iter().enumerate() {
            for (a, (_, first)) in ends[..b].iter().enumerate() {
                let sine = norm(cross(*first, *second));
                if sine > widest.0 {
                    widest = (sine, a, b);
                }
            }
        }
        let (_, a, b) = widest;
        let normal = cross(ends.get(a)?.1, ends.get(b)?.1);
        let spanned = |end: &&(u32, Vec3)| dot(end.1, normal).abs();
        let third = ends.iter().max_by(|p, q| spanned(p).total_cmp(&spanned(q)))?;
        let mut chosen = [ends[a].0, ends[b].0, third.0];
        let sum = chosen.map(edge).into_iter().fold([0.0; 3], plus);
        // e comes first: the farthest from n1
        let sine = |end: &u32| norm(cross(unit(sum), unit(edge(*end))));
        chosen.sort_by(|p, q| sine(q).total_cmp(&sine(p)));
        let rest = frame(chosen.map(edge))?.transpose();
        Some(Self { ends: chosen, rest })
    }

    /// (2), where the deformed edges have a frame.
    #[inline]
    pub fn rotation(&self, node: usize, x: &[Vec3]) -> Option<Mat3<f64>> {
        let edges = self.ends.map(|end| minus(x[end as usize], x[node]));
        frame(edges).map(|now| now * self.rest)
    }
}

/// (1), e the first of the edges.
#[inline]
fn frame(edges: [Vec3; 3]) -> Option<Mat3<f64>> {
    let sum = edges.into_iter().fold([0.0; 3], plus);
    let (e, long) = (edges[0], edges.iter().map(|e| dot(*e, *e)).sum::<f64>());
    let along = dot(sum, sum);
    let across = cross(sum, e);
    let wide = dot(across, across);
    let least = NO_FRAME * NO_FRAME;
    // comparisons that a NaN does not pass either
    if !(along > least * long && wide > least * along * dot(e, e)) {
        return None;
    }
    let (n1, n2) = (sum.map(|c| c / along.sqrt()), across.map(|c| c / wide.sqrt()));
    Some(Mat3::from_columns([n1, n2, cross(n1, n2)]))
}

fn minus(a: Vec3, b: Vec3) -> Vec3 {
    std::array::from_fn(|c| a[c] - b[c])
}

fn plus(a: Vec3, b: Vec3) -> Vec3 {
    std::array::from_fn(|c| a[c] + b[c])
}

fn unit(a: Vec3) -> Vec3 {
    a.map(|c| c / norm(a))
}
