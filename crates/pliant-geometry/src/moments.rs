//! Volume, centre and second moments of some cells of a mesh, exactly.
//!
//! ```text
//! V = int dV,   V c = int x dV,   S = int (x - c)(x - c)^T dV                                                     (1)
//! tetrahedron:  int x x^T dV = V / 20 (sum_i p_i p_i^T + (sum_i p_i)(sum_i p_i)^T)                                (2)
//! hexahedron:   3 x 3 x 3 Gauss points, exact to degree 5 in each coordinate; x x^T det J has degree 4             (3)
//! ```
//!
//! Moments are gathered about the first node, so that a body far from the origin keeps its digits.

use pliant_numerics::Mat3;

use crate::mesh::Mesh;
use crate::vector::{Vec3, add, scale, sub, weighted};
use crate::{hexahedron, tetrahedron};

/// (1); S is in the axes of the mesh, m^5.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moments {
    /// V, m^3.
    pub volume: f64,
    /// c, m.
    pub centre: Vec3,
    /// S, m^5.
    pub second: Mat3<f64>,
}

impl Moments {
    /// Of points that each stand for some volume (or mass, in whose units the moments are then).
    pub fn of_points(points: impl Iterator<Item = (Vec3, f64)> + Clone) -> Self {
        let volume: f64 = points.clone().map(|(_, v)| v).sum();
        let centre = scale(points.clone().fold([0.0; 3], |sum, (p, v)| add(sum, scale(p, v))), 1.0 / volume);
        let second = points.fold(Mat3::zero(), |sum, (p, v)| {
            let arm = sub(p, centre);
            sum + Mat3::dyad(arm, arm).scale(v)
        });
        Self { volume, centre, second }
    }

    /// Of both together; by Steiner's theorem.
    pub fn join(&self, other: &Self) -> Self {
        let volume = self.volume + other.volume;
        if volume == 0.0 {
            return *self;
        }
        let centre =
            scale(add(scale(self.centre, self.volume), scale(other.centre, other.volume)), 1.0 / volume);
        let moved = |part: &Self| {
            let arm = sub(part.centre, centre);
            part.second + Mat3::dyad(arm, arm).scale(part.volume)
        };
        let second = match (self.volume, other.volume) {
            (_, 0.0) => self.second,
            (0.0, _) => other.second,
            _ => moved(self) + moved(other),
        };
        Self { volume, centre: if other.volume == 0.0 { self.centre } else { centre }, second }
    }

    /// All of it times a factor, such as a density.
    pub fn times(&self, factor: f64) -> Self {
        Self { volume: factor * self.volume, centre: self.centre, second: self.second.scale(factor) }
    }
}

/// (1) of cells given by their numbers; zero volume where there are none.
pub fn moments(mesh: &Mesh, cells: &[u32]) -> Moments {
    let Some(origin) = cells.first().map(|c| mesh.positions()[mesh.cell_nodes(*c as usize)[0] as usize])
    else {
        return Moments { volume: 0.0, centre: [0.0; 3], second: Mat3::zero() };
    };
    let (mut volume, mut first, mut square) = (0.0, [0.0; 3], Mat3::zero());
    for &cell in cells {
        let corner = |n: u32| sub(mesh.positions()[n as usize], origin);
        let (v, f, s) = match *mesh.cell_nodes(cell as usize) {
            [a, b, c, d] => of_tetrahedron(&[a, b, c, d].map(corner)),
            [a, b, c, d, e, f, g, h] => of_hexahedron(&[a, b, c, d, e, f, g, h].map(corner)),
            _ => continue,
        };
        (volume, first, square) = (volume + v, add(first, f), square + s);
    }
    let arm = scale(first, 1.0 / volume);
    Moments { volume, centre: add(origin, arm), second: square - Mat3::dyad(arm, arm).scale(volume) }
}

/// Integrals of 1, x and x x^T (2).
fn of_tetrahedron(p: &[Vec3; 4]) -> (f64, Vec3, Mat3<f64>) {
    let volume = tetrahedron::volume(p);
    let sum = p.iter().fold([0.0; 3], |sum, q| add(sum, *q));
    let squares = p.iter().fold(Mat3::dyad(sum, sum), |all, q| all + Mat3::dyad(*q, *q));
    (volume, scale(sum, 0.25 * volume), squares.scale(volume / 20.0))
}

