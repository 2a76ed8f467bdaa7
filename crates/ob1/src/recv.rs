//! The receive side of the protocols.

use base::{Key, PeerId, Rank};
use datatype::Buffer;
use memory::Payload;
use pml::{CommId, Failure, MessageId, Pattern, RequestId, Status, Tag};

use crate::driver::{Driver, Violation};
use crate::incoming::{Incoming, Rendezvous};
use crate::matching::{ArrivalOrder, Unexpected, UnexpectedData};
use crate::meter::Running;
use crate::peer::Outgoing;
use crate::protocol::Protocol;
use crate::request::{check_length, status_of, After, Phase, Request};
use crate::wire::{decode_eager, decode_more, Envelope, Header};

impl Protocol {
    /// Starts a receive. `comm` and the pattern's source must be valid.
    #[inline]
    pub fn begin_recv(&mut self, comm: CommId, pattern: Pattern, buffer: Buffer) -> RequestId {
        let Pattern { source, tag } = pattern;
        let phase = Phase::Posted {
            comm: comm.key(),
            source,
        };
        let request = self.requests.insert(Request::new(phase, buffer));
        let Some(matching) = self.comms.get_mut(comm.key()) else {
            self.finish(request, Err(Failure::Revoked));
            return RequestId::from_key(request);
        };
        if matching.has_unexpected() && self.accept_unexpected(comm.key(), pattern, request) {
            return RequestId::from_key(request);
        }
        let matching = self
            .comms
            .get_mut(comm.key())
            .expect("an open communicator");
        matching.post(source, tag, request);
        if self.any_failed {
            self.refuse_dead_source(comm.key(), source, request);
        }
        RequestId::from_key(request)
    }

    /// Matches a receive with the oldest unexpected message that it accepts. False when it accepts
    /// no message.
    #[inline(never)]
    fn accept_unexpected(&mut self, comm: Key, pattern: Pattern, request: Key) -> bool {
        let matching = self.comms.get_mut(comm);
        let message = matching.and_then(|m| m.take_unexpected(pattern.source, pattern.tag));
        let found = message.is_some();
        if let Some(message) = message {
            self.accept_held(request, message);
        }
        found
    }

    /// Fails a receive that only a failed peer could satisfy.
    #[cold]
    fn refuse_dead_source(&mut self, comm: Key, source: Option<Rank>, request: Key) {
        let Some(matching) = self.comms.get_mut(comm) else {
            return;
        };
        let Some(source) = source else {
            if let Some((peer, why)) = matching.unacked.clone() {
                self.disturb(request, peer, why);
            }
            return;
        };
        let peer = matching.peers[source.index()];
        if let Some(why) = &self.peers[peer.index()].failed {
            let failure = Failure::PeerFailed {
                peer,
                why: why.clone(),
            };
            matching.unpost(Some(source), request);
            self.finish(request, Err(failure));
        }
    }

    /// Returns the status of the oldest message that a receive would accept; it stays (MPI 5.0,
    /// 3.8.1).
    pub fn probe(&mut self, comm: CommId, pattern: Pattern) -> Option<Status> {
        let matching = self.comms.get_mut(comm.key())?;
        matching
            .peek_unexpected(pattern.source, pattern.tag)
            .map(status_of_unexpected)
    }

    /// Returns the status of the oldest unexpected message with a tag for which `is_wanted` is
    /// true; it stays.
    pub fn find_unexpected(&self, comm: CommId, is_wanted: &dyn Fn(Tag) -> bool) -> Option<Status> {
        let message = self.comms.get(comm.key())?.find_by_tag(is_wanted)?;
        Some(status_of_unexpected(message))
    }

    /// Takes the oldest message that a receive would accept out of matching (MPI 5.0, 3.8.2).
    pub fn matched_probe(&mut self, comm: CommId, pattern: Pattern) -> Option<(MessageId, Status)> {
        let matching = self.comms.get_mut(comm.key())?;
        let message = matching.take_unexpected(pattern.source, pattern.tag)?;
        let status = status_of_unexpected(&message);
        let (envelope, lost) = (
            message.envelope,
            matches!(message.held, UnexpectedData::Lost { .. }),
        );
        let key = self.messages.insert((comm.key(), message));
        if lost {
            self.note_taken(key, envelope);
        }
        Some((MessageId::from_key(key), status))
    }

