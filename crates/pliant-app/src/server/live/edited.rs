//! Whether the file of the scene is another one than when it was read: cheap enough to ask every second.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

/// How often the file is looked at.
const EVERY: Duration = Duration::from_secs(1);

/// A file as it was when it was read.
pub struct Watched {
    path: PathBuf,
    stamp: Option<Stamp>,
    looked_at: Instant,
}

/// What changes when somebody writes a file.
type Stamp = (SystemTime, u64);

impl Watched {
    /// The file as it is now, which is just before it is read.
    pub fn new(path: &Path) -> Self {
        Self { path: path.to_path_buf(), stamp: stamp(path), looked_at: Instant::now() }
    }

    /// Whether it is another one now; none where it was looked at a moment ago, or is not there while an editor replaces it.
    pub fn look(&mut self) -> Option<bool> {
        if self.looked_at.elapsed() < EVERY {
            return None;
        }
        self.looked_at = Instant::now();
        Some(stamp(&self.path)? != self.stamp?)
    }
}

fn stamp(path: &Path) -> Option<Stamp> {
    let metadata = std::fs::metadata(path).ok()?;
    Some((metadata.modified().ok()?, metadata.len()))
}