/// The same by (3).
fn of_hexahedron(p: &[Vec3; 8]) -> (f64, Vec3, Mat3<f64>) {
    let outer = 0.6_f64.sqrt();
    let line = [(-outer, 5.0 / 9.0), (0.0, 8.0 / 9.0), (outer, 5.0 / 9.0)];
    let (mut volume, mut first, mut square) = (0.0, [0.0; 3], Mat3::zero());
    for (a, wa) in line {
        for (b, wb) in line {
            for (c, wc) in line {
                let s = [a, b, c];
                let weight = wa * wb * wc * hexahedron::jacobian_determinant(p, s);
                let x = weighted(p, &hexahedron::weights(s));
                volume += weight;
                first = add(first, scale(x, weight));
                square = square + Mat3::dyad(x, x).scale(weight);
            }
        }
    }
    (volume, first, square)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generator::{BoxElement, box_mesh};

    fn all(mesh: &Mesh) -> Vec<u32> {
        (0..mesh.cell_count() as u32).collect()
    }

    /// a b c, its middle, and V diag(a^2, b^2, c^2) / 12.
    #[test]
    fn a_box_far_away_has_the_moments_of_a_box() {
        for element in [BoxElement::Tet5, BoxElement::Tet6, BoxElement::Hex] {
            let mesh = box_mesh([0.1, 0.2, 0.3], [2, 1, 3], element).unwrap();
            let mesh = mesh.transformed(|p| add(p, [1000.0, -500.0, 2.0])).unwrap();
            let found = moments(&mesh, &all(&mesh));
            assert!((found.volume - 0.006).abs() < 1e-14, "{found:?}");
            assert!((0..3).all(|c| (found.centre[c] - [1000.05, -499.9, 2.15][c]).abs() < 1e-12));
            let exact = Mat3::from_fn(|r, c| if r == c { 0.006 * [0.01, 0.04, 0.09][r] / 12.0 } else { 0.0 });
            // coordinates of 1000 m are rounded by 1e-13 m
            assert!((found.second - exact).norm() < 1e-11 * exact.norm(), "{found:?}");
        }
    }

    /// A hexahedron cut into tetrahedra is another shape where its faces are warped; a parallelepiped and an affine image of it are not. So a
    /// frustum, whose faces are flat: cut in six, both must agree.
    #[test]
    fn a_frustum_has_the_moments_of_its_tetrahedra() {
        let squeeze = |p: Vec3| [p[0] * (1.0 - 0.4 * p[2]), p[1] * (1.0 - 0.4 * p[2]), p[2]];
        let make = |element| box_mesh([1.0; 3], [1, 1, 1], element).unwrap().transformed(squeeze).unwrap();
        let (hex, tets) = (make(BoxElement::Hex), make(BoxElement::Tet6));
        let (a, b) = (moments(&hex, &all(&hex)), moments(&tets, &all(&tets)));
        // int (1 - 0.4 z)^2 dz
        assert!((a.volume - (1.0 - 0.4 + 0.16 / 3.0)).abs() < 1e-15, "{a:?}");
        assert!((a.volume - b.volume).abs() < 1e-15 && (a.second - b.second).norm() < 1e-15, "{a:?} {b:?}");
    }

    #[test]
    fn parts_join_to_the_whole() {
        let mesh = box_mesh([0.4, 0.1, 0.2], [4, 1, 2], BoxElement::Tet5).unwrap();
        let (left, right): (Vec<u32>, Vec<u32>) = all(&mesh).iter().partition(|c| **c % 3 == 0);
        let whole = moments(&mesh, &all(&mesh));
        let joined = moments(&mesh, &left).join(&moments(&mesh, &right));
        assert!((joined.second - whole.second).norm() < 1e-14 * whole.second.norm());
        assert!((0..3).all(|c| (joined.centre[c] - whole.centre[c]).abs() < 1e-15));
        assert_eq!(whole.join(&moments(&mesh, &[])), whole);
        let points = mesh.positions().iter().map(|p| (*p, 0.5));
        assert!((Moments::of_points(points).volume - 0.5 * mesh.node_count() as f64).abs() < 1e-12);
    }
}
