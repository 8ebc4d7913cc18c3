//! Loads that vary with time, and names of what acts.
#![allow(clippy::unwrap_used, clippy::panic)] // a failing helper is a failing test

use std::path::Path;

use pliant_scene::{CompileOptions, Compiled, LoadedScene, Scene, SceneError, compile};
use pliant_solid::integrator::Inputs;

/// A linear bar of 1 m with E A / l = 1e4 N/m, without Poisson's effect, clamped at x = 0 and loaded at x = 1 m.
fn bar(top: &str, load: &str) -> Result<Compiled, SceneError> {
    let text = format!(
        "{top}\n[material.m]\nlaw = \"linear\"\nyoung = 1e6\npoisson = 0\ndensity = 1000\n\
         [body.b]\nmaterial = \"m\"\nmesh = {{ shape = \"box\", size = [1, 0.1, 0.1], cells = [4, 1, 1], element = \"hex\" }}\n\
         [[body.b.fix]]\nwhere = {{ plane = {{ point = [0, 0, 0], normal = [1, 0, 0] }} }}\n\
         [[body.b.load]]\nwhere = {{ plane = {{ point = [1, 0, 0], normal = [1, 0, 0] }} }}\n{load}\n\
         [[probe]]\nname = \"tip\"\nbody = \"b\"\nat = [1, 0.05, 0.05]\n"
    );
    let (scene, source) = Scene::parse(&text, "x.toml")?;
    compile(&LoadedScene { scene, source, folder: Path::new(".").to_path_buf() }, CompileOptions::default())
}

fn fault(top: &str, load: &str) -> String {
    bar(top, load).err().unwrap().to_string()
}

/// Times and displacements of the tip along x of a run.
fn tips(compiled: &Compiled) -> Vec<(f64, f64)> {
    let mut world = compiled.world().unwrap();
    let inputs = Inputs { end: Some(compiled.duration), ..Inputs::default() };
    let mut out = Vec::new();
    while world.state().time < compiled.duration {
        world.step(&inputs).unwrap();
        let full = world.model().full_state(world.state());
        out.push((world.state().time, compiled.probes[0].point.mean(&full.x)[0] - 1.0));
    }
    out
}

const QUASISTATIC: &str = "duration = 2\n[integrator]\nmethod = \"quasistatic\"";

#[test]
fn a_quasistatic_bar_follows_a_table_along_straight_lines() {
    let load =
        "force = [100, 0, 0]\ntable = [[\"0 s\", 0], [\"0.5 s\", 1], [\"1 s\", 1], [\"2 s\", \"-50 %\"]]";
    // u = F / 1e4 N/m, and F by the table
    let factor = |t: f64| match t {
        t if t < 0.5 => 2.0 * t,
        t if t < 1.0 => 1.0,
        t => 1.0 - 1.5 * (t - 1.0),
    };
    let tips = tips(&bar(QUASISTATIC, load).unwrap());
    assert!(
        tips.iter().any(|(t, _)| *t == 0.5) && tips.iter().any(|(t, _)| *t == 1.0),
        "steps end at corners"
    );
    for (time, u) in tips {
        assert!((u - 0.01 * factor(time)).abs() < 1e-9, "{u} at {time} s");
    }
}

#[test]
fn every_kind_of_load_follows_a_sine() {
    let factor = |t: f64| 0.25 + (2.0 * std::f64::consts::PI * 1.5 * t + 0.5).sin();
    let sine = "sine = { frequency = \"1.5 Hz\", phase = \"0.5 rad\", mean = 0.25 }";
    // 1 N each: 100 Pa on 0.01 m^2; pressure pushes inwards
    for (load, sign) in
        [("force = [1, 0, 0]", 1.0), ("traction = [\"100 Pa\", 0, 0]", 1.0), ("pressure = \"100 Pa\"", -1.0)]
    {
        for (time, u) in tips(&bar(QUASISTATIC, &format!("{load}\n{sine}")).unwrap()) {
            assert!((u - sign * 1e-4 * factor(time)).abs() < 1e-10, "{load}: {u} at {time} s");
        }
    }
    // b l^2 / (2 E) of a bar that hangs in a body force
    let body = "body_force = [\"20 kN/m^3\", 0, 0]".to_owned() + "\n" + sine;
    let text = bar(QUASISTATIC, &body).err().map(|e| e.to_string());
    assert!(text.is_some_and(|t| t.contains("acts on no element")), "a plane holds no element's centre");
}

#[test]
fn statics_takes_a_load_as_it_is_at_the_end_and_asks_for_that_time() {
    let table = "force = [100, 0, 0]\ntable = [[\"0 s\", 1], [\"4 s\", 0]]";
    let made = bar("duration = 3\n[integrator]\nmethod = \"static\"", table).unwrap();
    let (_, tip) = *tips(&made).last().unwrap();
    assert!((tip - 0.01 * 0.25).abs() < 1e-9, "{tip}");
    let text = fault("[integrator]\nmethod = \"static\"", table);
    assert!(text.contains("`static` without `duration` knows no time to take it at"), "{text}");
    assert!(text.contains("add duration = \"1 s\""), "{text}");
}

