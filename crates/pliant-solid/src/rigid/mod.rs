//! Rigid parts of bodies: bones, and bodies that are rigid as a whole.
//!
//! ```text
//! m = int rho dV,   S = int rho (X - c)(X - c)^T dV = Q diag(S_1, S_2, S_3) Q^T                                  (1)
//! P_k = c + Q (s_1 t_k1, s_2 t_k2, s_3 t_k3),   s_i = sqrt(S_i / m),   t = (+ + +), (+ - -), (- + -), (- - +)     (2)
//! X = sum_k w_k P_k,   w_k = (1 + sum_i t_ki Q_i . (X - c) / s_i) / 4                                            (3)
//! ```
//!
//! Four points of mass m / 4 at the places (2) have the mass, the centre and the second moments (1) of the whole, so that they move as it does while their
//! distances stay what they are. These *masters* are free nodes like others: lumped mass, gravity, momenta and kinetic energy are theirs without
//! any special case. All other points of the bone depend on them by (3), which is exact under any rigid motion. `motion` keeps the distances; `rows` hands the
//! equations of implicit steps on to the motions that are left: six, or one about a hinge.

mod levers;
mod motion;
mod rows;

pub(crate) use levers::BoneLevers;
pub(crate) use motion::{
    bone_motion, bone_shares, bone_turn, fastest_turn, flight, fly, project, settle_bones, straighten,
};
pub(crate) use rows::RigidRows;

use crate::assembly::lumped_volumes_of;
use pliant_geometry::vector::{Vec3, dot};
use pliant_geometry::{Mesh, Moments, moments};
use pliant_numerics::{Mat3, symmetric_eigen};

/// All rigid parts of a world, and where nodes rest.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Skeleton<'a> {
    /// Body by body.
    pub bones: &'a [Bone],
    /// Rest positions of all nodes, m.
    pub rest: &'a [f64],
}

/// Masters of a bone.
pub const MASTERS: u32 = 4;
/// t of (2).
const SIGNS: [Vec3; 4] = [[1.0, 1.0, 1.0], [1.0, -1.0, -1.0], [-1.0, 1.0, -1.0], [-1.0, -1.0, 1.0]];
/// A bone that is thinner than this part of its length has no inertia about that length.
const THIN: f64 = 1e-6;

/// What motion a bone has of its own. One that is held or carried has a fix on its masters.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Joint {
    /// Any rigid motion.
    #[default]
    Free,
    /// Turns about a line that stands still.
    Hinge {
        /// A point of the line, m.
        point: Vec3,
        /// Its direction, of length 1.
        axis: Vec3,
    },
}

/// A bone as the layout needs it.
#[derive(Clone, Debug, PartialEq)]
pub struct BoneShape {
    /// Its name in the scene.
    pub name: String,
    /// The cells of the mesh that are rigid.
    pub cells: Vec<u32>,
    /// Their nodes, ascending.
    pub nodes: Vec<u32>,
    /// What motion it has.
    pub joint: Joint,
    /// All that moves with it, elements that share its nodes and nodes attached to it included, kg.
    pub mass: f64,
    frame: Frame,
}

/// What moves with a bone beside its own cells.
#[derive(Clone, Copy, Debug, Default)]
pub struct Around<'a> {
    /// Cells of the same mesh that stay soft; those that share nodes with the bone count.
    pub soft: &'a [u32],
    /// Their density, kg/m^3.
    pub soft_density: f64,
    /// Places, m, and masses, kg, of nodes of other bodies that are tied to the bone.
    pub tied: &'a [(Vec3, f64)],
}

/// c, Q and s of (2).
#[derive(Clone, Copy, Debug, PartialEq)]
struct Frame {
    centre: Vec3,
    axes: Mat3<f64>,
    radii: Vec3,
}

/// Why no bone can be made of some cells.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum BoneError {
    /// Nothing to move.
    #[error("it has a mass of {0} kg; it must be above 0")]
    Mass(f64),
    /// All matter on a line or in a plane.
    #[error("its matter is as thin as {0:.1e} of its length; a bone needs some thickness")]
    Thin(f64),
}

impl BoneShape {
    /// From the moments (1) of all that moves with it; `volume` is a mass there.
    pub fn new(
        name: &str,
        (cells, nodes): (Vec<u32>, Vec<u32>),
        joint: Joint,
        moments: &Moments,
    ) -> Result<Self, BoneError> {
        let mass = moments.volume;
        if mass <= 0.0 || !mass.is_finite() {
            return Err(BoneError::Mass(mass));
        }
        let (values, axes) = symmetric_eigen::<f64, 6>(&moments.second);
        let radii = values.map(|s| (s.max(0.0) / mass).sqrt());
        let (thin, long) =
            (radii.iter().copied().fold(f64::INFINITY, f64::min), radii.iter().copied().fold(0.0, f64::max));
        if thin <= THIN * long {
            return Err(BoneError::Thin(thin / long));
        }
        let frame = Frame { centre: moments.centre, axes, radii };
        Ok(Self { name: name.into(), cells, nodes, joint, mass, frame })
    }

