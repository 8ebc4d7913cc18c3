//! The cases of `pliant verify` and the ids of `pliant reproduce`, one file each.
//!
//! [`verify`] compares runs of this program with numbers that others made: closed forms, published values,
//! independent codes. [`reproduce`] makes the tables and figures of the papers anew. Both take every number of
//! ours from a run at the time of the call; nothing is stored.

mod block_statics;
pub mod case;
mod error;
mod hanging_bar;
pub mod impact;
mod lowest_modes;
mod measure;
mod mode_rows;
mod modes;
mod motions;
mod patch;
mod reference;
pub mod reproduce;
mod rest;
mod specimen;
pub mod verify;

pub use error::CaseError;
