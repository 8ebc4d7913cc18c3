//! Runs that look for equilibrium: what they say when there is none, and what they keep.
#![allow(clippy::unwrap_used, missing_docs)]

use crate::support;

use std::path::Path;

use support::{errors, run, summary, text};

/// The bar of BAR450-STATIC, with its `[integrator]`, Young's modulus and further lines.
fn bar(folder: &Path, integrator: &str, young: &str, more: &str) -> String {
    let scene = format!(
        "duration = 1\ngravity = [0, -9.81, 0]\n[integrator]\n{integrator}\n[material.m]\nlaw = \"st-venant\"\nyoung = {young}\npoisson = 0.33\n\
         density = 1000\n[body.bar]\nmaterial = \"m\"\n\
         mesh = {{ shape = \"box\", size = [0.3, 0.3, 1], cells = [3, 3, 10], element = \"tet5\" }}\n{more}\n\
         [[probe]]\nname = \"tip\"\nbody = \"bar\"\nat = [0.1, 0.1, 1]\n"
    );
    let file = folder.join("bar.toml");
    std::fs::write(&file, scene).unwrap();
    file.to_str().unwrap().into()
}

const CLAMP: &str = "[[body.bar.fix]]\nwhere = { plane = { point = [0, 0, 0], normal = [0, 0, 1] } }";

#[test]
fn a_bar_rests_where_five_programs_say() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let scene = bar(folder.path(), "method = \"static\"", "3e5", CLAMP);
    let output = run(&["run", &scene, "-o", out.to_str().unwrap()]);
    assert!(output.status.success(), "{}", errors(&output));
    assert!(text(&output).contains("100.00 % of the load in"), "{}", text(&output));
    let tip = &summary(&out)["probes"]["tip"]["displacement"];
    // BAR450-STATIC at E = 3e5 Pa
    // all of the weight, 90 kg, is held by the one fix
    let force = &summary(&out)["reactions"][0]["force"];
    assert!((force[1].as_f64().unwrap() - 90.0 * 9.81).abs() < 1e-6, "{force}");
    for (c, expected) in [-4.7040226e-5, -0.41413530276, -0.12781349320].into_iter().enumerate() {
        assert!((tip[c].as_f64().unwrap() - expected).abs() < 1e-9, "{tip}");
    }
}

#[test]
fn a_bar_without_a_sound_equilibrium_ends_with_the_last_one() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let scene = bar(folder.path(), "method = \"static\"", "1e5", CLAMP);
    let output = run(&["run", &scene, "-o", out.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(1));
    let message = errors(&output);
    for part in [
        "body `bar` has no sound equilibrium beyond 65.",
        "% of the load",
        "no longer positive definite: the body gives way or buckles, most at (",
        "load or move it less, use law = \"neo-hookean\"",
        "The last sound equilibrium is in the output folder",
    ] {
        assert!(message.contains(part), "{part}: {message}");
    }
    let s = summary(&out);
    assert_eq!(s["status"], "diverged");
    assert_eq!(s["bodies"]["bar"]["inverted_elements"], 0);
    let load = s["solver"]["load_factor"].as_f64().unwrap();
    assert!((0.65..0.66).contains(&load), "{load}");
    assert!(out.join("bar.pvd").exists());
}

#[test]
fn a_body_that_is_not_held_is_refused_before_the_run() {
    let folder = tempfile::tempdir().unwrap();
    let hinge = "[[body.bar.fix]]\nwhere = { box = { min = [-1, -0.01, -0.01], max = [1, 0.01, 0.01] } }";
    let scene = bar(folder.path(), "method = \"static\"", "1e6", hinge);
    let output = run(&["check", &scene]);
    assert_eq!(output.status.code(), Some(2));
    let message = errors(&output);
    assert!(message.contains("bar.toml:4:10: body `bar` is free to turn about x through ("), "{message}");
    assert!(message.contains("hold it with [[body.NAME.fix]]"), "{message}");
}

