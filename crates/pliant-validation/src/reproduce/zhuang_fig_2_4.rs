//! [Zhuang Fig. 2.4]: a block whose bottom is held and whose top is twisted, with linear and with quadratic strain.
//!
//! Under linear strain a point of the top moves along its tangent, u = a (- y, x): no strain, but
//!
//! ```text
//! radius ratio = sqrt(1 + a^2),   area ratio of the top = det(I + a J) = 1 + a^2              (1)
//! a = T H / (G 0.1406 b^4)        St. Venant torsion of a square bar of side b                (2)
//! ```
//!
//! with a from the tangential displacement of a corner. The paper prints no numbers: (1) is derived here. (2) leaves out
//! that the bottom cannot warp.

use super::picture::{Panel, View, panels};
use super::resting::{Resting, resting};
use super::{Entry, Figure, Reproduction, per_cent};
use crate::CaseError;
use crate::measure::Vec3;

/// The id.
pub const FIGURE: Figure = Figure {
    id: "zhuang-fig-2.4",
    title: "the top of a twisted block swells under linear strain and not under quadratic strain",
    make,
};

/// What is free to choose.
#[derive(Clone, Copy, Debug)]
pub struct Setup {
    /// Force along each of the four top edges, N.
    pub force: f64,
}

impl Default for Setup {
    fn default() -> Self {
        Self { force: 11.0 }
    }
}

const SIDE: f64 = 0.1;
const HEIGHT: f64 = 0.2;
const YOUNG: f64 = 1e5;
const POISSON: f64 = 0.3;
const CELLS: [usize; 3] = [4, 4, 8];

/// What one law gives.
#[derive(Clone, Copy, Debug)]
pub struct Measured {
    /// Tangential displacement of a top corner over its distance from the axis.
    pub tangent: f64,
    /// How far the corner is turned, rad.
    pub turned: f64,
    /// Distance of the corner from the axis, over that at rest.
    pub radius_ratio: f64,
    /// Area of the top's outline over that at rest.
    pub area_ratio: f64,
    /// Kinetic over elastic energy at the end.
    pub restlessness: f64,
    /// Steps taken.
    pub steps: u64,
}

/// The block at rest under a law, `linear` or `st-venant`.
pub fn measure(law: &str, setup: Setup) -> Result<Measured, CaseError> {
    block(law, setup).map(|body| measured(&body))
}

fn block(law: &str, Setup { force }: Setup) -> Result<Resting, CaseError> {
    let mut text = format!(
        "duration = 2\n[material.m]\nlaw = \"{law}\"\nyoung = {YOUNG}\npoisson = {POISSON}\ndensity = 1000\n\
         damping = {{ mass = 25 }}\n[body.block]\nmaterial = \"m\"\n\
         mesh = {{ shape = \"box\", size = [{SIDE}, {SIDE}, {HEIGHT}], cells = {CELLS:?}, element = \"hex\" }}\n\
         [[body.block.fix]]\nwhere = {{ plane = {{ point = [0, 0, 0], normal = [0, 0, 1] }} }}\n"
    );
    // along the edges x = b, x = 0, y = b, y = 0 of the top
    let (low, high) = (HEIGHT - 1e-3, HEIGHT + 1e-3);
    let edges =
        [(0, SIDE, [0.0, force]), (0, 0.0, [0.0, -force]), (1, SIDE, [-force, 0.0]), (1, 0.0, [force, 0.0])];
    for (axis, at, [fx, fy]) in edges {
        let (mut min, mut max) = ([-1.0, -1.0, low], [1.0, 1.0, high]);
        (min[axis], max[axis]) = (at - 1e-3, at + 1e-3);
        text += &format!(
            "[[body.block.load]]\nwhere = {{ box = {{ min = {min:?}, max = {max:?} }} }}\nforce = [{fx:?}, {fy:?}, 0.0]\n\
             over = 0.5\n"
        );
    }
    resting(&text, "zhuang-fig-2.4")
}

