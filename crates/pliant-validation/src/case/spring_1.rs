//! SPRING-1: particles, springs, dampers and bounces against closed forms.
//!
//! ```text
//! a mass m on a spring k: omega^2 = k / m;  explicit steps h: cos(theta) = 1 - (omega h)^2 / 2                    (1)
//! with a damper b: x_{n+2} - (2 - h^2 k/m - h b/m) x_{n+1} + (1 - h b/m) x_n = 0                                  (2)
//! at rest under its weight: m g / k                                                                              (3)
//! after n bounces from a wall of restitution e: e^(2n) of the height                                             (4)
//! a free network keeps sum m v and sum x x m v                                                                   (5)
//! ```
//!
//! (2) has the damper's force at the velocity of the half step behind; the product of its roots is the decay of two steps.

use pliant_geometry::{BoxElement, Mesh, box_mesh};
use pliant_solid::law::LawKind;
use pliant_solid::link::Spring;
use pliant_solid::contact::{Collider, ColliderShape};
use pliant_solid::{Network, NetworkLaw, SpringDamping, SpringStiffness, Weave, World};

use crate::CaseError;
use crate::measure::{Vec3, add, advance, angle_of_a_step, cross, displacement_at, peak, sub, triple};
use crate::specimen::Specimen;
use crate::verify::{Case, Expected, Origin, Perturbation, Row};

/// The case.
pub const CASE: Case = Case {
    id: "SPRING-1",
    title: "particles on springs swing, hang, creep, bounce and fly as closed forms say",
    source: "closed forms of one mass and of central differences; no part of the reference suite",
    file: "spring_1.rs",
    flaw: Perturbation::Young(1.0001),
    compare,
};

const STIFFNESS: f64 = 50.0;
const MASS: f64 = 0.5;
const STEP: f64 = 0.02;
const G: f64 = 9.81;
const END: Vec3 = [1.0, 0.0, 0.0];

/// The spring's stiffness with the error in it, N/m.
fn stiffness(perturbation: Perturbation) -> Result<f64, CaseError> {
    Ok(perturbation.law(LawKind::Linear, STIFFNESS, 0.25)?.moduli().young())
}

fn cloud(places: Vec<Vec3>) -> Result<Mesh, CaseError> {
    let mesh = Mesh::new(places, vec![], vec![], vec![], Default::default());
    Ok(mesh.map_err(pliant_geometry::GeneratorError::from)?)
}

/// A mass on a spring along x whose other end is held, and which can only move along it.
fn swing(perturbation: Perturbation, damping: f64) -> Result<Specimen, CaseError> {
    let spring = Spring { stiffness: stiffness(perturbation)?, damping, length: 1.0 };
    let network = Network {
        law: NetworkLaw::Springs,
        springs: vec![([0, 1], spring)],
        angles: vec![],
        mass: vec![MASS; 2],
        drag: 0.0,
    };
    let held = Specimen::of_network(cloud(vec![[0.0; 3], END])?, network).hold(|p| p[0] < 0.5, [true; 3]);
    Ok(held.hold(|p| p[0] > 0.5, [false, true, true]))
}

fn path(mut world: World, steps: usize) -> Result<Vec<f64>, CaseError> {
    let mut out = Vec::with_capacity(steps);
    for _ in 0..steps {
        advance(&mut world, 1)?;
        out.push(displacement_at(world.model().layout(), &world.state().x, END)[0]);
    }
    Ok(out)
}

fn compare(perturbation: Perturbation) -> Result<Vec<Row>, CaseError> {
    let closed = |value: f64, band: f64| Expected::relative(value, band, Origin::ClosedForm);
    let moving = |damping: f64| {
        swing(perturbation, damping)?.velocity(|p| [0.5 * p[0], 0.0, 0.0]).world(STEP)
    };
    let free = path(moving(0.0)?, 2000)?;
    let omega = (STIFFNESS / MASS).sqrt();
    let theta = 2.0 * (0.5 * omega * STEP).asin(); // (1)
    let damping = 1.0;
    let slowed = path(moving(damping)?, 40)?;
    let [decay, trace] = recursion(&slowed);
    let lost = STEP * damping / MASS;
    let rest = swing(perturbation, 0.0)?.gravity([G, 0.0, 0.0]).resting()?.moved(END)[0];
    let mut rows = vec![
        Row::new("omega_h at h = 0.02 s", "rad/s", closed(theta / STEP, 1e-9), angle_of_a_step(&free) / STEP),
        Row::new("damped: product of the roots of (2)", "", closed(1.0 - lost, 1e-9), decay),
        Row::new(
            "damped: sum of the roots of (2)",
            "",
            closed(2.0 - STEP * STEP * STIFFNESS / MASS - lost, 1e-9),
            trace,
        ),
        Row::new("hanging at rest", "m", closed(MASS * G / STIFFNESS, 1e-9), rest), // (3)
    ];
    rows.extend(bounces()?);
    rows.extend(momenta(perturbation)?);
    Ok(rows)
}

