//! Loads: dead forces on nodes, and pressure that follows the surface.
//!
//! ```text
//! f_i = int N_i t dA0  (dead traction),   f_i = int N_i b dV0  (body force)              (1)
//! f_i = - p int N_i (dx/ds x dx/dt) ds dt                        (pressure)              (2)
//! ```
//!
//! Source: [Zhuang 2.68, 2.70], the latter with the plus sign of the errata. (1) is
//! integrated once when the model is built; (2) at the current positions, so its tangent is not
//! symmetric. On linear bodies (2) is taken at rest and is dead, as their answer has to be linear.

use pliant_geometry::FaceNodes;
use pliant_numerics::{BlockMatrix, Mat3, PatternBuilder};

use super::{At, Caps, Coeffs, Exchange, ForceTerm, LoadHistory, Report, Scatter, Scratch, until};
use crate::fix::cross;

/// Constant forces on nodes, in world axes, times a history.
#[derive(Clone, Debug)]
pub struct NodalForce {
    /// World nodes and the full force on each, N.
    pub forces: Vec<(u32, [f64; 3])>,
    /// When it acts.
    pub history: LoadHistory,
}

fn triple(values: &[f64], node: u32) -> [f64; 3] {
    let first = 3 * node as usize;
    [values[first], values[first + 1], values[first + 2]]
}

fn add_to(values: &mut [f64], node: u32, factor: f64, vector: [f64; 3]) {
    let out = &mut values[3 * node as usize..][..3];
    (0..3).for_each(|c| out[c] += factor * vector[c]);
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn difference(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|c| a[c] - b[c])
}

impl ForceTerm for NodalForce {
    fn caps(&self) -> Caps {
        Caps { tangent: true, symmetric: true, ..Caps::default() }
    }

    fn pattern(&self, _out: &mut PatternBuilder) {}

    fn force_add(&self, at: &At, out: &mut Scatter) -> Report {
        let factor = at.load * self.history.factor(at.time);
        let mut power = 0.0;
        for (node, force) in &self.forces {
            add_to(out.force, *node, factor, *force);
            power += dot(*force, triple(at.v, *node));
        }
        Report { external_power: factor * power, ..Report::default() }
    }

    fn tangent_apply_add(&self, _at: &At, _c: Coeffs, _direction: &[f64], _out: &mut Scatter) {}

    fn tangent_add(&self, _at: &At, _c: Coeffs, _out: &mut BlockMatrix, _scratch: &mut Scratch) {}

    fn resolution(&self, time: f64) -> f64 {
        self.history.resolution(time)
    }

    fn next_jump(&self, time: f64) -> f64 {
        self.history.release.filter(|release| until(*release, time).is_finite()).unwrap_or(f64::INFINITY)
    }

    fn pace(&self, time: f64) -> f64 {
        self.history.pace(time)
    }

    fn full_load(&self, _rest: &[f64]) -> Option<[f64; 3]> {
        let mut sum = [0.0; 3];
        self.forces.iter().for_each(|(_, force)| add_to(&mut sum, 0, 1.0, *force));
        Some(sum)
    }

    fn exchange(&self, from: &At, to: &At) -> Exchange {
        let at = |at: &At| at.load * self.history.factor(at.time);
        let mean = 0.5 * (at(from) + at(to));
        let work = |(node, force): &(u32, [f64; 3])| {
            dot(*force, difference(triple(to.x, *node), triple(from.x, *node)))
        };
        Exchange { work: mean * self.forces.iter().map(work).sum::<f64>(), dissipated: 0.0 }
    }
}

/// Pressure on faces, along their current inward normals.
#[derive(Clone, Debug)]
pub struct Pressure {
    /// Faces with world nodes, outward by the right-hand rule.
    pub faces: Vec<FaceNodes>,
    /// Full pressure, Pa; positive pushes on the body.
    pub pressure: f64,
    /// When it acts.
    pub history: LoadHistory,
}

/// Quadrature of a face: shape functions, and their derivatives along its two parameters.
type FacePoint = ([f64; 4], [[f64; 4]; 2], f64);

/// One point for triangles (exact), 2x2 Gauss points for quads.
fn face_points(face: &FaceNodes) -> ([FacePoint; 4], usize) {
    const GAUSS: f64 = 0.577_350_269_189_625_8;
    const THIRD: f64 = 1.0 / 3.0;
    match face {
        FaceNodes::Triangle(_) => {
            let slopes = [[-1.0, 1.0, 0.0, 0.0], [-1.0, 0.0, 1.0, 0.0]];
            ([([THIRD, THIRD, THIRD, 0.0], slopes, 0.5); 4], 1)
        }
        FaceNodes::Quad(_) => {
            let point = |s: f64, t: f64| {
                let (a, b, c, d) = (0.5 * (1.0 - s), 0.5 * (1.0 + s), 0.5 * (1.0 - t), 0.5 * (1.0 + t));
                let shape = [a * c, b * c, b * d, a * d];
                (shape, [[-0.5 * c, 0.5 * c, 0.5 * d, -0.5 * d], [-0.5 * a, -0.5 * b, 0.5 * b, 0.5 * a]], 1.0)
            };
            let g = GAUSS;
            ([point(-g, -g), point(g, -g), point(-g, g), point(g, g)], 4)
        }
    }
}

/// Sum of slope_i value_i.
fn along(nodes: &[u32], slopes: &[f64; 4], values: &[f64]) -> [f64; 3] {
    let mut out = [0.0; 3];
    for (node, slope) in nodes.iter().zip(slopes) {
        add_to(&mut out, 0, *slope, triple(values, *node));
    }
    out
}

