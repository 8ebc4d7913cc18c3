//! [Warp Fig. 1]: stress over stretch, linear and quadratic, beside a real one.
//!
//! ```text
//! linear:     P / E = e                                                                     (1)
//! quadratic:  P / E = (l^3 - l) / 2 = e + 3/2 e^2 + 1/2 e^3,   l = 1 + e                     (2)
//! tissue:     P / E = (exp(a e) - 1) / a = e + a/2 e^2 + ...                                 (3)
//! ```
//!
//! P is force over the area at rest, e the change of length over the length. (2) is uniaxial tension of St. Venant-Kirchhoff:
//! S = E (l^2 - 1)/2 whatever Poisson's ratio, P = l S. (3) is what soft tissue does, dP/de growing with P [Fung 1967]. The
//! factor of e^2 is 0 in (1), 3/2 in (2) whatever E, a/2 in (3): (2) is of second order for a = 3 alone, and nearer
//! than (1) for a > 3/2.

use pliant_geometry::{BoxElement, box_mesh};
use pliant_solid::law::{ElasticModuli, LawKind};

use super::chart::{Curve, Plot, Scale, Stroke, plots};
use super::{Cell, Entry, Figure, Reproduction, Table};
use crate::CaseError;
use crate::specimen::Specimen;

/// The id.
pub const FIGURE: Figure =
    Figure { id: "warp-fig-1", title: "stress over stretch: linear, quadratic, and real matter", make };

/// A law that is pulled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pulled {
    /// Linear strain.
    Linear,
    /// Green's strain.
    Quadratic,
    /// Rubber: neo-Hookean.
    Rubber,
}

/// All of them, as they are drawn.
pub const PULLED: [Pulled; 3] = [Pulled::Linear, Pulled::Quadratic, Pulled::Rubber];

impl Pulled {
    /// In a word or two.
    pub fn name(self) -> &'static str {
        match self {
            Self::Linear => "linear",
            Self::Quadratic => "quadratic",
            Self::Rubber => "neo-Hookean (rubber)",
        }
    }

    fn law(self, moduli: ElasticModuli) -> LawKind {
        match self {
            Self::Linear => LawKind::Linear(moduli),
            Self::Quadratic => LawKind::StVenant(moduli),
            Self::Rubber => LawKind::NeoHookean(moduli),
        }
    }

    /// (1) or (2), P / E.
    pub fn theory(self, strain: f64) -> Option<f64> {
        let stretch = 1.0 + strain;
        match self {
            Self::Linear => Some(strain),
            Self::Quadratic => Some(0.5 * (stretch.powi(3) - stretch)),
            Self::Rubber => None,
        }
    }
}

/// What is free to choose.
#[derive(Clone, Copy, Debug)]
pub struct Setup {
    /// Young's modulus, Pa.
    pub young: f64,
    /// Poisson's ratio.
    pub poisson: f64,
}

impl Default for Setup {
    /// The paper's bar.
    fn default() -> Self {
        Self { young: 1e5, poisson: 0.33 }
    }
}

/// a of (3): moderately stiffening tissue.
const TISSUE: f64 = 5.0;
/// Pulls of the curve, P / E.
const PULLS: [f64; 8] = [0.02, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35];

/// (3), P / E.
pub fn tissue(strain: f64) -> f64 {
    ((TISSUE * strain).exp() - 1.0) / TISSUE
}

/// How much longer a cube gets, over its length, under a pull of so many times E, sides free.
pub fn strain(pulled: Pulled, pull: f64, setup: Setup) -> Result<f64, CaseError> {
    let moduli = ElasticModuli::new(setup.young, setup.poisson)?;
    let cube = Specimen::new(box_mesh([0.1; 3], [2; 3], BoxElement::Tet5)?, pulled.law(moduli));
    let held = cube.mirror(0).mirror(1).mirror(2);
    let rest = held.traction(|p| p[2] > 0.1 - 1e-9, [0.0, 0.0, pull * setup.young]).resting()?;
    Ok(rest.moved([0.1; 3])[2] / 0.1)
}

/// The factor of e^2 in P / E, from a small pull and a small push.
pub fn second_order(pulled: Pulled, setup: Setup) -> Result<f64, CaseError> {
    let factor = |pull: f64| {
        let e = strain(pulled, pull, setup)?;
        Ok::<f64, CaseError>((pull / e - 1.0) / e)
    };
    // the factor of e^3 drops out of the mean
    Ok(0.5 * (factor(0.01)? + factor(-0.01)?))
}

/// The stretch of tissue under a pull: (3) solved for e.
pub fn tissue_strain(pull: f64) -> f64 {
    (TISSUE * pull + 1.0).ln() / TISSUE
}

/// How far a curve of [e, P / E] is from tissue: the mean difference of the stretch under equal pulls.
pub fn distance(curve: &[[f64; 2]]) -> f64 {
    curve.iter().map(|[e, pull]| (e - tissue_strain(*pull)).abs()).sum::<f64>() / curve.len().max(1) as f64
}

/// A law with what was found of it.
struct Found {
    pulled: Pulled,
    /// e and P / E.
    curve: Vec<[f64; 2]>,
    second: f64,
}

