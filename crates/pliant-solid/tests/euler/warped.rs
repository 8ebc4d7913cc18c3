//! Warped bodies in implicit steps: their equations are not symmetric, and are solved all the same.

use std::f64::consts::FRAC_PI_2;

use pliant_solid::integrator::{EulerSolve, ImplicitEuler, Inputs};
use pliant_solid::law::{LawKind, RotationField, Warp};
use pliant_solid::term::{Coeffs, Grab, Scatter};
use pliant_solid::{FullState, Model, State, World};

use super::abuse::random_hand;
use super::support::{Noise, moduli};
use super::{bar, euler};

const STEP: f64 = 0.01;

fn warped(young: f64, field: RotationField) -> LawKind {
    LawKind::Warped(moduli(young, 0.33), Warp { field, ..Warp::default() })
}

/// The bar along z on a quarter of a circle in the y-z plane, its middle line as long as at rest.
fn bent([x, y, z]: [f64; 3]) -> [f64; 3] {
    let (radius, angle) = (1.0 / FRAC_PI_2, z * FRAC_PI_2);
    let out = radius - (y - 0.15);
    [x, radius - out * angle.cos() + 0.15, out * angle.sin()]
}

/// (M / dt^2 + K) d by the term's own products, which know that K is not symmetric.
fn left_side(model: &Model, full: &FullState, d: &[f64]) -> Vec<f64> {
    let mut out = vec![0.0; d.len()];
    for term in model.terms() {
        let mut scratch = term.new_scratch();
        let mut scatter = Scatter::new(&mut out, &mut scratch);
        term.tangent_apply_add(&full.at(), Coeffs { k: 1.0, d: 0.0 }, d, &mut scatter);
    }
    out.iter_mut().enumerate().for_each(|(i, o)| *o += model.mass()[i / 3] / (STEP * STEP) * d[i]);
    out
}

#[test]
fn the_true_residual_of_a_bar_bent_by_a_right_angle_is_small() {
    // told in another norm than that of this test
    let tight = ImplicitEuler { solve: EulerSolve::Linearised { tolerance: 1e-10 }, ..euler(STEP) };
    for field in [RotationField::Polar, RotationField::Frames] {
        let mut world = bar(warped(1e5, field), tight).hold(|p| p[2] < 1e-9).world();
        let model = world.model().clone();
        let rest = model.layout().rest().clone();
        let x: Vec<f64> = rest.chunks_exact(3).flat_map(|p| bent([p[0], p[1], p[2]])).collect();
        let start = State { x, ..world.state().clone() };
        let full = model.full_state(&start);
        world.restore(start.clone()).unwrap();
        let report = world.step(&Inputs::default()).unwrap();
        let d: Vec<f64> = world.state().x.iter().zip(&start.x).map(|(a, b)| a - b).collect();
        let right = super::support::forces(&model, &full);
        let left = left_side(&model, &full, &d);
        // held nodes are on the circle already, where their equations are not asked
        let free = |i: &usize| rest[3 * (i / 3) + 2] > 1e-9;
        let norm = |value: &dyn Fn(usize) -> f64| {
            (0..d.len()).filter(free).map(|i| value(i).powi(2)).sum::<f64>().sqrt()
        };
        let residual = norm(&|i| right[i] - left[i]) / norm(&|i| right[i]);
        assert!(residual < 1e-9, "{field:?}: {residual:.1e}, told {report:?}");
    }
}

#[test]
fn random_grabs_never_leave_anything_but_numbers() {
    for (seed, field) in [(1, RotationField::Polar), (2, RotationField::Frames)] {
        let mut world: World =
            bar(warped(1e5, field), euler(0.03)).hold(|p| p[2] < 1e-9).gravity([0.0, -9.81, 0.0]).world();
        let nodes = world.model().layout().free_count();
        let mut noise = Noise::new(seed);
        let mut hands: Vec<Grab> = Vec::new();
        let (mut halvings, mut failures) = (0, 0);
        for _ in 0..300 {
            let time = world.state().time;
            hands.retain(|hand| hand.path.release.is_some_and(|release| release > time));
            while hands.len() < 2 {
                hands.push(random_hand(&mut noise, nodes, time));
            }
            match world.step(&Inputs { grabs: &hands, ..Inputs::default() }) {
                Ok(report) => halvings += report.halvings,
                // a step that cannot be taken says so, and another hand is tried
                Err(_) => {
                    failures += 1;
                    hands.clear();
                }
            }
            let state = world.state();
            assert!(state.x.iter().chain(&state.v).all(|value| value.is_finite()), "{field:?}");
        }
        assert_eq!(failures, 0, "{field:?}: {halvings} halvings");
    }
}
