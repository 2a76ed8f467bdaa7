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

/// The rank of a process that is not in the window.
const NOBODY: u32 = u32::MAX;

/// A window.
#[derive(Debug)]
pub(crate) struct Window {
    pub(crate) memory: Memory,
    pub(crate) locks: Locks,
    pub(crate) epochs: Epochs,
    /// Whether fences end without confirmations ([`crate::Osc::tell_fences`]).
    pub(crate) tells_fences: bool,
    /// Whether the epoch to a started group, or a fence, ends with all of it confirmed.
    pub(crate) confirms: bool,
    /// Recorded accesses, where they are compared with each other (`osc_check`).
    pub(crate) check: Option<Box<Check>>,
    /// Whether accumulates by lanes to one word keep their order.
    pub(crate) ordered: bool,
    /// The processes by rank; empty until all names are known.
    pub(crate) partners: Vec<Partner>,
    /// The rank by process of the job, or [`NOBODY`]. Read for every message.
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
    /// Operations on it whose buffers are in use.
    pub(crate) open: u64,
    /// Operations in `open` that a lane does; the puts and the changes of words among them; whether
    /// it has put anything since it was last flushed; whether a flush is under way; and whether the
    /// lock is to be released behind that.
    pub(crate) on_lane: u64,
    pub(crate) puts: u32,
    pub(crate) changes: u32,
    pub(crate) unflushed: bool,
    pub(crate) flushing: bool,
    pub(crate) returning: bool,
    /// The last fast-path access of a lane, finished or not.
    pub(crate) last_move: Option<Key>,
    /// The words that lanes change there.
    pub(crate) turns: Turns,
    /// Accumulates and swaps by messages whose replies have not come.
    pub(crate) fetches: u32,
    /// Whether a message was sent that is not confirmed, nor will be without a request.
    pub(crate) unconfirmed: bool,
    /// Whether messages were sent since that need confirmation only when the window is freed.
    pub(crate) told: bool,
    /// Confirmations requested, and received.
    pub(crate) asked: u64,
    pub(crate) confirmed: u64,
    /// The lock that the epoch holds there, and whether it has been granted.
    pub(crate) lock: Option<Lock>,
    pub(crate) granted: bool,
    /// Whether the lock was taken without a request (`MPI_MODE_NOCHECK`).
    pub(crate) unchecked: bool,
    /// Its `Post` and `Complete` messages that no epoch of this process has consumed yet.
    pub(crate) posted: u64,
    pub(crate) completed: u64,
    /// Fences that it has reached and that are not over here.
    pub(crate) fenced: u64,
    /// Whether it accessed memory that the window does not have, not reported to it yet.
    pub(crate) strayed: bool,
    /// A conflict of its accesses, not reported to it yet.
    pub(crate) conflict: Option<Conflict>,
    /// The first error that has not been reported.
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

    /// Returns the header of the reply to an access of its, and the receiver.
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

    /// Counts a request to confirm this message and everything before it.
    #[inline]
    pub(crate) fn ask(&mut self) {
        self.asked += 1;
        self.unconfirmed = false;
    }

    /// Whether the buffers of all operations on it are free, and no flush of its lane is under way.
    pub(crate) fn is_sent(&self) -> bool {
        let handled = !self.is_own || self.confirmed == self.asked;
        self.open == 0 && !self.flushing && handled
    }

    /// Whether [`Partner::is_sent`] holds, and nothing has failed.
    #[inline]
    pub(crate) fn is_sent_well(&self) -> bool {
        self.is_sent() && self.error.is_none()
    }

    /// Whether its lane has anything to wait for.
    pub(crate) fn is_lane_due(&self) -> bool {
        self.unflushed || self.on_lane > 0
    }

    /// Whether it has to do something before this process can go on.
    pub(crate) fn is_awaited(&self) -> bool {
        !self.is_settled() || self.lock.is_some() && !self.granted
    }

    /// Whether nothing is to be requested of it, or reported.
    #[inline]
    pub(crate) fn is_quiet(&self) -> bool {
        !self.unconfirmed && !self.flushing && self.error.is_none()
    }

    /// Whether all operations on it are done, and all requested confirmations have arrived.
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

    /// Returns the rank of a process; `None` where it is not in the window.
    #[inline]
    pub(crate) fn rank(&self, peer: PeerId) -> Option<u32> {
        let rank = self.ranks.get(peer.index()).copied();
        rank.filter(|rank| *rank != NOBODY)
    }

    /// Returns the target's process and its name of the window, where an access may go at once;
    /// counts it as the epoch's.
    #[inline]
    pub(crate) fn is_open(&mut self, target: Rank) -> Option<(PeerId, u64)> {
        let partner = self.partners.get(target.index())?;
        let locked = partner.lock.is_some();
        let waits = locked && !partner.granted;
        let open = !waits && self.epochs.operates(target, locked) == Some(true);
        open.then_some((partner.peer, partner.name))
    }

    /// Requests confirmation with a message that nothing follows yet, as a flush may come next.
    /// Returns whether it does: not while a confirmation is awaited, so a stream has one such
    /// request; nor in an epoch that ends without.
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
        // Where accesses are compared, the target has to see each flush.
        let told = self.tells_fences && !self.confirms_fences();
        let unasked = self.epochs.is_started() || told && self.epochs.is_fenced();
        let asks = !unasked && self.check.is_none();
        let partner = &self.partners[target.index()];
        asks && partner.confirmed == partner.asked
    }

    /// Whether all accesses are confirmed before others learn of a fence: where a third process
    /// might learn of it first, or where accesses are compared.
    #[inline]
    pub(crate) fn confirms_fences(&self) -> bool {
        self.check.is_some() || self.partners.len() > 2
    }

    /// Returns the mark of an access's epoch in its messages: 0 unless accesses are compared.
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
