//! Linear tetrahedron: 4 nodes, one quadrature point.
//!
//! ```text
//! N0 = 1 - x - y - z,  N1 = x,  N2 = y,  N3 = z      on 0 <= x, y, z, x + y + z <= 1      (1)
//! int N_i N_j dV = V (1 + delta_ij) / 20                                                  (2)
//! ```
//!
//! Node 3 lies on the side of (0, 1, 2) its right-hand normal points to (VTK_TETRA). Exact for
//! linear fields; stiff in bending and near incompressibility.

use pliant_numerics::{Lane, Mat3};

use super::Element;

/// See the [module](self).
#[derive(Clone, Copy, Debug)]
pub struct Tet4;

impl Element<4, 1> for Tet4 {
    fn quadrature() -> [([f64; 3], f64); 1] {
        [([0.25; 3], 1.0 / 6.0)]
    }

    fn shape([x, y, z]: [f64; 3]) -> [f64; 4] {
        [1.0 - x - y - z, x, y, z] // (1)
    }

    fn shape_gradient(_xi: [f64; 3]) -> [[f64; 3]; 4] {
        [[-1.0, -1.0, -1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
    }

    #[inline(always)]
    fn gradients<L: Lane>(values: &[[L; 3]; 4]) -> [Mat3<L>; 1] {
        // columns are the edges from node 0
        [Mat3::from_fn(|r, c| values[c + 1][r] - values[0][r])]
    }

    #[inline(always)]
    fn divergence<L: Lane>([flux]: &[Mat3<L>; 1]) -> [[L; 3]; 4] {
        let (f1, f2, f3) = (flux.column(0), flux.column(1), flux.column(2));
        let f0 = std::array::from_fn(|c| -(f1[c] + f2[c] + f3[c]));
        [f0, f1, f2, f3]
    }

    fn mass_weights(nodes: &[[f64; 3]; 4]) -> [[f64; 4]; 4] {
        let volume = Self::gradients(nodes)[0].determinant() / 6.0;
        let entry = |i, j| volume * if i == j { 0.1 } else { 0.05 }; // (2)
        std::array::from_fn(|i| std::array::from_fn(|j| entry(i, j)))
    }
}
