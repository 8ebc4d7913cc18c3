//! Rows of padded points to lanes of coordinates, and back, in registers.

use wide::{f32x4, f64x4};

/// Transposes four rows of four doubles.
#[inline(always)]
pub(crate) fn transpose_f64(rows: [f64x4; 4]) -> [f64x4; 4] {
    #[cfg(all(target_arch = "x86_64", target_feature = "avx"))]
    {
        use std::arch::x86_64::{__m256d, _mm256_permute2f128_pd, _mm256_unpackhi_pd, _mm256_unpacklo_pd};
        // SAFETY: AVX is statically enabled; f64x4 and __m256d are the same 32 bytes. `wide`'s own
        // transpose takes twice the shuffles, which is 1 ns a tetrahedron in the force kernel.
        unsafe {
            let [a, b, c, d] = std::mem::transmute::<[f64x4; 4], [__m256d; 4]>(rows);
            let ab_lo = _mm256_unpacklo_pd(a, b);
            let ab_hi = _mm256_unpackhi_pd(a, b);
            let cd_lo = _mm256_unpacklo_pd(c, d);
            let cd_hi = _mm256_unpackhi_pd(c, d);
            std::mem::transmute::<[__m256d; 4], [f64x4; 4]>([
                _mm256_permute2f128_pd::<0x20>(ab_lo, cd_lo),
                _mm256_permute2f128_pd::<0x20>(ab_hi, cd_hi),
                _mm256_permute2f128_pd::<0x31>(ab_lo, cd_lo),
                _mm256_permute2f128_pd::<0x31>(ab_hi, cd_hi),
            ])
        }
    }
    #[cfg(not(all(target_arch = "x86_64", target_feature = "avx")))]
    {
        f64x4::transpose(rows)
    }
}

/// Transposes four rows of four floats.
#[inline(always)]
pub(crate) fn transpose_f32(rows: [f32x4; 4]) -> [f32x4; 4] {
    f32x4::transpose(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn transpose_swaps_rows_and_columns() {
        let rows: [f64x4; 4] =
            std::array::from_fn(|r| f64x4::from(std::array::from_fn(|c| (10 * r + c) as f64)));
        let columns = transpose_f64(rows);
        for (c, column) in columns.iter().enumerate() {
            assert_eq!(column.to_array(), std::array::from_fn(|r| (10 * r + c) as f64));
        }
    }
}
