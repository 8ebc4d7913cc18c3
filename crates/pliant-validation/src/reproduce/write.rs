//! The files of a reproduction: JSON and SVG for each id, one page for all.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use pliant_scene::replace_file;

use super::page::page;
use super::{FIGURES, Reproduction};
use crate::CaseError;

/// Writes `ID.json`, `ID.svg` and `index.html`, each whole or not at all; gives their paths.
pub fn write(all: &[Reproduction], folder: &Path) -> Result<Vec<PathBuf>, CaseError> {
    let failed = |file: &Path, source| CaseError::Write { file: file.display().to_string(), source };
    fs::create_dir_all(folder).map_err(|e| failed(folder, e))?;
    let mut files = Vec::new();
    for one in all {
        let json = serde_json::to_string_pretty(one).map_err(|e| failed(folder, e.into()))?;
        files.push((folder.join(format!("{}.json", one.id)), json + "\n"));
        files.push((folder.join(format!("{}.svg", one.id)), one.svg.clone()));
    }
    let earlier =
        |id: &&str| all.iter().all(|one| one.id != *id) && folder.join(format!("{id}.svg")).exists();
    let earlier: Vec<&str> = FIGURES.iter().map(|figure| figure.id).filter(earlier).collect();
    files.push((folder.join("index.html"), page(all, &earlier)));
    for (path, content) in &files {
        // the error names the file
        replace_file(path, |out| out.write_all(content.as_bytes())).map_err(|e| failed(folder, e))?;
    }
    Ok(files.into_iter().map(|(path, _)| path).collect())
}
