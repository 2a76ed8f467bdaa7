//! Decides when to wake the helper threads of peers that do not reply.

use std::time::{Duration, Instant};

/// Empty polls of a caller that tests last this long before helpers are woken.
pub(crate) const TESTS: Duration = Duration::from_micros(100);
/// A caller that waits yields this long before, where there is a core for each process: it has spun
/// for long enough by then.
pub(crate) const YIELDS: Duration = Duration::ZERO;
/// A caller that waits yields this long where processes share cores: peers that do not answer may
/// be waiting for one.
pub(crate) const YIELDS_CROWDED: Duration = Duration::from_millis(1);
/// The pauses before helpers are woken again. Each is twice as long as the one before, since what
/// is waited for may be a lock that another process holds.
const PAUSE_MIN: Duration = Duration::from_micros(100);
const PAUSE_MAX: Duration = Duration::from_millis(20);
/// Empty polls between two readings of the clock.
const POLLS_PER_CLOCK: u32 = 64;

/// When the helper threads of peers that do not answer are woken.
#[derive(Default)]
pub(crate) struct HelperTimer {
    due: Option<(Instant, Duration)>,
    polls: u32,
}

impl HelperTimer {
    /// Begins anew: something has happened, or a wait begins.
    #[inline]
    pub(crate) fn restart(&mut self) {
        *self = HelperTimer::default();
    }

    /// Returns whether helpers are to be woken now: nothing has happened since the first of these
    /// calls for as long as the caller's `patience`, or since the last one that was due for a
    /// pause.
    pub(crate) fn is_due(&mut self, now: Instant, patience: Duration) -> bool {
        let (due, pause) = *self.due.get_or_insert((now + patience, PAUSE_MIN));
        if now < due {
            return false;
        }
        self.due = Some((now + pause, (2 * pause).min(PAUSE_MAX)));
        true
    }

    /// Counts an empty poll of a caller that polls again and again (`MPI_Test`). Returns whether it
    /// is worth reading the clock.
    #[inline]
    pub(crate) fn polled_empty(&mut self) -> bool {
        self.polls = self.polls.wrapping_add(1);
        self.polls.is_multiple_of(POLLS_PER_CLOCK)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn helpers_are_woken_again_and_again_but_ever_more_rarely() {
        let mut timer = HelperTimer::default();
        let began = Instant::now();
        let step = PAUSE_MIN / 10;
        let due = (0..20_000).filter(|at| timer.is_due(began + *at * step, TESTS));
        let due: Vec<u32> = due.collect();
        assert_eq!(due[0], 10);
        let pauses: Vec<u32> = due.windows(2).map(|two| two[1] - two[0]).collect();
        assert!(pauses.windows(2).all(|two| two[0] <= two[1]));
        assert_eq!((pauses[0], pauses[1]), (10, 20));
        assert_eq!(PAUSE_MIN / 10 * *pauses.last().unwrap(), PAUSE_MAX);
        timer.restart();
        assert!(!timer.is_due(began + PAUSE_MAX, TESTS));
    }

    #[test]
    fn a_caller_that_tests_reads_the_clock_now_and_then() {
        let mut timer = HelperTimer::default();
        let readings = (0..POLLS_PER_CLOCK * 3).filter(|_| timer.polled_empty());
        assert_eq!(readings.count(), 3);
    }
}
