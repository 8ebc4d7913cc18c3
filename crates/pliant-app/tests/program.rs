//! The program as a person meets it: exit codes, messages, stopping and going on.
#![allow(clippy::unwrap_used, missing_docs)]

use crate::support;

use std::path::Path;
use std::time::{Duration, Instant};

use support::{errors, pliant, run, summary, text};

fn scene(folder: &Path, content: &str) -> String {
    let file = folder.join("scene.toml");
    std::fs::write(&file, content).unwrap();
    file.to_str().unwrap().to_string()
}

/// A block that takes about a second, with everything that moves bits.
const BUSY: &str = r#"
title = "busy"
duration = "0.25 s"
gravity = [0, 0, -9.81]
[material.m]
law = "neo-hookean"
young = "1 MPa"
poisson = 0.4
density = 1000
damping = { mass = 1, stiffness = "50 us" }
[body.block]
material = "m"
mesh = { shape = "box", size = [0.2, 0.1, 0.1], cells = [20, 10, 10], element = "tet" }
angular_velocity = [0, 0, 20]
[[body.block.fix]]
where = { plane = { point = [0, 0, 0], normal = [1, 0, 0] } }
sine = { amplitude = [0, 0, "5 mm"], frequency = "10 Hz" }
[[body.block.load]]
where = { plane = { point = [0.2, 0, 0], normal = [1, 0, 0] } }
pressure = "1 kPa"
[[probe]]
name = "corner"
body = "block"
at = [0.2, 0.1, 0.1]
[output]
frames_per_second = 100
"#;

