//! Which cell holds a point, and with which weights of its nodes.
//!
//! The lowest cell that contains the point wins. If none does, the nearest cell within the tolerance takes it
//! (ties again to the lowest), with the weights of the cell's point closest to it. A linear scan
//! with a box test: about 20 ns a cell, and it is asked a few times per model.

use crate::bounds::Bounds;
use crate::material_point::MaterialPoint;
use crate::mesh::Mesh;
use crate::vector::Vec3;
use crate::{hexahedron, tetrahedron};

/// A point of a cell; on a distorted hexahedron its weights are those of the trilinear map.
#[derive(Clone, Debug, PartialEq)]
pub struct CellPoint {
    /// The cell that holds it.
    pub cell: u32,
    /// How far the point asked for lay outside the mesh, m; 0 inside.
    pub distance: f64,
    /// The nodes of the cell and their weights.
    pub point: MaterialPoint,
}

impl CellPoint {
    fn new(cell: u32, nodes: &[u32], weights: &[f64], distance: f64) -> Self {
        let point = nodes.iter().copied().zip(weights.iter().copied()).collect();
        Self { cell, distance, point }
    }
}

/// Distance outside a cell, over the size of the cell, that is put down to rounding.
pub(crate) const ROUNDING: f64 = 1e-12;

/// The cell that contains `point` (m), or the nearest one within `tolerance` (m).
pub fn locate(mesh: &Mesh, point: [f64; 3], tolerance: f64) -> Option<CellPoint> {
    let mut nearest: Option<CellPoint> = None;
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
            return Some(CellPoint { distance: 0.0, ..found });
        }
        if found.distance <= tolerance && nearest.as_ref().is_none_or(|near| found.distance < near.distance) {
            nearest = Some(found);
        }
    }
    nearest
}

/// The point of cell `c` closest to `point`; `None` for a flat tetrahedron.
pub(crate) fn within_cell(mesh: &Mesh, c: usize, point: Vec3) -> Option<CellPoint> {
    if let Some(tet) = mesh.tets().get(c) {
        let corners = mesh.corners(tet);
        let weights = tetrahedron::weights(&corners, point)?;
        if weights.iter().all(|&w| w >= 0.0) {
            return Some(CellPoint::new(c as u32, tet, &weights, 0.0));
        }
        let (weights, distance) = tetrahedron::closest_on_surface(&corners, point);
        return Some(CellPoint::new(c as u32, tet, &weights, distance));
    }
    let hex = &mesh.hexes()[c - mesh.tets().len()];
    let corners = mesh.corners(hex);
    let (s, distance) = hexahedron::closest(&corners, point);
    Some(CellPoint::new(c as u32, hex, &hexahedron::weights(s), distance))
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
            let at = found.point.position(mesh.positions());
            assert!(norm(sub(at, [1.0, 0.3, 0.7])) < 1e-12, "{element:?}: {at:?}");
        }
    }
}
