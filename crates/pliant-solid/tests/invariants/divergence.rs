//! A diverged step is a value: the old state is kept to the bit, the error says what, where and when.

use pliant_geometry::BoxElement;
use pliant_solid::integrator::{Divergence, Inputs, StepError};
use pliant_solid::law::LawKind;
use pliant_solid::{State, World};

use super::bytes;
use super::support::meshes::block;
use super::support::{Scene, moduli, run};

/// Steps until one fails; the error, the state before it and the state after it.
fn until_failure(world: &mut World) -> (StepError, State) {
    for _ in 0..100_000 {
        let before = world.state().clone();
        if let Err(error) = world.step(&Inputs::default()) {
            return (error, before);
        }
    }
    panic!("nothing diverged");
}

#[test]
fn a_step_that_is_too_long_is_refused_and_the_old_state_kept() {
    let laws = [
        LawKind::StVenant(moduli(1e5, 0.3)),
        LawKind::NeoHookean(moduli(1e5, 0.3)),
        LawKind::Linear(moduli(1e5, 0.3)),
    ];
    for law in laws {
        let scene = Scene::new(block([0.1, 0.1, 0.3], [2, 2, 6], BoxElement::Tet6), law)
            .hold(|p| p[2] < 1e-9)
            .velocity(|p| [0.5 * p[2], 0.0, 0.0]);
        let stable = scene.world().state().solver.dt_limit / 0.9;
        let mut world = scene.dt(1.3 * stable).world();
        let (error, before) = until_failure(&mut world);
        assert!(bytes(world.state()) == bytes(&before), "{law:?}");
        assert!(before.x.iter().chain(&before.v).chain(&before.a).all(|v| v.is_finite()), "{law:?}");
        // what, where, when, and what to change
        assert_eq!((error.body, error.body_name.as_str()), (0, "first"));
        assert_eq!((error.time, error.step), (before.time, before.step));
        assert_eq!(error.dt, 1.3 * stable);
        let worst = error.worst.clone().unwrap();
        assert!((worst.cell as usize) < 144 && worst.place.iter().all(|c| c.is_finite()), "{worst:?}");
        let text = error.to_string();
        assert!(text.contains("`first`") && text.contains(&format!("element {}", worst.cell)), "{text}");
        // asking again gives the same answer, not another state
        let again = world.step(&Inputs::default()).unwrap_err();
        assert_eq!((again.step, again.reason.to_string()), (error.step, error.reason.to_string()));
        assert!(bytes(world.state()) == bytes(&before), "{law:?}");
    }
}

#[test]
fn the_worst_element_is_where_it_happened() {
    // a bar of six cells; the node at its far end is thrown through the body
    let mesh = block([0.1, 0.1, 0.6], [1, 1, 6], BoxElement::Hex);
    let scene = Scene::new(mesh, LawKind::NeoHookean(moduli(1e5, 0.3)))
        .velocity(|p| if p == [0.1, 0.1, 0.6] { [0.0, 0.0, -60.0] } else { [0.0; 3] })
        .dt(1e-3);
    let (error, _) = until_failure(&mut scene.world());
    assert_eq!(error.reason, Divergence::NotFinite);
    let worst = error.worst.unwrap();
    assert_eq!(worst.cell, 5);
    assert!((worst.place[2] - 0.55).abs() < 0.1, "{worst:?}");
    assert!(worst.volume_ratio < 1.0, "{worst:?}");
}

#[test]
fn a_node_that_leaps_is_refused_even_if_all_numbers_are_finite() {
    // 0.1 m cube, diagonal 0.173 m; one of its eight nodes moves 0.24 m in 1 ms, 7/8 of that from the mean of all
    let mesh = block([0.1; 3], [1; 3], BoxElement::Hex);
    let one = |p: [f64; 3]| if p == [0.0; 3] { [240.0, 0.0, 0.0] } else { [0.0; 3] };
    let mut world = Scene::new(mesh, LawKind::Linear(moduli(1e3, 0.3))).velocity(one).dt(1e-3).world();
    let error = world.step(&Inputs::default()).unwrap_err();
    let Divergence::Leap { moved, extent } = error.reason else { panic!("{error}") };
    assert!((moved - 0.21).abs() < 1e-12 && (extent - 0.03_f64.sqrt()).abs() < 1e-12, "{error}");
}