    /// Receives a message that a matched probe took. `None` when it was received before.
    pub fn begin_matched_recv(&mut self, message: MessageId, buffer: Buffer) -> Option<RequestId> {
        let (comm, message) = self.messages.remove(message.key())?;
        let phase = Phase::Posted {
            comm,
            source: Some(message.envelope.source),
        };
        let request = self.requests.insert(Request::new(phase, buffer));
        self.accept_held(request, message);
        Some(RequestId::from_key(request))
    }

    /// Handles a message from a peer.
    ///
    /// # Errors
    /// When the bytes are not what a correct peer sends. Nothing was done then.
    #[inline]
    pub fn arrived(
        &mut self,
        from: PeerId,
        message: Payload<'_>,
        driver: &mut dyn Driver,
    ) -> Result<(), Violation> {
        if let Some((envelope, payload)) = decode_eager(message) {
            return match self.receive_for(from, &envelope) {
                Some(request) => {
                    self.receive_eager(request, from, envelope, payload);
                    Ok(())
                }
                None => self.match_up(from, envelope, Incoming::Eager(payload)),
            };
        }
        match decode_more(message) {
            Some(part) => self.on_more(from, part, driver),
            None => self.arrived_other(from, message, driver),
        }
    }

    /// Takes the receive for a message, where that is the oldest one posted for its sender and no
    /// other queue matters: the fast path of receives that are posted ahead.
    #[inline]
    fn receive_for(&mut self, from: PeerId, envelope: &Envelope) -> Option<Key> {
        let (recent, comm) = self.recent?;
        match recent == envelope.context {
            true => self.comms.get_mut(comm)?.take_next(from, envelope),
            false => None,
        }
    }

    #[inline(never)]
    fn arrived_other(
        &mut self,
        from: PeerId,
        message: Payload<'_>,
        driver: &mut dyn Driver,
    ) -> Result<(), Violation> {
        let Some((header, payload)) = Header::decode(message) else {
            let bytes = message.len();
            return Err(Violation::MalformedHeader { bytes });
        };
        match header {
            Header::Eager { envelope } => self.match_up(from, envelope, Incoming::Eager(payload)),
            Header::EagerAck { envelope, sender } => {
                self.match_up(from, envelope, Incoming::EagerAck(payload, sender))
            }
            Header::Rts {
                envelope,
                sender,
                total,
                key,
                sent,
            } => {
                let bytes = payload.len() as u64;
                if bytes > total {
                    return Err(Violation::Excess { bytes, left: total });
                }
                let announced = Rendezvous {
                    sender,
                    total,
                    key,
                    sent,
                    arrived: self.arrived_at(from, total, sent, driver),
                };
                self.match_up(from, envelope, Incoming::Rts(payload, announced))
            }
            Header::Cts {
                sender,
                receiver,
                bytes,
            } => self.on_cts(from, sender, receiver, bytes, driver),
            Header::Fragment { receiver, offset } => {
                self.on_fragment(from, receiver, offset, payload, driver)
            }
            Header::Fin { sender } => self.on_fin(from, sender, driver),
            Header::Credit { consumed } => {
                self.peers[from.index()].credit(consumed);
                Ok(())
            }
            Header::Long {
                envelope,
                total,
                sent,
            } => {
                let arrived = self.arrived_at(from, total, sent, driver);
                self.on_long(from, envelope, total, payload, (sent, arrived))
            }
            Header::More => self.on_more(from, payload, driver),
            Header::Withdraw { sender } => self.on_withdraw(from, sender),
            Header::Withdrawn { sender } => self.on_withdrawn(from, sender, driver),
        }
    }

    /// Matches a message whose communicator is open now.
    pub(crate) fn match_orphan(&mut self, message: Unexpected) -> Result<(), Violation> {
        let incoming = message.held.as_incoming();
        let peer = &mut self.peers[message.from.index()];
        peer.unbuffer(incoming.charged());
        peer.ahead = peer.ahead.saturating_sub(1);
        self.match_up(message.from, message.envelope, incoming)
    }

