//! A limit of stretch: beyond it a law becomes stiffer, so that matter is not pulled out of shape.
//!
//! ```text
//! F = R S,   S = Q diag(s) Q^T,   psi = psi_law + k/2 sum max(0, s_i - 1 - e)^2                       (1)
//! P = P_law + R Q diag(g) Q^T,   g_i = k max(0, s_i - 1 - e)                                          (2)
//! B = (R Q)^T dF Q,   dP = dP_law + R Q C Q^T                                                         (3)
//! C_ii = k B_ii where s_i > 1 + e,   C_ij = p_ij B_ij + m_ij B_ji,   p, m = (d_ij +- t_ij) / 2        (4)
//! d_ij = (g_i - g_j) / (s_i - s_j),   t_ij = (g_i + g_j) / (s_i + s_j)                                (5)
//! ```
//!
//! Under tension along a principal axis the stress then follows two straight lines, of slope E and E + k [Warp Fig. 2], after \[Desbrun\]; compression is left to the law. (1)
//! is convex in the stretches and grows with them, so that no part of (4) ever pulls the wrong way.

use pliant_numerics::{Lane, Mat3, nearest_rotation, symmetric_eigen};

use super::Law;

/// Where the limit is and how stiff matter is beyond it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StretchLimit {
    /// e of (1).
    pub strain: f64,
    /// k of (1), Pa.
    pub stiffness: f64,
    /// How many times stiffer matter is beyond it, 1 + k / E.
    pub factor: f64,
}

/// A law with a limit of stretch; see the [module](self).
#[derive(Clone, Copy, Debug)]
pub struct Limited<M> {
    /// The law within the limit.
    pub law: M,
    /// The limit.
    pub limit: StretchLimit,
}

/// No stress within the limit: for bodies whose forces within it are not those of cells.
#[derive(Clone, Copy, Debug)]
pub struct Slack;

/// The smallest s_i + s_j of (5) that is divided by; the exact tangent of a shape beyond is larger still.
const LEAST_SUM: f64 = 0.05;

/// R Q, Q and the weights of (4).
#[derive(Clone, Copy, Debug)]
pub struct LimitTangent<L> {
    turned: Mat3<L>,
    axes: Mat3<L>,
    /// C_ii / B_ii on the diagonal, p beside it.
    plus: Mat3<L>,
    /// m; zero on the diagonal.
    minus: Mat3<L>,
}

/// The principal axes of a shape, and how far each is beyond the limit.
struct Principal<L> {
    turned: Mat3<L>,
    axes: Mat3<L>,
    stretches: [L; 3],
    beyond: [L; 3],
}

impl StretchLimit {
    #[inline(always)]
    fn principal<L: Lane>(&self, h: &Mat3<L>) -> Principal<L> {
        let f = h.add_diagonal(L::splat(1.0));
        let rotation = nearest_rotation(&f);
        let stretch = rotation.transpose_mul(&f).symmetric_part();
        let (stretches, axes) = symmetric_eigen::<L, 4>(&stretch);
        let beyond = stretches.map(|s| (s - L::splat(1.0 + self.strain)).max(L::splat(0.0)));
        Principal { turned: rotation * axes, axes, stretches, beyond }
    }

    #[inline(always)]
    fn tangent<L: Lane>(&self, h: &Mat3<L>) -> LimitTangent<L> {
        let Principal { turned, axes, stretches: s, beyond } = self.principal(h);
        let (zero, k, half) = (L::splat(0.0), L::splat(self.stiffness), L::splat(0.5));
        let slope = beyond.map(|b| zero.less_select(b, k, zero));
        let (mut plus, mut minus) = (Mat3::zero(), Mat3::zero());
        for i in 0..3 {
            plus.0[i][i] = slope[i];
            for j in 0..i {
                let apart = s[i] - s[j];
                let near = (apart * apart).less_select(L::splat(1e-10), L::splat(1.0), zero);
                let quotient = (beyond[i] - beyond[j]) * k / (apart + near);
                let d = zero.less_select(near, (slope[i] + slope[j]) * half, quotient); // (5)
                // inside out, two stretches may take each other away
                let t = (beyond[i] + beyond[j]) * k / (s[i] + s[j]).max(L::splat(LEAST_SUM));
                let (p, m) = ((d + t) * half, (d - t) * half);
                (plus.0[i][j], plus.0[j][i]) = (p, p);
                (minus.0[i][j], minus.0[j][i]) = (m, m);
            }
        }
        LimitTangent { turned, axes, plus, minus }
    }
}

impl<L: Lane> LimitTangent<L> {
    /// (3) and (4), of the limit alone.
    #[inline(always)]
    fn change(&self, dh: &Mat3<L>) -> Mat3<L> {
        let b = self.turned.transpose_mul(dh) * self.axes;
        let c = Mat3::from_fn(|r, c| self.plus.0[r][c].mul_add(b.0[r][c], self.minus.0[r][c] * b.0[c][r]));
        (self.turned * c).mul_transpose(&self.axes)
    }

