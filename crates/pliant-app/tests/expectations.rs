//! What is told of a run before it begins: how many steps, how long; and runs that nobody would see the end of.
#![allow(clippy::unwrap_used, missing_docs)]

use crate::support;

use std::path::Path;

use support::{errors, run, summary, text};

/// A clamped beam with further lines of `[integrator]`, of its material and of its fix.
fn beam(folder: &Path, integrator: &str, material: &str, fix: &str) -> String {
    let scene = format!(
        "duration = 4\ngravity = [0, 0, -9.81]\n[integrator]\n{integrator}\n[material.m]\nlaw = \"linear\"\nyoung = \"1 MPa\"\npoisson = 0.3\n\
         density = 1000\n{material}\n[body.beam]\nmaterial = \"m\"\n\
         mesh = {{ shape = \"box\", size = [1, 0.2, 0.2], cells = [5, 1, 1], element = \"hex\" }}\n\
         [[body.beam.fix]]\nwhere = {{ plane = {{ point = [0, 0, 0], normal = [1, 0, 0] }} }}\n{fix}\n"
    );
    let file = folder.join("beam.toml");
    std::fs::write(&file, scene).unwrap();
    file.to_str().unwrap().into()
}

#[test]
fn a_run_of_1e18_steps_is_refused_with_line_and_way_out() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let sine = "sine = { amplitude = [0, 0, 0.001], frequency = 1e9 }";
    let table =
        "table = [[0, [0, 0, 0]], [1, [0, 0, 0.01]], [1.000000000000001, [0, 0, 0.01]], [3, [0, 0, 0]]]";
    let cases = [
        (
            ["step = \"1e-18 s\"", "", ""],
            "beam.toml:4:8: `step` is 1.00e-18 s, and `duration` 4 s: the run would take 4.0e18 steps",
        ),
        (
            ["", "", sine],
            "the sine of 1000000000 Hz of body `beam` wants 24 steps a period, of 4.17e-11 s each: the run would take 9.6e10 steps",
        ),
        (
            ["", "", table],
            "the shortest interval of this table is 1.11e-15 s, and steps of a quarter of it are taken up to its end at 3 s",
        ),
        (
            ["", "damping = { mass = 1e10 }", ""],
            "mass damping of body `beam`, 10000000000 1/s, allows steps of 2.50e-11 s at most",
        ),
    ];
    for ([integrator, material, fix], words) in cases {
        let scene = beam(folder.path(), integrator, material, fix);
        for command in [vec!["check", &scene], vec!["run", &scene, "-o", out.to_str().unwrap()]] {
            let output = run(&command);
            assert_eq!(output.status.code(), Some(2), "{command:?}: {}", errors(&output));
            let message = errors(&output);
            assert!(message.contains(words), "{message} lacks {words}");
            assert!(message.contains("`pliant run --force` runs it all the same"), "{message}");
        }
        assert!(!out.exists());
    }
}

#[test]
fn a_run_that_would_last_years_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    // 2e9 steps of 2000 elements, by Newton's method
    let scene = beam(folder.path(), "method = \"newmark\"\nstep = \"2 ns\"", "", "");
    let large = std::fs::read_to_string(&scene).unwrap().replace("[5, 1, 1]", "[50, 10, 4]");
    std::fs::write(&scene, large).unwrap();
    let output = run(&["check", &scene]);
    assert_eq!(output.status.code(), Some(2));
    let message = errors(&output);
    assert!(message.contains("the run would last ") && message.contains(" years (2.0e9 steps)"), "{message}");
}

#[test]
fn steps_and_time_are_told_before_a_run_and_by_check() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let scene = beam(folder.path(), "step = \"1 ms\"", "", "");
    let words = "4000 steps for 4 s, less than a second on one thread";
    assert!(text(&run(&["check", &scene])).contains(words));
    let output = run(&["run", &scene, "-o", out.to_str().unwrap()]);
    assert!(text(&output).starts_with(words), "{}", text(&output));
    assert_eq!(summary(&out)["steps"], 4000);
    // automatic: as many as the stable step says, to a tenth
    let scene = beam(folder.path(), "", "", "");
    let json: serde_json::Value = serde_json::from_str(&text(&run(&["check", &scene, "--json"]))).unwrap();
    assert_eq!(json["run"]["counted"], "about");
    run(&["run", &scene, "-o", out.to_str().unwrap()]);
    let (told, taken) = (json["run"]["steps"].as_f64().unwrap(), summary(&out)["steps"].as_f64().unwrap());
    assert!((told - taken).abs() < 0.1 * taken, "{told} told, {taken} taken");
    // what keeps steps short is told where one has to wait for them
    let scene = beam(folder.path(), "", "damping = { mass = 1e8 }", "");
    let message = text(&run(&["check", &scene]));
    assert!(
        message.contains("about 1.6e9 steps for 4 s, about ")
            && message.contains(": mass damping of body `beam`"),
        "{message}"
    );
}
