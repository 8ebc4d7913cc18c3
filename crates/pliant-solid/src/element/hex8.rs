//! Trilinear hexahedron of any shape: 8 nodes, 2x2x2 Gauss points.
//!
//! ```text
//!        7-------6
//!       /|      /|      z
//!      4-------5 |      | y
//!      | 3-----|-2      |/
//!      |/      |/       o--x
//!      0-------1            N_ijk = l_i(x) l_j(y) l_k(z),  l_0 = (1-s)/2, l_1 = (1+s)/2     (1)
//! ```
//!
//! Source: [Zhuang 2.21, 2.62] with the Jacobian that [Zhuang 2.63] lacks. The derivative along one
//! axis does not vary along it, so gradients at all eight points take two 2x2 interpolations a
//! direction instead of 64 products.

use pliant_numerics::{Lane, Mat3};

use super::Element;

/// See the [module](self).
#[derive(Clone, Copy, Debug)]
pub struct Hex8;

/// Node number at corner (i, j, k) of the reference cube.
const NODE: [[[usize; 2]; 2]; 2] = [[[0, 4], [3, 7]], [[1, 5], [2, 6]]];

/// Corner (i, j, k) of each node.
const CORNER: [[usize; 3]; 8] =
    [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 1], [1, 0, 1], [1, 1, 1], [0, 1, 1]];

/// 1 / sqrt(3): the Gauss points are at plus and minus this.
const GAUSS: f64 = 0.577_350_269_189_625_8;
/// l_0 at the lower Gauss point, which is l_1 at the upper one.
const NEAR: f64 = 0.5 * (1.0 + GAUSS);
/// l_0 at the upper Gauss point.
const FAR: f64 = 0.5 * (1.0 - GAUSS);

/// Corner number (i, j, k) with `along` on `axis` and (b, c) on the two axes after it.
const fn corner(axis: usize, along: usize, b: usize, c: usize) -> [usize; 3] {
    match axis {
        0 => [along, b, c],
        1 => [c, along, b],
        _ => [b, c, along],
    }
}

const fn node(axis: usize, along: usize, b: usize, c: usize) -> usize {
    let [i, j, k] = corner(axis, along, b, c);
    NODE[i][j][k]
}

/// Number of the quadrature point at corner (i, j, k).
const fn point([i, j, k]: [usize; 3]) -> usize {
    4 * k + 2 * j + i
}

/// Corner values to Gauss point values in a square, and its own transpose.
#[inline(always)]
fn interpolate<L: Lane>(v: [[L; 2]; 2]) -> [[L; 2]; 2] {
    let (near, far) = (L::splat(NEAR), L::splat(FAR));
    let pair = |a: L, b: L| [a.mul_add(near, b * far), a.mul_add(far, b * near)];
    let rows = [pair(v[0][0], v[0][1]), pair(v[1][0], v[1][1])];
    let (first, second) = (pair(rows[0][0], rows[1][0]), pair(rows[0][1], rows[1][1]));
    [[first[0], second[0]], [first[1], second[1]]]
}

impl Element<8, 8> for Hex8 {
    fn quadrature() -> [([f64; 3], f64); 8] {
        std::array::from_fn(|q| {
            let sign = |bit: usize| if q & bit == 0 { -GAUSS } else { GAUSS };
            ([sign(1), sign(2), sign(4)], 1.0)
        })
    }

    fn shape(xi: [f64; 3]) -> [f64; 8] {
        let linear = |axis: usize, end: usize| 0.5 * (1.0 + if end == 0 { -xi[axis] } else { xi[axis] });
        CORNER.map(|c| linear(0, c[0]) * linear(1, c[1]) * linear(2, c[2])) // (1)
    }

    fn shape_gradient(xi: [f64; 3]) -> [[f64; 3]; 8] {
        let linear = |axis: usize, end: usize| 0.5 * (1.0 + if end == 0 { -xi[axis] } else { xi[axis] });
        let slope = |end: usize| if end == 0 { -0.5 } else { 0.5 };
        CORNER.map(|c| {
            let (x, y, z) = (linear(0, c[0]), linear(1, c[1]), linear(2, c[2]));
            [slope(c[0]) * y * z, x * slope(c[1]) * z, x * y * slope(c[2])]
        })
    }

    #[inline(always)]
    fn gradients<L: Lane>(values: &[[L; 3]; 8]) -> [Mat3<L>; 8] {
        let half = L::splat(0.5);
        let mut out = [Mat3::zero(); 8];
        for axis in 0..3 {
            for row in 0..3 {
                let slope =
                    |b, c| (values[node(axis, 1, b, c)][row] - values[node(axis, 0, b, c)][row]) * half;
                let at_points = interpolate([[slope(0, 0), slope(0, 1)], [slope(1, 0), slope(1, 1)]]);
                for b in 0..2 {
                    for c in 0..2 {
                        out[point(corner(axis, 0, b, c))].0[row][axis] = at_points[b][c];
                        out[point(corner(axis, 1, b, c))].0[row][axis] = at_points[b][c];
                    }
                }
            }
        }
        out
    }

    #[inline(always)]
    fn divergence<L: Lane>(flux: &[Mat3<L>; 8]) -> [[L; 3]; 8] {
        let half = L::splat(0.5);
        let mut out = [[L::splat(0.0); 3]; 8];
        for axis in 0..3 {
            for row in 0..3 {
                let sum = |b, c| {
                    let at = |along| flux[point(corner(axis, along, b, c))].0[row][axis];
                    (at(0) + at(1)) * half
                };
                let at_nodes = interpolate([[sum(0, 0), sum(0, 1)], [sum(1, 0), sum(1, 1)]]);
                for b in 0..2 {
                    for c in 0..2 {
                        let (low, high) = (node(axis, 0, b, c), node(axis, 1, b, c));
                        out[low][row] = out[low][row] - at_nodes[b][c];
                        out[high][row] = out[high][row] + at_nodes[b][c];
                    }
                }
            }
        }
        out
    }

    fn mass_weights(nodes: &[[f64; 3]; 8]) -> [[f64; 8]; 8] {
        let mut out = [[0.0; 8]; 8];
        let rest = Self::rest_points(nodes);
        for ((xi, _), (_, weight)) in Self::quadrature().into_iter().zip(rest) {
            let shape = Self::shape(xi);
            for i in 0..8 {
                for j in 0..8 {
                    out[i][j] += weight * shape[i] * shape[j];
                }
            }
        }
        out
    }
}
