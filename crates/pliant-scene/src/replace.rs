//! Files that are there whole or not at all.

use std::fs::{self, File, Metadata};
use std::io::{self, BufWriter, Write};
use std::path::Path;

use crate::input_file::kind_of;

/// Writes `NAME.tmp` beside the file, then renames it; on an error, which names the file, the old one stays as it was.
///
/// A link is followed and an existing file's permissions are kept. What is no file (a pipe, a device, a folder) is refused:
/// opening it might wait for ever.
pub fn replace_file(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> io::Result<()> {
    // a file that a link leads to; a link to nowhere is replaced by the file
    let target = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let written = writable(&target).and_then(|before| replace(&target, before.as_ref(), write));
    written.map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", path.display())))
}

/// Makes a file that grows, or empties it; what is no file is refused.
pub(crate) fn create_output(path: &Path) -> io::Result<File> {
    writable(path)?;
    File::options().read(true).write(true).create(true).truncate(true).open(path)
}

/// What is known of the file that is to be written over, if there is one.
fn writable(path: &Path) -> io::Result<Option<Metadata>> {
    match fs::metadata(path) {
        Ok(about) if about.is_file() => Ok(Some(about)),
        Ok(about) => {
            let problem = format!("it is {}, not a file; choose another name", kind_of(about.file_type()));
            Err(io::Error::new(io::ErrorKind::InvalidInput, problem))
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
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
    let written = new_file(&temporary).and_then(|file| {
        if let Some(before) = before {
            file.set_permissions(before.permissions())?;
        }
        fill(file, write)
    });
    let renamed = written.and_then(|()| fs::rename(&temporary, path));
    if renamed.is_err() && fs::symlink_metadata(&temporary).is_ok_and(|about| about.is_file()) {
        // the first error is the one to report
        let _ = fs::remove_file(&temporary);
    }
    renamed
}

/// A file that was not there; one that a killed program left goes, but not what lies elsewhere behind a link.
fn new_file(path: &Path) -> io::Result<File> {
    let create = || File::options().write(true).create_new(true).open(path);
    match fs::symlink_metadata(path) {
        Ok(about) if about.is_file() => fs::remove_file(path).and_then(|()| create()),
        Ok(_) => {
            let problem = format!("{} is in the way and is no file; remove it", path.display());
            Err(io::Error::new(io::ErrorKind::AlreadyExists, problem))
        }
        Err(_) => create(),
    }
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
    #[test]
    #[cfg(unix)]
    fn pipes_devices_and_endless_links_are_refused_and_not_waited_for() {
        let folder = tempfile::tempdir().unwrap();
        let (pipe, round) = (folder.path().join("pipe"), folder.path().join("round"));
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let refused = |path: &Path| replace_file(path, |out| out.write_all(b"new")).unwrap_err().to_string();
        assert!(refused(&pipe).ends_with("pipe: it is a pipe, not a file; choose another name"));
        assert!(refused(Path::new("/dev/null")).contains("it is a device"));
        assert!(create_output(&pipe).is_err());
        // nor is one that stands where the new file is begun
        assert!(
            std::process::Command::new("mkfifo").arg(folder.path().join("a.tmp")).status().unwrap().success()
        );
        assert!(refused(&folder.path().join("a")).contains("a.tmp is in the way"));
        std::os::unix::fs::symlink(&round, &round).unwrap();
        assert!(refused(&round).contains("round: "));
    }
}
