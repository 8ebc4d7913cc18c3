//! The command line.

use std::path::{Path, PathBuf};

use clap::{Args, CommandFactory, Parser, Subcommand};

pub use mesh::{
    GridElement, MeshCommand, MeshConvert, MeshInspect, MeshMake, MeshSource, RoundElement, ShapeArguments,
    Target,
};

mod mesh;

/// A simulator of soft solids: accurate enough to believe, fast enough to touch.
#[derive(Debug, Parser)]
#[command(name = "pliant", version = VERSION, max_term_width = 100, args_conflicts_with_subcommands = true)]
pub struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub command: Option<Command>,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub view: View,
}

/// The command that a word was probably meant as.
pub fn nearest_command(word: &str) -> Option<String> {
    let program = Arguments::command();
    let known: Vec<&str> = program.get_subcommands().map(clap::Command::get_name).collect();
    pliant_scene::nearest(word, known).map(str::to_owned)
}

/// What to say of words that make no sense because the first is no command, though it stands where one belongs.
///
/// Without this `pliant rnu scene.toml` is a complaint about `scene.toml`: a scene may stand in the place of a command.
pub fn misspelt(words: &[String]) -> Option<String> {
    let (first, rest) = words.split_first()?;
    let program = Arguments::command();
    let known = |word: &str| word == "help" || program.get_subcommands().any(|c| c.get_name() == word);
    if rest.is_empty() || first.starts_with('-') || known(first) || Path::new(first).exists() {
        return None;
    }
    Some(match nearest_command(first) {
        Some(near) => {
            let line: Vec<&str> =
                ["pliant", near.as_str()].into_iter().chain(rest.iter().map(String::as_str)).collect();
            format!("there is no command `{first}`; did you mean `{}`?", line.join(" "))
        }
        None => format!("there is no command `{first}`; `pliant --help` lists the commands"),
    })
}

const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), " (", env!("PLIANT_SIMD"), ")");

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Serve the viewer on this machine and open it in the browser; without a command this is what happens
    View(View),
    /// Run a scene headless and write frames, energies, probes and a summary
    Run(Run),
    /// Examine a scene or a mesh file and report what is wrong, and nothing else
    Check(Check),
    /// Make, convert or examine mesh files
    #[command(subcommand)]
    Mesh(MeshCommand),
    /// Measure steps: warm up, restore, then p50, p99 and worst per phase
    Bench(Bench),
    /// Run the validation cases: reference and its origin, ours, error, band, verdict
    Verify(Verify),
    /// Make the tables and figures of the papers anew, ours beside theirs
    Reproduce(Reproduce),
    /// Print the JSON schema of the scene file, for editors
    Schema,
}

/// Options every command has that computes.
#[derive(Args, Clone, Debug)]
pub struct Machine {
    /// Threads to use (default: one per core)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Print errors and results only, no progress and no warnings
    #[arg(long, short)]
    pub quiet: bool,
    /// Print the result as JSON
    #[arg(long)]
    pub json: bool,
}

/// `pliant view`.
#[derive(Args, Clone, Debug, Default)]
pub struct View {
    /// A scene to start with: a file, or a name of the gallery, which is there in any case
    pub scene: Option<PathBuf>,
    /// The port to listen on, 0 for any (default: 8737, or the next that is free)
    #[arg(long, value_name = "N")]
    pub port: Option<u16>,
    /// Print the address and open no browser
    #[arg(long)]
    pub no_open: bool,
    /// Let everybody on this machine in who knows the port
    #[arg(long)]
    pub no_token: bool,
    /// Threads to use (default: one per core)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Print the address and errors only
    #[arg(long, short)]
    pub quiet: bool,
}

/// `pliant run`.
#[derive(Args, Debug)]
pub struct Run {
    /// The scene: a file, or a name of the gallery such as `jelly`
    pub scene: PathBuf,
    /// Where the results go; made if missing
    #[arg(long, short, value_name = "DIR")]
    pub output: PathBuf,
    /// Go on from the snapshot in DIR
    #[arg(long)]
    pub resume: bool,
    /// Write over files in DIR that bear the names of results but were not written by Pliant
    #[arg(long, conflicts_with = "resume")]
    pub overwrite: bool,
    /// Run a step above the stable one all the same, and end a run whose result is doubtful with exit code 0
    #[arg(long)]
    pub force: bool,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub machine: Machine,
}

/// `pliant check`.
#[derive(Args, Debug)]
pub struct Check {
    /// A scene (.toml, or a name of the gallery) or a mesh file
    #[command(flatten)]
    pub source: MeshSource,
}

/// `pliant bench`.
#[derive(Args, Debug)]
pub struct Bench {
    /// Scenes to measure, files or names of the gallery (default: a built-in suite of blocks from 1k to 1M elements)
    pub scenes: Vec<PathBuf>,
    /// Steps to measure of each scene
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub steps: Option<u32>,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub machine: Machine,
}

/// `pliant verify`.
#[derive(Args, Debug)]
pub struct Verify {
    /// Cases to run (default: all)
    pub ids: Vec<String>,
    /// Print the result as JSON
    #[arg(long, conflicts_with = "markdown")]
    pub json: bool,
    /// Print the ids and titles, and run nothing
    #[arg(long)]
    pub list: bool,
    /// Print a table for a document, a line a case
    #[arg(long)]
    pub markdown: bool,
}

/// `pliant reproduce`.
#[derive(Args, Debug)]
pub struct Reproduce {
    /// Tables and figures to make (default: all)
    pub ids: Vec<String>,
    /// Where the results go; made if missing
    #[arg(long, short, value_name = "DIR", required_unless_present = "list")]
    pub output: Option<PathBuf>,
    /// Print the ids and titles, and make nothing
    #[arg(long)]
    pub list: bool,
    /// Print the result as JSON
    #[arg(long)]
    pub json: bool,
}

#[cfg(test)]
mod tests {
    use super::misspelt;

    fn words(line: &str) -> Vec<String> {
        line.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn a_misspelt_command_gets_the_whole_line_that_was_meant() {
        assert_eq!(
            misspelt(&words("rnu scene.toml -o out")).unwrap(),
            "there is no command `rnu`; did you mean `pliant run scene.toml -o out`?"
        );
        assert!(misspelt(&words("frobnicate x")).unwrap().contains("`pliant --help` lists the commands"));
    }

    #[test]
    fn commands_files_and_options_are_not_called_misspelt() {
        for line in ["run", "run --frobnicate", "--port x", "Cargo.toml --frobnicate"] {
            assert_eq!(misspelt(&words(line)), None, "{line}");
        }
    }
}
