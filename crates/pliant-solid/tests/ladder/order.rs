//! Second order in the step, agreement with Newmark, energy.

use pliant_geometry::BoxElement;
use pliant_solid::law::LawKind;
use pliant_solid::{MassKind, Motion};

use super::{end_of, finished, ladder, thrown_bar};
use crate::support::meshes::{block, cube_with_hanging_nodes};
use crate::support::{Scene, moduli, order, peak_difference};

#[test]
fn it_is_second_order() {
    let moduli = moduli(1e6, 0.3);
    for (law, beta) in [(LawKind::NeoHookean(moduli), 0.0), (LawKind::Linear(moduli), 2e-3)] {
        let scene = |n: f64| {
            ladder(thrown_bar(law), 0.02 / n)
                .matter(move |m| (m.stiffness_damping, m.mass_damping) = (beta, 4.0))
        };
        let exact = end_of(&scene(2048.0), 0.02);
        let errors = [64.0, 128.0, 256.0].map(|n| peak_difference(&end_of(&scene(n), 0.02), &exact));
        for pair in errors.windows(2) {
            let found = order(pair[0], pair[1]);
            assert!((1.8..2.3).contains(&found), "{law:?}: order {found}, errors {errors:?}");
        }
    }
}

#[test]
fn it_agrees_with_newmark_as_steps_shrink() {
    let law = LawKind::NeoHookean(moduli(1e5, 0.3));
    let damped = || thrown_bar(law).gravity([0.0, 0.0, -9.81]).matter(|m| m.mass_damping = 2.0);
    let difference =
        |dt: f64| peak_difference(&end_of(&ladder(damped(), dt), 0.05), &end_of(&damped().newmark(dt), 0.05));
    let (coarse, fine) = (difference(4e-4), difference(2e-4));
    assert!(fine < 1e-4, "{fine}");
    assert!((1.7..2.3).contains(&order(coarse, fine)), "{coarse} {fine}");
}

#[test]
fn nonlinear_viscous_bodies_agree_with_newmark_as_steps_shrink() {
    // the matrix is that of the reference shape, the force that of the shape now
    let law = LawKind::NeoHookean(moduli(1e5, 0.3));
    let damped = || thrown_bar(law).matter(|m| m.stiffness_damping = 5e-3);
    let difference =
        |dt: f64| peak_difference(&end_of(&ladder(damped(), dt), 0.05), &end_of(&damped().newmark(dt), 0.05));
    let (coarse, fine) = (difference(2e-4), difference(1e-4));
    println!("differences {coarse:e} {fine:e}");
    assert!(fine < 1e-4 && order(coarse, fine) > 1.7, "{coarse} {fine}");
}

#[test]
fn a_moving_hold_and_its_release_agree_with_newmark() {
    let law = LawKind::NeoHookean(moduli(1e5, 0.3));
    let motion = || Motion::Sine { amplitude: [0.0, 0.02, 0.01], omega: 40.0, phase: 0.3 };
    let scene = || {
        Scene::new(block([0.5, 0.1, 0.1], [5, 1, 1], BoxElement::Hex), law)
            .matter(|m| m.mass = MassKind::Consistent)
            .hold_along(|p| p[0] < 1e-9, [true; 3], motion(), Some(0.0301))
            .hold_along(|p| p[0] > 0.499, [false, true, false], Motion::Still, None)
    };
    let difference =
        |dt: f64| peak_difference(&end_of(&ladder(scene(), dt), 0.05), &end_of(&scene().newmark(dt), 0.05));
    let (coarse, fine) = (difference(2e-4), difference(5e-5));
    println!("differences {coarse:e} {fine:e}");
    // motions of 2 cm; letting go is an event that both place within a step
    assert!(fine < 1e-4 && fine < 0.5 * coarse, "{coarse} {fine}");
}

#[test]
fn hanging_nodes_hand_their_mass_over() {
    let scene = |dt: f64| {
        let (mesh, hanging) = cube_with_hanging_nodes();
        let scene = Scene::new(mesh, LawKind::StVenant(moduli(1e5, 0.3)))
            .hanging(hanging)
            .matter(|m| (m.mass, m.stiffness_damping) = (MassKind::Consistent, 1e-3))
            .velocity(|p| [p[1] * p[1], -p[0], 0.3 * p[2]]);
        (ladder(scene, dt), dt)
    };
    let (ours, dt) = scene(1e-4);
    let theirs = scene(1e-4).0.newmark(dt);
    let difference = peak_difference(&end_of(&ours, 0.02), &end_of(&theirs, 0.02));
    // nodes travel 2 cm
    assert!(difference < 2e-5, "{difference}");
}

/// Largest departure of the total energy from its start, as a part of it.
fn drift(scene: Scene, end: f64) -> f64 {
    let mut world = scene.world();
    let before = world.energy().total();
    let mut most = 0.0_f64;
    while world.state().time < end {
        world.step(&pliant_solid::integrator::Inputs { end: Some(end), ..Default::default() }).unwrap();
        most = most.max((world.energy().total() - before).abs());
    }
    most / before
}

#[test]
fn the_energy_of_an_undamped_body_stays_within_second_order() {
    let law = LawKind::NeoHookean(moduli(1e5, 0.3));
    let (coarse, fine) =
        (drift(ladder(thrown_bar(law), 4e-4), 0.2), drift(ladder(thrown_bar(law), 2e-4), 0.2));
    println!("drift {coarse:e} {fine:e}");
    assert!(fine < 5e-3 && (1.7..2.4).contains(&order(coarse, fine)), "{coarse} {fine}");
}

#[test]
fn damping_and_moving_holds_are_accounted_to_second_order() {
    for law in [LawKind::Linear(moduli(1e5, 0.3)), LawKind::NeoHookean(moduli(1e5, 0.3))] {
        accounts_are_second_order(law);
    }
}

fn accounts_are_second_order(law: LawKind) {
    let motion = || Motion::Sine { amplitude: [0.0, 0.01, 0.0], omega: 30.0, phase: 0.0 };
    let end = |dt: f64| {
        let scene = thrown_bar(law)
            .matter(|m| (m.mass_damping, m.stiffness_damping) = (5.0, 2e-3))
            .carry(|p| p[0] > 0.499, motion());
        let start = ladder(thrown_bar(law), dt).world().energy().total();
        let world = finished(&ladder(scene, dt), 0.1);
        let energy = world.energy();
        assert!(energy.dissipated > 0.1 * start && energy.work.abs() > 0.1 * start, "{energy:?} {start}");
        energy.total()
    };
    let [coarse, middle, fine] = [4e-4, 2e-4, 1e-4].map(end);
    let found = order(coarse - middle, middle - fine);
    println!("{law:?}: order {found}");
    assert!(found > 1.8, "{law:?}: {coarse} {middle} {fine}: order {found}");
}
