//! Orderly shutdown: messages by which peers distinguish a closed process from a failed one.
//!
//! A process that closes sends a shutdown message to the peers that it has exchanged messages with.
//! It carries the sequence number after the last message, so a peer handles all messages before it
//! counts the process as left.
//!
//! If the provider cannot stand a message that arrives while it closes
//! ([`Transport::must_hear_farewells`]), the process also waits for the shutdown messages of its
//! peers. A peer replies as soon as it counts the process as left, since it sends it nothing from
//! then on; it need not close itself.

use std::time::{Duration, Instant};

use base::PeerId;
use btl::Error;

use crate::buffers;
use crate::component::Transport;
use crate::endpoint::{Peer, State};
use crate::op::Op;
use crate::pieces::HEADROOM;
use crate::wire::{Header, Kind, HEADER_BYTES};

/// Time limit for a shutdown message to leave.
const FAREWELL_MAX: Duration = Duration::from_millis(5);

/// Time limit for the peers' shutdown messages, where they are required. Peers reply when they poll
/// the network; only one that computes or hangs makes this process wait so long.
const PARTING_MAX: Duration = Duration::from_millis(100);

impl Transport {
    /// Lets a peer go that has sent its shutdown message, once its last message is here.
    #[cold]
    pub(crate) fn part_with(&mut self, from: PeerId) {
        let must_answer = self.must_hear_farewells();
        let Some(peer) = self.peers.get_mut(from) else {
            return;
        };
        if peer.leaves_at != Some(peer.next_in) {
            return;
        }
        peer.state = State::Left;
        if must_answer && !peer.told_farewell {
            self.partings.push(from);
        }
        // Messages that still wait to go to it would wait for ever.
        self.drop_messages(from);
        let how = "it has closed".into();
        self.end_transfers(from, &Error::PeerGone { peer: from, how });
    }

    /// Tells the peers that have left that they may close, as far as the provider accepts it.
    #[cold]
    pub(crate) fn answer_farewells(&mut self) {
        for peer in std::mem::take(&mut self.partings) {
            let left = |known: &Peer| known.state == State::Left;
            if self.peers.get(peer).is_some_and(left) && !self.bid_farewell(peer) {
                self.partings.push(peer);
            }
        }
    }

    /// Sends a peer the shutdown message; returns whether the provider accepted it.
    fn bid_farewell(&mut self, peer: PeerId) -> bool {
        let taken = self.send_control(peer, Kind::Farewell);
        if let Some(known) = self.peers.get_mut(peer) {
            known.told_farewell = taken;
        }
        taken
    }

    /// Sends the shutdown message to the peers with traffic, as far as that is possible at once,
    /// and ends everything. Others need not know, and would each cost a connection.
    pub(crate) fn say_farewell(&mut self) {
        if std::mem::replace(&mut self.closed, true) || self.caps.max_send_size == 0 {
            return;
        }
        let must_hear = self.must_hear_farewells();
        let patience = if must_hear { PARTING_MAX } else { FAREWELL_MAX };
        let start = Instant::now();
        while start.elapsed() < patience {
            self.retry_messages();
            let mut all_told = true;
            let untold = |peer: &Peer| !peer.told_farewell && peer.listens(must_hear);
            for peer in self.company(untold) {
                all_told &= self.bid_farewell(peer);
            }
            if self.settle_leaving().is_err() {
                break;
            }
            let all_heard = !must_hear || self.company(Peer::may_send).is_empty();
            if all_told && all_heard && self.sends.is_idle() {
                break;
            }
        }
    }

    /// Whether a message of a peer that comes while the endpoint closes is dangerous. A peer that
    /// has sent its shutdown message sends no more.
    fn must_hear_farewells(&self) -> bool {
        self.device().quirks.closes_on_messages
    }

    /// Returns the peers that have exchanged messages with this process and are `wanted`.
    fn company(&self, wanted: impl Fn(&Peer) -> bool) -> Vec<PeerId> {
        let met = self.peers.iter().filter(|(_, peer)| peer.has_met());
        let met = met.filter(|(_, peer)| wanted(peer));
        met.map(|(id, _)| id).collect()
    }

    /// Reads completions while this process leaves: only shutdown messages still count.
    fn settle_leaving(&mut self) -> Result<(), ofi::Error> {
        self.contexts[0].poll(64)?;
        while let Some(completion) = self.contexts[0].ended() {
            match Op::of(completion.token) {
                Some(Op::Send { slot, .. } | Op::Control { slot }) => self.sends.give_back(slot),
                Some(Op::Receive { slot }) if completion.outcome.is_ok() => {
                    if self.note_of(&completion).is_none() {
                        self.hear_farewell(slot, completion.len);
                    }
                    self.post_receive(slot);
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn hear_farewell(&mut self, slot: buffers::Slot, len: usize) {
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
        if let (Some(known), Kind::Farewell) = (known, header.kind) {
            known.leaves_at = Some(header.number);
        }
    }
}

impl Peer {
    /// Whether the peer has not sent its shutdown message, so that messages of it may come.
    fn may_send(&self) -> bool {
        self.state == State::Here && self.leaves_at.is_none()
    }

    /// Whether the peer can receive a shutdown message: it lives on, or has left and waits for
    /// `answers`.
    fn listens(&self, answers: bool) -> bool {
        self.state == State::Here || answers && self.state == State::Left
    }
}
