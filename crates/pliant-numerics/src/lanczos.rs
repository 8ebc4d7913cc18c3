//! The largest eigenvalue of a symmetric operator by restarted Lanczos iteration.
//!
//! ```text
//! beta_k q_{k+1} = A q_k - alpha_k q_k - beta_{k-1} q_{k-1}                       (1)
//! T s = theta s,   y = Q s,   |A y - theta y| = beta_m |s_m|                       (2)
//! ```
//!
//! (1) is orthogonalised against the whole short basis; each cycle restarts from the Ritz vector y
//! of the largest theta. The residual (2) bounds the distance to the nearest eigenvalue.

use crate::jacobi::diagonalise;
use crate::ordered;

/// Vectors a cycle builds.
pub(crate) const STEPS: usize = 8;

/// An approximate eigenpair's value and residual norm.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ritz {
    /// The largest Ritz value, never above the largest eigenvalue but for rounding.
    pub value: f64,
    /// Norm of the residual for a Ritz vector of length one.
    pub residual: f64,
}

/// Memory for cycles on vectors of one length.
#[derive(Debug)]
pub struct Lanczos {
    basis: Vec<Vec<f64>>,
    image: Vec<f64>,
}

impl Lanczos {
    /// Allocates the basis once.
    pub fn new(length: usize) -> Self {
        Self { basis: vec![vec![0.0; length]; STEPS], image: vec![0.0; length] }
    }

    /// One cycle from `vector`, which becomes the Ritz vector of the largest value (length one).
    ///
    /// `apply(x, out)` writes A x. A start of length zero, or an operator that is zero on it, gives
    /// value and residual 0.
    pub fn cycle(&mut self, vector: &mut [f64], mut apply: impl FnMut(&[f64], &mut [f64])) -> Ritz {
        let mut tridiagonal = [[0.0; STEPS]; STEPS];
        let norm = ordered::dot(vector, vector).sqrt();
        if norm == 0.0 || !norm.is_finite() {
            return Ritz { value: 0.0, residual: 0.0 };
        }
        scaled_into(vector, 1.0 / norm, &mut self.basis[0]);
        let mut size = 0;
        let mut last_beta = 0.0;
        for k in 0..STEPS {
            apply(&self.basis[k], &mut self.image);
            size = k + 1;
            tridiagonal[k][k] = ordered::dot(&self.image, &self.basis[k]);
            // twice is enough: the second pass removes what rounding left in the first
            for _ in 0..2 {
                for q in &self.basis[..=k] {
                    let overlap = ordered::dot(&self.image, q);
                    add_scaled(&mut self.image, -overlap, q);
                }
            }
            let beta = ordered::dot(&self.image, &self.image).sqrt();
            last_beta = beta;
            let scale = tridiagonal[k][k].abs() + if k > 0 { tridiagonal[k][k - 1].abs() } else { 0.0 };
            if beta <= 1e-14 * scale || k + 1 == STEPS {
                break;
            }
            scaled_into(&self.image, 1.0 / beta, &mut self.basis[k + 1]);
            tridiagonal[k][k + 1] = beta;
            tridiagonal[k + 1][k] = beta;
        }
        let (value, weights) = largest_eigenpair(&mut tridiagonal, size);
        vector.fill(0.0);
        for (q, weight) in self.basis.iter().zip(weights).take(size) {
            add_scaled(vector, weight, q);
        }
        Ritz { value, residual: last_beta * weights[size - 1].abs() }
    }
}

pub(crate) fn scaled_into(x: &[f64], factor: f64, out: &mut [f64]) {
    out.iter_mut().zip(x).for_each(|(out, x)| *out = factor * x);
}

pub(crate) fn add_scaled(y: &mut [f64], factor: f64, x: &[f64]) {
    y.iter_mut().zip(x).for_each(|(y, x)| *y += factor * x);
}

/// The largest eigenvalue of a small symmetric matrix and its vector; destroys the matrix.
pub(crate) fn largest_eigenpair(a: &mut [[f64; STEPS]; STEPS], size: usize) -> (f64, [f64; STEPS]) {
    let v = diagonalise(a, size);
    let largest = (0..size).max_by(|&i, &j| a[i][i].total_cmp(&a[j][j])).unwrap_or(0);
    (a[largest][largest], std::array::from_fn(|i| v[i][largest]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_top_of_the_discrete_laplacian() {
        // eigenvalues of the n-point second difference: 2 - 2 cos(k pi / (n + 1))
        let n = 50;
        let exact = 2.0 - 2.0 * (n as f64 * std::f64::consts::PI / (n as f64 + 1.0)).cos();
        let mut vector: Vec<f64> = (0..n).map(|i| (0.3 + i as f64 * 1.7).sin()).collect();
        let mut lanczos = Lanczos::new(n);
        let mut ritz = Ritz { value: 0.0, residual: 1.0 };
        let mut cycles = 0;
        while ritz.residual > 1e-6 * ritz.value && cycles < 60 {
            ritz = lanczos.cycle(&mut vector, |x, out| {
                for i in 0..n {
                    let left = if i > 0 { x[i - 1] } else { 0.0 };
                    let right = if i + 1 < n { x[i + 1] } else { 0.0 };
                    out[i] = 2.0 * x[i] - left - right;
                }
            });
            assert!(ritz.value <= exact * (1.0 + 1e-14), "Ritz values bound from below");
            cycles += 1;
        }
        assert!((ritz.value - exact).abs() < 1e-9 * exact, "{} against {exact}", ritz.value);
    }

    #[test]
    fn small_spaces_and_zero_vectors_end_early() {
        let mut lanczos = Lanczos::new(2);
        let mut vector = [1.0, 1.0];
        let ritz = lanczos.cycle(&mut vector, |x, out| out.copy_from_slice(&[3.0 * x[0], 5.0 * x[1]]));
        assert!((ritz.value - 5.0).abs() < 1e-14 && ritz.residual < 1e-12);
        assert_eq!(lanczos.cycle(&mut [0.0, 0.0], |_, out| out.fill(1.0)).value, 0.0);
    }
}
