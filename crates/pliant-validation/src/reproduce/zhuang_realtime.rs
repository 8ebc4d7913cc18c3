//! [Zhuang 3.1, 3.4]: how many hexahedra move in real time, by method.
//!
//! ```text
//! real time: simulated time / time taken >= 1                                             (1)
//! ```
//!
//! The thesis: fewer than half a dozen elements with implicit Newmark, more than 600 with explicit steps and lumped matrices; for full
//! matrices it has no number. Here one body for all: a cube of soft tissue (20 kPa, 0.1 m, lightly viscous), held at one face, under
//! gravity. Cells are made smaller until (1) no longer holds; between the last two meshes the number is
//! interpolated on logarithmic scales. Damping: that of the thesis, D = int mu N^T N (2.67), a multiple of mass where mu is uniform; and, for full
//! matrices, stiffness damping beside it. Lumping leaves nothing of the latter, whose rows sum to zero: that is the thesis's reason for full matrices.

use pliant_solid::integrator::Inputs;

use super::bars::{Bar, bars};
use super::clock::median_seconds;
use super::exponent::exponent;
use super::resting::compiled;
use super::{Cell, Entry, Figure, Reproduction, Table};
use crate::CaseError;
use crate::verify::shown;

/// The id.
pub const FIGURE: Figure =
    Figure { id: "zhuang-realtime", title: "the largest hexahedral mesh in real time, by method", make };

/// The paper's bounds: elements with implicit and with explicit steps.
const PAPER_IMPLICIT: f64 = 6.0;
const PAPER_EXPLICIT: f64 = 600.0;
/// The step of Newmark's method, s: the slowest swing of the cube takes 0.21 s, and 20 steps follow it.
const NEWMARK_STEP: f64 = 0.01;
/// mu / rho of (2.67), 1/s: the slowest swing is down to a tenth after a second.
const MASS_DAMPING: f64 = 5.0;

/// The speed at which no larger mesh is tried: one below 1 may be another program's doing.
const CLEARLY_SLOWER: f64 = 0.8;

/// How time advances.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Average acceleration, full Newton, steps of 10 ms.
    Implicit,
    /// Central differences, mass and D of (2.67) lumped, the longest stable step.
    Lumped,
    /// Central differences, full mass and D of (2.67), the longest stable step.
    Full,
    /// Central differences, full mass and stiffness damping, the longest stable step of the ladder.
    Viscous,
}

/// All of them, as they are listed.
pub const METHODS: [Method; 4] = [Method::Implicit, Method::Lumped, Method::Full, Method::Viscous];

impl Method {
    /// In a few words.
    pub fn name(self) -> &'static str {
        match self {
            Self::Implicit => "implicit Newmark",
            Self::Lumped => "explicit, lumped M and D",
            Self::Full => "explicit, full M and D (2.67)",
            Self::Viscous => "explicit, full M, stiffness damping",
        }
    }

    /// Keys of the integrator, the material and the body.
    fn keys(self) -> [String; 3] {
        let [massive, viscous] = [format!("mass = {MASS_DAMPING}"), "stiffness = 1e-3".to_owned()]
            .map(|damping| format!("damping = {{ {damping} }}"));
        let (consistent, full) =
            ("mass = \"consistent\"".to_owned(), "method = \"explicit\"\ndamping = \"full\"");
        match self {
            Self::Implicit => [format!("method = \"newmark\"\nstep = {NEWMARK_STEP}"), massive, consistent],
            Self::Lumped => ["method = \"explicit\"".into(), massive, String::new()],
            Self::Full => [full.into(), massive, consistent],
            Self::Viscous => [full.into(), viscous, consistent],
        }
    }
}

/// What is free to choose.
#[derive(Clone, Debug)]
pub struct Setup {
    /// Young's modulus, Pa.
    pub young: f64,
    /// Cells along each edge, from few to many.
    pub cells: Vec<usize>,
    /// Simulated time of a repetition, s.
    pub duration: f64,
    /// Repetitions, one after the other in one run; their median counts.
    pub repetitions: usize,
}

impl Default for Setup {
    fn default() -> Self {
        let cells = vec![1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 18, 20, 24, 28, 32, 40];
        Self { young: 2e4, cells, duration: 0.1, repetitions: 5 }
    }
}

/// One method on one mesh.
#[derive(Clone, Copy, Debug)]
pub struct Measured {
    /// Cells along each edge.
    pub cells: usize,
    /// Hexahedra.
    pub elements: f64,
    /// Steps for a second of simulated time.
    pub steps_per_second: f64,
    /// Linear systems solved in a step, with Newton's method.
    pub iterations: f64,
    /// Simulated time over time taken.
    pub speed: f64,
}

