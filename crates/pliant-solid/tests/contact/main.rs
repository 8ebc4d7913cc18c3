//! Bodies meet colliders under explicit steps.
#![allow(clippy::unwrap_used, missing_docs)]

use crate::support;

mod bar_impact;
mod bits;
mod friction;
mod full_mass;
mod one_pair;
mod penalty;
mod restitution;
mod rigid;
mod shots;
mod tools;

use pliant_numerics::Mat3;
use pliant_solid::contact::{Collider, ColliderShape};

/// A fixed shape without friction.
pub fn collider(shape: ColliderShape) -> Collider {
    Collider::new("it", shape)
}

/// Axes whose z points along a direction.
pub fn axes_to(normal: [f64; 3]) -> Mat3<f64> {
    let away = if normal[0].abs() < 0.9 { [1.0, 0.0, 0.0] } else { [0.0, 1.0, 0.0] };
    let unit = |v: [f64; 3]| {
        let length = v.iter().map(|c| c * c).sum::<f64>().sqrt();
        v.map(|c| c / length)
    };
    let z = unit(normal);
    let x = unit(support::cross(away, z));
    Mat3::from_columns([x, support::cross(z, x), z])
}
