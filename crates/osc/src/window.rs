//! A window as one process knows it: its own memory and the lock of that, and what it is doing in
//! the windows of the others.

use base::{Key, PeerId, Rank};

use crate::check::{Check, Conflict, Mark};
use crate::epoch::Epochs;
use crate::locks::{Lock, Locks};
use crate::memory::Memory;
use crate::turns::Turns;
use crate::wire::{Header, Kind};
use crate::Error;

/// No rank.
const NOBODY: u32 = u32::MAX;

/// A window.
#[derive(Debug)]
pub(crate) struct Window {
    pub(crate) memory: Memory,
    pub(crate) locks: Locks,
    pub(crate) epochs: Epochs,
    /// Whether fences end without confirmations ([`crate::Osc::tell_fences`]).
    pub(crate) tells_fences: bool,
    /// Whether the epoch toward a started group, or a fence, ends with all of it confirmed.
    pub(crate) confirms: bool,
    /// Where accesses are compared with each other.
    pub(crate) check: Option<Box<Check>>,
    /// Whether accumulates by lanes to one word keep their order.
    pub(crate) ordered: bool,
    /// By rank; empty until all have told their names.
    pub(crate) partners: Vec<Partner>,
    /// By process of the job: its rank, or [`NOBODY`]. Every message asks this.
    ranks: Vec<u32>,
}

/// Another process of the window, or this one itself.
#[derive(Debug)]
pub(crate) struct Partner {
    pub(crate) peer: PeerId,
    /// Whether it is known to be this process.
    pub(crate) is_own: bool,
    /// Its name of the window.
    pub(crate) name: u64,
    /// Operations toward it whose buffers are in use.
    pub(crate) open: u64,
    /// Of these, those that a lane does; how many of those put, and how many change words;
    /// whether it has put anything since it was last flushed; and whether that is being waited
    /// for, with the lock to be given back behind it.
    pub(crate) on_lane: u64,
    pub(crate) puts: u32,
    pub(crate) changes: u32,
    pub(crate) unflushed: bool,
    pub(crate) flushing: bool,
    pub(crate) returning: bool,
    /// The last plain access of a lane, over or not.
    pub(crate) last_move: Option<Key>,
    /// The words that lanes change there.
    pub(crate) turns: Turns,
    /// Accumulates and swaps by messages whose answers have not come.
    pub(crate) fetches: u32,
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
    /// How many fences it has come to that are not over here.
    pub(crate) fenced: u64,
    /// What it asked for that the window does not have, not told yet.
    pub(crate) strayed: bool,
    /// What its accesses conflict with, not told yet.
    pub(crate) conflict: Option<Conflict>,
    /// The first error that nobody has heard of.
    pub(crate) error: Option<Error>,
}

impl Partner {
    fn new(peer: PeerId, name: u64) -> Partner {
        Partner {
            peer,
            is_own: false,
            name,
            open: 0,
            on_lane: 0,
            puts: 0,
            changes: 0,
            fetches: 0,
            unflushed: false,
            flushing: false,
            returning: false,
            last_move: None,
            turns: Turns::default(),
            unconfirmed: false,
            told: false,
            asked: 0,
            confirmed: 0,
            lock: None,
            granted: false,
            unchecked: false,
            posted: 0,
            completed: 0,
            fenced: 0,
            strayed: false,
            conflict: None,
            error: None,
        }
    }

    /// The header of what answers an access of its, and whom it is for.
    #[inline]
    pub(crate) fn data(&self, access: &Header) -> (PeerId, Header) {
        let answer = Header {
            token: access.token,
            position: match access.kind {
                // There it says what to compare with.
                Kind::CompareAndSwap => 0,
                _ => access.position,
            },
            ..Header::new(Kind::Data, self.name)
        };
        (self.peer, answer)
    }

    /// Notes an error for the next synchronisation to report.
    pub(crate) fn note(&mut self, error: Error) {
        self.error.get_or_insert(error);
    }

    /// What is sent now asks for all before it, too, to be confirmed.
    #[inline]
    pub(crate) fn ask(&mut self) {
        self.asked += 1;
        self.unconfirmed = false;
    }

