//! PATCH-2: distorted elements carry a uniform finite strain exactly.

use pliant_geometry::Mesh;
use pliant_numerics::Mat3;
use pliant_solid::law::LawKind;

use crate::CaseError;
use crate::measure::{mean_piola, placed};
use crate::patch::{on_cube, patches, wobble};
use crate::specimen::Specimen;
use crate::verify::{Case, Expected, MakeLaw, Origin, Perturbation, Row};

/// The case.
pub const CASE: Case = Case {
    id: "PATCH-2",
    title: "patch test, distorted elements, finite strain",
    source: "A1; closed form, neo-Hookean printed to 10 digits",
    file: "patch_2.rs",
    flaw: Perturbation::MisprintedShear,
    compare,
};

const F: Mat3<f64> = Mat3([[1.2, 0.3, 0.0], [0.0, 0.9, 0.1], [0.2, 0.0, 1.1]]);

struct Law {
    name: &'static str,
    kind: MakeLaw,
    piola: Mat3<f64>,
    energy: f64,
    band: f64,
}

const LAWS: [Law; 2] = [
    Law {
        name: "st-venant",
        kind: LawKind::StVenant,
        piola: Mat3([
            [417_600.0, 196_800.0, 116_400.0],
            [138_400.0, 75_600.0, 53_200.0],
            [159_200.0, 68_400.0, 246_400.0],
        ]),
        energy: 84_100.0,
        band: 1e-10,
    },
    Law {
        name: "neo-hookean",
        kind: LawKind::NeoHookean,
        piola: Mat3([
            [207_147.713_5, 114_487.832_6, 49_609.506_6],
            [90_950.762_2, -3_803.048_7, 23_463.497_8],
            [71_731.748_9, 33_073.004_4, 142_342.960_2],
        ]),
        energy: 55_364.091_4,
        band: 1e-9,
    },
];

fn compare(perturbation: Perturbation) -> Result<Vec<Row>, CaseError> {
    let mut rows = Vec::new();
    for (element, mesh) in patches()? {
        for law in &LAWS {
            rows.extend(on(element, mesh.clone(), law, perturbation)?);
        }
    }
    Ok(rows)
}

fn on(element: &str, mesh: Mesh, law: &Law, perturbation: Perturbation) -> Result<Vec<Row>, CaseError> {
    let patch = Specimen::new(mesh, perturbation.law(law.kind, 1e6, 0.25)?);
    // from rest the inner nodes would be right at once: they start off it
    let push = wobble(0.02);
    let pushed = patch.guess(move |p| if on_cube(p) { [0.0; 3] } else { push(p) });
    let rest = pushed.displace(on_cube, |p| F.add_diagonal(-1.0).mul_vec(p)).resting()?;
    let target = placed(rest.model(), |p| F.mul_vec(p));
    let off = rest.full.x.iter().zip(&target.x).fold(0.0, |most: f64, (a, b)| most.max((a - b).abs()));
    let piola = mean_piola(rest.model(), &rest.full);
    let worst = (piola - law.piola).0.as_flattened().iter().fold(0.0, |most: f64, d| most.max(d.abs()));
    let name = format!("{element} {}", law.name);
    let energy = Expected::relative(law.energy, law.band, Origin::ClosedForm);
    let xx = Expected::relative(law.piola[(0, 0)], law.band, Origin::ClosedForm);
    let stress = Expected::scaled(0.0, law.piola.norm(), law.band, Origin::ClosedForm);
    Ok(vec![
        Row::new(format!("{name}: P_xx"), "Pa", xx, piola[(0, 0)]),
        Row::new(format!("{name}: worst difference of P"), "Pa", stress, worst),
        Row::new(format!("{name}: energy"), "J", energy, rest.stored()),
        Row::new(
            format!("{name}: inner nodes off"),
            "m",
            Expected::absolute(0.0, 1e-10, Origin::ClosedForm),
            off,
        ),
    ])
}
