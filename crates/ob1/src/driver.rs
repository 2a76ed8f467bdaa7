//! Values that pass between the protocol and its driver.

use std::fmt;

use base::{Cut, PeerId, Rank, RemoteKey, Service};
use datatype::Buffer;
use memory::UserBuf;
use pml::{Context, RequestId};

use crate::wire::Encoded;

/// A breach of the protocol by a peer, as a noun phrase. The driver treats the peer as failed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)] // The fields are named by the texts below.
pub enum Violation {
    MalformedHeader {
        bytes: usize,
    },
    /// The rank in an envelope is another process.
    ForeignRank {
        rank: Rank,
        context: Context,
    },
    UsedSequence {
        sequence: u64,
        context: Context,
    },
    /// The first part of a pipelined message is empty or too long, or another such message is not
    /// complete.
    FirstPart {
        bytes: u64,
        total: u64,
    },
    /// A part or an eager prefix exceeds its message.
    Excess {
        bytes: u64,
        left: u64,
    },
    /// No request waits for such a fragment.
    UnwantedFragment,
    FragmentOutside {
        offset: u64,
        bytes: u64,
        total: u64,
    },
    CtsOutside {
        bytes: u64,
        total: u64,
    },
    /// No request waits for such a reply.
    UnwantedReply,
    /// The peer has exceeded its window.
    Unexpected {
        limit: u64,
    },
    /// Too many messages came before their predecessors, or before their communicators were open.
    Ahead {
        limit: usize,
    },
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Violation::MalformedHeader { bytes } => {
                write!(f, "a malformed header in a message of {bytes} bytes")
            }
            Violation::ForeignRank { rank, context } => write!(
                f,
                "a message as rank {} of context {:#x}, which is another process",
                rank.0, context.0
            ),
            Violation::UsedSequence { sequence, context } => write!(
                f,
                "a second message with sequence number {sequence} in context {:#x}",
                context.0
            ),
            Violation::FirstPart { bytes, total } => write!(
                f,
                "a first part of {bytes} bytes of a message of {total} bytes, which is too long, \
                 too short, or before the end of another such message"
            ),
            Violation::Excess { bytes, left } => write!(
                f,
                "{bytes} bytes of a message of which {left} bytes are missing"
            ),
            Violation::UnwantedFragment => {
                f.write_str("a fragment for a request that expects none")
            }
            Violation::FragmentOutside {
                offset,
                bytes,
                total,
            } => write!(
                f,
                "a fragment of {bytes} bytes at offset {offset} of a message of {total} bytes, \
                 outside what is missing"
            ),
            Violation::CtsOutside { bytes, total } => write!(
                f,
                "a CTS for {bytes} bytes of a message of {total} bytes, outside what is left"
            ),
            Violation::UnwantedReply => f.write_str("a reply to a request that expects none"),
            Violation::Unexpected { limit } => write!(
                f,
                "more unexpected messages than fit {limit} bytes, beyond its window"
            ),
            Violation::Ahead { limit } => write!(
                f,
                "more than {limit} messages ahead of others, or for communicators that are not \
                 open here"
            ),
        }
    }
}

/// The limits of a peer: the sizes and abilities of its lane. Sizes are bytes, headers included.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
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
    /// Bytes of messages from which on the lane wants to know how long they take at their receiver
    /// ([`Driver::served`]); `None` where it does not.
    pub measured_min: Option<usize>,
}

/// The means that the driver lends to the protocol for a call: the lanes' registration of memory,
/// the time, and an ear for measured times.
pub trait Driver {
    /// Makes memory readable for a peer; `None` when that cannot be.
    fn register(&mut self, peer: PeerId, memory: UserBuf) -> Option<RemoteKey>;
    /// Ends a registration.
    fn deregister(&mut self, peer: PeerId, key: RemoteKey);
    /// Returns the time by the clock that the processes of a node share, in nanoseconds. Asked only
    /// for lanes that measure ([`Limits::measured_min`]).
    fn now(&self) -> u64;
    /// Takes the time that a message of a peer took here.
    fn served(&mut self, peer: PeerId, service: Service);
}

/// Limits of a [`crate::Protocol`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Config {
    /// Bytes of eager messages that this process leaves unmatched at one peer: its window.
    pub unexpected_limit: u64,
    /// Bytes of eager messages of one peer that this process buffers before it takes the peer for
    /// broken. No less than any peer's window.
    pub buffered_limit: u64,
    /// Messages of one peer that may wait for others before them or for their communicator, before
    /// this process takes the peer for broken.
    pub ahead_limit: usize,
}

impl Config {
    /// The largest window that a process chooses by itself (`pml_ob1_unexpected_limit` of 0).
    pub const WINDOW_MAX: u64 = 1 << 30;

    /// Messages ahead of others of one peer: a million, since a correct peer may send RTS headers
    /// without limit to a communicator that is not open here yet. Each takes some 150 bytes.
    const AHEAD_MAX: usize = 1 << 20;

    /// Returns the limits for a window. Windows are chosen by each process, from the memory of its
    /// machine, so those of peers may be larger, up to [`Config::WINDOW_MAX`].
    pub fn new(unexpected_limit: u64) -> Config {
        Config {
            unexpected_limit,
            buffered_limit: unexpected_limit.max(Config::WINDOW_MAX),
            ahead_limit: Config::AHEAD_MAX,
        }
    }
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
