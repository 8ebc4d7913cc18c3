//! Rows of padded points to lanes of coordinates, and back, in registers.
//!
//! The kernels spend as many instructions on these shuffles as on arithmetic, so they are written for AVX by hand:
//! rows that meet while they are loaded save half of the shuffles of a plain transpose. The fourth
//! number of a row is padding and may hold anything.

#[cfg(all(target_arch = "x86_64", target_feature = "avx"))]
pub(crate) use avx::{add_points_f32, add_points_f64, load_points_f32, load_points_f64};
#[cfg(not(all(target_arch = "x86_64", target_feature = "avx")))]
pub(crate) use plain::{add_points_f32, add_points_f64, load_points_f32, load_points_f64};

#[cfg(all(target_arch = "x86_64", target_feature = "avx"))]
mod avx {
    use std::arch::x86_64::{
        __m256, __m256d, _mm_add_ps, _mm_load_pd, _mm_load_ps, _mm_store_ps, _mm256_add_pd,
        _mm256_castpd128_pd256, _mm256_castpd256_pd128, _mm256_castps128_ps256, _mm256_castps256_ps128,
        _mm256_extractf128_ps, _mm256_insertf128_pd, _mm256_insertf128_ps, _mm256_load_pd, _mm256_permute_pd,
        _mm256_permute2f128_pd, _mm256_shuffle_ps, _mm256_store_pd, _mm256_unpackhi_pd, _mm256_unpackhi_ps,
        _mm256_unpacklo_pd, _mm256_unpacklo_ps,
    };

    use wide::{f32x4, f32x8, f64x4};

    /// x, y and z of four rows.
    ///
    /// # Safety
    /// Every pointer is to a row that can be read.
    #[inline(always)]
    pub unsafe fn load_points_f64(rows: [*const f64x4; 4]) -> [f64x4; 3] {
        // SAFETY: AVX is statically enabled; a row is 32 aligned bytes, so that its halves are aligned too.
        unsafe {
            let [a, b, c, d] = rows.map(|row| row.cast::<f64>());
            let pair = |low: *const f64, high: *const f64| {
                _mm256_insertf128_pd::<1>(_mm256_castpd128_pd256(_mm_load_pd(low)), _mm_load_pd(high))
            };
            let (ac_xy, bd_xy) = (pair(a, c), pair(b, d));
            let (ac_zw, bd_zw) = (pair(a.add(2), c.add(2)), pair(b.add(2), d.add(2)));
            std::mem::transmute::<[__m256d; 3], [f64x4; 3]>([
                _mm256_unpacklo_pd(ac_xy, bd_xy),
                _mm256_unpackhi_pd(ac_xy, bd_xy),
                _mm256_unpacklo_pd(ac_zw, bd_zw),
            ])
        }
    }

    /// Adds x, y and z to four rows, one after another.
    ///
    /// # Safety
    /// Every pointer is to a row that can be written; the same row may come twice.
    #[inline(always)]
    pub unsafe fn add_points_f64(rows: [*mut f64x4; 4], points: [f64x4; 3]) {
        // SAFETY: as above.
        unsafe {
            let [x, y, z] = std::mem::transmute::<[f64x4; 3], [__m256d; 3]>(points);
            let (xy_ac, xy_bd) = (_mm256_unpacklo_pd(x, y), _mm256_unpackhi_pd(x, y));
            let z_bd = _mm256_permute_pd::<0b0101>(z);
            let sums = [
                _mm256_insertf128_pd::<1>(xy_ac, _mm256_castpd256_pd128(z)),
                _mm256_insertf128_pd::<1>(xy_bd, _mm256_castpd256_pd128(z_bd)),
                _mm256_permute2f128_pd::<0x31>(xy_ac, z),
                _mm256_permute2f128_pd::<0x31>(xy_bd, z_bd),
            ];
            for (row, sum) in rows.into_iter().zip(sums) {
                let row = row.cast::<f64>();
                _mm256_store_pd(row, _mm256_add_pd(_mm256_load_pd(row), sum));
            }
        }
    }

    /// x, y and z of eight rows.
    ///
    /// # Safety
    /// As [`load_points_f64`].
    #[inline(always)]
    pub unsafe fn load_points_f32(rows: [*const f32x4; 8]) -> [f32x8; 3] {
        // SAFETY: AVX is statically enabled; a row is 16 aligned bytes.
        unsafe {
            let pair = |i: usize| {
                let half = |i: usize| _mm_load_ps(rows[i].cast::<f32>());
                _mm256_insertf128_ps::<1>(_mm256_castps128_ps256(half(i)), half(i + 4))
            };
            // rows i and i + 4 side by side, then two 4x4 transposes at once
            let [a, b, c, d] = [pair(0), pair(1), pair(2), pair(3)];
            let (ab_xy, cd_xy) = (_mm256_unpacklo_ps(a, b), _mm256_unpacklo_ps(c, d));
            let (ab_zw, cd_zw) = (_mm256_unpackhi_ps(a, b), _mm256_unpackhi_ps(c, d));
            std::mem::transmute::<[__m256; 3], [f32x8; 3]>([
                _mm256_shuffle_ps::<0b01_00_01_00>(ab_xy, cd_xy),
                _mm256_shuffle_ps::<0b11_10_11_10>(ab_xy, cd_xy),
                _mm256_shuffle_ps::<0b01_00_01_00>(ab_zw, cd_zw),
            ])
        }
    }

