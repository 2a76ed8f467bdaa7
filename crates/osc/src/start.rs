//! The start of an access, by each carrier.
//!
//! `*_now` offers a contiguous access to its carrier at once, by a function of the driver's; where
//! the carrier does not take it, nothing has changed, except that the epoch is in use. `begin*`
//! records every access that [`Osc::may_begin`] allows, for the carrier to take when it can. The
//! two meet in the order of the messages' numbers: `send_now` sends only while nothing is queued.

use ::memory::UserBuf;
use base::{PeerId, Rank};
use btl::Atomic;

use crate::access::{Access, Contiguous, Piece};
use crate::operation::{OpId, Operation, Pieces, Queued, State, Steps, REQUESTED_MAX};
use crate::order::Carrier;
use crate::outbox::{Item, AWAITED_MAX};
use crate::permit::Permit;
use crate::steps::Course;
use crate::wire::{Header, Kind, HEADER_BYTES};
use crate::words::TargetWord;
use crate::{Error, Osc, WindowId};

/// The outcome of an access offered to its carrier.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AccessStart {
    /// The carrier has accepted the access.
    Sent,
    /// The carrier is busy; the access is to be offered again.
    Busy,
    /// The access has to be queued, or to wait, or is an error.
    Refused,
}

impl Osc {
    /// Whether an operation on a target may begin; counts it as the epoch's. False when it has to
    /// wait for the target's `MPI_Win_post`, or for its lock.
    ///
    /// # Errors
    /// When no epoch to the target is open.
    pub fn may_begin(&mut self, window: WindowId, rank: Rank) -> Result<bool, Error> {
        let state = self.window(window);
        let target = &state.targets[rank.index()];
        let (peer, locked, waits) = (target.peer, target.lock.is_held(), target.lock.waits());
        let open = state.epochs.operate(rank, locked)?;
        if open && !waits {
            state.epochs.permits().note(rank, Permit::ACCESS);
            return Ok(true);
        }
        self.check_peer(peer)?;
        self.see_posts(window);
        let state = self.window(window);
        Ok(state.epochs.operate(rank, locked)? && !waits)
    }

    /// Whether an access by a carrier may begin now and keeps the order. If not, requests the
    /// confirmation or the flush that it waits for: the result changes after some progress. A
    /// target that has failed is not waited for.
    #[inline]
    pub fn may_follow(&mut self, window: WindowId, rank: Rank, carrier: Carrier) -> bool {
        self.window(window).target(rank).may_follow(carrier)
            || self.request_order(window, rank, carrier)
    }

    /// Requests what an access by a carrier waits for. Whether it need not wait.
    #[cold]
    fn request_order(&mut self, window: WindowId, rank: Rank, carrier: Carrier) -> bool {
        let target = self.window(window).target(rank);
        let (peer, name) = (target.peer, target.name);
        let lane_first = !target.is_lane_through();
        let asks = carrier != Carrier::Messages && target.has_unconfirmed() && target.is_answered();
        if asks {
            target.ask();
            self.ask(peer, Header::new(Kind::Flush, name));
        }
        if lane_first {
            self.begin_flush_lane(window, rank);
        }
        self.check_peer(peer).is_err()
    }

    /// Makes the message of a contiguous access and has `send` offer it to the peer's lane: its
    /// header, and the data behind that.
    #[inline]
    pub fn send_now(
        &mut self,
        (window, rank): (WindowId, Rank),
        access: &Access,
        send: impl FnOnce(PeerId, &[u8; HEADER_BYTES], UserBuf) -> AccessStart,
    ) -> AccessStart {
        let Some(parts) = access.contiguous() else {
            return AccessStart::Refused;
        };
        let state = self.windows.get_mut(window.0);
        let Some(state) = state.filter(|state| state.check.is_none()) else {
            return AccessStart::Refused;
        };
        let open = state.is_open(rank);
        let through = |_: &_| state.targets[rank.index()].is_lane_through();
        let Some((peer, name)) = open.filter(through) else {
            return AccessStart::Refused;
        };
        let Contiguous { len, result, .. } = parts;
        let confirm = result.is_none() && state.asks_early(rank);
        let known = self.peers.get_mut(peer.index());
        // A reply that waits has this number.
        let Some(known) = known.filter(|_| self.reply.is_none()) else {
            return AccessStart::Refused;
        };
        let (Some(sequence), Some(position)) = (known.clear(), access.whole_position()) else {
            return AccessStart::Refused;
        };
        if result.is_some() && (len > REQUESTED_MAX || known.awaited + len > AWAITED_MAX) {
            return AccessStart::Refused;
        }
        // The key of its record, which is made once the message is sent.
        let key = result.map(|_| self.operations.next_key());
        let header = Header {
            sequence,
            token: key.map_or(0, |key| key.bits()),
            confirm,
            block_offset: Some(parts.offset),
            ..access.header(name, position, len as u64)
        };
        let sent = send(peer, &header.to_bytes(), parts.data);
        if sent != AccessStart::Sent {
            return sent;
        }
        known.passed();
        let target = &mut state.targets[rank.index()];
        match result {
            Some(result) => {
                let fetches = header.kind != Kind::Get;
                target.open += 1;
                target.fetches += u32::from(fetches);
                known.awaited += len;
                self.operations.insert(Operation {
                    window,
                    target: rank,
                    peer,
                    state: State::Reply {
                        into: result.part(0, len),
                        came: 0,
                        fetches,
                    },
                });
            }
            None if confirm => target.ask(),
            None => target.unconfirmed.access(),
        }
        sent
    }

