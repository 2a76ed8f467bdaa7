//! The short way of accesses of elements without gaps: to memory that this process loads and stores
//! itself, and elsewhere in one message that goes to its lane at once.
//!
//! Whether an access is allowed is for the epoch to say (`osc::epoch`), which is asked behind the
//! engine's gate. It says the same until the epoch ends. So what it has said is noted here, by
//! target, and an access by loads and stores then needs this note, the target's range, and nothing
//! else. A message has to enter the engine anyway, and is made there (`osc::plain`). What is not
//! noted, or not that plain, goes the long way, which finds the errors.

use std::sync::atomic::{AtomicU64, Ordering};

use base::Rank;
use datatype::{Basic, Op};
use memory::UserBuf;
use osc::{Act, Stretch};
use osc_sm::{Spot, Wait};

use crate::win::direct::{access, Direct};
use crate::win::{with, Flavor, Lock, Window};

/// What the epochs have allowed. Who ends an epoch while others access by it is in the wrong
/// (MPI 5.0, 12.5), so nothing here orders anything.
pub(crate) struct Open {
    /// Counts epochs, in steps of [`EPOCH`].
    epoch: AtomicU64,
    /// By rank: the epoch in which something was allowed, and what.
    allowed: Box<[AtomicU64]>,
}

const ACCESS: u64 = 1;
const FLUSH: u64 = 2;
const EPOCH: u64 = 4;

impl Open {
    pub(crate) fn new(ranks: u32) -> Open {
        Open {
            epoch: AtomicU64::new(EPOCH),
            allowed: (0..ranks).map(|_| AtomicU64::new(0)).collect(),
        }
    }

    /// An access to a target was allowed.
    pub(crate) fn access(&self, target: u32) {
        self.allow(target, ACCESS);
    }

    /// A flush of a target was allowed: its lock is held.
    pub(crate) fn flush(&self, target: u32) {
        self.allow(target, FLUSH);
    }

    /// A target is locked.
    pub(crate) fn lock(&self, target: u32) {
        self.allow(target, ACCESS | FLUSH);
    }

    /// A target is locked no longer.
    pub(crate) fn unlock(&self, target: u32) {
        self.allowed[target as usize].store(0, Ordering::Relaxed);
    }

    /// The epoch toward all ends.
    pub(crate) fn end(&self) {
        let next = self.epoch.load(Ordering::Relaxed) + EPOCH;
        self.epoch.store(next, Ordering::Relaxed);
    }

    fn allow(&self, target: u32, what: u64) {
        let (word, epoch) = (
            &self.allowed[target as usize],
            self.epoch.load(Ordering::Relaxed),
        );
        let before = word.load(Ordering::Relaxed);
        let kept = match before & !(EPOCH - 1) == epoch {
            true => before,
            false => epoch,
        };
        word.store(kept | what, Ordering::Relaxed);
    }

    #[inline]
    fn allows(&self, target: i32, what: u64) -> bool {
        // A negative rank is a very large one.
        let allowed = self.allowed.get(target as u32 as usize);
        allowed.is_some_and(|word| {
            let ours = self.epoch.load(Ordering::Relaxed) | what;
            word.load(Ordering::Relaxed) & (!(EPOCH - 1) | what) == ours
        })
    }
}

/// Bytes of a target that may be loaded and stored at once.
pub struct Plain<'a> {
    window: &'a Window,
    direct: &'a Direct,
    spot: Spot<'a>,
}

