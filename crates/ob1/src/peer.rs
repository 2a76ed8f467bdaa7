//! One peer: its lane, what waits for it, and the bytes it may still send unasked.

use std::collections::VecDeque;
use std::sync::Arc;

use base::{Key, PeerId};
use datatype::Buffer;
use pml::{Failure, RequestId};

use crate::parts::Begun;
use crate::request::{Phase, Request};
use crate::wire::{Encoded, Header, EAGER_ACK_BYTES, LONG_BYTES, RTS_BYTES};
use crate::{Frame, Lane, Outgoing, Protocol, Registrar};

/// Cost of an eager message in the window beside its payload, in bytes: about the cost of holding
/// it at the receiver. Messages without payload are bounded by it.
const MESSAGE_COST: u64 = 64;

/// The state of one peer.
#[derive(Default)]
pub(crate) struct Peer {
    /// Payload bytes that fit an eager message.
    pub(crate) eager_max: usize,
    /// Payload bytes that go in one piece; longer eager messages are cut.
    pub(crate) whole_max: usize,
    /// Bytes of the first part of those.
    pub(crate) part: usize,
    /// The message that the peer has begun to send in parts.
    pub(crate) begun: Option<Begun>,
    /// Bytes of a longer message that go with its RTS.
    prefix_max: usize,
    pub(crate) max_send: usize,
    pub(crate) can_get: bool,
    pub(crate) buffers: bool,
    /// Whether its messages go to a lane without a further check. Not those of this process itself.
    pub(crate) reachable: bool,
    /// Cost of all eager messages sent to the peer, and what of it the peer has consumed.
    sent: u64,
    returned: u64,
    /// Cost of all eager messages of the peer consumed here, and what of it the peer was told.
    consumed: u64,
    reported: u64,
    pub(crate) queue: VecDeque<Outgoing>,
    /// Why the peer failed.
    pub(crate) failed: Option<Arc<str>>,
}

impl Peer {
    pub(crate) fn set_lane(&mut self, lane: Lane) {
        self.whole_max = lane.eager_limit.saturating_sub(EAGER_ACK_BYTES);
        self.eager_max = self.whole_max;
        if let Some(cut) = lane.cut.filter(|cut| cut.part > 0) {
            // A part, with its header, has to fit a message of the lane.
            let part_max = lane.max_send.saturating_sub(LONG_BYTES);
            self.part = cut.part.min(part_max).min(self.whole_max).max(1);
            // What is cut is longer than a part.
            self.whole_max = self.part;
            self.eager_max = cut.longest.max(self.whole_max);
        }
        let prefix = lane.rndv_eager_limit.min(lane.max_send);
        self.prefix_max = prefix.saturating_sub(RTS_BYTES);
        self.max_send = lane.max_send;
        self.can_get = lane.can_get;
        self.buffers = lane.buffers;
        self.reachable = true;
    }

    /// It is this process itself: what is announced need not come over the lane.
    pub(crate) fn set_own(&mut self) {
        self.reachable = false;
        self.can_get = false;
        self.prefix_max = 0;
    }

    /// Uses up window for an eager message of `len` bytes; false when there is not enough.
    #[inline]
    pub(crate) fn charge(&mut self, len: usize, window: u64) -> bool {
        let cost = len as u64 + MESSAGE_COST;
        if self.sent - self.returned + cost > window {
            return false;
        }
        self.sent += cost;
        true
    }

    /// Uses up window for the prefix of an announced message of `len` bytes, and says how long
    /// that is: 0 when there is not enough.
    pub(crate) fn charge_prefix(&mut self, len: usize, window: u64) -> usize {
        let prefix = len.min(self.prefix_max);
        match prefix > 0 && self.charge(prefix, window) {
            true => prefix,
            false => 0,
        }
    }

    /// Counts an eager message of `len` bytes as consumed; true when it is time to tell.
    #[inline]
    fn consume(&mut self, len: usize, window: u64) -> bool {
        self.consumed += len as u64 + MESSAGE_COST;
        self.consumed - self.reported >= window / 4
    }
}

impl Protocol {
    /// Puts a frame at the end of a peer's queue. What is for a failed peer goes nowhere: its
    /// requests have ended.
    pub(crate) fn enqueue(&mut self, peer: PeerId, outgoing: Outgoing) {
        let Some(entry) = self.peers.get_mut(peer.index()) else {
            return;
        };
        if entry.failed.is_some() {
            return;
        }
        if entry.queue.is_empty() {
            self.ready.push_back(peer);
        }
        entry.queue.push_back(outgoing);
    }

