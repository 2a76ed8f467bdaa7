//! The copy loops: what a walk over a layout does with the stretches it finds.
//!
//! Each is made by `Buffer` for one call, with addresses that its maker vouched for, and is told
//! only offsets inside the layout that was checked against them.

use std::ptr;

use memory::UserBuf;

use crate::layout::{moved, Entry, Sink};

/// Gathers stretches into one row of bytes.
pub(crate) struct Gather {
    base: *const u8,
    into: *mut u8,
}

impl Gather {
    /// # Safety
    /// Every stretch that will be told is readable at `base` plus its offset, and the bytes of
    /// all of them together fit at `into`, without overlap.
    pub(crate) unsafe fn new(base: *const u8, into: *mut u8) -> Gather {
        Gather { base, into }
    }
}

/// Scatters one row of bytes into stretches.
pub(crate) struct Scatter {
    base: *mut u8,
    from: *const u8,
}

impl Scatter {
    /// # Safety
    /// As for [`Gather::new`], with reading and writing exchanged.
    pub(crate) unsafe fn new(base: *mut u8, from: *const u8) -> Scatter {
        Scatter { base, from }
    }
}

/// Copies stretches to the same offsets of another buffer.
pub(crate) struct Mirror {
    from: *const u8,
    into: *mut u8,
}

impl Mirror {
    /// # Safety
    /// Every stretch that will be told is readable from `from` and writable from `into`.
    pub(crate) unsafe fn new(from: *const u8, into: *mut u8) -> Mirror {
        Mirror { from, into }
    }
}

/// Lists stretches.
pub(crate) struct List<'a> {
    base: *mut u8,
    into: &'a mut Vec<UserBuf>,
}

impl<'a> List<'a> {
    /// # Safety
    /// Every stretch that will be told may be reached at `base` plus its offset, for as long as
    /// `UserBuf::new` asks.
    pub(crate) unsafe fn new(base: *mut u8, into: &'a mut Vec<UserBuf>) -> List<'a> {
        List { base, into }
    }
}

impl Sink for Gather {
    #[inline]
    fn block(&mut self, offset: i64, len: usize) {
        // SAFETY: `new` promised both stretches; `into` moved by what was written so far.
        unsafe {
            ptr::copy_nonoverlapping(self.base.wrapping_offset(offset as isize), self.into, len);
            self.into = self.into.add(len);
        }
    }

    #[inline]
    fn strided(&mut self, offset: i64, stride: i64, len: usize, count: usize) {
        let from = self.base.wrapping_offset(offset as isize);
        let bytes = len * count;
        // SAFETY: `new` promised every one of the `count` stretches, and room for all.
        unsafe {
            copy_strided(from, stride as isize, self.into, len as isize, len, count);
            self.into = self.into.add(bytes);
        }
    }

    fn table(&mut self, list: &[Entry], base: i64, stride: i64, count: usize) {
        let size = list[list.len() - 1].start;
        let batch = batch(size);
        for first in (0..count).step_by(batch) {
            let base = self
                .base
                .wrapping_offset(moved(base, first as i64 * stride) as isize);
            let now = batch.min(count - first);
            for pair in list.windows(2) {
                let (start, len) = (pair[0].start, pair[1].start - pair[0].start);
                let from = base.wrapping_offset(pair[0].offset as isize);
                // SAFETY: `new` promised every stretch of the lists, and room for all.
                unsafe {
                    let into = self.into.add(start);
                    copy_strided(from, stride as isize, into, size as isize, len, now);
                }
            }
            // SAFETY: `now` lists were just written.
            self.into = unsafe { self.into.add(now * size) };
        }
    }
}

impl Sink for Scatter {
    #[inline]
    fn block(&mut self, offset: i64, len: usize) {
        // SAFETY: `new` promised both stretches; `from` moved by what was read so far.
        unsafe {
            ptr::copy_nonoverlapping(self.from, self.base.wrapping_offset(offset as isize), len);
            self.from = self.from.add(len);
        }
    }

