//! A queue of small messages from many writers to one reader, in memory that all can reach.
//!
//! An array of cells, each with a turn number (after Dmitry Vyukov's bounded queue). A writer
//! takes the next position by compare-and-swap of `tail`, fills the cell of that position and
//! passes the turn to the reader; the reader empties it and passes the turn to the writer of
//! the next lap.
//!
//! | shared field | writer | reader | pairing |
//! |---|---|---|---|
//! | `tail` | writers | writers | Relaxed: only claims a position, publishes nothing |
//! | turn of a cell | writer: `position + 1` when filled | reader | `filled`: Release/Acquire, the cell's bytes become visible |
//! | turn of a cell | reader: `position + cells` when emptied | writers | `emptied`: Release/Acquire, the reader is done with the bytes |
//!
//! A writer that dies between claiming and filling blocks the queue; the job ends then anyway.

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

/// Claims the next cell; `None` when the queue is full.
#[inline]
pub fn claim<C: Cells>(store: &C) -> Option<Claim> {
    let mask = store.cells() as u64 - 1;
    let mut position = store.tail().load(Ordering::Relaxed);
    loop {
        let cell = (position & mask) as usize;
        // emptied: the reader's reads of the cell come before our writes.
        let turn = store
            .turn(cell)
            .load(Ordering::Acquire)
            .wrapping_add(cell as u64);
        let ahead = turn.wrapping_sub(position) as i64;
        if ahead < 0 {
            return None;
        }
        if ahead > 0 {
            pause();
            position = store.tail().load(Ordering::Relaxed);
            continue;
        }
        let next = position.wrapping_add(1);
        match store.tail().compare_exchange_weak(
            position,
            next,
            Ordering::Relaxed,
            Ordering::Relaxed,
        ) {
            Ok(_) => {
                return Some(Claim {
                    position,
                    bytes: store.bytes(cell),
                })
            }
            Err(now) => position = now,
        }
    }
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

    #[inline]
    fn cell(&self) -> usize {
        (self.position & (self.store.cells() as u64 - 1)) as usize
    }
}
