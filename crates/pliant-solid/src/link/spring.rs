//! A damped spring: spring and damper side by side between two particles.
//!
//! ```text
//! f_0 = -[k (|l| - l_r) + b (l' . l) / |l|] l / |l|,   f_1 = -f_0,   l = x_0 - x_1          (1)
//! E = k (|l| - l_r)^2 / 2,   power lost = b (l' . l)^2 / l^2                               (2)
//! K_00 = k [n n^T + (1 - l_r / |l|) (I - n n^T)],   n = l / |l|,   D_00 = b n n^T          (3)
//! ```
//!
//! Source: [Schoner 3.2], and 3.1 with the unit vector that it lacks. (3) is the derivative of (1) for particles at rest. The part across
//! the spring pushes away when the spring is compressed; the definite matrix leaves it out then. Without k it is a damper,
//! without b a spring. Units: N/m, N s/m, m.

use pliant_numerics::{F64x4, Lane, Mat3, Pack};

use super::{Blocks, Link, LinkKind, Points, across, dot, length, minus, times};

/// A spring, a damper, or both, between two particles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spring<L> {
    /// k, N/m.
    pub stiffness: L,
    /// b, N s/m.
    pub damping: L,
    /// l_r, m.
    pub length: L,
}

/// The matrix of a pair of equal and opposite forces.
#[inline(always)]
fn opposite<L: Lane>(block: Mat3<L>) -> Blocks<L, 2> {
    [[block, block], [block.scale(L::splat(-1.0)), block]]
}

impl<L: Lane> Link<L, 2> for Spring<L> {
    #[inline(always)]
    fn energy(&self, x: &Points<L, 2>) -> L {
        let longer = length(minus(x[0], x[1])).0 - self.length;
        L::splat(0.5) * self.stiffness * longer * longer // (2)
    }

    #[inline(always)]
    fn force<const RATE: bool>(&self, x: &Points<L, 2>, v: &Points<L, 2>) -> (Points<L, 2>, L) {
        let l = minus(x[0], x[1]);
        let (now, inverse) = length(l);
        let mut tension = self.stiffness * (now - self.length);
        let mut power = L::splat(0.0);
        if RATE {
            let speed = dot(minus(v[0], v[1]), l) * inverse;
            tension = self.damping.mul_add(speed, tension);
            power = self.damping * speed * speed;
        }
        let force = times(-(tension * inverse), l); // (1)
        ([force, force.map(|c| -c)], power)
    }

    #[inline(always)]
    fn stiffness<const DEFINITE: bool>(&self, x: &Points<L, 2>) -> Blocks<L, 2> {
        let l = minus(x[0], x[1]);
        let inverse = length(l).1;
        let n = times(inverse, l);
        // compressed to nothing it would push to the side with more than any number
        let mut slack = (L::splat(1.0) - self.length * inverse).max(L::splat(-1e6));
        if DEFINITE {
            slack = slack.max(L::splat(0.0));
        }
        let along = Mat3::dyad(n, n).scale(self.stiffness);
        opposite(across(n).scale_add(self.stiffness * slack, &along)) // (3)
    }

    #[inline(always)]
    fn viscosity(&self, x: &Points<L, 2>) -> Blocks<L, 2> {
        let l = minus(x[0], x[1]);
        let n = times(length(l).1, l);
        opposite(Mat3::dyad(n, n).scale(self.damping))
    }

    /// As if it resisted in every direction: springs turn, and then lie side by side.
    #[inline(always)]
    fn stiffest(&self, _x: &Points<L, 2>, [k, d]: [L; 2], along: &Points<L, 2>) -> Points<L, 2> {
        let force = times(k * self.stiffness + d * self.damping, minus(along[0], along[1]));
        [force, force.map(|c| -c)]
    }

    /// Strain and relative velocity as parts of the rest length.
    #[inline(always)]
    fn deformation(&self, x: &Points<L, 2>, v: &Points<L, 2>) -> [L; 2] {
        let rest = self.length;
        // what has no length at rest has no strain
        let one =
            L::splat(1e-100).less_select(rest, L::splat(1.0) / rest.max(L::splat(1e-100)), L::splat(0.0));
        let longer = (length(minus(x[0], x[1])).0 - rest) * one;
        let speed = times(one, minus(v[0], v[1]));
        [longer * longer, dot(speed, speed)]
    }
}

impl LinkKind<2> for Spring<f64> {
    type Four = Spring<F64x4>;

    fn four(lanes: [&Self; 4]) -> Self::Four {
        Spring {
            stiffness: F64x4::from_fn(|lane| lanes[lane].stiffness),
            damping: F64x4::from_fn(|lane| lanes[lane].damping),
            length: F64x4::from_fn(|lane| lanes[lane].length),
        }
    }

    fn idle(&self) -> Self {
        Self { stiffness: 0.0, damping: 0.0, ..*self }
    }

    fn is_damped(&self) -> bool {
        self.damping > 0.0
    }
}
