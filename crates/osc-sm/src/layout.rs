//! The layout of a window's segment.
//!
//! ```text
//! byte        what                                              written by
//! 0           cookie u64                                        creator, once (`shm::handshake`)
//! 64          asleep u32                                        who falls asleep and wakes up
//! 128         for each place:
//!   0           awaited u32                                     that place, and who wakes it
//!   64          accumulate lock u32: holder + 1                 who takes it
//!   128         taken u64, served u32, 4 bytes unused,          who locks
//!               a byte for each rank that holds it shared       that rank
//!               waiting: notes u64                              who locks
//!   next line   posted u32, completed u32 for each place        that place
//! data        the places' memory                                everybody
//! ```
//!
//! `asleep` and `awaited` are those of [`shm::Sleepers`], the latter one more than a place. The
//! lock's words, and the marks of the first 48 ranks, are one line; so are the counts of the
//! first 8 places. Each count has one writer, so counting is a store.

use memory::UserBuf;
use shm::segment::Line;
use shm::{Segment, Sleepers};
use sync::atomic::{AtomicU32, AtomicU64, AtomicU8};
use sync::turnstile::{slots, Desk};
use sync::LINE_BYTES;

const ASLEEP_AT: usize = 64;
const PLACES_AT: usize = 128;

/// Lines of a place's control data: what it sleeps for, its accumulate lock, its lock.
const HOLDER_LINE: usize = 1;
const LOCK_LINE: usize = 2;
/// Offset in the lock's line.
const SERVED_AT: usize = 8;
/// Offset from the place's first line.
const HELD_AT: usize = LOCK_LINE * LINE_BYTES + 16;
/// Bytes of the counts of one place at another.
const COUNTS_BYTES: usize = 8;
const COMPLETED_AT: usize = 4;

const PAGE_BYTES: usize = 4096;
/// More ranks than this do not share memory on one node.
const PLACES_MAX: usize = 4096;
/// Ranks that a window has at most: each has its marks in every lock.
const RANKS_MAX: u32 = 1 << 14;

/// The spacing of the places' memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Spacing {
    /// Each behind the one before, without a gap (`MPI_Win_allocate_shared`).
    Contiguous,
    /// Each on pages of its own, which are near the processor that its rank runs on.
    Apart,
}

/// The facts that all places of a node know of a window before the handshake.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Plan {
    /// Ranks of the window.
    pub ranks: u32,
    /// The rank of each place, rising.
    pub places: Vec<u32>,
    /// Bytes of memory of each place, from its rank.
    pub sizes: Vec<u64>,
    /// The spacing of their memory.
    pub spacing: Spacing,
}

/// The offsets in a window's segment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Layout {
    ranks: u32,
    /// First byte and length of each place's memory.
    memory: Vec<(usize, usize)>,
    /// Bytes of the control data of a place.
    stride: usize,
    len: usize,
}

impl Layout {
    /// Returns the layout of a plan; `None` where the plan is invalid.
    pub(crate) fn of(plan: &Plan) -> Option<Layout> {
        let places = plan.places.len();
        let rising = plan.places.windows(2).all(|pair| pair[0] < pair[1]);
        let known = plan.places.last().is_some_and(|last| *last < plan.ranks);
        let possible = places <= PLACES_MAX && plan.ranks <= RANKS_MAX;
        if !rising || !known || !possible || plan.sizes.len() != places {
            return None;
        }
        let stride = counts_at(plan.ranks) + places * COUNTS_BYTES;
        let stride = stride.next_multiple_of(LINE_BYTES);
        let mut end = (PLACES_AT + places * stride).checked_next_multiple_of(PAGE_BYTES)?;
        let mut memory = Vec::with_capacity(places);
        for size in &plan.sizes {
            let size = usize::try_from(*size).ok()?;
            memory.push((end, size));
            end = end.checked_add(size)?;
            if plan.spacing == Spacing::Apart {
                end = end.checked_next_multiple_of(PAGE_BYTES)?;
            }
        }
        (end <= isize::MAX as usize).then_some(Layout {
            ranks: plan.ranks,
            memory,
            stride,
            len: end,
        })
    }

