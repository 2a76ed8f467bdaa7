//! Handles peers that have failed: ends the operations that name them.
//!
//! Operations that are queued here fail immediately. Those that the network has accepted are
//! cancelled. Networks do not report all of these: `ofi_rxm` never reports a long message that its
//! receiver did not fetch before it died, and nothing can cancel that. So an operation that names a
//! dead peer completes for the application with an error, and stays behind as *abandoned*: its
//! entry and the library's memory that belongs to it live until the network reports it, or until
//! the network is closed. The report is then ignored.
//!
//! The application may reuse the memory of such an operation, while the network may still access
//! it. That has no effect if the peer is really dead: a network reads the memory of a send when the
//! receiver fetches it, and writes to that of a receive when bytes of the sender arrive. Receives
//! wait for [`PATIENCE`], for bytes that may be in flight: the owner polls the layer, and calls
//! [`Cm::reclaim`] with its clock. A receive from any source is never ended without the network's
//! report: a living sender may be writing to it.

use std::sync::Arc;
use std::time::Duration;

use base::{Key, PeerId};
use mca::Framework;
use mtl::{Error, Token};
use pml::Failure;

use crate::request::{Request, Role, Stage, Unreleased};
use crate::state::State;
use crate::Cm;

/// The number of no peer.
const NOBODY: PeerId = PeerId(u32::MAX);

/// How long the network may take to release receives from a dead peer.
pub(crate) const PATIENCE: Duration = Duration::from_millis(20);

impl Cm {
    /// Forgets a peer that has left and may come back as another instance. What is not sent to it
    /// ends with an error; receives from it stay.
    pub(crate) fn forget_peer(&mut self, peer: PeerId) {
        let failure = Failure::PeerFailed {
            peer,
            why: "it left before the message was complete".into(),
        };
        for lost in self.state.fail_dependents(peer, &failure, false) {
            self.network.cancel(lost);
        }
        self.network.remove_peer(peer);
        self.poll();
        self.state.forget_failure(peer);
    }

    /// Ends everything that depends on a peer that is gone with an error, also the receives from
    /// any source in communicators that it belongs to (it may have been the sender). Sends to it
    /// are complete when this returns, and receives that name it once [`Cm::reclaim`] has ended
    /// them.
    pub(crate) fn lose_peer(&mut self, peer: PeerId, why: &str) {
        if !self.state.mark_failed(peer, why) {
            return;
        }
        self.state.failures += 1;
        self.state.counters.peers_failed.add(1);
        Framework::Pml.info(format_args!("{peer} failed: {why}"));
        let why: Arc<str> = why.into();
        let failure = Failure::PeerFailed { peer, why };
        let lost = self.state.fail_dependents(peer, &failure, true);
        for token in lost {
            self.network.cancel(token);
            self.await_release(Key::from_bits(token.0));
        }
    }

    /// Has a receive from a dead peer end: when the network releases it, or after [`PATIENCE`].
    pub(crate) fn await_release(&mut self, receive: Key) {
        self.unreleased.push(Unreleased {
            receive,
            until: None,
        });
    }

    /// Returns whether the network has to release receives from dead peers. Until it has, the owner
    /// calls [`Cm::reclaim`] after each poll.
    #[inline]
    pub fn is_reclaiming(&self) -> bool {
        !self.unreleased.is_empty()
    }

    /// Abandons the receives from dead peers that the network has not released for [`PATIENCE`],
    /// counted from the first call after the death. Returns how many. `now` counts from a moment
    /// that the owner chooses once.
    #[cold]
    pub fn reclaim(&mut self, now: Duration) -> usize {
        let (state, mut ended) = (&mut self.state, 0);
        self.unreleased.retain_mut(|Unreleased { receive, until }| {
            if !state.is_unreleased(*receive) {
                return false;
            }
            if now < *until.get_or_insert(now + PATIENCE) {
                return true;
            }
            state.abandon(*receive);
            ended += 1;
            false
        });
        ended
    }
}

impl State {
    /// Notes that a peer failed; false when that was known.
    fn mark_failed(&mut self, peer: PeerId, why: &str) -> bool {
        let Some(entry) = self.peers.get_mut(peer.index()) else {
            return false;
        };
        if entry.failed.is_some() {
            return false;
        }
        entry.failed = Some(why.into());
        self.failed_peers.push((peer, why.to_string()));
        true
    }

    /// Lets a peer that failed be another one from now on.
    fn forget_failure(&mut self, peer: PeerId) {
        if let Some(entry) = self.peers.get_mut(peer.index()) {
            entry.failed = None;
        }
        // The list only grows: others have counted its entries.
        let stale = self.lost_peers.iter_mut().filter(|(lost, _)| *lost == peer);
        stale.for_each(|(lost, _)| *lost = NOBODY);
    }

