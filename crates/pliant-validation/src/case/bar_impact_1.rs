//! BAR-IMPACT-1: an elastic bar meets a rigid wall, stays for as long as a wave runs through it and back, and leaves as it came.
//!
//! L = 1 m, E = 1 MPa, nu = 0, 1000 kg/m^3, 1 m/s: in contact for 2 L / c = 63.2456 ms under rho c v = 31622.8 Pa, rebound 1. The worst of six
//! runs each: at 0.9 and 0.5 of h / c, from gaps of 0.1, 0.5 and 0.9 of a step's way. Rebounds are those of the middle of mass: what is missing rings on in
//! the bar. Forces of `constraint` alternate from step to step; those of `constraint-smooth` are compared with the wave's own.

use pliant_solid::contact::Response;

use crate::CaseError;
use crate::impact::{Impact, Seen};
use crate::verify::{Case, Expected, Origin, Perturbation, Row};

/// The case.
pub const CASE: Case = Case {
    id: "BAR-IMPACT-1",
    title: "a bar meets a wall, stays as long as its wave takes, and leaves as it came",
    source: "A7; closed form of the wave",
    file: "bar_impact_1.rs",
    flaw: Perturbation::Young(1.1),
    compare,
};

/// Elements; how far the rebound may be below 1; how far energy of `constraint-smooth` may stray.
const MESHES: [(usize, f64, f64); 3] = [(25, 0.025, 0.05), (50, 0.02, 0.02), (100, 0.015, 0.01)];

fn runs(elements: usize, response: Response, perturbation: Perturbation) -> Result<Vec<Seen>, CaseError> {
    let mut all = Vec::new();
    for safety in [0.9, 0.5] {
        for gap in [0.1, 0.5, 0.9] {
            all.push(Impact { elements, safety, gap, response, perturbation, ..Impact::default() }.run()?);
        }
    }
    Ok(all)
}

/// The value that is farthest from 1.
fn worst(values: impl Iterator<Item = f64>) -> f64 {
    values.fold(1.0, |worst: f64, v| if (v - 1.0).abs() > (worst - 1.0).abs() || v.is_nan() { v } else { worst })
}

fn compare(perturbation: Perturbation) -> Result<Vec<Row>, CaseError> {
    let one = |band: f64| Expected::relative(1.0, band, Origin::ClosedForm);
    let mut rows = Vec::new();
    for (n, lost, strayed) in MESHES {
        let hard = runs(n, Response::Constraint, perturbation)?;
        let smooth = runs(n, Response::Smooth, perturbation)?;
        let both = || hard.iter().chain(&smooth);
        let energy = |of: &[Seen]| worst(of.iter().flat_map(|seen| seen.half_step_energy));
        let pull = both().map(|seen| seen.pull).fold(0.0, f64::max);
        let depth = both().map(|seen| seen.depth / (crate::impact::SPEED * seen.step)).fold(0.0, f64::max);
        let row = |what: &str, band: f64, ours: f64| Row::new(format!("{n} elements: {what}"), "", one(band), ours);
        rows.extend([
            row("contact time over 2 L / c", 0.03, worst(both().map(|seen| seen.contact))),
            row("constraint: rebound over v0", lost, worst(hard.iter().map(|seen| seen.rebound))),
            row("constraint: half-step energy", 1e-3, energy(&hard)),
            row("smooth: half-step energy", strayed, energy(&smooth)),
            row("smooth: force over rho c v A", 0.1, worst(smooth.iter().flat_map(|seen| seen.plateau))),
            Row::new(
                format!("{n} elements: the wall pulls"),
                "N",
                Expected::absolute(0.0, 0.0, Origin::ClosedForm),
                pull,
            ),
            // at most 2 v dt
            Row::new(
                format!("{n} elements: depth over v dt"),
                "",
                Expected::absolute(1.0, 1.0, Origin::ClosedForm),
                depth,
            ),
        ]);
    }
    rows.extend(tilted(perturbation)?);
    Ok(rows)
}

/// A wall that is tilted and moves is the same wall.
fn tilted(perturbation: Perturbation) -> Result<Vec<Row>, CaseError> {
    let mut rows = Vec::new();
    for response in [Response::Constraint, Response::Smooth] {
        let plain = Impact { response, perturbation, ..Impact::default() };
        let moving = Impact { normal: [0.3, -0.5, 0.7], wall_speed: 0.4, ..plain }.run()?;
        let plain = plain.run()?;
        let same = |value: f64| Expected::absolute(value, 1e-6, Origin::ClosedForm);
        let name = response.name();
        rows.extend([
            Row::new(format!("{name}: rebound, tilted wall at 0.4 m/s"), "", same(plain.rebound), moving.rebound),
            Row::new(format!("{name}: contact time, the same"), "", same(plain.contact), moving.contact),
        ]);
    }
    Ok(rows)
}
