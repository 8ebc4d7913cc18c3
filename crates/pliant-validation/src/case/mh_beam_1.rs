//! MH-BEAM-1: the straight cantilever of MacNeal and Harder: plain hexahedra must lock by as much as they do.
//!
//! 6 x 0.2 x 0.1, E = 1e7, nu = 0.3, unit load across the end. Beam theory: 0.1081 in the plane, 0.4321 out of it.

use pliant_geometry::{BoxElement, box_mesh};
use pliant_solid::law::LawKind;

use crate::CaseError;
use crate::measure::Vec3;
use crate::specimen::Specimen;
use crate::verify::{Case, Expected, Origin, Perturbation, Row};

/// The case.
pub const CASE: Case = Case {
    id: "MH-BEAM-1",
    title: "slender cantilever: plain hexahedra lock as they must",
    source: "A3; independent code on the same mesh (beam theory: 0.1081 and 0.4321)",
    file: "mh_beam_1.rs",
    flaw: Perturbation::Young(1.01),
    compare,
};

fn compare(perturbation: Perturbation) -> Result<Vec<Row>, CaseError> {
    let mut rows = Vec::new();
    let meshes = [([60, 2, 2], 0.095487, 0.297827), ([6, 1, 1], 0.010043, 0.010882)];
    for (cells, in_plane, out_of_plane) in meshes {
        let [a, b, c] = cells;
        for (name, load, printed) in
            [("in plane", [0.0, 1.0, 0.0], in_plane), ("out of plane", [0.0, 0.0, 1.0], out_of_plane)]
        {
            let expected = Expected::relative(printed, 1e-4, Origin::IndependentCode);
            let ours = tip(cells, load, perturbation)?;
            rows.push(Row::new(format!("{a} x {b} x {c}: tip, {name}"), "m", expected, ours));
        }
    }
    Ok(rows)
}

/// The displacement of the end under a unit force spread over it, averaged by work.
fn tip(cells: [usize; 3], load: Vec3, perturbation: Perturbation) -> Result<f64, CaseError> {
    let mesh = box_mesh([6.0, 0.2, 0.1], cells, BoxElement::Hex)?;
    let rest = Specimen::new(mesh, perturbation.law(LawKind::Linear, 1e7, 0.3)?)
        .hold(|p| p[0] < 1e-9, [true; 3])
        .traction(|p| p[0] > 6.0 - 1e-9, load.map(|f| f / 0.02))
        .resting()?;
    Ok(rest.work_of_loads())
}
