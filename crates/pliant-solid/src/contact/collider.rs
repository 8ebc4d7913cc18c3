//! Rigid shapes that bodies meet, what moves them, and where they are.

use pliant_geometry::vector::cross;
use pliant_numerics::Mat3;

use super::shape::ColliderShape;
use super::tool::Tool;
use crate::fix::Motion;

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
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    /// Its axes, column by column.
    pub axes: Mat3<f64>,
    /// Its origin, m.
    pub origin: Vec3,
    /// Velocity of the origin, m/s.
    pub velocity: Vec3,
    /// Angular velocity, rad/s.
    pub spin: Vec3,
}

impl Collider {
    /// A shape that stands at the origin, without friction or thickness.
    pub fn new(name: &str, shape: ColliderShape) -> Self {
        Self {
            name: name.into(),
            shape,
            axes: Mat3::identity(),
            origin: [0.0; 3],
            carrier: Carrier::Script(Motion::Still),
            friction: 0.0,
            thickness: 0.0,
            restitution: None,
            stiffness: None,
        }
    }

    /// The gap between a place in the world and the collider where its script has it at a time, m; negative inside. One on a bone is where it
    /// began.
    pub fn gap_at(&self, time: f64, place: Vec3) -> f64 {
        let pose = match &self.carrier {
            Carrier::Script(motion) => self.scripted(motion, time),
            Carrier::Bone(_) => self.at_start(),
        };
        self.shape.distance(pose.own(place)).0 - self.thickness
    }

    /// At the start, standing still.
    pub(crate) fn at_start(&self) -> Pose {
        Pose { axes: self.axes, origin: self.origin, velocity: [0.0; 3], spin: [0.0; 3] }
    }

    /// Where a script has it at a time.
    pub(crate) fn scripted(&self, motion: &Motion, time: f64) -> Pose {
        let (turned, [spin, _]) = motion.spin(time);
        let origin = motion.at(time, self.origin);
        Pose { axes: turned * self.axes, origin: origin.x, velocity: origin.v, spin }
    }
}

impl Collider {
    /// Where it is when a part of the motion up to a time has been made; statics brings motions up as loads.
    pub(crate) fn partly(&self, motion: &Motion, part: f64, time: f64) -> Pose {
        let turned = match motion {
            Motion::Carry { turn: Some(turn), .. } => Mat3::rotation(turn.axis, part * motion.angle(time)),
            _ => Mat3::identity(),
        };
        let origin = motion.part(part, time, self.origin);
        Pose { axes: turned * self.axes, origin, velocity: [0.0; 3], spin: [0.0; 3] }
    }
}

impl Tool {
    /// Where it is at the start of a step, or after a time from there, s.
    pub(crate) fn after(&self, time: f64) -> Pose {
        let angle = self.spin.iter().map(|c| c * c).sum::<f64>().sqrt();
        let turned = if angle > 0.0 { Mat3::rotation(self.spin, angle * time) } else { Mat3::identity() };
        Pose {
            axes: turned * self.axes,
            origin: std::array::from_fn(|c| self.origin[c] + time * self.velocity[c]),
            velocity: self.velocity,
            spin: self.spin,
        }
    }
}

impl Pose {
    /// A place of the world in the collider's own axes.
    pub fn own(&self, place: Vec3) -> Vec3 {
        self.axes.transpose().mul_vec(self.arm(place))
    }

    /// The opposite.
    pub fn place(&self, own: Vec3) -> Vec3 {
        let out = self.outward(own);
        std::array::from_fn(|c| self.origin[c] + out[c])
    }

    /// A direction of the world in the collider's own axes.
    pub fn inward(&self, world: Vec3) -> Vec3 {
        self.axes.transpose().mul_vec(world)
    }

    /// The opposite.
    pub fn outward(&self, own: Vec3) -> Vec3 {
        self.axes.mul_vec(own)
    }

    /// Velocity of the collider's matter at a place, m/s.
    pub fn velocity_at(&self, place: Vec3) -> Vec3 {
        let turning = cross(self.spin, self.arm(place));
        std::array::from_fn(|c| self.velocity[c] + turning[c])
    }

    fn arm(&self, place: Vec3) -> Vec3 {
        std::array::from_fn(|c| place[c] - self.origin[c])
    }
}
