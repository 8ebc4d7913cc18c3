//! [Zhuang 4, 4.2]: how many different steps T / 2^i the full matrices of mass and damping need.
//!
//! The thesis restricts the step to T / 2^i, so that few factors of M + dt/2 D serve a whole run, and finds that no more than 3 are
//! usually needed. T is the longest step at rest; what deforms is stiffer and needs rungs below. Here: five ordinary scenes with
//! consistent mass, each run twice: with D = int mu N^T N, the thesis's own (2.67), and with stiffness damping. The former is a multiple of M
//! where mu is uniform, so that M + dt/2 D = (1 + dt mu / (2 rho)) M: one factor of M serves any step, on the ladder or not.

use pliant_solid::integrator::Inputs;
use std::collections::BTreeMap;

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

/// Whose damping.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Damping {
    /// D = int mu N^T N, the thesis's (2.67): a multiple of mass.
    Massive,
    /// A multiple of stiffness.
    Viscous,
}

/// What is free to choose.
#[derive(Clone, Copy, Debug)]
pub struct Setup {
    /// Whose damping.
    pub damping: Damping,
    /// How many times as stiff the material is.
    pub stiffer: f64,
    /// How many times as far things are moved, or as fast the block is thrown.
    pub farther: f64,
}

impl Default for Setup {
    fn default() -> Self {
        Self { damping: Damping::Viscous, stiffer: 1.0, farther: 1.0 }
    }
}

