//! Development tasks: `cargo xtask test` is what CI runs, `cargo xtask tidy` checks the house rules.
#![allow(clippy::print_stdout, clippy::print_stderr)] // a task talks to the person who started it

mod page;
mod test;
mod tidy;
mod venv;

use anyhow::{Context, Result, bail};
use page::machine::Installing;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

const USAGE: &str = "usage: cargo xtask test [--full] [--no-install]   every check; --full adds the long runs
       cargo xtask web [--no-install]             the stages about the viewer's page alone
       cargo xtask tidy                           the house rules alone
Programs that are missing (Node, Chromium, Python's venv) are installed with apt-get where that needs no password; --no-install refrains.";

const NO_INSTALL: &str = "--no-install";

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
    let words: Vec<&str> = arguments.iter().map(String::as_str).filter(|word| *word != NO_INSTALL).collect();
    let installing = match words.len() == arguments.len() {
        true => Installing::Allowed,
        false => Installing::Refrain,
    };
    let root = workspace_root()?;
    match words[..] {
        ["test"] => test::run(&root, test::Extent::Fast, installing),
        ["test", "--full"] => test::run(&root, test::Extent::Full, installing),
        ["web"] => test::web(&root, installing),
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
