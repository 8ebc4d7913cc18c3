//! OSC-1: one mode of one element is an oscillator whose discrete motion is known exactly.
//!
//! ```text
//! a unit cube, linear, nu = 0, stretched along x by q: q'' = - (4 E / rho) q
//! explicit steps h: cos(theta) = 1 - (omega h)^2 / 2,  omega_h = theta / h                   (1)
//! from q0 = 0:  q_n = h v0 sin(n theta) / sin(theta)                                         (2)
//! average acceleration: omega_h = (2 / h) atan(omega h / 2)                                  (3)
//! beyond omega h = 2 each explicit step multiplies by - exp(acosh((omega h)^2 / 2 - 1))      (4)
//! ```

use pliant_geometry::{BoxElement, box_mesh};
use pliant_solid::World;
use pliant_solid::law::LawKind;

use crate::CaseError;
use crate::measure::{advance, angle_of_a_step, displacement_at};
use crate::specimen::Specimen;
use crate::verify::{Case, Expected, Origin, Perturbation, Row};

/// The case.
pub const CASE: Case = Case {
    id: "OSC-1",
    title: "an oscillator swings at the discrete frequency of the scheme",
    source: "A5; closed form of central differences and of average acceleration",
    file: "osc_1.rs",
    flaw: Perturbation::Young(1.0001),
    compare,
};

const OMEGA: f64 = 10.0;
const SPEED: f64 = 1e-3;

/// E = 25 Pa, rho = 1 kg/m^3: omega = 10 rad/s; starts at q = 0 with q' = SPEED.
fn cube(perturbation: Perturbation) -> Result<Specimen, CaseError> {
    let law = perturbation.law(LawKind::Linear, 0.25 * OMEGA * OMEGA, 0.0)?;
    let cube = Specimen::new(box_mesh([1.0; 3], [1; 3], BoxElement::Hex)?, law).density(1.0);
    Ok(cube.velocity(|p| [SPEED * (p[0] - 0.5), 0.0, 0.0]))
}

fn oscillator(dt: f64, perturbation: Perturbation) -> Result<World, CaseError> {
    cube(perturbation)?.world(dt)
}

fn stretch(world: &World) -> f64 {
    let u = |x: f64| displacement_at(world.model().layout(), &world.state().x, [x, 0.0, 0.0])[0];
    u(1.0) - u(0.0)
}

/// q after each of so many steps.
fn path(world: &mut World, steps: usize) -> Result<Vec<f64>, CaseError> {
    let mut out = Vec::with_capacity(steps);
    for _ in 0..steps {
        advance(world, 1)?;
        out.push(stretch(world));
    }
    Ok(out)
}

fn compare(perturbation: Perturbation) -> Result<Vec<Row>, CaseError> {
    let h = 0.02;
    // (1); the suite prints theta / h = 10.016742116
    let theta = 2.0 * (0.5 * OMEGA * h).asin();
    let q = path(&mut oscillator(h, perturbation)?, 2000)?;
    let exact = |n: usize| h * SPEED * ((n + 1) as f64 * theta).sin() / theta.sin(); // (2)
    let off = q.iter().enumerate().fold(0.0, |most: f64, (n, q)| most.max((q - exact(n)).abs()));
    let swung = path(&mut cube(perturbation)?.newmark(h)?, 2000)?;
    // (3); the suite prints 9.966865249
    let slower = 2.0 / h * (0.5 * OMEGA * h).atan();
    let closed = |value: f64, band: f64| Expected::relative(value, band, Origin::ClosedForm);
    let mut rows = vec![
        Row::new("omega_h at h = 0.02 s", "rad/s", closed(theta / h, 1e-10), angle_of_a_step(&q) / h),
        Row::new(
            "path over 2000 steps, worst error",
            "m",
            Expected::scaled(0.0, SPEED / OMEGA, 1e-10, Origin::ClosedForm),
            off,
        ),
        Row::new(
            "average acceleration: omega_h at 0.02 s",
            "rad/s",
            closed(slower, 1e-10),
            angle_of_a_step(&swung) / h,
        ),
    ];
    rows.extend(limit_rows(perturbation)?);
    Ok(rows)
}

/// Bounded just below the limit, growing at the known rate just above it.
fn limit_rows(perturbation: Perturbation) -> Result<Vec<Row>, CaseError> {
    let below = 1.99;
    let bound = below / OMEGA * SPEED / (2.0 * (0.5_f64 * below).asin()).sin();
    let q = path(&mut oscillator(below / OMEGA, perturbation)?, 20_000)?;
    let largest = q.iter().fold(0.0, |most: f64, q| most.max(q.abs()));
    let above: f64 = 2.01;
    let growth = (0.5 * above * above - 1.0).acosh().exp(); // (4)
    let q = path(&mut oscillator(above / OMEGA, perturbation)?, 40)?;
    let closed = |value: f64, band: f64| Expected::relative(value, band, Origin::ClosedForm);
    Ok(vec![
        // the largest of 20 000 samples comes this near to the amplitude
        Row::new("amplitude at omega h = 1.99", "m", closed(bound, 1e-4), largest),
        // both solutions of the recursion are there at first; after 40 steps the other is 1e-7 of this one
        Row::new("growth a step at omega h = 2.01", "", closed(growth, 1e-6), (q[39] / q[38]).abs()),
    ])
}