impl Pressure {
    /// The same pressure on the surface at rest: dead forces, for bodies whose law knows small displacements only.
    pub fn at_rest(self, rest: &[f64]) -> NodalForce {
        let mut forces = std::collections::BTreeMap::new();
        self.for_each_area(rest, |node, area| {
            add_to(forces.entry(node).or_insert([0.0; 3]), 0, -self.pressure, area);
        });
        NodalForce { forces: forces.into_iter().collect(), history: self.history }
    }

    /// Calls `visit(node, force per pressure)`: (2) without -p.
    fn for_each_area(&self, x: &[f64], mut visit: impl FnMut(u32, [f64; 3])) {
        for face in &self.faces {
            let (points, count) = face_points(face);
            for (shape, slopes, weight) in &points[..count] {
                let nodes = face.nodes();
                let normal = cross(along(nodes, &slopes[0], x), along(nodes, &slopes[1], x));
                for (node, n) in nodes.iter().zip(shape) {
                    visit(*node, normal.map(|c| weight * n * c));
                }
            }
        }
    }
}

impl ForceTerm for Pressure {
    fn caps(&self) -> Caps {
        Caps { tangent: true, ..Caps::default() }
    }

    fn pattern(&self, out: &mut PatternBuilder) {
        self.faces.iter().for_each(|face| out.clique(face.nodes()));
    }

    fn force_add(&self, at: &At, out: &mut Scatter) -> Report {
        let p = self.pressure * at.load * self.history.factor(at.time);
        let mut power = 0.0;
        self.for_each_area(at.x, |node, area| {
            add_to(out.force, node, -p, area);
            power += dot(area, triple(at.v, node));
        });
        Report { external_power: -p * power, ..Report::default() }
    }

    fn tangent_apply_add(&self, at: &At, c: Coeffs, direction: &[f64], out: &mut Scatter) {
        // K = -df/dx, so +p times the change of the area vectors
        let p = c.k * self.pressure * at.load * self.history.factor(at.time);
        for face in &self.faces {
            let (points, count) = face_points(face);
            for (shape, slopes, weight) in &points[..count] {
                let nodes = face.nodes();
                let [s, t] = [0, 1].map(|i| along(nodes, &slopes[i], at.x));
                let [ds, dt] = [0, 1].map(|i| along(nodes, &slopes[i], direction));
                let (a, b) = (cross(ds, t), cross(s, dt));
                for (node, n) in nodes.iter().zip(shape) {
                    add_to(out.force, *node, p * weight * n, std::array::from_fn(|i| a[i] + b[i]));
                }
            }
        }
    }

    fn tangent_add(&self, at: &At, c: Coeffs, out: &mut BlockMatrix, _scratch: &mut Scratch) {
        let p = c.k * self.pressure * at.load * self.history.factor(at.time);
        // matrix of v -> v x a
        let crossed = |a: [f64; 3]| Mat3([[0.0, a[2], -a[1]], [-a[2], 0.0, a[0]], [a[1], -a[0], 0.0]]);
        for face in &self.faces {
            let (points, count) = face_points(face);
            for (shape, slopes, weight) in &points[..count] {
                let nodes = face.nodes();
                let [s, t] = [0, 1].map(|i| along(nodes, &slopes[i], at.x));
                for (j, column) in nodes.iter().enumerate() {
                    // d(s x t) = slope0_j e x t - slope1_j e x s
                    let change = crossed(t).scale(slopes[0][j]) - crossed(s).scale(slopes[1][j]);
                    for (row, n) in nodes.iter().zip(shape) {
                        out.add(*row, *column, &change.scale(p * weight * n));
                    }
                }
            }
        }
    }

    fn resolution(&self, time: f64) -> f64 {
        self.history.resolution(time)
    }

    fn next_jump(&self, time: f64) -> f64 {
        self.history.release.filter(|release| until(*release, time).is_finite()).unwrap_or(f64::INFINITY)
    }

    fn pace(&self, time: f64) -> f64 {
        self.history.pace(time)
    }

    fn full_load(&self, rest: &[f64]) -> Option<[f64; 3]> {
        let mut sum = [0.0; 3];
        self.for_each_area(rest, |_, area| add_to(&mut sum, 0, -self.pressure, area));
        Some(sum)
    }

    fn exchange(&self, from: &At, to: &At) -> Exchange {
        let mut work = 0.0;
        for at in [from, to] {
            let p = self.pressure * at.load * self.history.factor(at.time);
            self.for_each_area(at.x, |node, area| {
                let path = difference(triple(to.x, node), triple(from.x, node));
                work -= 0.5 * p * dot(area, path);
            });
        }
        Exchange { work, dissipated: 0.0 }
    }
}

/// The integral of each node's shape function over a face, m^2: what a traction is multiplied with (1).
pub fn face_areas(face: &FaceNodes, positions: &[[f64; 3]]) -> Vec<(u32, f64)> {
    let nodes = face.nodes();
    let mut out: Vec<(u32, f64)> = nodes.iter().map(|n| (*n, 0.0)).collect();
    let (points, count) = face_points(face);
    for (shape, slopes, weight) in &points[..count] {
        let tangent = |slopes: &[f64; 4]| -> [f64; 3] {
            std::array::from_fn(|c| {
                nodes.iter().zip(slopes).map(|(n, s)| s * positions[*n as usize][c]).sum()
            })
        };
        let normal = cross(tangent(&slopes[0]), tangent(&slopes[1]));
        let area = weight * dot(normal, normal).sqrt();
        out.iter_mut().zip(shape).for_each(|((_, share), n)| *share += area * n);
    }
    out
}