/// What a run took.
#[derive(Clone, Debug)]
pub struct Measured {
    /// T, s.
    pub largest: f64,
    /// Steps of T / 2^i, by i; where one factor serves any step, by the rung at or below each.
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
            Self::Pushed => "much damped block pushed, let go",
            Self::Pulled => "beam pulled by a hand, let go",
            Self::Thrown => "free block thrown",
        }
    }

    /// Law and its moduli, and the damping.
    fn material(self, Setup { damping, stiffer, .. }: Setup) -> String {
        // stiffness damping in s, mu / rho in 1/s: swings last about as long with both
        let (law, young, poisson, viscous, massive) = match self {
            Self::Cantilever => ("st-venant", 3e5, 0.3, 1e-3, 2.0),
            Self::Pressed => ("neo-hookean", 5e4, 0.4, 1e-3, 20.0),
            Self::Pushed => ("st-venant", 2e5, 0.3, 0.1, 2000.0),
            Self::Pulled => ("st-venant", 1e6, 0.3, 2e-4, 1.0),
            Self::Thrown => ("neo-hookean", 2e5, 0.4, 1e-3, 1.0),
        };
        let damping = match damping {
            Damping::Viscous => format!("stiffness = {viscous}"),
            Damping::Massive => format!("mass = {massive}"),
        };
        format!(
            "law = \"{law}\"\nyoung = {:e}\npoisson = {poisson}\ndensity = 1000\ndamping = {{ {damping} }}\n",
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
    fn text(self, setup: Setup) -> String {
        let (duration, gravity, mesh) = self.body();
        format!(
            "duration = {duration}\ngravity = [0, 0, {gravity}]\n[integrator]\nmethod = \"explicit\"\ndamping = \"full\"\n\
             [material.m]\n{}[body.b]\nmaterial = \"m\"\nmass = \"consistent\"\n\
             mesh = {{ shape = \"box\", {mesh}, element = \"hex\" }}\n{}",
            self.material(setup),
            self.script(setup.farther)
        )
    }
}

/// Runs a scene to its end; the last step is not cut.
pub fn measure(scene: Scene, setup: Setup) -> Result<Measured, CaseError> {
    let compiled = compiled(&scene.text(setup), "zhuang-ladder")?;
    let mut world = compiled.world()?;
    let on_rungs = world.state().solver.ladder.largest > 0.0;
    // where the solver needs no ladder, T is what it would be with one: 0.8 of the limit at rest
    let largest = if on_rungs { world.state().solver.ladder.largest } else { 0.8 * compiled.limit().dt };
    let mut m = Measured { largest, steps: BTreeMap::new(), others: 0, renewals: 0, course: Vec::new() };
    while world.state().time < compiled.duration {
        let (time, key) = (world.state().time, world.state().solver.ladder.reference_key);
        let report = world.step(&Inputs::default())?;
        let rung = match on_rungs {
            true => report.rung,
            // 1e-9 is left to rounding
            false => Some((largest / report.dt * (1.0 - 1e-9)).log2().ceil().max(0.0) as u32),
        };
        match rung {
            Some(rung) => *m.steps.entry(rung).or_default() += 1,
            None => m.others += 1,
        }
        m.renewals += usize::from(world.state().solver.ladder.reference_key != key);
        let part = rung.map_or(report.dt / largest, |rung| 0.5_f64.powi(rung as i32));
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
    let mut runs = Vec::new();
    for damping in [Damping::Massive, Damping::Viscous] {
        for scene in SCENES {
            runs.push(Run { scene, damping, found: measure(scene, Setup { damping, ..Setup::default() })? });
        }
    }
    let cost = cost::measure(cost::Setup::default())?;
    let mut entries: Vec<Entry> = runs.iter().map(count_entry).collect();
    entries.extend([Damping::Massive, Damping::Viscous].map(|damping| renewal_entry(&runs, damping)));
    entries.extend(cost_entries(&cost));
    Ok(Reproduction {
        id: figure.id,
        title: figure.title,
        source: "Zhuang 2000, chapter 4, pages 59 and 60, and section 4.2, page 71",
        claim: "Steps are restricted to T / 2^i and M + dt/2 D is factored beforehand for each; usually no more than 3 different steps are \
                needed, and a step then costs a back-substitution.",
        setup: format!(
            "five scenes of hexahedra with consistent mass, each with D of (2.67) and with stiffness damping, automatic step on the ladder; \
             cost: {} hexahedra, quadratic strain, medians of {} steps of each kind in turn",
            cost.elements, cost.timed
        ),
        entries,
        tables: vec![rungs_table(&runs), cost_table(&cost)],
        differs: "The thesis shows no runs, so the scenes are ours; T is 0.8 of the stability limit at rest, which leaves room for some \
                  strain. There are no collisions in them, the other reason it has for shorter steps. \
                  The block pressed to half instead of by a third needs four. With its own D, (2.67), a multiple of M where mu is uniform, no \
                  ladder is needed at all: one factor of M serves any step, so the solver takes any, and the table tells the rungs at or below \
                  them. That D brakes rigid motion too. Stiffness damping turns with the body: its force is exact, and its matrix is taken and \
                  factored anew once elements have turned too far, which the table counts.",
        svg: drawing(&runs),
    })
}

/// A scene with a damping, run.
struct Run {
    scene: Scene,
    damping: Damping,
    found: Measured,
}

impl Damping {
    fn name(self) -> &'static str {
        match self {
            Self::Massive => "D (2.67)",
            Self::Viscous => "stiffness damping",
        }
    }
}

fn count_entry(Run { scene, damping, found: run }: &Run) -> Entry {
    let ours = run.steps.len() as f64;
    let found = if run.others > 0 {
        Err("some steps are on no rung")
    } else if ours <= PAPER {
        Ok("no more than 3")
    } else {
        Err("it deforms more than is usual")
    };
    let quantity = format!("{}, {}: different steps", scene.name(), damping.name());
    Entry::paper_bound(&quantity, "no more than", PAPER, ours, found)
}

/// The part of the steps that take the damping matrix anew, in the scene with most of them.
fn renewal_entry(runs: &[Run], damping: Damping) -> Entry {
    let part = |run: &Measured| run.renewals as f64 / run.steps.values().sum::<u64>().max(1) as f64;
    let of = runs.iter().filter(|run| run.damping == damping).map(|run| part(&run.found));
    let most = 100.0 * of.fold(0.0, f64::max);
    let found =
        if most == 0.0 { Ok("constant") } else { Err("damping of large deformations turns with the body") };
    let quantity = format!("{}: steps that take D anew, at most", damping.name());
    Entry::words(&quantity, "D is constant", most, found).in_unit("%")
}

fn cost_entries(cost: &Cost) -> Vec<Entry> {
    let over = |seconds: f64| seconds / cost.lumped;
    let (mass, massive, full) = (over(cost.full_mass), over(cost.massive), over(cost.full));
    let anew = cost.factored / cost.full;
    let cheap = |ratio: f64| match ratio < over(cost.factored) {
        true => Ok("a back-substitution more, far from a factorization"),
        false => Err("this machine was busy with something else"),
    };
    let worth = if anew > 2.0 { Ok("factors that are kept pay") } else { Err("this mesh is too small") };
    vec![
        Entry::words("time of a step, full M, over lumped", "back-substitution", mass, cheap(mass)),
        Entry::words("the same, full M and D (2.67)", "back-substitution", massive, cheap(massive)),
        Entry::words("the same, full M, stiffness damping", "back-substitution", full, cheap(full)),
        Entry::words("the same if it factors, over if it does not", "no real time", anew, worth),
    ]
}

fn rungs_table(runs: &[Run]) -> Table {
    let rows = runs.iter().map(|Run { scene, damping, found: run }| {
        let mut row = vec![Cell::Words(scene.name().into()), Cell::Words(damping.name().into())];
        row.push(Cell::Words(shown(1e3 * run.largest, 3)));
        let below: u64 = run.steps.range(COLUMNS..).map(|(_, steps)| *steps).sum();
        row.extend((0..COLUMNS).map(|i| run.steps.get(&i).map(|steps| *steps as f64).into()));
        row.push(if below > 0 { (below as f64).into() } else { Cell::Empty });
        row.push((run.renewals as f64).into());
        row
    });
    Table {
        caption: "steps on each rung; with D (2.67) at or above it",
        columns: vec![
            "scene",
            "damping",
            "T (ms)",
            "T",
            "T/2",
            "T/4",
            "T/8",
            "T/16",
            "below",
            "D taken anew",
        ],
        rows: rows.collect(),
    }
}

fn cost_table(cost: &Cost) -> Table {
    let kinds = [
        ("lumped M", cost.lumped),
        ("full M", cost.full_mass),
        ("full M and D (2.67)", cost.massive),
        ("full M, stiffness damping", cost.full),
        ("the same, factored in the step", cost.factored),
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

fn drawing(runs: &[Run]) -> String {
    let plot = |scene: Scene| {
        let curve = |run: &Run| Curve {
            name: format!("step over T, {}", run.damping.name()),
            color: if run.damping == Damping::Massive { "#d98a00" } else { "#2a7fb8" },
            stroke: if run.damping == Damping::Massive { Stroke::Dashed } else { Stroke::Solid },
            points: run.found.course.clone(),
        };
        let curves = runs.iter().filter(|run| run.scene == scene).map(curve).collect();
        Plot { title: scene.name().into(), across: "s", scale: Scale::Linear, curves }
    };
    plots(&[plot(Scene::Cantilever), plot(Scene::Pressed)])
}
