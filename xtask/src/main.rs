//! Development tasks: `cargo xtask test` is what CI runs, `cargo xtask tidy` checks the house rules.
#![allow(clippy::print_stdout, clippy::print_stderr)] // a task talks to the person who started it

mod page;
mod test;
mod tidy;
mod venv;

use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

const USAGE: &str = "usage: cargo xtask test [--full]   every check; --full adds the long runs
       cargo xtask web             the stages about the viewer's page alone
       cargo xtask tidy            the house rules alone";

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let root = workspace_root()?;
    match words[..] {
        ["test"] => test::run(&root, test::Extent::Fast),
        ["test", "--full"] => test::run(&root, test::Extent::Full),
        ["web"] => test::web(&root),
        ["tidy"] => tidy::run(&root),
        ["help" | "--help" | "-h"] => {
            println!("{USAGE}");
            Ok(())
        }
        _ => bail!("{USAGE}"),
    }
}

fn workspace_root() -> Result<PathBuf> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().map(Path::to_path_buf).context("xtask must lie in a folder of the workspace")
}
