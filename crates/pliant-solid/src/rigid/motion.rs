//! Motion of four masters whose distances stay.
//!
//! ```text
//! p = sum m v,   L = sum r x m v,   J = sum m (r^2 1 - r r^T),   r = x - c                                        (1)
//! sum m r x (R r) = dt L,   x_1 = c + dt p / m + R r                                                              (2)
//! v <- p / m + J^-1 L x r                                                                                        (3)
//! hinge, r from its line:   sin(theta) = dt L / J along the axis,   v <- (L / J) a x r                             (4)
//! ```
//!
//! (2) is the step of RATTLE for six distances: forces along them have no moment about where the step began, so that L decides on the turn R alone. It is
//! also the discrete Euler-Lagrange equation of Moser and Veselov on rotations: of second order, symplectic, with p and L exact. (3) takes
//! from velocities (and accelerations) what distances do not allow; p and L stay. Beyond about 60 degrees a step (2) has no solution.

use std::ops::Range;

use pliant_geometry::vector::{Vec3, cross, dot, norm};
use pliant_numerics::{Mat3, nearest_rotation};

use super::{Bone, Joint, Skeleton};
use crate::spin::inverse_inertia;
use crate::state::State;

/// Newton's method on (2) ends where a turn is rounding, or fails after so many.
const MOST_ITERATIONS: usize = 20;

/// Arms and shared mass of a bone's masters.
pub(super) struct Arms {
    pub mass: f64,
    /// Where arms begin: the centre, or a point of the hinge.
    pub origin: Vec3,
    pub arms: [Vec3; 4],
}

impl Arms {
    pub fn of(bone: &Bone, x: &[f64]) -> Self {
        let places = four(x, bone);
        let origin = match bone.joint {
            Joint::Free => std::array::from_fn(|c| 0.25 * places.iter().map(|p| p[c]).sum::<f64>()),
            Joint::Hinge { point, .. } => point,
        };
        let arms = places.map(|p| std::array::from_fn(|c| p[c] - origin[c]));
        Self { mass: 0.25 * bone.mass, origin, arms }
    }

    /// Sum of r x u over the masters.
    pub fn moment(&self, u: &[Vec3; 4]) -> Vec3 {
        self.arms.iter().zip(u).fold([0.0; 3], |sum, (r, u)| plus(sum, cross(*r, *u)))
    }

    /// S = sum m r r^T.
    fn second(&self) -> Mat3<f64> {
        self.arms.iter().fold(Mat3::zero(), |sum, r| sum + Mat3::dyad(*r, *r).scale(self.mass))
    }

    /// J of (1).
    pub fn inertia(&self) -> Mat3<f64> {
        let second = self.second();
        Mat3::diagonal(second.trace()) - second
    }

    /// The rigid motion with the momenta of a field: the mean, and what it turns by. (3), (4)
    pub fn rigid_part(&self, joint: Joint, field: &[Vec3; 4]) -> (Vec3, Vec3) {
        self.with_momenta(joint, field, self.moment(field))
    }

    /// The same with the mean of a field, but another sum of r x u.
    fn with_momenta(&self, joint: Joint, field: &[Vec3; 4], moment: Vec3) -> (Vec3, Vec3) {
        let angular = moment.map(|l| self.mass * l);
        match joint {
            Joint::Free => {
                let mean = std::array::from_fn(|c| 0.25 * field.iter().map(|u| u[c]).sum::<f64>());
                (mean, inverse_inertia(&self.inertia()).mul_vec(angular))
            }
            Joint::Hinge { axis, .. } => {
                let rate = dot(axis, angular) / dot(axis, self.inertia().mul_vec(axis));
                ([0.0; 3], axis.map(|a| rate * a))
            }
        }
    }
}

/// Moves every bone that nothing holds from `s0` by (2) or (4), from the velocities of `s1` (at the middle of the step), which become those of a rigid
/// motion where it is then.
/// `held` says which bones stand or are carried. Fails with the body of one that turns too fast for the step.
pub(crate) fn fly(
    skeleton: Skeleton,
    s0: &State,
    s1: &mut State,
    dt: f64,
    held: impl Fn(&Bone) -> bool,
) -> Result<(), usize> {
    for bone in skeleton.bones.iter().filter(|b| !held(b)) {
        let had = four(&s1.v, bone);
        let places = flown(bone, &s0.x, &had, dt).ok_or(bone.body)?;
        s1.x[bone.dofs()].copy_from_slice(places.as_flattened());
        // rounding of many steps must not stretch it
        straighten(bone, skeleton.rest, &mut s1.x);
        // p and L as they are: (x_1 - x_0) / dt would lose their last digits
        let (before, after) = (Arms::of(bone, &s0.x), Arms::of(bone, &s1.x));
        let motion = after.with_momenta(bone.joint, &had, before.moment(&had));
        put(&after, &mut s1.v, bone, motion);
    }
    Ok(())
}

