//! The bars of [Warp 4.1], held at a wall and let go under gravity, by implicit Euler.
//!
//! 4 x 4 x 11 nodes are 3 x 3 x 10 cells, of five tetrahedra each: 450, as the paper has; 4 x 4 x 18 are
//! 765. The paper gives neither size nor density nor damping: 1000 kg/m3 here, no damping but the method's own, and cells
//! of [`CELL`], at which its nonlinear bar behaves as it says. In cells of [`WIDE`] the same bars are so heavy for
//! their stiffness that St. Venant-Kirchhoff gives way. Under linear strain deformation goes with rho g h / E. z runs
//! along the bar, y up.

use std::sync::Arc;

use pliant_geometry::{BoxElement, Mesh, box_mesh};
use pliant_solid::World;
use pliant_solid::integrator::{EulerSolve, ImplicitEuler, Inputs, LinearSolver, StepChoice, StepError};
use pliant_solid::law::{ElasticModuli, LawKind, RotationField, Rotations, Warp};

use crate::CaseError;
use crate::measure::{Vec3, node_at, triple};
use crate::specimen::Specimen;

/// Width of a cell at which the paper's three models behave as it shows them, m.
pub const CELL: f64 = 0.03;
/// A width at which the law gives way before the step does, m.
pub const WIDE: f64 = 0.1;
/// Widths that the figures are made at: both ends of the paper's, and [`WIDE`].
pub const WIDTHS: [f64; 3] = [CELL, 0.035, WIDE];
/// Cells along the bars of the paper's figures 7 and 8.
pub const SHORT: usize = 10;
/// See [`SHORT`].
pub const LONG: usize = 17;
/// A little longer than that of figure 7.
pub const LONGER: usize = 13;
const POISSON: f64 = 0.33;
const GRAVITY: f64 = 9.81;
/// Energy from nowhere, over m g L, that no error of a sound step makes.
const WILD: f64 = 0.1;

/// A model of the paper, or one beside them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Matter {
    /// Linear strain.
    Linear,
    /// Linear stiffness along a field of rotations.
    Warped(Warp),
    /// One rotation for each element.
    Corotated,
    /// Green's strain, one solution a step with the Jacobian of its start: the paper's nonlinear model.
    NonlinearOnce,
    /// Green's strain, Newton's method to the end.
    Nonlinear,
}

/// The paper's models, with both ways to find rotations, and those that are compared with them.
pub const MODELS: [Matter; 6] = [
    Matter::Linear,
    Matter::FRAMES,
    Matter::POLAR,
    Matter::NonlinearOnce,
    Matter::Nonlinear,
    Matter::Corotated,
];

impl Matter {
    /// Every node by the best turn of its edges.
    pub const POLAR: Self = Self::Warped(Warp { field: RotationField::Polar, rotations: Rotations::Node });
    /// Every node by the frame of three edges, as in the paper's timings.
    pub const FRAMES: Self = Self::Warped(Warp { field: RotationField::Frames, rotations: Rotations::Node });

    /// In a word or two.
    pub fn name(self) -> &'static str {
        match self {
            Self::Linear => "linear",
            Self::Warped(Warp { rotations: Rotations::Node, field: RotationField::Polar }) => "warped, polar",
            Self::Warped(Warp { rotations: Rotations::Node, field: RotationField::Frames }) => {
                "warped, frames"
            }
            Self::Warped(Warp { rotations: Rotations::Body, .. }) => "warped, one rotation",
            Self::Warped(Warp { rotations: Rotations::Mixed, .. }) => "warped, mixed",
            Self::Corotated => "corotated",
            Self::NonlinearOnce => "nonlinear, once",
            Self::Nonlinear => "nonlinear, Newton",
        }
    }

    fn law(self, moduli: ElasticModuli) -> LawKind {
        match self {
            Self::Linear => LawKind::Linear(moduli),
            Self::Warped(warp) => LawKind::Warped(moduli, warp),
            Self::Corotated => LawKind::Corotated(moduli),
            Self::NonlinearOnce | Self::Nonlinear => LawKind::StVenant(moduli),
        }
    }

    fn integrator(self, step: f64) -> ImplicitEuler {
        let step = StepChoice::Fixed(step);
        let newton = EulerSolve::Newton { tolerance: 1e-6 };
        match self {
            Self::Nonlinear => ImplicitEuler {
                step,
                solve: newton,
                solver: Some(LinearSolver::Direct),
                ..ImplicitEuler::default()
            },
            // the same conjugate gradients for all
            _ => ImplicitEuler { step, solver: Some(LinearSolver::Gradients), ..ImplicitEuler::default() },
        }
    }
}

/// What is free to choose.
#[derive(Clone, Copy, Debug)]
pub struct Setup {
    /// Young's modulus, Pa.
    pub young: f64,
    /// Cells along the bar.
    pub cells: usize,
    /// Their width, m.
    pub cell: f64,
    /// The step, s.
    pub step: f64,
    /// Simulated time, s.
    pub duration: f64,
    /// Damping by mass, 1/s.
    pub damping: f64,
}

impl Default for Setup {
    /// The bar of figure 7 for three seconds.
    fn default() -> Self {
        Self { young: 1e5, cells: SHORT, cell: CELL, step: 0.01, duration: 3.0, damping: 0.0 }
    }
}

impl Setup {
    /// The same in cells of [`WIDE`].
    pub fn wide(self) -> Self {
        Self { cell: WIDE, ..self }
    }

    /// Length of the bar, m.
    pub fn length(&self) -> f64 {
        self.cell * self.cells as f64
    }
}

