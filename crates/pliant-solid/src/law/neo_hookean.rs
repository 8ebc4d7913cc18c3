//! Compressible neo-Hookean solid with the logarithm of the volume ratio.
//!
//! ```text
//! psi = mu/2 (I1 - 3) - mu ln J + lambda/2 ln^2 J,   I1 = F : F,  J = det F        (1)
//! P   = mu F + (lambda ln J - mu) F^-T                                             (2)
//! dP  = mu dF + lambda (F^-T : dF) F^-T + (mu - lambda ln J) F^-T dF^T F^-T        (3)
//! ```
//!
//! Differentiated here from (1). Not a number once J <= 0: it resists collapse with an infinite
//! energy, so an element that is inverted means the step was too large.

use pliant_numerics::{Lane, Mat3};

use super::{ElasticModuli, Law, objective_viscous_piola};

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

/// F^-T and ln J.
#[inline(always)]
fn inverse_transpose_and_log<L: Lane>(f: &Mat3<L>) -> (Mat3<L>, L) {
    let cofactor = f.cofactor();
    // the first row of F times the first row of its cofactors
    let j = f.0[0][0]
        .mul_add(cofactor.0[0][0], f.0[0][1].mul_add(cofactor.0[0][1], f.0[0][2] * cofactor.0[0][2]));
    (cofactor.scale(L::splat(1.0) / j), j.ln())
}

impl<L: Lane> Law<L> for NeoHookean {
    type Local = ();

    #[inline(always)]
    fn energy(&self, h: &Mat3<L>, (): &()) -> L {
        let f = h.add_diagonal(L::splat(1.0));
        let log_j = f.determinant().ln();
        // I1 - 3 = 2 tr H + H : H keeps the digits of small strains
        let i1_minus_3 = h.trace() * L::splat(2.0) + h.dot(h);
        (i1_minus_3 * L::splat(0.5) - log_j) * L::splat(self.mu) + log_j * log_j * L::splat(0.5 * self.lambda) // (1)
    }

    #[inline(always)]
    fn first_piola(&self, h: &Mat3<L>, (): &()) -> Mat3<L> {
        let f = h.add_diagonal(L::splat(1.0));
        let (inverse_transpose, log_j) = inverse_transpose_and_log(&f);
        let pressure = log_j * L::splat(self.lambda) - L::splat(self.mu);
        f.scale_add(L::splat(self.mu), &inverse_transpose.scale(pressure)) // (2)
    }

    #[inline(always)]
    fn first_piola_change(&self, h: &Mat3<L>, (): &(), dh: &Mat3<L>) -> Mat3<L> {
        let f = h.add_diagonal(L::splat(1.0));
        let (g, log_j) = inverse_transpose_and_log(&f);
        let turned = g.mul_transpose(dh) * g;
        let pressure = L::splat(self.mu) - log_j * L::splat(self.lambda);
        dh.scale(L::splat(self.mu)) + g.scale(g.dot(dh) * L::splat(self.lambda)) + turned.scale(pressure) // (3)
    }

    #[inline(always)]
    fn viscous_piola(&self, h: &Mat3<L>, rate: &Mat3<L>) -> Mat3<L> {
        objective_viscous_piola(self.lambda, self.mu, h, rate)
    }
}