    pub(crate) fn enqueue_control(&mut self, peer: PeerId, header: Header) {
        self.enqueue(peer, Outgoing::Control(header.encode()));
    }

    /// Counts an eager message as consumed, and tells its sender now and then.
    #[inline]
    pub(crate) fn consumed(&mut self, peer: PeerId, len: usize) {
        let entry = &mut self.peers[peer.index()];
        if entry.consume(len, self.config.unexpected_limit) {
            self.report_credit(peer);
        }
    }

    #[cold]
    fn report_credit(&mut self, peer: PeerId) {
        let entry = &mut self.peers[peer.index()];
        entry.reported = entry.consumed;
        let consumed = entry.consumed;
        self.enqueue_control(peer, Header::Credit { consumed });
    }

    pub(crate) fn credit(&mut self, peer: PeerId, consumed: u64) {
        let entry = &mut self.peers[peer.index()];
        // A peer that counts messages of an earlier life of this process (see `forget_peer`) says
        // too much; it cannot open the window further than all the way.
        let consumed = consumed.min(entry.sent);
        // Tallies may overtake each other on a lane without order; the largest one counts.
        entry.returned = entry.returned.max(consumed);
    }

    /// Whether anything waits to be sent.
    #[inline]
    pub fn has_frames(&self) -> bool {
        !self.ready.is_empty()
    }

    /// The peer at a position among those that something waits for.
    pub fn ready_peer(&self, at: usize) -> Option<PeerId> {
        self.ready.get(at).copied()
    }

    /// Returns how many entries are queued for a peer.
    pub fn waiting(&self, peer: PeerId) -> usize {
        self.peers
            .get(peer.index())
            .map_or(0, |entry| entry.queue.len())
    }

