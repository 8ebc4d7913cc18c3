//! Held nodes that are carried along: a body that flies with them is neither strained nor slowed.

use pliant_solid::integrator::{EulerSolve, LinearSolver};
use pliant_solid::law::LawKind;
use pliant_solid::{MassKind, Motion};

use super::support::{moduli, run};
use super::{bar, euler};

/// m/s along x.
const SPEED: f64 = 2.0;

/// As good as a constant velocity: its cosine falls by 5e-10 within the run.
fn flight() -> Motion {
    let omega = 1e-4;
    Motion::Sine { amplitude: [SPEED / omega, 0.0, 0.0], omega, phase: 0.0 }
}

#[test]
fn a_body_that_flies_with_its_clamp_stays_as_it_is() {
    for mass in [MassKind::Lumped, MassKind::Consistent] {
        for damping in [0.0, 0.01] {
            for solver in [LinearSolver::Direct, LinearSolver::Gradients] {
                let mut method = euler(0.01);
                method.solver = Some(solver);
                method.solve = EulerSolve::Linearised { tolerance: 1e-12 };
                let mut world = bar(LawKind::Corotated(moduli(1e6, 0.33)), method)
                    .matter(|m| (m.mass, m.stiffness_damping) = (mass, damping))
                    .carry(|p| p[2] < 1e-9, flight())
                    .velocity(|_| [SPEED, 0.0, 0.0])
                    .world();
                run(&mut world, 30);
                let (state, rest) = (world.state(), world.model().layout().rest());
                let way = SPEED * state.time;
                let strayed =
                    |(i, x): (usize, &f64)| (x - rest[i] - if i % 3 == 0 { way } else { 0.0 }).abs();
                let most = state.x.iter().enumerate().map(strayed).fold(0.0, f64::max);
                assert!(most < 1e-8, "{mass:?}, damping {damping}, {solver:?}: {most:.1e} m");
            }
        }
    }
}

#[test]
fn full_mass_hands_the_acceleration_of_a_clamp_on() {
    // what is linear is solved at once: Newton's method finds the same, and a clamp at rest that is shaken moves the rest of the bar
    let shaken = |solve| {
        let mut method = euler(1e-3);
        (method.solver, method.solve) = (Some(LinearSolver::Direct), solve);
        let shake = Motion::Sine { amplitude: [1e-3, 0.0, 5e-4], omega: 250.0, phase: 0.0 };
        let mut world = bar(LawKind::Linear(moduli(1e6, 0.3)), method)
            .matter(|m| m.mass = MassKind::Consistent)
            .carry(|p| p[2] < 1e-9, shake)
            .world();
        run(&mut world, 60);
        world.state().x.clone()
    };
    let once = shaken(EulerSolve::Linearised { tolerance: 1e-12 });
    let newton = shaken(EulerSolve::Newton { tolerance: 1e-12 });
    let apart = once.iter().zip(&newton).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(apart < 1e-9, "{apart:.1e} m of a shake of 1 mm");
}
