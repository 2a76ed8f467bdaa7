//! The plain way of an access: one stretch of a target's memory in one message, where nothing waits
//! to be sent to the target before.
//!
//! Such a message goes to its lane as it is made. Nothing is queued, and what only brings data is
//! forgotten as soon as the lane has it. All else goes the long way (`origin`, `peer`), which also
//! says what is wrong; the two meet in the order of the messages' numbers, since this one is open
//! only while the other is empty.

use ::memory::UserBuf;
use base::{PeerId, Rank};
use datatype::{Basic, Op};

use crate::answers::{token, Answer};
use crate::origin::ASKED_MAX;
use crate::peer::AWAITED_MAX;
use crate::wire::{comparand, Header, Kind, HEADER_BYTES};
use crate::{Osc, WindowId};

/// Bytes of a target's memory.
#[derive(Clone, Copy, Debug)]
pub struct Stretch {
    /// Where they begin.
    pub offset: u64,
    /// How many they are: more than none.
    pub len: usize,
}

/// What is done to a stretch. Elements have no gaps.
#[derive(Clone, Copy, Debug)]
pub enum Act {
    /// Writes what comes with the message.
    Put,
    /// Reads.
    Get {
        /// Where to: as many bytes.
        into: UserBuf,
    },
    /// Combines what comes with the message, which is nothing for `MPI_NO_OP`.
    Accumulate {
        /// How.
        op: Op,
        /// The elements.
        element: &'static Basic,
        /// Where what was there before goes to: as many bytes.
        before: Option<UserBuf>,
    },
    /// Replaces the one element by the one that comes with the message, where it equals another.
    CompareAndSwap {
        /// The element.
        element: &'static Basic,
        /// What to compare with.
        compare: UserBuf,
        /// Where what was there before goes to: as many bytes.
        before: UserBuf,
    },
}

/// What came of an access that was to go to its lane at once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Plainly {
    /// It has gone.
    Sent,
    /// The lane takes it a little later.
    Busy,
    /// It has to go another way, or to wait.
    Refused,
}

/// How far a flush is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flushed {
    /// Everything is complete at the target, and there is nothing to be told of it.
    Done,
    /// A lane has done everything; it is to be flushed toward this process ([`Osc::lane_flushed`]).
    Lane(PeerId),
    /// It will be when answers come that have been asked for.
    Soon,
    /// There is something to be asked or told, or it may not be flushed.
    Unasked,
}

impl Osc {
    /// Makes the message of an access and has `send` say it to its lane: whom it is for, and the
    /// header, which what the access brings follows. Nothing has changed but that the epoch is in
    /// use, where it is not sent.
    #[inline]
    pub fn say_plainly(
        &mut self,
        (window, target): (WindowId, Rank),
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
        let Some((peer, name)) = state.is_open(target) else {
            return refused;
        };
        if !state.partners[target.index()].is_lane_through() {
            return refused;
        }
        let result = act.result();
        let confirm = result.is_none() && state.asks_early(target);
        let known = self.peers.get_mut(peer.index());
        // An answer that waits has its number.
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
        // Its answer is waited for under this key, which is written down while it is under way.
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
        let partner = &mut state.partners[target.index()];
        match result {
            Some(result) => {
                let fetches = !matches!(act, Act::Get { .. });
                partner.open += 1;
                partner.fetches += u32::from(fetches);
                known.awaited += len;
                self.answers.insert(Answer {
                    window,
                    target,
                    peer,
                    into: result.part(0, len),
                    came: 0,
                    fetches,
                });
            }
            None if confirm => partner.ask(),
            None => partner.unconfirmed = true,
        }
        sent
    }

    /// How far a flush of a locked target is that has not been begun.
    #[inline]
    pub fn how_flushed(&self, window: WindowId, target: Rank) -> Flushed {
        let Some(state) = self.windows.get(window.0) else {
            return Flushed::Unasked;
        };
        let Some(partner) = state.partners.get(target.index()) else {
            return Flushed::Unasked;
        };
        let locked = partner.lock.is_some();
        let quiet = partner.is_quiet() && state.check.is_none();
        if !quiet || !state.epochs.is_locked(locked) {
            return Flushed::Unasked;
        }
        match (partner.is_settled(), partner.unflushed) {
            (true, false) => Flushed::Done,
            (true, true) => Flushed::Lane(partner.peer),
            (false, _) => Flushed::Soon,
        }
    }

    /// Everything that a lane did toward a target is there, where [`Osc::how_flushed`] asked.
    #[inline]
    pub fn lane_flushed(&mut self, window: WindowId, target: Rank) {
        self.window(window).partner(target).unflushed = false;
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

    /// What does not change from message to message of a stretch.
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

    /// See [`Header::position`]; `None` where that has no room for it.
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
