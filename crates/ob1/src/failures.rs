//! Handles peers that fail or leave: ends their requests.

use std::sync::Arc;

use base::{Key, PeerId};
use pml::Failure;

use crate::driver::Driver;
use crate::peer::Peer;
use crate::protocol::Protocol;
use crate::request::{Phase, Request};

impl Protocol {
    /// Ends everything that depends on a peer that is gone with an error, also the receives from
    /// any source in communicators that it belongs to (it may have been the sender).
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
        let mut lost: Vec<Key> = Vec::new();
        for (key, request) in self.requests.iter() {
            if request.depends_on() == Some(peer) {
                lost.push(key);
                if let Phase::Rendezvous { key: Some(key), .. } = request.phase {
                    driver.deregister(peer, key);
                }
            }
        }
        let comms: Vec<Key> = self.comms.iter().map(|(key, _)| key).collect();
        for comm in comms {
            let Some(matching) = self.comms.get_mut(comm) else {
                continue;
            };
            let Some(rank) = matching.rank_of(peer) else {
                continue;
            };
            lost.extend(matching.take_posted_for(rank));
            lost.extend(matching.take_posted_for_any());
            self.drop_if_closed(comm);
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
        self.any_failed = self.peers.iter().any(|peer| peer.failed.is_some());
    }
}
