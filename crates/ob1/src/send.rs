//! The send side of the protocols.

use base::{Key, PeerId, Rank, RemoteKey};
use datatype::Buffer;
use memory::Payload;
use pml::{CommId, Failure, Mode, RequestId, Tag};

use crate::driver::{Driver, Violation};
use crate::peer::Outgoing;
use crate::protocol::Protocol;
use crate::request::{Origin, Phase, Request};
use crate::wire::{decode_eager, encode_eager};
use crate::wire::{Encoded, Envelope, Header, EAGER_BYTES, FRAGMENT_BYTES};

/// An eager message ready for its lane.
pub struct Eager {
    /// The receiver.
    pub peer: PeerId,
    /// Its header; the payload follows it.
    pub header: [u8; EAGER_BYTES],
    /// Whether its lane may buffer it: then it is not complete when the lane took it, and may have
    /// to be passed to [`Protocol::buffered`].
    pub buffers: bool,
    /// Bytes of a part where it is pipelined ([`Eager::part`]); 0 where it is one frame.
    pub cut: usize,
}

impl Protocol {
    /// Makes a standard-mode message of `len` bytes eager, when it can be and nothing older
    /// waits for the same lane. The driver then either sends it (and it is complete) or gives
    /// it back with [`Protocol::queue`]. `None`: use [`Protocol::begin_send`].
    #[inline]
    pub fn try_eager(&mut self, comm: CommId, to: Rank, tag: Tag, len: usize) -> Option<Eager> {
        self.eager(comm, to, tag, len, false)
    }

    /// Makes a message of this process to itself eager, as [`Protocol::try_eager`] does, after
    /// [`Protocol::send_to_self`] has found no receive for it.
    pub fn try_eager_own(&mut self, comm: CommId, to: Rank, tag: Tag, len: usize) -> Option<Eager> {
        self.eager(comm, to, tag, len, true)
    }

    #[inline(always)]
    fn eager(&mut self, comm: CommId, to: Rank, tag: Tag, len: usize, own: bool) -> Option<Eager> {
        let matching = self.comms.get_mut(comm.key())?;
        let peer = *matching.peers.get(to.index())?;
        let entry = &mut self.peers[peer.index()];
        let fits = len <= entry.eager_max && (entry.reachable || own) && entry.queue.is_empty();
        if !fits || !entry.charge(len, self.config.unexpected_limit) {
            return None;
        }
        entry.counters.sent(len);
        let buffers = entry.buffers;
        let cut = if len > entry.whole_max { entry.part } else { 0 };
        let envelope = matching.envelope_to(to, tag);
        Some(Eager {
            peer,
            header: encode_eager(&envelope),
            buffers,
            cut,
        })
    }

    /// Returns a request for a message that its lane took and buffers; it is complete once it has
    /// left.
    #[cold]
    pub fn buffered(&mut self, peer: PeerId, buffer: Buffer) -> RequestId {
        let request = Request::new(Phase::Buffered { peer }, buffer);
        let request = self.requests.insert(request);
        self.buffered.push((peer, request));
        RequestId::from_key(request)
    }

    /// Returns whether lanes buffer any messages.
    #[inline]
    pub fn has_buffered(&self) -> bool {
        !self.buffered.is_empty()
    }

    /// Completes the buffered messages of peers for which `is_buffered` is no longer true. Returns
    /// how many those were.
    #[cold]
    pub fn release_buffered(&mut self, is_buffered: impl Fn(PeerId) -> bool) -> usize {
        let mut buffered = std::mem::take(&mut self.buffered);
        let before = buffered.len();
        buffered.retain(|&(peer, request)| {
            let stays = is_buffered(peer);
            let entry = self.requests.get(request);
            // It has ended before where its peer has failed.
            if !stays && entry.is_some_and(|entry| matches!(entry.phase, Phase::Buffered { .. })) {
                self.finish(request, Ok(()));
            }
            stays
        });
        self.buffered = buffered;
        before - self.buffered.len()
    }

    /// Completes a send whose last frame its lane took, or waits until the lane has sent it.
    pub(crate) fn taken_by_lane(&mut self, peer: PeerId, request: Key) {
        if !self.peers[peer.index()].buffers {
            return self.finish(request, Ok(()));
        }
        if let Some(entry) = self.requests.get_mut(request) {
            entry.phase = Phase::Buffered { peer };
            self.buffered.push((peer, request));
        }
    }

