//! [Zhuang 3.2, 5.4.1]: what a collision costs: the time of a step with and without contact, and the step that penalty's springs allow.
//!
//! ```text
//! a bar of elements h, waves c, an end that presses with k (Pa/m), b = k h / E:                               (1)
//!   w_max^2 = 2 (c/h)^2 (1 + sqrt(1 + b^2)),     dt = 2 / w_max
//! step without contact over that with springs: r = sqrt((1 + sqrt(1 + b^2)) / 2),   about sqrt(b / 2)          (2)
//! depth, as the end's half element hits the springs at v: v / w = (v h / c) / sqrt(2 b), or v dt / 2           (3)
//! ```
//!
//! (1): the mode (-1)^j exp(-q j) of a chain with half a mass and a spring at its end asks for sinh(q) = b. (3) is the first hit; nodes that are thrown back return
//! faster, 1.5 times as deep at half of the longest step (near it, one-sided springs gain energy with every hit). So springs sink in by about v dt of their own
//! step, just as the constraint does at its: a ratio of hundreds is the price of a depth of a hundredth of the constraint's.

use std::cell::Cell as Counter;

use pliant_geometry::{BoxElement, box_mesh};
use pliant_solid::World;
use pliant_solid::contact::{Collider, ColliderShape, ContactSettings, Response};
use pliant_solid::law::LawKind;

use super::chart::{Curve, Plot, Scale, Stroke, plots};
use super::clock::medians_in_turn;
use super::exponent::exponent;
use super::resting::compiled;
use super::{Cell, Entry, Figure, Reproduction, Table};
use crate::CaseError;
use crate::impact::{Impact, SPEED};
use crate::measure::advance;
use crate::specimen::Specimen;
use crate::verify::Perturbation;

/// The id.
pub const FIGURE: Figure = Figure {
    id: "zhuang-collision-cost",
    title: "a collision beside a step, and beside penalty's steps",
    make,
};

/// Springs of k h / E.
const SPRINGS: [f64; 7] = [1.0, 2.0, 10.0, 100.0, 1e3, 1e4, 1e5];
const BAR: usize = 25;
/// Cells along the shorter edges of the block that is timed; the other has twice as many.
const CELLS: usize = 10;
const STEPS: usize = 400;
/// Steps in which what is unstable by a hundredth grows by any number.
const SWINGS: usize = 300;

/// Median times of a step, s.
#[derive(Clone, Copy, Debug)]
pub struct Cost {
    /// Hexahedra.
    pub elements: usize,
    /// The part of the surface's nodes that touches.
    pub touching: f64,
    /// Without a collider.
    pub free: f64,
    /// With a floor that is out of reach.
    pub far: f64,
    /// Standing on the floor, `constraint`.
    pub constraint: f64,
    /// The same, `constraint-smooth`.
    pub smooth: f64,
}

/// A block of n x n x 2n hexahedra, which stands on a tenth of its surface, or falls.
fn block(cells: usize, floor: Option<f64>, response: &str) -> Result<World, CaseError> {
    let floor = floor.map_or(String::new(), |at| {
        format!("[[collider]]\nname = \"floor\"\nshape = \"plane\"\npoint = [0, 0, {at}]\nnormal = [0, 0, 1]\nfriction = 0.3\n")
    });
    let text = format!(
        "duration = 1000\ngravity = [0, 0, -9.81]\n[integrator]\nstep = 1e-4\n[contact]\nresponse = \"{response}\"\n[material.m]\n\
         law = \"st-venant\"\nyoung = 1e5\npoisson = 0.3\ndensity = 1000\ndamping = {{ mass = 20 }}\n[body.block]\nmaterial = \"m\"\n\
         mesh = {{ shape = \"box\", size = [0.1, 0.1, 0.2], cells = [{cells}, {cells}, {}], element = \"hex\" }}\n{floor}",
        2 * cells
    );
    Ok(compiled(&text, "zhuang-collision-cost")?.world()?)
}

/// Times steps of four blocks in turn, after some in which the one on the floor settles.
pub fn cost(cells: usize, steps: usize) -> Result<Cost, CaseError> {
    let mut worlds = [
        block(cells, None, "constraint")?,
        block(cells, Some(-1e3), "constraint")?,
        block(cells, Some(0.0), "constraint")?,
        block(cells, Some(0.0), "constraint-smooth")?,
    ];
    for world in &mut worlds {
        advance(world, 2000)?;
    }
    let touched = Counter::new(0_usize);
    let times = medians_in_turn(steps, &mut worlds, |world| {
        advance(world, 1)?;
        touched.set(touched.get() + world.contacts().filter(|contact| contact.normal_force > 0.0).count());
        Ok(())
    })?;
    let surface = worlds[0].model().surface().vertices().len();
    Ok(Cost {
        elements: 2 * cells.pow(3),
        touching: touched.get() as f64 / (2 * steps * surface) as f64,
        free: times[0],
        far: times[1],
        constraint: times[2],
        smooth: times[3],
    })
}

