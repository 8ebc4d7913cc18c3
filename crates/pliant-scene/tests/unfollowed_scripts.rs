//! Scripts that a run does not follow as they are written are warned of; sines of which nothing is left are refused.
#![allow(clippy::unwrap_used, clippy::panic)] // a failing helper is a failing test

use std::path::Path;

use pliant_scene::{CompileOptions, Compiled, LoadedScene, Scene, SceneError, compile};

/// A bar, held at x = 0, with more tables of TOML.
fn bar(top: &str, more: &str, force: bool) -> Result<Compiled, SceneError> {
    let text = format!(
        "{top}\n[material.m]\nlaw = \"neo-hookean\"\nyoung = 1e6\npoisson = 0\ndensity = 1000\n\
         [body.b]\nmaterial = \"m\"\nmesh = {{ shape = \"box\", size = [1, 0.1, 0.1], cells = [2, 1, 1], element = \"hex\" }}\n\
         [[body.b.fix]]\nwhere = {{ plane = {{ point = [0, 0, 0], normal = [1, 0, 0] }} }}\n{more}\n"
    );
    let (scene, source) = Scene::parse(&text, "x.toml")?;
    let loaded = LoadedScene { scene, source, folder: Path::new(".").to_path_buf() };
    compile(&loaded, CompileOptions { force, ..CompileOptions::default() })
}

fn warned(top: &str, more: &str) -> Vec<String> {
    bar(top, more, true).unwrap().warnings.into_iter().map(|warning| warning.message).collect()
}

fn top(method: &str, step: &str) -> String {
    format!("duration = \"1 s\"\n[integrator]\nmethod = \"{method}\"\nstep = \"{step}\"")
}

const END: &str = "where = { plane = { point = [1, 0, 0], normal = [1, 0, 0] } }";

fn load(script: &str) -> String {
    format!("[[body.b.load]]\nname = \"pull\"\n{END}\nforce = [1, 0, 0]\n{script}\n")
}

fn fix(motion: &str) -> String {
    format!("[[body.b.fix]]\nname = \"top\"\n{END}\n{motion}\n")
}

#[test]
fn fixed_steps_that_do_not_follow_a_script_are_warned_of() {
    let cases = [
        (load("sine = { frequency = \"50 Hz\" }"), "the sine of 50 Hz of load `pull`", "2.5 ms"),
        (
            fix("sine = { frequency = \"50 Hz\", amplitude = [1e-3, 0, 0] }"),
            "the sine of 50 Hz of fix `top`",
            "2.5 ms",
        ),
        (
            load("table = [[0, 0], [\"0.5 s\", 0], [\"0.502 s\", 1], [\"1 s\", 0]]"),
            "the `table` with rows 2 ms apart of load `pull`",
            "2 ms",
        ),
        (load("over = \"4 ms\""), "`over` = 4 ms of load `pull`", "0.5 ms"),
        (load("release = \"5 ms\""), "the `release` at 5 ms of load `pull`", "5 ms"),
        (fix("release = \"5 ms\""), "the `release` at 5 ms of fix `top`", "5 ms"),
    ];
    for (script, what, longest) in cases {
        let longest = longest.replace("0.5 ms", "500 us");
        let expected =
            format!("the step of 8 ms does not follow {what}: use step = \"auto\" or at most {longest}");
        for method in ["newmark", "implicit-euler", "quasistatic", "explicit"] {
            assert_eq!(warned(&top(method, "8 ms"), &script), [expected.as_str()], "{method}: {script}");
            assert!(warned(&top(method, "0.4 ms"), &script).is_empty(), "{method}: {script}");
        }
    }
    // rows after the end of the run are of no matter
    assert!(
        warned(&top("newmark", "8 ms"), &load("table = [[0, 0], [\"2 s\", 1], [\"2.001 s\", 0]]")).is_empty()
    );
}

#[test]
fn steps_that_meet_a_sine_at_one_value_are_refused_unless_forced() {
    let refused = |step: &str, sine: &str| {
        let load = load(&format!("sine = {{ frequency = \"50 Hz\"{sine} }}"));
        bar(&top("newmark", step), &load, false).err().map(|e| e.to_string())
    };
    for (step, sine) in [("10 ms", ""), ("20 ms", ""), ("20 ms", ", phase = \"90 deg\"")] {
        let text = refused(step, sine).unwrap();
        let words = format!(
            "the step of {step} meets the sine of 50 Hz of load `pull` at the same value every time, as if it stood still"
        );
        assert!(text.contains(&words) && text.contains("use step = \"auto\" or at most 2.5 ms"), "{text}");
    }
    // at half a period the phase decides
    assert_eq!(refused("10 ms", ", phase = \"90 deg\""), None);
    assert_eq!(refused("8 ms", ""), None);
}

#[test]
fn splines_that_leave_the_range_of_their_rows_are_warned_of() {
    // rest, 5 mm within 50 ms, rest
    let fast = "table = [[\"0 s\", [0, 0, 0]], [\"0.5 s\", [0, 0, 0]], [\"0.55 s\", [0, 0, \"5 mm\"]], [\"1 s\", [0, 0, \"5 mm\"]]]";
    let lines = warned(&top("quasistatic", "10 ms"), &fix(fast));
    assert_eq!(lines.len(), 1, "{lines:#?}");
    assert!(
        lines[0].starts_with("the smooth curve through the `table` of fix `top` swings to ")
            && lines[0].ends_with("mm along z at 335.9375 ms, beyond its rows (0 to 5 mm): add rows around the fast part, or use `move` with `over`"),
        "{lines:#?}"
    );
    // even rows swing by less than a tenth
    let even = "table = [[\"0 s\", [0, 0, 0]], [\"0.4 s\", [0, 0, \"2 mm\"]], [\"0.7 s\", [0, 0, \"4 mm\"]], [\"1 s\", [0, 0, \"5 mm\"]]]";
    assert!(warned(&top("quasistatic", "10 ms"), &fix(even)).is_empty());
}

#[test]
fn ramps_that_the_end_of_a_run_cuts_off_are_warned_of() {
    let expected = "takes 2 s and has not come to its full value at the end of the run, 1 s: make `over` shorter or `duration` longer";
    let moved = fix("move = [\"1 mm\", 0, 0]\nover = \"2 s\"");
    for method in ["explicit", "newmark", "implicit-euler", "quasistatic"] {
        assert_eq!(
            warned(&top(method, "1 ms"), &load("over = \"2 s\"")),
            [format!("load `pull` {expected}")]
        );
        assert_eq!(warned(&top(method, "1 ms"), &moved), [format!("fix `top` {expected}")]);
    }
    let ready = load("over = \"1 s\"");
    assert!(warned(&top("newmark", "1 ms"), &ready).is_empty());
    // statics says it in its own words
    assert_eq!(warned("duration = 1\n[integrator]\nmethod = \"static\"", &load("over = \"2 s\"")).len(), 1);
}
