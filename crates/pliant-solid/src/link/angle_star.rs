//! The angle springs that meet at one particle, together: their arms are measured once for all of them.
//!
//! ```text
//! a_i = x_i - x_0,   u_i = a_i / |a_i|,   c_ij = u_i . u_j,   s_ij = sin t_ij,   i, j in 1..4   (1)
//! w_ij = -dE_ij/dc_ij = k c_r - k s_r c_ij / s_ij                                            (2)
//! f_i = [sum_j w_ij u_j - (sum_j w_ij c_ij) u_i] / |a_i|,   f_0 = -sum_i f_i                  (3)
//! ```
//!
//! These are (1), (3) and (4) of `angle_spring.rs`, summed over the angles between four arms; the corner of a fold is rounded as there. A
//! particle of a cloth has six angles between four arms: one gather and scatter of five places serve in place of eighteen, and four
//! roots measure arms in place of six. Angles that are missing are without stiffness, arms that are missing are the first one again.

use std::collections::BTreeMap;

use pliant_numerics::{F64x4, Lane, Pack};

use super::angle_spring::ROUNDED;
use super::{AngleSpring, Points, dot, minus, plus, times};

/// An angle spring and its nodes; its arms meet at the second.
pub type Angle = ([u32; 3], AngleSpring<f64>);

/// Arms of a star.
const ARMS: usize = 4;
/// Particles of a star: where its arms meet, and their ends.
pub const STAR: usize = ARMS + 1;
/// The angles between arms; straight ones stand in the first two places where a star has them.
const PAIRS: [[usize; 2]; 6] = [[0, 1], [2, 3], [0, 2], [0, 3], [1, 2], [1, 3]];

/// Up to six angle springs at one particle, which comes before the ends of their arms.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AngleStar<L> {
    /// k c_r of each angle, N m/rad.
    straight: [L; PAIRS.len()],
    /// k s_r of each angle, N m/rad.
    bent: [L; PAIRS.len()],
    /// Whether any s_r of an angle is not zero: without it (2) needs no sine.
    is_bent: [bool; PAIRS.len()],
    /// Sum of k over the angles of each arm, N m/rad.
    stiffness: [L; ARMS],
}

/// An arm as (3) needs it.
struct Arm<L> {
    unit: [L; 3],
    /// 1 / |a|.
    inverse: L,
}

impl<L: Lane> Arm<L> {
    #[inline(always)]
    fn between(middle: [L; 3], end: [L; 3]) -> Self {
        let arm = minus(end, middle);
        let inverse = L::splat(1.0) / dot(arm, arm).max(L::splat(1e-100)).sqrt();
        Self { unit: times(inverse, arm), inverse } // (1)
    }

    /// The force on its end by its angles with three others, each with w and w times its cosine.
    #[inline(always)]
    fn pulled(&self, [a, b, c]: [(&Self, [L; 2]); 3]) -> [L; 3] {
        let along = a.1[1] + b.1[1] + c.1[1];
        let part = |i: usize| {
            let aside = a.1[0].mul_add(a.0.unit[i], b.1[0].mul_add(b.0.unit[i], c.1[0] * c.0.unit[i]));
            self.inverse * (aside - along * self.unit[i]) // (3)
        };
        [part(0), part(1), part(2)]
    }
}

impl<L: Lane> AngleStar<L> {
    /// Forces, N.
    #[inline(always)]
    pub fn force(&self, x: &Points<L, STAR>) -> Points<L, STAR> {
        // written out: a loop over pairs would keep arms in memory and wait for one root after another
        let [u0, u1, u2, u3] = [1, 2, 3, 4].map(|end| Arm::between(x[0], x[end]));
        let p01 = self.slope::<0>(&u0, &u1);
        let p23 = self.slope::<1>(&u2, &u3);
        let p02 = self.slope::<2>(&u0, &u2);
        let p03 = self.slope::<3>(&u0, &u3);
        let p12 = self.slope::<4>(&u1, &u2);
        let p13 = self.slope::<5>(&u1, &u3);
        let f0 = u0.pulled([(&u1, p01), (&u2, p02), (&u3, p03)]);
        let f1 = u1.pulled([(&u0, p01), (&u2, p12), (&u3, p13)]);
        let f2 = u2.pulled([(&u3, p23), (&u0, p02), (&u1, p12)]);
        let f3 = u3.pulled([(&u2, p23), (&u0, p03), (&u1, p13)]);
        let sum = plus(plus(f0, f1), plus(f2, f3));
        [sum.map(|c| -c), f0, f1, f2, f3] // (3)
    }

    /// w of pair `P` and w times its cosine.
    #[inline(always)]
    fn slope<const P: usize>(&self, one: &Arm<L>, other: &Arm<L>) -> [L; 2] {
        let cosine = dot(one.unit, other.unit);
        let mut slope = self.straight[P]; // (2)
        if self.is_bent[P] {
            let squared = (L::splat(1.0) - cosine * cosine).max(L::splat(ROUNDED * ROUNDED));
            slope = slope - self.bent[P] * cosine / squared.sqrt();
        }
        [slope, slope * cosine]
    }

