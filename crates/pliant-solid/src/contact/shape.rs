//! Shapes of colliders, in their own axes: the signed distance of a place and the outward normal there.

use std::sync::Arc;

use pliant_geometry::TriangleSolid;
use pliant_geometry::vector::norm;

type Vec3 = [f64; 3];

/// A rigid shape about its own origin.
#[derive(Clone, Debug, PartialEq)]
pub enum ColliderShape {
    /// Everything below z = 0.
    Plane,
    /// A ball.
    Sphere {
        /// Its radius, m.
        radius: f64,
    },
    /// A ball that was drawn along z.
    Capsule {
        /// Its radius, m.
        radius: f64,
        /// Half the way between the middles of its caps, m.
        half: f64,
    },
    /// A box.
    Box {
        /// Half of its edges, m.
        half: Vec3,
    },
    /// A closed surface of triangles.
    Mesh(Arc<TriangleSolid>),
}

impl ColliderShape {
    /// Whether every straight path that goes in comes out once.
    pub(crate) fn is_convex(&self) -> bool {
        match self {
            Self::Plane | Self::Sphere { .. } | Self::Capsule { .. } | Self::Box { .. } => true,
            Self::Mesh(_) => false,
        }
    }

    /// Whether a place is no farther outside than a reach, m.
    pub(crate) fn is_within(&self, place: Vec3, reach: f64) -> bool {
        match self {
            Self::Mesh(solid) => solid.distance_within(place, reach).is_some(),
            _ => self.distance(place).0 <= reach,
        }
    }

    /// The distance of a place from the surface, m, negative inside, and the unit vector along which it grows.
    pub fn distance(&self, place: Vec3) -> (f64, Vec3) {
        match *self {
            Self::Mesh(ref solid) => solid.distance(place),
            Self::Plane => (place[2], [0.0, 0.0, 1.0]),
            Self::Sphere { radius } => from_point(place, radius),
            Self::Capsule { radius, half } => {
                let along = place[2].clamp(-half, half);
                from_point([place[0], place[1], place[2] - along], radius)
            }
            Self::Box { half } => from_box(place, half),
        }
    }
}

/// Of a ball about the origin; at its very middle any way is out.
fn from_point(place: Vec3, radius: f64) -> (f64, Vec3) {
    let away = norm(place);
    let normal = if away > 0.0 { place.map(|c| c / away) } else { [0.0, 0.0, 1.0] };
    (away - radius, normal)
}

fn from_box(place: Vec3, half: Vec3) -> (f64, Vec3) {
    let beyond: Vec3 = std::array::from_fn(|c| place[c].abs() - half[c]);
    let sign = |c: usize| if place[c] < 0.0 { -1.0 } else { 1.0 };
    if beyond.iter().all(|b| *b <= 0.0) {
        // inside: out through the nearest face
        let nearest = (0..3).max_by(|a, b| beyond[*a].total_cmp(&beyond[*b])).unwrap_or(0);
        return (beyond[nearest], std::array::from_fn(|c| if c == nearest { sign(c) } else { 0.0 }));
    }
    let out = beyond.map(|b| b.max(0.0));
    let distance = norm(out);
    (distance, std::array::from_fn(|c| sign(c) * out[c] / distance))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_grow_along_their_normals_at_unit_rate() {
        let shapes = [
            ColliderShape::Plane,
            ColliderShape::Sphere { radius: 0.7 },
            ColliderShape::Capsule { radius: 0.3, half: 0.5 },
            ColliderShape::Box { half: [0.3, 0.5, 0.2] },
        ];
        let places = [[0.4, -0.9, 1.3], [-0.8, 0.1, 0.05], [0.2, 0.3, -0.1], [0.05, 0.02, 0.45]];
        for (shape, place) in shapes.iter().flat_map(|s| places.map(|p| (s, p))) {
            let (distance, normal) = shape.distance(place);
            assert!((norm(normal) - 1.0).abs() < 1e-14, "{shape:?}");
            let step = 1e-6;
            let (there, _) = shape.distance(std::array::from_fn(|c| place[c] + step * normal[c]));
            assert!((there - distance - step).abs() < 1e-12, "{shape:?} {place:?}");
        }
        assert_eq!(ColliderShape::Box { half: [1.0; 3] }.distance([0.0, 0.9, 0.0]).0, 0.9 - 1.0);
        assert_eq!(
            ColliderShape::Capsule { radius: 0.1, half: 1.0 }.distance([0.0, 0.5, 2.0]).0.signum(),
            1.0
        );
    }
}
