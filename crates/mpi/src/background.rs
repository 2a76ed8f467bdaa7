//! [`Background`]: accesses to files that go on while the application computes.
//!
//! The kernel carries out contiguous ones where it has io_uring (the component `uring` of `fbtl`),
//! threads all others (`posix`). `file/started.rs` decides which; a wait finds the end of a
//! [`Pending`] access by its word, and a sleeper is woken by the engine's alarm.

use std::sync::{Arc, OnceLock};

use io_posix::{Ring, Workers};
use sync::Alarm;

/// Means by which accesses of a process go on. None is opened before the first access.
#[derive(Default)]
pub(crate) struct Background {
    pub(crate) workers: Workers,
    /// `None` where the kernel has no io_uring, or it may not be used.
    ring: OnceLock<Option<Arc<Ring>>>,
}

impl Background {
    /// Returns the ring, if there is one; `admits` says whether there may be.
    pub(crate) fn ring(&self, admits: bool, alarm: &Alarm) -> Option<Arc<Ring>> {
        let open = || match Ring::open(alarm.event().filter(|_| admits)?) {
            Ok(ring) => Some(Arc::new(ring)),
            Err(error) => {
                log::info!("fbtl: uring cannot be used: {error}");
                None
            }
        };
        let ring = self.ring.get_or_init(open).clone();
        // Ends that nobody waits for make room.
        ring.iter().for_each(|ring| ring.reap());
        ring
    }

    /// Waits for all accesses, also those whose requests were freed.
    pub(crate) fn finish(&self) {
        self.workers.finish();
        if let Some(Some(ring)) = self.ring.get() {
            ring.finish();
        }
    }
}

/// An access that goes on, and ends with a `T`.
pub struct Pending<T> {
    ended: Arc<OnceLock<T>>,
    /// The ring that may have its end.
    ring: Option<Arc<Ring>>,
}

impl<T: Clone> Pending<T> {
    /// Returns the access whose end `ended` will have, by `ring` or by a thread.
    pub(crate) fn new(ended: Arc<OnceLock<T>>, ring: Option<Arc<Ring>>) -> Pending<T> {
        Pending { ended, ring }
    }

    /// Returns whether the access has ended.
    pub(crate) fn is_over(&self) -> bool {
        if self.ended.get().is_none() {
            self.ring.iter().for_each(|ring| ring.reap());
        }
        self.ended.get().is_some()
    }

    /// Returns how the access has ended; `None` before.
    pub(crate) fn outcome(&self) -> Option<T> {
        self.ended.get().cloned()
    }
}
