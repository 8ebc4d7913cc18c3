//! [Warp Fig. 7]: three bars at a wall under gravity, where they come to rest.
//!
//! ```text
//! linear strain: fall of the end = q L^4 / (8 E I) + q L^2 / (2 k G A),   k = 5/6                (1)
//! ```
//!
//! (1) is beam theory; the mesh, three cells high, is stiffer. Under linear strain the fall goes as 1/E and the growth of the volume as 1/E^2.

use pliant_geometry::Mesh;

use super::picture::{Panel, View, stacked};
use super::resting::moved;
use super::warp_bars::{CELL, Matter, Run, SHORT, Setup, WIDE, run};
use super::warp_fig_6::in_cm;
use super::{Cell, Entry, Figure, Outcome, Reproduction, Table, per_cent};
use crate::CaseError;
use crate::measure::{Vec3, dot, sub};
use crate::verify::shown;

/// The id.
pub const FIGURE: Figure = Figure { id: "warp-fig-7", title: "bars at a wall under gravity, by model", make };

/// What is drawn, from left to right.
pub const MODELS: [Matter; 5] =
    [Matter::NonlinearOnce, Matter::FRAMES, Matter::POLAR, Matter::Corotated, Matter::Linear];

/// Widths of cells that are drawn, m.
const WIDTHS: [f64; 2] = [CELL, WIDE];

/// The bar of the figure, damped so that it comes to rest: by half of the least damping without swinging back in cells of 10 cm, 3 / s, and
/// more in smaller ones, which swing faster.
pub fn setup(cell: f64) -> Setup {
    Setup { cell, duration: 4.0, damping: 3.0 * WIDE / cell, ..Setup::default() }
}

/// Where a bar came to rest.
#[derive(Clone, Copy, Debug)]
pub struct Measured {
    /// How far the upper edge of the free end fell, m.
    pub fall: f64,
    /// How far it is from the wall, m.
    pub reach: f64,
    /// How far it went aside, m.
    pub aside: f64,
    /// Length of a line along the bar, near its axis, over its length at rest.
    pub length: f64,
    /// Volume over that at rest.
    pub volume: f64,
    /// Cells inside out.
    pub inverted: usize,
}

/// Looks at a bar.
pub fn measured(run: &Run, Setup { cell, .. }: Setup) -> Option<Measured> {
    let last = run.last()?;
    let near = |p: &&(Vec3, Vec3)| (p.0[0] - cell).abs() < 1e-9 && (p.0[1] - cell).abs() < 1e-9;
    let pairs: Vec<(Vec3, Vec3)> =
        run.mesh.positions().iter().copied().zip(run.positions.iter().copied()).collect();
    let mut line: Vec<(Vec3, Vec3)> = pairs.iter().filter(near).copied().collect();
    line.sort_by(|a, b| a.0[2].total_cmp(&b.0[2]));
    let span = |w: &[(Vec3, Vec3)]| {
        let d = sub(w[1].1, w[0].1);
        dot(d, d).sqrt()
    };
    let rest = line.last()?.0[2];
    Some(Measured {
        fall: 3.0 * cell - last.tip[1],
        reach: last.tip[2],
        aside: last.tip[0] - 1.5 * cell,
        length: line.windows(2).map(span).sum::<f64>() / rest,
        volume: last.volume,
        inverted: last.inverted,
    })
}

/// (1), m.
pub fn beam_fall(setup: Setup) -> f64 {
    let (height, length) = (3.0 * setup.cell, setup.length());
    let (area, inertia) = (height * height, height.powi(4) / 12.0);
    let load = 1000.0 * 9.81 * area;
    let shear = setup.young / (2.0 * 1.33);
    load * length.powi(4) / (8.0 * setup.young * inertia)
        + load * length * length / (2.0 * 5.0 / 6.0 * shear * area)
}

/// One width of cells.
struct Bars {
    setup: Setup,
    runs: Vec<(Matter, Run, Measured)>,
}

fn bars(cell: f64) -> Result<Bars, CaseError> {
    let (setup, mut runs) = (setup(cell), Vec::new());
    for matter in MODELS {
        let run = run(matter, setup)?;
        if let Some(found) = measured(&run, setup) {
            runs.push((matter, run, found));
        }
    }
    Ok(Bars { setup, runs })
}

fn make(figure: &Figure) -> Result<Reproduction, CaseError> {
    let all: Result<Vec<Bars>, CaseError> = WIDTHS.into_iter().map(bars).collect();
    let all = all?;
    let setup = setup(WIDE);
    Ok(Reproduction {
        id: figure.id,
        title: figure.title,
        source: "Warp 2002, section 4.1, figure 7 (pages without numbers)",
        claim: "Three bars at a wall: the nonlinear and the warped one hang alike, the linear one is distorted and larger. The paper prints a \
                picture, no numbers.",
        setup: format!(
            "4 x 4 x {} nodes, {} tetrahedra, cells of {} cm, E = {} kPa, nu = 0.33, 1000 kg/m3, steps of {} ms, one linearised step each, after \
             {} s; damped by mass so that they rest: {} / s in cells of 10 cm, more in smaller ones as these swing faster",
            SHORT + 1,
            45 * SHORT,
            in_cm(&WIDTHS),
            shown(1e-3 * setup.young, 3),
            shown(1e3 * setup.step, 2),
            setup.duration,
            shown(setup.damping, 2)
        ),
        entries: all.iter().flat_map(entries).collect(),
        tables: vec![table(&all)],
        differs: "The paper gives neither size nor damping, and its picture is one moment of a motion. In cells of 3 cm the bars hang as it \
                  shows them. In cells of 10 cm the nonlinear bar of St. Venant-Kirchhoff breaks in at the wall, where it is pressed most: cells turn inside \
                  out, and it hangs lower than the others. Corotated elements are what users compare with today.",
        svg: drawing(&all)?,
    })
}

