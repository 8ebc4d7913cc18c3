//! An axis-aligned box.

use crate::vector::{add, norm, scale, sub};

/// An axis-aligned box, m.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// Lowest coordinates.
    pub min: [f64; 3],
    /// Highest coordinates.
    pub max: [f64; 3],
}

impl Bounds {
    /// The smallest box around the points; `None` if there are none.
    pub fn of(points: impl IntoIterator<Item = [f64; 3]>) -> Option<Self> {
        let mut points = points.into_iter();
        let first = points.next()?;
        Some(points.fold(Self { min: first, max: first }, |b, p| Self {
            min: std::array::from_fn(|k| b.min[k].min(p[k])),
            max: std::array::from_fn(|k| b.max[k].max(p[k])),
        }))
    }

    /// Edge lengths, m.
    pub fn size(&self) -> [f64; 3] {
        sub(self.max, self.min)
    }

    /// The middle, m.
    pub fn center(&self) -> [f64; 3] {
        scale(add(self.min, self.max), 0.5)
    }

    /// Length of the diagonal, m.
    pub fn diagonal(&self) -> f64 {
        norm(self.size())
    }

    /// Is the point in the box grown by `margin` (m) on every side?
    pub fn contains(&self, point: [f64; 3], margin: f64) -> bool {
        (0..3).all(|k| point[k] >= self.min[k] - margin && point[k] <= self.max[k] + margin)
    }

    /// A box around nothing: it overlaps none, and joined with another is the other.
    pub(crate) const NOTHING: Self = Self { min: [f64::INFINITY; 3], max: [f64::NEG_INFINITY; 3] };

    /// The box around both.
    #[inline]
    pub fn joined(&self, other: &Self) -> Self {
        // not `f64::min`: a comparison is one instruction, and there is no NaN to be told apart
        let least = |a: f64, b: f64| if a < b { a } else { b };
        let most = |a: f64, b: f64| if a > b { a } else { b };
        Self {
            min: std::array::from_fn(|k| least(self.min[k], other.min[k])),
            max: std::array::from_fn(|k| most(self.max[k], other.max[k])),
        }
    }

    /// The box with `margin` (m) more on every side.
    #[inline]
    pub fn grown(&self, margin: f64) -> Self {
        Self { min: self.min.map(|x| x - margin), max: self.max.map(|x| x + margin) }
    }

    /// Whether the boxes have a point in common; touching counts.
    #[inline]
    pub fn overlaps(&self, other: &Self) -> bool {
        // all six without a branch
        let within = |k: usize| (self.min[k] <= other.max[k]) & (other.min[k] <= self.max[k]);
        within(0) & within(1) & within(2)
    }

    /// Whether the other box is in this one.
    #[inline]
    pub fn holds(&self, other: &Self) -> bool {
        let within = |k: usize| (self.min[k] <= other.min[k]) & (other.max[k] <= self.max[k]);
        within(0) & within(1) & within(2)
    }

    /// Square of the distance of a point from the box, m^2; 0 inside.
    #[inline]
    pub fn square_outside(&self, point: [f64; 3]) -> f64 {
        let beyond = |k: usize| (self.min[k] - point[k]).max(point[k] - self.max[k]).max(0.0);
        (0..3).map(|k| beyond(k) * beyond(k)).sum()
    }
}
