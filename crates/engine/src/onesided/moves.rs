//! Fast-path accesses: those that go to their lane as they are made (`osc::plain`, `osc::moves`).

use base::{AmTag, PeerId, Rank};
use btl::{Error as LaneError, Flow, Polled, RemoteRange};
use memory::UserBuf;
use osc::{Act, Far, Flushed, Motion, MoveId, Plainly, Stretch, WindowId};
use pml::Pml;

use super::fits;
use crate::accesses::{Ended, Served, Way};
use crate::ob1::Ob1;
use crate::pml::Core;

/// An access to one contiguous run of a target's memory, in elements without gaps.
#[derive(Clone, Copy, Debug)]
pub struct PlainAccess<'a> {
    /// The window.
    pub window: WindowId,
    /// The target.
    pub target: Rank,
    /// The target's bytes.
    pub stretch: Stretch,
    /// The act on these bytes.
    pub act: &'a Act,
    /// The data that the access brings; empty for one that only reads.
    pub brought: UserBuf,
    /// How a lane reaches the target's memory, where one does.
    pub way: Option<&'a Way>,
    /// The function that makes a place of the run.
    pub far: Far,
}

/// How long an access waits for an obstacle before it takes the slow path.
#[derive(Debug)]
pub struct Grace {
    window: WindowId,
    target: Rank,
    /// Polls that are left.
    left: u32,
    /// Whether it may still wait for the target's `MPI_Win_post`.
    is_new: bool,
}

impl Grace {
    /// Returns the grace of an access, in polls.
    pub fn new(window: WindowId, target: Rank, looks: u32) -> Grace {
        Grace {
            window,
            target,
            left: looks,
            is_new: true,
        }
    }
}

/// An access by a lane whose end somebody waits for.
#[derive(Clone, Copy, Debug)]
pub struct Sought {
    id: MoveId,
    peer: PeerId,
    /// The window, where a word of it is changed.
    window: Option<WindowId>,
}

/// The result of a poll for a flush.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Found {
    /// Nothing has happened.
    Nothing,
    /// Something has: [`Core::how_flushed`] says how far the flush is.
    Something,
    /// All that the flush waited for has happened. It is over.
    All,
}

impl Core {
    /// Hands an access to its target's lane at once, which does it or sends it as a message. An
    /// obstacle that may soon be gone is waited for, for `looks` polls: an access in a queue takes
    /// longer than many others take to be read out of memory by their target, and an `MPI_Win_post`
    /// is mostly on its way. False, and nothing is done, where it has to take the slow path
    /// ([`Core::begin_access`]).
    #[inline]
    pub fn access_plainly(
        &mut self,
        access: &PlainAccess<'_>,
        looks: impl FnOnce() -> u32,
    ) -> bool {
        match self.try_plainly(access) {
            Plainly::Sent => true,
            stood => self.access_soon(access, stood, looks()),
        }
    }

    #[inline]
    fn try_plainly(&mut self, access: &PlainAccess<'_>) -> Plainly {
        match self.lanes_mut() {
            Some(lanes) => lanes.access_plainly(access),
            None => Plainly::Refused,
        }
    }

    /// Retries an access that has met an obstacle, until its grace ends.
    #[cold]
    fn access_soon(&mut self, access: &PlainAccess<'_>, stood: Plainly, looks: u32) -> bool {
        let mut grace = Grace::new(access.window, access.target, looks);
        let mut stood = stood;
        while stood != Plainly::Sent && self.waits(&mut grace, stood) {
            stood = self.try_plainly(access);
        }
        stood == Plainly::Sent
    }

    /// Hands an accumulate of a word to the transport that changes those of its window
    /// ([`Core::serve_words`]), if nothing stands in its way.
    #[inline(always)]
    pub fn change_plainly(&mut self, access: &PlainAccess<'_>) -> Plainly {
        match self.lanes_mut() {
            Some(lanes) => lanes.change_plainly(access),
            None => Plainly::Refused,
        }
    }

    /// Waits for the obstacle of an access. False where it cannot be waited for, or has been for
    /// long enough.
    #[cold]
    pub fn waits(&mut self, grace: &mut Grace, stood: Plainly) -> bool {
        match stood {
            Plainly::Busy if grace.left > 0 => {
                grace.left -= 1;
                self.progress();
                true
            }
            Plainly::Refused if grace.is_new => {
                grace.is_new = false;
                self.look_for_post(grace.window, grace.target, grace.left)
            }
            _ => false,
        }
    }

    /// Polls for the `MPI_Win_post` of a target, where an access waits for it, as often as a
    /// receive polls for its message. Returns whether it was found.
    fn look_for_post(&mut self, window: WindowId, target: Rank, looks: u32) -> bool {
        if !self.osc().awaits_post(window, target) {
            return false;
        }
        // It may have come already, and not have been seen.
        self.osc().sees_post(window, target)
            || (0..looks).any(|_| {
                self.progress();
                self.osc().sees_post(window, target)
            })
    }

    /// Returns the access that is all that a flush of a target waits for, where its end can be
    /// polled for by itself.
    #[inline]
    pub fn sole_move(&self, window: WindowId, target: Rank) -> Option<Sought> {
        let (id, peer, is_word) = self.lanes()?.osc.sole_move(window, target)?;
        let window = is_word.then_some(window);
        Some(Sought { id, peer, window })
    }

