//! The plain way of an access that a lane does: one stretch of bytes to or from a target's memory,
//! or one word there that the network changes in one step.
//!
//! Such an access goes to its lane as it is made. Nothing is left to know of it but whom it is
//! toward, and what to do where the lane cannot. All else goes the long way (`lanes`, `words`),
//! which also says what is wrong; what synchronises counts both alike.

use ::memory::UserBuf;
use base::{Key, PeerId, Rank};
use btl::{Atomic, AtomicOp, Started};
use datatype::Buffer;

use crate::order::Carrier;
use crate::origin::{Access, Place};
use crate::plain::{Act, Plainly, Stretch};
use crate::words::{at_once, load, Word};
use crate::{Error, Osc, WindowId};

/// A plain access that a lane does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MoveId(Key);

impl MoveId {
    /// As a number, of which the bits 30 and 31 are free.
    #[inline]
    pub fn bits(self) -> u64 {
        self.0.bits()
    }

    /// The access of a number that may be anything.
    #[inline]
    pub fn from_bits(bits: u64) -> MoveId {
        MoveId(Key::from_bits(bits))
    }
}

/// What a lane is to do for a plain access.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Motion {
    /// Writes these bytes.
    Put(UserBuf),
    /// Reads into these.
    Get(UserBuf),
    /// Changes a word. As it was it goes here, where it is asked for.
    Change(Atomic, Option<UserBuf>),
}

/// Makes a [`Place`] of another process's memory: so many bytes behind the beginning of its window,
/// and so many of them. Only asked where it lies; nothing is read or written.
pub type Far = fn(u64, usize) -> UserBuf;

/// What is known of a plain access that a lane does.
#[derive(Clone, Copy)]
pub(crate) struct Move {
    window: WindowId,
    target: Rank,
    peer: PeerId,
    what: What,
    /// The target's bytes, and what makes them a place.
    stretch: Stretch,
    far: Far,
}

#[derive(Clone, Copy)]
enum What {
    /// What it is as an operation: the caller's bytes.
    Put(UserBuf),
    Get(UserBuf),
    /// The word whose turn it has.
    Change(u64),
}

impl What {
    #[inline(always)]
    fn carrier(&self) -> Carrier {
        match self {
            What::Put(_) => Carrier::LanePut,
            What::Get(_) => Carrier::LaneGet,
            What::Change(_) => Carrier::Word,
        }
    }
}

/// What an access is for its lane; `None` where that takes more than one step.
#[inline(always)]
fn plan(stretch: Stretch, skew: u64, (act, brought): (&Act, UserBuf)) -> Option<(What, Motion)> {
    let Stretch { offset, len } = stretch;
    let word = |element| Word::of(element, offset, len, skew);
    let (word, op, before) = match *act {
        Act::Put => return Some((What::Put(brought), Motion::Put(brought))),
        Act::Get { into } => return Some((What::Get(into), Motion::Get(into))),
        Act::Accumulate {
            op,
            element,
            before,
        } => (word(element)?, at_once(op, element)?, before),
        Act::CompareAndSwap {
            element,
            compare,
            before,
        } => {
            let word = word(element)?;
            let op = AtomicOp::CompareSwap(load(compare, word.width));
            (word, op, Some(before))
        }
    };
    let operand = match op {
        AtomicOp::Read => 0,
        _ => load(brought, word.width),
    };
    let width = word.width;
    let atomic = Atomic { op, width, operand };
    Some((What::Change(word.turn()), Motion::Change(atomic, before)))
}

/// A plain access on its way to a lane: what is to be known of it once that has it.
#[must_use = "the lane's answer is to be told: `Osc::has_left`"]
pub struct Leaving {
    of: Move,
    /// Whether its bytes are there only once the lane has been flushed.
    unflushed: bool,
}

impl Leaving {
    /// Whose lane it is for.
    #[inline(always)]
    pub fn peer(&self) -> PeerId {
        self.of.peer
    }
}

impl Osc {
    /// Whether an access may go to its target's lane now: what that is to do, and by which name
    /// its end is to be told ([`Osc::moved`], [`Osc::not_moved`]). What it has put is there once it
    /// is done, where it `lands`; else the lane is to be flushed. An accumulate is of a word in a
    /// window that begins `skew` bytes behind a multiple of 8; it takes its turn
    /// ([`Osc::order_words`]).
    ///
    /// Nothing has changed but that the epoch is in use where there is none.
    #[inline(always)]
    pub fn leave(
        &mut self,
        (window, target): (WindowId, Rank),
        (stretch, skew): (Stretch, u64),
        (act, brought): (&Act, UserBuf),
        (far, lands): (Far, bool),
    ) -> Option<(Leaving, MoveId, Motion)> {
        let (what, motion) = plan(stretch, skew, (act, brought))?;
        let state = self.windows.get_mut(window.0)?;
        let (peer, _) = state.is_open(target)?;
        let known = self.peers.get(peer.index());
        if known.is_some_and(|known| known.failed.is_some()) {
            return None;
        }
        let carrier = what.carrier();
        let partner = &mut state.partners[target.index()];
        if !partner.may_follow(carrier) {
            return None;
        }
        let turns = &mut partner.turns;
        if let (What::Change(word), true) = (what, state.ordered) {
            if !turns.take(word) {
                return None;
            }
        }
        let unflushed = !lands && matches!(what, What::Put(..));
        let of = Move {
            window,
            target,
            peer,
            what,
            stretch,
            far,
        };
        let id = MoveId(self.moves.next_key());
        Some((Leaving { of, unflushed }, id, motion))
    }

