//! Pipelined eager messages, which are cut into parts.
//!
//! If both sides of a lane copy, a long message arrives earlier when the second copy begins before
//! the first is finished. A lane can request that ([`crate::Limits::cut`]): the first part carries
//! the envelope and the length (LONG), the others follow (MORE), and no other frame of the protocol
//! goes between them on the lane, which keeps the order. So a peer has at most one unfinished
//! message, and MORE needs no identifier. The message is matched when its first part arrives;
//! without a posted receive its parts are collected here.

use base::{Key, PeerId};
use datatype::Buffer;
use memory::Payload;
use pml::{Failure, RequestId};

use crate::driver::{Driver, Violation};
use crate::incoming::Incoming;
use crate::meter::Running;
use crate::peer::{Gathered, Outgoing, Pipelined, Target};
use crate::protocol::Protocol;
use crate::request::{status_of, Phase, Request};
use crate::send::Eager;
use crate::wire::{Encoded, Envelope, LONG_BYTES, MORE_BYTES};

/// Most bytes to allocate for a message before they have arrived.
const ALLOCATED_AHEAD_MAX: u64 = 256 << 10;

impl Eager {
    /// Returns the header of the part that begins at byte `offset` of a message of `total` bytes,
    /// and the length of the part. `sent` is the time, or 0 where the message is not measured.
    #[inline]
    pub fn part(&self, offset: usize, total: usize, sent: u64) -> (Encoded, usize) {
        let header = match offset {
            0 => Encoded::long(&self.header, total as u64, sent),
            _ => Encoded::MORE,
        };
        (header, self.cut.min(total - offset))
    }
}

/// The sender's side.
impl Protocol {
    /// Queues the bytes from `offset` on of a pipelined message that its lane was too busy for.
    #[cold]
    pub fn queue_parts(
        &mut self,
        eager: Eager,
        buffer: Buffer,
        offset: usize,
        sent: u64,
    ) -> RequestId {
        let header = Encoded::long(&eager.header, buffer.len() as u64, sent);
        RequestId::from_key(self.enqueue_parts(eager.peer, header, buffer, offset))
    }

    pub(crate) fn enqueue_parts(
        &mut self,
        peer: PeerId,
        header: Encoded,
        buffer: Buffer,
        offset: usize,
    ) -> Key {
        let phase = Phase::Pipelined { peer, next: offset };
        let request = self.requests.insert(Request::new(phase, buffer));
        self.enqueue(peer, Outgoing::Pipelined(header, request));
        request
    }

    /// Returns the next part to send of a pipelined message: its header, offset and length.
    pub(crate) fn next_part(
        &self,
        request: &Request,
        header: &Encoded,
    ) -> Option<(Encoded, usize, usize)> {
        let Phase::Pipelined { peer, next } = request.phase else {
            return None;
        };
        let part = self.peers.get(peer.index())?.part;
        let header = if next == 0 { *header } else { Encoded::MORE };
        Some((header, next, part.min(request.buffer.len() - next)))
    }

    /// Records that the lane took the next part of a message. True when it was the last.
    pub(crate) fn part_sent(&mut self, request: Key) -> bool {
        let Some(entry) = self.requests.get_mut(request) else {
            return true;
        };
        let Phase::Pipelined { peer, next } = &mut entry.phase else {
            return true;
        };
        let peer = *peer;
        *next += self.peers[peer.index()]
            .part
            .min(entry.buffer.len() - *next);
        if *next < entry.buffer.len() {
            return false;
        }
        self.taken_by_lane(peer, request);
        true
    }
}

/// The receiver's side.
impl Protocol {
    /// Handles LONG, the first part of a message. With the times when it was sent and when it
    /// arrived, the latter 0 where it is not measured.
    pub(crate) fn on_long(
        &mut self,
        from: PeerId,
        envelope: Envelope,
        total: u64,
        first: Payload<'_>,
        (sent, arrived): (u64, u64),
    ) -> Result<(), Violation> {
        let window = self.config.unexpected_limit;
        let received = first.len() as u64;
        let pipelined = self.peers[from.index()].pipelined.is_some();
        if pipelined || received == 0 || received >= total || total > window {
            return Err(Violation::FirstPart {
                bytes: received,
                total,
            });
        }
        if let Some(request) = self.take_receive_in_turn(from, &envelope) {
            self.unpack_first(request, from, envelope, total, first);
            if arrived != 0 {
                self.meter.begin(Running {
                    request,
                    peer: from,
                    announced: false,
                    bytes: total as usize,
                    sent,
                    arrived,
                    unmeasured: std::mem::take(&mut self.peers[from.index()].unmeasured),
                });
            }
            self.begin_pipelined(from, total, received, Target::Receive(request));
            return Ok(());
        }
        let bytes = self
            .buffer_cache
            .copy(first, total.min(ALLOCATED_AHEAD_MAX) as usize);
        let key = self.gathered.insert(Gathered { bytes });
        self.begin_pipelined(from, total, received, Target::Gathered(key));
        let matched = self.match_up(from, envelope, Incoming::Pipelined { key, total });
        if matched.is_err() {
            self.peers[from.index()].pipelined = None;
            self.gathered.remove(key);
        }
        matched
    }