    /// k K `along`, or more, as [`super::Link::stiffest`] of its angle springs.
    #[inline(always)]
    pub fn stiffest(&self, x: &Points<L, STAR>, k: L, along: &Points<L, STAR>) -> Points<L, STAR> {
        let twice = L::splat(2.0) * k;
        let mut out = [[L::splat(0.0); 3]; STAR];
        for i in 0..ARMS {
            let arm = minus(x[i + 1], x[0]);
            let turn = twice * self.stiffness[i] / dot(arm, arm).max(L::splat(1e-200));
            out[i + 1] = times(turn, minus(along[i + 1], along[0]));
            out[0] = minus(out[0], out[i + 1]);
        }
        out
    }
}

impl AngleStar<f64> {
    /// Without any force.
    pub const IDLE: Self = Self {
        straight: [0.0; PAIRS.len()],
        bent: [0.0; PAIRS.len()],
        is_bent: [false; PAIRS.len()],
        stiffness: [0.0; ARMS],
    };

    /// The bits of all its numbers, by which equal stars are known.
    pub fn bits(&self) -> [u64; 2 * PAIRS.len() + ARMS] {
        let mut numbers = self.straight.iter().chain(&self.bent).chain(&self.stiffness);
        std::array::from_fn(|_| numbers.next().map_or(0, |number| number.to_bits()))
    }

    /// Packs four.
    pub fn four(lanes: [&Self; 4]) -> AngleStar<F64x4> {
        AngleStar {
            straight: std::array::from_fn(|p| F64x4::from_fn(|lane| lanes[lane].straight[p])),
            bent: std::array::from_fn(|p| F64x4::from_fn(|lane| lanes[lane].bent[p])),
            is_bent: std::array::from_fn(|p| lanes.iter().any(|star| star.is_bent[p])),
            stiffness: std::array::from_fn(|i| F64x4::from_fn(|lane| lanes[lane].stiffness[i])),
        }
    }

    /// Takes in an angle spring if its place between two arms is free.
    fn take(&mut self, arms: [usize; 2], spring: &AngleSpring<f64>) -> bool {
        let same = |pair: &[usize; 2]| *pair == arms || *pair == [arms[1], arms[0]];
        let Some(p) = PAIRS.iter().position(same).filter(|p| self.straight[*p] == 0.0 && !self.is_bent[*p])
        else {
            return false;
        };
        self.straight[p] = spring.stiffness * spring.cosine;
        self.bent[p] = spring.stiffness * spring.sine;
        self.is_bent[p] = spring.sine != 0.0;
        arms.iter().for_each(|arm| self.stiffness[*arm] += spring.stiffness);
        true
    }
}

/// A star while angles are added to it.
struct Growing {
    arms: Vec<u32>,
    star: AngleStar<f64>,
}

impl Growing {
    /// Takes in an angle spring between two ends, if there is room.
    fn take(&mut self, ends: [u32; 2], spring: &AngleSpring<f64>) -> bool {
        let mut arms = self.arms.clone();
        let places = ends.map(|end| {
            arms.iter().position(|arm| *arm == end).unwrap_or_else(|| {
                arms.push(end);
                arms.len() - 1
            })
        });
        if arms.len() > ARMS || !self.star.take(places, spring) {
            return false;
        }
        self.arms = arms;
        true
    }
}

/// The stars of angle springs: each takes as many of one particle as find a place in it.
pub fn stars(angles: &[Angle]) -> Vec<([u32; STAR], AngleStar<f64>)> {
    let mut around: BTreeMap<u32, Vec<&Angle>> = BTreeMap::new();
    // an arm makes no angle with itself
    let pulling = angles.iter().filter(|([a, _, b], _)| a != b);
    pulling.for_each(|angle| around.entry(angle.0[1]).or_default().push(angle));
    let mut out = Vec::new();
    for (middle, mut angles) in around {
        // straight ones first: equal particles then become equal stars, and need fewer sines
        angles.sort_by_key(|(_, spring)| spring.sine != 0.0);
        let mut growing: Vec<Growing> = Vec::new();
        for ([a, _, b], spring) in angles {
            if !growing.iter_mut().any(|star| star.take([*a, *b], spring)) {
                let mut star = Growing { arms: Vec::new(), star: AngleStar::IDLE };
                star.take([*a, *b], spring);
                growing.push(star);
            }
        }
        out.extend(growing.into_iter().map(|Growing { arms, star }| {
            let nodes = |i: usize| if i == 0 { middle } else { arms.get(i - 1).copied().unwrap_or(arms[0]) };
            (std::array::from_fn(nodes), star)
        }));
    }
    out
}
