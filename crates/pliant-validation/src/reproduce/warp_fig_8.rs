//! [Warp Fig. 8]: longer bars at the same step: who stays stable.
//!
//! The paper's nonlinear model takes one linearised step with the Jacobian of its start. Unstable means here: kinetic energy beyond the work of the
//! weight, by a tenth of m g L. Beside it stands the same law with Newton's method, where halvings of steps and elements inside out
//! tell what is wrong with the law itself.

use super::chart::{Curve, Plot, Scale, plots};
use super::warp_bars::{CELL, LONG, LONGER, MODELS, Matter, Run, SHORT, Setup, WIDE, run};
use super::warp_fig_6::{in_cm, look};
use super::{Cell, Entry, Figure, Reproduction, Table};
use crate::CaseError;
use crate::verify::shown;

/// The id.
pub const FIGURE: Figure =
    Figure { id: "warp-fig-8", title: "longer bars at the same step: who stays stable", make };

/// Width (m), cells and step (s) of the bars: the paper's two, one a little longer than the first, the long one in long steps and in wide cells.
const BARS: [(f64, usize, f64); 5] =
    [(CELL, SHORT, 0.01), (CELL, LONGER, 0.01), (CELL, LONG, 0.01), (CELL, LONG, 0.03), (WIDE, LONG, 0.01)];

/// Whether a bar came through without energy from nowhere.
pub fn is_stable(run: &Run) -> bool {
    run.wild.is_none() && run.failure.is_none()
}

/// Whether it also kept its elements the right way out, and solved every step at its length.
pub fn is_sound(run: &Run) -> bool {
    is_stable(run) && run.inverted() == 0 && run.halvings() == 0
}

/// When a bar stopped being itself, or the end of its run, s.
pub fn until(run: &Run) -> f64 {
    let until = run.wild.or(run.failure.as_ref().map(|f| f.time)).or(run.last().map(|m| m.time));
    until.unwrap_or(0.0)
}

struct Bar {
    matter: Matter,
    setup: Setup,
    run: Run,
}

fn make(figure: &Figure) -> Result<Reproduction, CaseError> {
    let mut bars = Vec::new();
    for (cell, cells, step) in BARS {
        let setup = Setup { cell, cells, step, ..Setup::default() };
        for matter in MODELS {
            bars.push(Bar { matter, setup, run: run(matter, setup)? });
        }
    }
    let setup = Setup::default();
    Ok(Reproduction {
        id: figure.id,
        title: figure.title,
        source: "Warp 2002, section 4.1, figure 8 (pages without numbers)",
        claim: "With 4 x 4 x 18 nodes and 765 tetrahedra the linear and the warped bar are still stable at steps of 10 ms, while the nonlinear one \
                diverges even when it is a little longer than that of figure 7.",
        setup: format!(
            "cells of {} cm, E = {} kPa, nu = 0.33, 1000 kg/m3, no damping, one linearised step each (Newton's method beside it), {} s or until \
             ten times m g L have come from nowhere",
            in_cm(&[CELL, WIDE]),
            shown(1e-3 * setup.young, 3),
            setup.duration
        ),
        entries: bars.iter().map(entry).collect(),
        tables: vec![table(&bars)],
        differs: "The paper's nonlinear model is one linearised step with the Jacobian of its start. Failed steps are halved here, and counted, which \
                  saves most bars from running away: what fails in them is St. Venant-Kirchhoff, which gives way under pressure, so that elements turn \
                  inside out; with Newton's method they do so too. Rotations from frames of three edges, the paper's, need damping in longer bars; \
                  the paper does not tell its own. By polar decomposition they need none.",
        svg: plots(&[plot(&bars, BARS[0]), plot(&bars, BARS[1]), plot(&bars, BARS[2])]),
    })
}

