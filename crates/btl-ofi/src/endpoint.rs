//! The send side: peers, and messages in flight to them.
//!
//! | state of a peer | sends | left by |
//! |---|---|---|
//! | here | are accepted | its shutdown message: left; an error: failed; `remove_peer`: removed |
//! | left | are refused: the peer has shut down | `remove_peer`, or a new introduction |
//! | failed | are refused with the reason | `remove_peer`, or a new introduction |
//! | removed | are refused as unreachable | a new introduction |

use std::collections::{BTreeMap, VecDeque};
use std::time::Instant;

use base::{AmTag, PeerId};
use btl::{Error, Flow, Reach};
use memory::{Slot, UserBuf};
use ofi::{flags, Posted};

use crate::buffers;
use crate::component::{Report, Transport};
use crate::op::Op;
use crate::wire::{Address, Header, Kind, HEADER_BYTES, NOTE_CREDIT_MAX};

/// A process that this one was introduced to.
pub(crate) struct Peer {
    /// The peer's index in the provider's table.
    pub(crate) address: ofi::Address,
    /// The address that the peer sent.
    told: Address,
    pub(crate) state: State,
    /// Messages and transfers that the provider has.
    pub(crate) under_way: usize,
    /// Transfers among them.
    pub(crate) transfers: usize,

    /// Sends that the provider has not accepted yet: the next message waits for them.
    stuck: VecDeque<Sealed>,
    /// The number of the next message to the peer.
    next_out: u32,
    /// Messages that may be sent before it gives credit.
    credit: u32,

    /// The number of the next message from the peer.
    pub(crate) next_in: u32,
    /// Messages from the peer that came out of order, and whether there is more of each.
    pub(crate) ahead: BTreeMap<u32, (AmTag, bool, Box<[u8]>)>,
    /// Pieces received of a message in pieces.
    pub(crate) joining: Vec<u8>,
    /// Messages handed up for which the peer has not been given credit.
    pub(crate) owed: u32,
    /// The number in the peer's shutdown message.
    pub(crate) leaves_at: Option<u32>,
    /// Whether this process has sent the peer its shutdown message.
    pub(crate) told_farewell: bool,
    /// Time of the last request for help to the peer, and whether it has asked this process.
    pub(crate) asked: Option<Instant>,
    pub(crate) has_asked: bool,
}

/// A message in a slot: its header in front, or a note with the header's fields beside it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Sealed {
    slot: buffers::Slot,
    start: usize,
    len: usize,
    note: Option<u64>,
}

/// The state of a peer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum State {
    Here,
    Left,
    Failed(String),
    Removed,
}

impl Peer {
    pub(crate) fn epoch(&self) -> u32 {
        self.told.epoch
    }

    /// Whether messages went to it or came from it.
    pub(crate) fn has_met(&self) -> bool {
        let came = self.next_in != 0 || !self.ahead.is_empty() || self.leaves_at.is_some();
        came || self.next_out != 0 || self.has_asked || self.asked.is_some()
    }

    /// Returns the reason of a peer's absence; `None` while it is here, and when it was removed.
    pub(crate) fn absence(&self) -> Option<String> {
        match &self.state {
            State::Here | State::Removed => None,
            State::Left => Some("it has closed".into()),
            State::Failed(how) => Some(how.clone()),
        }
    }

    /// Returns the number of messages that the peer may be sent now.
    pub(crate) fn credit(&self) -> u32 {
        self.credit
    }

    /// Whether a message to it waits for the provider.
    pub(crate) fn waits(&self) -> bool {
        !self.stuck.is_empty()
    }

    /// Adds credit that the peer gave.
    pub(crate) fn earn(&mut self, credit: u16) {
        let window = self.told.window;
        self.credit = self.credit.saturating_add(u32::from(credit)).min(window);
    }

    /// Returns the credit to give with the next message, at most `most`.
    fn pay(&mut self, most: u32) -> u16 {
        let credit = self.owed.min(most);
        self.owed -= credit;
        credit as u16
    }

