//! Introductions: how the processes of a job come to know each other's addresses.
//!
//! A process publishes its [`Card`], and knows a peer once it has the peer's. Which of the peers
//! are known is in `Peers`.

use std::sync::atomic::Ordering;

use base::{Fnv, MutexGuard, PeerId};
use mca::Framework;
use mpi_components::{is_restarted, share_cores, unreached, windows, Cores};

use crate::foreign::{ForeignUse, Foreigners};
use crate::membership::Card;
use crate::peers::Activity;
use crate::peers::IntroducedPeer;
use crate::{Error, Process};
use shm::locality::Locality;

/// The value under which every process publishes how to reach it.
pub(crate) const MODEX: &str = "btl";

impl Process {
    /// Exchanges addresses with everybody. Returns the activity of all.
    pub(crate) fn exchange(&self, activity: Activity) -> Result<Activity, Error> {
        let own = Cores::own();
        let card = self.card(&[], activity, own.encode());
        self.link
            .ask(|provider| provider.publish(MODEX, &card.encode()))?;
        match activity {
            Activity::Receiving => self.fence()?,
            // A process that has left the fence may have sent something already, which would not be
            // taken in of a peer that is not known yet. So nobody polls for messages here.
            Activity::None => self.link.fence_alone()?,
        }
        let mut of_all = activity;
        let mut near = Vec::new();
        let logged = mpi_components::is_logged(&self.registry);
        let mut unreached = Vec::new();
        if is_restarted(self.link.life) && !self.has_passed()? {
            self.engine.enter().begin_anew();
        }
        for peer in (0..self.identity.size).map(PeerId) {
            if peer == self.identity.peer {
                continue;
            }
            let card = match self.meet_by_card(peer) {
                // Nothing is received before all others are known.
                Err(why) if logged => {
                    unreached.push((peer, why));
                    None
                }
                met => met?,
            };
            let Some(card) = card else { continue };
            if card.busy {
                of_all = Activity::Receiving;
            }
            if self.identity.node_of(peer) == Some(self.identity.node()) {
                near.push(Cores::decode(&card.word));
            }
        }
        self.peers.has_met.store(true, Ordering::Relaxed);
        if logged {
            // What came behind the fence was read with it, so that no sleep ends by it.
            self.receive_reports(self.engine.sleeps());
        }
        for (peer, why) in unreached {
            self.wait_for_next_life(peer, why)?;
        }
        share_cores(&self.engine, &self.registry, &own, &near);
        Ok(of_all)
    }

    /// Makes a peer known by the address of a life, unless it is known by that or a later one.
    pub fn introduce(&self, peer: PeerId, card: &Card) -> Result<(), Error> {
        self.check_agreed(peer, card)?;
        self.introduce_at(peer, card.life, card.locality, &card.address)
    }

    /// Fails where a peer has other parameters of those that both must have alike.
    pub fn check_agreed(&self, peer: PeerId, card: &Card) -> Result<(), Error> {
        self.stated
            .agreed
            .check(peer, &card.agreed, self.is_own(peer))
    }

    pub(crate) fn introduce_at(
        &self,
        peer: PeerId,
        life: u64,
        locality: Locality,
        address: &[u8],
    ) -> Result<(), Error> {
        let mut known = self.lock(&self.peers.known);
        let before = known[peer.index()].life;
        if life <= before {
            return Ok(());
        }
        // Whichever process learns of the other's restart starts the handshake. An address that
        // came by a fence does not count as learning: either the peer learns of this life, which
        // passes a fence that is over, or both meet in a fence of all, and no earlier life of the
        // peer was known. Reports that follow a fence are not read with it, however late this
        // process is.
        let is_reported = self.peers.has_met.load(Ordering::Relaxed);
        let is_next_life = is_restarted(life) && peer != self.identity.peer && is_reported;
        let choice = match is_next_life && self.recovery.observed {
            true => self.engine.enter().restart_peer(peer, address),
            false => {
                if before != 0 {
                    self.engine.remove_peer(peer);
                }
                self.engine.add_peer(peer, address)
            }
        };
        let choice = choice.map_err(|error| unreached(&error, peer == self.identity.peer))?;
        Framework::Bml.info(format_args!("{choice}"));
        let peer = choice.peer;
        let windows = || {
            let nodes = &self.identity.nodes;
            let is_near = nodes.get(peer.index()) == nodes.get(self.identity.peer.index());
            windows::explain(&self.registry, &self.engine.enter(), peer, is_near)
        };
        self.reports.explainer.note(choice, windows);
        known[peer.index()] = IntroducedPeer { life, locality };
        drop(known);
        if is_next_life {
            self.end_at_fault();
        }
        Ok(())
    }

    /// Returns the card that this process sends to the other members.
    pub fn card(&self, members: &[PeerId], activity: Activity, word: Vec<u8>) -> Card {
        let known = self.lock(&self.peers.known);
        let life = |peer: &PeerId| known[peer.index()].life.to_le_bytes();
        let lives = members.iter().map(life);
        Card {
            life: self.link.life,
            acquaintances: Fnv::of(lives.flatten()),
            busy: activity == Activity::Receiving,
            address: self.engine.address(),
            agreed: self.stated.agreed.clone(),
            locality: self.stated.locality,
            word,
        }
    }

    /// Whether a process was started together with this one.
    pub fn is_own(&self, peer: PeerId) -> bool {
        peer.0 < self.identity.size
    }

    /// The processes that were not started together with this one.
    pub fn foreigners(&self) -> MutexGuard<'_, Foreigners> {
        self.lock(&self.peers.foreign)
    }

    /// Returns a user of foreign processes that has none yet.
    pub fn new_use(&self) -> ForeignUse {
        ForeignUse::none(&self.peers.foreign)
    }
}
