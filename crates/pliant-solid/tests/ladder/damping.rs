//! Viscous bodies: decay of a mode, the undamped limit, one matrix in its different factors.

use std::f64::consts::PI;

use pliant_geometry::BoxElement;
use pliant_solid::integrator::{Inputs, stable_step};
use pliant_solid::law::LawKind;
use pliant_solid::{Kit, MassKind, Motion};

use super::{automatic, end_of, ladder};
use crate::support::meshes::block;
use crate::support::{Scene, cross, moduli, node_at, order, peak_difference, run, triple};

/// A bar of length 1 in ten elements along x that moves along x only, thrown in its first mode.
fn rod(mass: MassKind, (alpha, beta): (f64, f64)) -> Scene {
    Scene::new(block([1.0, 0.1, 0.1], [10, 1, 1], BoxElement::Hex), LawKind::Linear(moduli(1e6, 0.0)))
        .hold(|p| p[0] < 1e-9)
        .hold_along(|_| true, [false, true, true], Motion::Still, None)
        .velocity(|p| [(0.5 * PI * p[0]).sin(), 0.0, 0.0])
        .matter(move |m| (m.mass, m.mass_damping, m.stiffness_damping) = (mass, alpha, beta))
}

/// Angular frequency of the first mode of ten linear elements, h = 0.1, k = pi / 2:
/// (E / rho h^2) (2 - 2 cos kh) over (2 + cos kh) / 3, or over 1 with lumped mass.
fn first_omega(mass: MassKind) -> f64 {
    let c = (0.05 * PI).cos();
    let weight = if mass == MassKind::Consistent { (2.0 + c) / 3.0 } else { 1.0 };
    (1e6 / 1000.0 / 0.01 * (2.0 - 2.0 * c) / weight).sqrt()
}

#[test]
fn a_mode_decays_as_it_should() {
    // q'' + (alpha + beta w^2) q' + w^2 q = 0: weak and strong damping, in the matrix of both kinds
    for mass in [MassKind::Lumped, MassKind::Consistent] {
        for (alpha, beta) in [(10.0, 0.0), (0.0, 2e-3), (6.0, 1e-2)] {
            let w = first_omega(mass);
            let xi = (alpha + beta * w * w) / (2.0 * w);
            let wd = w * (1.0 - xi * xi).sqrt();
            let exact = |t: f64| (-xi * w * t).exp() * (wd * t).sin() / wd;
            let error = |dt: f64| {
                let scene = ladder(rod(mass, (alpha, beta)), dt);
                let model = scene.model();
                let tip = 3 * node_at(model.layout(), [1.0, 0.0, 0.0]) as usize;
                (end_of(&scene, 0.1)[tip] - 1.0 - exact(0.1)).abs() / exact(PI / (2.0 * wd))
            };
            let (coarse, fine) = (error(1e-3), error(5e-4));
            println!("{mass:?} xi {xi:.3}: errors {coarse:.2e} {fine:.2e}");
            assert!(fine < 1e-3, "{mass:?} {alpha} {beta}: {coarse} {fine}");
            assert!(order(coarse, fine) > 1.9, "{mass:?} {alpha} {beta}: {coarse} {fine}");
        }
    }
}

/// A hanging block, its highest mode overdamped seven times.
fn viscous_block(law: LawKind) -> Scene {
    Scene::new(block([0.1, 0.1, 0.2], [3, 3, 6], BoxElement::Hex), law)
        .gravity([2.0, 0.0, -9.81])
        .hold(|p| p[2] < 1e-9)
        .matter(|m| m.stiffness_damping = 2e-2)
}

fn limit(scene: &Scene) -> f64 {
    let model = scene.model();
    let state = model.initial_state();
    let mut mode = vec![0.0; state.x.len()];
    stable_step(&model, &state, &mut Kit::new(&model, scene.scheme()), &mut mode, &Inputs::default()).dt
}