    /// Returns the header of the next message to the peer, with the credit that is owed.
    #[inline]
    fn header(&mut self, me: PeerId, epoch: u32, tag: AmTag, kind: Kind, is_note: bool) -> Header {
        let most = if is_note {
            NOTE_CREDIT_MAX
        } else {
            u32::from(u16::MAX)
        };
        Header {
            epoch,
            from: me,
            number: self.next_out,
            tag: tag.0,
            kind,
            credit: self.pay(most),
            more: false,
            is_note,
        }
    }

    /// Counts a message of the layers above.
    #[inline]
    fn sent(&mut self) {
        self.next_out = self.next_out.wrapping_add(1);
        self.credit -= 1;
        self.under_way += 1;
    }
}

impl Transport {
    /// Introduces a peer, as `btl::Transport::add_peer` says.
    pub(crate) fn introduce(&mut self, peer: PeerId, address: &[u8]) -> Result<Reach, Error> {
        if peer == self.me {
            return Ok(Reach::No("it is this process".into()));
        }
        let Some(told) = Address::decode(address) else {
            let what = "an address that is none".into();
            return Err(Error::Protocol { peer, what });
        };
        Ok(self.meet(peer, told))
    }

    /// Introduces a peer by its decoded address; the peer may be this process.
    pub(crate) fn meet(&mut self, peer: PeerId, told: Address) -> Reach {
        if let Some(why) = self.differs(&told) {
            return Reach::No(why);
        }
        if let Some(known) = self.peers.get_mut(peer) {
            if known.told == told {
                // The same opening as before: its numbers and credit go on.
                if known.state == State::Removed {
                    known.state = State::Here;
                }
                return Reach::Yes;
            }
            self.dismiss(peer);
            let gone = self.peers.remove(peer);
            self.forget_address(gone.map(|gone| gone.address));
        }
        if let Some(seen) = &self.seen {
            if seen.contains(&told.address) {
                let provider = &told.provider;
                let why =
                    format!("{provider} would drop its messages: another had its port before");
                return Reach::No(why);
            }
        }
        let inserted = match self.av.insert(&told.address) {
            Ok(inserted) => inserted,
            Err(why) => return Reach::No(why),
        };
        if let Some(seen) = &mut self.seen {
            seen.insert(told.address.clone());
        }
        let credit = told.window;
        let peer_entry = Peer {
            address: inserted,
            told,
            state: State::Here,
            under_way: 0,
            transfers: 0,
            stuck: VecDeque::new(),
            next_out: 0,
            credit,
            next_in: 0,
            ahead: BTreeMap::new(),
            joining: Vec::new(),
            owed: 0,
            leaves_at: None,
            told_farewell: false,
            asked: None,
            has_asked: false,
        };
        self.peers.insert(peer, peer_entry);
        Reach::Yes
    }

    /// Returns the incompatibility between this process and a peer, if there is any.
    fn differs(&self, told: &Address) -> Option<String> {
        let ours = &self.address;
        if told.provider != ours.provider {
            return Some(format!("it uses {}, not {}", told.provider, ours.provider));
        }
        if (told.messages, told.memory) != (ours.messages, ours.memory) {
            return Some("its btl_ofi_mode is another".into());
        }
        if told.room != ours.room {
            let why = format!("its messages have {} bytes, not {}", told.room, ours.room);
            return Some(why);
        }
        None
    }

    /// Removes an address from the provider's table, unless another peer has it too.
    fn forget_address(&mut self, address: Option<ofi::Address>) {
        let Some(address) = address else { return };
        if self.peers.iter().all(|(_, peer)| peer.address != address) {
            self.av.remove(address);
        }
    }

