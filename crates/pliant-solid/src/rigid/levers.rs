//! Bones among rows over lumped mass: two nodes of their own inertia in place of four masters.
//!
//! ```text
//! a_k = A + (L z) x r_k,   L L^T = J^-1:   inertia m for A, 1 for z                       free                       (1)
//! a_k = z_1 u x r_k,       inertia J_u for z_1                                             hinge along u              (2)
//! ```
//!
//! A and z take the places of the first two masters. So the Schur complement of rows over lumped mass knows nothing of bones.

use pliant_geometry::vector::{Vec3, cross, dot};
use pliant_numerics::{Mat3, symmetric_eigen};

use super::motion::{Arms, four, put};
use super::{Bone, Joint};

/// A bone as rows see it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BoneLevers {
    first: u32,
    joint: Joint,
    mass: f64,
    arms: [Vec3; 4],
    origin: Vec3,
    /// L, and its inverse.
    root: Mat3<f64>,
    unroot: Mat3<f64>,
    /// J_u of (2), kg m^2.
    about: f64,
}

impl BoneLevers {
    /// A bone where it is.
    pub fn of(bone: &Bone, x: &[f64]) -> Self {
        let arms = Arms::of(bone, x);
        let inertia = arms.inertia();
        let (values, axes) = symmetric_eigen::<f64, 6>(&inertia);
        let scaled = |power: f64| {
            Mat3::from_columns(std::array::from_fn(|i| axes.column(i).map(|c| c * values[i].powf(power))))
        };
        let about = match bone.joint {
            Joint::Free => 1.0,
            Joint::Hinge { axis, .. } => dot(axis, inertia.mul_vec(axis)),
        };
        Self {
            first: bone.first,
            joint: bone.joint,
            mass: bone.mass,
            arms: arms.arms,
            origin: arms.origin,
            root: scaled(-0.5),
            unroot: scaled(0.5).transpose(),
            about,
        }
    }

    /// The four masters.
    pub fn has(&self, node: u32) -> bool {
        (self.first..self.first + super::MASTERS).contains(&node)
    }

    /// What the rows of `directions` on a place of the bone, relative to its arms' origin, move: nodes and levers.
    fn at(&self, arm: Vec3, directions: &Mat3<f64>) -> [(u32, Mat3<f64>); 2] {
        let turning = Mat3(directions.0.map(|d| cross(arm, d)));
        match self.joint {
            Joint::Free => [(self.first, *directions), (self.first + 1, turning * self.root)],
            Joint::Hinge { axis, .. } => {
                let along = Mat3::from_fn(|r, c| if c == 0 { dot(turning.0[r], axis) } else { 0.0 });
                [(self.first, Mat3::zero()), (self.first + 1, along)]
            }
        }
    }

    /// The levers of a master.
    pub fn of_master(&self, node: u32, directions: &Mat3<f64>) -> [(u32, Mat3<f64>); 2] {
        self.at(self.arms[(node - self.first) as usize], directions)
    }

    /// The levers of any place that moves with the bone.
    pub fn of_place(&self, place: Vec3, directions: &Mat3<f64>) -> [(u32, Mat3<f64>); 2] {
        self.at(std::array::from_fn(|c| place[c] - self.origin[c]), directions)
    }

    /// 1 / inertia of one of its unknowns, as rows number them.
    pub fn inverse(&self, dof: usize) -> f64 {
        match (dof / 3).checked_sub(self.first as usize) {
            Some(0) if self.joint == Joint::Free => 1.0 / self.mass,
            Some(1) if self.joint == Joint::Free => 1.0,
            Some(1) if dof.is_multiple_of(3) => 1.0 / self.about,
            _ => 0.0,
        }
    }

    /// Turns a rigid field over the masters into A and z.
    pub fn compress(&self, bone: &Bone, field: &mut [f64]) {
        let arms = Arms { mass: 0.25 * self.mass, origin: self.origin, arms: self.arms };
        let (mean, rate) = arms.rigid_part(self.joint, &four(field, bone));
        let turn = match self.joint {
            Joint::Free => self.unroot.mul_vec(rate),
            Joint::Hinge { axis, .. } => [dot(axis, rate), 0.0, 0.0],
        };
        let out = &mut field[bone.dofs()];
        out[..3].copy_from_slice(&mean);
        out[3..6].copy_from_slice(&turn);
        out[6..].fill(0.0);
    }

    /// The opposite.
    pub fn expand(&self, bone: &Bone, field: &mut [f64]) {
        let arms = Arms { mass: 0.25 * self.mass, origin: self.origin, arms: self.arms };
        let [mean, turn, ..] = four(field, bone);
        let motion = match self.joint {
            Joint::Free => (mean, self.root.mul_vec(turn)),
            Joint::Hinge { axis, .. } => ([0.0; 3], axis.map(|a| turn[0] * a)),
        };
        put(&arms, field, bone, motion);
    }
}
