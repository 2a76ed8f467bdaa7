//! The memory that the recorder writes into, as words.

use std::sync::atomic::{AtomicU64, Ordering};

use shm::Segment;
use trace::layout::{Layout, HEADER_WORDS};

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

    /// The words of the header, by the names of [`trace::layout::header`].
    #[inline(always)]
    pub(crate) fn header(&self) -> Words<'_, HEADER_WORDS> {
        self.words(0)
    }

    /// The `N` words from one on. What a call touches is reached by one comparison for each entry
    /// of a table, not for each word.
    #[inline(always)]
    pub(crate) fn words<const N: usize>(&self, at: usize) -> Words<'_, N> {
        Words(self.segment.words(at * 8))
    }

    /// Stores a word. Only this process writes, behind the recorder's gate.
    pub(crate) fn set(&self, at: usize, value: u64) {
        self.words::<1>(at).set(0, value);
    }
}

/// Words of the memory. Only this process writes them, behind the recorder's gate.
#[derive(Clone, Copy)]
pub(crate) struct Words<'a, const N: usize>(&'a [AtomicU64; N]);

impl<const N: usize> Words<'_, N> {
    /// Returns a word.
    #[inline(always)]
    pub(crate) fn get(&self, at: usize) -> u64 {
        self.0[at].load(Ordering::Relaxed)
    }

    /// Returns all.
    pub(crate) fn all(&self) -> [u64; N] {
        std::array::from_fn(|at| self.get(at))
    }

    /// Stores a word.
    #[inline(always)]
    pub(crate) fn set(&self, at: usize, value: u64) {
        self.0[at].store(value, Ordering::Relaxed);
    }

    /// Stores all.
    #[inline(always)]
    pub(crate) fn fill(&self, values: &[u64; N]) {
        for (word, value) in self.0.iter().zip(values) {
            word.store(*value, Ordering::Relaxed);
        }
    }

    /// Raises a number of entries: the entry below it is whole.
    #[inline(always)]
    pub(crate) fn publish(&self, at: usize, value: u64) {
        self.0[at].store(value, Ordering::Release);
    }

    /// Adds to a word.
    #[inline(always)]
    pub(crate) fn add(&self, at: usize, value: u64) {
        self.set(at, self.get(at).wrapping_add(value));
    }
}
