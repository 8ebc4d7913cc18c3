//! What earlier runs left, told from what is somebody else's by the words that every file of ours begins with.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::SeriesKind;
use crate::input_file::{open_input, read_input};

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
            (SeriesKind::Gltf, "gltf") if is_our_gltf(&path) => remove_both(&path, "bin")?,
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

/// The files in a folder that bear names of a series' files, and were not written here.
pub fn strangers(kind: SeriesKind, folder: &Path, name: &str) -> io::Result<Vec<PathBuf>> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries?,
    };
    let mut found = Vec::new();
    for entry in entries {
        let path = entry?.path();
        let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        let single = stem == name;
        let numbered =
            is_numbered(&path) && stem.strip_prefix(name).is_some_and(|rest| rest.rfind('_') == Some(0));
        let ours = match (kind, extension) {
            (SeriesKind::Obj, "obj") | (SeriesKind::Ply, "ply") | (SeriesKind::Pov, "inc") if numbered => {
                is_ours(&path)
            }
            (SeriesKind::Pov, "pov") if single => is_ours(&path),
            // bytes carry no words: they belong to whom the text beside them belongs
            (SeriesKind::Pc2, "obj" | "pc2") if single => is_ours(&path.with_extension("obj")),
            (SeriesKind::Gltf, "gltf" | "bin") if single => is_our_gltf(&path.with_extension("gltf")),
            _ => true,
        };
        if !ours {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

fn is_our_gltf(path: &Path) -> bool {
    read_input(path).is_ok_and(|bytes| contains(&bytes, GLTF_MARK))
}

/// Whether a text that this program wrote stands there, told by its first words.
pub fn is_ours(path: &Path) -> bool {
    let mut head = Vec::new();
    let read = open_input(path).and_then(|file| file.take(128).read_to_end(&mut head));
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