    /// From cells of a mesh with a density of their own, kg/m^3, and what is around them.
    pub fn of_cells(
        name: &str,
        (mesh, cells): (&Mesh, Vec<u32>),
        joint: Joint,
        density: f64,
        Around { soft, soft_density, tied }: Around,
    ) -> Result<Self, BoneError> {
        let mut nodes: Vec<u32> =
            cells.iter().flat_map(|c| mesh.cell_nodes(*c as usize).iter().copied()).collect();
        nodes.sort_unstable();
        nodes.dedup();
        let volumes = lumped_volumes_of(mesh, soft);
        let shared =
            nodes.iter().map(|n| (mesh.positions()[*n as usize], soft_density * volumes[*n as usize]));
        let all = moments(mesh, &cells).times(density);
        let all = [Moments::of_points(shared), Moments::of_points(tied.iter().copied())]
            .iter()
            .filter(|part| part.volume > 0.0)
            .fold(all, |all, part| all.join(part));
        Self::new(name, (cells, nodes), joint, &all)
    }

    /// (2), m.
    pub fn masters(&self) -> [Vec3; 4] {
        let Frame { centre, axes, radii } = self.frame;
        SIGNS.map(|t| {
            let arm = axes.mul_vec(std::array::from_fn(|i| radii[i] * t[i]));
            std::array::from_fn(|c| centre[c] + arm[c])
        })
    }

    /// (3) of a point at rest.
    pub fn weights(&self, point: Vec3) -> [f64; 4] {
        let Frame { centre, axes, radii } = self.frame;
        let arm = std::array::from_fn(|c| point[c] - centre[c]);
        let along: Vec3 = std::array::from_fn(|i| dot(axes.column(i), arm) / radii[i]);
        SIGNS.map(|t| 0.25 * (1.0 + dot(t, along)))
    }
}

/// A bone in a world.
#[derive(Clone, Debug, PartialEq)]
pub struct Bone {
    /// Its name in the scene.
    pub name: String,
    /// The body it is a part of.
    pub body: usize,
    /// The first of its four masters, which are free nodes one after another.
    pub first: u32,
    /// What motion it has.
    pub joint: Joint,
    /// How many cells it is made of.
    pub elements: usize,
    /// All that moves with it, kg.
    pub mass: f64,
}

impl Bone {
    /// Its masters.
    pub fn masters(&self) -> std::ops::Range<u32> {
        self.first..self.first + MASTERS
    }

    /// Where three numbers per node have those of its masters.
    pub(crate) fn dofs(&self) -> std::ops::Range<usize> {
        3 * self.first as usize..3 * (self.first + MASTERS) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pliant_geometry::{BoxElement, box_mesh};

    #[test]
    fn four_points_stand_for_a_body() {
        let mesh = box_mesh([0.1, 0.2, 0.4], [1, 2, 3], BoxElement::Hex).unwrap();
        let turn = Mat3::rotation([1.0, 2.0, -1.0], 0.8);
        let mesh = mesh.transformed(|p| turn.mul_vec(p)).unwrap();
        let cells: Vec<u32> = (0..mesh.cell_count() as u32).collect();
        let whole = moments(&mesh, &cells).times(700.0);
        let bone = BoneShape::new("b", (cells, vec![]), Joint::Free, &whole).unwrap();
        let four = Moments::of_points(bone.masters().into_iter().map(|p| (p, 0.25 * bone.mass)));
        assert!((four.volume - whole.volume).abs() < 1e-14);
        assert!((0..3).all(|c| (four.centre[c] - whole.centre[c]).abs() < 1e-15));
        assert!((four.second - whole.second).norm() < 1e-14 * whole.second.norm());
        for p in mesh.positions() {
            let weights = bone.weights(*p);
            let there: Vec3 =
                std::array::from_fn(|c| (0..4).map(|k| weights[k] * bone.masters()[k][c]).sum());
            assert!((0..3).all(|c| (there[c] - p[c]).abs() < 1e-15), "{p:?}: {there:?}");
        }
    }

    #[test]
    fn what_has_no_mass_or_thickness_is_refused() {
        let points =
            |z: f64| [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, z]].map(|p| (p, 1.0));
        let bone = |z| {
            BoneShape::new("b", (vec![], vec![]), Joint::Free, &Moments::of_points(points(z).into_iter()))
        };
        assert!(bone(1.0).is_ok());
        assert!(matches!(bone(1e-7), Err(BoneError::Thin(_))));
        let nothing = Moments { volume: 0.0, centre: [0.0; 3], second: Mat3::zero() };
        let made = BoneShape::new("b", (vec![], vec![]), Joint::Free, &nothing);
        assert_eq!(made, Err(BoneError::Mass(0.0)));
    }
}
