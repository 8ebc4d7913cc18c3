//! One trilinear hexahedron given by its corners, in the order of VTK type 12.
//!
//! ```text
//! x(s)  = sum_i N_i(s) p_i,   N_i = (1 + s_1 S_i1)(1 + s_2 S_i2)(1 + s_3 S_i3) / 8,   s in [-1, 1]^3   (1)
//! J(s)  = dx/ds                                                                                      (2)
//! V     = integral of det J; 2x2x2 Gauss points are exact, det J is quadratic in each s_k              (3)
//! w_i   = N_i(s) + dN_i/ds J^-1 (p - x(s)),   s that of the closest point of the cell to p                  (4)
//! ```
//!
//! (4) are the weights of a point outside: sum w_i = 1 and sum w_i p_i = p, so that it follows any affine motion. The
//! closest point minimises |x(s) - p|^2 over the cube by Gauss-Newton steps in the coordinates that are not held at a bound. Inside the cell this is Newton's method for x(s) = p.

use crate::vector::{Vec3, add, cross, det, dot, norm, scale, sub};

/// S in (1).
pub(crate) const CORNERS: [[f64; 3]; 8] = [
    [-1.0, -1.0, -1.0],
    [1.0, -1.0, -1.0],
    [1.0, 1.0, -1.0],
    [-1.0, 1.0, -1.0],
    [-1.0, -1.0, 1.0],
    [1.0, -1.0, 1.0],
    [1.0, 1.0, 1.0],
    [-1.0, 1.0, 1.0],
];

/// Corners of the six faces, outward when det J is positive.
pub(crate) const FACES: [[usize; 4]; 6] =
    [[0, 3, 2, 1], [4, 5, 6, 7], [0, 1, 5, 4], [1, 2, 6, 5], [2, 3, 7, 6], [3, 0, 4, 7]];

/// The 2x2x2 Gauss points, all of weight 1.
pub(crate) fn gauss_points() -> [Vec3; 8] {
    CORNERS.map(|corner| scale(corner, 1.0 / 3.0_f64.sqrt()))
}

/// N_i(s) of (1).
pub(crate) fn weights(s: Vec3) -> [f64; 8] {
    CORNERS.map(|c| 0.125 * (1.0 + s[0] * c[0]) * (1.0 + s[1] * c[1]) * (1.0 + s[2] * c[2]))
}

/// dN_i/ds.
fn gradients(s: Vec3) -> [Vec3; 8] {
    CORNERS.map(|c| {
        let f = [1.0 + s[0] * c[0], 1.0 + s[1] * c[1], 1.0 + s[2] * c[2]];
        scale([c[0] * f[1] * f[2], f[0] * c[1] * f[2], f[0] * f[1] * c[2]], 0.125)
    })
}

/// The columns of J(s) (2).
pub(crate) fn jacobian(p: &[Vec3; 8], s: Vec3) -> [Vec3; 3] {
    let mut columns = [[0.0; 3]; 3];
    for (&point, gradient) in p.iter().zip(&gradients(s)) {
        for (column, g) in columns.iter_mut().zip(gradient) {
            *column = add(*column, scale(point, *g));
        }
    }
    columns
}

/// Weights (4) of any point in space; `None` for a flat hexahedron.
pub(crate) fn extended_weights(p: &[Vec3; 8], point: Vec3) -> Option<[f64; 8]> {
    let (s, _) = closest(p, point);
    let base = weights(s);
    let left = sub(point, crate::vector::weighted(p, &base));
    // where a corner is flat the middle of the cell tells how it moves
    let (at, [a, b, c]) =
        [s, [0.0; 3]].into_iter().map(|at| (at, jacobian(p, at))).find(|(_, j)| !is_flat(j))?;
    let whole = det(a, b, c);
    let way = [det(left, b, c) / whole, det(a, left, c) / whole, det(a, b, left) / whole];
    let gradients = gradients(at);
    Some(std::array::from_fn(|i| base[i] + dot(gradients[i], way))) // (4)
}

fn is_flat([a, b, c]: &[Vec3; 3]) -> bool {
    let whole = det(*a, *b, *c);
    whole.abs() <= 1e-9 * norm(*a) * norm(*b) * norm(*c) || !whole.is_finite()
}

/// det J(s).
pub(crate) fn jacobian_determinant(p: &[Vec3; 8], s: Vec3) -> f64 {
    let [a, b, c] = jacobian(p, s);
    det(a, b, c)
}

/// Signed volume (3), m^3.
pub(crate) fn volume(p: &[Vec3; 8]) -> f64 {
    gauss_points().into_iter().map(|s| jacobian_determinant(p, s)).sum()
}

/// Natural coordinates of the point of the cell closest to `point`, and the distance, m.
pub(crate) fn closest(p: &[Vec3; 8], point: Vec3) -> (Vec3, f64) {
    let misfit = |s: Vec3| sub(crate::vector::weighted(p, &weights(s)), point);
    let mut s = [0.0; 3];
    let mut residual = misfit(s);
    for _ in 0..50 {
        let Some(step) = bounded_step(&jacobian(p, s), residual, s) else { break };
        // halve the step until it brings the point closer
        let mut fraction = 1.0;
        let moved = loop {
            let trial: Vec3 = std::array::from_fn(|k| (s[k] + fraction * step[k]).clamp(-1.0, 1.0));
            let left = misfit(trial);
            if norm(left) < norm(residual) {
                residual = left;
                break norm(sub(std::mem::replace(&mut s, trial), trial));
            }
            fraction *= 0.5;
            if fraction < 1e-3 {
                break 0.0;
            }
        };
        if moved < 1e-14 {
            break;
        }
    }
    (s, norm(residual))
}

/// Least-squares step in the free coordinates; a coordinate at its bound whose slope points out is held.
fn bounded_step(j: &[Vec3; 3], residual: Vec3, s: Vec3) -> Option<Vec3> {
    let slope = j.map(|column| -dot(column, residual));
    let mut normal = [[0.0; 3]; 3];
    let mut right = [0.0; 3];
    for a in 0..3 {
        if (s[a] >= 1.0 && slope[a] > 0.0) || (s[a] <= -1.0 && slope[a] < 0.0) {
            normal[a][a] = 1.0;
            continue;
        }
        right[a] = slope[a];
        for b in 0..3 {
            let held = (s[b] >= 1.0 && slope[b] > 0.0) || (s[b] <= -1.0 && slope[b] < 0.0);
            if !held {
                normal[a][b] = dot(j[a], j[b]);
            }
        }
    }
    let whole = det(normal[0], normal[1], normal[2]);
    if whole == 0.0 || !whole.is_finite() {
        return None;
    }
    // Cramer's rule; the matrix is symmetric, so its rows are its columns
    let [a, b, c] = normal;
    let step = [det(right, b, c) / whole, dot(a, cross(right, c)) / whole, dot(a, cross(b, right)) / whole];
    step.iter().all(|x| x.is_finite()).then_some(step)
}
