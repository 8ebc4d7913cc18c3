//! What bodies meet: rigid shapes that stand or move by a script.
//!
//! What touches them is noted in the state ([`crate::Contacts`]); steps answer (`integrator::constraint`).

mod collider;
mod path;
mod shape;

pub(crate) use collider::Placed;
pub use collider::{Collider, Response};
pub(crate) use path::entry;
pub use shape::ColliderShape;