    /// Forgets a peer: operations in flight end with an error at once, and the provider's later
    /// reports of them are dropped. Meant for a peer that is gone: one that is not may still reply
    /// to a `get`.
    pub(crate) fn dismiss(&mut self, peer: PeerId) {
        self.early.remove(&peer);
        if let Some(known) = self.peers.get_mut(peer) {
            known.state = State::Removed;
            self.drop_messages(peer);
            self.end_transfers(peer, &Error::Unreachable { peer });
        }
    }

    /// Marks a peer as gone, reports that once, and ends operations in flight to it.
    #[cold]
    pub(crate) fn lose(&mut self, peer: PeerId, error: Error) {
        let Some(known) = self.peers.get_mut(peer) else {
            return;
        };
        if !matches!(known.state, State::Here) {
            return;
        }
        let how = match &error {
            Error::PeerGone { how, .. } => how.clone(),
            other => other.to_string(),
        };
        log::info!("{peer} is lost: {how}");
        known.state = State::Failed(how);
        self.drop_messages(peer);
        if peer != self.me {
            self.reports.push_back(Report::Failed(peer, error.clone()));
        }
        self.end_transfers(peer, &error);
    }

    /// Drops messages that wait to go to a peer or to be handed up.
    pub(crate) fn drop_messages(&mut self, peer: PeerId) {
        self.debtors.retain(|debtor| *debtor != peer);
        if let Some(known) = self.peers.get_mut(peer) {
            known.ahead.clear();
            known.joining.clear();
            for message in known.stuck.drain(..) {
                known.under_way -= 1;
                self.sends.give_back(message.slot);
            }
        }
    }

    /// Returns the peer, when messages can be sent to it.
    #[inline]
    pub(crate) fn reachable(&mut self, peer: PeerId) -> Result<&mut Peer, Error> {
        match self.peers.get_mut(peer) {
            Some(known) if known.state == State::Here && !self.closed => Ok(known),
            known => Err(Transport::unreachable(peer, known.as_deref())),
        }
    }

    /// Returns the reason that no message can be sent to a peer.
    #[cold]
    fn unreachable(peer: PeerId, known: Option<&Peer>) -> Error {
        match known.and_then(Peer::absence) {
            Some(how) => Error::PeerGone { peer, how },
            None => Error::Unreachable { peer },
        }
    }

    /// Sends `header` and `payload`: from the caller's memory if the provider copies them at once,
    /// in pieces where that is faster, from a slot otherwise, where they can wait.
    #[inline]
    pub(crate) fn send_whole(
        &mut self,
        peer: PeerId,
        tag: AmTag,
        header: &[u8],
        payload: UserBuf,
    ) -> Result<Flow, Error> {
        let total = header.len().saturating_add(payload.len());
        if self.short_max.is_some_and(|most| total <= most) {
            if !self.may_go(peer, total)? {
                return Ok(Flow::Busy);
            }
            if self.send_short(peer, tag, header, payload)? == Flow::Sent {
                return Ok(Flow::Sent);
            }
        } else if self.piece_max.is_some_and(|most| total > most) {
            if !self.may_go(peer, total)? {
                return Ok(Flow::Busy);
            }
            if let Some(flow) = self.send_in_pieces(peer, tag, header, payload)? {
                return Ok(flow);
            }
        }
        let fill = |slot: &mut Slot<'_>| slot.write_user(0, payload);
        self.send_message(peer, tag, header, payload.len(), fill)
    }

    /// Posts a message that the provider copies at once.
    fn send_short(
        &mut self,
        peer: PeerId,
        tag: AmTag,
        header: &[u8],
        payload: UserBuf,
    ) -> Result<Flow, Error> {
        // SAFETY: the header is there during the call, which only reads it and keeps nothing of
        // it (`INJECT`).
        let head = unsafe { UserBuf::new(header.as_ptr().cast_mut(), header.len()) };
        let pieces = match header.is_empty() {
            true => [payload, UserBuf::EMPTY],
            false => [head, payload],
        };
        self.send_at_once(peer, tag, pieces, false)
    }

