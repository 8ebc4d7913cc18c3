//! `forces.csv`: what fixes, loads and grabs exert on bodies over time, by name.
#![allow(clippy::unwrap_used, missing_docs)]

use crate::support;

use std::path::Path;

use support::{errors, run, summary};

/// A row: time, name, kind, force, moment.
type Row = (f64, String, String, [f64; 3], [f64; 3]);

fn rows(out: &Path) -> Vec<Row> {
    let table = std::fs::read_to_string(out.join("forces.csv")).unwrap();
    let mut lines = table.lines().filter(|line| !line.starts_with('#'));
    assert_eq!(lines.next(), Some("time,name,kind,fx,fy,fz,mx,my,mz"));
    let row = |line: &str| {
        let fields: Vec<&str> = line.split(',').collect();
        assert_eq!(fields.len(), 9, "{line}");
        let number = |i: usize| fields[i].parse::<f64>().unwrap();
        let triple = |first: usize| [number(first), number(first + 1), number(first + 2)];
        (number(0), fields[1].into(), fields[2].into(), triple(3), triple(6))
    };
    lines.map(row).collect()
}

/// A block of 0.2 x 0.1 x 0.1 m and 2 kg in gravity, and more lines.
fn block(folder: &Path, integrator: &str, more: &str) -> String {
    let scene = format!(
        "duration = 0.1\ngravity = 9.81\n[integrator]\n{integrator}\n[material.m]\nlaw = \"neo-hookean\"\nyoung = \"1 MPa\"\npoisson = 0.3\n\
         density = 1000\n[body.b]\nmaterial = \"m\"\nmesh = {{ shape = \"box\", size = [0.2, 0.1, 0.1], cells = [4, 2, 2] }}\n{more}\n\
         [output]\nframes_per_second = 0\n"
    );
    let file = folder.join("block.toml");
    std::fs::write(&file, scene).unwrap();
    file.to_str().unwrap().into()
}

fn played(folder: &Path, integrator: &str, more: &str) -> Vec<Row> {
    let (scene, out) = (block(folder, integrator, more), folder.join("out"));
    let output = run(&["run", &scene, "-o", out.to_str().unwrap(), "-q"]);
    assert!(output.status.success(), "{integrator}: {}", errors(&output));
    rows(&out)
}

fn near(found: [f64; 3], expected: [f64; 3], tolerance: f64, what: &str) {
    let far = (0..3).any(|c| (found[c] - expected[c]).abs() > tolerance);
    assert!(!far, "{what}: {found:?}, not {expected:?}");
}

#[test]
fn what_is_held_everywhere_pushes_back_with_weight_and_loads_under_every_method() {
    let more = "[[body.b.fix]]\nname = \"clamp\"\nwhere = \"all\"\n\
                [[body.b.load]]\nwhere = { plane = { point = [0.2, 0, 0], normal = [1, 0, 0] } }\nforce = [3, 0, 5]\n";
    for integrator in [
        "method = \"explicit\"",
        "method = \"newmark\"\nstep = \"10 ms\"",
        "method = \"implicit-euler\"\nstep = \"10 ms\"",
        "method = \"quasistatic\"",
        "method = \"static\"",
    ] {
        let folder = tempfile::tempdir().unwrap();
        let rows = played(folder.path(), integrator, more);
        let last = rows.last().unwrap().0;
        let end: Vec<&Row> = rows.iter().filter(|row| row.0 == last).collect();
        let names: Vec<(&str, &str)> = end.iter().map(|row| (row.1.as_str(), row.2.as_str())).collect();
        assert_eq!(names, [("clamp", "fix"), ("b.load.1", "load")], "{integrator}");
        // 2 kg weigh 19.62 N about (0.1, 0.05, 0.05); the load acts at (0.2, 0.05, 0.05) m
        near(end[1].3, [3.0, 0.0, 5.0], 1e-9, integrator);
        near(end[1].4, [0.05 * 5.0, 0.05 * 3.0 - 0.2 * 5.0, -0.05 * 3.0], 1e-9, integrator);
        near(end[0].3, [-3.0, 0.0, 19.62 - 5.0], 1e-9, integrator);
        let held = [0.05 * (19.62 - 5.0), -0.05 * 3.0 + 0.2 * 5.0 - 0.1 * 19.62, 0.05 * 3.0];
        near(end[0].4, held, 1e-9, integrator);
    }
}

#[test]
fn a_moving_fix_adds_what_accelerates_the_block_at_every_time() {
    let folder = tempfile::tempdir().unwrap();
    let more =
        "[[body.b.fix]]\nwhere = \"all\"\nsine = { amplitude = [\"1 cm\", 0, 0], frequency = \"5 Hz\" }\n";
    let rows = played(folder.path(), "method = \"explicit\"", more);
    assert!(rows.len() > 50, "{}", rows.len());
    let omega = 2.0 * std::f64::consts::PI * 5.0;
    for (time, name, _, force, _) in &rows {
        // m a of x = 1 cm sin(omega t)
        let push = -2.0 * 0.01 * omega * omega * (omega * time).sin();
        assert_eq!(name, "b.fix.1");
        near(*force, [push, 0.0, 19.62], 1e-9, &format!("at {time} s"));
    }
}

