//! Boxes in lanes: one in four lanes along the axes, or four in a lane each.
//!
//! Whether boxes overlap is a coin toss that no processor foresees: six comparisons in two instructions and a
//! mask instead of a branch each.

use pliant_numerics::F64x4;

use crate::bounds::Bounds;
use crate::vector::Vec3;

/// Boxes of a leaf.
pub(super) const LEAF: usize = 4;

/// A box with x, y, z in the first three lanes. The last is zero below and the sum of the sides above, which
/// are in order for every box but that around nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct LaneBox {
    low: F64x4,
    high: F64x4,
}

impl LaneBox {
    /// Around nothing.
    pub fn nothing() -> Self {
        Self { low: F64x4::splat(f64::INFINITY), high: F64x4::splat(f64::NEG_INFINITY) }
    }

    fn new(low: F64x4, high: F64x4) -> Self {
        let ([x, y, z, _], [x1, y1, z1, _]) = (low.to_array(), high.to_array());
        let girth = (x1 - x) + (y1 - y) + (z1 - z);
        Self { low: F64x4::new([x, y, z, 0.0]), high: F64x4::new([x1, y1, z1, girth]) }
    }

    pub fn bounds(&self) -> Bounds {
        let ([x, y, z, _], [x1, y1, z1, _]) = (self.low.to_array(), self.high.to_array());
        Bounds { min: [x, y, z], max: [x1, y1, z1] }
    }

    /// The box around both.
    #[inline]
    pub fn joined(&self, other: &Self) -> Self {
        Self::new(self.low.fast_min(other.low), self.high.fast_max(other.high))
    }

    /// Whether they have a point in common.
    #[inline]
    pub fn overlaps(&self, other: &Self) -> bool {
        (self.low.simd_le(other.high) & other.low.simd_le(self.high)).to_bitmask() == 0b1111
    }

    /// Sum of the sides, m.
    #[inline]
    pub fn girth(&self) -> f64 {
        self.high.to_array()[3]
    }

    /// Square of the distance of a point, m^2; 0 inside.
    #[inline]
    pub fn square_outside(&self, [x, y, z]: Vec3) -> f64 {
        let point = F64x4::new([x, y, z, 0.0]);
        let beyond = (self.low - point).fast_max(point - self.high).fast_max(F64x4::ZERO);
        let [x, y, z, _] = (beyond * beyond).to_array();
        x + y + z
    }
}

impl From<&Bounds> for LaneBox {
    fn from(bounds: &Bounds) -> Self {
        let lanes = |[x, y, z]: Vec3| F64x4::new([x, y, z, 0.0]);
        Self::new(lanes(bounds.min), lanes(bounds.max))
    }
}

/// Up to four boxes, a lane each; lanes without one are around nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct LeafBoxes {
    low: [F64x4; 3],
    high: [F64x4; 3],
}

impl LeafBoxes {
    /// Without boxes.
    pub fn nothing() -> Self {
        Self { low: [F64x4::splat(f64::INFINITY); 3], high: [F64x4::splat(f64::NEG_INFINITY); 3] }
    }

    /// Of so many, at most four.
    pub fn of<'a>(boxes: impl Iterator<Item = &'a Bounds>) -> Self {
        let (mut low, mut high) = ([[f64::INFINITY; LEAF]; 3], [[f64::NEG_INFINITY; LEAF]; 3]);
        for (lane, bounds) in boxes.enumerate() {
            for k in 0..3 {
                low[k][lane] = bounds.min[k];
                high[k][lane] = bounds.max[k];
            }
        }
        Self { low: low.map(F64x4::new), high: high.map(F64x4::new) }
    }

    /// The box around all.
    pub fn joined(&self) -> LaneBox {
        let least = |lanes: F64x4| lanes.to_array().into_iter().fold(f64::INFINITY, f64::min);
        let most = |lanes: F64x4| lanes.to_array().into_iter().fold(f64::NEG_INFINITY, f64::max);
        LaneBox::from(&Bounds { min: self.low.map(least), max: self.high.map(most) })
    }

    /// A bit for each lane whose box overlaps that in a lane of the others.
    #[inline]
    pub fn overlapping(&self, others: &Self, lane: usize) -> u32 {
        let splat = |lanes: &F64x4| F64x4::splat(lanes.as_array()[lane]);
        let along = |k: usize| {
            self.low[k].simd_le(splat(&others.high[k])) & splat(&others.low[k]).simd_le(self.high[k])
        };
        (along(0) & along(1) & along(2)).to_bitmask()
    }

    /// Squares of the distances of a point from the boxes, m^2.
    #[inline]
    pub fn squares_outside(&self, point: Vec3) -> [f64; LEAF] {
        let beyond = |k: usize| {
            let p = F64x4::splat(point[k]);
            (self.low[k] - p).fast_max(p - self.high[k]).fast_max(F64x4::ZERO)
        };
        let [x, y, z] = [beyond(0), beyond(1), beyond(2)];
        (x * x + y * y + z * z).to_array()
    }
}
