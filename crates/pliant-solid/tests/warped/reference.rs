//! (11), (12) and (13) of the paper and their matrices, node by node and without haste.

use faer::Mat;
use pliant_geometry::Mesh;
use pliant_numerics::{BlockMatrix, Mat3};
use pliant_solid::assembly::lumped_volumes;
use pliant_solid::law::{LawKind, RotationField, Rotations, Warp};
use pliant_solid::term::Coeffs;

use super::support::{Vec3, add, at, cross, moduli, triple};
use super::{YOUNG, model};

/// A body's matrix of the law `linear`, its neighbours and masses.
pub struct Reference {
    pub stiffness: BlockMatrix,
    pub rest: Vec<Vec3>,
    pub mass: Vec<f64>,
}

pub fn points(values: &[f64]) -> Vec<Vec3> {
    (0..values.len() as u32 / 3).map(|n| triple(values, n)).collect()
}

fn minus(a: Vec3, b: Vec3) -> Vec3 {
    add(a, b.map(|c| -c))
}

/// The rotation nearest to A by its singular values: U diag(1, 1, det(U V^T)) V^T.
fn by_singular_values(a: &Mat3<f64>) -> Mat3<f64> {
    let svd = Mat::from_fn(3, 3, |r, c| a.0[r][c]).svd().unwrap();
    let matrix = |m: faer::MatRef<f64>| Mat3::from_fn(|r, c| m[(r, c)]);
    let (u, v) = (matrix(svd.U()), matrix(svd.V()));
    let sign = u.mul_transpose(&v).determinant().signum();
    let flip = Mat3([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, sign]]);
    (u * flip).mul_transpose(&v)
}

impl Reference {
    pub fn new(mesh: &Mesh) -> Self {
        let linear = model(mesh, LawKind::Linear(moduli(YOUNG, 0.3)));
        let mut stiffness = BlockMatrix::zero(linear.structure().all().clone());
        let rest = linear.layout().rest();
        for term in linear.terms() {
            let still = vec![0.0; rest.len()];
            let mut scratch = term.new_scratch();
            term.tangent_add(&at(0.0, rest, &still), Coeffs { k: 1.0, d: 0.0 }, &mut stiffness, &mut scratch);
        }
        let rest = points(rest);
        let mut mass = vec![0.0; rest.len()];
        let world = &linear.layout().bodies()[0].world;
        lumped_volumes(mesh).into_iter().zip(world).for_each(|(m, n)| mass[*n as usize] = m);
        Self { stiffness, rest, mass }
    }

    fn neighbours(&self, node: usize) -> impl Iterator<Item = usize> {
        self.stiffness.pattern().row(node).iter().map(|c| *c as usize)
    }

    fn mean(&self, x: &[Vec3]) -> Vec3 {
        let total: f64 = self.mass.iter().sum();
        let weighted = x.iter().zip(&self.mass).map(|(x, m)| x.map(|c| m * c / total));
        weighted.fold([0.0; 3], add)
    }

    /// The rotation of every node; `None` for frames, whose edges are the term's to choose.
    pub fn rotations(&self, warp: Warp, x: &[Vec3]) -> Option<Vec<Mat3<f64>>> {
        let count = self.rest.len();
        match (warp.rotations, warp.field) {
            (Rotations::Body, _) => {
                let (c, rest_c) = (self.mean(x), self.mean(&self.rest));
                let one =
                    |n: usize| Mat3::dyad(minus(x[n], c), minus(self.rest[n], rest_c)).scale(self.mass[n]);
                let sum = (0..count).fold(Mat3::zero(), |sum, n| sum + one(n));
                Some(vec![by_singular_values(&sum); count])
            }
            (_, RotationField::Frames) => None,
            (_, RotationField::Polar) => {
                let edges = |n: usize| {
                    let one = |j: usize| Mat3::dyad(minus(x[j], x[n]), minus(self.rest[j], self.rest[n]));
                    self.neighbours(n).fold(Mat3::zero(), |sum, j| sum + one(j))
                };
                Some((0..count).map(|n| by_singular_values(&edges(n))).collect())
            }
        }
    }

    /// Forces with given rotations, ghosts and all.
    pub fn forces(&self, warp: Warp, rotations: &[Mat3<f64>], x: &[Vec3]) -> Vec<Vec3> {
        let one = |i: usize| {
            let part = |j: usize| {
                let turn = if warp.rotations == Rotations::Mixed { j } else { i };
                let back = rotations[turn].transpose().mul_vec(minus(x[j], x[i]));
                let local = minus(back, minus(self.rest[j], self.rest[i]));
                self.stiffness.block(i as u32, j as u32).mul_vec(local)
            };
            let sum = self.neighbours(i).map(part).fold([0.0; 3], add);
            rotations[i].mul_vec(sum).map(|f| -f)
        };
        (0..self.rest.len()).map(one).collect()
    }

    /// Net force, and torque about the centre of mass.
    pub fn net(&self, x: &[Vec3], forces: &[Vec3]) -> [Vec3; 2] {
        let c = self.mean(x);
        let torque = x.iter().zip(forces).map(|(x, f)| cross(minus(*x, c), *f));
        [forces.iter().copied().fold([0.0; 3], add), torque.fold([0.0; 3], add)]
    }
}