/// What is looked at after every step.
#[derive(Clone, Copy, Debug)]
pub struct Moment {
    /// Of the step's end, s.
    pub time: f64,
    /// Volume over that at rest.
    pub volume: f64,
    /// Cells inside out.
    pub inverted: usize,
    /// The middle of the free end's upper edge, from the wall, m.
    pub tip: Vec3,
    /// Kinetic energy, J.
    pub kinetic: f64,
    /// Kinetic energy beyond the work of the weight, over m g L: above zero it came from nowhere.
    pub made: f64,
    /// Steps of conjugate gradients, or iterations of Newton's method.
    pub iterations: usize,
    /// How often the step was halved.
    pub halvings: u32,
}

/// A bar after a run, or where it stopped.
pub struct Run {
    /// At rest.
    pub mesh: Arc<Mesh>,
    /// Where the nodes are, in the mesh's order, m.
    pub positions: Vec<Vec3>,
    /// Volume over that at rest, cell by cell.
    pub ratios: Vec<f64>,
    /// After every step.
    pub course: Vec<Moment>,
    /// Why it stopped before its time.
    pub failure: Option<StepError>,
    /// When more than a tenth of m g L had come from nowhere, s; at ten times m g L it was stopped.
    pub wild: Option<f64>,
}

/// A bar ready for its first step.
pub fn bar(matter: Matter, setup: Setup) -> Result<World, CaseError> {
    let Setup { young, cells, cell, step, damping, .. } = setup;
    let mesh = box_mesh([3.0 * cell, 3.0 * cell, setup.length()], [3, 3, cells], BoxElement::Tet5)?;
    let specimen = Specimen::new(mesh, matter.law(ElasticModuli::new(young, POISSON)?));
    let held = specimen.gravity([0.0, -GRAVITY, 0.0]).hold(|p| p[2] < 1e-9, [true; 3]);
    held.mass_damping(damping).euler(matter.integrator(step))
}

/// Lets a bar go.
pub fn run(matter: Matter, setup: Setup) -> Result<Run, CaseError> {
    let mut world = bar(matter, setup)?;
    let (mut course, mut failure, mut wild): (Vec<Moment>, _, _) = (Vec::new(), None, None);
    let end = setup.duration;
    let made = |course: &[Moment]| course.last().map_or(0.0, |m| m.made);
    while failure.is_none() && world.state().time < end - 1e-9 && made(&course) < 10.0 {
        match world.step(&Inputs { end: Some(end), ..Inputs::default() }) {
            Ok(report) => {
                let solved = report.newton.map(|n| n.iterations).or(report.gradients.map(|g| g.steps));
                course.push(moment(&world, setup, solved.unwrap_or(0), report.halvings));
                if wild.is_none() && made(&course) > WILD {
                    wild = Some(world.state().time);
                }
            }
            Err(error) => failure = Some(error),
        }
    }
    let body = &world.model().layout().bodies()[0];
    let positions = body.world.iter().map(|n| triple(&world.state().x, *n)).collect();
    Ok(Run { mesh: Arc::clone(&body.mesh), positions, ratios: ratios(&world), course, failure, wild })
}

/// det F, cell by cell.
fn ratios(world: &World) -> Vec<f64> {
    world.model().fields(&world.model().full_state(world.state())).swap_remove(0).volume_ratio
}

fn moment(world: &World, setup: Setup, iterations: usize, halvings: u32) -> Moment {
    let (body, state) = (&world.model().layout().bodies()[0], world.state());
    let (ratios, kinetic) = (ratios(world), world.energy().kinetic);
    let volumes = ratios.iter().enumerate().map(|(cell, ratio)| ratio * body.mesh.cell_volume(cell));
    let upper = [1.0, 2.0].map(|x| [x * setup.cell, 3.0 * setup.cell, setup.length()]);
    let ends = upper.map(|place| triple(&state.x, node_at(world.model().layout(), place)));
    Moment {
        time: state.time,
        volume: volumes.sum::<f64>() / body.mesh.volume(),
        inverted: ratios.iter().filter(|ratio| **ratio <= 0.0 || ratio.is_nan()).count(),
        tip: std::array::from_fn(|c| 0.5 * (ends[0][c] + ends[1][c])),
        kinetic,
        made: made(world, kinetic, setup),
        iterations,
        halvings,
    }
}

/// Kinetic energy beyond the work of the weight, over m g L. Elastic energy is never below that at rest, so that a sound bar has less than none.
fn made(world: &World, kinetic: f64, setup: Setup) -> f64 {
    let (layout, mass) = (world.model().layout(), world.model().mass());
    let nodes = (0..layout.free_count() as u32).map(|n| (mass[n as usize], n));
    let fallen = nodes.map(|(m, n)| m * (layout.rest_of(n)[1] - triple(&world.state().x, n)[1])).sum::<f64>();
    let whole = mass.iter().sum::<f64>() * GRAVITY * setup.length();
    (kinetic - GRAVITY * fallen) / whole
}

impl Run {
    /// The last moment; nothing moved where there was no step.
    pub fn last(&self) -> Option<&Moment> {
        self.course.last()
    }

    /// The largest and the smallest volume on the way.
    pub fn volumes(&self) -> [f64; 2] {
        let all = || self.course.iter().map(|m| m.volume);
        [all().fold(f64::INFINITY, f64::min), all().fold(f64::NEG_INFINITY, f64::max)]
    }

    /// The most cells inside out on the way.
    pub fn inverted(&self) -> usize {
        self.course.iter().map(|m| m.inverted).max().unwrap_or(0)
    }

    /// The most energy from nowhere on the way, over m g L.
    pub fn made(&self) -> f64 {
        self.course.iter().map(|m| m.made).fold(f64::NEG_INFINITY, f64::max)
    }

    /// Halvings of all steps.
    pub fn halvings(&self) -> u32 {
        self.course.iter().map(|m| m.halvings).sum()
    }
}
