//! Lanes filled from memory: the SIMD vectors that the element kernels run on.

use wide::{f32x4, f32x8, f64x4};

use crate::Lane;
use crate::transpose::{add_points_f32, add_points_f64, load_points_f32, load_points_f64};

/// Four doubles.
pub type F64x4 = f64x4;
/// Eight floats.
pub type F32x8 = f32x8;

/// A [`Lane`] that stands for `WIDTH` elements and is gathered from rows of padded points.
///
/// A row holds the three components of a point and one unused, so that one load fetches it.
pub trait Pack: Lane {
    /// How many elements sit side by side.
    const WIDTH: usize;
    /// Whether a lane has so few digits that kernels must work on displacements instead of positions.
    const SHORT: bool;
    /// One padded point.
    type Row: Copy + Send + Sync + 'static;
    /// One row number per lane.
    type Index: Copy + Send + Sync + AsRef<[u16]> + AsMut<[u16]> + 'static;

    /// The row of a point, its padding zero.
    fn row(point: [f64; 3]) -> Self::Row;

    /// The point of a row.
    fn point(row: Self::Row) -> [f64; 3];

    /// All row numbers zero.
    fn zero_index() -> Self::Index;

    /// Lane `i` is `value(i)`.
    fn from_fn(value: impl FnMut(usize) -> f64) -> Self;

    /// The value in one lane.
    fn lane(self, i: usize) -> f64;

    /// The x, y and z of `WIDTH` points.
    ///
    /// # Safety
    /// Every number in `index` is below `rows.len()`.
    unsafe fn gather(rows: &[Self::Row], index: &Self::Index) -> [Self; 3];

    /// Adds `WIDTH` vectors to their rows, lane by lane, so that a repeated row is right too.
    ///
    /// # Safety
    /// Every number in `index` is below `rows.len()`.
    unsafe fn scatter_add(rows: &mut [Self::Row], index: &Self::Index, value: [Self; 3]);

    /// The sum over lanes, in lane order.
    #[inline]
    fn sum(self) -> f64 {
        (0..Self::WIDTH).map(|i| self.lane(i)).sum()
    }
}

impl Lane for f64x4 {
    const EPSILON: f64 = f64::EPSILON;

    #[inline(always)]
    fn splat(value: f64) -> Self {
        f64x4::splat(value)
    }

    #[inline(always)]
    fn mul_add(self, factor: Self, term: Self) -> Self {
        f64x4::mul_add(self, factor, term)
    }

    #[inline(always)]
    fn ln(self) -> Self {
        f64x4::ln(self)
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        f64x4::sqrt(self)
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        f64x4::max(self, other)
    }

    #[inline(always)]
    fn less_select(self, other: Self, then: Self, otherwise: Self) -> Self {
        self.simd_lt(other).select(then, otherwise)
    }

    #[inline(always)]
    fn any_less(self, other: Self) -> bool {
        !self.simd_ge(other).all()
    }
}

impl Pack for f64x4 {
    const WIDTH: usize = 4;
    const SHORT: bool = false;
    type Row = f64x4;
    type Index = [u16; 4];

    #[inline(always)]
    fn row([x, y, z]: [f64; 3]) -> Self::Row {
        f64x4::from([x, y, z, 0.0])
    }

    #[inline(always)]
    fn point(row: Self::Row) -> [f64; 3] {
        let [x, y, z, _] = row.to_array();
        [x, y, z]
    }

    fn zero_index() -> Self::Index {
        [0; 4]
    }

    #[inline]
    fn from_fn(value: impl FnMut(usize) -> f64) -> Self {
        f64x4::from(std::array::from_fn(value))
    }

    #[inline(always)]
    fn lane(self, i: usize) -> f64 {
        self.to_array()[i]
    }

    #[inline(always)]
    unsafe fn gather(rows: &[Self::Row], index: &Self::Index) -> [Self; 3] {
        let first = rows.as_ptr();
        // SAFETY: the caller promises that every index is in range; the bounds checks would cost
        // more than the arithmetic between them.
        unsafe { load_points_f64(index.map(|i| first.add(usize::from(i)))) }
    }