#[test]
fn equilibria_of_a_history_are_the_same_on_any_number_of_threads() {
    let folder = tempfile::tempdir().unwrap();
    let pull = format!(
        "{CLAMP}\n[[body.bar.load]]\nwhere = {{ plane = {{ point = [0, 0, 1], normal = [0, 0, 1] }} }}\nforce = [0, 0, 300]\nover = 1"
    );
    let scene = bar(folder.path(), "method = \"quasistatic\"\nstep = 0.1", "1e6", &pull);
    let (out, again) = (folder.path().join("out"), folder.path().join("again"));
    assert!(run(&["run", &scene, "-o", out.to_str().unwrap()]).status.success());
    let s = summary(&out);
    // the loads of time zero come first, then ten steps of time
    assert_eq!(s["steps"], 11);
    assert_eq!(s["solver"]["load_factor"], 1.0);
    assert!(run(&["run", &scene, "-o", again.to_str().unwrap(), "--threads", "1"]).status.success());
    let bytes = |folder: &Path| std::fs::read(folder.join("probes.csv")).unwrap();
    assert_eq!(bytes(&out), bytes(&again));
    // the first row is the equilibrium under the loads of time zero
    let table = std::fs::read_to_string(out.join("probes.csv")).unwrap();
    let first: Vec<f64> = table.lines().nth(1).unwrap().split(',').filter_map(|n| n.parse().ok()).collect();
    assert!(first[0] == 0.0 && (first[5] + 0.137_838_518).abs() < 1e-8, "{first:?}"); // BAR450-STATIC at 1e6 Pa
}

#[test]
fn newmark_says_what_its_equations_cost() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let scene = bar(folder.path(), "method = \"newmark\"\nstep = \"10 ms\"", "1e6", CLAMP);
    let checked = text(&run(&["check", &scene]));
    assert!(checked.contains("equations of 528 unknowns in every step, factor of 0.0"), "{checked}");
    let output = run(&["run", &scene, "-o", out.to_str().unwrap()]);
    assert!(output.status.success(), "{}", errors(&output));
    assert!(
        text(&output).contains("Newton: ") && text(&output).contains(" iterations a step"),
        "{}",
        text(&output)
    );
    let solver = &summary(&out)["solver"];
    assert_eq!(solver["steps"], 100);
    assert!(solver["worst_residual"].as_f64().unwrap() <= 1e-6);
}

/// Forces of next to incompressible matter are rounded by lambda + 2 mu, 167 times Young's modulus at 0.499: as much as what bends a rod of 1000 : 1.
#[test]
fn slender_rods_of_rubber_rest_or_say_that_rounding_bends_them() {
    let folder = tempfile::tempdir().unwrap();
    let rest = |law: &str, poisson: &str| {
        let (file, out) = (folder.path().join("rod.toml"), folder.path().join(format!("{law}-{poisson}")));
        let scene = format!(
            "duration = 1\ngravity = [0, 0, -1e-4]\n[integrator]\nmethod = \"static\"\n[material.m]\nlaw = \"{law}\"\nyoung = 1e6\n\
             poisson = {poisson}\ndensity = 1000\n[body.rod]\nmaterial = \"m\"\n\
             mesh = {{ shape = \"box\", size = [1, 1e-3, 1e-3], cells = [500, 1, 1], element = \"hex\" }}\n\
             [[body.rod.fix]]\nwhere = {{ plane = {{ point = [0, 0, 0], normal = [1, 0, 0], tolerance = 1e-4 }} }}\n\
             [[probe]]\nname = \"tip\"\nbody = \"rod\"\nat = [1, 5e-4, 5e-4]\n"
        );
        std::fs::write(&file, scene).unwrap();
        let output = run(&["run", file.to_str().unwrap(), "-o", out.to_str().unwrap(), "--quiet"]);
        let tip = summary(&out)["probes"]["tip"]["displacement"][2].as_f64().unwrap();
        (output.status.code(), tip, errors(&output))
    };
    let (_, small, _) = rest("linear", "0.49");
    let (_, large, _) = rest("corotated", "0.49");
    for law in ["linear", "corotated", "st-venant"] {
        let (code, tip, told) = rest(law, "0.499");
        assert_eq!(code, Some(0), "{law}: {told}");
        // one cell across locks more, by some per cent; what large displacements take away, 0.2 %, is the same
        let expected = if law == "linear" { small } else { large };
        assert!((tip / expected - 0.97665).abs() < 1e-3, "{law}: {tip}");
    }
    let (code, _, told) = rest("linear", "0.49999");
    assert!(code == Some(1) && told.contains("forces balance"), "{told}");
}
