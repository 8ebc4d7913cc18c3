//! Warnings that end with their cause, and files that somebody edits while their scene runs.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::path::PathBuf;

use serde_json::Value;

use super::Live;
use super::tests::{order, started, status, until};
use crate::server::gallery::gallery;
use crate::server::wire::Order;

/// One end of a bar is led through the other and back, and it recovers.
const PRESSED: &str = r#"
title = "Pressed"
duration = "8 s"
[integrator]
method = "implicit-euler"
step = "10 ms"
[material.m]
law = "corotated"
young = "20 kPa"
poisson = 0.3
density = 1000
damping = { mass = 5.0 }
[body.bar]
material = "m"
mesh = { shape = "box", size = [0.4, 0.1, 0.1], cells = [8, 2, 2], element = "tet" }
[[body.bar.fix]]
where = { plane = { point = [0, 0, 0], normal = [1, 0, 0] } }
[[body.bar.fix]]
where = { plane = { point = [0.4, 0, 0], normal = [1, 0, 0] } }
table = [["0 s", [0, 0, 0]], ["2 s", [-1.0, 0, 0]], ["4 s", [0.1, 0, 0]]]
"#;

/// The simulation of a file that is this test's own.
fn of_file(name: &str) -> (tempfile::TempDir, PathBuf, Live) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(format!("{name}.toml"));
    std::fs::write(&path, PRESSED).unwrap();
    let (gallery, id) = gallery(Some(&path)).unwrap_or_else(|_| panic!("the scene can be read"));
    let live = started(gallery, &id);
    (folder, path, live)
}

#[test]
fn a_warning_counts_what_is_inside_out_now_and_ends_when_nothing_is() {
    let (_folder, _, live) = of_file("pressed");
    let mut told = BTreeSet::new();
    until(&live, "the end of the warning", |picture, status| {
        let warnings = status["warnings"].as_array().unwrap();
        assert!(warnings.iter().all(|w| w["id"] == "inside out: bar"), "{status}");
        told.extend(warnings.iter().map(|w| w["text"].as_str().unwrap().to_owned()));
        picture.time > 4.5 && warnings.is_empty() && !told.is_empty()
    });
    assert!(told.len() > 1, "the number of elements never changed: {told:?}");
}

/// Hands of up to 1 MN/m jump by a metre: what they do, half a megajoule, is in the accounts, and nothing comes from nowhere.
#[test]
fn posts_that_are_torn_about_make_no_energy() {
    let (gallery, _) = gallery(None).unwrap_or_else(|_| panic!("the gallery can be read"));
    let live = started(gallery, "abuse");
    until(&live, "the end of the tearing", |picture, status| {
        let warnings = status["warnings"].as_array().unwrap();
        let of_energy = |w: &Value| w["id"].as_str().unwrap().starts_with("doubt: the total energy strayed");
        assert!(!warnings.iter().any(of_energy), "{warnings:?}");
        picture.time > 2.2
    });
}

#[test]
fn an_edited_file_is_told_and_a_reset_reads_it() {
    let (_folder, path, live) = of_file("edited");
    assert_eq!(status(&live)["edited"], false);
    std::fs::write(&path, PRESSED.replace("\"Pressed\"", "\"Pressed and edited\"")).unwrap();
    until(&live, "the word about the file", |_, status| status["edited"] == true);
    assert_eq!(status(&live)["scene"]["title"], "Pressed");
    order(&live, 1, Order::Reset);
    let anew = |status: &Value| status["scene"]["title"] == "Pressed and edited" && status["edited"] == false;
    until(&live, "the new scene", |picture, status| picture.sequence == 1 && anew(status));
}
