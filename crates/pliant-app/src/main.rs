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
    let arguments = match cli::Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => {
            let words: Vec<String> = std::env::args().skip(1).collect();
            match cli::misspelt(&words).filter(|_| error.use_stderr()) {
                Some(message) => {
                    report::error(&message);
                    return ExitCode::from(2);
                }
                None => error.exit(),
            }
        }
    };
    match command::dispatch(&arguments) {
        Ok(()) => report::success(),
        Err(failure) => failure.report(),
    }
}
