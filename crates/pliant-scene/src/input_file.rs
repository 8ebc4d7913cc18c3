//! The one door by which files come in: what has no end, or is larger than anything meant, is refused before it is opened.

use std::fs::{self, File, FileType, Metadata, OpenOptions};
use std::io::{self, Read};
use std::path::Path;

/// Opens a regular file to read; a pipe, a device, a folder or an endless link is an error, never a wait.
pub fn open_input(path: &Path) -> io::Result<File> {
    regular(path)?;
    File::open(path)
}

/// Opens a regular file that is there already to read and write.
pub fn open_to_change(path: &Path) -> io::Result<File> {
    regular(path)?;
    OpenOptions::new().read(true).write(true).open(path)
}

/// All bytes of a regular file.
pub fn read_input(path: &Path) -> io::Result<Vec<u8>> {
    read_at_most(path, u64::MAX)
}

/// All bytes of a regular file of at most so many.
pub fn read_at_most(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let length = regular(path)?.len();
    let too_large = || {
        let problem = format!("it has more than the {most} bytes that are read of such a file");
        io::Error::new(io::ErrorKind::FileTooLarge, problem)
    };
    if length > most {
        return Err(too_large());
    }
    let mut bytes = Vec::new();
    // a file that is larger than memory is an error, not an end of the program
    bytes.try_reserve_exact(usize::try_from(length).unwrap_or(usize::MAX)).map_err(|_| {
        let problem = format!("its {length} bytes do not fit into memory");
        io::Error::new(io::ErrorKind::OutOfMemory, problem)
    })?;
    // it may grow while it is read
    File::open(path)?.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most { Err(too_large()) } else { Ok(bytes) }
}

/// The text of a regular file.
pub fn read_text(path: &Path) -> io::Result<String> {
    String::from_utf8(read_input(path)?)
        .map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "it is not UTF-8 text"))
}

/// What is known of a file that can be read to its end.
fn regular(path: &Path) -> io::Result<Metadata> {
    let about = fs::metadata(path)?;
    if about.is_file() {
        return Ok(about);
    }
    let what = kind_of(about.file_type());
    let problem = format!("it is {what}, not a file; save what it holds as a file first");
    let problem = if about.is_dir() { format!("it is {what}, not a file") } else { problem };
    Err(io::Error::new(io::ErrorKind::InvalidInput, problem))
}

/// What stands there instead of a file, in words.
#[cfg(unix)]
pub(crate) fn kind_of(kind: FileType) -> &'static str {
    use std::os::unix::fs::FileTypeExt;
    match kind {
        kind if kind.is_dir() => "a folder",
        kind if kind.is_fifo() => "a pipe",
        kind if kind.is_socket() => "a socket",
        _ => "a device",
    }
}

/// What stands there instead of a file, in words.
#[cfg(not(unix))]
pub(crate) fn kind_of(kind: FileType) -> &'static str {
    if kind.is_dir() { "a folder" } else { "a device" }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_file_that_is_too_large_is_refused_before_it_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        fs::write(&path, "four").unwrap();
        assert_eq!(read_at_most(&path, 4).unwrap(), b"four");
        assert_eq!(read_at_most(&path, 3).unwrap_err().kind(), io::ErrorKind::FileTooLarge);
        assert_eq!(read_input(folder.path()).unwrap_err().to_string(), "it is a folder, not a file");
        // a hole of a petabyte: no memory is asked for it but in vain
        let hole = File::create(&path).unwrap();
        if hole.set_len(1 << 50).is_ok() {
            assert_eq!(read_at_most(&path, 1 << 20).unwrap_err().kind(), io::ErrorKind::FileTooLarge);
        }
    }

    #[test]
    #[cfg(unix)]
    fn what_has_no_end_is_an_error_and_no_wait() {
        let folder = tempfile::tempdir().unwrap();
        let (pipe, round) = (folder.path().join("pipe"), folder.path().join("round"));
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        std::os::unix::fs::symlink(&round, &round).unwrap();
        for path in [pipe.as_path(), &round, Path::new("/dev/zero"), Path::new("/dev/tty")] {
            assert!(read_input(path).is_err() && open_input(path).is_err(), "{}", path.display());
            assert!(open_to_change(path).is_err(), "{}", path.display());
        }
        assert!(read_input(&pipe).unwrap_err().to_string().starts_with("it is a pipe, not a file"));
    }
}
