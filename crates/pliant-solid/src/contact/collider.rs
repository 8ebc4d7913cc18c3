//! Rigid shapes that bodies meet, and how they move.

use pliant_geometry::vector::cross;
use pliant_numerics::Mat3;

use super::shape::ColliderShape;
use crate::fix::{Kinematics, Motion};

type Vec3 = [f64; 3];

/// How explicit steps answer a contact.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Response {
    /// The normal velocity at the end of the step is the collider's: half-step energy is kept, forces alternate.
    #[default]
    Constraint,
    /// The place after the next step is on the surface: forces are smooth.
    Smooth,
}

/// A rigid shape that bodies meet.
#[derive(Clone, Debug, PartialEq)]
pub struct Collider {
    /// Its name in the scene.
    pub name: String,
    /// Its shape.
    pub shape: ColliderShape,
    /// Its axes at the start, column by column.
    pub axes: Mat3<f64>,
    /// Its origin at the start, m.
    pub origin: Vec3,
    /// How it moves from there.
    pub motion: Motion,
    /// Coulomb's coefficient of friction.
    pub friction: f64,
    /// Distance from its surface at which contact begins, m.
    pub thickness: f64,
    /// How steps answer.
    pub response: Response,
}

/// Where a collider is at a time, and how it moves there.
pub(crate) struct Placed {
    axes: Mat3<f64>,
    origin: Kinematics,
    spin: [Vec3; 2],
}

impl Collider {
    /// Where it is at a time.
    pub(crate) fn placed(&self, time: f64) -> Placed {
        let (turned, spin) = self.motion.spin(time);
        Placed { axes: turned * self.axes, origin: self.motion.at(time, self.origin), spin }
    }

    /// The gap between a place and the collider, m, and the normal towards the place; in the axes of the collider at a time.
    pub(crate) fn gap(&self, own: Vec3) -> (f64, Vec3) {
        let (distance, normal) = self.shape.distance(own);
        (distance - self.thickness, normal)
    }

    /// The gap between a place in the world and the collider at a time, m; negative inside.
    pub fn gap_at(&self, time: f64, place: Vec3) -> f64 {
        self.gap(self.placed(time).own(place)).0
    }
}

impl Placed {
    /// A place of the world in the collider's own axes.
    pub fn own(&self, place: Vec3) -> Vec3 {
        self.axes.transpose().mul_vec(self.arm(place))
    }

    /// The opposite.
    pub fn directed(&self, world: Vec3) -> Vec3 {
        self.axes.transpose().mul_vec(world)
    }

    /// A direction of the collider's own axes in the world.
    pub fn outward(&self, own: Vec3) -> Vec3 {
        self.axes.mul_vec(own)
    }

    /// Velocity of the collider's matter at a place, m/s.
    pub fn velocity(&self, place: Vec3) -> Vec3 {
        let turning = cross(self.spin[0], self.arm(place));
        std::array::from_fn(|c| self.origin.v[c] + turning[c])
    }

    fn arm(&self, place: Vec3) -> Vec3 {
        std::array::from_fn(|c| place[c] - self.origin.x[c])
    }
}
