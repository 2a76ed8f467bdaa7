//! The send side: queue, ring and blocks of one peer.

use std::sync::atomic::Ordering;

use base::{AmTag, Clock, PeerId};
use btl::{Alias, Flow};
use memory::{Slot, Stores, UserBuf};
use sync::fifo;

use crate::address::Address;
use crate::bell::{Pipes, Ringer};
use crate::blocks::{self, Block, Blocks};
use crate::carried::{Carried, RING};
use crate::inbox::Inbox;
use crate::outlet::{Outlet, Sizes};
use crate::segment::{View, CELL_HEAD_BYTES, CELL_PAYLOAD_BYTES, CLOSED};
use crate::smsc::Links;

/// The path to one peer: its segment, and the state of sending into it.
pub(crate) struct Path {
    pub(crate) view: View,
    pub(crate) ringer: Ringer,
    pub(crate) pid: u32,
    /// Whether this process decides what carries long messages that go both ways: exactly one side
    /// does.
    pub(crate) leads: bool,
    peer: PeerId,
    /// Whether it was not started together with this process.
    pub(crate) is_foreign: bool,
    /// The alias by which the peer knows this process.
    known_as: Alias,
    /// The single-copy links to the peer's memory.
    pub(crate) links: Links,
    channel: Channel,
    /// The choice of the mechanism for long messages.
    pub(crate) carried: Carried,
    /// Blocks shared with the peer, once there is a ring in both directions.
    pub(crate) blocks: Option<Box<Blocks>>,
    /// The rest of a message that did not fit the queue; nothing else is sent before it.
    backlog: Option<Box<Backlog>>,
}

/// Limits that decide when a peer gets a ring and when blocks are used.
pub(crate) struct Limits {
    /// Messages through the queue before there is a ring.
    pub(crate) ring_threshold: u64,
    /// Lengths of rings.
    pub(crate) sizes: Sizes,
    /// Bytes of a message from which on it lies in a block, and from which on where both sides
    /// send in turn.
    pub(crate) block_min: usize,
    pub(crate) block_turn_min: usize,
}

/// The channel to a peer. It changes once, from the queue to a ring.
enum Channel {
    Queue {
        /// Messages sent.
        sent: u64,
        /// Whether to ask for a ring: not again after a refusal.
        may_claim: bool,
    },
    /// Boxed, because most peers never get one.
    Ring(Box<Outlet>),
}

struct Backlog {
    tag: AmTag,
    bytes: Vec<u8>,
    sent: usize,
}

/// A message without its header: user memory, or what a callback packs.
pub(crate) enum Body<'a> {
    User(UserBuf),
    Packed(usize, &'a mut dyn FnMut(&mut Slot<'_>)),
}

impl Body<'_> {
    #[inline]
    pub(crate) fn len(&self) -> usize {
        match self {
            Body::User(payload) => payload.len(),
            Body::Packed(len, _) => *len,
        }
    }

    /// Bytes that are contiguous in memory; 0 where the payload is packed.
    #[inline]
    fn contiguous_len(&self) -> usize {
        match self {
            Body::User(payload) => payload.len(),
            Body::Packed(..) => 0,
        }
    }

    /// Writes body and header to `address`; contiguous bodies by `stores`. The header comes last:
    /// it lies in the line that the reader polls, and takes over as soon as it is touched.
    ///
    /// # Safety
    /// There is room for both at `address`.
    #[inline]
    unsafe fn write(self, address: *mut u8, header: &[u8], stores: Stores) {
        let len = self.len();
        match self {
            Body::User(payload) => {
                // SAFETY: promised by the caller.
                let mut slot = unsafe { Slot::new(address, header.len() + len) };
                slot.write_user_by(stores, header.len(), payload);
                slot.write(0, header);
            }
            Body::Packed(_, pack) => {
                // SAFETY: promised by the caller.
                let mut rest = unsafe { Slot::new(address.add(header.len()), len) };
                pack(&mut rest);
                // SAFETY: promised by the caller; the parts do not overlap.
                let mut head = unsafe { Slot::new(address, header.len()) };
                head.write(0, header);
            }
        }
    }
}

