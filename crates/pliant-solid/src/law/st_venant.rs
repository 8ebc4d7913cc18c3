//! St. Venant-Kirchhoff: quadratic strain, linear stress.
//!
//! ```text
//! E   = (H + H^T + H^T H) / 2                                                      (1)
//! psi = lambda/2 tr(E)^2 + mu E : E                                                (2)
//! S   = lambda tr(E) I + 2 mu E,   P = F S                                         (3)
//! dP  = dF S + F (C : sym(F^T dF))                                                 (4)
//! ```
//!
//! Source: [Zhuang 2.9, 2.10] for (1), [Zhuang 2.17, 2.18] for S; (4) is the derivative of (3), what
//! [Zhuang 2.61] should have been. Softens in compression: the force peaks at a stretch of
//! 1/sqrt(3), and an element can be pushed through itself.

use pliant_numerics::{Lane, Mat3};

use super::{
    ElasticModuli, Law, dot, green_strain, hooke, mixed_dyads, objective_viscous_piola, twice_green_strain,
};

/// See the [module](self) for the energy.
#[derive(Clone, Copy, Debug)]
pub struct StVenant {
    lambda: f64,
    mu: f64,
}

impl StVenant {
    /// From moduli.
    pub fn new(moduli: ElasticModuli) -> Self {
        let (lambda, mu) = moduli.lame();
        Self { lambda, mu }
    }

    /// S of (3), from 2 E: halving the moduli costs nothing, halving the strain would.
    #[inline(always)]
    fn second_piola<L: Lane>(&self, h: &Mat3<L>) -> Mat3<L> {
        hooke(0.5 * self.lambda, 0.5 * self.mu, &twice_green_strain(h))
    }
}

impl<L: Lane> Law<L> for StVenant {
    type Local = ();
    /// F and S.
    type Tangent = [Mat3<L>; 2];
    /// g, F g and S g.
    type Gradient = [[L; 3]; 3];

    #[inline(always)]
    fn energy(&self, h: &Mat3<L>, (): &()) -> L {
        let strain = green_strain(h); // (1)
        let trace = strain.trace();
        trace * trace * L::splat(0.5 * self.lambda) + strain.dot(&strain) * L::splat(self.mu) // (2)
    }

    #[inline(always)]
    fn first_piola(&self, h: &Mat3<L>, (): &()) -> Mat3<L> {
        let s = self.second_piola(h);
        h.mul_add(&s, &s) // (3), with F = I + H
    }

    #[inline(always)]
    fn tangent(&self, h: &Mat3<L>, (): &()) -> [Mat3<L>; 2] {
        [h.add_diagonal(L::splat(1.0)), self.second_piola(h)]
    }

    #[inline(always)]
    fn change(&self, [f, s]: &[Mat3<L>; 2], dh: &Mat3<L>) -> Mat3<L> {
        let strain_change = f.transpose_mul(dh).symmetric_part();
        dh.mul_add(s, &(*f * hooke(self.lambda, self.mu, &strain_change))) // (4)
    }

    #[inline(always)]
    fn gradient(&self, [f, s]: &[Mat3<L>; 2], g: [L; 3]) -> [[L; 3]; 3] {
        [g, f.mul_vec(g), s.mul_vec(g)]
    }

    #[inline(always)]
    fn block(&self, [f, _]: &[Mat3<L>; 2], i: &[[L; 3]; 3], j: &[[L; 3]; 3]) -> Mat3<L> {
        let (lambda, mu) = (L::splat(self.lambda), L::splat(self.mu));
        let stretched = f.mul_transpose(f).scale(dot(i[0], j[0]) * mu);
        (mixed_dyads(lambda, mu, i[1], j[1]) + stretched).add_diagonal(dot(i[0], j[2]))
    }

    #[inline(always)]
    fn viscous_piola(&self, h: &Mat3<L>, rate: &Mat3<L>) -> Mat3<L> {
        objective_viscous_piola(self.lambda, self.mu, h, rate)
    }
}
