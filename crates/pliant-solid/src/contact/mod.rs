//! What bodies meet: rigid shapes that stand or move by a script.
//!
//! What touches them is noted in the state ([`crate::Contacts`]); steps answer (`integrator::constraint`).

mod collider;
mod path;
mod settings;
mod shape;
mod told;
mod tool;

pub use collider::{Carrier, Collider, Pose};
pub(crate) use path::Round;
pub use settings::{ContactSettings, FineSkin, Response, Skin};
pub use shape::ColliderShape;
pub use told::{Contact, Overlap};
pub use tool::Tool;
