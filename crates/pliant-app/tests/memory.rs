//! Scenes that do not fit into memory: told before anything of them is made.
#![allow(clippy::unwrap_used, missing_docs)]

use std::path::PathBuf;

use pliant_scene::{CompileOptions, LoadedScene, Scene, compile};

fn text(cells: &str, method: &str) -> String {
    format!(
        "duration = 1\n[integrator]\nmethod = \"{method}\"\n[material.m]\nlaw = \"linear\"\nyoung = 1e5\npoisson = 0.3\ndensity = 1000\n\
         [body.b]\nmaterial = \"m\"\nmesh = {{ shape = \"box\", size = [1, 1, 1], cells = {cells}, element = \"hex\" }}\n\
         [[body.b.fix]]\nwhere = {{ plane = {{ point = [0, 0, 0], normal = [1, 0, 0] }} }}\n"
    )
}

/// What a scene is refused with where so many bytes can be had.
fn refusal(cells: &str, method: &str, options: CompileOptions) -> Option<String> {
    let (scene, source) = Scene::parse(&text(cells, method), "s.toml").unwrap();
    compile(&LoadedScene { scene, source, folder: PathBuf::new() }, options).err().map(|e| e.to_string())
}

fn with(memory: u64) -> CompileOptions {
    CompileOptions { memory: Some(memory), ..CompileOptions::default() }
}

#[test]
fn cells_and_matrices_are_counted_against_memory() {
    let refused = refusal("[215, 215, 215]", "explicit", with(5_000_000_000)).unwrap();
    assert!(refused.contains("s.toml:11") && refused.contains("9938375 cells"), "{refused}");
    assert!(refused.contains("5.0 GB of memory can be had") && refused.contains("fewer cells"), "{refused}");
    // 12^3 cells are 3 MB, their matrix 25 MB
    assert_eq!(refusal("[12, 12, 12]", "explicit", with(20_000_000)), None);
    let refused = refusal("[12, 12, 12]", "newmark", with(20_000_000)).unwrap();
    assert!(refused.contains("method = \"explicit\", which has no matrix"), "{refused}");
    assert_eq!(refusal("[12, 12, 12]", "newmark", CompileOptions::default()), None, "no limit is known");
}

#[test]
fn a_factor_that_does_not_fit_is_refused_before_it_is_made() {
    // 17^3 nodes: a matrix of some 65 MB, and on top a factor of some 6 million numbers
    assert_eq!(refusal("[16, 16, 16]", "static", with(400_000_000)), None);
    let refused = refusal("[16, 16, 16]", "static", with(90_000_000)).unwrap();
    assert!(refused.contains("for the factor of its equations beside"), "{refused}");
    assert!(refused.contains("s.toml:3"), "{refused}");
}

#[test]
#[cfg(target_os = "linux")]
fn the_program_knows_the_limit_it_was_given() {
    // ten million cells in 2.5 GB of address space: the program would be ended by the system
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("s.toml"), text("[215, 215, 215]", "explicit")).unwrap();
    let make = "mesh make box --size 1,1,1 --cells 215,215,215 -o box.vtu";
    for command in
        ["check s.toml", "check s.toml --json", "run s.toml -o out", "bench s.toml --steps 1", make]
    {
        let line = format!("ulimit -v 2500000; exec {} {command}", env!("CARGO_BIN_EXE_pliant"));
        let output =
            std::process::Command::new("sh").current_dir(folder.path()).args(["-c", &line]).output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{command}: {errors}");
        assert!(errors.contains("can be had") && errors.contains("use fewer cells"), "{errors}");
    }
}
