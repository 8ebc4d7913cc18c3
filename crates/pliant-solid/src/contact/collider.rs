//! Rigid shapes that bodies meet, and how they move.

use pliant_geometry::vector::cross;
use pliant_numerics::Mat3;

use super::shape::ColliderShape;
use crate::fix::{Kinematics, Motion};

type Vec3 = [f64; 3];

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
    /// What moves it from there.
    pub carrier: Carrier,
    /// Coulomb's coefficient of friction.
    pub friction: f64,
    /// Distance from its surface at which contact begins, m.
    pub thickness: f64,
    /// The part of the speed that a bounce gives back, 0 to 1; unset, the response decides. Explicit steps only.
    pub restitution: Option<f64>,
    /// Pressure of `penalty` per depth, Pa/m, where it is not that of all contacts.
    pub stiffness: Option<f64>,
}

/// What moves a collider.
#[derive(Clone, Debug, PartialEq)]
pub enum Carrier {
    /// A script.
    Script(Motion),
    /// A bone, by its place in the layout; what touches the collider pushes the bone.
    Bone(usize),
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
        let still = Motion::Still;
        let motion = match &self.carrier {
            Carrier::Script(motion) => motion,
            Carrier::Bone(_) => &still,
        };
        let (turned, spin) = motion.spin(time);
        Placed { axes: turned * self.axes, origin: motion.at(time, self.origin), spin }
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
