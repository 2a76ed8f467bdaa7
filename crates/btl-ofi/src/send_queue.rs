//! Sending messages: flow control, the forms in which a message goes, and what waits for the
//! provider.
//!
//! | message | goes |
//! |---|---|
//! | that the provider copies at once | from the caller's memory, with its header as a note |
//! | a little longer | in pieces ([`crate::pieces`]) |
//! | any other | from a slot, where it can wait |
//!
//! A peer may be sent as many messages as it has given credit for. If the provider has no room, an
//! accepted message waits in its slot, and the peer's next one is refused until it has gone.

use std::collections::VecDeque;

use base::{AmTag, PeerId};
use btl::{Error, Flow};
use memory::{Slot, UserBuf};
use ofi::{flags, Posted};

use crate::buffers::{self, Buffers};
use crate::device::OpenDevice;
use crate::op::Op;
use crate::peer::{Peer, QueuedMessage};
use crate::peers::PeerTable;
use crate::pieces::{MessagePieces, PIECES_MAX};
use crate::wire::{Header, Kind, HEADER_BYTES};

/// The forms that messages may take, by their lengths in bytes.
#[derive(Clone, Copy)]
pub(crate) struct SendLimits {
    /// The longest message; 0 where there are none.
    pub(crate) message_max: usize,
    /// The longest message that the provider copies at once.
    pub(crate) inject_max: usize,
    /// The longest message with a note that it copies at once from the caller's memory.
    pub(crate) short_max: Option<usize>,
    /// The longest piece, where messages that are longer go in pieces.
    pub(crate) piece_max: Option<usize>,
    /// Whether headers travel beside messages, not in front of them.
    pub(crate) notes: bool,
}

/// The sends of a transport.
pub(crate) struct SendQueue {
    me: PeerId,
    epoch: u32,
    limits: SendLimits,
    slots: Buffers,
    /// Peers with a message that the provider has refused for now.
    stuck: VecDeque<PeerId>,
    /// Peers that wait for credit.
    debtors: Vec<PeerId>,
}

impl SendQueue {
    /// Creates the queue of process `me`, whose messages bear `epoch`; up to `slots_max` of them
    /// are in flight.
    pub(crate) fn new(me: PeerId, epoch: u32, limits: SendLimits, slots_max: usize) -> SendQueue {
        SendQueue {
            me,
            epoch,
            limits,
            slots: Buffers::new(HEADER_BYTES + limits.message_max, slots_max),
            stuck: VecDeque::new(),
            debtors: Vec::new(),
        }
    }

    pub(crate) fn limits(&self) -> &SendLimits {
        &self.limits
    }

    /// Whether every slot is free.
    pub(crate) fn is_idle(&self) -> bool {
        self.slots.is_idle()
    }

    /// Whether messages or credit wait for the provider.
    pub(crate) fn has_pending(&self) -> bool {
        !self.stuck.is_empty() || !self.debtors.is_empty()
    }

    /// Frees the slot of a message that the provider is done with.
    #[inline]
    pub(crate) fn free(&mut self, slot: buffers::Slot) {
        self.slots.release(slot);
    }

    /// Sends `header` and `payload`: from the caller's memory if the provider copies them at once,
    /// in pieces where that is faster, from a slot otherwise.
    #[inline]
    pub(crate) fn send(
        &mut self,
        device: &mut OpenDevice,
        peers: &mut PeerTable,
        peer: PeerId,
        tag: AmTag,
        header: &[u8],
        payload: UserBuf,
    ) -> Result<Flow, Error> {
        let total = header.len().saturating_add(payload.len());
        if self.limits.short_max.is_some_and(|most| total <= most) {
            if !self.may_go(peers, peer, total)? {
                return Ok(Flow::Busy);
            }
            let flow = self.send_short(device, peers, peer, tag, header, payload)?;
            if flow == Flow::Sent {
                return Ok(Flow::Sent);
            }
        } else if self.limits.piece_max.is_some_and(|most| total > most) {
            if !self.may_go(peers, peer, total)? {
                return Ok(Flow::Busy);
            }
            if let Some(flow) = self.send_in_pieces(device, peers, peer, tag, header, payload)? {
                return Ok(flow);
            }
        }
        let fill = |slot: &mut Slot<'_>| slot.write_user(0, payload);
        self.send_packed(device, peers, peer, tag, header, payload.len(), fill)
    }