    #[inline]
    fn strided(&mut self, offset: i64, stride: i64, len: usize, count: usize) {
        let into = self.base.wrapping_offset(offset as isize);
        let bytes = len * count;
        // SAFETY: `new` promised every one of the `count` stretches, and bytes for all.
        unsafe {
            copy_strided(self.from, len as isize, into, stride as isize, len, count);
            self.from = self.from.add(bytes);
        }
    }

    fn table(&mut self, list: &[Entry], base: i64, stride: i64, count: usize) {
        let size = list[list.len() - 1].start;
        let batch = batch(size);
        for first in (0..count).step_by(batch) {
            let base = self
                .base
                .wrapping_offset(moved(base, first as i64 * stride) as isize);
            let now = batch.min(count - first);
            for pair in list.windows(2) {
                let (start, len) = (pair[0].start, pair[1].start - pair[0].start);
                let into = base.wrapping_offset(pair[0].offset as isize);
                // SAFETY: `new` promised every stretch of the lists, and bytes for all.
                unsafe {
                    let from = self.from.add(start);
                    copy_strided(from, size as isize, into, stride as isize, len, now);
                }
            }
            // SAFETY: `now` lists were just read.
            self.from = unsafe { self.from.add(now * size) };
        }
    }
}

impl Sink for Mirror {
    #[inline]
    fn block(&mut self, offset: i64, len: usize) {
        let from = self.from.wrapping_offset(offset as isize);
        let into = self.into.wrapping_offset(offset as isize);
        // SAFETY: `new` promised both stretches; `copy` allows overlap.
        unsafe { ptr::copy(from, into, len) }
    }
}

impl Sink for List<'_> {
    fn block(&mut self, offset: i64, len: usize) {
        // SAFETY: `new` promised the stretch.
        let piece = unsafe { UserBuf::new(self.base.wrapping_offset(offset as isize), len) };
        self.into.push(piece);
    }
}

/// How many lists of `size` bytes are copied side by side, stretch by stretch: enough to make
/// loops of fixed size pay, and few enough to stay in the nearest cache.
fn batch(size: usize) -> usize {
    (4096 / size).clamp(1, 64)
}

/// Copies `count` blocks of `len` bytes, each side with its own stride.
///
/// # Safety
/// All blocks are readable at one side and writable at the other.
#[inline]
unsafe fn copy_strided(
    from: *const u8,
    from_stride: isize,
    into: *mut u8,
    into_stride: isize,
    len: usize,
    count: usize,
) {
    // SAFETY: passed on from the caller.
    unsafe {
        match len {
            1 => copy_fixed::<1>(from, from_stride, into, into_stride, count),
            2 => copy_fixed::<2>(from, from_stride, into, into_stride, count),
            4 => copy_fixed::<4>(from, from_stride, into, into_stride, count),
            6 => copy_fixed::<6>(from, from_stride, into, into_stride, count),
            8 => copy_fixed::<8>(from, from_stride, into, into_stride, count),
            12 => copy_fixed::<12>(from, from_stride, into, into_stride, count),
            16 => copy_fixed::<16>(from, from_stride, into, into_stride, count),
            24 => copy_fixed::<24>(from, from_stride, into, into_stride, count),
            32 => copy_fixed::<32>(from, from_stride, into, into_stride, count),
            _ => {
                for index in 0..count as isize {
                    let (a, b) = (index * from_stride, index * into_stride);
                    let (a, b) = (from.wrapping_offset(a), into.wrapping_offset(b));
                    ptr::copy_nonoverlapping(a, b, len);
                }
            }
        }
    }
}

/// [`copy_strided`] for a block size known to the compiler, so that a block is one move.
///
/// # Safety
/// As for `copy_strided`.
#[inline]
unsafe fn copy_fixed<const LEN: usize>(
    from: *const u8,
    from_stride: isize,
    into: *mut u8,
    into_stride: isize,
    count: usize,
) {
    for index in 0..count as isize {
        let a = from
            .wrapping_offset(index * from_stride)
            .cast::<[u8; LEN]>();
        let b = into
            .wrapping_offset(index * into_stride)
            .cast::<[u8; LEN]>();
        // SAFETY: the caller promised every block; byte arrays have no alignment.
        unsafe { b.write(a.read()) }
    }
}
