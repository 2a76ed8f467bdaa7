//! Requests: pending messages as their sender or receiver sees them.
//!
//! The states and their transitions (the test `table` applies every event in every state, and
//! compares this table with the result):
//!
//! | state | event | next | sent |
//! |---|---|---|---|
//! | `Queued` | the lane took the last frame | `Done` | |
//! | | a lane that buffers messages took the last frame | `Buffered` | |
//! | `Queued`, synchronous | the lane took the last frame | `Unmatched` | |
//! | | a lane that buffers messages took the last frame | `Unmatched` | |
//! | | cancelled | stays | WITHDRAW |
//! | `Pipelined` | the lane took the last frame | `Done` | |
//! | | a lane that buffers messages took the last frame | `Buffered` | |
//! | `Buffered` | the lane no longer buffers it | `Done` | |
//! | `Unmatched` | FIN | `Done` | |
//! | | cancelled | stays | WITHDRAW |
//! | | WITHDRAWN | `Done`, cancelled | |
//! | `Rendezvous` | CTS | `Streaming` | FRAGMENT |
//! | | FIN | `Done` | |
//! | | cancelled | stays | WITHDRAW |
//! | | WITHDRAWN | `Done`, cancelled | |
//! | `Streaming` | the lane took the last frame | `Done` | |
//! | | a lane that buffers messages took the last frame | `Buffered` | |
//! | `Posted` | EAGER | `Done` | |
//! | | EAGER_ACK | `Done` | FIN |
//! | | RTS with a key | `Reading` | a read |
//! | | RTS without a key | `Collecting` | CTS |
//! | | RTS with the whole message | `Done` | FIN |
//! | | LONG | `Gathering` | |
//! | | cancelled | `Done`, cancelled | |
//! | | the peer left | stays | |
//! | `Gathering` | LONG | refused | |
//! | | MORE that is not the last | stays | |
//! | | the last MORE | `Done` | |
//! | `Reading` | the read is done | `Done` | FIN |
//! | | the read was refused | `Collecting` | CTS |
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
use pml::{Context, Failure, Outcome, Status, Tag};

use crate::wire::Envelope;

/// The phase of a request. It owns nothing, so a step to the next phase is a few stores.
#[derive(Clone, Copy)]
pub(crate) enum Phase {
    /// An eager message that waits for its lane; if `synchronous`, it waits for its match then.
    Queued { peer: PeerId, synchronous: bool },
    /// A pipelined eager message that waits for its lane from byte `next` on.
    Pipelined { peer: PeerId, next: usize },
    /// A message that its lane took and buffers in this process.
    Buffered { peer: PeerId },
    /// A synchronous eager message that was sent and waits to be matched.
    Unmatched { peer: PeerId },
    /// A rendezvous message that waits for CTS or FIN. Its first `prefix` bytes go with the RTS
    /// header.
    Rendezvous {
        peer: PeerId,
        key: Option<RemoteKey>,
        prefix: usize,
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
    /// A posted receive from any source, while a member's failure is not acknowledged: the receive
    /// reports the failure.
    Disturbed { comm: Key },
    /// A receive of a pipelined eager message.
    Gathering { peer: PeerId },
    /// A receive that reads the sender's memory from byte `prefix` on.
    Reading {
        peer: PeerId,
        sender: Key,
        prefix: u64,
        total: u64,
    },
    /// A receive of fragments; `left` bytes are missing, of `wanted`.
    Collecting {
        peer: PeerId,
        left: u64,
        wanted: u64,
    },
    /// Complete.
    Done,
}

/// The fate of a request after its end.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum After {
    /// It stays until its outcome is taken.
    Stays,
    /// It is dropped: its outcome will not be queried.
    Dropped,
    /// It stays, and its owner is notified ([`crate::Protocol::take_ended`]).
    Reported(u64),
}

/// A request and its buffer.
pub(crate) struct Request {
    pub(crate) phase: Phase,
    pub(crate) buffer: Buffer,
    pub(crate) status: Status,
    /// Why it failed, if it did.
    pub(crate) failure: Option<Box<Failure>>,
    pub(crate) after: After,
}

// A larger one is moved by a call of `memcpy`, on the path of each receive.
const _: () = assert!(size_of::<Request>() <= 128);

/// Where a send belongs: for accounts, and for the end of its communicator. Receives do without, so
/// it has a table of its own ([`Origins`]).
#[derive(Clone, Copy)]
pub(crate) struct Origin {
    pub(crate) context: Context,
    pub(crate) tag: Tag,
    /// The communicator of a send that its receiver replies to.
    pub(crate) comm: Option<Key>,
}

/// The origins of sends, by the position of the request. An entry stays until the position serves
/// another send.
#[derive(Default)]
pub(crate) struct Origins(Vec<Option<(Key, Origin)>>);

impl Origins {
    /// Notes where a send belongs.
    pub(crate) fn set(&mut self, request: Key, origin: Origin) {
        let index = request.index();
        if index >= self.0.len() {
            self.0.resize(index + 1, None);
        }
        self.0[index] = Some((request, origin));
    }

    /// Adds the communicator of a send that its receiver replies to.
    pub(crate) fn set_comm(&mut self, request: Key, comm: Key) {
        match self.0.get_mut(request.index()) {
            Some(Some((key, origin))) if *key == request => origin.comm = Some(comm),
            _ => {}
        }
    }

    /// Returns where a send belongs; `None` of a receive, and where it was not noted.
    pub(crate) fn get(&self, request: Key) -> Option<Origin> {
        let (key, origin) = (*self.0.get(request.index())?)?;
        (key == request).then_some(origin)
    }
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
        matches!(self.phase, Phase::Done | Phase::Disturbed { .. })
    }

    /// Whether it reports [`Failure::Pending`], and stays posted.
    #[inline]
    pub(crate) fn is_disturbed(&self) -> bool {
        matches!(self.phase, Phase::Disturbed { .. })
    }

    /// Returns the outcome of a complete request.
    pub(crate) fn outcome(&self) -> Option<Outcome> {
        self.is_done().then(|| Outcome {
            status: self.status,
            result: match &self.failure {
                None => Ok(()),
                Some(failure) => Err((**failure).clone()),
            },
        })
    }

    /// Returns the peer that the request cannot go on without.
    pub(crate) fn depends_on(&self) -> Option<PeerId> {
        match self.phase {
            Phase::Queued { peer, .. }
            | Phase::Pipelined { peer, .. }
            | Phase::Buffered { peer }
            | Phase::Gathering { peer }
            | Phase::Unmatched { peer }
            | Phase::Rendezvous { peer, .. }
            | Phase::Streaming { peer, .. }
            | Phase::Reading { peer, .. }
            | Phase::Collecting { peer, .. } => Some(peer),
            Phase::Posted { .. } | Phase::Disturbed { .. } | Phase::Done => None,
        }
    }
}

/// Returns the status of a receive of `bytes` bytes of a message.
#[inline]
pub(crate) fn status_of(envelope: Envelope, bytes: u64) -> Status {
    Status {
        source: Some(envelope.source),
        tag: envelope.tag,
        bytes,
        mark: envelope.mark,
        ..Status::EMPTY
    }
}

/// Checks that a message of `sent` bytes fits a receive of `room` bytes.
#[inline]
pub(crate) fn check_length(sent: u64, room: u64) -> Result<(), Failure> {
    if sent > room {
        return Err(Failure::Truncated { sent, room });
    }
    Ok(())
}

#[cfg(test)]
mod table;
