//! A peer: its address, and the state of what goes to it and comes from it.
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

use crate::buffers::Slot;
use crate::reassembly::Reassembly;
use crate::wire::{Address, Header, Kind, NOTE_CREDIT_MAX};

/// A process that this one was introduced to.
pub(crate) struct Peer {
    /// The peer's index in the provider's table.
    pub(crate) address: ofi::Address,
    /// The address that the peer published.
    published: Address,
    pub(crate) state: PeerState,
    /// Messages and transfers that the provider has.
    pub(crate) under_way: usize,
    /// Transfers among them.
    pub(crate) transfers: usize,

    /// Sends that the provider has not accepted yet: the next message waits for them.
    unsent: VecDeque<QueuedMessage>,
    /// The number of the next message to the peer.
    next_out: u32,
    /// Messages that may be sent before it gives credit.
    credit: u32,

    /// Messages from the peer.
    pub(crate) incoming: FromPeer,
    /// Whether this process has sent the peer its shutdown message.
    pub(crate) was_sent_shutdown: bool,
    /// Time of the last request for help to the peer.
    pub(crate) help_requested: Option<Instant>,
    /// Whether it has requested help of this process.
    pub(crate) has_requested_help: bool,
}

/// A message in a slot: its header in front, or a note with the header's fields beside it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct QueuedMessage {
    pub(crate) slot: Slot,
    pub(crate) start: usize,
    pub(crate) len: usize,
    pub(crate) note: Option<u64>,
}

/// The state of a peer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum PeerState {
    Here,
    Left,
    Failed(String),
    Removed,
}

/// The messages of a peer to this process.
#[derive(Default)]
pub(crate) struct FromPeer {
    /// The number of the next message.
    next: u32,
    /// Messages that came out of order, and whether there is more of each.
    ahead: BTreeMap<u32, (AmTag, bool, Box<[u8]>)>,
    /// A message whose pieces have come in part.
    pub(crate) pieces: Reassembly,
    /// Messages handed up for which the peer has not been given credit.
    owed: u32,
    /// The number in the peer's shutdown message.
    ends_at: Option<u32>,
}

impl FromPeer {
    /// Returns the number of messages that are due before the one with this header.
    #[inline]
    pub(crate) fn missing_before(&self, header: &Header) -> u32 {
        header.ahead_of(self.next)
    }

    /// Returns the number of the next message.
    pub(crate) fn next(&self) -> u32 {
        self.next
    }

    /// Stores a message that is `ahead` messages too early.
    pub(crate) fn store(&mut self, ahead: u32, tag: AmTag, more: bool, bytes: Box<[u8]>) {
        let number = self.next.wrapping_add(ahead);
        self.ahead.insert(number, (tag, more, bytes));
    }

    /// Takes the next message out, where it came before its turn.
    pub(crate) fn take_due(&mut self) -> Option<(AmTag, bool, Box<[u8]>)> {
        self.ahead.remove(&self.next)
    }

    /// Whether messages came before their turn.
    #[inline]
    pub(crate) fn has_stored(&self) -> bool {
        !self.ahead.is_empty()
    }

    /// Counts a message that was handed up; returns for how many credit is owed.
    #[inline]
    pub(crate) fn count(&mut self) -> u32 {
        self.next = self.next.wrapping_add(1);
        self.owed += 1;
        self.owed
    }

    /// Returns the number of messages for which credit is owed.
    #[inline]
    pub(crate) fn owed(&self) -> u32 {
        self.owed
    }

    /// Takes note of the number in the peer's shutdown message: its messages end before that.
    pub(crate) fn end_at(&mut self, number: u32) {
        self.ends_at = Some(number);
    }

    /// Whether the peer has sent its shutdown message.
    #[inline]
    pub(crate) fn has_end(&self) -> bool {
        self.ends_at.is_some()
    }

    /// Whether the last message before the peer's shutdown has been handed up.
    pub(crate) fn is_over(&self) -> bool {
        self.ends_at == Some(self.next)
    }

    /// Drops what has come and was not handed up.
    pub(crate) fn clear(&mut self) {
        self.ahead.clear();
        self.pieces.clear();
    }
}

impl Peer {
    pub(crate) fn new(address: ofi::Address, published: Address) -> Peer {
        Peer {
            address,
            state: PeerState::Here,
            under_way: 0,
            transfers: 0,
            unsent: VecDeque::new(),
            next_out: 0,
            credit: published.window,
            published,
            incoming: FromPeer::default(),
            was_sent_shutdown: false,
            help_requested: None,
            has_requested_help: false,
        }
    }

    /// Whether the peer published this address.
    pub(crate) fn has_published(&self, address: &Address) -> bool {
        self.published == *address
    }

    pub(crate) fn epoch(&self) -> u32 {
        self.published.epoch
    }

    pub(crate) fn is_here(&self) -> bool {
        self.state == PeerState::Here
    }

    /// Whether messages went to it or came from it.
    pub(crate) fn has_met(&self) -> bool {
        let incoming = &self.incoming;
        let came = incoming.next != 0 || incoming.has_stored() || incoming.has_end();
        let help = self.has_requested_help || self.help_requested.is_some();
        came || help || self.next_out != 0
    }

