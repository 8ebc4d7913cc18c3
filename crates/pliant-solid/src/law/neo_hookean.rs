//! Compressible neo-Hookean solid with the logarithm of the volume ratio.
//!
//! ```text
//! psi = mu/2 (I1 - 3) - mu ln J + lambda/2 ln^2 J,   I1 = F : F,  J = det F        (1)
//! P   = mu F + (lambda ln J - mu) F^-T                                             (2)
//! dP  = mu dF + lambda (F^-T : dF) F^-T + (mu - lambda ln J) F^-T dF^T F^-T        (3)
//! F - F^-T = H + F^-T H^T,   J - 1 = tr H + minors of H + det H                    (4)
//! ```
//!
//! Differentiated here from (1); the forms (4) keep the digits of small strains. Not a number once
//! J <= 0: it resists collapse with an infinite energy, so an element that is inverted means the
//! step was too large.

use pliant_numerics::{Lane, Mat3};

use super::{ElasticModuli, Law, dot, mixed_dyads, objective_viscous_piola};

/// See the [module](self) for the energy.
#[derive(Clone, Copy, Debug)]
pub struct NeoHookean {
    lambda: f64,
    mu: f64,
}

impl NeoHookean {
    /// From moduli.
    pub fn new(moduli: ElasticModuli) -> Self {
        let (lambda, mu) = moduli.lame();
        Self { lambda, mu }
    }
}

/// J and ln J.
#[inline(always)]
fn volume_ratio_and_log<L: Lane>(h: &Mat3<L>) -> (L, L) {
    let m = &h.0;
    let minor = |i: usize, j: usize| m[i][i] * m[j][j] - m[i][j] * m[j][i];
    let change = h.trace() + (minor(0, 1) + minor(1, 2) + minor(2, 0)) + h.determinant(); // (4)
    let one = L::splat(1.0);
    let j = change + one;
    // the second term is what rounding j lost, to first order
    (j, j.ln() + (change - (j - one)) / j)
}

/// F^-T and ln J.
#[inline(always)]
fn inverse_transpose_and_log<L: Lane>(h: &Mat3<L>) -> (Mat3<L>, L) {
    let (j, log_j) = volume_ratio_and_log(h);
    let one = L::splat(1.0);
    (h.add_diagonal(one).cofactor().scale(one / j), log_j)
}

impl<L: Lane> Law<L> for NeoHookean {
    type Local = ();
    /// F^-T and ln J.
    type Tangent = (Mat3<L>, L);
    /// g and F^-T g.
    type Gradient = [[L; 3]; 2];

    #[inline(always)]
    fn energy(&self, h: &Mat3<L>, (): &()) -> L {
        let (_, log_j) = volume_ratio_and_log(h);
        // I1 - 3 = 2 tr H + H : H keeps the digits of small strains
        let i1_minus_3 = h.trace() * L::splat(2.0) + h.dot(h);
        (i1_minus_3 * L::splat(0.5) - log_j) * L::splat(self.mu) + log_j * log_j * L::splat(0.5 * self.lambda) // (1)
    }

    #[inline(always)]
    fn first_piola(&self, h: &Mat3<L>, (): &()) -> Mat3<L> {
        let (g, log_j) = inverse_transpose_and_log(h);
        let shear = *h + g.mul_transpose(h); // (4)
        shear.scale_add(L::splat(self.mu), &g.scale(log_j * L::splat(self.lambda))) // (2)
    }

    #[inline(always)]
    fn tangent(&self, h: &Mat3<L>, (): &()) -> (Mat3<L>, L) {
        inverse_transpose_and_log(h)
    }

    #[inline(always)]
    fn change(&self, (g, log_j): &(Mat3<L>, L), dh: &Mat3<L>) -> Mat3<L> {
        let turned = g.mul_transpose(dh) * *g;
        let pressure = L::splat(self.mu) - *log_j * L::splat(self.lambda);
        dh.scale(L::splat(self.mu)) + g.scale(g.dot(dh) * L::splat(self.lambda)) + turned.scale(pressure) // (3)
    }

    #[inline(always)]
    fn gradient(&self, (inverse, _): &(Mat3<L>, L), g: [L; 3]) -> [[L; 3]; 2] {
        [g, inverse.mul_vec(g)]
    }

    #[inline(always)]
    fn block(&self, (_, log_j): &(Mat3<L>, L), i: &[[L; 3]; 2], j: &[[L; 3]; 2]) -> Mat3<L> {
        let (lambda, mu) = (L::splat(self.lambda), L::splat(self.mu));
        mixed_dyads(lambda, mu - *log_j * lambda, i[1], j[1]).add_diagonal(dot(i[0], j[0]) * mu)
    }

    /// The norm of (C^-1 - I) / 2: the tangent grows with the square of F^-1.
    #[inline(always)]
    fn stiffening_squared(&self, h: &Mat3<L>) -> L {
        let f = h.add_diagonal(L::splat(1.0));
        let g = f.cofactor().scale(L::splat(1.0) / f.determinant());
        let strain = g.transpose_mul(&g).add_diagonal(L::splat(-1.0)).scale(L::splat(0.5));
        strain.dot(&strain)
    }

    #[inline(always)]
    fn viscous_piola(&self, h: &Mat3<L>, rate: &Mat3<L>) -> Mat3<L> {
        objective_viscous_piola(self.lambda, self.mu, h, rate)
    }
}
