//! Corotated linear elasticity: the strain that is left when the rotation is taken away.
//!
//! ```text
//! F = R S,   E = S - I                                                             (1)
//! psi = lambda/2 tr(E)^2 + mu E : E                                                (2)
//! P   = R (lambda tr(E) I + 2 mu E)                                                (3)
//! B = R^T dF,   dP = R (C : sym(B) + [N b]x),   [b]x = skew(B)                     (4)
//! N = 2 mu I + 2 (lambda tr(E) - 2 mu) (tr(S) I - S)^-1                            (5)
//! K_ij = lambda a b^T + mu (b a^T + a.b I) + [a]x^T R N R^T [b]x / 2,   a = R g_i, b = R g_j   (6)
//! ```
//!
//! R is the rotation nearest to F, with det R = 1 where an element is inside out: the shortest stretch then counts as negative, so that
//! forces push it back. Source: [Warp 9, 10] with one rotation a point of integration (for tetrahedra, one an element). (3) is
//! the exact gradient of (2): R is stationary in it. (4) follows from dR = R W, W = `[w]x`, (tr(S) I - S) w = 2 b, which is the skew part of
//! R^T dF = W S + dS; (6) is (4) for dF = d g_j^T, whose b is g_j x R^T d / 2. All of C : sym(B) is positive; N has the eigenvalues 2 mu + 2 (lambda tr(E) - 2 mu) / (s_i + s_j), below
//! zero where matter is pressed together. The definite tangent takes zero for those, and n^2 / (n + mu) for an eigenvalue n above zero.
//!
//! Linear in the strain: pressed flat it resists with a finite force, so that under large loads elements can be pushed through themselves.

use pliant_numerics::{Lane, Mat3, nearest_rotation, symmetric_eigen};

use super::{ElasticModuli, Law, dot, hooke, mixed_dyads, objective_viscous_piola};

/// See the [module](self) for the energy.
#[derive(Clone, Copy, Debug)]
pub struct Corotated {
    lambda: f64,
    mu: f64,
}

/// What (4) needs at a point.
#[derive(Clone, Copy, Debug)]
pub struct CorotatedTangent<L> {
    rotation: Mat3<L>,
    /// N.
    twist: Mat3<L>,
    /// R N R^T / 2.
    turned_twist: Mat3<L>,
}

impl<L: Lane> CorotatedTangent<L> {
    #[inline(always)]
    fn new(rotation: Mat3<L>, twist: Mat3<L>) -> Self {
        let turned_twist = (rotation * twist).mul_transpose(&rotation).scale(L::splat(0.5));
        Self { rotation, twist, turned_twist }
    }
}

/// The gradient of a shape function, turned: R g and R N R^T [R g]x / 2.
#[derive(Clone, Copy, Debug)]
pub struct TurnedGradient<L> {
    turned: [L; 3],
    twist: Mat3<L>,
}

/// The smallest s_i + s_j that a definite tangent divides by.
const LEAST_SUM: f64 = 0.05;

impl Corotated {
    /// From moduli.
    pub fn new(moduli: ElasticModuli) -> Self {
        let (lambda, mu) = moduli.lame();
        Self { lambda, mu }
    }

    /// lambda tr(E) - 2 mu of (5).
    #[inline(always)]
    fn turning<L: Lane>(&self, trace: L) -> L {
        (trace - L::splat(3.0)).mul_add(L::splat(self.lambda), L::splat(-2.0 * self.mu))
    }
}

/// R and S.
#[inline(always)]
fn parts<L: Lane>(h: &Mat3<L>) -> (Mat3<L>, Mat3<L>) {
    let f = h.add_diagonal(L::splat(1.0));
    let rotation = nearest_rotation(&f);
    (rotation, rotation.transpose_mul(&f).symmetric_part())
}

/// R and E; the difference from I is taken before the sum, for the digits of small strains.
#[inline(always)]
fn rotation_and_strain<L: Lane>(h: &Mat3<L>) -> (Mat3<L>, Mat3<L>) {
    let rotation = nearest_rotation(&h.add_diagonal(L::splat(1.0)));
    let tilt = rotation.add_diagonal(L::splat(-1.0));
    (rotation, (rotation.transpose_mul(h) + tilt).symmetric_part())
}

/// The vector b of the skew part [b]x of a matrix.
#[inline(always)]
fn axial<L: Lane>(m: &Mat3<L>) -> [L; 3] {
    let half = L::splat(0.5);
    let m = &m.0;
    [(m[2][1] - m[1][2]) * half, (m[0][2] - m[2][0]) * half, (m[1][0] - m[0][1]) * half]
}

