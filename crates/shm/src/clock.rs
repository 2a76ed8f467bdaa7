//! The clock that all processes of a node share.

use base::{Clock, Instant};

/// The system's monotonic clock, counted from the start of the machine: comparable between the
/// processes of a node, except for those that a time namespace has given another one.
#[derive(Clone, Copy, Debug)]
pub struct Shared;

impl Clock for Shared {
    fn now(&self) -> Instant {
        let mut time = libc::timespec {
            tv_sec: 0,
            tv_nsec: 0,
        };
        // SAFETY: `time` lives through the call, which writes it.
        unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &mut time) };
        Instant(time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64)
    }
}
