//! Programs that the stages need and cargo does not bring: where they are, and how CI's bare machines get them.

use anyhow::{Context, Result, bail};
use std::path::PathBuf;
use std::process::Command;

/// Names under which Chromium and its kin are installed.
const BROWSERS: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const INSTALL_BROWSER: &str = "install it with: sudo apt-get install -y chromium\n\
                               or name a browser of that family in PLIANT_CHROMIUM";

/// The browser that the tests drive; installed if this is CI and there is none.
pub fn chromium() -> Result<PathBuf> {
    if let Some(chosen) = std::env::var_os("PLIANT_CHROMIUM").filter(|path| !path.is_empty()) {
        let chosen = PathBuf::from(chosen);
        if !chosen.is_file() {
            bail!("PLIANT_CHROMIUM names {}, which is no file", chosen.display());
        }
        return Ok(chosen);
    }
    let installed = || BROWSERS.iter().find_map(|name| in_path(name));
    if installed().is_none() && is_bare() {
        install(&["chromium"])?;
    }
    installed().with_context(|| format!("no Chromium in PATH; {INSTALL_BROWSER}"))
}

/// Installs Node if this is CI and there is none; one that is too old is not replaced, since the packages have the same.
pub fn install_node() -> Result<()> {
    let missing = ["node", "npm"].iter().any(|name| in_path(name).is_none());
    if missing && is_bare() {
        install(&["nodejs", "npm"])?;
    }
    Ok(())
}

/// Whether this is a machine that nobody has prepared and that may be changed.
fn is_bare() -> bool {
    let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty() && value != "0");
    is_set("CI") && in_path("apt-get").is_some()
}

fn install(packages: &[&str]) -> Result<()> {
    println!("installing {} (CI is set)", packages.join(", "));
    apt_get(&["update"])?;
    apt_get(&[&["install", "-y", "--no-install-recommends"], packages].concat())
}

fn apt_get(arguments: &[&str]) -> Result<()> {
    let user = Command::new("id").arg("-u").output().context("cannot start id")?;
    let mut command = if user.stdout.trim_ascii() == b"0" {
        Command::new("apt-get")
    } else {
        let mut sudo = Command::new("sudo");
        sudo.args(["-n", "apt-get"]);
        sudo
    };
    command.arg("-qq").args(arguments).env("DEBIAN_FRONTEND", "noninteractive");
    let output = command.output().with_context(|| format!("cannot start {command:?}"))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr).trim().to_owned();
        bail!("`apt-get {}` ended with {}\n{said}", arguments.join(" "), output.status);
    }
    Ok(())
}

/// Where a program is.
fn in_path(name: &str) -> Option<PathBuf> {
    let folders = std::env::var_os("PATH")?;
    let file = format!("{name}{}", std::env::consts::EXE_SUFFIX);
    std::env::split_paths(&folders).map(|folder| folder.join(&file)).find(|path| path.is_file())
}
