//! The system's calls of an access that can fail or do less than was asked. Tests have each of them
//! fail (`faults.rs`), so nothing else here makes one for an access.

use std::io::{Error, ErrorKind, Result};
use std::os::fd::{AsRawFd, RawFd};
use std::thread::JoinHandle;
use std::time::Duration;

use io_uring::squeue::Entry;
use io_uring::IoUring;

#[cfg(test)]
use crate::faults::{self, Point};

/// Returns the most bytes of a call: Linux transfers no more than 2 GiB less a page.
pub(crate) fn bytes_max() -> usize {
    #[cfg(test)]
    if let Some(bytes) = faults::bytes_max() {
        return bytes;
    }
    1 << 30
}

/// Makes a call that returns -1 on an error, and repeats it where a signal has interrupted it.
pub(crate) fn repeat(mut call: impl FnMut() -> isize) -> Result<usize> {
    loop {
        #[cfg(test)]
        let result = faults::call().unwrap_or_else(&mut call);
        #[cfg(not(test))]
        let result = call();
        match usize::try_from(result) {
            Ok(result) => return Ok(result),
            Err(_) => {
                let error = Error::last_os_error();
                if error.kind() != ErrorKind::Interrupted {
                    return Err(error);
                }
            }
        }
    }
}

/// Starts a thread.
pub(crate) fn spawn(run: impl FnOnce() + Send + 'static) -> Result<JoinHandle<()>> {
    #[cfg(test)]
    faults::refuse(Point::Thread)?;
    sync::thread::spawn("oxmpi-file", run)
}

/// The queues of a ring: entries that the kernel takes, and what it reports of them.
pub(crate) struct Queues {
    ring: IoUring,
    /// Whether the kernel has refused an entry, which stays in the queue. It would take that entry
    /// with a later one, so nothing is submitted any more.
    has_refused: bool,
}

impl Queues {
    /// Opens a ring of this many entries; `event` is rung when one has ended.
    pub(crate) fn open(entries: u32, event: RawFd) -> Result<Queues> {
        #[cfg(test)]
        faults::refuse(Point::Open)?;
        let ring = IoUring::new(entries)?;
        #[cfg(test)]
        faults::refuse(Point::Register)?;
        ring.submitter().register_eventfd(event)?;
        Ok(Queues {
            ring,
            has_refused: false,
        })
    }

    /// Gives the kernel an entry. After an error the kernel does not use it, nor any later one.
    ///
    /// # Safety
    /// The file and the memory of the entry stay as they are until its end is reported.
    pub(crate) unsafe fn submit(&mut self, entry: &Entry) -> Result<()> {
        if self.has_refused {
            return Err(Error::from(ErrorKind::BrokenPipe));
        }
        #[cfg(test)]
        faults::refuse(Point::Push)?;
        // SAFETY: as the caller says.
        let pushed = unsafe { self.ring.submission().push(entry) };
        pushed.map_err(|_| Error::from(ErrorKind::WouldBlock))?;
        let taken = self.enter();
        // What is left in the queue was not taken, whatever the call says.
        let left = !self.ring.submission().is_empty();
        self.has_refused = left;
        match taken {
            Err(error) if left => Err(error),
            Ok(()) if left => Err(Error::from(ErrorKind::WouldBlock)),
            _ => Ok(()),
        }
    }

    fn enter(&self) -> Result<()> {
        loop {
            #[cfg(test)]
            let entered = faults::submit().unwrap_or_else(|| self.ring.submit());
            #[cfg(not(test))]
            let entered = self.ring.submit();
            match entered {
                Ok(_) => return Ok(()),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// Takes out the numbers of the entries that have ended, with what the kernel reports.
    pub(crate) fn ends(&mut self) -> Vec<(usize, i32)> {
        let ends = self.ring.completion();
        let ends = ends.map(|end| (end.user_data() as usize, end.result()));
        #[cfg(test)]
        let ends = ends.map(|(at, result)| (at, faults::end().unwrap_or(result)));
        ends.collect()
    }

    /// Waits for an end, and not longer than `limit`.
    #[expect(
        clippy::disallowed_methods,
        reason = "waits for the accesses that the kernel still carries out, at the end of MPI"
    )]
    pub(crate) fn wait(&self, limit: Duration) {
        sync::poll::wait([(self.ring.as_raw_fd(), false)].into_iter(), limit);
    }
}
