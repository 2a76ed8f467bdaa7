//! [`Files`]: state of a process for all its files, such as the threads and the ring that carry out
//! accesses while the application computes.
//!
//! The kernel carries out contiguous accesses where it has io_uring (the component `uring` of
//! `fbtl`), threads all others (`posix`). `nonblocking.rs` decides which; a wait finds the end of a
//! [`Pending`] access by its word, and a sleeper is woken by the engine's alarm.

use std::sync::{Arc, OnceLock};

use base::Mutex;
use io::Representations;
use io_posix::{Ring, Workers};
use mca::Framework;
use mpi::{Outcome, Process};
use sync::Alarm;

/// State of a process for all its files. No means of access is opened before the first access.
#[derive(Default)]
pub(crate) struct Files {
    /// Data representations that the program has registered.
    pub(crate) representations: Mutex<Representations>,
    pub(crate) workers: Workers,
    /// The reason for its absence where the kernel has no io_uring, or it may not be used.
    ring: OnceLock<Result<Arc<Ring>, String>>,
}

impl Files {
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
                Framework::Fbtl.info(format_args!("fbtl: uring cannot be used: {error}"));
                format!("uring cannot be used: {error}")
            })
        };
        let ring = self.ring.get_or_init(open).as_ref();
        let ring = ring.map_err(String::as_str)?;
        // Completions that no wait has taken make room.
        ring.reap();
        Ok(ring.clone())
    }
}

impl mpi::Service<Process> for Files {
    /// Waits for all accesses, also those whose requests were freed.
    fn end(&self, _: &Process) {
        self.workers.finish();
        if let Some(Ok(ring)) = self.ring.get() {
            ring.finish();
        }
    }
}

/// An access under way.
pub(crate) struct Pending {
    ended: Arc<OnceLock<Outcome>>,
    /// The ring that may have its end.
    ring: Option<Arc<Ring>>,
}

impl Pending {
    /// Returns the access whose end `ended` will have, by `ring` or by a thread.
    pub(crate) fn new(ended: Arc<OnceLock<Outcome>>, ring: Option<Arc<Ring>>) -> Pending {
        Pending { ended, ring }
    }
}

impl mpi::Background for Pending {
    fn is_over(&self) -> bool {
        if self.ended.get().is_none() {
            self.ring.iter().for_each(|ring| ring.reap());
        }
        self.ended.get().is_some()
    }

    fn outcome(&self) -> Option<Outcome> {
        self.ended.get().cloned()
    }
}
