//! A hollow cylinder along z: a grid of radius, angle and height.
//!
//! Nodes run around fastest, then outward, then up; node (i, j, k) stands at the angle 2 pi i / around, the radius
//! inner + (outer - inner) j / radial and the height h k / axial.

use std::f64::consts::TAU;

use super::{Checks, GeneratorError, ShapeElement, filled};
use crate::mesh::Mesh;

/// A hollow cylinder about the z axis from z = 0 to `height`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tube {
    /// Radius of the bore, m.
    pub inner: f64,
    /// Outer radius, m.
    pub outer: f64,
    /// Length along z, m.
    pub height: f64,
    /// Blocks around (3 or more), through the wall, along z.
    pub cells: [usize; 3],
    /// How the blocks are filled.
    pub element: ShapeElement,
}

impl Tube {
    /// The mesh: `around * (radial + 1) * (axial + 1)` nodes.
    pub fn mesh(&self) -> Result<Mesh, GeneratorError> {
        let checks = Checks("tube");
        checks.length("inner radius", self.inner)?;
        checks.length("outer radius", self.outer)?;
        checks.length("height", self.height)?;
        checks.fits(("inner radius", self.inner), ("outer radius", self.outer))?;
        checks.count("cells around", self.cells[0], 3)?;
        checks.count("cells through the wall", self.cells[1], 1)?;
        checks.count("cells along z", self.cells[2], 1)?;
        checks.blocks(self.cells.iter().map(|&n| n as f64).product())?;
        filled(self.points(), self.blocks(), self.element)
    }

    fn points(&self) -> Vec<[f64; 3]> {
        let [around, radial, axial] = self.cells;
        let mut points = Vec::with_capacity(around * (radial + 1) * (axial + 1));
        for k in 0..=axial {
            let z = self.height * (k as f64 / axial as f64);
            for j in 0..=radial {
                let s = j as f64 / radial as f64;
                // weights, so that both ends are exact
                let r = (1.0 - s) * self.inner + s * self.outer;
                points.extend((0..around).map(|i| {
                    let (sin, cos) = (TAU * (i as f64 / around as f64)).sin_cos();
                    [r * cos, r * sin, z]
                }));
            }
        }
        points
    }

    fn blocks(&self) -> Vec<[u32; 8]> {
        let [around, radial, axial] = self.cells;
        let node = |i: usize, j: usize, k: usize| (i % around + around * (j + (radial + 1) * k)) as u32;
        let mut blocks = Vec::with_capacity(around * radial * axial);
        for k in 0..axial {
            for j in 0..radial {
                for i in 0..around {
                    // radius, angle and height are right-handed
                    let below =
                        |k| [node(i, j, k), node(i, j + 1, k), node(i + 1, j + 1, k), node(i + 1, j, k)];
                    let ([a, b, c, d], [e, f, g, h]) = (below(k), below(k + 1));
                    blocks.push([a, b, c, d, e, f, g, h]);
                }
            }
        }
        blocks
    }
}
