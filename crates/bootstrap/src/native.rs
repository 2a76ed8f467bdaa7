//! The provider for processes that this project's `mpirun` started.
//!
//! Each child inherits one end of a stream socket pair, and its number in [`FD_VARIABLE`]. It
//! carries the frames of [`wire`]: the process sends hello and receives its identity; it enters a
//! fence with everything that it has published since the last one, and when all have entered it
//! receives what all of them have published. So an exchange of addresses costs one round trip, and
//! a fetch none.

mod client;
pub mod wire;

use std::io;
use std::os::fd::{AsRawFd, OwnedFd, RawFd};

pub(crate) use client::Client;

/// The environment variable that names the descriptor which leads to the launcher, as
/// [`fd_variable`] writes it.
pub const FD_VARIABLE: &str = "OXMPI_BOOT_FD";

/// The value of [`FD_VARIABLE`] for a socket: the descriptor's number, and the socket's own. By
/// the latter a program that inherits the variable but not the socket does not mistake what it
/// has under that number for it.
pub fn fd_variable(socket: &OwnedFd) -> io::Result<String> {
    let inode = rustix::fs::fstat(socket)?.st_ino;
    Ok(format!("{}:{inode}", socket.as_raw_fd()))
}

/// Parses the descriptor's number and, where it is given, the socket's own.
fn parse_fd_variable(value: &str) -> Option<(RawFd, Option<u64>)> {
    match value.split_once(':') {
        Some((fd, inode)) => Some((fd.parse().ok()?, Some(inode.parse().ok()?))),
        None => Some((value.parse().ok()?, None)),
    }
}
