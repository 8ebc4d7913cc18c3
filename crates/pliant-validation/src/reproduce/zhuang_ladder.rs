//! [Zhuang 4, 4.2]: how many different steps T / 2^i the full matrices of mass and damping need.
//!
//! The thesis restricts the step to T / 2^i, so that few factors of M + dt/2 D serve a whole run, and finds that no more than 3 are
//! usually needed. T is the longest step at rest; what deforms is stiffer and needs rungs below. Here: five ordinary scenes with
//! consistent mass and stiffness damping, each run on the ladder.

use std::collections::BTreeMap;
use std::sync::Arc;

use pliant_solid::World;
use pliant_solid::integrator::Inputs;

use super::chart::{Curve, Plot, Scale, Stroke, plots};
use super::resting::compiled;
use super::zhuang_ladder_cost::{self as cost, Cost};
use super::{Cell, Entry, Figure, Reproduction, Table};
use crate::CaseError;
use crate::verify::shown;

/// The id.
pub const FIGURE: Figure = Figure {
    id: "zhuang-ladder",
    title: "how many different steps full matrices need, and their cost",
    make,
};

/// The paper's number of different steps.
const PAPER: f64 = 3.0;
/// Rungs that the table has a column for.
const COLUMNS: u32 = 5;

/// Something ordinary that happens to a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scene {
    /// A soft beam, held at one end, falls under its weight and swings.
    Cantilever,
    /// A block is pressed together and let go.
    Pressed,
    /// A very viscous block is pushed aside, let go, and creeps back.
    Pushed,
    /// A hand pulls the end of a beam up and lets go.
    Pulled,
    /// A free block is thrown into a spin.
    Thrown,
}

/// All of them, as they are listed.
pub const SCENES: [Scene; 5] =
    [Scene::Cantilever, Scene::Pressed, Scene::Pushed, Scene::Pulled, Scene::Thrown];

/// What is free to choose.
#[derive(Clone, Copy, Debug)]
pub struct Setup {
    /// How many times as stiff the material is.
    pub stiffer: f64,
    /// How many times as far things are moved, or as fast the block is thrown.
    pub farther: f64,
}

impl Default for Setup {
    fn default() -> Self {
        Self { stiffer: 1.0, farther: 1.0 }
    }
}

/// What a run took.
#[derive(Clone, Debug)]
pub struct Measured {
    /// T, s.
    pub largest: f64,
    /// Steps of T / 2^i, by i.
    pub steps: BTreeMap<u32, u64>,
    /// Steps that were on no rung.
    pub others: u64,
    /// How often the damping matrix was taken anew, at another shape.
    pub renewals: usize,
    /// Time and step over T, where the step changes.
    pub course: Vec<[f64; 2]>,
}

