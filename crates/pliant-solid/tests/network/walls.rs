//! Nodes bounce from walls as high as restitution allows, and accounts know what was lost.

use pliant_geometry::BoxElement;
use pliant_solid::integrator::{Inputs, StepChoice};
use pliant_solid::law::LawKind;
use pliant_solid::{Motion, Network, NetworkLaw, Wall, World};

use super::support::meshes::{block, mesh};
use super::support::{Scene, moduli, run, run_until};
use super::{cloth, implicit, scene};

const G: f64 = 9.81;

fn floor(restitution: f64) -> Wall {
    Wall { point: [0.0; 3], normal: [0.0, 0.0, 1.0], restitution }
}

/// A particle of 2 kg at 1 m.
fn particle() -> Scene {
    let shape = mesh(vec![[0.0, 0.0, 1.0]], vec![], vec![]);
    let network =
        Network { law: NetworkLaw::Springs, springs: vec![], angles: vec![], mass: vec![2.0], drag: 0.0 };
    scene(&shape, &network).gravity([0.0, 0.0, -G])
}

/// The heights of the first tops after a fall.
fn tops(world: &mut World, count: usize) -> Vec<f64> {
    let mut found = Vec::new();
    let mut before = (f64::INFINITY, f64::INFINITY);
    while found.len() < count {
        world.step(&Inputs::default()).unwrap();
        let now = world.state().x[2];
        if before.1 > before.0 && before.1 > now && before.0.is_finite() {
            found.push(before.1);
        }
        before = (before.1, now);
    }
    found
}

#[test]
fn heights_fall_by_the_square_of_the_restitution() {
    for restitution in [1.0, 0.8, 0.5] {
        let mut world = particle().wall(floor(restitution)).dt(1e-3).world();
        for (n, top) in tops(&mut world, 4).into_iter().enumerate() {
            let exact = (restitution * restitution).powi(n as i32 + 1);
            // a top is seen at a step: it may be missed by g dt^2 / 8
            assert!((top - exact).abs() < 2e-6, "e = {restitution}, bounce {n}: {top} {exact}");
        }
        let energy = world.energy();
        let kept = restitution.powi(8) * 2.0 * G;
        assert!((energy.dissipated - (2.0 * G - kept)).abs() < 1e-4, "{energy:?}");
        assert!(energy.total().abs() < 1e-4, "{energy:?}");
    }
}

#[test]
fn what_has_lost_its_bounce_rests_on_the_wall() {
    for kind in ["explicit", "implicit"] {
        let scene = particle().wall(floor(0.2));
        let scene = match kind {
            "explicit" => scene.dt(1e-3),
            _ => scene.integrator(implicit(StepChoice::Fixed(1e-3))),
        };
        let mut world = scene.world();
        run_until(&mut world, 3.0);
        let (height, energy) = (world.state().x[2], world.energy());
        assert!(height.abs() < 1e-4, "{kind}: {height}");
        assert!((energy.dissipated - 2.0 * G).abs() < 0.02 * G, "{kind}: {energy:?}");
    }
}

#[test]
fn elements_bounce_too_and_keep_their_energy() {
    let wall = Wall { point: [0.0, 0.0, -0.05], ..floor(1.0) };
    // 1 kg falls by 5 cm: 0.49 J
    let drift = |dt: f64| {
        let cube = block([0.1; 3], [2, 2, 2], BoxElement::Tet5);
        let law = LawKind::Corotated(moduli(1e5, 0.3));
        let mut world = Scene::new(cube, law).gravity([0.0, 0.0, -G]).wall(wall).dt(dt).world();
        let before = world.energy().total();
        run_until(&mut world, 0.25);
        let lowest = world.state().x.chunks_exact(3).map(|x| x[2]).fold(f64::INFINITY, f64::min);
        assert!(lowest >= -0.05 - 1e-12, "{lowest}");
        (world.energy().total() - before) / (G * 0.05)
    };
    let drifts = [2e-4, 1e-4, 5e-5, 2.5e-5].map(drift);
    assert!(drifts[3].abs() < 0.02, "{drifts:?}");
}

#[test]
fn nodes_that_are_led_pass_through_a_wall() {
    let (shape, network) = cloth([0.2, 0.2], [2, 2]);
    let down = Motion::Carry { shift: [0.0, 0.0, -0.2], turn: None, over: 0.5 };
    let wall = Wall { point: [0.0, 0.0, -0.1], ..floor(1.0) };
    let mut world = scene(&shape, &network).carry(|_| true, down).wall(wall).dt(1e-3).world();
    run_until(&mut world, 0.5);
    assert!(world.state().x.chunks_exact(3).all(|x| (x[2] + 0.2).abs() < 1e-9));
    assert_eq!(world.energy().dissipated, 0.0);
}

#[test]
fn a_cloth_comes_to_lie_on_a_wall() {
    let (shape, network) = cloth([0.2, 0.2], [6, 6]);
    let wall = Wall { point: [0.0, 0.0, -0.05], ..floor(0.0) };
    let mut world = scene(&shape, &network)
        .gravity([0.0, 0.0, -G])
        .wall(wall)
        .integrator(implicit(StepChoice::Fixed(2e-3)))
        .world();
    run(&mut world, 400);
    assert!(world.state().x.chunks_exact(3).all(|x| (x[2] + 0.05).abs() < 1e-3));
}

#[test]
fn methods_without_velocities_of_their_own_refuse_walls() {
    let model = particle().wall(floor(1.0)).newmark(1e-3);
    let refusal = model.try_world().err().unwrap().to_string();
    assert!(refusal.contains("walls in `newmark`") && refusal.contains("explicit"), "{refusal}");
}
