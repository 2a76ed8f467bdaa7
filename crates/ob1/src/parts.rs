//! Eager messages in parts.
//!
//! Where both sides of a lane copy, a long message is through sooner when the second copy begins
//! before the first has ended. A lane can ask for that ([`crate::Lane::cut`]): the first part goes
//! with the envelope and the length (LONG), the others follow it (MORE), and nothing else of the
//! PML goes between them on the lane, which keeps the order. So a peer has at most one message
//! begun, and MORE needs no name. It is matched when its first part comes; where no receive waits,
//! what comes of it gathers here.

use base::{Key, PeerId};
use datatype::Buffer;
use memory::Payload;
use pml::{Failure, RequestId};

use crate::recv::{received, Incoming};
use crate::request::{Phase, Request};
use crate::send::Eager;
use crate::wire::{Encoded, Envelope, LONG_BYTES, MORE_BYTES};
use crate::{Outgoing, Protocol, Violation};

/// An incoming message of a peer that is not complete yet.
pub(crate) struct Begun {
    total: u64,
    here: u64,
    target: Target,
}

/// Where a message that is coming in goes to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Target {
    /// Its receive.
    Receive(Key),
    /// The bytes gathered under this key.
    Gathered(Key),
}

/// The bytes received so far of a pipelined message that is unexpected.
pub(crate) struct Gathered {
    bytes: Vec<u8>,
}

/// Most bytes to make room for before they are here.
const ROOM_AHEAD: u64 = 256 << 10;

impl Eager {
    /// The header of the part that begins at byte `at` of a message of `total` bytes, and how long
    /// the part is.
    #[inline]
    pub fn part(&self, at: usize, total: usize) -> (Encoded, usize) {
        let header = match at {
            0 => Encoded::long(&self.header, total as u64),
            _ => Encoded::MORE,
        };
        (header, self.cut.min(total - at))
    }
}

impl Protocol {
    /// Takes back a message that is cut when its lane was too busy for what is left from byte `at`
    /// on, to be sent later.
    #[cold]
    pub fn queue_parts(&mut self, eager: Eager, buffer: Buffer, at: usize) -> RequestId {
        let header = Encoded::long(&eager.header, buffer.len() as u64);
        RequestId::from_key(self.enqueue_parts(eager.peer, header, buffer, at))
    }

    pub(crate) fn enqueue_parts(
        &mut self,
        peer: PeerId,
        header: Encoded,
        buffer: Buffer,
        at: usize,
    ) -> Key {
        let phase = Phase::Pipelined { peer, next: at };
        let request = self.requests.insert(Request::new(phase, buffer));
        self.enqueue(peer, Outgoing::Parts(header, request));
        request
    }

    /// Returns the next part to send of a pipelined message: the header, the first byte, the
    /// length.
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

    /// Records that the lane took a message's next part. True when it was the last.
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
        self.taken(peer, request);
        true
    }

    /// LONG: the first part of a message.
    pub(crate) fn begun(
        &mut self,
        from: PeerId,
        envelope: Envelope,
        total: u64,
        first: Payload<'_>,
    ) -> Result<(), Violation> {
        let window = self.config.unexpected_limit;
        let peer = &self.peers[from.index()];
        let here = first.len() as u64;
        if peer.begun.is_some() || here == 0 || here >= total || total > window {
            return Err(Violation {
                what: "the beginning of a message that cannot be one",
            });
        }
        if let Some(request) = self.receive_in_turn(from, &envelope) {
            self.give(request, from, envelope, total, first);
            let target = Target::Receive(request);
            self.begin(from, total, here, target);
            return Ok(());
        }
        let bytes = self.spare.copy(first, total.min(ROOM_AHEAD) as usize);
        let key = self.gathered.insert(Gathered { bytes });
        self.begin(from, total, here, Target::Gathered(key));
        let matched = self.match_up(from, envelope, Incoming::Parts { key, total });
        if matched.is_err() {
            self.peers[from.index()].begun = None;
            self.gathered.remove(key);
        }
        matched
    }

    fn begin(&mut self, from: PeerId, total: u64, here: u64, target: Target) {
        self.peers[from.index()].begun = Some(Begun {
            total,
            here,
            target,
        });
    }

    /// Takes the receive for a message that is its sender's next.
    fn receive_in_turn(&mut self, from: PeerId, envelope: &Envelope) -> Option<Key> {
        let comm = self.comm_of(envelope.context)?;
        self.comms.get_mut(comm)?.take_in_turn(from, envelope)
    }

    /// Gives a receive the first bytes of its message.
    fn give(&mut self, request: Key, from: PeerId, envelope: Envelope, total: u64, bytes: Payload) {
        let Some(entry) = self.requests.get_mut(request) else {
            return;
        };
        let fits = bytes.len().min(entry.buffer.len());
        entry.buffer.unpack(0, bytes.part(0, fits));
        // The length of the message decides about truncation when all of it is here.
        entry.status = received(envelope, total);
        entry.phase = Phase::Gathering { peer: from };
    }

    /// MORE: the next part of what the peer began.
    pub(crate) fn more(&mut self, from: PeerId, part: Payload<'_>) -> Result<(), Violation> {
        let begun = self.peers[from.index()].begun.as_mut();
        let len = part.len() as u64;
        let Some(begun) = begun.filter(|begun| len != 0 && len <= begun.total - begun.here) else {
            return Err(Violation {
                what: "more of a message than it announced",
            });
        };
        let at = begun.here as usize;
        begun.here += len;
        let last = begun.here == begun.total;
        let (total, target) = (begun.total, begun.target);
        if last {
            self.peers[from.index()].begun = None;
        }
        match target {
            Target::Receive(request) => {
                if let Some(entry) = self.requests.get_mut(request) {
                    let room = entry.buffer.len().saturating_sub(at);
                    let fits = part.len().min(room);
                    if fits != 0 {
                        entry.buffer.unpack(at, part.part(0, fits));
                    }
                }
                if last {
                    self.consumed(from, total as usize);
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

    /// A receive has met a message that gathers: it gets what is here, and the rest as it comes.
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
        self.give(request, from, envelope, total, bytes);
        let here = gathered.bytes.len() as u64;
        self.spare.give(gathered.bytes);
        if here == total {
            self.consumed(from, total as usize);
            return self.received_all(request);
        }
        let peer = &mut self.peers[from.index()];
        match &mut peer.begun {
            Some(begun) if begun.target == Target::Gathered(key) => {
                begun.target = Target::Receive(request);
            }
            _ => {
                // Its sender is gone, and the rest with it.
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

    /// The header of the first part of a message, made of its eager header.
    #[inline]
    fn long(eager: &[u8], total: u64) -> Encoded {
        let mut header = Encoded::of(eager);
        header.make_long(total);
        header
    }
}

const _: () = assert!(MORE_BYTES < LONG_BYTES);
