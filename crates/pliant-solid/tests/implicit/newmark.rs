//! The Newmark family: order, energy, stability, agreement with the explicit method.

use pliant_geometry::BoxElement;
use pliant_solid::integrator::{Inputs, IntegratorKind, Newmark, StepChoice, stable_step};
use pliant_solid::law::LawKind;
use pliant_solid::term::{Grab, GrabPath};
use pliant_solid::{Kit, MassKind, Motion, World};

use crate::support::meshes::{block, cube_with_hanging_nodes};
use crate::support::{Scene, moduli, node_at, order, peak, peak_difference, run, run_until};

/// A bar that is clamped at x = 0 and thrown upwards.
fn thrown_bar(law: LawKind) -> Scene {
    Scene::new(block([0.5, 0.1, 0.1], [5, 1, 1], BoxElement::Hex), law)
        .hold(|p| p[0] < 1e-9)
        .velocity(|p| [0.0, 0.0, 2.0 * p[0] * p[0]])
}

fn end_of(scene: &Scene, end: f64) -> Vec<f64> {
    let mut world = scene.world();
    let (_, error) = run_until(&mut world, end);
    assert_eq!(error, None);
    world.state().x.clone()
}

#[test]
fn average_acceleration_is_second_order() {
    for mass in [MassKind::Lumped, MassKind::Consistent] {
        let law = LawKind::NeoHookean(moduli(1e6, 0.3));
        let scene = |dt: f64| thrown_bar(law).matter(move |m| m.mass = mass).newmark(dt);
        let exact = end_of(&scene(0.02 / 1024.0), 0.02);
        let errors = [32.0, 64.0, 128.0].map(|n| peak_difference(&end_of(&scene(0.02 / n), 0.02), &exact));
        for pair in errors.windows(2) {
            let found = order(pair[0], pair[1]);
            assert!((1.8..2.3).contains(&found), "{mass:?}: order {found}, errors {errors:?}");
        }
    }
}

#[test]
fn a_linear_body_keeps_its_energy_at_any_step() {
    for mass in [MassKind::Lumped, MassKind::Consistent] {
        let law = LawKind::Linear(moduli(1e6, 0.3));
        let scene = |dt: f64| thrown_bar(law).matter(move |m| m.mass = mass).newmark(dt);
        let critical = critical(&thrown_bar(law));
        for times in [0.5, 5.0, 100.0] {
            let mut world = scene(times * critical).world();
            let before = world.energy().total();
            run(&mut world, 200);
            let drift = (world.energy().total() - before).abs() / before;
            assert!(drift < 1e-10, "{mass:?} at {times} x the critical step: {drift:e}");
        }
    }
}

#[test]
fn a_step_of_a_hundred_critical_ones_stays_bounded_under_nonlinear_laws() {
    let law = LawKind::NeoHookean(moduli(1e8, 0.3));
    let scene = || thrown_bar(law).gravity([0.0, 0.0, -9.81]);
    let step = 100.0 * critical(&scene());
    let mut world = scene().newmark(step).world();
    run(&mut world, 100);
    let rest = world.model().layout().rest();
    assert!(peak_difference(&world.state().x, &rest[..world.state().x.len()]) < 0.1);
}

/// The longest stable explicit step at the start.
fn critical(scene: &Scene) -> f64 {
    let model = scene.model();
    let state = model.initial_state();
    let mut mode = vec![0.0; state.x.len()];
    stable_step(&model, &state, &mut Kit::new(&model, scene.scheme()), &mut mode, &Inputs::default()).dt
}

#[test]
fn it_agrees_with_the_explicit_method_as_steps_shrink() {
    let law = LawKind::StVenant(moduli(1e5, 0.3));
    let difference = |dt: f64| {
        peak_difference(&end_of(&thrown_bar(law).newmark(dt), 0.05), &end_of(&thrown_bar(law).dt(dt), 0.05))
    };
    let (coarse, fine) = (difference(4e-4), difference(2e-4));
    assert!(fine < 1e-4, "{fine}");
    // both are second order, so is their difference
    assert!((1.7..2.3).contains(&order(coarse, fine)), "{coarse} {fine}");
}

