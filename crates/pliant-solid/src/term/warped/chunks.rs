//! Fixed chunks of nodes, side by side where the caller has a pool: the same bits for any number of threads.

use pliant_numerics::parallel;
use rayon::prelude::*;

/// Nodes of a chunk; a multiple of the lanes.
pub const CHUNK: usize = 256;

/// How many chunks so many nodes make.
pub fn chunk_count(nodes: usize) -> usize {
    nodes.div_ceil(CHUNK)
}

/// Calls `work(first node, values of a chunk, its tally)` for every chunk.
pub fn each_chunk<T: Send, U: Send>(
    values: &mut [T],
    tallies: &mut [U],
    work: impl Fn(usize, &mut [T], &mut U) + Sync,
) {
    let one = |(chunk, (values, tally)): (usize, (&mut [T], &mut U))| work(chunk * CHUNK, values, tally);
    parallel::for_each(values.par_chunks_mut(CHUNK).zip(tallies).enumerate(), one);
}
