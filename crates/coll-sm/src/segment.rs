//! The layout of a communicator's segment.
//!
//! ```text
//! byte       what                                        written by
//! 0          cookie u64                                  creator, once (`shm::handshake`)
//! 64         asleep u32                                  who falls asleep and wakes up
//! 128        a line per rank: passed u64, awaited u32,   that rank; wakers clear `awaited`
//!              says u32, says_since u64
//! slots_at   for each rank, page by page:                that rank
//!              first lines of 16 slots, 128 bytes apart:
//!                mark u64, head u64, 48 bytes of data
//!              more data of each, up to the slot's size
//! ```
//!
//! The first lines of a rank lie together, so that short calls take one page of it, and not line by
//! line, since processors fetch lines in pairs.
//!
//! `asleep` and `awaited` are those of [`shm::Sleepers`]. `says` is the call of a rank that slept,
//! in the code of a `coll::Signature`, and `says_since` one more than the first round of that call.

use memory::UserBuf;
use shm::segment::Line;
use shm::{Segment, Sleepers};
use sync::atomic::{AtomicU32, AtomicU64};
use sync::rounds::Board;
use sync::LINE_BYTES;

/// Slots of a rank: how far ranks may get ahead of each other, and how much goes through them
/// before one is filled again.
pub(crate) const DEPTH: u64 = 16;
/// Bytes that direct copies go through, and the most that a slot has.
pub(crate) const BOUNCE_BYTES: usize = 128 << 10;
/// Bytes of data from which on a slot is used part by part.
const WANDERS_MIN: usize = 4096;
/// Data in a slot's first line.
pub(crate) const INLINE_BYTES: usize = LINE_BYTES - INLINE_AT;

const INLINE_AT: usize = 16;
const HEAD_AT: usize = 8;
const ASLEEP_AT: usize = 64;
const RANKS_AT: usize = 128;
const PAGE_BYTES: usize = 4096;
/// Bytes from the first line of one slot to that of the next.
const FIRST_STRIDE: usize = 2 * LINE_BYTES;
/// More ranks than this do not share memory on one node.
const RANKS_MAX: u32 = 4096;

/// The sizes that decide all offsets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Layout {
    pub(crate) ranks: u32,
    /// Bytes of data in a slot beside the first line; a multiple of a line.
    pub(crate) slot_bytes: u32,
}

impl Layout {
    /// Whether a creator's layout is within the limits.
    pub(crate) fn is_possible(&self) -> bool {
        (2..=RANKS_MAX).contains(&self.ranks)
            && (self.slot_bytes as usize).is_multiple_of(LINE_BYTES)
            && (1 << 10..=BOUNCE_BYTES as u32).contains(&self.slot_bytes)
    }

    fn slots_at(&self) -> usize {
        (RANKS_AT + self.ranks as usize * LINE_BYTES).next_multiple_of(PAGE_BYTES)
    }

    /// Bytes from the data of one slot to that of the next: no multiple of a page, so that not all
    /// begin in one set of a cache.
    fn stride(&self) -> usize {
        LINE_BYTES + self.slot_bytes as usize
    }

    /// Bytes of the slots of a rank.
    fn rank_bytes(&self) -> usize {
        let bytes = DEPTH as usize * (FIRST_STRIDE + self.stride());
        bytes.next_multiple_of(PAGE_BYTES)
    }

    pub(crate) fn len(&self) -> usize {
        self.slots_at() + self.ranks as usize * self.rank_bytes()
    }

    /// Offset of the data of `round` behind a slot's first line: from lap to lap in another part of
    /// the slot, as many as it has. Data written some laps ago has left the second-level caches,
    /// and is found in one that the cores share; to write to a line in another core's own cache
    /// takes four times as long.
    #[inline]
    fn wandering(&self, round: u64, len: usize) -> usize {
        if len < WANDERS_MIN {
            return 0;
        }
        let step = len.next_multiple_of(LINE_BYTES);
        let parts = (self.slot_bytes as usize / step).max(1);
        (round / DEPTH) as usize % parts * step
    }
}

/// A segment and its layout: the accessors for its contents.
#[derive(Debug)]
pub(crate) struct View {
    segment: Segment,
    layout: Layout,
    /// The first line of the slots, lines from one rank's to the next's, and from the data of one
    /// slot to that of the next.
    slots: usize,
    rank_stride: usize,
    stride: usize,
}

impl View {
    /// Returns the view of a segment whose pages are reserved; `None` when it is not as long as its
    /// layout.
    pub(crate) fn new(segment: Segment, layout: Layout) -> Option<View> {
        let view = View {
            slots: layout.slots_at() / LINE_BYTES,
            rank_stride: layout.rank_bytes() / LINE_BYTES,
            stride: layout.stride() / LINE_BYTES,
            segment,
            layout,
        };
        (view.segment.len() == layout.len()).then_some(view)
    }

    pub(crate) fn layout(&self) -> Layout {
        self.layout
    }

