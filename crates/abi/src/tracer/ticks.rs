//! The clock of the recorder: the processor's counter where it runs evenly, which takes a few
//! nanoseconds to read, else the system's monotonic clock.

use trace::layout::header;

use super::memory::Memory;

/// Notes both clocks of this moment, so that ticks can be converted to nanoseconds.
pub(crate) fn note(memory: &Memory) {
    let (ticks, nanos) = (read(), nanos());
    let (ticks_at, nanos_at) = match memory.get(header::NANOS_EARLY) {
        0 => (header::TICKS_EARLY, header::NANOS_EARLY),
        _ => (header::TICKS_LATE, header::NANOS_LATE),
    };
    memory.set(ticks_at, ticks);
    memory.set(nanos_at, nanos);
}

/// Reads the clock.
#[cfg(target_arch = "x86_64")]
#[inline]
pub(crate) fn read() -> u64 {
    // SAFETY: every processor of this architecture has the counter.
    unsafe { std::arch::x86_64::_rdtsc() }
}

/// Reads the clock.
#[cfg(not(target_arch = "x86_64"))]
#[inline]
pub(crate) fn read() -> u64 {
    nanos()
}

/// Reads the system's monotonic clock, which all processes of a host share.
fn nanos() -> u64 {
    let mut time = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: the function fills the structure, and has this clock on every Linux.
    unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &mut time) };
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}
