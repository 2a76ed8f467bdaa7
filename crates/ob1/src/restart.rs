//! Peers that die and come back: nothing that depends on such a peer fails.
//!
//! A layer above that logs messages ([`pml::Restart`]) has a dead peer *suspended* instead of given
//! up. What the peer had sent whole stays. A message of which a part was missing keeps its place,
//! by its sequence number, until the next life of the peer sends it again. Sends to the peer end:
//! the layer above has a copy. The next life begins to count at 0, and so do the numbers of what
//! is sent to it again.

use base::{Key, PeerId, Rank, Slab};
use datatype::Buffer;
use pml::{CommId, Context, Received, RequestId};

use crate::driver::{Driver, Violation};
use crate::incoming::Incoming;
use crate::matching::{Matching, Unexpected, UnexpectedData};
use crate::peer::{Gathered, Outgoing};
use crate::protocol::Protocol;
use crate::request::{Phase, Request};
use crate::resent::Awaited;
use crate::wire::{Envelope, Header};

/// Incomplete receives after which those that have ended are dropped from the list.
const PARTIAL_MAX: usize = 64;

impl Protocol {
    /// Lets peers be suspended.
    pub fn enable_restarts(&mut self) {
        self.restarts = Some(Box::default());
    }

    /// Notes that a receive has matched a message that is not whole.
    #[inline]
    pub(crate) fn note_partial(&mut self, request: Key, peer: PeerId, envelope: Envelope) {
        let Some(restarts) = &mut self.restarts else {
            return;
        };
        if restarts.partial.len() >= PARTIAL_MAX {
            let requests = &self.requests;
            let is_under_way = |request: &Request| request.depends_on().is_some();
            (restarts.partial).retain(|(key, _, _)| requests.get(*key).is_some_and(is_under_way));
        }
        restarts.partial.push((request, peer, envelope));
    }

    /// Remembers how far the messages of a communicator have come that is dropped.
    pub(crate) fn note_past(&mut self, matching: &Matching) {
        if let Some(restarts) = &mut self.restarts {
            let expected = matching.all_expected();
            restarts
                .past
                .push((matching.context, matching.peers.clone(), expected));
        }
    }

    /// Has a receive wait for its message, which its sender is to send again.
    pub(crate) fn await_again(&mut self, request: Key, envelope: Envelope) {
        let place = (envelope.context, envelope.source, envelope.sequence);
        if let Some(restarts) = &mut self.restarts {
            restarts.awaited.insert(place, Awaited::Receive(request));
        }
    }

    /// Notes that a matched probe has taken a message that is to be sent again.
    pub(crate) fn note_taken(&mut self, message: Key, envelope: Envelope) {
        let place = (envelope.context, envelope.source, envelope.sequence);
        if let Some(restarts) = &mut self.restarts {
            restarts.awaited.insert(place, Awaited::Taken(message));
        }
    }

    /// Handles a message whose number was used before: one that was to be sent again.
    ///
    /// # Errors
    /// When it was not.
    #[cold]
    pub(crate) fn match_again(
        &mut self,
        comm: Key,
        from: PeerId,
        envelope: Envelope,
        incoming: Incoming<'_>,
    ) -> Result<(), Violation> {
        let Envelope {
            context,
            source,
            sequence,
            ..
        } = envelope;
        let restarts = self.restarts.as_mut();
        let Some(awaited) = restarts.and_then(|r| r.awaited.remove(&(context, source, sequence)))
        else {
            return Err(Violation::UsedSequence { sequence, context });
        };
        if let Awaited::Receive(request) = awaited {
            self.accept(request, from, envelope, incoming);
            return Ok(());
        }
        self.peers[from.index()].buffer(incoming.charged());
        let held = incoming.hold(&mut self.buffer_cache);
        match awaited {
            Awaited::Taken(message) => {
                if let Some((_, message)) = self.messages.get_mut(message) {
                    message.held = held;
                }
            }
            _ => {
                if let Some(matching) = self.comms.get_mut(comm) {
                    matching.replace(source, sequence, held);
                }
            }
        }
        Ok(())
    }

    /// Suspends a peer that has died and will come back. Sends to it end, receives of it wait.
    pub fn suspend_peer(&mut self, peer: PeerId, driver: &mut dyn Driver) {
        self.reset_peer(peer);
        self.peers[peer.index()].suspended = true;
        let depends = |(_, request): &(Key, &Request)| request.depends_on() == Some(peer);
        let under_way: Vec<(Key, Phase)> = (self.requests.iter().filter(depends))
            .map(|(key, request)| (key, request.phase))
            .collect();
        for (request, phase) in under_way {
            match phase {
                Phase::Reading { .. } => {
                    self.receive_again(request);
                    self.note_read(request);
                }
                Phase::Gathering { .. } | Phase::Collecting { .. } => self.receive_again(request),
                Phase::Rendezvous { key: Some(key), .. } => {
                    driver.deregister(peer, key);
                    self.finish(request, Ok(()));
                }
                _ => self.finish(request, Ok(())),
            }
        }
        self.lose_held(peer);
    }

