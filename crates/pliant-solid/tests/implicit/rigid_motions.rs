//! Bodies that can move as a whole have no resting shape; the message names the motion.

use pliant_geometry::BoxElement;
use pliant_solid::law::LawKind;
use pliant_solid::term::{Grab, GrabPath};
use pliant_solid::{Motion, OnDivergence, World};

use crate::support::meshes::block;
use crate::support::{Scene, moduli, node_at};

fn cube() -> Scene {
    Scene::new(block([1.0; 3], [2; 3], BoxElement::Hex), LawKind::Linear(moduli(1e6, 0.3))).statics()
}

fn refusal(scene: &Scene) -> String {
    World::new(scene.model(), OnDivergence::Stop).err().expect("a motion is free").to_string()
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
        point: vec![(node_at(layout, [0.0, 1.0, 0.0]), 1.0)],
        path: GrabPath::held_at([0.0, 1.0, 0.1]),
        stiffness: 10.0,
        damping: 0.0,
        max_force: f64::INFINITY,
    };
    held(cube()).term(hand).world();
}
