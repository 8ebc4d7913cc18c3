//! A collider that is moved live.

use pliant_numerics::Mat3;

use super::shape::ColliderShape;

/// A rigid shape that the outside moves, step by step: a part of the inputs of a step.
///
/// It goes on from its pose at the start of a step with constant velocities. Whoever leads it gives the pose that this leads to with the next step: a leap
/// may put it into a body, which is then pushed out gently.
#[derive(Clone, Debug, PartialEq)]
pub struct Tool {
    /// Its shape.
    pub shape: ColliderShape,
    /// Its axes at the start of the step, column by column.
    pub axes: Mat3<f64>,
    /// Its origin at the start of the step, m.
    pub origin: [f64; 3],
    /// Velocity of its origin, m/s.
    pub velocity: [f64; 3],
    /// Angular velocity, rad/s.
    pub spin: [f64; 3],
    /// Coulomb's coefficient of friction.
    pub friction: f64,
    /// Distance from its surface at which contact begins, m.
    pub thickness: f64,
}
