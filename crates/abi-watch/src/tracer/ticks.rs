//! The clock of the recorder: the processor's counter where it runs evenly, which takes a few
//! nanoseconds to read, else the system's monotonic clock.
//!
//! On x86-64 the counter runs evenly where the processor says that neither its frequency nor its
//! sleep changes it, or where the kernel itself takes the time from it, which it watches. On
//! aarch64 it always does (Arm Architecture Reference Manual, D12.1): the kernel takes the time
//! from nothing else.

#[cfg(target_arch = "x86_64")]
use std::sync::atomic::{AtomicU8, Ordering};

use trace::layout::header;

use super::memory::Memory;

/// Notes both clocks of this moment, so that ticks can be converted to nanoseconds.
pub(crate) fn note(memory: &Memory) {
    let (ticks, nanos) = (read(), nanos());
    let header = memory.header();
    let (ticks_at, nanos_at) = match header.get(header::NANOS_EARLY) {
        0 => (header::TICKS_EARLY, header::NANOS_EARLY),
        _ => (header::TICKS_LATE, header::NANOS_LATE),
    };
    header.set(ticks_at, ticks);
    header.set(nanos_at, nanos);
}

/// Which clock is read: one of these, or 0 before that is known.
#[cfg(target_arch = "x86_64")]
static CLOCK: AtomicU8 = AtomicU8::new(0);

#[cfg(target_arch = "x86_64")]
const COUNTER: u8 = 1;
#[cfg(target_arch = "x86_64")]
const SYSTEM: u8 = 2;

/// Reads the clock.
#[cfg(target_arch = "x86_64")]
#[inline]
pub(crate) fn read() -> u64 {
    match CLOCK.load(Ordering::Relaxed) {
        // SAFETY: every processor of this architecture has the counter.
        COUNTER => unsafe { std::arch::x86_64::_rdtsc() },
        SYSTEM => nanos(),
        _ => choose(),
    }
}

/// Chooses the clock, and reads it. Threads that do so at once come to the same.
#[cfg(target_arch = "x86_64")]
#[cold]
fn choose() -> u64 {
    let source = "/sys/devices/system/clocksource/clocksource0/current_clocksource";
    let is_kernels = || std::fs::read_to_string(source).is_ok_and(|name| name.trim() == "tsc");
    let clock = match is_invariant() || is_kernels() {
        true => COUNTER,
        false => SYSTEM,
    };
    CLOCK.store(clock, Ordering::Relaxed);
    read()
}

/// Whether the processor promises that its counter always runs at one rate (AMD64 Architecture
/// Programmer's Manual, CPUID Fn8000_0007, EDX bit 8; Intel's manual, volume 3, 18.17.1).
#[cfg(target_arch = "x86_64")]
fn is_invariant() -> bool {
    use std::arch::x86_64::__cpuid;
    const FIRST: u32 = 0x8000_0000;
    const POWER: u32 = 0x8000_0007;
    __cpuid(FIRST).eax >= POWER && __cpuid(POWER).edx & 1 << 8 != 0
}

/// Reads the clock.
#[cfg(target_arch = "aarch64")]
#[inline]
pub(crate) fn read() -> u64 {
    let ticks: u64;
    // SAFETY: Linux lets programs read this register, and nothing else happens.
    unsafe {
        std::arch::asm!(
            "mrs {}, cntvct_el0",
            out(reg) ticks,
            options(nomem, nostack, preserves_flags),
        );
    }
    ticks
}

/// Reads the clock.
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
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