#[test]
fn damping_takes_what_the_accounts_say() {
    let law = LawKind::NeoHookean(moduli(1e6, 0.3));
    let scene = |dt: f64| {
        let damped = thrown_bar(law).matter(|m| {
            m.mass_damping = 5.0;
            m.stiffness_damping = 1e-3;
        });
        damped.newmark(dt)
    };
    let drift = |dt: f64| {
        let mut world = scene(dt).world();
        let before = world.energy().total();
        assert_eq!(run_until(&mut world, 0.1).1, None);
        assert!(world.energy().dissipated > 0.3 * before);
        (world.energy().total() - before).abs() / before
    };
    let (coarse, fine) = (drift(1e-3), drift(5e-4));
    assert!(fine < 1e-3, "{fine}");
    assert!(order(coarse, fine) > 1.7, "{coarse} {fine}");
}

#[test]
fn more_gamma_takes_energy_and_is_first_order() {
    let law = LawKind::Linear(moduli(1e6, 0.3));
    let newmark =
        |dt: f64| Newmark { beta: 0.36, gamma: 0.7, step: StepChoice::Fixed(dt), ..Newmark::default() };
    let scene = |dt: f64| thrown_bar(law).integrator(IntegratorKind::Newmark(newmark(dt)));
    // energy of a mode falls as exp(-(gamma - 1/2) omega^2 dt t); the slowest has 2 pi 2.2 Hz
    let mut world = scene(0.01).world();
    let before = world.energy().total();
    run(&mut world, 100);
    assert!(world.energy().total() < 0.8 * before);
    let exact = end_of(&thrown_bar(law).newmark(0.01 / 256.0), 0.01);
    let errors = [32.0, 64.0, 128.0].map(|n| peak_difference(&end_of(&scene(0.01 / n), 0.01), &exact));
    assert!((0.8..1.3).contains(&order(errors[1], errors[2])), "{errors:?}");
}

#[test]
fn a_step_too_long_for_the_law_is_halved() {
    // thrown so fast that a whole step would turn elements inside out
    let law = LawKind::NeoHookean(moduli(1e4, 0.3));
    let scene = Scene::new(block([0.1; 3], [3; 3], BoxElement::Hex), law)
        .hold(|p| p[0] < 1e-9)
        .velocity(|p| if p[0] > 0.09 { [-12.0, 0.0, 0.0] } else { [0.0; 3] })
        .newmark(0.02);
    let mut world = scene.world();
    let (reports, error) = run_until(&mut world, 0.1);
    assert_eq!(error, None);
    assert!(reports.iter().any(|r| r.halvings > 0));
    assert_eq!(world.state().time, 0.1);
}

#[test]
fn automatic_steps_follow_the_motion() {
    let law = LawKind::NeoHookean(moduli(1e5, 0.3));
    let automatic = thrown_bar(law).integrator(IntegratorKind::Newmark(Newmark::default()));
    let mut world = automatic.world();
    let (reports, error) = run_until(&mut world, 0.3);
    assert_eq!(error, None);
    let exact = end_of(&thrown_bar(law).newmark(2e-4), 0.3);
    let difference = peak_difference(&world.state().x, &exact);
    assert!(difference < 5e-3, "{difference} after {} steps", reports.len());
    assert!(reports.len() < 300, "{}", reports.len());
}

#[test]
fn automatic_steps_do_not_jump_over_what_is_scripted() {
    // nothing moves until a hand comes at 0.3 s and goes at 0.5 s
    let law = LawKind::NeoHookean(moduli(1e5, 0.3));
    let hand = |layout: &pliant_solid::Layout| Grab {
        point: [(node_at(layout, [0.5, 0.1, 0.1]), 1.0)].into(),
        path: GrabPath { points: vec![(0.3, [0.5, 0.1, 0.12])], release: Some(0.5) },
        stiffness: 100.0,
        damping: 0.0,
        max_force: f64::INFINITY,
    };
    let scene = Scene::new(block([0.5, 0.1, 0.1], [5, 1, 1], BoxElement::Hex), law)
        .hold(|p| p[0] < 1e-9)
        .term(hand)
        .integrator(IntegratorKind::Newmark(Newmark::default()));
    let mut world = scene.world();
    let mut times = vec![0.0];
    let inputs = Inputs { end: Some(0.8), ..Inputs::default() };
    while world.state().time < 0.8 {
        world.step(&inputs).unwrap();
        times.push(world.state().time);
    }
    for event in [0.3, 0.5, 0.8] {
        assert!(times.iter().any(|t| (t - event).abs() < 1e-9), "{event}: {times:?}");
    }
    assert!(world.energy().work > 0.0);
}

