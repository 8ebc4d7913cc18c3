//! The tests of this crate that need no allocator of their own, in one program: every further one would be linked with
//! everything again.
#![allow(clippy::unwrap_used, missing_docs)]

mod contact_follows_theory;
mod every_case_can_fail;
mod every_case_passes;
mod figures_follow_theory;
mod heads_follow_theory;
mod orders_follow_theory;
mod readme_table;
mod springs_follow_theory;
mod steps_follow_theory;
mod tets_beat_metis;
mod warp_follows_theory;
