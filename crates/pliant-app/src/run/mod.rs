//! A headless run: stepping, frames on another thread, tables, snapshots, the summary.

mod frames;
pub mod latency;
mod session;
mod summary;
mod tables;

pub use session::{Outcome, Session};
pub use summary::Summary;
