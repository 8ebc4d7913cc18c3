//! A ring of tetrahedra about the z axis.
//!
//! ```text
//! x = (R + r cos b) cos a,   y = (R + r cos b) sin a,   z = r sin b                     (1)
//! ```
//!
//! Sections stand at a = 2 pi s / sections; each has `rim` nodes at b = 2 pi i / rim and then its centre. Between two sections lie
//! `rim` prisms (centre, rim i, rim i + 1), each cut into three tetrahedra. With 20 sections of 8 rim nodes this
//! has the counts that [Stolfi 8.1] gives for its falling torus: 180 nodes, 480 tetrahedra, 320 surface triangles.

use std::collections::BTreeMap;
use std::f64::consts::TAU;

use super::{Checks, GeneratorError, cut};
use crate::mesh::Mesh;

/// A torus about the z axis, centred at the origin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Torus {
    /// Radius R of the circle through the centres of the sections, m.
    pub radius: f64,
    /// Radius r of the tube, m; less than `radius`.
    pub tube: f64,
    /// Sections around the axis, 3 or more.
    pub sections: usize,
    /// Nodes on the rim of each section, 3 or more.
    pub rim: usize,
}

impl Torus {
    /// The mesh: `sections * (rim + 1)` nodes, `3 * sections * rim` tetrahedra.
    pub fn mesh(&self) -> Result<Mesh, GeneratorError> {
        let checks = Checks("torus");
        checks.length("radius", self.radius)?;
        checks.length("tube radius", self.tube)?;
        checks.fits(("tube radius", self.tube), ("radius", self.radius))?;
        checks.count("sections", self.sections, 3)?;
        checks.count("rim nodes", self.rim, 3)?;
        checks.blocks(self.sections as f64 * self.rim as f64)?;
        Ok(Mesh::new(self.points(), self.tets(), Vec::new(), Vec::new(), BTreeMap::new())?)
    }

    fn points(&self) -> Vec<[f64; 3]> {
        let mut points = Vec::with_capacity(self.sections * (self.rim + 1));
        for s in 0..self.sections {
            let (sin, cos) = (TAU * (s as f64 / self.sections as f64)).sin_cos();
            for i in 0..self.rim {
                let (up, out) = (TAU * (i as f64 / self.rim as f64)).sin_cos();
                let distance = self.radius + self.tube * out;
                points.push([distance * cos, distance * sin, self.tube * up]); // (1)
            }
            points.push([self.radius * cos, self.radius * sin, 0.0]);
        }
        points
    }

    fn tets(&self) -> Vec<[u32; 4]> {
        let node = |section: usize, i: usize| (section % self.sections * (self.rim + 1) + i) as u32;
        let mut tets = Vec::with_capacity(3 * self.sections * self.rim);
        for s in 0..self.sections {
            for i in 0..self.rim {
                // seen from the next section b runs clockwise
                let triangle = [self.rim, (i + 1) % self.rim, i];
                let [a, b, c] = triangle.map(|k| node(s, k));
                let [d, e, f] = triangle.map(|k| node(s + 1, k));
                cut::prism(&[a, b, c, d, e, f], &mut tets);
            }
        }
        tets
    }
}
