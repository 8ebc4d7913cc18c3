//! A run that cannot be trusted does not end well, and numbers that are none never reach a file of a run that does.
#![allow(clippy::unwrap_used, missing_docs)]

use crate::support;

use std::path::{Path, PathBuf};
use std::process::Output;

use support::{errors, run, summary, text};

/// A block of `cells` clamped at x = 0; lines of material, body and end may be added.
struct Block {
    law: &'static str,
    poisson: &'static str,
    size: &'static str,
    mesh: &'static str,
    integrator: &'static str,
    head: &'static str,
    body: &'static str,
    more: &'static str,
}

const BAR: Block = Block {
    law: "st-venant",
    poisson: "0.33",
    size: "[1, 0.3, 0.3]",
    mesh: "cells = [10, 3, 3], element = \"tet\"",
    integrator: "method = \"explicit\"",
    head: "duration = 1\ngravity = [0, 0, -9.81]",
    body: "",
    more: "",
};

struct Played {
    _folder: tempfile::TempDir,
    out: PathBuf,
    output: Output,
}

impl Played {
    fn code(&self) -> Option<i32> {
        self.output.status.code()
    }

    /// Names of files with a value that is no finite number.
    fn not_finite(&self) -> Vec<&'static str> {
        let bad = |name: &&str| {
            let table = std::fs::read_to_string(self.out.join(name)).unwrap_or_default();
            table.lines().skip(1).any(|line| line.contains("NaN") || line.contains("inf"))
        };
        ["energy.csv", "probes.csv"].into_iter().filter(bad).collect()
    }
}

fn write(folder: &Path, block: &Block) -> String {
    let Block { law, poisson, size, mesh, integrator, head, body, more } = block;
    let scene = format!(
        "{head}\n[integrator]\n{integrator}\n[material.m]\nlaw = \"{law}\"\nyoung = \"500 kPa\"\npoisson = {poisson}\ndensity = 1000\n\
         damping = {{ mass = 2.0 }}\n[body.b]\nmaterial = \"m\"\nmesh = {{ shape = \"box\", size = {size}, {mesh} }}\n{body}\n\
         [[body.b.fix]]\nwhere = {{ plane = {{ point = [0, 0, 0], normal = [1, 0, 0] }} }}\n\
         [[probe]]\nname = \"end\"\nbody = \"b\"\nat = {size}\n{more}"
    );
    let file = folder.join("scene.toml");
    std::fs::write(&file, scene).unwrap();
    file.to_str().unwrap().into()
}

fn play(block: &Block, options: &[&str]) -> Played {
    let folder = tempfile::tempdir().unwrap();
    let (scene, out) = (write(folder.path(), block), folder.path().join("out"));
    let mut arguments = vec!["run", &scene, "-o", out.to_str().unwrap()];
    arguments.extend(options);
    let output = run(&arguments);
    Played { _folder: folder, out, output }
}

/// Matter that is next to incompressible under implicit Euler: 130 J come from nowhere where gravity does 11 J.
const INCOMPRESSIBLE: Block = Block {
    law: "corotated",
    poisson: "0.49999999999",
    size: "[1, 0.2, 0.2]",
    mesh: "cells = [10, 2, 2], element = \"tet\"",
    integrator: "method = \"implicit-euler\"\nstep = \"10 ms\"\nsolver = \"direct\"",
    ..BAR
};

#[test]
fn energy_that_comes_from_nowhere_does_not_hide_behind_its_own_spike() {
    let played = play(&INCOMPRESSIBLE, &[]);
    assert_eq!(played.code(), Some(1), "{}", text(&played.output));
    let told = errors(&played.output);
    assert!(told.contains("do not trust its result") && told.contains("energy strayed"), "{told}");
    let s = summary(&played.out);
    assert_eq!(s["status"], "doubtful");
    assert!(s["doubts"][0].as_str().unwrap().contains("the total energy strayed by"), "{}", s["doubts"]);
}

/// The pressure of such matter is 1e10 times its shear: a factor leaves 2e-5 of the first step's forces, where 1e-5 is asked for.
#[test]
fn what_a_factor_leaves_is_looked_at() {
    let played = play(&INCOMPRESSIBLE, &[]);
    let s = summary(&played.out);
    assert!(s["solver"]["unsolved"].as_u64().unwrap() > 0, "{}", s["solver"]);
    assert!(s["solver"]["worst_residual"].as_f64().unwrap() > 1e-5, "{}", s["solver"]);
    let told = errors(&played.output);
    assert!(told.contains("not solved to their tolerance") && !told.contains("solver = "), "{told}");
    let sound = play(&Block { poisson: "0.45", ..INCOMPRESSIBLE }, &[]);
    assert_eq!(sound.code(), Some(0), "{}", errors(&sound.output));
    let left = summary(&sound.out)["solver"]["worst_residual"].as_f64().unwrap();
    assert!(left > 0.0 && left < 1e-10, "{left}");
}

