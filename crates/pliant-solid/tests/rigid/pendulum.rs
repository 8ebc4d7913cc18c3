//! A heavy bone on a hinge swings with the pendulum's period.

use pliant_solid::World;
use pliant_solid::integrator::IntegratorKind;
use pliant_solid::rigid::Joint;

use super::support::{Scene, Vec3, run};
use super::{block, corotated, euler, explicit, node};

const SIZE: Vec3 = [0.1, 0.08, 0.5];
const G: f64 = 9.81;

/// A block that hangs from a hinge along y through the middle of its upper end, and is let go from the side.
fn swinging(integrator: IntegratorKind, angle: f64) -> World {
    let (sin, cos) = angle.sin_cos();
    let mesh = block(SIZE, [1, 1, 4]).transformed(|p| {
        let (x, z) = (p[0] - 0.05, p[2] - 0.5);
        [cos * x - sin * z, p[1], sin * x + cos * z]
    });
    let joint = Joint::Hinge { point: [0.0; 3], axis: [0.0, 1.0, 0.0] };
    Scene::new(mesh.unwrap(), corotated(1e5))
        .bone(|_| true, joint, 2000.0)
        .gravity([0.0, 0.0, -G])
        .integrator(integrator)
        .world()
}

/// T = 4 sqrt(J / (m g d)) K(sin(a / 2)), with the complete elliptic integral by arithmetic-geometric means.
fn period(angle: f64) -> f64 {
    let inertia = (SIZE[0] * SIZE[0] + SIZE[2] * SIZE[2]) / 12.0 + 0.25 * SIZE[2] * SIZE[2];
    let (mut a, mut b) = (1.0, (0.5 * angle).cos());
    for _ in 0..30 {
        (a, b) = (0.5 * (a + b), (a * b).sqrt());
    }
    2.0 * std::f64::consts::PI / a * (inertia / (G * 0.5 * SIZE[2])).sqrt()
}

/// The mean of the first periods: times at which the lower end passes below the hinge, by straight lines.
fn measured(world: &mut World, dt: f64, count: usize) -> f64 {
    let mut passes = Vec::new();
    let mut last = node(world, 0)[0] + node(world, 1)[0];
    while passes.len() <= 2 * count {
        run(world, 1);
        let now = node(world, 0)[0] + node(world, 1)[0];
        if last.signum() != now.signum() {
            passes.push(world.state().time - dt * now / (now - last));
        }
        last = now;
    }
    (passes[2 * count] - passes[0]) / count as f64
}

#[test]
fn it_swings_with_the_period_of_the_pendulum() {
    let method = explicit as fn(f64) -> IntegratorKind;
    let swings = [("explicit", method, vec![0.05, 1.0, 2.5]), ("implicit Euler", euler, vec![0.05, 1.0])];
    for (name, method, angles) in swings {
        for angle in angles {
            // implicit Euler takes amplitude, (w dt)^2 / 2 a step, and a wide swing is slower than a narrow one
            let dt = if name == "explicit" || angle < 0.1 { 1e-3 } else { 1e-4 };
            let found = measured(&mut swinging(method(dt), angle), dt, 3);
            let off = found / period(angle) - 1.0;
            assert!(off.abs() < 1e-3, "{name}, {angle} rad: {found} s, {off:.1e} off");
        }
    }
}

#[test]
fn energy_is_kept_explicitly_and_the_hinge_stays() {
    let mut world = swinging(explicit(2e-3), 2.0);
    let energy = |w: &World| w.energy();
    let (start, mut most) = (energy(&world).total(), 0.0_f64);
    let scale = 2000.0 * SIZE[0] * SIZE[1] * SIZE[2] * G * 0.5 * SIZE[2]; // m g d
    for _ in 0..5000 {
        run(&mut world, 1);
        most = most.max((energy(&world).total() - start).abs() / scale);
    }
    assert!(most < 1e-4, "{most:.1e}");
    let hinge: Vec3 = std::array::from_fn(|c| {
        let upper: f64 = (16..20).map(|n| node(&world, n)[c]).sum();
        0.25 * upper
    });
    assert!(hinge[0].abs() < 1e-12 && hinge[2].abs() < 1e-12, "{hinge:?}");
}

/// Steps of implicit Euler may be long, and lose energy: the bone comes to hang below its hinge.
#[test]
fn it_comes_to_hang_straight_down() {
    let mut world = swinging(euler(0.03), 1.2);
    run(&mut world, 2000);
    // only the loss of the method takes its energy: (w dt)^2 a step
    for (n, at) in [(0, -0.05), (1, 0.05)] {
        let place = node(&world, n);
        assert!((place[0] - at).abs() < 1e-6 && (place[2] + 0.5).abs() < 1e-6, "{place:?}");
    }
}
