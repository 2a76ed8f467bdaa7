//! Messages of a process to itself: one copy from the send buffer to the receive buffer.
//!
//! If the receive is posted when the message is sent, one copy moves the elements from one layout
//! to the other, without a lane. A message without a posted receive goes by the lane, as any
//! message does.

use base::{Key, PeerId, Rank};
use datatype::Buffer;
use pml::{CommId, Tag};

use crate::protocol::Protocol;
use crate::request::{check_length, status_of};
use crate::wire::Envelope;

impl Protocol {
    /// Returns whether a rank is this process itself.
    pub fn is_own(&self, comm: CommId, rank: Rank) -> bool {
        let matching = self.comms.get(comm.key());
        let peer = matching.and_then(|matching| matching.peers.get(rank.index()));
        self.own.is_some() && peer.copied() == self.own
    }

    /// Passes a message to the receive of this process that waits for it. False where none does,
    /// or earlier messages are still on their way; then nothing was done.
    ///
    /// `to` is this process ([`Protocol::is_own`]).
    pub fn send_to_self(&mut self, comm: CommId, to: Rank, tag: Tag, from: &Buffer) -> bool {
        let (Some(own), Some(matching)) = (self.own, self.comms.get_mut(comm.key())) else {
            return false;
        };
        let envelope = matching.next_envelope(to, tag);
        let Some(request) = matching.take_in_turn(own, &envelope) else {
            return false;
        };
        matching.envelope_to(to, tag);
        self.peers[own.index()].counters.sent(from.len());
        self.copy_to_receive(request, envelope, from);
        true
    }

    /// Copies the elements of a message of this process to the receive that it matched.
    pub(crate) fn copy_to_receive(&mut self, request: Key, envelope: Envelope, from: &Buffer) {
        let Some(entry) = self.requests.get_mut(request) else {
            return;
        };
        let (sent, room) = (from.len(), entry.buffer.len());
        // A message that is too long is reported below, with both lengths.
        let _ = datatype::copy(from, &entry.buffer);
        entry.status = status_of(envelope, sent.min(room) as u64);
        self.finish(request, check_length(sent as u64, room as u64));
    }

    /// Returns the buffer of a rendezvous message, where this process itself sends it.
    pub(crate) fn own_rendezvous_buffer(&self, from: PeerId, sender: Key) -> Option<Buffer> {
        if self.own != Some(from) {
            return None;
        }
        Some(self.requests.get(sender)?.buffer.clone())
    }
}
