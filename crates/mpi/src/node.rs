//! Decisions about the processes of a group that share a node, which all of them come to alike
//! ([`locality`]).
//!
//! [`locality`]: shm::locality

use std::sync::Arc;

use base::{PeerId, Rank};
use coll::{Nodes, Rules};
use engine::Core;

use crate::{Comm, Error, Group, Process};
use shm::locality::{number, PlacedProcess};

impl Process {
    /// Returns the node of each of some processes as a number. All processes that call this with
    /// the same set get the same numbers, in whichever order.
    pub fn nodes_of(&self, peers: &[PeerId]) -> Vec<u32> {
        match peers.iter().all(|peer| self.is_own(*peer)) {
            true => {
                let nodes = peers.iter().map(|peer| self.identity.node_of(*peer));
                nodes.map(Option::unwrap_or_default).collect()
            }
            false => number(&self.stated(peers)),
        }
    }

    /// Returns the rules that choose the algorithms of an intra-communicator's collectives: with
    /// its table of nodes where these go by node, and with note of the choices where a report is
    /// wanted.
    pub(crate) fn rules_for(&self, group: &Group, rank: Rank) -> Arc<Rules> {
        let rules = &self.collectives.rules;
        let peers = group.peers();
        let by_nodes = self.collectives.by_nodes && peers.len() > 2;
        let nodes = by_nodes.then(|| Nodes::new(rank.0, &self.nodes_of(peers)));
        match (nodes.flatten(), self.explains()) {
            (None, false) => Arc::clone(rules),
            (nodes, explains) => Arc::new(Rules {
                nodes: nodes.map(Arc::new),
                choices: explains.then(Arc::default),
                ..Rules::clone(rules)
            }),
        }
    }

    /// Whether collectives of a group may go through shared memory: all its processes are on one
    /// node and would share memory in the same manner.
    pub(crate) fn may_share_collectives(&self, group: &Group) -> bool {
        let peers = group.peers();
        if peers.len() < 2 || !self.collectives.shared.is_enabled() {
            return false;
        }
        if peers.iter().all(|peer| self.is_own(*peer)) {
            let nodes = &self.identity.nodes;
            let node = |peer: &PeerId| nodes.get(peer.index());
            // That they have equal parameters is checked when they are introduced.
            return peers.iter().all(|peer| node(peer) == node(&peers[0]));
        }
        let stated = self.stated(peers);
        let nodes = number(&stated);
        let collectives = stated[0].locality.collectives;
        collectives != 0
            && nodes.iter().all(|node| *node == nodes[0])
            && stated
                .iter()
                .all(|one| one.locality.collectives == collectives)
    }

    /// Whether the processes of a group on one node are to take the node for crowded: fewer steps
    /// of a collective are better there than fewer polls.
    pub(crate) fn is_crowded(&self, group: &Group) -> bool {
        let peers = group.peers();
        if peers.iter().all(|peer| self.is_own(*peer)) {
            return !self.engine.spins();
        }
        let stated = self.stated(peers);
        let cores = stated.iter().map(|one| one.locality.cores).min();
        cores.is_some_and(|cores| peers.len() > cores as usize)
    }

    /// Returns the first process of a group that messages reach otherwise than through shared
    /// memory: it could not be woken when it sleeps for a segment.
    pub fn first_apart(&self, group: &Group, core: &Core) -> Option<PeerId> {
        let own = self.identity.peer;
        let mut others = group.peers().iter().filter(|peer| **peer != own);
        others.find(|peer| !core.shares_memory(**peer)).copied()
    }

    /// Returns what processes have stated, which this process has been introduced to.
    fn stated(&self, peers: &[PeerId]) -> Vec<PlacedProcess> {
        let known = self.lock(&self.peers.known);
        let mut foreign = self.lock(&self.peers.foreign);
        let stated = peers.iter().map(|peer| match known.get(peer.index()) {
            Some(known) => PlacedProcess {
                world: self.identity.job,
                locality: known.locality,
            },
            None => PlacedProcess {
                world: foreign.name(*peer).map_or(0, |name| name.world),
                locality: foreign.locality(*peer),
            },
        });
        stated.collect()
    }
}

impl shm::sharers::Exchange for Comm {
    type Error = Error;

    fn share_first(&self, words: &[u64]) -> Result<Vec<u64>, Error> {
        self.share_values(words)
    }

    fn share_all(&self, words: &[u64]) -> Result<Vec<Vec<u64>>, Error> {
        self.collect(words)
    }
}