    /// Has `start` offer a contiguous put or get to the peer's lane; it returns `None` where the
    /// lane cannot do it. The lane's end of it is to be reported by its identifier
    /// ([`Osc::lane_done`], [`Osc::lane_failed`]). Where it `lands`, a put is in the target's
    /// memory once it is done; else the lane is to be flushed.
    #[inline]
    pub fn lane_now(
        &mut self,
        at: (WindowId, Rank),
        access: &Access,
        lands: bool,
        start: impl FnOnce(PeerId, OpId, Piece) -> Option<btl::Started>,
    ) -> AccessStart {
        let Some((piece, puts)) = access.single_piece() else {
            return AccessStart::Refused;
        };
        let Some(peer) = self.offers_now(at, Carrier::lane(puts)) else {
            return AccessStart::Refused;
        };
        let started = start(peer, OpId(self.operations.next_key()), piece);
        let (unflushed, Piece { local, offset }) = (puts && !lands, piece);
        let run = State::Run {
            local,
            offset,
            puts,
        };
        self.offered(at, peer, run, unflushed, started)
    }

    /// Has `start` offer an accumulate of a word, which one step does, to the transport that
    /// changes the words of a window that begins `skew` bytes behind a multiple of 8: the word's
    /// offset, the step, and the destination of the previous value. It takes its turn
    /// ([`Osc::order_words`]). For its end see [`Osc::lane_now`].
    #[inline(always)]
    pub fn word_now(
        &mut self,
        at: (WindowId, Rank),
        access: &Access,
        skew: u64,
        start: impl FnOnce(PeerId, OpId, u64, Atomic, Option<UserBuf>) -> Option<btl::Started>,
    ) -> AccessStart {
        let (Some(word), Some(parts)) = (access.word(skew), access.contiguous()) else {
            return AccessStart::Refused;
        };
        let width = word.width;
        let Some(op) = access.single_step(width) else {
            return AccessStart::Refused;
        };
        let Some(peer) = self.offers_now(at, Carrier::Word) else {
            return AccessStart::Refused;
        };
        let (turn, state) = (word.turn(), self.window(at.0));
        if state.ordered && !state.target(at.1).turns.take(turn) {
            return AccessStart::Refused;
        }
        let operand = access.operand(width);
        let atomic = Atomic { op, width, operand };
        let id = OpId(self.operations.next_key());
        let started = start(peer, id, word.offset, atomic, parts.result);
        if started != Some(btl::Started::Pending) {
            // No operation waits for this turn yet.
            self.window(at.0).target(at.1).turns.pass(turn);
        }
        self.offered(at, peer, State::Word { turn }, false, started)
    }

    /// Returns the peer of a target, where an access may be offered to a lane now.
    #[inline(always)]
    fn offers_now(&mut self, (window, rank): (WindowId, Rank), by: Carrier) -> Option<PeerId> {
        let state = self.windows.get_mut(window.0)?;
        let (peer, _) = state.is_open(rank)?;
        let known = self.peers.get(peer.index());
        let failed = known.is_some_and(|known| known.failed.is_some());
        (!failed && state.targets[rank.index()].may_follow(by)).then_some(peer)
    }

