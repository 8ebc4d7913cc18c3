//! Parallel loops of a library that starts no threads: side by side in the pool that the caller is in, one after
//! another where there is none.
//!
//! rayon would start its global pool instead, with as many threads as the machine has, which nobody asked for and no
//! `--threads` reaches. Every loop of the workspace below the app goes through here; `clippy.toml` keeps it so.
//! What a loop computes does not depend on how it runs: items are given in advance, and so are the places of results.

use std::cell::Cell;

use rayon::iter::plumbing::{Producer, ProducerCallback};
use rayon::prelude::*;

thread_local! {
    /// Whether this thread is in [`without_nesting`].
    static CLOSED: Cell<bool> = const { Cell::new(false) };
}

/// Whether loops run in a pool.
///
/// # Panics
/// Inside [`without_nesting`], since whoever asks is about to start a loop.
fn is_pooled() -> bool {
    assert!(!CLOSED.get(), "a parallel loop inside a part that holds its thread's memory");
    rayon::current_thread_index().is_some()
}

/// How many threads a loop may run on.
pub fn thread_count() -> usize {
    // rayon's own answer outside of a pool is that of its global one, which it starts
    #[expect(clippy::disallowed_methods)]
    rayon::current_thread_index().map_or(1, |_| rayon::current_num_threads())
}

/// The number of this thread, below [`thread_count`].
pub fn thread_index() -> usize {
    rayon::current_thread_index().unwrap_or(0)
}

/// Calls `work` for every item.
#[expect(clippy::disallowed_methods)]
pub fn for_each<I: IndexedParallelIterator>(items: I, work: impl Fn(I::Item) + Sync) {
    // a single item is not worth a visit to the pool
    match is_pooled() && items.len() > 1 {
        true => items.for_each(&work),
        false => items.with_producer(Alone(work)),
    }
}

/// What `work` makes of every item, in their order.
#[expect(clippy::disallowed_methods)]
pub fn collect<I: IndexedParallelIterator, T: Send>(items: I, work: impl Fn(I::Item) -> T + Sync) -> Vec<T> {
    if is_pooled() && items.len() > 1 {
        return items.map(&work).collect();
    }
    let mut out = Vec::with_capacity(items.len());
    items.with_producer(Alone(|item| out.push(work(item))));
    out
}

/// Both results.
#[expect(clippy::disallowed_methods)]
pub fn join<A: Send, B: Send>(a: impl FnOnce() -> A + Send, b: impl FnOnce() -> B + Send) -> (A, B) {
    match is_pooled() {
        true => rayon::join(a, b),
        false => (a(), b()),
    }
}

/// Calls `work` once on every thread.
#[expect(clippy::disallowed_methods)]
pub fn on_every_thread(work: impl Fn() + Sync) {
    match is_pooled() {
        true => drop(rayon::broadcast(|_| work())),
        false => work(),
    }
}

/// Runs `work`, in which no parallel loop may start.
///
/// A thread that waits for a loop takes up other work meanwhile. Whoever keeps memory by the number of its thread would
/// then find another's in it; here it is a panic instead.
pub fn without_nesting<T>(work: impl FnOnce() -> T) -> T {
    let _guard = Reopen(CLOSED.replace(true));
    work()
}

/// Puts the flag back, also when `work` panics.
struct Reopen(bool);

impl Drop for Reopen {
    fn drop(&mut self) {
        CLOSED.set(self.0);
    }
}

/// Takes the items one after another.
struct Alone<F>(F);

impl<T, F: FnMut(T)> ProducerCallback<T> for Alone<F> {
    type Output = ();

    fn callback<P: Producer<Item = T>>(self, items: P) {
        items.into_iter().for_each(self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn in_pool<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
        rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(work)
    }

    fn squares() -> Vec<usize> {
        collect((0..1000).into_par_iter(), |i: usize| i * i)
    }

    #[test]
    fn results_are_the_same_alone_and_in_pools() {
        let alone = squares();
        assert_eq!(alone[31], 961);
        for threads in [1, 2, 8] {
            assert_eq!(in_pool(threads, squares), alone);
        }
    }

    #[test]
    fn outside_of_a_pool_everything_runs_on_this_thread() {
        let this = std::thread::current().id();
        let mut places = vec![None; 5000];
        for_each(places.par_iter_mut(), |place| *place = Some(std::thread::current().id()));
        assert!(places.iter().all(|place| *place == Some(this)));
        assert_eq!(join(|| std::thread::current().id(), || 2), (this, 2));
        assert_eq!((thread_count(), thread_index()), (1, 0));
        on_every_thread(|| assert_eq!(std::thread::current().id(), this));
        assert_eq!(in_pool(3, thread_count), 3);
    }

    #[test]
    fn loops_inside_a_closed_part_are_refused() {
        for threads in [1, 2] {
            let nested = || without_nesting(|| for_each((0..4).into_par_iter(), |_| ()));
            let caught = in_pool(threads, || std::panic::catch_unwind(nested).is_err());
            assert!(caught);
            // the flag is put back
            in_pool(threads, || for_each((0..4).into_par_iter(), |_| ()));
        }
    }
}
