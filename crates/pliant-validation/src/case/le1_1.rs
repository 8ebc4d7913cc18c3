//! LE1-1: the elliptic membrane of NAFEMS, as a slab of hexahedra one element thick.
//!
//! A quarter of a plate between the ellipses 2 x 1 and 3.25 x 2.75 m, 0.1 m thick, E = 210e9, nu = 0.3, plane stress
//! (z = 0 held along z, the other face free), 10 MPa outward on the outer ellipse. Asked: sigma_yy at (2, 0), taken from the
//! strain at that corner of its cell. Coarser meshes cross the target (8 x 8 is below it) and then come down to it.

use std::f64::consts::FRAC_PI_2;

use pliant_geometry::{BoxElement, Mesh, box_mesh};
use pliant_numerics::Mat3;
use pliant_solid::element::{Element, Hex8};
use pliant_solid::law::{ElasticModuli, LawKind};

use crate::CaseError;
use crate::measure::Vec3;
use crate::specimen::Specimen;
use crate::verify::{Case, Expected, Origin, Perturbation, Row};

/// The case.
pub const CASE: Case = Case {
    id: "LE1-1",
    title: "NAFEMS LE1: stress at the edge of an elliptic membrane",
    source: "A3; NAFEMS, 92.7 MPa; 3 % asked on the finest mesh, and that refining comes nearer",
    file: "le1_1.rs",
    flaw: Perturbation::Young(1.1),
    compare,
};

const TARGET: f64 = 92.7e6;

fn compare(perturbation: Perturbation) -> Result<Vec<Row>, CaseError> {
    let (coarse, fine) = (stress(32, perturbation)?, stress(64, perturbation)?);
    let published = Expected::relative(TARGET, 0.03, Origin::Published);
    let nearer = f64::from(u8::from((fine - TARGET).abs() < (coarse - TARGET).abs()));
    let yes = Expected::absolute(1.0, 0.0, Origin::Published);
    Ok(vec![
        Row::new("64 x 64: sigma_yy at (2, 0)", "Pa", published, fine),
        Row::new("64 x 64 is nearer than 32 x 32 (1 = yes)", "", yes, nearer),
    ])
}

/// From (across, around, z) to the plate: ellipses between the inner and the outer one.
fn plate([r, s, z]: Vec3) -> Vec3 {
    let (sin, cos) = (FRAC_PI_2 * s).sin_cos();
    [(2.0 + 1.25 * r) * cos, (1.0 + 1.75 * r) * sin, z]
}

/// Whether a point lies on the outer ellipse.
fn outside(p: Vec3) -> bool {
    ((p[0] / 3.25).powi(2) + (p[1] / 2.75).powi(2) - 1.0).abs() < 1e-9
}

fn stress(n: usize, perturbation: Perturbation) -> Result<f64, CaseError> {
    let mesh = box_mesh([1.0, 1.0, 0.1], [n, n, 1], BoxElement::Hex)?;
    let mesh = mesh.transformed(plate).map_err(|e| CaseError::Box(e.into()))?;
    let slab = Specimen::new(mesh.clone(), perturbation.law(LawKind::Linear, 210e9, 0.3)?);
    let pulled = slab.traction_by(outside, |normal| normal.map(|c| 1e7 * c));
    let rest = pulled.mirror(0).mirror(1).mirror(2).resting()?;
    // stress from strain by the moduli of the benchmark: under given loads it would not depend on the model's
    let moduli = ElasticModuli::new(210e9, 0.3)?;
    Ok(stress_at_corner(&mesh, &rest.displacements(), moduli))
}

/// sigma_yy at the corner of the first cell that rests at (2, 0, 0).
fn stress_at_corner(mesh: &Mesh, u: &[Vec3], moduli: ElasticModuli) -> f64 {
    let cell = mesh.hexes()[0];
    let slopes = Hex8::shape_gradient([-1.0; 3]);
    let sum = |of: &dyn Fn(u32) -> Vec3| {
        (0..8).fold(Mat3::zero(), |sum, i| sum + Mat3::dyad(of(cell[i]), slopes[i]))
    };
    let jacobian = sum(&|n| mesh.positions()[n as usize]);
    let strain = (sum(&|n| u[n as usize]) * jacobian.inverse()).symmetric_part();
    // plane stress: sigma_zz is zero
    let (e, nu) = (moduli.young(), moduli.poisson());
    e / (1.0 - nu * nu) * (strain[(1, 1)] + nu * strain[(0, 0)])
}
