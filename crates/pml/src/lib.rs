//! The point-to-point contract: types for messages, requests and communicators, the trait of a
//! layer that moves messages ([`Pml`]), and the suite that checks it ([`conformance`]).
//!
//! `ob1` and `cm` are such layers; `engine` drives the chosen one. A layer that logs or counts
//! messages can wrap another one.
#![forbid(unsafe_code)]

pub mod conformance;
mod contract;
mod forward;
mod restart;

use std::fmt;
use std::sync::Arc;

use base::{Key, PeerId, Rank};

// For the signatures of `forward!`.
#[doc(hidden)]
pub use {base, btl, datatype};

pub use contract::{Capabilities, Pml, Started};
pub use restart::{Label, Received, Restart};

/// Names a communicator in headers; unique in the job, never used again.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Context(pub u64);

impl Context {
    /// Contexts of one communicator: the first is of the messages of the program, the others of
    /// collectives and of what the library sends by itself.
    pub const PLANES: u64 = 4;

    /// Returns whether messages in it are the program's own.
    #[inline]
    pub const fn is_of_program(self) -> bool {
        self.0.is_multiple_of(Context::PLANES)
    }
}

/// Distinguishes messages of one communicator and sender. An application's tags are those of MPI,
/// from 0 to 2^31 - 1; the library's own use more of the bits. Networks that match compare the
/// lowest 31 bits, and report of the others only [`mark_of`].
pub type Tag = i64;

/// Bits 32 to 47 of a tag: 0 in those of an application.
#[inline]
pub fn mark_of(tag: Tag) -> u16 {
    (tag >> 32) as u16
}

/// A communicator of one point-to-point layer, which keeps a table of them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct CommId(Key);

impl CommId {
    /// Returns the communicator under a key of its layer's table.
    #[inline]
    pub fn from_key(key: Key) -> CommId {
        CommId(key)
    }

    /// Returns the key.
    #[inline]
    pub fn key(self) -> Key {
        self.0
    }
}

/// A send or receive under way.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct RequestId(Key);

impl RequestId {
    /// Returns the request under a key of its layer's table.
    #[inline]
    pub fn from_key(key: Key) -> RequestId {
        RequestId(key)
    }

    /// Returns the key.
    #[inline]
    pub fn key(self) -> Key {
        self.0
    }

    /// Returns the request as a number, for a transport to carry.
    pub fn bits(self) -> u64 {
        self.0.bits()
    }

    /// Returns the request that a number stands for; it may be gone.
    pub fn from_bits(bits: u64) -> RequestId {
        RequestId(Key::from_bits(bits))
    }
}

/// A message that a matched probe has taken out of matching (MPI 5.0, 3.8.2).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct MessageId(Key);

impl MessageId {
    /// Returns the message under a key of its layer's table.
    #[inline]
    pub fn from_key(key: Key) -> MessageId {
        MessageId(key)
    }

    /// Returns the key.
    #[inline]
    pub fn key(self) -> Key {
        self.0
    }
}

/// When a send is complete (MPI 5.0, 3.4). Ready mode is standard mode; buffered mode is made
/// of standard mode above.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// When its buffer may be reused.
    Standard,
    /// When it was matched, too.
    Synchronous,
}

/// The messages that a receive or probe accepts. `None` stands for any source or any tag.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pattern {
    /// The sender's rank in the communicator.
    pub source: Option<Rank>,
    /// The tag.
    pub tag: Option<Tag>,
}

/// The status of a completed or probed message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Status {
    /// The sender's rank; `None` in the status of a send.
    pub source: Option<Rank>,
    /// The tag; 0 in the status of a send.
    pub tag: Tag,
    /// The bytes received; of a probed message, its length.
    pub bytes: u64,
    /// Whether the operation was cancelled.
    pub cancelled: bool,
    /// Whether the operation was a receive from `MPI_PROC_NULL`. False for messages.
    pub nobody: bool,
    /// Description of the elements of the message by its sender, where messages are checked; 0
    /// otherwise, and from a layer that does not carry it.
    pub mark: u16,
}

impl Status {
    /// The status of an operation that received nothing.
    pub const EMPTY: Status = Status {
        source: None,
        tag: 0,
        bytes: 0,
        cancelled: false,
        nobody: false,
        mark: 0,
    };
}

/// Result of a request.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// The status of the operation.
    pub status: Status,
    /// Success, or the failure of the request.
    pub result: Result<(), Failure>,
}

/// The reason that a request failed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Failure {
    /// The message was longer than the receive's buffer; what fits was received.
    Truncated {
        /// Bytes of the message.
        sent: u64,
        /// Bytes of the buffer.
        room: u64,
    },
    /// The peer is gone.
    PeerFailed {
        /// The peer.
        peer: PeerId,
        /// The reason of the failure.
        why: Arc<str>,
    },
    /// A member of the communicator has failed, which may have been the sender that a receive from
    /// any source waits for. The receive goes on.
    Pending {
        /// The member.
        peer: PeerId,
        /// The reason of the failure.
        why: Arc<str>,
    },
    /// The communicator was revoked.
    Revoked,
    /// The network refused the operation, or ended it without its peer being gone.
    Refused {
        /// The network's reason.
        why: Arc<str>,
    },
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Truncated { sent, room } => {
                write!(
                    f,
                    "a message of {sent} bytes exceeds its receive buffer of {room} bytes"
                )
            }
            Failure::PeerFailed { peer, why } => write!(f, "{peer} failed: {why}"),
            Failure::Pending { peer, why } => {
                write!(f, "{peer} failed ({why}), and may have been the sender")
            }
            Failure::Revoked => "the communicator was revoked".fmt(f),
            Failure::Refused { why } => why.fmt(f),
        }
    }
}
