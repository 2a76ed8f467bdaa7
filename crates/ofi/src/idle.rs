//! Idle back-off after an empty poll of a provider.
//!
//! `shm` needs a pause: each poll takes a lock that senders need. `sockets` has a progress thread,
//! which polls for 10 ms before it sleeps, so each step of an access would wait for the scheduler.
//! It is therefore opened without that thread; it then starts an operation only when the queue is
//! read, which is done at once, since the sender may compute for long afterwards. With
//! `btl_ofi_progress_mode` set to `auto` the thread exists, and gets the core after an empty poll.

use std::os::fd::RawFd;
use std::time::Duration;

use crate::{Info, ProviderThread};

/// The back-off that a provider needs after an empty poll.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum IdleBackOff {
    /// Nothing: poll again at once.
    None,
    /// Some cycles without a poll, since a poll takes the lock that senders take (`shm`).
    Pause,
    /// The core, since a thread of the provider's own moves the data (`sockets`). Two processes
    /// that poll on two cores would leave it none, and each message would take as long as the
    /// scheduler lets them.
    Nap,
}

/// Pauses of the processor, tens of cycles each. More of them, or none, make messages and accesses
/// later (docs/notebook/2026-11-libfabric.md).
const PAUSES: u32 = 1;

/// Longest time that the core is left to a provider's thread. Its messages take milliseconds, and a
/// caller that tests ten times in a row expects them to be over.
const NAP: Duration = Duration::from_micros(400);

impl IdleBackOff {
    /// Returns the back-off that a provider needs, as it is opened.
    pub fn of(info: &Info) -> IdleBackOff {
        if info.provider_thread() == ProviderThread::Runs {
            return IdleBackOff::Nap;
        }
        match info.quirks.polls_lock_out_senders {
            true => IdleBackOff::Pause,
            false => IdleBackOff::None,
        }
    }

    /// Pauses, where the provider needs that.
    #[inline]
    pub fn pause(self) {
        if self == IdleBackOff::Pause {
            (0..PAUSES).for_each(|_| std::hint::spin_loop());
        }
    }

    /// Naps, where the provider needs that. A nap ends as soon as there is something to read, where
    /// a descriptor of the queue reports that, which must be one to sleep on now.
    #[inline]
    #[expect(
        clippy::disallowed_methods,
        reason = "leaves the core to the provider's own thread for 400 us after empty polls"
    )]
    pub fn nap(self, descriptor: impl FnOnce() -> Option<RawFd>) {
        if self == IdleBackOff::Nap {
            sync::poll::wait(descriptor().map(|it| (it, false)).into_iter(), NAP);
        }
    }
}
