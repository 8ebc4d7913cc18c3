//! [Warp 11], [Warp 12], [Warp 13]: whose rotation warps the stiffness, and where it comes from.
//!
//! ```text
//! e_2 / e_1 = exp(r (t_2 - t_1))                                                           (1)
//! ```
//!
//! (11) one rotation for the body, (12) that of each node, (13) those of both nodes of an edge; rotations of nodes by polar decomposition of the
//! edges [Warp 15] or by a frame on three of them [Warp 16]. e is the kinetic energy beyond the work of the weight, over m g L: it came from nowhere. A bar is
//! unstable once e exceeds 0.1; r of (1) is the growth from there to the largest e.

use pliant_solid::law::{RotationField, Rotations, Warp};

use super::chart::{Curve, Plot, Scale, Stroke, plots};
use super::warp_bars::{Matter, Run, Setup, run};
use super::{Cell, Entry, Figure, Reproduction, Table};
use crate::CaseError;
use crate::verify::shown;

/// The id.
pub const FIGURE: Figure = Figure {
    id: "warp-variants",
    title: "one rotation for the body, for each node, for both nodes of an edge: who stays stable",
    make,
};

/// Every form with every field it can have.
pub const VARIANTS: [(&str, Warp); 5] = [
    ("(11)", Warp { field: RotationField::Polar, rotations: Rotations::Body }),
    ("(12) polar", Warp { field: RotationField::Polar, rotations: Rotations::Node }),
    ("(12) frames", Warp { field: RotationField::Frames, rotations: Rotations::Node }),
    ("(13) polar", Warp { field: RotationField::Polar, rotations: Rotations::Mixed }),
    ("(13) frames", Warp { field: RotationField::Frames, rotations: Rotations::Mixed }),
];

/// Young's moduli that are tried, Pa; the first is the paper's.
const YOUNG: [f64; 4] = [1e5, 3e5, 1e6, 1e7];

/// Where curves are cut, J.
const CUT: f64 = 1000.0;

/// When a bar went wild, and how fast.
#[derive(Clone, Copy, Debug)]
pub struct Growth {
    /// When a tenth of m g L had come from nowhere, s.
    pub since: f64,
    /// r of (1), 1/s.
    pub rate: f64,
}

/// Looks for the growth of energy that came from nowhere, from times (s) and e.
pub fn growth(course: &[[f64; 2]]) -> Option<Growth> {
    let [since, first] = *course.iter().find(|[_, made]| *made > 0.1)?;
    let [until, most] = *course.iter().max_by(|a, b| a[1].total_cmp(&b[1]))?;
    let rate = if until > since { (most / first).ln() / (until - since) } else { 0.0 }; // (1)
    Some(Growth { since, rate })
}

/// Times and e of a run.
pub fn made(run: &Run) -> Vec<[f64; 2]> {
    run.course.iter().map(|m| [m.time, m.made]).collect()
}

struct Bar {
    name: &'static str,
    warp: Warp,
    young: f64,
    run: Run,
}

fn make(figure: &Figure) -> Result<Reproduction, CaseError> {
    let setup = Setup { duration: 2.0, ..Setup::default() }.wide();
    let mut bars = Vec::new();
    for young in YOUNG {
        for (name, warp) in VARIANTS {
            bars.push(Bar { name, warp, young, run: run(Matter::Warped(warp), Setup { young, ..setup })? });
        }
    }
    Ok(Reproduction {
        id: figure.id,
        title: figure.title,
        source: "Warp 2002, section 3, equations 11 to 13, and 3.1 (pages without numbers)",
        claim: "One rotation for the body still grows in volume. One for each node is fast and robust, whichever way it is found. With the \
                rotations of both nodes of an edge instability may emerge, and depends on how rotations are found.",
        setup: format!(
            "the bar of figure 7: 450 tetrahedra, cells of 10 cm, nu = 0.33, 1000 kg/m3, no damping, steps of {} ms, {} s or until ten \
             times m g L have come from nowhere",
            shown(1e3 * setup.step, 2),
            setup.duration
        ),
        entries: entries(&bars),
        tables: vec![table(&bars)],
        differs: "As printed, (13) changes when the whole scene is moved; differences of positions stand for positions here. Frames on three edges \
                  follow the noise of those edges, and nothing in (12) damps what that excites but the step itself; the paper does not tell \
                  its damping. Failed steps are halved, and counted.",
        svg: drawing(&bars),
    })
}

