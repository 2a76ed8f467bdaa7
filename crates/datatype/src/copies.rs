//! Copy loops between elements with gaps (the *far* side) and packed bytes (the *row*).
//!
//! Three things make them fast. The length of a block is a constant of its loop, or bounded by one,
//! so that a copy is a move or two and not a call. Far blocks that the hardware prefetcher cannot
//! predict are prefetched here. Blocks of random length are moved with masks, if the machine has
//! masked moves, since a branch on the length would be mispredicted.
//!
//! Bytes in the gaps are neither read nor written.

mod blocks;
#[cfg(target_arch = "x86_64")]
mod wide;

use crate::layout::{Entry, Grid};
use blocks::{blocks, fetch, one, two, AHEAD, FAR, MANY};

pub(crate) use blocks::{copy, GATHER, SCATTER};

/// Least average distance, in bytes, of prefetched blocks at offsets without a pattern.
const NEAR: u64 = 32;

/// Copies `count` blocks of `len` bytes between `far`, which has a stride, and a dense `row`.
/// There are `whole` bytes of such blocks in all, of which these are some.
///
/// # Safety
/// All blocks are readable at one side and writable at the other, and do not overlap.
pub(crate) unsafe fn column<const DIRECTION: bool>(
    far: (*mut u8, isize),
    row: *mut u8,
    len: usize,
    count: usize,
    whole: usize,
) {
    #[cfg(target_arch = "x86_64")]
    let (far, row, count) = {
        // SAFETY: passed on from the caller.
        let done = unsafe { wide::column::<DIRECTION>(far, row, len, count, whole) };
        let past = far.0.wrapping_offset(done as isize * far.1);
        ((past, far.1), row.wrapping_add(done * len), count - done)
    };
    let asked = match far.1.unsigned_abs() >= FAR && whole >= len.saturating_mul(MANY) {
        true => count.saturating_sub(AHEAD),
        false => 0,
    };
    // SAFETY: passed on from the caller.
    unsafe { blocks::<DIRECTION>(far, (row, len as isize), len, count, asked) }
}

/// [`column()`] for a few blocks and a row with a stride of its own.
///
/// # Safety
/// See [`column()`].
pub(crate) unsafe fn strided<const DIRECTION: bool>(
    far: (*mut u8, isize),
    row: (*mut u8, isize),
    len: usize,
    count: usize,
) {
    // SAFETY: passed on from the caller.
    unsafe { blocks::<DIRECTION>(far, row, len, count, 0) }
}

/// Copies the blocks of a grid to or from a dense row.
///
/// # Safety
/// See [`column()`], for every block of the grid.
pub(crate) unsafe fn grid<const DIRECTION: bool>(
    (far, stride): (*mut u8, isize),
    row: *mut u8,
    grid: &Grid,
    count: usize,
    whole: usize,
) {
    // SAFETY: passed on from the caller.
    unsafe {
        match grid.len {
            4 => grid_fixed::<DIRECTION, 4>((far, stride), row, grid, count, whole),
            8 => grid_fixed::<DIRECTION, 8>((far, stride), row, grid, count, whole),
            16 => grid_fixed::<DIRECTION, 16>((far, stride), row, grid, count, whole),
            32 => grid_fixed::<DIRECTION, 32>((far, stride), row, grid, count, whole),
            len => {
                for index in 0..count {
                    let far = far.wrapping_offset(index as isize * stride);
                    let row = row.add(index * len * grid.count);
                    column::<DIRECTION>((far, grid.stride), row, len, grid.count, whole);
                }
            }
        }
    }
}

/// # Safety
/// See [`grid`].
unsafe fn grid_fixed<const DIRECTION: bool, const LEN: usize>(
    far: (*mut u8, isize),
    row: *mut u8,
    grid: &Grid,
    count: usize,
    whole: usize,
) {
    let items = AHEAD.div_ceil(grid.count);
    let asked = match far.1.unsigned_abs() >= FAR && whole >= LEN * MANY {
        true => count.saturating_sub(items),
        false => 0,
    };
    // SAFETY: passed on from the caller, in two parts.
    unsafe {
        let (far, row) = items_fixed::<DIRECTION, LEN, true>(far, row, grid, asked);
        items_fixed::<DIRECTION, LEN, false>(far, row, grid, count - asked);
    }
}