    fn rank_line(&self, rank: u32) -> Line<'_> {
        assert!(rank < self.layout.ranks);
        self.segment.line(RANKS_AT / LINE_BYTES + rank as usize)
    }

    pub(crate) fn says(&self, rank: u32) -> &AtomicU32 {
        self.rank_line(rank).word::<AtomicU32, 12>()
    }

    pub(crate) fn says_since(&self, rank: u32) -> &AtomicU64 {
        self.rank_line(rank).word::<AtomicU64, 16>()
    }

    /// Returns the first line of a slot. Slots are the last in the segment, so an invalid rank has
    /// no line.
    #[inline]
    fn slot(&self, rank: u32, slot: u64) -> Line<'_> {
        debug_assert!(rank < self.layout.ranks && slot < DEPTH);
        let first = self.slots + rank as usize * self.rank_stride;
        self.segment
            .line(first + slot as usize * (FIRST_STRIDE / LINE_BYTES))
    }

    /// Returns the first line of a slot's further data.
    #[inline]
    fn further(&self, rank: u32, slot: u64) -> Line<'_> {
        let first = self.slots + rank as usize * self.rank_stride;
        let behind = DEPTH as usize * FIRST_STRIDE / LINE_BYTES;
        self.segment
            .line(first + behind + slot as usize * self.stride)
    }

    /// Returns the head that a rank shows in its slot of `round`, encoded by its owner.
    #[inline]
    pub(crate) fn head(&self, rank: u32, round: u64) -> &AtomicU64 {
        self.slot(rank, round % DEPTH).word::<AtomicU64, HEAD_AT>()
    }

    /// Returns `len` bytes of data in a rank's slot of `round`: at the same offset for all who know
    /// the two numbers.
    ///
    /// # Panics
    /// When a slot has fewer bytes.
    #[inline]
    pub(crate) fn data(&self, rank: u32, round: u64, len: usize) -> UserBuf {
        assert!(len <= self.layout.slot_bytes as usize);
        let (line, at) = match len {
            0..=INLINE_BYTES => (self.slot(rank, round % DEPTH), INLINE_AT),
            _ => (
                self.further(rank, round % DEPTH),
                self.layout.wandering(round, len),
            ),
        };
        // SAFETY: the slot has its first line, and `slot_bytes` of further data, all reserved,
        // since the segment is as long as its layout. The rounds decide who writes and who reads; a
        // broken member changes values, not where they are.
        unsafe { UserBuf::new(line.address().as_ptr().wrapping_add(at), len) }
    }

    /// Prefetches a slot's first line, for writing: another core has it, since it was read there.
    #[inline]
    pub(crate) fn fetch_for_writing(&self, rank: u32, round: u64) {
        let slot = self.slot(rank, round % DEPTH).address();
        #[cfg(target_arch = "x86_64")]
        // SAFETY: a hint about an address; nothing is accessed.
        unsafe {
            use std::arch::x86_64::{_mm_prefetch, _MM_HINT_ET0};
            _mm_prefetch::<_MM_HINT_ET0>(slot.as_ptr().cast());
        }
        #[cfg(target_arch = "aarch64")]
        // SAFETY: a hint about an address; nothing is accessed.
        unsafe {
            std::arch::asm!("prfm pstl1keep, [{}]", in(reg) slot.as_ptr(), options(nostack));
        }
        #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
        let _ = slot;
    }

    /// Prefetches a slot's first line, for reading.
    #[inline]
    pub(crate) fn fetch_for_reading(&self, rank: u32, round: u64) {
        let slot = self.slot(rank, round % DEPTH).address();
        #[cfg(target_arch = "x86_64")]
        // SAFETY: a hint about an address; nothing is accessed.
        unsafe {
            use std::arch::x86_64::{_mm_prefetch, _MM_HINT_T0};
            _mm_prefetch::<_MM_HINT_T0>(slot.as_ptr().cast());
        }
        #[cfg(target_arch = "aarch64")]
        // SAFETY: a hint about an address; nothing is accessed.
        unsafe {
            std::arch::asm!("prfm pldl1keep, [{}]", in(reg) slot.as_ptr(), options(nostack));
        }
        #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
        let _ = slot;
    }
}

impl Sleepers for View {
    fn members(&self) -> u32 {
        self.layout.ranks
    }
    #[inline]
    fn asleep(&self) -> &AtomicU32 {
        self.segment.header::<AtomicU32, ASLEEP_AT>()
    }
    fn awaited(&self, member: u32) -> &AtomicU32 {
        self.rank_line(member).word::<AtomicU32, 8>()
    }
}

// SAFETY: a word for each rank and slot, at different offsets of the segment, which is zero when it
// is created.
unsafe impl Board for View {
    fn members(&self) -> u32 {
        self.layout.ranks
    }
    #[inline]
    fn depth(&self) -> u64 {
        DEPTH
    }
    #[inline]
    fn mark(&self, member: u32, slot: u64) -> &AtomicU64 {
        self.slot(member, slot).word::<AtomicU64, 0>()
    }
    #[inline]
    fn passed(&self, member: u32) -> &AtomicU64 {
        self.rank_line(member).word::<AtomicU64, 0>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_wanders_through_its_slot_lap_by_lap_and_never_leaves_it() {
        let slot_bytes = 10_240;
        let layout = Layout {
            ranks: 2,
            slot_bytes,
        };
        let places = |len: usize| -> Vec<usize> {
            let laps = (0..5).map(|lap| layout.wandering(lap * DEPTH + 3, len));
            laps.inspect(|at| assert!(at + len <= slot_bytes as usize))
                .collect()
        };
        assert_eq!(places(WANDERS_MIN - 1), [0; 5]);
        assert_eq!(places(4096), [0, 4096, 0, 4096, 0]);
        assert_eq!(places(4097), [0, 4160, 0, 4160, 0]);
        assert_eq!(places(slot_bytes as usize), [0; 5]);
        // A length that is no whole number of lines, and whose last line is the slot's.
        assert_eq!(places(slot_bytes as usize - 1), [0; 5]);
        let rounds = (0..DEPTH).map(|round| layout.wandering(round, 4096));
        assert!(rounds.into_iter().all(|at| at == 0), "one lap, one part");
    }
}
