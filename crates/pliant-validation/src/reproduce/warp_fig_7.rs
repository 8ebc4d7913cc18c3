//! [Warp Fig. 7]: three bars at a wall under gravity, where they come to rest.
//!
//! ```text
//! linear strain: fall of the end = q L^4 / (8 E I) + q L^2 / (2 k G A),   k = 5/6                (1)
//! ```
//!
//! (1) is beam theory; the mesh, three cells high, is stiffer. Under linear strain the fall goes as 1/E and the growth of the volume as 1/E^2.

use pliant_geometry::Mesh;

use super::picture::{Panel, View, panels};
use super::resting::moved;
use super::warp_bars::{CELL, Matter, Run, SHORT, Setup, run};
use super::{Cell, Entry, Figure, Reproduction, Table, per_cent};
use crate::CaseError;
use crate::measure::{Vec3, dot, sub};
use crate::verify::shown;

/// The id.
pub const FIGURE: Figure = Figure { id: "warp-fig-7", title: "bars at a wall under gravity, by model", make };

/// What is drawn, from left to right.
pub const MODELS: [Matter; 4] = [Matter::Nonlinear, Matter::POLAR, Matter::Corotated, Matter::Linear];

/// Half of the least damping without swinging back, 1/s: the bar rests after four seconds.
pub const DAMPING: f64 = 3.0;

/// The bar of the figure, damped.
pub fn setup() -> Setup {
    Setup { duration: 4.0, damping: DAMPING, ..Setup::default() }
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
pub fn measured(run: &Run) -> Option<Measured> {
    let last = run.last()?;
    let near = |p: &&(Vec3, Vec3)| (p.0[0] - CELL).abs() < 1e-9 && (p.0[1] - CELL).abs() < 1e-9;
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
        fall: 3.0 * CELL - last.tip[1],
        reach: last.tip[2],
        aside: last.tip[0] - 1.5 * CELL,
        length: line.windows(2).map(span).sum::<f64>() / rest,
        volume: last.volume,
        inverted: last.inverted,
    })
}

/// (1), m.
pub fn beam_fall(setup: Setup) -> f64 {
    let (height, length) = (3.0 * CELL, CELL * setup.cells as f64);
    let (area, inertia) = (height * height, height.powi(4) / 12.0);
    let load = 1000.0 * 9.81 * area;
    let shear = setup.young / (2.0 * 1.33);
    load * length.powi(4) / (8.0 * setup.young * inertia)
        + load * length * length / (2.0 * 5.0 / 6.0 * shear * area)
}

fn make(figure: &Figure) -> Result<Reproduction, CaseError> {
    let setup = setup();
    let mut runs = Vec::new();
    for matter in MODELS {
        let run = run(matter, setup)?;
        if let Some(found) = measured(&run) {
            runs.push((matter, run, found));
        }
    }
    Ok(Reproduction {
        id: figure.id,
        title: figure.title,
        source: "Warp 2002, section 4.1, figure 7",
        claim: "Three bars at a wall: the nonlinear and the warped one hang alike, the linear one is distorted and larger. The paper prints a \
                picture, no numbers.",
        setup: format!(
            "4 x 4 x {} nodes, {} tetrahedra, cells of 10 cm, E = {} kPa, nu = 0.33, 1000 kg/m3, steps of {} ms, mass damping {DAMPING} 1/s, \
             after {} s",
            SHORT + 1,
            45 * SHORT,
            shown(1e-3 * setup.young, 3),
            shown(1e3 * setup.step, 2),
            setup.duration
        ),
        entries: entries(setup, &runs),
        tables: vec![table(&runs)],
        differs: "The paper gives neither size nor damping. At this softness the nonlinear bar of St. Venant-Kirchhoff breaks in at the wall, where it \
                  is pressed most: cells turn inside out, and it hangs lower than the others. Corotated elements are what users compare \
                  with today.",
        svg: drawing(&runs)?,
    })
}

fn entries(setup: Setup, runs: &[(Matter, Run, Measured)]) -> Vec<Entry> {
    let mut all = Vec::new();
    for (matter, _, m) in runs {
        let name = matter.name();
        if *matter == Matter::Linear {
            let fall =
                Entry::by_theory("linear: fall of the end", "distorted", beam_fall(setup), 0.1, m.fall);
            let stiff =
                "differs because tetrahedra, three across the height, are too stiff in bending".to_owned();
            let fall = if fall.agrees { fall } else { Entry { verdict: stiff, ..fall } };
            all.push(fall.in_unit("m"));
            let larger = if m.volume > 1.1 { Ok("larger") } else { Err("this bar hardly bends") };
            all.push(Entry::words("linear: volume", "larger", m.volume, larger));
            continue;
        }
        let broken = format!("{} cells are inside out", m.inverted);
        let sound = |found: Entry| match m.inverted {
            0 => found,
            _ => Entry { agrees: false, verdict: format!("differs because {broken}"), ..found },
        };
        // its own weight stretches the bar by rho g L^2 / (2 E), 5 % where it hangs straight down
        all.push(sound(Entry::by_theory(
            &format!("{name}: length of the axis"),
            "undistorted",
            1.0,
            0.1,
            m.length,
        )));
        all.push(sound(Entry::by_theory(&format!("{name}: volume"), "undistorted", 1.0, 0.05, m.volume)));
    }
    let of = |wanted: Matter| runs.iter().find(|(matter, ..)| *matter == wanted).map(|(.., m)| *m);
    if let (Some(warped), Some(corotated)) = (of(MODELS[1]), of(MODELS[2])) {
        all.push(Entry::by_theory(
            "fall, warped over corotated",
            "alike",
            1.0,
            0.1,
            warped.fall / corotated.fall,
        ));
    }
    all
}

fn table(runs: &[(Matter, Run, Measured)]) -> Table {
    let row = |(matter, run, m): &(Matter, Run, Measured)| {
        let numbers =
            [m.fall, m.reach, m.aside, m.length, m.volume, m.inverted as f64, f64::from(run.halvings())];
        let mut row = vec![Cell::Words(matter.name().into())];
        row.extend(numbers.map(Cell::from));
        row
    };
    Table {
        caption: "where the end is, and what became of the bar",
        columns: vec![
            "model",
            "fall (m)",
            "from the wall (m)",
            "aside (m)",
            "length",
            "volume",
            "inside out",
            "halvings",
        ],
        rows: runs.iter().map(row).collect(),
    }
}

/// A place with z up and the bar along x, as pictures have it.
fn upright(p: &Vec3) -> Vec3 {
    [p[2], p[0], p[1]]
}

fn drawing(runs: &[(Matter, Run, Measured)]) -> Result<String, CaseError> {
    let mut placed: Vec<(Mesh, Vec<Vec3>)> = Vec::new();
    for (_, run, _) in runs {
        let rest: Vec<Vec3> = run.mesh.positions().iter().map(upright).collect();
        placed.push((moved(&run.mesh, &rest)?, run.positions.iter().map(upright).collect()));
    }
    let all: Vec<Panel> = placed
        .iter()
        .zip(runs)
        .map(|((mesh, positions), (matter, run, m))| Panel {
            label: matter.name().into(),
            note: format!("fall {} m, volume {}", shown(m.fall, 3), per_cent(m.volume)),
            mesh,
            positions,
            ratios: &run.ratios,
        })
        .collect();
    Ok(panels(&all, View { azimuth: -0.25, elevation: 0.15 }))
}
