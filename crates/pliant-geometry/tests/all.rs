//! The tests of this crate that need no allocator of their own, in one program: every further one would be linked with
//! everything again.
#![allow(clippy::unwrap_used, missing_docs)]

mod box_meshes;
mod broad_phase;
mod embedding;
mod extract;
mod hanging_surface;
mod merge;
mod quality_report;
mod repair;
mod shapes;
mod surface_check;
mod triangle_solid;
mod weak_joints;
