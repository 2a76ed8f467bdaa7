//! A queue of small messages from many writers to one reader, in shared memory.
//!
//! An array of cells, each with a turn number (after Dmitry Vyukov's bounded queue). A writer
//! claims the cell of the next position by putting its name where the turn was, by
//! compare-and-swap, and then moves `tail` on, which whoever comes next does for it if it has not
//! done so yet. It fills the cell and passes the turn to the reader; the reader empties it and
//! passes the turn to the writer of the next lap.
//!
//! | shared field | writer | reader | pairing |
//! |---|---|---|---|
//! | `tail` | writers; the reader in `skip` | writers | Relaxed: only says where to look for a free cell, publishes nothing |
//! | turn of a cell | writer: its name and `position` when claimed | writers, reader | Relaxed: publishes nothing |
//! | turn of a cell | writer: `position + 1` when filled | reader | `filled`: Release/Acquire, the cell's bytes become visible |
//! | turn of a cell | reader: `position + cells` when emptied | writers | `emptied`: Release/Acquire, the reader is done with the bytes |
//!
//! A writer that dies between claiming and filling blocks the queue, until the reader learns of its
//! death and skips what it has claimed ([`Reader::skip`]): that is what the name is for.
//!
//! A claimed turn has only the low bits of its position, beside the name. They distinguish it from
//! the claim of the lap before, and no other can be there while `tail` is at that position.

use crate::atomic::{pause, AtomicU64, Ordering};

/// The memory of a queue.
///
/// # Safety
/// `turn(cell)`, for `cell < cells()`, and `tail()` are words that all sides share;
/// `bytes(cell)` is the address of `cell_bytes()` readable and writable bytes of that cell.
/// At first `tail` is 0 and every cell's turn is 0.
pub unsafe trait Cells {
    /// How many cells there are: a power of two.
    fn cells(&self) -> usize;
    /// The turn number of a cell, less the cell's index (so that fresh memory is all zero).
    fn turn(&self, cell: usize) -> &AtomicU64;
    /// The next position to be claimed.
    fn tail(&self) -> &AtomicU64;
    /// The bytes of a cell.
    fn bytes(&self, cell: usize) -> *mut u8;
}

/// The claim of a writer on a cell: fill it, then [`publish`] it.
#[derive(Debug)]
#[must_use = "a claimed cell that is not published blocks the queue"]
pub struct Claim {
    position: u64,
    /// Where the cell's bytes are.
    pub bytes: *mut u8,
}

/// Set in the turn of a claimed cell, beside the low bits of its position and the writer's name.
const CLAIMED: u64 = 1 << 63;
const NAME_BITS: u32 = 32;

/// Looks at cells that others have taken meanwhile, in one attempt to claim one.
const LOOKS_MAX: usize = 1000;

fn claimed(position: u64, name: u32) -> u64 {
    CLAIMED | position << NAME_BITS | u64::from(name)
}

/// Whether a turn says that its cell is claimed for `position`, and by whom.
fn claimer(turn: u64, position: u64) -> Option<u32> {
    let name = turn as u32;
    (turn == claimed(position, name)).then_some(name)
}

/// Claims the next cell for the writer `name`; `None` when the queue is full, or so crowded that it
/// is better to come back later.
#[inline]
pub fn claim<C: Cells>(store: &C, name: u32) -> Option<Claim> {
    let mask = store.cells() as u64 - 1;
    let mut position = store.tail().load(Ordering::Relaxed);
    for _ in 0..LOOKS_MAX {
        let cell = (position & mask) as usize;
        let turn = store.turn(cell);
        let free = position.wrapping_sub(cell as u64);
        // emptied: the reader's reads of the cell come before our writes.
        let seen = turn.load(Ordering::Acquire);
        if seen == free {
            let (own, relaxed) = (claimed(position, name), Ordering::Relaxed);
            if turn.compare_exchange(free, own, relaxed, relaxed).is_ok() {
                move_tail_past(store, position);
                let bytes = store.bytes(cell);
                return Some(Claim { position, bytes });
            }
        } else if claimer(seen, position).is_some() {
            // Its writer may never do this.
            move_tail_past(store, position);
        } else if seen & CLAIMED != 0 || (seen.wrapping_sub(free) as i64) < 0 {
            // Claimed or filled in the lap before.
            return None;
        } else {
            pause();
        }
        position = store.tail().load(Ordering::Relaxed);
    }
    None
}

/// Has `tail` leave a position that is claimed.
fn move_tail_past<C: Cells>(store: &C, position: u64) {
    let (next, relaxed) = (position.wrapping_add(1), Ordering::Relaxed);
    // Another writer may have done it.
    let _ = store
        .tail()
        .compare_exchange(position, next, relaxed, relaxed);
}

/// Passes a filled cell to the reader.
#[inline]
pub fn publish<C: Cells>(store: &C, claim: Claim) {
    let mask = store.cells() as u64 - 1;
    let cell = (claim.position & mask) as usize;
    let turn = claim.position.wrapping_add(1).wrapping_sub(cell as u64);
    // filled: the bytes become visible with the turn.
    store.turn(cell).store(turn, Ordering::Release);
}