/// q and p of x_{n+2} = p x_{n+1} - q x_n, by least squares over a path.
fn recursion(x: &[f64]) -> [f64; 2] {
    let (mut a, mut b) = ([[0.0; 2]; 2], [0.0; 2]);
    for w in x.windows(3) {
        let row = [-w[0], w[1]];
        for i in 0..2 {
            (0..2).for_each(|j| a[i][j] += row[i] * row[j]);
            b[i] += row[i] * w[2];
        }
    }
    let determinant = a[0][0] * a[1][1] - a[0][1] * a[1][0];
    [
        (a[1][1] * b[0] - a[0][1] * b[1]) / determinant,
        (a[0][0] * b[1] - a[1][0] * b[0]) / determinant,
    ]
}

/// The third top of a particle that falls from 1 m, for some restitutions.
fn bounces() -> Result<Vec<Row>, CaseError> {
    let mut rows = Vec::new();
    for (name, restitution) in
        [("e = 1: third top", 1.0_f64), ("e = 0.8: third top", 0.8), ("e = 0.5: third top", 0.5)]
    {
        let network =
            Network { law: NetworkLaw::Springs, springs: vec![], angles: vec![], mass: vec![MASS], drag: 0.0 };
        let floor = Collider {
            restitution: Some(restitution),
            ..Collider::new("floor", ColliderShape::Plane)
        };
        let particle = Specimen::of_network(cloud(vec![[0.0, 0.0, 1.0]])?, network).gravity([0.0, 0.0, -G]);
        let mut world = particle.collider(floor).world(1e-3)?;
        let (mut tops, mut seen) = (Vec::new(), [f64::INFINITY; 2]);
        while tops.len() < 3 {
            advance(&mut world, 1)?;
            let now = world.state().x[2];
            if seen[0] < seen[1] && seen[1] > now && seen[0].is_finite() {
                tops.push(seen[1]);
            }
            seen = [seen[1], now];
        }
        // (4); a top is seen at a step, g h^2 / 8 = 1.2e-6 m below it at most
        let expected = Expected::absolute(restitution.powi(6), 2e-6, Origin::ClosedForm);
        rows.push(Row::new(name, "m", expected, tops[2]));
    }
    Ok(rows)
}

/// (5): the largest drift over 1000 steps, against m |v| and m |x| |v| summed.
fn momenta(perturbation: Perturbation) -> Result<Vec<Row>, CaseError> {
    let mesh = box_mesh([0.3, 0.2, 0.1], [3, 2, 1], BoxElement::Tet6)?;
    let weave = Weave {
        stiffness: SpringStiffness::Each(stiffness(perturbation)?),
        damping: SpringDamping::Relaxation(1e-3),
    };
    let mass = vec![1e-2; mesh.node_count()];
    let springs = weave.of_cells(&mesh);
    let network = Network { law: NetworkLaw::Springs, springs, angles: vec![], mass, drag: 0.0 };
    let spun = |[x, y, z]: Vec3| [1.0 - 3.0 * y, 3.0 * x + z, -y + 0.5];
    let mut world = Specimen::of_network(mesh, network).velocity(spun).world(1e-3)?;
    let (before, sizes) = totals(&world);
    advance(&mut world, 1000)?;
    let (after, _) = totals(&world);
    let names = ["momentum of a free network, drift", "angular momentum, drift"];
    Ok((0..2)
        .map(|i| {
            let expected = Expected::scaled(0.0, sizes[i], 1e-12, Origin::ClosedForm);
            Row::new(names[i], ["kg m/s", "kg m^2/s"][i], expected, peak(&sub(after[i], before[i])))
        })
        .collect())
}

/// Both momenta, and what they are summed of.
fn totals(world: &World) -> ([Vec3; 2], [f64; 2]) {
    let (mut sums, mut sizes) = ([[0.0; 3]; 2], [0.0; 2]);
    for (node, mass) in world.model().mass().iter().enumerate() {
        let x = triple(&world.state().x, node as u32);
        let p = triple(&world.state().v, node as u32).map(|v| mass * v);
        let l = cross(x, p);
        sums = [add(sums[0], p), add(sums[1], l)];
        sizes = [sizes[0] + peak(&p), sizes[1] + peak(&l)];
    }
    (sums, sizes)
}