impl Path {
    pub(crate) fn new(
        (peer, known_as): (PeerId, Alias),
        view: View,
        address: &Address,
        links: Links,
        unreached: bool,
        pipes: Pipes,
    ) -> Path {
        let reach = (address.pid, address.bell_fd);
        let ringer = Ringer::new(&view, reach, unreached, pipes);
        let may_claim = view.layout.rings > 0;
        let channel = Channel::Queue { sent: 0, may_claim };
        Path {
            view,
            ringer,
            pid: address.pid,
            leads: std::process::id() < address.pid,
            peer,
            is_foreign: false,
            known_as,
            links,
            channel,
            carried: Carried::default(),
            blocks: None,
            backlog: None,
        }
    }

    /// Sends a message that fits a line, where the ring has one free. False when nothing was sent.
    #[inline]
    pub(crate) fn send_line(&mut self, tag: AmTag, header: &[u8], payload: UserBuf) -> bool {
        let Channel::Ring(outlet) = &mut self.channel else {
            return false;
        };
        let len = header.len() + payload.len();
        let room = outlet.writer.reserve_line(len);
        let (Some(room), true) = (room, self.view.state().load(Ordering::Relaxed) != CLOSED) else {
            return false;
        };
        // SAFETY: the ring reserved room for `len` bytes, and it is ours until `publish`.
        let mut slot = unsafe { Slot::new(room.address, len) };
        slot.write(0, header);
        slot.write_user(header.len(), payload);
        outlet.writer.publish(room, u16::from(tag.0));
        self.ringer.ring(&self.view);
        true
    }

    /// Wakes the peer if it sleeps, for a message that will take a while to be written.
    #[inline]
    pub(crate) fn ring_ahead(&mut self) {
        self.ringer.ring_ahead(&self.view);
    }

    #[inline]
    pub(crate) fn send(
        &mut self,
        inbox: &Inbox,
        tag: AmTag,
        header: &[u8],
        body: Body<'_>,
        limits: &Limits,
    ) -> Flow {
        let Channel::Ring(outlet) = &mut self.channel else {
            return self.send_queued(inbox, tag, header, body, limits);
        };
        let len = header.len() + body.len();
        let room = outlet.reserve(&self.view, &limits.sizes, (header.len(), len));
        let Some(mut room) = room else {
            return Flow::Busy;
        };
        if outlet.writer.may_turn(&room) {
            outlet.turn(&mut room, inbox.received_from(self.peer));
        }
        outlet.choice.copy(body.contiguous_len(), |stores| {
            // SAFETY: the ring reserved room for `len` bytes, and it is ours until `publish`.
            unsafe { body.write(room.address, header, stores) }
        });
        outlet.writer.publish(room, u16::from(tag.0));
        self.ringer.ring(&self.view);
        Flow::Sent
    }

    #[cold]
    fn send_queued(
        &mut self,
        inbox: &Inbox,
        tag: AmTag,
        header: &[u8],
        body: Body<'_>,
        limits: &Limits,
    ) -> Flow {
        if !self.push_backlog() {
            return Flow::Busy;
        }
        let len = header.len() + body.len();
        let Channel::Queue { sent, may_claim } = &mut self.channel else {
            unreachable!()
        };
        if *may_claim && (*sent >= limits.ring_threshold || len > CELL_PAYLOAD_BYTES) {
            *may_claim = false;
            let sent = *sent;
            if let Some(outlet) = Outlet::claim(&self.view, self.known_as, sent, &limits.sizes) {
                self.channel = Channel::Ring(Box::new(outlet));
                return self.send(inbox, tag, header, body, limits);
            }
        }
        self.send_in_cells(tag, header, body, len)
    }