/// Runs a method on one mesh.
pub fn measure(method: Method, cells: usize, setup: &Setup) -> Result<Measured, CaseError> {
    let [integrator, material, body] = method.keys();
    let text = format!(
        "duration = 1000\ngravity = [0, 0, -9.81]\n[integrator]\n{integrator}\n[material.tissue]\nlaw = \"st-venant\"\n\
         young = {:e}\npoisson = 0.4\ndensity = 1000\n{material}\n[body.cube]\nmaterial = \"tissue\"\n{body}\n\
         mesh = {{ shape = \"box\", size = [0.1, 0.1, 0.1], cells = [{cells}, {cells}, {cells}], element = \"hex\" }}\n\
         [[body.cube.fix]]\nwhere = {{ plane = {{ point = [0, 0, 0], normal = [1, 0, 0] }} }}\n",
        setup.young
    );
    let compiled = compiled(&text, "zhuang-realtime")?;
    let mut world = compiled.world()?;
    let mut solved = 0;
    let mut advance = || {
        // a thousandth of a step is left to rounding
        let end = world.state().time + setup.duration;
        while world.state().time < end - 1e-3 * world.state().solver.dt {
            solved += world.step(&Inputs::default())?.newton.map_or(0, |newton| newton.iterations);
        }
        Ok(())
    };
    let taken = median_seconds(setup.repetitions, &mut advance)?;
    let (time, steps) = (world.state().time, world.state().step as f64);
    Ok(Measured {
        cells,
        elements: cells.pow(3) as f64,
        steps_per_second: steps / time,
        iterations: f64::from(solved as u32) / steps,
        speed: time / setup.repetitions as f64 / taken,
    })
}

/// Runs a method on larger and larger meshes, until it is clearly slower than real time.
pub fn climb(method: Method, setup: &Setup) -> Result<Vec<Measured>, CaseError> {
    let mut all: Vec<Measured> = Vec::new();
    for &cells in &setup.cells {
        if all.last().is_some_and(|last| last.speed < CLEARLY_SLOWER) {
            break;
        }
        all.push(measure(method, cells, setup)?);
    }
    Ok(all)
}

/// Elements at which time taken equals simulated time, from elements and speeds: between the last mesh in real time and the next one, on
/// logarithmic scales. The last one's where all are faster, nothing where none is.
pub fn elements_in_real_time(points: &[[f64; 2]]) -> f64 {
    let Some(last) = points.iter().rposition(|p| p[1] >= 1.0) else { return 0.0 };
    let [n0, s0] = points[last];
    points.get(last + 1).map_or(n0, |[n1, s1]| n0 * (n1 / n0).powf(s0.ln() / (s0 / s1).ln()))
}

/// What was found of the methods, in their order.
struct Found {
    runs: [Vec<Measured>; 4],
    elements: [f64; 4],
}

fn make(figure: &Figure) -> Result<Reproduction, CaseError> {
    let setup = Setup::default();
    let [implicit, lumped, full, viscous] = METHODS.map(|method| climb(method, &setup));
    let runs = [implicit?, lumped?, full?, viscous?];
    let elements = [0, 1, 2, 3].map(|i| {
        let points: Vec<[f64; 2]> = runs[i].iter().map(|m| [m.elements, m.speed]).collect();
        elements_in_real_time(&points)
    });
    let found = Found { runs, elements };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    Ok(Reproduction {
        id: figure.id,
        title: figure.title,
        source: "Zhuang 2000, sections 3.1 and 3.4, pages 42 to 45, 57 and 58",
        claim: "Implicit integration moves fewer than half a dozen elements in real time, explicit integration with lumped matrices more \
                than 600.",
        setup: format!(
            "a cube of 0.1 m, St. Venant-Kirchhoff, {} kPa, Poisson's ratio 0.4, held at one face, under gravity; D of (2.67) with mu / rho = {MASS_DAMPING} / s, \
             or stiffness damping of 1 ms; median of {} times {} s, \
             set-up not counted, up to {threads} threads; Newmark: steps of {} ms, full Newton to 1e-6",
            shown(1e-3 * setup.young, 3),
            setup.repetitions,
            setup.duration,
            shown(1e3 * NEWMARK_STEP, 2)
        ),
        entries: entries(&found),
        tables: vec![table(&found)],
        differs: "Machines are a quarter of a century apart, and the thesis gives neither body nor step for its numbers: stiffness, cell size \
                  and the motion that is to be resolved decide them. Explicit steps shrink with the cell; Newmark's do not, and follow the \
                  slowest swing only. The thesis rejects Newton's method for the cost of a new matrix in every iteration, solved by \
                  conjugate gradients; here a sparse factorization in a nested order solves it. D of (2.67) is constant and a multiple of M: one \
                  factor serves every step, and turning does not matter to it. It slows rigid motion as well, so tissue is better \
                  described by stiffness damping, which is factored anew when the body has turned; that counts here.",
        svg: drawing(&found),
    })
}

