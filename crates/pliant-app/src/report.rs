//! What the program says, and the one place that prints.

use std::io::{ErrorKind, Write};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

use miette::GraphicalReportHandler;
use pliant_scene::SceneError;

/// Why a command ended without success.
#[derive(Debug)]
pub enum Failure {
    /// Bad input, already shaped as lines of a scene file.
    Scene(SceneError),
    /// Bad input or usage.
    Input(String),
    /// It ran and failed.
    Ran(String),
    /// Somebody stopped it with Ctrl-C; what there is to say has been said.
    Stopped,
}

impl Failure {
    /// Prints the reason and gives the exit code.
    pub fn report(&self) -> ExitCode {
        match self {
            Self::Scene(error) => {
                scene_error(error);
                ExitCode::from(2)
            }
            Self::Input(message) => {
                self::error(message);
                ExitCode::from(2)
            }
            Self::Ran(message) => {
                self::error(message);
                ExitCode::from(1)
            }
            // as a shell tells of a program that SIGINT ended
            Self::Stopped => ExitCode::from(130),
        }
    }
}

impl From<SceneError> for Failure {
    fn from(error: SceneError) -> Self {
        Self::Scene(error)
    }
}

/// One line per problem always; with the source line under it where a person looks on.
fn scene_error(error: &SceneError) {
    if std::io::IsTerminal::is_terminal(&std::io::stderr()) {
        let mut text = String::new();
        if GraphicalReportHandler::new().render_report(&mut text, error).is_ok() {
            say(&text);
            return;
        }
    }
    say(&format!("error: {error}"));
}

/// A line on standard error; a closed or full one is not an error of ours.
fn say(text: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{text}");
}

/// `error: ...` on standard error.
pub fn error(message: &str) {
    say(&format!("error: {message}"));
}

/// `note: ...` on standard error.
pub fn note(message: &str) {
    say(&format!("note: {message}"));
}

/// `warning: ...` on standard error.
pub fn warning(message: &str) {
    say(message);
}

/// Whether a part of the result was lost, on a full disk for instance.
static LOST: AtomicBool = AtomicBool::new(false);

/// A line of the result on standard output; a closed pipe is not an error of ours.
pub fn line(text: &str) {
    let written = writeln!(std::io::stdout().lock(), "{text}");
    if written.is_err_and(|error| error.kind() != ErrorKind::BrokenPipe) {
        LOST.store(true, Ordering::Relaxed);
    }
}

/// The exit code of a command that succeeded: 1 if its result could not be written.
pub fn success() -> ExitCode {
    if LOST.load(Ordering::Relaxed)
        || std::io::stdout().flush().is_err_and(|e| e.kind() != ErrorKind::BrokenPipe)
    {
        error("the result could not be written to standard output");
        return ExitCode::from(1);
    }
    ExitCode::SUCCESS
}