    /// Queues an eager message that its lane was too busy for.
    #[cold]
    pub fn queue(&mut self, eager: Eager, buffer: Buffer) -> RequestId {
        let phase = Phase::Queued {
            peer: eager.peer,
            synchronous: false,
        };
        let (envelope, _) = decode_eager(Payload::from(&eager.header[..])).expect("it was encoded");
        let request = self.insert_send(phase, buffer, &envelope, None);
        let header = Encoded::from(eager.header);
        self.enqueue(eager.peer, Outgoing::Eager(header, request));
        RequestId::from_key(request)
    }

    /// Starts a send by any protocol. `comm` and `to` must be valid: the layer above checked.
    pub fn begin_send(
        &mut self,
        comm: CommId,
        to: Rank,
        tag: Tag,
        buffer: Buffer,
        mode: Mode,
        driver: &mut dyn Driver,
    ) -> RequestId {
        let window = self.config.unexpected_limit;
        let Some(matching) = self.comms.get_mut(comm.key()) else {
            return self.done(buffer, Failure::Revoked);
        };
        let peer = matching.peers[to.index()];
        let entry = &mut self.peers[peer.index()];
        if let Some(why) = &entry.failed {
            let failure = Failure::PeerFailed {
                peer,
                why: why.clone(),
            };
            return self.done(buffer, failure);
        }
        let len = buffer.len();
        // Synchronous messages are not pipelined.
        let eager_max = match mode {
            Mode::Standard => entry.eager_max,
            Mode::Synchronous => entry.whole_max,
        };
        let eager = len <= eager_max && entry.charge(len, window);
        entry.counters.sent(len);
        let whole = len <= entry.whole_max;
        let envelope = matching.envelope_to(to, tag);
        if !eager {
            let request = self.begin_rendezvous(peer, envelope, buffer, driver);
            self.origins.set_comm(request.key(), comm.key());
            return request;
        }
        if !whole {
            self.counters.sends_pipelined.add(1);
            let total = len as u64;
            let sent = self.sent_at(peer, len, false, driver);
            let header = Header::Long {
                envelope,
                total,
                sent,
            };
            let header = header.encode();
            return RequestId::from_key(self.enqueue_parts(peer, header, buffer, 0));
        }
        let synchronous = mode == Mode::Synchronous;
        let phase = Phase::Queued { peer, synchronous };
        let sender = self.insert_send(phase, buffer, &envelope, Some(comm));
        let header = match mode {
            Mode::Standard => Header::Eager { envelope },
            Mode::Synchronous => Header::EagerAck { envelope, sender },
        };
        self.enqueue(peer, Outgoing::Eager(header.encode(), sender));
        RequestId::from_key(sender)
    }

    /// Enters the request of a send, and where it belongs.
    fn insert_send(
        &mut self,
        phase: Phase,
        buffer: Buffer,
        envelope: &Envelope,
        comm: Option<CommId>,
    ) -> Key {
        let request = self.requests.insert(Request::new(phase, buffer));
        let origin = Origin {
            context: envelope.context,
            tag: envelope.tag,
            comm: comm.map(CommId::key),
        };
        self.origins.set(request, origin);
        request
    }

    /// Returns the time to send along with a message, where it is to be measured; else 0.
    pub fn sent_at(
        &mut self,
        peer: PeerId,
        bytes: usize,
        announced: bool,
        driver: &dyn Driver,
    ) -> u64 {
        let is_sample =
            self.is_measured(peer, bytes) && self.peers[peer.index()].samples(bytes, announced);
        match is_sample {
            true => driver.now().max(1),
            false => 0,
        }
    }

    /// Announces a message that could go in parts, for its receiver to read it.
    #[cold]
    pub fn announce(&mut self, eager: Eager, buffer: Buffer, driver: &mut dyn Driver) -> RequestId {
        let Eager { peer, header, .. } = eager;
        self.peers[peer.index()].refund(buffer.len());
        let (envelope, _) = decode_eager(Payload::from(&header[..])).expect("it was encoded");
        self.begin_rendezvous(peer, envelope, buffer, driver)
    }

