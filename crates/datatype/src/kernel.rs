//! Consumers ([`Sink`]) of a walk over a layout, which copy or list its contiguous runs.
//!
//! `Buffer` makes a sink for one call, from addresses that the caller of its unsafe constructor has
//! guaranteed. The walk passes only offsets inside the layout that these addresses cover. `copies`
//! has the loops.

use std::ptr;

use memory::UserBuf;

use crate::copies::{self, GATHER, SCATTER};
use crate::layout::{moved, Entry, Grid, Sink};

/// Bytes of the lists that are copied in one batch: they fit the first-level cache.
const BATCH_BYTES: usize = 4096;

/// Copies between the runs of a layout and packed bytes, the row.
pub(crate) struct Row<const DIRECTION: bool> {
    base: *mut u8,
    row: *mut u8,
    /// Length of the packed data in bytes; the walk may cover only a part of it.
    whole: usize,
}

impl Row<GATHER> {
    /// Returns a sink that packs: copies runs into the row. `whole` is the length of all packed
    /// data.
    ///
    /// # Safety
    /// Every run that the sink gets is readable at `base` plus its offset, and the bytes of all of
    /// them together fit at `into`, without overlap.
    pub(crate) unsafe fn gather(base: *const u8, into: *mut u8, whole: usize) -> Row<GATHER> {
        Row {
            base: base.cast_mut(),
            row: into,
            whole,
        }
    }
}

impl Row<SCATTER> {
    /// Returns a sink that unpacks: copies the row into runs. `whole` is the length of all packed
    /// data.
    ///
    /// # Safety
    /// See [`Row::gather`], with reading and writing exchanged.
    pub(crate) unsafe fn scatter(base: *mut u8, from: *const u8, whole: usize) -> Row<SCATTER> {
        Row {
            base,
            row: from.cast_mut(),
            whole,
        }
    }
}

impl<const DIRECTION: bool> Row<DIRECTION> {
    fn at(&self, offset: i64) -> *mut u8 {
        self.base.wrapping_offset(offset as isize)
    }

    /// Advances in the row, at most to its end, since it has room for all runs.
    fn advance(&mut self, bytes: usize) {
        self.row = self.row.wrapping_add(bytes);
    }
}

// SAFETY notes below: "promised" refers to `Row::gather` and `Row::scatter`, whose caller
// guarantees that every run is accessible and that the row, which all earlier runs have advanced,
// has room.
impl<const DIRECTION: bool> Sink for Row<DIRECTION> {
    #[inline]
    fn block(&mut self, offset: i64, len: usize) {
        // SAFETY: promised.
        unsafe { copies::copy::<DIRECTION>(self.at(offset), self.row, len) };
        self.advance(len);
    }

    #[inline]
    fn strided(&mut self, offset: i64, stride: i64, len: usize, count: usize) {
        let far = (self.at(offset), stride as isize);
        // SAFETY: promised.
        unsafe { copies::column::<DIRECTION>(far, self.row, len, count, self.whole) };
        self.advance(len * count);
    }

    fn grid(&mut self, offset: i64, stride: i64, grid: &Grid, count: usize) {
        let far = (self.at(offset), stride as isize);
        // SAFETY: promised.
        unsafe { copies::grid::<DIRECTION>(far, self.row, grid, count, self.whole) };
        self.advance(grid.len * grid.count * count);
    }

    fn list(&mut self, base: i64, list: &[Entry]) {
        // SAFETY: promised.
        unsafe { copies::list::<DIRECTION>(self.at(base), self.row, list) };
        self.advance(list[list.len() - 1].start - list[0].start);
    }

    fn places(&mut self, base: i64, places: &[i64], len: usize) {
        // SAFETY: promised.
        unsafe { copies::places::<DIRECTION>(self.at(base), self.row, places, len) };
        self.advance(places.len() * len);
    }

    /// Copies a batch of equal lists at a time, run by run, so that each loop copies one length.
    fn table<I>(&mut self, base: i64, stride: i64, count: usize, size: usize, runs: I)
    where
        I: Iterator<Item = (i64, usize)> + Clone,
    {
        let batch = (BATCH_BYTES / size).clamp(1, 64);
        for first in (0..count).step_by(batch) {
            let base = moved(base, first as i64 * stride);
            let now = batch.min(count - first);
            let mut start = 0;
            for (offset, len) in runs.clone() {
                let far = (self.at(moved(base, offset)), stride as isize);
                let row = (self.row.wrapping_add(start), size as isize);
                // SAFETY: promised.
                unsafe { copies::strided::<DIRECTION>(far, row, len, now) };
                start += len;
            }
            self.advance(now * size);
        }
    }
}

/// A sink that copies runs to equal offsets in another buffer.
pub(crate) struct Mirror {
    from: *const u8,
    into: *mut u8,
}

impl Mirror {
    /// # Safety
    /// Every run that the sink gets is readable from `from` and writable from `into`.
    pub(crate) unsafe fn new(from: *const u8, into: *mut u8) -> Mirror {
        Mirror { from, into }
    }
}

impl Sink for Mirror {
    #[inline]
    fn block(&mut self, offset: i64, len: usize) {
        let from = self.from.wrapping_offset(offset as isize);
        let into = self.into.wrapping_offset(offset as isize);
        // SAFETY: `new` promised both runs; `copy` allows overlap.
        unsafe { ptr::copy(from, into, len) }
    }
}

/// A sink that lists the runs.
pub(crate) struct List<'a> {
    base: *mut u8,
    into: &'a mut Vec<UserBuf>,
}

impl<'a> List<'a> {
    /// # Safety
    /// Every run that the sink gets may be reached at `base` plus its offset, for as long as
    /// `UserBuf::new` asks.
    pub(crate) unsafe fn new(base: *mut u8, into: &'a mut Vec<UserBuf>) -> List<'a> {
        List { base, into }
    }
}

impl Sink for List<'_> {
    fn block(&mut self, offset: i64, len: usize) {
        // SAFETY: `new` promised the run.
        let piece = unsafe { UserBuf::new(self.base.wrapping_offset(offset as isize), len) };
        self.into.push(piece);
    }
}
