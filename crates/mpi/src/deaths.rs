//! [`Deaths`]: what the launcher reports of the deaths of peers.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Reports of the launcher about deaths of peers.
pub(crate) struct Deaths {
    are_reported: AtomicBool,
    has_reported: AtomicBool,
}

impl Deaths {
    /// Returns the state before any report; `are_reported` says whether the launcher reports any.
    pub(crate) fn new(are_reported: bool) -> Deaths {
        Deaths {
            are_reported: AtomicBool::new(are_reported),
            has_reported: AtomicBool::new(false),
        }
    }

    /// Whether the launcher reports deaths of peers.
    pub(crate) fn are_reported(&self) -> bool {
        self.are_reported.load(Relaxed)
    }

    /// Whether the launcher has reported at least one death, so that the job survives deaths.
    pub(crate) fn has_reported(&self) -> bool {
        self.has_reported.load(Relaxed)
    }

    /// Notes that the launcher reports deaths from now on.
    pub(crate) fn expect(&self) {
        self.are_reported.store(true, Relaxed);
    }

    /// Notes that the launcher has reported a death.
    pub(crate) fn reported(&self) {
        self.has_reported.store(true, Relaxed);
    }
}