/// How fast the fastest bone turns, rad/s.
pub(crate) fn fastest_turn(skeleton: Skeleton, s: &State) -> f64 {
    let rate = |bone: &Bone| norm(Arms::of(bone, &s.x).rigid_part(bone.joint, &four(&s.v, bone)).1);
    skeleton.bones.iter().map(rate).fold(0.0, f64::max)
}

/// Where (2) or (4) takes the masters.
pub(super) fn flown(bone: &Bone, x: &[f64], v: &[Vec3; 4], dt: f64) -> Option<[Vec3; 4]> {
    let arms = Arms::of(bone, x);
    let impulse = arms.moment(v).map(|l| dt * arms.mass * l);
    let (shift, turn) = match bone.joint {
        Joint::Free => {
            let mean: Vec3 = std::array::from_fn(|c| 0.25 * v.iter().map(|u| u[c]).sum::<f64>());
            (mean.map(|v| dt * v), turn(&arms.second(), impulse)?)
        }
        Joint::Hinge { axis, .. } => {
            let sine = dot(axis, impulse) / dot(axis, arms.inertia().mul_vec(axis));
            (sine.abs() < 1.0).then(|| ([0.0; 3], Mat3::rotation(axis, sine.asin())))?
        }
    };
    Some(arms.arms.map(|r| {
        let turned = turn.mul_vec(r);
        std::array::from_fn(|c| arms.origin[c] + shift[c] + turned[c])
    }))
}

/// R of (2) for S = sum m r r^T: Newton's method, each turn on top of those before.
fn turn(second: &Mat3<f64>, impulse: Vec3) -> Option<Mat3<f64>> {
    if impulse == [0.0; 3] {
        return Some(Mat3::identity());
    }
    let first = inverse_inertia(&(Mat3::diagonal(second.trace()) - *second)).mul_vec(impulse);
    if norm(first) > 1.5 {
        return None;
    }
    let mut rotation = rotation_by(first);
    for _ in 0..MOST_ITERATIONS {
        let b = rotation * *second;
        let moment = [b.0[2][1] - b.0[1][2], b.0[0][2] - b.0[2][0], b.0[1][0] - b.0[0][1]];
        let left = std::array::from_fn(|c| impulse[c] - moment[c]);
        // d moment = (tr(B) 1 - B) d theta
        let more = (Mat3::diagonal(b.trace()) - b).inverse().mul_vec(left);
        rotation = rotation_by(more) * rotation;
        if norm(more) <= 4.0 * f64::EPSILON {
            return Some(nearest_rotation(&rotation));
        }
        if !norm(more).is_finite() {
            return None;
        }
    }
    None
}

/// The rotation by a vector of rotation.
pub(super) fn rotation_by(vector: Vec3) -> Mat3<f64> {
    let angle = norm(vector);
    if angle > 0.0 { Mat3::rotation(vector, angle) } else { Mat3::identity() }
}

/// (3) or (4) on velocities and accelerations of every bone that nothing holds.
pub(crate) fn project(skeleton: Skeleton, s: &mut State, held: impl Fn(&Bone) -> bool) {
    for bone in skeleton.bones.iter().filter(|b| !held(b)) {
        let arms = Arms::of(bone, &s.x);
        for field in [&mut s.v, &mut s.a] {
            let (mean, rate) = arms.rigid_part(bone.joint, &four(field, bone));
            put(&arms, field, bone, (mean, rate));
        }
    }
}

/// Writes the field mean + rate x r over a bone's masters.
pub(super) fn put(arms: &Arms, field: &mut [f64], bone: &Bone, (mean, rate): (Vec3, Vec3)) {
    for (node, r) in bone.masters().zip(arms.arms) {
        let spun = cross(rate, r);
        (0..3).for_each(|c| field[3 * node as usize + c] = mean[c] + spun[c]);
    }
}

/// Free flight of a step into `x` and `v`: where bones would be without forces, and how fast. Fails as [`fly`] does.
pub(crate) fn flight(
    skeleton: Skeleton,
    s0: &State,
    (x, v): (&mut [f64], &mut [f64]),
    dt: f64,
    held: impl Fn(&Bone) -> bool,
) -> Result<(), usize> {
    for bone in skeleton.bones.iter().filter(|b| !held(b)) {
        let had = four(&s0.v, bone);
        let places = flown(bone, &s0.x, &had, dt).ok_or(bone.body)?;
        x[bone.dofs()].copy_from_slice(places.as_flattened());
        straighten(bone, skeleton.rest, x);
        let (before, after) = (Arms::of(bone, &s0.x), Arms::of(bone, x));
        let motion = after.with_momenta(bone.joint, &had, before.moment(&had));
        put(&after, v, bone, motion);
    }
    Ok(())
}

