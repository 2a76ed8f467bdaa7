//! The memory that the recorder writes into, as words.

use std::sync::atomic::{AtomicU64, Ordering};

use shm::Segment;
use trace::layout::Layout;

/// The shared memory, as words.
pub(crate) struct Memory {
    segment: Segment,
    /// Where its areas are.
    pub(crate) layout: Layout,
}

impl Memory {
    /// The words of a segment with this layout.
    pub(crate) fn new(segment: Segment, layout: Layout) -> Memory {
        Memory { segment, layout }
    }

    fn word(&self, at: usize) -> &AtomicU64 {
        self.segment.word(at * 8)
    }

    /// Returns a word.
    pub(crate) fn get(&self, at: usize) -> u64 {
        self.word(at).load(Ordering::Relaxed)
    }

    /// Stores a word. Only this process writes, behind the recorder's gate.
    pub(crate) fn set(&self, at: usize, value: u64) {
        self.word(at).store(value, Ordering::Relaxed);
    }

    /// Raises a number of entries: the entry below it is whole.
    pub(crate) fn publish(&self, at: usize, value: u64) {
        self.word(at).store(value, Ordering::Release);
    }

    /// Adds to a word.
    pub(crate) fn add(&self, at: usize, value: u64) {
        self.set(at, self.get(at).wrapping_add(value));
    }
}
