//! EMBED-1: a fine surface on a stretched cube of distorted elements moves as the matter would.
//!
//! ```text
//! x -> (1 + e) x,  y -> (1 - nu e) y,  z -> (1 - nu e) z,    e = traction / E                (1)
//! V = (1 + e) (1 - nu e)^2 V0                                                                 (2)
//! ```
//!
//! The surface of [Warp 4.3] is a ring that leans out of the cube on all four sides: the field of a patch test is affine, so that vertices
//! outside must follow it as well.

use pliant_geometry::{Embedding, EmbeddingError, Mesh, Torus};
use pliant_solid::law::LawKind;

use crate::CaseError;
use crate::measure::triple;
use crate::patch::patches;
use crate::rest::Rest;
use crate::specimen::Specimen;
use crate::verify::{Case, Expected, Origin, Perturbation, Row};

/// The case.
pub const CASE: Case = Case {
    id: "EMBED-1",
    title: "a fine surface rides on a few stretched elements, inside and outside",
    source: "[Warp 4.3]; closed form",
    file: "embed_1.rs",
    flaw: Perturbation::Young(1.01),
    compare,
};

const YOUNG: f64 = 1e6;
const POISSON: f64 = 0.25;
const STRAIN: f64 = 0.1;

fn compare(perturbation: Perturbation) -> Result<Vec<Row>, CaseError> {
    let mut rows = Vec::new();
    for (element, mesh) in patches()? {
        rows.extend(on(element, mesh, perturbation)?);
    }
    Ok(rows)
}

fn on(element: &str, mesh: Mesh, perturbation: Perturbation) -> Result<Vec<Row>, CaseError> {
    let embedding = Embedding::bind(&mesh, &ring()?)?;
    let law = perturbation.law(LawKind::Linear, YOUNG, POISSON)?;
    let cube = Specimen::new(mesh, law).mirror(0).mirror(1).mirror(2);
    let rest = cube.traction(|p| p[0] > 1.0 - 1e-9, [STRAIN * YOUNG, 0.0, 0.0]).resting()?;
    let moved = moved(&embedding, &rest);
    let surface = embedding.surface();
    let thinner = 1.0 - POISSON * STRAIN;
    let field = |[x, y, z]: [f64; 3]| [(1.0 + STRAIN) * x, thinner * y, thinner * z]; // (1)
    let off = |(x, at): (&[f64; 3], &[f64; 3])| {
        let exact = field(*at);
        (0..3).fold(0.0, |most: f64, c| most.max((x[c] - exact[c]).abs()))
    };
    let farthest = moved.iter().zip(surface.positions()).map(off).fold(0.0, f64::max);
    let growth = enclosed(surface, &moved) / enclosed(surface, surface.positions());
    let beyond = |p: &&[f64; 3]| p.iter().any(|x| !(0.0..=1.0).contains(x));
    let outside = surface.positions().iter().filter(beyond).count() as f64;
    let exact = |value| Expected::relative(value, 1e-10, Origin::ClosedForm);
    Ok(vec![
        Row::new(
            format!("{element}: volume in the surface"),
            "",
            exact((1.0 + STRAIN) * thinner * thinner), // (2)
            growth,
        ),
        Row::new(
            format!("{element}: vertices off the field"),
            "m",
            Expected::scaled(0.0, STRAIN, 1e-10, Origin::ClosedForm),
            farthest,
        ),
        // the rows above speak of both kinds
        Row::new(
            format!("{element}: vertices outside"),
            "",
            Expected::absolute(outside, 0.0, Origin::ClosedForm),
            embedding.outside().count as f64,
        ),
    ])
}

/// A ring of 1536 vertices about the middle of the unit cube.
fn ring() -> Result<Mesh, CaseError> {
    let ring = Torus { radius: 0.45, tube: 0.15, sections: 64, rim: 24 }.mesh()?;
    Ok(ring.transformed(|p| p.map(|x| x + 0.5)).map_err(EmbeddingError::from)?)
}

fn moved(embedding: &Embedding, rest: &Rest) -> Vec<[f64; 3]> {
    let body = &rest.model().layout().bodies()[0];
    let nodes: Vec<[f64; 3]> = body.world.iter().map(|&node| triple(&rest.full.x, node)).collect();
    let mut out = Vec::new();
    embedding.positions_into(&nodes, &mut out);
    out
}

/// The volume in a closed surface whose vertices are at `at`, m^3.
fn enclosed(surface: &Mesh, at: &[[f64; 3]]) -> f64 {
    let part = |corners: &[u32; 3]| {
        let [a, b, c] = corners.map(|v| at[v as usize]);
        let normal = crate::measure::cross(b, c);
        crate::measure::dot(a, normal) / 6.0
    };
    surface.triangles().iter().map(part).sum()
}
