//! Orderly shutdown: a process leaves without losing messages that it has sent.
//!
//! An injected message has no completion, so nothing says when it has left: `sockets` hands it to a
//! thread, which an endpoint that closes stops. So a process that leaves sends each peer that it
//! has exchanged messages with a shutdown message, and waits for that one's completion. Messages of
//! one sender keep their order: once the shutdown message has arrived, so have all before it.
//!
//! A shutdown message has no label, so no receive of an application can match it. The peer learns
//! from it that nobody listens any more, and does not wait for its own sends: a provider that makes
//! connections as they are needed (`ofi_rxm`) would retry for ever.
//!
//! `ofi_rxm` (all versions up to 2.5) also fails on messages that come while it closes. There a
//! process that leaves waits a little for the shutdown messages of its peers. They reply as soon as
//! they have received its own: from then on they send it nothing, so they may do so long before
//! they leave.
//!
//! ```text
//!  0        4                12
//!  | sender | the address     |    of the sender, as a digest: tells its openings apart
//! ```

use std::time::{Duration, Instant};

use base::PeerId;
use memory::{Scratch, UserBuf};
use mtl::{Started, Token};
use ofi::Completion;

use crate::endpoint::{Kind, Peer};
use crate::Endpoint;

const FAREWELL_BYTES: usize = 12;

/// Receives that wait for shutdown messages. More of them than that wait at the provider.
const ROOMS: usize = 8;

/// Time without any movement after which outstanding messages are given up.
const DELIVERY_MAX: Duration = Duration::from_secs(10);

/// Time limit for replies where they are required, after all has arrived. Peers reply when they
/// poll the network; only one that computes or hangs makes this process wait so long.
const ANSWERS_MAX: Duration = Duration::from_millis(100);

/// The state of leaving.
pub(crate) struct Parting {
    /// This process's shutdown message, the same for every peer.
    own: Scratch,
    rooms: Scratch,
    posted: bool,
    /// Whether a message that comes while the endpoint closes is dangerous.
    must_hear: bool,
    /// Peers that have left and got no reply, because the provider was busy.
    unanswered: Vec<PeerId>,
    /// Time since which nothing has moved, while this process leaves.
    pub(crate) still_since: Option<Instant>,
}

/// The progress of a shutdown message to a peer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Said {
    No,
    /// The provider has accepted it.
    Away,
    /// It has arrived, or the peer was gone.
    Arrived,
}

impl Parting {
    pub(crate) fn new(me: PeerId, address: &[u8], info: &ofi::Info) -> Parting {
        let own = Scratch::new(FAREWELL_BYTES);
        own.buf().write(0, &me.0.to_le_bytes());
        own.buf().write(4, &digest(address).to_le_bytes());
        Parting {
            own,
            rooms: Scratch::new(ROOMS * FAREWELL_BYTES),
            posted: false,
            must_hear: info.quirks.closes_on_messages,
            unanswered: Vec::new(),
            still_since: None,
        }
    }
}

/// Returns a number for an address (FNV-1a), the same in every build.
pub(crate) fn digest(address: &[u8]) -> u64 {
    let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3);
    address.iter().fold(0xcbf2_9ce4_8422_2325, step)
}

impl Endpoint {
    /// Posts the receives of shutdown messages, once.
    pub(crate) fn listen_for_farewells(&mut self) {
        if !std::mem::replace(&mut self.parting.posted, true) {
            (0..ROOMS).for_each(|room| self.listen(room));
        }
    }

    fn listen(&mut self, room: usize) {
        let into = self.parting_room(room);
        let started = self.start(Token(0), Kind::Hear { room }, into, |endpoint, mr, key| {
            endpoint.receive(ofi::Address::ANY, into, mr, key)
        });
        // With fewer receives a shutdown message waits longer to be received.
        if started != Ok(Started::Pending) {
            log::debug!(target: "mtl::ofi", "no receive for a farewell: {started:?}");
        }
    }

    fn parting_room(&self, room: usize) -> UserBuf {
        let rooms = self.parting.rooms.buf();
        rooms.part(room * FAREWELL_BYTES, FAREWELL_BYTES)
    }

