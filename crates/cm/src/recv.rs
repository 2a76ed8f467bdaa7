//! The receive side: posts receives, and completes them.

use base::{Key, PeerId};
use datatype::Buffer;
use mca::Framework;
use mtl::{Envelope, Selector, Started, Token};
use pml::{mark_of, CommId, Failure, MessageId, Pattern, RequestId};

use crate::request::{Request, Role};
use crate::state::{Queued, State};
use crate::Cm;

impl Cm {
    /// Starts a receive. `comm` and the pattern's source are valid.
    #[inline]
    pub(crate) fn begin_recv(
        &mut self,
        comm: CommId,
        pattern: Pattern,
        buffer: Buffer,
    ) -> RequestId {
        let comm = comm.key();
        let (from, selector) = self.state.selector(comm, &pattern);
        let refusal = self.state.cannot_receive(comm, from);
        let role = Role::Recv {
            comm,
            from,
            selector,
            mark: pattern.tag.map_or(0, mark_of),
            claimed: None,
        };
        let key = self.state.requests.insert(Request::new(role, buffer));
        self.state.join_comm(comm);
        match refusal {
            None => self.post(key),
            Some(failure) => self.state.finish(key, Err(failure)),
        }
        RequestId::from_key(key)
    }

    /// Receives a message that a matched probe took. `None` when it was received before.
    pub(crate) fn begin_matched_recv(
        &mut self,
        message: MessageId,
        buffer: Buffer,
    ) -> Option<RequestId> {
        let claim = message.key();
        let entry = self.state.requests.get(claim)?;
        let Role::Claimed {
            comm,
            from,
            selector,
        } = &entry.role
        else {
            return None;
        };
        let role = Role::Recv {
            comm: *comm,
            from: *from,
            selector: *selector,
            mark: 0,
            claimed: Some(claim),
        };
        // The communicator's user was the claimed message and is the receive now. The claim's
        // key stays out of use until the network has taken the receive.
        let key = self.state.requests.insert(Request::new(role, buffer));
        if let Some(entry) = self.state.requests.get_mut(claim) {
            entry.role = Role::Peek { found: None };
        }
        self.post(key);
        // A message whose sender is dead can be received only if all of it has arrived.
        if self.state.fail_claimed(key) {
            self.await_release(key);
        }
        Some(RequestId::from_key(key))
    }

    /// Cancels a receive that was not matched (MPI 5.0, 3.8.4). True when that is certain
    /// already; otherwise its status shows it, once it is complete. Sends are never cancelled.
    pub(crate) fn cancel_recv(&mut self, request: RequestId) -> bool {
        let key = request.key();
        let Some(entry) = self.state.requests.get(key) else {
            return false;
        };
        match entry.role {
            Role::Recv { claimed: None, .. } if entry.posted => {
                self.network.cancel(Token(key.bits()));
                false
            }
            Role::Recv { claimed: None, .. } => {
                self.state.receives.retain(|queued| *queued != key);
                self.state.receive_cancelled(key);
                true
            }
            _ => false,
        }
    }

    /// Hands a receive to the network, behind those that wait for it.
    pub(crate) fn post(&mut self, key: Key) {
        if !self.state.receives.is_empty() || !self.offer_receive(key) {
            self.state.receives.push_back(key);
        }
    }

    /// Offers the queued receives in order. Returns how many were taken.
    pub(crate) fn offer_receives(&mut self) -> usize {
        let mut taken = 0;
        while let Some(key) = self.state.receives.front().copied() {
            if !self.offer_receive(key) {
                break;
            }
            self.state.receives.pop_front();
            taken += 1;
        }
        taken
    }

    /// Hands a receive to the network; false when it is busy.
    #[inline]
    fn offer_receive(&mut self, key: Key) -> bool {
        let Some(entry) = self.state.requests.get_mut(key) else {
            return true;
        };
        let (selector, claimed) = match &entry.role {
            Role::Acknowledgement { selector, .. } => (*selector, None),
            Role::Recv {
                selector, claimed, ..
            } => (*selector, *claimed),
            _ => return true,
        };
        let room = entry.room(self.state.message_max);
        let token = Token(key.bits());
        let started = match claimed {
            None => self.network.recv(&selector, room, token),
            Some(claim) => {
                let claim = Token(claim.bits());
                self.network.recv_claimed(claim, &selector, room, token)
            }
        };
        match started {
            Ok(Started::Busy) => return false,
            Ok(Started::Pending | Started::Done) => entry.posted = true,
            Err(error) => {
                let failure = self.state.failure_of(error);
                self.state.lost_receive(key, failure);
            }
        }
        if let Some(claim) = claimed {
            self.state.requests.remove(claim);
        }
        true
    }
}

