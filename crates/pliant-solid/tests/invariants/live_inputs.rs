//! Hands and pins while it runs, scripted release, and floats against doubles.

use pliant_geometry::BoxElement;
use pliant_solid::World;
use pliant_solid::assembly::Precision;
use pliant_solid::integrator::Inputs;
use pliant_solid::law::LawKind;
use pliant_solid::term::{Grab, GrabPath};

use super::support::meshes::block;
use super::support::{Scene, moduli, node_at, peak, peak_difference, run, triple};
use super::tower;

fn hand(world: &World, place: [f64; 3], stiffness: f64) -> Grab {
    Grab {
        point: [(node_at(world.model().layout(), place), 1.0)].into(),
        path: GrabPath::held_at(place),
        stiffness,
        damping: 0.0,
        max_force: f64::INFINITY,
    }
}

#[test]
fn a_pinned_node_stays_where_it_was() {
    let mut world = tower().gravity([5.0, 0.0, 0.0]).dt(1e-3).world();
    run(&mut world, 20);
    let node = node_at(world.model().layout(), [0.1, 0.1, 0.3]);
    let place = triple(&world.state().x, node);
    let pins = [node];
    for _ in 0..50 {
        world.step(&Inputs { pins: &pins, ..Inputs::default() }).unwrap();
        assert_eq!(triple(&world.state().x, node), place);
        assert_eq!(triple(&world.state().v, node), [0.0; 3]);
    }
    run(&mut world, 20);
    assert!(triple(&world.state().x, node) != place, "and moves again once it is let go");
}

#[test]
fn what_a_pin_takes_is_accounted_as_lost() {
    // a pin stops a node at once, like a plastic impact: its kinetic energy leaves the motion
    let mut world = tower().gravity([5.0, 0.0, 0.0]).dt(1e-3).world();
    run(&mut world, 40);
    let node = node_at(world.model().layout(), [0.1, 0.1, 0.3]);
    let (before, v) = (world.energy(), triple(&world.state().v, node));
    let kinetic = 0.5 * world.model().mass()[node as usize] * v.iter().map(|v| v * v).sum::<f64>();
    assert!(kinetic > 1e-4 && before.dissipated == 0.0, "{kinetic}");
    for _ in 0..50 {
        world.step(&Inputs { pins: &[node], ..Inputs::default() }).unwrap();
    }
    let after = world.energy();
    assert!((after.dissipated - kinetic).abs() < 1e-2 * kinetic, "{after:?} {kinetic}");
    assert!((after.total() - before.total()).abs() < 5e-2 * kinetic, "{before:?} {after:?}");
}

#[test]
fn a_hand_that_does_not_move_brings_the_body_to_it() {
    // overdamped tower: the spring's node settles where the spring balances the tower
    let mut world = tower().matter(|m| m.mass_damping = 60.0).dt(1e-3).world();
    let place = [0.1, 0.1, 0.3];
    let mut grab = hand(&world, place, 1e4);
    grab.path = GrabPath::held_at([0.11, 0.1, 0.3]);
    for _ in 0..4000 {
        world.step(&Inputs { grabs: std::slice::from_ref(&grab), ..Inputs::default() }).unwrap();
    }
    let node = node_at(world.model().layout(), place);
    let x = triple(&world.state().x, node);
    // 1e4 N/m against a tower that is far softer: within a few per cent of the target
    assert!((x[0] - 0.11).abs() < 5e-4, "{x:?}");
    assert!(peak(&world.state().v) < 1e-6);
}

#[test]
fn a_hand_pulls_no_harder_than_it_may() {
    let world = tower().dt(1e-3).world();
    let grab = Grab {
        max_force: 2.0,
        path: GrabPath::held_at([9.0, 0.1, 0.3]),
        ..hand(&world, [0.1, 0.1, 0.3], 1e4)
    };
    let state = world.state();
    let force = grab.force(&super::support::at(0.0, &state.x, &state.v));
    assert!((force[0] - 2.0).abs() < 1e-12 && force[1].abs() < 1e-12, "{force:?}");
}

#[test]
fn floats_follow_doubles() {
    // a spinning, ringing block: 0.5 s of DYN-SPIN-1's size in both precisions
    let scene = || {
        Scene::new(block([0.1, 0.2, 0.3], [2, 4, 6], BoxElement::Hex), LawKind::StVenant(moduli(1e5, 0.3)))
            .velocity(|[x, y, z]| {
                [
                    0.5 + 10.0 * (z - 0.15) - (y - 0.1),
                    x - 0.05 - 2.0 * (z - 0.15),
                    1.0 + 2.0 * (y - 0.1) - 10.0 * (x - 0.05),
                ]
            })
            .dt(0.5 / 304.0)
    };
    let ends = [Precision::Double, Precision::Single].map(|precision| {
        let mut world = scene().precision(precision).world();
        run(&mut world, 304);
        world.state().x.clone()
    });
    let error = peak_difference(&ends[0], &ends[1]);
    println!("f32 blocks differ from f64 by {error:.2e} m after 0.5 s on a body of 0.37 m");
    // forces are off by 1e-7 of E h^2, which shakes the body by 1e-7 of its size many times over
    assert!(error > 0.0 && error < 1e-6, "{error:e}");
}
