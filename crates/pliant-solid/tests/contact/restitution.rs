//! Nodes bounce from colliders as high as restitution allows, and accounts know what was lost.

use pliant_geometry::BoxElement;
use pliant_solid::contact::{Carrier, Collider, ColliderShape};
use pliant_solid::integrator::Inputs;
use pliant_solid::law::LawKind;
use pliant_solid::rigid::Joint;
use pliant_solid::{Motion, Network, NetworkLaw, World};

use super::collider;
use super::support::meshes::{block, mesh};
use super::support::{Scene, moduli, run_until};

const G: f64 = 9.81;

fn floor(restitution: f64) -> Collider {
    Collider { restitution: Some(restitution), ..collider(ColliderShape::Plane) }
}

/// A particle of 2 kg at 1 m.
fn particle() -> Scene {
    let shape = mesh(vec![[0.0, 0.0, 1.0]], vec![], vec![]);
    let network =
        Network { law: NetworkLaw::Springs, springs: vec![], angles: vec![], mass: vec![2.0], drag: 0.0 };
    Scene::of_network(shape, network).gravity([0.0, 0.0, -G])
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
        let mut world = particle().collider(floor(restitution)).dt(1e-3).world();
        for (n, top) in tops(&mut world, 4).into_iter().enumerate() {
            let exact = (restitution * restitution).powi(n as i32 + 1);
            // a top is seen at a step: it may be missed by g dt^2 / 8
            assert!((top - exact).abs() < 2e-6, "e = {restitution}, bounce {n}: {top} {exact}");
        }
        let (energy, accounts) = (world.energy(), world.state().accounts);
        let lost = 2.0 * G * (1.0 - restitution.powi(8));
        assert!(
            (accounts.restitution - lost).abs() < 1e-4 && (energy.contact - lost).abs() < 1e-4,
            "{energy:?}"
        );
        assert!(energy.total().abs() < 1e-4, "{energy:?}");
    }
}

#[test]
fn what_has_lost_its_bounce_rests_on_the_floor() {
    let mut world = particle().collider(floor(0.2)).dt(1e-3).world();
    run_until(&mut world, 3.0);
    let (height, energy) = (world.state().x[2], world.energy());
    assert!(height.abs() < 1e-4, "{height}");
    assert!((energy.contact - 2.0 * G).abs() < 0.02 * G, "{energy:?}");
    let carried: f64 = world.contacts().map(|contact| contact.normal_force).sum();
    assert!((carried / (2.0 * G) - 1.0).abs() < 1e-3, "{carried}");
}

#[test]
fn a_plate_that_rises_throws_a_particle_up() {
    // in the frame of the plate it comes with 1 + 3 m/s and leaves with that: 2 * 3 + 1 m/s in the world
    let rising = Motion::Sine { amplitude: [0.0, 0.0, 3e4], omega: 1e-4, phase: 0.0 };
    let plate = Collider { carrier: Carrier::Script(rising), ..floor(1.0) };
    let shape = mesh(vec![[0.0, 0.0, 1.0]], vec![], vec![]);
    let network =
        Network { law: NetworkLaw::Springs, springs: vec![], angles: vec![], mass: vec![2.0], drag: 0.0 };
    let scene = Scene::of_network(shape, network).collider(plate).velocity(|_| [0.0, 0.0, -1.0]).dt(1e-3);
    let mut world = scene.world();
    run_until(&mut world, 0.4);
    assert!((world.state().v[2] - 7.0).abs() < 1e-8, "{}", world.state().v[2]);
    let pushed = world.state().accounts.pushed;
    // 2 kg from 1 to 7 m/s
    assert!((pushed - 48.0).abs() < 1e-6 && (world.energy().total() - 1.0).abs() < 1e-6, "{pushed}");
}

#[test]
fn elements_bounce_too_and_keep_their_energy() {
    let wall = Collider { origin: [0.0, 0.0, -0.05], ..floor(1.0) };
    // 1 kg falls by 5 cm: 0.49 J
    let drift = |dt: f64| {
        let cube = block([0.1; 3], [2, 2, 2], BoxElement::Tet5);
        let law = LawKind::Corotated(moduli(1e5, 0.3));
        let mut world = Scene::new(cube, law).gravity([0.0, 0.0, -G]).collider(wall.clone()).dt(dt).world();
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
fn a_rigid_block_bounces_by_its_restitution() {
    // flat on its face: 5 cm fall, comes back to e^2 of it, within the way of a step
    for restitution in [1.0, 0.5] {
        let cube = block([0.1; 3], [1, 1, 1], BoxElement::Hex);
        let floor = Collider { origin: [0.0, 0.0, -0.05], ..floor(restitution) };
        let mut world = Scene::new(cube, LawKind::Corotated(moduli(1e5, 0.3)))
            .bone(|_| true, Joint::Free, 1000.0)
            .gravity([0.0, 0.0, -G])
            .collider(floor)
            .dt(1e-4)
            .world();
        let top = tops_of_mean(&mut world);
        let exact = 0.05 * restitution * restitution;
        assert!((top - exact).abs() < 2e-3 * 0.05, "e = {restitution}: {top} {exact}");
    }
}

/// How high above the floor the mean of a body rises after its first bounce, from where it met it.
fn tops_of_mean(world: &mut World) -> f64 {
    let mean = |world: &World| {
        let x = &world.state().x;
        x.chunks_exact(3).map(|x| x[2]).sum::<f64>() / (x.len() / 3) as f64
    };
    let (mut met, mut best) = (false, f64::NEG_INFINITY);
    while world.state().time < 0.3 {
        world.step(&Inputs::default()).unwrap();
        met |= !world.state().contacts.touches().is_empty();
        if met {
            best = best.max(mean(world));
        }
    }
    best
}