    /// The block of two gradients along the principal axes.
    #[inline(always)]
    fn block(&self, i: [L; 3], j: [L; 3]) -> Mat3<L> {
        let sum = |r: usize| {
            let part = |c: usize| self.plus.0[r][c] * j[c] * i[c];
            part(0) + part(1) + part(2)
        };
        let inner = Mat3::from_fn(|r, c| {
            let beside = self.minus.0[r][c] * j[r] * i[c];
            if r == c { sum(r) } else { beside }
        });
        (self.turned * inner).mul_transpose(&self.turned)
    }
}

impl<L: Lane, M: Law<L>> Law<L> for Limited<M> {
    type Local = M::Local;
    type Tangent = (M::Tangent, LimitTangent<L>);
    type Gradient = (M::Gradient, [L; 3]);

    #[inline(always)]
    fn energy(&self, h: &Mat3<L>, local: &M::Local) -> L {
        let [a, b, c] = self.limit.principal(h).beyond;
        let sum = a.mul_add(a, b.mul_add(b, c * c));
        sum.mul_add(L::splat(0.5 * self.limit.stiffness), self.law.energy(h, local)) // (1)
    }

    #[inline(always)]
    fn first_piola(&self, h: &Mat3<L>, local: &M::Local) -> Mat3<L> {
        let Principal { turned, axes, beyond, .. } = self.limit.principal(h);
        let scaled = Mat3::from_fn(|r, c| turned.0[r][c] * beyond[c] * L::splat(self.limit.stiffness));
        self.law.first_piola(h, local) + scaled.mul_transpose(&axes) // (2)
    }

    #[inline(always)]
    fn tangent(&self, h: &Mat3<L>, local: &M::Local) -> Self::Tangent {
        (self.law.tangent(h, local), self.limit.tangent(h))
    }

    #[inline(always)]
    fn definite_tangent(&self, h: &Mat3<L>, local: &M::Local) -> Self::Tangent {
        (self.law.definite_tangent(h, local), self.limit.tangent(h))
    }

    #[inline(always)]
    fn change(&self, (law, limit): &Self::Tangent, dh: &Mat3<L>) -> Mat3<L> {
        self.law.change(law, dh) + limit.change(dh)
    }

    #[inline(always)]
    fn gradient(&self, (law, limit): &Self::Tangent, g: [L; 3]) -> Self::Gradient {
        (self.law.gradient(law, g), limit.axes.transpose().mul_vec(g))
    }

    #[inline(always)]
    fn block(&self, (law, limit): &Self::Tangent, i: &Self::Gradient, j: &Self::Gradient) -> Mat3<L> {
        self.law.block(law, &i.0, &j.0) + limit.block(i.1, j.1)
    }

    /// Beyond the limit frequencies are sqrt(1 + k / E) times those of the law. That comes at once, and counts from half way to it.
    #[inline(always)]
    fn stiffening_squared(&self, h: &Mat3<L>) -> L {
        let [a, b, c] = self.limit.principal(h).stretches;
        let near = L::splat(1.0 + 0.5 * self.limit.strain);
        let grown = L::splat((self.limit.factor.sqrt() - 1.0) / 1.5);
        let grown = near.less_select(a.max(b).max(c), grown, L::splat(0.0));
        let own = self.law.stiffening_squared(h).sqrt();
        // (1 + 1.5 m) = (1 + 1.5 own) (1 + 1.5 grown)
        let measure = own + grown + own * grown * L::splat(1.5);
        measure * measure
    }

    #[inline(always)]
    fn viscous_piola(&self, h: &Mat3<L>, rate: &Mat3<L>) -> Mat3<L> {
        self.law.viscous_piola(h, rate)
    }

    #[inline(always)]
    fn cauchy(&self, h: &Mat3<L>, p: &Mat3<L>) -> Mat3<L> {
        self.law.cauchy(h, p)
    }
}

impl<L: Lane> Law<L> for Slack {
    type Local = ();
    type Tangent = ();
    type Gradient = ();

    #[inline(always)]
    fn energy(&self, _h: &Mat3<L>, (): &()) -> L {
        L::splat(0.0)
    }

    #[inline(always)]
    fn first_piola(&self, _h: &Mat3<L>, (): &()) -> Mat3<L> {
        Mat3::zero()
    }

    #[inline(always)]
    fn tangent(&self, _h: &Mat3<L>, (): &()) {}

    #[inline(always)]
    fn change(&self, (): &(), _dh: &Mat3<L>) -> Mat3<L> {
        Mat3::zero()
    }

    #[inline(always)]
    fn gradient(&self, (): &(), _g: [L; 3]) {}

    #[inline(always)]
    fn block(&self, (): &(), (): &(), (): &()) -> Mat3<L> {
        Mat3::zero()
    }

    #[inline(always)]
    fn viscous_piola(&self, _h: &Mat3<L>, _rate: &Mat3<L>) -> Mat3<L> {
        Mat3::zero()
    }
}
