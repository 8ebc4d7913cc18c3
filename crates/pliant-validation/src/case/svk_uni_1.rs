//! SVK-UNI-1: uniaxial stress of St. Venant-Kirchhoff, with free sides.
//!
//! ```text
//! P11 = (E/2) l (l^2 - 1),   lateral stretch = sqrt(1 - nu (l^2 - 1))                        (1)
//! |P11| peaks at l = 1/sqrt 3 with E / sqrt 27; under p of it  l = 2/sqrt 3 cos(acos(-p)/3)   (2)
//! ```
//!
//! Stretches are given up to the peak, then loads: just below it, and beyond it, where there is no equilibrium.

use pliant_geometry::{BoxElement, box_mesh};
use pliant_solid::integrator::Divergence;
use pliant_solid::law::LawKind;

use crate::CaseError;
use crate::block_statics::{ELEMENTS, grip};
use crate::rest::Rest;
use crate::specimen::{Specimen, shift};
use crate::verify::{Case, Expected, Origin, Perturbation, Row};

/// The case.
pub const CASE: Case = Case {
    id: "SVK-UNI-1",
    title: "uniaxial stress of St. Venant-Kirchhoff, free sides, up to its peak and not beyond",
    source: "A1; closed form; a load beyond the peak must be refused",
    file: "svk_uni_1.rs",
    flaw: Perturbation::MisprintedShear,
    compare,
};

const YOUNG: f64 = 1e5;
const POISSON: f64 = 0.3;

fn compare(perturbation: Perturbation) -> Result<Vec<Row>, CaseError> {
    let mut rows = Vec::new();
    for (element, kind) in ELEMENTS {
        rows.extend(stretched(element, kind, perturbation)?);
        rows.extend(pressed(element, kind, perturbation)?);
    }
    Ok(rows)
}

/// The unit cube between planes of symmetry at x, y, z = 0; its sides move along y and z.
fn cube(kind: BoxElement, perturbation: Perturbation) -> Result<Specimen, CaseError> {
    let law = perturbation.law(LawKind::StVenant, YOUNG, POISSON)?;
    Ok(Specimen::new(box_mesh([1.0; 3], [1; 3], kind)?, law).mirror(0).mirror(1).mirror(2))
}

fn closed(value: f64) -> Expected {
    Expected::relative(value, 1e-9, Origin::ClosedForm)
}

/// The end at x = 1 is carried.
fn stretched(element: &str, kind: BoxElement, perturbation: Perturbation) -> Result<Vec<Row>, CaseError> {
    let mut rows = Vec::new();
    // the last is where |P| peaks: 1/sqrt(3), -19245.0090 Pa
    let peak = (1.0 / 3_f64.sqrt(), -YOUNG / 27_f64.sqrt());
    for (stretch, stress) in [(0.7, -17850.0), (0.9, -8550.0), (1.2, 26400.0), (1.5, 93750.0), peak] {
        let motion = shift([stretch - 1.0, 0.0, 0.0]);
        let rest = cube(kind, perturbation)?.carry(|p| p[0] > 0.5, [true, false, false], motion).resting()?;
        let (pull, _) = grip(&rest);
        let across = 1.0 + rest.moved([1.0; 3])[1];
        let exact = (1.0 - POISSON * (stretch * stretch - 1.0)).sqrt(); // (1)
        rows.push(Row::new(format!("{element}: P at stretch {stretch:.4}"), "Pa", closed(stress), pull[0]));
        rows.push(Row::new(format!("{element}: lateral stretch"), "", closed(exact), across));
    }
    Ok(rows)
}

/// The end at x = 1 bears a pressure.
fn pressed(element: &str, kind: BoxElement, perturbation: Perturbation) -> Result<Vec<Row>, CaseError> {
    let under = |part: f64| -> Result<Rest, CaseError> {
        let pressure = part * YOUNG / 27_f64.sqrt();
        cube(kind, perturbation)?.traction(|p| p[0] > 0.5, [-pressure, 0.0, 0.0]).rest()
    };
    let below = under(0.999)?;
    let exact = 2.0 / 3_f64.sqrt() * ((-0.999_f64).acos() / 3.0).cos(); // (2)
    let stretch = 1.0 + below.moved([1.0; 3])[0];
    let beyond = under(1.01)?;
    let gives_way = matches!(beyond.refusal.as_ref().map(|r| r.reason), Some(Divergence::LostDefiniteness { .. }));
    // load steps are at least 1e-4 of the load
    let reached = Expected::absolute(1.0 / 1.01, 2e-4, Origin::ClosedForm);
    let yes = Expected::absolute(1.0, 0.0, Origin::ClosedForm);
    Ok(vec![
        Row::new(format!("{element}: stretch under 0.999 of the peak"), "", closed(exact), stretch),
        Row::new(format!("{element}: part of 1.01 of the peak borne"), "", reached, beyond.load()),
        Row::new(
            format!("{element}: refused as giving way (1 = yes)"),
            "",
            yes,
            f64::from(u8::from(gives_way)),
        ),
    ])
}
