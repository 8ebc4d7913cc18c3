//! A headless run: stepping, frames on another thread, tables, snapshots, the summary.

mod advice;
mod columns;
mod counters;
mod effort;
mod expectation;
mod finer;
mod folder;
mod following;
mod frame_files;
mod frames;
pub mod latency;
mod run_loop;
mod rungs;
mod summary;
mod tables;
mod trust;

pub use advice::help;
pub use expectation::Expectation;
pub use folder::{FolderUse, not_a_file};
pub use run_loop::{Outcome, RunLoop};
pub use summary::{Ending, Summary};
pub use trust::{Moment, Trust};