fn measured(body: &Resting) -> Measured {
    let half = 0.5 * SIDE;
    let corners = [[0.0, 0.0], [SIDE, 0.0], [SIDE, SIDE], [0.0, SIDE]];
    let now: Vec<Vec3> = corners.iter().map(|c| body.now([c[0], c[1], HEIGHT])).collect();
    // shoelace
    let doubled: f64 =
        (0..4).map(|i| now[i][0] * now[(i + 1) % 4][1] - now[(i + 1) % 4][0] * now[i][1]).sum();
    let (x, y) = (now[2][0] - half, now[2][1] - half);
    let radius = half.hypot(half);
    Measured {
        // the unit tangent at (1, 1) is (-1, 1) / sqrt(2)
        tangent: (y - x) / 2_f64.sqrt() / radius,
        turned: y.atan2(x) - std::f64::consts::FRAC_PI_4,
        radius_ratio: x.hypot(y) / radius,
        area_ratio: 0.5 * doubled / (SIDE * SIDE),
        restlessness: body.restlessness,
        steps: body.steps,
    }
}

/// The angle of (2), rad.
pub fn torsion(Setup { force }: Setup) -> f64 {
    let torque = 4.0 * force * 0.5 * SIDE;
    let shear = YOUNG / (2.0 * (1.0 + POISSON));
    torque * HEIGHT / (shear * 0.1406 * SIDE.powi(4))
}

fn make(figure: &Figure) -> Result<Reproduction, CaseError> {
    let setup = Setup::default();
    let (linear, quadratic) = (block("linear", setup)?, block("st-venant", setup)?);
    let (l, q) = (measured(&linear), measured(&quadratic));
    Ok(Reproduction {
        id: figure.id,
        title: figure.title,
        source: "Zhuang 2000, section 2.2, figure 2.4, page 15",
        claim: "The bottom is fixed and the top twisted. Under linear elasticity the top is expanded; under nonlinear elasticity \
                the same distortion does not occur. The paper prints pictures, no numbers.",
        setup: format!(
            "{SIDE} x {SIDE} x {HEIGHT} m, {CELLS:?} hexahedra, E = {} kPa, nu = {POISSON}; {} N along each edge of the top; \
             explicit steps, damped to rest ({} and {} steps)",
            YOUNG / 1e3,
            setup.force,
            l.steps,
            q.steps
        ),
        entries: entries(&l, &q, torsion(setup)),
        tables: Vec::new(),
        differs: "The paper gives neither sizes nor how the top is held; ours is turned by forces along its edges, so that it is free \
                  to swell. Under quadratic strain its corners are bent outward a little by those forces, a real deformation \
                  of a few per cent.",
        svg: drawing(&linear, &quadratic, &l, &q),
    })
}

fn entries(l: &Measured, q: &Measured, angle: f64) -> Vec<Entry> {
    let a = l.tangent;
    vec![
        Entry::by_theory(
            "linear: radius of a top corner",
            "expanded",
            (1.0 + a * a).sqrt(),
            0.01,
            l.radius_ratio,
        ),
        Entry::by_theory("linear: area of the top", "expanded", 1.0 + a * a, 0.01, l.area_ratio),
        Entry::by_theory("linear: tangential shift / radius", "twisted", angle, 0.15, a),
        Entry::by_theory("quadratic: radius of a top corner", "not expanded", 1.0, 0.06, q.radius_ratio),
        Entry::by_theory("quadratic: area of the top", "not expanded", 1.0, 0.1, q.area_ratio),
    ]
}

fn drawing(linear: &Resting, quadratic: &Resting, l: &Measured, q: &Measured) -> String {
    let notes = |m: &Measured| {
        format!("top turned {:.0} deg, area {}", m.turned.to_degrees(), per_cent(m.area_ratio))
    };
    let rest = linear.mesh.positions().to_vec();
    let ones = vec![1.0; linear.mesh.cell_count()];
    let drawn = [
        Panel {
            label: "at rest".into(),
            note: "bottom fixed".into(),
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
    panels(&drawn, View { azimuth: -0.5, elevation: 0.6 })
}
