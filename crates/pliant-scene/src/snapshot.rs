//! States on disk: save, load, continue with the same bits.
//!
//! Layout: the magic word, a version, the fingerprint of scene and meshes, the length of the
//! payload, the payload (postcard), and a checksum of all before it; numbers are little-endian.

use std::io;
use std::path::{Path, PathBuf};

use pliant_solid::State;
use serde::{Deserialize, Serialize};

use crate::hash::fnv1a;
use crate::input_file::{open_input, read_input};
use crate::replace::replace_file;

const MAGIC: &[u8; 8] = b"PLIANTSN";
const VERSION: u32 = 9;
const HEADER: usize = 8 + 4 + 8 + 8;

/// A state and how far its run had come.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Snapshot {
    /// The state.
    pub state: State,
    /// Frames written so far.
    pub frames: u64,
    /// Rows of `energy.csv` and `probes.csv` samples written so far.
    pub samples: u64,
    /// Rows of `contacts.csv` written so far.
    pub contact_rows: u64,
    /// When the next of those samples is due, s.
    pub next_sample: f64,
    /// What decides whether the run can be trusted.
    pub watched: Watched,
    /// Why bodies were frozen, in the order it happened.
    pub frozen_because: Vec<String>,
    /// Wall time spent so far, s.
    pub wall_s: f64,
    /// What the program has counted so far, in words of its own.
    pub counters: Vec<u8>,
}

/// What was seen on the way that decides whether a run can be trusted.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Watched {
    /// The most energy that drove the free nodes, J.
    pub driven: f64,
    /// How far the total energy had strayed at most, J.
    pub largest_drift: f64,
    /// How much energy had come from nowhere at most, J.
    pub largest_gain: f64,
    /// Steps whose forces were not balanced to their tolerance.
    pub unbalanced: u64,
    /// The largest relative residual of a step.
    pub worst_balance: f64,
    /// Steps whose linear equations were not solved to their tolerance.
    pub unsolved: u64,
    /// The largest residual of those.
    pub worst_unsolved: f64,
    /// The most elements of each body that were inside out at once, and when, s.
    pub inside_out: Vec<(u64, f64)>,
    /// Frames with values that are no finite numbers.
    pub unsound_frames: u64,
}

/// Why a snapshot cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum SnapshotError {
    /// It cannot be read or written.
    #[error("{source}")]
    File {
        /// Which file.
        file: PathBuf,
        /// Why; it names the file.
        source: io::Error,
    },
    /// It is not a snapshot, or damaged.
    #[error("{file}: {what}; run without --resume to start anew", file = file.display())]
    Content {
        /// Which file.
        file: PathBuf,
        /// What is wrong.
        what: &'static str,
    },
    /// It was made from another scene or mesh.
    #[error("{file}: this snapshot was made from another scene or mesh; undo the change, or run without --resume to start anew", file = file.display())]
    Foreign {
        /// Which file.
        file: PathBuf,
    },
}

/// Writes a snapshot; the old one stays until the new one is complete.
pub fn save(path: &Path, fingerprint: u64, snapshot: &Snapshot) -> Result<(), SnapshotError> {
    let fault = |source| SnapshotError::File { file: path.to_path_buf(), source };
    let mut bytes = Vec::new();
    bytes.extend(MAGIC);
    bytes.extend(VERSION.to_le_bytes());
    bytes.extend(fingerprint.to_le_bytes());
    bytes.extend([0; 8]);
    // behind the head and not beside it: a large state is held twice already
    let mut bytes = postcard::to_extend(snapshot, bytes).map_err(|e| fault(io::Error::other(e)))?;
    let length = (bytes.len() - HEADER) as u64;
    bytes[HEADER - 8..HEADER].copy_from_slice(&length.to_le_bytes());
    bytes.extend(fnv1a(&bytes).to_le_bytes());
    replace_file(path, |file| io::Write::write_all(file, &bytes)).map_err(fault)
}

/// Whether a file is a snapshot of Pliant, of whatever version.
pub fn is_snapshot(path: &Path) -> bool {
    let mut head = [0; MAGIC.len()];
    let read = open_input(path).and_then(|mut file| io::Read::read_exact(&mut file, &mut head));
    read.is_ok() && head == *MAGIC
}

/// Reads a snapshot of the scene with this fingerprint.
pub fn load(path: &Path, fingerprint: u64) -> Result<Snapshot, SnapshotError> {
    let file = path.to_path_buf();
    let bytes = read_input(path).map_err(|error| {
        let source = io::Error::new(error.kind(), format!("{}: {error}", path.display()));
        SnapshotError::File { file: file.clone(), source }
    })?;
    let fault = |what| SnapshotError::Content { file: file.clone(), what };
    let number = |at: usize| -> u64 {
        bytes.get(at..at + 8).map_or(0, |b| u64::from_le_bytes(std::array::from_fn(|i| b[i])))
    };
    if bytes.len() < HEADER + 8 || bytes[..8] != *MAGIC {
        return Err(fault("this is not a Pliant snapshot"));
    }
    if bytes[8..12] != VERSION.to_le_bytes() {
        return Err(fault("this snapshot is of another version of Pliant"));
    }
    if number(20) != (bytes.len() - HEADER - 8) as u64
        || number(bytes.len() - 8) != fnv1a(&bytes[..bytes.len() - 8])
    {
        return Err(fault("the snapshot is damaged"));
    }
    if number(12) != fingerprint {
        return Err(SnapshotError::Foreign { file });
    }
    postcard::from_bytes(&bytes[HEADER..bytes.len() - 8]).map_err(|_| fault("the snapshot is damaged"))
}
