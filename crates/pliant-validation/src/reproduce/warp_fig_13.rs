//! [Warp Fig. 13]: floppy skin lags behind the skull.
//!
//! ```text
//! lag = h / sqrt(G / rho),   G = E / (2 (1 + nu))                                                   (1)
//! ```
//!
//! (1) is the time that a wave of shear takes through the skin, h thick. So the lag goes as 1 / sqrt(E).

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
pub const STIFF: f64 = 2e4;
/// From the bone to the skin that is watched, m.
const THICKNESS: f64 = 0.026;
/// Half of the first swing of the skull, m.
const HALF: f64 = 7.5e-3;
const SKULL: usize = 0;
const SKIN: usize = 1;
/// The end of the look, s.
const END: f64 = 1.0;

/// A run with another modulus, Pa.
pub fn run(young: f64) -> Result<Vec<Moment>, CaseError> {
    Head::new(&with_young(CREATURE, young), "floppy_creature")?.run(END)
}

/// How much later than the skull the skin comes half of its first way, s.
pub fn lag(course: &[Moment]) -> Option<f64> {
    Some(reaches(course, (SKIN, 1), HALF)? - reaches(course, (SKULL, 1), HALF)?)
}

/// (1), s.
pub fn theory(young: f64) -> f64 {
    THICKNESS / (young / (2.0 * 1.33) / 1000.0).sqrt()
}

fn make(figure: &Figure) -> Result<Reproduction, CaseError> {
    let (soft, stiff) = (run(SOFT)?, run(STIFF)?);
    let counts = Head::new(CREATURE, "floppy_creature")?.counts();
    Ok(Reproduction {
        id: figure.id,
        title: figure.title,
        source: "Warp 2002, section 4.4, figure 13",
        claim: "With an elastic modulus of 1 kPa the skin lags noticeably behind the movement of the skull. The paper prints a picture, no numbers.",
        setup: format!(
            "scenes/floppy_creature.toml: {} tetrahedra of bone that are shaken, {} of skin, E = 1 kPa (and 20 kPa), nu = 0.33, steps of 5 ms",
            counts[0], counts[1]
        ),
        entries: entries(&soft, &stiff),
        tables: Vec::new(),
        differs: "A cylinder stands for the dog. Theory is that of a flat layer of skin; here it is curved, and its surface is free to swing on.",
        svg: plots(&[plot(&soft, SOFT), plot(&stiff, STIFF)]),
    })
}

fn entries(soft: &[Moment], stiff: &[Moment]) -> Vec<Entry> {
    let mut all = Vec::new();
    for (course, young, claim) in [(soft, SOFT, "noticeable"), (stiff, STIFF, "less")] {
        if let Some(found) = lag(course) {
            let quantity = format!("lag of skin of {} kPa", shown(1e-3 * young, 2));
            all.push(Entry::by_theory(&quantity, claim, theory(young), 0.5, found).in_unit("s"));
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