fn entries(Bars { setup, runs }: &Bars) -> Vec<Entry> {
    let mut all = Vec::new();
    let width = format!("{} cm", shown(100.0 * setup.cell, 3));
    for (matter, _, m) in runs {
        let name = matter.name();
        if *matter == Matter::Linear {
            let quantity = format!("linear, {width}: fall of the end");
            let fall = Entry::by_theory(&quantity, "distorted", beam_fall(*setup), 0.1, m.fall);
            let stiff = "tetrahedra, three across the height, are too stiff in bending";
            let fall = if fall.outcome == Outcome::Agrees { fall } else { fall.but(stiff) };
            all.push(fall.in_unit("m"));
            let larger = if m.volume > 1.02 { Ok("larger") } else { Err("this bar hardly bends") };
            all.push(Entry::words(&format!("linear, {width}: volume"), "larger", m.volume, larger));
            continue;
        }
        let what = match matter {
            Matter::Warped(_) => "rotations from frames of edges jump",
            _ => "the law gives way",
        };
        let broken = format!("{what} in cells this wide: {} are inside out", m.inverted);
        let sound = |found: Entry| if m.inverted == 0 { found } else { found.but(&broken) };
        // its own weight stretches the bar by rho g L^2 / (2 E), 5 % where a metre hangs straight down
        let length = format!("{name}, {width}: length of the axis");
        all.push(sound(Entry::by_theory(&length, "undistorted", 1.0, 0.1, m.length)));
        let volume = format!("{name}, {width}: volume");
        all.push(sound(Entry::by_theory(&volume, "undistorted", 1.0, 0.05, m.volume)));
    }
    let of = |wanted: Matter| runs.iter().find(|(matter, ..)| *matter == wanted).map(|(.., m)| *m);
    for warped in [Matter::FRAMES, Matter::POLAR] {
        for beside in [Matter::NonlinearOnce, Matter::Corotated] {
            let Some((m, other)) = of(warped).zip(of(beside)) else { continue };
            let quantity = format!("fall, {} over {}, {width}", warped.name(), beside.name());
            let entry = Entry::by_theory(&quantity, "alike", 1.0, 0.1, m.fall / other.fall);
            all.push(match (m.inverted, other.inverted) {
                (0, 0) => entry,
                (0, _) => entry.but("the nonlinear bar breaks in at the wall"),
                _ => entry.but("rotations from frames of edges jump in cells this wide"),
            });
        }
    }
    all
}

fn table(all: &[Bars]) -> Table {
    let row = |setup: &Setup, (matter, run, m): &(Matter, Run, Measured)| {
        let mut row = vec![Cell::from(100.0 * setup.cell), Cell::Words(matter.name().into())];
        row.extend([m.fall, m.reach, m.aside, m.length, m.volume].map(Cell::from));
        row.extend([m.inverted as f64, f64::from(run.halvings())].map(Cell::from));
        row
    };
    Table {
        caption: "where the end is, and what became of the bar",
        columns: vec![
            "cells (cm)",
            "model",
            "fall (m)",
            "from the wall (m)",
            "aside (m)",
            "length",
            "volume",
            "inside out",
            "halvings",
        ],
        rows: all.iter().flat_map(|bars| bars.runs.iter().map(|run| row(&bars.setup, run))).collect(),
    }
}

/// A place with z up and the bar along x, as pictures have it.
fn upright(p: &Vec3) -> Vec3 {
    [p[2], p[0], p[1]]
}

fn drawing(all: &[Bars]) -> Result<String, CaseError> {
    let mut placed: Vec<Vec<(Mesh, Vec<Vec3>)>> = Vec::new();
    for bars in all {
        let place = |(_, run, _): &(Matter, Run, Measured)| {
            let rest: Vec<Vec3> = run.mesh.positions().iter().map(upright).collect();
            Ok((moved(&run.mesh, &rest)?, run.positions.iter().map(upright).collect()))
        };
        placed.push(bars.runs.iter().map(place).collect::<Result<_, CaseError>>()?);
    }
    let rows: Vec<(String, Vec<Panel>)> = all
        .iter()
        .zip(&placed)
        .map(|(bars, placed)| {
            let title = format!("cells of {} cm", shown(100.0 * bars.setup.cell, 3));
            let mut row = Vec::new();
            for ((mesh, positions), (matter, run, m)) in placed.iter().zip(&bars.runs) {
                let note = format!("volume {}", per_cent(m.volume));
                row.push(Panel { label: matter.name().into(), note, mesh, positions, ratios: &run.ratios });
            }
            (title, row)
        })
        .collect();
    let rows: Vec<(&str, &[Panel])> =
        rows.iter().map(|(title, row)| (title.as_str(), row.as_slice())).collect();
    Ok(stacked(&rows, View { azimuth: -0.25, elevation: 0.15 }))
}