/// What springs of k h / E give.
#[derive(Clone, Copy, Debug)]
pub struct Springs {
    /// b of (1).
    pub relative: f64,
    /// h / c over the longest step that is stable.
    pub ratio: f64,
    /// The deepest penetration at half of that, over v h / c.
    pub depth: f64,
}

impl Springs {
    /// (2).
    pub fn theory(relative: f64) -> f64 {
        (0.5 * (1.0 + (1.0 + relative * relative).sqrt())).sqrt()
    }
}

/// Pa/m of b: E = 1 MPa, h = 1 m / elements.
fn stiffness(elements: usize, relative: f64) -> f64 {
    relative * 1e6 * elements as f64
}

/// Whether a bar that rests on the springs under a pressure stays in contact when its nodes are set swinging against each other.
fn is_stable(elements: usize, relative: f64, safety: f64) -> Result<bool, CaseError> {
    let (pressure, young, k) = (100.0, 1e6, stiffness(elements, relative));
    let contact = ContactSettings {
        response: Some(Response::Penalty),
        stiffness: Some(k),
        ..ContactSettings::default()
    };
    let mesh = box_mesh([1.0, 1.0, 1.0], [1, 1, elements], BoxElement::Hex)?;
    let mut world = Specimen::new(mesh, Perturbation::None.law(LawKind::Linear, young, 0.0)?)
        .hold(|_| true, [true, true, false])
        .traction(|p| p[2] > 1.0 - 1e-9, [0.0, 0.0, -pressure])
        .collider(Collider::new("wall", ColliderShape::Plane))
        .contact(contact)
        .world(Impact { elements, safety, ..Impact::default() }.step())?;
    let mut state = world.state().clone();
    for (x, v) in state.x.chunks_exact_mut(3).zip(state.v.chunks_exact_mut(3)) {
        let sign = if (x[2] * elements as f64).round() % 2.0 == 0.0 { 1.0 } else { -1.0 };
        x[2] -= pressure * (x[2] / young + 1.0 / k);
        // a hundredth of the speed that would lift it off
        v[2] = 0.01 * sign * pressure * (2.0 / (k * 1000.0 / elements as f64)).sqrt();
    }
    world.restore(state)?;
    for _ in 0..SWINGS {
        // a step that is refused has diverged
        if advance(&mut world, 1).is_err() {
            return Ok(false);
        }
        let force: f64 = world.state().contacts.touches().iter().map(|touch| touch.force[2]).sum();
        if (force / pressure - 1.0).abs() > 0.9 {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The longest stable step by bisection, and the depth of an impact at half of it.
pub fn springs(elements: usize, relative: f64) -> Result<Springs, CaseError> {
    let theory = 1.0 / Springs::theory(relative);
    let (mut stable, mut unstable) = (0.8 * theory, 1.2 * theory);
    for _ in 0..6 {
        let middle = 0.5 * (stable + unstable);
        *(if is_stable(elements, relative, middle)? { &mut stable } else { &mut unstable }) = middle;
    }
    let (response, stiffness) = (Response::Penalty, Some(stiffness(elements, relative)));
    let bar = Impact { elements, response, stiffness, ..Impact::default() };
    let seen = Impact { safety: 0.5 * stable, ..bar }.run()?;
    let step = Impact { safety: 1.0, ..bar }.step();
    Ok(Springs { relative, ratio: 1.0 / stable, depth: seen.depth / (SPEED * step) })
}

/// The deepest of the constraint at 0.9 of h / c from three gaps, over v h / c.
pub fn overshoot(elements: usize) -> Result<f64, CaseError> {
    let bar = Impact { elements, ..Impact::default() };
    let step = Impact { safety: 1.0, ..bar }.step();
    let mut deepest: f64 = 0.0;
    for gap in [0.1, 0.5, 0.9] {
        deepest = deepest.max(Impact { gap, ..bar }.run()?.depth / (SPEED * step));
    }
    Ok(deepest)
}

fn make(figure: &Figure) -> Result<Reproduction, CaseError> {
    let cost = cost(CELLS, STEPS)?;
    let all = SPRINGS.iter().map(|b| springs(BAR, *b)).collect::<Result<Vec<_>, _>>()?;
    let ours = overshoot(BAR)?;
    Ok(Reproduction {
        id: figure.id,
        title: figure.title,
        source: "Zhuang 2000, sections 3.2 and 5.4.1, pages 48 to 53 (and again in 5.4.1)",
        claim: "The collision constraint costs next to nothing beside a step without collision (\"nominal\"). Penalty methods need steps shorter by a ratio on the order of \
                hundreds if not more. No stiffness, depth or body is given.",
        setup: format!(
            "time: {} hexahedra, St. Venant-Kirchhoff, explicit steps of 0.1 ms, standing on {:.0} % of the surface's nodes, medians of {STEPS} steps in turn; steps: the bar of BAR-IMPACT-1 in \
             {BAR} elements, the longest stable step of springs by bisection",
            cost.elements,
            100.0 * cost.touching
        ),
        entries: entries(&cost, &all, ours),
        tables: vec![table(&all, ours)],
        differs: "The ratio is what one asks for. Springs about as deep as the constraint's one step (k = 2 E / h) shorten the step by a quarter; as stiff as this program's own \
                  (k = 10 E / h) 2.3 times; a hundredfold from 20 000 E / h on, for a hundredth of the depth. Penalty sinks in by about v dt of its own step, \
                  as the constraint does: with steps as short the constraint would be as tight.",
        svg: drawing(&all),
    })
}

fn entries(cost: &Cost, all: &[Springs], overshoot: f64) -> Vec<Entry> {
    let part = |name: &str, time: f64, most: f64| {
        let found = match time / cost.free <= most {
            true => Ok("next to nothing"),
            false => Err("of the load of this machine, or of what finding contacts costs"),
        };
        Entry::words(name, "nominal", time / cost.free, found)
    };
    let mut out = vec![
        part("a floor out of reach: time of a step", cost.far, 1.25),
        part("constraint: time of a step", cost.constraint, 1.25),
        part("constraint-smooth: time of a step", cost.smooth, 1.25),
        Entry::below(
            "constraint: depth over v h / c",
            "no penetration after two steps",
            2.0 * 0.9,
            0.0,
            overshoot,
        ),
    ];
    for springs in all {
        let b = springs.relative;
        let name = format!("penalty, k = {b:e} E / h: ratio of steps");
        let entry = Entry::by_theory(&name, "hundreds", Springs::theory(b), 0.02, springs.ratio);
        out.push(match springs.ratio >= 100.0 {
            true => entry,
            false => entry.but("springs this soft ask for no more; theory says the same"),
        });
    }
    let stiff = || all.iter().filter(|springs| springs.relative >= 10.0);
    let falls = exponent(stiff().map(|springs| [springs.relative, springs.depth]));
    out.push(Entry::by_theory("penalty: exponent of the depth over k", "", -0.5, 0.1, falls));
    // over the way of the longest step
    let worst = stiff().map(|springs| springs.depth * springs.ratio).fold(0.0, f64::max);
    out.push(Entry::below("penalty: depth over v dt of its own step", "", 2.0, 0.0, worst));
    out
}

fn table(all: &[Springs], overshoot: f64) -> Table {
    let row = |s: &Springs| -> Vec<Cell> {
        [
            s.relative,
            s.ratio,
            Springs::theory(s.relative),
            s.depth,
            1.0 / (2.0 * s.relative).sqrt(),
            s.depth * s.ratio,
            s.depth / overshoot,
        ]
        .map(Cell::from)
        .to_vec()
    };
    Table {
        caption: "springs of penalty: steps and depths",
        columns: vec![
            "k h / E",
            "h / c over dt",
            "theory",
            "depth / (v h / c)",
            "first hit, theory",
            "depth / (v dt)",
            "over the constraint's",
        ],
        rows: all.iter().map(row).collect(),
    }
}

fn drawing(all: &[Springs]) -> String {
    let curve = |name: &str, color, stroke, of: &dyn Fn(&Springs) -> f64| Curve {
        name: name.into(),
        color,
        stroke,
        points: all.iter().map(|s| [1.0 / s.depth, of(s)]).collect(),
    };
    plots(&[Plot {
        title: "step without contact over that of penalty".into(),
        across: "v h / c over the depth of the springs",
        scale: Scale::Logarithmic,
        curves: vec![
            curve("measured", "#2a7fb8", Stroke::Marks, &|s| s.ratio),
            curve("theory", "#2a7fb8", Stroke::Solid, &|s| Springs::theory(s.relative)),
            curve("the paper: hundreds", "#9aa5b1", Stroke::Dashed, &|_| 100.0),
        ],
    }])
}
