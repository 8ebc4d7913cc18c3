//! BOUNCE-1: a particle falls on a floor and bounces.
//!
//! ```text
//! from h: it meets the floor at t0 = sqrt(2 h / g), and after n bounces tops at e^(2n) h                          (1)
//! it lies at t0 (1 + e) / (1 - e)                                                                                (2)
//! with v and x at any time of a flight: top x + v^2 / 2g, begun sqrt(v^2 + 2 g x)/g - v/g ago                     (3)
//! ```
//!
//! Steps of central differences keep v_h^2 / 2 + g (x_0 + x_1) / 2, which is (g dt)^2 / 8 below the energy, and a bounce takes its part of that: tops are
//! (1 - e^(2n)) g dt^2 / 8 too high, and none with e = 1. Times are off by no more than the same way at the speed of the impact, twice.

use pliant_geometry::Mesh;
use pliant_solid::contact::{Collider, ColliderShape};
use pliant_solid::{Network, NetworkLaw, World};

use crate::CaseError;
use crate::measure::advance;
use crate::specimen::Specimen;
use crate::verify::{Case, Expected, Origin, Perturbation, Row};

/// The case.
pub const CASE: Case = Case {
    id: "BOUNCE-1",
    title: "a particle bounces as high as restitution says, and comes to rest in time",
    source: "A7; closed forms",
    file: "bounce_1.rs",
    flaw: Perturbation::Restitution(0.999),
    compare,
};

const G: f64 = 9.81;
const MASS: f64 = 2.0;
const STEP: f64 = 1e-3;

/// A particle at 1 m over a floor.
fn dropped(restitution: f64, step: f64) -> Result<World, CaseError> {
    let mesh = Mesh::new(vec![[0.0, 0.0, 1.0]], vec![], vec![], vec![], Default::default());
    let mesh = mesh.map_err(pliant_geometry::GeneratorError::from)?;
    let network =
        Network { law: NetworkLaw::Springs, springs: vec![], angles: vec![], mass: vec![MASS], drag: 0.0 };
    let floor =
        Collider { restitution: Some(restitution), ..Collider::new("floor", ColliderShape::Plane) };
    Specimen::of_network(mesh, network).gravity([0.0, 0.0, -G]).collider(floor).world(step)
}

/// A flight, seen at its first step that goes down: when it began, s, and its top, m; (3).
struct Flight {
    began: f64,
    top: f64,
}

/// The flights after the first bounces.
fn flights(world: &mut World, count: usize) -> Result<Vec<Flight>, CaseError> {
    let (mut found, mut rising) = (Vec::new(), false);
    while found.len() < count {
        advance(world, 1)?;
        let state = world.state();
        let (x, v) = (state.x[2], state.v[2]);
        if rising && v <= 0.0 {
            let began = state.time - ((v * v + 2.0 * G * x).sqrt() - v) / G;
            found.push(Flight { began, top: x + 0.5 * v * v / G });
        }
        rising = v > 0.0;
    }
    Ok(found)
}

fn compare(perturbation: Perturbation) -> Result<Vec<Row>, CaseError> {
    let e = 0.8;
    let mut world = dropped(perturbation.restitution(e), STEP)?;
    let flights = flights(&mut world, 3)?;
    let fall = (2.0 / G).sqrt();
    let mut rows = Vec::new();
    let short = G * STEP * STEP / 8.0;
    for (name, top, flight) in
        [("first", 0.64, &flights[0]), ("second", 0.4096, &flights[1]), ("third", 0.262_144, &flights[2])]
    {
        let near = Expected::absolute(top, short, Origin::ClosedForm);
        rows.push(Row::new(format!("e = 0.8: {name} top"), "m", near, flight.top)); // (1)
    }
    let near = Expected::absolute(fall, 2.0 * short / (e * G * fall), Origin::ClosedForm);
    rows.push(Row::new("e = 0.8: first impact", "s", near, flights[0].began));
    rows.extend(rest(perturbation.restitution(e), fall * (1.0 + e) / (1.0 - e))?);
    rows.extend(kept(perturbation.restitution(1.0))?);
    Ok(rows)
}

/// (2): when the particle was last as high as it falls in three steps from rest, and what the floor carries then.
fn rest(restitution: f64, lies: f64) -> Result<Vec<Row>, CaseError> {
    let mut world = dropped(restitution, STEP)?;
    let (mut last, low) = (0.0, 0.5 * G * (3.0 * STEP).powi(2));
    while world.state().time < lies + 1.0 {
        advance(&mut world, 1)?;
        if world.state().x[2] > low {
            last = world.state().time;
        }
    }
    // from a top of that height the rest takes sqrt(8 low / g) / (1 - e) at most
    let left = (8.0 * low / G).sqrt() / (1.0 - restitution);
    let carried: f64 = world.contacts().map(|contact| contact.normal_force).sum();
    Ok(vec![
        Row::new("e = 0.8: comes to rest", "s", Expected::absolute(lies, left, Origin::ClosedForm), last),
        Row::new(
            "e = 0.8: at rest, height",
            "m",
            Expected::absolute(0.0, G * STEP * STEP, Origin::ClosedForm),
            world.state().x[2],
        ),
        Row::new(
            "e = 0.8: at rest, weight carried",
            "N",
            Expected::relative(MASS * G, 1e-3, Origin::ClosedForm),
            carried,
        ),
    ])
}

/// Energy over 100 bounces with e = 1.
fn kept(restitution: f64) -> Result<Vec<Row>, CaseError> {
    let mut world = dropped(restitution, STEP)?;
    let tops = flights(&mut world, 100)?;
    let last = tops.last().map_or(f64::NAN, |flight| flight.top);
    let expected = Expected::relative(1.0, 1e-10, Origin::ClosedForm);
    Ok(vec![Row::new("e = 1: energy after 100 bounces, of m g h", "", expected, last)])
}
