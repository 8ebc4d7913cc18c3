//! Methods that solve equations: Newmark and statics.
#![allow(clippy::unwrap_used)]

#[path = "../support/mod.rs"]
mod support;

mod newmark;
mod rigid_motions;
mod statics;
