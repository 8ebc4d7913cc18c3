//! Methods that solve equations: Newmark and statics.
#![allow(clippy::unwrap_used)]

mod compliance;
mod far_away;
mod hands;
mod hands_at_rest;
mod mechanisms;
mod newmark;
mod reactions;
mod rigid_motions;
mod statics;
