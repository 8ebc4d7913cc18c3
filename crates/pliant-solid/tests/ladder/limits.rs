//! The longest stable step with full matrices.

use pliant_geometry::BoxElement;
use pliant_solid::integrator::{Inputs, stable_step};
use pliant_solid::law::LawKind;
use pliant_solid::term::Coeffs;
use pliant_solid::{Kit, MassKind, Motion};

use super::{automatic, ladder};
use crate::support::linear_algebra::{dense, generalized_eigenvalues};
use crate::support::meshes::block;
use crate::support::statics::dofs_outside;
use crate::support::{Scene, at_rest, moduli};

fn limit(scene: &Scene) -> f64 {
    let model = &scene.model();
    let state = model.initial_state();
    let mut mode = vec![0.0; state.x.len()];
    stable_step(model, &state, &mut Kit::new(model, scene.scheme()), &mut mode, &Inputs::default()).dt
}

fn assert_limit(name: &str, found: f64, exact: f64) {
    println!("{name}: found {found:.6e} s, exact {exact:.6e} s, ratio {:.4}", found / exact);
    assert!(found <= exact, "{name}: {found:e} is above {exact:e}");
    assert!(found > 0.95 * exact, "{name}: {found:e} is too far below {exact:e}");
}

fn cube(element: BoxElement) -> Scene {
    let law = LawKind::Linear(moduli(1e6, 0.3));
    let scene = Scene::new(block([0.1; 3], [6; 3], element), law).matter(|m| m.mass = MassKind::Consistent);
    automatic(scene, 0.96)
}

#[test]
fn consistent_mass_has_the_tabulated_limits() {
    // MODE-FREE-1: omega_max of the consistent rows, 2.0516922e-4 s and 1.4904004e-4 s
    for (element, omega) in [(BoxElement::Hex, 9748.0508), (BoxElement::Tet6, 13419.2128)] {
        assert_limit(&format!("{element:?}"), limit(&cube(element)), 2.0 / omega);
        // and so has the automatic step, with a safety of 0.96
        let dt = cube(element).world().state().solver.dt;
        assert_limit(&format!("{element:?} auto"), dt, 2.0 / omega);
    }
}

#[test]
fn damping_that_is_in_the_matrix_does_not_shorten_the_step() {
    // xi = beta omega / 2 = 49 for the highest mode; the lagged method would need 0.01 of the limit
    let damped = cube(BoxElement::Hex).matter(|m| (m.stiffness_damping, m.mass_damping) = (1e-2, 3.0));
    assert_limit("viscous", limit(&damped), 2.0 / 9748.0508);
}

#[test]
fn nodes_held_along_some_axes_count_along_the_others() {
    let law = LawKind::Linear(moduli(1e6, 0.3));
    let scene = Scene::new(block([0.1; 3], [3; 3], BoxElement::Hex), law)
        .matter(|m| m.mass = MassKind::Consistent)
        .hold_along(|p| p[0] < 1e-9, [true, false, false], Motion::Still, None)
        .hold_along(|p| p[1] < 1e-9, [false, true, true], Motion::Still, None);
    let scene = automatic(scene, 0.96);
    let model = scene.model();
    let rest = |dof: usize| model.layout().rest_of((dof / 3) as u32);
    let held = |dof: usize| if dof.is_multiple_of(3) { rest(dof)[0] < 1e-9 } else { rest(dof)[1] < 1e-9 };
    let kept: Vec<usize> = dofs_outside(&model, |_| false).into_iter().filter(|d| !held(*d)).collect();
    let stiffness = dense(&model.tangent(&at_rest(&model), Coeffs { k: 1.0, d: 0.0 }), &kept);
    let values = generalized_eigenvalues(&stiffness, &dense(&model.mass_matrix(), &kept));
    assert_limit("half held", limit(&scene), 2.0 / values[values.len() - 1].sqrt());
}

/// The largest energy on the way, infinite once the body has diverged.
fn peak_energy(factor: f64) -> (f64, f64) {
    let thrown = cube(BoxElement::Hex).velocity(|p| [p[1] * p[2], p[0] * p[0], 0.1 * (900.0 * p[0]).sin()]);
    let mut world = ladder(thrown, factor * 2.0 / 9748.0508).world();
    let (before, mut peak) = (world.energy().total(), 0.0_f64);
    for step in 0..1500 {
        if world.step(&Inputs::default()).is_err() {
            return (before, f64::INFINITY);
        }
        if step % 50 == 0 {
            peak = peak.max(world.energy().total());
        }
    }
    (before, peak)
}

#[test]
fn steps_below_the_limit_stay_bounded_and_steps_above_do_not() {
    for (factor, stable) in [(0.99, true), (1.01, false)] {
        let (before, peak) = peak_energy(factor);
        assert_eq!(peak < 2.0 * before, stable, "at {factor}: {peak} from {before}");
    }
}
