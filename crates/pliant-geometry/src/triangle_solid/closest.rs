//! The point of a triangle that is closest to a place, and whether it lies in the face, an edge or a corner.
//!
//! ```text
//! h_i = n . (e_i x (p - c_i))      n the unit normal, e_i the edge from corner c_i to the next           (1)
//! ```
//!
//! The foot of the perpendicular lies on the inner side of edge i if h_i >= 0: in the face if it does for all
//! three. Else the closest point lies on an edge with h_i < 0, of which an obtuse corner may have two.

use crate::vector::{Vec3, cross, dot, sub};

/// Where on a triangle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Feature {
    /// Inside.
    Face,
    /// The edge from this corner to the next.
    Edge(usize),
    /// This corner.
    Corner(usize),
}

/// A closest point.
#[derive(Clone, Copy, Debug)]
pub(super) struct Closest {
    /// Square of the distance, m^2.
    pub square: f64,
    /// From it to the place, m.
    pub offset: Vec3,
    /// Where it lies.
    pub feature: Feature,
}

/// The closest point of a triangle with unit normal `n`, if it is nearer than the root of `square` (m^2).
#[inline]
pub(super) fn closest(corners: &[Vec3; 3], n: Vec3, place: Vec3, square: f64) -> Option<Closest> {
    let from = corners.map(|corner| sub(place, corner));
    let height = dot(n, from[0]);
    // most triangles of a leaf are out of reach by their planes alone
    if height * height >= square {
        return None;
    }
    let edges = [0, 1, 2].map(|i| sub(corners[(i + 1) % 3], corners[i]));
    let outside = [0, 1, 2].map(|i| dot(n, cross(edges[i], from[i])) < 0.0); // (1)
    if !(outside[0] | outside[1] | outside[2]) {
        let offset = n.map(|x| height * x);
        return Some(Closest { square: height * height, offset, feature: Feature::Face });
    }
    let mut best: Option<Closest> = None;
    for i in (0..3).filter(|i| outside[*i]) {
        let found = closest_on_edge(i, edges[i], from[i], from[(i + 1) % 3]);
        if found.square < best.map_or(square, |best| best.square) {
            best = Some(found);
        }
    }
    best
}

/// On edge `i`, with the ways to the place from its first and its second end.
#[inline]
fn closest_on_edge(i: usize, edge: Vec3, first: Vec3, second: Vec3) -> Closest {
    let along = dot(edge, first);
    let (offset, feature) = if along <= 0.0 {
        (first, Feature::Corner(i))
    } else if dot(edge, second) >= 0.0 {
        (second, Feature::Corner((i + 1) % 3))
    } else {
        let share = along / dot(edge, edge);
        (std::array::from_fn(|k| first[k] - share * edge[k]), Feature::Edge(i))
    };
    Closest { square: dot(offset, offset), offset, feature }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_region_of_a_triangle_gives_its_feature() {
        // an obtuse corner at the origin
        let corners = [[0.0; 3], [2.0, 0.0, 0.0], [-1.0, 1.0, 0.0]];
        let cases = [
            ([0.3, 0.2, 0.7], Feature::Face, 0.49),
            ([1.0, -0.5, 0.0], Feature::Edge(0), 0.25),
            ([3.0, 0.0, 1.0], Feature::Corner(1), 2.0),
            ([-1.0, 0.0, 0.0], Feature::Edge(2), 0.5),
            ([-0.1, -0.4, 0.0], Feature::Corner(0), 0.17),
            ([-3.0, 2.0, 0.0], Feature::Corner(2), 5.0),
        ];
        for (place, feature, square) in cases {
            let found = closest(&corners, [0.0, 0.0, 1.0], place, f64::INFINITY).unwrap();
            assert_eq!(found.feature, feature, "{place:?}");
            assert!((found.square - square).abs() < 1e-14, "{place:?}: {}", found.square);
            assert!(closest(&corners, [0.0, 0.0, 1.0], place, 0.999 * square).is_none());
        }
    }
}
