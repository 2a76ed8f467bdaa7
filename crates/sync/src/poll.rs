//! Sleeping on descriptors (poll(2)).

use std::os::fd::RawFd;
use std::time::Duration;

/// Sleeps until one of the descriptors is readable (or writable, where asked for with `true`),
/// or until `limit` has passed, in whole milliseconds rounded up. May return early.
pub fn wait(descriptors: impl Iterator<Item = (RawFd, bool)>, limit: Duration) {
    let mut watched: Vec<libc::pollfd> = descriptors
        .map(|(fd, writable)| {
            let events = if writable {
                libc::POLLIN | libc::POLLOUT
            } else {
                libc::POLLIN
            };
            libc::pollfd {
                fd,
                events,
                revents: 0,
            }
        })
        .collect();
    let limit = limit.as_micros().div_ceil(1000).min(i32::MAX as u128) as i32;
    // SAFETY: the array holds as many entries as is said, and lives through the call.
    unsafe {
        libc::poll(watched.as_mut_ptr(), watched.len() as libc::nfds_t, limit);
    }
}
