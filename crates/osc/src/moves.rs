//! The fast path of an access that a lane does: one contiguous run of bytes to or from a target's
//! memory, or one word there that the network changes in one step.
//!
//! Such an access goes to its lane as it is made. Only its target is recorded, and its fallback
//! where the lane cannot do it. All others take the slow path (`lanes`, `words`), which also
//! reports errors; synchronisation counts both alike.

use ::memory::UserBuf;
use base::{Key, PeerId, Rank};
use btl::{Atomic, AtomicOp, Started};
use datatype::Buffer;

use crate::order::Carrier;
use crate::origin::{Access, Place};
use crate::phase::FlushPhase;
use crate::plain::{Act, Plainly, Stretch};
use crate::words::{at_once, load, Word};
use crate::{Error, Osc, WindowId};

/// Identifier of a fast-path access that a lane does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MoveId(Key);

impl MoveId {
    /// Returns it as a number, of which the bits 30 and 31 are free.
    #[inline]
    pub fn bits(self) -> u64 {
        self.0.bits()
    }

    /// Makes an identifier from a number that may be anything.
    #[inline]
    pub fn from_bits(bits: u64) -> MoveId {
        MoveId(Key::from_bits(bits))
    }
}

/// A lane's part of a fast-path access.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Motion {
    /// Writes these bytes.
    Put(UserBuf),
    /// Reads into this buffer.
    Get(UserBuf),
    /// Changes a word; its previous value goes to the buffer, where one is given.
    Change(Atomic, Option<UserBuf>),
}

/// Makes a [`Place`] in another process's memory from an offset in its window and a number of
/// bytes. Only its address is used; nothing is read or written.
pub type Far = fn(u64, usize) -> UserBuf;

/// Record of a fast-path access that a lane does.
#[derive(Clone, Copy)]
pub(crate) struct Move {
    window: WindowId,
    target: Rank,
    peer: PeerId,
    what: What,
    /// The target's bytes, and the function that makes a place of them.
    stretch: Stretch,
    far: Far,
}

#[derive(Clone, Copy)]
enum What {
    /// The caller's bytes, for the fallback to messages.
    Put(UserBuf),
    Get(UserBuf),
    /// The word whose turn the access has taken.
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

/// Plans an access for its lane; `None` where it takes more than one step.
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

/// A fast-path access to be offered to its lane, with its record for once the lane has it.
#[must_use = "the lane's answer is to be told: `Osc::has_left`"]
pub struct Leaving {
    of: Move,
    /// Whether its bytes are there only once the lane has been flushed.
    unflushed: bool,
}

impl Leaving {
    /// Returns the peer whose lane it is for.
    #[inline(always)]
    pub fn peer(&self) -> PeerId {
        self.of.peer
    }
}

impl Osc {
    /// Returns the part of the target's lane in an access, where it may go to that lane now, and
    /// the identifier by which its end is reported ([`Osc::moved`], [`Osc::not_moved`]). Where it
    /// `lands`, a put is in the target's memory once it is done; else the lane is to be flushed. An
    /// accumulate is of a word in a window that begins `skew` bytes behind a multiple of 8; it
    /// takes its turn ([`Osc::order_words`]).
    ///
    /// `None` changes nothing, except that the epoch is in use.
    #[inline(always)]
    pub fn leave(
        &mut self,
        (window, rank): (WindowId, Rank),
        (stretch, skew): (Stretch, u64),
        (act, brought): (&Act, UserBuf),
        (far, lands): (Far, bool),
    ) -> Option<(Leaving, MoveId, Motion)> {
        let (what, motion) = plan(stretch, skew, (act, brought))?;
        let state = self.windows.get_mut(window.0)?;
        let (peer, _) = state.is_open(rank)?;
        let known = self.peers.get(peer.index());
        if known.is_some_and(|known| known.failed.is_some()) {
            return None;
        }
        let carrier = what.carrier();
        let target = &mut state.targets[rank.index()];
        if !target.may_follow(carrier) {
            return None;
        }
        let turns = &mut target.turns;
        if let (What::Change(word), true) = (what, state.ordered) {
            if !turns.take(word) {
                return None;
            }
        }
        let unflushed = !lands && matches!(what, What::Put(..));
        let of = Move {
            window,
            target: rank,
            peer,
            what,
            stretch,
            far,
        };
        let id = MoveId(self.moves.next_key());
        Some((Leaving { of, unflushed }, id, motion))
    }

