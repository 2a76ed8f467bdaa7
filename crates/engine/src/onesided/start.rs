//! The start of an access by the carrier that `osc::choose` names, and the polls for the end of a
//! flush.

use base::{AmTag, PeerId, Rank};
use bml::RemoteMemory;
use btl::{Flow, Polled};
use osc::{choose, Access, AccessStart, Carrier, Flushed, LaneMin, OpId, Reach, Shared, WindowId};
use pml::Pml;

use super::fits;
use crate::accesses::{token_of, Served};
use crate::ob1::Ob1;
use crate::pml::Core;

/// A target's memory, as a lane reaches it.
#[derive(Clone, Copy, Debug)]
pub struct WindowLane {
    /// The memory, as the lane knows it.
    pub memory: RemoteMemory,
    /// Bytes of an access from which on it takes the lane. Each piece of one takes as long as an
    /// access of its own, and so is to be worth one.
    pub min: LaneMin,
    /// The target's process, where messages do instead while that waits for some
    /// ([`btl::Hints::waiting_max`]).
    pub yields_to: Option<PeerId>,
}

/// The outcome of a started access.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Begun {
    /// It is done or under way; with the operation, where its outcome is to be queried.
    Begun(Option<OpId>),
    /// The caller is to do it, by loads and stores.
    InMemory,
    /// It would overtake an earlier one: to be started again once it may follow
    /// ([`osc::Osc::may_follow`]).
    MustFollow(Carrier),
}

/// A target of a window.
type At = (WindowId, Rank);

/// Polls in a row for the end of the one access that a flush waits for, and, of a flush that waits
/// for messages, for each poll of a receive: a reply takes a round trip, and to begin the wait
/// takes as long as a dozen polls.
const POLLS: u32 = 8;

impl Core {
    /// Starts an access that [`osc::Osc::may_begin`] allows, by the carrier that its facts name.
    /// One that its carrier does not take at once is queued. With `held` the caller will query its
    /// outcome.
    pub fn start(
        &mut self,
        at: At,
        access: &Access,
        (shared, lane): (Shared, Option<&WindowLane>),
        held: bool,
    ) -> Begun {
        let (window, target) = at;
        let carrier = match self.lanes_mut() {
            Some(ob1) => ob1.choose(at, access, (shared, lane)),
            None => {
                let osc = self.osc();
                let reach = Reach {
                    shared,
                    ..Reach::default()
                };
                choose(access, &reach, |by| osc.may_follow(window, target, by))
            }
        };
        if carrier == Carrier::Memory {
            return Begun::InMemory;
        }
        if let (Some(ob1), false) = (self.lanes_mut(), held) {
            if ob1.start_now(carrier, at, access, lane) == AccessStart::Sent {
                return Begun::Begun(None);
            }
        }
        if !self.osc().may_follow(window, target, carrier) {
            return Begun::MustFollow(carrier);
        }
        if let Some(ob1) = self.lanes_mut() {
            match (carrier, lane) {
                (Carrier::LanePut | Carrier::LaneGet, Some(lane)) => {
                    return Begun::Begun(Some(ob1.begin_pieces(at, access, &lane.memory, held)));
                }
                (Carrier::Word, _) => {
                    if let Some(begun) = ob1.begin_steps(at, access, held) {
                        return Begun::Begun(Some(begun));
                    }
                }
                _ => {}
            }
        }
        let begun = self.osc().begin(window, target, access.clone(), held);
        self.send_accesses();
        Begun::Begun(begun)
    }

    /// Offers a contiguous access to its carrier at once. An obstacle that may soon be gone is
    /// waited for, for `polls` polls: an access in a queue takes longer than many others take to be
    /// read out of memory by their target, and an `MPI_Win_post` is mostly on its way. False, and
    /// nothing is done, where [`Core::start`] has to take it.
    #[inline]
    pub fn start_soon(
        &mut self,
        at: At,
        access: &Access,
        lane: Option<&WindowLane>,
        polls: impl FnOnce() -> u32,
    ) -> bool {
        match self.start_at_once(at, access, lane) {
            AccessStart::Sent => true,
            met => self.retry(at, access, lane, met, polls()),
        }
    }

    #[inline]
    fn start_at_once(&mut self, at: At, access: &Access, lane: Option<&WindowLane>) -> AccessStart {
        let Some(ob1) = self.lanes_mut() else {
            return AccessStart::Refused;
        };
        let carrier = ob1.choose(at, access, (Shared::Nothing, lane));
        ob1.start_now(carrier, at, access, lane)
    }

    /// Retries an access that has met an obstacle, while that is worth waiting for.
    #[cold]
    fn retry(
        &mut self,
        at: At,
        access: &Access,
        lane: Option<&WindowLane>,
        mut met: AccessStart,
        mut polls: u32,
    ) -> bool {
        let mut may_await_post = true;
        loop {
            match met {
                AccessStart::Sent => return true,
                AccessStart::Busy if polls > 0 => {
                    polls -= 1;
                    self.progress();
                }
                AccessStart::Refused if may_await_post && self.sees_post(at, polls) => {
                    may_await_post = false;
                }
                AccessStart::Busy | AccessStart::Refused => return false,
            }
            met = self.start_at_once(at, access, lane);
        }
    }

