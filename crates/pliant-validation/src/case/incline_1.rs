//! INCLINE-1: a stiff block on a slope: it slides, holds and stops as Coulomb says.
//!
//! ```text
//! tan(theta) > mu: a = g (sin(theta) - mu cos(theta)), x = a t^2 / 2;  else it holds                              (1)
//! on the flat from v0: it stops after v0^2 / (2 mu g)                                                             (2)
//! ```
//!
//! A block of 10 x 10 x 5 cm, 1 MPa, damped by its stiffness so that it settles; the motion is that of its middle of mass. `constraint` in explicit
//! steps; `penalty` under implicit Euler, whose friction is a spring from an anchor: what it gives at first is settling; creep after that is none (below 1e-15 m in a second).
//! The order of (2) is shown with a particle: a block's settling would hide it. Friction of `constraint` follows the mean force of five steps, two steps
//! late, so that a particle that begins on the floor goes 2 v0 dt too far.

use pliant_geometry::{BoxElement, Mesh, box_mesh};
use pliant_numerics::Mat3;
use pliant_solid::contact::{Collider, ColliderShape};
use pliant_solid::integrator::{EulerSolve, ImplicitEuler, StepChoice};
use pliant_solid::law::LawKind;
use pliant_solid::{Network, NetworkLaw, World};

use crate::CaseError;
use crate::measure::{advance, middle_along, order};
use crate::specimen::Specimen;
use crate::verify::{Case, Expected, Origin, Perturbation, Row};

/// The case.
pub const CASE: Case = Case {
    id: "INCLINE-1",
    title: "a block on a slope slides, holds and stops as Coulomb says",
    source: "A7; closed forms",
    file: "incline_1.rs",
    flaw: Perturbation::Friction(1.05),
    compare,
};

const G: f64 = 9.81;
const STEP: f64 = 1e-4;
const EULER_STEP: f64 = 2e-3;
/// When a block has settled, s.
const SETTLED: f64 = 0.6;

/// How the block is stepped.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    /// `constraint` in explicit steps.
    Constraint,
    /// `penalty` under implicit Euler.
    Penalty,
}

/// A slope, its friction, and how fast the block begins on it.
#[derive(Clone, Copy)]
struct Slope {
    degrees: f64,
    friction: f64,
    speed: f64,
}

impl Slope {
    fn new(degrees: f64, friction: f64) -> Self {
        Self { degrees, friction, speed: 0.0 }
    }

    fn turned(self) -> Mat3<f64> {
        Mat3::rotation([0.0, 1.0, 0.0], self.degrees.to_radians())
    }

    fn floor(self, perturbation: Perturbation) -> Collider {
        let friction = perturbation.friction(self.friction);
        Collider { axes: self.turned(), friction, ..Collider::new("slope", ColliderShape::Plane) }
    }

    /// (1).
    fn acceleration(self) -> f64 {
        let (sin, cos) = self.degrees.to_radians().sin_cos();
        G * (sin - self.friction * cos)
    }

    fn block(self, perturbation: Perturbation, way: Way) -> Result<World, CaseError> {
        let turned = self.turned();
        let mesh = box_mesh([0.1, 0.1, 0.05], [2, 2, 1], BoxElement::Hex)?;
        let mesh = mesh.transformed(|p| turned.mul_vec(p)).map_err(pliant_geometry::GeneratorError::from)?;
        let down = turned.column(0).map(|c| self.speed * c);
        let block = Specimen::new(mesh, perturbation.law(LawKind::Corotated, 1e6, 0.3)?)
            .gravity([0.0, 0.0, -G])
            .collider(self.floor(perturbation))
            .velocity(move |_| down);
        match way {
            Way::Constraint => block.stiffness_damping(2e-4).world(STEP),
            Way::Penalty => block.stiffness_damping(1e-3).euler(ImplicitEuler {
                solve: EulerSolve::Newton { tolerance: 1e-8 },
                step: StepChoice::Fixed(EULER_STEP),
                ..ImplicitEuler::default()
            }),
        }
    }

    /// Way and speed down the slope.
    fn down(self, world: &World) -> [f64; 2] {
        middle_along(world, self.turned().column(0))
    }
}

fn run_until(world: &mut World, time: f64) -> Result<(), CaseError> {
    while world.state().time < time - 1e-9 {
        advance(world, 1)?;
    }
    Ok(())
}

fn compare(perturbation: Perturbation) -> Result<Vec<Row>, CaseError> {
    let mut rows = Vec::new();
    for (name, way) in [("constraint", Way::Constraint), ("penalty", Way::Penalty)] {
        rows.extend(slides(name, way, perturbation)?);
        rows.extend(holds(name, way, perturbation)?);
        rows.extend(stops(name, way, perturbation)?);
    }
    rows.extend(stops_in_order(perturbation)?);
    Ok(rows)
}

