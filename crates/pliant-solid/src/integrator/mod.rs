//! How time advances.
//!
//! An integrator reads state s0 and writes s1; the [`crate::World`] swaps them when the step is accepted, so
//! that a failed step costs nothing and loses nothing.

mod balance;
pub mod explicit;
mod failure;
mod hands;
mod held;
mod implicit;
mod implicit_euler;
mod ladder;
mod lumped_hands;
mod mechanism;
mod momentum;
mod newmark;
mod newton;
mod rigid_motion;
mod solver_choice;
mod sparse_system;
mod stable_step;
mod statics;
mod step_choice;
mod step_cost;
mod step_watch;

pub use explicit::Explicit;
pub(crate) use failure::{stalled, too_large};
pub use implicit_euler::{EulerSolve, ImplicitEuler};
pub(crate) use ladder::Rungs;
pub use ladder::{Ladder, Lengths};
pub use newmark::Newmark;
pub use newton::NewtonReport;
pub use sparse_system::LinearSolver;
pub(crate) use sparse_system::SparseSystem;
pub use stable_step::{StepLimit, stable_step};
pub use statics::{Course, Statics};
pub use step_choice::StepChoice;
pub use step_cost::expected_step_time;

use pliant_numerics::GradientReport;

use crate::model::Model;
use crate::state::State;
use crate::term::{At, Grab, WorstElement};
use crate::workspace::Workspace;

/// What the outside does during a step, beside the scene's script.
#[derive(Clone, Copy, Debug, Default)]
pub struct Inputs<'a> {
    /// Hands that hold bodies now, by any nodes.
    pub grabs: &'a [Grab],
    /// Nodes pinned where they are now.
    pub pins: &'a [u32],
    /// When the run ends, s: the last steps are cut so that it is met exactly.
    pub end: Option<f64>,
}

/// What an accepted step tells.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StepReport {
    /// Length of the step, s.
    pub dt: f64,
    /// Highest speed of any node, m/s.
    pub peak_speed: f64,
    /// Whether the stability limit was found anew.
    pub renewed: bool,
    /// How Newton's method went, in implicit steps and statics.
    pub newton: Option<NewtonReport>,
    /// How the linear equations of the step were solved, where conjugate gradients did.
    pub gradients: Option<GradientReport>,
    /// Solutions that gradients did not find and a factor did.
    pub fallbacks: u32,
    /// Whether the step solved linear equations.
    pub solved: bool,
    /// What was removed from the momenta of free bodies, as a part of them, at most.
    pub momentum_drift: f64,
    /// How often the step was halved until its equations were solved.
    pub halvings: u32,
    /// The part of the loads that acts; `None` outside statics.
    pub load: Option<f64>,
    /// i of the step T / 2^i that was taken, or whose factor served; `None` where there is no ladder of steps.
    pub rung: Option<u32>,
}

/// Why a step was not accepted; the old state is kept, to the bit.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{}: {reason}{}", self.event(), place_of(worst))]
pub struct StepError {
    /// Start of the failed step, s.
    pub time: f64,
    /// Its number.
    pub step: u64,
    /// Its length, s.
    pub dt: f64,
    /// The body.
    pub body: usize,
    /// The body's name.
    pub body_name: String,
    /// What went wrong.
    pub reason: Divergence,
    /// The worst element of that body in the last sound state.
    pub worst: Option<WorstElement>,
    /// The longest stable step in the last sound state, s.
    pub stable_dt: Option<f64>,
    /// The part of the loads that acted in the last sound state; `None` outside statics.
    pub load: Option<f64>,
}

/// What went wrong in a step.
///
/// The last three are of methods that solve equations.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum Divergence {
    /// A force is not a number.
    #[error("a force is not finite")]
    NotFinite,
    /// A node moved farther from the others than its body is large.
    #[error(
        "a node moved {moved:.3e} m from its neighbours in one step, farther than the body is large ({extent:.3e} m)"
    )]
    Leap {
        /// Distance in the step, m.
        moved: f64,
        /// Diagonal of the body at rest, m.
        extent: f64,
    },
    /// A bone turns so fast that a step cannot follow.
    #[error("a bone turns too fast for the step, by {:.0} degrees", angle.to_degrees())]
    Spin {
        /// How far it would turn in the step, rad.
        angle: f64,
    },
    /// The tangent is not positive definite.
    #[error(
        "the stiffness is no longer positive definite: the body gives way or buckles, most at ({:.4}, {:.4}, {:.4}) m", place[0], place[1], place[2]
    )]
    LostDefiniteness {
        /// Where the weakest motion is largest, m.
        place: [f64; 3],
    },
    /// Motion holds more than anything gave it.
    #[error("its motion holds {held:.1e} J, where all that was put in is {given:.1e} J")]
    Energy {
        /// Kinetic energy of all bodies, J.
        held: f64,
        /// What they had at the start, gravity's work and that of fixes, loads and hands, J.
        given: f64,
    },
    /// Steps became so short that the run would never end.
    #[error(
        "the run makes no progress: {steps:.0e} steps as short as this one are left, bound by what happens at ({:.4}, {:.4}, {:.4}) m", place[0], place[1], place[2]
    )]
    Stalled {
        /// Where what bounds the step moves most, m.
        place: [f64; 3],
        /// Steps of this length up to the end.
        steps: f64,
    },
    /// There is no solution without elements that are inside out.
    #[error("elements turn inside out")]
    Inverted,
    /// Newton's method came to no end.
    #[error("the forces did not balance in {iterations} iterations (relative residual {residual:.1e})")]
    NotConverged {
        /// Solutions of linear equations.
        iterations: usize,
        /// What was left.
        residual: f64,
    },
}

