//! What a method says of itself, so that nobody else has to know which method it is.

use super::step_choice::StepChoice;

/// What the rest of the program may rely on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MethodTraits {
    /// What the scene file calls it.
    pub name: &'static str,
    /// How the step is chosen.
    pub step: StepChoice,
    /// Which equilibria it finds; `None` where bodies have inertia and move.
    pub equilibria: Option<Course>,
    /// Whether its steps are bound by the highest frequency of the model, which [`super::stable_step`] finds.
    pub bound_by_stability: bool,
    /// What its steps solve with.
    pub matrix: StepMatrix,
    /// The relative residual at which Newton's method ends; `None` where no step iterates.
    pub newton: Option<f64>,
    /// Whether it takes energy from vibrations by intent: then only a gain is an error.
    pub dissipates: bool,
}

/// Which equilibria are sought.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Course {
    /// The one under everything that acts at the end; time only counts the load up.
    Resting,
    /// One for every time.
    History,
}

/// The matrix of the equations of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepMatrix {
    /// Lumped masses: a division a node.
    Diagonal,
    /// Full mass and damping, factored once for many steps.
    Constant,
    /// The tangent of the state, definite where a law can make it so, by a factor or by gradients.
    Definite,
    /// The tangent as it is, by a factor: that it is no longer definite is news.
    Consistent,
}

impl MethodTraits {
    /// Whether it finds equilibria: time is no more than a name for them, and states between two of them are none.
    pub fn is_static(&self) -> bool {
        self.equilibria.is_some()
    }

    /// Whether steps are chosen on the way.
    pub fn is_automatic(&self) -> bool {
        self.fixed_step().is_none()
    }

    /// The length of fixed steps, s.
    pub fn fixed_step(&self) -> Option<f64> {
        match self.step {
            StepChoice::Fixed(dt) => Some(dt),
            StepChoice::Auto { .. } => None,
        }
    }

    /// Whether a tangent is assembled and solved with in every step.
    pub fn solves_tangent(&self) -> bool {
        matches!(self.matrix, StepMatrix::Definite | StepMatrix::Consistent)
    }
}
