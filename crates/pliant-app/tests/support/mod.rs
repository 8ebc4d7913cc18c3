//! Running the program and reading what it wrote.
#![allow(dead_code)] // each test file uses its part

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The workspace.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap().to_path_buf()
}

/// The program, ready for arguments.
pub fn pliant() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pliant"));
    command.current_dir(root());
    command
}

/// Runs the program with arguments.
pub fn run(arguments: &[&str]) -> Output {
    pliant().args(arguments).output().unwrap()
}

/// Standard error as text.
pub fn errors(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Standard output as text.
pub fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The summary of a run.
pub fn summary(folder: &Path) -> serde_json::Value {
    serde_json::from_str(&std::fs::read_to_string(folder.join("summary.json")).unwrap()).unwrap()
}

/// The paths of all probes: time and displacement.
pub fn probes(folder: &Path) -> BTreeMap<String, Vec<(f64, [f64; 3])>> {
    let mut out: BTreeMap<String, Vec<(f64, [f64; 3])>> = BTreeMap::new();
    let file = std::fs::read_to_string(folder.join("probes.csv")).unwrap();
    assert!(file.starts_with("time,probe,x,y,z,ux,uy,uz\n"));
    for line in file.lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let number = |i: usize| fields[i].parse::<f64>().unwrap();
        out.entry(fields[1].into()).or_default().push((number(0), [number(5), number(6), number(7)]));
    }
    out
}

/// Runs a scene of the gallery to its end, without a warning, and gives its folder.
pub fn played(name: &str) -> (tempfile::TempDir, PathBuf) {
    let (folder, out, warnings) = played_with_warnings(name);
    assert!(warnings.is_empty(), "warnings: {warnings}");
    (folder, out)
}

/// Runs a scene of the gallery to its end and gives its folder and what it warned of.
pub fn played_with_warnings(name: &str) -> (tempfile::TempDir, PathBuf, String) {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let output = run(&["run", &format!("scenes/{name}.toml"), "-o", out.to_str().unwrap()]);
    assert!(output.status.success(), "{}", errors(&output));
    assert_eq!(summary(&out)["status"], "done");
    assert!(out.join(format!("{name}.pvd")).exists());
    (folder, out, errors(&output))
}
