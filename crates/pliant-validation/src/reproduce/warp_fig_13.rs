//! [Warp Fig. 13]: floppy skin lags behind the skull.
//!
//! ```text
//! lag = 2 h / sqrt(G / rho),   G = E / (2 (1 + nu))                                                 (1)
//! ```
//!
//! A layer of skin, h thick, on a bone that is jerked aside swings in shear with four times the time that a wave of shear takes through it; its crest comes after
//! half of that, (1). So the lag goes as 1 / sqrt(E).

use super::chart::{Curve, Plot, Scale, Stroke, plots};
use super::heads::{CREATURE, Head, Moment, reaches, with_young};
use super::{Entry, Figure, Reproduction};
use crate::CaseError;
use crate::verify::shown;

/// The id.
pub const FIGURE: Figure = Figure { id: "warp-fig-13", title: "skin of 1 kPa lags behind the skull", make };

/// Modulus of the scene, Pa, and of skin to compare with.
pub const SOFT: f64 = 1e3;
/// See [`SOFT`].
pub const STIFF: f64 = 4e3;
/// Half of the first way of the skull, m.
const HALF: f64 = 1e-2;
const SKULL: usize = 0;
const SKIN: usize = 1;
/// The end of the look, s.
const END: f64 = 0.4;

/// A run with another modulus, Pa.
pub fn run(young: f64) -> Result<Vec<Moment>, CaseError> {
    Head::new(&with_young(CREATURE, young), "floppy_creature")?.run(END)
}

/// How much later than the skull is half way the skin has its first crest, s.
pub fn lag(course: &[Moment]) -> Option<f64> {
    let aside = |m: &Moment| m.probes[SKIN][1];
    let crest = course
        .windows(3)
        .find(|w| aside(&w[1]) > HALF && aside(&w[0]) < aside(&w[1]) && aside(&w[1]) >= aside(&w[2]))?;
    Some(crest[1].time - reaches(course, (SKULL, 1), HALF)?)
}

/// How thick the skin is where it is watched, m: above the bone.
pub fn thickness(head: &Head) -> Option<f64> {
    let (whole, bone) = head.meshes()?;
    let top = |mesh: &pliant_geometry::Mesh| {
        mesh.positions().iter().map(|p| p[2]).fold(f64::NEG_INFINITY, f64::max)
    };
    Some(top(&whole) - top(&bone))
}

/// (1), s.
pub fn theory(young: f64, thickness: f64) -> f64 {
    2.0 * thickness / (young / (2.0 * 1.33) / 1000.0).sqrt()
}

fn make(figure: &Figure) -> Result<Reproduction, CaseError> {
    let (soft, stiff) = (run(SOFT)?, run(STIFF)?);
    let head = Head::new(CREATURE, "floppy_creature")?;
    let (counts, thick) = (head.counts(), thickness(&head).unwrap_or(f64::NAN));
    Ok(Reproduction {
        id: figure.id,
        title: figure.title,
        source: "Warp 2002, section 4.4, figure 13 (pages without numbers)",
        claim: "With an elastic modulus of 1 kPa the skin lags noticeably behind the movement of the skull. The paper prints a picture, no numbers.",
        setup: format!(
            "scenes/floppy_creature.toml: {} tetrahedra of bone that are jerked aside by 2 cm, {} of skin, {} cm thick, E = 1 kPa (and 4 kPa), nu = 0.33, steps of 2 ms",
            counts[0],
            counts[1],
            shown(100.0 * thick, 2)
        ),
        entries: entries(&soft, &stiff, thick),
        tables: Vec::new(),
        differs: "A cylinder stands for the dog. Theory is that of a flat layer of skin; here it is curved, and its surface is free to swing on.",
        svg: plots(&[plot(&soft, SOFT), plot(&stiff, STIFF)]),
    })
}

fn entries(soft: &[Moment], stiff: &[Moment], thick: f64) -> Vec<Entry> {
    let mut all = Vec::new();
    for (course, young, claim) in [(soft, SOFT, "noticeable"), (stiff, STIFF, "less")] {
        if let Some(found) = lag(course) {
            let quantity = format!("lag of skin of {} kPa", shown(1e-3 * young, 2));
            all.push(Entry::by_theory(&quantity, claim, theory(young, thick), 0.3, found).in_unit("s"));
        }
    }
    all
}

fn plot(course: &[Moment], young: f64) -> Plot {
    let curve = |name: &str, probe: usize, color, stroke| Curve {
        name: name.into(),
        color,
        stroke,
        points: course.iter().map(|m| [m.time, 100.0 * m.probes[probe][1]]).collect(),
    };
    Plot {
        title: format!("aside, cm; skin of {} kPa", shown(1e-3 * young, 2)),
        across: "s",
        scale: Scale::Linear,
        curves: vec![
            curve("skull", SKULL, "#7d5ba6", Stroke::Dashed),
            curve("skin", SKIN, "#c0392b", Stroke::Solid),
        ],
    }
}
