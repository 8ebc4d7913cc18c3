//! Links: what particles exert on each other, written over lanes as laws are.
//!
//! A link has `N` particles. It knows its energy, forces and matrices from their places and velocities, and nothing of the
//! world; `assembly/links.rs` makes a force term of many of one kind.
//!
//! To add one: a file here with its [`Link`] and [`LinkKind`], a vector in [`crate::Network`], a line in `tests/network/main.rs`.

mod angle_spring;
mod angle_star;
mod linearised;
mod spring;

pub use angle_spring::AngleSpring;
pub(crate) use angle_star::{Angle, AngleStar, STAR, stars};
pub use linearised::Linearised;
pub use spring::Spring;

use pliant_numerics::{F64x4, Lane, Mat3};

/// A vector per particle.
pub type Points<L, const N: usize> = [[L; 3]; N];

/// The symmetric matrix of a link: block (i, j) with i <= j stands in column j, row i; the others are not read.
pub type Blocks<L, const N: usize> = [[Mat3<L>; N]; N];

/// What a link does, in one lane or several.
///
/// Contract: forces are the derivative of `energy` and damping; they add up to no force and no torque for links that turn with
/// their particles. Everything is finite wherever the particles are, on one place too.
pub trait Link<L: Lane, const N: usize>: Copy + Send + Sync + 'static {
    /// Stored energy, J.
    fn energy(&self, x: &Points<L, N>) -> L;

    /// Forces, N, and the power that damping takes, W; velocities are looked at only if `RATE`.
    fn force<const RATE: bool>(&self, x: &Points<L, N>, v: &Points<L, N>) -> (Points<L, N>, L);

    /// K = -df/dx without damping, N/m; resisting every motion if `DEFINITE`.
    fn stiffness<const DEFINITE: bool>(&self, x: &Points<L, N>) -> Blocks<L, N>;

    /// D = -df/dv, N s/m.
    fn viscosity(&self, x: &Points<L, N>) -> Blocks<L, N>;

    /// (k K + d D) `along`, or more: as stiff as the link may become when it turns, by which stability is judged.
    fn stiffest(&self, x: &Points<L, N>, kd: [L; 2], along: &Points<L, N>) -> Points<L, N>;

    /// The squares of how far it is deformed and of how fast it deforms, 1 and 1/s^2.
    fn deformation(&self, x: &Points<L, N>, v: &Points<L, N>) -> [L; 2];
}

/// One link as numbers, and how four of them stand side by side.
pub trait LinkKind<const N: usize>: Link<f64, N> {
    /// Four of them.
    type Four: Link<F64x4, N>;

    /// Packs four.
    fn four(lanes: [&Self; 4]) -> Self::Four;

    /// The same link without any force: it fills lanes that nobody needs.
    fn idle(&self) -> Self;

    /// Whether it resists velocities.
    fn is_damped(&self) -> bool;
}

/// a - b.
#[inline(always)]
fn minus<L: Lane>(a: [L; 3], b: [L; 3]) -> [L; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

/// a + b.
#[inline(always)]
fn plus<L: Lane>(a: [L; 3], b: [L; 3]) -> [L; 3] {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

/// s a.
#[inline(always)]
fn times<L: Lane>(s: L, a: [L; 3]) -> [L; 3] {
    a.map(|c| s * c)
}

/// a . b.
#[inline(always)]
fn dot<L: Lane>(a: [L; 3], b: [L; 3]) -> L {
    a[0].mul_add(b[0], a[1].mul_add(b[1], a[2] * b[2]))
}

/// Length of a vector and 1 / length; that of no length at all is as good as infinite, but a number.
#[inline(always)]
fn length<L: Lane>(a: [L; 3]) -> (L, L) {
    let length = dot(a, a).sqrt();
    (length, L::splat(1.0) / length.max(L::splat(1e-100)))
}

/// I - n n^T.
#[inline(always)]
fn across<L: Lane>(n: [L; 3]) -> Mat3<L> {
    Mat3::identity() - Mat3::dyad(n, n)
}
