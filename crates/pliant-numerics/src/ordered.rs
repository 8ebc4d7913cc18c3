//! Sums whose bits do not depend on the number of threads.
//!
//! A vector is cut into chunks of [`CHUNK`] entries, whatever the thread count; each chunk is
//! summed in order, then the chunks' sums in order.

use std::ops::Range;

use rayon::prelude::*;

use crate::parallel;

/// Entries a chunk: large enough to hide the fork, divisible by 3 and 4.
pub const CHUNK: usize = 12 * 1024;

/// The chunk sums of a vector up to this many chunks live on the stack, so that nothing is allocated.
const STACK_CHUNKS: usize = 512;

/// Chunks that one thread adds up at the same time.
const ABREAST: usize = 4;

/// The sum of `chunk_sum(first, last)` over the chunks of `0..length`.
pub fn sum(length: usize, chunk_sum: impl Fn(usize, usize) -> f64 + Sync) -> f64 {
    let mut total = 0.0;
    let mut start = 0;
    while start < length {
        let end = length.min(start + STACK_CHUNKS * CHUNK);
        let chunk_count = (end - start).div_ceil(CHUNK);
        let mut sums = [0.0; STACK_CHUNKS];
        let part = |(i, out): (usize, &mut f64)| {
            let first = start + i * CHUNK;
            *out = chunk_sum(first, end.min(first + CHUNK));
        };
        parallel::for_each(sums[..chunk_count].par_iter_mut().enumerate(), part);
        total += sums[..chunk_count].iter().sum::<f64>();
        start = end;
    }
    total
}

/// The scalar product of two vectors of equal length.
pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    debug_assert_eq!(a.len(), b.len());
    if parallel::thread_count() == 1 {
        return dot_alone(a, b);
    }
    sum(a.len(), |first, last| a[first..last].iter().zip(&b[first..last]).map(|(x, y)| x * y).sum())
}

/// [`dot`] on one thread: each addition waits for the one before, so several chunks are added up abreast, each in its order.
fn dot_alone(a: &[f64], b: &[f64]) -> f64 {
    let mut total = 0.0;
    for (a, b) in a.chunks(STACK_CHUNKS * CHUNK).zip(b.chunks(STACK_CHUNKS * CHUNK)) {
        let groups = a.chunks(ABREAST * CHUNK).zip(b.chunks(ABREAST * CHUNK));
        total += groups.flat_map(|(a, b)| chunk_dots(a, b)).sum::<f64>();
    }
    total
}

/// The scalar products of a few chunks, of which only the last may be short; zero where there is none.
fn chunk_dots(a: &[f64], b: &[f64]) -> [f64; ABREAST] {
    let mut sums = [0.0; ABREAST];
    let count = a.len().div_ceil(CHUNK);
    let short = a.len() - (count - 1) * CHUNK;
    for (count, entries) in [(count, 0..short), (count - 1, short..CHUNK)] {
        match count {
            4 => add_abreast::<4>(a, b, entries, &mut sums),
            3 => add_abreast::<3>(a, b, entries, &mut sums),
            2 => add_abreast::<2>(a, b, entries, &mut sums),
            1 => add_abreast::<1>(a, b, entries, &mut sums),
            _ => {}
        }
    }
    sums
}

/// Adds the products of some entries of each of the first `N` chunks to their sums.
#[inline(always)]
fn add_abreast<const N: usize>(a: &[f64], b: &[f64], entries: Range<usize>, sums: &mut [f64; ABREAST]) {
    let a: [&[f64]; N] = std::array::from_fn(|i| &a[i * CHUNK..][entries.clone()]);
    let b: [&[f64]; N] = std::array::from_fn(|i| &b[i * CHUNK..][entries.clone()]);
    let mut own: [f64; N] = std::array::from_fn(|i| sums[i]);
    for j in 0..entries.len() {
        (0..N).for_each(|i| own[i] += a[i][j] * b[i][j]);
    }
    sums[..N].copy_from_slice(&own);
}

/// Calls `body(first, last)` for fixed chunks of `0..length`, side by side when there are several.
pub fn for_each_chunk(length: usize, body: impl Fn(usize, usize) + Sync) {
    let chunk_count = length.div_ceil(CHUNK);
    if chunk_count <= 1 {
        body(0, length);
    } else {
        let chunks = (0..chunk_count).into_par_iter();
        parallel::for_each(chunks, |i| body(i * CHUNK, length.min((i + 1) * CHUNK)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_have_the_same_bits_for_any_thread_count() {
        // no chunk, a part of one, whole ones, and more than one stack of them
        let chunk = CHUNK as u32;
        for length in [0, 1, chunk, 2 * chunk + 5, 3 * chunk, 4 * chunk, 200_000, 513 * chunk + 7] {
            let a: Vec<f64> = (0..length).map(|i| (f64::from(i) * 0.7).sin()).collect();
            let sums = [1, 2, 8].map(|threads| {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                pool.install(|| dot(&a, &a)).to_bits()
            });
            assert!(sums.iter().all(|s| *s == sums[0]), "{length}");
            let plain: f64 = a.iter().map(|x| x * x).sum();
            assert!((f64::from_bits(sums[0]) - plain).abs() <= 1e-9 * plain, "{length}");
        }
    }

    #[test]
    fn chunks_cover_everything_once() {
        let seen = std::sync::atomic::AtomicUsize::new(0);
        for_each_chunk(5 * CHUNK + 7, |first, last| {
            seen.fetch_add(last - first, std::sync::atomic::Ordering::Relaxed);
        });
        assert_eq!(seen.into_inner(), 5 * CHUNK + 7);
    }
}