    /// Sends a message of two runs of memory that the provider copies at once; `more`: whether the
    /// message continues in the next.
    #[inline]
    pub(crate) fn send_at_once(
        &mut self,
        peer: PeerId,
        tag: AmTag,
        pieces: [UserBuf; 2],
        more: bool,
    ) -> Result<Flow, Error> {
        let (me, epoch) = (self.me, self.address.epoch);
        let known = self.reachable(peer)?;
        let owed = known.owed;
        let header = known.header(me, epoch, tag, Kind::Message, true);
        let note = Header { more, ..header }.note();
        let (to, token) = (known.address, Op::Short { peer }.token());
        let context = &mut self.contexts[0];
        let posted = context.send_pieces(to, pieces, None, Some(note), flags::INJECT, token);
        let known = self.reachable(peer)?;
        match posted {
            Ok(Posted::Taken(_)) => {
                known.sent();
                Ok(Flow::Sent)
            }
            Ok(Posted::Busy) => {
                known.owed = owed;
                Ok(Flow::Busy)
            }
            Err(error) => Err(self.refused_by(peer, &error)),
        }
    }

    /// Whether a message of `total` bytes may go to a peer now: there is credit for it, and no
    /// earlier one waits.
    #[inline]
    fn may_go(&mut self, peer: PeerId, total: usize) -> Result<bool, Error> {
        let limit = self.caps.max_send_size;
        let known = self.reachable(peer)?;
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
        Ok(known.credit > 0 && known.stuck.is_empty())
    }

