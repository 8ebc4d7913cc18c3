//! What touches what: a part of the state.

use serde::{Deserialize, Serialize};

use crate::ids::{ColliderId, VertexId};

/// Steps over which a contact force is averaged: it alternates from step to step.
pub(crate) const MEAN: usize = 5;

/// A point of a body in contact with a collider, or just out of it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Touch {
    /// What it touches.
    pub collider: ColliderId,
    /// The vertex of the world's surface.
    pub vertex: VertexId,
    /// Whether the constraint acts.
    pub(crate) held: bool,
    /// Unit normal towards the body in the axes of the collider.
    pub(crate) normal: [f64; 3],
    /// The same in the world at the end of the step.
    pub(crate) world_normal: [f64; 3],
    /// Where friction holds the point, in the axes of the collider, m.
    pub(crate) anchor: [f64; 3],
    /// The last normal forces, N, the latest first.
    pub(crate) forces: [f64; MEAN],
    /// Gap at the end of the step, m; negative inside.
    pub gap: f64,
    /// How deep the step went that brought it in, m.
    pub(crate) leap: f64,
    /// How much of the surface faces the collider there, m^2: what a spring pushes on.
    pub(crate) area: f64,
    /// Force on the body in the last step, N, in the world.
    pub force: [f64; 3],
}

impl Touch {
    /// A point that has just come in, at a place in the axes of the collider.
    pub(crate) fn new(
        (collider, vertex): (ColliderId, VertexId),
        normal: [f64; 3],
        place: [f64; 3],
        gap: f64,
    ) -> Self {
        Self {
            collider,
            vertex,
            held: true,
            normal,
            world_normal: normal,
            anchor: place,
            forces: [0.0; MEAN],
            gap,
            leap: gap.min(0.0).abs(),
            area: 0.0,
            force: [0.0; 3],
        }
    }

    /// Notes the normal force of a step.
    pub(crate) fn push(&mut self, normal: f64) {
        self.forces.rotate_right(1);
        self.forces[0] = normal;
    }

    /// The normal force, N: the mean over the last five steps.
    pub fn normal_force(&self) -> f64 {
        self.forces.iter().sum::<f64>() / MEAN as f64
    }

    /// Whether it has not pushed for so long that it is over.
    pub(crate) fn is_over(&self) -> bool {
        !self.held && self.forces.iter().all(|force| *force == 0.0)
    }
}

/// The contacts of a state, by collider and vertex.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Contacts {
    pub(crate) touches: Vec<Touch>,
    /// The deepest that any point was inside a collider, m.
    pub deepest: f64,
}

impl Contacts {
    /// All of them, those that push and those that just did.
    pub fn touches(&self) -> &[Touch] {
        &self.touches
    }

    /// Those with one collider.
    pub(crate) fn of(&self, collider: ColliderId) -> &[Touch] {
        let first = self.touches.partition_point(|touch| touch.collider < collider);
        let count = self.touches[first..].partition_point(|touch| touch.collider == collider);
        &self.touches[first..first + count]
    }

    /// Makes room for so many, so that steps need not.
    pub(crate) fn make_room(&mut self, most: usize) {
        self.touches.reserve(most.saturating_sub(self.touches.len()));
    }

    /// Begins the step after another one, whose contacts are found anew.
    pub(crate) fn follow(&mut self, other: &Self) {
        self.touches.clear();
        self.deepest = other.deepest;
    }
}
