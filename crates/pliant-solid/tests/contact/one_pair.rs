//! [Zhuang 3.19]: after two equal steps a point that met a surface is where it was outside, measured from the surface.

use pliant_numerics::Mat3;
use pliant_solid::contact::{Carrier, Collider, ColliderShape, Pose};
use pliant_solid::{ColliderId, Motion, Network, NetworkLaw, Turn, World};

use super::collider;
use super::support::meshes::mesh;
use super::support::{Scene, run};

/// A particle of 2 kg without gravity, 1 mm before a plane through the origin that it flies at.
fn particle(motion: Motion, dt: f64, gap: f64) -> World {
    let shape = mesh(vec![[0.05, 0.02, gap]], vec![], vec![]);
    let network =
        Network { law: NetworkLaw::Springs, springs: vec![], angles: vec![], mass: vec![2.0], drag: 0.0 };
    let plane = Collider { carrier: Carrier::Script(motion), ..collider(ColliderShape::Plane) };
    Scene::of_network(shape, network).collider(plane).velocity(|_| [0.3, 0.0, -1.0]).dt(dt).world()
}

/// By how much the gap two steps after the one that still was outside differs from the one then.
fn missed(motion: impl Fn() -> Motion, dt: f64) -> f64 {
    // so that the surface is met in the middle of the tenth step
    let mut world = particle(motion(), dt, 9.5 * dt);
    let gap = |world: &World| -> f64 {
        let pose: Pose = world.collider_pose(ColliderId(0)).unwrap();
        let x = &world.state().x;
        pose.own([x[0], x[1], x[2]])[2]
    };
    let mut gaps = vec![gap(&world)];
    for _ in 0..20 {
        run(&mut world, 1);
        gaps.push(gap(&world));
        let count = gaps.len();
        if count >= 3 && gaps[count - 2] < 0.0 {
            return (gaps[count - 1] - gaps[count - 3]).abs();
        }
    }
    panic!("it never met the surface: {gaps:?}");
}

#[test]
fn two_equal_steps_bring_a_point_back() {
    let none = missed(|| Motion::Still, 1e-3);
    assert!(none < 1e-12, "a surface at rest: {none}");
    // a sine of 1e-4 rad/s: uniform to rounding over the run
    let slow = |speed: f64| Motion::Sine {
        amplitude: [0.2 * speed / 1e-4, 0.0, speed / 1e-4],
        omega: 1e-4,
        phase: 0.0,
    };
    let uniform = missed(|| slow(0.4), 1e-3);
    assert!(uniform < 1e-12, "in uniform translation: {uniform}");
}

#[test]
fn surfaces_that_accelerate_or_turn_are_met_to_second_order() {
    let swinging = || Motion::Sine { amplitude: [0.0, 0.0, 0.01], omega: 20.0, phase: 0.3 };
    let turning = || {
        let turn = Turn { axis: [0.0, 1.0, 0.0], angle: 1.0, center: [0.0; 3] };
        Motion::Carry { shift: [0.0, 0.0, 0.0], turn: Some(turn), over: 0.4 }
    };
    for (name, motion) in [("swinging", &swinging as &dyn Fn() -> Motion), ("turning", &turning)] {
        let found = [4e-3, 2e-3, 1e-3].map(|dt| missed(motion, dt));
        let order = (found[1] / found[2]).log2();
        assert!(found[2] > 1e-12 && order > 1.8, "{name}: {found:?}, order {order}");
    }
    let _ = Mat3::<f64>::identity();
}
