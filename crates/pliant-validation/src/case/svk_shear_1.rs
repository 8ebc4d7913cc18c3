//! SVK-SHEAR-1: simple shear of St. Venant-Kirchhoff, F = I + g e1 (x) e2 with g = 0.5.
//!
//! ```text
//! P12 = mu g + (lambda/2 + mu) g^3,   W = 5859.375 J/m^3   at E = 1e5, nu = 0.3              (1)
//! ```

use pliant_geometry::box_mesh;
use pliant_solid::law::LawKind;

use crate::CaseError;
use crate::block_statics::ELEMENTS;
use crate::measure::{mean_piola, placed, stored};
use crate::specimen::Specimen;
use crate::verify::{Case, Expected, Origin, Perturbation, Row};

/// The case.
pub const CASE: Case = Case {
    id: "SVK-SHEAR-1",
    title: "simple shear of St. Venant-Kirchhoff by 0.5",
    source: "A1; closed form, printed to 4 decimals",
    file: "svk_shear_1.rs",
    flaw: Perturbation::MisprintedShear,
    compare,
};

fn compare(perturbation: Perturbation) -> Result<Vec<Row>, CaseError> {
    let g = 0.5;
    // E = 1e5, nu = 0.3: lambda = 57692.3077 Pa, mu = 38461.5385 Pa, as fractions
    let (lambda, mu) = (750_000.0 / 13.0, 500_000.0 / 13.0);
    let stresses = [
        ("P12", (0, 1), mu * g + (0.5 * lambda + mu) * g * g * g),
        ("P21", (1, 0), mu * g),
        ("P11", (0, 0), (0.5 * lambda + mu) * g * g),
        ("P22", (1, 1), (0.5 * lambda + mu) * g * g),
        ("P33", (2, 2), 0.5 * lambda * g * g),
    ];
    let closed = |value: f64| Expected::relative(value, 1e-10, Origin::ClosedForm);
    let mut rows = Vec::new();
    for (element, kind) in ELEMENTS {
        let law = perturbation.law(LawKind::StVenant, 1e5, 0.3)?;
        let model = Specimen::new(box_mesh([1.0; 3], [1; 3], kind)?, law).model()?;
        let full = placed(&model, |p| [p[0] + g * p[1], p[1], p[2]]);
        let piola = mean_piola(&model, &full);
        for (name, place, value) in stresses {
            rows.push(Row::new(format!("{element}: {name}"), "Pa", closed(value), piola[place]));
        }
        rows.push(Row::new(format!("{element}: energy"), "J", closed(5859.375), stored(&model, &full)));
    }
    Ok(rows)
}
