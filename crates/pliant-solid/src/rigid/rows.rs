//! Bones in the equations of an implicit step: the rows of four masters become those of the motions that a bone has.
//!
//! ```text
//! d_k = B_0 q_0 + B_k q_1:   free  B_0 = 1, B_k = -[r_k]x    hinge  B_0 = 0, B_k = (a x r_k, 0, 0)                (1)
//! A <- B^T A B,   b <- B^T b,   x_k <- o + q_0 + exp(q_1) r_k                                                     (2)
//! G = sum_k (r_k . f_k) 1 - (r_k f_k^T + f_k r_k^T) / 2                                                           (3)
//! ```
//!
//! q_0 and q_1 take the rows of the first two masters, the others stand still. So matrices keep their pattern and stay definite. (3) is how forces that keep their direction
//! resist a turn, a weight below a hinge for one; what of it drives the turn on is left out of steps, whose matrices must be definite, and counts in a
//! compliance.

use pliant_geometry::vector::{Vec3, cross, dot};
use pliant_numerics::{BlockMatrix, BlockPattern, Mat3, symmetric_eigen};

use super::motion::{Arms, four, plus, put, rotation_by};
use super::{Bone, Joint, Skeleton};

/// The bones of a model in its equations.
#[derive(Default)]
pub(crate) struct RigidRows {
    rows: Vec<BoneRows>,
}

/// One bone.
struct BoneRows {
    bone: Bone,
    /// Where the columns of its masters begin, in every row that has them.
    columns: Vec<usize>,
    /// Where the rows of its masters begin, and their length.
    starts: [usize; 4],
    length: usize,
    /// Whether nothing holds it in this step.
    active: bool,
    arms: Arms,
    /// q_0 and q_1 of the last solution.
    motion: [Vec3; 2],
    /// Sum of r f^T: what (3) is made of.
    virial: Mat3<f64>,
}

impl RigidRows {
    /// Finds the places of bones in the matrix of a model.
    pub fn new(skeleton: Skeleton, pattern: &BlockPattern) -> Self {
        let rest = skeleton.rest;
        let one = |bone: &Bone| {
            let first = bone.first as usize;
            let columns =
                pattern.row(first).iter().filter_map(|row| pattern.find(*row, bone.first)).collect();
            BoneRows {
                bone: bone.clone(),
                columns,
                starts: std::array::from_fn(|k| pattern.row_start(first + k)),
                length: pattern.row(first).len(),
                active: false,
                arms: Arms::of(bone, rest),
                motion: [[0.0; 3]; 2],
                virial: Mat3::zero(),
            }
        };
        Self { rows: skeleton.bones.iter().map(one).collect() }
    }

    /// Notes which bones move in a step, and shuts the rows that stand for no motion.
    pub fn hold(&mut self, held: &[bool], shut: &mut [bool]) {
        shut.copy_from_slice(held);
        for row in &mut self.rows {
            let dofs = row.bone.dofs();
            row.active = !held[dofs.clone()].contains(&true);
            if row.active {
                let shut = &mut shut[dofs];
                shut[6..].fill(true);
                if let Joint::Hinge { .. } = row.bone.joint {
                    shut[..3].fill(true);
                    shut[4..6].fill(true);
                }
            }
        }
    }

    /// Whether a bone moves freely, or about its hinge, in this step.
    pub fn is_active(&self, bone: &Bone) -> bool {
        self.rows.iter().any(|row| row.active && row.bone.first == bone.first)
    }

    /// Degrees of freedom of the masters of bones that move.
    pub fn dofs(&self) -> impl Iterator<Item = usize> {
        self.active().flat_map(|row| row.bone.dofs())
    }

    fn active(&self) -> impl Iterator<Item = &BoneRows> {
        self.rows.iter().filter(|row| row.active)
    }

    /// Notes the forces on masters beside inertia, for (3), and leaves of what is left over there what distances do not balance.
    pub fn take_forces(&mut self, x: &[f64], forces: impl Fn(usize) -> f64, left: &mut [f64]) {
        for row in self.rows.iter_mut().filter(|row| row.active) {
            row.arms = Arms::of(&row.bone, x);
            let start = row.bone.dofs().start;
            row.virial = Mat3::zero();
            for (k, r) in row.arms.arms.iter().enumerate() {
                let f = std::array::from_fn(|c| forces(start + 3 * k + c));
                row.virial = row.virial + Mat3::dyad(*r, f);
            }
            let motion = row.arms.rigid_part(row.bone.joint, &four(left, &row.bone));
            put(&row.arms, left, &row.bone, motion);
        }
    }

    /// A of (2), and (3) where the matrix is of forces.
    pub fn reduce_matrix(&self, matrix: &mut BlockMatrix, stiffness: f64, definite: bool) {
        let blocks = matrix.blocks_mut();
        for row in self.active() {
            let (common, own) = row.levers();
            for &place in &row.columns {
                let four: [Mat3<f64>; 4] = std::array::from_fn(|k| blocks[place + k]);
                let sum = four.iter().fold(Mat3::zero(), |sum, b| sum + *b);
                blocks[place] = sum * common;
                blocks[place + 1] = (0..4).fold(Mat3::zero(), |sum, k| sum + four[k] * own[k]);
                blocks[place + 2..place + 4].fill(Mat3::zero());
            }
        }
        for row in self.active() {
            let (common, own) = row.levers();
            for j in 0..row.length {
                let four: [Mat3<f64>; 4] = row.starts.map(|start| blocks[start + j]);
                let sum = four.iter().fold(Mat3::zero(), |sum, b| sum + *b);
                blocks[row.starts[0] + j] = common.transpose_mul(&sum);
                blocks[row.starts[1] + j] =
                    (0..4).fold(Mat3::zero(), |sum, k| sum + own[k].transpose_mul(&four[k]));
                row.starts[2..].iter().for_each(|start| blocks[start + j] = Mat3::zero());
            }
        }
        let pattern = std::sync::Arc::clone(matrix.pattern());
        for row in self.active() {
            if let Some(place) = pattern.find(row.bone.first + 1, row.bone.first + 1) {
                let block = &mut matrix.blocks_mut()[place];
                *block = *block + row.resists_turning(definite).scale(stiffness);
            }
        }
    }

