//! The fast path of an access by a message: one contiguous run of a target's memory in one message,
//! where nothing is queued for the target before.
//!
//! Such a message goes to its lane as it is made. Nothing is queued, and an access that only brings
//! data is forgotten as soon as the lane has it. All others take the slow path (`origin`, `peer`),
//! which also reports errors; the two meet in the order of the messages' numbers, since the fast
//! path is open only while the queues are empty.

use ::memory::UserBuf;
use base::{PeerId, Rank};
use datatype::{Basic, Op};

use crate::answers::{token, Answer};
use crate::origin::ASKED_MAX;
use crate::peer::AWAITED_MAX;
use crate::phase::FlushPhase;
use crate::wire::{comparand, Header, Kind, HEADER_BYTES};
use crate::{Osc, WindowId};

/// A contiguous run of a target's memory.
#[derive(Clone, Copy, Debug)]
pub struct Stretch {
    /// Offset of the first byte.
    pub offset: u64,
    /// Number of bytes: at least one.
    pub len: usize,
}

/// An access to a contiguous run. Elements have no gaps.
#[derive(Clone, Copy, Debug)]
pub enum Act {
    /// Writes the data of the message.
    Put,
    /// Reads.
    Get {
        /// The destination, as long as the run.
        into: UserBuf,
    },
    /// Combines the data of the message, which is empty for `MPI_NO_OP`.
    Accumulate {
        /// The operation.
        op: Op,
        /// The datatype of the elements.
        element: &'static Basic,
        /// The destination of the previous content, as long as the run.
        before: Option<UserBuf>,
    },
    /// Replaces the one element by the data of the message, where it equals another.
    CompareAndSwap {
        /// The datatype of the element.
        element: &'static Basic,
        /// The element to compare with.
        compare: UserBuf,
        /// The destination of the previous content, as long as the run.
        before: UserBuf,
    },
}

/// The outcome of an access offered to its lane.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Plainly {
    /// The lane has taken it.
    Sent,
    /// The lane is busy, and takes it a little later.
    Busy,
    /// It has to take another path, or to wait.
    Refused,
}

/// The progress of a flush.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flushed {
    /// Everything is complete at the target, and there is nothing to report.
    Done,
    /// A lane has done everything; it is to be flushed to this peer ([`Osc::lane_flushed`]).
    Lane(PeerId),
    /// It completes when requested replies arrive.
    Soon,
    /// Something has to be requested or reported, or the target may not be flushed.
    Unasked,
}

impl Osc {
    /// Makes the message of an access and has `send` offer it to its lane, by its receiver and its
    /// header, which the data of the access follows. Where it is not sent, nothing has changed but
    /// that the epoch is in use.
    #[inline]
    pub fn say_plainly(
        &mut self,
        (window, rank): (WindowId, Rank),
        stretch: Stretch,
        act: &Act,
        send: impl FnOnce(PeerId, &[u8; HEADER_BYTES]) -> Plainly,
    ) -> Plainly {
        let refused = Plainly::Refused;
        let Some(state) = self.windows.get_mut(window.0) else {
            return refused;
        };
        if state.check.is_some() {
            return refused;
        }
        let Some((peer, name)) = state.is_open(rank) else {
            return refused;
        };
        if !state.targets[rank.index()].is_lane_through() {
            return refused;
        }
        let result = act.result();
        let confirm = result.is_none() && state.asks_early(rank);
        let known = self.peers.get_mut(peer.index());
        // A reply that waits has this number.
        let Some(known) = known.filter(|_| self.ahead.is_none()) else {
            return refused;
        };
        let (Some(sequence), Some(position)) = (known.clear(), act.position()) else {
            return refused;
        };
        let len = stretch.len;
        if result.is_some() && (len > ASKED_MAX || known.awaited + len > AWAITED_MAX) {
            return refused;
        }
        // The key of its reply, which is recorded once the message is sent.
        let answer = result.map(|_| self.answers.next_key());
        let header = Header {
            sequence,
            token: answer.map_or(0, token),
            position,
            confirm,
            ..act.header(stretch, name)
        };
        let sent = send(peer, &header.to_bytes());
        if sent != Plainly::Sent {
            return sent;
        }
        known.passed();
        let target = &mut state.targets[rank.index()];
        match result {
            Some(result) => {
                let fetches = !matches!(act, Act::Get { .. });
                target.open += 1;
                target.fetches += u32::from(fetches);
                known.awaited += len;
                self.answers.insert(Answer {
                    window,
                    target: rank,
                    peer,
                    into: result.part(0, len),
                    came: 0,
                    fetches,
                });
            }
            None if confirm => target.ask(),
            None => target.unconfirmed.access(),
        }
        sent
    }

    /// Returns the progress of a flush of a locked target that has not been begun.
    #[inline]
    pub fn how_flushed(&self, window: WindowId, rank: Rank) -> Flushed {
        let Some(state) = self.windows.get(window.0) else {
            return Flushed::Unasked;
        };
        let Some(target) = state.targets.get(rank.index()) else {
            return Flushed::Unasked;
        };
        let locked = target.lock.is_held();
        let quiet = target.is_quiet() && state.check.is_none();
        if !quiet || !state.epochs.is_locked(locked) {
            return Flushed::Unasked;
        }
        match (target.is_settled(), target.flush) {
            (true, FlushPhase::Unflushed) => Flushed::Lane(target.peer),
            (true, _) => Flushed::Done,
            (false, _) => Flushed::Soon,
        }
    }

    /// Records that everything that a lane did at a target is there, after [`Flushed::Lane`].
    #[inline]
    pub fn lane_flushed(&mut self, window: WindowId, rank: Rank) {
        self.window(window).target(rank).flush.flushed();
    }
}

impl Act {
    #[inline]
    fn kind(&self) -> Kind {
        match self {
            Act::Put => Kind::Put,
            Act::Get { .. } => Kind::Get,
            Act::Accumulate { before: None, .. } => Kind::Accumulate,
            Act::Accumulate { .. } => Kind::GetAccumulate,
            Act::CompareAndSwap { .. } => Kind::CompareAndSwap,
        }
    }

    /// Returns the header without number, token, position and request to confirm.
    #[inline]
    fn header(&self, stretch: Stretch, name: u64) -> Header {
        Header {
            op: self.op(),
            element: self.element().map_or(0, |element| element.handle as u16),
            bytes: stretch.len as u64,
            stretch: Some(stretch.offset),
            ..Header::new(self.kind(), name)
        }
    }

    /// Returns [`Header::position`]; `None` where the comparand does not fit it.
    #[inline]
    fn position(&self) -> Option<u64> {
        match self {
            Act::CompareAndSwap { compare, .. } => comparand(*compare),
            _ => Some(0),
        }
    }

    #[inline]
    fn op(&self) -> Option<Op> {
        match self {
            Act::Accumulate { op, .. } => Some(*op),
            _ => None,
        }
    }

    #[inline]
    fn element(&self) -> Option<&'static Basic> {
        match self {
            Act::Accumulate { element, .. } | Act::CompareAndSwap { element, .. } => Some(element),
            _ => None,
        }
    }

    #[inline]
    fn result(&self) -> Option<UserBuf> {
        match self {
            Act::Put => None,
            Act::Get { into } => Some(*into),
            Act::Accumulate { before, .. } => *before,
            Act::CompareAndSwap { before, .. } => Some(*before),
        }
    }
}
