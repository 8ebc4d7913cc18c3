//! BAR450-STATIC: a bar of 450 tetrahedra, clamped at z = 0, under a weight along -y.
//!
//! ```text
//! at a fold of the path of equilibria  (least eigenvalue of K)^2 ~ s* - s                     (1)
//! ```
//!
//! At E = 1e5 Pa there is no sound equilibrium under the whole weight: s = 1 lies beyond the fold s*. Where that is follows by (1) from bars that are
//! just stiff enough: E / s under the whole weight is E under the part s of it.

use pliant_geometry::{BoxElement, box_mesh};
use pliant_solid::integrator::Divergence;
use pliant_solid::law::LawKind;

use crate::CaseError;
use crate::lowest_modes::lowest_omegas;
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
    rows.extend(too_soft(perturbation)?);
    Ok(rows)
}

/// E = 1e5 Pa: two codes return a root with det F = -1.08; it must be refused.
fn too_soft(perturbation: Perturbation) -> Result<Vec<Row>, CaseError> {
    let soft = bar(1e5, perturbation)?;
    let gives_way = matches!(soft.refusal.as_ref().map(|r| r.reason), Some(Divergence::LostDefiniteness { .. }));
    let exactly = |value: f64| Expected::absolute(value, 0.0, Origin::FiveCodes);
    // loads near the fold, chosen with the result in view: (1) is its first term
    let [far, near] = [0.655, 0.657];
    let [a, b] = [least_stiffness(far, perturbation)?, least_stiffness(near, perturbation)?].map(|l| l * l);
    let fold = near + (near - far) * b / (a - b); // (1)
    let borne = Expected::absolute(fold, 5e-4, Origin::ClosedForm);
    Ok(vec![
        Row::new("E = 1e5 Pa: refused (1 = yes)", "", exactly(1.0), f64::from(u8::from(gives_way))),
        Row::new("E = 1e5 Pa: cells inside out, kept", "", exactly(0.0), soft.inverted() as f64),
        Row::new("E = 1e5 Pa: part of the weight borne", "", borne, soft.load()),
    ])
}

/// The least eigenvalue of K over E and the mass, for E = 1e5 Pa under a part of the weight.
fn least_stiffness(part: f64, perturbation: Perturbation) -> Result<f64, CaseError> {
    let young = 1e5 / part;
    let rest = bar(young, perturbation)?;
    let omegas = lowest_omegas(rest.model(), &rest.full, 1)?;
    Ok(omegas[0] * omegas[0] / young)
}
