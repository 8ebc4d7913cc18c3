//! Points that follow a mesh, whether they lie in it or beside it.

use pliant_numerics::parallel;
use rayon::prelude::*;

use super::bind::{bound_vertex, cell_tree};
use crate::material_point::MaterialPoint;
use crate::mesh::Mesh;
use crate::vector::Vec3;

/// What a point follows.
#[derive(Clone, Debug, PartialEq)]
pub struct Follower {
    /// How far outside of all cells it lies, m.
    pub distance: f64,
    /// Nodes and weights; those of weight zero are left out.
    pub point: MaterialPoint,
}

/// The nodes that points follow, with weights that reproduce any affine motion; `None` if no cell has a volume.
pub fn followers(mesh: &Mesh, points: &[Vec3]) -> Option<Vec<Follower>> {
    let tree = cell_tree(mesh);
    let one = |point: &Vec3| {
        let bound = bound_vertex(mesh, &tree, *point)?;
        let nodes = mesh.cell_nodes(bound.cell as usize).iter().copied();
        let point = nodes.zip(bound.weights).filter(|(_, weight)| *weight != 0.0).collect();
        Some(Follower { distance: bound.distance, point })
    };
    parallel::collect(points.par_iter().with_min_len(64), one).into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generator::{BoxElement, box_mesh};

    #[test]
    fn points_inside_and_outside_follow_an_affine_motion() {
        let bend = |[x, y, z]: Vec3| [1.0 + x + 0.3 * y, 0.9 * y - z, 2.0 * z + 0.1 * x];
        for element in [BoxElement::Tet5, BoxElement::Hex] {
            let mesh = box_mesh([1.0; 3], [2, 2, 2], element).unwrap();
            let points = [[0.3, 0.4, 0.9], [1.3, 0.2, 0.5], [-0.1, -0.2, 1.4]];
            for (point, found) in points.iter().zip(followers(&mesh, &points).unwrap()) {
                let at = |c: usize| -> f64 {
                    found.point.iter().map(|(n, w)| w * bend(mesh.positions()[n as usize])[c]).sum()
                };
                assert!((0..3).all(|c| (at(c) - bend(*point)[c]).abs() < 1e-12), "{element:?} {point:?}");
                let outside = !point.iter().all(|c| (0.0..=1.0).contains(c));
                assert_eq!(found.distance > 0.0, outside);
            }
        }
        assert_eq!(followers(&Mesh::default(), &[[0.0; 3]]), None);
    }
}
