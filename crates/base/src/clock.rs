//! [`Clock`]: where code gets the time from. It is an argument, so that a simulation can pass a
//! clock of its own.

use std::time::Duration;

/// A point in time, in nanoseconds since the origin of the [`Clock`] that returned it. Values of
/// different clocks do not compare.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Instant(pub u64);

impl Instant {
    /// Returns the time from `earlier` to `self`; zero where `earlier` is the later one.
    pub fn since(self, earlier: Instant) -> Duration {
        Duration::from_nanos(self.0.saturating_sub(earlier.0))
    }

    /// Returns the point in time `span` after `self`, or the last one that there is.
    pub fn after(self, span: Duration) -> Instant {
        Instant(self.0.saturating_add(span.as_nanos() as u64))
    }
}

/// A source of the time.
pub trait Clock {
    /// Returns the current time.
    fn now(&self) -> Instant;
}

/// The operating system's monotonic clock. Its origin is the call of [`start`](Monotonic::start).
#[derive(Clone, Debug)]
pub struct Monotonic(std::time::Instant);

impl Monotonic {
    /// Returns a clock whose origin is now.
    pub fn start() -> Monotonic {
        Monotonic(std::time::Instant::now())
    }
}

impl Clock for Monotonic {
    fn now(&self) -> Instant {
        Instant(self.0.elapsed().as_nanos() as u64)
    }
}
