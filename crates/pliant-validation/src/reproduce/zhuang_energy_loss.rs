//! [Zhuang 3.2]: what a collision takes of the energy, against refinement.
//!
//! ```text
//! E_h = m v_h^2 / 2 + u_n K u_{n+1} / 2     at half steps; kept by central differences                       (1)
//! (3.12)-(3.14) with equal steps: v_h . n -> - v_h . n, u_{n+2} . n = u_n . n     so that E_h is kept         (2)
//! a node of the end that is stopped: its own share of the motion is gone, 1 / (2 n) of a bar of n elements   (3)
//! ```
//!
//! Source: (2) from [Zhuang 3.13, 3.19]. The thesis says that the scheme loses energy because the normal velocity is set to zero. That is so of (3), a
//! restitution of 0, and of velocities at full steps; it is not so of E_h. What the middle of mass does not get back rings on in the bar.

use pliant_solid::contact::Response;

use super::chart::{Curve, Plot, Scale, Stroke, plots};
use super::exponent::exponent;
use super::{Cell, Entry, Figure, Reproduction, Table};
use crate::CaseError;
use crate::impact::{Impact, Seen};

/// The id.
pub const FIGURE: Figure =
    Figure { id: "zhuang-energy-loss", title: "energy that an impact takes, against refinement", make };

const ELEMENTS: [usize; 5] = [12, 25, 50, 100, 200];
/// At the start, as parts of a step's way.
const GAPS: [f64; 3] = [0.1, 0.5, 0.9];

/// What one bar gives.
#[derive(Clone, Debug)]
pub struct Loss {
    /// Elements along it.
    pub elements: usize,
    /// The largest change of (1), `constraint`.
    pub kept: f64,
    /// Of the energy of the flight, what the middle of mass does not have afterwards, `constraint`, the mean of three starts.
    pub ringing: f64,
    /// The largest change of (1), `constraint-smooth`.
    pub smooth: f64,
    /// What is lost of (1) when nodes are stopped, a restitution of 0.
    pub stopped: f64,
    /// What the accounts say of that.
    pub account: f64,
}

/// The bar of so many elements, at a part of h / c.
pub fn measure(elements: usize, safety: f64) -> Result<Loss, CaseError> {
    let bar = Impact { elements, safety, ..Impact::default() };
    let hard = GAPS.iter().map(|gap| Impact { gap: *gap, ..bar }.run()).collect::<Result<Vec<_>, _>>()?;
    let smooth = Impact { response: Response::Smooth, ..bar }.run()?;
    // from the wall itself: a node that is stopped within a step is moved as well
    let stopped = Impact { restitution: Some(0.0), gap: 0.0, ..bar }.run()?;
    let change = |seen: &Seen| seen.half_step_energy.map(|e| (e - 1.0).abs()).into_iter().fold(0.0, f64::max);
    Ok(Loss {
        elements,
        kept: hard.iter().map(change).fold(0.0, f64::max),
        ringing: hard.iter().map(|seen| 1.0 - seen.rebound.powi(2)).sum::<f64>() / GAPS.len() as f64,
        smooth: change(&smooth),
        stopped: 1.0 - stopped.kept,
        account: stopped.account,
    })
}

fn make(figure: &Figure) -> Result<Reproduction, CaseError> {
    let all = ELEMENTS.iter().map(|n| measure(*n, 0.9)).collect::<Result<Vec<_>, _>>()?;
    Ok(Reproduction {
        id: figure.id,
        title: figure.title,
        source: "Zhuang 2000, section 3.2 (its last paragraph), page 52 or 53",
        claim: "The collision constraint does lose energy, because the velocity normal to the surface is set to zero. The loss is too small to matter, \
                decreases with finer meshes, and converges to zero. The paper prints no numbers.",
        setup: format!(
            "an elastic bar of 1 m, 1 MPa, nu 0, 1000 kg/m3 in {ELEMENTS:?} elements meets a rigid wall at 1 m/s; explicit steps of 0.9 h / c from three gaps; energies at half steps"
        ),
        entries: entries(&all),
        tables: vec![table(&all)],
        differs: "The thesis looks at velocities of full steps. Between them stand the half steps, whose normal velocity (3.12) to (3.14) turn round: their energy is kept. \
                  A loss that vanishes as the paper says is there in two other places: in what rings on in the bar when the middle of mass leaves, and in nodes that are stopped.",
        svg: drawing(&all),
    })
}

fn entries(all: &[Loss]) -> Vec<Entry> {
    let points =
        |of: fn(&Loss) -> f64| -> Vec<[f64; 2]> { all.iter().map(|l| [l.elements as f64, of(l)]).collect() };
    let worst = all.iter().map(|l| l.kept).fold(0.0, f64::max);
    let falls = exponent(points(|l| l.ringing));
    let fall = match falls < -0.5 {
        true => Ok("it vanishes with refinement"),
        false => Err("it does not vanish"),
    };
    let finest = all.last().map_or(f64::NAN, |l| l.stopped);
    let stopped = all.last().map_or(f64::NAN, |l| 0.5 / l.elements as f64);
    let kept = Entry::words("constraint: largest change of the energy", "some is lost", worst, Ok(""));
    vec![
        Entry { theory: Some(0.0), ..kept }
            .but("half-step velocities are turned round, (3.13) and (3.19): none is lost on any mesh"),
        Entry::words("constraint: exponent of what rings on, over n", "converges to zero", falls, fall),
        Entry::by_theory(
            "nodes that are stopped: energy lost, finest",
            "too small to matter",
            stopped,
            0.1,
            finest,
        ),
        Entry::by_theory(
            "nodes that are stopped: its exponent over n",
            "converges to zero",
            -1.0,
            0.1,
            exponent(points(|l| l.stopped)),
        ),
        Entry::by_theory(
            "smooth: exponent of the change over n",
            "converges to zero",
            -1.0,
            0.1,
            exponent(points(|l| l.smooth)),
        ),
    ]
}

fn table(all: &[Loss]) -> Table {
    let row = |l: &Loss| -> Vec<Cell> {
        [l.elements as f64, l.kept, l.ringing, l.smooth, l.stopped, 0.5 / l.elements as f64, l.account]
            .map(Cell::from)
            .to_vec()
    };
    Table {
        caption: "parts of the energy of the flight",
        columns: vec![
            "elements",
            "constraint: change",
            "constraint: rings on",
            "smooth: change",
            "stopped nodes: lost",
            "theory",
            "stopped nodes: the accounts",
        ],
        rows: all.iter().map(row).collect(),
    }
}

fn drawing(all: &[Loss]) -> String {
    let curve = |name: &str, color, stroke, of: &dyn Fn(&Loss) -> f64| Curve {
        name: name.into(),
        color,
        stroke,
        points: all.iter().map(|l| [l.elements as f64, of(l)]).collect(),
    };
    plots(&[Plot {
        title: "part of the energy of the flight".into(),
        across: "elements along the bar",
        scale: Scale::Logarithmic,
        curves: vec![
            curve("constraint: change", "#2a7fb8", Stroke::Marks, &|l| l.kept.max(1e-16)),
            curve("constraint: rings on", "#2a7fb8", Stroke::Solid, &|l| l.ringing),
            curve("smooth: change", "#3a9a5c", Stroke::Dashed, &|l| l.smooth),
            curve("stopped nodes: lost", "#c2571a", Stroke::Solid, &|l| l.stopped),
            curve("1 / (2 n)", "#9aa5b1", Stroke::DashDot, &|l| 0.5 / l.elements as f64),
        ],
    }])
}