#[test]
fn a_script_that_is_zero_at_the_end_is_warned_of_in_statics() {
    let top = "duration = 1\n[integrator]\nmethod = \"static\"";
    let told = |load: &str| {
        let compiled = bar(top, load).unwrap();
        compiled
            .warnings
            .iter()
            .any(|w| w.message.contains("the script of this load is zero at the end, 1 s"))
    };
    assert!(told("force = [100, 0, 0]\ntable = [[0, 1], [1, 0]]"));
    assert!(told("force = [100, 0, 0]\nsine = { frequency = 1 }"));
    assert!(!told("force = [100, 0, 0]\ntable = [[0, 0], [1, 1]]"));
    assert!(!told("force = [100, 0, 0]\nsine = { frequency = 0.25 }"));
}

#[test]
fn slips_in_scripts_of_loads_are_told_with_the_way_out() {
    let top = "duration = 1";
    let cases = [
        ("sine = { frequency = 0 }", "`frequency` is 0 Hz; it must be above 0"),
        ("table = [[0, 1], [0, 2]]", "`table` goes from 0 s to 0 s; times must increase"),
        ("table = []", "`table` is empty; give at least one [time, factor], such as [\"0 s\", 0]"),
        ("table = [[0, 1]]\nover = 1", "has both `over` and `table`"),
        ("table = [[0, 1]]\nsine = { frequency = 1 }", "has both `sine` and `table`"),
        ("sine = { frequency = 1, amplitude = 2 }", "unknown key `amplitude`"),
    ];
    for (script, expected) in cases {
        let text = fault(top, &format!("force = [1, 0, 0]\n{script}"));
        assert!(text.contains(expected), "{script}: {text}");
    }
}

#[test]
fn explicit_steps_follow_a_fast_load() {
    // 24 steps a period at least: the bar's own stable step is 7.6 ms
    let load = "force = [1, 0, 0]\nsine = { frequency = \"100 Hz\" }";
    let steps = tips(&bar("duration = 0.1", load).unwrap());
    assert!(steps.len() >= 240, "{}", steps.len());
    let plain = tips(&bar("duration = 0.1", "force = [1, 0, 0]").unwrap());
    assert!(plain.len() < 60, "{}", plain.len());
}

#[test]
fn names_are_unique_and_fit_into_a_table() {
    let top = "duration = 1";
    let load = |name: &str| format!("force = [1, 0, 0]\nname = {name}");
    let names = |compiled: &Compiled| compiled.acting.iter().map(|a| a.name.clone()).collect::<Vec<_>>();
    assert_eq!(names(&bar(top, &load("\"push\"")).unwrap()), ["b.fix.1", "push"]);
    let text = fault(top, &load("\"b.fix.1\""));
    assert!(text.contains("a second fix, load, grab or collider is named \"b.fix.1\""), "{text}");
    let text = fault(top, &load("\"a,b\""));
    assert!(
        text.contains("`name` of a fix, load, grab or collider is \"a,b\"; it heads lines of a CSV file"),
        "{text}"
    );
}

#[test]
fn gravity_may_be_a_number_along_minus_z() {
    let load = "force = [1, 0, 0]";
    let gravity = |value: &str| bar(&format!("duration = 1\ngravity = {value}"), load);
    for value in ["9.81", "\"981 cm/s^2\"", "[0, 0, -9.81]"] {
        assert_eq!(gravity(value).unwrap().model.gravity(), [0.0, 0.0, -9.81], "{value}");
    }
    assert_eq!(gravity("0").unwrap().model.gravity(), [0.0; 3]);
    let text = gravity("-9.81").err().unwrap().to_string();
    assert!(
        text.contains(
            "x.toml:2:11: `gravity`: one number is how strongly gravity pulls down, along -z, so it cannot be below 0; \
             write 9.81 to pull along -z, or [0, 0, 9.81] to pull upwards"
        ),
        "{text}"
    );
    let text = gravity("[0, -9.81]").err().unwrap().to_string();
    assert!(text.contains("x, y and z, as in [0, 0, -9.81]"), "{text}");
    let text = gravity("\"9.81 m\"").err().unwrap().to_string();
    assert!(text.contains("`gravity` needs an acceleration such as"), "{text}");
}

#[test]
fn pressure_on_a_linear_body_gives_a_linear_answer() {
    // u = - p A l / (E A) at any pressure: the surface stays the one at rest
    let statics = "[integrator]\nmethod = \"static\"";
    let tip =
        |pressure: f64| tips(&bar(statics, &format!("pressure = {pressure}")).unwrap()).last().unwrap().1;
    for pressure in [1e4, 2e5, 4e5] {
        assert!((tip(pressure) + pressure / 1e6).abs() < 1e-9, "{pressure} Pa: {}", tip(pressure));
    }
    // on a side the normal turns with the bending bar; forces at rest do not
    let bent = |pressure: f64| {
        let side = "force = [0, 0, 0]\n[[body.b.load]]\nwhere = { plane = { point = [0, 0, 0.1], normal = [0, 0, 1] } }";
        let made = bar(statics, &format!("{side}\npressure = {pressure}")).unwrap();
        let mut world = made.world().unwrap();
        world.step(&Inputs { end: Some(made.duration), ..Inputs::default() }).unwrap();
        let full = world.model().full_state(world.state());
        let tip = made.probes[0].point.mean(&full.x);
        [tip[0] - 1.0, tip[1] - 0.05, tip[2] - 0.05]
    };
    let (once, twice) = (bent(500.0), bent(1000.0));
    assert!(twice[2] < -0.05, "{twice:?}");
    for (one, two) in once.into_iter().zip(twice) {
        assert!((two - 2.0 * one).abs() < 1e-8, "{once:?} {twice:?}");
    }
}
