//! A step in which points meet colliders, as all that answers sees it.

use pliant_geometry::vector::Vec3;

use crate::contact::Response;
use crate::ids::{ColliderId, VertexId};
use crate::integrator::Inputs;
use crate::model::Model;
use crate::state::State;

/// A step that is answered.
#[derive(Clone, Copy)]
pub(crate) struct Answered<'a> {
    pub model: &'a Model,
    pub s0: &'a State,
    pub inputs: &'a Inputs<'a>,
    pub response: Response,
    pub dt: f64,
    /// The farthest that any node went, m.
    pub travel: f64,
    /// Above zero where unknowns are led.
    pub held: &'a [f64],
}

/// A node that has bounced in this step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounced {
    pub key: (ColliderId, VertexId),
    /// Normal in the collider's axes.
    pub normal: Vec3,
    /// Impulse over the step, N.
    pub push: f64,
}
