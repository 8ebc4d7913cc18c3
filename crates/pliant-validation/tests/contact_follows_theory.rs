//! The figures of contact move as theory says when a parameter is changed.
#![allow(clippy::unwrap_used, missing_docs)]

use pliant_validation::reproduce::zhuang_collision_cost::{Springs, cost, overshoot, springs};
use pliant_validation::reproduce::zhuang_energy_loss;

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
