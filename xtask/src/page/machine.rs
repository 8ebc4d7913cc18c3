//! Programs that the stages need and cargo does not bring: which are missing, and how this machine gets them.
//!
//! Where packages may be installed (apt-get, as root or by a sudo that asks for no password) they are, after saying so; elsewhere, and with
//! `--no-install`, the error names the line that installs all of them.

use anyhow::{Context, Result, bail};
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// Names under which Chromium and its kin are installed.
const BROWSERS: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/// Whether missing programs may be installed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Installing {
    /// Where the machine lets us.
    Allowed,
    /// `--no-install`.
    Refrain,
}

/// What there is of what the stages need.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    /// Node, of whichever version: the packages have no newer one than the machine.
    pub node: bool,
    /// npm.
    pub npm: bool,
    /// A browser, or the wish for a certain one.
    pub browser: bool,
    /// The interpreter.
    pub python: bool,
    /// Its `venv` with `pip`, which Debian packs apart; or an environment that is made already.
    pub venv: bool,
}

impl Found {
    /// What lacks, in words, and the packages that bring it.
    fn missing(&self) -> Vec<(&'static str, &'static str)> {
        let all = [
            (self.node, "Node", "nodejs"),
            (self.npm, "npm", "npm"),
            (self.browser, "Chromium", "chromium"),
            (self.python, "Python", "python3"),
            (self.venv, "Python's venv", "python3-venv"),
        ];
        all.into_iter().filter(|(there, ..)| !there).map(|(_, what, package)| (what, package)).collect()
    }
}

/// How packages can be installed here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Means {
    /// By apt-get, as root.
    Root,
    /// By apt-get through sudo, which asks for no password.
    Sudo,
    /// Not at all.
    None,
}

/// What to do about what is missing.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Plan {
    Nothing,
    /// Say so, then install these packages.
    Install {
        says: String,
        packages: Vec<&'static str>,
    },
    /// End, with these words.
    Refuse(String),
}

/// The decision; nothing is looked up here.
fn plan(found: &Found, means: Means, installing: Installing) -> Plan {
    let missing = found.missing();
    if missing.is_empty() {
        return Plan::Nothing;
    }
    let (lacks, packages): (Vec<&str>, Vec<&str>) = missing.into_iter().unzip();
    let (lacks, line) = (lacks.join(", "), packages.join(" "));
    let sudo = if means == Means::Root { "" } else { "sudo " };
    let command = format!("{sudo}apt-get install -y {line}");
    if means == Means::None || installing == Installing::Refrain {
        let why = if installing == Installing::Refrain {
            "--no-install leaves that to you"
        } else {
            "they are not installed for you, since that needs apt-get, and root or a sudo without a password"
        };
        let browser =
            if found.browser { "" } else { "\nor name a browser of Chromium's family in PLIANT_CHROMIUM" };
        let old_node = if found.node {
            ""
        } else {
            "\n(Node must be 20.19, 22.12 or newer; where the package is older, take it from nodejs.org)"
        };
        return Plan::Refuse(format!(
            "this machine lacks {lacks}; install with:\n    {command}\n{why}{browser}{old_node}"
        ));
    }
    let says = format!("this machine lacks {lacks}; installing: {command}   (--no-install refrains)");
    Plan::Install { says, packages }
}

/// Installs what is missing, where that is possible and allowed; the error says what to do elsewhere.
pub fn provide(found: &Found, installing: Installing) -> Result<()> {
    let means = means();
    match plan(found, means, installing) {
        Plan::Nothing => Ok(()),
        Plan::Refuse(text) => bail!(text),
        Plan::Install { says, packages } => {
            println!("{says}");
            apt_get(means, &["update"])?;
            apt_get(means, &[&["install", "-y", "--no-install-recommends"], &packages[..]].concat())
        }
    }
}

/// Looks for everything; `has_environment` tells whether the Python environment is made already.
pub fn look(has_environment: bool) -> Found {
    let python = in_path("python3").is_some();
    let makes_venvs = || {
        let mut try_it = Command::new("python3");
        try_it.args(["-c", "import ensurepip, venv"]).stdout(Stdio::null()).stderr(Stdio::null());
        try_it.status().is_ok_and(|status| status.success())
    };
    Found {
        node: in_path("node").is_some(),
        npm: in_path("npm").is_some() || in_path("npm.cmd").is_some(),
        browser: wished_browser().is_some() || installed_browser().is_some(),
        python: python || has_environment,
        venv: has_environment || (python && makes_venvs()),
    }
}

/// The browser that the tests drive.
pub fn chromium() -> Result<PathBuf> {
    if let Some(chosen) = wished_browser() {
        if !chosen.is_file() {
            bail!("PLIANT_CHROMIUM names {}, which is no file", chosen.display());
        }
        return Ok(chosen);
    }
    installed_browser().context(
        "no Chromium in PATH, also after installing it: name a browser of its family in PLIANT_CHROMIUM",
    )
}

fn wished_browser() -> Option<PathBuf> {
    std::env::var_os("PLIANT_CHROMIUM").filter(|path| !path.is_empty()).map(PathBuf::from)
}

fn installed_browser() -> Option<PathBuf> {
    BROWSERS.iter().find_map(|name| in_path(name))
}

/// How packages can be installed on this machine.
fn means() -> Means {
    let succeeds = |mut command: Command| {
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    };
    if in_path("apt-get").is_none() {
        return Means::None;
    }
    let user = Command::new("id").arg("-u").output();
    if user.is_ok_and(|output| output.stdout.trim_ascii() == b"0") {
        return Means::Root;
    }
    let mut sudo = Command::new("sudo");
    sudo.args(["-n", "true"]);
    if succeeds(sudo) { Means::Sudo } else { Means::None }
}

fn apt_get(means: Means, arguments: &[&str]) -> Result<()> {
    let mut command = match means {
        Means::Sudo => {
            let mut sudo = Command::new("sudo");
            sudo.args(["-n", "DEBIAN_FRONTEND=noninteractive", "apt-get"]);
            sudo
        }
        Means::Root | Means::None => Command::new("apt-get"),
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

#[cfg(test)]
#[path = "machine_tests.rs"]
mod tests;
