//! COOK-1: Cook's membrane as a slab of hexahedra one element thick.
//!
//! Corners (0, 0), (48, 44), (48, 60), (0, 44), thickness 1, E = 1, nu = 1/3; z = 0 held along z, the other face free;
//! x = 0 held along x and y; a shear force of 1 on x = 48.

use pliant_geometry::{BoxElement, box_mesh};
use pliant_solid::law::LawKind;

use crate::CaseError;
use crate::measure::Vec3;
use crate::specimen::Specimen;
use crate::verify::{Case, Expected, Origin, Perturbation, Row};

/// The case.
pub const CASE: Case = Case {
    id: "COOK-1",
    title: "Cook's membrane, plain hexahedra one thick",
    source: "A3; independent code on the same mesh (the converged answer is 23.965: plain hexahedra are too stiff)",
    file: "cook_1.rs",
    flaw: Perturbation::Young(1.01),
    compare,
};

fn compare(perturbation: Perturbation) -> Result<Vec<Row>, CaseError> {
    let mut rows = Vec::new();
    for (n, printed) in [(16, 23.34573), (8, 21.82133), (4, 17.78133)] {
        let expected = Expected::relative(printed, 1e-5, Origin::IndependentCode);
        rows.push(Row::new(format!("{n} x {n}: u_y at (48, 52)"), "m", expected, tip(n, perturbation)?));
    }
    Ok(rows)
}

fn membrane([x, y, z]: Vec3) -> Vec3 {
    let (low, high) = (44.0 / 48.0 * x, 44.0 + 16.0 / 48.0 * x);
    [x, low + y * (high - low), z]
}

fn tip(n: usize, perturbation: Perturbation) -> Result<f64, CaseError> {
    let unit = box_mesh([48.0, 1.0, 1.0], [n, n, 1], BoxElement::Hex)?;
    let mesh = unit.transformed(membrane).map_err(|e| CaseError::Box(e.into()))?;
    let law = perturbation.law(LawKind::Linear, 1.0, 1.0 / 3.0)?;
    let rest = Specimen::new(mesh, law)
        .hold(|p| p[0] < 1e-9, [true, true, false])
        .mirror(2)
        .traction(|p| p[0] > 48.0 - 1e-9, [0.0, 1.0 / 16.0, 0.0])
        .resting()?;
    Ok(rest.moved([48.0, 52.0, 0.0])[1])
}
