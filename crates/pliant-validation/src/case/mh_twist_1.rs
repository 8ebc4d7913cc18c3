//! MH-TWIST-1: the twisted beam of MacNeal and Harder: warped hexahedra.
//!
//! Length 12, width 1.1, thickness 0.32, twisted by 90 degrees, E = 29e6, nu = 0.22, a unit load at the end.
//! Published for elements that do not lock: 5.424e-3 (Zupan and Saje 2004: 5.424535e-3).

use std::f64::consts::FRAC_PI_2;

use pliant_geometry::{BoxElement, box_mesh};
use pliant_solid::law::LawKind;

use crate::CaseError;
use crate::measure::Vec3;
use crate::specimen::Specimen;
use crate::verify::{Case, Expected, Origin, Perturbation, Row};

/// The case.
pub const CASE: Case = Case {
    id: "MH-TWIST-1",
    title: "twisted beam: warped hexahedra",
    source: "A3; independent code on the same mesh (published for elements that do not lock: 5.424e-3)",
    file: "mh_twist_1.rs",
    flaw: Perturbation::Young(1.01),
    compare,
};

const LENGTH: f64 = 12.0;
const WIDTH: f64 = 1.1;
const THICKNESS: f64 = 0.32;

fn compare(perturbation: Perturbation) -> Result<Vec<Row>, CaseError> {
    let mut rows = Vec::new();
    for (cells, printed) in [([24, 4, 2], 2.71347e-3), ([12, 2, 2], 1.12896e-3)] {
        let [a, b, c] = cells;
        // printed to 6 digits
        let expected = Expected::relative(printed, 1e-5, Origin::IndependentCode);
        rows.push(Row::new(format!("{a} x {b} x {c}: tip"), "m", expected, tip(cells, perturbation)?));
    }
    Ok(rows)
}

/// The section turned about the axis by up to a right angle.
fn twisted([x, y, z]: Vec3) -> Vec3 {
    let (s, c) = (FRAC_PI_2 * x / LENGTH).sin_cos();
    let (y, z) = (y - 0.5 * WIDTH, z - 0.5 * THICKNESS);
    [x, c * y - s * z, s * y + c * z]
}

/// The displacement of the end along a unit force spread over it, averaged by work.
fn tip(cells: [usize; 3], perturbation: Perturbation) -> Result<f64, CaseError> {
    let straight = box_mesh([LENGTH, WIDTH, THICKNESS], cells, BoxElement::Hex)?;
    let mesh = straight.transformed(twisted).map_err(|e| CaseError::Box(e.into()))?;
    let rest = Specimen::new(mesh, perturbation.law(LawKind::Linear, 29e6, 0.22)?)
        .hold(|p| p[0] < 1e-9, [true; 3])
        .traction(|p| p[0] > LENGTH - 1e-9, [0.0, 0.0, 1.0 / (WIDTH * THICKNESS)])
        .resting()?;
    Ok(rest.work_of_loads())
}
