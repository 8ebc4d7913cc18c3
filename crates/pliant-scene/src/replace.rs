//! Files that are there whole or not at all.

use std::fs::{self, File, Metadata};
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// Writes `NAME.tmp` beside the file, then renames it; on an error, which names the file, the old one stays as it was.
///
/// A link is followed, an existing file's permissions are kept, and what is no file (a device, a pipe) is written to as it is.
pub fn replace_file(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> io::Result<()> {
    // a file that a link leads to; a link to nowhere is replaced by the file
    let target = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let before = fs::metadata(&target).ok();
    let written = match &before {
        Some(other) if !other.is_file() && !other.is_dir() => {
            File::create(&target).and_then(|file| fill(file, write))
        }
        _ => replace(&target, before.as_ref(), write),
    };
    written.map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", path.display())))
}

fn replace(
    path: &Path,
    before: Option<&Metadata>,
    write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> io::Result<()> {
    let Some(name) = path.file_name() else {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "this does not name a file"));
    };
    let mut temporary = name.to_owned();
    temporary.push(".tmp");
    let temporary = path.with_file_name(temporary);
    let written = File::create(&temporary).and_then(|file| {
        if let Some(before) = before.filter(|before| before.is_file()) {
            file.set_permissions(before.permissions())?;
        }
        fill(file, write)
    });
    let renamed = written.and_then(|()| fs::rename(&temporary, path));
    if renamed.is_err() {
        // the first error is the one to report
        let _ = fs::remove_file(&temporary);
    }
    renamed
}

fn fill(file: File, write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>) -> io::Result<()> {
    let mut writer = BufWriter::with_capacity(1 << 20, file);
    write(&mut writer)?;
    writer.flush()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    #[cfg(unix)]
    fn links_are_followed_and_permissions_kept() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("file"), folder.path().join("link"));
        fs::write(&file, "old").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
        symlink(&file, &link).unwrap();
        replace_file(&link, |out| out.write_all(b"new")).unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read_to_string(&file).unwrap(), "new");
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "nothing else is left");
    }

    #[test]
    fn an_error_names_the_file_and_leaves_the_old_one() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        fs::write(&file, "old").unwrap();
        let error = replace_file(&file, |_| Err(io::Error::other("no more ink"))).unwrap_err();
        assert_eq!(error.to_string(), format!("{}: no more ink", file.display()));
        assert_eq!(fs::read_to_string(&file).unwrap(), "old");
        assert!(
            replace_file(&folder.path().join("no/such"), |_| Ok(()))
                .unwrap_err()
                .to_string()
                .contains("such")
        );
    }
}