fn bytes(folder: &Path, name: &str) -> Vec<u8> {
    std::fs::read(folder.join(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
}

#[test]
fn threads_do_not_change_a_bit() {
    let folder = tempfile::tempdir().unwrap();
    let file = scene(folder.path(), &BUSY.replace("0.25 s", "0.01 s"));
    let outs: Vec<_> = ["1", "2", "8"]
        .iter()
        .map(|threads| {
            let out = folder.path().join(threads);
            let output = run(&["run", &file, "-o", out.to_str().unwrap(), "--threads", threads]);
            assert!(output.status.success(), "{}", errors(&output));
            assert_eq!(summary(&out)["threads"].to_string(), *threads);
            out
        })
        .collect();
    for name in ["energy.csv", "probes.csv", "forces.csv", "frames/block_000001.vtu"] {
        assert!(bytes(&outs[0], name) == bytes(&outs[1], name), "{name} differs for 2 threads");
        assert!(bytes(&outs[0], name) == bytes(&outs[2], name), "{name} differs for 8 threads");
    }
}

#[test]
fn an_interrupted_run_goes_on_to_the_same_bits() {
    let folder = tempfile::tempdir().unwrap();
    let file = scene(folder.path(), BUSY);
    let (whole, parts) = (folder.path().join("whole"), folder.path().join("parts"));
    let output = run(&["run", &file, "-o", whole.to_str().unwrap()]);
    assert!(output.status.success(), "{}", errors(&output));

    let mut child = pliant().args(["run", &file, "-o", parts.to_str().unwrap()]).spawn().unwrap();
    // as soon as a few frames are there
    let begin = Instant::now();
    while !parts.join("frames/block_000003.vtu").exists() && begin.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(2));
    }
    let killed = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    assert_eq!(child.wait().unwrap().code(), Some(130), "as a shell tells of Ctrl-C");
    assert_eq!(summary(&parts)["status"], "stopped");
    let reached = summary(&parts)["simulated_s"].as_f64().unwrap();
    assert!(reached > 0.0 && reached < 0.25, "stopped at {reached}");

    let output = run(&["run", &file, "-o", parts.to_str().unwrap(), "--resume"]);
    assert!(output.status.success(), "{}", errors(&output));
    assert_eq!(summary(&parts)["status"], "done");
    for name in [
        "energy.csv",
        "probes.csv",
        "forces.csv",
        "frames/block_000005.vtu",
        "frames/block_000025.vtu",
        "scene.pvd",
    ] {
        assert!(bytes(&whole, name) == bytes(&parts, name), "{name} differs after --resume");
    }
    assert_eq!(summary(&whole)["energy"], summary(&parts)["energy"]);

    // a snapshot of another scene is not taken
    let other = scene(folder.path(), &BUSY.replace("0.4", "0.3"));
    let output = run(&["run", &other, "-o", parts.to_str().unwrap(), "--resume"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(errors(&output).contains("made from another scene or mesh"), "{}", errors(&output));
}

#[test]
fn a_diverging_run_says_what_where_when_and_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let file =
        scene(folder.path(), &BUSY.replace("[material.m]", "[integrator]\nstep = \"2 ms\"\n[material.m]"));
    let out = folder.path().join("out");
    let refused = run(&["run", &file, "-o", out.to_str().unwrap()]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(errors(&refused).contains("the step of 2 ms is not stable"), "{}", errors(&refused));
    assert!(!out.exists(), "nothing is written for a scene that is refused");

    let forced = run(&["run", &file, "-o", out.to_str().unwrap(), "--force"]);
    assert_eq!(forced.status.code(), Some(1));
    let message = errors(&forced);
    for part in [
        "body `block` diverged in the step from t = ",
        "worst element ",
        " at (",
        "help: the step was 2.0000 ms",
    ] {
        assert!(message.contains(part), "{part:?} is missing in {message}");
    }
    assert_eq!(summary(&out)["status"], "diverged");
    assert!(summary(&out)["reason"].as_str().unwrap().contains("diverged"));
}

#[test]
fn freeze_stops_one_body_and_the_others_go_on() {
    let folder = tempfile::tempdir().unwrap();
    let two = BUSY.replace("duration", "on_divergence = \"freeze\"\nduration")
        + "[material.soft]\nlaw = \"st-venant\"\nyoung = \"10 kPa\"\npoisson = 0.3\ndensity = 1000\n\
           [body.calm]\nmaterial = \"soft\"\nmesh = { shape = \"box\", size = [1, 1, 1], cells = [2, 2, 2] }\nposition = [2, 0, 0]\n";
    let two = two.replace("[material.m]", "[integrator]\nstep = \"2 ms\"\n[material.m]");
    let file = scene(folder.path(), &two);
    let out = folder.path().join("out");
    let output = run(&["run", &file, "-o", out.to_str().unwrap(), "--force"]);
    assert!(output.status.success(), "{}", errors(&output));
    assert!(text(&output).contains("frozen: body `block` diverged"), "{}", text(&output));
    let s = summary(&out);
    assert_eq!(s["bodies"]["block"]["frozen"], true);
    // the other fell freely all the while: g t^2 / 2
    let fallen = s["bodies"]["calm"]["max_displacement"].as_f64().unwrap();
    assert!((fallen / (0.5 * 9.81 * 0.25 * 0.25) - 1.0).abs() < 1e-9, "{fallen}");
}

#[test]
fn bad_input_is_exit_code_2_and_names_the_file() {
    let output = run(&["run", "no_such.toml", "-o", "never"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(errors(&output).contains("no_such.toml"), "{}", errors(&output));
    let output = run(&["check", "no_such.msh"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(errors(&output).contains("no_such.msh"), "{}", errors(&output));
    let output = run(&["run", "crates/pliant-scene/data/reference/bar450_41.msh", "-o", "never"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(errors(&output).contains("this is a mesh, not a scene"), "{}", errors(&output));
    assert_eq!(run(&["run"]).status.code(), Some(2));
    assert_eq!(run(&["bench", "--threads", "0"]).status.code(), Some(2));
}

#[test]
fn check_tells_what_regions_took() {
    let folder = tempfile::tempdir().unwrap();
    let scene = folder.path().join("s.toml");
    // a patch of 0.3 m between mesh lines of 0.1 m takes two rows of faces: 0.2 x 0.2 m^2 x 1 kPa
    let text_of = "duration = 1\n[material.m]\nlaw = \"linear\"\nyoung = 1e6\npoisson = 0.3\ndensity = 1000\n\
        [body.b]\nmaterial = \"m\"\nmesh = { shape = \"box\", size = [1, 0.2, 0.2], cells = [10, 2, 2], element = \"hex\" }\n\
        [[body.b.fix]]\nname = \"clamp\"\naxes = \"xz\"\nwhere = { plane = { point = [0, 0, 0], normal = [1, 0, 0] } }\n\
        [[body.b.load]]\nname = \"wind\"\ntraction = [0, 0, \"-1 kPa\"]\nwhere = { box = { min = [0.35, 0, 0.199], max = [0.65, 0.2, 0.201] } }\n\
        [[body.b.load]]\nname = \"gas\"\npressure = \"1 kPa\"\nwhere = { plane = { point = [1, 0, 0], normal = [1, 0, 0] } }\n";
    std::fs::write(&scene, text_of).unwrap();
    let told = text(&run(&["check", scene.to_str().unwrap()]));
    for line in [
        "fix `clamp`: 9 nodes held along x, z\n",
        "load `wind`: (0, 0, -40) N in all\n",
        "load `gas`: (-40, 0, 0) N in all\n",
    ] {
        assert!(told.contains(line), "{told}");
    }
}

#[test]
fn check_reports_and_writes_nothing() {
    let output = run(&["check", "scenes/hello_bar.toml"]);
    assert!(output.status.success());
    assert!(text(&output).contains("bar: 176 nodes, 450 tetrahedra"), "{}", text(&output));
    assert!(text(&output).contains("no problem found"));
    let output = run(&["check", "scenes/hello_bar.toml", "--json"]);
    let json: serde_json::Value = serde_json::from_str(&text(&output)).unwrap();
    assert_eq!(json["ok"], true);
    assert_eq!(json["bodies"][0]["tets"], 450);
    let output = run(&["check", "crates/pliant-scene/data/reference/bar450_41.msh"]);
    assert!(output.status.success() && text(&output).contains("450 tetrahedra"), "{}", text(&output));
}

#[test]
fn the_schema_is_json_and_knows_the_keys() {
    let schema: serde_json::Value = serde_json::from_str(&text(&run(&["schema"]))).unwrap();
    assert_eq!(schema["title"], "Pliant scene");
    assert!(schema["properties"]["integrator"].is_object());
}

/// A Python with jsonschema; the test fails without one, it is never skipped.
fn python() -> std::path::PathBuf {
    let venv = support::root().join("target/venv/bin/python");
    let python = std::env::var_os("PLIANT_PYTHON").map_or(venv, std::path::PathBuf::from);
    assert!(
        python.exists(),
        "run `cargo xtask test` once, or: python3 -m venv target/venv && target/venv/bin/pip install -r xtask/requirements.txt"
    );
    python
}

#[test]
fn the_schema_accepts_the_gallery_and_refuses_a_slip() {
    let folder = tempfile::tempdir().unwrap();
    let schema = folder.path().join("schema.json");
    std::fs::write(&schema, text(&run(&["schema"]))).unwrap();
    let wrong = scene(folder.path(), &BUSY.replace("poisson", "poison"));
    let mut command = std::process::Command::new(python());
    command.arg(support::root().join("crates/pliant-app/tests/python/validate.py")).arg(&schema).arg(&wrong);
    let files = std::fs::read_dir(support::root().join("scenes")).unwrap().map(|e| e.unwrap().path());
    let scenes: Vec<_> = files.filter(|p| p.extension().is_some_and(|e| e == "toml")).collect();
    command.args(&scenes);
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", errors(&output));
    let (valid, invalid): (Vec<String>, Vec<String>) =
        text(&output).lines().map(str::to_owned).partition(|line| line.ends_with(": valid"));
    assert_eq!(valid.len(), scenes.len(), "{invalid:?}");
    assert!(invalid.iter().all(|line| line.starts_with(&wrong)) && !invalid.is_empty(), "{invalid:?}");
}

#[test]
fn bench_measures_every_phase() {
    let output = run(&["bench", "scenes/hello_bar.toml", "--steps", "50", "--json"]);
    let json: serde_json::Value = serde_json::from_str(&text(&output)).unwrap();
    let scene = &json["scenes"][0];
    assert_eq!(scene["elements"], 450);
    assert_eq!(scene["steps"], 50);
    for phase in ["predict", "forces", "advance", "accounts", "stability"] {
        assert!(scene["phases_ms"][phase]["p50"].as_f64().unwrap() > 0.0, "{phase}");
    }
}
