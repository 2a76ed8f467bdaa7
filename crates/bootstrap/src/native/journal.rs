//! The journal of an event log: the stores that a rank has made to its log, in order, for a copy of
//! the log on another host.
//!
//! The rank writes each store into a ring in memory that the daemon of its host holds. Before it
//! sends a message that may depend on them it writes a *token*, a number of its own, to a socket;
//! the daemon ships what the ring has, and writes the token back once the other host has it. The
//! daemon ships the ring also before it passes on what the rank has printed.
//!
//! ```text
//! word 0     number of stores so far, written after the stores themselves
//! word 8 on  the ring: two words for a store, the position in the log and the word
//! ```
//!
//! A store to the position of the last one may replace it, also where that was shipped: the daemon
//! ships the last one again with those behind it.

use std::io;
use std::os::fd::{IntoRawFd, RawFd};
use std::os::unix::net::UnixStream;

use crate::fd;

/// Bytes of the memory.
pub const BYTES: usize = 1 << 20;

/// The first word of the ring.
pub const FIRST: usize = 8;

/// Stores that the ring has room for.
pub const STORES: u64 = ((BYTES / 8 - FIRST) / 2) as u64;

/// Bytes of a token on the socket, in the order of the machine.
pub const TOKEN_BYTES: usize = 8;

/// The word of the memory at which a store begins.
pub fn place(store: u64) -> usize {
    FIRST + 2 * (store % STORES) as usize
}

/// Returns the socket and the descriptor of the memory that a value of
/// [`JOURNAL_VARIABLE`](super::JOURNAL_VARIABLE) names. Both stay open, for another life of MPI in
/// this process.
///
/// # Errors
/// When the value names no socket.
pub fn adopt(value: &str) -> io::Result<(UnixStream, RawFd)> {
    let malformed = || io::Error::other(format!("`{value}` is not SOCKET:MEMORY"));
    let (socket, memory) = value.split_once(':').ok_or_else(malformed)?;
    let number = socket.parse().map_err(|_| malformed())?;
    let memory = memory.parse().map_err(|_| malformed())?;
    let socket = UnixStream::from(fd::adopt(number, None)?);
    let copy = socket.try_clone()?;
    let _ = socket.into_raw_fd();
    Ok((copy, memory))
}
