//! BONE-1: a rigid block tumbles as Euler's equations say, and swings on a hinge as a pendulum.
//!
//! ```text
//! T = 4 sqrt(J / (m g d)) K(sin(a / 2)) = 2 pi sqrt(J / (m g d)) / agm(1, cos(a / 2))              (1)
//! ```
//!
//! Where a corner of the free block is comes from `tests/python/bone_1.py`, which shares nothing with ours. Methods are of second order there: bands follow from the
//! step. (1) is the period for a swing from the angle a, J about the hinge, d from there to the centre.

use pliant_geometry::{BoxElement, box_mesh};
use pliant_solid::World;
use pliant_solid::integrator::{ImplicitEuler, StepChoice};
use pliant_solid::law::LawKind;
use pliant_solid::rigid::Joint;

use crate::CaseError;
use crate::measure::{Vec3, add, advance, cross, dot, sub, triple};
use crate::specimen::Specimen;
use crate::verify::{Case, Expected, Origin, Perturbation, Row};

/// The case.
pub const CASE: Case = Case {
    id: "BONE-1",
    title: "a rigid block tumbles, and swings on a hinge",
    source: "Euler's equations by an independent code; the pendulum's closed form",
    file: "bone_1.rs",
    flaw: Perturbation::LumpedInertia,
    compare,
};

const SIZE: Vec3 = [0.1, 0.2, 0.3];
const SPIN: Vec3 = [2.0, 10.0, 1.0];
const FLIGHT: Vec3 = [0.5, 0.0, 1.0];
/// The corner from the origin after [`END`], m.
const CORNER: Vec3 = [0.385_616_748_666, -0.023_559_217_155, 0.761_368_272_878];
const END: f64 = 0.5;
const STEPS: usize = 1000;
const GRAVITY: f64 = 9.81;

/// Explicit or implicit Euler.
#[derive(Clone, Copy)]
enum Method {
    Explicit,
    Euler,
}

impl Method {
    fn world(self, specimen: Specimen, dt: f64) -> Result<World, CaseError> {
        match self {
            Self::Explicit => specimen.world(dt),
            Self::Euler => {
                let step = StepChoice::Fixed(dt);
                specimen.euler(ImplicitEuler { step, ..ImplicitEuler::default() })
            }
        }
    }
}

fn compare(perturbation: Perturbation) -> Result<Vec<Row>, CaseError> {
    let mut rows = Vec::new();
    for (name, method) in [("explicit", Method::Explicit), ("implicit Euler", Method::Euler)] {
        rows.extend(tumbles(name, method, perturbation)?);
    }
    rows.push(swings("explicit", Method::Explicit, (0.05, 1e-3), perturbation)?);
    rows.push(swings("explicit", Method::Explicit, (2.5, 1e-3), perturbation)?);
    rows.push(swings("implicit Euler", Method::Euler, (0.05, 1e-3), perturbation)?);
    Ok(rows)
}

fn block(cells: [usize; 3], size: Vec3, perturbation: Perturbation) -> Result<Specimen, CaseError> {
    Ok(Specimen::new(box_mesh(size, cells, BoxElement::Hex)?, perturbation.law(LawKind::Corotated, 1e5, 0.3)?))
}