    /// Finds the receive for a message, or buffers it.
    #[inline(never)]
    pub(crate) fn match_up(
        &mut self,
        from: PeerId,
        envelope: Envelope,
        incoming: Incoming<'_>,
    ) -> Result<(), Violation> {
        let limit = self.config.buffered_limit;
        if !self.peers[from.index()].may_buffer(incoming.charged(), limit) {
            return Err(Violation::Unexpected { limit });
        }
        let Some(comm) = self.comm_of(envelope.context) else {
            let held = self.hold_ahead(from, incoming)?;
            self.orphans.push(Unexpected::new(envelope, from, held));
            return Ok(());
        };
        let matching = self.comms.get_mut(comm).expect("a known context");
        let Envelope {
            context,
            source: rank,
            sequence,
            ..
        } = envelope;
        if matching.peers.get(rank.index()) != Some(&from) {
            return Err(Violation::ForeignRank { rank, context });
        }
        let early = matching.has_early(rank);
        match matching.turn(&envelope) {
            ArrivalOrder::Next => self.match_in_turn(comm, from, envelope, incoming),
            ArrivalOrder::Early if matching.has_early_sequence(&envelope) => {
                return Err(Violation::UsedSequence { sequence, context })
            }
            ArrivalOrder::Early => {
                let held = self.hold_ahead(from, incoming)?;
                if let Some(matching) = self.comms.get_mut(comm) {
                    matching.add_early(envelope, from, held);
                }
                return Ok(());
            }
            ArrivalOrder::Duplicate => return self.match_again(comm, from, envelope, incoming),
        }
        if early {
            self.match_early(comm, rank);
        }
        Ok(())
    }

    /// Buffers a message that waits for others before it, or for its communicator.
    fn hold_ahead(
        &mut self,
        from: PeerId,
        incoming: Incoming<'_>,
    ) -> Result<UnexpectedData, Violation> {
        let limit = self.config.ahead_limit;
        let peer = &mut self.peers[from.index()];
        if peer.ahead >= limit {
            return Err(Violation::Ahead { limit });
        }
        peer.ahead += 1;
        peer.buffer(incoming.charged());
        Ok(incoming.hold(&mut self.buffer_cache))
    }

    #[inline]
    fn match_in_turn(
        &mut self,
        comm: Key,
        from: PeerId,
        envelope: Envelope,
        incoming: Incoming<'_>,
    ) {
        let Some(matching) = self.comms.get_mut(comm) else {
            return;
        };
        if matches!(incoming, Incoming::Withdrawn) {
            return;
        }
        match matching.take_posted(envelope.source, envelope.tag) {
            Some(request) => {
                let closed = matching.closed;
                if self.any_failed {
                    self.calm(request);
                }
                self.accept(request, from, envelope, incoming);
                if closed {
                    self.drop_if_closed(comm);
                }
            }
            None => {
                self.peers[from.index()].buffer(incoming.charged());
                matching.add_unexpected(envelope, from, incoming.hold(&mut self.buffer_cache));
            }
        }
    }

    #[cold]
    fn match_early(&mut self, comm: Key, source: Rank) {
        while self
            .comms
            .get(comm)
            .is_some_and(|matching| matching.has_early(source))
        {
            let next = self
                .comms
                .get_mut(comm)
                .and_then(|matching| matching.next_in_turn(source));
            let Some(message) = next else { return };
            let incoming = message.held.as_incoming();
            let peer = &mut self.peers[message.from.index()];
            peer.unbuffer(incoming.charged());
            peer.ahead = peer.ahead.saturating_sub(1);
            self.match_in_turn(comm, message.from, message.envelope, incoming);
        }
    }

    fn accept_held(&mut self, request: Key, message: Unexpected) {
        let incoming = message.held.as_incoming();
        self.peers[message.from.index()].unbuffer(incoming.charged());
        self.accept(request, message.from, message.envelope, incoming);
        match message.held {
            UnexpectedData::Eager { bytes } | UnexpectedData::EagerAck { bytes, .. } => {
                self.buffer_cache.put_back(bytes)
            }
            UnexpectedData::Rts { prefix, .. } => self.buffer_cache.put_back(prefix),
            UnexpectedData::Pipelined { .. }
            | UnexpectedData::Withdrawn
            | UnexpectedData::Lost { .. } => {}
            UnexpectedData::Past { .. } => {}
        }
    }

