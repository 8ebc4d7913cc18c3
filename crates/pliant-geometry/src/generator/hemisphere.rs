//! The upper half of the ball of [`Sphere`](super::Sphere): its flat face lies in z = 0 exactly.
//!
//! The inner block is the upper half of the rounded cube, n x n x ceil(n / 2) cells; layers lie on its top and its four
//! sides. For an even n the cells are those of the ball with z >= 0.

use super::sphere::{Ball, Extent};
use super::{Checks, GeneratorError, ShapeElement};
use crate::mesh::Mesh;

/// The half z >= 0 of a ball about the origin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hemisphere {
    /// Radius, m.
    pub radius: f64,
    /// Blocks across the inner cube; a diameter has about twice as many.
    pub cells: usize,
    /// How the blocks are filled.
    pub element: ShapeElement,
}

impl Hemisphere {
    /// The mesh: with m = ceil(n / 2), `n^2 m + (n^2 + 4 n m) m` blocks for `n` cells.
    pub fn mesh(&self) -> Result<Mesh, GeneratorError> {
        let checks = Checks("hemisphere");
        checks.length("radius", self.radius)?;
        checks.count("cells across", self.cells, 1)?;
        checks.blocks((self.cells as f64).powi(3) * 2.0)?;
        Ball { radius: self.radius, across: self.cells, extent: Extent::UpperHalf }.mesh(self.element)
    }
}
