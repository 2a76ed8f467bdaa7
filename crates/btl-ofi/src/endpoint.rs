//! Peers come and go: introductions, removals, and what follows when one is lost.

use base::PeerId;
use btl::{Error, Reach};

use crate::component::Transport;
use crate::peer::{Peer, PeerState};
use crate::wire::Address;

impl Transport {
    /// Introduces a peer, as `btl::Transport::add_peer` says.
    pub(crate) fn introduce(&mut self, peer: PeerId, address: &[u8]) -> Result<Reach, Error> {
        if peer == self.me {
            return Ok(Reach::Unreachable("it is this process".into()));
        }
        let Some(address) = Address::decode(address) else {
            let what = "a malformed address".into();
            return Err(Error::Protocol { peer, what });
        };
        Ok(self.introduce_at(peer, address))
    }

    /// Introduces a peer by its decoded address; the peer may be this process.
    pub(crate) fn introduce_at(&mut self, peer: PeerId, published: Address) -> Reach {
        if let Some(why) = self.differs(&published) {
            return Reach::Unreachable(why);
        }
        self.follow_losses();
        if let Some(known) = self.peers.get_mut(peer) {
            if known.has_published(&published) {
                // The same opening as before: its numbers and credit go on.
                if known.state == PeerState::Removed {
                    known.state = PeerState::Here;
                }
                return Reach::Reachable;
            }
            self.dismiss(peer);
            let gone = self.peers.remove(peer);
            self.forget_address(gone.map(|gone| gone.address));
        }
        match self.device.insert(&published.address) {
            Ok(address) => {
                self.peers.insert(peer, Peer::new(address, published));
                Reach::Reachable
            }
            Err(why) => Reach::Unreachable(why),
        }
    }

    /// Returns the incompatibility between this process and a peer, if there is any.
    fn differs(&self, theirs: &Address) -> Option<String> {
        let ours = &self.address;
        if theirs.provider != ours.provider {
            let why = format!("it uses {}, not {}", theirs.provider, ours.provider);
            return Some(why);
        }
        if (theirs.messages, theirs.memory) != (ours.messages, ours.memory) {
            return Some("its btl_ofi_mode is another".into());
        }
        if theirs.room != ours.room {
            let (theirs, ours) = (theirs.room, ours.room);
            return Some(format!("its messages have {theirs} bytes, not {ours}"));
        }
        None
    }

    /// Removes an address from the provider's table, unless another peer has it too.
    fn forget_address(&mut self, address: Option<ofi::Address>) {
        let Some(address) = address else { return };
        if !self.peers.has_address(address) {
            self.device.remove(address);
        }
    }

    /// Forgets a peer: operations in flight end with an error at once, and the provider's later
    /// reports of them are dropped. Meant for a peer that is gone: one that is not may still reply
    /// to a `get`.
    pub(crate) fn dismiss(&mut self, peer: PeerId) {
        self.follow_losses();
        self.early.forget(peer);
        if let Some(known) = self.peers.get_mut(peer) {
            known.state = PeerState::Removed;
            self.drop_messages(peer);
            self.end_transfers(peer, &Error::Unreachable { peer });
        }
    }

    /// Follows the loss of peers: reports each, and ends the operations in flight to it.
    pub(crate) fn follow_losses(&mut self) {
        for (peer, error) in self.peers.take_lost() {
            self.drop_messages(peer);
            if peer != self.me {
                self.reports.add_failed(peer, error.clone());
            }
            self.end_transfers(peer, &error);
        }
    }

    /// Drops messages that wait to go to a peer or to be handed up.
    pub(crate) fn drop_messages(&mut self, peer: PeerId) {
        if let Some(known) = self.peers.get_mut(peer) {
            known.incoming.clear();
            self.sends.drop_messages(peer, known);
        }
    }

    /// Ends all transfers with a peer.
    pub(crate) fn end_transfers(&mut self, peer: PeerId, error: &Error) {
        let (device, peers) = (&mut self.device, &mut self.peers);
        let ended = (peer, error);
        self.transfers
            .end_all(device, peers, &mut self.reports, ended);
    }
}
