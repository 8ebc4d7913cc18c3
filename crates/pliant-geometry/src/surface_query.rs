//! How far a point is from a surface, and whether a closed surface surrounds it.
//!
//! A look at every triangle: about 30 ns each, and it is asked once for each cell of a mesh.

use std::f64::consts::PI;

use crate::mesh::Mesh;
use crate::nesting::solid_angle;
use crate::surface::Surface;
use crate::tetrahedron::closest_on_triangle;
use crate::vector::{Vec3, norm, sub, weighted};

/// The triangles of a surface.
#[derive(Clone, Debug)]
pub struct SurfaceQuery {
    triangles: Vec<[Vec3; 3]>,
}

impl SurfaceQuery {
    /// Of the boundary of a mesh's cells, or of its triangles if it has no cells.
    pub fn of(mesh: &Mesh) -> Self {
        let numbers = match Surface::of(mesh) {
            Ok(surface) if mesh.cell_count() > 0 => surface.triangles(),
            _ => mesh.triangles().to_vec(),
        };
        Self { triangles: numbers.iter().map(|t| t.map(|n| mesh.positions()[n as usize])).collect() }
    }

    /// The distance to the nearest triangle, m; infinite where there is none.
    pub fn distance(&self, point: Vec3) -> f64 {
        let to = |t: &[Vec3; 3]| norm(sub(weighted(t, &closest_on_triangle(t, point)), point));
        self.triangles.iter().map(to).fold(f64::INFINITY, f64::min)
    }

    /// Whether the surface goes round the point: the solid angle that it covers there is that of a sphere.
    pub fn surrounds(&self, point: Vec3) -> bool {
        let winding: f64 = self.triangles.iter().map(|t| solid_angle(*t, point)).sum();
        winding.abs() > 2.0 * PI
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generator::{BoxElement, box_mesh};

    #[test]
    fn a_box_knows_its_depth_and_its_inside() {
        for element in [BoxElement::Tet5, BoxElement::Hex] {
            let query = SurfaceQuery::of(&box_mesh([1.0, 2.0, 3.0], [2, 2, 2], element).unwrap());
            let depths =
                [([0.5, 1.0, 1.5], 0.5, true), ([0.9, 1.0, 0.3], 0.1, true), ([1.2, 1.0, 1.0], 0.2, false)];
            for (point, depth, inside) in depths {
                assert!((query.distance(point) - depth).abs() < 1e-14, "{point:?}");
                assert_eq!(query.surrounds(point), inside, "{point:?}");
            }
        }
    }

    #[test]
    fn a_surface_alone_serves_too() {
        let solid = box_mesh([1.0; 3], [1, 1, 1], BoxElement::Tet6).unwrap();
        let shell = crate::extract::surface_mesh(&solid).unwrap().mesh;
        assert!(
            SurfaceQuery::of(&shell).surrounds([0.5; 3]) && !SurfaceQuery::of(&shell).surrounds([1.5; 3])
        );
        assert_eq!(SurfaceQuery::of(&Mesh::default()).distance([0.0; 3]), f64::INFINITY);
    }
}
