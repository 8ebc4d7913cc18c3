//! Local laws: what stress a deformation costs.
//!
//! A law maps the displacement gradient H = F - I at a point to energy density, first
//! Piola-Kirchhoff stress P and the change of P. It takes H instead of F because forming F loses
//! the digits of small strains, which matters in f32 lanes. It is written once over lanes.
//!
//! To add one: a file here with psi, P and dP in its header, a variant in [`LawKind`], an arm in
//! `assembly/build.rs`, a line in `tests/law_conformance/main.rs`.

pub mod corotated;
pub mod limited;
pub mod linear;
mod moduli;
pub mod neo_hookean;
pub mod prestressed;
pub mod st_venant;
mod traits;
pub mod warp;

pub use corotated::Corotated;
pub use limited::{Limited, Slack, StretchLimit};
pub use linear::Linear;
pub use moduli::{ElasticModuli, MaterialError};
pub use neo_hookean::NeoHookean;
pub use prestressed::Prestressed;
pub use st_venant::StVenant;
pub use traits::{InsideOut, LawTraits};
pub use warp::{RotationField, Rotations, Warp};

use pliant_numerics::{Lane, Mat3};

/// A hyperelastic law over lanes; energies in J/m^3, stresses in Pa, all per rest volume.
///
/// Contract: P = d psi / dF, dP is the derivative of P, both without allocation or branching on
/// lanes. Where the law is undefined (an inverted element under a logarithm) it gives values that
/// are not finite, never a panic.
pub trait Law<L: Lane>: Copy + Send + Sync + 'static {
    /// What each element carries for this law: `()`, a prestress, later fibres.
    type Local: Copy + Send + Sync + 'static;
    /// What the change of P needs at a point, found once for all directions.
    type Tangent: Copy;
    /// The gradient of a shape function as the blocks of a tangent want it.
    type Gradient: Copy;

    /// Energy density psi at H.
    fn energy(&self, h: &Mat3<L>, local: &Self::Local) -> L;

    /// First Piola-Kirchhoff stress P at H.
    fn first_piola(&self, h: &Mat3<L>, local: &Self::Local) -> Mat3<L>;

    /// The tangent at H.
    fn tangent(&self, h: &Mat3<L>, local: &Self::Local) -> Self::Tangent;

    /// A tangent near to that at H which resists every change, where the law has one.
    fn definite_tangent(&self, h: &Mat3<L>, local: &Self::Local) -> Self::Tangent {
        self.tangent(h, local)
    }

    /// The change of P along `dh` by a tangent.
    fn change(&self, at: &Self::Tangent, dh: &Mat3<L>) -> Mat3<L>;

    /// Prepares the gradient of a shape function for [`Law::block`].
    fn gradient(&self, at: &Self::Tangent, g: [L; 3]) -> Self::Gradient;

    /// The block of element matrices for two shape functions i and j: with c along the axes, column c is dP g_i for dF = e_c g_j^T.
    fn block(&self, at: &Self::Tangent, i: &Self::Gradient, j: &Self::Gradient) -> Mat3<L>;

    /// The change of P at H along `dh`.
    fn first_piola_change(&self, h: &Mat3<L>, local: &Self::Local, dh: &Mat3<L>) -> Mat3<L> {
        self.change(&self.tangent(h, local), dh)
    }

    /// P of stiffness-proportional damping for beta = 1 s, linear in the rate of F:
    /// F (C : dE/dt), with C the elasticity tensor at rest; objective.
    fn viscous_piola(&self, h: &Mat3<L>, rate: &Mat3<L>) -> Mat3<L>;

    /// The squared measure of how far the law has stiffened at H: the highest frequency grows by at most 1.5 times as
    /// much as its root. The norm of the Green strain, unless a law knows better.
    fn stiffening_squared(&self, h: &Mat3<L>) -> L {
        let strain = green_strain(h);
        strain.dot(&strain)
    }

    /// Cauchy stress of a given P: P F^T / det F.
    fn cauchy(&self, h: &Mat3<L>, p: &Mat3<L>) -> Mat3<L> {
        let f = h.add_diagonal(L::splat(1.0));
        p.mul_transpose(&f).scale(L::splat(1.0) / f.determinant())
    }
}

/// Which law, with its moduli.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LawKind {
    /// Linear strain, linear stress.
    Linear(ElasticModuli),
    /// Quadratic strain, linear stress.
    StVenant(ElasticModuli),
    /// Logarithmic neo-Hookean.
    NeoHookean(ElasticModuli),
    /// Linear strain and stress behind a rotation of every point.
    Corotated(ElasticModuli),
    /// The linear law's matrix of the whole body behind a rotation of every node.
    Warped(ElasticModuli, Warp),
}

impl LawKind {
    /// The moduli at rest.
    pub fn moduli(&self) -> ElasticModuli {
        match self {
            Self::Linear(m)
            | Self::StVenant(m)
            | Self::NeoHookean(m)
            | Self::Corotated(m)
            | Self::Warped(m, _) => *m,
        }
    }
}

/// Hooke's stress of a symmetric strain: lambda tr(e) I + 2 mu e.
#[inline(always)]
fn hooke<L: Lane>(lambda: f64, mu: f64, strain: &Mat3<L>) -> Mat3<L> {
    let (twice_mu, pressure) = (L::splat(2.0 * mu), strain.trace() * L::splat(lambda));
    Mat3::from_fn(|r, c| {
        let e = strain.0[r][c];
        if r == c { e.mul_add(twice_mu, pressure) } else { e * twice_mu }
    })
}

/// a . b.
#[inline(always)]
fn dot<L: Lane>(a: [L; 3], b: [L; 3]) -> L {
    a[0].mul_add(b[0], a[1].mul_add(b[1], a[2] * b[2]))
}

/// s a b^T + t b a^T: what every isotropic law makes of two gradients.
#[inline(always)]
fn mixed_dyads<L: Lane>(s: L, t: L, a: [L; 3], b: [L; 3]) -> Mat3<L> {
    Mat3::from_fn(|r, c| (a[r] * s).mul_add(b[c], b[r] * t * a[c]))
}

/// Twice the Green strain of H: H + H^T + H^T H. [Zhuang 2.9-2.10]
#[inline(always)]
fn twice_green_strain<L: Lane>(h: &Mat3<L>) -> Mat3<L> {
    let m = &h.0;
    let entry = |i: usize, j: usize| {
        let linear = m[i][j] + m[j][i];
        m[0][i].mul_add(m[0][j], m[1][i].mul_add(m[1][j], m[2][i].mul_add(m[2][j], linear)))
    };
    let (xx, yy, zz) = (entry(0, 0), entry(1, 1), entry(2, 2));
    let (xy, xz, yz) = (entry(0, 1), entry(0, 2), entry(1, 2));
    Mat3([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
}

/// The Green strain of H: (H + H^T + H^T H) / 2. [Zhuang 2.9-2.10]
#[inline(always)]
pub(crate) fn green_strain<L: Lane>(h: &Mat3<L>) -> Mat3<L> {
    twice_green_strain(h).scale(L::splat(0.5))
}

/// F (C : sym(F^T dF)), the viscous stress every nonlinear law shares.
#[inline(always)]
fn objective_viscous_piola<L: Lane>(lambda: f64, mu: f64, h: &Mat3<L>, rate: &Mat3<L>) -> Mat3<L> {
    let f = h.add_diagonal(L::splat(1.0));
    let strain_rate = f.transpose_mul(rate).symmetric_part();
    f * hooke(lambda, mu, &strain_rate)
}
