//! The figures of steps and real time move as theory says when a parameter is changed.
#![allow(clippy::unwrap_used, missing_docs)]

use pliant_validation::reproduce::zhuang_ladder::{self, SCENES, Scene};
use pliant_validation::reproduce::zhuang_realtime::{self, METHODS, Method, elements_in_real_time};

#[test]
fn a_body_four_times_as_stiff_has_a_largest_step_half_as_long() {
    use zhuang_ladder::{Setup, measure};
    // T is a part of 2 / w of the body at rest, and w goes with sqrt(E / rho)
    let [soft, stiff] =
        [1.0, 4.0].map(|stiffer| measure(Scene::Pressed, Setup { stiffer, farther: 0.1 }).unwrap());
    let ratio = soft.largest / stiff.largest;
    assert!((ratio - 2.0).abs() < 0.02, "{ratio}");
    assert!(soft.others == 0 && stiff.others == 0);
}

#[test]
fn pressing_harder_goes_down_the_ladder() {
    use zhuang_ladder::{Setup, measure};
    let lowest = |farther: f64| {
        let run = measure(Scene::Pressed, Setup { stiffer: 1.0, farther }).unwrap();
        *run.steps.keys().last().unwrap()
    };
    let (little, usual, much) = (lowest(0.09), lowest(0.9), lowest(1.5));
    assert_eq!(little, 0, "3 % of strain has room below T");
    assert!(usual >= 1 && much > usual, "{little} {usual} {much}");
}

#[test]
fn a_block_that_spins_twice_as_fast_takes_its_damping_anew_twice_as_often() {
    use zhuang_ladder::{Setup, measure};
    // the matrix serves for an angle, and the angle of half a second goes with the spin; angles are looked at every 8 steps
    let renewals = |farther| measure(Scene::Thrown, Setup { stiffer: 1.0, farther }).unwrap().renewals;
    let (slow, fast) = (renewals(0.05), renewals(0.1));
    assert!(slow >= 4 && (fast as f64 / slow as f64 - 2.0).abs() < 0.5, "{slow} {fast}");
}

#[test]
fn ordinary_scenes_need_no_more_than_three_different_steps() {
    for scene in SCENES {
        let run = zhuang_ladder::measure(scene, zhuang_ladder::Setup::default()).unwrap();
        // [Zhuang 4.2]
        assert!(run.steps.len() <= 3 && run.others == 0, "{scene:?}: {run:?}");
        // the course is the staircase of these steps
        let lowest = run.course.iter().map(|p| p[1]).fold(1.0, f64::min);
        assert_eq!(lowest, 0.5_f64.powi(*run.steps.keys().last().unwrap() as i32), "{scene:?}");
    }
}

fn small() -> zhuang_realtime::Setup {
    zhuang_realtime::Setup { young: 2e4, cells: vec![3, 6], duration: 0.05, repetitions: 1 }
}

#[test]
fn explicit_steps_shrink_with_the_cell_and_implicit_ones_do_not() {
    let rates = |method| [4, 8].map(|cells| zhuang_realtime::measure(method, cells, &small()).unwrap());
    for method in [Method::Lumped, Method::Full] {
        let [coarse, fine] = rates(method).map(|m| m.steps_per_second);
        // the longest stable step goes with the width of a cell; the face that is held counts less in finer meshes
        assert!((fine / coarse - 2.0).abs() < 0.2, "{method:?}: {coarse} {fine}");
    }
    for m in rates(Method::Implicit) {
        assert!((m.steps_per_second - 100.0).abs() < 1e-6, "{m:?}"); // 10 ms
        assert!(m.iterations >= 1.0, "{m:?}");
    }
}

#[test]
fn explicit_steps_shrink_with_stiffness_and_implicit_ones_do_not() {
    for method in METHODS {
        let rate = |young: f64| {
            let setup = zhuang_realtime::Setup { young, ..small() };
            zhuang_realtime::measure(method, 4, &setup).unwrap().steps_per_second
        };
        // sqrt(16); both strain by less than a hundredth, above which resonances shorten the step
        let (ratio, expected) = (rate(3.2e7) / rate(2e6), if method == Method::Implicit { 1.0 } else { 4.0 });
        assert!((ratio / expected - 1.0).abs() < 0.06, "{method:?}: {ratio}");
    }
}

#[test]
fn full_mass_swings_faster_than_lumped_mass() {
    let rate = |method| zhuang_realtime::measure(method, 6, &small()).unwrap().steps_per_second;
    // a bar of two-node elements: 2 sqrt(3) c/h over 2 c/h; between 1 and 3 for hexahedra and steps of a ladder
    let ratio = rate(Method::Full) / rate(Method::Lumped);
    assert!(ratio > 1.2 && ratio < 4.0, "{ratio}");
}

#[test]
fn real_time_is_found_between_two_meshes() {
    // speed 1000 n^(-4/3), as of explicit steps: 1 at n = 1000^(3/4)
    let points = [8.0, 64.0, 125.0, 216.0].map(|n: f64| [n, 1000.0 * n.powf(-4.0 / 3.0)]);
    let found = elements_in_real_time(&points);
    assert!((found / 1000_f64.powf(0.75) - 1.0).abs() < 1e-12, "{found}");
    assert_eq!(elements_in_real_time(&points[..2]), 64.0);
    assert_eq!(elements_in_real_time(&[[1.0, 0.5]]), 0.0);
    assert!(zhuang_realtime::climb(Method::Lumped, &small()).unwrap().iter().all(|m| m.speed > 0.0));
}
