//! FV32-1: the tapered membrane of NAFEMS, as a slab of hexahedra one element thick.
//!
//! Length 10 m, width 5 m at the clamped end and 1 m at the free one, 0.05 m thick, E = 200e9, nu = 0.3, 8000 kg/m^3;
//! z = 0 held along z, the other face free; consistent mass.

use std::f64::consts::TAU;

use pliant_geometry::{BoxElement, box_mesh};
use pliant_solid::MassKind;
use pliant_solid::law::LawKind;

use crate::CaseError;
use crate::lowest_modes::lowest_omegas;
use crate::measure::{Vec3, placed};
use crate::specimen::Specimen;
use crate::verify::{Case, Expected, Origin, Perturbation, Row};

/// The case.
pub const CASE: Case = Case {
    id: "FV32-1",
    title: "NAFEMS FV32: natural frequencies of a tapered membrane",
    source: "A4; NAFEMS, 3 % asked",
    file: "fv32_1.rs",
    flaw: Perturbation::Young(1.1),
    compare,
};

const PUBLISHED: [f64; 6] = [44.623, 130.03, 162.70, 246.05, 379.90, 391.44];

fn tapered([x, y, z]: Vec3) -> Vec3 {
    [x, (y - 0.5) * (5.0 - 0.4 * x), z]
}

fn compare(perturbation: Perturbation) -> Result<Vec<Row>, CaseError> {
    let mesh = box_mesh([10.0, 1.0, 0.05], [24, 8, 1], BoxElement::Hex)?;
    let mesh = mesh.transformed(tapered).map_err(|e| CaseError::Box(e.into()))?;
    let law = perturbation.law(LawKind::Linear, 200e9, 0.3)?;
    let slab = Specimen::new(mesh, law).density(8000.0).mass(MassKind::Consistent);
    let model = slab.hold(|p| p[0] < 1e-9, [true, true, false]).mirror(2).model()?;
    let ours = lowest_omegas(&model, &placed(&model, |p| p), PUBLISHED.len())?;
    let row = |(k, (published, ours)): (usize, (f64, f64))| {
        let expected = Expected::relative(published, 0.03, Origin::Published);
        Row::new(format!("24 x 8: f{}", k + 1), "Hz", expected, ours / TAU)
    };
    Ok(PUBLISHED.into_iter().zip(ours).enumerate().map(row).collect())
}