    /// Polls for the `MPI_Win_post` of a target, where an access waits for it, as often as a
    /// receive polls for its message. Returns whether it was found.
    fn sees_post(&mut self, (window, target): At, polls: u32) -> bool {
        if !self.osc().awaits_post(window, target) {
            return false;
        }
        // It may have come already, and not have been seen.
        self.osc().sees_post(window, target)
            || (0..polls).any(|_| {
                self.progress();
                self.osc().sees_post(window, target)
            })
    }

    /// Returns how far a flush of a locked target is that has not been begun. A lane that has done
    /// all is flushed.
    #[inline]
    pub fn how_flushed(&mut self, window: WindowId, target: Rank) -> Flushed {
        match self.osc().how_flushed(window, target) {
            Flushed::Lane(peer) => self.flush_lane(window, target, peer),
            how => how,
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
            // A wait finds the error again.
            Err(_) => Flushed::Unasked,
        }
    }

    /// Polls for the end of a flush that waits for nothing but what comes by itself, a multiple of
    /// `polls` times. Returns whether it is over.
    pub fn is_flushed_soon(&mut self, window: WindowId, target: Rank, polls: u32) -> bool {
        let osc = self.osc();
        let sole = osc.sole_access(window, target);
        let rounds = match sole {
            Some(_) => 2 * polls,
            None => POLLS * polls,
        };
        for round in 0..rounds {
            let happened = match (sole, self.lanes_mut()) {
                (Some((access, peer, is_word)), Some(ob1)) if round % 2 == 1 => {
                    let word_of = is_word.then_some(window);
                    match ob1.poll_for(access, peer, word_of) {
                        Polled::Nothing => false,
                        Polled::Ended if ob1.osc.lane_done(access) => return true,
                        Polled::Ended => true,
                        Polled::Other => ob1.progress() > 0,
                    }
                }
                _ => self.progress() > 0,
            };
            // Nothing has changed; but in the first round it may be that nothing was to come.
            if !happened && round > 0 {
                continue;
            }
            match self.how_flushed(window, target) {
                Flushed::Done => return true,
                Flushed::Soon => {}
                Flushed::Lane(_) | Flushed::Unasked => return false,
            }
        }
        false
    }
}

impl Ob1 {
    /// Returns the carrier of an access, by the facts about its target.
    #[inline]
    fn choose(
        &mut self,
        at: At,
        access: &Access,
        (shared, lane): (Shared, Option<&WindowLane>),
    ) -> Carrier {
        let (words, lane) = match (access.verb.puts(), lane) {
            (None, _) => (self.words_at(at).map(|words| words.skew), None),
            (Some(_), None) => (None, None),
            (Some(puts), Some(lane)) => (None, self.lane_min(access.place.len(), puts, lane)),
        };
        let reach = Reach {
            shared,
            words,
            lane,
        };
        let (osc, (window, target)) = (&mut self.osc, at);
        choose(access, &reach, |by| osc.may_follow(window, target, by))
    }

    /// Returns from how many bytes on a lane is used for an access of `len` bytes; `None` where
    /// messages are better now.
    #[inline]
    fn lane_min(&mut self, len: usize, puts: bool, lane: &WindowLane) -> Option<LaneMin> {
        let least = if puts { lane.min.put } else { lane.min.get };
        let yields = |peer| self.bml.prefers_messages(peer, len);
        (len >= least && !lane.yields_to.is_some_and(yields)).then_some(lane.min)
    }

    /// Offers a contiguous access to its carrier.
    #[inline]
    fn start_now(
        &mut self,
        carrier: Carrier,
        at: At,
        access: &Access,
        lane: Option<&WindowLane>,
    ) -> AccessStart {
        match (carrier, lane) {
            (Carrier::Messages, _) => self.send_now(at, access),
            (Carrier::LanePut | Carrier::LaneGet, Some(lane)) => {
                self.lane_now(at, access, &lane.memory)
            }
            (Carrier::Word, _) => self.word_now(at, access),
            _ => AccessStart::Refused,
        }
    }

    /// Offers it as a message.
    #[inline]
    fn send_now(&mut self, at: At, access: &Access) -> AccessStart {
        let bml = &mut self.bml;
        self.osc.send_now(at, access, |peer, header, data| {
            // The queue cuts what is too long, and finds errors again.
            if !fits(bml, peer, header.len() + data.len()) {
                return AccessStart::Refused;
            }
            let sent = bml.send(peer, AmTag::OSC, header, data);
            // Compared, since a copy would be loaded wider than the lane has stored it.
            if sent == Ok(Flow::Sent) {
                return AccessStart::Sent;
            }
            match sent {
                Ok(_) => AccessStart::Busy,
                Err(_) => AccessStart::Refused,
            }
        })
    }

    /// Polls for the end of an access that a lane has; of a change of a word, in that window.
    #[inline]
    fn poll_for(&mut self, access: OpId, peer: PeerId, word_of: Option<WindowId>) -> Polled {
        let token = token_of(access);
        match word_of.map(|window| self.words.get(window)) {
            None => self.bml.poll_for(peer, token, POLLS - 1),
            Some(Some(Served { lane, .. })) => self.bml.poll_for_word(lane, token, POLLS - 1),
            Some(None) => Polled::Other,
        }
    }
}