    /// Sends `header` and `len` bytes that `fill` writes.
    pub(crate) fn send_packed(
        &mut self,
        device: &mut OpenDevice,
        peers: &mut PeerTable,
        peer: PeerId,
        tag: AmTag,
        header: &[u8],
        len: usize,
        mut fill: impl FnMut(&mut Slot<'_>),
    ) -> Result<Flow, Error> {
        if !self.may_go(peers, peer, header.len().saturating_add(len))? {
            return Ok(Flow::Busy);
        }
        let Some(slot) = self.slots.take(device.registrar(0))? else {
            return Ok(Flow::Busy);
        };
        let buffer = self.slots.memory(slot);
        let body = HEADER_BYTES + header.len();
        buffer.write(HEADER_BYTES, header);
        // SAFETY: the slot is this send's own until its completion, and `body + len` bytes lie
        // inside (`part` checks); nobody else touches it while it is filled.
        let mut room = unsafe { Slot::new(buffer.part(body, len).address(), len) };
        fill(&mut room);
        self.send_slot(device, peers, (peer, tag), slot, header.len() + len, false)?;
        Ok(Flow::Sent)
    }

    /// Whether a message of `total` bytes may go to a peer now: there is credit for it, and no
    /// earlier one waits.
    #[inline]
    fn may_go(&self, peers: &mut PeerTable, peer: PeerId, total: usize) -> Result<bool, Error> {
        let limit = self.limits.message_max;
        let known = peers.reachable(peer)?;
        if limit == 0 {
            return Err(Error::Unsupported {
                peer,
                what: "message",
            });
        }
        if total > limit {
            let len = total;
            return Err(Error::TooLarge { peer, len, limit });
        }
        Ok(known.credit() > 0 && !known.has_unsent())
    }

    /// Posts a message that the provider copies at once.
    fn send_short(
        &mut self,
        device: &mut OpenDevice,
        peers: &mut PeerTable,
        peer: PeerId,
        tag: AmTag,
        header: &[u8],
        payload: UserBuf,
    ) -> Result<Flow, Error> {
        // SAFETY: the header is there during the call, which only reads it and keeps nothing of
        // it (`INJECT`).
        let head = unsafe { UserBuf::new(header.as_ptr().cast_mut(), header.len()) };
        let runs = match header.is_empty() {
            true => [payload, UserBuf::EMPTY],
            false => [head, payload],
        };
        self.inject(device, peers, (peer, tag), runs, false)
    }

    /// Posts a message of two runs of memory that the provider copies at once; `more`: whether the
    /// message continues in the next.
    #[inline]
    fn inject(
        &mut self,
        device: &mut OpenDevice,
        peers: &mut PeerTable,
        (peer, tag): (PeerId, AmTag),
        runs: [UserBuf; 2],
        more: bool,
    ) -> Result<Flow, Error> {
        let known = peers.reachable(peer)?;
        let owed = known.incoming.owed();
        let header = known.header(self.me, self.epoch, tag, Kind::Message, true);
        let note = Header { more, ..header }.note();
        let (to, token) = (known.address, Op::Short { peer }.token());
        let context = device.first();
        match context.send_pieces(to, runs, None, Some(note), flags::INJECT, token) {
            Ok(Posted::Taken(_)) => {
                known.count_sent();
                Ok(Flow::Sent)
            }
            Ok(Posted::Busy) => {
                known.owe(owed);
                Ok(Flow::Busy)
            }
            Err(error) => Err(self.refused(peers, peer, &error)),
        }
    }

    /// Sends a message in pieces, where that is faster; `None` where it is not, or cannot be now.
    /// The caller has checked that the message may go.
    fn send_in_pieces(
        &mut self,
        device: &mut OpenDevice,
        peers: &mut PeerTable,
        peer: PeerId,
        tag: AmTag,
        header: &[u8],
        payload: UserBuf,
    ) -> Result<Option<Flow>, Error> {
        let Some(most) = self.limits.piece_max else {
            return Ok(None);
        };
        // SAFETY: the header is there during the call, which only reads it: a provider that is
        // given it keeps nothing of it (`INJECT`), and otherwise it is copied.
        let header = unsafe { UserBuf::new(header.as_ptr().cast_mut(), header.len()) };
        let pieces = MessagePieces {
            header,
            payload,
            most,
        };
        let count = pieces.count();
        let credit = peers.reachable(peer)?.credit() as usize;
        if !(2..=PIECES_MAX).contains(&count) || credit < count {
            return Ok(None);
        }
        // From the first piece on the message is accepted: pieces that find the provider busy wait.
        if !self.slots.has(count, device.registrar(0))? {
            return Ok(None);
        }
        for number in 0..count {
            let more = number + 1 < count;
            self.send_piece(device, peers, (peer, tag), pieces.piece(number), more)?;
        }
        Ok(Some(Flow::Sent))
    }

    /// Sends a piece: at once if the provider copies it, from a slot otherwise, where it can wait.
    fn send_piece(
        &mut self,
        device: &mut OpenDevice,
        peers: &mut PeerTable,
        (peer, tag): (PeerId, AmTag),
        runs: [UserBuf; 2],
        more: bool,
    ) -> Result<(), Error> {
        let [first, second] = runs;
        let len = first.len() + second.len();
        let waits = peers.reachable(peer)?.has_unsent();
        let short = self.limits.short_max.is_some_and(|short| len <= short) && !waits;
        if short && self.inject(device, peers, (peer, tag), runs, more)? == Flow::Sent {
            return Ok(());
        }
        let Some(slot) = self.slots.take(|_| Err(Error::Unreachable { peer }))? else {
            return Err(Error::Unreachable { peer });
        };
        let room = self.slots.memory(slot).from(HEADER_BYTES);
        room.part(0, first.len()).copy_from(&first);
        room.part(first.len(), second.len()).copy_from(&second);
        self.send_slot(device, peers, (peer, tag), slot, len, more)
    }

    /// Sends `len` bytes in a slot behind the room for a header; `more`: the message continues.
    fn send_slot(
        &mut self,
        device: &mut OpenDevice,
        peers: &mut PeerTable,
        (peer, tag): (PeerId, AmTag),
        slot: buffers::Slot,
        len: usize,
        more: bool,
    ) -> Result<(), Error> {
        let notes = self.limits.notes;
        let known = peers.reachable(peer)?;
        let header = known.header(self.me, self.epoch, tag, Kind::Message, notes);
        known.count_sent();
        let waits = known.has_unsent();
        let message = self.seal(Header { more, ..header }, slot, HEADER_BYTES + len, notes);
        match waits {
            // Behind what the provider has not taken either.
            true => known.queue(message),
            false => self.transmit(device, peers, peer, message),
        }
        Ok(())
    }

    /// Gives a message its header: `len` bytes of the slot are in use, with the room for it.
    #[inline]
    fn seal(
        &mut self,
        header: Header,
        slot: buffers::Slot,
        len: usize,
        notes: bool,
    ) -> QueuedMessage {
        if notes {
            return QueuedMessage {
                slot,
                start: HEADER_BYTES,
                len: len - HEADER_BYTES,
                note: Some(header.note()),
            };
        }
        self.slots.memory(slot).write(0, &header.encode());
        QueuedMessage {
            slot,
            start: 0,
            len,
            note: None,
        }
    }

    /// Posts a message. If the provider has no room it waits, so that the peer's next one is
    /// refused. The message has been accepted by now, so an error is reported with the peer that it
    /// loses, not to the caller.
    #[inline]
    fn transmit(
        &mut self,
        device: &mut OpenDevice,
        peers: &mut PeerTable,
        peer: PeerId,
        message: QueuedMessage,
    ) {
        let slot = message.slot;
        match self.post(device, peers, peer, Op::Send { peer, slot }, message) {
            Ok(Flow::Sent) => {}
            flow => self.not_transmitted(peers, peer, message, flow.is_ok()),
        }
    }

    #[cold]
    fn not_transmitted(
        &mut self,
        peers: &mut PeerTable,
        peer: PeerId,
        message: QueuedMessage,
        again: bool,
    ) {
        let Some(known) = peers.get_mut(peer) else {
            return;
        };
        if again {
            known.requeue(message);
            self.stuck.push_back(peer);
        } else {
            known.count_completed();
        }
    }

    /// Posts a message. On an error the slot is free and the peer is lost.
    fn post(
        &mut self,
        device: &mut OpenDevice,
        peers: &mut PeerTable,
        peer: PeerId,
        op: Op,
        message: QueuedMessage,
    ) -> Result<Flow, Error> {
        let Some(known) = peers.get(peer) else {
            return Err(Error::Unreachable { peer });
        };
        let to = known.address;
        let (memory, mr) = self.slots.region(message.slot);
        let runs = [memory.part(message.start, message.len), UserBuf::EMPTY];
        let short = message.len <= self.limits.inject_max;
        let flags = if short { flags::INJECT } else { 0 };
        let context = device.first();
        match context.send_pieces(to, runs, mr, message.note, flags, op.token()) {
            Ok(Posted::Taken(_)) => Ok(Flow::Sent),
            Ok(Posted::Busy) => Ok(Flow::Busy),
            Err(error) => {
                self.slots.release(message.slot);
                Err(self.refused(peers, peer, &error))
            }
        }
    }

    /// Loses a peer to which the provider refuses messages.
    #[cold]
    fn refused(&mut self, peers: &mut PeerTable, peer: PeerId, error: &ofi::Error) -> Error {
        let how = error.to_string();
        let gone = Error::PeerGone { peer, how };
        peers.lose(peer, gone.clone());
        if let Some(known) = peers.get_mut(peer) {
            self.drop_messages(peer, known);
        }
        gone
    }

    /// Drops the messages that wait to go to a peer, and forgets the credit owed to it.
    pub(crate) fn drop_messages(&mut self, peer: PeerId, known: &mut Peer) {
        self.debtors.retain(|debtor| *debtor != peer);
        while let Some(message) = known.next_unsent() {
            known.count_completed();
            self.slots.release(message.slot);
        }
    }

    /// Retries messages that the provider did not accept before. Returns the number that it accepts
    /// now.
    #[cold]
    pub(crate) fn retry(&mut self, device: &mut OpenDevice, peers: &mut PeerTable) -> usize {
        let mut sent = 0;
        for _ in 0..self.stuck.len() {
            let Some(peer) = self.stuck.pop_front() else {
                break;
            };
            let before = self.stuck.len();
            while let Some(message) = peers.get_mut(peer).and_then(Peer::next_unsent) {
                self.transmit(device, peers, peer, message);
                if self.stuck.len() > before {
                    break;
                }
                sent += 1;
            }
        }
        sent
    }

    /// Notes that a peer is owed credit, which goes with the next message, or by itself
    /// ([`SendQueue::pay`]).
    #[inline]
    pub(crate) fn owe(&mut self, peer: PeerId) {
        if !self.debtors.contains(&peer) {
            self.debtors.push(peer);
        }
    }

    /// Gives credit to the peers that wait for it.
    #[inline]
    pub(crate) fn pay(&mut self, device: &mut OpenDevice, peers: &mut PeerTable) {
        if !self.debtors.is_empty() {
            self.pay_debtors(device, peers);
        }
    }

    fn pay_debtors(&mut self, device: &mut OpenDevice, peers: &mut PeerTable) {
        let debtors = std::mem::take(&mut self.debtors);
        for (n, &peer) in debtors.iter().enumerate() {
            let owes = peers
                .get(peer)
                .is_some_and(|known| known.incoming.owed() > 0);
            if owes && !self.send_control(device, peers, peer, Kind::Credit) {
                self.debtors.extend(&debtors[n..]);
                return;
            }
        }
    }

    /// Sends a control message; returns whether the provider accepted it.
    pub(crate) fn send_control(
        &mut self,
        device: &mut OpenDevice,
        peers: &mut PeerTable,
        peer: PeerId,
        kind: Kind,
    ) -> bool {
        let Ok(Some(slot)) = self.slots.take(device.registrar(0)) else {
            return false;
        };
        let Some(known) = peers.get_mut(peer) else {
            self.slots.release(slot);
            return true;
        };
        let owed = known.incoming.owed();
        let header = known.header(self.me, self.epoch, AmTag(0), kind, false);
        let message = self.seal(header, slot, HEADER_BYTES, false);
        match self.post(device, peers, peer, Op::Control { slot }, message) {
            Ok(Flow::Busy) => {
                self.slots.release(slot);
                if let Some(known) = peers.get_mut(peer) {
                    known.owe(owed);
                }
                false
            }
            Ok(Flow::Sent) | Err(_) => true,
        }
    }

    /// Ends the registrations of the slots.
    pub(crate) fn withdraw(&mut self) {
        self.slots.withdraw();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::peer::tests::peer;

    const ONE: PeerId = PeerId(1);

    fn queue(message_max: usize) -> (SendQueue, PeerTable) {
        let limits = SendLimits {
            message_max,
            inject_max: 0,
            short_max: None,
            piece_max: None,
            notes: false,
        };
        let mut peers = PeerTable::default();
        peers.insert(ONE, peer(2));
        (SendQueue::new(PeerId(0), 5, limits, 16), peers)
    }

    #[test]
    fn a_message_may_go_with_credit_and_nothing_before_it() {
        let (sends, mut peers) = queue(100);
        assert_eq!(sends.may_go(&mut peers, ONE, 100), Ok(true));
        let (peer, len, limit) = (ONE, 101, 100);
        let too_large = Err(Error::TooLarge { peer, len, limit });
        assert_eq!(sends.may_go(&mut peers, ONE, 101), too_large);
        let known = peers.get_mut(ONE).unwrap();
        known.count_sent();
        known.count_sent();
        assert_eq!(sends.may_go(&mut peers, ONE, 1), Ok(false), "no credit");
        let (sends, mut peers) = queue(0);
        let what = "message";
        let unsupported = Err(Error::Unsupported { peer, what });
        assert_eq!(sends.may_go(&mut peers, ONE, 1), unsupported);
    }

    #[test]
    fn messages_to_a_lost_peer_free_their_slots() {
        let (mut sends, mut peers) = queue(100);
        let none = |_: UserBuf| Ok::<_, ()>(None);
        let slot = sends.slots.take(none).unwrap().unwrap();
        let header = Header {
            epoch: 5,
            from: PeerId(0),
            number: 0,
            tag: 1,
            kind: Kind::Message,
            credit: 0,
            more: false,
            is_note: false,
        };
        let message = sends.seal(header, slot, HEADER_BYTES + 3, false);
        let known = peers.get_mut(ONE).unwrap();
        known.count_sent();
        known.queue(message);
        sends.owe(ONE);
        assert!(sends.has_pending() && !sends.is_idle());
        assert_eq!(sends.may_go(&mut peers, ONE, 1), Ok(false), "one waits");
        let known = peers.get_mut(ONE).unwrap();
        sends.drop_messages(ONE, known);
        assert_eq!(known.under_way, 0);
        assert!(!sends.has_pending() && sends.is_idle());
    }
}
