//! Which cell holds a point, and with which weights of its nodes.
//!
//! The lowest cell that contains the point wins. If none does, the nearest cell within the tolerance takes it
//! (ties again to the lowest), with the weights of the cell's point closest to it. A linear scan
//! with a box test: about 20 ns a cell, and it is asked a few times per model.

use crate::mesh::{Bounds, Mesh};
use crate::vector::Vec3;
use crate::{hexahedron, tetrahedron};

/// A point that moves with its cell: x = sum of weight times node position.
///
/// The weights sum to 1; on a distorted hexahedron they are those of the trilinear map.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MaterialPoint {
    /// The cell that holds it.
    pub cell: u32,
    /// How far the point asked for lay outside the mesh, m; 0 inside.
    pub distance: f64,
    nodes: [u32; 8],
    weights: [f64; 8],
    count: u8,
}

impl MaterialPoint {
    /// Nodes of the cell.
    pub fn nodes(&self) -> &[u32] {
        &self.nodes[..usize::from(self.count)]
    }

    /// A weight for each of [`nodes`](Self::nodes).
    pub fn weights(&self) -> &[f64] {
        &self.weights[..usize::from(self.count)]
    }

    /// Where the point is when the nodes are at `positions`, m.
    pub fn position(&self, positions: &[[f64; 3]]) -> [f64; 3] {
        let mut sum = [0.0; 3];
        for (&n, &w) in self.nodes().iter().zip(self.weights()) {
            for (s, x) in sum.iter_mut().zip(positions[n as usize]) {
                *s += w * x;
            }
        }
        sum
    }

    fn new(cell: u32, nodes: &[u32], weights: &[f64], distance: f64) -> Self {
        let mut point = Self { cell, distance, nodes: [0; 8], weights: [0.0; 8], count: nodes.len() as u8 };
        point.nodes[..nodes.len()].copy_from_slice(nodes);
        point.weights[..weights.len()].copy_from_slice(weights);
        point
    }
}

/// Distance outside a cell, over the size of the cell, that is put down to rounding.
pub(crate) const ROUNDING: f64 = 1e-12;

/// The cell that contains `point` (m), or the nearest one within `tolerance` (m).
pub fn locate(mesh: &Mesh, point: [f64; 3], tolerance: f64) -> Option<MaterialPoint> {
    let mut nearest: Option<MaterialPoint> = None;
    for c in 0..mesh.cell_count() {
        let corners = mesh.cell_nodes(c).iter().map(|&n| mesh.positions()[n as usize]);
        let Some(bounds) = Bounds::of(corners) else { continue };
        let rounding = ROUNDING * bounds.diagonal();
        let reach = nearest.as_ref().map_or(tolerance, |near| near.distance).max(rounding);
        if !bounds.contains(point, reach) {
            continue;
        }
        let Some(found) = within_cell(mesh, c, point) else { continue };
        if found.distance <= rounding {
            return Some(MaterialPoint { distance: 0.0, ..found });
        }
        if found.distance <= tolerance && nearest.is_none_or(|near| found.distance < near.distance) {
            nearest = Some(found);
        }
    }
    nearest
}

/// The point of cell `c` closest to `point`; `None` for a flat tetrahedron.
pub(crate) fn within_cell(mesh: &Mesh, c: usize, point: Vec3) -> Option<MaterialPoint> {
    if let Some(tet) = mesh.tets().get(c) {
        let corners = mesh.corners(tet);
        let weights = tetrahedron::weights(&corners, point)?;
        if weights.iter().all(|&w| w >= 0.0) {
            return Some(MaterialPoint::new(c as u32, tet, &weights, 0.0));
        }
        let (weights, distance) = tetrahedron::closest_on_surface(&corners, point);
        return Some(MaterialPoint::new(c as u32, tet, &weights, distance));
    }
    let hex = &mesh.hexes()[c - mesh.tets().len()];
    let corners = mesh.corners(hex);
    let (s, distance) = hexahedron::closest(&corners, point);
    Some(MaterialPoint::new(c as u32, hex, &hexahedron::weights(s), distance))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generator::{BoxElement, box_mesh};
    use crate::vector::{norm, sub};

    #[test]
    fn a_point_outside_goes_to_the_nearest_place_within_the_tolerance() {
        for element in [BoxElement::Tet5, BoxElement::Tet6, BoxElement::Hex] {
            let mesh = box_mesh([1.0, 1.0, 2.0], [2, 2, 4], element).unwrap();
            let outside = [1.2, 0.3, 0.7];
            assert!(locate(&mesh, outside, 0.19).is_none());
            let found = locate(&mesh, outside, 0.21).unwrap();
            assert!((found.distance - 0.2).abs() < 1e-12, "{element:?}");
            let at = found.position(mesh.positions());
            assert!(norm(sub(at, [1.0, 0.3, 0.7])) < 1e-12, "{element:?}: {at:?}");
        }
    }
}