    /// Starts the protocol of a message that a receive has matched.
    #[inline]
    pub(crate) fn accept(
        &mut self,
        request: Key,
        from: PeerId,
        envelope: Envelope,
        incoming: Incoming<'_>,
    ) {
        match incoming {
            Incoming::Eager(payload) => self.receive_eager(request, from, envelope, payload),
            Incoming::EagerAck(payload, sender) => {
                self.receive_eager(request, from, envelope, payload);
                self.enqueue_control(from, Header::Fin { sender });
            }
            Incoming::Rts(prefix, announced) => {
                if !prefix.is_empty() {
                    self.consumed(from, prefix.len());
                }
                self.receive_rendezvous(request, from, envelope, prefix, announced);
            }
            Incoming::Pipelined { key, total } => {
                self.take_gathered(request, from, envelope, total, key);
            }
            // Dropped already, in its turn.
            Incoming::Withdrawn => {}
            Incoming::Lost { total } => {
                if let Some(entry) = self.requests.get_mut(request) {
                    entry.status = status_of(envelope, total);
                }
                self.await_again(request, envelope);
            }
        }
    }

    #[inline]
    fn receive_eager(&mut self, request: Key, from: PeerId, envelope: Envelope, payload: Payload) {
        self.consumed(from, payload.len());
        let Some(entry) = self.requests.get_mut(request) else {
            return;
        };
        let (sent, room) = (payload.len(), entry.buffer.len());
        let bytes = sent.min(room);
        entry.buffer.unpack(0, payload.part(0, bytes));
        entry.status = status_of(envelope, bytes as u64);
        if sent <= room && entry.after == After::Stays {
            entry.phase = Phase::Done;
            return;
        }
        self.finish(request, check_length(sent as u64, room as u64));
    }

    /// Takes the eager prefix of a rendezvous message and gets the other bytes: by a read where the
    /// lane can, else in fragments.
    fn receive_rendezvous(
        &mut self,
        request: Key,
        peer: PeerId,
        envelope: Envelope,
        prefix: Payload<'_>,
        announced: Rendezvous,
    ) {
        let Rendezvous {
            sender, total, key, ..
        } = announced;
        if let Some(elements) = self.own_rendezvous_buffer(peer, sender) {
            self.copy_to_receive(request, envelope, &elements);
            return self.enqueue_control(peer, Header::Fin { sender });
        }
        let Some(entry) = self.requests.get_mut(request) else {
            return;
        };
        let wanted = total.min(entry.buffer.len() as u64);
        let here = wanted.min(prefix.len() as u64);
        entry.buffer.unpack(0, prefix.part(0, here as usize));
        // The length in the RTS decides about truncation once the bytes have arrived.
        entry.status = status_of(envelope, total);
        if let Some(why) = self.peers[peer.index()]
            .failed
            .clone()
            .filter(|_| wanted > here)
        {
            // The peer has gone since it sent the RTS, and the bytes with it.
            return self.finish(request, Err(Failure::PeerFailed { peer, why }));
        }
        let mut readable = self.peers[peer.index()].can_get && entry.buffer.contiguous().is_some();
        if self.restarts.is_some() {
            self.note_partial(request, peer, envelope);
            readable &= self.may_read(request);
        }
        let Some(entry) = self.requests.get_mut(request) else {
            return;
        };
        if announced.arrived != 0 && wanted > here {
            self.meter.begin(Running {
                request,
                peer,
                announced: key.is_some(),
                bytes: total as usize,
                sent: announced.sent,
                arrived: announced.arrived,
                unmeasured: std::mem::take(&mut self.peers[peer.index()].unmeasured),
            });
        }
        match key {
            _ if wanted == here => {
                self.enqueue_control(peer, Header::Fin { sender });
                self.received_all(request);
            }
            Some(key) if readable => {
                self.counters.receives_read.add(1);
                entry.phase = Phase::Reading {
                    peer,
                    sender,
                    prefix: here,
                    total,
                };
                self.enqueue(peer, Outgoing::Get(key, request));
            }
            _ => self.ask_for_fragments(request, peer, sender, here, wanted),
        }
    }

