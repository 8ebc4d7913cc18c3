//! What the program says when the viewer is there, and the browser that it opens.

use std::ffi::OsStr;
use std::process::{Command, Stdio};

use super::pages::PAGE_MISSING;
use super::redirect::Redirect;
use crate::cli::View;
use crate::report;

/// The address to open, with the token that lets in.
pub fn url(port: u16, token: Option<&str>) -> String {
    match token {
        Some(token) => format!("http://127.0.0.1:{port}/?token={token}"),
        None => format!("http://127.0.0.1:{port}/"),
    }
}

/// Says first of all if this program has no page to show, and what to do: the placeholder says the same.
pub fn tell_missing_page(options: &View) {
    if let Some(why) = PAGE_MISSING.filter(|_| !options.quiet) {
        missing_page(why).iter().for_each(|line| report::warning(line));
    }
}

/// Lines for a program without a page; `why` is what the build said.
fn missing_page(why: &str) -> Vec<String> {
    let reasons = why.lines().map(str::trim).filter(|line| !line.is_empty());
    std::iter::once(
        "warning: this program was built without the viewer's page; everything else works.".to_owned(),
    )
    .chain(reasons.map(|line| format!("  {line}")))
    .chain([
        "  Then build once with PLIANT_REQUIRE_WEB=1 cargo build --release, which tries again.".to_owned()
    ])
    .collect()
}

/// Prints the address; warnings first, so that whoever has read the address has been warned.
pub fn announce(url: &str, options: &View) {
    if options.no_token {
        report::warning(
            "warning: --no-token: every program and every user of this machine can see and steer this simulation",
        );
    }
    report::line(&format!("Pliant's viewer: {url}"));
    if !options.quiet {
        report::line("Ctrl-C ends it.");
    }
}

/// Prints the address for one more browser, since the one before has served.
pub fn announce_next(url: &str) {
    report::line(&format!("For another browser (each address serves once): {url}"));
}

/// Opens a browser if there is one; that none opens is not an error, since the address is printed. What is returned leads the browser here
/// and must stay until it has come.
pub fn open(url: &str, has_token: bool) -> Option<Redirect> {
    if !has_token {
        launch(opener(OsStr::new(url))?);
        return None;
    }
    // whoever lists the processes of this machine sees the arguments: no token among them
    opener(OsStr::new(""))?;
    let redirect = Redirect::to(url).ok()?;
    launch(opener(redirect.file().as_os_str())?);
    Some(redirect)
}

fn launch(mut command: Command) {
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
fn opener(what: &OsStr) -> Option<Command> {
    let mut command = Command::new("open");
    command.arg(what);
    Some(command)
}

#[cfg(windows)]
fn opener(what: &OsStr) -> Option<Command> {
    let mut command = Command::new("rundll32");
    command.arg("url.dll,FileProtocolHandler").arg(what);
    Some(command)
}

#[cfg(not(any(target_os = "macos", windows)))]
fn opener(what: &OsStr) -> Option<Command> {
    let there = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    if !there("DISPLAY") && !there("WAYLAND_DISPLAY") {
        return None;
    }
    let mut command = Command::new("xdg-open");
    command.arg(what);
    Some(command)
}

#[cfg(test)]
mod tests {
    use super::missing_page;

    #[test]
    fn a_program_without_a_page_says_what_lacks_and_how_to_get_it() {
        // the build script's own words, as without Node
        let lines = missing_page("Node was not found in PATH;\n\ninstall Node 20.19 or newer");
        assert_eq!(lines.len(), 4, "{lines:?}");
        assert!(lines[0].contains("without the viewer's page") && lines[1].contains("Node was not found"));
        assert!(
            lines[2].contains("install Node 20.19") && lines[3].contains("PLIANT_REQUIRE_WEB=1"),
            "{lines:?}"
        );
    }
}
