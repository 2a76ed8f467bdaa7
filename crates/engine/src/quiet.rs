//! The wait in which nothing happens, for the report of a stuck job.
//!
//! A wait falls quiet when it sleeps for the first time since something happened, and gets a number
//! then; it is quiet until something happens or it ends. Two equal numbers say that nothing has
//! happened in between.

use std::sync::atomic::{AtomicU64, Ordering};

use base::Instant;

/// Since when nothing happens in a wait. Written where a wait sleeps and where it goes on after
/// that; not on the path of a message that a process waits for awake.
#[derive(Default)]
pub(crate) struct Quiet {
    /// Number of quiet waits so far.
    number: AtomicU64,
    /// Since when, in nanoseconds of the engine's clock; 0: something happens.
    since: AtomicU64,
}

impl Quiet {
    /// Begins a quiet wait.
    pub(crate) fn begin(&self, now: Instant) {
        self.number.fetch_add(1, Ordering::Relaxed);
        self.since.store(now.0.max(1), Ordering::Relaxed);
    }

    /// Ends it, if there is one: something has happened.
    pub(crate) fn end(&self) {
        self.since.store(0, Ordering::Relaxed);
    }

    pub(crate) fn is_on(&self) -> bool {
        self.since.load(Ordering::Relaxed) != 0
    }

    /// Returns the number of the quiet wait, and since when it is quiet.
    pub(crate) fn now(&self) -> Option<(u64, Instant)> {
        let number = self.number.load(Ordering::Relaxed);
        match self.since.load(Ordering::Relaxed) {
            0 => None,
            since => Some((number, Instant(since))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wait_that_was_disturbed_has_another_number() {
        let quiet = Quiet::default();
        assert_eq!(quiet.now(), None);
        quiet.begin(Instant(5));
        assert_eq!(quiet.now(), Some((1, Instant(5))));
        quiet.end();
        assert!(quiet.now().is_none() && !quiet.is_on());
        quiet.begin(Instant(9));
        assert_eq!(quiet.now(), Some((2, Instant(9))));
    }
}