    /// Whether the buffers of all that was started toward it are free, and lanes have brought
    /// theirs.
    pub(crate) fn is_sent(&self) -> bool {
        let handled = !self.is_own || self.confirmed == self.asked;
        self.open == 0 && !self.flushing && handled
    }

    /// The same, and nothing of it has failed.
    #[inline]
    pub(crate) fn is_sent_well(&self) -> bool {
        self.is_sent() && self.error.is_none()
    }

    /// Whether its lane has anything that is to be waited for.
    pub(crate) fn is_lane_due(&self) -> bool {
        self.unflushed || self.on_lane > 0
    }

    /// Whether it has to do something before this process can go on.
    pub(crate) fn is_awaited(&self) -> bool {
        !self.is_settled() || self.lock.is_some() && !self.granted
    }

    /// Whether there is nothing to be asked of it, or told.
    #[inline]
    pub(crate) fn is_quiet(&self) -> bool {
        !self.unconfirmed && !self.flushing && self.error.is_none()
    }

    /// Whether all that was started toward it is done there.
    pub(crate) fn is_settled(&self) -> bool {
        self.open == 0 && self.confirmed == self.asked && !self.flushing
    }
}

impl Window {
    pub(crate) fn new(memory: Memory) -> Window {
        Window {
            memory,
            locks: Locks::default(),
            epochs: Epochs::default(),
            tells_fences: false,
            confirms: false,
            check: None,
            ordered: true,
            partners: Vec::new(),
            ranks: Vec::new(),
        }
    }

    pub(crate) fn join(&mut self, members: &[(PeerId, u64)]) {
        let partner = |&(peer, name): &(PeerId, u64)| Partner::new(peer, name);
        self.partners = members.iter().map(partner).collect();
        let last = members.iter().map(|(peer, _)| peer.index()).max();
        self.ranks = vec![NOBODY; last.map_or(0, |last| last + 1)];
        for ((peer, _), rank) in members.iter().zip(0..) {
            self.ranks[peer.index()] = rank;
        }
    }

    /// The rank of a process; `None` where the window is not its.
    #[inline]
    pub(crate) fn rank(&self, peer: PeerId) -> Option<u32> {
        let rank = self.ranks.get(peer.index()).copied();
        rank.filter(|rank| *rank != NOBODY)
    }

    /// Whose window an access to a target is of, and that one's name of it, where it may go at
    /// once; it is counted as the epoch's.
    #[inline]
    pub(crate) fn is_open(&mut self, target: Rank) -> Option<(PeerId, u64)> {
        let partner = self.partners.get(target.index())?;
        let locked = partner.lock.is_some();
        let waits = locked && !partner.granted;
        let open = !waits && self.epochs.operates(target, locked) == Some(true);
        open.then_some((partner.peer, partner.name))
    }

    /// Something is sent that nothing follows yet: whether it is to be confirmed, as that may be
    /// asked for next. Not while an answer is on its way, so a stream has one such question; nor in
    /// an epoch that ends without.
    pub(crate) fn ask_early(&mut self, target: Rank) -> bool {
        let asks = self.asks_early(target);
        if asks {
            self.partner(target).ask();
        }
        asks
    }

    /// Whether [`Window::ask_early`] would ask.
    #[inline]
    pub(crate) fn asks_early(&self, target: Rank) -> bool {
        // Who compares accesses has to hear of each flush.
        let told = self.tells_fences && !self.confirms_fences();
        let unasked = self.epochs.is_started() || told && self.epochs.is_fenced();
        let asks = !unasked && self.check.is_none();
        let partner = &self.partners[target.index()];
        asks && partner.confirmed == partner.asked
    }

    /// Whether all that was done is confirmed before others are told of a fence: where a third one
    /// might hear of it first.
    #[inline]
    pub(crate) fn confirms_fences(&self) -> bool {
        self.check.is_some() || self.partners.len() > 2
    }

    /// What the messages of an access say of its epoch: nothing unless accesses are compared.
    pub(crate) fn mark(&self, handle: bool) -> u32 {
        let check = self.check.as_ref();
        check.map_or(0, |check| {
            Mark::new(self.epochs.era(), handle, check.fences).0
        })
    }

    pub(crate) fn partner(&mut self, rank: Rank) -> &mut Partner {
        &mut self.partners[rank.index()]
    }
}