    /// b of (2).
    pub fn reduce(&self, values: &mut [f64]) {
        for row in self.active() {
            let f = four(values, &row.bone);
            let (common, own) = row.levers();
            let sum = f.iter().fold([0.0; 3], |sum, f| plus(sum, *f));
            let turning = (0..4).fold([0.0; 3], |sum, k| plus(sum, own[k].transpose().mul_vec(f[k])));
            let out = &mut values[row.bone.dofs()];
            out[..3].copy_from_slice(&common.transpose().mul_vec(sum));
            out[3..6].copy_from_slice(&turning);
            out[6..].fill(0.0);
        }
    }

    /// A guess for the masters as one for q: the rigid part of it.
    pub fn compress(&self, values: &mut [f64]) {
        for row in self.active() {
            let (mean, rate) = row.arms.rigid_part(row.bone.joint, &four(values, &row.bone));
            let rate = match row.bone.joint {
                Joint::Free => rate,
                Joint::Hinge { axis, .. } => [dot(axis, rate), 0.0, 0.0],
            };
            let out = &mut values[row.bone.dofs()];
            out[..3].copy_from_slice(&mean);
            out[3..6].copy_from_slice(&rate);
            out[6..].fill(0.0);
        }
    }

    /// d of (1); notes q.
    pub fn expand(&mut self, step: &mut [f64]) {
        for row in self.rows.iter_mut().filter(|row| row.active) {
            let [q0, q1, ..] = four(step, &row.bone);
            let (common, own) = row.levers();
            let shift = common.mul_vec(q0);
            for (k, lever) in own.iter().enumerate() {
                let d = plus(shift, lever.mul_vec(q1));
                step[row.bone.dofs().start + 3 * k..][..3].copy_from_slice(&d);
            }
            row.motion = match row.bone.joint {
                Joint::Free => [q0, q1],
                Joint::Hinge { axis, .. } => [[0.0; 3], axis.map(|a| q1[0] * a)],
            };
        }
    }

    /// x of (2) for a part of q, from where the matrix was made.
    pub fn for_each_place(&self, part: f64, mut visit: impl FnMut(usize, f64)) {
        for row in self.active() {
            let [shift, turn] = row.motion.map(|q| q.map(|c| part * c));
            let rotation = rotation_by(turn);
            for (k, r) in row.arms.arms.iter().enumerate() {
                let turned = rotation.mul_vec(*r);
                let start = row.bone.dofs().start + 3 * k;
                (0..3).for_each(|c| visit(start + c, row.arms.origin[c] + shift[c] + turned[c]));
            }
        }
    }

    /// What a weight on a free node means for q: the node's own row where it is of no bone.
    pub fn for_each_lever(&self, node: u32, mut visit: impl FnMut(u32, Mat3<f64>)) {
        match self.active().find(|row| row.bone.masters().contains(&node)) {
            None => visit(node, Mat3::identity()),
            Some(row) => {
                let (common, own) = row.levers();
                visit(row.bone.first, common);
                visit(row.bone.first + 1, own[(node - row.bone.first) as usize]);
            }
        }
    }

    /// What a place that moves with a bone means for q.
    pub fn for_each_lever_at(&self, bone: &Bone, place: Vec3, mut visit: impl FnMut(u32, Mat3<f64>)) {
        if let Some(row) = self.active().find(|row| row.bone.first == bone.first) {
            let arm = std::array::from_fn(|c| place[c] - row.arms.origin[c]);
            let (common, own) = lever(row.bone.joint, arm);
            visit(row.bone.first, common);
            visit(row.bone.first + 1, own);
        }
    }
}

impl BoneRows {
    /// B_0 and B_k of (1).
    fn levers(&self) -> (Mat3<f64>, [Mat3<f64>; 4]) {
        let own = self.arms.arms.map(|arm| lever(self.bone.joint, arm));
        (own[0].0, own.map(|(_, own)| own))
    }

    /// (3), or the part of it that resists.
    fn resists_turning(&self, definite: bool) -> Mat3<f64> {
        let whole = Mat3::diagonal(self.virial.trace()) - self.virial.symmetric_part();
        match self.bone.joint {
            Joint::Free if !definite => whole,
            Joint::Free => {
                let (values, axes) = symmetric_eigen::<f64, 6>(&whole);
                (0..3).fold(Mat3::zero(), |sum, i| {
                    let axis = axes.column(i);
                    sum + Mat3::dyad(axis, axis).scale(values[i].max(0.0))
                })
            }
            Joint::Hinge { axis, .. } => {
                let along = dot(axis, whole.mul_vec(axis));
                let along = if definite { along.max(0.0) } else { along };
                Mat3::from_fn(|r, c| if r + c == 0 { along } else { 0.0 })
            }
        }
    }
}

/// B_0 and B of (1) at an arm.
fn lever(joint: Joint, [x, y, z]: Vec3) -> (Mat3<f64>, Mat3<f64>) {
    match joint {
        Joint::Free => (Mat3::identity(), Mat3([[0.0, z, -y], [-z, 0.0, x], [y, -x, 0.0]])),
        Joint::Hinge { axis, .. } => {
            (Mat3::zero(), Mat3::from_columns([cross(axis, [x, y, z]), [0.0; 3], [0.0; 3]]))
        }
    }
}