    /// Takes the reply of a lane to the access just offered; `None` means that it refuses. The
    /// access is recorded while it is under way.
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
        let (window, rank) = (of.window, of.target);
        let carrier = of.what.carrier();
        let key = self.moves.insert(of);
        let target = self.window(window).target(rank);
        target.open += 1;
        target.enter_lane(carrier);
        if unflushed {
            target.flush.put();
        }
        target.last_move = Some(key);
        Plainly::Sent
    }

    /// Takes the reply of a lane to an access that is not under way: done, busy or refused.
    #[inline(never)]
    fn has_not_left(
        &mut self,
        (window, rank): (WindowId, Rank),
        word: Option<u64>,
        unflushed: bool,
        started: Option<Started>,
    ) -> Plainly {
        let target = self.window(window).target(rank);
        if let Some(word) = word {
            // No operation waits for this turn yet.
            target.turns.pass(word);
        }
        match started {
            Some(Started::Busy) => Plainly::Busy,
            Some(_) => {
                if unflushed {
                    target.flush.put();
                }
                self.flush_due = !self.unflushed.is_empty();
                Plainly::Sent
            }
            None => Plainly::Refused,
        }
    }

    /// Returns the lane's one fast-path access to a target that a flush waits for, its peer, and
    /// whether it changes a word. `None` where the flush waits for others, or for messages.
    #[inline]
    pub fn sole_move(&self, window: WindowId, rank: Rank) -> Option<(MoveId, PeerId, bool)> {
        let state = self.windows.get(window.0)?;
        let target = state.targets.get(rank.index())?;
        let key = target.last_move?;
        let of = self.moves.get(key)?;
        let is_sole = target.open == 1 && target.is_answered();
        is_sole.then_some((MoveId(key), of.peer, matches!(of.what, What::Change(_))))
    }

    /// Records that a lane has done an access. Returns whether a flush that waits for nothing else
    /// is over with it ([`Osc::sole_move`]).
    #[inline]
    pub fn moved(&mut self, MoveId(key): MoveId) -> bool {
        matches!(self.end_move(key), Some((_, true)))
    }

    /// Records that a lane could not do an access, and why. Bytes go by messages instead; a change
    /// of a word is an error, since that of a message is not atomic with those of lanes.
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
                let rank = of.target;
                let target = self.window(of.window).target(rank);
                return target.note(Error::Lane { target: rank, why });
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

    /// Takes an access off its lane. Returns it, and whether nothing remains to be done, requested
    /// or reported at its target.
    #[inline(always)]
    fn end_move(&mut self, key: Key) -> Option<(Move, bool)> {
        let of = self.moves.remove(key)?;
        self.flush_due = !self.unflushed.is_empty();
        let state = self.windows.get_mut(of.window.0)?;
        let target = state.target(of.target);
        target.open -= 1;
        target.leave_lane(of.what.carrier());
        let at_rest = target.is_settled() && target.is_quiet() && target.flush == FlushPhase::Idle;
        if let What::Change(word) = of.what {
            let next = target.turns.pass(word);
            if next.is_some() {
                self.words.follow(next);
            }
        }
        Some((of, at_rest))
    }

    /// Fails the accesses of lanes to a peer that is gone.
    pub(crate) fn fail_moves(&mut self, peer: PeerId, why: &str) {
        let lost = |(key, of): (Key, &Move)| (of.peer == peer).then_some(key);
        let lost: Vec<Key> = self.moves.iter().filter_map(lost).collect();
        for key in lost {
            let Some((of, _)) = self.end_move(key) else {
                continue;
            };
            let why = why.to_string();
            let target = self.window(of.window).target(of.target);
            target.note(Error::PeerFailed { peer, why });
        }
    }
}
