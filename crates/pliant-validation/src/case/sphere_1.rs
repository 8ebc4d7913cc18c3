//! SPHERE-1: a free sphere of tetrahedra against the same mesh in an independent code, and against Lamb's sphere.
//!
//! a = 0.1 m, E = 1e6, nu = 0.3, 1000 kg/m^3, consistent mass. The five lowest modes are one of the exact sphere
//! (torsional n = 2, omega a / c_s = 2.50113), 5 % too high on this mesh; the radial one is 1.5 % too high.

use pliant_solid::MassKind;
use pliant_solid::law::{ElasticModuli, LawKind};

use crate::CaseError;
use crate::lowest_modes::lowest_omegas;
use crate::measure::placed;
use crate::reference::reference_mesh;
use crate::specimen::Specimen;
use crate::verify::{Case, Expected, Origin, Perturbation, Row};

/// The case.
pub const CASE: Case = Case {
    id: "SPHERE-1",
    title: "natural frequencies of a free sphere, 1243 tetrahedra",
    source: "A4; independent code on the same mesh; Lamb's exact sphere is 5 % (torsion) and 1.5 % (radial) below",
    file: "sphere_1.rs",
    flaw: Perturbation::Young(1.01),
    compare,
};

fn compare(perturbation: Perturbation) -> Result<Vec<Row>, CaseError> {
    let (radius, density) = (0.1, 1000.0_f64);
    let law = perturbation.law(LawKind::Linear, 1e6, 0.3)?;
    let model = Specimen::new(reference_mesh("SPHERE_tet4.vtk")?, law).mass(MassKind::Consistent).model()?;
    // the radial mode is about the fortieth
    let omegas = lowest_omegas(&model, &placed(&model, |p| p), 60)?;
    // speeds of the sound law
    let (lambda, mu) = ElasticModuli::new(1e6, 0.3)?.lame();
    let (shear, pressure) = ((mu / density).sqrt(), ((lambda + 2.0 * mu) / density).sqrt());
    let discrete = |value: f64| Expected::relative(value, 1e-6, Origin::IndependentCode);
    let printed = [2.623341, 2.625835, 2.628495, 2.632932, 2.640164];
    let torsion = |(k, value): (usize, f64)| {
        Row::new(format!("omega a / c_s, mode {}", k + 1), "", discrete(value), omegas[6 + k] * radius / shear)
    };
    let mut rows: Vec<Row> = printed.into_iter().enumerate().map(torsion).collect();
    // the radial mode is the one among them that comes nearest to the printed value
    let radial = omegas.iter().map(|w| w * radius / pressure);
    let nearest = radial.min_by(|a, b| (a - 2.711476).abs().total_cmp(&(b - 2.711476).abs()));
    rows.push(Row::new("radial omega a / c_p", "", discrete(2.711476), nearest.unwrap_or(f64::NAN)));
    Ok(rows)
}
