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
    /// The same value in every lane.
    fn splat(value: f64) -> Self;

    /// `self * factor + term`, rounded once where the processor can.
    fn mul_add(self, factor: Self, term: Self) -> Self;

    /// Natural logarithm; not a number where the argument is negative.
    fn ln(self) -> Self;
}

impl Lane for f64 {
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
}
