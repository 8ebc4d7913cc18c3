//! The figures of stiffness warping move as theory says when a parameter is changed.
#![allow(clippy::unwrap_used, missing_docs)]

use pliant_solid::law::Rotations;
use pliant_validation::reproduce::warp_bars::{LONG, LONGER, MODELS, Matter, Setup, WIDE, run};
use pliant_validation::reproduce::warp_variants::{VARIANTS, growth, made};
use pliant_validation::reproduce::{warp_fig_1, warp_fig_6, warp_fig_7, warp_fig_8, warp_timings};

#[test]
fn a_linear_bar_four_times_as_stiff_grows_a_sixteenth_and_others_keep_their_volume() {
    // with E -> 4 E and t -> t / 2 linear strain has u -> u / 4 in every step; the volume goes with its square
    let soft = Setup { young: 1e6, duration: 0.4, ..Setup::default() }.wide();
    let stiff = Setup { young: 4e6, step: 0.005, duration: 0.2, ..soft };
    let grown = |matter, setup| warp_fig_6::worst_change(&run(matter, setup).unwrap());
    let ratio = grown(Matter::Linear, soft) / grown(Matter::Linear, stiff);
    assert!((ratio / 16.0 - 1.0).abs() < 0.03, "{ratio}");
    for matter in &MODELS[1..] {
        for setup in [soft, stiff] {
            let change = grown(*matter, setup);
            assert!(change.abs() < 0.005, "{matter:?} {change}");
        }
    }
}

#[test]
fn at_rest_a_linear_bar_falls_with_one_over_e_and_stiff_bars_fall_alike() {
    use warp_fig_7::{MODELS, beam_fall, measured, setup};
    let bar = |young| Setup { young, ..setup(WIDE) };
    let rest = |matter, young| measured(&run(matter, bar(young)).unwrap(), bar(young)).unwrap();
    let (soft, stiff) = (rest(Matter::Linear, 1e6), rest(Matter::Linear, 2e6));
    assert!((soft.fall / stiff.fall - 2.0).abs() < 0.02, "{soft:?} {stiff:?}");
    let growth = (soft.volume - 1.0) / (stiff.volume - 1.0);
    assert!((growth / 4.0 - 1.0).abs() < 0.05, "{growth}");
    let theory = |young| beam_fall(bar(young));
    assert!((theory(1e6) / theory(2e6) - 2.0).abs() < 1e-12);
    // a fall of 1.6 cm on a metre: terms of second order are a thousandth of it
    let falls = MODELS.map(|matter| rest(matter, 1e7).fall);
    for fall in falls {
        assert!((fall / falls[4] - 1.0).abs() < 5e-3, "{falls:?}");
    }
}

#[test]
fn the_nonlinear_bar_is_sound_when_it_is_stiff_and_not_when_it_is_soft() {
    let bar = |young| {
        let setup = Setup { young, cells: LONG, duration: 2.0, ..Setup::default() }.wide();
        run(Matter::NonlinearOnce, setup).unwrap()
    };
    let (soft, stiff) = (bar(1e5), bar(3e6));
    assert!(soft.inverted() > 0, "a bar that gives way at the wall");
    assert!(warp_fig_8::is_stable(&stiff) && stiff.inverted() == 0 && stiff.halvings() == 0);
    // elastic energy is never below that at rest: nothing comes from nowhere, but for what linearising makes
    assert!(stiff.made() < 1e-3, "{}", stiff.made());
}

/// [Warp 4.1]: the nonlinear bar of 450 tetrahedra is sound, a little longer ones are not. Deformation goes with rho g h (L/h)^3 / E: the longer
/// bar is sound again when it is as much stiffer as it is longer, to the third power.
#[test]
fn the_papers_nonlinear_bar_is_sound_and_longer_ones_are_not_unless_they_are_stiffer() {
    let bar = |cells, young| run(Matter::NonlinearOnce, Setup { cells, young, ..Setup::default() }).unwrap();
    let paper = bar(Setup::default().cells, 1e5);
    assert!(warp_fig_8::is_sound(&paper), "{} cells inside out", paper.inverted());
    assert!(warp_fig_6::worst_change(&paper).abs() < 0.03, "{:?}", paper.volumes());
    for cells in [LONGER, LONG] {
        let longer = bar(cells, 1e5);
        assert!(!warp_fig_8::is_sound(&longer) && longer.inverted() > 0, "{cells}");
        assert!(longer.volumes()[0] < 0.9, "{cells}: {:?}", longer.volumes());
    }
    let stiffer = bar(LONGER, 1e5 * (LONGER as f64 / 10.0).powi(3));
    assert!(warp_fig_8::is_sound(&stiffer), "{} cells inside out", stiffer.inverted());
}

/// Linear strain: the deflection over the length goes with rho g h / E, the growth with its square.
#[test]
fn a_linear_bar_of_wider_cells_grows_with_the_square_of_their_width() {
    let grown = |cell: f64| {
        // the same number of steps in a swing, whose time goes with h
        let setup = Setup { cell, young: 1e6, step: 0.1 * cell, duration: 4.0 * cell, ..Setup::default() };
        warp_fig_6::worst_change(&run(Matter::Linear, setup).unwrap())
    };
    let ratio = grown(0.06) / grown(0.03);
    assert!((ratio / 4.0 - 1.0).abs() < 0.03, "{ratio}");
}

#[test]
fn quadratic_stress_has_its_own_second_order_whatever_the_matter() {
    use warp_fig_1::{Pulled, Setup, second_order, strain};
    let usual = Setup::default();
    for setup in [usual, Setup { young: 3e6, ..usual }, Setup { poisson: 0.1, ..usual }] {
        // P / E = (l^3 - l) / 2
        let found = second_order(Pulled::Quadratic, setup).unwrap();
        assert!((found - 1.5).abs() < 0.01, "{setup:?}: {found}");
        assert!(second_order(Pulled::Linear, setup).unwrap().abs() < 1e-6, "{setup:?}");
        let pulled = strain(Pulled::Quadratic, 0.3, setup).unwrap();
        assert!((Pulled::Quadratic.theory(pulled).unwrap() / 0.3 - 1.0).abs() < 1e-6, "{setup:?}: {pulled}");
    }
    // rubber softens at first, and less of it is volume the more it is incompressible
    assert!(second_order(Pulled::Rubber, usual).unwrap() < 0.0);
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
        let bar = |young| {
            run(Matter::Warped(warp), Setup { young, duration: 1.0, ..Setup::default() }.wide()).unwrap()
        };
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
