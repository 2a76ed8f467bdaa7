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
    /// The reason for its absence where the kernel has no io_uring, or it may not be used.
    ring: OnceLock<Result<Arc<Ring>, String>>,
}

impl Background {
    /// Returns the ring; `admits` says whether there may be one.
    ///
    /// # Errors
    /// Returns the reason where there is no ring.
    pub(crate) fn ring(&self, admits: bool, alarm: &Alarm) -> Result<Arc<Ring>, &str> {
        let open = || {
            if !admits {
                return Err("fbtl admits posix alone".to_string());
            }
            let event = alarm.event().ok_or("no descriptor to be woken by")?;
            Ring::open(event).map(Arc::new).map_err(|error| {
                log::info!("fbtl: uring cannot be used: {error}");
                format!("uring cannot be used: {error}")
            })
        };
        let ring = self.ring.get_or_init(open).as_ref();
        let ring = ring.map_err(String::as_str)?;
        // Ends that nobody waits for make room.
        ring.reap();
        Ok(ring.clone())
    }

    /// Waits for all accesses, also those whose requests were freed.
    pub(crate) fn finish(&self) {
        self.workers.finish();
        if let Some(Ok(ring)) = self.ring.get() {
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
