//! The send side: starts sends, and completes them.

use base::{Key, PeerId, Rank};
use datatype::Buffer;
use mca::Framework;
use memory::UserBuf;
use mtl::{Error, Flow, Selector, Started, Token};
use pml::{mark_of, CommId, Failure, Mode, RequestId, Tag};

use crate::request::{Request, Role, Stage};
use crate::state::{Queued, State};
use crate::Cm;

/// Whether an entry that was offered to the network leaves the queue.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Offer {
    Done,
    Busy,
}

impl Cm {
    /// Starts a send. `comm` and `to` are valid.
    #[inline]
    pub(crate) fn begin_send(
        &mut self,
        comm: CommId,
        to: Rank,
        tag: Tag,
        buffer: Buffer,
        mode: Mode,
    ) -> pml::Started {
        let state = &mut self.state;
        let entry = state.comms.get(comm.key()).expect("an open communicator");
        let peer = entry.peers[to.index()];
        let label = entry.bits | state.layout.sender(state.me) | state.layout.tag(tag);
        let lane = &state.peers[peer.index()];
        let clear = lane.queue.is_empty() && lane.failed.is_none() && entry.refused.is_none();
        if mode == Mode::Standard && buffer.len() <= state.inject_max && clear {
            let payload = match buffer.contiguous() {
                Some(bytes) => bytes,
                None => {
                    let len = buffer.pack_to_user(0, state.short.buf());
                    state.short.buf().part(0, len)
                }
            };
            let note = entry.note ^ mark_of(tag);
            if let Ok(Flow::Sent) = self.network.inject(peer, label, note, payload) {
                lane.counters.sent(buffer.len());
                return pml::Started::Complete;
            }
        }
        pml::Started::Pending(self.begin_send_slow(comm, to, tag, buffer, mode))
    }

    /// Starts a send that is long, synchronous, to be queued, or bound to fail.
    #[cold]
    fn begin_send_slow(
        &mut self,
        comm: CommId,
        to: Rank,
        tag: Tag,
        buffer: Buffer,
        mode: Mode,
    ) -> RequestId {
        let key = comm.key();
        let entry = self.state.comms.get(key).expect("an open communicator");
        let peer = entry.peers[to.index()];
        let layout = self.state.layout;
        let tagged = entry.bits | layout.sender(self.state.me) | layout.tag(tag);
        let synchronous = mode == Mode::Synchronous;
        let role = Role::Send {
            peer,
            label: match mode {
                Mode::Standard => tagged,
                Mode::Synchronous => tagged | layout.synchronous(),
            },
            note: entry.note ^ mark_of(tag),
            stage: Stage::Queued,
            unacknowledged: synchronous,
        };
        let refusal = self.state.refusal(key, &buffer, Some(peer));
        let bytes = buffer.len();
        let request = self.state.requests.insert(Request::new(role, buffer));
        if let Some(failure) = refusal {
            self.state.finish(request, Err(failure));
            return RequestId::from_key(request);
        }
        self.state.peers[peer.index()].counters.sent(bytes);
        if synchronous {
            let selector = Selector {
                from: (!layout.has_sender()).then_some(peer),
                bits: layout.acknowledging(tagged, peer),
                ignore: 0,
            };
            self.post_acknowledgement(request, key, peer, selector);
        }
        let queue = &self.state.peers[peer.index()].queue;
        if !queue.is_empty() || self.offer_send(request) == Offer::Busy {
            self.state.enqueue(peer, Queued::Send(request));
        }
        RequestId::from_key(request)
    }

    /// Posts the receive of an acknowledgement.
    fn post_acknowledgement(&mut self, of: Key, comm: Key, from: PeerId, selector: Selector) {
        let role = Role::Acknowledgement {
            of,
            comm,
            from,
            selector,
        };
        let request = Request::new(role, Buffer::bytes(UserBuf::EMPTY));
        let key = self.state.requests.insert(request);
        self.state.join_comm(comm);
        self.post(key);
    }

    /// Offers a send to the network.
    fn offer_send(&mut self, key: Key) -> Offer {
        let Some(entry) = self.state.requests.get_mut(key) else {
            return Offer::Done;
        };
        let Role::Send {
            peer, label, note, ..
        } = entry.role
        else {
            return Offer::Done;
        };
        let payload = entry.payload();
        let short = payload.len() <= self.state.inject_max;
        let started = if short {
            let flow = self.network.inject(peer, label, note, payload);
            flow.map(|flow| match flow {
                Flow::Sent => Started::Done,
                Flow::Busy => Started::Busy,
            })
        } else {
            let token = Token(key.bits());
            self.network.send(peer, label, note, payload, token)
        };
        match started {
            Ok(Started::Busy) => return Offer::Busy,
            Ok(Started::Pending) => {
                self.state.sending += 1;
                if let Role::Send { stage, .. } = &mut entry.role {
                    *stage = Stage::Accepted;
                }
            }
            Ok(Started::Done) => self.state.send_done(key, Ok(())),
            Err(error) => self.state.send_done(key, Err(error)),
        }
        Offer::Done
    }