    /// Takes the reply of a lane to an access just offered, which is recorded while it is under
    /// way.
    #[inline(always)]
    fn offered(
        &mut self,
        (window, rank): (WindowId, Rank),
        peer: PeerId,
        state: State,
        unflushed: bool,
        started: Option<btl::Started>,
    ) -> AccessStart {
        if started != Some(btl::Started::Pending) {
            return self.not_pending((window, rank), unflushed, started);
        }
        let operation = Operation {
            window,
            target: rank,
            peer,
            state,
        };
        let carrier = operation.carrier();
        let key = self.operations.insert(operation);
        let target = self.window(window).target(rank);
        target.open += 1;
        target.enter_lane(carrier);
        if unflushed {
            target.flush.put();
        }
        target.last_single = Some(key);
        AccessStart::Sent
    }

    /// Takes the reply of a lane to an access that is not under way: done, busy or refused.
    #[inline(never)]
    fn not_pending(
        &mut self,
        (window, rank): (WindowId, Rank),
        unflushed: bool,
        started: Option<btl::Started>,
    ) -> AccessStart {
        match started {
            Some(btl::Started::Busy) => AccessStart::Busy,
            Some(_) => {
                if unflushed {
                    self.window(window).target(rank).flush.put();
                }
                self.flush_due = !self.unflushed.is_empty();
                AccessStart::Sent
            }
            None => AccessStart::Refused,
        }
    }

    /// Begins an access by messages, which wait in the queue of its peer. With `held` the caller
    /// will query its outcome ([`Osc::is_done`], [`Osc::outcome`]). `None` when it has no bytes.
    pub fn begin(
        &mut self,
        window: WindowId,
        rank: Rank,
        access: Access,
        held: bool,
    ) -> Option<OpId> {
        if access.len() == 0 {
            return None;
        }
        let state = self.window(window);
        let (mark, checked) = (state.mark(held), state.check.is_some());
        let target = state.target(rank);
        target.open += 1;
        let peer = target.peer;
        let queued = Queued::new(access, target.name, mark, held);
        target.fetches += u32::from(queued.fetches());
        if checked || !queued.reads() {
            target.unconfirmed.access();
        }
        let key = self.operations.insert(Operation {
            window,
            target: rank,
            peer,
            state: State::Queued(Box::new(queued)),
        });
        match self.check_peer(peer) {
            Ok(()) => {
                self.peer(peer).requests.push_back(Item::Operation(key));
                self.list(peer);
            }
            Err(error) => self.finish(key, Err(error)),
        }
        Some(OpId(key))
    }

    /// Begins a put or a get that a lane does in `left` pieces, at least one. The end of each is to
    /// be reported ([`Osc::lane_done`], [`Osc::lane_failed`]). For `held` see [`Osc::begin`].
    pub fn begin_on_lane(
        &mut self,
        window: WindowId,
        rank: Rank,
        access: Access,
        held: bool,
        left: usize,
    ) -> OpId {
        let puts = access.verb.puts() == Some(true);
        let target = self.window(window).target(rank);
        target.open += 1;
        target.enter_lane(Carrier::lane(puts));
        if puts {
            target.flush.put();
        }
        let peer = target.peer;
        let key = self.operations.insert(Operation {
            window,
            target: rank,
            peer,
            state: State::Pieces(Box::new(Pieces {
                access,
                held,
                puts,
                left,
                refused: false,
            })),
        });
        if let Err(error) = self.check_peer(peer) {
            self.finish(key, Err(error));
        }
        OpId(key)
    }

    /// Begins an accumulate of a word ([`Access::word`]), in steps ([`Osc::next_step`]). For `held`
    /// see [`Osc::begin`].
    pub fn begin_on_word(
        &mut self,
        window: WindowId,
        rank: Rank,
        access: Access,
        word: TargetWord,
        held: bool,
    ) -> OpId {
        let course = Course::new(&access, word, self.steps.slot());
        let state = self.window(window);
        let ordered = state.ordered;
        let target = state.target(rank);
        target.open += 1;
        target.enter_lane(Carrier::Word);
        let peer = target.peer;
        let key = self.operations.insert(Operation {
            window,
            target: rank,
            peer,
            state: State::Steps(Box::new(Steps {
                access,
                held,
                course,
            })),
        });
        if let Err(error) = self.check_peer(peer) {
            self.finish(key, Err(error));
        } else {
            let turns = &mut self.window(window).target(rank).turns;
            if !ordered || turns.take_or_wait(word.turn(), key) {
                self.steps.due.push_back(key);
            }
        }
        OpId(key)
    }

    /// Sets whether accumulates of this process to one word of a window keep their order: unless
    /// its user says that they need not (`accumulate_ordering`).
    pub fn order_words(&mut self, window: WindowId, ordered: bool) {
        self.window(window).ordered = ordered;
    }
}