/// The reading end. One per queue.
pub struct Reader<C> {
    store: C,
    position: u64,
}

impl<C: Cells> Reader<C> {
    /// The reading end of a fresh queue.
    pub fn new(store: C) -> Reader<C> {
        Reader { store, position: 0 }
    }

    /// The queue's memory.
    pub fn store(&self) -> &C {
        &self.store
    }

    /// The bytes of the oldest filled cell. They stay until [`Reader::release`].
    #[inline]
    pub fn peek(&self) -> Option<*const u8> {
        let cell = self.cell();
        // filled: see `publish`.
        let turn = self
            .store
            .turn(cell)
            .load(Ordering::Acquire)
            .wrapping_add(cell as u64);
        (turn == self.position.wrapping_add(1)).then(|| self.store.bytes(cell).cast_const())
    }

    /// Gives the cell that `peek` showed back to the writers.
    #[inline]
    pub fn release(&mut self) {
        let cell = self.cell();
        let turn = self.position.wrapping_add(self.store.cells() as u64);
        // emptied: our reads of the cell come before the next writer's writes.
        self.store
            .turn(cell)
            .store(turn.wrapping_sub(cell as u64), Ordering::Release);
        self.position = self.position.wrapping_add(1);
    }

    /// Skips the oldest cell if it was claimed by a writer that `is_dead`, and was never filled.
    #[cold]
    pub fn skip(&mut self, is_dead: impl FnOnce(u32) -> bool) -> bool {
        let turn = self.store.turn(self.cell()).load(Ordering::Relaxed);
        let dead = claimer(turn, self.position).is_some_and(is_dead);
        if dead {
            move_tail_past(&self.store, self.position);
            self.release();
        }
        dead
    }

    #[inline]
    fn cell(&self) -> usize {
        (self.position & (self.store.cells() as u64 - 1)) as usize
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    const CELLS: usize = 4;

    #[derive(Clone, Copy)]
    struct Memory<'a>(&'a [AtomicU64; CELLS + 1]);

    // SAFETY: the words are shared; the addresses are numbers that nobody follows.
    unsafe impl Cells for Memory<'_> {
        fn cells(&self) -> usize {
            CELLS
        }
        fn turn(&self, cell: usize) -> &AtomicU64 {
            &self.0[cell]
        }
        fn tail(&self) -> &AtomicU64 {
            &self.0[CELLS]
        }
        fn bytes(&self, cell: usize) -> *mut u8 {
            std::ptr::without_provenance_mut(cell + 1)
        }
    }

    /// Sends and takes a message for each of `count` positions.
    fn pass(store: Memory<'_>, reader: &mut Reader<Memory<'_>>, count: usize) {
        for _ in 0..count {
            let own = claim(&store, 7).expect("a free cell");
            let bytes = own.bytes.cast_const();
            publish(&store, own);
            assert_eq!(reader.peek(), Some(bytes));
            reader.release();
        }
    }

    #[test]
    fn what_a_dead_writer_has_claimed_is_skipped_in_every_lap() {
        for moved in [true, false] {
            let words = Default::default();
            let store = Memory(&words);
            let mut reader = Reader::new(store);
            for _ in 0..3 * CELLS {
                pass(store, &mut reader, 2);
                let tail = store.tail().load(Ordering::Relaxed);
                let _never_published = claim(&store, 9).expect("a free cell");
                if !moved {
                    // It died before it could say that the position is taken.
                    store.tail().store(tail, Ordering::Relaxed);
                }
                let later = claim(&store, 7).expect("the cell after it");
                publish(&store, later);
                assert_eq!(reader.peek(), None, "it comes after what was claimed");
                assert!(!reader.skip(|name| name == 7), "that is somebody else's");
                assert!(reader.skip(|name| name == 9));
                assert!(reader.peek().is_some());
                assert!(!reader.skip(|_| true), "what is filled is not skipped");
                reader.release();
                assert!(!reader.skip(|_| true), "nobody has claimed anything");
            }
        }
    }

    #[test]
    fn a_claim_that_tail_has_not_passed_is_skipped_as_well() {
        let words = Default::default();
        let store = Memory(&words);
        let mut reader = Reader::new(store);
        let _never_published = claim(&store, 9);
        store.tail().store(0, Ordering::Relaxed);
        assert!(reader.skip(|name| name == 9));
        pass(store, &mut reader, 2 * CELLS);
    }

    #[test]
    fn a_queue_of_claimed_cells_is_full() {
        let words = Default::default();
        let store = Memory(&words);
        for _ in 0..CELLS {
            assert!(claim(&store, 1).is_some());
        }
        assert!(claim(&store, 1).is_none());
        let mut reader = Reader::new(store);
        (0..CELLS).for_each(|_| assert!(reader.skip(|_| true)));
        pass(store, &mut reader, CELLS);
    }
}
