//! [Warp Fig. 8]: longer bars at the same step: who stays stable.
//!
//! The paper's nonlinear model takes one linearised step with the Jacobian of its start. Unstable means here: kinetic energy beyond the work of the weight,
//! by a tenth of m g L. Beside it stands the same law with Newton's method, where halvings of steps and elements inside out
//! tell what is wrong with the law itself.

use super::chart::{Curve, Plot, Scale, Stroke, plots};
use super::warp_bars::{LONG, Matter, Run, SHORT, Setup, run};
use super::{Cell, Entry, Figure, Reproduction, Table};
use crate::CaseError;
use crate::verify::shown;

/// The id.
pub const FIGURE: Figure =
    Figure { id: "warp-fig-8", title: "longer bars at the same step: who stays stable", make };

/// What is run, in the order of the table.
pub const MODELS: [Matter; 5] =
    [Matter::Linear, Matter::POLAR, Matter::Corotated, Matter::NonlinearOnce, Matter::Nonlinear];

/// Cells and steps (s) that are run: the paper's two bars, and the long one in longer steps.
const BARS: [(usize, f64); 4] = [(SHORT, 0.01), (LONG, 0.01), (LONG, 0.02), (LONG, 0.03)];

/// Whether a bar came through.
pub fn is_stable(run: &Run) -> bool {
    run.wild.is_none() && run.failure.is_none()
}

/// Where curves are cut, J.
const CUT: f64 = 4000.0;

struct Bar {
    matter: Matter,
    cells: usize,
    step: f64,
    run: Run,
}

fn make(figure: &Figure) -> Result<Reproduction, CaseError> {
    let setup = Setup::default();
    let mut bars = Vec::new();
    for (cells, step) in BARS {
        for matter in MODELS {
            bars.push(Bar { matter, cells, step, run: run(matter, Setup { cells, step, ..setup })? });
        }
    }
    Ok(Reproduction {
        id: figure.id,
        title: figure.title,
        source: "Warp 2002, section 4.1, figure 8",
        claim: "With 4 x 4 x 18 nodes and 765 tetrahedra the linear and the warped bar are still stable at steps of 10 ms, while the nonlinear one \
                diverges even when it is a little longer than that of figure 7.",
        setup: format!(
            "cells of 10 cm, E = {} kPa, nu = 0.33, 1000 kg/m3, no damping, {} s or until ten times m g L have come from nowhere",
            shown(1e-3 * setup.young, 3),
            setup.duration
        ),
        entries: bars.iter().map(entry).collect(),
        tables: vec![table(&bars)],
        differs: "The paper's nonlinear model is one linearised step with the Jacobian of its start. Newton's method in every step shows that the \
                  step is not all of it: St. Venant-Kirchhoff gives way under pressure, elements turn inside out, and there the Jacobian is \
                  no longer definite. Failed steps are halved here, and counted.",
        svg: plots(&[plot(&bars, BARS[0]), plot(&bars, BARS[1])]),
    })
}

fn entry(bar: &Bar) -> Entry {
    let Bar { matter, cells, step, run } = bar;
    let quantity = format!("{}, {} tets, {} ms: stable for", matter.name(), 45 * cells, shown(1e3 * step, 2));
    let until = run.wild.or(run.failure.as_ref().map(|f| f.time)).or(run.last().map(|m| m.time));
    let (until, papers) = (until.unwrap_or(0.0), *step == BARS[0].1);
    let not = format!("it makes {} m g L from nowhere", shown(run.made(), 2));
    let law = format!("the law gives way first: {} cells inside out, no energy from nowhere", run.inverted());
    let inside_out = format!("stable, {} cells inside out", run.inverted());
    let plain = if run.inverted() == 0 { "stable" } else { inside_out.as_str() };
    let (claim, found) = match (matter, is_stable(run)) {
        (Matter::NonlinearOnce, true) if papers && *cells == LONG => ("diverges", Err(law.as_str())),
        (Matter::NonlinearOnce, false) if *cells == LONG => ("diverges", Ok("diverges")),
        (Matter::Corotated | Matter::Nonlinear, true) => ("theory: stable", Ok(plain)),
        (Matter::Corotated | Matter::Nonlinear, false) => ("theory: stable", Err(not.as_str())),
        (_, true) => (if papers { "stable" } else { "theory: stable" }, Ok(plain)),
        (_, false) => (if papers { "stable" } else { "theory: stable" }, Err(not.as_str())),
    };
    Entry::words(&quantity, claim, until, found).in_unit("s")
}

fn table(bars: &[Bar]) -> Table {
    let row = |Bar { matter, cells, step, run }: &Bar| {
        let [low, high] = run.volumes();
        let mut row = vec![Cell::Words(matter.name().into())];
        row.extend([(45 * cells) as f64, 1e3 * step, run.made(), low, high].map(Cell::from));
        row.extend([run.inverted() as f64, f64::from(run.halvings())].map(Cell::from));
        row.push(
            run.failure
                .as_ref()
                .map_or(Cell::Empty, |f| Cell::Words(format!("stopped at {} s", shown(f.time, 3)))),
        );
        row
    };
    Table {
        caption: "every run",
        columns: vec![
            "model",
            "tets",
            "step (ms)",
            "from nowhere / m g L",
            "least volume",
            "largest volume",
            "inside out",
            "halvings",
            "failure",
        ],
        rows: bars.iter().map(row).collect(),
    }
}

fn plot(bars: &[Bar], (cells, step): (usize, f64)) -> Plot {
    let looks = [
        ("#c0392b", Stroke::Solid),
        ("#2a7fb8", Stroke::Solid),
        ("#7d5ba6", Stroke::Dashed),
        ("#d98a00", Stroke::Solid),
        ("#2e8b57", Stroke::DashDot),
    ];
    let curve = |(bar, (color, stroke)): (&Bar, (&'static str, Stroke))| Curve {
        name: bar.matter.name().into(),
        color,
        stroke,
        points: bar.run.course.iter().map(|m| [m.time, m.kinetic.min(CUT)]).collect(),
    };
    Plot {
        title: format!("kinetic energy (J, cut at {CUT}), {} tets", 45 * cells),
        across: "s",
        scale: Scale::Linear,
        curves: bars
            .iter()
            .filter(|bar| bar.cells == cells && bar.step == step)
            .zip(looks)
            .map(curve)
            .collect(),
    }
}
