//! A communicator: the label bits that stand for it, and the ranks of its peers.

use std::sync::Arc;

use base::{PeerId, Rank};
use pml::{Context, Pattern};

use crate::label;

/// A communicator as the network needs it.
pub(crate) struct Comm {
    /// Its bits of a label.
    pub(crate) bits: u64,
    /// The note that goes beside the label.
    pub(crate) note: u16,
    pub(crate) context: Context,
    pub(crate) peers: Box<[PeerId]>,
    /// Ranks by peer, sorted; empty where every peer's number is its rank.
    ranks: Box<[(PeerId, Rank)]>,
    /// Requests that need it.
    pub(crate) users: usize,
    pub(crate) closed: bool,
    /// Why nothing can be done in it.
    pub(crate) refused: Option<Arc<str>>,
}

impl Comm {
    /// Returns a communicator that is open, or was refused.
    pub(crate) fn new(
        context: Context,
        bits: u64,
        peers: Vec<PeerId>,
        refused: Option<Arc<str>>,
    ) -> Comm {
        let is_rank = |(at, peer): (usize, &PeerId)| peer.index() == at;
        let mut ranks = Vec::new();
        if !peers.iter().enumerate().all(is_rank) {
            ranks.extend(peers.iter().copied().zip((0..).map(Rank)));
            ranks.sort_unstable();
        }
        Comm {
            bits,
            note: label::note(context),
            context,
            peers: peers.into(),
            ranks: ranks.into(),
            users: 0,
            closed: false,
            refused,
        }
    }

    /// Returns the rank of a peer.
    #[inline]
    pub(crate) fn rank_of(&self, peer: PeerId) -> Option<Rank> {
        if self.ranks.is_empty() {
            return (peer.index() < self.peers.len()).then_some(Rank(peer.0));
        }
        let at = self.ranks.binary_search_by_key(&peer, |(peer, _)| *peer);
        at.ok().map(|at| self.ranks[at].1)
    }

    /// Returns the peer that a pattern names.
    #[inline]
    pub(crate) fn source_of(&self, pattern: &Pattern) -> Option<PeerId> {
        pattern.source.map(|source| self.peers[source.index()])
    }
}
