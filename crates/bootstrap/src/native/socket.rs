//! The environment variable by which a child finds its connection to the native launcher.

use std::io;
use std::os::fd::{AsRawFd, OwnedFd, RawFd};

/// The environment variable that names the descriptor which leads to the launcher, as
/// [`fd_variable`] writes it.
pub const FD_VARIABLE: &str = "OXMPI_BOOT_FD";

/// Names the variable with the number of a rank's life, counted from 1, where it was started again.
pub const LIFE_VARIABLE: &str = "OXMPI_LIFE";

/// Names the variable with the descriptor of a rank's event log: memory that the launcher holds, so
/// that it outlives the rank.
pub const EVENT_LOG_VARIABLE: &str = "OXMPI_EVENT_LOG";

/// Names the variable with the descriptors of the journal of a rank's event log, as
/// `SOCKET:MEMORY`, where another host is to have a copy of the log; see [`super::journal`].
pub const JOURNAL_VARIABLE: &str = "OXMPI_EVENT_JOURNAL";

/// Names the variable that is set where the job goes on when a rank fails: its ranks then poll for
/// reports of deaths often.
pub const RECOVERY_VARIABLE: &str = "OXMPI_RECOVERY";

/// Bytes of an event log. Memory is taken as the log grows.
pub const EVENT_LOG_BYTES: usize = 256 << 20;

/// Names the variable with the descriptors of a rank's payload log: memory that the launcher holds,
/// and, where the user names a folder, a file: `MEMORY[,FILE]`.
pub const PAYLOAD_LOG_VARIABLE: &str = "OXMPI_PAYLOAD_LOG";

/// Names the variable with the memory that a rank records its calls into, as `DESCRIPTOR:BYTES`.
pub const TRACE_VARIABLE: &str = "OXMPI_TRACE";

/// The value of [`FD_VARIABLE`] for a socket: the descriptor's number, and the socket's own. By
/// the latter a program that inherits the variable but not the socket does not mistake what it
/// has under that number for it.
pub fn fd_variable(socket: &OwnedFd) -> io::Result<String> {
    let inode = rustix::fs::fstat(socket)?.st_ino;
    Ok(format!("{}:{inode}", socket.as_raw_fd()))
}

/// Parses the descriptor's number and, where it is given, the socket's own.
pub(super) fn parse_fd_variable(value: &str) -> Option<(RawFd, Option<u64>)> {
    match value.split_once(':') {
        Some((fd, inode)) => Some((fd.parse().ok()?, Some(inode.parse().ok()?))),
        None => Some((value.parse().ok()?, None)),
    }
}
