//! The command line.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

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
    /// A scene file to start with; the gallery is there in any case
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
    /// The scene file
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
    /// Run a step above the stable one all the same
    #[arg(long)]
    pub force: bool,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub machine: Machine,
}

/// `pliant check`.
#[derive(Args, Debug)]
pub struct Check {
    /// A scene (.toml) or a mesh file
    #[command(flatten)]
    pub source: MeshSource,
}

/// `pliant bench`.
#[derive(Args, Debug)]
pub struct Bench {
    /// Scenes to measure (default: a built-in suite of blocks from 1k to 1M elements)
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