    pub(crate) fn places(&self) -> u32 {
        self.memory.len() as u32
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Bytes before the places' memory.
    pub(crate) fn control_bytes(&self) -> usize {
        (PLACES_AT + self.memory.len() * self.stride).next_multiple_of(PAGE_BYTES)
    }

    /// First byte and length of a place's memory.
    pub(crate) fn memory(&self, place: u32) -> (usize, usize) {
        self.memory[place as usize]
    }
}

fn waiting_at(ranks: u32) -> usize {
    (HELD_AT + ranks as usize).next_multiple_of(size_of::<u64>())
}

fn counts_at(ranks: u32) -> usize {
    let end = waiting_at(ranks) + slots(ranks) as usize * size_of::<u64>();
    end.next_multiple_of(LINE_BYTES)
}

/// A segment and its layout: the accessors for its contents.
#[derive(Debug)]
pub(crate) struct View {
    segment: Segment,
    layout: Layout,
}

impl View {
    /// Returns the view of a segment; `None` when it is not as long as its layout.
    pub(crate) fn new(segment: Segment, layout: Layout) -> Option<View> {
        (segment.len() == layout.len).then_some(View { segment, layout })
    }

    pub(crate) fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Returns the offset of a place's control data.
    #[inline]
    fn control(&self, place: u32) -> usize {
        assert!(place < self.layout.places());
        PLACES_AT + place as usize * self.layout.stride
    }

    /// Returns a line of a place's control data.
    #[inline]
    fn line(&self, place: u32, line: usize) -> Line<'_> {
        self.segment.line(self.control(place) / LINE_BYTES + line)
    }

    /// Returns one more than the rank that has the place's accumulate lock.
    #[inline]
    pub(crate) fn holder(&self, place: u32) -> &AtomicU32 {
        self.line(place, HOLDER_LINE).word::<AtomicU32, 0>()
    }

    /// Returns how many times `by` has posted to `place`.
    #[inline]
    pub(crate) fn posted(&self, place: u32, by: u32) -> &AtomicU32 {
        self.segment.word(self.counts(place, by))
    }

    /// Returns how many times `by` has completed an access epoch to `place`.
    #[inline]
    pub(crate) fn completed(&self, place: u32, by: u32) -> &AtomicU32 {
        self.segment.word(self.counts(place, by) + COMPLETED_AT)
    }

    #[inline]
    fn counts(&self, place: u32, by: u32) -> usize {
        assert!(by < self.layout.places());
        self.control(place) + counts_at(self.layout.ranks) + by as usize * COUNTS_BYTES
    }

    /// Returns the words of a place's lock.
    #[inline]
    pub(crate) fn lock(&self, place: u32) -> Lock<'_> {
        Lock {
            line: self.line(place, LOCK_LINE),
            control: self.control(place),
            view: self,
        }
    }

    /// Returns a place's memory.
    pub(crate) fn memory(&self, place: u32) -> UserBuf {
        let (first, len) = self.layout.memory[place as usize];
        let memory = self.segment.at(first, len);
        let memory = memory.expect("a segment as long as its layout");
        // SAFETY: it lies in the segment, its rank has reserved it, and it is there as long as the
        // view. Who accesses what at which time is the application's matter (MPI 5.0, 12.7).
        unsafe { UserBuf::new(memory.as_ptr(), len) }
    }
}

impl Sleepers for View {
    fn members(&self) -> u32 {
        self.layout.places()
    }
    #[inline]
    fn asleep(&self) -> &AtomicU32 {
        self.segment.header::<AtomicU32, ASLEEP_AT>()
    }
    fn awaited(&self, member: u32) -> &AtomicU32 {
        self.line(member, 0).word::<AtomicU32, 0>()
    }
}

/// The words of one place's lock.
pub(crate) struct Lock<'a> {
    /// The line with the words that every lock has.
    line: Line<'a>,
    /// The offset of the place's control data.
    control: usize,
    view: &'a View,
}

