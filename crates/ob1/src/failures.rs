//! Handles peers that fail or leave: ends their requests.

use std::sync::Arc;

use base::{Key, PeerId, Rank};
use pml::{CommId, Failure, RequestId};

use crate::driver::Driver;
use crate::peer::Peer;
use crate::protocol::Protocol;
use crate::request::{After, Phase, Request};

impl Protocol {
    /// Ends everything that depends on a peer that is gone with an error. Receives from any source
    /// in its communicators report the failure, since it may have been the sender, and stay posted.
    pub fn peer_failed(&mut self, peer: PeerId, why: &str, driver: &mut dyn Driver) {
        let Some(entry) = self.peers.get_mut(peer.index()) else {
            return;
        };
        if entry.failed.is_some() {
            return;
        }
        let why: Arc<str> = why.into();
        entry.failed = Some(why.clone());
        entry.reachable = false;
        entry.pipelined = None;
        self.meter.forget(peer);
        self.any_failed = true;
        self.counters.peers_failed.add(1);
        self.failures += 1;
        entry.queue.clear();
        self.ready.retain(|ready| *ready != peer);
        self.unmatched.retain(|(from, _)| *from != peer);
        let mut lost: Vec<Key> = Vec::new();
        for (key, request) in self.requests.iter() {
            if request.depends_on() == Some(peer) {
                lost.push(key);
                if let Phase::Rendezvous { key: Some(key), .. } = request.phase {
                    driver.deregister(peer, key);
                }
            }
        }
        let mut disturbed = Vec::new();
        let comms: Vec<Key> = self.comms.iter().map(|(key, _)| key).collect();
        for comm in comms {
            let Some(matching) = self.comms.get_mut(comm) else {
                continue;
            };
            let Some(rank) = matching.rank_of(peer) else {
                continue;
            };
            lost.extend(matching.take_posted_for(rank));
            matching.unacked = Some((peer, why.clone()));
            disturbed.extend(matching.posted_for_any());
            self.drop_if_closed(comm);
        }
        for request in disturbed {
            self.disturb(request, peer, why.clone());
        }
        for request in lost {
            self.finish(
                request,
                Err(Failure::PeerFailed {
                    peer,
                    why: why.clone(),
                }),
            );
        }
    }

    /// Reports, through a receive from any source, that a member has failed.
    #[cold]
    pub(crate) fn disturb(&mut self, request: Key, peer: PeerId, why: Arc<str>) {
        let Some(entry) = self.requests.get_mut(request) else {
            return;
        };
        let (Phase::Posted { comm, .. } | Phase::Disturbed { comm }) = entry.phase else {
            return;
        };
        entry.phase = Phase::Disturbed { comm };
        entry.failure = Some(Box::new(Failure::Pending { peer, why }));
        self.failures += 1;
        if let After::Reported(owner) = entry.after {
            self.ended.push(owner);
        }
    }

    /// Makes a receive from any source wait as others do.
    #[cold]
    pub(crate) fn calm(&mut self, request: Key) {
        let Some(entry) = self.requests.get_mut(request) else {
            return;
        };
        if let Phase::Disturbed { comm } = entry.phase {
            entry.phase = Phase::Posted { comm, source: None };
            entry.failure = None;
        }
    }

    /// Takes note that the application knows of all failures so far of a communicator's members:
    /// receives from any source wait again.
    pub fn acknowledge(&mut self, comm: CommId) {
        let Some(matching) = self.comms.get_mut(comm.key()) else {
            return;
        };
        matching.unacked = None;
        for request in matching.posted_for_any() {
            self.calm(request);
        }
    }

    /// Revokes a communicator: receives that wait end with an error, sends that wait are withdrawn
    /// and end so where no receive has them, and so does all that begins later. Messages that still
    /// come are held under the number that this returns, until that is closed.
    pub fn revoke(&mut self, comm: CommId) -> Option<CommId> {
        let mut matching = self.comms.remove(comm.key())?;
        self.any_failed = true;
        let posted = matching.take_all_posted();
        let context = matching.context;
        let held = self.comms.insert(matching);
        self.rename(context, held);
        for request in posted {
            self.finish(request, Err(Failure::Revoked));
        }
        let of_it = |(key, request): &(Key, &Request)| {
            let origin = self.origins.get(*key);
            origin.and_then(|origin| origin.comm) == Some(comm.key()) && !request.is_done()
        };
        let sends: Vec<Key> = (self.requests.iter().filter(of_it))
            .map(|(key, _)| key)
            .collect();
        for request in sends {
            self.cancel(RequestId::from_key(request));
        }
        Some(CommId::from_key(held))
    }

    /// Returns why nothing will come that a receive from this source accepts, or why that is in
    /// doubt; `None` where it may come.
    pub fn hopeless(&self, comm: CommId, source: Option<Rank>) -> Option<Failure> {
        let Some(matching) = self.comms.get(comm.key()) else {
            return Some(Failure::Revoked);
        };
        if !self.any_failed {
            return None;
        }
        let Some(source) = source else {
            let (peer, why) = matching.unacked.clone()?;
            return Some(Failure::Pending { peer, why });
        };
        let peer = matching.peers[source.index()];
        let why = self.peers[peer.index()].failed.clone()?;
        Some(Failure::PeerFailed { peer, why })
    }

    /// Returns the members that messages of a communicator go to and come from.
    pub fn members(&self, comm: CommId) -> &[PeerId] {
        let matching = self.comms.get(comm.key());
        matching.map_or(&[], |matching| &matching.peers)
    }

    /// Forgets a peer that has left and may come back as another instance, whose flow control
    /// begins anew. What is not complete with it ends with an error; messages that came from it
    /// stay, and so do receives from it.
    pub fn forget_peer(&mut self, peer: PeerId, driver: &mut dyn Driver) {
        if peer.index() >= self.peers.len() {
            return;
        }
        self.reset_peer(peer);
        let depends = |(_, request): &(Key, &Request)| request.depends_on() == Some(peer);
        let lost: Vec<Key> = self
            .requests
            .iter()
            .filter(depends)
            .map(|(key, _)| key)
            .collect();
        let why: Arc<str> = "it left before the message was complete".into();
        for request in lost {
            if let Some(Phase::Rendezvous { key: Some(key), .. }) =
                self.requests.get(request).map(|request| &request.phase)
            {
                driver.deregister(peer, *key);
            }
            let why = why.clone();
            self.finish(request, Err(Failure::PeerFailed { peer, why }));
        }
    }

    /// Begins anew with a peer: its flow control, and what is queued for it.
    pub(crate) fn reset_peer(&mut self, peer: PeerId) {
        self.peers[peer.index()] = Peer::counting(self.counters.renew_peer(peer));
        self.meter.forget(peer);
        self.ready.retain(|ready| *ready != peer);
        self.unmatched.retain(|(from, _)| *from != peer);
        self.any_failed = self.peers.iter().any(|peer| peer.failed.is_some());
    }
}
