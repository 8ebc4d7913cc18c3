//! The viewer's server: a simulation that never waits, and the network side that shows it.
//!
//! `live` owns the world, in a thread of its own, and publishes its latest state; `http` serves the page, the topology
//! and the stream on loopback; `wire` is what both say to the page (docs/src/viewer-protocol.md).

mod gallery;
mod http;
mod live;
#[cfg(test)]
mod unread;
mod wire;

pub use gallery::{gallery, gallery_ids, gallery_scene};
pub use http::{serve, tell_missing_page};
pub use live::Live;
