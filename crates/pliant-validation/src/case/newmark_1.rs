//! NEWMARK-1: average acceleration swings at its own frequency, keeps the energy of a linear body, and is second order.
//!
//! ```text
//! a clamped bar of n cells h long, moving along its length: u_i = sin(b i), b = (2k - 1) pi / (2n), c^2 = E / rho
//! lumped      omega^2 = 2 (c/h)^2 (1 - cos b)                                                (1)
//! consistent  omega^2 = 6 (c/h)^2 (1 - cos b) / (2 + cos b)                                  (2)
//! q_m = (v0 / omega) sin(m theta),   tan(theta / 2) = omega dt / 2                            (3)
//! ```
//!
//! (1) and (2) are the discrete modes of the bar, free end included; (3) is the trapezoidal rule on one of them, exact for any step.

use std::f64::consts::PI;

use pliant_geometry::{BoxElement, box_mesh};
use pliant_solid::law::LawKind;
use pliant_solid::{MassKind, World};

use crate::CaseError;
use crate::measure::{add, advance, angle_of_a_step, displacement_at, largest_difference, order};
use crate::modes::all_omegas;
use crate::motions::{cantilever_by_newmark, end_of};
use crate::reference::reference_displacements;
use crate::specimen::Specimen;
use crate::verify::{Case, Expected, Origin, Perturbation, Row};

/// The case.
pub const CASE: Case = Case {
    id: "NEWMARK-1",
    title: "average acceleration: its frequency, its energy, its order",
    source: "A5; closed form of the trapezoidal rule; DOP853 at 1e-11 on the same mesh (the last rows)",
    file: "newmark_1.rs",
    flaw: Perturbation::Young(1.0001),
    compare,
};

const CELLS: usize = 10;
const YOUNG: f64 = 1e6;
const DENSITY: f64 = 1000.0;
const MASSES: [(&str, MassKind); 2] = [("lumped", MassKind::Lumped), ("consistent", MassKind::Consistent)];

fn compare(perturbation: Perturbation) -> Result<Vec<Row>, CaseError> {
    let mut rows = Vec::new();
    for (name, mass) in MASSES {
        // the lowest mode in many steps, the highest in steps of three of its periods
        for (mode, phase) in [(1, 0.2), (CELLS, 20.0)] {
            rows.extend(swing(name, mass, (mode, phase), perturbation)?);
        }
        rows.push(kept_energy(name, mass, perturbation)?);
    }
    rows.extend(falling_beam(perturbation)?);
    Ok(rows)
}

/// omega of a mode by (1) or (2), for the sound law.
fn omega(mass: MassKind, mode: usize) -> f64 {
    let cos = bar_angle(mode).cos();
    let rate = YOUNG / DENSITY * (CELLS * CELLS) as f64;
    let square = match mass {
        MassKind::Lumped => 2.0 * rate * (1.0 - cos),
        MassKind::Consistent => 6.0 * rate * (1.0 - cos) / (2.0 + cos),
    };
    square.sqrt()
}

/// b of the header.
fn bar_angle(mode: usize) -> f64 {
    (2 * mode - 1) as f64 * PI / (2 * CELLS) as f64
}