fn make(figure: &Figure) -> Result<Reproduction, CaseError> {
    let setup = Setup::default();
    let mut all = Vec::new();
    for pulled in PULLED {
        let points = PULLS.iter().map(|pull| Ok([strain(pulled, *pull, setup)?, *pull]));
        let curve: Result<Vec<[f64; 2]>, CaseError> = points.collect();
        all.push(Found { pulled, curve: curve?, second: second_order(pulled, setup)? });
    }
    let stiffer = second_order(Pulled::Quadratic, Setup { young: 10.0 * setup.young, ..setup })?;
    Ok(Reproduction {
        id: figure.id,
        title: figure.title,
        source: "Warp 2002, section 2.2, figure 1 (pages without numbers)",
        claim: "For some materials quadratic stress approximates the real curve of stress over deformation better than linear stress. It is no full \
                second order approximation, since there is one coefficient only, Young's modulus. The paper draws curves without numbers.",
        setup: format!(
            "a cube of 40 tetrahedra pulled along one axis, sides free, E = 100 kPa, nu = {}, static; tissue: (exp({TISSUE} e) - 1) / {TISSUE}, by formula",
            setup.poisson
        ),
        entries: entries(&all, stiffer),
        tables: vec![table(&all)],
        differs: "The paper does not say whose curve the real one is. Soft tissue stiffens, and is nearer to the quadratic curve; rubber softens at \
                  first in force over area at rest, and is nearer to the linear one. Hence the paper's words, for some materials.",
        svg: drawing(&all),
    })
}

fn entries(all: &[Found], stiffer: f64) -> Vec<Entry> {
    let mut entries = Vec::new();
    for found in all {
        let Some(second) = found.pulled.theory(1.0).map(|_| second_theory(found.pulled)) else { continue };
        let worst = found.curve.iter().filter_map(|[e, pull]| Some(pull / found.pulled.theory(*e)?));
        let worst =
            worst.fold(1.0, |worst: f64, r| if (r - 1.0).abs() > (worst - 1.0).abs() { r } else { worst });
        let name = found.pulled.name();
        entries.push(Entry::by_theory(
            &format!("{name}: stress over its formula, worst"),
            "",
            1.0,
            1e-3,
            worst,
        ));
        let quantity = format!("{name}: factor of e^2");
        let claim = if second == 0.0 { "first order" } else { "not that of the matter" };
        entries.push(match second == 0.0 {
            true => {
                let none = if found.second.abs() < 1e-6 { Ok("none") } else { Err("it is not linear") };
                Entry { theory: Some(0.0), ..Entry::words(&quantity, claim, found.second, none) }
            }
            false => Entry::by_theory(&quantity, claim, second, 0.01, found.second),
        });
    }
    let fixed = Entry::by_theory(
        "quadratic: factor of e^2, E ten times as large",
        "one coefficient only",
        1.5,
        0.01,
        stiffer,
    );
    entries.push(fixed);
    let [linear, quadratic, rubber] = [0, 1, 2].map(|i| &all[i]);
    let nearer = distance(&quadratic.curve) / distance(&linear.curve);
    let better = if nearer < 1.0 { Ok("better") } else { Err("linear is nearer to this tissue") };
    entries.push(Entry::words("tissue: distance of quadratic over that of linear", "better", nearer, better));
    // the factor of e^2 decides which one is nearer to rubber: 0 or 3/2
    let factor = rubber.second;
    let some =
        if factor < 0.75 { Ok("for some only: linear is nearer to rubber") } else { Err("rubber stiffens") };
    entries.push(Entry::words("rubber: factor of e^2", "for some materials", factor, some));
    entries
}

fn second_theory(pulled: Pulled) -> f64 {
    if pulled == Pulled::Quadratic { 1.5 } else { 0.0 }
}

fn table(all: &[Found]) -> Table {
    let row = |i: usize| {
        let mut row = vec![Cell::from(PULLS[i])];
        row.extend(all.iter().map(|found| Cell::from(found.curve[i][0])));
        row.push(tissue_strain(PULLS[i]).into());
        row
    };
    Table {
        caption: "stretch e under a pull",
        columns: vec!["P / E", "linear", "quadratic", "rubber", "tissue"],
        rows: (0..PULLS.len()).map(row).collect(),
    }
}

fn drawing(all: &[Found]) -> String {
    let looks = [("#c0392b", Stroke::Solid), ("#2a7fb8", Stroke::Solid), ("#7d5ba6", Stroke::Dashed)];
    let mut curves: Vec<Curve> = all
        .iter()
        .zip(looks)
        .map(|(found, (color, stroke))| Curve {
            name: found.pulled.name().into(),
            color,
            stroke,
            points: [[0.0; 2]].into_iter().chain(found.curve.iter().copied()).collect(),
        })
        .collect();
    let fine = (0..=50).map(|i| 0.2 * f64::from(i) / 50.0).map(|e| [e, tissue(e)]).collect();
    curves.push(Curve {
        name: "tissue (formula)".into(),
        color: "#2e8b57",
        stroke: Stroke::DashDot,
        points: fine,
    });
    plots(&[Plot {
        title: "force over area at rest, P / E".into(),
        across: "e",
        scale: Scale::Linear,
        curves,
    }])
}
