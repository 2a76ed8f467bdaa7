//! Counts of the announcements of a communicator.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::Arc;

/// Announcements that were made on a communicator.
#[derive(Default)]
pub(crate) struct Announcements {
    pub(crate) made: AtomicU64,
    /// How many others have not answered yet.
    pub(crate) under_way: Arc<AtomicUsize>,
}

/// An announcement that others have not answered yet.
pub(crate) struct UnderWay(Arc<AtomicUsize>);

impl UnderWay {
    pub(crate) fn new(all: Arc<AtomicUsize>) -> UnderWay {
        all.fetch_add(1, Relaxed);
        UnderWay(all)
    }
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Relaxed);
    }
}