    /// Offers what is queued, peer by peer. Returns how many were taken.
    pub(crate) fn offer_sends(&mut self) -> usize {
        let mut taken = 0;
        let mut at = 0;
        while let Some(peer) = self.state.ready.get(at).copied() {
            let Some(first) = self.state.peers[peer.index()].queue.front().copied() else {
                self.state.ready.remove(at);
                continue;
            };
            let offer = match first {
                Queued::Send(key) => self.offer_send(key),
                Queued::Acknowledgement(label, note) => {
                    match self.network.inject(peer, label, note, UserBuf::EMPTY) {
                        Ok(Flow::Sent) => Offer::Done,
                        Ok(Flow::Busy) => Offer::Busy,
                        Err(error) => {
                            let failure = self.state.failure_of(error);
                            Framework::Pml
                                .info(format_args!("an acknowledgement was lost: {failure}"));
                            Offer::Done
                        }
                    }
                }
            };
            match offer {
                Offer::Busy => at += 1,
                Offer::Done => {
                    taken += 1;
                    // A peer that failed meanwhile has nothing queued.
                    self.state.peers[peer.index()].queue.pop_front();
                }
            }
        }
        taken
    }
}

impl State {
    /// Returns why an operation cannot begin.
    pub(crate) fn refusal(
        &self,
        comm: Key,
        buffer: &Buffer,
        to: Option<PeerId>,
    ) -> Option<Failure> {
        if let Some(why) = self.comms.get(comm).and_then(|comm| comm.refused.clone()) {
            return Some(Failure::Refused { why });
        }
        let peer = to?;
        if let Some(why) = self.peers[peer.index()].failed.clone() {
            return Some(Failure::PeerFailed { peer, why });
        }
        if buffer.len() as u64 > self.message_max {
            let why = format!(
                "a message of {} bytes for {peer} exceeds what the network takes, {}; `--mca pml \
                 ob1` takes any",
                buffer.len(),
                self.message_max
            );
            return Some(Failure::Refused { why: why.into() });
        }
        None
    }

    /// Handles the network's report of a send.
    pub(crate) fn send_reported(&mut self, key: Key, result: Result<(), Error>) {
        self.sending = self.sending.saturating_sub(1);
        self.send_done(key, result);
    }

    /// Ends a send whose buffer the network needs no longer, unless its acknowledgement is missing.
    pub(crate) fn send_done(&mut self, key: Key, result: Result<(), Error>) {
        let result = result.map_err(|error| self.failure_of(error));
        let Some(entry) = self.requests.get_mut(key) else {
            return;
        };
        let Role::Send {
            stage,
            unacknowledged,
            ..
        } = &mut entry.role
        else {
            return;
        };
        *stage = Stage::Finished;
        let waits = *unacknowledged;
        let pending = entry.failure.take();
        match (pending, result) {
            (Some(failure), _) | (None, Err(failure)) => {
                if waits {
                    self.cancel_acknowledgement(key);
                }
                self.finish(key, Err(failure));
            }
            (None, Ok(())) if waits => {}
            (None, Ok(())) => self.finish(key, Ok(())),
        }
    }

    /// Cancels the receive of the acknowledgement of a send that failed.
    #[cold]
    fn cancel_acknowledgement(&mut self, send: Key) {
        let acknowledges = |request: &Request| match request.role {
            Role::Acknowledgement { of, .. } => of == send,
            _ => false,
        };
        let found = self
            .requests
            .iter()
            .find(|(_, request)| acknowledges(request));
        let Some((key, request)) = found else { return };
        if request.posted {
            self.to_cancel.push(Token(key.bits()));
        } else {
            self.receives.retain(|queued| *queued != key);
            self.drop_acknowledgement(key);
        }
    }

    /// Handles the acknowledgement of a send.
    pub(crate) fn acknowledged(&mut self, key: Key) {
        let Some(entry) = self.requests.get_mut(key) else {
            return;
        };
        if let Role::Send {
            stage,
            unacknowledged,
            ..
        } = &mut entry.role
        {
            *unacknowledged = false;
            if *stage == Stage::Finished {
                self.finish(key, Ok(()));
            }
        }
    }

    /// Fails a send whose acknowledgement will not arrive.
    pub(crate) fn acknowledgement_lost(&mut self, key: Key, failure: Failure) {
        let Some(entry) = self.requests.get_mut(key) else {
            return;
        };
        match entry.role {
            Role::Send {
                stage: Stage::Finished,
                ..
            } => self.finish(key, Err(failure)),
            _ => entry.failure = Some(failure),
        }
    }
}
