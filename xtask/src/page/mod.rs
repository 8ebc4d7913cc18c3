//! The stages of `cargo xtask test` about the viewer's page: its types, its unit tests, and its tests in a browser.
//!
//! They run in `target/web`, the same copy of `web` in which the build script makes the page, so that packages are installed once.

pub mod machine;
#[allow(dead_code)] // the build script uses the rest
#[path = "../../../crates/pliant-app/build/page/node.rs"]
mod node;
#[allow(dead_code)]
#[path = "../../../crates/pliant-app/build/page/workshop.rs"]
mod workshop;

use crate::venv;
use anyhow::{Context, Result, anyhow, bail};
use machine::Installing;
use node::Tools;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;
use workshop::Workshop;

/// Where TypeScript's output of `web/browser` goes.
const COMPILED: &str = "compiled/browser";

/// Finds Node, Chromium and Python before anything long starts, and installs what this machine lacks where it may.
pub fn prepare(root: &Path, installing: Installing) -> Result<()> {
    machine::provide(&machine::look(venv::python(root).exists()), installing)?;
    tools()?;
    let chromium = machine::chromium()?;
    println!("{}", chromium.display());
    Ok(())
}

/// Types and unit tests of the page.
pub fn check(root: &Path) -> Result<()> {
    let workshop = fresh_copy(root)?;
    let folder = workshop.folder();
    let npm = if cfg!(windows) { "npm.cmd" } else { "npm" };
    finish(Command::new(npm).args(["run", "--silent", "check"]).current_dir(folder))?;
    finish(Command::new(npm).args(["test", "--silent"]).current_dir(folder))
}

/// The tests in a real browser, with the program of the dev profile.
pub fn browse(root: &Path) -> Result<()> {
    let workshop = fresh_copy(root)?;
    let folder = workshop.folder();
    let tests = compiled_tests(folder)?;
    let program = std::env::current_exe()?.with_file_name(format!("pliant{}", std::env::consts::EXE_SUFFIX));
    let mut node = Command::new("node");
    // one after the other: a page drawn in software needs a whole core
    node.args(["--test", "--test-concurrency=1", "--test-timeout=180000", "--test-reporter=spec"])
        .args(&tests);
    node.env("PLIANT_PROGRAM", program)
        .env("PLIANT_CHROMIUM", machine::chromium()?)
        .env("PLIANT_SCREENSHOTS", folder.join("screenshots"));
    finish(node.current_dir(folder))
}

fn tools() -> Result<Tools> {
    node::find().map_err(|text| anyhow!(text))
}

/// `target/web` with today's files and packages, which nobody else changes while this lives.
fn fresh_copy(root: &Path) -> Result<Workshop> {
    let program = std::env::current_exe()?;
    let target = workshop::target_folder(&program)
        .with_context(|| format!("{} lies in no target folder", program.display()))?;
    let workshop = Workshop::open(&root.join("web"), target).map_err(|text| anyhow!(text))?;
    workshop.install(&tools()?).map_err(|text| anyhow!(text))?;
    Ok(workshop)
}

/// Compiles `web/browser` and lists its tests, sorted.
fn compiled_tests(folder: &Path) -> Result<Vec<PathBuf>> {
    let compiled = folder.join(COMPILED);
    // a test that was renamed must not live on
    if compiled.exists() {
        std::fs::remove_dir_all(&compiled).with_context(|| format!("cannot empty {}", compiled.display()))?;
    }
    let mut tsc = Command::new("node");
    tsc.args(["node_modules/typescript/bin/tsc", "--project", "browser", "--outDir", COMPILED]);
    finish(tsc.current_dir(folder))?;
    let mut tests = Vec::new();
    for entry in std::fs::read_dir(&compiled)? {
        let path = entry?.path();
        if path.file_name().is_some_and(|name| name.to_string_lossy().ends_with(".test.js")) {
            tests.push(path);
        }
    }
    tests.sort();
    if tests.is_empty() {
        bail!("{} has no tests", compiled.display());
    }
    Ok(tests)
}

fn finish(command: &mut Command) -> Result<()> {
    let status = command.status().with_context(|| format!("cannot start {command:?}"))?;
    if !status.success() {
        let words = [command.get_program()].into_iter().chain(command.get_args());
        let words: Vec<_> = words.map(OsStr::to_string_lossy).collect();
        bail!("`{}` ended with {status}", words.join(" "));
    }
    Ok(())
}
