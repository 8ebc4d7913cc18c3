//! A user's hand: it holds a patch of a body's surface about the point that was touched.
//!
//! ```text
//! w_i ~ (1 - d_i^2 / R^2)^2,   d_i the distance at rest,   sum w_i = 1                     (1)
//! k = E R,   c = sqrt(k m),   m = 1 / sum(w_i^2 / m_i),   |f| <= E R^2                      (2)
//! ```
//!
//! A patch, not a node: then the pull does not depend on the mesh. k is the stiffness of matter of the patch's size,
//! so that the hand does not shorten the stable step (its frequency is that of a wave across the patch); the damper is at half of
//! critical; the largest force strains the matter below the patch by about a third, however fast a mouse moves.

use std::collections::BTreeSet;

use crate::model::Model;
use crate::term::{Grab, GrabPath};

/// The patch's radius as a part of the body's extent.
const REACH: f64 = 0.15;
/// The same in sizes of a cell, so that a coarse mesh gives more than one node.
const CELLS: f64 = 2.0;

impl Model {
    /// A hand at a place of a body at rest, m, that holds some of the nodes on offer (those of the surface); `None` where all are held.
    pub fn hand(&self, body: usize, rest: [f64; 3], offered: &[u32], time: f64) -> Option<Grab> {
        let (shape, matter) = (&self.layout().bodies()[body], &self.matter()[body]);
        // the volume by the mass: that of every cell would take as long as several steps
        let nodes = shape.nodes.start as usize..shape.nodes.end as usize;
        let volume = self.mass()[nodes].iter().sum::<f64>() / matter.density;
        let size = (volume / shape.mesh.cell_count().max(1) as f64).cbrt();
        let radius = (REACH * shape.extent).max(CELLS * size);
        let fixes = self.fixes().iter().filter(|f| f.holds(time) && f.axes == [true; 3]);
        let held: BTreeSet<u32> = fixes.flat_map(|fix| fix.nodes.iter().copied()).collect();
        let mut point: Vec<(u32, f64)> =
            offered.iter().map(|&n| (n, self.falloff(n, rest, radius))).collect(); // (1)
        point.retain(|&(node, weight)| weight > 0.0 && !held.contains(&node));
        let sum: f64 = point.iter().map(|(_, w)| w).sum();
        if sum <= 0.0 {
            return None;
        }
        point.iter_mut().for_each(|(_, w)| *w /= sum);
        let young = matter.law.moduli().young();
        let stiffness = young * radius;
        let mass = |node: u32| self.mass().get(node as usize).copied().unwrap_or(0.0);
        let inverse: f64 = point.iter().filter(|p| mass(p.0) > 0.0).map(|(n, w)| w * w / mass(*n)).sum();
        let damping = if inverse > 0.0 { (stiffness / inverse).sqrt() } else { 0.0 };
        let path = GrabPath { points: Vec::new(), release: None };
        Some(Grab { point, path, stiffness, damping, max_force: young * radius * radius }) // (2)
    }

    fn falloff(&self, node: u32, place: [f64; 3], radius: f64) -> f64 {
        let x = self.layout().rest_of(node);
        let squared: f64 = (0..3).map(|c| (x[c] - place[c]).powi(2)).sum();
        (1.0 - squared / (radius * radius)).max(0.0).powi(2)
    }
}