fn entries(found: &Found) -> Vec<Entry> {
    let [implicit, lumped, full, viscous] = found.elements;
    let few = match implicit < PAPER_IMPLICIT {
        true => Ok("fewer than half a dozen"),
        false => Err("the hardware does, and a sparse factorization solves what conjugate gradients did"),
    };
    let many = if lumped > PAPER_EXPLICIT {
        Ok("more than 600")
    } else {
        Err("the body and the machine are others")
    };
    let gain = lumped / implicit;
    let hundredfold = match gain >= PAPER_EXPLICIT / PAPER_IMPLICIT {
        true => Ok("two orders of magnitude"),
        false => {
            Err("sparse factors and steps as long as the slowest swing allows make implicit steps cheap")
        }
    };
    let kept = |elements: f64| match elements < lumped {
        true => Ok("fewer than lumped, but nothing of M and D is lost"),
        false => Err("lumped is slower here"),
    };
    let least = match full > implicit {
        true => Ok("implicit steps move the fewest"),
        false => Err("implicit steps are far longer, and their factorizations pay"),
    };
    let name = |i: usize| format!("{}: elements in real time", METHODS[i].name());
    let mut entries = vec![
        Entry::paper_bound(&name(0), "fewer than", PAPER_IMPLICIT, implicit, few),
        Entry::paper_bound(&name(1), "more than", PAPER_EXPLICIT, lumped, many),
        Entry::words(&name(2), "no number", full, kept(full)),
        Entry::words(&name(3), "no number", viscous, kept(viscous)),
        Entry::paper_bound(
            "elements, lumped over implicit",
            "more than",
            PAPER_EXPLICIT / PAPER_IMPLICIT,
            gain,
            hundredfold,
        ),
        Entry::words("elements, full over implicit", "implicit is least", full / implicit, least),
    ];
    // a stable step is a cell's width over the speed of sound; a cell is n^(-1/3) wide
    for i in [1, 2, 3] {
        let inner = found.runs[i].iter().filter(|m| m.cells >= 4);
        let growth = exponent(inner.map(|m| [m.elements, m.steps_per_second]));
        let quantity = format!("{}: exponent of steps a second", METHODS[i].name());
        // on a busy machine too few meshes are in real time to tell
        if growth.is_finite() {
            entries.push(Entry::by_theory(&quantity, "", 1.0 / 3.0, 0.15, growth));
        }
    }
    entries
}

fn table(found: &Found) -> Table {
    let row = |method: Method, m: &Measured| {
        let iterations = if m.iterations > 0.0 { m.iterations.into() } else { Cell::Empty };
        vec![
            Cell::Words(method.name().into()),
            m.elements.into(),
            m.steps_per_second.into(),
            iterations,
            (1e3 / (m.speed * m.steps_per_second)).into(),
            m.speed.into(),
        ]
    };
    let rows =
        METHODS.into_iter().zip(&found.runs).flat_map(|(method, runs)| runs.iter().map(move |m| (method, m)));
    Table {
        caption: "every run",
        columns: vec![
            "method",
            "elements",
            "steps a simulated second",
            "Newton iterations a step",
            "time of a step (ms)",
            "simulated over taken",
        ],
        rows: rows.map(|(method, m)| row(method, m)).collect(),
    }
}

fn drawing(found: &Found) -> String {
    let mut all = vec![
        Bar { label: "paper: implicit, fewer than".into(), value: PAPER_IMPLICIT, ours: false },
        Bar { label: "paper: explicit, more than".into(), value: PAPER_EXPLICIT, ours: false },
    ];
    let ours = METHODS.into_iter().zip(found.elements).map(|(method, elements)| Bar {
        label: format!("ours: {}", method.name()),
        value: elements.max(1.0).round(),
        ours: true,
    });
    all.extend(ours);
    bars(&all, "elements")
}