    fn send_in_cells(&mut self, tag: AmTag, header: &[u8], body: Body<'_>, len: usize) -> Flow {
        let me = self.known_as;
        let Channel::Queue { sent, .. } = &mut self.channel else {
            unreachable!()
        };
        if len <= CELL_PAYLOAD_BYTES {
            let Some(claim) = fifo::claim(&self.view, me.bits()) else {
                return Flow::Busy;
            };
            write_cell_head(&claim, me, tag, len, false);
            // SAFETY: the cell is ours until it is published, and `len` fits its payload.
            unsafe { body.write(claim.bytes.add(CELL_HEAD_BYTES), header, Stores::Cached) };
            fifo::publish(&self.view, claim);
        } else {
            let mut bytes = vec![0; len];
            // SAFETY: the vector has room for header and body.
            unsafe { body.write(bytes.as_mut_ptr(), header, Stores::Cached) };
            self.backlog = Some(Box::new(Backlog {
                tag,
                bytes,
                sent: 0,
            }));
        }
        *sent += 1;
        self.push_backlog();
        self.ringer.ring(&self.view);
        Flow::Sent
    }

    /// Whether a message of `len` bytes is to lie in a block, if there is one.
    #[inline]
    pub(crate) fn lends(&self, len: usize, limits: &Limits) -> bool {
        let take_turns = || {
            self.blocks
                .as_ref()
                .is_none_or(|blocks| blocks.take_turns())
        };
        len >= limits.block_min || len >= limits.block_turn_min && take_turns()
    }

