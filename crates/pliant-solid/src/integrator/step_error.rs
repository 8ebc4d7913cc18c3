//! Why a step was not accepted, or a model not taken.

use crate::model::Model;
use crate::state::State;
use crate::term::WorstElement;

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