    /// Sends `header` and `len` bytes that `fill` writes.
    pub(crate) fn send_message(
        &mut self,
        peer: PeerId,
        tag: AmTag,
        header: &[u8],
        len: usize,
        mut fill: impl FnMut(&mut Slot<'_>),
    ) -> Result<Flow, Error> {
        if !self.may_go(peer, header.len().saturating_add(len))? {
            return Ok(Flow::Busy);
        }
        let register = self.memory.local_registrar(&self.contexts[0]);
        let Some(slot) = self.sends.take(register)? else {
            return Ok(Flow::Busy);
        };
        let buffer = self.sends.memory(slot);
        let body = HEADER_BYTES + header.len();
        buffer.write(HEADER_BYTES, header);
        // SAFETY: the slot is this send's own until its completion, and `body + len` bytes lie
        // inside (`part` checks); nobody else touches it while it is filled.
        let mut room = unsafe { Slot::new(buffer.part(body, len).address(), len) };
        fill(&mut room);
        self.send_slot(peer, tag, slot, header.len() + len, false)?;
        Ok(Flow::Sent)
    }

    /// Sends `len` bytes in a slot behind the room for a header; `more`: the message continues.
    pub(crate) fn send_slot(
        &mut self,
        peer: PeerId,
        tag: AmTag,
        slot: buffers::Slot,
        len: usize,
        more: bool,
    ) -> Result<(), Error> {
        let (me, epoch, notes) = (self.me, self.address.epoch, self.notes);
        let known = self.reachable(peer)?;
        let header = known.header(me, epoch, tag, Kind::Message, notes);
        known.sent();
        let waits = known.waits();
        let message = self.seal(Header { more, ..header }, slot, HEADER_BYTES + len, notes);
        match self.peers.get_mut(peer).filter(|_| waits) {
            // Behind what the provider has not taken either.
            Some(known) => known.stuck.push_back(message),
            None => self.transmit(peer, message),
        }
        Ok(())
    }

    /// Gives a message its header: `len` bytes of the slot are in use, with the room for it.
    #[inline]
    fn seal(&mut self, header: Header, slot: buffers::Slot, len: usize, notes: bool) -> Sealed {
        if notes {
            return Sealed {
                slot,
                start: HEADER_BYTES,
                len: len - HEADER_BYTES,
                note: Some(header.note()),
            };
        }
        self.sends.memory(slot).write(0, &header.encode());
        Sealed {
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
    fn transmit(&mut self, peer: PeerId, message: Sealed) {
        let slot = message.slot;
        match self.hand_over(peer, Op::Send { peer, slot }, message) {
            Ok(Flow::Sent) => {}
            flow => self.not_transmitted(peer, message, flow.is_ok()),
        }
    }

    #[cold]
    fn not_transmitted(&mut self, peer: PeerId, message: Sealed, again: bool) {
        let Some(known) = self.peers.get_mut(peer) else {
            return;
        };
        if again {
            known.stuck.push_front(message);
            self.stuck.push_back(peer);
        } else {
            known.under_way = known.under_way.saturating_sub(1);
        }
    }

    /// Posts a message. On an error the slot is back in its pool and the peer is lost.
    fn hand_over(&mut self, peer: PeerId, op: Op, message: Sealed) -> Result<Flow, Error> {
        let Some(known) = self.peers.get(peer) else {
            return Err(Error::Unreachable { peer });
        };
        let to = known.address;
        let memory = self.sends.memory(message.slot);
        let pieces = [memory.part(message.start, message.len), UserBuf::EMPTY];
        let mr = self.sends.mr(message.slot);
        let short = message.len <= self.inject_max;
        let flags = if short { flags::INJECT } else { 0 };
        let context = &mut self.contexts[0];
        match context.send_pieces(to, pieces, mr, message.note, flags, op.token()) {
            Ok(Posted::Taken(_)) => Ok(Flow::Sent),
            Ok(Posted::Busy) => Ok(Flow::Busy),
            Err(error) => {
                self.sends.give_back(message.slot);
                Err(self.refused_by(peer, &error))
            }
        }
    }

    /// Loses a peer to which the provider refuses messages.
    #[cold]
    fn refused_by(&mut self, peer: PeerId, error: &ofi::Error) -> Error {
        let how = error.to_string();
        let gone = Error::PeerGone { peer, how };
        self.lose(peer, gone.clone());
        gone
    }

    /// Retries messages that the provider did not accept before. Returns the number that it accepts
    /// now.
    pub(crate) fn retry_messages(&mut self) -> usize {
        let mut sent = 0;
        for _ in 0..self.stuck.len() {
            let Some(peer) = self.stuck.pop_front() else {
                break;
            };
            let (before, next) = (self.stuck.len(), |known: &mut Peer| known.stuck.pop_front());
            while let Some(message) = self.peers.get_mut(peer).and_then(next) {
                self.transmit(peer, message);
                if self.stuck.len() > before {
                    break;
                }
                sent += 1;
            }
        }
        sent
    }

    /// Gives credit to peers that wait for it.
    pub(crate) fn pay_debts(&mut self) {
        let debtors = std::mem::take(&mut self.debtors);
        for (n, &peer) in debtors.iter().enumerate() {
            let owes = self.peers.get(peer).is_some_and(|known| known.owed > 0);
            if owes && !self.send_control(peer, Kind::Credit) {
                self.debtors.extend(&debtors[n..]);
                return;
            }
        }
    }

    /// Sends a control message; returns whether the provider accepted it.
    pub(crate) fn send_control(&mut self, peer: PeerId, kind: Kind) -> bool {
        let register = self.memory.local_registrar(&self.contexts[0]);
        let Ok(Some(slot)) = self.sends.take(register) else {
            return false;
        };
        let (me, epoch) = (self.me, self.address.epoch);
        let Some(known) = self.peers.get_mut(peer) else {
            self.sends.give_back(slot);
            return true;
        };
        let owed = known.owed;
        let header = known.header(me, epoch, AmTag(0), kind, false);
        let message = self.seal(header, slot, HEADER_BYTES, false);
        match self.hand_over(peer, Op::Control { slot }, message) {
            Ok(Flow::Busy) => {
                self.sends.give_back(slot);
                if let Some(known) = self.peers.get_mut(peer) {
                    known.owed = owed;
                }
                false
            }
            Ok(Flow::Sent) | Err(_) => true,
        }
    }
}
