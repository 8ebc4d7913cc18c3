//! Laws against automatic differentiation: the same code in dual numbers.

use std::ops::{Add, Div, Mul, Neg, Sub};

use num_dual::{Dual64, DualNum, HyperDual64};
use pliant_numerics::{Lane, Mat3};

use super::support::Noise;
use super::{YOUNG, all, gradients, unit};

macro_rules! lane_of_duals {
    ($name:ident, $dual:ty) => {
        #[derive(Clone, Copy)]
        struct $name($dual);

        impl Add for $name {
            type Output = Self;
            fn add(self, other: Self) -> Self {
                Self(self.0 + other.0)
            }
        }

        impl Sub for $name {
            type Output = Self;
            fn sub(self, other: Self) -> Self {
                Self(self.0 - other.0)
            }
        }

        impl Mul for $name {
            type Output = Self;
            fn mul(self, other: Self) -> Self {
                Self(self.0 * other.0)
            }
        }

        impl Div for $name {
            type Output = Self;
            fn div(self, other: Self) -> Self {
                Self(self.0 / other.0)
            }
        }

        impl Neg for $name {
            type Output = Self;
            fn neg(self) -> Self {
                Self(-self.0)
            }
        }

        impl Lane for $name {
            const EPSILON: f64 = f64::EPSILON;

            fn splat(value: f64) -> Self {
                Self(<$dual>::from_re(value))
            }

            fn mul_add(self, factor: Self, term: Self) -> Self {
                self * factor + term
            }

            fn ln(self) -> Self {
                Self(DualNum::ln(&self.0))
            }

            fn sqrt(self) -> Self {
                Self(DualNum::sqrt(&self.0))
            }

            fn max(self, other: Self) -> Self {
                if self.0.re < other.0.re { other } else { self }
            }

            fn less_select(self, other: Self, then: Self, otherwise: Self) -> Self {
                if self.0.re < other.0.re { then } else { otherwise }
            }

            // iterations go on until derivatives have settled too
            fn any_less(self, _other: Self) -> bool {
                true
            }
        }
    };
}

lane_of_duals!(First, Dual64);
lane_of_duals!(Second, HyperDual64);

#[test]
fn stress_equals_the_automatic_gradient_of_energy() {
    for law in all() {
        for h in gradients() {
            let gradient = Mat3::from_fn(|r, c| {
                let seed = unit(r, c);
                law.energy(&Mat3::from_fn(|i, j| First(Dual64::new(h.0[i][j], seed.0[i][j])))).0.eps
            });
            let p = law.piola(&h);
            assert!((p - gradient).norm() < 1e-13 * (p.norm() + YOUNG), "{}: {p:?} {gradient:?}", law.name);
        }
    }
}

#[test]
fn tangent_equals_the_automatic_second_derivative_of_energy() {
    let mut noise = Noise::new(4);
    for law in all() {
        for h in gradients() {
            let dh = noise.matrix(1.0);
            let product = Mat3::from_fn(|r, c| {
                let seed = unit(r, c);
                let entry = |i: usize, j: usize| HyperDual64::new(h.0[i][j], dh.0[i][j], seed.0[i][j], 0.0);
                law.energy(&Mat3::from_fn(|i, j| Second(entry(i, j)))).0.eps1eps2
            });
            let dp = law.piola_change(&h, &dh);
            assert!((dp - product).norm() < 1e-12 * (dp.norm() + YOUNG), "{}", law.name);
        }
    }
}

#[test]
fn tangent_equals_the_automatic_derivative_of_stress() {
    let mut noise = Noise::new(5);
    for law in all() {
        for h in gradients() {
            let dh = noise.matrix(1.0);
            let seeded = Mat3::from_fn(|i, j| First(Dual64::new(h.0[i][j], dh.0[i][j])));
            let p = law.piola(&seeded);
            let slope = Mat3::from_fn(|r, c| p.0[r][c].0.eps);
            let dp = law.piola_change(&h, &dh);
            assert!((dp - slope).norm() < 1e-13 * (dp.norm() + YOUNG), "{}", law.name);
        }
    }
}
