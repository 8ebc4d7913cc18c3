//! From elements to global vectors and matrices.
//!
//! `partition` cuts the elements into fixed
//! parts with private buffers; `block` and `kernels` are what elements and laws compute over lanes; [`Elements`] is the force
//! term made of them, of which it packs chosen ones anew, [`Links`] that of springs between particles, `angle_springs`
//! that of angles between springs; [`element_terms`] is the one place that chooses element, law and lane.

mod angle_springs;
mod block;
mod build;
mod build_error;
mod elements;
mod kernels;
mod links;
mod mass;
mod partition;
mod tangent_parts;

pub(crate) use angle_springs::AngleSprings;
pub use build::{ElementSet, InitialFields, Precision, element_terms};
pub use build_error::BuildError;
pub use elements::Elements;
pub use links::Links;
pub use mass::{consistent_mass_add, lumped_volumes, lumped_volumes_of};
