//! OSC-1: one mode of one element is an oscillator whose discrete motion is known exactly.
//!
//! A unit cube, `linear`, nu = 0, stretched along x by q: each of its 8 nodes weighs rho/8, moves by
//! q/2 and is pulled back by E q / 4, so q'' = - (4 E / rho) q.

use pliant_geometry::BoxElement;
use pliant_solid::World;
use pliant_solid::integrator::Inputs;
use pliant_solid::law::LawKind;

use super::support::meshes::block;
use super::support::{Scene, moduli, node_at, run};

const OMEGA: f64 = 10.0;
const SPEED: f64 = 1e-3;

/// E = 25 Pa, rho = 1 kg/m^3: omega = 10 rad/s; starts at q = 0 with q' = SPEED.
fn oscillator(dt: f64, mass_damping: f64) -> World {
    Scene::new(block([1.0; 3], [1; 3], BoxElement::Hex), LawKind::Linear(moduli(0.25 * OMEGA * OMEGA, 0.0)))
        .matter(|m| (m.density, m.mass_damping) = (1.0, mass_damping))
        .velocity(|p| [SPEED * (p[0] - 0.5), 0.0, 0.0])
        .dt(dt)
        .world()
}

fn stretch(world: &World) -> f64 {
    let layout = world.model().layout();
    let x = |place| world.state().x[3 * node_at(layout, place) as usize];
    x([1.0, 0.0, 0.0]) - x([0.0, 0.0, 0.0]) - 1.0
}

#[test]
fn an_oscillator_swings_at_the_discrete_frequency() {
    // omega_h = (2/h) asin(omega h / 2) = 10.016742116 for omega = 10, h = 0.02; from x0 = 0 the
    // first step gives h v0, so x_n = h v0 sin(n omega_h h) / sin(omega_h h)
    let h = 0.02;
    let omega_h = 2.0 / h * (0.5 * OMEGA * h).asin();
    assert!((omega_h - 10.016742116).abs() < 1e-9);
    let mut world = oscillator(h, 0.0);
    for n in 1..=2000 {
        run(&mut world, 1);
        let exact = h * SPEED * (f64::from(n) * omega_h * h).sin() / (omega_h * h).sin();
        // 1e-10 of the amplitude
        assert!((stretch(&world) - exact).abs() < 1e-10 * SPEED / OMEGA, "step {n}");
    }
}

#[test]
fn an_oscillator_is_bounded_below_the_limit_and_explodes_above_it() {
    // amplitude below the limit: h v0 / sin(theta), with cos(theta) = 1 - (omega h)^2 / 2
    let h = 1.99 / OMEGA;
    let bound = h * SPEED / (2.0 * (0.5_f64 * 1.99).asin()).sin();
    let mut world = oscillator(h, 0.0);
    for _ in 0..20_000 {
        run(&mut world, 1);
        assert!(stretch(&world).abs() < bound * (1.0 + 1e-6));
    }
    // above it every step multiplies by -exp(0.2): cosh(0.2) = |1 - 2.01^2 / 2|; a refusal, not a number
    let mut world = oscillator(2.01 / OMEGA, 0.0);
    let error = (0..400).find_map(|_| world.step(&Inputs::default()).err()).unwrap();
    assert_eq!(error.body_name, "first");
    let stable = error.stable_dt.unwrap();
    assert!((stable - 0.2).abs() < 1e-3 && stable <= 0.2 * (1.0 + 1e-14), "the way out: {stable} s");
}

#[test]
fn mass_damping_decays_at_half_its_rate_with_second_order() {
    // q = (v0/w) exp(-d t / 2) sin(w t), w = sqrt(omega^2 - d^2/4); d = 2 1/s, to t = 1 s
    let (d, end) = (2.0_f64, 1.0_f64);
    let w = (OMEGA * OMEGA - 0.25 * d * d).sqrt();
    let exact = SPEED / w * (-0.5 * d * end).exp() * (w * end).sin();
    let error = |steps: usize| {
        let mut world = oscillator(end / steps as f64, d);
        run(&mut world, steps);
        (stretch(&world) - exact).abs()
    };
    let (coarse, fine) = (error(200), error(400));
    assert!((super::support::order(coarse, fine) - 2.0).abs() < 0.02, "{coarse:e} {fine:e}");
}

#[test]
fn mass_damping_is_stable_at_any_strength() {
    // D is met halfway between the half steps: without stiffness each step multiplies the velocity by
    // (1 - d h/2) / (1 + d h/2), which is -1/3 for d h = 4 and never beyond -1
    let h = 0.15;
    let velocities = |d: f64| {
        let mut world = oscillator(h, d);
        let speed = |world: &mut World| {
            let before = stretch(world);
            run(world, 1);
            (stretch(world) - before).abs() / h
        };
        (0..200).map(|_| speed(&mut world)).collect::<Vec<f64>>()
    };
    // 100 steps of 1/3 leave rounding; what remains is the creep back to rest at the rate omega^2 / d
    let strong = velocities(4.0 / h);
    assert!(strong[100..].iter().all(|v| *v < 1e-3 * SPEED), "{:e}", strong[100]);
    let absurd = velocities(1e4 / h);
    let largest = |v: &[f64]| v.iter().fold(0.0, |most: f64, v| most.max(*v));
    assert!(largest(&absurd[100..]) <= largest(&absurd[..100]), "never grows");
}
