//! Vectors of three numbers: the few operations that geometry needs.

/// x, y, z.
pub type Vec3 = [f64; 3];

pub(crate) fn add(a: Vec3, b: Vec3) -> Vec3 {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

/// a - b.
pub fn sub(a: Vec3, b: Vec3) -> Vec3 {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

pub(crate) fn scale(a: Vec3, s: f64) -> Vec3 {
    [a[0] * s, a[1] * s, a[2] * s]
}

/// a . b
pub fn dot(a: Vec3, b: Vec3) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// a x b
pub fn cross(a: Vec3, b: Vec3) -> Vec3 {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// Determinant of the matrix with columns a, b, c.
pub(crate) fn det(a: Vec3, b: Vec3, c: Vec3) -> f64 {
    dot(a, cross(b, c))
}

/// |a|
pub fn norm(a: Vec3) -> f64 {
    dot(a, a).sqrt()
}

/// The point sum w_i p_i.
pub(crate) fn weighted(points: &[Vec3], weights: &[f64]) -> Vec3 {
    points.iter().zip(weights).fold([0.0; 3], |sum, (&p, &w)| add(sum, scale(p, w)))
}