impl Scene {
    /// In a few words.
    pub fn name(self) -> &'static str {
        match self {
            Self::Cantilever => "beam falls and swings",
            Self::Pressed => "block pressed by a third, let go",
            Self::Pushed => "viscous block pushed, let go",
            Self::Pulled => "beam pulled by a hand, let go",
            Self::Thrown => "free block thrown",
        }
    }

    /// Law and its moduli, and the damping by stiffness.
    fn material(self, stiffer: f64) -> String {
        let (law, young, poisson, viscous) = match self {
            Self::Cantilever => ("st-venant", 3e5, 0.3, 1e-3),
            Self::Pressed => ("neo-hookean", 5e4, 0.4, 1e-3),
            Self::Pushed => ("st-venant", 2e5, 0.3, 0.1),
            Self::Pulled => ("st-venant", 1e6, 0.3, 2e-4),
            Self::Thrown => ("neo-hookean", 2e5, 0.4, 1e-3),
        };
        format!(
            "law = \"{law}\"\nyoung = {:e}\npoisson = {poisson}\ndensity = 1000\ndamping = {{ stiffness = {viscous} }}\n",
            young * stiffer
        )
    }

    /// Duration, gravity, size and cells of the body.
    fn body(self) -> (f64, f64, &'static str) {
        match self {
            Self::Cantilever => (1.0, -9.81, "size = [0.3, 0.05, 0.05], cells = [12, 2, 2]"),
            Self::Pressed => (0.8, 0.0, "size = [0.1, 0.1, 0.1], cells = [5, 5, 5]"),
            Self::Pushed => (1.2, 0.0, "size = [0.1, 0.1, 0.1], cells = [5, 5, 5]"),
            Self::Pulled => (1.0, 0.0, "size = [0.5, 0.05, 0.05], cells = [20, 2, 2]"),
            Self::Thrown => (0.5, 0.0, "size = [0.1, 0.2, 0.3], cells = [2, 4, 6]"),
        }
    }

    /// What is done to it.
    fn script(self, farther: f64) -> String {
        let end =
            "[[body.b.fix]]\nwhere = { plane = { point = [0, 0, 0], normal = [1, 0, 0] } }\n".to_owned();
        let plates = |x: f64, z: f64, over: f64, release: f64| {
            format!(
                "[[body.b.fix]]\nwhere = {{ plane = {{ point = [0, 0, 0], normal = [0, 0, 1] }} }}\n\
                 [[body.b.fix]]\nwhere = {{ plane = {{ point = [0, 0, 0.1], normal = [0, 0, 1] }} }}\n\
                 move = [{x}, 0, {z}]\nover = {over}\nrelease = {release}\n"
            )
        };
        match self {
            Self::Cantilever => end,
            Self::Pressed => plates(0.0, -0.033 * farther, 0.3, 0.4),
            Self::Pushed => plates(0.01 * farther, 0.0, 0.2, 0.6),
            Self::Pulled => format!(
                "{end}[[grab]]\nbody = \"b\"\nat = [0.5, 0.025, 0.025]\nrelease = 0.6\n\
                 path = [[0, [0.5, 0.025, 0.025]], [0.5, [0.5, 0.025, {}]]]\n",
                0.025 + 0.03 * farther
            ),
            Self::Thrown => format!("angular_velocity = [0.1, {}, 0]\n", 10.0 * farther),
        }
    }

    /// The whole scene file.
    fn text(self, Setup { stiffer, farther }: Setup) -> String {
        let (duration, gravity, mesh) = self.body();
        format!(
            "duration = {duration}\ngravity = [0, 0, {gravity}]\n[integrator]\nmethod = \"explicit\"\ndamping = \"full\"\n\
             [material.m]\n{}[body.b]\nmaterial = \"m\"\nmass = \"consistent\"\n\
             mesh = {{ shape = \"box\", {mesh}, element = \"hex\" }}\n{}",
            self.material(stiffer),
            self.script(farther)
        )
    }
}

/// Runs a scene to its end; the last step is not cut.
pub fn measure(scene: Scene, setup: Setup) -> Result<Measured, CaseError> {
    let compiled = compiled(&scene.text(setup), "zhuang-ladder")?;
    let mut world = World::new(Arc::clone(&compiled.model), compiled.on_divergence)?;
    let largest = world.state().solver.largest;
    let mut m = Measured { largest, steps: BTreeMap::new(), others: 0, renewals: 0, course: Vec::new() };
    while world.state().time < compiled.duration {
        let (time, key) = (world.state().time, world.state().solver.reference_key);
        let report = world.step(&Inputs::default())?;
        match report.rung {
            Some(rung) => *m.steps.entry(rung).or_default() += 1,
            None => m.others += 1,
        }
        m.renewals += usize::from(world.state().solver.reference_key != key);
        let part = report.dt / largest;
        if m.course.last().is_none_or(|last| last[1] != part) {
            // upright, then level
            m.course.extend(m.course.last().map(|last| [time, last[1]]));
            m.course.push([time, part]);
        }
    }
    m.course.extend(m.course.last().map(|last| [world.state().time, last[1]]));
    Ok(m)
}

fn make(figure: &Figure) -> Result<Reproduction, CaseError> {
    let runs: Result<Vec<Measured>, CaseError> =
        SCENES.into_iter().map(|scene| measure(scene, Setup::default())).collect();
    let runs = runs?;
    let cost = cost::measure(cost::Setup::default())?;
    let mut entries: Vec<Entry> =
        SCENES.into_iter().zip(&runs).map(|(scene, run)| count_entry(scene, run)).collect();
    entries.push(renewal_entry(&runs));
    entries.extend(cost_entries(&cost));
    Ok(Reproduction {
        id: figure.id,
        title: figure.title,
        source: "Zhuang 2000, chapter 4 and section 4.2",
        claim: "Steps are restricted to T / 2^i and M + dt/2 D is factored beforehand for each; usually no more than 3 different steps are \
                needed, and a step then costs a back-substitution.",
        setup: format!(
            "five scenes of hexahedra with consistent mass and stiffness damping, automatic step on the ladder; cost: {} hexahedra, \
             quadratic strain, medians of {} steps of each kind in turn",
            cost.elements, cost.timed
        ),
        entries,
        tables: vec![rungs_table(&runs), cost_table(&cost)],
        differs: "The thesis shows no runs, so the scenes are ours; T is 0.8 of the stability limit at rest, which leaves room for some \
                  strain. There are no collisions in them, the other reason it has for shorter steps. \
                  The block pressed to half instead of by a third needs four. Its D is constant. Ours turns with the \
                  body: the force of damping is exact, and the matrix is taken and factored anew once elements have turned too \
                  far, which the table counts. Where damping is a multiple of mass no ladder is needed: one factor of M serves any step.",
        svg: drawing(&runs),
    })
}