    /// What a lane has said to the access that has just left; `None` that it refuses it. It is
    /// written down while it is under way.
    #[inline(always)]
    pub fn has_left(
        &mut self,
        Leaving { of, unflushed }: Leaving,
        started: Option<Started>,
    ) -> Plainly {
        if started != Some(Started::Pending) {
            let word = match of.what {
                What::Change(word) => Some(word),
                What::Put(_) | What::Get(_) => None,
            };
            return self.has_not_left((of.window, of.target), word, unflushed, started);
        }
        let (window, target) = (of.window, of.target);
        let carrier = of.what.carrier();
        let key = self.moves.insert(of);
        let partner = self.window(window).partner(target);
        partner.open += 1;
        partner.enter_lane(carrier);
        partner.unflushed |= unflushed;
        partner.last_move = Some(key);
        Plainly::Sent
    }

    /// The same where nothing is under way.
    #[inline(never)]
    fn has_not_left(
        &mut self,
        (window, target): (WindowId, Rank),
        word: Option<u64>,
        unflushed: bool,
        started: Option<Started>,
    ) -> Plainly {
        let partner = self.window(window).partner(target);
        if let Some(word) = word {
            // Nobody has come to wait for it.
            partner.turns.pass(word);
        }
        match started {
            Some(Started::Busy) => Plainly::Busy,
            Some(_) => {
                partner.unflushed |= unflushed;
                self.flush_due = !self.unflushed.is_empty();
                Plainly::Sent
            }
            None => Plainly::Refused,
        }
    }

    /// The plain access of a lane toward a target that is all that a flush waits for; whose lane,
    /// and whether it changes a word. `None` where there are others, or messages.
    #[inline]
    pub fn sole_move(&self, window: WindowId, target: Rank) -> Option<(MoveId, PeerId, bool)> {
        let state = self.windows.get(window.0)?;
        let partner = state.partners.get(target.index())?;
        let key = partner.last_move?;
        let of = self.moves.get(key)?;
        let is_sole = partner.open == 1 && partner.confirmed == partner.asked;
        is_sole.then_some((MoveId(key), of.peer, matches!(of.what, What::Change(_))))
    }

    /// A lane has done an access. Whether a flush that waits for nothing else is over with it
    /// ([`Osc::sole_move`]).
    #[inline]
    pub fn moved(&mut self, MoveId(key): MoveId) -> bool {
        matches!(self.end_move(key), Some((_, true)))
    }

    /// A lane has not done an access, and says why. Bytes go by messages instead; what a message
    /// does to a word is not atomic to what lanes do, so that is an error.
    #[cold]
    pub fn not_moved(&mut self, MoveId(key): MoveId, why: String) {
        let Some((of, _)) = self.end_move(key) else {
            return;
        };
        let access = match of.what {
            What::Put(from) => Access::Put {
                from: Buffer::bytes(from),
            },
            What::Get(into) => Access::Get {
                into: Buffer::bytes(into),
            },
            What::Change(_) => {
                let target = of.target;
                let partner = self.window(of.window).partner(target);
                return partner.note(Error::Lane { target, why });
            }
        };
        let puts = access.puts() == Some(true);
        let place = (of.far)(of.stretch.offset, of.stretch.len);
        let place = Place(Buffer::bytes(place));
        self.begin(of.window, of.target, access, place, false);
        if puts {
            // Somebody may wait for it already, and has asked for no confirmation.
            self.begin_confirm(of.window, of.target);
        }
    }

    /// An access is the lane's no more. What it was, and whether nothing is left to be done, asked
    /// or told toward its target.
    #[inline(always)]
    fn end_move(&mut self, key: Key) -> Option<(Move, bool)> {
        let of = self.moves.remove(key)?;
        self.flush_due = !self.unflushed.is_empty();
        let state = self.windows.get_mut(of.window.0)?;
        let partner = state.partner(of.target);
        partner.open -= 1;
        partner.leave_lane(of.what.carrier());
        let at_rest = partner.is_settled() && partner.is_quiet() && !partner.unflushed;
        if let What::Change(word) = of.what {
            let next = partner.turns.pass(word);
            if next.is_some() {
                self.words.follow(next);
            }
        }
        Some((of, at_rest))
    }

    /// A peer is gone, and so is what lanes did to its memory.
    pub(crate) fn fail_moves(&mut self, peer: PeerId, why: &str) {
        let lost = |(key, of): (Key, &Move)| (of.peer == peer).then_some(key);
        let lost: Vec<Key> = self.moves.iter().filter_map(lost).collect();
        for key in lost {
            let Some((of, _)) = self.end_move(key) else {
                continue;
            };
            let why = why.to_string();
            let partner = self.window(of.window).partner(of.target);
            partner.note(Error::PeerFailed { peer, why });
        }
    }
}
