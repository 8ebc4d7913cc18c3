//! SVK-CANT-1: a clamped beam that bends by half its length under its own weight.

use pliant_geometry::box_mesh;
use pliant_solid::law::LawKind;

use crate::CaseError;
use crate::block_statics::{DISCRETE, ELEMENTS, all_nodes};
use crate::measure::Vec3;
use crate::specimen::Specimen;
use crate::verify::{Case, Expected, Perturbation, Row, vector_rows};

/// The case.
pub const CASE: Case = Case {
    id: "SVK-CANT-1",
    title: "a beam bent by half its length under its own weight",
    source: "A2; independent code on the same mesh, cross-checked with CalculiX",
    file: "svk_cant_1.rs",
    flaw: Perturbation::MisprintedShear,
    compare,
};

/// Energy, u of the tip's centre, u of the middle's centre.
const REFERENCES: [(f64, Vec3, Vec3); 2] = [
    (0.5736636, [-0.0806328, 0.0, -0.2542240], [-0.0230473, 0.0, -0.0944273]),
    (0.4036584, [-0.0347255, 0.0273801, -0.1691235], [-0.0098707, 0.0098353, -0.0617420]),
];

fn compare(perturbation: Perturbation) -> Result<Vec<Row>, CaseError> {
    let mut rows = Vec::new();
    for ((element, kind), (energy, tip, middle)) in ELEMENTS.into_iter().zip(REFERENCES) {
        let law = perturbation.law(LawKind::StVenant, 1e6, 0.3)?;
        let rest = Specimen::new(box_mesh([0.5, 0.05, 0.05], [20, 2, 2], kind)?, law)
            .gravity([0.0, 0.0, -9.81])
            .hold(|p| p[0] < 1e-9, [true; 3])
            .resting()?;
        let u = |x: f64| rest.moved([x, 0.025, 0.025]);
        rows.extend(vector_rows(&format!("{element}: u of tip"), "m", tip, DISCRETE, u(0.5)).into_iter().rev());
        rows.extend(vector_rows(&format!("{element}: u of middle"), "m", middle, DISCRETE, u(0.25)));
        let expected = Expected::relative(energy, DISCRETE.0, DISCRETE.1);
        rows.push(Row::new(format!("{element}: energy"), "J", expected, rest.stored()));
        rows.push(all_nodes(&rest, &format!("SVK-CANT-1_{element}"))?);
    }
    Ok(rows)
}
