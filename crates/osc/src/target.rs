//! A process of a window as a target of this one: what is under way there, and its lock.

use base::{Key, PeerId};

use crate::check::Conflict;
use crate::phase::{FlushPhase, LockPhase, Unconfirmed};
use crate::turns::Turns;
use crate::wire::{Header, Kind};
use crate::Error;

/// Another process of the window, or this one itself.
#[derive(Debug)]
pub(crate) struct Target {
    pub(crate) peer: PeerId,
    /// Whether the target is known to be this process.
    pub(crate) is_own: bool,
    /// Its name of the window.
    pub(crate) name: u64,
    /// Operations on it whose buffers are in use.
    pub(crate) open: u64,
    /// Operations in `open` that a lane does; the puts and the changes of words among them.
    pub(crate) on_lane: u64,
    pub(crate) puts: u32,
    pub(crate) changes: u32,
    /// The flush of its lane.
    pub(crate) flush: FlushPhase,
    /// The last access that a lane has as one act, finished or not.
    pub(crate) last_single: Option<Key>,
    /// The words that lanes change there.
    pub(crate) turns: Turns,
    /// Accumulates and swaps by messages whose replies have not come.
    pub(crate) fetches: u32,
    /// Messages sent since the last confirmation was requested.
    pub(crate) unconfirmed: Unconfirmed,
    /// Confirmations requested, and received.
    pub(crate) asked: u64,
    pub(crate) confirmed: u64,
    /// Its lock, as the epoch holds it.
    pub(crate) lock: LockPhase,
    /// Its `Post` and `Complete` messages that no epoch of this process has consumed yet.
    pub(crate) posted: u64,
    pub(crate) completed: u64,
    /// Fences that it has reached and that are not over here.
    pub(crate) fenced: u64,
    /// Faults of its accesses, which the next confirmations report.
    pub(crate) faults: Faults,
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
            flush: FlushPhase::default(),
            last_single: None,
            turns: Turns::default(),
            unconfirmed: Unconfirmed::default(),
            asked: 0,
            confirmed: 0,
            lock: LockPhase::default(),
            posted: 0,
            completed: 0,
            fenced: 0,
            faults: Faults::default(),
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
        self.unconfirmed.requested();
    }

    /// Counts such a request where accesses need one. Returns whether they do.
    #[inline]
    pub(crate) fn ask_where_due(&mut self) -> bool {
        let due = self.has_unconfirmed();
        if due {
            self.ask();
        }
        due
    }

    /// Whether accesses were sent that are not confirmed, nor requested to be.
    #[inline]
    pub(crate) fn has_unconfirmed(&self) -> bool {
        self.unconfirmed == Unconfirmed::Accesses
    }

    /// Whether every requested confirmation has arrived.
    #[inline]
    pub(crate) fn is_answered(&self) -> bool {
        self.confirmed == self.asked
    }

    /// Whether the buffers of all operations on it are free, and no flush of its lane is under way.
    pub(crate) fn is_sent(&self) -> bool {
        let handled = !self.is_own || self.is_answered();
        self.open == 0 && !self.flush.is_under_way() && handled
    }

    /// Whether [`Target::is_sent`] holds, and nothing has failed.
    #[inline]
    pub(crate) fn is_sent_well(&self) -> bool {
        self.is_sent() && self.error.is_none()
    }

    /// Whether its lane has anything to wait for.
    pub(crate) fn is_lane_due(&self) -> bool {
        self.flush == FlushPhase::Unflushed || self.on_lane > 0
    }

    /// Whether this process has to wait for the target.
    pub(crate) fn is_awaited(&self) -> bool {
        !self.is_settled() || self.lock.waits()
    }

    /// Whether nothing is to be requested of it, or reported.
    #[inline]
    pub(crate) fn is_quiet(&self) -> bool {
        !self.has_unconfirmed() && !self.flush.is_under_way() && self.error.is_none()
    }

    /// Whether all operations on it are done, and all requested confirmations have arrived.
    pub(crate) fn is_settled(&self) -> bool {
        self.open == 0 && self.is_answered() && !self.flush.is_under_way()
    }
}

/// Faults of a process's accesses to this one's memory that have not been reported to it.
#[derive(Default, Debug)]
pub(crate) struct Faults {
    strayed: bool,
    conflict: Option<Conflict>,
}

/// A fault as a confirmation reports it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Fault {
    /// An access of memory that the window does not have.
    Range,
    /// Two accesses of one epoch to the same bytes.
    Conflict(Conflict),
}

impl Faults {
    /// Notes a fault, if it is the first of its kind since the last report.
    pub(crate) fn note(&mut self, fault: Fault) {
        match fault {
            Fault::Range => self.strayed = true,
            Fault::Conflict(conflict) => drop(self.conflict.get_or_insert(conflict)),
        }
    }

    /// Whether there is nothing to report.
    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        !self.strayed && self.conflict.is_none()
    }

    /// Returns the next fault to report, which counts as reported.
    pub(crate) fn next(&mut self) -> Option<Fault> {
        match std::mem::take(&mut self.strayed) {
            true => Some(Fault::Range),
            false => self.conflict.take().map(Fault::Conflict),
        }
    }
}
