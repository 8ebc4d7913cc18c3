//! A link linearised at rest: right for small rotations only.
//!
//! ```text
//! f = -K_0 (x - X) - D_0 v,   E = (x - X)^T K_0 (x - X) / 2                                (1)
//! ```
//!
//! K_0 and D_0 are the matrices of the link at the rest positions X, where it must be without force. This is the network of which [Warp 3] turns
//! the matrix.

use pliant_numerics::{F64x4, Lane, Mat3, Pack};

use super::{Blocks, Link, LinkKind, Points, dot, minus, plus, times};

/// A spring as it is at rest, whatever has become of it.
#[derive(Clone, Copy, Debug)]
pub struct Linearised<L, const N: usize> {
    stiffness: Blocks<L, N>,
    viscosity: Blocks<L, N>,
    rest: Points<L, N>,
    is_damped: bool,
}

impl<const N: usize> Linearised<f64, N> {
    /// A link at its rest positions, m.
    pub fn at_rest(link: &impl LinkKind<N>, rest: &Points<f64, N>) -> Self {
        Self {
            stiffness: link.stiffness::<true>(rest),
            viscosity: link.viscosity(rest),
            rest: *rest,
            is_damped: link.is_damped(),
        }
    }
}

/// The product of a symmetric matrix.
#[inline(always)]
fn product<L: Lane, const N: usize>(blocks: &Blocks<L, N>, u: &Points<L, N>) -> Points<L, N> {
    let mut out = [[L::splat(0.0); 3]; N];
    for j in 0..N {
        out[j] = plus(out[j], blocks[j][j].mul_vec(u[j]));
        for i in 0..j {
            out[i] = plus(out[i], blocks[j][i].mul_vec(u[j]));
            out[j] = plus(out[j], blocks[j][i].transpose().mul_vec(u[i]));
        }
    }
    out
}

/// The sum of dot products.
#[inline(always)]
fn work<L: Lane, const N: usize>(a: &Points<L, N>, b: &Points<L, N>) -> L {
    (0..N).fold(L::splat(0.0), |sum, i| sum + dot(a[i], b[i]))
}

impl<L: Lane, const N: usize> Linearised<L, N> {
    #[inline(always)]
    fn displacements(&self, x: &Points<L, N>) -> Points<L, N> {
        std::array::from_fn(|i| minus(x[i], self.rest[i]))
    }
}

impl<L: Lane, const N: usize> Link<L, N> for Linearised<L, N> {
    #[inline(always)]
    fn energy(&self, x: &Points<L, N>) -> L {
        let u = self.displacements(x);
        L::splat(0.5) * work(&u, &product(&self.stiffness, &u))
    }

    #[inline(always)]
    fn force<const RATE: bool>(&self, x: &Points<L, N>, v: &Points<L, N>) -> (Points<L, N>, L) {
        let mut force = product(&self.stiffness, &self.displacements(x)); // (1)
        let mut power = L::splat(0.0);
        if RATE {
            let viscous = product(&self.viscosity, v);
            power = work(v, &viscous);
            force = std::array::from_fn(|i| plus(force[i], viscous[i]));
        }
        (force.map(|f| f.map(|c| -c)), power)
    }

    #[inline(always)]
    fn stiffness<const DEFINITE: bool>(&self, _x: &Points<L, N>) -> Blocks<L, N> {
        self.stiffness
    }

    #[inline(always)]
    fn viscosity(&self, _x: &Points<L, N>) -> Blocks<L, N> {
        self.viscosity
    }

    #[inline(always)]
    fn stiffest(&self, _x: &Points<L, N>, [k, d]: [L; 2], along: &Points<L, N>) -> Points<L, N> {
        let (elastic, viscous) = (product(&self.stiffness, along), product(&self.viscosity, along));
        std::array::from_fn(|i| plus(times(k, elastic[i]), times(d, viscous[i])))
    }

    /// It never stiffens.
    #[inline(always)]
    fn deformation(&self, _x: &Points<L, N>, _v: &Points<L, N>) -> [L; 2] {
        [L::splat(0.0); 2]
    }
}

impl<const N: usize> LinkKind<N> for Linearised<f64, N> {
    type Four = Linearised<F64x4, N>;

    fn four(lanes: [&Self; 4]) -> Self::Four {
        let blocks = |of: fn(&Self) -> &Blocks<f64, N>| -> Blocks<F64x4, N> {
            let entry =
                |j: usize, i: usize, r: usize, c: usize| F64x4::from_fn(|lane| of(lanes[lane])[j][i].0[r][c]);
            std::array::from_fn(|j| std::array::from_fn(|i| Mat3::from_fn(|r, c| entry(j, i, r, c))))
        };
        Linearised {
            stiffness: blocks(|link| &link.stiffness),
            viscosity: blocks(|link| &link.viscosity),
            rest: std::array::from_fn(|i| {
                std::array::from_fn(|c| F64x4::from_fn(|lane| lanes[lane].rest[i][c]))
            }),
            is_damped: lanes.iter().any(|link| link.is_damped),
        }
    }

    fn idle(&self) -> Self {
        let zero = [[Mat3::zero(); N]; N];
        Self { stiffness: zero, viscosity: zero, ..*self }
    }

    fn is_damped(&self) -> bool {
        self.is_damped
    }
}
