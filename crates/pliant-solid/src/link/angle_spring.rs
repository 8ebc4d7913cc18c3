//! An angle spring: it keeps the angle between two springs that meet at a particle.
//!
//! ```text
//! c = cos t = a.b / (|a| |b|),   a = x_0 - x_1,   b = x_2 - x_1,   s = sin t                (1)
//! E = k (1 - cos(t - t_r)) = k (1 - c c_r - s s_r)                                         (2)
//! E' = dE/dc = k (s_r c / s - c_r),   E'' = k s_r / s^3                                    (3)
//! dc/da = p = (b^ - c a^) / |a|,   d2c/da2 = -[a^ q^T + q a^^T + c (I - a^ a^^T)] / a^2,   q = |a| p,
//! d2c/da db = (I - a^ a^^T)(I - b^ b^^T) / (|a| |b|)                                       (4)
//! ```
//!
//! Source: [Schoner 3.3.1] names them for cloth and gives no formula. The torque k sin(t - t_r) is k (t - t_r) to first order, needs no inverse
//! function, and is smooth where a straight angle rests. Folded quite over, s = 0, (2) has a corner unless t_r is there too: below s = 0.1
//! s is replaced by (0.1 + s^2 / 0.1) / 2. The definite matrix takes E'' p p^T and, while E' > 0, E' times the square of the change of
//! a^ + b^. Units: N m/rad, and m.

use pliant_numerics::{F64x4, Lane, Mat3, Pack};

use super::{Blocks, Link, LinkKind, Points, across, dot, length, minus, plus, times};

/// The sine below which the corner of a fold is rounded.
pub(super) const ROUNDED: f64 = 0.1;

/// Keeps the angle between two springs; the middle one of its particles is where they meet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AngleSpring<L> {
    /// k, N m/rad.
    pub(super) stiffness: L,
    /// c_r.
    pub(super) cosine: L,
    /// s_r.
    pub(super) sine: L,
}

impl AngleSpring<f64> {
    /// That keeps the angle which particles at rest have; k in N m/rad.
    pub fn resting(stiffness: f64, x: &Points<f64, 3>) -> Self {
        let arm = |end: usize| {
            let l = minus(x[end], x[1]);
            times(length(l).1, l)
        };
        let cosine = dot(arm(0), arm(2)).clamp(-1.0, 1.0);
        let sine = (1.0 - cosine * cosine).max(0.0).sqrt();
        // what is straight, or right, but for rounding is so
        if sine < 1e-6 {
            return Self { stiffness, cosine: cosine.signum(), sine: 0.0 };
        }
        if cosine.abs() < 1e-9 {
            return Self { stiffness, cosine: 0.0, sine: 1.0 };
        }
        Self { stiffness, cosine, sine }
    }
}

/// What all formulas need of a place.
struct Fold<L> {
    /// a^ and b^.
    arms: [[L; 3]; 2],
    /// 1 / |a| and 1 / |b|.
    inverse: [L; 2],
    cosine: L,
    sine: L,
}

impl<L: Lane> Fold<L> {
    #[inline(always)]
    fn of(x: &Points<L, 3>) -> Self {
        let (a, b) = (minus(x[0], x[1]), minus(x[2], x[1]));
        let inverse = [length(a).1, length(b).1];
        let arms = [times(inverse[0], a), times(inverse[1], b)];
        let cosine = dot(arms[0], arms[1]); // (1)
        let sine = (L::splat(1.0) - cosine * cosine).max(L::splat(0.0)).sqrt();
        Self { arms, inverse, cosine, sine }
    }

    /// |a| dc/da and |b| dc/db.
    #[inline(always)]
    fn slopes(&self) -> [[L; 3]; 2] {
        let [a, b] = self.arms;
        [minus(b, times(self.cosine, a)), minus(a, times(self.cosine, b))]
    }

    /// s, but not below the rounded corner.
    #[inline(always)]
    fn least_sine(&self) -> L {
        self.sine.max(L::splat(ROUNDED))
    }
}

impl<L: Lane> AngleSpring<L> {
    /// E' of (3).
    #[inline(always)]
    fn slope(&self, fold: &Fold<L>) -> L {
        self.stiffness * (self.sine * fold.cosine / fold.least_sine() - self.cosine)
    }

    /// E'' of (3).
    #[inline(always)]
    fn curvature(&self, fold: &Fold<L>) -> L {
        let s = fold.least_sine();
        let rounded = L::splat(ROUNDED);
        let squared = fold.sine.less_select(rounded, L::splat(1.0), s * s);
        self.stiffness * self.sine / (squared * s)
    }
}

