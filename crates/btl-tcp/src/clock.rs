//! [`Clock`]: the ticks at which the transport checks deadlines and retries.
//!
//! Code that leaves something for a tick starts the clock. A tick after which nothing is left stops
//! it, so that an idle process is not woken.

use std::io;
use std::net::TcpStream;
use std::os::fd::{AsFd, BorrowedFd};
use std::time::{Duration, Instant};

use crate::draining::DrainingConnections;
use crate::pace::Pace;
use crate::sys::Timer;

/// Time between two ticks.
pub const TICK: Duration = Duration::from_millis(100);
/// Ticks from one check for cut connections to the next.
const TICKS_PER_HEALTH_CHECK: u32 = 10;

/// The ticks of a transport, how often it polls the kernel, and the connections that it drains.
pub struct Clock {
    timer: Timer,
    /// Ticks since the transport was opened, modulo 2^32.
    ticks: u32,
    /// Decides which of the transport's polls make a system call.
    pub pace: Pace,
    /// Connections of removed peers, which are closed once the peer has read everything.
    pub draining: DrainingConnections,
}

impl Clock {
    /// Creates a clock that is stopped.
    ///
    /// # Errors
    /// When the kernel has no timer for it.
    pub fn new() -> io::Result<Clock> {
        Ok(Clock {
            timer: Timer::new(TICK)?,
            ticks: 0,
            pace: Pace::default(),
            draining: DrainingConnections::default(),
        })
    }

    /// Starts the ticks. A clock that runs keeps its ticks, without a system call.
    #[inline]
    pub fn start(&mut self) {
        self.timer.run(true);
    }

    /// Begins a tick, and returns whether it includes a check for cut connections.
    pub fn begin_tick(&mut self) -> bool {
        self.timer.acknowledge();
        self.ticks = self.ticks.wrapping_add(1);
        self.ticks.is_multiple_of(TICKS_PER_HEALTH_CHECK)
    }

    /// Ends a tick. The clock stops unless there is `more` to do or a connection to drain.
    pub fn end_tick(&mut self, more: bool, now: Instant) {
        let drains = self.draining.tend(now);
        self.timer.run(more || drains);
    }

    /// Drains `streams`: closes each once its peer has read everything, or after a time limit.
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
