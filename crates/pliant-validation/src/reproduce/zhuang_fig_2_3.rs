//! [Zhuang Fig. 2.3]: a beam under gravity, with linear and with quadratic strain.
//!
//! Linear strain sends the axis straight down by w(x) and tilts every section by p(x), so that with the weight q per
//! length, s = x / L and k = 5/6
//!
//! ```text
//! p  = q L^3 / (6 E I) (3 s - 3 s^2 + s^3),   w' = p + q (L - x) / (k G A)                    (1)
//! length of the axis = int sqrt(1 + w'^2) dx,   V / V0 = 1 + mean(p w')                       (2)
//! ```
//!
//! The second of (2) is the mean of det(I + grad u) for u = (- z p, 0, w). The paper prints no numbers: (2) is derived here.

use super::picture::{Panel, View, panels};
use super::resting::{Resting, resting};
use super::{Entry, Figure, Reproduction, per_cent};
use crate::CaseError;
use crate::measure::{Vec3, sub};

/// The id.
pub const FIGURE: Figure = Figure {
    id: "zhuang-fig-2.3",
    title: "a beam bent by gravity grows under linear strain and not under quadratic strain",
    make,
};

/// What is free to choose.
#[derive(Clone, Copy, Debug)]
pub struct Setup {
    /// Young's modulus, Pa.
    pub young: f64,
}

impl Default for Setup {
    fn default() -> Self {
        Self { young: 5e5 }
    }
}

const LENGTH: f64 = 1.0;
const HEIGHT: f64 = 0.2;
const POISSON: f64 = 0.3;
const DENSITY: f64 = 1000.0;
const GRAVITY: f64 = 9.81;
const CELLS: [usize; 3] = [20, 4, 4];

/// What one law gives.
#[derive(Clone, Copy, Debug)]
pub struct Measured {
    /// Displacement of the middle of the free end, m.
    pub tip: Vec3,
    /// Length of the axis over its length at rest.
    pub length_ratio: f64,
    /// Volume over volume at rest.
    pub volume_ratio: f64,
    /// Kinetic over elastic energy at the end.
    pub restlessness: f64,
    /// Steps taken.
    pub steps: u64,
}

/// The beam at rest under a law, `linear` or `st-venant`.
pub fn measure(law: &str, setup: Setup) -> Result<Measured, CaseError> {
    beam(law, setup).map(|body| measured(&body))
}

fn beam(law: &str, Setup { young }: Setup) -> Result<Resting, CaseError> {
    // 5 1/s is near twice the first frequency of the sound beam: no long ringing, no long creeping
    let text = format!(
        "duration = 5\ngravity = [0, 0, -{GRAVITY}]\n[material.m]\nlaw = \"{law}\"\nyoung = {young}\npoisson = {POISSON}\n\
         density = {DENSITY}\ndamping = {{ mass = 5 }}\n[body.beam]\nmaterial = \"m\"\n\
         mesh = {{ shape = \"box\", size = [{LENGTH}, {HEIGHT}, {HEIGHT}], cells = {CELLS:?}, element = \"hex\" }}\n\
         [[body.beam.fix]]\nwhere = {{ plane = {{ point = [0, 0, 0], normal = [1, 0, 0] }} }}\n"
    );
    resting(&text, "zhuang-fig-2.3")
}

fn measured(body: &Resting) -> Measured {
    let middle = 0.5 * HEIGHT;
    let axis: Vec<Vec3> =
        (0..=CELLS[0]).map(|i| [LENGTH * i as f64 / CELLS[0] as f64, middle, middle]).collect();
    let end = [LENGTH, middle, middle];
    Measured {
        tip: sub(body.now(end), end),
        length_ratio: body.length_through(&axis) / LENGTH,
        volume_ratio: body.volume_ratio,
        restlessness: body.restlessness,
        steps: body.steps,
    }
}

