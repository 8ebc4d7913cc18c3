//! SVK-TWIST-1: a block whose top is turned by 60 degrees without axial motion, its ends bonded.

use pliant_geometry::box_mesh;
use pliant_solid::law::LawKind;
use pliant_solid::{Motion, Turn};

use crate::CaseError;
use crate::block_statics::{DISCRETE, ELEMENTS, Printed, carried, carried_rows, grip};
use crate::measure::Vec3;
use crate::specimen::Specimen;
use crate::verify::{Case, Expected, Perturbation, Row, vector_rows};

/// The case.
pub const CASE: Case = Case {
    id: "SVK-TWIST-1",
    title: "a block twisted by 60 degrees, warping held",
    source: "A2; independent code on the same mesh, cross-checked with CalculiX",
    file: "svk_twist_1.rs",
    flaw: Perturbation::MisprintedShear,
    compare,
};

struct Reference {
    printed: Printed,
    torque: f64,
    edge: Vec3,
    face: Vec3,
}

const REFERENCES: [Reference; 2] = [
    Reference {
        printed: Printed { energy: 1.606013, force: [0.0, 0.0, 14.61041] },
        torque: 3.093071,
        edge: [-0.0319979, 0.0171846, 0.0],
        face: [-0.0073212, 0.0246406, 0.0],
    },
    Reference {
        printed: Printed { energy: 2.07731, force: [-0.2894929, -1.080402, 15.66363] },
        torque: 3.981409,
        edge: [-0.0309607, 0.0165096, 3.322504e-4],
        face: [-0.0073161, 0.0243598, 1.891109e-4],
    },
];

fn compare(perturbation: Perturbation) -> Result<Vec<Row>, CaseError> {
    let height = 0.2;
    let turn = Turn { axis: [0.0, 0.0, 1.0], angle: 60_f64.to_radians(), center: [0.05, 0.05, 0.0] };
    let turned = Motion::Carry { shift: [0.0; 3], turn: Some(turn), over: 1.0 };
    let mut rows = Vec::new();
    for ((element, kind), reference) in ELEMENTS.into_iter().zip(REFERENCES) {
        let law = perturbation.law(LawKind::StVenant, 1e5, 0.3)?;
        let block = Specimen::new(box_mesh([0.1, 0.1, height], [4, 4, 8], kind)?, law);
        let rest = carried(block, height, turned.clone())?;
        rows.extend(carried_rows("SVK-TWIST-1", element, &rest, &reference.printed)?);
        let torque = Expected::relative(reference.torque, DISCRETE.0, DISCRETE.1);
        let (_, ours) = grip(&rest);
        rows.push(Row::new(format!("{element}: torque"), "N m", torque, ours));
        // printed to 7 decimals of a length of 0.03 m: half a digit is 2e-6 of it
        let points = [("mid edge", [0.1, 0.1, 0.1], reference.edge), ("mid face", [0.1, 0.05, 0.1], reference.face)];
        for (name, place, printed) in points {
            let u = rest.moved(place);
            rows.extend(vector_rows(&format!("{element}: u of {name}"), "m", printed, (3e-6, DISCRETE.1), u));
        }
    }
    Ok(rows)
}
