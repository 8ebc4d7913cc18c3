//! What the program and the page say to each other: docs/src/viewer-protocol.md.

pub mod command;
pub mod frame;
#[cfg(test)]
mod golden;
pub mod topology;

pub use command::{Command, Field, Message, Order, Wanted, parse};
