//! Counts of announcements: of each communicator, and of the process.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::Arc;

/// Announcements that were made on a communicator.
pub(crate) struct Announcements {
    pub(crate) made: AtomicU64,
    /// Number of announcements that others have not answered yet.
    pub(crate) under_way: Arc<AtomicUsize>,
    /// Number of those of all communicators of the process.
    of_all: Arc<AtomicUsize>,
}

/// An announcement that others have not answered yet.
pub(crate) struct UnderWay([Arc<AtomicUsize>; 2]);

impl Announcements {
    /// Returns the counts of a new communicator; `of_all` counts for the process.
    pub(crate) fn new(of_all: &Arc<AtomicUsize>) -> Announcements {
        Announcements {
            made: AtomicU64::new(0),
            under_way: Arc::default(),
            of_all: of_all.clone(),
        }
    }

    /// Counts an announcement as long as the result lives.
    pub(crate) fn begin(&self) -> UnderWay {
        let counts = [self.under_way.clone(), self.of_all.clone()];
        counts
            .iter()
            .for_each(|count| _ = count.fetch_add(1, Relaxed));
        UnderWay(counts)
    }
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        self.0
            .iter()
            .for_each(|count| _ = count.fetch_sub(1, Relaxed));
    }
}
