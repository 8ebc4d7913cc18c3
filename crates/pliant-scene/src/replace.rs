//! Files that are there whole or not at all.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// Writes `NAME.tmp` beside the file, then renames it; on an error the old file stays as it was.
pub fn replace_file(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> io::Result<()> {
    let Some(name) = path.file_name() else {
        let problem = format!("{} does not name a file", path.display());
        return Err(io::Error::new(io::ErrorKind::InvalidInput, problem));
    };
    let mut temporary = name.to_owned();
    temporary.push(".tmp");
    let temporary = path.with_file_name(temporary);
    let written = File::create(&temporary).and_then(|file| {
        let mut writer = BufWriter::with_capacity(1 << 20, file);
        write(&mut writer)?;
        writer.flush()
    });
    let renamed = written.and_then(|()| fs::rename(&temporary, path));
    if renamed.is_err() {
        // the first error is the one to report
        let _ = fs::remove_file(&temporary);
    }
    renamed
}