fn entry(Bar { matter, setup, run }: &Bar) -> Entry {
    let (paper, longer) = (setup.step == BARS[0].2, setup.cells > SHORT);
    let quantity = format!(
        "{}, {} tets, {} cm, {} ms: stable for",
        matter.name(),
        45 * setup.cells,
        shown(100.0 * setup.cell, 3),
        shown(1e3 * setup.step, 2)
    );
    let not = match run.failure.is_some() {
        true => "its steps fail".to_owned(),
        false => format!("it makes {} m g L from nowhere", shown(run.made(), 2)),
    };
    let frames = format!("{not}: nothing damps what frames of three edges excite");
    let sick = sickness(run);
    let fails = if is_stable(run) { format!("it fails: {sick}") } else { format!("{not}; {sick}") };
    let plain =
        if is_sound(run) { "stable".to_owned() } else { format!("no energy from nowhere, but {sick}") };
    let diverges = if paper { "diverges" } else { "at 10 ms: diverges" };
    let stays = if paper { "stable" } else { "theory: stable" };
    let (claim, found) = match (*matter, is_stable(run)) {
        (Matter::NonlinearOnce, _) if longer && !is_sound(run) => (diverges, Ok(fails.as_str())),
        (Matter::NonlinearOnce, _) if longer => (diverges, Err("it is sound here")),
        (Matter::Corotated | Matter::Nonlinear, true) => ("theory: stable", Ok(plain.as_str())),
        (Matter::Corotated | Matter::Nonlinear, false) => ("theory: stable", Err(not.as_str())),
        (_, true) => (stays, Ok(plain.as_str())),
        (Matter::FRAMES, false) => (stays, Err(frames.as_str())),
        (_, false) => (stays, Err(not.as_str())),
    };
    Entry::words(&quantity, claim, until(run), found).in_unit("s")
}

/// What is wrong with a bar that makes no energy.
fn sickness(run: &Run) -> String {
    let cells = match run.inverted() {
        1 => "1 cell turns inside out".into(),
        count => format!("{count} cells turn inside out"),
    };
    let halved = match run.halvings() {
        0 => String::new(),
        1 => ", 1 step is halved".into(),
        count => format!(", {count} steps are halved"),
    };
    format!("{cells}{halved}, least volume {}", shown(run.volumes()[0], 2))
}

fn table(bars: &[Bar]) -> Table {
    let row = |Bar { matter, setup, run }: &Bar| {
        let [low, high] = run.volumes();
        let mut row = vec![Cell::Words(matter.name().into())];
        row.extend([100.0 * setup.cell, (45 * setup.cells) as f64, 1e3 * setup.step].map(Cell::from));
        row.extend([run.made(), low, high].map(Cell::from));
        row.extend([run.inverted() as f64, f64::from(run.halvings())].map(Cell::from));
        let stopped = |f: f64| Cell::Words(format!("stopped at {} s", shown(f, 3)));
        row.push(run.failure.as_ref().map_or(Cell::Empty, |f| stopped(f.time)));
        row
    };
    Table {
        caption: "every run",
        columns: vec![
            "model",
            "cells (cm)",
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

fn plot(bars: &[Bar], (cell, cells, step): (f64, usize, f64)) -> Plot {
    let setup = Setup { cell, cells, step, ..Setup::default() };
    // twice what the weight does when the bar hangs down; where curves are cut
    let mass = 1000.0 * 9.0 * cell * cell * setup.length();
    let cut = mass * 9.81 * setup.length();
    let drawn =
        bars.iter().filter(|b| b.setup.cell == cell && b.setup.cells == cells && b.setup.step == step);
    let curve = |bar: &Bar| {
        let (color, stroke) = look(bar.matter);
        let points = bar.run.course.iter().map(|m| [m.time, m.kinetic.min(cut)]).collect();
        Curve { name: bar.matter.name().into(), color, stroke, points }
    };
    Plot {
        title: format!("kinetic energy (J, cut), {} tets", 45 * cells),
        across: "s",
        scale: Scale::Linear,
        curves: drawn.map(curve).collect(),
    }
}