// SAFETY: a word for each number, at different offsets of the segment, which is zero when it is
// created.
unsafe impl Desk for Lock<'_> {
    #[inline]
    fn names(&self) -> u32 {
        self.view.layout.ranks
    }
    #[inline]
    fn taken(&self) -> &AtomicU64 {
        self.line.word::<AtomicU64, 0>()
    }
    #[inline]
    fn served(&self) -> &AtomicU32 {
        self.line.word::<AtomicU32, SERVED_AT>()
    }
    #[inline]
    fn held(&self, name: u32) -> &AtomicU8 {
        assert!(name < self.names());
        let at = self.control + HELD_AT + name as usize;
        self.view.segment.word(at)
    }
    #[inline]
    fn waiting(&self, slot: u32) -> &AtomicU64 {
        let ranks = self.names();
        assert!(slot < slots(ranks));
        let at = self.control + waiting_at(ranks) + slot as usize * size_of::<u64>();
        self.view.segment.word(at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(spacing: Spacing, sizes: &[u64]) -> Plan {
        Plan {
            ranks: 100,
            places: (0..sizes.len() as u32).map(|place| place * 3).collect(),
            sizes: sizes.to_vec(),
            spacing,
        }
    }

    #[test]
    fn memory_is_contiguous_or_on_pages_of_its_own() {
        let sizes = [10, 0, 5000, 7];
        let close = Layout::of(&plan(Spacing::Contiguous, &sizes)).unwrap();
        let data = close.control_bytes();
        let ends: Vec<_> = (0..4).map(|place| close.memory(place)).collect();
        assert_eq!(
            ends,
            [
                (data, 10),
                (data + 10, 0),
                (data + 10, 5000),
                (data + 5010, 7)
            ]
        );
        let apart = Layout::of(&plan(Spacing::Apart, &sizes)).unwrap();
        assert!((0..4).all(|place| apart.memory(place).0.is_multiple_of(PAGE_BYTES)));
        assert_eq!(apart.memory(3).0, data + 3 * PAGE_BYTES);
        assert_eq!(apart.len(), data + 4 * PAGE_BYTES);
    }

    #[test]
    fn plans_that_cannot_be_are_refused() {
        let good = plan(Spacing::Apart, &[1, 2]);
        assert!(Layout::of(&good).is_some());
        for sizes in [[u64::MAX, 1], [i64::MAX as u64, i64::MAX as u64]] {
            assert_eq!(Layout::of(&plan(Spacing::Apart, &sizes)), None);
            assert_eq!(Layout::of(&plan(Spacing::Contiguous, &sizes)), None);
        }
        let odd: [fn(&mut Plan); 4] = [
            |plan| plan.places = vec![],
            |plan| plan.places = vec![3, 3],
            |plan| plan.places = vec![1, 100],
            |plan| plan.ranks = RANKS_MAX + 1,
        ];
        for change in odd {
            let mut bad = good.clone();
            change(&mut bad);
            assert_eq!(Layout::of(&bad), None, "{bad:?}");
        }
    }

    #[test]
    fn no_two_words_share_a_byte() {
        for ranks in [1, 47, 48, 49, 100] {
            let mut plan = plan(Spacing::Apart, &[64, 64, 64]);
            (plan.ranks, plan.places) = (ranks.max(3), vec![0, 1, 2]);
            let layout = Layout::of(&plan).unwrap();
            let segment = Segment::create("test", layout.len()).unwrap();
            let view = View::new(segment, layout).unwrap();
            let start = view.segment.at(0, 1).unwrap().as_ptr() as usize;
            let mut seen = vec![false; view.layout().control_bytes()];
            let mut claim = |address: usize, bytes: usize| {
                assert_eq!(address % bytes, 0);
                for byte in &mut seen[address - start..][..bytes] {
                    assert!(!std::mem::replace(byte, true));
                }
            };
            claim(
                view.segment.header::<AtomicU64, 0>() as *const _ as usize,
                8,
            );
            claim(view.asleep() as *const _ as usize, 4);
            for place in 0..3 {
                let lock = view.lock(place);
                claim(view.awaited(place) as *const _ as usize, 4);
                claim(view.holder(place) as *const _ as usize, 4);
                claim(lock.taken() as *const _ as usize, 8);
                claim(lock.served() as *const _ as usize, 4);
                (0..plan.ranks).for_each(|rank| claim(lock.held(rank) as *const _ as usize, 1));
                let slots = 0..slots(plan.ranks);
                slots.for_each(|slot| claim(lock.waiting(slot) as *const _ as usize, 8));
                for by in 0..3 {
                    claim(view.posted(place, by) as *const _ as usize, 4);
                    claim(view.completed(place, by) as *const _ as usize, 4);
                }
            }
        }
    }
}