    /// Notes that a receive has read memory of a peer that died.
    fn note_read(&mut self, request: Key) {
        if let Some(restarts) = &mut self.restarts {
            let requests = &self.requests;
            (restarts.were_reading).retain(|known| requests.get(*known).is_some());
            restarts.were_reading.insert(request);
        }
    }

    /// Returns whether a receive may read the memory of its sender.
    pub(crate) fn may_read(&self, request: Key) -> bool {
        let restarts = self.restarts.as_ref();
        restarts.is_none_or(|restarts| !restarts.were_reading.contains(&request))
    }

    /// Returns whether a receive reads the memory of a peer.
    pub fn is_reading(&self, request: RequestId, from: PeerId) -> bool {
        let phase = self.requests.get(request.key()).map(|entry| entry.phase);
        matches!(phase, Some(Phase::Reading { peer, .. }) if peer == from)
    }

    /// Puts a receive back to where its message has not come.
    fn receive_again(&mut self, request: Key) {
        let Some(restarts) = &mut self.restarts else {
            return;
        };
        let found = restarts
            .partial
            .iter()
            .rposition(|(key, _, _)| *key == request);
        let Some((_, _, envelope)) = found.map(|at| restarts.partial.swap_remove(at)) else {
            return;
        };
        let comm = self.contexts.get(&envelope.context).copied();
        if let (Some(entry), Some(comm)) = (self.requests.get_mut(request), comm) {
            entry.phase = Phase::Posted {
                comm,
                source: Some(envelope.source),
            };
        }
        self.await_again(request, envelope);
    }

    /// Keeps the whole unexpected messages of a peer, and the places of the others.
    fn lose_held(&mut self, peer: PeerId) {
        let is_own = |message: &mut Unexpected| message.from == peer;
        let mut dropped: Vec<Unexpected> = self.orphans.extract_if(.., is_own).collect();
        let mut lost: Vec<(Envelope, Awaited)> = Vec::new();
        let gathered = &mut self.gathered;
        for (_, matching) in self.comms.iter_mut() {
            let Some(rank) = matching.rank_of(peer) else {
                continue;
            };
            dropped.extend(matching.take_early(rank));
            matching.each_unexpected(rank, |message| {
                if message.held.lose(gathered) {
                    lost.push((message.envelope, Awaited::Unexpected));
                }
            });
        }
        for (key, (_, message)) in self.messages.iter_mut() {
            if message.from == peer && message.held.lose(gathered) {
                lost.push((message.envelope, Awaited::Taken(key)));
            }
        }
        if let Some(restarts) = &mut self.restarts {
            for (envelope, awaited) in lost {
                let place = (envelope.context, envelope.source, envelope.sequence);
                restarts.awaited.insert(place, awaited);
            }
        }
        self.drop_held(dropped);
    }

    /// Drops messages that nothing has matched.
    fn drop_held(&mut self, messages: impl IntoIterator<Item = Unexpected>) {
        for mut message in messages {
            message.held.lose(&mut self.gathered);
        }
    }

    /// Returns whether a peer is suspended.
    #[inline]
    pub fn is_suspended(&self, peer: PeerId) -> bool {
        self.peers
            .get(peer.index())
            .is_some_and(|entry| entry.suspended)
    }

    /// Notes which messages of a peer an earlier life of this process has got, and do not come
    /// again, by communicator. None of them is open yet.
    pub fn set_received(&mut self, peer: PeerId, received: Vec<Received>) {
        if let Some(restarts) = &mut self.restarts {
            let all = received.into_iter().map(|one| ((one.context, peer), one));
            restarts.got.extend(all);
        }
    }

    /// Passes over the messages in a communicator that an earlier life of this process has got.
    pub(crate) fn skip_past(&mut self, comm: Key) {
        let Some(restarts) = self.restarts.as_mut().filter(|r| !r.got.is_empty()) else {
            return;
        };
        let Some(matching) = self.comms.get_mut(comm) else {
            return;
        };
        for (at, peer) in matching.peers.clone().iter().enumerate() {
            if let Some(received) = restarts.got.remove(&(matching.context, *peer)) {
                matching.set_received(Rank(at as u32), &received);
            }
        }
    }

    /// Returns which messages of a peer were received or dropped here, by communicator: those that
    /// wait for a receive are missing.
    pub fn taken_from(&self, peer: PeerId) -> Vec<Received> {
        let mut all = self.received_from(peer);
        for one in &mut all {
            let comm = self.contexts.get(&one.context);
            let matching = comm.and_then(|comm| self.comms.get(*comm));
            let found = matching.and_then(|m| Some((m, m.rank_of(peer)?)));
            if let Some((matching, rank)) = found {
                one.missing.extend(matching.unexpected_numbers(rank));
                one.missing.sort_unstable();
                one.missing.dedup();
            }
        }
        all
    }

