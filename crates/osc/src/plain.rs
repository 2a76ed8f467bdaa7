//! The plain way of an access: one stretch of a target's memory in one message, where nothing waits
//! to be sent to the target before.
//!
//! Such a message goes to its lane as it is made. Nothing is queued, and what only brings data is
//! forgotten as soon as the lane has it. All else goes the long way (`origin`, `peer`), which also
//! says what is wrong; the two meet in the order of the messages' numbers, since this one is open
//! only while the other is empty.

use ::memory::UserBuf;
use base::{Key, PeerId, Rank};
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

/// A message for a lane, which is told what came of it ([`Osc::passed`], [`Osc::taken_back`]).
#[derive(Debug)]
#[must_use = "the target's state is as if it were sent, or not"]
pub struct Message {
    /// Whom it is for.
    pub peer: PeerId,
    /// The header, which what the access brings follows.
    pub header: [u8; HEADER_BYTES],
    window: WindowId,
    target: Rank,
    confirms: bool,
    /// What waits for the answer, and for how many bytes.
    answer: Option<(Key, usize)>,
}

impl Osc {
    /// The message of an access, which what it brings follows. `None`, and nothing has changed but
    /// that the epoch is in use, where the access is to go the long way.
    #[inline]
    pub fn plain_message(
        &mut self,
        window: WindowId,
        target: Rank,
        stretch: Stretch,
        act: Act,
    ) -> Option<Message> {
        let state = self.windows.get_mut(window.0)?;
        let partner = state.partners.get(target.index())?;
        let (peer, name, locked) = (partner.peer, partner.name, partner.lock);
        let waits = locked.is_some() && !partner.granted;
        if waits
            || state.check.is_some()
            || state.epochs.operate(target, locked.is_some()) != Ok(true)
        {
            return None;
        }
        let reads = act.result().is_some();
        let confirms = !reads && state.asks_early(target);
        let known = self.peers.get(peer.index())?;
        let position = act.position()?;
        let sequence = known.clear().filter(|_| self.reply.is_none())?;
        if reads && (stretch.len > ASKED_MAX || known.awaited + stretch.len > AWAITED_MAX) {
            return None;
        }
        let answer = act.result().map(|result| {
            let into = result.part(0, stretch.len);
            let answer = Answer {
                window,
                target,
                peer,
                into,
                came: 0,
            };
            (self.answers.insert(answer), stretch.len)
        });
        let header = Header {
            op: act.op(),
            element: act.element().map_or(0, |element| element.handle as u16),
            sequence,
            token: answer.map_or(0, |(key, _)| token(key)),
            position,
            bytes: stretch.len as u64,
            stretch: Some(stretch.offset),
            confirm: confirms,
            ..Header::new(act.kind(), name)
        };
        Some(Message {
            peer,
            header: header.to_bytes(),
            window,
            target,
            confirms,
            answer,
        })
    }

    /// The lane has taken a message.
    #[inline]
    pub fn passed(&mut self, message: Message) {
        if let Some(state) = self.windows.get_mut(message.window.0) {
            let partner = state.partner(message.target);
            match message.answer {
                Some(_) => partner.open += 1,
                None if message.confirms => partner.ask(),
                None => partner.unconfirmed = true,
            }
        }
        let peer = &mut self.peers[message.peer.index()];
        peer.passed();
        peer.awaited += message.answer.map_or(0, |(_, bytes)| bytes);
    }

    /// The lane has not: the access goes the long way.
    #[cold]
    pub fn taken_back(&mut self, message: Message) {
        if let Some((key, _)) = message.answer {
            self.answers.remove(key);
        }
    }

    /// Whether everything toward a locked target is complete there, with nothing to be told of it.
    #[inline]
    pub fn is_flushed(&mut self, window: WindowId, target: Rank) -> bool {
        let Some(state) = self.windows.get_mut(window.0) else {
            return false;
        };
        let Some(partner) = state.partners.get(target.index()) else {
            return false;
        };
        let locked = partner.lock.is_some();
        let done = partner.is_settled() && !partner.unconfirmed && !partner.unflushed;
        let quiet = done && partner.error.is_none() && state.check.is_none();
        quiet && state.epochs.check_locked(target, locked, "").is_ok()
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