    /// Asks for the bytes from `here` to `wanted` by a CTS.
    fn ask_for_fragments(
        &mut self,
        request: Key,
        peer: PeerId,
        sender: Key,
        here: u64,
        wanted: u64,
    ) {
        let Some(entry) = self.requests.get_mut(request) else {
            return;
        };
        self.counters.receives_fragmented.add(1);
        entry.phase = Phase::Collecting {
            peer,
            left: wanted - here,
            wanted,
        };
        self.enqueue_control(
            peer,
            Header::Cts {
                sender,
                receiver: request,
                bytes: wanted,
            },
        );
    }

    /// Handles the end of a read by [`crate::Frame::Get`]. `refused`: the lane may not read this
    /// peer's memory; this message comes in fragments, and so do later ones.
    pub fn get_done(&mut self, request: RequestId, refused: bool, driver: &mut dyn Driver) {
        let Some(entry) = self.requests.get(request.key()) else {
            return;
        };
        let Phase::Reading {
            peer,
            sender,
            prefix,
            total,
        } = entry.phase
        else {
            return;
        };
        if refused {
            let wanted = total.min(entry.buffer.len() as u64);
            self.peers[peer.index()].can_get = false;
            return self.ask_for_fragments(request.key(), peer, sender, prefix, wanted);
        }
        self.enqueue_control(peer, Header::Fin { sender });
        self.end_measurement(request.key(), driver);
        self.received_all(request.key());
    }

    fn on_fragment(
        &mut self,
        from: PeerId,
        receiver: Key,
        offset: u64,
        payload: Payload<'_>,
        driver: &mut dyn Driver,
    ) -> Result<(), Violation> {
        let Some(entry) = self.requests.get_mut(receiver) else {
            return Err(Violation::UnwantedFragment);
        };
        let Phase::Collecting { peer, left, wanted } = &mut entry.phase else {
            return Err(Violation::UnwantedFragment);
        };
        let len = payload.len() as u64;
        let inside = offset.checked_add(len).is_some_and(|end| end <= *wanted);
        if *peer != from || !inside || len > *left || len == 0 {
            return Err(Violation::FragmentOutside {
                offset,
                bytes: len,
                total: *wanted,
            });
        }
        *left -= len;
        let last = *left == 0;
        entry.buffer.unpack(offset as usize, payload);
        if last {
            self.end_measurement(receiver, driver);
            self.received_all(receiver);
        }
        Ok(())
    }

    /// Returns the time when a message arrived that its sender wants to be measured; else 0.
    #[inline]
    fn arrived_at(&mut self, from: PeerId, bytes: u64, sent: u64, driver: &dyn Driver) -> u64 {
        if !self.is_measured(from, bytes as usize) {
            return 0;
        }
        if sent == 0 {
            let unmeasured = &mut self.peers[from.index()].unmeasured;
            *unmeasured = unmeasured.saturating_add(1);
            return 0;
        }
        driver.now().max(1)
    }

    /// Returns whether messages to and from a peer of this many bytes are measured.
    #[inline]
    pub fn is_measured(&self, peer: PeerId, bytes: usize) -> bool {
        let least = self.peers[peer.index()].measured_min;
        least.is_some_and(|least| bytes >= least)
    }

    /// Ends the measurement of the message of a receive, if it is measured.
    pub(crate) fn end_measurement(&mut self, request: Key, driver: &mut dyn Driver) {
        if self.meter.measures(request) {
            let measured = self.meter.end(request, driver.now());
            if let Some((peer, service)) = measured {
                driver.served(peer, service);
            }
        }
    }

    /// Completes a receive whose status has the length of the whole message.
    pub(crate) fn received_all(&mut self, request: Key) {
        let Some(entry) = self.requests.get_mut(request) else {
            return;
        };
        let (sent, room) = (entry.status.bytes, entry.buffer.len() as u64);
        entry.status.bytes = sent.min(room);
        self.finish(request, check_length(sent, room));
    }
}

fn status_of_unexpected(message: &Unexpected) -> Status {
    status_of(message.envelope, message.held.len())
}
