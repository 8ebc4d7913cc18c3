//! `target/web`, where the page is made: a copy of `web` with `node_modules` and `dist`, shared by all profiles.
//!
//! Stamps with hashes say what was done, so that a second profile finds the page ready; a lock lets one process work
//! at a time. Also used by `cargo xtask test`, whose checks run here.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use super::node::Tools;

/// What the page is made of. Cargo cannot be asked to watch for what is not there yet, so the list is fixed:
/// a test demands that a new entry of `web` stands here or beside the page, and cargo notices the change of this file.
const PAGE: [&str; 6] =
    ["index.html", "package-lock.json", "package.json", "src", "tsconfig.json", "vite.config.js"];
/// What is made here or by a developer's own npm, and never copied.
const MADE: [&str; 4] = ["node_modules", "dist", "screenshots", "compiled"];
const LOCK: &str = ".lock";
const INSTALLED: &str = ".installed";
const BUILT: &str = ".built";

/// The folder, locked while this lives.
pub struct Workshop {
    folder: PathBuf,
    _lock: File,
}

/// A piece of work that is done when its product is there and its file holds the hash of what it was made from.
struct Stamp {
    name: &'static str,
    product: PathBuf,
    hash: String,
}

impl Workshop {
    /// Waits for its turn and brings the copy of `web` up to date.
    pub fn open(web: &Path, target: &Path) -> Result<Self, String> {
        if !web.join("package-lock.json").is_file() {
            return Err(format!("{} has no package-lock.json;\nget the whole repository", web.display()));
        }
        let folder = target.join("web");
        let begin = || -> io::Result<File> {
            fs::create_dir_all(&folder)?;
            let lock = File::create(folder.join(LOCK))?;
            lock.lock()?;
            mirror(web, &folder)?;
            Ok(lock)
        };
        let lock = begin().map_err(|e| format!("{} cannot be written: {e}", folder.display()))?;
        Ok(Self { folder, _lock: lock })
    }

    /// Where it is.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Where the page is once it is built.
    fn dist(&self) -> PathBuf {
        self.folder.join("dist")
    }

    /// Installs packages if the lists of them have changed since the last success.
    pub fn install(&self, tools: &Tools) -> Result<(), String> {
        let lists = ["package.json", "package-lock.json"].map(|name| self.folder.join(name));
        let hash = self.hash(&lists)?;
        let stamp = Stamp { name: INSTALLED, product: self.folder.join("node_modules"), hash };
        self.once(&stamp, || tools.install(&self.folder))
    }

    /// Builds the page if anything it is made of has changed since the last success.
    pub fn build(&self, tools: &Tools) -> Result<(), String> {
        let files = files_under(&parts_of_page(&self.folder));
        let hash =
            self.hash(&files.map_err(|e| format!("{} cannot be read: {e}", self.folder.display()))?)?;
        let stamp = Stamp { name: BUILT, product: self.dist().join("index.html"), hash };
        self.once(&stamp, || tools.bundle(&self.folder))
    }

    /// Does what the stamp does not say is done.
    fn once(&self, stamp: &Stamp, work: impl FnOnce() -> Result<(), String>) -> Result<(), String> {
        let file = self.folder.join(stamp.name);
        if stamp.product.exists() && fs::read_to_string(&file).is_ok_and(|old| old == stamp.hash) {
            return Ok(());
        }
        // gone while the work lasts, so that half of it is never taken for the whole
        let _ = fs::remove_file(&file);
        work()?;
        fs::write(&file, &stamp.hash).map_err(|e| format!("{} cannot be written: {e}", file.display()))
    }

    /// FNV-1a of 64 bits over names and contents.
    fn hash(&self, files: &[PathBuf]) -> Result<String, String> {
        let mut hash = 0xcbf2_9ce4_8422_2325_u64;
        let mut add = |bytes: &[u8]| {
            for byte in (bytes.len() as u64).to_le_bytes().iter().chain(bytes) {
                hash = (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
            }
        };
        for file in files {
            let name = file.strip_prefix(&self.folder).unwrap_or(file);
            add(name.to_string_lossy().as_bytes());
            add(&fs::read(file).map_err(|e| format!("{} cannot be read: {e}", file.display()))?);
        }
        Ok(format!("{hash:016x}"))
    }
}

/// The files and folders directly in `web` that the page is made of, sorted.
pub fn parts_of_page(web: &Path) -> [PathBuf; 6] {
    PAGE.map(|name| web.join(name))
}

/// The folder that cargo builds into, whichever profile and platform: the marked one above a path.
pub fn target_folder(inside: &Path) -> Option<&Path> {
    let marks = ["CACHEDIR.TAG", ".rustc_info.json"];
    inside.ancestors().find(|folder| marks.iter().any(|mark| folder.join(mark).exists()))
}

/// All files in these files and folders, sorted.
fn files_under(paths: &[PathBuf]) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for path in paths {
        if path.is_dir() {
            files.extend(files_under(&entries(path)?)?);
        } else {
            files.push(path.clone());
        }
    }
    Ok(files)
}

/// Makes `copy` the same as `source`, but for what is made in either; files that are the same keep their time.
fn mirror(source: &Path, copy: &Path) -> io::Result<()> {
    fs::create_dir_all(copy)?;
    let theirs = |path: &PathBuf| {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        !MADE.contains(&name.as_str()) && !name.starts_with('.')
    };
    for path in entries(copy)?.iter().filter(|path| theirs(path)) {
        let original = path.file_name().map(|name| source.join(name));
        if original.is_some_and(|original| original.exists() && original.is_dir() == path.is_dir()) {
            continue;
        }
        if path.is_dir() { fs::remove_dir_all(path)? } else { fs::remove_file(path)? }
    }
    for path in entries(source)?.iter().filter(|path| theirs(path)) {
        let Some(name) = path.file_name() else { continue };
        let to = copy.join(name);
        if path.is_dir() {
            mirror(path, &to)?;
            continue;
        }
        let bytes = fs::read(path)?;
        if fs::read(&to).ok().as_ref() != Some(&bytes) {
            fs::write(&to, bytes)?;
        }
    }
    Ok(())
}

/// What a folder holds, sorted.
fn entries(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut paths =
        fs::read_dir(folder)?.map(|entry| entry.map(|e| e.path())).collect::<io::Result<Vec<_>>>()?;
    paths.sort();
    Ok(paths)
}

#[cfg(test)] // run by xtask, which shares this file
#[path = "workshop_tests.rs"]
mod tests;
