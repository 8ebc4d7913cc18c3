//! The figures of stiffness warping move as theory says when a parameter is changed.
#![allow(clippy::unwrap_used, missing_docs)]

use pliant_solid::law::Rotations;
use pliant_validation::reproduce::warp_bars::{LONG, Matter, Setup, run};
use pliant_validation::reproduce::warp_variants::{VARIANTS, growth, made};
use pliant_validation::reproduce::{warp_fig_6, warp_fig_7, warp_fig_8, warp_timings};

#[test]
fn a_linear_bar_four_times_as_stiff_grows_a_sixteenth_and_others_keep_their_volume() {
    // with E -> 4 E and t -> t / 2 linear strain has u -> u / 4 in every step; the volume goes with its square
    let soft = Setup { young: 1e6, duration: 0.4, ..Setup::default() };
    let stiff = Setup { young: 4e6, step: 0.005, duration: 0.2, ..soft };
    let grown = |matter, setup| warp_fig_6::worst_change(&run(matter, setup).unwrap());
    let ratio = grown(Matter::Linear, soft) / grown(Matter::Linear, stiff);
    assert!((ratio / 16.0 - 1.0).abs() < 0.03, "{ratio}");
    for matter in &warp_fig_6::MODELS[1..] {
        for setup in [soft, stiff] {
            let change = grown(*matter, setup);
            assert!(change.abs() < 0.005, "{matter:?} {change}");
        }
    }
}

#[test]
fn at_rest_a_linear_bar_falls_with_one_over_e_and_stiff_bars_fall_alike() {
    use warp_fig_7::{MODELS, beam_fall, measured, setup};
    let rest = |matter, young| measured(&run(matter, Setup { young, ..setup() }).unwrap()).unwrap();
    let (soft, stiff) = (rest(Matter::Linear, 1e6), rest(Matter::Linear, 2e6));
    assert!((soft.fall / stiff.fall - 2.0).abs() < 0.02, "{soft:?} {stiff:?}");
    let growth = (soft.volume - 1.0) / (stiff.volume - 1.0);
    assert!((growth / 4.0 - 1.0).abs() < 0.05, "{growth}");
    let theory = |young| beam_fall(Setup { young, ..setup() });
    assert!((theory(1e6) / theory(2e6) - 2.0).abs() < 1e-12);
    // a fall of 1.6 cm on a metre: terms of second order are a thousandth of it
    let falls = MODELS.map(|matter| rest(matter, 1e7).fall);
    for fall in falls {
        assert!((fall / falls[3] - 1.0).abs() < 5e-3, "{falls:?}");
    }
}

#[test]
fn the_nonlinear_bar_is_sound_when_it_is_stiff_and_not_when_it_is_soft() {
    let bar = |young| {
        run(Matter::NonlinearOnce, Setup { young, cells: LONG, duration: 2.0, ..Setup::default() }).unwrap()
    };
    let (soft, stiff) = (bar(1e5), bar(3e6));
    assert!(soft.inverted() > 0, "a bar that gives way at the wall");
    assert!(warp_fig_8::is_stable(&stiff) && stiff.inverted() == 0 && stiff.halvings() == 0);
    // elastic energy is never below that at rest: nothing comes from nowhere, but for what linearising makes
    assert!(stiff.made() < 1e-3, "{}", stiff.made());
}

#[test]
fn longer_steps_and_stiffer_bars_take_more_gradient_steps() {
    use warp_timings::{MODELS, Setup, measure};
    // the matrix is M / dt^2 + K: its condition grows with dt^2 E until K alone counts
    let iterations = |young: f64, step: f64| -> Vec<f64> {
        let found = measure(Setup { young, step, steps: 10, lap: 10 }).unwrap();
        assert!(found.iter().all(|m| m.step_time > 0.0 && m.halved == 0));
        found.iter().map(|m| m.iterations).collect()
    };
    let (short, long, stiff) = (iterations(1e5, 0.005), iterations(1e5, 0.02), iterations(1.6e6, 0.005));
    for (k, matter) in MODELS.into_iter().enumerate() {
        assert!(short[k] >= 1.0 && long[k] > 1.3 * short[k], "{matter:?}: {short:?} {long:?}");
        assert!(stiff[k] > 1.3 * short[k], "{matter:?}: {short:?} {stiff:?}");
    }
}

#[test]
fn forms_part_where_bars_turn_and_agree_where_they_do_not() {
    for (name, warp) in VARIANTS {
        let bar =
            |young| run(Matter::Warped(warp), Setup { young, duration: 1.0, ..Setup::default() }).unwrap();
        let (stiff, soft) = (bar(1e7), bar(1e5));
        assert!(growth(&made(&stiff)).is_none() && stiff.halvings() == 0, "{name}");
        assert!(warp_fig_6::worst_change(&stiff).abs() < 1e-3, "{name}");
        if warp.rotations == Rotations::Mixed {
            assert!(growth(&made(&soft)).is_some_and(|g| g.rate > 0.0), "{name} is stable");
        }
    }
}

#[test]
fn growth_is_that_of_an_exponential() {
    // 1e-3 exp(7 t): above 0.1 from ln(100) / 7 on
    let course: Vec<[f64; 2]> =
        (0..100).map(|k| 0.01 * f64::from(k)).map(|t| [t, 1e-3 * (7.0 * t).exp()]).collect();
    let found = growth(&course).unwrap();
    assert!((found.rate - 7.0).abs() < 1e-9 && (found.since - 100_f64.ln() / 7.0).abs() < 0.01, "{found:?}");
    assert!(growth(&course[..50]).is_none());
}