/// # Safety
/// See [`grid`].
#[inline(always)]
unsafe fn items_fixed<const DIRECTION: bool, const LEN: usize, const ASK: bool>(
    (mut far, stride): (*mut u8, isize),
    mut row: *mut u8,
    grid: &Grid,
    count: usize,
) -> ((*mut u8, isize), *mut u8) {
    let ahead = stride.wrapping_mul(AHEAD.div_ceil(grid.count) as isize);
    for _ in 0..count {
        let mut block = far;
        for _ in 0..grid.count {
            if ASK {
                fetch::<DIRECTION>(block.wrapping_offset(ahead));
            }
            // SAFETY: the caller promised every block, and a row for all.
            unsafe { one::<DIRECTION, LEN>(block, row) };
            block = block.wrapping_offset(grid.stride);
            row = row.wrapping_add(LEN);
        }
        far = far.wrapping_offset(stride);
    }
    ((far, stride), row)
}

/// Copies blocks of `len` bytes at any offsets to or from a dense row.
///
/// # Safety
/// See [`column()`], for the block at each place.
pub(crate) unsafe fn places<const DIRECTION: bool>(
    far: *mut u8,
    row: *mut u8,
    places: &[i64],
    len: usize,
) {
    // SAFETY: passed on from the caller.
    unsafe {
        match len {
            1 => places_fixed::<DIRECTION, 1>(far, row, places),
            2 => places_fixed::<DIRECTION, 2>(far, row, places),
            4 => places_fixed::<DIRECTION, 4>(far, row, places),
            8 => places_fixed::<DIRECTION, 8>(far, row, places),
            16 => places_fixed::<DIRECTION, 16>(far, row, places),
            32 => places_fixed::<DIRECTION, 32>(far, row, places),
            64 => places_fixed::<DIRECTION, 64>(far, row, places),
            _ => {
                for (at, place) in places.iter().enumerate() {
                    let far = far.wrapping_offset(*place as isize);
                    copy::<DIRECTION>(far, row.add(at * len), len);
                }
            }
        }
    }
}

/// # Safety
/// See [`places`].
unsafe fn places_fixed<const DIRECTION: bool, const LEN: usize>(
    far: *mut u8,
    row: *mut u8,
    places: &[i64],
) {
    let at = |place: i64| far.wrapping_offset(place as isize);
    let mut index = 0;
    // Blocks as near to each other as that come with their neighbours.
    let apart = |n: usize| places[n - 1].wrapping_sub(places[0]).unsigned_abs() / n as u64 >= NEAR;
    if places.len() >= MANY && apart(places.len()) {
        for pair in places.windows(AHEAD) {
            fetch::<DIRECTION>(at(pair[AHEAD - 1]));
            // SAFETY: the caller promised the block at each place, and a row for all.
            unsafe { one::<DIRECTION, LEN>(at(pair[0]), row.add(index * LEN)) };
            index += 1;
        }
    }
    for (index, place) in places.iter().enumerate().skip(index) {
        // SAFETY: as above.
        unsafe { one::<DIRECTION, LEN>(at(*place), row.add(index * LEN)) };
    }
}

/// Copies the blocks of a list to or from a dense row.
///
/// # Safety
/// See [`column()`], for the block of each entry.
pub(crate) unsafe fn list<const DIRECTION: bool>(far: *mut u8, row: *mut u8, list: &[Entry]) {
    #[cfg(target_arch = "x86_64")]
    if wide::is_here() {
        // SAFETY: passed on from the caller; the machine has the instructions.
        return unsafe { wide::list::<DIRECTION>(far, row, list) };
    }
    // SAFETY: passed on from the caller.
    unsafe { list_plain::<DIRECTION>(far, row, list) }
}

/// # Safety
/// See [`list`].
unsafe fn list_plain<const DIRECTION: bool>(far: *mut u8, mut row: *mut u8, list: &[Entry]) {
    for pair in list.windows(2) {
        let len = pair[1].start - pair[0].start;
        let far = far.wrapping_offset(pair[0].offset as isize);
        // SAFETY: the caller promised the block of each entry, and a row for all.
        unsafe {
            match len {
                4..8 => two::<DIRECTION, 4>(far, row, len),
                8..=16 => two::<DIRECTION, 8>(far, row, len),
                17..=32 => two::<DIRECTION, 16>(far, row, len),
                33..=64 => two::<DIRECTION, 32>(far, row, len),
                _ => copy::<DIRECTION>(far, row, len),
            }
            row = row.add(len);
        }
    }
}

#[cfg(test)]
mod tests;
