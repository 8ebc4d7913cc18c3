//! Faults of one item among several: the message points at that item, and only at it.
#![allow(clippy::unwrap_used, clippy::panic)] // a failing helper is a failing test

use pliant_scene::Scene;

/// Nine lines.
const BODY: &str = r#"duration = "1 s"
[material.m]
law = "st-venant"
young = "100 kPa"
poisson = 0.33
density = 1000
[body.bar]
material = "m"
mesh = { shape = "box", size = [1, 1, 1], cells = [1, 1, 1] }
"#;

fn message(lines: &str) -> String {
    let text = format!("{BODY}{lines}");
    Scene::parse(&text, "x.toml").err().unwrap_or_else(|| panic!("accepted:\n{text}")).to_string()
}

#[test]
fn the_faulty_one_of_several_fixes_is_named() {
    let fixes = "[[body.bar.fix]]\nwhere = \"all\"\n\
                 [[body.bar.fix]]\nwhere = \"all\"\nmove = [0.1, 0, 0]\ntable = []\n\
                 [[body.bar.fix]]\nwhere = \"all\"\nover = \"1 s\"\n";
    assert_eq!(
        message(fixes),
        "x.toml:12:1: `fix` in [body.bar]: has both `move` and `table`; keep one motion, the other into a fix of its own\n\
         x.toml:16:1: `fix` in [body.bar]: has `over` without `move` or `turn`; remove it or add a motion"
    );
}

#[test]
fn a_fault_inside_an_item_brings_no_second_complaint_of_the_item() {
    let loads = "[[body.bar.load]]\nwhere = \"all\"\ntraction = 100\n\
                 [[body.bar.load]]\nwhere = \"all\"\ntraction = [100, 0]\n\
                 [[body.bar.load]]\nwhere = \"all\"\nforce = [0, 0, 1]\n\
                 [[body.bar.load]]\nwhere = \"all\"\npressure = \"100 m\"\n";
    let found = message(loads);
    let places: Vec<&str> = found.lines().map(|line| line.split(": ").next().unwrap()).collect();
    assert_eq!(places, ["x.toml:12:12", "x.toml:15:12", "x.toml:21:12"], "{found}");
}

#[test]
fn a_bad_component_is_one_complaint() {
    let text = format!("gravity = [0, inf, 0]\n{BODY}");
    let found = Scene::parse(&text, "x.toml").unwrap_err().to_string();
    assert_eq!(found.lines().count(), 1, "{found}");
    assert!(found.starts_with("x.toml:1:15: `gravity` item 2: `inf` is not a finite number"), "{found}");
}

#[test]
fn the_faulty_one_of_several_initial_states_is_named() {
    let initial = "[[body.bar.initial]]\nwhere = \"all\"\nstrain = [0.1, 0, 0, 0, 0, 0]\n\
                   [[body.bar.initial]]\nwhere = \"all\"\n";
    let found = message(initial);
    assert!(found.starts_with("x.toml:13:1: `initial` in [body.bar]"), "{found}");
    assert_eq!(found.lines().count(), 1, "{found}");
}

#[test]
fn a_box_beyond_memory_is_refused_before_it_is_made() {
    let text = BODY.replace("cells = [1, 1, 1]", "cells = [20, 2, 2000000]");
    let found = Scene::parse(&text, "x.toml").unwrap_err().to_string();
    assert!(found.contains("more than 10000000 cells; use fewer cells"), "{found}");
}
