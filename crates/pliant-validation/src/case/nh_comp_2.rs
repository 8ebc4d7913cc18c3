//! NH-COMP-2: the same cube under the neo-Hookean law, pressed by two fifths.

use pliant_geometry::box_mesh;
use pliant_solid::law::LawKind;

use crate::CaseError;
use crate::block_statics::{ELEMENTS, Printed, carried, carried_rows};
use crate::specimen::{Specimen, shift};
use crate::verify::{Case, Perturbation, Row};

/// The case.
pub const CASE: Case = Case {
    id: "NH-COMP-2",
    title: "a bonded cube pressed by 40 %, neo-Hookean",
    source: "A2; independent code on the same mesh, cross-checked with scikit-fem",
    file: "nh_comp_2.rs",
    flaw: Perturbation::MisprintedShear,
    compare,
};

const REFERENCES: [Printed; 2] = [
    Printed { energy: 11.4449, force: [0.0, 0.0, -677.5777] },
    Printed { energy: 11.67733, force: [11.61255, 11.61255, -693.7758] },
];

fn compare(perturbation: Perturbation) -> Result<Vec<Row>, CaseError> {
    let (side, down) = (0.1, 0.04);
    let mut rows = Vec::new();
    for ((element, kind), printed) in ELEMENTS.into_iter().zip(REFERENCES) {
        let law = perturbation.law(LawKind::NeoHookean, 1e5, 0.3)?;
        let cube = Specimen::new(box_mesh([side; 3], [5; 3], kind)?, law);
        let rest = carried(cube, side, shift([0.0, 0.0, -down]))?;
        rows.extend(carried_rows("NH-COMP-2", element, &rest, &printed)?);
    }
    Ok(rows)
}
