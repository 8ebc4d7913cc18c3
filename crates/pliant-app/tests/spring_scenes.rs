//! The scenes of springs run and show the physical fact they are about.
#![allow(clippy::unwrap_used, missing_docs)]

use crate::support;

use support::{played, summary};

/// A cloth that hangs from two corners carries its weight through them, hangs symmetrically, and its springs are hardly longer: its lowest point is as
/// far below the corners as half a width of slack thread allows.
#[test]
fn a_cloth_hangs_from_its_two_corners() {
    let (_keep, out) = played("cloth");
    let s = summary(&out);
    let place = |name: &str, c: usize| s["probes"][name]["position"][c].as_f64().unwrap();
    // mirror symmetry about x = 0.5 m
    assert!((place("hem", 0) - 0.5).abs() < 1e-3 && (place("middle", 0) - 0.5).abs() < 1e-3);
    // under the line between the corners, y = 1 m, z = 1.5 m
    assert!((place("hem", 1) - 1.0).abs() < 0.1 && (place("middle", 1) - 1.0).abs() < 0.1, "{s:#}");
    let depth = 1.5 - place("hem", 2);
    // a thread of 1 m down from the middle of the sagging edge; springs of 200 N/m give some centimetres
    assert!(depth > 0.95 && depth < 1.5, "{depth}");
    // both corners together hold 0.2 kg
    let held = s["reactions"][0]["force"][2].as_f64().unwrap();
    assert!((held / (0.2 * 9.81) - 1.0).abs() < 0.01, "{held}");
    assert!(s["energy"]["kinetic"].as_f64().unwrap() < 1e-3, "it still moves");
}

/// [Warp 3] on a network: the warped bar hangs as the springs do, which turn by themselves, while the linear bar goes straight down and grows. A solid of the
/// moduli that the springs were woven for, E and 1/4, hangs near them: both have few cells across.
#[test]
fn a_warped_bar_of_springs_hangs_as_its_springs_do() {
    let (_keep, out) = played("spring_bar");
    let s = summary(&out);
    let tip =
        |name: &str| -> [f64; 2] { [0, 2].map(|c| s["probes"][name]["displacement"][c].as_f64().unwrap()) };
    let (springs, linear, warped) = (tip("springs"), tip("linear"), tip("warped"));
    let apart = |a: [f64; 2], b: [f64; 2]| (a[0] - b[0]).hypot(a[1] - b[1]);
    assert!(springs[1] < -0.2 && springs[0] < -0.05, "{springs:?}");
    assert!(apart(springs, warped) < 0.01 * springs[1].abs(), "{springs:?} {warped:?}");
    assert!(apart(springs, tip("solid")) < 0.08 * springs[1].abs(), "{springs:?} {:?}", tip("solid"));
    assert!(linear[0].abs() < 1e-6 && linear[1] < 1.1 * springs[1], "{springs:?} {linear:?}");
    let volume = |body: &str| s["bodies"][body]["volume_ratio"].as_f64().unwrap();
    // 1 + 8/7 (w / L)^2 of a beam whose sections do not turn
    assert!(volume("linear") > 1.2 && (volume("springs") - 1.0).abs() < 0.01, "{s:#}");
    assert!((volume("warped") - 1.0).abs() < 0.01, "{s:#}");
}
