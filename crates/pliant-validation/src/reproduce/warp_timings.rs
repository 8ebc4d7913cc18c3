//! [Warp 4.1]: how long a step of the bar takes: 5 ms linear, 6 ms warped, 12 ms nonlinear.
//!
//! All by the same conjugate gradients to the same tolerance, in turn in one run. The nonlinear model takes one linearised step with a new Jacobian, as the
//! paper's does. Machines differ; what can agree are the ratios 1.2 and 2.4.

use pliant_solid::integrator::Inputs;
use pliant_solid::{State, World};

use super::bars::{Bar, bars};
use super::clock::medians_in_turn;
use super::warp_bars::{Matter, SHORT, Setup as BarSetup, bar};
use super::{Cell, Entry, Figure, Reproduction, Table};
use crate::CaseError;
use crate::verify::shown;

/// The id.
pub const FIGURE: Figure =
    Figure { id: "warp-timings", title: "time of a step, 450 tetrahedra, by model", make };

/// The paper's times of a step, s.
const PAPER: [(Matter, f64); 3] =
    [(Matter::Linear, 5e-3), (Matter::FRAMES, 6e-3), (Matter::NonlinearOnce, 12e-3)];

/// What is timed; the first three are the paper's.
pub const MODELS: [Matter; 5] =
    [Matter::Linear, Matter::FRAMES, Matter::NonlinearOnce, Matter::POLAR, Matter::Corotated];

/// What is free to choose.
#[derive(Clone, Copy, Debug)]
pub struct Setup {
    /// Young's modulus, Pa.
    pub young: f64,
    /// The step, s.
    pub step: f64,
    /// Steps of each model that are timed.
    pub steps: usize,
    /// After so many steps the bar starts anew: later the soft nonlinear one is no longer itself.
    pub lap: u64,
}

impl Default for Setup {
    fn default() -> Self {
        Self { young: 1e5, step: 0.01, steps: 400, lap: 40 }
    }
}

/// What one model took.
#[derive(Clone, Copy, Debug)]
pub struct Measured {
    /// The model.
    pub matter: Matter,
    /// Median time of a step, s.
    pub step_time: f64,
    /// Steps of conjugate gradients in a step, on average.
    pub iterations: f64,
    /// Steps that were halved.
    pub halved: usize,
}

struct Stepped {
    world: World,
    start: State,
    solved: usize,
    halved: usize,
    lap: u64,
}

impl Stepped {
    fn step(&mut self) -> Result<(), CaseError> {
        if self.world.state().step >= self.lap {
            self.world.restore(self.start.clone())?;
        }
        let report = self.world.step(&Inputs::default())?;
        self.solved += report.gradients.map_or(0, |g| g.steps);
        self.halved += usize::from(report.halvings > 0);
        Ok(())
    }
}

/// Times every model.
pub fn measure(setup: Setup) -> Result<Vec<Measured>, CaseError> {
    let scene = BarSetup { young: setup.young, step: setup.step, ..BarSetup::default() }.wide();
    let mut worlds = Vec::new();
    for matter in MODELS {
        let world = bar(matter, scene)?;
        let start = world.state().clone();
        worlds.push(Stepped { world, start, solved: 0, halved: 0, lap: setup.lap });
    }
    // memory is touched and branches are learnt in the first lap
    for world in &mut worlds {
        (0..setup.lap).try_for_each(|_| world.step())?;
        (world.solved, world.halved) = (0, 0);
    }
    let times = medians_in_turn(setup.steps, &mut worlds, Stepped::step)?;
    let found = MODELS.into_iter().zip(&worlds).zip(times).map(|((matter, world), step_time)| Measured {
        matter,
        step_time,
        iterations: world.solved as f64 / setup.steps as f64,
        halved: world.halved,
    });
    Ok(found.collect())
}

