//! Event logs that outlive their processes.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::Arc;

use vprotocol_pessimist::events::Words;

/// An event log that outlives its process.
pub(crate) struct Stored(pub(crate) Arc<Vec<AtomicU64>>);

impl Words for Stored {
    fn len(&self) -> usize {
        self.0.len()
    }

    fn load(&self, at: usize) -> u64 {
        self.0[at].load(Ordering::Relaxed)
    }

    fn store(&self, at: usize, word: u64) {
        self.0[at].store(word, Ordering::Relaxed);
    }
}
