//! An allocator that knows the most memory that was in use at a time.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Hands everything to the system and counts the bytes.
pub struct PeakMemory {
    current: AtomicUsize,
    peak: AtomicUsize,
}

impl PeakMemory {
    pub const fn new() -> Self {
        Self { current: AtomicUsize::new(0), peak: AtomicUsize::new(0) }
    }

    fn grow(&self, bytes: usize) {
        let now = self.current.fetch_add(bytes, Ordering::Relaxed) + bytes;
        self.peak.fetch_max(now, Ordering::Relaxed);
    }

    fn shrink(&self, bytes: usize) {
        self.current.fetch_sub(bytes, Ordering::Relaxed);
    }

    /// What `work` gives, and the bytes it had in use at its worst on top of those before.
    pub fn during<T>(&self, work: impl FnOnce() -> T) -> (T, usize) {
        let before = self.current.load(Ordering::Relaxed);
        self.peak.store(before, Ordering::Relaxed);
        let result = work();
        (result, self.peak.load(Ordering::Relaxed) - before)
    }
}

// SAFETY: hands everything to the system's allocator; counting neither allocates nor unwinds.
unsafe impl GlobalAlloc for PeakMemory {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        self.grow(layout.size());
        // SAFETY: the caller's contract is the system allocator's.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        self.shrink(layout.size());
        // SAFETY: the caller's contract is the system allocator's.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // both are there while the bytes are copied
        self.grow(size);
        // SAFETY: the caller's contract is the system allocator's.
        let moved = unsafe { System.realloc(pointer, layout, size) };
        self.shrink(layout.size());
        moved
    }
}
