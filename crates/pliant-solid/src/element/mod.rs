//! Elements: shape functions, quadrature, and the two loops over nodes that the kernels share.
//!
//! An element maps a reference cell to a piece of the body. The kernel needs only the gradient of
//! nodal values at the quadrature points and the transpose of that map; what depends on the rest
//! shape is an inverse Jacobian and a weight per point.
//!
//! To add one: a file here, an arm in `assembly/build.rs`, a line in `tests/element_conformance/main.rs`.

pub mod hex8;
pub mod tet4;

pub use hex8::Hex8;
pub use tet4::Tet4;

use pliant_numerics::{Lane, Mat3};

/// An isoparametric element of `N` nodes and `Q` quadrature points.
///
/// Contract: `divergence` is the transpose of `gradients`; the shape functions sum to one.
pub trait Element<const N: usize, const Q: usize>: Copy + Send + Sync + 'static {
    /// The quadrature points in the reference cell, with their weights.
    fn quadrature() -> [([f64; 3], f64); Q];

    /// Shape functions at a point of the reference cell.
    fn shape(xi: [f64; 3]) -> [f64; N];

    /// Their gradients in the reference cell.
    fn shape_gradient(xi: [f64; 3]) -> [[f64; 3]; N];

    /// Sum of value_i (x) grad N_i at each quadrature point.
    fn gradients<L: Lane>(values: &[[L; 3]; N]) -> [Mat3<L>; Q];

    /// Nodal vectors, sum over the points of flux_q grad N_i.
    fn divergence<L: Lane>(flux: &[Mat3<L>; Q]) -> [[L; 3]; N];

    /// The integrals of N_i N_j over an element with these node positions, m^3.
    fn mass_weights(nodes: &[[f64; 3]; N]) -> [[f64; N]; N];

    /// Inverse Jacobian and weight (quadrature weight times Jacobian determinant) at each point.
    fn rest_points(nodes: &[[f64; 3]; N]) -> [(Mat3<f64>, f64); Q] {
        let jacobians = Self::gradients(nodes);
        let quadrature = Self::quadrature();
        std::array::from_fn(|q| (jacobians[q].inverse(), quadrature[q].1 * jacobians[q].determinant()))
    }

    /// Row sums of [`Element::mass_weights`]: the integral of each shape function, m^3.
    fn lumped_weights(nodes: &[[f64; 3]; N]) -> [f64; N] {
        Self::mass_weights(nodes).map(|row| row.iter().sum())
    }
}
