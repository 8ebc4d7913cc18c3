//! A free rigid block tumbles as Euler's equations say.

use pliant_solid::World;
use pliant_solid::integrator::IntegratorKind;
use pliant_solid::rigid::Joint;

use super::support::{Scene, Vec3, run};
use super::{block, corotated, cross, distance, euler, explicit, momenta, node};

const SIZE: Vec3 = [0.1, 0.2, 0.3];
const SPIN: Vec3 = [2.0, 10.0, 1.0];
const FLIGHT: Vec3 = [0.5, 0.0, 1.0];
const END: f64 = 0.5;

fn tumbling(integrator: IntegratorKind) -> World {
    Scene::new(block(SIZE, [1, 2, 3]), corotated(1e5))
        .bone(|_| true, Joint::Free, 1000.0)
        .velocity(|p| {
            let spun = cross(SPIN, std::array::from_fn(|c| p[c] - 0.5 * SIZE[c]));
            std::array::from_fn(|c| FLIGHT[c] + spun[c])
        })
        .integrator(integrator)
        .world()
}

/// Where the corner at the origin is at the end: Euler's equations in the body's axes and the motion of those axes, by the classical method of
/// Runge and Kutta in 20000 steps, whose error is 1e-14.
fn corner_by_euler() -> Vec3 {
    let moment = |a: f64, b: f64| a * a + b * b; // over m / 12
    let j = [moment(SIZE[1], SIZE[2]), moment(SIZE[0], SIZE[2]), moment(SIZE[0], SIZE[1])];
    // w in the body's axes, and those axes as columns
    let rate = |y: &[f64; 12]| {
        let w = [y[0], y[1], y[2]];
        let mut out = [0.0; 12];
        out[0] = (j[1] - j[2]) * w[1] * w[2] / j[0];
        out[1] = (j[2] - j[0]) * w[2] * w[0] / j[1];
        out[2] = (j[0] - j[1]) * w[0] * w[1] / j[2];
        let axis = |i: usize| [y[3 + 3 * i], y[4 + 3 * i], y[5 + 3 * i]];
        let world: Vec3 = std::array::from_fn(|c| (0..3).map(|i| w[i] * axis(i)[c]).sum());
        for i in 0..3 {
            out[3 + 3 * i..6 + 3 * i].copy_from_slice(&cross(world, axis(i)));
        }
        out
    };
    let mut y = [SPIN[0], SPIN[1], SPIN[2], 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];
    let h = END / 20000.0;
    for _ in 0..20000 {
        let moved = |k: &[f64; 12], s: f64| std::array::from_fn(|i| y[i] + s * h * k[i]);
        let k1 = rate(&y);
        let k2 = rate(&moved(&k1, 0.5));
        let k3 = rate(&moved(&k2, 0.5));
        let k4 = rate(&moved(&k3, 1.0));
        y = std::array::from_fn(|i| y[i] + h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]));
    }
    std::array::from_fn(|c| {
        let turned: f64 = (0..3).map(|i| -0.5 * SIZE[i] * y[3 + 3 * i + c]).sum();
        0.5 * SIZE[c] + END * FLIGHT[c] + turned
    })
}

#[test]
fn it_follows_euler_to_second_order_under_both_methods() {
    let exact = corner_by_euler();
    for (name, method) in [("explicit", explicit as fn(f64) -> IntegratorKind), ("implicit Euler", euler)] {
        let error = |steps: usize| {
            let mut world = tumbling(method(END / steps as f64));
            run(&mut world, steps);
            distance(node(&world, 0), exact)
        };
        let (coarse, fine) = (error(100), error(200));
        let order = (coarse / fine).log2();
        assert!(fine < 2e-3 && (order - 2.0).abs() < 0.1, "{name}: {coarse:.2e} {fine:.2e}, order {order}");
    }
}

#[test]
fn momenta_stay_and_energy_does_not_drift() {
    for (name, method) in [("explicit", explicit as fn(f64) -> IntegratorKind), ("implicit Euler", euler)] {
        let swing = |dt: f64| {
            let mut world = tumbling(method(dt));
            let ([p, l], energy) = (momenta(&world), world.energy().total());
            let mut worst = 0.0_f64;
            for _ in 0..2000 {
                run(&mut world, 1);
                worst = worst.max((world.energy().total() / energy - 1.0).abs());
            }
            let [p1, l1] = momenta(&world);
            // 1e-12 of what is rounded there: |p| = 7 Ns, and 10 m away by then
            assert!(distance(p, p1) < 7e-12 && distance(l, l1) < 7e-11, "{name}: {p1:?} {l1:?}");
            worst
        };
        let (coarse, fine) = (swing(5e-3), swing(2.5e-3));
        // flights of implicit Euler have the energy of Moser and Veselov, which stays; explicit steps tell the mean of their half steps
        let second_order = coarse < 3e-3 && (coarse / fine - 4.0).abs() < 1.0;
        let kept = coarse < 1e-11 && fine < 1e-11;
        let sound = if name == "explicit" { second_order } else { kept };
        assert!(sound, "{name}: {coarse:.2e} {fine:.2e}");
    }
}

#[test]
fn distances_are_kept_for_good() {
    let mut world = tumbling(explicit(5e-3));
    let before = [0, 5, 11, 23].map(|n| node(&world, n));
    run(&mut world, 5000);
    let after = [0, 5, 11, 23].map(|n| node(&world, n));
    for (a, b) in [(0, 1), (0, 3), (1, 2), (2, 3)] {
        let (long, was) = (distance(after[a], after[b]), distance(before[a], before[b]));
        assert!((long - was).abs() < 1e-12, "{long} {was}");
    }
}

/// A turn of two radians in a step cannot be followed: it is refused, and the state is the old one.
#[test]
fn a_spin_that_no_step_follows_is_told() {
    let mut world = tumbling(explicit(0.2));
    let before = world.state().clone();
    let error = world.step(&pliant_solid::integrator::Inputs::default()).unwrap_err();
    assert!(error.to_string().contains("turns too fast"), "{error}");
    assert_eq!(*world.state(), before);
}

/// Thrown sideways in gravity a rigid block neither begins to turn nor leaves its parabola.
#[test]
fn gravity_does_not_turn_it() {
    for (name, method) in [("explicit", explicit as fn(f64) -> IntegratorKind), ("implicit Euler", euler)] {
        let mut world = Scene::new(block(SIZE, [1, 2, 3]), corotated(1e5))
            .bone(|_| true, Joint::Free, 1000.0)
            .velocity(|_| [10.0, 0.0, 2.0])
            .gravity([0.0, 0.0, -9.81])
            .integrator(method(0.01))
            .world();
        run(&mut world, 100);
        // central differences are exact, implicit Euler falls by g dt / 2 more a second
        let fallen = if name == "explicit" { 0.5 * 9.81 } else { 0.5 * 9.81 * 1.01 };
        for n in [0, 23] {
            let at = world.model().layout().bodies()[0].mesh.positions()[n];
            let there = [at[0] + 10.0, at[1], at[2] + 2.0 - fallen];
            assert!(distance(node(&world, n), there) < 1e-9, "{name}: {:?} {there:?}", node(&world, n));
        }
    }
}
