//! Queues of frames, one for each peer, which the driver drains.

use base::{Key, PeerId};
use datatype::Buffer;
use pml::RequestId;

use crate::driver::Frame;
use crate::peer::Outgoing;
use crate::protocol::Protocol;
use crate::request::Phase;
use crate::wire::{Encoded, Header};

impl Protocol {
    /// Puts an entry at the end of a peer's queue. What is for a failed peer is dropped: its
    /// requests have ended.
    pub(crate) fn enqueue(&mut self, peer: PeerId, outgoing: Outgoing) {
        let Some(entry) = self.peers.get_mut(peer.index()) else {
            return;
        };
        if entry.failed.is_some() || entry.suspended {
            return;
        }
        if entry.queue.is_empty() {
            self.ready.push_back(peer);
        }
        entry.queue.push_back(outgoing);
    }

    /// Queues a control message for a peer.
    pub(crate) fn enqueue_control(&mut self, peer: PeerId, header: Header) {
        self.enqueue(peer, Outgoing::Control(header.encode()));
    }

    /// Counts an eager message as consumed, and reports that to its sender now and then.
    #[inline]
    pub(crate) fn consumed(&mut self, peer: PeerId, len: usize) {
        let entry = &mut self.peers[peer.index()];
        if entry.consume(len, self.config.unexpected_limit) {
            self.report_credit(peer);
        }
    }

    #[cold]
    fn report_credit(&mut self, peer: PeerId) {
        let consumed = self.peers[peer.index()].report();
        self.enqueue_control(peer, Header::Credit { consumed });
    }

    /// Returns whether anything is queued for any peer.
    #[inline]
    pub fn has_frames(&self) -> bool {
        !self.ready.is_empty()
    }

    /// Returns the peer at a position among those that something is queued for.
    pub fn ready_peer(&self, position: usize) -> Option<PeerId> {
        self.ready.get(position).copied()
    }

    /// Returns how many entries are queued for a peer.
    pub fn queued(&self, peer: PeerId) -> usize {
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
            Outgoing::Pipelined(header, request) => {
                let request = self.requests.get(*request)?;
                let (header, offset, len) = self.next_part(request, header)?;
                let buffer = &request.buffer;
                Some(Frame::Send {
                    header,
                    buffer,
                    offset,
                    len,
                })
            }
            Outgoing::Rts(header, request) => {
                let request = self.requests.get(*request)?;
                let Phase::Rendezvous { prefix, .. } = request.phase else {
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
                    offset: next,
                    len,
                })
            }
            Outgoing::Get(key, request) => {
                let entry = self.requests.get(*request)?;
                let Phase::Reading { prefix, total, .. } = entry.phase else {
                    return None;
                };
                let room = entry.buffer.contiguous()?;
                let (begin, end) = (prefix as usize, room.len().min(total as usize));
                Some(Frame::Get {
                    local: room.part(begin, end - begin),
                    key: *key,
                    offset: prefix,
                    request: RequestId::from_key(*request),
                })
            }
        }
    }

    /// Removes entries of requests that have ended from the front of a peer's queue.
    fn drop_stale(&mut self, peer: PeerId) {
        loop {
            let Some(entry) = self.peers.get(peer.index()) else {
                return;
            };
            let phase = |request: &Key| self.requests.get(*request).map(|entry| entry.phase);
            let is_current = match entry.queue.front() {
                None | Some(Outgoing::Control(_)) => true,
                Some(Outgoing::Eager(_, request)) => phase(request).is_some(),
                Some(Outgoing::Pipelined(_, request)) => {
                    matches!(phase(request), Some(Phase::Pipelined { .. }))
                }
                Some(Outgoing::Rts(_, request)) => {
                    matches!(phase(request), Some(Phase::Rendezvous { .. }))
                }
                Some(Outgoing::Stream(request)) => {
                    matches!(phase(request), Some(Phase::Streaming { .. }))
                }
                Some(Outgoing::Get(_, request)) => {
                    matches!(phase(request), Some(Phase::Reading { .. }))
                }
            };
            if is_current {
                return;
            }
            self.pop(peer);
        }
    }

    /// Notes that the lane took what [`Protocol::next_frame`] returned for the peer. A read was
    /// started then; [`Protocol::get_done`] follows.
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
            Some(Outgoing::Pipelined(_, request)) => {
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
}

/// Returns a frame of a header and the first `len` bytes of a buffer.
fn with_prefix<'a>(header: &Encoded, buffer: &'a Buffer, len: usize) -> Frame<'a> {
    Frame::Send {
        header: *header,
        buffer,
        offset: 0,
        len,
    }
}
