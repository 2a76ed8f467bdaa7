//! What lies where in a communicator's segment.
//!
//! ```text
//! byte       what                                        written by
//! 0          cookie u64                                  founder, once
//! 64         sleepers u32                                who falls asleep and wakes up
//! 128        a line per rank: passed u64, awaits u32,    that rank; `awaits` is cleared by wakers
//!              says u32, says_since u64
//! slots_at   16 slots per rank:                          that rank
//!              mark u64, head u64, 48 bytes of data
//!              more data, up to the slot's size
//! ```
//!
//! `awaits` is one more than the rank that a sleeper waits for, and 0 while it is awake. `says` is
//! what a rank that slept has called, in the code of a `coll::Signature`, and `says_since` one more
//! than the first round of that call.

use std::ptr::NonNull;

use memory::segment::Segment;
use memory::UserBuf;
use sync::atomic::{AtomicU32, AtomicU64};
use sync::rounds::Board;
use sync::LINE_BYTES;

use crate::call::BOUNCE_BYTES;

/// Slots of a rank: how far ranks may get ahead of each other, and how much goes through them
/// before one is filled again.
pub(crate) const DEPTH: u64 = 16;
/// Bytes of data from which on a slot is used part by part.
const WANDERS_MIN: usize = 4096;
/// Data in a slot's first line.
pub(crate) const INLINE_BYTES: usize = LINE_BYTES - INLINE_AT;

const INLINE_AT: usize = 16;
const HEAD_AT: usize = 8;
const SLEEPERS_AT: usize = 64;
const RANKS_AT: usize = 128;
const PAGE_BYTES: usize = 4096;
/// More ranks than this do not share memory on one node.
const RANKS_MAX: u32 = 4096;

/// The sizes that decide where everything lies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Layout {
    pub(crate) ranks: u32,
    /// Bytes of data in a slot beside the first line; a multiple of a line.
    pub(crate) slot_bytes: u32,
}

impl Layout {
    /// Whether a founder's layout can be.
    pub(crate) fn is_possible(&self) -> bool {
        (2..=RANKS_MAX).contains(&self.ranks)
            && (self.slot_bytes as usize).is_multiple_of(LINE_BYTES)
            && (1 << 10..=BOUNCE_BYTES as u32).contains(&self.slot_bytes)
    }

    fn slots_at(&self) -> usize {
        (RANKS_AT + self.ranks as usize * LINE_BYTES).next_multiple_of(PAGE_BYTES)
    }

    fn stride(&self) -> usize {
        LINE_BYTES + self.slot_bytes as usize
    }

    pub(crate) fn len(&self) -> usize {
        self.slots_at() + self.ranks as usize * DEPTH as usize * self.stride()
    }

    /// How far behind a slot's first line the data of `round` lies: from lap to lap in another part
    /// of the slot, as many as it has. What was written some laps ago has left the second-level
    /// caches, and is found in one that the cores share; to write to what lies in another core's
    /// own cache takes four times as long.
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

/// A segment with its layout: the accessors for everything in it.
pub(crate) struct View {
    segment: Segment,
    base: NonNull<u8>,
    slots: NonNull<u8>,
    layout: Layout,
}

// SAFETY: the pointers are into the segment, which is Send and Sync and lives as long.
unsafe impl Send for View {}
// SAFETY: as for `Send`.
unsafe impl Sync for View {}

impl View {
    /// The view of a segment whose pages are reserved; `None` when it is shorter than its layout.
    pub(crate) fn new(segment: Segment, layout: Layout) -> Option<View> {
        let base = segment.at(0, layout.len())?;
        let slots = segment.at(layout.slots_at(), layout.len() - layout.slots_at())?;
        Some(View {
            segment,
            base,
            slots,
            layout,
        })
    }

    pub(crate) fn layout(&self) -> Layout {
        self.layout
    }

    pub(crate) fn segment(&self) -> &Segment {
        &self.segment
    }

    /// Lets nobody attach any more.
    pub(crate) fn close(&mut self) {
        self.segment.close_descriptor();
    }

    pub(crate) fn cookie(&self) -> &AtomicU64 {
        // SAFETY: the first word lies inside, is aligned, and is only used as this atomic.
        unsafe { self.base.cast::<AtomicU64>().as_ref() }
    }