#[test]
fn hanging_nodes_move_with_their_masters() {
    let (mesh, hanging) = cube_with_hanging_nodes();
    let law = LawKind::NeoHookean(moduli(1e5, 0.3));
    for mass in [MassKind::Lumped, MassKind::Consistent] {
        let scene = Scene::new(mesh.clone(), law)
            .matter(move |m| m.mass = mass)
            .hanging(hanging.clone())
            .gravity([0.0, 0.0, -9.81])
            .hold(|p| p[2] < 1e-9)
            .newmark(1e-3);
        let mut world = scene.world();
        let before = world.energy().total();
        run(&mut world, 50);
        let energy = world.energy();
        assert!((energy.total() - before).abs() < 1e-3 * energy.gravity.abs(), "{mass:?}: {energy:?}");
    }
}

#[test]
fn a_saved_state_goes_on_with_the_same_bits() {
    let law = LawKind::NeoHookean(moduli(1e5, 0.3));
    let scene = thrown_bar(law).integrator(IntegratorKind::Newmark(Newmark::default()));
    let mut through = scene.world();
    run(&mut through, 20);
    let mut first = scene.world();
    run(&mut first, 10);
    let mut second: World = scene.world();
    second.restore(first.state().clone()).unwrap();
    run(&mut second, 10);
    assert_eq!(through.state(), second.state());
    assert!(peak(&through.state().v) > 0.0);
}

#[test]
fn a_hand_that_waits_or_has_no_more_strength_costs_no_iterations() {
    let law = LawKind::NeoHookean(moduli(1e5, 0.3));
    let hand = |begin: f64, max_force: f64| {
        move |layout: &pliant_solid::Layout| Grab {
            point: [(node_at(layout, [0.5, 0.1, 0.1]), 1.0)].into(),
            path: GrabPath { points: vec![(begin, [0.5, 0.1, 0.3])], release: None },
            stiffness: 1e5,
            damping: 10.0,
            max_force,
        }
    };
    for (begin, max_force) in [(1.0, f64::INFINITY), (0.0, 1.0)] {
        let mut world = thrown_bar(law).term(hand(begin, max_force)).newmark(2e-3).world();
        let (reports, error) = run_until(&mut world, 0.04);
        assert_eq!(error, None);
        let most = reports.iter().filter_map(|r| r.newton).map(|n| n.iterations).max().unwrap();
        assert!(most <= 4 && reports.iter().all(|r| r.halvings == 0), "{most} iterations");
    }
}

#[test]
fn an_unstable_choice_of_weights_is_told_as_a_divergence() {
    // beta below gamma / 2 is stable for short steps only
    let law = LawKind::Linear(moduli(1e6, 0.3));
    let newmark = Newmark { beta: 0.1, step: StepChoice::Fixed(0.05), ..Newmark::default() };
    let mut world = thrown_bar(law).integrator(IntegratorKind::Newmark(newmark)).world();
    let (_, error) = run_until(&mut world, 20.0);
    let error = error.expect("it cannot go well");
    assert!(matches!(error.reason, pliant_solid::integrator::Divergence::Energy { .. }), "{error}");
    let rest = world.model().layout().rest();
    assert!(peak_difference(&world.state().x, &rest[..world.state().x.len()]) < 10.0);
}

