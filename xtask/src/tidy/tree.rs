//! The files of the repository as text, and what is wrong in them.

use anyhow::{Context, Result, bail};
use std::collections::BTreeSet;
use std::fmt;
use std::path::Path;
use std::process::Command;

/// A broken rule. Line 0 stands for the whole file.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Violation {
    pub file: String,
    pub line: usize,
    pub message: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => write!(f, "{}: {}", self.file, self.message),
            line => write!(f, "{}:{line}: {}", self.file, self.message),
        }
    }
}

/// A file; binary files have no text.
pub struct File {
    pub path: String,
    pub text: String,
}

impl File {
    pub fn has_extension(&self, extension: &str) -> bool {
        self.path.rsplit_once('.').is_some_and(|(_, end)| end == extension)
    }

    /// Lines with their number, from 1.
    pub fn lines(&self) -> impl Iterator<Item = (usize, &str)> {
        self.text.lines().enumerate().map(|(index, line)| (index + 1, line))
    }

    pub fn violation(&self, line: usize, message: impl Into<String>) -> Violation {
        Violation { file: self.path.clone(), line, message: message.into() }
    }
}

/// The files of the repository, with paths relative to its root.
#[derive(Default)]
pub struct Tree {
    files: Vec<File>,
    /// Files and the folders above them.
    paths: BTreeSet<String>,
}

impl Tree {
    /// The files that git tracks, or would if they were added.
    pub fn read(root: &Path) -> Result<Self> {
        let list = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
        let output = Command::new("git").args(list).current_dir(root).output().context("cannot start git")?;
        if !output.status.success() {
            bail!("git ls-files failed: {}", String::from_utf8_lossy(&output.stderr).trim());
        }
        let names = String::from_utf8_lossy(&output.stdout).into_owned();
        let mut tree = Self::default();
        for name in names.split('\0').filter(|name| !name.is_empty()) {
            // a file deleted but not yet committed is still listed
            let Ok(bytes) = std::fs::read(root.join(name)) else { continue };
            tree.add(name, String::from_utf8(bytes).unwrap_or_default());
        }
        Ok(tree)
    }

    /// A tree of given texts.
    #[cfg(test)]
    pub fn of(files: &[(&str, &str)]) -> Self {
        let mut tree = Self::default();
        for (path, text) in files {
            tree.add(path, (*text).to_owned());
        }
        tree
    }

    fn add(&mut self, path: &str, text: String) {
        let mut above = path;
        while let Some((folder, _)) = above.rsplit_once('/') {
            self.paths.insert(folder.to_owned());
            above = folder;
        }
        self.paths.insert(path.to_owned());
        self.files.push(File { path: path.to_owned(), text });
    }

    pub fn files(&self) -> &[File] {
        &self.files
    }

    pub fn with_extension(&self, extension: &'static str) -> impl Iterator<Item = &File> {
        self.files.iter().filter(move |file| file.has_extension(extension))
    }

    pub fn file(&self, path: &str) -> Option<&File> {
        self.files.iter().find(|file| file.path == path)
    }

    /// Whether a path relative to the root is a file or a folder.
    pub fn exists(&self, path: &str) -> bool {
        self.paths.contains(path)
    }
}

/// A path relative to a folder, with `.` and `..` resolved; `None` when it leaves the repository.
pub fn resolve(folder: &str, path: &str) -> Option<String> {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_resolve_inside_the_repository_only() {
        assert_eq!(resolve("docs/a", "../b.md").as_deref(), Some("docs/b.md"));
        assert_eq!(resolve("", "./b/").as_deref(), Some("b"));
        assert_eq!(resolve("docs", "../../x"), None);
    }
}
