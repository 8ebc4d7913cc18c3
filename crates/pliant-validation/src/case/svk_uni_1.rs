//! SVK-UNI-1: uniaxial stress of St. Venant-Kirchhoff, with free sides.
//!
//! ```text
//! P11 = (E/2) l (l^2 - 1),   lateral stretch = sqrt(1 - nu (l^2 - 1))                        (1)
//! ```

use pliant_geometry::box_mesh;
use pliant_solid::law::LawKind;

use crate::CaseError;
use crate::block_statics::ELEMENTS;
use crate::measure::{displacement_at, forces, nodes_in, placed, sum_over};
use crate::newton::Equilibrium;
use crate::specimen::Specimen;
use crate::verify::{Case, Expected, Origin, Perturbation, Row};

/// The case.
pub const CASE: Case = Case {
    id: "SVK-UNI-1",
    title: "uniaxial stress of St. Venant-Kirchhoff, free sides",
    source: "A1; closed form",
    file: "svk_uni_1.rs",
    flaw: Perturbation::MisprintedShear,
    compare,
};

const YOUNG: f64 = 1e5;
const POISSON: f64 = 0.3;

fn compare(perturbation: Perturbation) -> Result<Vec<Row>, CaseError> {
    let mut rows = Vec::new();
    // the last is where |P| peaks: 1/sqrt(3), -19245.0090 Pa
    let printed = [(0.7, -17850.0), (0.9, -8550.0), (1.2, 26400.0), (1.5, 93750.0), (1.0 / 3_f64.sqrt(), -YOUNG / 27_f64.sqrt())];
    for (element, kind) in ELEMENTS {
        for (stretch, stress) in printed {
            let law = perturbation.law(LawKind::StVenant, YOUNG, POISSON)?;
            let model = Specimen::new(box_mesh([1.0; 3], [1; 3], kind)?, law).model()?;
            // symmetry planes at x, y, z = 0; x = 1 pulled; sides move along y and z
            let mut state = Equilibrium::new(&model, |p, axis| axis != 0 && p[axis] > 0.5);
            state.full = placed(&model, |p| [stretch * p[0], p[1], p[2]]);
            state.settle()?;
            let end = nodes_in(model.layout(), |p| p[0] > 0.5);
            let pull = -sum_over(&end, &forces(&model, &state.full))[0];
            let across = 1.0 + displacement_at(model.layout(), &state.full.x, [1.0; 3])[1];
            let exact = (1.0 - POISSON * (stretch * stretch - 1.0)).sqrt();
            rows.push(Row::new(
                format!("{element}: P at stretch {stretch:.4}"),
                "Pa",
                Expected::relative(stress, 1e-9, Origin::ClosedForm),
                pull,
            ));
            rows.push(Row::new(
                format!("{element}: lateral stretch"),
                "",
                Expected::relative(exact, 1e-9, Origin::ClosedForm),
                across,
            ));
        }
    }
    Ok(rows)
}