#[test]
fn a_body_may_fly_as_fast_as_it_likes() {
    // 0.2 m a step, more than the body is large, all nodes alike: no leap, and exactly v t
    let mesh = block([0.1; 3], [2; 3], BoxElement::Hex);
    let scene = Scene::new(mesh, LawKind::StVenant(moduli(1e4, 0.3))).velocity(|_| [200.0, 0.0, 0.0]);
    let mut world = scene.dt(1e-3).world();
    run(&mut world, 100);
    let rest = world.model().layout().rest()[0];
    assert!((world.state().x[0] - rest - 20.0).abs() < 1e-10, "{}", world.state().x[0]);
}

/// A stiff block that cannot take the step, named `first`, and the tower, named `second`.
fn two_bodies() -> Scene {
    let stiff = block([0.1; 3], [2; 3], BoxElement::Hex);
    Scene::new(stiff, LawKind::NeoHookean(moduli(1e9, 0.3)))
        .body(
            "second",
            block([0.1, 0.1, 0.3], [2, 2, 6], BoxElement::Hex),
            LawKind::StVenant(moduli(1e5, 0.3)),
        )
        .velocity(swing)
        .dt(2e-4)
}

fn swing(p: [f64; 3]) -> [f64; 3] {
    [p[2], 0.2 * p[1], 0.0]
}

#[test]
fn a_frozen_body_stands_still_and_the_other_goes_on_as_if_alone() {
    let mut world = two_bodies().freeze_on_divergence().world();
    run(&mut world, 2000);
    assert_eq!([0, 1].map(|body| world.state().holding.is_frozen(body)), [true, false]);
    let [because] = world.frozen_because() else { panic!("one body was frozen") };
    assert_eq!(because.body_name, "first");
    let bodies = world.model().layout().bodies();
    let dofs = |b: usize| 3 * bodies[b].nodes.start as usize..3 * bodies[b].nodes.end as usize;
    let state = world.state();
    assert!(state.v[dofs(0)].iter().chain(&state.a[dofs(0)]).all(|v| *v == 0.0));
    assert!(state.x[dofs(0)].iter().all(|x| x.is_finite()));
    let alone = block([0.1, 0.1, 0.3], [2, 2, 6], BoxElement::Hex);
    let mut alone = Scene::new(alone, LawKind::StVenant(moduli(1e5, 0.3))).velocity(swing).dt(2e-4).world();
    run(&mut alone, 2000);
    assert!(state.x[dofs(1)] == alone.state().x[..], "the other body's positions, to the bit");
    assert!(state.v[dofs(1)] == alone.state().v[..] && state.a[dofs(1)] == alone.state().a[..]);
    assert_eq!(state.time, alone.state().time);
    // and what the frozen body's motion held is accounted as lost
    assert!(world.energy().dissipated > 0.0 && world.energy().total().is_finite());
}

#[test]
fn without_freezing_the_same_scene_stops() {
    let mut world = two_bodies().world();
    let (error, _) = until_failure(&mut world);
    assert_eq!(error.body_name, "first");
    assert!(world.frozen_because().is_empty());
}

#[test]
fn released_nodes_fly_on_with_the_speed_they_had() {
    // a cube carried along x by a sine from its phase 0 on, let go in mid-swing: every node has the same
    // speed A w cos(w t) at t = 0.05 s, and free flight keeps it
    use pliant_solid::Motion;
    let motion = Motion::Sine { amplitude: [0.1, 0.0, 0.0], omega: 10.0, phase: 0.0 };
    for steps in [50, 100] {
        let mesh = block([0.1; 3], [2; 3], BoxElement::Hex);
        let scene = Scene::new(mesh, LawKind::StVenant(moduli(1e5, 0.3)));
        let scene = scene.hold_along(|_| true, [true; 3], motion.clone(), Some(0.05));
        let mut world = scene.dt(0.05 / steps as f64).world();
        run(&mut world, 2 * steps);
        let exact = 0.1 * 10.0 * 0.5_f64.cos();
        for v in world.state().v.chunks_exact(3) {
            assert!((v[0] - exact).abs() < 1e-9 && v[1].abs() < 1e-9 && v[2].abs() < 1e-9, "{v:?} {exact}");
        }
    }
}
