//! One tetrahedron given by its corners: volume, barycentric weights, closest point.
//!
//! ```text
//! V   = det[p1 - p0, p2 - p0, p3 - p0] / 6                               (1)
//! w_i = volume of the tet with corner i replaced by the point, over V    (2)
//! ```

use crate::vector::{Vec3, cross, det, dot, norm, sub, weighted};

/// Corners of the four faces, outward when (1) is positive.
pub(crate) const FACES: [[usize; 3]; 4] = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]];

/// Signed volume (1), m^3.
pub(crate) fn volume(p: &[Vec3; 4]) -> f64 {
    det(sub(p[1], p[0]), sub(p[2], p[0]), sub(p[3], p[0])) / 6.0
}

/// Barycentric weights (2) of any point in space; `None` for a flat tetrahedron.
pub(crate) fn weights(p: &[Vec3; 4], point: Vec3) -> Option<[f64; 4]> {
    let (a, b, c) = (sub(p[1], p[0]), sub(p[2], p[0]), sub(p[3], p[0]));
    let whole = det(a, b, c);
    let size = norm(a) * norm(b) * norm(c);
    // also false for NaN
    if whole.abs() <= f64::EPSILON * size || !whole.is_finite() {
        return None;
    }
    let r = sub(point, p[0]);
    let (w1, w2, w3) = (det(r, b, c) / whole, det(a, r, c) / whole, det(a, b, r) / whole);
    Some([1.0 - w1 - w2 - w3, w1, w2, w3])
}

/// Weights of the point of the surface that is closest to an outside point, and the distance, m.
pub(crate) fn closest_on_surface(p: &[Vec3; 4], point: Vec3) -> ([f64; 4], f64) {
    let mut best = ([1.0, 0.0, 0.0, 0.0], f64::INFINITY);
    for face in FACES {
        let corners = face.map(|i| p[i]);
        let on_face = closest_on_triangle(&corners, point);
        let distance = norm(sub(weighted(&corners, &on_face), point));
        if distance < best.1 {
            let mut weights = [0.0; 4];
            for (corner, weight) in face.into_iter().zip(on_face) {
                weights[corner] = weight;
            }
            best = (weights, distance);
        }
    }
    best
}

/// Weights of the closest point of a triangle: the foot of the perpendicular if it falls inside,
/// else the closest point of the three edges.
pub(crate) fn closest_on_triangle(t: &[Vec3; 3], point: Vec3) -> [f64; 3] {
    let normal = cross(sub(t[1], t[0]), sub(t[2], t[0]));
    let square = dot(normal, normal);
    if square > 0.0 {
        let share = |i: usize, j: usize| dot(cross(sub(t[i], point), sub(t[j], point)), normal) / square;
        let (w0, w1) = (share(1, 2), share(2, 0));
        let w2 = 1.0 - w0 - w1;
        if w0 >= 0.0 && w1 >= 0.0 && w2 >= 0.0 {
            return [w0, w1, w2];
        }
    }
    let mut best = ([1.0, 0.0, 0.0], f64::INFINITY);
    for (i, j) in [(0, 1), (1, 2), (2, 0)] {
        let edge = sub(t[j], t[i]);
        let length = dot(edge, edge);
        let s = if length > 0.0 { (dot(sub(point, t[i]), edge) / length).clamp(0.0, 1.0) } else { 0.0 };
        let mut weights = [0.0; 3];
        weights[i] = 1.0 - s;
        weights[j] = s;
        let away = norm(sub(weighted(t, &weights), point));
        if away < best.1 {
            best = (weights, away);
        }
    }
    best.0
}
