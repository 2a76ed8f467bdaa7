//! Peers that were introduced and whose segments are not attached yet.
//!
//! Attaching a peer takes tens of microseconds, a mapping and a page of the kernel's tables. All
//! processes of a node are peers of each other, and most never exchange a message. So a process
//! attaches the first peer that it is introduced to, and others at their first message. A peer is
//! attached immediately only if the first one says nothing about it, because it belongs to another
//! user or may not be traced.
//!
//! Peers are attached late only in jobs of this project's launcher, which ends the job or reports a
//! death when a process dies: for lack of an attached segment, nothing else would report how such a
//! peer ended.

use base::PeerId;

use crate::address::{Address, Owner};
use crate::smsc::{self, Links, Mechanism};

/// Introduced peers that are attached at the first message to them.
pub(crate) struct Introduced {
    /// Whether peers may be attached late.
    late: bool,
    addresses: Vec<Option<Box<Address>>>,
    /// Facts about the first peer that was attached.
    model: Option<Model>,
}

/// Facts that attaching a peer has shown, valid for all that are like it.
struct Model {
    owner: Owner,
    /// Codes of the single-copy components that it offers.
    offers: Vec<u8>,
    best: Option<Mechanism>,
    explained: String,
}

impl Introduced {
    pub(crate) fn new(late: bool) -> Introduced {
        Introduced {
            late,
            addresses: Vec::new(),
            model: None,
        }
    }

    /// Whether a peer can be attached later: what is known of another one holds for it.
    pub(crate) fn may_wait(&self, address: &Address) -> bool {
        let alike = |model: &Model| {
            model.owner == address.owner && model.offers == smsc::codes(&address.offers)
        };
        self.late && address.owner.is_plain && self.model.as_ref().is_some_and(alike)
    }

    pub(crate) fn put_off(&mut self, peer: PeerId, address: Address) {
        if self.addresses.len() <= peer.index() {
            self.addresses.resize_with(peer.index() + 1, || None);
        }
        self.addresses[peer.index()] = Some(Box::new(address));
    }

    /// Takes note of a peer that was attached.
    pub(crate) fn learn(&mut self, address: &Address, links: &Links) {
        self.model.get_or_insert_with(|| Model {
            owner: address.owner,
            offers: smsc::codes(&address.offers),
            best: links.best(),
            explained: links.explain(),
        });
    }

    pub(crate) fn take(&mut self, peer: PeerId) -> Option<Box<Address>> {
        self.addresses.get_mut(peer.index())?.take()
    }

    pub(crate) fn has(&self, peer: PeerId) -> bool {
        self.addresses
            .get(peer.index())
            .is_some_and(Option::is_some)
    }

    /// The single-copy component expected to reach a peer that is not attached yet.
    pub(crate) fn best_copy(&self, peer: PeerId) -> Option<Mechanism> {
        self.model_of(peer)?.best
    }

    /// Explains the component expected to reach the memory of a peer that is not attached yet.
    pub(crate) fn explain_memory(&self, peer: PeerId) -> Option<String> {
        Some(self.model_of(peer)?.explained.clone())
    }

    fn model_of(&self, peer: PeerId) -> Option<&Model> {
        self.model.as_ref().filter(|_| self.has(peer))
    }

    /// All peers that are not attached yet, with their process ids.
    pub(crate) fn processes(&self) -> impl Iterator<Item = (PeerId, u32)> + '_ {
        let addresses = self.addresses.iter().enumerate();
        addresses.filter_map(|(index, address)| Some((PeerId(index as u32), address.as_ref()?.pid)))
    }
}

#[cfg(test)]
mod tests {
    use btl::{Flow, Reach, Transport};
    use memory::UserBuf;

    use crate::component::{open, Config, Sm};

    use super::*;

    const PEERS: u32 = 8;

    fn crowd() -> (Sm, Vec<Sm>) {
        let config = |peer| Config {
            attach_late: true,
            ..Config::with_defaults(PeerId(peer))
        };
        let mut others = (0..=PEERS).map(|peer| open(config(peer)).expect("a segment"));
        let own = others.next().expect("the first");
        (own, others.collect())
    }

    fn attached(own: &Sm) -> Vec<u32> {
        let present = own.paths.iter().enumerate();
        let present = present.filter_map(|(index, path)| path.as_ref().map(|_| index));
        present.map(|index| index as u32).collect()
    }

    #[test]
    fn the_first_peer_is_attached_and_others_once_they_are_sent_to() {
        let (mut own, others) = crowd();
        for other in &others {
            let reach = own.add_peer(other.me, &other.address()).unwrap();
            assert_eq!(reach, Reach::Reachable);
        }
        assert_eq!(attached(&own), [1]);
        for other in &others {
            assert_eq!(own.hints(other.me), own.hints(PeerId(1)));
            assert_eq!(own.flush(other.me), Ok(Flow::Sent));
        }
        let sent = own.send(PeerId(5), base::AmTag(9), &[7; 16], UserBuf::EMPTY);
        assert_eq!(sent, Ok(Flow::Sent));
        assert_eq!(attached(&own), [1, 5]);
        own.remove_peer(PeerId(4));
        let sent = own.send(PeerId(4), base::AmTag(9), &[7; 16], UserBuf::EMPTY);
        assert!(sent.is_err());
    }

    #[test]
    fn a_peer_of_which_the_first_says_nothing_is_attached_at_once() {
        let (mut own, mut others) = crowd();
        let elsewhere = Owner {
            user: 12_345,
            ..Owner::this_process()
        };
        let hidden = Owner {
            is_plain: false,
            ..Owner::this_process()
        };
        let changed = [(3, elsewhere), (5, hidden)];
        for (index, owner) in changed {
            others[index].set_owner(owner);
        }
        for other in &others {
            own.add_peer(other.me, &other.address()).unwrap();
        }
        assert_eq!(attached(&own), [1, 4, 6]);
    }
}