    pub(crate) fn begin_rendezvous(
        &mut self,
        peer: PeerId,
        envelope: Envelope,
        buffer: Buffer,
        driver: &mut dyn Driver,
    ) -> RequestId {
        let total = buffer.len() as u64;
        self.counters.sends_rendezvous.add(1);
        let prefix =
            self.peers[peer.index()].charge_prefix(buffer.len(), self.config.unexpected_limit);
        let readable = self.peers[peer.index()].can_get && total > 0;
        let key = match buffer.contiguous() {
            Some(memory) if readable => driver.register(peer, memory),
            _ => None,
        };
        let phase = Phase::Rendezvous { peer, key, prefix };
        let sender = self.insert_send(phase, buffer, &envelope, None);
        let sent = self.sent_at(peer, total as usize, key.is_some(), driver);
        let header = Header::Rts {
            envelope,
            sender,
            total,
            key,
            sent,
        };
        self.enqueue(peer, Outgoing::Rts(header.encode(), sender));
        RequestId::from_key(sender)
    }

    fn done(&mut self, buffer: Buffer, failure: Failure) -> RequestId {
        let mut request = Request::new(Phase::Done, buffer);
        request.failure = Some(Box::new(failure));
        RequestId::from_key(self.requests.insert(request))
    }

    /// Records that the lane took a queued eager message.
    pub(crate) fn eager_sent(&mut self, request: Key) {
        let Some(entry) = self.requests.get_mut(request) else {
            return;
        };
        match entry.phase {
            Phase::Queued {
                peer,
                synchronous: true,
            } => {
                entry.phase = Phase::Unmatched { peer };
            }
            Phase::Queued { peer, .. } => self.taken_by_lane(peer, request),
            _ => {}
        }
    }

    /// Records that the lane took a fragment, as large as it could be. True when it was the last.
    pub(crate) fn fragment_sent(&mut self, request: Key, max_send: usize) -> bool {
        let Some(entry) = self.requests.get_mut(request) else {
            return true;
        };
        let Phase::Streaming {
            peer, next, end, ..
        } = &mut entry.phase
        else {
            return true;
        };
        *next += (*end - *next).min(max_send - FRAGMENT_BYTES);
        if next < end {
            return false;
        }
        let peer = *peer;
        self.taken_by_lane(peer, request);
        true
    }

    /// Handles CTS: the receiver wants the first `bytes`, but for the prefix, in fragments.
    pub(crate) fn on_cts(
        &mut self,
        from: PeerId,
        sender: Key,
        receiver: Key,
        bytes: u64,
        driver: &mut dyn Driver,
    ) -> Result<(), Violation> {
        let (key, prefix) = self.rendezvous_of(from, sender)?;
        let entry = self.requests.get_mut(sender).expect("a rendezvous");
        if bytes <= prefix as u64 || bytes > entry.buffer.len() as u64 {
            let total = entry.buffer.len() as u64;
            return Err(Violation::CtsOutside { bytes, total });
        }
        let end = bytes as usize;
        entry.phase = Phase::Streaming {
            peer: from,
            receiver,
            next: prefix,
            end,
        };
        if let Some(key) = key {
            driver.deregister(from, key);
        }
        self.enqueue(from, Outgoing::Stream(sender));
        Ok(())
    }

    /// Handles FIN: the receiver has the message, or as much of it as it wants.
    pub(crate) fn on_fin(
        &mut self,
        from: PeerId,
        sender: Key,
        driver: &mut dyn Driver,
    ) -> Result<(), Violation> {
        match self.requests.get(sender).map(|entry| &entry.phase) {
            Some(Phase::Unmatched { peer }) if *peer == from => {}
            _ => {
                if let (Some(key), _) = self.rendezvous_of(from, sender)? {
                    driver.deregister(from, key);
                }
            }
        }
        self.finish(sender, Ok(()));
        Ok(())
    }

    /// Returns the remote key of a rendezvous message to a peer, and the length of its prefix.
    pub(crate) fn rendezvous_of(
        &self,
        from: PeerId,
        sender: Key,
    ) -> Result<(Option<RemoteKey>, usize), Violation> {
        match self.requests.get(sender).map(|entry| &entry.phase) {
            Some(Phase::Rendezvous { peer, key, prefix }) if *peer == from => Ok((*key, *prefix)),
            _ => Err(Violation::UnwantedReply),
        }
    }
}

impl From<[u8; EAGER_BYTES]> for Encoded {
    fn from(header: [u8; EAGER_BYTES]) -> Encoded {
        Encoded::of(&header)
    }
}