impl Window {
    /// The `len` bytes at a displacement of a target, where they may be accessed at once. `None`
    /// says no more than that the long way has to be gone.
    #[inline]
    pub fn plain(&self, target: i32, displacement: i64, len: usize) -> Option<Plain<'_>> {
        let direct = self.direct()?;
        let place = self.near(target)?.0;
        let displacement = u64::try_from(displacement).ok()?;
        let first = displacement.checked_mul(self.extent(place).unit)?;
        let spot = direct.member.spot(place, first, len)?;
        let allowed = direct.open.allows(target, ACCESS) || self.is_open(direct, Rank(place));
        allowed.then_some(Plain {
            window: self,
            direct,
            spot,
        })
    }

    /// Accesses the `len` bytes at a displacement of a target by a message that goes to its lane
    /// at once, with what the access brings. False, and nothing is done, where the long way has to
    /// be gone.
    #[inline(never)]
    pub fn access_plainly(
        &self,
        target: i32,
        displacement: i64,
        len: usize,
        (act, brought): (Act, [UserBuf; 2]),
    ) -> bool {
        let stretch = self.stretch(target, displacement, len);
        let Some((target, stretch)) = stretch.filter(|to| !self.is_for_lane(to.0, act, len)) else {
            return false;
        };
        let mut core = self.process().engine.enter();
        core.access_plainly(self.id, target, stretch, act, brought)
    }

    /// Bytes of a target's memory that are reached by messages.
    #[inline]
    fn stretch(&self, target: i32, displacement: i64, len: usize) -> Option<(Rank, Stretch)> {
        let target = self.near(target)?;
        let extent = self.extent(target.0);
        let offset = u64::try_from(displacement).ok()?.checked_mul(extent.unit)?;
        let inside = len > 0 && len as u64 <= extent.size.checked_sub(offset)?;
        let messages = self.common.is_none() && self.near.is_none();
        let plain = inside && messages && self.flavor != Flavor::Dynamic;
        plain.then_some((target, Stretch { offset, len }))
    }

    /// Whether an access of so many bytes goes by a lane of its own.
    #[inline]
    fn is_for_lane(&self, target: Rank, act: Act, len: usize) -> bool {
        let remote = self.remote.as_ref();
        let least = || Some(remote.and_then(|remote| remote.way(target))?.least);
        match act {
            Act::Put => least().is_some_and(|least| len >= least.put),
            Act::Get { .. } => least().is_some_and(|least| len >= least.get),
            Act::Accumulate { .. } | Act::CompareAndSwap { .. } => self.words,
        }
    }

    /// Asks whether an access to a target may begin, where no `MPI_Win_post` is to be waited for.
    #[inline(never)]
    fn is_open(&self, direct: &Direct, target: Rank) -> bool {
        let id = self.id;
        if direct.awaits_posts() {
            return false;
        }
        let open = with(self.process(), |osc| osc.may_begin(id, target)) == Ok(true);
        if open {
            direct.open.access(target.0);
        }
        open
    }

    /// Completes all accesses to a target, where that is allowed and takes no message. False says
    /// that the long way has to be gone. With `remote` they are complete at the target, too.
    #[inline]
    pub fn flush_plainly(&self, target: i32, remote: bool) -> bool {
        let Some(direct) = self.direct() else {
            return self.is_flushed(target);
        };
        let allowed = direct.open.allows(target, FLUSH);
        if allowed && remote {
            direct.member.flush();
        }
        allowed
    }

    /// Whether a flush has nothing to wait for, where accesses go by messages.
    fn is_flushed(&self, target: i32) -> bool {
        self.near(target).is_some_and(|target| {
            let mut core = self.process().engine.enter();
            core.osc().is_flushed(self.id, target)
        })
    }

    /// Takes a target's lock, where nobody is in the way (`MPI_Win_lock`). False as of
    /// [`Window::flush_plainly`].
    #[inline]
    pub fn lock_plainly(&self, target: i32, lock: Lock) -> bool {
        let (Some(keeper), Some(target)) = (self.keeper(), self.near(target)) else {
            return false;
        };
        let id = self.id;
        let by_messages = self.direct().is_none();
        let begun = with(self.process(), |osc| {
            let alive = !by_messages || osc.check_target(id, target).is_ok();
            alive && osc.begin_lock(id, target, lock, false).is_ok()
        });
        if !begun {
            return false;
        }
        let wake = |rank| keeper.waiter(self).wake(rank);
        let taken = keeper.member.try_lock(target.0, access(lock), wake);
        match taken {
            true => keeper.open.lock(target.0),
            false => with(self.process(), |osc| osc.abandon_lock(id, target)),
        }
        taken
    }

    /// Gives a target's lock back (`MPI_Win_unlock`). False as of [`Window::flush_plainly`].
    #[inline]
    pub fn unlock_plainly(&self, target: i32) -> bool {
        let (Some(keeper), Some(target)) = (self.keeper(), self.near(target)) else {
            return false;
        };
        let mut core = self.process().engine.enter();
        let osc = core.osc();
        if self.direct().is_none() && !osc.is_flushed(self.id, target) {
            return false;
        }
        let ended = osc.end_lock(self.id, target);
        drop(core);
        if ended.is_ok() {
            keeper.unlock(self, target);
        }
        ended.is_ok()
    }

    #[inline]
    fn near(&self, target: i32) -> Option<Rank> {
        let target = u32::try_from(target).ok()?;
        ((target as usize) < self.extents.len()).then_some(Rank(target))
    }
}

impl Plain<'_> {
    /// Writes the bytes (`MPI_Put`).
    #[inline]
    pub fn put(&self, from: UserBuf) {
        self.spot.put(from);
    }

    /// Reads the bytes (`MPI_Get`).
    #[inline]
    pub fn get(&self, into: UserBuf) {
        self.spot.get(into);
    }

    /// Combines the bytes, elements of a predefined datatype without gaps that the operation is
    /// defined for (`MPI_Accumulate`, `MPI_Get_accumulate`). False, and nothing is done, where the
    /// long way has to be gone.
    #[inline]
    pub fn combine(
        &self,
        row: &'static Basic,
        op: Op,
        from: UserBuf,
        before: Option<UserBuf>,
    ) -> bool {
        let wake = |rank| self.wake(rank);
        self.spot.combine(row, op, from, before, wake)
    }

    /// Writes the first of three elements where the bytes equal the second; the third gets what
    /// was there (`MPI_Compare_and_swap`). False as of [`Plain::combine`].
    #[inline]
    pub fn swap(&self, buffers: [UserBuf; 3]) -> bool {
        self.spot.swap(buffers, |rank| self.wake(rank))
    }

    #[cold]
    fn wake(&self, rank: u32) {
        self.direct.waiter(self.window).wake(rank);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_allowed_ends_with_its_epoch() {
        let open = Open::new(2);
        let may = |target, what| open.allows(target, what);
        assert!(!may(0, ACCESS) && !may(0, FLUSH));
        open.access(0);
        assert!(may(0, ACCESS) && !may(0, FLUSH) && !may(1, ACCESS));
        open.flush(0);
        assert!(may(0, ACCESS) && may(0, FLUSH));
        open.end();
        assert!(!may(0, ACCESS) && !may(0, FLUSH));
        open.flush(0);
        assert!(
            !may(0, ACCESS) && may(0, FLUSH),
            "nothing is left of the last epoch"
        );
        open.lock(1);
        open.unlock(0);
        assert!(!may(0, FLUSH) && may(1, ACCESS) && may(1, FLUSH));
    }

    #[test]
    fn there_are_no_other_ranks() {
        let open = Open::new(1);
        open.lock(0);
        for rank in [-3, -1, 1, i32::MAX, i32::MIN] {
            assert!(!open.allows(rank, ACCESS), "{rank}");
        }
    }
}
