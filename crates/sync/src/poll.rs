//! Sleep on descriptors (poll(2)).

use std::os::fd::RawFd;
use std::time::Duration;

/// Sleeps until one of the descriptors is readable (or writable, where asked for with `true`),
/// or until `limit` has passed. May return early.
#[expect(clippy::disallowed_methods, reason = "the primitive")]
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
    let limit = libc::timespec {
        tv_sec: limit.as_secs().min(i32::MAX as u64) as libc::time_t,
        tv_nsec: limit.subsec_nanos().into(),
    };
    let count = watched.len() as libc::nfds_t;
    // SAFETY: the array holds as many entries as is said, and it and the limit live through the
    // call. Signals stay as they are.
    unsafe { libc::ppoll(watched.as_mut_ptr(), count, &limit, std::ptr::null()) };
}