#[test]
fn a_grab_is_told_with_its_force_and_nothing_when_it_has_let_go() {
    let folder = tempfile::tempdir().unwrap();
    let more = "[[body.b.fix]]\nwhere = { plane = { point = [0, 0, 0], normal = [1, 0, 0] } }\n\
                [[grab]]\nname = \"hand\"\nbody = \"b\"\nat = [0.2, 0.05, 0.05]\nstiffness = \"100 N/m\"\ndamping = 0\n\
                path = [[\"0 s\", [0.25, 0.05, 0.05]]]\nrelease = \"50 ms\"\n";
    let rows = played(folder.path(), "method = \"explicit\"", more);
    let hand: Vec<&Row> = rows.iter().filter(|row| row.1 == "hand").collect();
    assert_eq!(hand[0].2, "grab");
    // 100 N/m over 5 cm at the start
    near(hand[0].3, [5.0, 0.0, 0.0], 1e-9, "at the start");
    let released = hand.iter().find(|row| row.0 > 0.051).unwrap();
    assert_eq!(released.3, [0.0; 3]);
}

#[test]
fn reactions_balance_loads_and_weight_at_rest_and_the_summary_names_them() {
    let folder = tempfile::tempdir().unwrap();
    let ends = "[[body.b.fix]]\nname = \"left\"\nwhere = { plane = { point = [0, 0, 0], normal = [1, 0, 0] } }\n\
                [[body.b.fix]]\nwhere = { plane = { point = [0.2, 0, 0], normal = [1, 0, 0] } }\nmove = [\"-1 cm\", 0, 0]\n\
                [[body.b.load]]\nname = \"wind\"\nwhere = \"all\"\nbody_force = [0, \"2 kN/m^3\", 0]\n";
    let rows = played(folder.path(), "method = \"static\"", ends);
    let last = rows.last().unwrap().0;
    let end: Vec<&Row> = rows.iter().filter(|row| row.0 == last).collect();
    let sum = |pick: fn(&Row) -> [f64; 3]| -> [f64; 3] {
        std::array::from_fn(|c| end.iter().map(|row| pick(row)[c]).sum::<f64>())
    };
    near(sum(|row| row.3), [0.0, 0.0, 19.62], 1e-7, "forces");
    let reactions = &summary(&folder.path().join("out"))["reactions"];
    assert_eq!((&reactions[0]["name"], &reactions[1]["name"]), (&"left".into(), &"b.fix.2".into()));
    assert!(end[0].3[0] > 100.0, "what is pressed together pushes: {:?}", end[0]);
}

#[test]
fn comments_say_what_columns_are_and_a_resumed_run_keeps_them() {
    let folder = tempfile::tempdir().unwrap();
    let fix = "[[body.b.fix]]\nwhere = \"all\"\n";
    let scene = block(folder.path(), "method = \"explicit\"", fix);
    let commented = std::fs::read_to_string(&scene).unwrap() + "csv_comments = true\n";
    std::fs::write(&scene, &commented).unwrap();
    let out = folder.path().join("out");
    let go = |options: &[&str]| {
        let output = run(&[&["run", &scene, "-o", out.to_str().unwrap(), "-q"], options].concat());
        assert!(output.status.success(), "{}", errors(&output));
        rows(&out)
    };
    let first = go(&[]);
    let table = std::fs::read_to_string(out.join("forces.csv")).unwrap();
    for part in ["# fx, fy, fz (N): ", "# mx, my, mz (N m): the moment", "about the world's origin"] {
        assert!(table.contains(part), "{part}: {table}");
    }
    // a longer run goes on where this one ended, with the comments once
    std::fs::write(&scene, commented.replace("duration = 0.1", "duration = 0.15")).unwrap();
    let second = go(&["--resume"]);
    assert_eq!(second[..first.len()], first[..]);
    assert!(second.len() > first.len());
    let table = std::fs::read_to_string(out.join("forces.csv")).unwrap();
    assert_eq!(table.matches("# fx, fy, fz").count(), 1);
}

#[test]
fn tables_have_as_many_rows_as_frames_were_asked_for_also_where_none_are_written() {
    let folder = tempfile::tempdir().unwrap();
    let scene = block(folder.path(), "step = \"0.1 ms\"", "[[body.b.fix]]\nwhere = \"all\"\n");
    let text = std::fs::read_to_string(&scene).unwrap();
    let text = text.replace("frames_per_second = 0", "frames_per_second = 5000\nformats = []");
    std::fs::write(&scene, text).unwrap();
    let out = folder.path().join("out");
    let output = run(&["run", &scene, "-o", out.to_str().unwrap(), "-q"]);
    assert!(output.status.success(), "{}", errors(&output));
    // every 0.2 ms of 0.1 s, and the start
    assert_eq!(rows(&out).len(), 501);
    assert!(!out.join("frames").exists());
}
