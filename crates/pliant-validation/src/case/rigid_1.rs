//! RIGID-1: moving and turning a body costs nothing, and turns its forces with it.
//!
//! ```text
//! linear strain of a turn R by t about any axis: e = sym(R) - I = (cos t - 1)(I - n n^T)
//! psi = lambda/2 tr(e)^2 + mu e:e = 2 (lambda + mu) (1 - cos t)^2                           (1)
//! ```
//!
//! (1) is what linear strain must cost here: a test that it passed would be blind.

use pliant_geometry::{BoxElement, Mesh, box_mesh};
use pliant_numerics::Mat3;
use pliant_solid::law::{ElasticModuli, LawKind};
use pliant_solid::{FullState, Model};

use crate::CaseError;
use crate::measure::{Vec3, add, forces, peak, placed, stored, sub, triple};
use crate::patch::{patches, wobble};
use crate::specimen::{NONLINEAR, Specimen};
use crate::verify::{Case, Expected, Origin, Perturbation, Row};

/// The case.
pub const CASE: Case = Case {
    id: "RIGID-1",
    title: "a turn by 179 degrees costs nothing, and turns the forces",
    source: "A1; closed form: zero, and what linear strain costs",
    file: "rigid_1.rs",
    flaw: Perturbation::LinearStrain,
    compare,
};

const YOUNG: f64 = 1e5;
const ANGLE_DEG: f64 = 179.0;

fn compare(perturbation: Perturbation) -> Result<Vec<Row>, CaseError> {
    let mut rows = Vec::new();
    let [hexes, tets] = patches()?;
    let bar = ("tet4 box", box_mesh([0.1, 0.12, 0.08], [2; 3], BoxElement::Tet5)?);
    for (mesh_name, mesh) in [hexes, tets, bar] {
        for (law_name, kind) in NONLINEAR {
            let law = perturbation.law(kind, YOUNG, 0.3)?;
            let model = Specimen::new(mesh.clone(), law).model()?;
            rows.extend(turned(&format!("{mesh_name} {law_name}"), &mesh, &model));
        }
        rows.push(linear_fails(mesh_name, &mesh)?);
    }
    Ok(rows)
}

/// The turn about (1, 2, 3), then a shift of the size of the body.
fn motion(size: f64) -> (Mat3<f64>, impl Fn(Vec3) -> Vec3) {
    let r = Mat3::rotation([1.0, 2.0, 3.0], ANGLE_DEG.to_radians());
    (r, move |p| add(r.mul_vec(p), [0.3 * size, -0.7 * size, size]))
}

fn turned(name: &str, mesh: &Mesh, model: &Model) -> Vec<Row> {
    let (h, volume) = ((mesh.volume() / mesh.cell_count() as f64).cbrt(), mesh.volume());
    let (r, moved) = motion(volume.cbrt());
    let zero = |scale: f64, band: f64| Expected::scaled(0.0, scale, band, Origin::ClosedForm);
    let rigid = placed(model, &moved);
    let (force, energy) = (peak(&forces(model, &rigid)), stored(model, &rigid));
    // any shape, and the same one turned
    let push = wobble(0.1 * h);
    let bent = placed(model, |p| add(p, push(p)));
    let x: Vec<f64> = bent.x.chunks_exact(3).flat_map(|p| moved([p[0], p[1], p[2]])).collect();
    let carried = FullState { v: vec![0.0; x.len()], x, ..FullState::default() };
    let (f0, f1) = (forces(model, &bent), forces(model, &carried));
    let difference = (0..model.layout().node_count() as u32)
        .fold(0.0, |most: f64, n| most.max(peak(&sub(triple(&f1, n), r.mul_vec(triple(&f0, n))))));
    let (w0, w1) = (stored(model, &bent), stored(model, &carried));
    vec![
        Row::new(format!("{name}: force"), "N", zero(YOUNG * h * h, 1e-12), force),
        Row::new(format!("{name}: energy"), "J", zero(YOUNG * volume, 1e-14), energy),
        Row::new(format!("{name}: f(Rx) - R f(x)"), "N", zero(YOUNG * h * h, 1e-12), difference),
        Row::new(format!("{name}: W(Rx) - W(x)"), "J", zero(w0.abs(), 1e-12), w1 - w0),
    ]
}

/// Linear strain must not pass: its energy by (1).
fn linear_fails(name: &str, mesh: &Mesh) -> Result<Row, CaseError> {
    let moduli = ElasticModuli::new(YOUNG, 0.3)?;
    let model = Specimen::new(mesh.clone(), LawKind::Linear(moduli)).model()?;
    let (_, moved) = motion(mesh.volume().cbrt());
    let (lambda, mu) = moduli.lame();
    let cost = 2.0 * (lambda + mu) * (1.0 - ANGLE_DEG.to_radians().cos()).powi(2); // (1)
    let expected = Expected::relative(cost * mesh.volume(), 1e-10, Origin::ClosedForm);
    Ok(Row::new(format!("{name} linear: energy"), "J", expected, stored(&model, &placed(&model, moved))))
}
