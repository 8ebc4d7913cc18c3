//! The figures of bones and skin move as theory says when a parameter is changed.
#![allow(clippy::unwrap_used, missing_docs)]

use pliant_validation::reproduce::heads::{CREATURE, HEAD, Head, with_young};
use pliant_validation::reproduce::{warp_fig_12, warp_fig_13};

/// A wave of shear has the speed sqrt(G / rho): four times as stiff, half the lag.
#[test]
fn skin_four_times_as_stiff_lags_half_as_long() {
    let lag = |young| warp_fig_13::lag(&warp_fig_13::run(young).unwrap()).unwrap();
    let (soft, stiff) = (lag(warp_fig_13::SOFT), lag(4.0 * warp_fig_13::SOFT));
    assert!((soft / stiff - 2.0).abs() < 0.3, "{soft} {stiff}");
    let theory = |young| warp_fig_13::theory(young, 0.02);
    assert!((theory(1e3) / theory(4e3) - 2.0).abs() < 1e-12);
}

/// The cheek of a stiff head goes where a rigid head has it; the bone is rigid whatever the skin.
#[test]
fn stiff_skin_trails_less() {
    let found = |young: f64| {
        let (_, course) = warp_fig_12::run(&with_young(HEAD, young)).unwrap();
        warp_fig_12::measured(&course)
    };
    let (soft, stiff) = (found(2e4), found(2e5));
    assert!(stiff.trails < 0.5 * soft.trails, "{soft:?} {stiff:?}");
    for head in [soft, stiff] {
        assert!(head.stretched < 1e-12 && head.hinge < 1e-12, "{head:?}");
    }
}

#[test]
fn another_region_makes_another_bone() {
    let smaller = CREATURE.replace("deeper = \"2.2 cm\"", "deeper = \"3 cm\"");
    assert_ne!(smaller, CREATURE);
    let count = |text: &str| Head::new(text, "creature").unwrap().counts();
    let (whole, less) = (count(CREATURE), count(&smaller));
    assert!(less[0] < whole[0] && less[0] + less[1] == whole[0] + whole[1], "{whole:?} {less:?}");
}
