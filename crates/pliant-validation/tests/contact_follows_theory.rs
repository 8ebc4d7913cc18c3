//! The figures of contact move as theory says when a parameter is changed.
#![allow(clippy::unwrap_used, missing_docs)]

use pliant_validation::reproduce::zhuang_collision_cost::{Springs, cost, overshoot, springs};
use pliant_validation::reproduce::{warp_fig_9, warp_fig_10, zhuang_energy_loss};

/// (3) of the figure: a node that is stopped takes its own motion, 1 / (2 n) of the bar's, whatever the step; the constraint takes none.
#[test]
fn stopped_nodes_lose_half_an_element_and_the_constraint_loses_nothing() {
    for (elements, safety) in [(10, 0.9), (20, 0.9), (20, 0.45)] {
        let loss = zhuang_energy_loss::measure(elements, safety).unwrap();
        let theory = 0.5 / elements as f64;
        assert!((loss.stopped / theory - 1.0).abs() < 1e-6, "{loss:?}");
        assert!((loss.account / theory - 1.0).abs() < 1e-6, "{loss:?}");
        assert!(loss.kept < 1e-11, "{loss:?}");
    }
}

#[test]
fn smooth_contacts_stray_half_as_far_with_half_the_element() {
    let change = |elements| zhuang_energy_loss::measure(elements, 0.9).unwrap().smooth;
    let ratio = change(15) / change(30);
    assert!((ratio - 2.0).abs() < 0.1, "{ratio}");
}

/// (2) and (3) of the figure: the ratio of steps goes with sqrt(k), the depth with 1 / sqrt(k); with other elements both are the same, over what is h / c and v h / c.
#[test]
fn springs_four_times_as_stiff_need_half_the_step_and_sink_half_as_deep() {
    let [soft, stiff, finer] = [(10, 400.0), (10, 1600.0), (20, 400.0)].map(|(n, b)| springs(n, b).unwrap());
    assert!((stiff.ratio / soft.ratio - 2.0).abs() < 0.05, "{soft:?} {stiff:?}");
    assert!((stiff.depth / soft.depth - 0.5).abs() < 0.05, "{soft:?} {stiff:?}");
    assert!((finer.ratio / soft.ratio - 1.0).abs() < 0.02, "{soft:?} {finer:?}");
    assert!((soft.ratio / Springs::theory(400.0) - 1.0).abs() < 0.02, "{soft:?}");
    // the constraint needs no springs: its depth is below two steps of the bar's own
    assert!(overshoot(10).unwrap() <= 2.0 * 0.9);
}

#[test]
fn the_block_that_is_timed_stands_on_one_of_its_faces() {
    for n in [2_usize, 4] {
        let cost = cost(n, 5).unwrap();
        let surface = (n + 1).pow(2) * (2 * n + 1) - (n - 1).pow(2) * (2 * n - 1);
        let theory = (n + 1).pow(2) as f64 / surface as f64;
        // forces alternate with steps; those that are nil at the moment do not count
        assert!((cost.touching / theory - 1.0).abs() < 0.2, "{cost:?} {theory}");
        assert!([cost.free, cost.far, cost.constraint, cost.smooth].iter().all(|t| *t > 0.0), "{cost:?}");
    }
}

/// (1) and (2) of warp-fig-9: blows bend by v / w, and steps are 2 / w_max: both half as much for four times the modulus.
#[test]
fn a_tube_four_times_as_stiff_is_bent_half_as_far_in_steps_half_as_long() {
    let [soft, stiff] = [1e6, 4e6].map(|young| warp_fig_9::fall(young).unwrap());
    assert!((soft.stable_step / stiff.stable_step - 2.0).abs() < 0.02, "{}", stiff.stable_step);
    let bend = soft.worst.bend / stiff.worst.bend;
    assert!((bend / 2.0 - 1.0).abs() < 0.25, "{bend}");
    assert!(soft.inverted + stiff.inverted == 0);
}

#[test]
fn steps_just_below_the_limit_last_and_steps_above_it_burst() {
    assert!(warp_fig_9::stepped(1e6, 0.9).unwrap().1);
    assert!(!warp_fig_9::stepped(1e6, 1.1).unwrap().1);
}

/// (1) of warp-fig-10.
#[test]
fn a_tube_twice_as_stiff_keeps_the_hand_twice_as_far_off() {
    let [soft, stiff] = [8e5, 1.6e6].map(|young| warp_fig_10::run(young, warp_fig_10::BENT).unwrap().1);
    let ratio = stiff.reluctance / soft.reluctance;
    assert!((ratio / 2.0 - 1.0).abs() < 0.15, "{ratio}");
    assert!(soft.slipped == 0.0 && stiff.hand.bend < soft.hand.bend);
}