/// Velocities of bones at the end of an implicit step: from the free flight `(x, v)` of the step and the impulse of its forces, m a dt.
pub(crate) fn settle_bones(
    skeleton: Skeleton,
    s1: &mut State,
    flight: (&[f64], &[f64]),
    dt: f64,
    held: impl Fn(&Bone) -> bool,
) {
    for bone in skeleton.bones.iter().filter(|b| !held(b)) {
        let (before, after) = (Arms::of(bone, flight.0), Arms::of(bone, &s1.x));
        let (v, a) = (four(flight.1, bone), four(&s1.a, bone));
        let (had, gained) = (before.moment(&v), after.moment(&a));
        let moment = std::array::from_fn(|c| had[c] + dt * gained[c]);
        let field = std::array::from_fn(|k| std::array::from_fn(|c| v[k][c] + dt * a[k][c]));
        let motion = after.with_momenta(bone.joint, &field, moment);
        put(&after, &mut s1.v, bone, motion);
    }
}

/// Brings masters that were interpolated back to the distances they have at rest: the nearest rotation of the affine map of the four.
pub(crate) fn straighten(bone: &Bone, rest: &[f64], x: &mut [f64]) {
    let (_, from) = centred(bone, rest);
    let (rotation, [_, centre]) = bone_turn(bone, rest, x);
    for (node, r) in bone.masters().zip(from) {
        let turned = rotation.mul_vec(r);
        (0..3).for_each(|c| x[3 * node as usize + c] = centre[c] + turned[c]);
    }
}

/// The vectors of a bone's masters.
pub(super) fn four(values: &[f64], bone: &Bone) -> [Vec3; 4] {
    let Range { start, .. } = bone.dofs();
    std::array::from_fn(|k| std::array::from_fn(|c| values[start + 3 * k + c]))
}

pub(super) fn plus(a: Vec3, b: Vec3) -> Vec3 {
    std::array::from_fn(|c| a[c] + b[c])
}

/// How a bone has turned since rest, and where its centre was and is.
pub(crate) fn bone_turn(bone: &Bone, rest: &[f64], x: &[f64]) -> (Mat3<f64>, [Vec3; 2]) {
    let ((before, from), (centre, to)) = (centred(bone, rest), centred(bone, x));
    let joint = from.iter().zip(&to).fold(Mat3::zero(), |sum, (r, q)| sum + Mat3::dyad(*q, *r));
    let second = from.iter().fold(Mat3::zero(), |sum, r| sum + Mat3::dyad(*r, *r));
    (nearest_rotation(&(joint * second.inverse())), [before, centre])
}

/// Velocity of a bone's centre, m/s, and its angular velocity, rad/s.
pub(crate) fn bone_motion(bone: &Bone, x: &[f64], v: &[f64]) -> (Vec3, Vec3) {
    let field = four(v, bone);
    let mean = std::array::from_fn(|c| 0.25 * field.iter().map(|u| u[c]).sum::<f64>());
    (mean, Arms::of(bone, x).rigid_part(bone.joint, &field).1)
}

/// The centre of a bone's masters, and arms from there.
fn centred(bone: &Bone, values: &[f64]) -> (Vec3, [Vec3; 4]) {
    let places = four(values, bone);
    let centre: Vec3 = std::array::from_fn(|c| 0.25 * places.iter().map(|p| p[c]).sum::<f64>());
    (centre, places.map(|p| std::array::from_fn(|c| p[c] - centre[c])))
}

/// Adds a force at a place that moves with a bone to those on its masters: its mean, and what has its moment about the centre.
pub(crate) fn bone_shares(bone: &Bone, x: &[f64], (place, force): (Vec3, Vec3), out: &mut [f64]) {
    let (centre, arms) = centred(bone, x);
    let arms = Arms { mass: 0.25 * bone.mass, origin: centre, arms };
    let moment = cross(std::array::from_fn(|c| place[c] - centre[c]), force);
    let turning = inverse_inertia(&arms.inertia()).mul_vec(moment);
    for (node, r) in bone.masters().zip(arms.arms) {
        let spun = cross(turning, r);
        (0..3).for_each(|c| out[3 * node as usize + c] += 0.25 * force[c] + arms.mass * spun[c]);
    }
}
