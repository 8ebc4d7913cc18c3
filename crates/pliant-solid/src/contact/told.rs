//! What is told of contacts.

use crate::ids::{BodyId, ColliderId, VertexId};

/// A point of a body that touches a collider.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    /// What it touches.
    pub collider: ColliderId,
    /// Which vertex of the world's surface.
    pub vertex: VertexId,
    /// Whose vertex that is.
    pub body: BodyId,
    /// Where it is, m.
    pub point: [f64; 3],
    /// Unit normal towards the body.
    pub normal: [f64; 3],
    /// Gap, m; negative where it overlaps.
    pub gap: f64,
    /// Normal force on the body, N: where it alternates from step to step, its mean over five.
    pub normal_force: f64,
    /// Friction on the body in the last step, N.
    pub tangential_force: [f64; 3],
}

impl Contact {
    /// The whole force on the body, N.
    pub fn force(&self) -> [f64; 3] {
        std::array::from_fn(|c| self.normal_force * self.normal[c] + self.tangential_force[c])
    }
}

/// A point of a body that begins inside a collider.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Overlap {
    /// What it is in.
    pub collider: ColliderId,
    /// Which vertex of the world's surface.
    pub vertex: VertexId,
    /// Whose vertex that is.
    pub body: BodyId,
    /// Where it is, m.
    pub point: [f64; 3],
    /// How deep, m.
    pub depth: f64,
}