fn tumbles(name: &str, method: Method, perturbation: Perturbation) -> Result<Vec<Row>, CaseError> {
    let specimen = block([1, 2, 3], SIZE, perturbation)?.rigid(Joint::Free, perturbation)?.velocity(|p| {
        let arm = std::array::from_fn(|c| p[c] - 0.5 * SIZE[c]);
        add(FLIGHT, cross(SPIN, arm))
    });
    let mut world = method.world(specimen, END / STEPS as f64)?;
    let (spin, energy) = (angular_momentum(&world), world.energy().total());
    advance(&mut world, STEPS)?;
    let full = world.model().full_state(world.state());
    let corner = triple(&full.x, world.model().layout().bodies()[0].world[0]);
    let mut rows = Vec::new();
    for (c, letter) in ["x", "y", "z"].into_iter().enumerate() {
        // an error of (w dt)^2 / 12 a step over five radians, on an arm of 0.19 m
        let expected = Expected::scaled(CORNER[c], 0.19, 5e-4, Origin::IndependentCode);
        rows.push(Row::new(format!("{name}: corner {letter}"), "m", expected, corner[c]));
    }
    let strayed = sub(angular_momentum(&world), spin);
    let zero = Expected::scaled(0.0, dot(spin, spin).sqrt(), 1e-11, Origin::ClosedForm);
    rows.push(Row::new(format!("{name}: change of L"), "kgm2/s", zero, dot(strayed, strayed).sqrt()));
    let kept = Expected::relative(energy, 1e-4, Origin::ClosedForm);
    rows.push(Row::new(format!("{name}: energy"), "J", kept, world.energy().total()));
    Ok(rows)
}

/// About the origin.
fn angular_momentum(world: &World) -> Vec3 {
    let (state, mass) = (world.state(), world.model().mass());
    (0..mass.len() as u32).fold([0.0; 3], |sum, n| {
        let spun = cross(triple(&state.x, n), triple(&state.v, n));
        add(sum, spun.map(|c| mass[n as usize] * c))
    })
}

/// Height of the pendulum, m; its width is a fifth of that.
const HEIGHT: f64 = 0.5;

fn swings(
    name: &str,
    method: Method,
    (angle, dt): (f64, f64),
    perturbation: Perturbation,
) -> Result<Row, CaseError> {
    let size = [0.2 * HEIGHT, 0.2 * HEIGHT, HEIGHT];
    let hinge = Joint::Hinge { point: [0.1 * HEIGHT, 0.0, HEIGHT], axis: [0.0, 1.0, 0.0] };
    // gravity leans to the side, so that the block itself need not
    let (sin, cos) = angle.sin_cos();
    let specimen = block([1, 1, 4], size, perturbation)?
        .rigid(hinge, perturbation)?
        .gravity([GRAVITY * sin, 0.0, -GRAVITY * cos]);
    let mut world = method.world(specimen, dt)?;
    let end = world.model().layout().bodies()[0].world[0];
    let rest = world.model().layout().rest_of(end);
    // on which side of the middle of its swing it is
    let aside = |world: &World| {
        let full = world.model().full_state(world.state());
        let r = sub(triple(&full.x, end), [0.1 * HEIGHT, rest[1], HEIGHT]);
        // the sine has the sign of the angle up to half a turn, whatever the branch of the arctangent
        (r[0].atan2(-r[2]) - rest_angle() - angle).sin()
    };
    let mut passes = Vec::new();
    let mut last = aside(&world);
    while passes.len() < 5 {
        advance(&mut world, 1)?;
        let now = aside(&world);
        if last.signum() != now.signum() {
            passes.push(world.state().time - dt * now / (now - last));
        }
        last = now;
    }
    let found = 0.5 * (passes[4] - passes[0]);
    let expected = Expected::relative(period(angle), 1e-3, Origin::ClosedForm);
    Ok(Row::new(format!("{name}: period from {angle} rad"), "s", expected, found))
}

/// The angle of the corner that is watched, seen from the hinge.
fn rest_angle() -> f64 {
    (-0.1_f64).atan2(1.0)
}

/// (1).
fn period(angle: f64) -> f64 {
    let width = 0.2 * HEIGHT;
    let inertia = (width * width + HEIGHT * HEIGHT) / 12.0 + 0.25 * HEIGHT * HEIGHT;
    let (mut a, mut b) = (1.0, (0.5 * angle).cos());
    for _ in 0..30 {
        (a, b) = (0.5 * (a + b), (a * b).sqrt());
    }
    std::f64::consts::TAU * (inertia / (0.5 * GRAVITY * HEIGHT)).sqrt() / a
}
