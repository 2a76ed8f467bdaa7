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

use std::time::{Duration, Instant};

use base::PeerId;
use mca::Framework;
use memory::UserBuf;
use mtl::{Started, Token};
use ofi::Completion;

use crate::endpoint::{Endpoint, Kind, Peer};
use crate::shutdown_state::{ShutdownMessage, RECEIVES, SHUTDOWN_BYTES};

/// Time without any movement after which outstanding messages are given up.
const DELIVERY_MAX: Duration = Duration::from_secs(10);

/// Time limit for replies where they are required, after all has arrived. Peers reply when they
/// poll the network; only one that computes or hangs makes this process wait so long.
const REPLIES_MAX: Duration = Duration::from_millis(100);

impl Endpoint {
    /// Posts the receives of shutdown messages, once.
    pub(crate) fn post_shutdown_receives(&mut self) {
        if !std::mem::replace(&mut self.shutdown.posted, true) {
            (0..RECEIVES).for_each(|at| self.post_shutdown_receive(at));
        }
    }

    fn post_shutdown_receive(&mut self, at: usize) {
        let into = self.shutdown_buffer(at);
        let started = self.start(
            Token(0),
            Kind::PeerShutdown { at },
            into,
            |endpoint, mr, key| endpoint.receive(ofi::Address::ANY, into, mr, key),
        );
        // With fewer receives a shutdown message waits longer to be received.
        if started != Ok(Started::Pending) {
            Framework::Mtl.debug(format_args!(
                "no receive for a shutdown message: {started:?}"
            ));
        }
    }

    fn shutdown_buffer(&self, at: usize) -> UserBuf {
        let buffers = self.shutdown.buffers.buf();
        buffers.part(at * SHUTDOWN_BYTES, SHUTDOWN_BYTES)
    }

    /// Handles a shutdown message, or the cancellation of its receive.
    #[cold]
    pub(crate) fn peer_shut_down(&mut self, at: usize, completion: &Completion) {
        if completion.outcome.is_err() {
            return;
        }
        let mut bytes = [0; SHUTDOWN_BYTES];
        self.shutdown_buffer(at).read(0, &mut bytes);
        let (from, address) = bytes.split_at(4);
        let from = PeerId(u32::from_le_bytes(from.try_into().unwrap_or_default()));
        let address = u64::from_le_bytes(address.try_into().unwrap_or_default());
        self.post_shutdown_receive(at);
        let known = self.peers.get_mut(from.index()).and_then(Option::as_mut);
        let known = known.filter(|peer| peer.digest == address);
        let Some(peer) = known.filter(|_| completion.len == SHUTDOWN_BYTES) else {
            Framework::Mtl.debug(format_args!("a shutdown message of an unknown peer"));
            return;
        };
        peer.left = true;
        self.moved();
        if self.shutdown.awaits_replies && !self.send_shutdown_message(from) {
            self.shutdown.unreplied.push(from);
        }
    }

    /// Handles the completion of the shutdown message to a peer.
    #[cold]
    pub(crate) fn shutdown_message_sent(&mut self, to: PeerId, completion: &Completion) {
        if let Err(failure) = &completion.outcome {
            Framework::Mtl.debug(format_args!(
                "no shutdown message to {to}: {}",
                failure.text
            ));
        }
        if let Some(Some(peer)) = self.peers.get_mut(to.index()) {
            peer.shutdown = ShutdownMessage::Arrived;
        }
        self.moved();
    }

    fn moved(&mut self) {
        if let Some(since) = &mut self.shutdown.idle_since {
            *since = Instant::now();
        }
    }

    /// Replies to the peers that have left and could not get a reply at once.
    #[inline]
    pub(crate) fn send_shutdown_replies(&mut self) {
        if !self.shutdown.unreplied.is_empty() {
            for peer in std::mem::take(&mut self.shutdown.unreplied) {
                if !self.send_shutdown_message(peer) {
                    self.shutdown.unreplied.push(peer);
                }
            }
        }
    }

    /// Sends a peer the shutdown message, once; returns whether that is done.
    fn send_shutdown_message(&mut self, to: PeerId) -> bool {
        let Some(Some(Peer {
            address, shutdown, ..
        })) = self.peers.get(to.index())
        else {
            return true;
        };
        let (address, shutdown) = (*address, *shutdown);
        if shutdown != ShutdownMessage::Unsent {
            return true;
        }
        let own = self.shutdown.own.buf();
        let started = self.start(Token(0), Kind::Shutdown { to }, own, |endpoint, mr, key| {
            endpoint.send(address, own, mr, 0, key)
        });
        let shutdown = match started {
            Ok(Started::Pending | Started::Done) => ShutdownMessage::Accepted,
            Ok(Started::Busy) => return false,
            Err(error) => {
                Framework::Mtl.debug(format_args!("no shutdown message to {to}: {error}"));
                ShutdownMessage::Arrived
            }
        };
        if let Some(Some(peer)) = self.peers.get_mut(to.index()) {
            peer.shutdown = shutdown;
        }
        true
    }

    /// Does one step of leaving, as `mtl::Transport::depart` says.
    pub(crate) fn leave(&mut self, gone: &dyn Fn(PeerId) -> bool) -> bool {
        if self.endpoint.is_none() || self.broken {
            return true;
        }
        let idle_since = *self.shutdown.idle_since.get_or_insert_with(Instant::now);
        let awaits_replies = self.shutdown.awaits_replies;
        let (mut arrived, mut replied) = (true, true);
        for id in (0..self.peers.len() as u32).map(PeerId) {
            let Some(Some(peer)) = self.peers.get(id.index()) else {
                continue;
            };
            if !peer.met || id == self.me || gone(id) {
                continue;
            }
            let left = peer.left;
            replied &= left || !awaits_replies;
            if awaits_replies || !left {
                self.send_shutdown_message(id);
            }
            let shutdown = self.peers[id.index()].as_ref().map(|peer| peer.shutdown);
            arrived &= left || shutdown == Some(ShutdownMessage::Arrived);
        }
        let idle = idle_since.elapsed();
        if !arrived && idle >= DELIVERY_MAX {
            Framework::Mtl.warn(format_args!(
                "leaving although messages may not have arrived"
            ));
        }
        match (arrived, replied) {
            (true, true) => true,
            (true, false) => idle >= REPLIES_MAX,
            (false, _) => idle >= DELIVERY_MAX,
        }
    }
}
