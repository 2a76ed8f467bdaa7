//! The table of peers, indexed by small numbers.
//!
//! Every message looks its peer up several times, so a look-up is an index into an array and no
//! hash. The index of a peer does not change while others are added and removed.

use base::PeerId;

use crate::endpoint::Peer;

/// Peers by their numbers, which the processes of a job have from 0 on.
#[derive(Default)]
pub(crate) struct Peers {
    entries: Vec<Option<Box<Peer>>>,
    count: usize,
}

impl Peers {
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
}
