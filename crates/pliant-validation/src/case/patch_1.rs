//! PATCH-1: distorted elements carry a uniform small strain exactly (MacNeal and Harder 1985).

use pliant_geometry::Mesh;
use pliant_numerics::Mat3;
use pliant_solid::law::LawKind;

use crate::CaseError;
use crate::measure::{mean_piola, placed};
use crate::patch::{on_cube, patches};
use crate::specimen::Specimen;
use crate::verify::{Case, Expected, Origin, Perturbation, Row};

/// The case.
pub const CASE: Case = Case {
    id: "PATCH-1",
    title: "patch test, distorted elements, small strain",
    source: "A1; MacNeal and Harder 1985 (stresses published), energy in closed form",
    file: "patch_1.rs",
    flaw: Perturbation::Young(1.01),
    compare,
};

fn compare(perturbation: Perturbation) -> Result<Vec<Row>, CaseError> {
    let mut rows = Vec::new();
    for (element, mesh) in patches()? {
        rows.extend(on(element, mesh, perturbation)?);
    }
    Ok(rows)
}

fn on(element: &str, mesh: Mesh, perturbation: Perturbation) -> Result<Vec<Row>, CaseError> {
    // u = 1e-3 (2x+y+z, x+2y+z, x+y+2z) / 2
    let h = Mat3([[2.0, 1.0, 1.0], [1.0, 2.0, 1.0], [1.0, 1.0, 2.0]]).scale(0.5e-3);
    let patch = Specimen::new(mesh, perturbation.law(LawKind::Linear, 1e6, 0.25)?);
    // inner nodes start at rest, off the field
    let rest = patch.displace(on_cube, move |p| h.mul_vec(p)).resting()?;
    let target = placed(rest.model(), |p| h.add_diagonal(1.0).mul_vec(p));
    let off = rest.full.x.iter().zip(&target.x).fold(0.0, |most: f64, (a, b)| most.max((a - b).abs()));
    let stress = mean_piola(rest.model(), &rest.full);
    let band = 1e-10;
    let published = |value: f64| Expected::relative(value, band, Origin::Published);
    Ok(vec![
        Row::new(format!("{element}: sigma_xx"), "Pa", published(2000.0), stress[(0, 0)]),
        Row::new(format!("{element}: sigma_yy"), "Pa", published(2000.0), stress[(1, 1)]),
        Row::new(format!("{element}: sigma_zz"), "Pa", published(2000.0), stress[(2, 2)]),
        Row::new(format!("{element}: tau_xy"), "Pa", published(400.0), stress[(0, 1)]),
        Row::new(format!("{element}: tau_yz"), "Pa", published(400.0), stress[(1, 2)]),
        Row::new(format!("{element}: tau_zx"), "Pa", published(400.0), stress[(2, 0)]),
        // displacements are up to 2e-3 m
        Row::new(
            format!("{element}: inner nodes off the field"),
            "m",
            Expected::scaled(0.0, 2e-3, band, Origin::Published),
            off,
        ),
        Row::new(
            format!("{element}: energy"),
            "J",
            Expected::relative(3.6, band, Origin::ClosedForm),
            rest.stored(),
        ),
    ])
}
