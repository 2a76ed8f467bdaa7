//! A window as one process knows it: its own memory and the lock of that, and what it is doing in
//! the windows of the others.

use std::collections::HashMap;

use base::{PeerId, Rank};

use crate::epoch::Epochs;
use crate::locks::{Lock, Locks};
use crate::memory::Memory;
use crate::Error;

/// A window.
#[derive(Debug)]
pub(crate) struct Window {
    pub(crate) memory: Memory,
    pub(crate) locks: Locks,
    pub(crate) epochs: Epochs,
    /// By rank; empty until all have told their names.
    pub(crate) partners: Vec<Partner>,
    pub(crate) ranks: HashMap<PeerId, u32>,
}

/// Another process of the window, or this one itself.
#[derive(Debug)]
pub(crate) struct Partner {
    pub(crate) peer: PeerId,
    /// Its name of the window.
    pub(crate) name: u64,
    /// Operations toward it whose buffers are in use.
    pub(crate) open: u64,
    /// Whether something was sent that nothing has confirmed, nor will unasked.
    pub(crate) unconfirmed: bool,
    /// Whether it was told something since that only the end of the window needs confirmed.
    pub(crate) told: bool,
    /// How many confirmations were asked for, and came.
    pub(crate) asked: u64,
    pub(crate) confirmed: u64,
    /// The lock that the epoch says is held there, and whether that has been granted.
    pub(crate) lock: Option<Lock>,
    pub(crate) granted: bool,
    /// Whether the lock was taken without asking (`MPI_MODE_NOCHECK`).
    pub(crate) unchecked: bool,
    /// How often it has opened its window to us, and told us to be done with ours.
    pub(crate) posted: u64,
    pub(crate) completed: u64,
    /// What it asked for that the window does not have, not told yet.
    pub(crate) strayed: bool,
    /// The first error that nobody has heard of.
    pub(crate) error: Option<Error>,
}

impl Partner {
    fn new(peer: PeerId, name: u64) -> Partner {
        Partner {
            peer,
            name,
            open: 0,
            unconfirmed: false,
            told: false,
            asked: 0,
            confirmed: 0,
            lock: None,
            granted: false,
            unchecked: false,
            posted: 0,
            completed: 0,
            strayed: false,
            error: None,
        }
    }

    /// Notes an error for the next synchronisation to report.
    pub(crate) fn note(&mut self, error: Error) {
        self.error.get_or_insert(error);
    }

    /// Whether all that was started toward it is done there.
    pub(crate) fn is_settled(&self) -> bool {
        self.open == 0 && self.confirmed == self.asked
    }
}

impl Window {
    pub(crate) fn new(memory: Memory) -> Window {
        Window {
            memory,
            locks: Locks::default(),
            epochs: Epochs::default(),
            partners: Vec::new(),
            ranks: HashMap::new(),
        }
    }

    pub(crate) fn join(&mut self, members: &[(PeerId, u64)]) {
        let partner = |&(peer, name): &(PeerId, u64)| Partner::new(peer, name);
        self.partners = members.iter().map(partner).collect();
        let ranks = members.iter().zip(0..);
        self.ranks = ranks.map(|((peer, _), rank)| (*peer, rank)).collect();
    }

    pub(crate) fn partner(&mut self, rank: Rank) -> &mut Partner {
        &mut self.partners[rank.index()]
    }
}
