//! Requests: pending messages as their sender or receiver sees them.
//!
//! | role | event | next |
//! |---|---|---|
//! | `Send` | the network has reported it, and it was acknowledged if synchronous | `Done` |
//! | `Acknowledgement` (its receive) | it arrived, or was cancelled | gone; its send goes on |
//! | `Recv` | a message | `Done`, with an acknowledgement queued if it is synchronous |
//! | | cancelled | `Done` |
//! | `Peek` | the network's result | taken by the probe |
//! | `Claimed` (a matched probe) | a receive is started for it | gone |
//! | any that the network has | its peer died, and no end was reported | `Done`, *abandoned* |
//! | `Done`, abandoned | its outcome is taken | `Orphan` |
//! | `Orphan` | the network's report, or its end | gone |

use std::time::Duration;

use base::{Key, PeerId};
use datatype::Buffer;
use memory::{Scratch, UserBuf};
use mtl::{Envelope, Selector};
use pml::{Failure, Status};

/// The kind of a request, with its state.
pub(crate) enum Role {
    Send {
        peer: PeerId,
        label: u64,
        note: u16,
        /// Whether the network has not taken it, or still needs the buffer.
        stage: Stage,
        /// Whether an acknowledgement is outstanding.
        unacknowledged: bool,
    },
    /// The receive of an acknowledgement.
    Acknowledgement {
        of: Key,
        comm: Key,
        /// The sender of the acknowledgement.
        from: PeerId,
        selector: Selector,
    },
    Recv {
        comm: Key,
        /// The sender; `None` stands for any.
        from: Option<PeerId>,
        selector: Selector,
        /// The mark of the tag that is wanted, which is no part of the label.
        mark: u16,
        /// The matched probe that took the message out of matching, where one did.
        claimed: Option<Key>,
    },
    /// A peek at the network, and its result.
    Peek {
        found: Option<Option<Envelope>>,
    },
    /// A message that a matched probe took.
    Claimed {
        comm: Key,
        from: Option<PeerId>,
        selector: Selector,
    },
    Done(Result<(), Failure>),
    /// Gone for the application; the network has not released it.
    Orphan,
}

/// Stage of an operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Stage {
    /// It is queued here: the network was busy.
    Queued,
    /// The network has accepted it.
    Accepted,
    /// The network has reported its end.
    Finished,
}

/// An operation, from its start until its outcome was taken.
pub(crate) struct Request {
    pub(crate) role: Role,
    pub(crate) buffer: Buffer,
    /// The bytes without gaps, where the buffer has some.
    pub(crate) packed: Option<Scratch>,
    pub(crate) status: Status,
    /// Whether the outcome will not be queried.
    pub(crate) detached: bool,
    /// The owner to notify of its end (`report`).
    pub(crate) owner: Option<u64>,
    /// For receives: whether the network has it.
    pub(crate) posted: bool,
    /// The failure that the request ends with when the network releases it.
    pub(crate) failure: Option<Failure>,
    /// Whether the request ended before the network has released it.
    pub(crate) abandoned: bool,
}

impl Request {
    #[inline]
    pub(crate) fn new(role: Role, buffer: Buffer) -> Request {
        Request {
            role,
            buffer,
            packed: None,
            status: Status::EMPTY,
            detached: false,
            owner: None,
            posted: false,
            failure: None,
            abandoned: false,
        }
    }

    #[inline]
    pub(crate) fn is_done(&self) -> bool {
        matches!(self.role, Role::Done(_) | Role::Orphan)
    }

    /// Returns the bytes that a send sends: the buffer itself, or a copy without gaps.
    pub(crate) fn payload(&mut self) -> UserBuf {
        if let Some(bytes) = self.buffer.contiguous() {
            return bytes;
        }
        if self.packed.is_none() {
            let packed = Scratch::new(self.buffer.len());
            self.buffer.pack_to_user(0, packed.buf());
            self.packed = Some(packed);
        }
        self.packed.as_ref().map_or(UserBuf::EMPTY, Scratch::buf)
    }

    /// Where a receive receives to, at most `max` bytes: no message is longer.
    pub(crate) fn room(&mut self, max: u64) -> UserBuf {
        let room = match self.buffer.contiguous() {
            Some(bytes) => bytes,
            None => {
                let len = self.buffer.len();
                let packed = self.packed.get_or_insert_with(|| Scratch::new(len));
                packed.buf()
            }
        };
        room.part(
            0,
            room.len().min(usize::try_from(max).unwrap_or(usize::MAX)),
        )
    }
}

/// A receive from a dead peer that the network may still release.
pub(crate) struct Unreleased {
    pub(crate) receive: Key,
    /// Time at which the receive is abandoned; `None` until the owner next passes the time.
    pub(crate) until: Option<Duration>,
}