fn entries(bars: &[Bar]) -> Vec<Entry> {
    let mut all = Vec::new();
    for bar in bars.iter().filter(|bar| bar.young == YOUNG[0]) {
        let found = growth(&made(&bar.run));
        let quantity = format!("{}: stable for", bar.name);
        let until = found.map(|g| g.since).or(bar.run.last().map(|m| m.time)).unwrap_or(0.0);
        let grows = found.map_or(String::new(), |g| {
            format!("energy from nowhere grows by exp({} t / s)", shown(g.rate, 2))
        });
        let (claim, verdict) = match (bar.warp.rotations, found.is_some() || bar.run.failure.is_some()) {
            (Rotations::Mixed, true) => ("may be unstable", Ok(grows.as_str())),
            (Rotations::Mixed, false) => ("may be unstable", Err("it is stable here")),
            (_, false) => ("stable", Ok("stable")),
            (_, true) => ("stable", Err(grows.as_str())),
        };
        all.push(Entry::words(&quantity, claim, until, verdict).in_unit("s"));
    }
    let volume = |warp: Warp| {
        let bar = bars.iter().find(|bar| bar.young == YOUNG[0] && bar.warp == warp);
        bar.map_or(f64::NAN, |bar| bar.run.volumes()[1])
    };
    let [body, node] = [VARIANTS[0].1, VARIANTS[1].1].map(volume);
    let more = if body - 1.0 > 2.0 * (node - 1.0) { Ok("grows") } else { Err("this bar hardly bends") };
    all.push(Entry::words("(11): largest volume", "grows", body, more));
    all.push(Entry::by_theory("(12) polar: largest volume", "does not grow", 1.0, 0.05, node));
    all
}

fn table(bars: &[Bar]) -> Table {
    let row = |bar: &Bar| {
        let ([low, high], found) = (bar.run.volumes(), growth(&made(&bar.run)));
        let mut row = vec![Cell::Words(bar.name.into())];
        row.push((1e-3 * bar.young).into());
        row.extend([found.map(|g| g.since), found.map(|g| g.rate)].map(Cell::from));
        row.extend([low, high, bar.run.inverted() as f64, f64::from(bar.run.halvings())].map(Cell::from));
        row
    };
    Table {
        caption: "every form at every stiffness",
        columns: vec![
            "form",
            "E (kPa)",
            "wild from (s)",
            "growth (1/s)",
            "least volume",
            "largest volume",
            "inside out",
            "halvings",
        ],
        rows: bars.iter().map(row).collect(),
    }
}

fn drawing(bars: &[Bar]) -> String {
    let looks = [
        ("#6b7785", Stroke::Dashed),
        ("#2a7fb8", Stroke::Solid),
        ("#2e8b57", Stroke::DashDot),
        ("#c0392b", Stroke::Solid),
        ("#d98a00", Stroke::Dashed),
    ];
    let plot = |young: f64| {
        let curve = |(bar, (color, stroke)): (&Bar, (&'static str, Stroke))| Curve {
            name: bar.name.into(),
            color,
            stroke,
            points: bar.run.course.iter().map(|m| [m.time, m.kinetic.min(CUT)]).collect(),
        };
        Plot {
            title: format!("kinetic energy (J, cut at {CUT}), {} kPa", shown(1e-3 * young, 4)),
            across: "s",
            scale: Scale::Linear,
            curves: bars.iter().filter(|bar| bar.young == young).zip(looks).map(curve).collect(),
        }
    };
    plots(&[plot(YOUNG[0]), plot(YOUNG[2])])
}
