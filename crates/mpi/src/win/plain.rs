//! The fast path of accesses of elements without gaps: to memory that this process loads and stores
//! itself, and elsewhere in one message that goes to its lane at once.
//!
//! The epochs decide whether an access is allowed, behind the engine's gate, and give a permit for
//! it that holds until the epoch ends ([`osc::Permits`]). An access by loads and stores needs this
//! permit, the target's range, and nothing else. A message has to enter the engine anyway, and is
//! made there (`osc::plain`). An access without a permit, or not that plain, takes the slow path,
//! which finds the errors.

use base::Rank;
use datatype::Combining;
use engine::{Core, Found, Grace, PlainAccess};
use memory::UserBuf;
use osc::{Act, Far, Flushed, Osc, Permit, Plainly, Stretch};
use osc_sm::{Spot, Wait};
use pml::Pml;

use crate::win::direct::{access, Direct};
use crate::win::{Flavor, Lock, Window};

/// Polls for replies before a flush is a wait, beside those of a receive for its message: a reply
/// takes a round trip, and to begin the wait takes as long as a dozen polls.
const LOOKS: u32 = 8;

/// Bytes of a target that may be loaded and stored at once.
pub struct Plain<'a> {
    window: &'a Window,
    direct: &'a Direct,
    spot: Spot<'a>,
}

