//! An elastic bar that meets a rigid wall end on: what it gives back, how long it stays, how hard it presses.
//!
//! L = 1 m, E = 1 MPa, nu = 0, rho = 1000 kg/m^3 at 1 m/s. One-dimensional waves: in contact for 2 L / c under rho c v, and it leaves as a whole
//! with the speed that it came with. The cross section is one cell, so wide that waves across it do not shorten the stable step.

use pliant_geometry::{BoxElement, GeneratorError, box_mesh};
use pliant_numerics::Mat3;
use pliant_solid::contact::{Carrier, Collider, ColliderShape, ContactSettings, Response};
use pliant_solid::law::LawKind;
use pliant_solid::{FullState, Motion, World};

use crate::CaseError;
use crate::measure::{Vec3, advance, dot, middle_along, stored};
use crate::specimen::Specimen;
use crate::verify::Perturbation;

/// The speed that the bar comes with, m/s.
pub const SPEED: f64 = 1.0;
const YOUNG: f64 = 1e6;
const DENSITY: f64 = 1000.0;
const WIDTH: f64 = 0.4;

/// How the bar is cut, stepped and answered.
#[derive(Clone, Copy, Debug)]
pub struct Impact {
    /// Elements along it.
    pub elements: usize,
    /// The step as a part of h / c.
    pub safety: f64,
    /// The gap at the start as a part of a step's way.
    pub gap: f64,
    /// How contacts are answered.
    pub response: Response,
    /// Of `penalty`, Pa/m.
    pub stiffness: Option<f64>,
    /// Of the wall; unset, the response decides.
    pub restitution: Option<f64>,
    /// Where the wall's normal points.
    pub normal: Vec3,
    /// How fast the wall moves along it, m/s.
    pub wall_speed: f64,
    /// An error in the law.
    pub perturbation: Perturbation,
}

impl Default for Impact {
    fn default() -> Self {
        Self {
            elements: 25,
            safety: 0.9,
            gap: 0.5,
            response: Response::Constraint,
            stiffness: None,
            restitution: None,
            normal: [0.0, 0.0, 1.0],
            wall_speed: 0.0,
            perturbation: Perturbation::None,
        }
    }
}

/// What is seen of an impact.
#[derive(Clone, Debug)]
pub struct Seen {
    /// Speed of the middle of mass away from the wall, over that towards it.
    pub rebound: f64,
    /// From the first to the last contact force, over 2 L / c.
    pub contact: f64,
    /// Lowest and highest mean of five forces in the middle half of the contact, over rho c v A.
    pub plateau: [f64; 2],
    /// The most that the wall ever pulled, N.
    pub pull: f64,
    /// Lowest and highest energy at half steps, over that of the flight; of a wall that stands.
    pub half_step_energy: [f64; 2],
    /// What is left of it at the end.
    pub kept: f64,
    /// The deepest penetration, m.
    pub depth: f64,
    /// The step, s.
    pub step: f64,
    /// Contact force over time, s and of rho c v A.
    pub course: Vec<[f64; 2]>,
    /// What the accounts say that contact took, over the energy of the flight.
    pub account: f64,
}

/// Unit axes of which z is along a normal.
fn axes_to(normal: Vec3) -> Mat3<f64> {
    let z = unit(normal);
    let other = if z[0].abs() < 0.9 { [1.0, 0.0, 0.0] } else { [0.0, 1.0, 0.0] };
    let x = unit(crate::measure::cross(other, z));
    Mat3::from_columns([x, crate::measure::cross(z, x), z])
}

fn unit(v: Vec3) -> Vec3 {
    v.map(|c| c / dot(v, v).sqrt())
}

impl Impact {
    /// Speed of waves of the sound bar, m/s.
    fn waves() -> f64 {
        (YOUNG / DENSITY).sqrt()
    }

    /// The step, s.
    pub fn step(&self) -> f64 {
        self.safety / (self.elements as f64 * Self::waves())
    }

