//! Frames between two states: what is sound at both ends is sound in between.

use pliant_geometry::BoxElement;
use pliant_solid::law::LawKind;

use crate::support::meshes::block;
use crate::support::{Scene, moduli, run};

/// A cube of neo-Hookean matter whose top is shot down to 0.3 of its height in one step and thrown back by six times its height a step:
/// the cubic through both states passes z = 0 in between.
#[test]
fn elements_that_are_sound_at_both_ends_are_sound_in_between() {
    let dt = 1e-2;
    let scene =
        Scene::new(block([1.0; 3], [1, 1, 1], BoxElement::Hex), LawKind::NeoHookean(moduli(2e7, 0.3)))
            .hold(|p| p[2] < 0.5)
            .velocity(move |p| [0.0, 0.0, if p[2] > 0.5 { -0.7 / dt } else { 0.0 }])
            .dt(dt);
    let mut world = scene.world();
    run(&mut world, 1);
    let model = scene.model();
    let (before, after) = (world.previous().clone(), world.state().clone());
    let sound = |full: &pliant_solid::FullState| {
        let fields = &model.fields(full)[0];
        fields.inverted() == 0 && fields.von_mises.iter().all(|v| v.is_finite())
    };
    assert!(sound(&model.full_state(&before)) && sound(&model.full_state(&after)));
    let cubic = model.full_state_between(&before, &after, 0.5 * dt);
    assert!(!sound(&cubic), "the cubic should fold the cube, or this test asks nothing");
    for part in [0.1, 0.5, 0.9] {
        let shown = world.shown_at(part * dt);
        assert!(sound(&shown), "at {part} of the step");
        assert_eq!(shown.time, part * dt);
    }
    // straight: half of the way at half of the time
    let shown = world.shown_at(0.5 * dt);
    let middle = |i: usize| 0.5 * (before.x[i] + after.x[i]);
    assert!((0..before.x.len()).all(|i| (shown.x[i] - middle(i)).abs() < 1e-15));
}

/// Where nothing folds, frames are those of the cubic, to the bit.
#[test]
fn other_frames_are_cubic() {
    let mut world = super::tower().gravity([0.0, 0.0, -9.81]).world();
    run(&mut world, 50);
    let (before, after) = (world.previous().clone(), world.state().clone());
    let time = 0.3 * before.time + 0.7 * after.time;
    let cubic = world.model().full_state_between(&before, &after, time);
    assert_eq!(world.shown_at(time).x, cubic.x);
}
