//! The Python environment in `target/venv`, with which tests read our files by other people's code.

use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const INSTALL: &str = "install it with: sudo apt-get install -y python3 python3-venv";

/// The interpreter of the environment.
pub fn python(root: &Path) -> PathBuf {
    folder(root).join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" })
}

/// Makes the environment when it is missing or `requirements.txt` has changed.
pub fn prepare(root: &Path) -> Result<()> {
    let requirements = root.join("xtask/requirements.txt");
    let wanted = std::fs::read_to_string(&requirements)
        .with_context(|| format!("cannot read {}", requirements.display()))?;
    let stamp = folder(root).join("requirements.installed");
    if python(root).exists() && std::fs::read_to_string(&stamp).is_ok_and(|installed| installed == wanted) {
        println!("up to date");
        return Ok(());
    }
    let folder = folder(root);
    let made = output(Command::new("python3").args(["-m", "venv"]).arg(&folder));
    match made {
        Ok(output) if output.status.success() => {}
        Ok(output) => bail!("python3 cannot make {}; {INSTALL}\n{}", folder.display(), said(&output)),
        Err(error) => bail!("python3 cannot be started ({error}); {INSTALL}"),
    }
    let mut pip = Command::new(python(root));
    pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--requirement"])
        .arg(&requirements);
    let installed = output(&mut pip).context("cannot start pip")?;
    if !installed.status.success() {
        bail!("pip cannot install {}\n{}", requirements.display(), said(&installed));
    }
    // written last, so that an interrupted installation is done again
    std::fs::write(&stamp, wanted).with_context(|| format!("cannot write {}", stamp.display()))?;
    println!("made {}", folder.display());
    Ok(())
}

fn folder(root: &Path) -> PathBuf {
    root.join("target/venv")
}

fn output(command: &mut Command) -> std::io::Result<Output> {
    command.output()
}

fn said(output: &Output) -> String {
    let text = [&output.stdout[..], &output.stderr[..]].concat();
    String::from_utf8_lossy(&text).trim().to_owned()
}