/// Deflection of the end (m), length and volume ratios under linear strain, by (1) and (2).
pub fn linear_theory(Setup { young }: Setup) -> [f64; 3] {
    let (area, inertia) = (HEIGHT * HEIGHT, HEIGHT.powi(4) / 12.0);
    let shear = young / (2.0 * (1.0 + POISSON));
    let load = DENSITY * GRAVITY * area;
    let n = 1000;
    let mut sums = [0.0; 3];
    for i in 0..n {
        let s = (i as f64 + 0.5) / n as f64;
        let tilt = load * LENGTH.powi(3) / (6.0 * young * inertia) * (3.0 * s - 3.0 * s * s + s * s * s);
        let slope = tilt + load * LENGTH * (1.0 - s) / (5.0 / 6.0 * shear * area); // (1)
        sums[0] -= LENGTH * slope / n as f64;
        sums[1] += (1.0 + slope * slope).sqrt() / n as f64; // (2)
        sums[2] += tilt * slope / n as f64;
    }
    [sums[0], sums[1], 1.0 + sums[2]]
}

fn make(figure: &Figure) -> Result<Reproduction, CaseError> {
    let setup = Setup::default();
    let (linear, quadratic) = (beam("linear", setup)?, beam("st-venant", setup)?);
    let (l, q) = (measured(&linear), measured(&quadratic));
    Ok(Reproduction {
        id: figure.id,
        title: figure.title,
        source: "Zhuang 2000, section 2.2, figure 2.3, page 14",
        claim: "The left end is fixed, the right end free. Under gravity the beam is distorted when strain is linear, and \
                undistorted under the same force when strain is quadratic. The paper prints pictures, no numbers.",
        setup: format!(
            "{LENGTH} x {HEIGHT} x {HEIGHT} m, {CELLS:?} hexahedra, E = {} kPa, nu = {POISSON}, {DENSITY} kg/m3; explicit \
             steps, damped to rest ({} and {} steps)",
            setup.young / 1e3,
            l.steps,
            q.steps
        ),
        entries: entries(&l, &q, linear_theory(setup)),
        tables: Vec::new(),
        differs: "The paper gives neither sizes nor stiffness, so the beam is ours. Plain hexahedra are a few per cent too stiff \
                  in bending, so ours grows a little less than beam theory says. Under quadratic strain the beam keeps its \
                  length and volume to the part that gravity really stretches it.",
        svg: drawing(&linear, &quadratic, &l, &q),
    })
}

fn entries(l: &Measured, q: &Measured, [deflection, length, volume]: [f64; 3]) -> Vec<Entry> {
    vec![
        Entry::by_theory("linear: length of the axis", "distorted", length, 0.1, l.length_ratio),
        Entry::by_theory("linear: volume", "distorted", volume, 0.1, l.volume_ratio),
        Entry::by_theory("linear: fall of the end", "distorted", deflection, 0.1, l.tip[2]).in_unit("m"),
        Entry::by_theory("quadratic: length of the axis", "undistorted", 1.0, 0.03, q.length_ratio),
        Entry::by_theory("quadratic: volume", "undistorted", 1.0, 0.03, q.volume_ratio),
    ]
}

fn drawing(linear: &Resting, quadratic: &Resting, l: &Measured, q: &Measured) -> String {
    let notes =
        |m: &Measured| format!("length {}, volume {}", per_cent(m.length_ratio), per_cent(m.volume_ratio));
    let rest = linear.mesh.positions().to_vec();
    let ones = vec![1.0; linear.mesh.cell_count()];
    let drawn = [
        Panel {
            label: "at rest".into(),
            note: "left end fixed".into(),
            mesh: &linear.mesh,
            positions: &rest,
            ratios: &ones,
        },
        Panel {
            label: "linear strain".into(),
            note: notes(l),
            mesh: &linear.mesh,
            positions: &linear.positions,
            ratios: &linear.cell_ratios,
        },
        Panel {
            label: "quadratic strain".into(),
            note: notes(q),
            mesh: &quadratic.mesh,
            positions: &quadratic.positions,
            ratios: &quadratic.cell_ratios,
        },
    ];
    panels(&drawn, View { azimuth: -0.45, elevation: 0.3 })
}
