//! How time advances.
//!
//! An integrator reads state s0 and writes s1; the [`crate::World`] swaps them when the step is accepted, so
//! that a failed step costs nothing and loses nothing.

mod balance;
mod compliance;
pub(crate) mod contact;
pub mod explicit;
mod failure;
mod frame;
mod hands;
mod held;
mod implicit;
mod implicit_euler;
mod kit;
mod ladder;
mod ladder_contact;
mod ladder_losses;
mod leap;
mod linearised;
mod momentum;
mod needs;
mod newmark;
mod newton;
mod newton_report;
mod reference;
mod rigid_motion;
mod rungs;
mod scheme;
mod solver_choice;
mod sparse_system;
mod stable_step;
mod statics;
mod step_choice;
mod step_cost;
mod step_error;
mod step_watch;
mod traits;

pub use compliance::Compliance;
pub(crate) use compliance::{in_the_long_run, of_step};
pub use explicit::Explicit;
pub(crate) use failure::stalled;
pub(crate) use frame::advance;
pub use implicit_euler::{EulerSolve, ImplicitEuler};
pub use kit::Kit;
pub use ladder::{Ladder, Lengths};
pub use newmark::Newmark;
pub use newton_report::NewtonReport;
pub use scheme::Scheme;
pub use sparse_system::LinearSolver;
pub use stable_step::{StepLimit, stable_step};
pub use statics::Statics;
pub use step_choice::StepChoice;
pub use step_cost::expected_step_time;
pub use step_error::{Divergence, Refusal, StepError};
pub use traits::{Course, MethodTraits, StepMatrix};

use pliant_numerics::GradientReport;

use self::contact::Penalty;
use self::frame::{Attempt, Failed, Goal, Rules, Spent};
use self::held::turn_between;
use self::sparse_system::Weights;
use crate::contact::{Response, Tool};
use crate::model::Model;
use crate::state::State;
use crate::term::{At, Grab};

/// What the outside does during a step, beside the scene's script.
#[derive(Clone, Copy, Debug, Default)]
pub struct Inputs<'a> {
    /// Hands that hold bodies now, by any nodes.
    pub grabs: &'a [Grab],
    /// Nodes pinned where they are now.
    pub pins: &'a [u32],
    /// Rigid shapes that the outside moves.
    pub tools: &'a [Tool],
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
    /// Products with the tangent that this took.
    pub products: u32,
    /// How Newton's method went, in implicit steps and statics.
    pub newton: Option<NewtonReport>,
    /// How the linear equations of the step were solved, where conjugate gradients did.
    pub gradients: Option<GradientReport>,
    /// What a factor left of them, where one solution is the step.
    pub factor: Option<GradientReport>,
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

/// A way to advance time.
pub(crate) trait Integrator: Send + Sync {
    /// What it says of itself.
    fn traits(&self) -> MethodTraits;

    /// What looks wrong with its settings but may be meant.
    fn caution(&self) -> Option<String> {
        None
    }

    /// Whether the model can be advanced this way; also what `check` asks.
    fn accepts(&self, model: &Model) -> Result<(), Refusal>;

    /// How linear equations of a model are solved: by what takes less time, where there is a choice.
    fn linear_solver(&self, _model: &Model) -> LinearSolver {
        LinearSolver::Direct
    }

    /// Kinetic energy of some degrees of freedom, J, as the method's own balance of energy wants it.
    fn kinetic(&self, model: &Model, state: &State, dofs: std::ops::Range<usize>) -> f64;

    /// Completes an initial state: accelerations, first step length. Refuses equations too large to be solved.
    fn start(&self, model: &Model, state: &mut State, kit: &mut Kit) -> Result<(), Refusal>;

    /// The time that loads and fixes see at a time; statics that looks at the end alone sees no other.
    fn seen(&self, time: f64) -> f64 {
        time
    }

    /// How contacts are answered where nobody says.
    fn usual_response(&self) -> Response {
        Response::Penalty
    }

    /// The springs of contacts, where they answer.
    fn penalty<'a>(&self, kit: &'a mut Kit) -> &'a mut Penalty {
        &mut kit.solvers.system().penalty
    }

    /// What resists a force in a step of a length: weights of mass, damping and stiffness over positions.
    fn resistance(&self, dt: f64) -> Weights;

    /// What the frame has to know of the method.
    fn rules(&self) -> Rules;

    /// Notes what is held, and chooses where the step from s0 leads; s1 is as s0 was.
    fn aim(&self, model: &Model, s0: &State, s1: &mut State, kit: &mut Kit, inputs: &Inputs) -> Goal;

    /// The angle by which a part of the way turns held nodes, rad.
    fn turn(&self, model: &Model, s0: &State, goal: &Goal, part: f64) -> f64 {
        turn_between(model, &s0.holding, s0.time, self.part_way(s0, goal, part).time)
    }

    /// Where a part of the way leads, a power of 1/2.
    fn part_way(&self, s0: &State, goal: &Goal, part: f64) -> Goal {
        let dt = part * goal.dt;
        if part == 1.0 { *goal } else { Goal { time: s0.time + dt, dt, ..*goal } }
    }

    /// Writes x, v and a of s1, whose time and step length are set.
    fn attempt(
        &self,
        model: &Model,
        s0: &State,
        s1: &mut State,
        kit: &mut Kit,
        aimed: (&Goal, &Inputs),
    ) -> Result<Attempt, Failed>;

    /// Refuses a step that gave no numbers, or a leap.
    fn inspect(
        &self,
        model: &Model,
        ends: [&State; 2],
        kit: &mut Kit,
        inputs: &Inputs,
    ) -> Result<(), StepError>;

    /// The local error of an automatic step of a length, as a part of the one that is allowed.
    fn error(&self, _model: &Model, _s0: &State, _s1: &State, _dt: f64) -> f64 {
        0.0
    }

    /// The length that the coming step should have, s, after one that took a part of its way.
    fn next_step(&self, _model: &Model, _s0: &State, s1: &State, _how: (&StepReport, f64)) -> f64 {
        s1.solver.dt_limit
    }

    /// Completes an accepted step: reactions, what is reported, and what was exchanged with the outside.
    fn finish(
        &self,
        model: &Model,
        s0: &State,
        s1: &mut State,
        kit: &mut Kit,
        taken: (&mut Attempt, &Inputs),
    ) -> Spent;
}

/// Which integrator, with its settings: what it is like is for [`IntegratorKind::traits`] to say.
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
    pub(crate) fn get(&self) -> &dyn Integrator {
        match self {
            Self::Explicit(explicit) => explicit,
            Self::Ladder(ladder) => ladder,
            Self::Newmark(newmark) => newmark,
            Self::ImplicitEuler(euler) => euler,
            Self::Statics(statics) => statics,
        }
    }

    /// Whether the model can be advanced this way; also what `check` asks.
    pub fn accepts(&self, model: &Model) -> Result<(), Refusal> {
        self.get().accepts(model)
    }

    /// What the method says of itself.
    pub fn traits(&self) -> MethodTraits {
        self.get().traits()
    }

    /// What looks wrong with its settings but may be meant.
    pub fn caution(&self) -> Option<String> {
        self.get().caution()
    }

    /// A state as loads and hands see it: statics knows only a part of them, and the time of the run's end.
    pub fn seen<'a>(&self, state: &State, at: At<'a>) -> At<'a> {
        match self.traits().is_static() {
            true => At { time: self.get().seen(state.time), load: state.solver.load, still: true, ..at },
            false => at,
        }
    }
}
