//! Orderly shutdown: messages by which peers distinguish a closed process from a failed one.
//!
//! A process that closes sends a shutdown message to the peers that it has exchanged messages with.
//! It carries the sequence number after the last message, so a peer handles all messages before it
//! counts the process as left.
//!
//! If the provider cannot stand a message that arrives while it closes
//! ([`Transport::must_receive_shutdowns`]), the process also waits for the shutdown messages of its
//! peers. A peer replies as soon as it counts the process as left, since it sends it nothing from
//! then on; it need not close itself.

use std::time::{Duration, Instant};

use base::PeerId;
use btl::Error;

use crate::buffers::Slot;
use crate::component::Transport;
use crate::op::Op;
use crate::peer::{Peer, PeerState};
use crate::reassembly::HEADROOM;
use crate::wire::{Header, Kind, HEADER_BYTES};

/// Time limit for a shutdown message to leave.
const SEND_MAX: Duration = Duration::from_millis(5);

/// Time limit for the peers' shutdown messages, where they are required. Peers reply when they poll
/// the network; only one that computes or hangs makes this process wait so long.
const REPLY_MAX: Duration = Duration::from_millis(100);

impl Transport {
    /// Lets a peer go that has sent its shutdown message, once its last message is here.
    #[cold]
    pub(crate) fn let_go(&mut self, from: PeerId) {
        let must_reply = self.must_receive_shutdowns();
        let Some(peer) = self.peers.get_mut(from) else {
            return;
        };
        if !peer.incoming.is_over() {
            return;
        }
        peer.state = PeerState::Left;
        if must_reply && !peer.was_sent_shutdown {
            self.leavers.push(from);
        }
        // Messages that still wait to go to it would wait for ever.
        self.drop_messages(from);
        let how = "it has closed".into();
        self.end_transfers(from, &Error::PeerGone { peer: from, how });
    }

    /// Notifies the peers that have left that they may close, as far as the provider accepts it.
    #[cold]
    pub(crate) fn reply_to_leavers(&mut self) {
        for peer in std::mem::take(&mut self.leavers) {
            let left = |known: &Peer| known.state == PeerState::Left;
            if self.peers.get(peer).is_some_and(left) && !self.send_shutdown(peer) {
                self.leavers.push(peer);
            }
        }
    }

    /// Sends a peer the shutdown message; returns whether the provider accepted it.
    fn send_shutdown(&mut self, peer: PeerId) -> bool {
        let (device, peers) = (&mut self.device, &mut self.peers);
        let taken = self.sends.send_control(device, peers, peer, Kind::Shutdown);
        if let Some(known) = self.peers.get_mut(peer) {
            known.was_sent_shutdown = taken;
        }
        taken
    }

    /// Sends the shutdown message to the peers with traffic, as far as that is possible at once,
    /// and ends everything. Others need not know, and would each cost a connection.
    pub(crate) fn shut_down(&mut self) {
        if self.peers.close() || self.caps.max_send_size == 0 {
            return;
        }
        let must_receive = self.must_receive_shutdowns();
        let patience = if must_receive { REPLY_MAX } else { SEND_MAX };
        let start = Instant::now();
        while start.elapsed() < patience {
            self.sends.retry(&mut self.device, &mut self.peers);
            let mut all_sent = true;
            let unsent = |peer: &Peer| !peer.was_sent_shutdown && peer.listens(must_receive);
            for peer in self.met_peers(unsent) {
                all_sent &= self.send_shutdown(peer);
            }
            if self.poll_closing().is_err() {
                break;
            }
            let all_received = !must_receive || self.met_peers(Peer::may_send).is_empty();
            if all_sent && all_received && self.sends.is_idle() {
                break;
            }
        }
    }

    /// Whether a message of a peer that comes while the endpoint closes is dangerous. A peer that
    /// has sent its shutdown message sends no more.
    fn must_receive_shutdowns(&self) -> bool {
        self.device.info().quirks.closes_on_messages
    }

    /// Returns the peers that have exchanged messages with this process and are `wanted`.
    fn met_peers(&self, wanted: impl Fn(&Peer) -> bool) -> Vec<PeerId> {
        let met = self.peers.iter().filter(|(_, peer)| peer.has_met());
        let met = met.filter(|(_, peer)| wanted(peer));
        met.map(|(id, _)| id).collect()
    }

    /// Reads completions while this process leaves: only shutdown messages still count.
    fn poll_closing(&mut self) -> Result<(), ofi::Error> {
        self.device.first().poll(64)?;
        while let Some(completion) = self.device.first().ended() {
            match Op::of(completion.token) {
                Some(Op::Send { slot, .. } | Op::Control { slot }) => self.sends.free(slot),
                Some(Op::Receive { slot }) if completion.outcome.is_ok() => {
                    if self.receives.note_of(&completion).is_none() {
                        self.note_shutdown(slot, completion.len);
                    }
                    self.receives.post(&mut self.device, slot);
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn note_shutdown(&mut self, slot: Slot, len: usize) {
        let mut head = [0; HEADER_BYTES];
        if len < head.len() {
            return;
        }
        self.receives.memory(slot).read(HEADROOM, &mut head);
        let Some(header) = Header::decode(&head) else {
            return;
        };
        let known = self.peers.get_mut(header.from);
        let known = known.filter(|known| known.epoch() == header.epoch);
        if let (Some(known), Kind::Shutdown) = (known, header.kind) {
            known.incoming.end_at(header.number);
        }
    }
}

impl Peer {
    /// Whether the peer has not sent its shutdown message, so that messages of it may come.
    fn may_send(&self) -> bool {
        self.state == PeerState::Here && !self.incoming.has_end()
    }

    /// Whether the peer can receive a shutdown message: it is here, or has left and `waits` for it.
    fn listens(&self, waits: bool) -> bool {
        self.state == PeerState::Here || waits && self.state == PeerState::Left
    }
}