/// 30 degrees with 0.3, and just above the critical angle of 0.5.
fn slides(name: &str, way: Way, perturbation: Perturbation) -> Result<Vec<Row>, CaseError> {
    let slope = Slope::new(30.0, 0.3);
    let mut world = slope.block(perturbation, way)?;
    run_until(&mut world, 1.0)?;
    let [far, speed] = slope.down(&world);
    let exact = slope.acceleration();
    let closed = |value: f64| Expected::relative(value, 0.01, Origin::ClosedForm);
    let steep = Slope::new(1.05 * 0.5_f64.atan().to_degrees(), 0.5);
    let mut world = steep.block(perturbation, way)?;
    run_until(&mut world, SETTLED)?;
    let [_, before] = steep.down(&world);
    run_until(&mut world, SETTLED + 1.0)?;
    let [_, after] = steep.down(&world);
    let friction = steep.friction * G * steep.degrees.to_radians().cos();
    let near = Expected::scaled(steep.acceleration(), friction, 0.005, Origin::ClosedForm);
    Ok(vec![
        Row::new(format!("{name}: 30 deg, mu 0.3: speed after 1 s"), "m/s", closed(exact), speed),
        Row::new(format!("{name}: 30 deg, mu 0.3: way after 1 s"), "m", closed(0.5 * exact), far),
        Row::new(format!("{name}: 1.05 of the critical angle: a"), "m/s^2", near, after - before),
    ])
}

/// 20 degrees with 0.5, and just below the critical angle: the drift of a second.
fn holds(name: &str, way: Way, perturbation: Perturbation) -> Result<Vec<Row>, CaseError> {
    let critical = 0.5_f64.atan().to_degrees();
    let mut rows = Vec::new();
    for (what, degrees) in [("20 deg, mu 0.5", 20.0), ("0.95 of the critical angle", 0.95 * critical)] {
        let slope = Slope::new(degrees, 0.5);
        let mut world = slope.block(perturbation, way)?;
        run_until(&mut world, SETTLED)?;
        let [before, _] = slope.down(&world);
        run_until(&mut world, SETTLED + 1.0)?;
        let [after, _] = slope.down(&world);
        let still = Expected::absolute(0.0, 1e-6, Origin::ClosedForm);
        rows.push(Row::new(format!("{name}: {what}: drift in 1 s"), "m", still, after - before));
    }
    Ok(rows)
}

/// (2), and that it does not come back.
fn stops(name: &str, way: Way, perturbation: Perturbation) -> Result<Vec<Row>, CaseError> {
    let flat = Slope { speed: 2.0, ..Slope::new(0.0, 0.4) };
    let mut world = flat.block(perturbation, way)?;
    run_until(&mut world, 0.8)?;
    let [far, _] = flat.down(&world);
    run_until(&mut world, 1.2)?;
    let [later, _] = flat.down(&world);
    let exact = flat.speed * flat.speed / (2.0 * flat.friction * G);
    let step = if way == Way::Constraint { STEP } else { EULER_STEP };
    let near = Expected::absolute(exact, 0.5 * flat.speed * step + 0.01 * exact, Origin::ClosedForm);
    let still = Expected::absolute(0.0, 1e-5, Origin::ClosedForm);
    Ok(vec![
        Row::new(format!("{name}: from 2 m/s, mu 0.4: stops after"), "m", near, far),
        Row::new(format!("{name}: from 2 m/s, mu 0.4: way back"), "m", still, later - far),
    ])
}

/// Where a particle stops in steps of some length.
fn particle_stops(step: f64, perturbation: Perturbation) -> Result<f64, CaseError> {
    let flat = Slope { speed: 2.0, ..Slope::new(0.0, 0.4) };
    let mesh = Mesh::new(vec![[0.0; 3]], vec![], vec![], vec![], Default::default());
    let mesh = mesh.map_err(pliant_geometry::GeneratorError::from)?;
    let network =
        Network { law: NetworkLaw::Springs, springs: vec![], angles: vec![], mass: vec![1.0], drag: 0.0 };
    let mut world = Specimen::of_network(mesh, network)
        .gravity([0.0, 0.0, -G])
        .collider(flat.floor(perturbation))
        .velocity(|_| [2.0, 0.0, 0.0])
        .world(step)?;
    run_until(&mut world, 0.8)?;
    Ok(flat.down(&world)[0])
}

fn stops_in_order(perturbation: Perturbation) -> Result<Vec<Row>, CaseError> {
    let exact = 2.0 * 2.0 / (2.0 * 0.4 * G);
    let mut errors = Vec::new();
    let mut rows = Vec::new();
    for step in [1e-3, 5e-4] {
        let found = particle_stops(step, perturbation)?;
        let near = Expected::absolute(exact, 0.5 * 2.0 * step + 0.01 * exact, Origin::ClosedForm);
        rows.push(Row::new(format!("a particle from 2 m/s, dt {step} s: stops after"), "m", near, found));
        errors.push((found - exact).abs());
    }
    let first = Expected::absolute(1.0, 0.2, Origin::ClosedForm);
    rows.push(Row::new("its error: order in the step", "", first, order(errors[0], errors[1])));
    Ok(rows)
}
