//! BAR450-STATIC: a bar of 450 tetrahedra, clamped at z = 0, under a weight along -y.

use pliant_geometry::{BoxElement, box_mesh};
use pliant_solid::law::LawKind;

use crate::CaseError;
use crate::rest::Rest;
use crate::specimen::Specimen;
use crate::verify::{Case, Expected, Origin, Perturbation, Row, vector_rows};

/// The case.
pub const CASE: Case = Case {
    id: "BAR450-STATIC",
    title: "450 tetrahedra bent by up to 0.41 m under their weight",
    source: "A2; CalculiX, dolfinx, GetFEM, scikit-fem and SfePy agree on these digits",
    file: "bar450_static.rs",
    flaw: Perturbation::MisprintedShear,
    compare,
};

const TIP: [f64; 3] = [0.1, 0.1, 1.0];

fn bar(young: f64, perturbation: Perturbation) -> Result<Rest, CaseError> {
    let law = perturbation.law(LawKind::StVenant, young, 0.33)?;
    Specimen::new(box_mesh([0.3, 0.3, 1.0], [3, 3, 10], BoxElement::Tet5)?, law)
        .gravity([0.0, -9.81, 0.0])
        .hold(|p| p[2] < 1e-9, [true; 3])
        .rest()
}

fn compare(perturbation: Perturbation) -> Result<Vec<Row>, CaseError> {
    // Young's modulus, u of the node at (0.1, 0.1, 1.0), smallest det F
    let references = [
        (3e5, [-4.7040226e-5, -0.41413530276, -0.12781349320], 0.768),
        (5e5, [-7.7140648e-6, -0.26622927293, -0.05706690989], 0.868),
        (1e6, [1.4568602e-6, -0.13783851791, -0.01913512714], 0.937),
    ];
    let mut rows = Vec::new();
    for (young, tip, smallest) in references {
        let rest = bar(young, perturbation)?.or_stop()?;
        // printed to 11 decimals of 0.4 m
        let band = (1e-9, Origin::FiveCodes);
        let mut tips = vector_rows(&format!("E = {young:.0e} Pa: u of tip"), "m", tip, band, rest.moved(TIP));
        tips.swap(0, 1);
        rows.extend(tips);
        // printed to 3 decimals
        let expected = Expected::absolute(smallest, 6e-4, Origin::FiveCodes);
        rows.push(Row::new(format!("E = {young:.0e} Pa: smallest det F"), "", expected, rest.smallest_volume_ratio()));
    }
    Ok(rows)
}