/// One mode of the bar, `phase` = omega dt.
fn swing(
    name: &str,
    mass: MassKind,
    (mode, phase): (usize, f64),
    perturbation: Perturbation,
) -> Result<Vec<Row>, CaseError> {
    const STEPS: usize = 1000;
    let (omega, angle, amplitude) = (omega(mass, mode), bar_angle(mode), 1e-2);
    let dt = phase / omega;
    let mesh = box_mesh([1.0, 0.1, 0.1], [CELLS, 1, 1], BoxElement::Hex)?;
    let mut world = Specimen::new(mesh, perturbation.law(LawKind::Linear, YOUNG, 0.0)?)
        .density(DENSITY)
        .mass(mass)
        .hold(|p| p[0] < 1e-9, [true; 3])
        .hold(|_| true, [false, true, true])
        .velocity(move |p| [amplitude * omega * (angle * CELLS as f64 * p[0]).sin(), 0.0, 0.0])
        .newmark(dt)?;
    // at the free end u = q sin(b n) = +-q
    let sign = (angle * CELLS as f64).sin().signum();
    let mut q = Vec::with_capacity(STEPS);
    for _ in 0..STEPS {
        advance(&mut world, 1)?;
        q.push(sign * displacement_at(world.model().layout(), &world.state().x, [1.0, 0.0, 0.0])[0]);
    }
    let theta = 2.0 * (0.5 * phase).atan();
    let exact = |m: usize| amplitude * ((m + 1) as f64 * theta).sin(); // (3)
    let off = q.iter().enumerate().fold(0.0, |most: f64, (m, q)| most.max((q - exact(m)).abs()));
    let label = format!("{name} mode {mode}, omega dt {phase}");
    let frequency = Expected::relative(theta / dt, 1e-10, Origin::ClosedForm);
    let path = Expected::scaled(0.0, amplitude, 1e-10, Origin::ClosedForm);
    Ok(vec![
        Row::new(format!("{label}: omega"), "rad/s", frequency, angle_of_a_step(&q) / dt),
        Row::new(format!("{label}: path"), "m", path, off),
    ])
}

/// A thrown linear beam, 1000 steps of 100 critical ones: the largest change of its energy.
fn kept_energy(name: &str, mass: MassKind, perturbation: Perturbation) -> Result<Row, CaseError> {
    let beam = || -> Result<Specimen, CaseError> {
        let mesh = box_mesh([0.5, 0.1, 0.1], [5, 1, 1], BoxElement::Hex)?;
        let beam = Specimen::new(mesh, perturbation.law(LawKind::Linear, YOUNG, 0.3)?).mass(mass);
        Ok(beam.hold(|p| p[0] < 1e-9, [true; 3]).velocity(|p| [0.0, 0.0, 2.0 * p[0] * p[0]]))
    };
    let highest = all_omegas(beam()?.model()?.as_ref())?.last().copied().unwrap_or(f64::NAN);
    let mut world: World = beam()?.newmark(100.0 * 2.0 / highest)?;
    let start = world.energy().total();
    let mut drift = 0.0_f64;
    for _ in 0..1000 {
        advance(&mut world, 1)?;
        drift = drift.max((world.energy().total() - start).abs());
    }
    let kept = Expected::scaled(0.0, start, 1e-10, Origin::ClosedForm);
    Ok(Row::new(format!("{name}, 100 critical steps: energy"), "J", kept, drift))
}

/// DYN-CANT-1 by average acceleration: order, and the limit of small steps.
fn falling_beam(perturbation: Perturbation) -> Result<Vec<Row>, CaseError> {
    let reference = reference_displacements("DYN-CANT-1_final")?;
    let run = |steps: usize| end_of(cantilever_by_newmark, steps, perturbation);
    let (coarse, fine) = (run(1000)?.u, run(2000)?.u);
    let limit: Vec<_> = fine.iter().zip(&coarse).map(|(f, c)| add(f.map(|f| 4.0 / 3.0 * f), c.map(|c| -c / 3.0))).collect();
    let error = |u: &[_]| largest_difference(u, &reference);
    // a sudden weight rings in all modes, and the fastest are not yet in the limit
    let two = Expected::absolute(2.0, 0.1, Origin::EighthOrder);
    let same = Expected::scaled(0.0, 2.25e-2, 1e-4, Origin::EighthOrder);
    Ok(vec![
        Row::new("DYN-CANT-1: order, 1000 to 2000 steps", "", two, order(error(&coarse), error(&fine))),
        Row::new("DYN-CANT-1: small steps, 81 nodes", "m", same, error(&limit)),
    ])
}