    fn world(&self) -> Result<World, CaseError> {
        let (axes, dt) = (axes_to(self.normal), self.step());
        let way = self.gap * dt * SPEED;
        let mesh = box_mesh([WIDTH, WIDTH, 1.0], [1, 1, self.elements], BoxElement::Hex)?;
        let mesh =
            mesh.transformed(|p| axes.mul_vec([p[0], p[1], p[2] + way])).map_err(GeneratorError::from)?;
        // the start of a slow swing has next to no acceleration
        let (normal, omega) = (axes.column(2), 1e-3);
        let motion = match self.wall_speed {
            0.0 => Motion::Still,
            speed => Motion::Sine { amplitude: normal.map(|c| c * speed / omega), omega, phase: 0.0 },
        };
        let plane = Collider::new("wall", ColliderShape::Plane);
        let wall =
            Collider { axes, carrier: Carrier::Script(motion), restitution: self.restitution, ..plane };
        let velocity = normal.map(|c| c * (self.wall_speed - SPEED));
        let settings = ContactSettings {
            response: Some(self.response),
            stiffness: self.stiffness,
            ..ContactSettings::default()
        };
        Specimen::new(mesh, self.perturbation.law(LawKind::Linear, YOUNG, 0.0)?)
            .density(DENSITY)
            .collider(wall)
            .contact(settings)
            .velocity(move |_| velocity)
            .world(dt)
    }

    /// Runs until the bar has long left.
    pub fn run(&self) -> Result<Seen, CaseError> {
        let (mut world, dt, axis) = (self.world()?, self.step(), axes_to(self.normal).column(2));
        let (lasting, whole) = (2.0 / Self::waves(), DENSITY * Self::waves() * SPEED * WIDTH * WIDTH);
        let (mut course, mut energies) = (Vec::new(), Vec::new());
        while world.state().time < 0.15 {
            advance(&mut world, 1)?;
            let state = world.state();
            let force: f64 = state.contacts.touches().iter().map(|touch| dot(touch.force, axis)).sum();
            course.push([state.time, force / whole]);
            if self.wall_speed == 0.0 {
                energies.push(half_step_energy(&world, dt));
            }
        }
        let pressed: Vec<f64> = course.iter().filter(|p| p[1] > 0.0).map(|p| p[0]).collect();
        let (first, last) =
            (pressed.first().copied().unwrap_or(f64::NAN), pressed.last().copied().unwrap_or(f64::NAN));
        let free = 0.5 * world.model().mass().iter().sum::<f64>() * SPEED * SPEED;
        Ok(Seen {
            rebound: (middle_along(&world, axis)[1] - self.wall_speed) / SPEED,
            contact: (last - first) / lasting,
            plateau: plateau(&course, [first + 0.25 * lasting, first + 0.75 * lasting]),
            pull: whole * course.iter().map(|p| -p[1]).fold(0.0, f64::max),
            half_step_energy: range(energies.iter().map(|e| e / free)),
            kept: energies.last().map_or(f64::NAN, |e| e / free),
            depth: world.deepest_penetration(),
            step: dt,
            course,
            account: world.energy().contact / free,
        })
    }
}

/// Lowest and highest mean of five forces between two times.
fn plateau(course: &[[f64; 2]], [from, to]: [f64; 2]) -> [f64; 2] {
    let means = course.windows(5).filter(|w| w[4][0] >= from && w[4][0] <= to);
    range(means.map(|w| w.iter().map(|p| p[1]).sum::<f64>() / 5.0))
}

fn range(values: impl Iterator<Item = f64>) -> [f64; 2] {
    values.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], v| [low.min(v), high.max(v)])
}

/// m v_h^2 / 2 + u_n K u_{n+1} / 2 between the last two states of a linear body, J: what central differences keep exactly.
pub fn half_step_energy(world: &World, dt: f64) -> f64 {
    let (s0, s1, model) = (world.previous(), world.state(), world.model());
    let kinetic: f64 =
        s0.x.iter()
            .zip(&s1.x)
            .enumerate()
            .map(|(i, (x0, x1))| 0.5 * model.mass()[i / 3] * ((x1 - x0) / dt).powi(2))
            .sum();
    // u0 K u1 = ((u0 + u1) K (u0 + u1) - (u0 - u1) K (u0 - u1)) / 4
    let rest = model.layout().rest();
    let strained = |u: &dyn Fn(usize) -> f64| {
        let x: Vec<f64> = rest.iter().enumerate().map(|(i, r)| r + u(i)).collect();
        stored(model, &FullState { v: vec![0.0; x.len()], x, ..FullState::default() })
    };
    let both = strained(&|i| s0.x[i] + s1.x[i] - 2.0 * rest[i]);
    let change = strained(&|i| s0.x[i] - s1.x[i]);
    kinetic + 0.25 * (both - change)
}
