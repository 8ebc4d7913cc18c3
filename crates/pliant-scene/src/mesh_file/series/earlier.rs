//! What earlier runs left, told from what is somebody else's by the words that every file of ours begins with.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use super::SeriesKind;

/// In the first bytes of every text that a series writes.
const MARK: &[u8] = b"written by Pliant";

/// In a glTF document, somewhere.
const GLTF_MARK: &[u8] = b"\"generator\":\"Pliant\"";

/// Deletes the files that series of this kind left in a folder; others stay.
pub fn clear_series(kind: SeriesKind, folder: &Path) -> io::Result<()> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        entries => entries?,
    };
    for entry in entries {
        let path = entry?.path();
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        match (kind, extension) {
            (SeriesKind::Obj, "obj") | (SeriesKind::Ply, "ply") | (SeriesKind::Pov, "inc")
                if is_numbered(&path) && is_ours(&path) =>
            {
                fs::remove_file(&path)?;
            }
            (SeriesKind::Pov, "pov") if is_ours(&path) => fs::remove_file(&path)?,
            // bytes carry no words: they go with the text beside them
            (SeriesKind::Pc2, "obj") if path.with_extension("pc2").exists() && is_ours(&path) => {
                remove_both(&path, "pc2")?;
            }
            (SeriesKind::Gltf, "gltf") if contains(&fs::read(&path)?, GLTF_MARK) => {
                remove_both(&path, "bin")?
            }
            _ => {}
        }
    }
    Ok(())
}

/// Whether a name ends as those of frames do; a mesh that was converted has another.
fn is_numbered(path: &Path) -> bool {
    let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    let digits = stem.rsplit('_').next().unwrap_or_default();
    digits.len() >= 6 && digits.len() < stem.len() && digits.bytes().all(|b| b.is_ascii_digit())
}

/// Whether a text of a series of ours stands there.
pub(super) fn is_ours(path: &Path) -> bool {
    let mut head = Vec::new();
    let read = File::open(path).and_then(|file| file.take(128).read_to_end(&mut head));
    read.is_ok() && contains(&head, MARK)
}

fn contains(bytes: &[u8], mark: &[u8]) -> bool {
    bytes.windows(mark.len()).any(|window| window == mark)
}

fn remove_both(text: &Path, other: &str) -> io::Result<()> {
    match fs::remove_file(text.with_extension(other)) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    fs::remove_file(text)
}
