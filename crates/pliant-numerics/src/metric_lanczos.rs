//! The largest eigenvalue of A x = lambda B x, B symmetric and positive definite, by restarted Lanczos iteration in the metric of B.
//!
//! ```text
//! beta_k p_{k+1} = A v_k - alpha_k p_k - beta_{k-1} p_{k-1},   p_k = B v_k,   v_j . p_k = delta_jk      (1)
//! T s = theta s,   y = V s,   |A y - theta B y| = beta_m |s_m|  in the metric of B^-1                     (2)
//! ```
//!
//! This is the usual iteration for B^-1 A, which is self-adjoint in the product x . B y. Every step solves with B once and never multiplies
//! with it: the p_k are what remains before the solution. Orthogonal to the whole short basis, as [`Lanczos`](crate::Lanczos).

use crate::lanczos::{Ritz, STEPS, add_scaled, largest_eigenpair, scaled_into};
use crate::ordered;

/// The two operators of a generalized eigenvalue problem.
pub trait Pencil {
    /// `out = A x`.
    fn apply(&mut self, x: &[f64], out: &mut [f64]);
    /// `out = B x`.
    fn metric(&mut self, x: &[f64], out: &mut [f64]);
    /// `x <- B^-1 x`.
    fn solve(&mut self, x: &mut [f64]);
}

/// Memory for cycles on vectors of one length.
#[derive(Debug)]
pub struct MetricLanczos {
    basis: Vec<Vec<f64>>,
    /// B times the basis.
    duals: Vec<Vec<f64>>,
    image: Vec<f64>,
    solution: Vec<f64>,
}

impl MetricLanczos {
    /// Allocates both bases once.
    pub fn new(length: usize) -> Self {
        let vectors = || vec![vec![0.0; length]; STEPS];
        Self { basis: vectors(), duals: vectors(), image: vec![0.0; length], solution: vec![0.0; length] }
    }

    /// One cycle from `vector`, which becomes the Ritz vector of the largest value, of length one in the metric of B.
    ///
    /// A start of length zero, or an operator that is zero on it, gives value and residual 0.
    pub fn cycle(&mut self, vector: &mut [f64], pencil: &mut impl Pencil) -> Ritz {
        let mut tridiagonal = [[0.0; STEPS]; STEPS];
        pencil.metric(vector, &mut self.image);
        let norm = ordered::dot(vector, &self.image).sqrt();
        if norm == 0.0 || !norm.is_finite() {
            return Ritz { value: 0.0, residual: 0.0 };
        }
        scaled_into(vector, 1.0 / norm, &mut self.basis[0]);
        scaled_into(&self.image, 1.0 / norm, &mut self.duals[0]);
        let (mut size, mut last_beta) = (0, 0.0);
        for k in 0..STEPS {
            pencil.apply(&self.basis[k], &mut self.image);
            size = k + 1;
            tridiagonal[k][k] = ordered::dot(&self.image, &self.basis[k]);
            // twice is enough, as without a metric
            for _ in 0..2 {
                for (v, p) in self.basis[..=k].iter().zip(&self.duals) {
                    let overlap = ordered::dot(&self.image, v);
                    add_scaled(&mut self.image, -overlap, p);
                }
            }
            self.solution.copy_from_slice(&self.image);
            pencil.solve(&mut self.solution);
            let beta = ordered::dot(&self.solution, &self.image).max(0.0).sqrt();
            last_beta = beta;
            let scale = tridiagonal[k][k].abs() + if k > 0 { tridiagonal[k][k - 1].abs() } else { 0.0 };
            if beta <= 1e-14 * scale || k + 1 == STEPS {
                break;
            }
            scaled_into(&self.solution, 1.0 / beta, &mut self.basis[k + 1]);
            scaled_into(&self.image, 1.0 / beta, &mut self.duals[k + 1]);
            tridiagonal[k][k + 1] = beta;
            tridiagonal[k + 1][k] = beta;
        }
        let (value, weights) = largest_eigenpair(&mut tridiagonal, size);
        vector.fill(0.0);
        for (v, weight) in self.basis.iter().zip(weights).take(size) {
            add_scaled(vector, weight, v);
        }
        Ritz { value, residual: last_beta * weights[size - 1].abs() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A = the second difference, B = the mass matrix of linear elements, (1, 4, 1) / 6: both with sines as vectors.
    struct Bar(usize);

    fn banded(x: &[f64], out: &mut [f64], (off, on): (f64, f64)) {
        for i in 0..x.len() {
            let left = if i > 0 { x[i - 1] } else { 0.0 };
            let right = x.get(i + 1).copied().unwrap_or(0.0);
            out[i] = on * x[i] + off * (left + right);
        }
    }

    impl Pencil for Bar {
        fn apply(&mut self, x: &[f64], out: &mut [f64]) {
            banded(x, out, (-1.0, 2.0));
        }

        fn metric(&mut self, x: &[f64], out: &mut [f64]) {
            banded(x, out, (1.0 / 6.0, 4.0 / 6.0));
        }

        fn solve(&mut self, x: &mut [f64]) {
            // elimination of the tridiagonal matrix
            let (off, on) = (1.0 / 6.0, 4.0 / 6.0);
            let mut pivots = vec![on; self.0];
            for i in 1..self.0 {
                pivots[i] = on - off * off / pivots[i - 1];
                x[i] -= off / pivots[i - 1] * x[i - 1];
            }
            for i in (0..self.0).rev() {
                let next = x.get(i + 1).copied().unwrap_or(0.0);
                x[i] = (x[i] - off * next) / pivots[i];
            }
        }
    }

    #[test]
    fn finds_the_top_of_a_bar_with_consistent_mass() {
        // sin(k pi i / (n + 1)) has (2 - 2 c) / ((4 + 2 c) / 6) with c = cos(k pi / (n + 1)): largest for k = n, near 12
        let n = 40;
        let c = (n as f64 * std::f64::consts::PI / (n as f64 + 1.0)).cos();
        let exact = (2.0 - 2.0 * c) / ((4.0 + 2.0 * c) / 6.0);
        let mut vector: Vec<f64> = (0..n).map(|i| (0.3 + i as f64 * 1.7).sin()).collect();
        let (mut lanczos, mut bar) = (MetricLanczos::new(n), Bar(n));
        let mut ritz = Ritz { value: 0.0, residual: 1.0 };
        for _ in 0..60 {
            ritz = lanczos.cycle(&mut vector, &mut bar);
            assert!(ritz.value <= exact * (1.0 + 1e-13), "Ritz values bound from below");
            if ritz.residual <= 1e-6 * ritz.value {
                break;
            }
        }
        assert!((ritz.value - exact).abs() < 1e-9 * exact, "{} against {exact}", ritz.value);
        let mut image = vec![0.0; n];
        bar.metric(&vector, &mut image);
        assert!((ordered::dot(&vector, &image) - 1.0).abs() < 1e-12, "length one in the metric");
    }

    #[test]
    fn zero_vectors_end_at_once() {
        assert_eq!(MetricLanczos::new(3).cycle(&mut [0.0; 3], &mut Bar(3)).value, 0.0);
    }
}
