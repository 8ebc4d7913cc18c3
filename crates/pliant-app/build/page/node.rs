//! Node and npm: whether they are there and new enough, and how they are run.

use std::path::Path;
use std::process::Command;

/// What to do when Node is too old: the distribution has no other.
const RENEW: &str = "get Node 20.19, 22.12 or newer, npm included, from nodejs.org";

/// What to do when they are missing.
pub const INSTALL: &str = "install Node 20.19, 22.12 or newer with npm: `sudo apt-get install -y nodejs npm` where the \
                           distribution has it, else from nodejs.org";

/// Node and npm, both there.
pub struct Tools {
    npm: &'static str,
}

/// Looks for both in `PATH`.
pub fn find() -> Result<Tools, String> {
    let version = answer("node").ok_or_else(|| format!("Node was not found in PATH;\n{INSTALL}"))?;
    if !is_supported(&version) {
        return Err(format!("Node {version} is too old for Vite;\n{RENEW}"));
    }
    let npm = if cfg!(windows) { "npm.cmd" } else { "npm" };
    answer(npm).ok_or_else(|| format!("npm was not found in PATH, or does not run;\n{INSTALL}"))?;
    Ok(Tools { npm })
}

impl Tools {
    /// Installs exactly what the lock file says, tools for the build too whatever `NODE_ENV` is, and runs no scripts of packages.
    pub fn install(&self, folder: &Path) -> Result<(), String> {
        let mut npm = Command::new(self.npm);
        npm.args(["ci", "--include=dev", "--ignore-scripts", "--no-audit", "--no-fund", "--no-progress"]);
        // without a network a build should say so soon, not after the two minutes of npm's own patience
        npm.args(["--fetch-retries=1", "--fetch-retry-mintimeout=1000"]);
        let help = "look whether the package registry can be reached: npm needs it once for each change of web/package-lock.json";
        run(npm.current_dir(folder), "npm ci", help)
    }

    /// Runs Vite.
    pub fn bundle(&self, folder: &Path) -> Result<(), String> {
        let mut vite = Command::new("node");
        vite.args(["node_modules/vite/bin/vite.js", "build", "--outDir", "dist", "--emptyOutDir"]);
        run(vite.current_dir(folder), "vite build", "mend web/ as it says above")
    }
}

/// The version a program prints.
fn answer(program: &str) -> Option<String> {
    let output = Command::new(program).arg("--version").output().ok()?;
    output
        .status
        .success()
        .then(|| String::from_utf8_lossy(&output.stdout).trim().trim_start_matches('v').to_owned())
}

/// The versions that Vite 7 runs on: 20.19 and later of 20, 22.12 and later.
fn is_supported(version: &str) -> bool {
    let mut numbers = version.split('.').map(|part| part.parse::<u32>().unwrap_or(0));
    let (major, minor) = (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0));
    matches!((major, minor), (20, 19..) | (22, 12..) | (23.., _))
}

/// Runs a command; what it said is shown only when it fails.
fn run(command: &mut Command, name: &str, help: &str) -> Result<(), String> {
    let output = command.output().map_err(|e| format!("`{name}` could not be started: {e};\n{INSTALL}"))?;
    if output.status.success() {
        return Ok(());
    }
    let said = [&output.stdout[..], &output.stderr[..]].concat();
    let said = String::from_utf8_lossy(&said);
    Err(format!("`{name}` failed ({}):\n{}\n{help}", output.status, said.trim()))
}

#[cfg(test)] // run by xtask, which shares this file
mod tests {
    use super::*;

    /// The range `^20.19.0 || >=22.12.0` of Vite 7.
    #[test]
    fn node_is_new_enough_for_vite() {
        for version in ["20.19.0", "20.20.2", "22.12.0", "23.0.0", "24.1.0"] {
            assert!(is_supported(version), "{version}");
        }
        for version in ["18.20.4", "20.18.3", "21.7.0", "22.11.0", "", "x"] {
            assert!(!is_supported(version), "{version}");
        }
    }

    #[test]
    fn a_failed_command_says_what_it_printed_and_what_to_do() {
        let mut command = Command::new("sh");
        let failure = run(command.args(["-c", "echo no network >&2; exit 3"]), "npm ci", "look at the cable");
        let text = failure.unwrap_err();
        assert!(text.starts_with("`npm ci` failed (exit status: 3):\nno network\nlook"), "{text}");
        let missing = run(&mut Command::new("pliant-no-such-program"), "npm ci", "").unwrap_err();
        assert!(missing.contains("could not be started") && missing.contains(INSTALL), "{missing}");
    }
}
