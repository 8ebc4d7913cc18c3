//! Sums whose bits do not depend on the number of threads.
//!
//! A vector is cut into chunks of [`CHUNK`] entries, whatever the thread count; each chunk is
//! summed in order, then the chunks' sums in order.

use rayon::prelude::*;

/// Entries a chunk: large enough to hide the fork, divisible by 3 and 4.
pub const CHUNK: usize = 12 * 1024;

/// The chunk sums of a vector up to this many chunks live on the stack, so that nothing is allocated.
const STACK_CHUNKS: usize = 512;

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
        if chunk_count == 1 {
            part((0, &mut sums[0]));
        } else {
            sums[..chunk_count].par_iter_mut().enumerate().for_each(part);
        }
        total += sums[..chunk_count].iter().sum::<f64>();
        start = end;
    }
    total
}

/// The scalar product of two vectors of equal length.
pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    debug_assert_eq!(a.len(), b.len());
    sum(a.len(), |first, last| a[first..last].iter().zip(&b[first..last]).map(|(x, y)| x * y).sum())
}

/// Calls `body(first, last)` for fixed chunks of `0..length`, side by side when there are several.
pub fn for_each_chunk(length: usize, body: impl Fn(usize, usize) + Sync) {
    let chunk_count = length.div_ceil(CHUNK);
    if chunk_count <= 1 {
        body(0, length);
    } else {
        (0..chunk_count).into_par_iter().for_each(|i| body(i * CHUNK, length.min((i + 1) * CHUNK)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_have_the_same_bits_for_any_thread_count() {
        let a: Vec<f64> = (0..200_000).map(|i| (f64::from(i) * 0.7).sin()).collect();
        let sums = [1, 2, 8].map(|threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| dot(&a, &a)).to_bits()
        });
        assert!(sums.iter().all(|s| *s == sums[0]));
        let plain: f64 = a.iter().map(|x| x * x).sum();
        assert!((f64::from_bits(sums[0]) - plain).abs() < 1e-9 * plain);
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
