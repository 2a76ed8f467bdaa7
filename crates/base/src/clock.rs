//! The clock as an argument: code that needs the time is passed one, so that simulations can pass
//! another.

use std::time::Duration;

/// A moment, in nanoseconds since an origin that only its clock knows.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Instant(pub u64);

impl Instant {
    /// The time from `earlier` to `self`; zero when `earlier` is later.
    pub fn since(self, earlier: Instant) -> Duration {
        Duration::from_nanos(self.0.saturating_sub(earlier.0))
    }

    /// The moment `span` later.
    pub fn after(self, span: Duration) -> Instant {
        Instant(self.0.saturating_add(span.as_nanos() as u64))
    }
}

/// A source of the time.
pub trait Clock {
    /// The present moment.
    fn now(&self) -> Instant;
}

/// The operating system's monotonic clock, counted from when the value was made.
#[derive(Clone, Debug)]
pub struct Monotonic(std::time::Instant);

impl Monotonic {
    /// A clock whose origin is now.
    pub fn start() -> Monotonic {
        Monotonic(std::time::Instant::now())
    }
}

impl Clock for Monotonic {
    fn now(&self) -> Instant {
        Instant(self.0.elapsed().as_nanos() as u64)
    }
}
