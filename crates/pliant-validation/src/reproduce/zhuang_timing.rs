//! [Zhuang Chapter 6]: how long a step of 1331 hexahedra takes.
//!
//! 0.11 s on a 400 MHz Pentium II for a uniform mesh, 0.06 s for a graded one of the same accuracy. Machines differ: what can
//! agree is the order, and whether it is real time (a step takes less than it advances).

use pliant_solid::integrator::Inputs;

use super::bars::{Bar, bars};
use super::clock::median_seconds;
use super::resting::compiled;
use super::{Entry, Figure, Reproduction};
use crate::CaseError;
use crate::verify::shown;

/// The id.
pub const FIGURE: Figure =
    Figure { id: "zhuang-timing", title: "time of a step, 1331 hexahedra, quadratic strain", make };

/// What is free to choose.
#[derive(Clone, Copy, Debug)]
pub struct Setup {
    /// Cells along each edge of the cube.
    pub cells: usize,
    /// Steps that are timed, after a tenth as many that are not.
    pub steps: usize,
}

impl Default for Setup {
    fn default() -> Self {
        Self { cells: 11, steps: 1000 }
    }
}

/// The paper's times of a step, s: uniform and graded mesh.
const PAPER: [f64; 2] = [0.11, 0.06];
const PAPER_MACHINE: &str = "400 MHz Pentium II";

/// What was measured.
#[derive(Clone, Copy, Debug)]
pub struct Measured {
    /// Hexahedra.
    pub elements: usize,
    /// Steps timed.
    pub timed: usize,
    /// Median time of a step, s.
    pub step_time: f64,
    /// The longest stable step at the start, s.
    pub stable_step: f64,
    /// Mean length of the timed steps, s.
    pub step_length: f64,
}

/// A clamped soft cube of 0.1 m that bends under gravity, step by step.
pub fn measure(Setup { cells, steps }: Setup) -> Result<Measured, CaseError> {
    let text = format!(
        "duration = 1000\ngravity = [0, 0, -9.81]\n[material.m]\nlaw = \"st-venant\"\nyoung = 1e5\npoisson = 0.33\n\
         density = 1000\n[body.cube]\nmaterial = \"m\"\n\
         mesh = {{ shape = \"box\", size = [0.1, 0.1, 0.1], cells = [{cells}, {cells}, {cells}], element = \"hex\" }}\n\
         [[body.cube.fix]]\nwhere = {{ plane = {{ point = [0, 0, 0], normal = [1, 0, 0] }} }}\n"
    );
    let compiled = compiled(&text, "zhuang-timing")?;
    let mut world = compiled.world()?;
    for _ in 0..steps / 10 {
        world.step(&Inputs::default())?;
    }
    let (first, start) = (world.state().step, world.state().time);
    let step_time = median_seconds(steps, || Ok(world.step(&Inputs::default()).map(drop)?))?;
    Ok(Measured {
        elements: compiled.model.layout().bodies()[0].mesh.cell_count(),
        timed: (world.state().step - first) as usize,
        step_time,
        stable_step: compiled.limit().dt,
        step_length: (world.state().time - start) / steps as f64,
    })
}

fn make(figure: &Figure) -> Result<Reproduction, CaseError> {
    let m = measure(Setup::default())?;
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    Ok(Reproduction {
        id: figure.id,
        title: figure.title,
        source: "Zhuang 2000, chapter 6, pages 85 to 88 (and the two-page summary of 1999)",
        claim: "On a 400 MHz Pentium II a uniform mesh of 1331 elements needs about 0.11 s a step; a graded mesh of the same accuracy \
                0.06 s.",
        setup: format!(
            "{} hexahedra, St. Venant-Kirchhoff, explicit Newmark, automatic step; median of {} steps, up to {threads} \
             threads, double precision",
            m.elements, m.timed
        ),
        entries: entries(&m),
        tables: Vec::new(),
        differs: "The machines are a quarter of a century apart, so the ratio says how far real time has come and nothing about the \
                  method. Whether a step is real time also depends on stiffness and cell size, which the paper does not give \
                  with its 0.11 s: here a soft cube of 0.1 m. Graded meshes have not landed.",
        svg: bars(
            &[
                Bar {
                    label: format!("paper, uniform ({PAPER_MACHINE})"),
                    value: 1e3 * PAPER[0],
                    ours: false,
                },
                Bar { label: "paper, graded mesh".into(), value: 1e3 * PAPER[1], ours: false },
                Bar { label: "ours, uniform, this machine".into(), value: 1e3 * m.step_time, ours: true },
                Bar { label: "ours, time a step advances".into(), value: 1e3 * m.step_length, ours: true },
            ],
            "ms",
        ),
    })
}

fn entries(m: &Measured) -> Vec<Entry> {
    let ratio = m.step_time / PAPER[0];
    let because = match ratio < 1.0 {
        true => format!("the hardware does: {} times faster", shown(1.0 / ratio, 2)),
        false => "it is slower here, on other hardware".into(),
    };
    let advance = m.step_length / m.step_time;
    let real_time = match advance >= 1.0 {
        true => Ok("faster than real time"),
        false => Err("this cube is too stiff for real time here"),
    };
    vec![
        Entry::by_paper("time of a step", PAPER[0], 0.0, m.step_time, &because).in_unit("s"),
        Entry::words("time advanced over time taken", "real time", advance, real_time),
    ]
}
