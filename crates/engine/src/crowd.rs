//! State of threads that wait at the same time, of which one polls.

use std::sync::Arc;
use std::time::{Duration, Instant};

use btl::{FutexWord, Waker};
use sync::{Parking, Patience};

/// The threads that wait, and which of them polls.
pub(crate) struct Crowd<C> {
    /// Parked waiters.
    pub(crate) parking: Parking<C>,
    /// Number of parked waiters that spin before they sleep.
    pub(crate) spinning: usize,
    /// The turn of the thread that polls; 0 where none does.
    pub(crate) poller: u64,
    /// Turns so far.
    pub(crate) turns: u64,
    /// Time since which no thread polls, where a parked thread depends on it.
    pub(crate) free_since: Option<Instant>,
    /// Time before this turn in which no thread polled.
    pub(crate) gap: Duration,
    /// The sleep for which the transports' doorbells are armed; 0 where they are not.
    pub(crate) armed: u64,
    /// Sleeps so far.
    sleeps: u64,
    /// The word on which that thread sleeps, where it sleeps on one.
    pub(crate) bed: Option<Arc<dyn FutexWord>>,
}

/// Polls between two checks of the conditions of parked threads that sleep, while something
/// happens: a thread that wakes wants the gate of one that has work.
const POLLS_PER_CHECK: u32 = 16;
/// Empty polls after which a poller lets in those that sleep before the gate.
pub(crate) const POLLS_IDLE: u32 = 2;

impl<C> Default for Crowd<C> {
    fn default() -> Crowd<C> {
        Crowd {
            parking: Parking::default(),
            spinning: 0,
            poller: 0,
            turns: 0,
            free_since: None,
            gap: Duration::ZERO,
            armed: 0,
            sleeps: 0,
            bed: None,
        }
    }
}

impl<C> Crowd<C> {
    /// Notes that a thread sleeps until one of `wakers` fires, which are armed. Returns its sleep.
    pub(crate) fn fall_asleep(&mut self, wakers: &[Waker]) -> u64 {
        self.bed = match wakers {
            [Waker::Futex(word, _)] => Some(word.clone()),
            _ => None,
        };
        self.sleeps += 1;
        self.armed = self.sleeps;
        self.sleeps
    }

    /// Ends a sleep. Returns whether the doorbells are still armed for it.
    pub(crate) fn wake_up(&mut self, sleep: u64) -> bool {
        let armed = self.armed == sleep;
        if armed {
            (self.armed, self.bed) = (0, None);
        }
        armed
    }

    /// Returns whether a poller is to check the conditions of parked threads: it has polled often
    /// enough without, its last polls were empty, or it yields or sleeps between them (`pauses`).
    /// Not all that is waited for is a message.
    #[inline]
    pub(crate) fn is_check_due(&self, unchecked: u32, empty: u32, pauses: bool) -> bool {
        if self.parking.is_empty() {
            return false;
        }
        let happened = empty == 0;
        empty == POLLS_IDLE
            || unchecked >= POLLS_PER_CHECK
            || pauses
            || happened && self.spinning > 0
    }

    /// Returns how long a thread that parks now spins, and counts it among those that do.
    pub(crate) fn spin(&mut self, patience: Patience) -> Duration {
        // The one that polls is awake, too.
        if self.spinning + 1 >= patience.threads {
            return Duration::ZERO;
        }
        self.spinning += 1;
        patience.spin
    }
}
