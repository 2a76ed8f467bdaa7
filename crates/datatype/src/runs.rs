//! Contiguous runs of elements that follow each other, as the data of a file view does.

use crate::layout::{moved, Sink};
use crate::Datatype;

impl Datatype {
    /// Passes `visit` the contiguous runs (offset and bytes) that hold the packed bytes
    /// `from..to` of elements that follow each other without end, the first at offset 0. Runs
    /// that touch come as one. The first position is found by division and search.
    ///
    /// The caller has checked with [`Datatype::span`] that the offsets fit 63 bits.
    pub fn runs(&self, from: u64, to: u64, visit: &mut dyn FnMut(i64, u64)) {
        if from >= to || self.size() == 0 {
            return;
        }
        let mut sink = Merged {
            offset: 0,
            len: 0,
            visit,
        };
        let (from, to) = (from as usize, to as usize);
        self.layout()
            .walk_items(0, self.extent(), from, to, &mut sink);
        sink.finish();
    }

    /// Whether the runs of an element have offsets that never descend, none below 0, and elements
    /// follow each other upwards: what a filetype must have (MPI 5.0, 14.3).
    pub fn ascends(&self) -> bool {
        let mut order = Order {
            start: 0,
            ascends: true,
        };
        self.layout().walk(0, 0, self.size() as usize, &mut order);
        order.ascends && self.true_lb() >= 0 && (self.size() == 0 || self.extent() > 0)
    }
}

/// Joins runs that touch.
struct Merged<'a> {
    offset: i64,
    len: usize,
    visit: &'a mut dyn FnMut(i64, u64),
}

impl Merged<'_> {
    fn finish(&mut self) {
        if self.len > 0 {
            (self.visit)(self.offset, self.len as u64);
        }
    }
}

impl Sink for Merged<'_> {
    fn block(&mut self, offset: i64, len: usize) {
        if self.len > 0 && moved(self.offset, self.len as i64) == offset {
            self.len += len;
            return;
        }
        self.finish();
        (self.offset, self.len) = (offset, len);
    }

    fn strided(&mut self, offset: i64, stride: i64, len: usize, count: usize) {
        if stride == len as i64 {
            return self.block(offset, len * count);
        }
        for index in 0..count {
            self.block(moved(offset, index as i64 * stride), len);
        }
    }
}

/// Compares each run with the start of the one before.
struct Order {
    start: i64,
    ascends: bool,
}

impl Sink for Order {
    fn block(&mut self, offset: i64, _: usize) {
        self.ascends &= offset >= self.start;
        self.start = offset;
    }

    fn strided(&mut self, offset: i64, stride: i64, len: usize, count: usize) {
        self.ascends &= count < 2 || stride >= 0;
        self.block(offset, len);
        self.start = moved(offset, stride.wrapping_mul(count as i64 - 1));
    }
}