    /// Returns the oldest entry queued for a peer. It stays until [`Protocol::frame_sent`] says it
    /// was taken.
    pub fn next_frame(&mut self, peer: PeerId) -> Option<Frame<'_>> {
        self.drop_stale(peer);
        let entry = self.peers.get(peer.index())?;
        let max_send = entry.max_send;
        match entry.queue.front()? {
            Outgoing::Control(header) => Some(with_prefix(header, &self.nothing, 0)),
            Outgoing::Eager(header, request) => {
                let buffer = &self.requests.get(*request)?.buffer;
                Some(with_prefix(header, buffer, buffer.len()))
            }
            Outgoing::Parts(header, request) => {
                let request = self.requests.get(*request)?;
                let (header, at, len) = self.next_part(request, header)?;
                let buffer = &request.buffer;
                Some(Frame::Send {
                    header,
                    buffer,
                    at,
                    len,
                })
            }
            Outgoing::Rts(header, request) => {
                let request = self.requests.get(*request)?;
                let Phase::Announced { prefix, .. } = request.phase else {
                    return None;
                };
                Some(with_prefix(header, &request.buffer, prefix))
            }
            Outgoing::Stream(request) => {
                let request = self.requests.get(*request)?;
                let Phase::Streaming {
                    receiver,
                    next,
                    end,
                    ..
                } = request.phase
                else {
                    return None;
                };
                let header = Header::Fragment {
                    receiver,
                    offset: next as u64,
                }
                .encode();
                let len = (end - next).min(max_send - header.as_bytes().len());
                Some(Frame::Send {
                    header,
                    buffer: &request.buffer,
                    at: next,
                    len,
                })
            }
            Outgoing::Get(key, request) => {
                let entry = self.requests.get(*request)?;
                let Phase::Reading { prefix, total, .. } = entry.phase else {
                    return None;
                };
                let room = entry.buffer.contiguous()?;
                let (at, end) = (prefix as usize, room.len().min(total as usize));
                Some(Frame::Get {
                    local: room.part(at, end - at),
                    key: *key,
                    offset: prefix,
                    request: RequestId::from_key(*request),
                })
            }
        }
    }

    /// Removes from a peer's queue what belongs to requests that are over.
    fn drop_stale(&mut self, peer: PeerId) {
        loop {
            let Some(entry) = self.peers.get(peer.index()) else {
                return;
            };
            let alive = match entry.queue.front() {
                None | Some(Outgoing::Control(_)) => return,
                Some(Outgoing::Eager(_, request)) => self.requests.get(*request).is_some(),
                Some(Outgoing::Parts(_, request)) => self
                    .requests
                    .get(*request)
                    .is_some_and(|r| matches!(r.phase, Phase::Pipelined { .. })),
                Some(Outgoing::Rts(_, request)) => self
                    .requests
                    .get(*request)
                    .is_some_and(|r| matches!(r.phase, Phase::Announced { .. })),
                Some(Outgoing::Stream(request)) => self
                    .requests
                    .get(*request)
                    .is_some_and(|r| matches!(r.phase, Phase::Streaming { .. })),
                Some(Outgoing::Get(_, request)) => self
                    .requests
                    .get(*request)
                    .is_some_and(|r| matches!(r.phase, Phase::Reading { .. })),
            };
            if alive {
                return;
            }
            self.pop(peer);
        }
    }

    /// The lane took what [`Protocol::next_frame`] gave for the peer. For a read that means that it
    /// was started; [`Protocol::get_done`] follows.
    pub fn frame_sent(&mut self, peer: PeerId) {
        let Some(entry) = self.peers.get(peer.index()) else {
            return;
        };
        let max_send = entry.max_send;
        match entry.queue.front() {
            Some(Outgoing::Stream(request)) => {
                let request = *request;
                if self.fragment_sent(request, max_send) {
                    self.pop(peer);
                }
            }
            Some(Outgoing::Parts(_, request)) => {
                let request = *request;
                if self.part_sent(request) {
                    self.pop(peer);
                }
            }
            Some(Outgoing::Eager(_, request)) => {
                let request = *request;
                self.pop(peer);
                self.eager_sent(request);
            }
            Some(_) => self.pop(peer),
            None => {}
        }
    }

    fn pop(&mut self, peer: PeerId) {
        let entry = &mut self.peers[peer.index()];
        entry.queue.pop_front();
        if entry.queue.is_empty() {
            self.ready.retain(|ready| *ready != peer);
        }
    }

    /// A peer is gone: everything that depends on it completes with an error, also the receives
    /// from any source in communicators that it belongs to (it may have been the sender).
    pub fn peer_failed(&mut self, peer: PeerId, why: &str, registrar: &mut dyn Registrar) {
        let Some(entry) = self.peers.get_mut(peer.index()) else {
            return;
        };
        if entry.failed.is_some() {
            return;
        }
        let why: Arc<str> = why.into();
        entry.failed = Some(why.clone());
        entry.reachable = false;
        entry.begun = None;
        self.any_failed = true;
        self.failures += 1;
        entry.queue.clear();
        self.ready.retain(|ready| *ready != peer);
        let mut lost: Vec<Key> = Vec::new();
        for (key, request) in self.requests.iter() {
            if request.depends_on() == Some(peer) {
                lost.push(key);
                if let Phase::Announced { key: Some(key), .. } = request.phase {
                    registrar.deregister(peer, key);
                }
            }
        }
        let comms: Vec<Key> = self.comms.iter().map(|(key, _)| key).collect();
        for comm in comms {
            let Some(matching) = self.comms.get_mut(comm) else {
                continue;
            };
            let Some(rank) = matching.rank_of(peer) else {
                continue;
            };
            lost.extend(matching.take_posted_for(rank));
            lost.extend(matching.take_wild());
            self.drop_if_closed(comm);
        }
        for request in lost {
            self.finish(
                request,
                Err(Failure::PeerFailed {
                    peer,
                    why: why.clone(),
                }),
            );
        }
    }

    /// Forgets a peer that has left and will come back as another instance, with tallies that
    /// begin at 0. What is not complete with it ends with an error; messages that came from it
    /// stay, and so do receives from it.
    pub fn forget_peer(&mut self, peer: PeerId, registrar: &mut dyn Registrar) {
        let Some(entry) = self.peers.get_mut(peer.index()) else {
            return;
        };
        *entry = Peer::default();
        self.ready.retain(|ready| *ready != peer);
        self.any_failed = self.peers.iter().any(|peer| peer.failed.is_some());
        let depends = |(_, request): &(Key, &Request)| request.depends_on() == Some(peer);
        let lost: Vec<Key> = self
            .requests
            .iter()
            .filter(depends)
            .map(|(key, _)| key)
            .collect();
        let why: Arc<str> = "it left before the message was complete".into();
        for request in lost {
            if let Some(Phase::Announced { key: Some(key), .. }) =
                self.requests.get(request).map(|request| &request.phase)
            {
                registrar.deregister(peer, *key);
            }
            let why = why.clone();
            self.finish(request, Err(Failure::PeerFailed { peer, why }));
        }
    }

    pub(crate) fn enqueue_eager(&mut self, peer: PeerId, header: Encoded, request: Key) {
        self.enqueue(peer, Outgoing::Eager(header, request));
    }
}

/// A header, and the first `len` bytes of a buffer.
fn with_prefix<'a>(header: &Encoded, buffer: &'a Buffer, len: usize) -> Frame<'a> {
    Frame::Send {
        header: *header,
        buffer,
        at: 0,
        len,
    }
}
