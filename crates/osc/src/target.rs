//! A process of a window as a target of this one: what is under way there, and its lock.

use base::{Key, PeerId};

use crate::check::Conflict;
use crate::locks::Lock;
use crate::turns::Turns;
use crate::wire::{Header, Kind};
use crate::Error;

/// Another process of the window, or this one itself.
#[derive(Debug)]
pub(crate) struct Target {
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

impl Target {
    pub(crate) fn new(peer: PeerId, name: u64) -> Target {
        Target {
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