    /// Ends what depends on a failed peer and is not with the network, and the sends to it; the
    /// receives that the network has will end with the same failure. Without `receives` those of
    /// messages are spared, and the network ends the sends that it has. Returns the receives that
    /// the network should release.
    fn fail_dependents(&mut self, peer: PeerId, failure: &Failure, receives: bool) -> Vec<Token> {
        self.peers[peer.index()].queue.clear();
        self.ready.retain(|ready| *ready != peer);
        let lost: Vec<Key> = self
            .requests
            .iter()
            .filter(|(_, request)| receives || !matches!(request.role, Role::Recv { .. }))
            .filter(|(_, request)| self.depends(request, peer))
            .map(|(key, _)| key)
            .collect();
        let mut taken = Vec::new();
        for key in lost {
            let Some(entry) = self.requests.get_mut(key) else {
                continue;
            };
            let (is_send, with_network) = match entry.role {
                Role::Send { stage, .. } => (true, stage == Stage::Accepted),
                _ => (false, entry.posted),
            };
            if with_network {
                entry.failure = Some(failure.clone());
                match (is_send, receives) {
                    (false, _) => taken.push(Token(key.bits())),
                    (true, true) => self.abandon(key),
                    (true, false) => {}
                }
            } else {
                self.receives.retain(|queued| *queued != key);
                self.end_receive_or_send(key, failure.clone());
            }
        }
        taken
    }

    fn depends(&self, request: &Request, peer: PeerId) -> bool {
        match &request.role {
            Role::Send { peer: to, .. } => *to == peer,
            Role::Acknowledgement { from, .. } => *from == peer,
            Role::Recv { comm, from, .. } => match from {
                Some(from) => *from == peer,
                None => self
                    .comms
                    .get(*comm)
                    .is_some_and(|comm| comm.rank_of(peer).is_some()),
            },
            Role::Peek { .. } | Role::Claimed { .. } | Role::Done(_) | Role::Orphan => false,
        }
    }

    fn end_receive_or_send(&mut self, key: Key, failure: Failure) {
        match self.requests.get(key).map(|entry| &entry.role) {
            Some(Role::Acknowledgement { .. }) => self.drop_acknowledgement(key),
            _ => self.finish(key, Err(failure)),
        }
    }

    /// Drops the receive of an acknowledgement that did not arrive.
    pub(crate) fn drop_acknowledgement(&mut self, key: Key) {
        let Some(Role::Acknowledgement { comm, .. }) =
            self.requests.get(key).map(|entry| &entry.role)
        else {
            return;
        };
        let comm = *comm;
        self.requests.remove(key);
        self.leave_comm(comm);
    }

    /// Returns whether the network has not released a receive that names a failed peer.
    fn is_unreleased(&self, key: Key) -> bool {
        let names = |entry: &Request| matches!(entry.role, Role::Recv { from: Some(_), .. });
        self.requests
            .get(key)
            .is_some_and(|entry| entry.failure.is_some() && names(entry))
    }

    /// Ends an operation with its failure, though the network has not released it.
    fn abandon(&mut self, key: Key) {
        let Some(entry) = self.requests.get_mut(key) else {
            return;
        };
        let Some(failure) = entry.failure.take() else {
            return;
        };
        match entry.role {
            Role::Send { .. } => {
                entry.abandoned = true;
                self.sending = self.sending.saturating_sub(1);
            }
            Role::Recv { claimed, .. } => {
                entry.abandoned = entry.posted;
                if let (false, Some(claim)) = (entry.posted, claimed) {
                    self.requests.remove(claim);
                }
                self.receives.retain(|queued| *queued != key);
            }
            _ => return,
        }
        self.finish(key, Err(failure));
    }

    /// Notes that the network has released an operation. Returns whether that was abandoned.
    #[inline]
    pub(crate) fn released(&mut self, key: Key) -> bool {
        match self.requests.get_mut(key) {
            Some(entry) if entry.abandoned => {
                entry.abandoned = false;
                entry.packed = None;
                if matches!(entry.role, Role::Orphan) {
                    self.requests.remove(key);
                    self.orphans -= 1;
                }
                true
            }
            _ => false,
        }
    }

    /// Returns the error of a receive that ended without its message. Where labels name senders
    /// the network cannot name the sender of an incomplete message; the receive may.
    #[cold]
    pub(crate) fn blame(&self, key: Key, error: Error) -> Error {
        let Error::Resource { why, .. } = &error else {
            return error;
        };
        match self.requests.get(key).map(|entry| &entry.role) {
            Some(Role::Recv {
                from: Some(peer), ..
            }) => Error::PeerGone {
                peer: *peer,
                how: why.clone(),
            },
            _ => error,
        }
    }

    /// Has a receive of a claimed message fail, where its sender has died since and the network
    /// does not have the whole message. Returns whether it does.
    pub(crate) fn fail_claimed(&mut self, key: Key) -> bool {
        let Some(entry) = self.requests.get_mut(key) else {
            return false;
        };
        let Role::Recv {
            from: Some(peer), ..
        } = entry.role
        else {
            return false;
        };
        let Some(why) = self.peers[peer.index()].failed.clone() else {
            return false;
        };
        entry.failure = Some(Failure::PeerFailed { peer, why });
        true
    }
}
