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