fn make(figure: &Figure) -> Result<Reproduction, CaseError> {
    let setup = Setup::default();
    let found = measure(setup)?;
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    Ok(Reproduction {
        id: figure.id,
        title: figure.title,
        source: "Warp 2002, section 4.1 (pages without numbers)",
        claim: "A step of 10 ms takes 5 ms with the linear model, 6 ms with stiffness warping (rotations from frames of edges) and 12 ms with the \
                nonlinear one, whose Jacobian is new in every step.",
        setup: format!(
            "4 x 4 x {} nodes, {} tetrahedra, E = {} kPa, steps of {} ms; conjugate gradients to 1e-5 for all; medians of {} steps taken in turn, \
             from the first {} of the fall, up to {threads} threads",
            SHORT + 1,
            45 * SHORT,
            shown(1e-3 * setup.young, 3),
            shown(1e3 * setup.step, 2),
            setup.steps,
            setup.lap
        ),
        entries: entries(&found),
        tables: vec![table(&found)],
        differs: "The machines are more than two decades apart: the times say how far they have come, the ratios something about the methods. The \
                  warped bar takes sums over the whole body to remove its ghost force, and products with the matrix of (12), which is not \
                  symmetric. The linear bar gains nothing here from its constant matrix: one code serves all laws.",
        svg: drawing(&found),
    })
}

fn entries(found: &[Measured]) -> Vec<Entry> {
    let time = |wanted: Matter| found.iter().find(|m| m.matter == wanted).map_or(f64::NAN, |m| m.step_time);
    let mut all = Vec::new();
    for (matter, paper) in PAPER {
        let ratio = time(matter) / paper;
        let times = format!("the hardware does: {} times faster", shown(1.0 / ratio, 2));
        let because = if ratio < 1.0 { times.as_str() } else { "it is slower here, on other hardware" };
        let entry =
            Entry::by_paper(&format!("{}: time of a step", matter.name()), paper, 0.0, time(matter), because);
        all.push(entry.in_unit("s"));
    }
    let [linear, warped, nonlinear] = PAPER.map(|(matter, _)| time(matter));
    let rotations = "rotations and ghost forces are a larger or smaller part of a step than they were";
    let jacobian = "the linear bar assembles its matrix in every step too, and elements of a new Jacobian are made four side by side";
    all.push(Entry::by_paper("warped over linear", 6.0 / 5.0, 0.25, warped / linear, rotations));
    all.push(Entry::by_paper("nonlinear over linear", 12.0 / 5.0, 0.25, nonlinear / linear, jacobian));
    all.push(Entry::by_paper("nonlinear over warped", 12.0 / 6.0, 0.25, nonlinear / warped, jacobian));
    let real = |m: &Measured| {
        let advance = Setup::default().step / m.step_time;
        let found =
            if advance > 1.0 { Ok("faster than real time") } else { Err("it is slower than real time") };
        Entry::words(&format!("{}: time advanced over taken", m.matter.name()), "real time", advance, found)
    };
    all.extend(found.iter().map(real));
    all
}

fn table(found: &[Measured]) -> Table {
    let linear = found[0].step_time;
    let row = |m: &Measured| {
        let mut row = vec![Cell::Words(m.matter.name().into())];
        row.extend([1e3 * m.step_time, m.step_time / linear, m.iterations, m.halved as f64].map(Cell::from));
        row
    };
    Table {
        caption: "every model",
        columns: vec!["model", "time of a step (ms)", "over linear", "gradient steps", "halved"],
        rows: found.iter().map(row).collect(),
    }
}

fn drawing(found: &[Measured]) -> String {
    let paper = PAPER.map(|(matter, time)| Bar {
        label: format!("paper: {}", matter.name()),
        value: 1e3 * time,
        ours: false,
    });
    let ours = found.iter().map(|m| Bar {
        label: format!("ours: {}", m.matter.name()),
        value: 1e3 * m.step_time,
        ours: true,
    });
    bars(&paper.into_iter().chain(ours).collect::<Vec<_>>(), "ms")
}
