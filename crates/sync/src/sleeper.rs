//! Sleep of a thread until another one of its process wakes it.

use std::time::Duration;

#[cfg(loom)]
use loom::thread;
#[cfg(not(loom))]
use std::thread;

/// A thread, to those that wake it.
#[derive(Clone)]
pub(crate) struct Sleeper(thread::Thread);

impl Sleeper {
    /// Returns the calling thread.
    pub(crate) fn current() -> Sleeper {
        Sleeper(thread::current())
    }

    /// Ends the thread's sleep, or its next one.
    pub(crate) fn wake(self) {
        self.0.unpark();
    }
}

/// Sleeps until woken, or until `limit` has passed. May return early.
#[expect(
    clippy::disallowed_methods,
    reason = "a thread that leaves polling to another one sleeps"
)]
pub(crate) fn sleep(limit: Duration) {
    #[cfg(not(loom))]
    thread::park_timeout(limit);
    // Loom has no time: nothing but a wake-up ends the sleep.
    #[cfg(loom)]
    {
        let _ = limit;
        thread::park();
    }
}
