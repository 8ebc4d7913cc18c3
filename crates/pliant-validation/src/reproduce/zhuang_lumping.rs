//! [Zhuang 3.1.1]: what lumping the mass does to the longest stable step.
//!
//! ```text
//! dt = 2 / w_max                                                                              (1)
//! bar of n elements, one end held, q = (2n - 1) pi / (2n):
//!   lumped:  w_max = 2 c/h sin(q/2);   full:  w_max^2 = 6 (c/h)^2 (1 - cos q) / (2 + cos q)      (2)
//! 1 <= dt lumped / dt full <= sqrt(m),   m = 3 (bar), 27 (hexahedra), 5 (tetrahedra)         (3)
//! mean kinetic energy of the two half steps + elastic energy - dt^2/4 a.M a = constant        (4)
//! ```
//!
//! (1) is [Zhuang 3.11]. The quotient of (2) is sqrt(3) for long bars. (3): in an element the full mass of any motion is at most the
//! lumped one and at least 1/m of it, the least eigenvalue of the one in the metric of the other, (1/3)^3 for the product of three bars and
//! (1/20) / (1/4) for a tetrahedron; Rayleigh's quotient does the rest. The bar here is a row of hexahedra that
//! move along it only, far wider than long, so that shear does not matter. (4) holds to rounding for central differences without damping: it is
//! the mean of v M v / 2 + x_n K x_{n+1} / 2 over two half steps.

use pliant_scene::{CompileOptions, Compiled, LoadedScene, Scene, compile};
use pliant_solid::World;
use pliant_solid::integrator::Inputs;

use super::bars::{Bar, bars};
use super::{Cell, Entry, Figure, Reproduction, Table};
use crate::CaseError;
use crate::verify::shown;

/// The id.
pub const FIGURE: Figure =
    Figure { id: "zhuang-lumping", title: "lumped mass allows longer steps than full mass", make };

const YOUNG: f64 = 2e4;
const POISSON: f64 = 0.3;
/// Width of a cell, m.
const CELL: f64 = 0.01;

/// A body whose step is sought.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// So many hexahedra in a row, moving along it.
    Row(usize),
    /// A cube of so many hexahedra along each edge.
    Hexes(usize),
    /// A cube of so many cells along each edge, five tetrahedra each.
    Tets(usize),
}

/// What the figure looks at.
const SHAPES: [Shape; 6] =
    [Shape::Row(1), Shape::Row(4), Shape::Row(20), Shape::Hexes(4), Shape::Hexes(8), Shape::Tets(6)];

impl Shape {
    /// In a few words.
    pub fn name(self) -> String {
        match self {
            Self::Row(1) => "one hexahedron, along it".into(),
            Self::Row(n) => format!("row of {n} hexahedra, along it"),
            Self::Hexes(n) => format!("cube of {n}^3 hexahedra"),
            Self::Tets(n) => format!("cube of {} tetrahedra", 5 * n * n * n),
        }
    }

    /// m of (3).
    pub fn most(self) -> f64 {
        match self {
            Self::Row(_) => 3.0,
            Self::Hexes(_) => 27.0,
            Self::Tets(_) => 5.0,
        }
    }

    /// The steps of (2), lumped and full, s.
    pub fn theory(self) -> Option<[f64; 2]> {
        let Self::Row(n) = self else { return None };
        let q = (2 * n - 1) as f64 * std::f64::consts::PI / (2 * n) as f64;
        // the modulus of a bar whose sides are held
        let modulus = YOUNG * (1.0 - POISSON) / ((1.0 + POISSON) * (1.0 - 2.0 * POISSON));
        let rate = (modulus / 1000.0).sqrt() / CELL;
        let full = (6.0 * (1.0 - q.cos()) / (2.0 + q.cos())).sqrt();
        Some([2.0 * (0.5 * q).sin(), full].map(|w| 2.0 / (rate * w)))
    }

