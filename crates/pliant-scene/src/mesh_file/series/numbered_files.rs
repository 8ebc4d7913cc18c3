//! Files NAME_000000.ext, NAME_000001.ext, ...: one a frame.

use std::fs;
use std::io;
use std::path::PathBuf;

use super::earlier::is_ours;
use super::{SeriesPlace, not_resumable};

/// A row of files.
pub(super) struct NumberedFiles {
    folder: PathBuf,
    name: String,
    extension: &'static str,
    /// The number of the next frame.
    pub next: u64,
}

impl NumberedFiles {
    /// The files that are kept; those of later frames are deleted.
    pub fn open(place: &SeriesPlace, extension: &'static str) -> io::Result<Self> {
        let (folder, name) = (place.folder.to_owned(), place.name.to_owned());
        let files = Self { folder, name, extension, next: place.kept_frames };
        for number in 0..place.kept_frames {
            let path = files.path(number);
            if !path.is_file() {
                let kept = place.kept_frames;
                return Err(not_resumable(&path, format!("missing, but {kept} frames should be there")));
            }
        }
        for entry in fs::read_dir(&files.folder)? {
            let entry = entry?;
            let number = entry.file_name().to_str().and_then(|file| files.number(file));
            let later = number.is_some_and(|number| number >= place.kept_frames);
            if later && is_ours(&entry.path()) {
                fs::remove_file(entry.path())?;
            }
        }
        Ok(files)
    }

    /// The file of a frame.
    pub fn path(&self, number: u64) -> PathBuf {
        self.folder.join(format!("{}_{number:06}.{}", self.name, self.extension))
    }

    /// The frame that a file of this series shows.
    fn number(&self, file: &str) -> Option<u64> {
        let digits = file.strip_prefix(&self.name)?.strip_prefix('_')?;
        let digits = digits.strip_suffix(self.extension)?.strip_suffix('.')?;
        let number = digits.parse().ok()?;
        // only names that this series gives
        (format!("{number:06}") == digits).then_some(number)
    }
}
