//! Values that pass between the protocol and its driver.

use base::{Cut, PeerId, RemoteKey};
use datatype::Buffer;
use memory::UserBuf;
use pml::RequestId;

use crate::wire::Encoded;

/// A peer sent what the protocol does not allow. The driver treats the peer as failed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Violation {
    /// The violation: one clause.
    pub what: &'static str,
}

/// The properties of the lane to a peer. Sizes are bytes, headers included.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lane {
    /// Largest eager message.
    pub eager_limit: usize,
    /// How to cut pipelined eager messages, and how long those may be; `None` where the lane wants
    /// none. Only for lanes that keep the order.
    pub cut: Option<Cut>,
    /// Bytes of a longer message to send with its RTS; 0 for none.
    pub rndv_eager_limit: usize,
    /// Largest message that the lane takes.
    pub max_send: usize,
    /// Whether the peer can read this process's memory over the lane.
    pub can_get: bool,
    /// Whether the lane may buffer a message that it took in this process. Such a message is
    /// complete when [`crate::Protocol::release_buffered`] learns that it has left.
    pub buffers: bool,
}

/// The lanes' registration of memory, lent by the driver.
pub trait Registrar {
    /// Makes memory readable for a peer; `None` when that cannot be.
    fn register(&mut self, peer: PeerId, memory: UserBuf) -> Option<RemoteKey>;
    /// Ends a registration.
    fn deregister(&mut self, peer: PeerId, key: RemoteKey);
}

/// Limits of a [`crate::Protocol`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Config {
    /// Bytes of eager messages of one peer that may wait at this process unmatched. All
    /// processes of a job use the same value.
    pub unexpected_limit: u64,
}

/// The next act of the driver for a peer.
pub enum Frame<'a> {
    /// Send a header and, after it, `len` bytes of a buffer from byte `offset` on.
    Send {
        /// The header.
        header: Encoded,
        /// The buffer that the payload comes from.
        buffer: &'a Buffer,
        /// The first byte of the buffer to send.
        offset: usize,
        /// The number of bytes to send.
        len: usize,
    },
    /// Read the peer's memory into `local`, and report it under `request`.
    Get {
        /// The destination.
        local: UserBuf,
        /// The remote key of the memory to read.
        key: RemoteKey,
        /// The first byte of that memory to read.
        offset: u64,
        /// The request to pass to [`crate::Protocol::get_done`].
        request: RequestId,
    },
}