/// Kinetic energy of explicit steps is a mean of half steps and leaps by m (g dt / 2)^2 / 2 with the first: a quarter of what gravity does in it.
#[test]
fn the_leap_of_the_first_explicit_step_is_no_drift() {
    for steps in 1..=3 {
        let head: &str = ["", "duration = 1e-4", "duration = 2e-4", "duration = 3e-4"][steps];
        let head = format!("{head}\ngravity = [0, 0, -9.81]").leak();
        for integrator in ["method = \"explicit\"", "method = \"explicit\"\nstep = 1e-4"] {
            let played = play(&Block { head, integrator, law: "linear", ..BAR }, &[]);
            assert_eq!(played.code(), Some(0), "{steps}, {integrator}: {}", errors(&played.output));
        }
    }
}

/// The bar swings in 0.9 s. Ten steps of 100 ms end 5 % off, and so do steps of 80 ms over two seconds; those of 20 ms are 1 % off twice as long ones, and right.
#[test]
fn steps_of_newmark_that_lose_the_motion_are_noticed() {
    let swing = |head: &'static str, integrator: &'static str| {
        play(&Block { head, integrator, law: "neo-hookean", ..BAR }, &[])
    };
    let one = "duration = 1\ngravity = [0, 0, -9.81]";
    let two = "duration = 2\ngravity = [0, 0, -9.81]";
    for (head, step) in
        [(one, "method = \"newmark\"\nstep = 0.1"), (two, "method = \"newmark\"\nstep = 0.08")]
    {
        let lost = swing(head, step);
        assert_eq!(lost.code(), Some(1), "{}", text(&lost.output));
        let told = errors(&lost.output);
        assert!(told.contains("the step does not follow the motion"), "{told}");
        assert!(told.contains("note: the step may be too long for the motion"), "{told}");
        assert_eq!(summary(&lost.out)["status"], "doubtful");
    }
    for step in [
        "method = \"newmark\"\nstep = 0.02",
        "method = \"newmark\"\nstep = 0.08\ngamma = 0.6\nbeta = 0.3025",
        "method = \"newmark\"\nstep = 0.1\nperiod_error = \"allowed\"",
    ] {
        let sound = swing(one, step);
        assert_eq!(sound.code(), Some(0), "{step}: {}", errors(&sound.output));
        assert!(!step.contains("allowed") || errors(&sound.output).is_empty(), "{}", errors(&sound.output));
    }
}

/// A steel beam under a load that bends it by a thousandth of its length: a linear body must go half as far under half of the load.
#[test]
fn automatic_implicit_steps_follow_small_motions_as_large_ones() {
    for method in ["newmark", "implicit-euler"] {
        let tip = |force: f64| {
            let folder = tempfile::tempdir().unwrap();
            let (file, out) = (folder.path().join("s.toml"), folder.path().join("out"));
            let scene = format!(
                "duration = 0.1\n[integrator]\nmethod = \"{method}\"\n[material.m]\nlaw = \"linear\"\nyoung = 2e11\npoisson = 0.3\n\
                 density = 7800\n[body.b]\nmaterial = \"m\"\n\
                 mesh = {{ shape = \"box\", size = [1, 0.1, 0.1], cells = [10, 1, 1], element = \"hex\" }}\n\
                 [[body.b.fix]]\nwhere = {{ plane = {{ point = [0, 0, 0], normal = [1, 0, 0] }} }}\n\
                 [[body.b.load]]\nforce = [0, 0, {force}]\nwhere = {{ plane = {{ point = [1, 0, 0], normal = [1, 0, 0] }} }}\n\
                 [[probe]]\nname = \"tip\"\nbody = \"b\"\nat = [1, 0.05, 0.05]\n"
            );
            std::fs::write(&file, scene).unwrap();
            // whether the lag of nine periods is borne is another question
            let output =
                run(&["run", file.to_str().unwrap(), "-o", out.to_str().unwrap(), "--force", "--quiet"]);
            assert!(output.status.success(), "{}", errors(&output));
            let (s, path) = (summary(&out), support::probes(&out));
            let largest = path["tip"].iter().map(|(_, u)| u[2].abs()).fold(0.0, f64::max);
            (s["steps"].as_u64().unwrap() as f64, largest / force)
        };
        let [(few, small), (many, large)] = [tip(1.0), tip(1000.0)];
        assert!((small / large - 1.0).abs() < 0.01, "{method}: {small} {large}");
        assert!((0.5..2.0).contains(&(few / many)) && few > 300.0, "{method}: {few} {many} steps");
    }
}

