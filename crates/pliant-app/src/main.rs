//! The program `pliant`: wiring only. It starts the threads, reads the clock and prints.

mod cli;
mod command;
mod memory;
mod processor;
mod report;
mod run;
mod server;

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    // before anything that might use an instruction this processor lacks
    if let Err(message) = processor::check() {
        report::error(&message);
        return ExitCode::from(2);
    }
    let arguments = cli::Arguments::parse();
    match command::dispatch(&arguments) {
        Ok(()) => report::success(),
        Err(failure) => failure.report(),
    }
}
