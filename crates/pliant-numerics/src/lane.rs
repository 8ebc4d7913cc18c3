//! A number, or several side by side, in which a formula is written once.

use std::ops::{Add, Div, Mul, Neg, Sub};

/// One number or a short vector of independent numbers with ordinary arithmetic.
///
/// Laws and elements are written over a `Lane`: `f64` for one element, a [`crate::Pack`] for a
/// block of them, a dual number in tests for derivatives.
pub trait Lane:
    Copy
    + Send
    + Sync
    + 'static
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
    /// What a number is rounded by, as a part of it.
    const EPSILON: f64;

    /// The same value in every lane.
    fn splat(value: f64) -> Self;

    /// `self * factor + term`, rounded once where the processor can.
    fn mul_add(self, factor: Self, term: Self) -> Self;

    /// Natural logarithm; not a number where the argument is negative.
    fn ln(self) -> Self;

    /// Square root.
    fn sqrt(self) -> Self;

    /// The larger of two values; what is not a number is passed over.
    fn max(self, other: Self) -> Self;

    /// `then` where this is less than the other, else `otherwise`.
    fn less_select(self, other: Self, then: Self, otherwise: Self) -> Self;

    /// Whether this is less than the other, or no number, in any lane.
    fn any_less(self, other: Self) -> bool;
}

impl Lane for f64 {
    const EPSILON: f64 = f64::EPSILON;

    #[inline(always)]
    fn splat(value: f64) -> Self {
        value
    }

    #[inline(always)]
    fn mul_add(self, factor: Self, term: Self) -> Self {
        f64::mul_add(self, factor, term)
    }

    #[inline(always)]
    fn ln(self) -> Self {
        f64::ln(self)
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        f64::sqrt(self)
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        f64::max(self, other)
    }

    #[inline(always)]
    fn less_select(self, other: Self, then: Self, otherwise: Self) -> Self {
        if self < other { then } else { otherwise }
    }

    #[inline(always)]
    fn any_less(self, other: Self) -> bool {
        self.is_nan() || self < other
    }
}
