//! Writing to one slice from several threads at places that never coincide.

use std::marker::PhantomData;

/// A mutable slice that several threads may write to, each at its own places.
///
/// Private force buffers are summed by owners whose nodes are scattered over the vector, which no
/// `split_at_mut` can express.
pub struct DisjointMut<'a, T> {
    start: *mut T,
    length: usize,
    slice: PhantomData<&'a mut [T]>,
}

// SAFETY: access goes through `get_mut`, whose contract forbids two threads at one place.
unsafe impl<T: Send> Sync for DisjointMut<'_, T> {}
// SAFETY: as above.
unsafe impl<T: Send> Send for DisjointMut<'_, T> {}

impl<'a, T> DisjointMut<'a, T> {
    /// Borrows the slice until the value is dropped.
    pub fn new(slice: &'a mut [T]) -> Self {
        Self { start: slice.as_mut_ptr(), length: slice.len(), slice: PhantomData }
    }

    /// `count` elements from `first` on.
    ///
    /// # Safety
    /// While the result lives nobody else reads or writes these elements, and `first + count` is
    /// at most the length.
    #[inline(always)]
    #[allow(clippy::mut_from_ref)] // the point of the type; the contract above makes it sound
    pub unsafe fn get_mut(&self, first: usize, count: usize) -> &mut [T] {
        debug_assert!(first + count <= self.length);
        // SAFETY: in range and unshared, by the contract.
        unsafe { std::slice::from_raw_parts_mut(self.start.add(first), count) }
    }
}
