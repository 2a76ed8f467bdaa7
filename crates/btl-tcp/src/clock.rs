//! Time: the ticks at which deadlines are checked, the pace of polls, connections that are drained.
//!
//! Whatever may need a tick starts the clock; a tick that finds nothing to do stops it, so that an
//! idle process is not woken.

use std::io;
use std::net::TcpStream;
use std::os::fd::{AsFd, BorrowedFd};
use std::time::{Duration, Instant};

use crate::draining::DrainingConnections;
use crate::pace::Pace;
use crate::sys::Timer;

/// Period of checks of deadlines and of retries of failed attempts.
pub const TICK: Duration = Duration::from_millis(100);
/// Ticks between two checks whether connections are cut.
const TICKS_PER_HEALTH_CHECK: u32 = 10;

/// The transport's ticks, and its pace.
pub struct Clock {
    timer: Timer,
    /// Ticks so far.
    ticks: u32,
    /// Decides which polls ask the kernel.
    pub pace: Pace,
    /// Connections with peers that were removed.
    pub draining: DrainingConnections,
}

impl Clock {
    /// Creates a clock that stands.
    pub fn new() -> io::Result<Clock> {
        Ok(Clock {
            timer: Timer::new(TICK)?,
            ticks: 0,
            pace: Pace::default(),
            draining: DrainingConnections::default(),
        })
    }

    /// Starts the ticks. Costs a system call only where the clock stands.
    #[inline]
    pub fn start(&mut self) {
        self.timer.run(true);
    }

    /// Begins a tick: returns whether this one checks for connections that are cut.
    pub fn begin_tick(&mut self) -> bool {
        self.timer.acknowledge();
        self.ticks = self.ticks.wrapping_add(1);
        self.ticks.is_multiple_of(TICKS_PER_HEALTH_CHECK)
    }

    /// Ends a tick; without `more` to do the clock stops.
    pub fn end_tick(&mut self, more: bool, now: Instant) {
        let drains = self.draining.tend(now);
        self.timer.run(more || drains);
    }

    /// Drains connections until their peer has read what was written.
    pub fn drain(&mut self, streams: impl Iterator<Item = TcpStream>) {
        let now = Instant::now();
        self.draining.tend(now);
        streams.for_each(|stream| self.draining.add(stream, now));
        self.start();
    }
}

impl AsFd for Clock {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.timer.as_fd()
    }
}
