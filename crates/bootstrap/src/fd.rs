//! System calls that the providers share: descriptors and random bytes.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, IoSliceMut, Read};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, FromRawFd, OwnedFd, RawFd};
use std::time::{Duration, Instant};

use rustix::event::{poll, PollFd, PollFlags, Timespec};
use rustix::io::Errno;
use rustix::net::{recvmsg, RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags};

use crate::Error;

/// Takes over the descriptor `number` that the launcher left open for this process, and makes it
/// close-on-exec so that programs started from here do not meddle with it.
///
/// Fails when no such descriptor is open, or when it is not the socket
/// with number `inode`, where that is known. The caller must be the only one to adopt it.
pub(crate) fn adopt(number: RawFd, inode: Option<u64>) -> io::Result<OwnedFd> {
    if number < 3 {
        return Err(Errno::BADF.into());
    }
    // SAFETY: borrowed only for the two calls below; both report EBADF for a descriptor that is
    // not open, and neither reads from or writes to it.
    let seen = unsafe { std::os::fd::BorrowedFd::borrow_raw(number) };
    let found = rustix::fs::fstat(seen)?;
    let is_socket =
        rustix::fs::FileType::from_raw_mode(found.st_mode) == rustix::fs::FileType::Socket;
    if !is_socket || inode.is_some_and(|inode| inode != found.st_ino) {
        // The number has been used again for something else, which must stay as it is.
        return Err(io::Error::other(
            "the descriptor now belongs to something else",
        ));
    }
    rustix::io::fcntl_setfd(seen, rustix::io::FdFlags::CLOEXEC)?;
    // SAFETY: the descriptor is open, as just seen, and by the launcher's contract nobody else
    // in this process owns it: its number stands in an environment variable for this library.
    Ok(unsafe { OwnedFd::from_raw_fd(number) })
}

/// Waits until `fd` can be read or is closed by the other side; false when `wait` runs out first.
#[expect(clippy::disallowed_methods, reason = "waits for the launcher")]
pub(crate) fn wait_readable(fd: impl AsFd, wait: Option<Duration>) -> io::Result<bool> {
    let until = wait.map(|wait| Instant::now() + wait);
    loop {
        let left = until.map(|until| until.saturating_duration_since(Instant::now()));
        let left = left.map(|d| Timespec {
            tv_sec: d.as_secs() as i64,
            tv_nsec: d.subsec_nanos().into(),
        });
        let mut fds = [PollFd::new(&fd, PollFlags::IN)];
        match poll(&mut fds, left.as_ref()) {
            Ok(0) => return Ok(false),
            Ok(_) => return Ok(true),
            Err(Errno::INTR) => {}
            Err(e) => return Err(e.into()),
        }
    }
}

/// Appends what can be read from `file` now, at most one buffer full; false at its end.
pub(crate) fn read_some(mut file: &File, into: &mut Vec<u8>) -> io::Result<bool> {
    let mut chunk = [0u8; 16 * 1024];
    loop {
        match file.read(&mut chunk) {
            Ok(0) => return Ok(false),
            Ok(n) => {
                into.extend_from_slice(&chunk[..n]);
                return Ok(true);
            }
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            // The launcher was killed with our words unread: the same end as a closed one.
            Err(e) if e.kind() == io::ErrorKind::ConnectionReset => return Ok(false),
            Err(e) => return Err(e),
        }
    }
}

/// Does as [`read_some`] on a socket, and takes in the descriptors that come with the bytes.
pub(crate) fn receive_some(
    socket: &File,
    into: &mut Vec<u8>,
    descriptors: &mut VecDeque<OwnedFd>,
) -> io::Result<bool> {
    let mut chunk = [0u8; 16 * 1024];
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
    loop {
        let mut control = RecvAncillaryBuffer::new(&mut space);
        let parts = &mut [IoSliceMut::new(&mut chunk)];
        match recvmsg(socket, parts, &mut control, RecvFlags::CMSG_CLOEXEC) {
            Ok(message) if message.bytes == 0 => return Ok(false),
            Ok(message) => {
                for part in control.drain() {
                    if let RecvAncillaryMessage::ScmRights(fds) = part {
                        descriptors.extend(fds);
                    }
                }
                into.extend_from_slice(&chunk[..message.bytes]);
                return Ok(true);
            }
            Err(Errno::INTR) => {}
            Err(Errno::CONNRESET) => return Ok(false),
            Err(error) => return Err(error.into()),
        }
    }
}

/// Sends all of `bytes`. Raises no SIGPIPE when the launcher is gone: the program's handling of
/// signals is its own affair.
pub(crate) fn send_all(fd: impl AsFd, bytes: &[u8], during: &'static str) -> Result<(), Error> {
    let mut rest = bytes;
    while !rest.is_empty() {
        match rustix::net::send(&fd, rest, rustix::net::SendFlags::NOSIGNAL) {
            Ok(sent) => rest = &rest[sent..],
            Err(Errno::INTR) => {}
            Err(Errno::PIPE | Errno::CONNRESET) => return Err(Error::LauncherGone { during }),
            Err(e) => {
                return Err(Error::System {
                    during,
                    source: e.into(),
                })
            }
        }
    }
    Ok(())
}

/// Fills `bytes` with random numbers from the system.
pub(crate) fn fill_random(bytes: &mut [u8]) -> io::Result<()> {
    let mut done = 0;
    while done < bytes.len() {
        match rustix::rand::getrandom(&mut bytes[done..], rustix::rand::GetRandomFlags::empty()) {
            Ok(n) => done += n,
            Err(Errno::INTR) => {}
            Err(e) => return Err(e.into()),
        }
    }
    Ok(())
}
