//! Accesses to contiguous elements of one predefined datatype, whose layout needs no description.
//!
//! Where all processes of a window load and store its memory, such an access is done here.
//! Elsewhere it is an [`osc::Access`] that its carrier mostly takes at once. Each function returns
//! whether the access has started; where not, nothing has changed, and the caller goes on by
//! [`Window::access`], which waits, queues and finds errors.

use base::Rank;
use datatype::{Basic, Buffer, Combining};
use memory::UserBuf;
use osc::{Access, Permit, TargetBytes, Verb};
use osc_sm::Wait;

use crate::direct::Direct;
use crate::{Flavor, Window};

impl Window {
    /// Puts bytes at a displacement of a target (`MPI_Put`).
    #[inline(always)]
    pub fn put_contiguous(&self, target: i32, displacement: i64, from: UserBuf) -> bool {
        let Some(direct) = self.direct() else {
            return self.start_putting(target, displacement, from);
        };
        let there = self.range(direct, target, displacement, from.len());
        let Some((_, there)) = there else {
            return false;
        };
        direct.member.put_bytes(there, from);
        true
    }

    /// Gets the bytes at a displacement of a target (`MPI_Get`).
    #[inline(always)]
    pub fn get_contiguous(&self, target: i32, displacement: i64, into: UserBuf) -> bool {
        let Some(direct) = self.direct() else {
            return self.start_getting(target, displacement, into);
        };
        let there = self.range(direct, target, displacement, into.len());
        let Some((_, there)) = there else {
            return false;
        };
        direct.member.get_bytes(there, into);
        true
    }

    /// Combines elements with those at a displacement of a target (`MPI_Accumulate`,
    /// `MPI_Get_accumulate`). With `MPI_NO_OP` only the number of the origin's bytes counts.
    #[inline(always)]
    pub fn combine_contiguous(
        &self,
        target: i32,
        displacement: i64,
        how: Combining,
        from: UserBuf,
        before: Option<UserBuf>,
    ) -> bool {
        let Some(direct) = self.direct() else {
            return self.start_combining(target, displacement, how, from, before);
        };
        let there = self.range(direct, target, displacement, from.len());
        let wake = |rank| self.wake(direct, rank);
        there.is_some_and(|there| direct.member.combine_bytes(there, how, from, before, wake))
    }

    /// Writes the first of three elements to a displacement of a target where what is there equals
    /// the second; the third gets what was there (`MPI_Compare_and_swap`).
    #[inline(always)]
    pub fn swap_contiguous(
        &self,
        target: i32,
        displacement: i64,
        element: &'static Basic,
        buffers: [UserBuf; 3],
    ) -> bool {
        let Some(direct) = self.direct() else {
            return self.start_swapping(target, displacement, element, buffers);
        };
        let there = self.range(direct, target, displacement, buffers[0].len());
        let wake = |rank| self.wake(direct, rank);
        there.is_some_and(|there| direct.member.swap_bytes(there, buffers, wake))
    }

    /// Returns the `len` bytes at a displacement of a target whose memory this process loads and
    /// stores, where the epoch allows that, and the target's place in the segment. `None` only says
    /// that the access has to start by [`Window::access`].
    #[inline]
    fn range(
        &self,
        direct: &Direct,
        target: i32,
        displacement: i64,
        len: usize,
    ) -> Option<(u32, UserBuf)> {
        let place = self.near(target)?.0;
        let displacement = u64::try_from(displacement).ok()?;
        let first = displacement.checked_mul(self.extent(place).unit)?;
        let there = direct.member.range(place, first, len)?;
        let allowed =
            self.permits.allow(target, Permit::ACCESS) || self.is_open(direct, Rank(place));
        allowed.then_some((place, there))
    }

    #[cold]
    fn wake(&self, direct: &Direct, rank: u32) {
        direct.waiter(&self.comm).wake(rank);
    }

    /// Starts a put to a window that is reached by messages or lanes.
    #[inline(never)]
    fn start_putting(&self, target: i32, displacement: i64, from: UserBuf) -> bool {
        self.start_contiguous(target, displacement, from.len(), || Verb::Put {
            from: Buffer::bytes(from),
        })
    }

    /// Starts a get from a window that is reached by messages or lanes.
    #[inline(never)]
    fn start_getting(&self, target: i32, displacement: i64, into: UserBuf) -> bool {
        self.start_contiguous(target, displacement, into.len(), || Verb::Get {
            into: Buffer::bytes(into),
        })
    }

    /// Starts an accumulate in a window that is reached by messages or lanes. Where the window's
    /// words are changed by a transport, one of several elements is an error, which
    /// [`Window::access`] reports.
    #[inline(never)]
    fn start_combining(
        &self,
        target: i32,
        displacement: i64,
        how: Combining,
        from: UserBuf,
        before: Option<UserBuf>,
    ) -> bool {
        if self.words && from.len() > how.element().size as usize {
            return false;
        }
        self.start_contiguous(target, displacement, from.len(), || Verb::Accumulate {
            op: how.op(),
            element: how.element(),
            from: Buffer::bytes(from),
            before: before.map(Buffer::bytes),
        })
    }

    /// Starts a swap in a window that is reached by messages or lanes.
    #[inline(never)]
    fn start_swapping(
        &self,
        target: i32,
        displacement: i64,
        element: &'static Basic,
        [new, compare, before]: [UserBuf; 3],
    ) -> bool {
        self.start_contiguous(target, displacement, new.len(), || Verb::CompareAndSwap {
            element,
            compare,
            new,
            before: Buffer::bytes(before),
        })
    }

    /// Starts an access to a window that is reached by messages or lanes. Its act is made where the
    /// access lies.
    #[inline(always)]
    fn start_contiguous(
        &self,
        target: i32,
        displacement: i64,
        len: usize,
        verb: impl FnOnce() -> Verb,
    ) -> bool {
        let Some((target, offset)) = self.offset(target, displacement, len) else {
            return false;
        };
        let lane = self.remote.as_ref().and_then(|remote| remote.lane(target));
        let engine = &self.process().engine;
        let mut core = engine.enter();
        let access = Access {
            verb: verb(),
            place: TargetBytes::Contiguous { offset, len },
        };
        core.start_soon((self.id, target), &access, lane, || engine.short_polls())
    }

    /// Returns the offset of `len` bytes at a displacement of a target, where they lie inside its
    /// window.
    #[inline]
    fn offset(&self, target: i32, displacement: i64, len: usize) -> Option<(Rank, u64)> {
        let target = self.near(target)?;
        let extent = self.extent(target.0);
        let offset = u64::try_from(displacement).ok()?.checked_mul(extent.unit)?;
        let inside = len > 0 && len as u64 <= extent.size.checked_sub(offset)?;
        let elsewhere = self.common.is_none() && self.near.is_none();
        let known = inside && elsewhere && self.flavor != Flavor::Dynamic;
        known.then_some((target, offset))
    }

    #[inline]
    pub(super) fn near(&self, target: i32) -> Option<Rank> {
        let target = u32::try_from(target).ok()?;
        ((target as usize) < self.extents.len()).then_some(Rank(target))
    }
}