    /// The scene, with or without full mass, at a step or at its own.
    fn text(self, full: bool, step: Option<f64>) -> String {
        let wide = 200.0 * CELL;
        let (size, cells, element) = match self {
            Self::Row(n) => ([n as f64 * CELL, wide, wide], [n, 1, 1], "hex"),
            Self::Hexes(n) => ([n as f64 * CELL; 3], [n; 3], "hex"),
            Self::Tets(n) => ([n as f64 * CELL; 3], [n; 3], "tet5"),
        };
        let sides = match self {
            // the end is held by the fix before
            Self::Row(_) => "axes = \"x\"\n[[body.b.fix]]\nwhere = \"all\"\naxes = \"yz\"\n",
            _ => "",
        };
        let mass = if full { "mass = \"consistent\"" } else { "" };
        let step = step.map_or(String::new(), |dt| format!("step = {dt:e}"));
        format!(
            "duration = 1000\n[integrator]\nmethod = \"explicit\"\n{step}\n[material.m]\nlaw = \"linear\"\nyoung = {YOUNG:e}\n\
             poisson = {POISSON}\ndensity = 1000\n[body.b]\nmaterial = \"m\"\n{mass}\nvelocity = [0.01, 0, 0]\n\
             mesh = {{ shape = \"box\", size = {size:?}, cells = {cells:?}, element = \"{element}\" }}\n\
             [[body.b.fix]]\nwhere = {{ plane = {{ point = [0, 0, 0], normal = [1, 0, 0] }} }}\n{sides}"
        )
    }
}

/// Compiles a scene; also one whose step is above the stable one.
fn forced(text: &str) -> Result<Compiled, CaseError> {
    let (scene, source) = Scene::parse(text, "zhuang-lumping")?;
    let loaded = LoadedScene { scene, source, folder: ".".into() };
    Ok(compile(&loaded, CompileOptions { force: true, ..CompileOptions::default() })?)
}

/// The longest stable steps, lumped and full, s.
pub fn steps(shape: Shape) -> Result<[f64; 2], CaseError> {
    let step = |full| forced(&shape.text(full, None)).map(|compiled| compiled.limit().dt);
    Ok([step(false)?, step(true)?])
}

/// The largest kinetic energy of a jolted body within so many steps, over that at the start; infinite where it diverged.
pub fn growth(shape: Shape, full: bool, step: f64, count: usize) -> Result<f64, CaseError> {
    let compiled = forced(&shape.text(full, Some(step)))?;
    let mut world = compiled.world()?;
    let start = world.energy().kinetic;
    let mut most = start;
    for _ in 0..count {
        if world.step(&Inputs::default()).is_err() {
            return Ok(f64::INFINITY);
        }
        most = most.max(world.energy().kinetic);
    }
    Ok(most / start)
}

/// (4), J.
fn discrete_energy(world: &World, step: f64) -> f64 {
    let (energy, mass) = (world.energy(), world.model().mass());
    let accelerated: f64 = world.state().a.iter().enumerate().map(|(i, a)| mass[i / 3] * a * a).sum();
    energy.kinetic + energy.elastic - 0.25 * step * step * accelerated
}

/// The part of (4) that lumped steps lose, or gain, at 0.9 of the longest one.
pub fn lost(shape: Shape, count: usize) -> Result<f64, CaseError> {
    let step = 0.9 * steps(shape)?[0];
    let compiled = forced(&shape.text(false, Some(step)))?;
    let mut world = compiled.world()?;
    world.step(&Inputs::default())?;
    // what is given may be adapted so that frames fall on steps
    let (step, start) = (world.state().solver.dt, discrete_energy(&world, world.state().solver.dt));
    for _ in 0..count {
        world.step(&Inputs::default())?;
    }
    Ok(1.0 - discrete_energy(&world, step) / start)
}

/// Steps of the runs on both sides of the limit.
const RUN: usize = 400;
/// Steps of the run that watches energy.
const WATCHED: usize = 5000;
/// Below and above the longest stable step.
const SIDES: [f64; 2] = [0.99, 1.02];

struct Found {
    shape: Shape,
    steps: [f64; 2],
    /// Growth of lumped and full, below and above the limit.
    growth: [[f64; 2]; 2],
}

