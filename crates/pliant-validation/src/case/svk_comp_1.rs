//! SVK-COMP-1: a cube between two bonded plates, pressed by a fifth of its height.

use pliant_geometry::box_mesh;
use pliant_solid::law::LawKind;

use crate::CaseError;
use crate::block_statics::{ELEMENTS, Printed, carried, carried_rows};
use crate::specimen::{Specimen, shift};
use crate::verify::{Case, Perturbation, Row};

/// The case.
pub const CASE: Case = Case {
    id: "SVK-COMP-1",
    title: "a bonded cube pressed by 20 %, St. Venant-Kirchhoff",
    source: "A2; independent code on the same mesh, cross-checked with CalculiX and scikit-fem",
    file: "svk_comp_1.rs",
    flaw: Perturbation::MisprintedShear,
    compare,
};

const REFERENCES: [Printed; 2] = [
    Printed { energy: 1.714266, force: [0.0, 0.0, -150.3497] },
    Printed { energy: 1.739183, force: [1.931856, 1.931856, -152.5274] },
];

fn compare(perturbation: Perturbation) -> Result<Vec<Row>, CaseError> {
    let (side, down) = (0.1, 0.02);
    let mut rows = Vec::new();
    for ((element, kind), printed) in ELEMENTS.into_iter().zip(REFERENCES) {
        let law = perturbation.law(LawKind::StVenant, 1e5, 0.3)?;
        let cube = Specimen::new(box_mesh([side; 3], [5; 3], kind)?, law);
        let rest = carried(cube, side, shift([0.0, 0.0, -down]))?;
        rows.extend(carried_rows("SVK-COMP-1", element, &rest, &printed)?);
    }
    Ok(rows)
}