impl<L: Lane> Link<L, 3> for AngleSpring<L> {
    #[inline(always)]
    fn energy(&self, x: &Points<L, 3>) -> L {
        let fold = Fold::of(x);
        let (s, least) = (fold.sine, L::splat(ROUNDED));
        let rounded = L::splat(0.5) * (least + s * s / least);
        let s = s.less_select(least, rounded, s);
        self.stiffness * (L::splat(1.0) - fold.cosine * self.cosine - s * self.sine) // (2)
    }

    /// Without unit vectors: roots and quotients are all that it costs, and these are the fewest.
    #[inline(always)]
    fn force<const RATE: bool>(&self, x: &Points<L, 3>, _v: &Points<L, 3>) -> (Points<L, 3>, L) {
        let (a, b) = (minus(x[0], x[1]), minus(x[2], x[1]));
        let least = L::splat(1e-100);
        let (aa, bb) = (dot(a, a).max(least), dot(b, b).max(least));
        let both = L::splat(1.0) / (aa * bb);
        let joint = both.sqrt(); // 1 / (|a| |b|)
        let cosine = dot(a, b) * joint; // (1)
        let squared = (L::splat(1.0) - cosine * cosine).max(L::splat(ROUNDED * ROUNDED));
        let slope = self.stiffness * (self.cosine - self.sine * cosine / squared.sqrt()); // (3), against it
        let along = |own: [L; 3], other: [L; 3], inverse: L| {
            minus(times(slope * joint, other), times(slope * cosine * inverse, own))
        };
        let (fa, fb) = (along(a, b, bb * both), along(b, a, aa * both)); // (4)
        ([fa, plus(fa, fb).map(|c| -c), fb], L::splat(0.0))
    }

    #[inline(always)]
    fn stiffness<const DEFINITE: bool>(&self, x: &Points<L, 3>) -> Blocks<L, 3> {
        let fold = Fold::of(x);
        let (mut slope, curvature) = (self.slope(&fold), self.curvature(&fold));
        if DEFINITE {
            slope = slope.max(L::splat(0.0));
        }
        let ([qa, qb], [ia, ib]) = (fold.slopes(), fold.inverse);
        let [across_a, across_b] = fold.arms.map(across);
        let own = |arm: [L; 3], q: [L; 3], across: &Mat3<L>, inverse: L| {
            let bent = if DEFINITE {
                *across
            } else {
                let mixed = Mat3::dyad(arm, q) + Mat3::dyad(q, arm);
                across.scale_add(-fold.cosine, &mixed.scale(L::splat(-1.0)))
            };
            let blunt = Mat3::dyad(q, q).scale(curvature);
            bent.scale_add(slope, &blunt).scale(inverse * inverse)
        };
        let aa = own(fold.arms[0], qa, &across_a, ia);
        let bb = own(fold.arms[1], qb, &across_b, ib);
        let mixed = (across_a * across_b).scale_add(slope, &Mat3::dyad(qa, qb).scale(curvature));
        let ab = mixed.scale(ia * ib); // (4)
        let against = |m: Mat3<L>| m.scale(L::splat(-1.0));
        let middle = aa + ab + ab.transpose() + bb;
        [[aa, aa, aa], [against(aa + ab), middle, middle], [ab, against(ab + bb), bb]]
    }

    #[inline(always)]
    fn viscosity(&self, _x: &Points<L, 3>) -> Blocks<L, 3> {
        [[Mat3::zero(); 3]; 3]
    }

    /// (x + y)^2 <= 2 x^2 + 2 y^2 of the turns of the two arms, in every direction.
    #[inline(always)]
    fn stiffest(&self, x: &Points<L, 3>, [k, _]: [L; 2], along: &Points<L, 3>) -> Points<L, 3> {
        let inverse = Fold::of(x).inverse;
        let arm = |end: usize, inverse: L| {
            let twice = L::splat(2.0) * k * self.stiffness * inverse * inverse;
            times(twice, minus(along[end], along[1]))
        };
        let (fa, fb) = (arm(0, inverse[0]), arm(2, inverse[1]));
        [fa, plus(fa, fb).map(|c| -c), fb]
    }

    /// Its springs tell how far they are strained.
    #[inline(always)]
    fn deformation(&self, _x: &Points<L, 3>, _v: &Points<L, 3>) -> [L; 2] {
        [L::splat(0.0); 2]
    }
}

impl LinkKind<3> for AngleSpring<f64> {
    type Four = AngleSpring<F64x4>;

    fn four(lanes: [&Self; 4]) -> Self::Four {
        AngleSpring {
            stiffness: F64x4::from_fn(|lane| lanes[lane].stiffness),
            cosine: F64x4::from_fn(|lane| lanes[lane].cosine),
            sine: F64x4::from_fn(|lane| lanes[lane].sine),
        }
    }

    fn idle(&self) -> Self {
        Self { stiffness: 0.0, ..*self }
    }

    fn is_damped(&self) -> bool {
        false
    }
}