#[test]
fn a_viscous_block_runs_at_the_undamped_limit_where_a_late_damper_cannot() {
    let m = moduli(1e5, 0.3);
    for law in [LawKind::Linear(m), LawKind::StVenant(m), LawKind::NeoHookean(m)] {
        let (full, late) = (limit(&ladder(viscous_block(law), 1.0)), limit(&viscous_block(law).auto(0.9)));
        println!("{law:?}: full {full:e} late {late:e}, {:.1} times", full / late);
        assert!(full > 8.0 * late);
        let dt = 0.85 * full;
        let mut world = ladder(viscous_block(law), dt).world();
        let before = world.energy().total();
        run(&mut world, 1000);
        // it came to rest; what gravity gave is stored or dissipated
        let energy = world.energy();
        assert!(energy.kinetic < 1e-6 * energy.dissipated, "{energy:?}");
        assert!((energy.total() - before).abs() < 0.05 * energy.dissipated, "{energy:?}");
        let mut late = viscous_block(law).dt(dt).world();
        let failed = (0..1000).any(|_| late.step(&Inputs::default()).is_err());
        assert!(failed, "{law:?}: the late damper should have diverged");
    }
}

#[test]
fn a_turning_viscous_body_takes_its_damping_along() {
    // 20 rad/s about z for five turns, damping far beyond critical for the highest mode
    let spin = |p: [f64; 3]| cross([0.0, 0.0, 20.0], [p[0] - 0.05, p[1] - 0.05, 0.0]);
    let scene = Scene::new(block([0.1; 3], [2; 3], BoxElement::Hex), LawKind::NeoHookean(moduli(1e5, 0.3)))
        .matter(|m| (m.mass, m.stiffness_damping) = (MassKind::Consistent, 5e-3))
        .velocity(spin);
    let mut world = automatic(scene, 0.96).world();
    let momentum = |world: &pliant_solid::World| {
        let (model, s) = (world.model(), world.state());
        let mut product = vec![0.0; s.v.len()];
        model.mass_times(&s.v, &mut product);
        let about_z = |n: u32| cross(triple(&s.x, n), triple(&product, n))[2];
        (0..model.layout().free_count() as u32).map(about_z).sum::<f64>()
    };
    let (start, mut references) = (momentum(&world), 0);
    let mut key = world.state().solver.ladder.reference_key;
    while world.state().time < 1.6 {
        run(&mut world, 1);
        let now = world.state().solver.ladder.reference_key;
        references += usize::from(now != key);
        key = now;
    }
    let kept = momentum(&world) / start;
    println!("{} steps, {references} references, momentum {kept}", world.state().step);
    assert!((kept - 1.0).abs() < 0.02, "{kept}");
    assert!(references > 120, "{references}: five turns of 6.28 rad, a quarter at most for each");
}

#[test]
fn one_matrix_gives_the_same_motion_in_all_its_factors() {
    let law = LawKind::StVenant(moduli(1e5, 0.3));
    let scene = |second: f64, beta: f64| {
        let two = Scene::new(block([0.1; 3], [2; 3], BoxElement::Hex), law)
            .matter(|m| (m.mass, m.mass_damping) = (MassKind::Consistent, 8.0))
            .body("second", block([0.1; 3], [3; 3], BoxElement::Tet6), law)
            .matter(move |m| {
                (m.mass, m.mass_damping, m.stiffness_damping) = (MassKind::Consistent, second, beta);
            })
            .hold_along(|p| p[0] < 1e-9, [true, true, false], Motion::Still, None)
            .velocity(|p| [p[1], 0.0, 3.0 * p[0]]);
        end_of(&ladder(two, 1e-4), 0.02)
    };
    // one alpha: the factor of M; two alphas in all but the last digit: scalar rungs; a trace of viscosity: full rungs
    let alike = scene(8.0, 0.0);
    let by_mass = scene(8.0 * (1.0 + 1e-15), 0.0);
    let full = scene(8.0, 1e-25);
    assert!(peak_difference(&alike, &by_mass) < 1e-13 && peak_difference(&alike, &full) < 1e-13);
    // and a matrix that is another one does not
    assert!(peak_difference(&alike, &scene(16.0, 0.0)) > 1e-5);
}
