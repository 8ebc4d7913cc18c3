//! The figures of steps and real time move as theory says when a parameter is changed.
#![allow(clippy::unwrap_used, missing_docs)]

use pliant_validation::reproduce::zhuang_ladder::{self, Damping, SCENES, Scene};
use pliant_validation::reproduce::zhuang_lumping::{self, Shape};
use pliant_validation::reproduce::zhuang_realtime::{self, METHODS, Method, elements_in_real_time};

#[test]
fn a_body_four_times_as_stiff_has_a_largest_step_half_as_long() {
    use zhuang_ladder::{Setup, measure};
    // T is a part of 2 / w of the body at rest, and w goes with sqrt(E / rho)
    let [soft, stiff] = [1.0, 4.0]
        .map(|stiffer| measure(Scene::Pressed, Setup { stiffer, farther: 0.1, ..Setup::default() }).unwrap());
    let ratio = soft.largest / stiff.largest;
    assert!((ratio - 2.0).abs() < 0.02, "{ratio}");
    assert!(soft.others == 0 && stiff.others == 0);
}

#[test]
fn pressing_harder_goes_down_the_ladder() {
    use zhuang_ladder::{Setup, measure};
    let lowest = |farther: f64| {
        let run = measure(Scene::Pressed, Setup { farther, ..Setup::default() }).unwrap();
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
    let renewals = |farther| measure(Scene::Thrown, Setup { farther, ..Setup::default() }).unwrap().renewals;
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

/// [Zhuang 2.67]: where D is a multiple of M it is the same at any shape, and one factor of M serves any step.
#[test]
fn the_papers_own_damping_is_never_taken_anew_however_much_a_body_turns() {
    use zhuang_ladder::{Setup, measure};
    for farther in [0.5, 1.0] {
        let massive = Setup { damping: Damping::Massive, farther, ..Setup::default() };
        let spun = measure(Scene::Thrown, massive).unwrap();
        assert!(spun.renewals == 0 && spun.steps.len() <= 3, "{spun:?}");
        let viscous = measure(Scene::Thrown, Setup { damping: Damping::Viscous, ..massive }).unwrap();
        assert!(viscous.renewals > 0);
        // T is that of the undamped body at rest, whoever damps it: a mass damping of 1 / s does not shorten it
        assert!((spun.largest / viscous.largest - 1.0).abs() < 0.02, "{} {}", spun.largest, viscous.largest);
    }
}

/// A bar of n elements: 2 sin(q/2) c/h lumped, sqrt(6 (1 - cos q) / (2 + cos q)) c/h full, q = (2n - 1) pi / (2n): sqrt(3/2) for one, sqrt(3) for many.
#[test]
fn lumping_widens_the_step_of_a_bar_by_what_its_length_says() {
    for (n, expected) in [(1, 1.5_f64.sqrt()), (12, 3_f64.sqrt())] {
        let [lumped, full] = zhuang_lumping::steps(Shape::Row(n)).unwrap();
        let theory = Shape::Row(n).theory().unwrap();
        assert!((lumped / theory[0] - 1.0).abs() < 0.01 && (full / theory[1] - 1.0).abs() < 0.01, "{n}");
        assert!((lumped / full / expected - 1.0).abs() < 0.02, "{n}: {}", lumped / full);
        // a full step longer than its own limit is unstable with full mass and stable with lumped mass
        let between = 1.1 * full;
        assert!(zhuang_lumping::growth(Shape::Row(n), true, between, 400).unwrap() > 100.0, "{n}");
        assert!(zhuang_lumping::growth(Shape::Row(n), false, between, 400).unwrap() < 10.0, "{n}");
    }
    for shape in [Shape::Hexes(3), Shape::Tets(3)] {
        let [lumped, full] = zhuang_lumping::steps(shape).unwrap();
        assert!(lumped > full && lumped <= shape.most().sqrt() * full, "{shape:?}: {lumped} {full}");
    }
}

#[test]
fn lumped_steps_lose_no_energy() {
    let lost = zhuang_lumping::lost(Shape::Hexes(3), 500).unwrap();
    assert!(lost.abs() < 1e-9, "{lost}");
}

fn small() -> zhuang_realtime::Setup {
    zhuang_realtime::Setup { young: 2e4, cells: vec![3, 6], duration: 0.05, repetitions: 1 }
}

#[test]
fn explicit_steps_shrink_with_the_cell_and_implicit_ones_do_not() {
    let rates = |method| [4, 8].map(|cells| zhuang_realtime::measure(method, cells, &small()).unwrap());
    for method in [Method::Lumped, Method::Full, Method::Viscous] {
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