/// Strain that a mesh starts with is energy, although its elastic energy counts from the shape of the mesh: what it lets go moves the body.
#[test]
fn what_an_initial_strain_sets_free_is_no_energy_from_nowhere() {
    for integrator in
        ["method = \"newmark\"\nstep = \"0.2 ms\"", "method = \"implicit-euler\"\nstep = \"1 ms\""]
    {
        let strained = Block {
            law: "linear",
            integrator,
            head: "duration = 0.1",
            more: "[[body.b.initial]]\nstrain = [0.02, 0, 0, 0, 0, 0]\n",
            ..BAR
        };
        let played = play(&strained, &[]);
        assert_eq!(played.code(), Some(0), "{integrator}: {}", errors(&played.output));
    }
}

#[test]
fn a_doubtful_run_ends_well_where_that_is_asked_for_and_says_so_again_when_it_is_resumed() {
    let folder = tempfile::tempdir().unwrap();
    let (scene, out) = (write(folder.path(), &INCOMPRESSIBLE), folder.path().join("out"));
    let go = |options: &[&str]| {
        let mut arguments = vec!["run", &scene, "-o", out.to_str().unwrap()];
        arguments.extend(options);
        run(&arguments)
    };
    let forced = go(&["--force"]);
    assert!(forced.status.success(), "{}", errors(&forced));
    assert!(errors(&forced).contains("warning: do not trust this result"), "{}", errors(&forced));
    assert_eq!(summary(&out)["status"], "doubtful");
    let again = go(&["--resume", "--quiet"]);
    assert_eq!(again.status.code(), Some(1));
    assert!(errors(&again).contains("energy strayed"), "{}", errors(&again));
    assert!(go(&["--resume", "--force"]).status.success());
}

/// The end is moved by 1 cm in 1 us. Damping of the moved nodes takes 570 J, which their script gives; the bar has 3 J, and 2 J of drift.
#[test]
fn what_held_nodes_exchange_with_themselves_does_not_hide_a_drift() {
    let moved = "[[body.b.fix]]\nwhere = { plane = { point = [1, 0, 0], normal = [1, 0, 0] } }\nmove = [\"1 cm\", 0, 0]\nover = \"1 us\"\n";
    let played = play(&Block { head: "duration = 0.05", more: moved, ..BAR }, &[]);
    assert_eq!(played.code(), Some(1), "{}", text(&played.output));
    assert!(errors(&played.output).contains("energy strayed"), "{}", errors(&played.output));
    // a slow hand is believed
    let slow = Box::leak(moved.replace("1 us", "20 ms").into_boxed_str());
    let played = play(&Block { head: "duration = 0.05", more: slow, ..BAR }, &[]);
    assert!(played.output.status.success(), "{}", errors(&played.output));
}

/// Pressed by 80 % and drawn back within a second, the block is sound at its end.
const PRESSED: Block = Block {
    size: "[1, 1, 1]",
    mesh: "cells = [3, 3, 3], element = \"tet5\"",
    head: "duration = 1",
    integrator: "method = \"implicit-euler\"\nstep = \"5 ms\"",
    more: "[[body.b.fix]]\nwhere = { plane = { point = [1, 0, 0], normal = [1, 0, 0] } }\n\
           table = [[\"0 s\", [0, 0, 0]], [\"0.5 s\", [\"-80 cm\", 0, 0]], [\"1 s\", [0, 0, 0]]]\n",
    ..BAR
};

#[test]
fn elements_that_were_inside_out_on_the_way_are_counted() {
    let played = play(&PRESSED, &[]);
    assert_eq!(played.code(), Some(1), "{}", text(&played.output));
    let s = summary(&played.out);
    let body = &s["bodies"]["b"];
    let (most, at) = (body["most_inverted_elements"].as_u64().unwrap(), body["most_inverted_at_s"].as_f64());
    assert!(most > 10 && at.is_some_and(|t| (0.2..0.8).contains(&t)), "{body}");
    assert!(errors(&played.output).contains("elements of body `b`"), "{}", errors(&played.output));
    assert_eq!(s["status"], "doubtful");
    // where that is what a scene shows, it is told and no more
    let allowed = play(&Block { body: "inside_out = \"allowed\"", ..PRESSED }, &[]);
    assert!(allowed.output.status.success(), "{}", errors(&allowed.output));
    assert_eq!(summary(&allowed.out)["bodies"]["b"]["most_inverted_elements"], most);
    assert!(text(&allowed.output).contains(&format!("inside out: at most {most} of 135 elements of `b`")));
}

