//! A published state, encoded when a page wants it.

use bytes::Bytes;

use crate::server::wire::Field;

/// One published state of the simulation.
pub struct Picture {}

impl Picture {
    /// Its number.
    pub fn number(&self) -> u32 {
        0
    }

    /// The hash of what does not change while the scene runs.
    pub fn topology_hash(&self) -> u64 {
        0
    }

    /// The topology, encoded.
    pub fn topology(&self) -> Bytes {
        Bytes::new()
    }

    /// The frame with a field, encoded once for all pages; this may take some milliseconds.
    pub fn bytes(&self, field: Field) -> Bytes {
        let _ = field;
        Bytes::new()
    }
}
