//! Files that have no end, and programs that are killed while they write.
#![allow(clippy::unwrap_used, missing_docs)]
#![cfg(unix)]

use crate::support;

use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use support::errors;

/// What nothing here takes on a working machine.
const PATIENCE: Duration = Duration::from_secs(60);

const SCENE: &str = "duration = 0.05\ngravity = [0, 0, -9.81]\n[material.m]\nlaw = \"linear\"\nyoung = 1e5\npoisson = 0.3\ndensity = 1000\n\
    [body.b]\nmaterial = \"m\"\nmesh = MESH\n[[probe]]\nname = \"p\"\nbody = \"b\"\nat = [0, 0, 0]\n";
const BOX: &str = "{ shape = \"box\", size = [0.1, 0.1, 0.1], cells = [1, 1, 1] }";

fn pipe(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

/// Runs the program; one that waits for ever is ended and fails the test.
fn run_in(folder: &Path, arguments: &[&str]) -> (Option<i32>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pliant"));
    command
        .current_dir(folder)
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let begin = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if begin.elapsed() > PATIENCE {
            child.kill().unwrap();
            panic!("{arguments:?} waits for ever");
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    let output = child.wait_with_output().unwrap();
    (output.status.code(), errors(&output))
}

#[test]
fn what_has_no_end_is_an_error_wherever_a_file_is_read() {
    let keep = tempfile::tempdir().unwrap();
    let folder = keep.path();
    for name in ["pipe.toml", "pipe.msh"] {
        pipe(&folder.join(name));
    }
    std::os::unix::fs::symlink("round.toml", folder.join("round.toml")).unwrap();
    std::os::unix::fs::symlink("/dev/zero", folder.join("zero.toml")).unwrap();
    std::fs::write(folder.join("mesh.toml"), SCENE.replace("MESH", "{ file = \"pipe.msh\" }")).unwrap();
    let skin = format!("{BOX}\nsurface = {{ file = \"pipe.msh\" }}");
    std::fs::write(folder.join("skin.toml"), SCENE.replace("MESH", &skin)).unwrap();
    for file in ["pipe.toml", "round.toml", "zero.toml", "mesh.toml", "skin.toml", "-"] {
        for command in
            [&["check", file][..], &["run", file, "-o", "out"], &["view", file, "--no-open", "--port", "0"]]
        {
            // a scene whose mesh cannot be read is shown with its error
            if command[0] == "view" && matches!(file, "mesh.toml" | "skin.toml") {
                continue;
            }
            let (code, message) = run_in(folder, command);
            assert_eq!(code, Some(2), "{command:?}: {message}");
        }
    }
    assert!(!folder.join("out").exists());
    let (_, message) = run_in(folder, &["run", "pipe.toml", "-o", "out"]);
    assert!(message.contains("it is a pipe, not a file"), "{message}");
    let (_, message) = run_in(folder, &["run", "mesh.toml", "-o", "out"]);
    assert!(message.contains("mesh.toml:") && message.contains("it is a pipe, not a file"), "{message}");
    let (_, message) = run_in(folder, &["run", "-", "-o", "out"]);
    assert!(message.contains("standard input is not read"), "{message}");
    let (code, message) = run_in(folder, &["check", "pipe.msh"]);
    assert!(code == Some(2) && message.contains("it is a pipe"), "{message}");
}

#[test]
fn what_has_no_end_is_an_error_wherever_a_file_is_written_or_gone_on_with() {
    let keep = tempfile::tempdir().unwrap();
    let folder = keep.path();
    std::fs::write(folder.join("s.toml"), SCENE.replace("MESH", BOX)).unwrap();
    for name in
        ["energy.csv", "summary.json", "snapshot.pliant", "s.pvd", "frames/b_000000.vtu", "energy.csv.tmp"]
    {
        let out = folder.join("out");
        std::fs::create_dir_all(out.join("frames")).unwrap();
        pipe(&out.join(name));
        for options in [&[][..], &["--resume"], &["--overwrite"]] {
            let (code, message) = run_in(folder, &[&["run", "s.toml", "-o", "out"], options].concat());
            // what is to go may be removed without being opened
            let replaced = options == ["--overwrite"] && code == Some(0);
            assert!(
                replaced || matches!(code, Some(1 | 2)) && !message.is_empty(),
                "{name} {options:?}: {message}"
            );
        }
        std::fs::remove_dir_all(&out).unwrap();
    }
    pipe(&folder.join("mesh.vtu"));
    let (code, message) =
        run_in(folder, &["mesh", "make", "box", "--size", "1,1,1", "--cells", "1,1,1", "-o", "mesh.vtu"]);
    assert!(code == Some(2) && message.contains("mesh.vtu: it is a pipe"), "{message}");
    let (code, _) = run_in(folder, &["run", "s.toml", "-o", "mesh.vtu"]);
    assert_eq!(code, Some(2));
}

/// Rows that end as they begin, and all of them whole.
fn whole(table: &str, columns: usize) -> bool {
    table.is_empty() || table.ends_with('\n') && table.lines().all(|line| line.split(',').count() == columns)
}

#[test]
fn a_killed_run_leaves_whole_lines() {
    let keep = tempfile::tempdir().unwrap();
    let folder = keep.path();
    // rows as fast as the program can: a row a step
    let scene = SCENE.replace("MESH", BOX).replace("duration = 0.05", "duration = 50")
        + "[integrator]\nstep = \"0.1 ms\"\n[output]\nframes_per_second = 20000\nformats = [\"pc2\"]\n";
    std::fs::write(folder.join("s.toml"), scene).unwrap();
    for round in 0..5 {
        let out = folder.join(format!("out{round}"));
        let mut command = Command::new(env!("CARGO_BIN_EXE_pliant"));
        command.current_dir(folder).args(["run", "s.toml", "--quiet", "-o"]).arg(&out);
        let mut child = command.stdout(Stdio::null()).spawn().unwrap();
        let energy = out.join("energy.csv");
        let begin = Instant::now();
        let length = || std::fs::metadata(&energy).map_or(0, |about| about.len());
        // each time somewhat later, so that a buffer would be cut at other places
        while length() < 20_000 + 3_000 * round && begin.elapsed() < PATIENCE {
            std::thread::sleep(Duration::from_micros(300));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        for (name, columns) in [("energy.csv", 8), ("probes.csv", 8)] {
            let mut text = String::new();
            std::fs::File::open(out.join(name)).unwrap().read_to_string(&mut text).unwrap();
            let tail = text.lines().last().unwrap_or_default();
            assert!(whole(&text, columns), "{name} ends with {tail:?}");
        }
    }
}