    /// Sends a message in a block. `Err` returns the message that is to go through the ring.
    ///
    /// Where all blocks are the peer's and a record of it is unread here, returns busy: most likely
    /// that record brings a block, and both directions stay out of the rings. One-sided messages do
    /// not wait so: only one of their directions has the data.
    pub(crate) fn send_lent<'a>(
        &mut self,
        own: &View,
        inbox: &mut Inbox,
        tag: AmTag,
        header: &[u8],
        body: Body<'a>,
    ) -> Result<Flow, Body<'a>> {
        let peer = self.peer;
        self.share_blocks(own, || inbox.row_of(peer));
        let (Some(blocks), Channel::Ring(outlet)) = (&mut self.blocks, &mut self.channel) else {
            return Err(body);
        };
        let len = body.len();
        if !blocks.fits(header.len(), len) {
            return Err(body);
        }
        let Some(block) = blocks.take() else {
            return match tag.is_two_sided() && inbox.has_record(peer) {
                true => Ok(Flow::Busy),
                false => Err(body),
            };
        };
        let note_bytes = Block::note_bytes(header);
        let Some(room) = outlet.writer.reserve(note_bytes) else {
            blocks.put_back(block);
            return Ok(Flow::Busy);
        };
        // SAFETY: what `fits` has room in the block, which is ours until its note is published.
        unsafe { body.write(block.address, &[], Stores::Cached) };
        // SAFETY: the ring reserved room for the note.
        let mut note = unsafe { Slot::new(room.address, note_bytes) };
        block.write_note(&mut note, header, len);
        outlet.writer.publish(room, blocks::LENT | u16::from(tag.0));
        self.ringer.ring(&self.view);
        Ok(Flow::Sent)
    }

    /// Sets up the blocks shared with the peer, unless done, once there is a ring in both
    /// directions; `row` returns the row of the peer's ring in the own segment.
    #[inline]
    pub(crate) fn share_blocks(&mut self, own: &View, row: impl FnOnce() -> Option<u32>) {
        if self.blocks.is_some() {
            return;
        }
        if let (Channel::Ring(outlet), Some(row)) = (&self.channel, row()) {
            self.blocks = Blocks::new(own, row, &self.view, outlet.index).map(Box::new);
        }
    }

    /// Leaves the ring at the peer, where there is one: the peer is removed.
    pub(crate) fn leave(&self) {
        if let Channel::Ring(outlet) = &self.channel {
            outlet.leave(&self.view);
        }
    }

    /// Returns the mechanism of the next message of a size class, which is sent now: as the peer
    /// wishes, or as this side does where it leads.
    pub(crate) fn follow(&mut self, class: usize, bytes: usize) -> usize {
        if let (Some(both), false) = (&mut self.carried.both, self.links.is_empty()) {
            if let Some(mechanism) = both.send(class, bytes, || shm::clock::Shared.now().0) {
                return mechanism;
            }
        }
        let Some(index) = self.ring_index() else {
            return RING;
        };
        let word = self.view.ring_wish(index, class).load(Ordering::Relaxed);
        self.carried.follow(class, word)
    }

    /// Returns the number of the ring, where there is one.
    pub(crate) fn ring_index(&self) -> Option<u32> {
        match &self.channel {
            Channel::Ring(outlet) => Some(outlet.index),
            Channel::Queue { .. } => None,
        }
    }

    /// The ring, where there is one.
    #[cfg(test)]
    pub(crate) fn outlet(&self) -> Option<&Outlet> {
        match &self.channel {
            Channel::Ring(outlet) => Some(outlet),
            Channel::Queue { .. } => None,
        }
    }

    /// Puts a record into the ring, whatever it says.
    #[cfg(test)]
    pub(crate) fn publish(&mut self, mark: sync::ring::Mark, bytes: &[u8]) {
        let Channel::Ring(outlet) = &mut self.channel else {
            panic!("no ring");
        };
        let room = outlet.writer.reserve(bytes.len()).expect("room");
        // SAFETY: the ring reserved room for `bytes.len()` bytes.
        let mut slot = unsafe { Slot::new(room.address, bytes.len()) };
        slot.write(0, bytes);
        outlet.writer.publish(room, mark);
    }

    /// Moves the backlog into the queue as far as there is room. True when the backlog is empty.
    pub(crate) fn push_backlog(&mut self) -> bool {
        self.push_cells();
        self.backlog.is_none()
    }

    /// Moves the backlog into the queue as far as there is room; returns how many cells it filled.
    pub(crate) fn push_cells(&mut self) -> usize {
        let me = self.known_as;
        let Some(backlog) = &mut self.backlog else {
            return 0;
        };
        let mut filled = 0;
        while backlog.sent < backlog.bytes.len() {
            let Some(claim) = fifo::claim(&self.view, me.bits()) else {
                break;
            };
            let rest = &backlog.bytes[backlog.sent..];
            let part = &rest[..rest.len().min(CELL_PAYLOAD_BYTES)];
            write_cell_head(&claim, me, backlog.tag, part.len(), part.len() < rest.len());
            // SAFETY: the cell is ours until it is published, and `part` fits its payload.
            let mut slot =
                unsafe { Slot::new(claim.bytes.add(CELL_HEAD_BYTES), CELL_PAYLOAD_BYTES) };
            slot.write(0, part);
            fifo::publish(&self.view, claim);
            backlog.sent += part.len();
            filled += 1;
        }
        self.ringer.ring(&self.view);
        if backlog.sent == backlog.bytes.len() {
            self.backlog = None;
        }
        filled
    }

    pub(crate) fn has_backlog(&self) -> bool {
        self.backlog.is_some()
    }
}

fn write_cell_head(claim: &fifo::Claim, me: Alias, tag: AmTag, len: usize, more: bool) {
    // SAFETY: a claimed cell is ours until it is published; its head follows the turn.
    let mut head = unsafe { Slot::new(claim.bytes, CELL_HEAD_BYTES) };
    head.write(8, &me.bits().to_le_bytes());
    head.write(12, &(len as u16).to_le_bytes());
    head.write(14, &[tag.0, u8::from(more)]);
}
