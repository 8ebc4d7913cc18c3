//! What stands in the output folder already: an earlier run is replaced and told, files that merely bear our names are not touched.

use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};

use pliant_scene::mesh_file::series::{SeriesKind, is_ours, strangers};
use pliant_scene::snapshot::is_snapshot;
use pliant_scene::spec::Format;
use pliant_scene::{Compiled, read_text};
use serde_json::Value;

use super::frame_files::name_of_all;
use super::tables::{TABLES, is_table, written};

/// The snapshot's file name.
pub(super) const SNAPSHOT: &str = "snapshot.pliant";
/// The summary's file name.
const SUMMARY: &str = "summary.json";
/// No more of them are named.
const MOST_NAMED: usize = 3;

/// What a run may do with its folder.
#[derive(Clone, Copy, Debug, Default)]
pub struct FolderUse {
    /// Go on from the snapshot there.
    pub resume: bool,
    /// Write over files that no run of Pliant wrote.
    pub overwrite: bool,
}

/// Results are many files and go into a folder.
pub fn not_a_file(folder: &Path) -> Result<(), String> {
    if folder.exists() && !folder.is_dir() {
        let beside = folder.with_extension("");
        let other = if beside == folder { folder.with_extension("out") } else { beside };
        return Err(format!(
            "{}: -o names the folder that results go into, and this is a file; use another name, such as -o {}",
            folder.display(),
            other.display()
        ));
    }
    Ok(())
}

/// Takes a folder for this run alone; `None` where the system has no locks for folders.
pub fn lock(folder: &Path) -> Result<Option<File>, String> {
    let Ok(handle) = File::open(folder) else { return Ok(None) };
    match handle.try_lock() {
        Err(TryLockError::WouldBlock) => Err(format!(
            "{}: another run is writing there; wait for it, or choose another folder with -o",
            folder.display()
        )),
        _ => Ok(Some(handle)),
    }
}

/// Refuses a folder whose files would be lost; tells which earlier run is replaced, if any.
pub fn look(
    compiled: &Compiled,
    folder: &Path,
    name: &str,
    options: FolderUse,
) -> Result<Option<String>, String> {
    let found = foreign(compiled, folder, name).map_err(|e| format!("{}: {e}", folder.display()))?;
    if !found.is_empty() && !options.overwrite {
        let named: Vec<String> =
            found.iter().take(MOST_NAMED).map(|path| path.display().to_string()).collect();
        let more = match found.len().saturating_sub(MOST_NAMED) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let (stands, them) = if found.len() == 1 { ("stands", "it") } else { ("stand", "them") };
        return Err(format!(
            "{}{more} {stands} where results of this run go, and Pliant did not write {them}; choose another folder with -o, \
             move {them} away, or run with --overwrite",
            named.join(", ")
        ));
    }
    Ok(earlier_run(folder))
}

/// One sentence on the run that has left its results here.
fn earlier_run(folder: &Path) -> Option<String> {
    let what = match summary(&folder.join(SUMMARY)) {
        Some(summary) => format!(
            "an earlier run of {} ({} at t = {} s)",
            summary["scene"].as_str().unwrap_or("a scene"),
            summary["status"].as_str().unwrap_or("ended"),
            summary["simulated_s"]
        ),
        None if is_snapshot(&folder.join(SNAPSHOT)) => {
            "an earlier run that was cut off, and could go on with --resume".to_owned()
        }
        None if TABLES.iter().any(|(name, _)| folder.join(name).exists()) => {
            "an earlier run that was cut off".to_owned()
        }
        None => return None,
    };
    // a terminal must not take a name for a command
    let what: String = what.chars().filter(|c| !c.is_control()).collect();
    Some(format!("{}: this run replaces {what}", folder.display()))
}

/// A summary that a run of Pliant wrote.
fn summary(path: &Path) -> Option<Value> {
    let value: Value = serde_json::from_str(&read_text(path).ok()?).ok()?;
    let ours = ["status", "simulated_s", "steps", "simd"].iter().all(|key| !value[key].is_null());
    ours.then_some(value)
}

/// Files that this run would write over and that no run of Pliant wrote.
fn foreign(compiled: &Compiled, folder: &Path, name: &str) -> std::io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut unless = |ours: fn(&Path) -> bool, file: PathBuf| {
        if fs::symlink_metadata(&file).is_ok() && !ours(&file) {
            found.push(file);
        }
    };
    unless(|path| summary(path).is_some(), folder.join(SUMMARY));
    unless(is_snapshot, folder.join(SNAPSHOT));
    for (table, _) in written(compiled) {
        unless(is_table, folder.join(table));
    }
    if compiled.frames_per_second <= 0.0 {
        return Ok(found);
    }
    let bodies: Vec<&str> = compiled.model.layout().bodies().iter().map(|body| body.name.as_str()).collect();
    if compiled.formats.contains(&Format::Vtu) {
        unless(is_ours, folder.join(format!("{name}.pvd")));
        unless(is_ours, folder.join(format!("{name}_surfaces.pvd")));
        for files in ["frames", "surfaces"] {
            let frames = vtu_frames(&folder.join(files), &bodies)?;
            frames.into_iter().for_each(|frame| unless(is_ours, frame));
        }
    }
    let kinds = compiled.formats.iter().filter_map(|format| format.series());
    for kind in kinds.collect::<Vec<SeriesKind>>() {
        for body in &bodies {
            found.extend(strangers(kind, &folder.join(kind.word()), body)?);
        }
        if kind == SeriesKind::Pov && bodies.len() > 1 {
            found.extend(strangers(kind, &folder.join(kind.word()), &name_of_all(&bodies))?);
        }
    }
    Ok(found)
}

/// The files of a folder that are called as frames of these bodies are.
fn vtu_frames(folder: &Path, bodies: &[&str]) -> std::io::Result<Vec<PathBuf>> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries?,
    };
    let mut found = Vec::new();
    for entry in entries {
        let path = entry?.path();
        let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        let vtu = path.extension().is_some_and(|ending| ending == "vtu");
        let numbered = stem.rsplit_once('_').is_some_and(|(body, digits)| {
            bodies.contains(&body) && digits.len() >= 6 && digits.bytes().all(|b| b.is_ascii_digit())
        });
        if vtu && numbered {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}