    /// Returns the reason of a peer's absence; `None` while it is here, and when it was removed.
    pub(crate) fn absence(&self) -> Option<String> {
        match &self.state {
            PeerState::Here | PeerState::Removed => None,
            PeerState::Left => Some("it has closed".into()),
            PeerState::Failed(how) => Some(how.clone()),
        }
    }

    /// Returns the number of messages that the peer may be sent now.
    #[inline]
    pub(crate) fn credit(&self) -> u32 {
        self.credit
    }

    /// Whether a message to it waits for the provider.
    #[inline]
    pub(crate) fn has_unsent(&self) -> bool {
        !self.unsent.is_empty()
    }

    /// Queues a message behind those that the provider has not accepted.
    pub(crate) fn queue(&mut self, message: QueuedMessage) {
        self.unsent.push_back(message);
    }

    /// Puts a message back in front of those that the provider has not accepted.
    pub(crate) fn requeue(&mut self, message: QueuedMessage) {
        self.unsent.push_front(message);
    }

    /// Takes the next message that the provider has not accepted.
    pub(crate) fn next_unsent(&mut self) -> Option<QueuedMessage> {
        self.unsent.pop_front()
    }

    /// Adds credit that the peer gave.
    #[inline]
    pub(crate) fn earn(&mut self, credit: u16) {
        let window = self.published.window;
        self.credit = self.credit.saturating_add(u32::from(credit)).min(window);
    }

    /// Returns the credit to give with the next message, at most `most`.
    fn pay(&mut self, most: u32) -> u16 {
        let credit = self.incoming.owed.min(most);
        self.incoming.owed -= credit;
        credit as u16
    }

    /// Takes credit back that a message was to give which the provider did not accept.
    pub(crate) fn owe(&mut self, owed: u32) {
        self.incoming.owed = owed;
    }

    /// Returns the header of the next message to the peer, with the credit that is owed.
    #[inline]
    pub(crate) fn header(
        &mut self,
        me: PeerId,
        epoch: u32,
        tag: AmTag,
        kind: Kind,
        is_note: bool,
    ) -> Header {
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
    pub(crate) fn count_sent(&mut self) {
        self.next_out = self.next_out.wrapping_add(1);
        self.credit -= 1;
        self.under_way += 1;
    }

    /// Counts a message that the provider is done with.
    #[inline]
    pub(crate) fn count_completed(&mut self) {
        self.under_way = self.under_way.saturating_sub(1);
    }

    /// Counts a transfer that has begun.
    #[inline]
    pub(crate) fn count_transfer(&mut self) {
        self.under_way += 1;
        self.transfers += 1;
    }

    /// Counts a transfer that has ended.
    #[inline]
    pub(crate) fn count_ended_transfer(&mut self) {
        self.under_way = self.under_way.saturating_sub(1);
        self.transfers = self.transfers.saturating_sub(1);
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A peer with a window of `window` messages.
    pub(crate) fn peer(window: u32) -> Peer {
        let published = Address {
            epoch: 9,
            messages: true,
            memory: true,
            provider: "none".into(),
            address: vec![1],
            room: 100,
            window,
        };
        Peer::new(ofi::Address::ANY, published)
    }

    fn header(peer: &mut Peer, is_note: bool) -> Header {
        peer.header(PeerId(4), 9, AmTag::PML, Kind::Message, is_note)
    }

    #[test]
    fn credit_never_exceeds_the_window() {
        let mut peer = peer(3);
        assert_eq!(peer.credit(), 3);
        peer.count_sent();
        peer.count_sent();
        assert_eq!((peer.credit(), peer.under_way), (1, 2));
        peer.earn(1);
        assert_eq!(peer.credit(), 2);
        peer.earn(u16::MAX);
        assert_eq!(peer.credit(), 3, "a peer cannot give more than its window");
        assert_eq!(header(&mut peer, false).number, 2);
    }

    #[test]
    fn a_header_gives_the_credit_that_is_owed_as_far_as_it_fits() {
        let mut peer = peer(3);
        for n in 1..=200 {
            assert_eq!(peer.incoming.count(), n);
        }
        let most = NOTE_CREDIT_MAX as u16;
        assert_eq!(header(&mut peer, true).credit, most);
        assert_eq!(peer.incoming.owed(), 200 - u32::from(most));
        peer.owe(200);
        assert_eq!(header(&mut peer, false).credit, 200);
        assert_eq!(header(&mut peer, false).credit, 0);
    }

    #[test]
    fn messages_out_of_order_are_due_by_number_and_the_end_behind_the_last() {
        let mut incoming = FromPeer::default();
        incoming.store(2, AmTag::PML, false, [2].into());
        incoming.store(1, AmTag::PML, true, [1].into());
        incoming.end_at(3);
        assert_eq!(incoming.take_due(), None);
        incoming.count();
        for n in [1, 2] {
            assert!(!incoming.is_over());
            let (_, more, bytes) = incoming.take_due().expect("it has come");
            assert_eq!((more, &bytes[..]), (n == 1, &[n][..]));
            incoming.count();
        }
        assert!(incoming.is_over() && !incoming.has_stored());
    }
}
