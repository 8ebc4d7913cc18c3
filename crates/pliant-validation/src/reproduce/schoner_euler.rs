//! [Schoner 4.1, 4.2]: a spring and a dashpot without mass, solved explicitly and implicitly.
//!
//! ```text
//! k x = -b x',   x = x_0 exp(-k t / b)                                                     (1)
//! explicit: x(t + h) = (1 - k h / b) x(t)                                                  (2)
//! implicit: x(t + h) = (b/h) / (k + b/h) x(t)                                              (3)
//! x'(t) = (x(t) - x(t - h)) / h [Schoner 4.1],   (3 x(t) - 4 x(t - h) + x(t - 2h)) / 2h [Schoner 4.3]   (4)
//! with a mass m, implicitly: (m/h^2 + b/h + k) x_2 = (2 m/h^2 + b/h) x_1 - m/h^2 x_0       (5)
//! ```
//!
//! (2) is run as printed. (3) is run by the simulator: particles joined by a damped spring, under implicit Euler, so light that (5) is (3) to the part m k / b^2.

use pliant_geometry::Mesh;
use pliant_solid::integrator::{EulerSolve, ImplicitEuler, LinearSolver, StepChoice};
use pliant_solid::link::Spring;
use pliant_solid::{Network, NetworkLaw};

use super::chart::{Curve, Plot, Scale, Stroke, plots};
use super::{Cell, Entry, Figure, Reproduction, Table};
use crate::CaseError;
use crate::measure::{advance, displacement_at, order};
use crate::specimen::Specimen;

/// The id.
pub const FIGURE: Figure =
    Figure { id: "schoner-euler", title: "a spring and a dashpot: exact, explicit and implicit", make };

/// What is run.
#[derive(Clone, Copy, Debug)]
pub struct Setup {
    /// k, N/m.
    pub stiffness: f64,
    /// b, N s/m.
    pub damping: f64,
    /// m, kg: nearly none.
    pub mass: f64,
}

impl Default for Setup {
    fn default() -> Self {
        Self { stiffness: 100.0, damping: 10.0, mass: 1e-6 }
    }
}

/// x_0, m; the spring rests at 1 m.
const START: f64 = 0.1;

impl Setup {
    /// (1), m.
    pub fn exact(&self, time: f64) -> f64 {
        START * (-self.stiffness * time / self.damping).exp()
    }

    /// x after so many steps of (2), x_0 first.
    pub fn explicit(&self, h: f64, steps: usize) -> Vec<f64> {
        let mut x = vec![START];
        for n in 0..steps {
            x.push(x[n] - h * self.stiffness / self.damping * x[n]);
        }
        x
    }

    /// The same in the simulator by implicit Euler, x_0 first: the spring begins 10 cm too long.
    pub fn implicit(&self, h: f64, steps: usize) -> Result<Vec<f64>, CaseError> {
        let ends = vec![[0.0; 3], [1.0 + START, 0.0, 0.0]];
        let mesh = Mesh::new(ends, vec![], vec![], vec![], Default::default());
        let mesh = mesh.map_err(pliant_geometry::GeneratorError::from)?;
        let spring = Spring { stiffness: self.stiffness, damping: self.damping, length: 1.0 };
        let network = Network {
            law: NetworkLaw::Springs,
            springs: vec![([0, 1], spring)],
            angles: vec![],
            mass: vec![self.mass; 2],
            drag: 0.0,
        };
        let integrator = ImplicitEuler {
            solve: EulerSolve::Linearised { tolerance: 1e-12 },
            solver: Some(LinearSolver::Direct),
            keep_momenta: true,
            step: StepChoice::Fixed(h),
        };
        // a spring pushes sideways when it is short, but not along its own line
        let pair = Specimen::of_network(mesh, network).hold(|p| p[0] < 0.5, [true; 3]);
        let mut world = pair.hold(|p| p[0] > 0.5, [false, true, true]).euler(integrator)?;
        let mut x = vec![START];
        for _ in 0..steps {
            advance(&mut world, 1)?;
            let place = [1.0 + START, 0.0, 0.0];
            x.push(START + displacement_at(world.model().layout(), &world.state().x, place)[0]);
        }
        Ok(x)
    }

    /// Errors of both formulas of (4) at t = b / k for steps h and h / 2, and their orders.
    pub fn difference_orders(&self) -> [f64; 2] {
        let (time, h) = (self.damping / self.stiffness, 1e-3 * self.damping / self.stiffness);
        let slope = -self.stiffness / self.damping * self.exact(time);
        let x = |back: f64| self.exact(time - back);
        let first = |h: f64| ((x(0.0) - x(h)) / h - slope).abs();
        let second = |h: f64| ((3.0 * x(0.0) - 4.0 * x(h) + x(2.0 * h)) / (2.0 * h) - slope).abs();
        [order(first(h), first(0.5 * h)), order(second(h), second(0.5 * h))]
    }
}

