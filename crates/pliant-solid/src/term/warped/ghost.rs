//! Ghost forces: the net force and torque that warped stiffness makes out of nothing, and their removal.
//!
//! ```text
//! F = sum f_i,   T = sum r_i x f_i,   r_i = x_i - c                                        (1)
//! M a = F,   I alpha = T,   I = sum m_i (|r_i|^2 - r_i r_i^T)                              (2)
//! f_i <- f_i - m_i (a + alpha x r_i)                                                       (3)
//! lost = - sum f^v_i . v_i + F^v . P / M + T^v . I^-1 L                                    (4)
//! ```
//!
//! The forces of [Warp 12] do not add up to zero: "their sum acts as a ghost force on free floating objects". The paper corrects positions after
//! a step; (3) corrects the forces by the rigid acceleration that they would cause, c and I of the current shape, so that momentum and
//! angular momentum are kept by any method. (4) is the power that the viscous forces f^v take after (3), with momentum P and angular momentum L.
//! Sums run about the first node and are moved to c afterwards.

use pliant_geometry::vector::{Vec3, cross, dot, norm};
use pliant_numerics::Mat3;

use crate::spin::inverse_inertia;

/// What was removed, once for a whole body.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Ghost {
    /// |F|, N.
    pub force: f64,
    /// |T|, N m.
    pub torque: f64,
}

/// A sum of vectors and of their moments about a point.
#[derive(Clone, Copy, Debug, Default)]
pub struct Wrench {
    sum: Vec3,
    moment: Vec3,
}

impl Wrench {
    fn add(&mut self, arm: Vec3, vector: Vec3) {
        self.sum = plus(self.sum, vector);
        self.moment = plus(self.moment, cross(arm, vector));
    }

    fn join(&mut self, other: &Self) {
        self.sum = plus(self.sum, other.sum);
        self.moment = plus(self.moment, other.moment);
    }

    /// About a point that is `by` farther.
    fn moved(&self, by: Vec3) -> Self {
        let turned = cross(by, self.sum);
        Self { moment: std::array::from_fn(|c| self.moment[c] - turned[c]), ..*self }
    }
}

/// What a chunk of nodes adds up.
#[derive(Clone, Copy, Debug)]
pub struct Tally {
    /// Of the rotation of the whole body, kg m^2.
    pub moment: Mat3<f64>,
    arm: Vec3,
    second: Mat3<f64>,
    forces: Wrench,
    viscous: Wrench,
    momentum: Wrench,
    power: f64,
}

impl Default for Tally {
    fn default() -> Self {
        let none = Wrench::default();
        let (moment, second) = (Mat3::zero(), Mat3::zero());
        Self { moment, arm: [0.0; 3], second, forces: none, viscous: none, momentum: none, power: 0.0 }
    }
}

impl Tally {
    /// Takes in a node and the force on it; `arm` is from the first node.
    pub fn add(&mut self, mass: f64, arm: Vec3, force: Vec3) {
        self.arm = std::array::from_fn(|c| self.arm[c] + mass * arm[c]);
        self.second = Mat3::dyad(arm, arm).scale_add(mass, &self.second);
        self.forces.add(arm, force);
    }

    /// Takes in what resists the velocity of a node.
    pub fn add_viscous(&mut self, mass: f64, arm: Vec3, force: Vec3, velocity: Vec3) {
        self.viscous.add(arm, force);
        self.momentum.add(arm, velocity.map(|v| mass * v));
        self.power -= dot(force, velocity);
    }

    /// The tally of all chunks, in their order.
    pub fn total(chunks: &[Self]) -> Self {
        let mut sum = Self::default();
        for chunk in chunks {
            sum.arm = plus(sum.arm, chunk.arm);
            sum.second = sum.second + chunk.second;
            sum.forces.join(&chunk.forces);
            sum.viscous.join(&chunk.viscous);
            sum.momentum.join(&chunk.momentum);
            sum.power += chunk.power;
        }
        sum
    }
}

/// The rigid acceleration that ghost forces would cause.
pub struct GhostMotion {
    /// a - alpha x c, c from the first node.
    a: Vec3,
    alpha: Vec3,
    /// What they are.
    pub ghost: Ghost,
    /// (4), W.
    pub lost: f64,
}

impl GhostMotion {
    /// Of a body with a given total mass.
    pub fn of(tally: &Tally, mass: f64) -> Self {
        let centre = tally.arm.map(|c| c / mass);
        let second = tally.second - Mat3::dyad(centre, centre).scale(mass);
        let inertia = (-second).add_diagonal(second.trace()); // (2)
        let inverse = inverse_inertia(&inertia);
        let forces = tally.forces.moved(centre);
        let alpha = inverse.mul_vec(forces.moment);
        let turned = cross(alpha, centre);
        let (viscous, momentum) = (tally.viscous.moved(centre), tally.momentum.moved(centre));
        let carried = dot(viscous.sum, momentum.sum) / mass;
        let spun = dot(viscous.moment, inverse.mul_vec(momentum.moment));
        Self {
            a: std::array::from_fn(|c| forces.sum[c] / mass - turned[c]),
            alpha,
            ghost: Ghost { force: norm(forces.sum), torque: norm(forces.moment) },
            lost: tally.power + carried + spun, // (4)
        }
    }

    /// The part of a node in (3); `arm` is from the first node.
    #[inline]
    pub fn force(&self, mass: f64, arm: Vec3) -> Vec3 {
        let turned = cross(self.alpha, arm);
        std::array::from_fn(|c| mass * (self.a[c] + turned[c]))
    }
}

fn plus(a: Vec3, b: Vec3) -> Vec3 {
    std::array::from_fn(|c| a[c] + b[c])
}