/// A symmetric matrix plus [w]x.
#[inline(always)]
fn add_skew<L: Lane>(m: &Mat3<L>, w: [L; 3]) -> Mat3<L> {
    let m = &m.0;
    Mat3([
        [m[0][0], m[0][1] - w[2], m[0][2] + w[1]],
        [m[1][0] + w[2], m[1][1], m[1][2] - w[0]],
        [m[2][0] - w[1], m[2][1] + w[0], m[2][2]],
    ])
}

impl<L: Lane> Law<L> for Corotated {
    type Local = ();
    type Tangent = CorotatedTangent<L>;
    type Gradient = TurnedGradient<L>;

    #[inline(always)]
    fn energy(&self, h: &Mat3<L>, (): &()) -> L {
        let (_, strain) = rotation_and_strain(h); // (1)
        let trace = strain.trace();
        trace * trace * L::splat(0.5 * self.lambda) + strain.dot(&strain) * L::splat(self.mu) // (2)
    }

    #[inline(always)]
    fn first_piola(&self, h: &Mat3<L>, (): &()) -> Mat3<L> {
        let (rotation, strain) = rotation_and_strain(h);
        rotation * hooke(self.lambda, self.mu, &strain) // (3)
    }

    #[inline(always)]
    fn tangent(&self, h: &Mat3<L>, (): &()) -> CorotatedTangent<L> {
        let (rotation, stretch) = parts(h);
        let sums = (-stretch).add_diagonal(stretch.trace());
        let turning = self.turning(stretch.trace()) * L::splat(2.0);
        let twist = sums.inverse().scale(turning).add_diagonal(L::splat(2.0 * self.mu)); // (5)
        CorotatedTangent::new(rotation, twist)
    }

    #[inline(always)]
    fn definite_tangent(&self, h: &Mat3<L>, (): &()) -> CorotatedTangent<L> {
        let (rotation, stretch) = parts(h);
        // what two sweeps leave makes N a little different, and no less definite
        let (stretches, axes) = symmetric_eigen::<L, 2>(&stretch);
        let trace = stretch.trace();
        let turning = self.turning(trace) * L::splat(2.0);
        let resists = stretches.map(|s| {
            let sum = (trace - s).max(L::splat(LEAST_SUM));
            let resists = (turning / sum + L::splat(2.0 * self.mu)).max(L::splat(0.0)); // (5), eigenvalues as in [SmithDeGoesKim]
            // where it is small shear steadies a step without it, and pulled sides alone would stiffen a bent bar; half of it does where it is large
            resists * resists / (resists + L::splat(self.mu))
        });
        let scaled = Mat3::from_fn(|r, c| axes.0[r][c] * resists[c]);
        CorotatedTangent::new(rotation, scaled.mul_transpose(&axes))
    }

    #[inline(always)]
    fn change(&self, at: &CorotatedTangent<L>, dh: &Mat3<L>) -> Mat3<L> {
        let turned = at.rotation.transpose_mul(dh);
        let symmetric = hooke(self.lambda, self.mu, &turned.symmetric_part());
        at.rotation * add_skew(&symmetric, at.twist.mul_vec(axial(&turned))) // (4)
    }

    #[inline(always)]
    fn gradient(&self, at: &CorotatedTangent<L>, g: [L; 3]) -> TurnedGradient<L> {
        let turned = at.rotation.mul_vec(g);
        let [x, y, z] = turned;
        let o = L::splat(0.0);
        let cross = Mat3([[o, -z, y], [z, o, -x], [-y, x, o]]);
        TurnedGradient { turned, twist: at.turned_twist * cross }
    }

    #[inline(always)]
    fn block(&self, _at: &CorotatedTangent<L>, i: &TurnedGradient<L>, j: &TurnedGradient<L>) -> Mat3<L> {
        let (lambda, mu) = (L::splat(self.lambda), L::splat(self.mu));
        let symmetric = mixed_dyads(lambda, mu, i.turned, j.turned);
        let symmetric = symmetric.add_diagonal(dot(i.turned, j.turned) * mu);
        let ([x, y, z], t) = (i.turned, &j.twist.0);
        let row = |r: usize, a: L, p: usize, b: L, q: usize| -> [L; 3] {
            std::array::from_fn(|c| a.mul_add(t[p][c], symmetric.0[r][c] - b * t[q][c]))
        };
        Mat3([row(0, z, 1, y, 2), row(1, x, 2, z, 0), row(2, y, 0, x, 1)]) // (6)
    }

    #[inline(always)]
    fn viscous_piola(&self, h: &Mat3<L>, rate: &Mat3<L>) -> Mat3<L> {
        objective_viscous_piola(self.lambda, self.mu, h, rate)
    }
}