    #[inline(always)]
    unsafe fn scatter_add(rows: &mut [Self::Row], index: &Self::Index, value: [Self; 3]) {
        let first = rows.as_mut_ptr();
        // SAFETY: as in `gather`.
        unsafe { add_points_f64(index.map(|i| first.add(usize::from(i))), value) }
    }
}

impl Lane for f32x8 {
    const EPSILON: f64 = f32::EPSILON as f64;

    #[inline(always)]
    fn splat(value: f64) -> Self {
        f32x8::splat(value as f32)
    }

    #[inline(always)]
    fn mul_add(self, factor: Self, term: Self) -> Self {
        f32x8::mul_add(self, factor, term)
    }

    #[inline(always)]
    fn ln(self) -> Self {
        f32x8::ln(self)
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        f32x8::sqrt(self)
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        f32x8::max(self, other)
    }

    #[inline(always)]
    fn less_select(self, other: Self, then: Self, otherwise: Self) -> Self {
        self.simd_lt(other).select(then, otherwise)
    }

    #[inline(always)]
    fn any_less(self, other: Self) -> bool {
        !self.simd_ge(other).all()
    }
}

impl Pack for f32x8 {
    const WIDTH: usize = 8;
    const SHORT: bool = true;
    type Row = f32x4;
    type Index = [u16; 8];

    #[inline(always)]
    fn row([x, y, z]: [f64; 3]) -> Self::Row {
        f32x4::from([x as f32, y as f32, z as f32, 0.0])
    }

    #[inline(always)]
    fn point(row: Self::Row) -> [f64; 3] {
        let [x, y, z, _] = row.to_array();
        [f64::from(x), f64::from(y), f64::from(z)]
    }

    fn zero_index() -> Self::Index {
        [0; 8]
    }

    #[inline]
    fn from_fn(mut value: impl FnMut(usize) -> f64) -> Self {
        f32x8::from(std::array::from_fn(|i| value(i) as f32))
    }

    #[inline(always)]
    fn lane(self, i: usize) -> f64 {
        f64::from(self.to_array()[i])
    }

    #[inline(always)]
    unsafe fn gather(rows: &[Self::Row], index: &Self::Index) -> [Self; 3] {
        let first = rows.as_ptr();
        // SAFETY: the caller promises that every index is in range.
        unsafe { load_points_f32(index.map(|i| first.add(usize::from(i)))) }
    }

    #[inline(always)]
    unsafe fn scatter_add(rows: &mut [Self::Row], index: &Self::Index, value: [Self; 3]) {
        let first = rows.as_mut_ptr();
        // SAFETY: as in `gather`.
        unsafe { add_points_f32(index.map(|i| first.add(usize::from(i))), value) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gather_then_scatter_doubles_rows<P: Pack>() {
        let mut rows: Vec<P::Row> =
            (0..20).map(|i| P::row([i as f64, 0.5 * i as f64, -(i as f64)])).collect();
        let mut index = P::zero_index();
        for (lane, slot) in index.as_mut().iter_mut().enumerate() {
            *slot = (19 - 2 * lane) as u16;
        }
        // SAFETY: all indices are below 20
        let value = unsafe { P::gather(&rows, &index) };
        for (lane, &i) in index.as_ref().iter().enumerate() {
            assert_eq!(value.map(|c| c.lane(lane)), P::point(rows[usize::from(i)]));
        }
        // SAFETY: as above
        unsafe { P::scatter_add(&mut rows, &index, value) };
        for (i, row) in rows.iter().enumerate() {
            let times = if index.as_ref().contains(&(i as u16)) { 2.0 } else { 1.0 };
            assert_eq!(P::point(*row), [times * i as f64, times * 0.5 * i as f64, -times * i as f64]);
        }
    }

    #[test]
    fn gather_and_scatter_are_inverse() {
        gather_then_scatter_doubles_rows::<F64x4>();
        gather_then_scatter_doubles_rows::<F32x8>();
    }

    #[test]
    fn repeated_rows_receive_every_lane() {
        let mut rows = vec![F64x4::row([0.0; 3]); 1];
        // SAFETY: index 0 is in range
        unsafe { F64x4::scatter_add(&mut rows, &[0; 4], [F64x4::splat(1.0); 3]) };
        assert_eq!(F64x4::point(rows[0]), [4.0; 3]);
    }
}
