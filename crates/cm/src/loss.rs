//! Handles peers that have failed: ends the operations that name them.
//!
//! Operations that are queued here fail immediately. Those that the network has accepted are
//! cancelled. Networks do not report all of these: `ofi_rxm` never reports a long message that its
//! receiver did not fetch before it died, and nothing can cancel that. So an operation that names a
//! dead peer completes for the application with an error, and stays behind as *lent*: its entry and
//! the library's memory that belongs to it live until the network reports it, or until the network
//! is closed. The report is then ignored.
//!
//! The application may reuse the memory of such an operation, while the network may still access
//! it. That has no effect if the peer is really dead: a network reads the memory of a send when the
//! receiver fetches it, and writes to that of a receive when bytes of the sender arrive. Receives
//! wait for [`PATIENCE`], for bytes that may be in flight. A receive from any source is never ended
//! without the network's report: a living sender may be writing to it.

use std::sync::Arc;
use std::time::{Duration, Instant};

use base::{Key, PeerId};
use mtl::{Error, Token};
use pml::Failure;

use crate::request::{Request, Role, Stage};
use crate::state::State;
use crate::Cm;

/// How long the network may take to give receives from a dead peer back.
const PATIENCE: Duration = Duration::from_millis(20);

impl Cm {
    /// Forgets a peer that has left and may come back as another instance. What is not sent to it
    /// ends with an error; receives from it stay.
    pub(crate) fn forget_peer(&mut self, peer: PeerId) {
        let failure = Failure::PeerFailed {
            peer,
            why: "it left before the message was complete".into(),
        };
        for doomed in self.state.doom(peer, &failure, false) {
            self.network.cancel(doomed);
        }
        self.network.remove_peer(peer);
        self.poll();
        self.state.forget_failure(peer);
    }

    /// A peer is gone: everything that depends on it completes with an error, also the receives
    /// from any source in communicators that it belongs to (it may have been the sender). What
    /// names it is complete when this returns.
    pub(crate) fn lose_peer(&mut self, peer: PeerId, why: &str) {
        if !self.state.mark_failed(peer, why) {
            return;
        }
        self.state.failures += 1;
        log::info!(target: "pml", "{peer} failed: {why}");
        let why: Arc<str> = why.into();
        let failure = Failure::PeerFailed { peer, why };
        let doomed = self.state.doom(peer, &failure, true);
        for token in &doomed {
            self.network.cancel(*token);
        }
        self.reclaim(&doomed);
    }

    /// Waits a little for receives from a dead peer, and ends those that the network keeps.
    pub(crate) fn reclaim(&mut self, doomed: &[Token]) {
        let began = Instant::now();
        let kept = |state: &State, token: &Token| state.is_kept_from(Key::from_bits(token.0));
        while doomed.iter().any(|token| kept(&self.state, token)) && began.elapsed() < PATIENCE {
            self.network.progress(&mut self.state);
            self.offer_receives();
        }
        for token in doomed {
            if kept(&self.state, token) {
                self.state.abandon(Key::from_bits(token.0));
            }
        }
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
        self.news.push((peer, why.to_string()));
        true
    }

    /// Lets a peer that failed be another one from now on.
    fn forget_failure(&mut self, peer: PeerId) {
        if let Some(entry) = self.peers.get_mut(peer.index()) {
            entry.failed = None;
        }
        self.lost.retain(|(lost, _)| *lost != peer);
    }

    /// Ends what depends on a failed peer and is not with the network, and the sends to it; the
    /// receives that the network has will end with the same failure. Without `receives` those of
    /// messages are spared, and the network ends the sends that it has. Returns the receives that
    /// the network should give back.
    fn doom(&mut self, peer: PeerId, failure: &Failure, receives: bool) -> Vec<Token> {
        self.peers[peer.index()].parked.clear();
        self.ready.retain(|ready| *ready != peer);
        let doomed: Vec<Key> = self
            .requests
            .iter()
            .filter(|(_, request)| receives || !matches!(request.role, Role::Recv { .. }))
            .filter(|(_, request)| self.depends(request, peer))
            .map(|(key, _)| key)
            .collect();
        let mut taken = Vec::new();
        for key in doomed {
            let Some(entry) = self.requests.get_mut(key) else {
                continue;
            };
            let (is_send, with_network) = match entry.role {
                Role::Send { stage, .. } => (true, stage == Stage::Taken),
                _ => (false, entry.posted),
            };
            if with_network {
                entry.doom = Some(failure.clone());
                match (is_send, receives) {
                    (false, _) => taken.push(Token(key.bits())),
                    (true, true) => self.abandon(key),
                    (true, false) => {}
                }
            } else {
                self.receives.retain(|parked| *parked != key);
                self.end_receive_or_send(key, failure.clone());
            }
        }
        taken
    }

    fn depends(&self, request: &Request, peer: PeerId) -> bool {
        match &request.role {
            Role::Send { peer: to, .. } => *to == peer,
            Role::Await { from, .. } => *from == peer,
            Role::Recv { comm, from, .. } => match from {
                Some(from) => *from == peer,
                None => self
                    .comms
                    .get(*comm)
                    .is_some_and(|comm| comm.rank_of(peer).is_some()),
            },
            Role::Look { .. } | Role::Claimed { .. } | Role::Done(_) | Role::Orphan => false,
        }
    }

    fn end_receive_or_send(&mut self, key: Key, failure: Failure) {
        match self.requests.get(key).map(|entry| &entry.role) {
            Some(Role::Await { .. }) => self.drop_await(key),
            _ => self.finish(key, Err(failure)),
        }
    }

    /// The receive of an acknowledgement is over without one.
    pub(crate) fn drop_await(&mut self, key: Key) {
        let Some(Role::Await { comm, .. }) = self.requests.get(key).map(|entry| &entry.role) else {
            return;
        };
        let comm = *comm;
        self.requests.remove(key);
        self.leave_comm(comm);
    }

    /// Whether the network keeps a receive that names a failed peer.
    fn is_kept_from(&self, key: Key) -> bool {
        let names = |entry: &Request| matches!(entry.role, Role::Recv { from: Some(_), .. });
        self.requests
            .get(key)
            .is_some_and(|entry| entry.doom.is_some() && names(entry))
    }

    /// Ends a doomed operation that the network has.
    fn abandon(&mut self, key: Key) {
        let Some(entry) = self.requests.get_mut(key) else {
            return;
        };
        let Some(failure) = entry.doom.take() else {
            return;
        };
        match entry.role {
            Role::Send { .. } => {
                entry.lent = true;
                self.sending = self.sending.saturating_sub(1);
            }
            Role::Recv { claimed, .. } => {
                entry.lent = entry.posted;
                if let (false, Some(claim)) = (entry.posted, claimed) {
                    self.requests.remove(claim);
                }
                self.receives.retain(|parked| *parked != key);
            }
            _ => return,
        }
        self.finish(key, Err(failure));
    }

    /// The network gives an operation back. Whether that had ended before.
    #[inline]
    pub(crate) fn given_back(&mut self, key: Key) -> bool {
        match self.requests.get_mut(key) {
            Some(entry) if entry.lent => {
                entry.lent = false;
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

    /// Returns the error that a receive's end without its message means. Where labels name senders
    /// the network cannot say whose message broke off; a receive that names its sender can.
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
    pub(crate) fn doom_claimed(&mut self, key: Key) -> bool {
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
        entry.doom = Some(Failure::PeerFailed { peer, why });
        true
    }
}
