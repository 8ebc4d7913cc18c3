//! What holds the nodes of fixes: forces and moments that balance what acts.

use pliant_geometry::BoxElement;
use pliant_solid::law::LawKind;
use pliant_solid::{Motion, Reaction, Turn, World};

use crate::support::meshes::block;
use crate::support::{Scene, laws, moduli, run_until};

fn at_rest(scene: Scene) -> (World, Vec<Reaction>) {
    let mut world = scene.statics().world();
    let (_, error) = run_until(&mut world, 1.0);
    assert_eq!(error, None);
    let reactions = world.model().reactions(world.state()).collect();
    (world, reactions)
}

fn length(v: [f64; 3]) -> f64 {
    v.iter().map(|c| c * c).sum::<f64>().sqrt()
}

#[test]
fn the_ends_of_a_turned_shaft_hold_each_other() {
    // off the axis of the world, so that arms count
    let turn = Turn { axis: [0.0, 0.0, 1.0], angle: 0.02, center: [0.1, 0.1, 0.0] };
    for (name, law) in laws(1e6, 0.3) {
        let shaft = Scene::new(block([0.2, 0.2, 1.0], [2, 2, 6], BoxElement::Hex), law)
            .hold(|p| p[2] < 1e-9)
            .carry(|p| p[2] > 1.0 - 1e-9, Motion::Carry { shift: [0.0; 3], turn: Some(turn), over: 1.0 });
        let (_, ends) = at_rest(shaft);
        let left = std::array::from_fn(|c| ends[0].moment[c] + ends[1].moment[c]);
        // G J theta / L with J = 0.1406 a^4 is 1.73 N m; six plain elements are stiffer, by less than half
        assert!((1.73..2.6).contains(&ends[1].moment[2]), "{name}: {ends:?}");
        assert!(length(left) < 1e-8 * length(ends[1].moment), "{name}: {left:?} is left of {ends:?}");
    }
}

#[test]
fn a_linear_cantilever_is_held_by_its_weight_times_its_arm_at_rest() {
    // soft enough to sag by more than its height: 40 kg at x = 0.5 m, and no law of small strain knows that the arm moved
    let law = LawKind::Linear(moduli(2e4, 0.3));
    let beam = Scene::new(block([1.0, 0.2, 0.2], [10, 2, 2], BoxElement::Hex), law)
        .gravity([0.0, 0.0, -9.81])
        .hold(|p| p[0] < 1e-9);
    let (world, held) = at_rest(beam);
    let sag = world.state().x.iter().skip(2).step_by(3).fold(0.0, |low: f64, z| low.min(*z));
    assert!(sag < -0.2, "{sag}");
    let weight = 40.0 * 9.81;
    assert!((held[0].force[2] - weight).abs() < 1e-7 * weight, "{held:?}");
    // r x (0, 0, -w) at r = (0.5, 0.1, 0.1) is (-0.1 w, 0.5 w, 0); the fix gives the opposite
    for (found, expected) in held[0].moment.into_iter().zip([0.1 * weight, -0.5 * weight, 0.0]) {
        assert!((found - expected).abs() < 1e-7 * weight, "{held:?}");
    }
}