impl StepError {
    /// What any failed step from s0 tells.
    pub(crate) fn of(model: &Model, s0: &State, dt: f64, body: usize, reason: Divergence) -> Self {
        Self {
            time: s0.time,
            step: s0.step,
            dt,
            body,
            body_name: model.layout().bodies()[body].name.clone(),
            reason,
            worst: model.worst_element(&model.full_state(s0), Some(body)),
            stable_dt: None,
            load: None,
        }
    }

    fn event(&self) -> String {
        let Self { body_name, time, load, .. } = self;
        match load {
            Some(load) if *load >= 1.0 => {
                format!("body `{body_name}` has no sound equilibrium beyond t = {time:.6} s")
            }
            Some(load) => {
                format!(
                    "body `{body_name}` has no sound equilibrium beyond {:.2} % of the load",
                    100.0 * load
                )
            }
            None if matches!(self.reason, Divergence::Stalled { .. }) => {
                format!(
                    "body `{body_name}` holds up the run at t = {time:.6} s in steps of {:.1e} s",
                    self.dt
                )
            }
            None => format!("body `{body_name}` diverged in the step from t = {time:.6} s"),
        }
    }
}

fn place_of(worst: &Option<WorstElement>) -> String {
    worst.as_ref().map_or(String::new(), |w| {
        let [x, y, z] = w.place;
        format!(
            "; worst element {} at ({x:.4}, {y:.4}, {z:.4}) m, volume ratio {:.3}",
            w.cell, w.volume_ratio
        )
    })
}

/// Why an integrator does not take a model.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what}; {way_out}")]
pub struct Refusal {
    /// What does not go together.
    pub what: String,
    /// What would.
    pub way_out: String,
}

/// A way to advance time.
pub trait Integrator: Send + Sync {
    /// Whether the model can be advanced this way; also what `check` asks.
    fn accepts(&self, model: &Model) -> Result<(), Refusal>;

    /// Kinetic energy of some degrees of freedom, J, as the method's own balance of energy wants it.
    fn kinetic(&self, model: &Model, state: &State, dofs: std::ops::Range<usize>) -> f64;

    /// Completes an initial state: accelerations, first step length. Refuses equations too large to be solved.
    fn start(&self, model: &Model, state: &mut State, w: &mut Workspace) -> Result<(), Refusal>;

    /// Reads s0, writes s1. On error s1 is garbage and s0 untouched.
    fn step(
        &self,
        model: &Model,
        s0: &State,
        s1: &mut State,
        w: &mut Workspace,
        inputs: &Inputs,
    ) -> Result<StepReport, StepError>;
}

/// Which integrator, with its settings.
#[derive(Clone, Debug, PartialEq)]
pub enum IntegratorKind {
    /// Central differences, explicit Newmark.
    Explicit(Explicit),
    /// Central differences with full matrices of mass and damping.
    Ladder(Ladder),
    /// The implicit Newmark family.
    Newmark(Newmark),
    /// Implicit Euler.
    ImplicitEuler(ImplicitEuler),
    /// Equilibria.
    Statics(Statics),
}

impl IntegratorKind {
    /// The integrator itself.
    pub fn get(&self) -> &dyn Integrator {
        match self {
            Self::Explicit(explicit) => explicit,
            Self::Ladder(ladder) => ladder,
            Self::Newmark(newmark) => newmark,
            Self::ImplicitEuler(euler) => euler,
            Self::Statics(statics) => statics,
        }
    }

    /// How linear equations of a model are solved.
    pub fn linear_solver(&self, model: &Model) -> LinearSolver {
        match self {
            Self::ImplicitEuler(euler) => euler.linear_solver(model),
            _ => LinearSolver::Direct,
        }
    }

    /// A state as loads and hands see it: statics knows only a part of them, and the time of the run's end.
    pub fn seen<'a>(&self, state: &State, at: At<'a>) -> At<'a> {
        match self {
            Self::Statics(statics) => {
                At { time: statics.seen(state.time), load: state.solver.load, still: true, ..at }
            }
            _ => at,
        }
    }
}
