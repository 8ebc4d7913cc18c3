//! BEAM-ROOTS: a slender clamped beam rings at the frequencies of Euler and Bernoulli.
//!
//! ```text
//! f = (beta L)^2 / (2 pi L^2) sqrt(E I / (rho A)),   beta L = 1.87510407, 4.69409113          (1)
//! ```
//!
//! Length 1 m, height and width 0.05 m, nu = 0, nodes move in the plane. 120 cells of a sixth of the height stiffen
//! the beam by (G / E) / 36 = 1.4 %, which is 0.7 % of a frequency; shear and rotary inertia, which (1) leaves out, take
//! 0.2 % of the first and 1.3 % of the second. Hence bands of 1 % and 2 %.

use std::f64::consts::TAU;

use pliant_geometry::{BoxElement, box_mesh};
use pliant_solid::MassKind;
use pliant_solid::law::LawKind;

use crate::CaseError;
use crate::lowest_modes::lowest_omegas;
use crate::measure::placed;
use crate::specimen::Specimen;
use crate::verify::{Case, Expected, Origin, Perturbation, Row};

/// The case.
pub const CASE: Case = Case {
    id: "BEAM-ROOTS",
    title: "a slender beam rings at the frequencies of Euler and Bernoulli",
    source: "A4; roots of cos(x) cosh(x) = -1; the bands are the parts of shear, rotary inertia and locking",
    file: "beam_roots.rs",
    flaw: Perturbation::Young(1.1),
    compare,
};

fn compare(perturbation: Perturbation) -> Result<Vec<Row>, CaseError> {
    let (length, height, young, density) = (1.0, 0.05, 1e6_f64, 1000.0);
    let mesh = box_mesh([length, height, height], [120, 1, 1], BoxElement::Hex)?;
    let law = perturbation.law(LawKind::Linear, young, 0.0)?;
    let model = Specimen::new(mesh, law)
        .mass(MassKind::Consistent)
        .hold(|p| p[0] < 1e-9, [true; 3])
        .hold(|_| true, [false, true, false])
        .model()?;
    let ours = lowest_omegas(&model, &placed(&model, |p| p), 2)?;
    let roots: [(f64, f64); 2] = [(1.87510407, 0.01), (4.69409113, 0.02)];
    let row = |(k, (root, band)): (usize, (f64, f64))| {
        // I / A = h^2 / 12
        let exact = root * root / (TAU * length * length) * (young * height * height / (12.0 * density)).sqrt(); // (1)
        let expected = Expected::relative(exact, band, Origin::ClosedForm);
        Row::new(format!("bending f{}", k + 1), "Hz", expected, ours[k] / TAU)
    };
    Ok(roots.into_iter().enumerate().map(row).collect())
}
