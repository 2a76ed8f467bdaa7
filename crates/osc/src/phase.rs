//! The phases of a target: its lock, the flush of its lane, and what it has not confirmed.
//!
//! Each event is a method. A phase that is not listed with an event stays as it is, and nothing
//! follows; a test makes every phase meet every event, and holds this table to what it finds:
//!
//! | phase | event | next | what follows |
//! |---|---|---|---|
//! | `Lock::None` | requested | `Requested` | |
//! | | taken | `Unchecked` | |
//! | `Lock::Requested` | granted | `Granted` | |
//! | | released | `None` | `Unlock` |
//! | | abandoned | `None` | |
//! | `Lock::Granted` | released | `None` | `Unlock` |
//! | | abandoned | `None` | |
//! | `Lock::Unchecked` | released | `None` | confirmation |
//! | | abandoned | `None` | |
//! | `Flush::Idle` | put | `Unflushed` | |
//! | | begun behind an access | `Flushing` | flush |
//! | `Flush::Unflushed` | begun | `Flushing` | flush |
//! | | begun behind an access | `Flushing` | flush |
//! | | flushed | `Idle` | |
//! | `Flush::Flushing` | to unlock behind | `FlushingThenUnlock` | |
//! | | flushed | `Idle` | |
//! | `Flush::FlushingThenUnlock` | flushed | `Idle` | `Unlock` |
//! | `Unconfirmed::Nothing` | access | `Accesses` | |
//! | | notice | `Notices` | |
//! | `Unconfirmed::Notices` | access | `Accesses` | |
//! | | requested | `Nothing` | |
//! | | freed | `Accesses` | |
//! | `Unconfirmed::Accesses` | completed | `Notices` | |
//! | | requested | `Nothing` | |

/// The lock of a target, as the epoch of this process holds it.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) enum LockPhase {
    /// Not held, and not requested.
    #[default]
    None,
    /// Requested by a message, and not granted yet.
    Requested,
    /// Granted by the target.
    Granted,
    /// Held, and the target does not know it: the program says that nobody else wants it
    /// (`MPI_MODE_NOCHECK`), or the lock is in shared memory.
    Unchecked,
}

/// The message that the release of a lock takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Release {
    /// A message to the target, behind all accesses.
    Unlock,
    /// No message of its own: the accesses are to be confirmed, and no more.
    Confirmation,
}

impl LockPhase {
    /// Whether the epoch of a lock is open at the target, be it that the lock is not granted yet.
    #[inline]
    pub(crate) fn is_held(self) -> bool {
        self != LockPhase::None
    }

    /// Whether the target is still to grant the lock.
    #[inline]
    pub(crate) fn waits(self) -> bool {
        self == LockPhase::Requested
    }

    /// The target is asked for the lock.
    pub(crate) fn requested(&mut self) {
        if *self == LockPhase::None {
            *self = LockPhase::Requested;
        }
    }

    /// The lock is taken without a message to the target.
    #[inline]
    pub(crate) fn taken(&mut self) {
        if *self == LockPhase::None {
            *self = LockPhase::Unchecked;
        }
    }

    /// The target grants the lock. Returns false where it was not asked to.
    pub(crate) fn granted(&mut self) -> bool {
        let waits = self.waits();
        if waits {
            *self = LockPhase::Granted;
        }
        waits
    }

    /// The epoch ends. Returns what the release takes; `None` where the lock is not held.
    #[inline]
    pub(crate) fn released(&mut self) -> Option<Release> {
        match std::mem::take(self) {
            LockPhase::None => None,
            LockPhase::Requested | LockPhase::Granted => Some(Release::Unlock),
            LockPhase::Unchecked => Some(Release::Confirmation),
        }
    }

    /// The lock could not be had.
    pub(crate) fn abandoned(&mut self) {
        *self = LockPhase::None;
    }
}

/// The flush of a target's lane: until it is done, puts may not be in the target's memory though
/// the lane is done with them.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) enum FlushPhase {
    /// Everything that the lane is done with is in the target's memory.
    #[default]
    Idle,
    /// The lane has put since it was flushed.
    Unflushed,
    /// A flush waits for the lane's accesses, and covers whatever is put until it takes place.
    Flushing {
        /// Whether the lock is to be released behind it.
        then_unlock: bool,
    },
}

impl FlushPhase {
    /// Whether a flush is under way.
    #[inline]
    pub(crate) fn is_under_way(self) -> bool {
        matches!(self, FlushPhase::Flushing { .. })
    }

    /// The lane has put, or begins to.
    #[inline]
    pub(crate) fn put(&mut self) {
        if *self == FlushPhase::Idle {
            *self = FlushPhase::Unflushed;
        }
    }

    /// A flush is wanted, where the lane is `busy` with an access or not. Returns whether one
    /// begins.
    #[inline]
    pub(crate) fn begun(&mut self, busy: bool) -> bool {
        let begins = match *self {
            FlushPhase::Idle => busy,
            FlushPhase::Unflushed => true,
            FlushPhase::Flushing { .. } => false,
        };
        if begins {
            *self = FlushPhase::Flushing { then_unlock: false };
        }
        begins
    }

    /// The lock is to be released behind the flush. Returns false where none is under way.
    #[inline]
    pub(crate) fn unlock_behind(&mut self) -> bool {
        let waits = self.is_under_way();
        if waits {
            *self = FlushPhase::Flushing { then_unlock: true };
        }
        waits
    }

    /// The lane is flushed. Returns whether the lock is to be released now.
    #[inline]
    pub(crate) fn flushed(&mut self) -> bool {
        let then_unlock = FlushPhase::Flushing { then_unlock: true };
        std::mem::take(self) == then_unlock
    }
}

/// Messages sent to a target that are neither confirmed nor requested to be.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) enum Unconfirmed {
    /// Nothing.
    #[default]
    Nothing,
    /// Messages that need confirmation only before the window is freed.
    Notices,
    /// An access, and maybe notices.
    Accesses,
}

impl Unconfirmed {
    /// An access was sent.
    #[inline]
    pub(crate) fn access(&mut self) {
        *self = Unconfirmed::Accesses;
    }

    /// A control message was sent.
    #[inline]
    pub(crate) fn notice(&mut self) {
        if *self == Unconfirmed::Nothing {
            *self = Unconfirmed::Notices;
        }
    }

    /// The accesses are at an end: the target handles a message behind them before it goes on.
    #[inline]
    pub(crate) fn completed(&mut self) {
        if *self == Unconfirmed::Accesses {
            *self = Unconfirmed::Notices;
        }
    }

    /// Everything sent so far was requested to be confirmed.
    #[inline]
    pub(crate) fn requested(&mut self) {
        *self = Unconfirmed::Nothing;
    }

    /// The window is to be freed, before which notices are confirmed, too.
    pub(crate) fn freed(&mut self) {
        if *self == Unconfirmed::Notices {
            *self = Unconfirmed::Accesses;
        }
    }
}

#[cfg(test)]
mod table;