    #[inline]
    pub(crate) fn sleepers(&self) -> &AtomicU32 {
        // SAFETY: as for `cookie`.
        unsafe { self.base.add(SLEEPERS_AT).cast::<AtomicU32>().as_ref() }
    }

    fn rank_line(&self, rank: u32) -> NonNull<u8> {
        assert!(rank < self.layout.ranks);
        // SAFETY: the lines of all ranks lie before the slots, and so inside.
        unsafe { self.base.add(RANKS_AT + rank as usize * LINE_BYTES) }
    }

    pub(crate) fn awaits(&self, rank: u32) -> &AtomicU32 {
        // SAFETY: the word lies in the rank's line, is aligned, and is only used as this atomic.
        unsafe { self.rank_line(rank).add(8).cast::<AtomicU32>().as_ref() }
    }

    pub(crate) fn says(&self, rank: u32) -> &AtomicU32 {
        // SAFETY: as for `awaits`.
        unsafe { self.rank_line(rank).add(12).cast::<AtomicU32>().as_ref() }
    }

    pub(crate) fn says_since(&self, rank: u32) -> &AtomicU64 {
        // SAFETY: as for `awaits`.
        unsafe { self.rank_line(rank).add(16).cast::<AtomicU64>().as_ref() }
    }

    #[inline]
    fn slot(&self, rank: u32, slot: u64) -> NonNull<u8> {
        assert!(rank < self.layout.ranks && slot < DEPTH);
        let index = rank as usize * DEPTH as usize + slot as usize;
        // SAFETY: `new` checked that all slots lie inside.
        unsafe { self.slots.add(index * self.layout.stride()) }
    }

    /// What a rank shows in its slot of `round`, in the owner's own words.
    #[inline]
    pub(crate) fn head(&self, rank: u32, round: u64) -> &AtomicU64 {
        let slot = self.slot(rank, round % DEPTH);
        // SAFETY: the word lies in the slot's first line, is aligned, and is only used as this
        // atomic.
        unsafe { slot.add(HEAD_AT).cast::<AtomicU64>().as_ref() }
    }

    /// The place of `len` bytes of data in a rank's slot of `round`: the same for all who know the
    /// two numbers.
    ///
    /// # Panics
    /// When a slot has no room for so many.
    #[inline]
    pub(crate) fn data(&self, rank: u32, round: u64, len: usize) -> UserBuf {
        let at = match len {
            0..=INLINE_BYTES => INLINE_AT,
            _ => LINE_BYTES + self.layout.wandering(round, len),
        };
        assert!(len <= self.layout.slot_bytes as usize);
        let slot = self.slot(rank, round % DEPTH);
        // SAFETY: the slot has its first line and `slot_bytes` more, all reserved. The rounds
        // decide who writes and who reads; a broken member changes values, not where they are.
        unsafe { UserBuf::new(slot.add(at).as_ptr(), len) }
    }

    /// Asks for a slot's first line, for writing: another core has it, since it was read there.
    #[inline]
    pub(crate) fn fetch_for_writing(&self, rank: u32, round: u64) {
        let slot = self.slot(rank, round % DEPTH);
        #[cfg(target_arch = "x86_64")]
        // SAFETY: a hint about an address; nothing is accessed.
        unsafe {
            use std::arch::x86_64::{_mm_prefetch, _MM_HINT_ET0};
            _mm_prefetch::<_MM_HINT_ET0>(slot.as_ptr().cast());
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = slot;
    }

    /// Asks for a slot's first line, for reading.
    #[inline]
    pub(crate) fn fetch_for_reading(&self, rank: u32, round: u64) {
        let slot = self.slot(rank, round % DEPTH);
        #[cfg(target_arch = "x86_64")]
        // SAFETY: a hint about an address; nothing is accessed.
        unsafe {
            use std::arch::x86_64::{_mm_prefetch, _MM_HINT_T0};
            _mm_prefetch::<_MM_HINT_T0>(slot.as_ptr().cast());
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = slot;
    }
}

// SAFETY: a word for each rank and slot, at different places of the segment, which is zero when
// it is made.
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
        // SAFETY: the slot's first word is aligned and only used as this atomic.
        unsafe { self.slot(member, slot).cast::<AtomicU64>().as_ref() }
    }
    #[inline]
    fn passed(&self, member: u32) -> &AtomicU64 {
        // SAFETY: the line's first word is aligned and only used as this atomic.
        unsafe { self.rank_line(member).cast::<AtomicU64>().as_ref() }
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