    /// Handles a shutdown message, or the cancellation of its receive.
    #[cold]
    pub(crate) fn heard(&mut self, room: usize, completion: &Completion) {
        if completion.outcome.is_err() {
            return;
        }
        let mut bytes = [0; FAREWELL_BYTES];
        self.parting_room(room).read(0, &mut bytes);
        let (from, address) = bytes.split_at(4);
        let from = PeerId(u32::from_le_bytes(from.try_into().unwrap_or_default()));
        let address = u64::from_le_bytes(address.try_into().unwrap_or_default());
        self.listen(room);
        let known = self.peers.get_mut(from.index()).and_then(Option::as_mut);
        let known = known.filter(|peer| peer.digest == address);
        let Some(peer) = known.filter(|_| completion.len == FAREWELL_BYTES) else {
            log::debug!(target: "mtl::ofi", "a farewell of nobody who is known here");
            return;
        };
        peer.left = true;
        self.moved();
        if self.parting.must_hear && !self.say_farewell(from) {
            self.parting.unanswered.push(from);
        }
    }

    /// Handles the completion of the shutdown message to a peer.
    #[cold]
    pub(crate) fn farewell_over(&mut self, to: PeerId, completion: &Completion) {
        if let Err(failure) = &completion.outcome {
            log::debug!(target: "mtl::ofi", "no farewell to {to}: {}", failure.text);
        }
        if let Some(Some(peer)) = self.peers.get_mut(to.index()) {
            peer.said = Said::Arrived;
        }
        self.moved();
    }

    fn moved(&mut self) {
        if let Some(since) = &mut self.parting.still_since {
            *since = Instant::now();
        }
    }

    /// Replies to the peers that have left and could not get a reply at once.
    #[inline]
    pub(crate) fn answer_farewells(&mut self) {
        if !self.parting.unanswered.is_empty() {
            for peer in std::mem::take(&mut self.parting.unanswered) {
                if !self.say_farewell(peer) {
                    self.parting.unanswered.push(peer);
                }
            }
        }
    }

    /// Sends a peer the shutdown message, once; returns whether that is done.
    fn say_farewell(&mut self, to: PeerId) -> bool {
        let Some(Some(Peer { address, said, .. })) = self.peers.get(to.index()) else {
            return true;
        };
        let (address, said) = (*address, *said);
        if said != Said::No {
            return true;
        }
        let own = self.parting.own.buf();
        let started = self.start(Token(0), Kind::Farewell { to }, own, |endpoint, mr, key| {
            endpoint.send(address, own, mr, 0, key)
        });
        let said = match started {
            Ok(Started::Pending | Started::Done) => Said::Away,
            Ok(Started::Busy) => return false,
            Err(error) => {
                log::debug!(target: "mtl::ofi", "no farewell to {to}: {error}");
                Said::Arrived
            }
        };
        if let Some(Some(peer)) = self.peers.get_mut(to.index()) {
            peer.said = said;
        }
        true
    }

    /// Does one step of leaving, as `mtl::Transport::depart` says.
    pub(crate) fn leave(&mut self, gone: &dyn Fn(PeerId) -> bool) -> bool {
        if self.endpoint.is_none() || self.broken {
            return true;
        }
        let still_since = *self.parting.still_since.get_or_insert_with(Instant::now);
        let must_hear = self.parting.must_hear;
        let (mut arrived, mut heard) = (true, true);
        for id in (0..self.peers.len() as u32).map(PeerId) {
            let Some(Some(peer)) = self.peers.get(id.index()) else {
                continue;
            };
            if !peer.met || id == self.me || gone(id) {
                continue;
            }
            let left = peer.left;
            heard &= left || !must_hear;
            if must_hear || !left {
                self.say_farewell(id);
            }
            let said = self.peers[id.index()].as_ref().map(|peer| peer.said);
            arrived &= left || said == Some(Said::Arrived);
        }
        let still = still_since.elapsed();
        if !arrived && still >= DELIVERY_MAX {
            log::warn!(target: "mtl::ofi", "leaving although messages may not have arrived");
        }
        match (arrived, heard) {
            (true, true) => true,
            (true, false) => still >= ANSWERS_MAX,
            (false, _) => still >= DELIVERY_MAX,
        }
    }
}
