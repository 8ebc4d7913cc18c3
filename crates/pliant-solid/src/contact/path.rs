//! Whether a straight path meets a collider.
//!
//! ```text
//! s <- s + gap(x(s)) / |x_1 - x_0|,   until the gap is nothing or s is past 1                             (1)
//! ```
//!
//! A signed distance grows by no more than the way, so that no step of (1) passes through anything: conservative advancement. The path is straight in
//! the collider's own axes.

use super::collider::Collider;

type Vec3 = [f64; 3];

/// Steps of (1): a path that grazes a surface shortens them without end.
const MOST_STEPS: usize = 60;
/// A gap below this part of the way is none.
const NOTHING: f64 = 1e-9;

/// Where a path from outside first goes inside, as a part of the way, and the normal there; in the axes of the collider.
pub(crate) fn entry(collider: &Collider, from: Vec3, to: Vec3) -> Option<(f64, Vec3)> {
    let way: Vec3 = std::array::from_fn(|c| to[c] - from[c]);
    let length = way.iter().map(|c| c * c).sum::<f64>().sqrt();
    let at = |s: f64| -> Vec3 { std::array::from_fn(|c| from[c] + s * way[c]) };
    let (end, normal_at_end) = collider.gap(to);
    let mut s = 0.0;
    for _ in 0..MOST_STEPS {
        let (gap, normal) = collider.gap(at(s));
        if gap <= NOTHING * length {
            let inward = (0..3).map(|c| way[c] * normal[c]).sum::<f64>();
            // a place on the surface that leaves it has not come in
            if inward < 0.0 || end < 0.0 {
                return Some((s, normal));
            }
        }
        s += gap.max(NOTHING * length) / length.max(f64::MIN_POSITIVE);
        if s >= 1.0 {
            break;
        }
    }
    (end < 0.0).then_some((1.0, normal_at_end))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::{Carrier, ColliderShape};
    use crate::fix::Motion;
    use pliant_numerics::Mat3;

    fn thin() -> Collider {
        Collider {
            name: "plate".into(),
            shape: ColliderShape::Box { half: [1.0, 1.0, 1e-3] },
            axes: Mat3::identity(),
            origin: [0.0; 3],
            carrier: Carrier::Script(Motion::Still),
            friction: 0.0,
            thickness: 0.0,
            restitution: None,
            stiffness: None,
        }
    }

    #[test]
    fn a_path_through_a_thin_plate_meets_it_at_its_face() {
        let plate = thin();
        let (s, normal) = entry(&plate, [0.1, 0.2, 3.0], [0.3, 0.1, -5.0]).unwrap();
        assert!((3.0 - 8.0 * s - 1e-3).abs() < 1e-7 && normal == [0.0, 0.0, 1.0], "{s} {normal:?}");
        assert_eq!(entry(&plate, [0.0, 0.0, 2.0], [0.0, 0.0, 0.5]), None);
        assert_eq!(entry(&plate, [1.5, 0.0, 2.0], [1.5, 0.0, -2.0]), None, "beside it");
        assert_eq!(entry(&plate, [0.0, 0.0, 1e-3], [0.0, 0.0, 0.5]), None, "leaves its surface");
        assert!(entry(&plate, [0.0, 0.0, 1e-3], [0.0, 0.0, 0.9e-3]).is_some(), "enters from its surface");
    }
}
