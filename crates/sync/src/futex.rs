//! Sleep on a 32-bit word that other processes may change (futex(2)).

use std::sync::atomic::AtomicU32;
use std::time::Duration;

/// Sleeps while `word` holds `value`, until it is woken, or until `limit` has passed.
/// May return early; the caller looks again.
#[expect(clippy::disallowed_methods, reason = "the primitive")]
pub fn wait(word: &AtomicU32, value: u32, limit: Option<Duration>) {
    let timeout = limit.map(|limit| libc::timespec {
        tv_sec: limit.as_secs() as libc::time_t,
        tv_nsec: limit.subsec_nanos() as libc::c_long,
    });
    let timeout = timeout
        .as_ref()
        .map_or(std::ptr::null(), std::ptr::from_ref);
    // SAFETY: the word is a live aligned u32, and the timeout is null or points to a live
    // timespec; FUTEX_WAIT reads both and writes nothing.
    unsafe {
        libc::syscall(
            libc::SYS_futex,
            word.as_ptr(),
            libc::FUTEX_WAIT,
            value,
            timeout,
        );
    }
}

/// Wakes at most `count` sleepers on `word`.
#[expect(clippy::disallowed_methods, reason = "waking does not wait")]
pub fn wake(word: &AtomicU32, count: i32) {
    // SAFETY: FUTEX_WAKE uses the word's address as a name only.
    unsafe {
        libc::syscall(libc::SYS_futex, word.as_ptr(), libc::FUTEX_WAKE, count);
    }
}
