//! A user's hand: it holds a patch of a body's surface about the point that was touched.
//!
//! ```text
//! w_i ~ (1 - d_i^2 / R^2)^2,   d_i the distance at rest,   sum w_i = 1                     (1)
//! k = E R,   c = sqrt(k m),   m = 1 / sum(w_i^2 / m_i),   |f| <= E R^2                      (2)
//! ```
//!
//! A patch, not a node: then k and the largest force do not depend on the mesh. k is the stiffness of matter of the patch's size; m
//! is the mass that a pull moves at once, so that the damper is at half of critical for it; neither shortens the stable step
//! much, since the patch's frequency is below that of its cells. The largest force strains the matter below the patch by about a third, however
//! fast a mouse moves. Nodes count by straight distance: on a sheet both faces are held.

use std::collections::{BTreeMap, BTreeSet};

use pliant_geometry::MaterialPoint;

use crate::holding::Holding;
use crate::model::Model;
use crate::term::{Grab, GrabPath};

/// The patch's radius as a part of the body's extent.
const REACH: f64 = 0.15;
/// The same in sizes of a cell, so that a coarse mesh gives more than one node.
const CELLS: f64 = 2.0;

impl Model {
    /// A hand at a material point (nodes of the surface and their weights) that holds nodes on offer about it; `None` where a fix holds the
    /// point itself.
    pub fn hand(
        &self,
        body: usize,
        touched: &MaterialPoint,
        offered: &[u32],
        holding: &Holding,
    ) -> Option<Grab> {
        let (shape, matter) = (&self.layout().bodies()[body], &self.matter()[body]);
        // the volume by the mass: that of every cell would take as long as several steps
        let nodes = shape.nodes.start as usize..shape.nodes.end as usize;
        let mass = self.mass()[nodes].iter().sum::<f64>();
        let volume =
            matter.uniform_density().map_or_else(|| matter.volume(&shape.mesh), |density| mass / density);
        // particles without cells stand for cubes
        let count =
            if shape.mesh.cell_count() == 0 { shape.mesh.node_count() } else { shape.mesh.cell_count() };
        let size = (volume / count.max(1) as f64).cbrt();
        let fixes = holding.fixes(self.fixes()).map(|(_, fix)| fix).filter(|fix| fix.axes == [true; 3]);
        let held: BTreeSet<u32> = fixes.flat_map(|fix| fix.nodes.iter().copied()).collect();
        let rest = self.rest_at(touched);
        let free = touched.nodes().filter(|node| !held.contains(node));
        let nearest = free.map(|node| self.distance(node, rest)).min_by(f64::total_cmp)?;
        // of long cells not even a corner may be within the usual reach
        let radius = (REACH * shape.extent).max(CELLS * size).max(1.1 * nearest);
        let near = offered.iter().map(|&n| (n, self.falloff(n, rest, radius))); // (1)
        let near = near.filter(|&(node, weight)| weight > 0.0 && !held.contains(&node));
        let point = near.collect::<MaterialPoint>().normalised()?;
        // a hand is to do no harm in any region
        let young = matter.softest_young();
        let stiffness = young * radius;
        let inverse = self.inverse_point_mass(&point);
        let damping = if inverse > 0.0 { (stiffness / inverse).sqrt() } else { 0.0 };
        let path = GrabPath { points: Vec::new(), release: None };
        Some(Grab { point, path, stiffness, damping, max_force: young * radius * radius }) // (2)
    }

    /// 1 / m of (2), 1/kg; dependent nodes stand for their masters.
    pub(crate) fn inverse_point_mass(&self, point: &MaterialPoint) -> f64 {
        let free = self.layout().free_count();
        let mut weights: BTreeMap<u32, f64> = BTreeMap::new();
        self.layout().dependents().for_each_free(point, free, |node, weight| {
            *weights.entry(node).or_default() += weight;
        });
        weights.iter().map(|(node, w)| w * w * self.inverse_mass()[*node as usize]).sum()
    }

    fn rest_at(&self, point: &MaterialPoint) -> [f64; 3] {
        point.iter().fold([0.0; 3], |sum, (node, weight)| {
            let x = self.layout().rest_of(node);
            std::array::from_fn(|c| sum[c] + weight * x[c])
        })
    }

    fn distance(&self, node: u32, place: [f64; 3]) -> f64 {
        let x = self.layout().rest_of(node);
        (0..3).map(|c| (x[c] - place[c]).powi(2)).sum::<f64>().sqrt()
    }

    fn falloff(&self, node: u32, place: [f64; 3], radius: f64) -> f64 {
        (1.0 - (self.distance(node, place) / radius).powi(2)).max(0.0).powi(2)
    }
}