#[test]
fn a_light_body_falls_beside_a_heavy_one() {
    let law = LawKind::StVenant(moduli(1e9, 0.3));
    let floor = block([10.0, 10.0, 1.0], [2, 2, 1], BoxElement::Hex);
    let above = |p: [f64; 3]| [p[0] + 1.0, p[1] + 1.0, p[2] + 5.0];
    let stone = block([0.01; 3], [1; 3], BoxElement::Hex).transformed(above).unwrap();
    let scene =
        Scene::new(floor, law).hold(|p| p[2] < 1.5).body("stone", stone, law).gravity([0.0, 0.0, -9.81]);
    let mut world = scene.integrator(IntegratorKind::Newmark(Newmark::default())).world();
    assert_eq!(run_until(&mut world, 0.5).1, None);
    let node = node_at(world.model().layout(), [1.0, 1.0, 5.0]);
    let fallen = 5.0 - world.state().x[3 * node as usize + 2];
    // g t^2 / 2
    assert!((fallen - 1.22625).abs() < 1e-6, "{fallen}");
}

#[test]
fn a_release_is_second_order_with_both_masses() {
    for mass in [MassKind::Lumped, MassKind::Consistent] {
        let law = LawKind::NeoHookean(moduli(1e6, 0.3));
        let carry = Motion::Carry { shift: [0.0, 0.0, 0.05], turn: None, over: 0.02 };
        let scene = |dt: f64| {
            Scene::new(block([0.5, 0.1, 0.1], [5, 1, 1], BoxElement::Hex), law)
                .matter(move |m| m.mass = mass)
                .hold(|p| p[0] < 1e-9)
                .hold_along(|p| p[0] > 0.5 - 1e-9, [true; 3], carry.clone(), Some(0.01))
                .newmark(dt)
        };
        let exact = end_of(&scene(0.02 / 2048.0), 0.02);
        let errors = [64.0, 128.0, 256.0].map(|n| peak_difference(&end_of(&scene(0.02 / n), 0.02), &exact));
        assert!((1.7..2.4).contains(&order(errors[1], errors[2])), "{mass:?}: {errors:?}");
    }
}

#[test]
fn a_pinned_node_stays_whatever_its_fix_wants() {
    let law = LawKind::NeoHookean(moduli(1e6, 0.3));
    let carry = Motion::Carry { shift: [0.0, 0.0, 0.05], turn: None, over: 0.02 };
    let scene = Scene::new(block([0.5, 0.1, 0.1], [5, 1, 1], BoxElement::Hex), law)
        .carry(|p| p[0] < 1e-9, carry)
        .newmark(1e-3);
    let mut world = scene.world();
    let pinned = node_at(world.model().layout(), [0.0; 3]);
    let pins = [pinned];
    for _ in 0..10 {
        world.step(&Inputs { pins: &pins, ..Inputs::default() }).unwrap();
    }
    assert_eq!(world.state().x[3 * pinned as usize + 2], 0.0);
}

#[test]
fn full_mass_of_a_body_with_hanging_nodes_is_all_of_it() {
    let (mesh, hanging) = cube_with_hanging_nodes();
    let volume = mesh.volume();
    let scene = Scene::new(mesh, LawKind::Linear(moduli(1e6, 0.3)))
        .matter(|m| m.mass = MassKind::Consistent)
        .hanging(hanging)
        .newmark(1e-3);
    let model = scene.model();
    let ones = vec![1.0; 3 * model.layout().free_count()];
    let mut product = vec![0.0; ones.len()];
    model.mass_times(&ones, &mut product);
    let total: f64 = product.iter().sum::<f64>() / 3.0;
    assert!((total / (1000.0 * volume) - 1.0).abs() < 1e-12, "{total}");
}

#[test]
fn reactions_are_right_from_the_start() {
    // clamped and let go at once: what holds the end at time zero is what holds it a moment later
    for mass in [MassKind::Lumped, MassKind::Consistent] {
        let scene = thrown_bar(LawKind::Linear(moduli(1e6, 0.3)))
            .velocity(|_| [0.0; 3])
            .gravity([0.0, 0.0, -9.81])
            .matter(move |m| m.mass = mass)
            .newmark(1e-7);
        let mut world = scene.world();
        let held = |world: &World| world.state().reactions.chunks_exact(3).map(|f| f[2]).sum::<f64>();
        let before = held(&world);
        run(&mut world, 1);
        assert!((held(&world) / before - 1.0).abs() < 1e-3, "{mass:?}: {before} then {}", held(&world));
    }
}