impl State {
    /// Returns what a receive or probe accepts: the sender, and the whole as the network's
    /// selector.
    #[inline]
    pub(crate) fn selector(&self, comm: Key, pattern: &Pattern) -> (Option<PeerId>, Selector) {
        let comm = self.comms.get(comm).expect("an open communicator");
        let any_tag = match pattern.tag {
            Some(_) => 0,
            None => self.layout.any_tag(),
        };
        let from = comm.source_of(pattern);
        let (sender, any_sender) = match from {
            Some(peer) => (self.layout.sender(peer), 0),
            None => (0, self.layout.any_sender()),
        };
        let selector = Selector {
            from: from.filter(|_| !self.layout.has_sender()),
            bits: comm.bits | sender | pattern.tag.map_or(0, |tag| self.layout.tag(tag)),
            ignore: self.layout.synchronous() | any_sender | any_tag,
        };
        (from, selector)
    }

    /// Counts one request more that needs a communicator.
    #[inline]
    pub(crate) fn join_comm(&mut self, comm: Key) {
        if let Some(comm) = self.comms.get_mut(comm) {
            comm.users += 1;
        }
    }

    /// Returns why a receive cannot begin: its sender has failed.
    #[inline]
    fn cannot_receive(&self, comm: Key, from: Option<PeerId>) -> Option<Failure> {
        let entry = self.comms.get(comm)?;
        if let Some(why) = entry.refused.clone() {
            return Some(Failure::Refused { why });
        }
        let peer = from?;
        let why = self.peers[peer.index()].failed.clone()?;
        Some(Failure::PeerFailed { peer, why })
    }

    /// Completes a receive with its message.
    pub(crate) fn arrived(&mut self, key: Key, envelope: &Envelope) {
        match self.requests.get(key).map(|entry| &entry.role) {
            Some(Role::Acknowledgement { of, .. }) => {
                let of = *of;
                self.drop_acknowledgement(key);
                self.acknowledged(of);
            }
            Some(Role::Recv {
                comm, from, mark, ..
            }) => {
                let (comm, from, mark) = (*comm, envelope.from.or(*from), *mark);
                let envelope = Envelope { from, ..*envelope };
                self.received_in(comm, mark, key, &envelope);
            }
            _ => {}
        }
    }

    fn received_in(&mut self, comm: Key, mark: u16, key: Key, envelope: &Envelope) {
        let mut status = self.status_of(comm, envelope);
        let mismatch = self.mismatch(comm, mark, status.source, envelope);
        let Some(entry) = self.requests.get_mut(key) else {
            return;
        };
        let (sent, room) = (envelope.len, entry.buffer.len() as u64);
        status.bytes = sent.min(room);
        if let Some(packed) = &entry.packed {
            let bytes = packed.buf().part(0, status.bytes as usize);
            entry.buffer.unpack_from_user(0, bytes);
        }
        entry.status = status;
        if envelope.bits & self.layout.synchronous() != 0 && mismatch.is_none() {
            self.acknowledge(comm, envelope);
        }
        let result = match mismatch {
            Some(failure) => Err(failure),
            None if sent > room => Err(Failure::Truncated { sent, room }),
            None => Ok(()),
        };
        self.finish(key, result);
    }

    /// Queues an acknowledgement for the sender of a synchronous message.
    fn acknowledge(&mut self, comm: Key, envelope: &Envelope) {
        let (Some(from), Some(comm)) = (envelope.from, self.comms.get(comm)) else {
            Framework::Pml.warn(format_args!("no acknowledgement to an unknown sender"));
            return;
        };
        let acknowledgement =
            Queued::Acknowledgement(self.layout.acknowledging(envelope.bits, self.me), comm.note);
        self.enqueue(from, acknowledgement);
    }

    /// Fails a receive that the network has released without a message.
    pub(crate) fn lost_receive(&mut self, key: Key, failure: Failure) {
        let Some(entry) = self.requests.get_mut(key) else {
            return;
        };
        let failure = entry.failure.take().unwrap_or(failure);
        match entry.role {
            Role::Acknowledgement { of, .. } => {
                self.drop_acknowledgement(key);
                self.acknowledgement_lost(of, failure);
            }
            _ => self.finish(key, Err(failure)),
        }
    }

    /// Completes a receive that was cancelled, by the application or because its peer failed.
    pub(crate) fn receive_cancelled(&mut self, key: Key) {
        let Some(entry) = self.requests.get_mut(key) else {
            return;
        };
        if let Some(failure) = entry.failure.take() {
            return self.lost_receive(key, failure);
        }
        match entry.role {
            Role::Recv { .. } => {
                entry.status.cancelled = true;
                self.finish(key, Ok(()));
            }
            _ => self.drop_acknowledgement(key),
        }
    }
}
