//! What follows a look at a provider that found nothing.

use std::os::fd::RawFd;
use std::time::Duration;

use crate::{Info, Progress};

/// What a provider needs of a process that has nothing to do but look.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rest {
    /// Nothing: look again at once.
    None,
    /// Some cycles without a look, since a look takes the lock that senders take (`shm`).
    Pause,
    /// The core, since a thread of the provider's own moves what is looked for (`sockets`). Two
    /// processes that look on two cores would leave it none, and each message would take as long as
    /// the scheduler lets them.
    Nap,
}

/// Pauses of the processor, tens of cycles each. More of them, or none, make messages and accesses
/// later (docs/performance.md).
const PAUSES: u32 = 1;

/// How long the core is left to a provider's thread at most. Its messages take milliseconds, and
/// who tests ten times in a row expects them to be over.
const NAP: Duration = Duration::from_micros(400);

impl Rest {
    /// What a provider needs, as it is opened.
    pub fn of(info: &Info) -> Rest {
        if info.quirks.has_progress_thread && info.data_progress == Progress::Auto {
            return Rest::Nap;
        }
        match info.quirks.polls_lock_out_senders {
            true => Rest::Pause,
            false => Rest::None,
        }
    }

    /// Pauses, where that is what it needs.
    #[inline]
    pub fn pause(self) {
        if self == Rest::Pause {
            (0..PAUSES).for_each(|_| std::hint::spin_loop());
        }
    }

    /// Naps, where that is what it needs. A nap ends as soon as there is something to read, where a
    /// descriptor of the queue tells, which must be one to sleep on now.
    #[inline]
    pub fn nap(self, descriptor: impl FnOnce() -> Option<RawFd>) {
        if self == Rest::Nap {
            sync::poll::wait(descriptor().map(|it| (it, false)).into_iter(), NAP);
        }
    }
}