#[test]
fn laws_that_bring_elements_back_are_judged_at_the_end() {
    let played = play(&Block { law: "corotated", ..PRESSED }, &[]);
    assert!(played.output.status.success(), "{}", errors(&played.output));
    let s = summary(&played.out);
    assert_eq!([&s["status"], &s["doubts"]], [&serde_json::json!("done"), &serde_json::json!([])]);
    assert!(s["bodies"]["b"]["most_inverted_elements"].as_u64().unwrap() > 0);
}

#[test]
fn bodies_too_far_from_the_origin_are_refused_and_far_ones_are_right() {
    let at = |x: &str, integrator: &'static str| {
        let body = Box::leak(format!("position = [{x}, 0, 0]").into_boxed_str());
        play(&Block { body, integrator, ..BAR }, &[])
    };
    for method in ["method = \"static\"", "method = \"newmark\""] {
        for place in ["1e10", "1e12", "1e16"] {
            let played = at(place, method);
            assert_eq!(played.code(), Some(2), "{place}: {}", errors(&played.output));
            let told = errors(&played.output);
            assert!(told.contains("scene.toml:14:12: body `b` is 1.0e"), "{told}");
            assert!(told.contains("move the scene nearer to the origin"), "{told}");
        }
    }
    let tip = |played: &Played| summary(&played.out)["probes"]["end"]["displacement"][2].as_f64().unwrap();
    let (near, far) = (at("0", "method = \"static\""), at("1e8", "method = \"static\""));
    assert!(near.output.status.success() && far.output.status.success(), "{}", errors(&far.output));
    // strains of 0.1 are known to 1e-7 there
    assert!((tip(&far) / tip(&near) - 1.0).abs() < 1e-5, "{} {}", tip(&far), tip(&near));
    assert!(
        errors(&far.output).contains("positions there are rounded to 2.2e-8 m"),
        "{}",
        errors(&far.output)
    );
    assert!(near.output.stderr.is_empty(), "{}", errors(&near.output));
}

#[test]
fn sizes_and_speeds_that_no_number_bears_are_refused() {
    for (block, part) in [
        (Block { size: "[1e100, 1e100, 1e100]", ..BAR }, "body `b` is 1.732e100 m large"),
        (Block { size: "[1e-30, 1e-30, 1e-30]", ..BAR }, "body `b` is 1.732e-30 m large"),
        (Block { body: "velocity = [0, 1e200, 0]", ..BAR }, "`velocity` of body `b` is 1.000e200 m/s"),
        (Block { body: "angular_velocity = [0, 1e200, 0]", ..BAR }, "`angular_velocity` of body `b`"),
    ] {
        let played = play(&block, &[]);
        assert_eq!(played.code(), Some(2), "{part}: {}", errors(&played.output));
        assert!(errors(&played.output).contains(part), "{}", errors(&played.output));
    }
}

/// Values that are allowed and blow everything up: the run fails, or all it writes are numbers.
#[test]
fn numbers_that_are_none_reach_no_file_of_a_run_that_ends_well() {
    let stress = "[[body.b.initial]]\nwhere = \"all\"\nstress = [1e12, 0, 0, 0, 0, 0]\n";
    let relaxed =
        "[[body.b.initial]]\nwhere = \"all\"\nrelaxed = [[1e-9, 0, 0], [0, 1e-9, 0], [0, 0, 1e-9]]\n";
    let heavy = "duration = 1e-3\ngravity = [0, 0, -1e9]";
    let force = "[[body.b.load]]\nwhere = \"all\"\nbody_force = [0, 0, 1e300]\n";
    let small = Block { mesh: "cells = [2, 1, 1], element = \"tet\"", head: "duration = 1e-3", ..BAR };
    for method in ["explicit", "implicit-euler\"\nstep = \"0.1 ms", "newmark\"\nstep = \"0.1 ms", "static"] {
        let integrator: &'static str = Box::leak(format!("method = \"{method}\"").into_boxed_str());
        for (what, block) in [
            ("stress", Block { more: stress, ..small }),
            ("relaxed", Block { more: relaxed, ..small }),
            ("gravity", Block { head: heavy, ..small }),
            ("force", Block { more: force, ..small }),
        ] {
            let played = play(&Block { integrator, ..block }, &[]);
            let bad = played.not_finite();
            assert!(bad.is_empty(), "{what}, {method}: {bad:?}");
            if played.output.status.success() {
                let s = summary(&played.out);
                assert_eq!(s["status"], "done");
                let numbers = [&s["energy"], &s["bodies"]].map(ToString::to_string).concat();
                assert!(!numbers.contains("null"), "{what}, {method}: {numbers}");
            } else {
                let told = errors(&played.output);
                assert!(told.contains("error: ") && told.contains("help: "), "{what}, {method}: {told}");
            }
        }
    }
}