/// The factor of a step, as the last steps of a run show it.
pub fn factor(x: &[f64]) -> f64 {
    x.windows(2).last().map_or(f64::NAN, |w| w[1] / w[0])
}

/// The largest of a run over its start.
pub fn growth(x: &[f64]) -> f64 {
    x.iter().fold(0.0, |most: f64, x| most.max(x.abs())) / START
}

fn make(figure: &Figure) -> Result<Reproduction, CaseError> {
    let setup = Setup::default();
    let limit = setup.damping / setup.stiffness;
    let (mut entries, mut rows) = (Vec::new(), Vec::new());
    for part in [0.1, 0.5, 1.5, 2.5, 10.0] {
        let h = part * limit;
        let (explicit, implicit) = (setup.explicit(h, 20), setup.implicit(h, 20)?);
        let theory = [1.0 - part, 1.0 / (1.0 + part)];
        rows.push(
            [part, factor(&explicit), theory[0], factor(&implicit[..6]), theory[1], (-part).exp()]
                .map(Cell::from)
                .to_vec(),
        );
        let quantity = format!("implicit factor of a step, k h / b = {part}");
        let entry =
            Entry::by_theory(&quantity, "(b/h) / (k + b/h)", theory[1], 0.001, factor(&implicit[..6]));
        entries.push(entry);
        let quantity = format!("explicit, k h / b = {part}: largest x / x0");
        let grown = growth(&explicit);
        let (claim, found) = match part > 2.0 {
            true if grown > 10.0 => ("grows constantly larger", Ok("grows")),
            true => ("grows constantly larger", Err("it stays")),
            false if grown <= 1.0 => ("gradual approach to zero", Ok("never above its start")),
            false => ("gradual approach to zero", Err("it grows")),
        };
        entries.push(Entry::words(&quantity, claim, grown, found));
        let still = growth(&implicit);
        let found = if still <= 1.0 { Ok("never above its start") } else { Err("it grows") };
        let quantity = format!("implicit, k h / b = {part}: largest x / x0");
        entries.push(Entry::words(&quantity, "no stability problems", still, found));
    }
    let [first, second] = setup.difference_orders();
    entries.push(Entry::by_theory("order of x' by two points (4.1)", "first order", 1.0, 0.01, first));
    entries.push(Entry::by_theory("order of x' by three points (4.3)", "second order", 2.0, 0.01, second));
    Ok(Reproduction {
        id: figure.id,
        title: figure.title,
        source: "Schoner 2003, sections 4.1 and 4.2, equations 4.1 and 4.3, pages 25 to 33",
        claim: "Explicit steps multiply by 1 - k h / b and blow up where that is beyond -1; implicit ones multiply by (b/h) / (k + b/h) and never do. The \
                thesis prints formulas, no numbers.",
        setup: format!(
            "k = {} N/m, b = {} N s/m, x0 = {START} m; implicit: two particles of {} kg on a damped spring in the simulator, one of them held; explicit: the \
             recursion itself",
            setup.stiffness, setup.damping, setup.mass
        ),
        entries,
        tables: vec![Table {
            caption: "Factor of a step",
            columns: vec!["k h / b", "explicit", "1 - kh/b", "implicit", "1/(1 + kh/b)", "exact"],
            rows,
        }],
        differs: "The simulator has no particles without mass: 1e-6 kg changes the implicit factor by about m k / b^2 = 1e-6 of itself.",
        svg: plots(&[plot(&setup, 0.5)?, plot(&setup, 1.5)?]),
    })
}

/// |x| over time for a step of a part of b / k, beside the exact course.
fn plot(setup: &Setup, part: f64) -> Result<Plot, CaseError> {
    let h = part * setup.damping / setup.stiffness;
    let steps = (4.0 / part) as usize;
    let curve = |name: &str, color, stroke, x: Vec<f64>| Curve {
        name: name.into(),
        color,
        stroke,
        points: x.iter().enumerate().map(|(n, x)| [n as f64 * h, x.abs()]).collect(),
    };
    let fine: Vec<[f64; 2]> =
        (0..=100).map(|i| 0.01 * f64::from(i) * h * steps as f64).map(|t| [t, setup.exact(t)]).collect();
    let exact = Curve { name: "exact".into(), color: "#2e8b57", stroke: Stroke::Solid, points: fine };
    Ok(Plot {
        title: format!("|x| (m) by steps of {part} b / k"),
        across: "s",
        scale: Scale::Linear,
        curves: vec![
            exact,
            curve("explicit", "#c0392b", Stroke::Dashed, setup.explicit(h, steps)),
            curve("implicit", "#2a7fb8", Stroke::DashDot, setup.implicit(h, steps)?),
        ],
    })
}
