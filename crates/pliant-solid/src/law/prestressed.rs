//! Initial strain and stress, added to a law that is linear in its strain.
//!
//! ```text
//! sigma = Lambda (eps - eps0) + sigma0 = Lambda eps + s0,   s0 = sigma0 - Lambda eps0   (1)
//! psi   = psi_law + s0 : eps                                                           (2)
//! P     = P_law + s0  (linear strain),   P = P_law + F s0  (quadratic strain)          (3)
//! ```
//!
//! Source: [Zhuang 2.16]. The energy (2) is measured from the mesh's rest shape (a constant apart
//! from the strain from eps0), so it may be negative.

use pliant_numerics::{Lane, Mat3};

use super::{Law, Linear, StVenant, green_strain};

/// A law with a stress s0 of its own in every element; see the [module](self).
#[derive(Clone, Copy, Debug)]
pub struct Prestressed<M>(pub M);

impl<L: Lane> Law<L> for Prestressed<Linear> {
    type Local = Mat3<L>;
    type Tangent = ();
    type Gradient = [L; 3];

    #[inline(always)]
    fn energy(&self, h: &Mat3<L>, s0: &Mat3<L>) -> L {
        self.0.energy(h, &()) + s0.dot(h) // (2): s0 is symmetric, so s0 : eps = s0 : H
    }

    #[inline(always)]
    fn first_piola(&self, h: &Mat3<L>, s0: &Mat3<L>) -> Mat3<L> {
        self.0.first_piola(h, &()) + *s0 // (3)
    }

    #[inline(always)]
    fn tangent(&self, _h: &Mat3<L>, _s0: &Mat3<L>) {}

    #[inline(always)]
    fn change(&self, (): &(), dh: &Mat3<L>) -> Mat3<L> {
        self.0.change(&(), dh)
    }

    #[inline(always)]
    fn gradient(&self, (): &(), g: [L; 3]) -> [L; 3] {
        g
    }

    #[inline(always)]
    fn block(&self, (): &(), i: &[L; 3], j: &[L; 3]) -> Mat3<L> {
        self.0.block(&(), i, j)
    }

    #[inline(always)]
    fn stiffening_squared(&self, h: &Mat3<L>) -> L {
        self.0.stiffening_squared(h)
    }

    #[inline(always)]
    fn viscous_piola(&self, h: &Mat3<L>, rate: &Mat3<L>) -> Mat3<L> {
        self.0.viscous_piola(h, rate)
    }

    #[inline(always)]
    fn cauchy(&self, h: &Mat3<L>, p: &Mat3<L>) -> Mat3<L> {
        self.0.cauchy(h, p)
    }
}

impl<L: Lane> Law<L> for Prestressed<StVenant> {
    type Local = Mat3<L>;
    /// F and S + s0.
    type Tangent = [Mat3<L>; 2];
    type Gradient = [[L; 3]; 3];

    #[inline(always)]
    fn energy(&self, h: &Mat3<L>, s0: &Mat3<L>) -> L {
        self.0.energy(h, &()) + s0.dot(&green_strain(h)) // (2)
    }

    #[inline(always)]
    fn first_piola(&self, h: &Mat3<L>, s0: &Mat3<L>) -> Mat3<L> {
        self.0.first_piola(h, &()) + *h * *s0 + *s0 // (3)
    }

    #[inline(always)]
    fn tangent(&self, h: &Mat3<L>, s0: &Mat3<L>) -> Self::Tangent {
        let [f, s]: [Mat3<L>; 2] = self.0.tangent(h, &());
        [f, s + *s0]
    }

    #[inline(always)]
    fn change(&self, at: &Self::Tangent, dh: &Mat3<L>) -> Mat3<L> {
        self.0.change(at, dh)
    }

    #[inline(always)]
    fn gradient(&self, at: &Self::Tangent, g: [L; 3]) -> Self::Gradient {
        self.0.gradient(at, g)
    }

    #[inline(always)]
    fn block(&self, at: &Self::Tangent, i: &Self::Gradient, j: &Self::Gradient) -> Mat3<L> {
        self.0.block(at, i, j)
    }

    #[inline(always)]
    fn stiffening_squared(&self, h: &Mat3<L>) -> L {
        self.0.stiffening_squared(h)
    }

    #[inline(always)]
    fn viscous_piola(&self, h: &Mat3<L>, rate: &Mat3<L>) -> Mat3<L> {
        self.0.viscous_piola(h, rate)
    }
}