fn make(figure: &Figure) -> Result<Reproduction, CaseError> {
    let mut all = Vec::new();
    for shape in SHAPES {
        let steps = steps(shape)?;
        let mut grown = [[0.0; 2]; 2];
        for (kind, full) in [(0, false), (1, true)] {
            for (side, part) in SIDES.into_iter().enumerate() {
                grown[kind][side] = growth(shape, full, part * steps[kind], RUN)?;
            }
        }
        all.push(Found { shape, steps, growth: grown });
    }
    let lost = lost(Shape::Hexes(4), WATCHED)?;
    Ok(Reproduction {
        id: figure.id,
        title: figure.title,
        source: "Zhuang 2000, section 3.1.1, pages 45 to 48",
        claim: "In numerical experiments the lumped mass matrix improves the stability of the system; lumping is said to introduce additional \
                dissipation of energy.",
        setup: format!(
            "central differences, linear elasticity, E = {} kPa, nu = {POISSON}, cells of {} cm, one face held; the longest stable step \
             found by Lanczos iterations, and {RUN} steps after a jolt at {} and {} of it",
            shown(1e-3 * YOUNG, 3),
            100.0 * CELL,
            SIDES[0],
            SIDES[1]
        ),
        entries: entries(&all, lost),
        tables: vec![table(&all)],
        differs: "Lumping lowers the highest frequencies, so the step may be longer: by sqrt(3) in a long bar, by more in bodies, and it is never \
                  shorter. Dissipation is another matter: a lumped matrix is as symmetric as a full one, and central differences keep a \
                  discrete energy with either. The thesis prints no numbers.",
        svg: drawing(&all),
    })
}

fn entries(all: &[Found], lost: f64) -> Vec<Entry> {
    let mut entries = Vec::new();
    for Found { shape, steps, growth } in all {
        let (name, ratio) = (shape.name(), steps[0] / steps[1]);
        let quantity = format!("{name}: step, lumped over full");
        entries.push(match shape.theory() {
            Some(theory) => Entry::by_theory(&quantity, "more stable", theory[0] / theory[1], 0.01, ratio),
            None => {
                let most = shape.most().sqrt();
                let part = format!("above 1, and {} of the most there can be", shown(ratio / most, 2));
                let found = if (1.0..=most).contains(&ratio) {
                    Ok(part.as_str())
                } else {
                    Err("it is beyond theory")
                };
                let bounded = Entry::words(&quantity, "more stable", ratio, found).bounding();
                Entry { theory: Some(most), ratio: Some(ratio / most), ..bounded }
            }
        });
        let [below, above] = [0, 1].map(|side| growth.map(|g| g[side]));
        // a single swing at a part p of its limit varies by 1 / (1 - p^2): 50 at 0.99
        let stable = below.iter().all(|g| *g < 100.0) && above.iter().all(|g| *g > 1e6);
        let found = match stable {
            true => Ok("stable there, unstable at 1.02 of it"),
            false => Err("the limit is not where it was found"),
        };
        let quantity = format!("{name}: most growth at 0.99 of the limit");
        entries.push(Entry::words(&quantity, "stable up to 2 / w", below[0].max(below[1]), found));
    }
    let found = match lost > 1e-3 {
        true => Ok("it loses energy"),
        false => Err("central differences keep a discrete energy whatever the mass"),
    };
    let quantity = format!("energy lost by {WATCHED} lumped steps, undamped");
    entries.push(Entry::words(&quantity, "additional dissipation", lost, found));
    entries
}

fn table(all: &[Found]) -> Table {
    let row = |Found { shape, steps, growth }: &Found| {
        let theory = shape.theory();
        let mut row = vec![Cell::Words(shape.name())];
        row.extend(steps.map(|dt| Cell::from(1e3 * dt)));
        row.extend([0, 1].map(|i| Cell::from(theory.map(|t| 1e3 * t[i]))));
        let grown = |g: f64| if g < 1e6 { Cell::from(g) } else { Cell::Words("diverges".into()) };
        row.extend(growth.iter().flatten().map(|g| grown(*g)));
        row
    };
    Table {
        caption: "longest stable steps (ms), and the growth of kinetic energy at 0.99 and at 1.02 of them",
        columns: vec![
            "body",
            "lumped",
            "full",
            "theory: lumped",
            "theory: full",
            "lumped, below",
            "lumped, above",
            "full, below",
            "full, above",
        ],
        rows: all.iter().map(row).collect(),
    }
}

fn drawing(all: &[Found]) -> String {
    let bar = |(found, lumped): (&Found, bool)| Bar {
        label: format!("{}{}", found.shape.name(), if lumped { ", lumped" } else { ", full" }),
        value: 1e3 * found.steps[usize::from(!lumped)],
        ours: lumped,
    };
    let both = all.iter().flat_map(|found| [(found, true), (found, false)]);
    bars(&both.map(bar).collect::<Vec<_>>(), "ms")
}
