//! Bodies that can move as a whole have no resting shape; the message names the motion.

use pliant_geometry::BoxElement;
use pliant_solid::Motion;
use pliant_solid::integrator::{Course, IntegratorKind, Statics, StepChoice};
use pliant_solid::law::LawKind;
use pliant_solid::term::{Grab, GrabPath};

use crate::support::meshes::block;
use crate::support::{Scene, moduli, node_at};

fn cube() -> Scene {
    Scene::new(block([1.0; 3], [2; 3], BoxElement::Hex), LawKind::Linear(moduli(1e6, 0.3))).statics()
}

fn refusal(scene: &Scene) -> String {
    scene.try_world().err().expect("a motion is free").to_string()
}

#[test]
fn a_body_that_is_not_held_is_refused() {
    assert!(refusal(&cube()).contains("body `first` is not held at all"), "{}", refusal(&cube()));
}

#[test]
fn a_sliding_body_may_move_in_its_plane_and_turn_about_its_normal() {
    let scene = cube().hold_along(|p| p[2] < 1e-9, [false, false, true], Motion::Still, None);
    let text = refusal(&scene);
    assert!(
        text.contains("move along x, to move along y, to turn about z")
            || text.contains("move along y, to move along x"),
        "{text}"
    );
}

#[test]
fn a_hinge_is_named_with_its_line() {
    let scene = cube().hold(|p| p[0] < 1e-9 && p[2] < 1e-9);
    let text = refusal(&scene);
    assert!(
        text.contains("free to turn about y through (0.0000, ") && text.contains(", 0.0000) m"),
        "{text}"
    );
}

#[test]
fn three_corners_are_enough_and_a_hand_counts() {
    let corner = |x: f64, y: f64| move |p: [f64; 3]| (p[0] - x).abs() + (p[1] - y).abs() + p[2] < 1e-9;
    let held = |scene: Scene| scene.hold(corner(0.0, 0.0)).hold(corner(1.0, 0.0));
    assert!(refusal(&held(cube())).contains("turn about x"));
    held(cube()).hold(corner(0.0, 1.0)).world();
    let hand = |layout: &pliant_solid::Layout| Grab {
        point: [(node_at(layout, [0.0, 1.0, 0.0]), 1.0)].into(),
        path: GrabPath::held_at([0.0, 1.0, 0.1]),
        stiffness: 10.0,
        damping: 0.0,
        max_force: f64::INFINITY,
    };
    held(cube()).term(hand).world();
}

#[test]
fn a_hand_that_does_not_hold_at_the_time_does_not_count() {
    let corner = |x: f64, y: f64| move |p: [f64; 3]| (p[0] - x).abs() + (p[1] - y).abs() + p[2] < 1e-9;
    let hand = |begin: f64, release: Option<f64>| {
        move |layout: &pliant_solid::Layout| Grab {
            point: [(node_at(layout, [0.0, 1.0, 0.0]), 1.0)].into(),
            path: GrabPath { points: vec![(begin, [0.0, 1.0, 0.1])], release },
            stiffness: 10.0,
            damping: 0.0,
            max_force: f64::INFINITY,
        }
    };
    let late = cube().hold(corner(0.0, 0.0)).hold(corner(1.0, 0.0)).term(hand(5.0, None));
    assert!(refusal(&late).contains("turn about x"), "{}", refusal(&late));
    let step = StepChoice::Auto { safety: 1.0 };
    let history = Statics { course: Course::History, duration: 1.0, step, tolerance: 1e-10 };
    let gone = cube()
        .hold(corner(0.0, 0.0))
        .hold(corner(1.0, 0.0))
        .term(hand(0.0, Some(0.5)))
        .integrator(IntegratorKind::Statics(history));
    assert!(refusal(&gone).contains("turn about x"), "{}", refusal(&gone));
}

#[test]
fn a_released_fix_is_named_with_its_time() {
    let step = StepChoice::Auto { safety: 1.0 };
    let history = Statics { course: Course::History, duration: 1.0, step, tolerance: 1e-10 };
    let scene = cube()
        .hold_along(|p| p[2] < 1e-9, [true; 3], Motion::Still, Some(0.5))
        .integrator(IntegratorKind::Statics(history));
    let text = refusal(&scene);
    assert!(text.contains("is not held at all once a fix is released at 0.5 s"), "{text}");
}

#[test]
fn every_part_of_a_body_is_looked_at() {
    // two cubes that do not touch, of which one is held
    let one = block([1.0; 3], [1; 3], BoxElement::Hex);
    let mut positions = one.positions().to_vec();
    positions.extend(one.positions().iter().map(|p| [p[0] + 3.0, p[1], p[2]]));
    let hexes = vec![one.hexes()[0], one.hexes()[0].map(|n| n + 8)];
    let both = crate::support::meshes::mesh(positions, vec![], hexes);
    let scene = Scene::new(both, LawKind::Linear(moduli(1e6, 0.3))).hold(|p| p[0] < 1e-9).statics();
    let text = refusal(&scene);
    assert!(text.contains("part 1 of body `first`") && text.contains("(3.0000, "), "{text}");
}
