//! [`RangeLock`]: a lock of the open file description over a range of bytes.
//!
//! Such locks belong to an open file, not to a process: closing another descriptor of the same
//! file does not end them, as it ends those of `F_SETLK`.

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::io;
use std::os::fd::{AsRawFd, BorrowedFd};

use ::io::Run;
use mca::Framework;

/// A lock by who else may hold one of the same bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LockKind {
    /// Others that read.
    Shared,
    /// Nobody.
    Exclusive,
}

/// A locked range of a file; dropping it unlocks.
#[derive(Debug)]
pub struct RangeLock<'a> {
    fd: BorrowedFd<'a>,
    range: Run,
}

impl<'a> RangeLock<'a> {
    /// Waits until nobody else holds a lock of any byte of `range`, and takes it.
    ///
    /// # Errors
    /// The system's error; `EOPNOTSUPP` or `ENOLCK` where the file system has no locks.
    pub fn take(fd: BorrowedFd<'a>, range: Run, kind: LockKind) -> io::Result<RangeLock<'a>> {
        let kind = match kind {
            LockKind::Shared => libc::F_RDLCK,
            LockKind::Exclusive => libc::F_WRLCK,
        };
        set(fd, range, kind)?;
        Ok(RangeLock { fd, range })
    }
}

impl Drop for RangeLock<'_> {
    fn drop(&mut self) {
        // A range that cannot be unlocked is unlocked when the file is closed.
        let _ = set(self.fd, self.range, libc::F_UNLCK);
    }
}

/// The lock that a file on NFS has for as long as it is open, of a byte far behind any data.
///
/// * While a client of NFS holds a lock of a part of a file, it sends the server the bytes that
///   were written and no others. Without one Linux sends the whole page where it has one cached,
///   and with it old bytes that a process elsewhere has changed since (`nfs_can_extend_write`).
/// * Taking a lock, also one that is held, is where a client gives up what it has cached of a file,
///   its size included.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Guard {
    byte: Run,
    kind: libc::c_int,
}

/// Where the bytes of guards begin.
const GUARD_AT: u64 = 1 << 62;

impl Guard {
    /// Returns the guard of a file that is read or only written. Those that are read share a byte;
    /// no shared lock can be taken of others, so each has a byte that hardly any other has.
    pub(crate) fn new(reads: bool) -> Guard {
        let (offset, kind) = match reads {
            true => (GUARD_AT, libc::F_RDLCK),
            false => {
                let number = RandomState::new().hash_one(std::process::id());
                (GUARD_AT + 1 + number % (1 << 61), libc::F_WRLCK)
            }
        };
        let byte = Run { offset, length: 1 };
        Guard { byte, kind }
    }

    /// Takes the lock, or takes it anew. A server without locks leaves all as it is.
    pub(crate) fn take(self, fd: BorrowedFd<'_>) {
        if let Err(error) = set(fd, self.byte, self.kind) {
            Framework::Fs.info(format_args!(
                "a file on NFS has no locks: its pages must not be shared: {error}"
            ));
        }
    }
}

/// Locks or unlocks a range. A range of no bytes, which to the system is one without an end, is
/// left alone.
#[expect(
    clippy::disallowed_methods,
    reason = "waits for another process's access to the same bytes, which is under way"
)]
fn set(fd: BorrowedFd<'_>, range: Run, kind: libc::c_int) -> io::Result<()> {
    if range.length == 0 {
        return Ok(());
    }
    // SAFETY: a struct of integers, for which zeros are values.
    let mut lock: libc::flock = unsafe { std::mem::zeroed() };
    lock.l_type = kind as libc::c_short;
    lock.l_whence = libc::SEEK_SET as libc::c_short;
    lock.l_start = range.offset as libc::off_t;
    lock.l_len = range.length as libc::off_t;
    loop {
        // SAFETY: the descriptor is open, and the system reads one lock behind the pointer.
        let done = unsafe { libc::fcntl(fd.as_raw_fd(), libc::F_OFD_SETLKW, &lock) };
        if done == 0 {
            return Ok(());
        }
        let error = io::Error::last_os_error();
        if error.kind() != io::ErrorKind::Interrupted {
            return Err(error);
        }
    }
}
