//! Linear elasticity: linear strain, linear stress.
//!
//! ```text
//! eps = (H + H^T) / 2                                                              (1)
//! psi = lambda/2 tr(eps)^2 + mu eps : eps                                          (2)
//! P   = lambda tr(eps) I + 2 mu eps                                                (3)
//! ```
//!
//! Source: [Zhuang 2.11, 2.12] for (1), [Zhuang 2.17, 2.18] for (3). Right for small motions only:
//! a rigid rotation shows strain [Zhuang 2.14]. P is taken as the Cauchy stress too.

use pliant_numerics::{Lane, Mat3};

use super::{ElasticModuli, Law, dot, hooke, mixed_dyads};

/// See the [module](self) for the energy.
#[derive(Clone, Copy, Debug)]
pub struct Linear {
    lambda: f64,
    mu: f64,
}

impl Linear {
    /// From moduli.
    pub fn new(moduli: ElasticModuli) -> Self {
        let (lambda, mu) = moduli.lame();
        Self { lambda, mu }
    }
}

impl<L: Lane> Law<L> for Linear {
    type Local = ();
    type Tangent = ();
    type Gradient = [L; 3];

    #[inline(always)]
    fn energy(&self, h: &Mat3<L>, (): &()) -> L {
        let strain = h.symmetric_part(); // (1)
        let trace = strain.trace();
        trace * trace * L::splat(0.5 * self.lambda) + strain.dot(&strain) * L::splat(self.mu) // (2)
    }

    #[inline(always)]
    fn first_piola(&self, h: &Mat3<L>, (): &()) -> Mat3<L> {
        hooke(self.lambda, self.mu, &h.symmetric_part()) // (3)
    }

    #[inline(always)]
    fn tangent(&self, _h: &Mat3<L>, (): &()) {}

    #[inline(always)]
    fn change(&self, (): &(), dh: &Mat3<L>) -> Mat3<L> {
        hooke(self.lambda, self.mu, &dh.symmetric_part())
    }

    #[inline(always)]
    fn gradient(&self, (): &(), g: [L; 3]) -> [L; 3] {
        g
    }

    #[inline(always)]
    fn block(&self, (): &(), i: &[L; 3], j: &[L; 3]) -> Mat3<L> {
        let (lambda, mu) = (L::splat(self.lambda), L::splat(self.mu));
        mixed_dyads(lambda, mu, *i, *j).add_diagonal(dot(*i, *j) * mu)
    }

    /// None: the tangent is the same everywhere.
    #[inline(always)]
    fn stiffening_squared(&self, _h: &Mat3<L>) -> L {
        L::splat(0.0)
    }

    #[inline(always)]
    fn viscous_piola(&self, _h: &Mat3<L>, rate: &Mat3<L>) -> Mat3<L> {
        hooke(self.lambda, self.mu, &rate.symmetric_part())
    }

    #[inline(always)]
    fn cauchy(&self, _h: &Mat3<L>, p: &Mat3<L>) -> Mat3<L> {
        *p
    }
}