    /// Adds x, y and z to eight rows, one after another.
    ///
    /// # Safety
    /// As [`add_points_f64`].
    #[inline(always)]
    pub unsafe fn add_points_f32(rows: [*mut f32x4; 8], points: [f32x8; 3]) {
        // SAFETY: as above.
        unsafe {
            let [x, y, z] = std::mem::transmute::<[f32x8; 3], [__m256; 3]>(points);
            let (ab, cd) = (_mm256_unpacklo_ps(x, y), _mm256_unpackhi_ps(x, y));
            let sums = [
                _mm256_shuffle_ps::<0b00_00_01_00>(ab, z),
                _mm256_shuffle_ps::<0b01_01_11_10>(ab, z),
                _mm256_shuffle_ps::<0b10_10_01_00>(cd, z),
                _mm256_shuffle_ps::<0b11_11_11_10>(cd, z),
            ];
            for half in 0..2 {
                for (i, sum) in sums.into_iter().enumerate() {
                    let row = rows[4 * half + i].cast::<f32>();
                    let low = _mm256_castps256_ps128(sum);
                    let sum = if half == 0 { low } else { _mm256_extractf128_ps::<1>(sum) };
                    _mm_store_ps(row, _mm_add_ps(_mm_load_ps(row), sum));
                }
            }
        }
    }
}

#[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "avx"))))]
#[cfg_attr(test, allow(dead_code))]
mod plain {
    use wide::{f32x4, f32x8, f64x4};

    /// See the vector version.
    ///
    /// # Safety
    /// Every pointer is to a row that can be read.
    pub unsafe fn load_points_f64(rows: [*const f64x4; 4]) -> [f64x4; 3] {
        // SAFETY: the caller's promise.
        let points = rows.map(|row| unsafe { *row }.to_array());
        std::array::from_fn(|c| f64x4::from(points.map(|p| p[c])))
    }

    /// See the vector version.
    ///
    /// # Safety
    /// Every pointer is to a row that can be written.
    pub unsafe fn add_points_f64(rows: [*mut f64x4; 4], points: [f64x4; 3]) {
        let [x, y, z] = points.map(|p| p.to_array());
        for (i, row) in rows.into_iter().enumerate() {
            // SAFETY: the caller's promise.
            unsafe { *row += f64x4::from([x[i], y[i], z[i], 0.0]) };
        }
    }

    /// See the vector version.
    ///
    /// # Safety
    /// Every pointer is to a row that can be read.
    pub unsafe fn load_points_f32(rows: [*const f32x4; 8]) -> [f32x8; 3] {
        // SAFETY: the caller's promise.
        let points = rows.map(|row| unsafe { *row }.to_array());
        std::array::from_fn(|c| f32x8::from(points.map(|p| p[c])))
    }

    /// See the vector version.
    ///
    /// # Safety
    /// Every pointer is to a row that can be written.
    pub unsafe fn add_points_f32(rows: [*mut f32x4; 8], points: [f32x8; 3]) {
        let [x, y, z] = points.map(|p| p.to_array());
        for (i, row) in rows.into_iter().enumerate() {
            // SAFETY: the caller's promise.
            unsafe { *row += f32x4::from([x[i], y[i], z[i], 0.0]) };
        }
    }
}

#[cfg(test)]
mod tests {
    use wide::{f32x4, f32x8, f64x4};

    use super::*;

    #[test]
    fn points_of_doubles_are_those_of_plain_code() {
        let rows: [f64x4; 4] =
            std::array::from_fn(|r| f64x4::from([0.0, 1.0, 2.0, 9.0].map(|c| c + 10.0 * r as f64)));
        let pointers = rows.each_ref().map(std::ptr::from_ref);
        // SAFETY: all rows are alive
        let (ours, expected) = unsafe { (load_points_f64(pointers), plain::load_points_f64(pointers)) };
        assert_eq!(ours, expected);
        let (mut once, mut again) = (rows, rows);
        // rows 0 and 3 are the same
        let twice = |rows: &mut [f64x4; 4]| {
            let first = rows.as_mut_ptr();
            // SAFETY: in range
            [0, 1, 2, 0].map(|i| unsafe { first.add(i) })
        };
        // SAFETY: all rows are alive
        unsafe {
            add_points_f64(twice(&mut once), ours);
            plain::add_points_f64(twice(&mut again), ours);
        }
        let xyz = |rows: [f64x4; 4]| {
            rows.map(|r| {
                let [x, y, z, _] = r.to_array();
                [x, y, z]
            })
        };
        assert_eq!(xyz(once), xyz(again));
        assert_eq!(xyz(once)[0], [30.0, 33.0, 36.0]); // row 0 + point 0 + point 3
    }

    #[test]
    fn points_of_floats_are_those_of_plain_code() {
        let rows: [f32x4; 8] =
            std::array::from_fn(|r| f32x4::from([0.0, 1.0, 2.0, 9.0].map(|c| c + 10.0 * r as f32)));
        let pointers = rows.each_ref().map(std::ptr::from_ref);
        // SAFETY: all rows are alive
        let (ours, expected): ([f32x8; 3], _) =
            unsafe { (load_points_f32(pointers), plain::load_points_f32(pointers)) };
        assert_eq!(ours, expected);
        let (mut once, mut again) = (rows, rows);
        let twice = |rows: &mut [f32x4; 8]| {
            let first = rows.as_mut_ptr();
            // SAFETY: in range
            [0, 1, 2, 0, 4, 5, 6, 0].map(|i| unsafe { first.add(i) })
        };
        // SAFETY: all rows are alive
        unsafe {
            add_points_f32(twice(&mut once), ours);
            plain::add_points_f32(twice(&mut again), ours);
        }
        let xyz = |rows: [f32x4; 8]| {
            rows.map(|r| {
                let [x, y, z, _] = r.to_array();
                [x, y, z]
            })
        };
        assert_eq!(xyz(once), xyz(again));
        assert_eq!(xyz(once)[0], [100.0, 104.0, 108.0]); // row 0 + points 0, 3 and 7
    }
}
