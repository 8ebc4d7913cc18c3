//! From elements to global vectors and matrices.
//!
//! `partition` cuts the elements into fixed
//! parts with private buffers; `block` holds the kernels over lanes; `chosen` packs some elements anew; [`Elements`] is the force
//! term made of them, [`Links`] that of springs between particles; [`element_terms`] is the one place that chooses element, law and lane.

mod block;
mod build;
mod chosen;
mod elements;
mod links;
mod mass;
mod partition;
mod tangent_parts;

pub use build::{BuildError, ElementSet, InitialFields, Precision, element_terms};
pub use elements::Elements;
pub use links::Links;
pub use mass::{consistent_mass_add, lumped_volumes, lumped_volumes_of};
