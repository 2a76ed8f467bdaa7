//! Flushes and locks of targets that take no wait.
//!
//! The epochs decide whether an access is allowed, behind the engine's gate, and give a permit for
//! it that holds until the epoch ends ([`osc::Permits`]). An access by loads and stores needs this
//! permit, the target's range, and nothing else (`contiguous.rs`), and so does a flush of a
//! segment.

use base::Rank;
use engine::Core;
use osc::{Flushed, Osc, Permit};
use osc_sm::Wait;

use crate::direct::{access, Direct};
use crate::{Lock, Window};

impl Window {
    /// Whether an access to a target may begin, where no `MPI_Win_post` is to be waited for long.
    #[inline(never)]
    pub(super) fn is_open(&self, direct: &Direct, target: Rank) -> bool {
        let id = self.id;
        let may = |osc: &mut Osc| osc.may_begin(id, target) == Ok(true);
        self.with(|osc| direct.sees_posts(&self.comm, self.id, osc) && may(osc))
    }

    /// Completes all accesses to a target, where that is allowed and takes no message. False says
    /// that the slow path has to be taken. With `remote` they are complete at the target, too.
    #[inline]
    pub fn try_flush(&self, target: i32, remote: bool) -> bool {
        let Some(direct) = self.direct() else {
            return self.is_flushed(target);
        };
        let allowed = self.permits.allow(target, Permit::FLUSH);
        if allowed && remote {
            direct.member.flush();
        }
        allowed
    }

    /// Whether a flush has nothing to wait for, where accesses go by messages.
    fn is_flushed(&self, target: i32) -> bool {
        let Some(target) = self.near(target) else {
            return false;
        };
        self.is_settled(&mut self.process().engine.enter(), target)
    }

    /// Whether everything is complete at a target, or is in a moment.
    #[inline]
    fn is_settled(&self, core: &mut Core, target: Rank) -> bool {
        match core.how_flushed(self.id, target) {
            Flushed::Done => true,
            Flushed::Soon => self.is_flushed_soon(core, target),
            Flushed::Lane(_) | Flushed::Unasked => false,
        }
    }

    /// Whether a flush of a target has nothing to wait for but replies that come in a moment.
    #[inline(never)]
    fn is_flushed_soon(&self, core: &mut Core, target: Rank) -> bool {
        core.is_flushed_soon(self.id, target, self.process().engine.short_polls())
    }

    /// Takes a target's lock (`MPI_Win_lock`), if that takes no wait. False, and nothing is done,
    /// where it may take one or is an error: the caller goes on by [`Window::lock`].
    #[inline(never)]
    pub fn try_lock(&self, target: i32, lock: Lock) -> bool {
        let (Some(locks), Some(target)) = (self.lock_memory(), self.near(target)) else {
            return false;
        };
        let (id, by_messages) = (self.id, self.direct().is_none());
        let mut core = self.process().engine.enter();
        if !core.open_lock(id, target, lock, by_messages) {
            return false;
        }
        drop(core);
        let wake = |rank| locks.waiter(&self.comm).wake(rank);
        let taken = locks.member.try_lock(target.0, access(lock), wake);
        if !taken {
            self.with(|osc| osc.abandon_lock(id, target));
        }
        taken
    }

    /// Releases a target's lock (`MPI_Win_unlock`), if that takes no wait. False, and nothing is
    /// done, where it may take one or is an error: the caller goes on by [`Window::unlock`].
    #[inline(never)]
    pub fn try_unlock(&self, target: i32) -> bool {
        let (Some(locks), Some(target)) = (self.lock_memory(), self.near(target)) else {
            return false;
        };
        let done = self.end_lock(target);
        if done {
            locks.unlock(&self.comm, target);
        }
        done
    }

    /// Ends the epoch of a lock, where nothing is to be waited for.
    #[inline(never)]
    fn end_lock(&self, target: Rank) -> bool {
        let mut core = self.process().engine.enter();
        let settled = self.direct().is_some() || self.is_settled(&mut core, target);
        settled && core.close_lock(self.id, target)
    }
}
