//! A window as one process knows it: its own memory and the lock of that, its epochs, and each
//! process as a target.

use base::{Key, PeerId, Rank};

use crate::check::{Check, Mark};
use crate::epoch::Epochs;
use crate::locks::Locks;
use crate::memory::Memory;
use crate::permit::Permit;
use crate::target::Target;

/// A window of an [`crate::Osc`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct WindowId(pub(crate) Key);

impl WindowId {
    /// Returns this process's name of the window, by which the others address it.
    pub fn name(self) -> u64 {
        self.0.bits()
    }
}

/// The rank of a process that is not in the window.
const NOBODY: u32 = u32::MAX;

/// A window.
#[derive(Debug)]
pub(crate) struct Window {
    pub(crate) memory: Memory,
    pub(crate) locks: Locks,
    pub(crate) epochs: Epochs,
    /// Whether fences end without confirmations ([`crate::Osc::notify_fences`]).
    pub(crate) notifies_fences: bool,
    /// Whether the epoch to a started group, or a fence, ends with all of it confirmed.
    pub(crate) confirms: bool,
    /// Recorded accesses, where they are compared with each other (`osc_check`).
    pub(crate) check: Option<Box<Check>>,
    /// Whether accumulates by lanes to one word keep their order.
    pub(crate) ordered: bool,
    /// The processes by rank; empty until all names are known.
    pub(crate) targets: Vec<Target>,
    /// The rank by process of the job, or [`NOBODY`]. Read for every message.
    ranks: Vec<u32>,
}

impl Window {
    pub(crate) fn new(memory: Memory) -> Window {
        Window {
            memory,
            locks: Locks::default(),
            epochs: Epochs::default(),
            notifies_fences: false,
            confirms: false,
            check: None,
            ordered: true,
            targets: Vec::new(),
            ranks: Vec::new(),
        }
    }

    pub(crate) fn join(&mut self, members: &[(PeerId, u64)]) {
        let target = |&(peer, name): &(PeerId, u64)| Target::new(peer, name);
        self.targets = members.iter().map(target).collect();
        self.epochs.join(members.len());
        let last = members.iter().map(|(peer, _)| peer.index()).max();
        self.ranks = vec![NOBODY; last.map_or(0, |last| last + 1)];
        for ((peer, _), rank) in members.iter().zip(0..) {
            self.ranks[peer.index()] = rank;
        }
    }

    /// Returns the rank of a process; `None` where it is not in the window.
    #[inline]
    pub(crate) fn rank(&self, peer: PeerId) -> Option<u32> {
        let rank = self.ranks.get(peer.index()).copied();
        rank.filter(|rank| *rank != NOBODY)
    }

    /// Returns the target's process and its name of the window, where an access may go at once;
    /// counts it as the epoch's.
    #[inline]
    pub(crate) fn is_open(&mut self, rank: Rank) -> Option<(PeerId, u64)> {
        let target = self.targets.get(rank.index())?;
        let locked = target.lock.is_held();
        let open = !target.lock.waits() && self.epochs.operates(rank, locked) == Some(true);
        open.then_some((target.peer, target.name))
    }

    /// Requests confirmation with a message that nothing follows yet, as a flush may come next.
    /// Returns whether it does: not while a confirmation is awaited, so a stream has one such
    /// request; nor in an epoch that ends without.
    pub(crate) fn ask_early(&mut self, rank: Rank) -> bool {
        let asks = self.asks_early(rank);
        if asks {
            self.target(rank).ask();
        }
        asks
    }

    /// Whether [`Window::ask_early`] would ask.
    #[inline]
    pub(crate) fn asks_early(&self, rank: Rank) -> bool {
        // Where accesses are compared, the target has to see each flush.
        let notified = self.notifies_fences && !self.confirms_fences();
        let unasked = self.epochs.is_started() || notified && self.epochs.is_fenced();
        let asks = !unasked && self.check.is_none();
        let target = &self.targets[rank.index()];
        asks && target.is_answered()
    }

    /// Whether all accesses are confirmed before others learn of a fence: where a third process
    /// might learn of it first, or where accesses are compared.
    #[inline]
    pub(crate) fn confirms_fences(&self) -> bool {
        self.check.is_some() || self.targets.len() > 2
    }

    /// Returns the mark of an access's epoch in its messages: 0 unless accesses are compared.
    pub(crate) fn mark(&self, handle: bool) -> u32 {
        let check = self.check.as_ref();
        check.map_or(0, |check| {
            Mark::new(self.epochs.era(), handle, check.fences).0
        })
    }

    /// Takes the lock of a target without a message to it: its epoch allows everything at once.
    #[inline]
    pub(crate) fn take_lock(&mut self, rank: Rank) {
        self.target(rank).lock.taken();
        self.epochs.permits().note(rank, Permit::LOCKED);
    }

    #[inline]
    pub(crate) fn target(&mut self, rank: Rank) -> &mut Target {
        &mut self.targets[rank.index()]
    }
}
