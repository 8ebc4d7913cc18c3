//! `cargo xtask test`: every check in order, until the first that fails.

use crate::page::machine::Installing;
use crate::{page, tidy, venv};
use anyhow::{Context, Result, bail};
use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

/// How much is run.
#[derive(Clone, Copy, PartialEq)]
pub enum Extent {
    /// What CI runs.
    Fast,
    /// Ignored tests too, with `PLIANT_FULL=1`.
    Full,
}

/// Runs every stage; the error names the one that failed.
pub fn run(root: &Path, extent: Extent, installing: Installing) -> Result<()> {
    let mut stages = Stages { passed: 0, start: Instant::now() };
    stages.pass("format", || cargo(root, extent, &["fmt", "--all", "--check"]))?;
    stages.pass("tools", || page::prepare(root, installing))?;
    let lints = ["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"];
    stages.pass("clippy", || cargo(root, extent, &lints))?;
    stages.pass("web", || page::check(root))?;
    stages.pass("python", || venv::prepare(root))?;
    stages.pass("tests", || tests(root, extent))?;
    stages.pass("browser", || browser(root, extent))?;
    stages.pass("doctests", || cargo(root, extent, &["test", "--doc", "--workspace"]))?;
    stages.pass("docs", || docs(root, extent))?;
    stages.pass("tidy", || tidy::run(root))?;
    println!("{} stages passed in {:.1} s", stages.passed, stages.start.elapsed().as_secs_f64());
    Ok(())
}

/// Runs the stages about the page alone.
pub fn web(root: &Path, installing: Installing) -> Result<()> {
    let mut stages = Stages { passed: 0, start: Instant::now() };
    stages.pass("tools", || page::prepare(root, installing))?;
    stages.pass("web", || page::check(root))?;
    stages.pass("browser", || {
        cargo(root, Extent::Fast, &["build"])?;
        page::browse(root)
    })?;
    println!("{} stages passed in {:.1} s", stages.passed, stages.start.elapsed().as_secs_f64());
    Ok(())
}

struct Stages {
    passed: usize,
    start: Instant,
}

impl Stages {
    fn pass(&mut self, name: &str, stage: impl FnOnce() -> Result<()>) -> Result<()> {
        println!("== {name}");
        let start = Instant::now();
        let result = stage();
        let seconds = start.elapsed().as_secs_f64();
        match result {
            Ok(()) => {
                println!("== {name} passed in {seconds:.1} s");
                self.passed += 1;
                Ok(())
            }
            Err(error) => Err(error.context(format!("stage `{name}` failed after {seconds:.1} s"))),
        }
    }
}

fn tests(root: &Path, extent: Extent) -> Result<()> {
    let full = extent == Extent::Full;
    if has_nextest() {
        println!("with cargo nextest");
        let mut arguments = vec!["nextest", "run", "--workspace"];
        if full {
            arguments.extend(["--run-ignored", "all"]);
        }
        return cargo(root, extent, &arguments);
    }
    println!("with cargo test (cargo nextest is not installed)");
    let mut arguments = vec!["test", "--workspace", "--all-targets"];
    if full {
        arguments.extend(["--", "--include-ignored"]);
    }
    cargo(root, extent, &arguments)
}

/// With the same targets as the tests, so that nothing is compiled again with other features.
fn browser(root: &Path, extent: Extent) -> Result<()> {
    cargo(root, extent, &["build", "--workspace", "--bins", "--tests"])?;
    page::browse(root)
}

fn docs(root: &Path, extent: Extent) -> Result<()> {
    let mut command = cargo_command(root, extent, &["doc", "--workspace", "--no-deps"]);
    command.env("RUSTDOCFLAGS", "-D warnings");
    finish(command)
}

fn has_nextest() -> bool {
    let mut command = Command::new(cargo_program());
    command.args(["nextest", "--version"]).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

fn cargo(root: &Path, extent: Extent, arguments: &[&str]) -> Result<()> {
    finish(cargo_command(root, extent, arguments))
}

fn cargo_command(root: &Path, extent: Extent, arguments: &[&str]) -> Command {
    let mut command = Command::new(cargo_program());
    command.args(arguments).current_dir(root).env("PLIANT_PYTHON", venv::python(root));
    // a placeholder instead of the page would pass unnoticed
    command.env("PLIANT_REQUIRE_WEB", "1");
    if extent == Extent::Full {
        command.env("PLIANT_FULL", "1");
    }
    command
}

/// The cargo that runs this task, so that a chosen toolchain stays chosen.
fn cargo_program() -> OsString {
    std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into())
}

fn finish(mut command: Command) -> Result<()> {
    let status = command.status().with_context(|| format!("cannot start {command:?}"))?;
    if !status.success() {
        let arguments: Vec<_> = command.get_args().map(|a| a.to_string_lossy().into_owned()).collect();
        bail!("`cargo {}` ended with {status}", arguments.join(" "));
    }
    Ok(())
}