    fn begin_pipelined(&mut self, from: PeerId, total: u64, received: u64, target: Target) {
        self.peers[from.index()].pipelined = Some(Pipelined {
            total,
            received,
            target,
        });
    }

    /// Takes the receive for a message that is its sender's next.
    fn take_receive_in_turn(&mut self, from: PeerId, envelope: &Envelope) -> Option<Key> {
        let comm = self.comm_of(envelope.context)?;
        self.comms.get_mut(comm)?.take_in_turn(from, envelope)
    }

    /// Unpacks the first bytes of a message into the buffer of its receive.
    fn unpack_first(
        &mut self,
        request: Key,
        from: PeerId,
        envelope: Envelope,
        total: u64,
        bytes: Payload,
    ) {
        let Some(entry) = self.requests.get_mut(request) else {
            return;
        };
        let fits = bytes.len().min(entry.buffer.len());
        entry.buffer.unpack(0, bytes.part(0, fits));
        // The length of the message decides about truncation once all of it has arrived.
        entry.status = status_of(envelope, total);
        entry.phase = Phase::Gathering { peer: from };
        self.note_partial(request, from, envelope);
    }

    /// Handles MORE, the next part of the message that the peer is sending.
    pub(crate) fn on_more(
        &mut self,
        from: PeerId,
        part: Payload<'_>,
        driver: &mut dyn Driver,
    ) -> Result<(), Violation> {
        let pipelined = self.peers[from.index()].pipelined.as_mut();
        let len = part.len() as u64;
        let left = pipelined
            .as_ref()
            .map_or(0, |message| message.total - message.received);
        let Some(pipelined) = pipelined.filter(|_| len != 0 && len <= left) else {
            return Err(Violation::Excess { bytes: len, left });
        };
        let offset = pipelined.received as usize;
        pipelined.received += len;
        let is_last = pipelined.received == pipelined.total;
        let (total, target) = (pipelined.total, pipelined.target);
        if is_last {
            self.peers[from.index()].pipelined = None;
        }
        match target {
            Target::Receive(request) => {
                if let Some(entry) = self.requests.get_mut(request) {
                    let room = entry.buffer.len().saturating_sub(offset);
                    let fits = part.len().min(room);
                    if fits != 0 {
                        entry.buffer.unpack(offset, part.part(0, fits));
                    }
                }
                if is_last {
                    self.consumed(from, total as usize);
                    self.end_measurement(request, driver);
                    self.received_all(request);
                }
            }
            Target::Gathered(key) => {
                if let Some(gathered) = self.gathered.get_mut(key) {
                    part.append_to(&mut gathered.bytes);
                }
            }
        }
        Ok(())
    }

    /// Gives a receive the gathered bytes of the message that it matched; the others follow as they
    /// arrive.
    pub(crate) fn take_gathered(
        &mut self,
        request: Key,
        from: PeerId,
        envelope: Envelope,
        total: u64,
        key: Key,
    ) {
        let Some(gathered) = self.gathered.remove(key) else {
            return;
        };
        let bytes = Payload::from(&gathered.bytes[..]);
        self.unpack_first(request, from, envelope, total, bytes);
        let received = gathered.bytes.len() as u64;
        self.buffer_cache.put_back(gathered.bytes);
        if received == total {
            self.consumed(from, total as usize);
            return self.received_all(request);
        }
        let peer = &mut self.peers[from.index()];
        match &mut peer.pipelined {
            Some(pipelined) if pipelined.target == Target::Gathered(key) => {
                pipelined.target = Target::Receive(request);
            }
            _ => {
                // Its sender is gone, and the other parts with it.
                let why = peer.failed.clone();
                let why = why.unwrap_or_else(|| "it left before the message was complete".into());
                self.finish(request, Err(Failure::PeerFailed { peer: from, why }));
            }
        }
    }
}

impl Encoded {
    /// The header of every part but the first.
    pub(crate) const MORE: Encoded = Encoded::more();

    /// Returns the header of the first part of a message, made of its eager header.
    #[inline]
    fn long(eager: &[u8], total: u64, sent: u64) -> Encoded {
        let mut header = Encoded::of(eager);
        header.make_long(total, sent);
        header
    }
}

const _: () = assert!(MORE_BYTES < LONG_BYTES);
