//! The end of an access: replies, what lanes report, and outcomes.

use ::memory::Payload;
use base::{Key, PeerId, Rank};

use crate::error::Error;
use crate::operation::{no_such_memory, OpId, Operation, Queued, State};
use crate::order::Carrier;
use crate::outbox::Item;
use crate::phase::FlushPhase;
use crate::wire::{status, Header};
use crate::words::load;
use crate::{Osc, WindowId};

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
    /// Takes bytes of a reply, or the target's refusal. False when they were not requested.
    pub(crate) fn came(&mut self, from: PeerId, header: &Header, data: Payload<'_>) -> bool {
        let key = Key::from_bits(header.token);
        let Some(operation) = self.operations.get_mut(key) else {
            return false;
        };
        if operation.peer != from {
            return false;
        }
        let rank = operation.target;
        let (bytes, data) = match header.status {
            status::OK => (data.len(), Some(data)),
            _ => (header.bytes as usize, None),
        };
        let Some(came) = operation.came(header.position, bytes, data) else {
            return false;
        };
        let peer = self.peer(from);
        peer.awaited -= bytes;
        if came.strayed {
            peer.drop_offer(key);
        }
        if came.all {
            let result = match came.strayed {
                true => Err(no_such_memory(rank)),
                false => Ok(()),
            };
            self.finish(key, result);
        }
        if !self.peer(from).requests.is_empty() {
            // There is room again for what asks.
            self.list(from);
        }
        true
    }

    /// Ends an operation with a result.
    pub(crate) fn finish(&mut self, key: Key, result: Result<(), Error>) {
        let Some(operation) = self.operations.get_mut(key) else {
            return;
        };
        if operation.is_ended() {
            return;
        }
        let (window, rank) = (operation.window, operation.target);
        let (carrier, turn) = (operation.carrier(), operation.turn());
        let (fetches, held) = (operation.fetches(), operation.is_held());
        if held {
            // Pieces that a lane still has change nothing any more.
            operation.state = State::Ended(result.clone().map_err(Box::new));
        } else {
            self.operations.discard(key);
        }
        let on_lane = carrier != Carrier::Messages;
        self.flush_due |= on_lane && !self.unflushed.is_empty();
        let Some(window) = self.windows.get_mut(window.0) else {
            return;
        };
        let target = window.target(rank);
        target.open -= 1;
        match on_lane {
            true => target.leave_lane(carrier),
            false => target.fetches -= u32::from(fetches),
        }
        if let (Err(error), false) = (result, held) {
            target.note(error);
        }
        if let Some(turn) = turn {
            let next = target.turns.end(turn, key);
            self.steps.follow(next);
        }
    }

    /// Records that a lane has done an access, or a piece or a step of one. Returns whether a flush
    /// that waits for nothing else is over with it ([`Osc::sole_access`]).
    #[inline]
    pub fn lane_done(&mut self, OpId(key): OpId) -> bool {
        let single = self.operations.remove_if(key, Operation::is_single);
        let Some(operation) = single else {
            self.part_done(key);
            return false;
        };
        self.flush_due = !self.unflushed.is_empty();
        let Some(state) = self.windows.get_mut(operation.window.0) else {
            return false;
        };
        let target = state.target(operation.target);
        target.open -= 1;
        target.leave_lane(operation.carrier());
        let flushed = target.is_settled() && target.is_quiet() && target.flush == FlushPhase::Idle;
        if let State::Word { turn } = operation.state {
            let next = target.turns.pass(turn);
            if next.is_some() {
                self.steps.follow(next);
            }
        }
        flushed
    }

    /// Records that a lane has done a piece, or a step.
    fn part_done(&mut self, key: Key) {
        let Some(operation) = self.operations.get_mut(key) else {
            return;
        };
        match &mut operation.state {
            State::Pieces(pieces) => {
                pieces.left = pieces.left.saturating_sub(1);
                match (pieces.left, pieces.refused) {
                    (0, false) => self.finish(key, Ok(())),
                    (0, true) => self.go_by_messages(key),
                    _ => {}
                }
            }
            State::Steps(steps) => {
                let width = steps.course.word.width;
                let before = load(steps.course.result, width);
                if steps.course.advance(&steps.access, before) {
                    return self.steps.due.push_back(key);
                }
                self.steps.free.push(steps.course.result);
                if let Some(into) = steps.access.verb.result() {
                    let mut bytes = [0; 8];
                    steps.course.result.read(0, &mut bytes);
                    into.unpack(0, Payload::from(&bytes[..width.bytes()]));
                }
                self.finish(key, Ok(()));
            }
            _ => {}
        }
    }

    /// Records that a lane could not do an access, or a piece or a step of one, and why. Bytes go
    /// by messages instead; a change of a word is an error, since that of a message is not atomic
    /// with those of lanes.
    #[cold]
    pub fn lane_failed(&mut self, OpId(key): OpId, why: String) {
        let Some(operation) = self.operations.get_mut(key) else {
            return;
        };
        let rank = operation.target;
        match &mut operation.state {
            State::Pieces(pieces) => {
                pieces.refused = true;
                self.part_done(key);
            }
            State::Run { .. } => self.go_by_messages(key),
            State::Word { .. } => self.finish(key, Err(Error::Lane { target: rank, why })),
            State::Steps(steps) => {
                self.steps.free.push(steps.course.result);
                self.finish(key, Err(Error::Lane { target: rank, why }));
            }
            State::Reply { .. } | State::Queued(_) | State::Ended(_) => {}
        }
    }

    /// Does by messages what a lane has refused.
    #[cold]
    fn go_by_messages(&mut self, key: Key) {
        let Some(operation) = self.operations.get_mut(key) else {
            return;
        };
        let Some((access, held)) = operation.refused() else {
            return;
        };
        let carrier = operation.carrier();
        let (window, rank, peer) = (operation.window, operation.target, operation.peer);
        let state = self.window(window);
        let mark = state.mark(held);
        let target = state.target(rank);
        target.leave_lane(carrier);
        let puts = access.verb.puts() == Some(true);
        let queued = Queued::new(access, target.name, mark, held);
        if let Some(operation) = self.operations.get_mut(key) {
            operation.state = State::Queued(Box::new(queued));
        }
        self.flush_due = !self.unflushed.is_empty();
        self.peer(peer).requests.push_back(Item::Operation(key));
        self.list(peer);
        if puts {
            // Somebody may wait for it already, and has asked for no confirmation.
            self.window(window).target(rank).unconfirmed.access();
            self.begin_confirm(window, rank);
        }
    }

    /// Returns the peer of an operation that is under way.
    pub fn peer_of(&self, operation: OpId) -> Option<PeerId> {
        let known = self.operations.get(operation.0)?;
        (!known.is_ended()).then_some(known.peer)
    }

    /// Whether an operation has ended.
    pub fn is_done(&self, operation: OpId) -> bool {
        let known = self.operations.get(operation.0);
        known.is_none_or(Operation::is_ended)
    }

    /// Returns how an operation ended, and drops it. `None` while it is under way.
    pub fn outcome(&mut self, operation: OpId) -> Option<Result<(), Error>> {
        if !self.is_done(operation) {
            return None;
        }
        match self.operations.remove(operation.0).map(|gone| gone.state) {
            Some(State::Ended(Err(error))) => Some(Err(*error)),
            _ => Some(Ok(())),
        }
    }

    /// Returns how an operation ended, without dropping it.
    pub fn peek_outcome(&self, operation: OpId) -> Option<Result<(), Error>> {
        match &self.operations.get(operation.0)?.state {
            State::Ended(result) => Some(result.clone().map_err(|error| *error)),
            _ => None,
        }
    }

    /// Declares that nobody will query the outcome of an operation any more.
    pub fn detach_operation(&mut self, OpId(key): OpId) {
        let Some(operation) = self.operations.get_mut(key) else {
            return;
        };
        match &mut operation.state {
            State::Queued(queued) => queued.held = false,
            State::Pieces(pieces) => pieces.held = false,
            State::Steps(steps) => steps.held = false,
            State::Ended(_) => drop(self.operations.remove(key)),
            State::Reply { .. } | State::Run { .. } | State::Word { .. } => {}
        }
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

    /// Returns the lane's one access to a target that a flush waits for, its peer, and whether it
    /// changes a word. `None` where the flush waits for others, or for messages.
    #[inline]
    pub fn sole_access(&self, window: WindowId, rank: Rank) -> Option<(OpId, PeerId, bool)> {
        let state = self.windows.get(window.0)?;
        let target = state.targets.get(rank.index())?;
        let key = target.last_single?;
        let operation = self.operations.get(key).filter(|known| known.is_single())?;
        let is_sole = target.open == 1 && target.is_answered();
        let is_word = matches!(operation.state, State::Word { .. });
        is_sole.then_some((OpId(key), operation.peer, is_word))
    }
}