    /// Returns whether a message was taken by a matched probe and not received.
    pub fn has_taken(&self) -> bool {
        !self.messages.is_empty()
    }

    /// Sets the number of the next message to a rank.
    pub fn set_next(&mut self, comm: CommId, to: Rank, next: u64) {
        if let Some(matching) = self.comms.get_mut(comm.key()) {
            matching.set_next(to, next);
        }
    }

    /// Returns which messages of a peer this process has, by communicator.
    pub fn received_from(&self, peer: PeerId) -> Vec<Received> {
        let Some(restarts) = &self.restarts else {
            return Vec::new();
        };
        let open = self.comms.iter().filter_map(|(_, matching)| {
            let rank = matching.rank_of(peer)?;
            let (next, missing) = matching.received(rank);
            Some((matching.context, rank, next, missing))
        });
        let past = restarts
            .past
            .iter()
            .filter_map(|(context, peers, expected)| {
                let at = peers.iter().position(|one| *one == peer)?;
                Some((*context, Rank(at as u32), expected[at], Vec::new()))
            });
        let holes = |context: Context, rank: Rank| {
            let places = restarts
                .awaited
                .range((context, rank, 0)..=(context, rank, u64::MAX));
            places.map(|((_, _, sequence), _)| *sequence).collect()
        };
        let received = |(context, rank, next, mut missing): (_, _, _, Vec<u64>)| {
            let holes: Vec<u64> = holes(context, rank);
            if !holes.is_empty() {
                missing.extend(holes);
                missing.sort_unstable();
            }
            Received {
                context,
                next,
                missing,
            }
        };
        let got = restarts.got.iter().filter(|((_, from), _)| *from == peer);
        let got = got.map(|(_, one)| one.clone());
        open.chain(past).map(received).chain(got).collect()
    }

    /// Uses up the number of a message that its receiver has, or that will be sent again.
    pub fn skip_send(&mut self, comm: CommId, to: Rank) {
        if let Some(matching) = self.comms.get_mut(comm.key()) {
            matching.envelope_to(to, 0);
        }
    }

    /// Sends a message with the number that it had, or has to have.
    pub fn resend(
        &mut self,
        peer: PeerId,
        envelope: Envelope,
        buffer: Buffer,
        driver: &mut dyn Driver,
    ) -> RequestId {
        let window = self.config.unexpected_limit;
        let entry = &mut self.peers[peer.index()];
        let len = buffer.len();
        if len > entry.whole_max || !entry.charge(len, window) {
            return self.begin_rendezvous(peer, envelope, buffer, driver);
        }
        let synchronous = false;
        let phase = Phase::Queued { peer, synchronous };
        let sender = self.requests.insert(Request::new(phase, buffer));
        let header = Header::Eager { envelope };
        self.enqueue(peer, Outgoing::Eager(header.encode(), sender));
        RequestId::from_key(sender)
    }

    /// Begins to count anew in a communicator, both ways, with a peer that has come back.
    pub fn reset_comm(&mut self, comm: CommId, peer: PeerId) {
        if let Some(matching) = self.comms.get_mut(comm.key()) {
            let context = matching.context;
            if let Some(rank) = matching.rank_of(peer) {
                let dropped = matching.restart(rank);
                self.drop_held(dropped);
                if let Some(restarts) = &mut self.restarts {
                    let is_of_it =
                        |place: &(Context, Rank, u64)| (place.0, place.1) == (context, rank);
                    restarts.awaited.retain(|place, _| !is_of_it(place));
                }
            }
        }
    }

    /// Returns the sender of the message that a receive has matched; `None` where it has none yet.
    #[inline]
    pub fn source_of(&self, request: RequestId) -> Option<Rank> {
        self.requests.get(request.key())?.status.source
    }
}

impl UnexpectedData {
    /// Makes a message one that waits for nothing more of its sender. Returns whether it is to be
    /// sent again, since it was not whole.
    fn lose(&mut self, gathered: &mut Slab<Gathered>) -> bool {
        match std::mem::replace(self, UnexpectedData::Withdrawn) {
            UnexpectedData::EagerAck { bytes, .. } => *self = UnexpectedData::Eager { bytes },
            UnexpectedData::Rts { total, .. } => *self = UnexpectedData::Lost { total },
            UnexpectedData::Pipelined { total, key } => {
                gathered.remove(key);
                *self = UnexpectedData::Lost { total };
            }
            other => *self = other,
        }
        matches!(self, UnexpectedData::Lost { .. })
    }
}