fn count_entry(scene: Scene, run: &Measured) -> Entry {
    let ours = run.steps.len() as f64;
    let found = if run.others > 0 {
        Err("some steps are on no rung")
    } else if ours <= PAPER {
        Ok("no more than 3")
    } else {
        Err("it deforms more than is usual")
    };
    let quantity = format!("{}: different steps", scene.name());
    Entry { paper: Some(PAPER), ratio: Some(ours / PAPER), ..Entry::words(&quantity, "", ours, found) }
}

/// The part of the steps that take the damping matrix anew, in the scene with most of them.
fn renewal_entry(runs: &[Measured]) -> Entry {
    let part = |run: &Measured| run.renewals as f64 / run.steps.values().sum::<u64>().max(1) as f64;
    let most = 100.0 * runs.iter().map(part).fold(0.0, f64::max);
    let found =
        if most == 0.0 { Ok("constant") } else { Err("damping of large deformations turns with the body") };
    Entry::words("steps that take D anew, at most", "D is constant", most, found).in_unit("%")
}

fn cost_entries(cost: &Cost) -> Vec<Entry> {
    let over = |seconds: f64| seconds / cost.lumped;
    let (mass, full, anew) = (over(cost.full_mass), over(cost.full), cost.factored / cost.full);
    let cheap = |ratio: f64| match ratio < over(cost.factored) {
        true => Ok("a back-substitution more, far from a factorization"),
        false => Err("this machine was busy with something else"),
    };
    let worth = if anew > 2.0 { Ok("factors that are kept pay") } else { Err("this mesh is too small") };
    vec![
        Entry::words("time of a step, full M, over lumped", "back-substitution", mass, cheap(mass)),
        Entry::words("time of a step, full M and D, over lumped", "back-substitution", full, cheap(full)),
        Entry::words("the same if it factors, over if it does not", "no real time", anew, worth),
    ]
}

fn rungs_table(runs: &[Measured]) -> Table {
    let rows = SCENES.into_iter().zip(runs).map(|(scene, run)| {
        let mut row = vec![Cell::Words(scene.name().into()), Cell::Words(shown(1e3 * run.largest, 3))];
        let below: u64 = run.steps.range(COLUMNS..).map(|(_, steps)| *steps).sum();
        row.extend((0..COLUMNS).map(|i| run.steps.get(&i).map(|steps| *steps as f64).into()));
        row.push(if below > 0 { (below as f64).into() } else { Cell::Empty });
        row.push((run.renewals as f64).into());
        row
    });
    Table {
        caption: "steps on each rung",
        columns: vec!["scene", "T (ms)", "T", "T/2", "T/4", "T/8", "T/16", "below", "D taken anew"],
        rows: rows.collect(),
    }
}

fn cost_table(cost: &Cost) -> Table {
    let kinds = [
        ("lumped M", cost.lumped),
        ("full M", cost.full_mass),
        ("full M and D", cost.full),
        ("full M and D, factored in the step", cost.factored),
    ];
    let row = |(kind, seconds): (&str, f64)| {
        vec![Cell::Words(kind.into()), (1e3 * seconds).into(), (seconds / cost.lumped).into()]
    };
    Table {
        caption: "time of a step",
        columns: vec!["matrices", "time (ms)", "over lumped"],
        rows: kinds.into_iter().map(row).collect(),
    }
}

fn drawing(runs: &[Measured]) -> String {
    let plot = |scene: Scene| {
        let run = SCENES.iter().zip(runs).find(|(s, _)| **s == scene).map(|(_, run)| run.course.clone());
        let curve = Curve {
            name: "step over T".into(),
            color: "#2a7fb8",
            stroke: Stroke::Solid,
            points: run.unwrap_or_default(),
        };
        Plot { title: scene.name().into(), across: "s", scale: Scale::Linear, curves: vec![curve] }
    };
    plots(&[plot(Scene::Cantilever), plot(Scene::Pressed)])
}
