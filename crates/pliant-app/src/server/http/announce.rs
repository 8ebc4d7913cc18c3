//! What the program says when the viewer is there, and the browser that it opens.

use std::process::{Command, Stdio};

use super::pages::PAGE_BUILT;
use super::token::Token;
use crate::cli::View;
use crate::report;

/// The address to open.
pub fn url(port: u16, token: Option<&Token>) -> String {
    match token {
        Some(token) => format!("http://127.0.0.1:{port}/?token={token}"),
        None => format!("http://127.0.0.1:{port}/"),
    }
}

/// Prints the address and opens it; warnings first, so that whoever has read the address has been warned.
pub fn announce(url: &str, options: &View) {
    if options.no_token {
        report::warning(
            "warning: --no-token: every program and every user of this machine can see and steer this simulation",
        );
    }
    if !PAGE_BUILT && !options.quiet {
        report::warning(
            "warning: the viewer's page is not part of this build, so the address shows a placeholder: \
             install Node 20.19 or later with npm, then build again",
        );
    }
    report::line(&format!("Pliant's viewer: {url}"));
    if !options.quiet {
        report::line("Ctrl-C ends it.");
    }
    if !options.no_open {
        open(url);
    }
}

/// Opens a browser if there is one; that none opens is not an error, since the address is printed.
fn open(url: &str) {
    let Some(mut command) = opener(url) else { return };
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    // a group of its own: Ctrl-C here must not end the browser
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    if let Ok(mut child) = command.spawn() {
        // waited for, so that it does not stay as a zombie
        std::thread::spawn(move || child.wait());
    }
}

#[cfg(target_os = "macos")]
fn opener(url: &str) -> Option<Command> {
    let mut command = Command::new("open");
    command.arg(url);
    Some(command)
}

#[cfg(windows)]
fn opener(url: &str) -> Option<Command> {
    let mut command = Command::new("rundll32");
    command.args(["url.dll,FileProtocolHandler", url]);
    Some(command)
}

#[cfg(not(any(target_os = "macos", windows)))]
fn opener(url: &str) -> Option<Command> {
    let there = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    if !there("DISPLAY") && !there("WAYLAND_DISPLAY") {
        return None;
    }
    let mut command = Command::new("xdg-open");
    command.arg(url);
    Some(command)
}