    /// Polls for the end of an access, at most `looks` times, and for all else only where something
    /// has come.
    #[inline]
    pub fn look_for(&mut self, sought: &Sought, looks: u32) -> Found {
        let Some(ob1) = self.lanes_mut() else {
            return Found::Nothing;
        };
        match ob1.look_for(sought, looks) {
            Polled::Nothing => Found::Nothing,
            Polled::Ended if ob1.osc.moved(sought.id) => Found::All,
            Polled::Ended => Found::Something,
            Polled::Other if ob1.progress() == 0 => Found::Nothing,
            Polled::Other => Found::Something,
        }
    }

    /// Returns how far a flush of a locked target is that has not been begun. A lane that has done
    /// all is flushed.
    #[inline]
    pub fn how_flushed(&mut self, window: WindowId, target: Rank) -> Flushed {
        match self.osc().how_flushed(window, target) {
            Flushed::Lane(peer) => self.flush_lane(window, target, peer),
            told => told,
        }
    }

    #[inline]
    fn flush_lane(&mut self, window: WindowId, target: Rank, peer: PeerId) -> Flushed {
        let Some(ob1) = self.lanes_mut() else {
            return Flushed::Unasked;
        };
        match ob1.bml.flush(peer) {
            Ok(Flow::Sent) => {
                ob1.osc.lane_flushed(window, target);
                Flushed::Done
            }
            Ok(Flow::Busy) => Flushed::Soon,
            // The slow path finds the error again.
            Err(_) => Flushed::Unasked,
        }
    }
}

impl Ob1 {
    #[inline]
    fn look_for(&mut self, sought: &Sought, looks: u32) -> Polled {
        let token = Ended::Move(sought.id).token();
        match sought.window.map(|window| self.words.get(window)) {
            None => self.bml.poll_for(sought.peer, token, looks),
            Some(Some(Served { lane, .. })) => self.bml.poll_for_word(lane, token, looks),
            Some(None) => Polled::Other,
        }
    }

    #[inline]
    fn access_plainly(&mut self, access: &PlainAccess<'_>) -> Plainly {
        let (len, way) = (access.stretch.len, access.way);
        let puts = match access.act {
            Act::Put => true,
            Act::Get { .. } => false,
            Act::Accumulate { .. } | Act::CompareAndSwap { .. } => {
                return match self.words.get(access.window) {
                    Some(_) => Plainly::Refused,
                    None => self.say_plainly(access),
                };
            }
        };
        match way.filter(|way| self.goes_by(way, puts, len)) {
            Some(way) => self.move_plainly(access, way),
            None => self.say_plainly(access),
        }
    }

    /// By a message.
    #[inline]
    fn say_plainly(&mut self, access: &PlainAccess<'_>) -> Plainly {
        let (bml, brought) = (&mut self.bml, access.brought);
        let at = (access.window, access.target);
        (self.osc).say_plainly(at, access.stretch, access.act, |peer, header| {
            // The slow path finds the error again.
            if !fits(bml, peer, header.len() + brought.len()) {
                return Plainly::Refused;
            }
            let sent = bml.send(peer, AmTag::OSC, header, brought);
            // Compared, since a copy would be loaded wider than the lane has stored it.
            if sent == Ok(Flow::Sent) {
                return Plainly::Sent;
            }
            match sent {
                Ok(_) => Plainly::Busy,
                Err(_) => Plainly::Refused,
            }
        })
    }

    /// A put or a get by the lane.
    #[inline(never)]
    fn move_plainly(&mut self, access: &PlainAccess<'_>, way: &Way) -> Plainly {
        let far = (access.far, way.memory.puts_land());
        let at = (access.window, access.target);
        let what = (access.act, access.brought);
        let Some((leaving, id, motion)) = self.osc.leave(at, (access.stretch, 0), what, far) else {
            return Plainly::Refused;
        };
        let there = way.memory.at(access.stretch.offset);
        let (peer, token) = (leaving.peer(), Ended::Move(id).token());
        let started = match motion {
            Motion::Put(from) => self.bml.put(peer, from, there, token).ok(),
            Motion::Get(into) => self.bml.get(peer, into, there, token).ok(),
            Motion::Change(..) => None,
        };
        self.osc.has_left(leaving, started)
    }

    /// An accumulate of a word by the transport that serves the window's.
    #[inline(always)]
    fn change_plainly(&mut self, access: &PlainAccess<'_>) -> Plainly {
        let Some(Served { lane, targets }) = self.words.get(access.window) else {
            return Plainly::Refused;
        };
        let Some(words) = targets.get(access.target.index()) else {
            return Plainly::Refused;
        };
        let at = (access.window, access.target);
        let (what, stretch) = ((access.act, access.brought), (access.stretch, words.skew));
        let Some((leaving, id, motion)) = self.osc.leave(at, stretch, what, (access.far, true))
        else {
            return Plainly::Refused;
        };
        let (key, offset) = (words.key, access.stretch.offset);
        let place = (leaving.peer(), RemoteRange { key, offset });
        let token = Ended::Move(id).token();
        let started = match motion {
            Motion::Change(atomic, before) => {
                let begun = self.bml.change_word(lane, place, atomic, before, token);
                begun.ok()
            }
            Motion::Put(_) | Motion::Get(_) => None,
        };
        self.osc.has_left(leaving, started)
    }

    /// A lane has not done a plain access.
    #[cold]
    pub(crate) fn move_failed(&mut self, id: osc::MoveId, error: LaneError) {
        let why = error.to_string();
        match error {
            LaneError::PeerGone { peer, how } => self.peer_failed(peer, &how),
            error => log::info!(target: "osc", "an access goes another way: {error}"),
        }
        self.osc.not_moved(id, why);
    }
}