impl Window {
    /// Returns the `len` bytes at a displacement of a target, where they may be accessed at once.
    /// `None` only says that the slow path has to be taken.
    #[inline]
    pub fn plain(&self, target: i32, displacement: i64, len: usize) -> Option<Plain<'_>> {
        let direct = self.direct()?;
        let place = self.near(target)?.0;
        let displacement = u64::try_from(displacement).ok()?;
        let first = displacement.checked_mul(self.extent(place).unit)?;
        let spot = direct.member.spot(place, first, len)?;
        let allowed =
            self.permits.allow(target, Permit::ACCESS) || self.is_open(direct, Rank(place));
        allowed.then_some(Plain {
            window: self,
            direct,
            spot,
        })
    }

    /// Accesses the `len` bytes at a displacement of a target by its lane, or by a message that
    /// goes there at once, with what the access brings. Returns false, with nothing done, where the
    /// slow path has to be taken.
    #[inline(always)]
    pub fn access_plainly(
        &self,
        target: i32,
        displacement: i64,
        len: usize,
        access: &(Act, UserBuf),
        far: Far,
    ) -> bool {
        let changes = !matches!(access.0, Act::Put | Act::Get { .. });
        if !(changes && self.words) {
            return self.access_by_any(target, displacement, len, access, far);
        }
        match self.change_plainly(target, displacement, len, access, far) {
            Plainly::Sent => true,
            stood => self.change_soon(target, displacement, len, access, far, stood),
        }
    }

    /// Hands an accumulate of a 64-bit word to the transport that changes the window's, if it can
    /// go at once. All of it is part of this function, and a loop would have it keep more than fits
    /// in registers.
    #[inline(never)]
    fn change_plainly(
        &self,
        target: i32,
        displacement: i64,
        len: usize,
        access: &(Act, UserBuf),
        far: Far,
    ) -> Plainly {
        let Some(access) = self.plain_access(target, displacement, len, access, far) else {
            return Plainly::Refused;
        };
        let mut core = self.process().engine.enter();
        core.change_plainly(&access)
    }

    /// Retries an accumulate that [`Window::change_plainly`] could not hand over, until it has
    /// waited long enough.
    #[cold]
    fn change_soon(
        &self,
        target: i32,
        displacement: i64,
        len: usize,
        access: &(Act, UserBuf),
        far: Far,
        stood: Plainly,
    ) -> bool {
        let Some(rank) = self.near(target) else {
            return false;
        };
        let engine = &self.process().engine;
        let mut grace = Grace::new(self.id, rank, engine.short_polls());
        let mut stood = stood;
        while stood != Plainly::Sent && engine.enter().waits(&mut grace, stood) {
            stood = self.change_plainly(target, displacement, len, access, far);
        }
        stood == Plainly::Sent
    }

    /// Begins an access by any transport, on the slow path.
    #[inline(never)]
    fn access_by_any(
        &self,
        target: i32,
        displacement: i64,
        len: usize,
        access: &(Act, UserBuf),
        far: Far,
    ) -> bool {
        let Some(access) = self.plain_access(target, displacement, len, access, far) else {
            return false;
        };
        let remote = self.remote.as_ref();
        let way = remote.and_then(|remote| remote.way(access.target));
        let access = PlainAccess { way, ..access };
        let engine = &self.process().engine;
        let mut core = engine.enter();
        core.access_plainly(&access, || engine.short_polls())
    }

    /// An access to bytes of a target's memory that are reached by messages or by a lane. Part of
    /// its callers, so that it need not lie in memory.
    #[inline(always)]
    fn plain_access<'a>(
        &self,
        target: i32,
        displacement: i64,
        len: usize,
        (act, brought): &'a (Act, UserBuf),
        far: Far,
    ) -> Option<PlainAccess<'a>> {
        let (target, stretch) = self.stretch(target, displacement, len)?;
        Some(PlainAccess {
            window: self.id,
            target,
            stretch,
            act,
            brought: *brought,
            way: None,
            far,
        })
    }

    /// Where those bytes are.
    #[inline(always)]
    fn stretch(&self, target: i32, displacement: i64, len: usize) -> Option<(Rank, Stretch)> {
        let target = self.near(target)?;
        let extent = self.extent(target.0);
        let offset = u64::try_from(displacement).ok()?.checked_mul(extent.unit)?;
        let inside = len > 0 && len as u64 <= extent.size.checked_sub(offset)?;
        let messages = self.common.is_none() && self.near.is_none();
        let plain = inside && messages && self.flavor != Flavor::Dynamic;
        plain.then_some((target, Stretch { offset, len }))
    }

    /// Whether an access to a target may begin, where no `MPI_Win_post` is to be waited for long.
    #[inline(never)]
    fn is_open(&self, direct: &Direct, target: Rank) -> bool {
        let id = self.id;
        let may = |osc: &mut Osc| osc.may_begin(id, target) == Ok(true);
        self.with(|osc| direct.sees_posts(self, osc) && may(osc))
    }

    /// Completes all accesses to a target, where that is allowed and takes no message. False says
    /// that the slow path has to be taken. With `remote` they are complete at the target, too.
    #[inline]
    pub fn flush_plainly(&self, target: i32, remote: bool) -> bool {
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
        let looks = self.process().engine.short_polls();
        let sought = core.sole_move(self.id, target);
        let rounds = match sought {
            Some(_) => 2 * looks,
            None => LOOKS * looks,
        };
        for round in 0..rounds {
            let found = match &sought {
                Some(sought) if round % 2 == 1 => core.look_for(sought, LOOKS - 1),
                _ if core.progress() == 0 => Found::Nothing,
                _ => Found::Something,
            };
            match found {
                // Nothing has changed; but it may be that nothing was to come.
                Found::Nothing if round > 0 => continue,
                Found::Nothing => {}
                Found::All => return true,
                Found::Something => {}
            }
            match core.how_flushed(self.id, target) {
                Flushed::Done => return true,
                Flushed::Soon => {}
                Flushed::Lane(_) | Flushed::Unasked => return false,
            }
        }
        false
    }

    /// Takes a target's lock (`MPI_Win_lock`), if that takes no wait. False, and nothing is done,
    /// where it may take one or is an error: the caller goes on by [`Window::lock`].
    #[inline(never)]
    pub fn try_lock(&self, target: i32, lock: Lock) -> bool {
        let (Some(keeper), Some(target)) = (self.keeper(), self.near(target)) else {
            return false;
        };
        let (id, by_messages) = (self.id, self.direct().is_none());
        let mut core = self.process().engine.enter();
        if !core.open_lock(id, target, lock, by_messages) {
            return false;
        }
        drop(core);
        let wake = |rank| keeper.waiter(self).wake(rank);
        let taken = keeper.member.try_lock(target.0, access(lock), wake);
        if !taken {
            self.with(|osc| osc.abandon_lock(id, target));
        }
        taken
    }

    /// Releases a target's lock (`MPI_Win_unlock`), if that takes no wait. False, and nothing is
    /// done, where it may take one or is an error: the caller goes on by [`Window::unlock`].
    #[inline(never)]
    pub fn try_unlock(&self, target: i32) -> bool {
        let (Some(keeper), Some(target)) = (self.keeper(), self.near(target)) else {
            return false;
        };
        let done = self.end_lock(target);
        if done {
            keeper.unlock(self, target);
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

    /// Combines the bytes, which are elements (`MPI_Accumulate`, `MPI_Get_accumulate`). Returns
    /// false, with nothing done, where the slow path has to be taken.
    #[inline]
    pub fn combine(&self, how: Combining, from: UserBuf, before: Option<UserBuf>) -> bool {
        let wake = |rank| self.wake(rank);
        self.spot.combine(how, from, before, wake)
    }

    /// Writes the first of three elements where the bytes equal the second; the third gets what was
    /// there (`MPI_Compare_and_swap`). False: see [`Plain::combine`].
    #[inline]
    pub fn swap(&self, buffers: [UserBuf; 3]) -> bool {
        self.spot.swap(buffers, |rank| self.wake(rank))
    }

    #[cold]
    fn wake(&self, rank: u32) {
        self.direct.waiter(self.window).wake(rank);
    }
}
