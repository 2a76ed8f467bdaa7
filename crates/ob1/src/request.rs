//! A message under way, as its sender or its receiver sees it.
//!
//! The states and what moves a request among them (`table` makes every state meet every event, and
//! holds this table to what it finds):
//!
//! | state | event | next | sent |
//! |---|---|---|---|
//! | `Parked` | the lane took the last frame | `Done` | |
//! | | a lane that keeps messages took the last frame | `Kept` | |
//! | `Parked`, synchronous | the lane took the last frame | `Unmatched` | |
//! | | a lane that keeps messages took the last frame | `Unmatched` | |
//! | | cancelled | stays | WITHDRAW |
//! | `Cut` | the lane took the last frame | `Done` | |
//! | | a lane that keeps messages took the last frame | `Kept` | |
//! | `Kept` | the lane no longer keeps it | `Done` | |
//! | `Unmatched` | FINISHED | `Done` | |
//! | | cancelled | stays | WITHDRAW |
//! | | WITHDRAWN | `Done`, cancelled | |
//! | `Announced` | CLEAR | `Streaming` | FRAGMENT |
//! | | FINISHED | `Done` | |
//! | | cancelled | stays | WITHDRAW |
//! | | WITHDRAWN | `Done`, cancelled | |
//! | `Streaming` | the lane took the last frame | `Done` | |
//! | | a lane that keeps messages took the last frame | `Kept` | |
//! | `Posted` | EAGER | `Done` | |
//! | | EAGER_ACK | `Done` | FINISHED |
//! | | RENDEZVOUS with a key | `Reading` | a read |
//! | | RENDEZVOUS without a key | `Collecting` | CLEAR |
//! | | RENDEZVOUS with the whole message | `Done` | FINISHED |
//! | | LONG | `Gathering` | |
//! | | cancelled | `Done`, cancelled | |
//! | | the peer left | stays | |
//! | `Gathering` | LONG | refused | |
//! | | MORE that is not the last | stays | |
//! | | the last MORE | `Done` | |
//! | `Reading` | the read is done | `Done` | FINISHED |
//! | | the read was refused | `Collecting` | CLEAR |
//! | `Collecting` | FRAGMENT that is not the last | stays | |
//! | | the last FRAGMENT | `Done` | |
//! | `Done` | the peer failed | stays | |
//! | | the peer left | stays | |
//!
//! Any state but `Done` becomes `Done` with an error when the peer fails, or when it leaves. Other
//! events do nothing to a request. A reply or a part of a message that no request waits for is a
//! violation of the protocol, after which the peer counts as failed.

use base::{Key, PeerId, Rank, RemoteKey};
use datatype::Buffer;
use pml::{Failure, Outcome, Status};

/// Where a request is. Owns nothing, so a step to the next phase is plain stores.
#[derive(Clone, Copy)]
pub(crate) enum Phase {
    /// An eager message that waits for its lane. `synchronous`: then for its match.
    Parked { peer: PeerId, synchronous: bool },
    /// An eager message in parts that waits for its lane from byte `next` on.
    Cut { peer: PeerId, next: usize },
    /// A message that its lane took, and that has not left this process.
    Kept { peer: PeerId },
    /// A synchronous eager message that was sent and waits to be matched.
    Unmatched { peer: PeerId },
    /// A message that was announced and waits for the receiver's word. Its first `front` bytes
    /// go with the announcement.
    Announced {
        peer: PeerId,
        key: Option<RemoteKey>,
        front: usize,
    },
    /// A message that is being sent in fragments, up to `end`; `next` is the first byte not
    /// yet accepted by the lane.
    Streaming {
        peer: PeerId,
        receiver: Key,
        next: usize,
        end: usize,
    },
    /// A receive that waits to be matched.
    Posted { comm: Key, source: Option<Rank> },
    /// A receive whose message comes in parts, unasked.
    Gathering { peer: PeerId },
    /// A receive that reads the sender's memory from byte `front` on.
    Reading {
        peer: PeerId,
        sender: Key,
        front: u64,
        total: u64,
    },
    /// A receive that collects fragments; `left` bytes are missing, of `wanted`.
    Collecting {
        peer: PeerId,
        left: u64,
        wanted: u64,
    },
    /// Complete.
    Done,
}

/// What follows the end of a request.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum After {
    /// It stays until somebody takes its outcome.
    Stays,
    /// Nobody will ask for the outcome: it goes.
    Goes,
    /// It stays, and whose it is hears of it ([`crate::Protocol::take_ended`]).
    Tells(u64),
}

/// A request and its buffer.
pub(crate) struct Request {
    pub(crate) phase: Phase,
    pub(crate) buffer: Buffer,
    pub(crate) status: Status,
    /// How it ended, if not well.
    pub(crate) failure: Option<Box<Failure>>,
    pub(crate) after: After,
}

impl Request {
    pub(crate) fn new(phase: Phase, buffer: Buffer) -> Request {
        Request {
            phase,
            buffer,
            status: Status::EMPTY,
            failure: None,
            after: After::Stays,
        }
    }

    #[inline]
    pub(crate) fn is_done(&self) -> bool {
        matches!(self.phase, Phase::Done)
    }

    /// How it ended, once it is complete.
    pub(crate) fn outcome(&self) -> Option<Outcome> {
        self.is_done().then(|| Outcome {
            status: self.status,
            result: match &self.failure {
                None => Ok(()),
                Some(failure) => Err((**failure).clone()),
            },
        })
    }

    /// The peer that the request cannot go on without.
    pub(crate) fn depends_on(&self) -> Option<PeerId> {
        match self.phase {
            Phase::Parked { peer, .. }
            | Phase::Cut { peer, .. }
            | Phase::Kept { peer }
            | Phase::Gathering { peer }
            | Phase::Unmatched { peer }
            | Phase::Announced { peer, .. }
            | Phase::Streaming { peer, .. }
            | Phase::Reading { peer, .. }
            | Phase::Collecting { peer, .. } => Some(peer),
            Phase::Posted { .. } | Phase::Done => None,
        }
    }
}

#[cfg(test)]
mod table;
