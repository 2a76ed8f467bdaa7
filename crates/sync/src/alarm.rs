//! [`Alarm`]: ends the sleep of a process from one of its threads that may not enter the gate.

use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::OnceLock;

/// An event descriptor that ends sleeps as long as a thread may ring.
///
/// Whoever hands work to a thread calls [`Alarm::expect`] first, the thread [`Alarm::ring`] after
/// it has made its result visible, and whoever takes that result [`Alarm::met`]. A sleeper adds
/// [`Alarm::descriptor`] to what ends its sleep, checks its condition, sleeps, and calls
/// [`Alarm::clear`]: a ring after the check is kept by the descriptor, so none is lost.
#[derive(Debug, Default)]
pub struct Alarm {
    fd: OnceLock<OwnedFd>,
    /// Results that are expected.
    expected: AtomicUsize,
}

impl Alarm {
    /// Counts a result that a thread will announce.
    ///
    /// # Errors
    /// When the system refuses a descriptor.
    pub fn expect(&self) -> io::Result<()> {
        if self.fd.get().is_none() {
            // Of two threads that come here at once, the second one's descriptor is closed.
            let _ = self.fd.set(event()?);
        }
        self.expected.fetch_add(1, Ordering::SeqCst);
        Ok(())
    }

    /// Counts a result that was taken, or that will not come.
    pub fn met(&self) {
        self.expected.fetch_sub(1, Ordering::SeqCst);
    }

    /// Ends the sleep of the process, or its next one.
    pub fn ring(&self) {
        if let Some(fd) = self.fd.get() {
            let one = 1u64;
            // SAFETY: the descriptor is open, and eight bytes are read behind the pointer. A count
            // that is full rings as well.
            unsafe { libc::write(fd.as_raw_fd(), std::ptr::from_ref(&one).cast(), 8) };
        }
    }

    /// Returns the descriptor that a sleep has to wait for; `None` while no result is expected.
    pub fn descriptor(&self) -> Option<RawFd> {
        match self.expected.load(Ordering::SeqCst) {
            0 => None,
            _ => self.event(),
        }
    }

    /// Returns the descriptor, which rings when it is written.
    pub fn event(&self) -> Option<RawFd> {
        self.fd.get().map(AsRawFd::as_raw_fd)
    }

    /// Clears rings. Called after a sleep, before conditions are checked.
    pub fn clear(&self) {
        if let Some(fd) = self.fd.get() {
            let mut rings = 0u64;
            // SAFETY: the descriptor is open, and there is room for eight bytes. It does not block.
            unsafe { libc::read(fd.as_raw_fd(), std::ptr::from_mut(&mut rings).cast(), 8) };
        }
    }
}

fn event() -> io::Result<OwnedFd> {
    // SAFETY: the call opens a descriptor and no more.
    let fd = unsafe { libc::eventfd(0, libc::EFD_CLOEXEC | libc::EFD_NONBLOCK) };
    match fd {
        -1 => Err(io::Error::last_os_error()),
        // SAFETY: the descriptor was opened just now, and no other code knows of it.
        fd => Ok(unsafe { OwnedFd::from_raw_fd(fd) }),
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;
    use crate::poll;

    #[test]
    fn a_ring_before_or_during_a_sleep_ends_it_once() {
        let alarm = Alarm::default();
        assert_eq!(alarm.descriptor(), None);
        alarm.expect().unwrap();
        let fd = alarm.descriptor().unwrap();
        let sleep = |limit| {
            let began = Instant::now();
            poll::wait([(fd, false)].into_iter(), Duration::from_millis(limit));
            alarm.clear();
            began.elapsed()
        };
        alarm.ring();
        alarm.ring();
        assert!(sleep(5000) < Duration::from_secs(4));
        assert!(
            sleep(20) >= Duration::from_millis(19),
            "the ring was cleared"
        );
        std::thread::scope(|threads| {
            threads.spawn(|| {
                std::thread::sleep(Duration::from_millis(20));
                alarm.ring();
            });
            assert!(sleep(5000) < Duration::from_secs(4));
        });
        alarm.met();
        assert_eq!(alarm.descriptor(), None);
    }
}
