//! The table of peers, indexed by small numbers.
//!
//! Every message looks its peer up several times, so a look-up is an index into an array and no
//! hash. The index of a peer does not change while others are added and removed.
//!
//! A peer is lost where an operation with it fails ([`PeerTable::lose`]), deep in the transport.
//! From then on it is refused; what else follows is done by the transport at its next turn
//! ([`PeerTable::take_lost`]).

use base::PeerId;
use btl::Error;
use mca::Framework;

use crate::peer::{Peer, PeerState};

/// Peers by their numbers, which the processes of a job have from 0 on.
#[derive(Default)]
pub(crate) struct PeerTable {
    entries: Vec<Option<Box<Peer>>>,
    count: usize,
    /// Peers that were lost, and not yet taken out here, with the reason.
    lost: Vec<(PeerId, Error)>,
    /// Whether this process has closed: no peer can be reached any more.
    closed: bool,
}

impl PeerTable {
    #[inline]
    pub(crate) fn get(&self, peer: PeerId) -> Option<&Peer> {
        self.entries.get(peer.index())?.as_deref()
    }

    #[inline]
    pub(crate) fn get_mut(&mut self, peer: PeerId) -> Option<&mut Peer> {
        self.entries.get_mut(peer.index())?.as_deref_mut()
    }

    pub(crate) fn contains(&self, peer: PeerId) -> bool {
        self.get(peer).is_some()
    }

    /// Inserts a peer, in place of any former one of its number.
    pub(crate) fn insert(&mut self, peer: PeerId, entry: Peer) {
        if self.entries.len() <= peer.index() {
            self.entries.resize_with(peer.index() + 1, || None);
        }
        let before = self.entries[peer.index()].replace(Box::new(entry));
        self.count += usize::from(before.is_none());
    }

    pub(crate) fn remove(&mut self, peer: PeerId) -> Option<Peer> {
        let gone = self.entries.get_mut(peer.index())?.take()?;
        self.count -= 1;
        Some(*gone)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Returns all peers, by rising numbers.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (PeerId, &Peer)> {
        let entries = self.entries.iter().enumerate();
        entries.filter_map(|(at, entry)| Some((PeerId(at as u32), entry.as_deref()?)))
    }

    /// Whether a peer has this address of the provider's.
    pub(crate) fn has_address(&self, address: ofi::Address) -> bool {
        self.iter().any(|(_, peer)| peer.address == address)
    }

    /// Returns the peer, when messages can be sent to it.
    ///
    /// # Errors
    /// With the reason that none can.
    #[inline]
    pub(crate) fn reachable(&mut self, peer: PeerId) -> Result<&mut Peer, Error> {
        let closed = self.closed;
        match self.get_mut(peer) {
            Some(known) if known.is_here() && !closed => Ok(known),
            known => Err(unreachable(peer, known.as_deref())),
        }
    }

    /// Makes all peers unreachable; returns whether they were before.
    pub(crate) fn close(&mut self) -> bool {
        std::mem::replace(&mut self.closed, true)
    }

    #[inline]
    pub(crate) fn is_closed(&self) -> bool {
        self.closed
    }

    /// Marks a peer as gone, unless it was gone before.
    #[cold]
    pub(crate) fn lose(&mut self, peer: PeerId, error: Error) {
        let Some(known) = self.get_mut(peer).filter(|known| known.is_here()) else {
            return;
        };
        let how = match &error {
            Error::PeerGone { how, .. } => how.clone(),
            other => other.to_string(),
        };
        Framework::Btl.info(format_args!("{peer} is lost: {how}"));
        known.state = PeerState::Failed(how);
        self.lost.push((peer, error));
    }

    /// Whether peers have been lost that were not taken out.
    #[inline]
    pub(crate) fn has_lost(&self) -> bool {
        !self.lost.is_empty()
    }

    /// Takes out the peers that have been lost, each once, with the reason.
    pub(crate) fn take_lost(&mut self) -> Vec<(PeerId, Error)> {
        std::mem::take(&mut self.lost)
    }
}

/// Returns the reason that no message can be sent to a peer.
#[cold]
fn unreachable(peer: PeerId, known: Option<&Peer>) -> Error {
    match known.and_then(Peer::absence) {
        Some(how) => Error::PeerGone { peer, how },
        None => Error::Unreachable { peer },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::peer::tests::peer;

    const ONE: PeerId = PeerId(1);

    fn gone(how: &str) -> Error {
        let (peer, how) = (ONE, how.into());
        Error::PeerGone { peer, how }
    }

    #[test]
    fn a_lost_peer_is_refused_with_the_first_reason_and_taken_out_once() {
        let mut peers = PeerTable::default();
        peers.lose(ONE, gone("unknown"));
        assert!(!peers.has_lost());
        peers.insert(ONE, peer(2));
        assert!(peers.reachable(ONE).is_ok());
        peers.lose(ONE, gone("first"));
        peers.lose(ONE, gone("second"));
        assert_eq!(peers.reachable(ONE).err(), Some(gone("first")));
        assert_eq!(peers.take_lost(), [(ONE, gone("first"))]);
        assert!(!peers.has_lost());
        assert!(peers.remove(ONE).is_some() && peers.is_empty());
    }

    #[test]
    fn nobody_is_reachable_once_this_process_has_closed() {
        let mut peers = PeerTable::default();
        peers.insert(ONE, peer(2));
        assert!(!peers.close() && peers.close());
        assert_eq!(
            peers.reachable(ONE).err(),
            Some(Error::Unreachable { peer: ONE })
        );
    }
}
