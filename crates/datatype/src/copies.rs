//! Copy loops between elements with gaps (the *far* side) and packed bytes (the *row*).
//!
//! Three things make them fast. The length of a block is a constant of its loop, or bounded by one,
//! so that a copy is a move or two and not a call. Far blocks that the hardware prefetcher cannot
//! predict are prefetched here. Blocks of random length are moved with masks, if the machine has
//! masked moves, since a branch on the length would be mispredicted.
//!
//! Bytes in the gaps are neither read nor written.

#[cfg(target_arch = "x86_64")]
mod wide;

use std::ptr;

use crate::layout::{Entry, Grid};

/// Direction from elements to row: packing.
pub(crate) const GATHER: bool = true;

/// Direction from row to elements: unpacking.
pub(crate) const SCATTER: bool = false;

/// Least stride, in bytes, of blocks that are prefetched: others come with their neighbours.
const FAR: usize = 128;

/// Least average distance, in bytes, of prefetched blocks at offsets without a pattern.
const NEAR: u64 = 32;

/// Number of such blocks that the nearer caches do not hold any more.
const MANY: usize = 8192;

/// Blocks by which the prefetch is ahead.
const AHEAD: usize = 64;

/// Copies `count` blocks of `len` bytes between `far`, which has a stride, and a dense `row`.
/// There are `whole` bytes of such blocks in all, of which these are some.
///
/// # Safety
/// All blocks are readable at one side and writable at the other, and do not overlap.
pub(crate) unsafe fn column<const WAY: bool>(
    far: (*mut u8, isize),
    row: *mut u8,
    len: usize,
    count: usize,
    whole: usize,
) {
    #[cfg(target_arch = "x86_64")]
    let (far, row, count) = {
        // SAFETY: passed on from the caller.
        let done = unsafe { wide::column::<WAY>(far, row, len, count, whole) };
        let past = far.0.wrapping_offset(done as isize * far.1);
        ((past, far.1), row.wrapping_add(done * len), count - done)
    };
    let asked = match far.1.unsigned_abs() >= FAR && whole >= len.saturating_mul(MANY) {
        true => count.saturating_sub(AHEAD),
        false => 0,
    };
    // SAFETY: passed on from the caller.
    unsafe { blocks::<WAY>(far, (row, len as isize), len, count, asked) }
}

/// [`column()`] for a few blocks and a row with a stride of its own.
///
/// # Safety
/// See [`column()`].
pub(crate) unsafe fn strided<const WAY: bool>(
    far: (*mut u8, isize),
    row: (*mut u8, isize),
    len: usize,
    count: usize,
) {
    // SAFETY: passed on from the caller.
    unsafe { blocks::<WAY>(far, row, len, count, 0) }
}

/// Copies blocks by the loop for their length, prefetching in the first `asked` steps.
///
/// # Safety
/// See [`column()`]; also, `asked` is no more than `count`.
#[inline(always)]
unsafe fn blocks<const WAY: bool>(
    far: (*mut u8, isize),
    row: (*mut u8, isize),
    len: usize,
    count: usize,
    asked: usize,
) {
    // SAFETY: passed on from the caller. `halves` takes lengths from its number to its double.
    unsafe {
        match len {
            1 => fixed::<WAY, 1>(far, row, count, asked),
            2 => fixed::<WAY, 2>(far, row, count, asked),
            4 => fixed::<WAY, 4>(far, row, count, asked),
            8 => fixed::<WAY, 8>(far, row, count, asked),
            16 => fixed::<WAY, 16>(far, row, count, asked),
            32 => fixed::<WAY, 32>(far, row, count, asked),
            64 => fixed::<WAY, 64>(far, row, count, asked),
            3 => halves::<WAY, 2>(far, row, len, count),
            5..8 => halves::<WAY, 4>(far, row, len, count),
            9..16 => halves::<WAY, 8>(far, row, len, count),
            17..32 => halves::<WAY, 16>(far, row, len, count),
            33..64 => halves::<WAY, 32>(far, row, len, count),
            _ => {
                for index in 0..count as isize {
                    copy::<WAY>(
                        far.0.wrapping_offset(index * far.1),
                        row.0.wrapping_offset(index * row.1),
                        len,
                    );
                }
            }
        }
    }
}

/// [`blocks`] for a length known to the compiler.
///
/// # Safety
/// See [`blocks`].
#[inline(always)]
unsafe fn fixed<const WAY: bool, const LEN: usize>(
    far: (*mut u8, isize),
    row: (*mut u8, isize),
    count: usize,
    asked: usize,
) {
    // SAFETY: passed on from the caller, in two parts.
    unsafe {
        let (far, row) = steps::<WAY, LEN, true>(far, row, asked);
        steps::<WAY, LEN, false>(far, row, count - asked);
    }
}

/// Copies blocks, four at a time, and returns the addresses of the next ones.
///
/// # Safety
/// See [`column()`].
#[inline(always)]
unsafe fn steps<const WAY: bool, const LEN: usize, const ASK: bool>(
    (mut far, far_step): (*mut u8, isize),
    (mut row, row_step): (*mut u8, isize),
    count: usize,
) -> ((*mut u8, isize), (*mut u8, isize)) {
    let ahead = far_step.wrapping_mul(AHEAD as isize);
    let far_at = |far: *mut u8, index: isize| far.wrapping_offset(index * far_step);
    let row_at = |row: *mut u8, index: isize| row.wrapping_offset(index * row_step);
    let fours = if LEN <= 16 { count / 4 } else { 0 };
    for _ in 0..fours {
        if ASK {
            for index in 0..4 {
                fetch::<WAY>(far_at(far, index).wrapping_offset(ahead));
            }
        }
        let (from, into) = if WAY == GATHER {
            (far, row)
        } else {
            (row, far)
        };
        let (from_step, into_step) = if WAY == GATHER {
            (far_step, row_step)
        } else {
            (row_step, far_step)
        };
        let from_at = |index: isize| from.wrapping_offset(index * from_step).cast::<[u8; LEN]>();
        let into_at = |index: isize| into.wrapping_offset(index * into_step).cast::<[u8; LEN]>();
        // SAFETY: the caller promised every block; byte arrays have no alignment.
        unsafe {
            let blocks = [
                from_at(0).read(),
                from_at(1).read(),
                from_at(2).read(),
                from_at(3).read(),
            ];
            into_at(0).write(blocks[0]);
            into_at(1).write(blocks[1]);
            into_at(2).write(blocks[2]);
            into_at(3).write(blocks[3]);
        }
        (far, row) = (far_at(far, 4), row_at(row, 4));
    }
    for _ in 0..count - 4 * fours {
        if ASK {
            fetch::<WAY>(far_at(far, 0).wrapping_offset(ahead));
        }
        // SAFETY: the caller promised every block.
        unsafe { one::<WAY, LEN>(far, row) };
        (far, row) = (far_at(far, 1), row_at(row, 1));
    }
    ((far, far_step), (row, row_step))
}

/// [`blocks`] for a length from `HALF` to `2 * HALF`: two moves, which may overlap.
///
/// # Safety
/// See [`column()`]; also, the length is in that range.
#[inline]
unsafe fn halves<const WAY: bool, const HALF: usize>(
    far: (*mut u8, isize),
    row: (*mut u8, isize),
    len: usize,
    count: usize,
) {
    for index in 0..count as isize {
        // SAFETY: the caller promised every block; its last half lies inside, too.
        unsafe {
            two::<WAY, HALF>(
                far.0.wrapping_offset(index * far.1),
                row.0.wrapping_offset(index * row.1),
                len,
            );
        }
    }
}

/// Copies the blocks of a grid to or from a dense row.
///
/// # Safety
/// See [`column()`], for every block of the grid.
pub(crate) unsafe fn grid<const WAY: bool>(
    (far, stride): (*mut u8, isize),
    row: *mut u8,
    grid: &Grid,
    count: usize,
    whole: usize,
) {
    // SAFETY: passed on from the caller.
    unsafe {
        match grid.len {
            4 => grid_fixed::<WAY, 4>((far, stride), row, grid, count, whole),
            8 => grid_fixed::<WAY, 8>((far, stride), row, grid, count, whole),
            16 => grid_fixed::<WAY, 16>((far, stride), row, grid, count, whole),
            32 => grid_fixed::<WAY, 32>((far, stride), row, grid, count, whole),
            len => {
                for index in 0..count {
                    let far = far.wrapping_offset(index as isize * stride);
                    let row = row.add(index * len * grid.count);
                    column::<WAY>((far, grid.stride), row, len, grid.count, whole);
                }
            }
        }
    }
}

/// # Safety
/// See [`grid`].
unsafe fn grid_fixed<const WAY: bool, const LEN: usize>(
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
        let (far, row) = items_fixed::<WAY, LEN, true>(far, row, grid, asked);
        items_fixed::<WAY, LEN, false>(far, row, grid, count - asked);
    }
}

/// # Safety
/// See [`grid`].
#[inline(always)]
unsafe fn items_fixed<const WAY: bool, const LEN: usize, const ASK: bool>(
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
                fetch::<WAY>(block.wrapping_offset(ahead));
            }
            // SAFETY: the caller promised every block, and a row for all.
            unsafe { one::<WAY, LEN>(block, row) };
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
pub(crate) unsafe fn places<const WAY: bool>(
    far: *mut u8,
    row: *mut u8,
    places: &[i64],
    len: usize,
) {
    // SAFETY: passed on from the caller.
    unsafe {
        match len {
            1 => places_fixed::<WAY, 1>(far, row, places),
            2 => places_fixed::<WAY, 2>(far, row, places),
            4 => places_fixed::<WAY, 4>(far, row, places),
            8 => places_fixed::<WAY, 8>(far, row, places),
            16 => places_fixed::<WAY, 16>(far, row, places),
            32 => places_fixed::<WAY, 32>(far, row, places),
            64 => places_fixed::<WAY, 64>(far, row, places),
            _ => {
                for (at, place) in places.iter().enumerate() {
                    let far = far.wrapping_offset(*place as isize);
                    copy::<WAY>(far, row.add(at * len), len);
                }
            }
        }
    }
}

/// # Safety
/// See [`places`].
unsafe fn places_fixed<const WAY: bool, const LEN: usize>(
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
            fetch::<WAY>(at(pair[AHEAD - 1]));
            // SAFETY: the caller promised the block at each place, and a row for all.
            unsafe { one::<WAY, LEN>(at(pair[0]), row.add(index * LEN)) };
            index += 1;
        }
    }
    for (index, place) in places.iter().enumerate().skip(index) {
        // SAFETY: as above.
        unsafe { one::<WAY, LEN>(at(*place), row.add(index * LEN)) };
    }
}

/// Copies the blocks of a list to or from a dense row.
///
/// # Safety
/// See [`column()`], for the block of each entry.
pub(crate) unsafe fn list<const WAY: bool>(far: *mut u8, row: *mut u8, list: &[Entry]) {
    #[cfg(target_arch = "x86_64")]
    if wide::is_here() {
        // SAFETY: passed on from the caller; the machine has the instructions.
        return unsafe { wide::list::<WAY>(far, row, list) };
    }
    // SAFETY: passed on from the caller.
    unsafe { list_plain::<WAY>(far, row, list) }
}

/// # Safety
/// See [`list`].
unsafe fn list_plain<const WAY: bool>(far: *mut u8, mut row: *mut u8, list: &[Entry]) {
    for pair in list.windows(2) {
        let len = pair[1].start - pair[0].start;
        let far = far.wrapping_offset(pair[0].offset as isize);
        // SAFETY: the caller promised the block of each entry, and a row for all.
        unsafe {
            match len {
                4..8 => two::<WAY, 4>(far, row, len),
                8..=16 => two::<WAY, 8>(far, row, len),
                17..=32 => two::<WAY, 16>(far, row, len),
                33..=64 => two::<WAY, 32>(far, row, len),
                _ => copy::<WAY>(far, row, len),
            }
            row = row.add(len);
        }
    }
}

/// Copies one block.
///
/// # Safety
/// `len` bytes are readable at one side and writable at the other, without overlap.
#[inline]
pub(crate) unsafe fn copy<const WAY: bool>(far: *mut u8, row: *mut u8, len: usize) {
    // SAFETY: passed on from the caller.
    unsafe {
        if WAY == GATHER {
            ptr::copy_nonoverlapping(far, row, len)
        } else {
            ptr::copy_nonoverlapping(row, far, len)
        }
    }
}

/// [`copy`] for a length known to the compiler.
///
/// # Safety
/// See [`copy`].
#[inline(always)]
unsafe fn one<const WAY: bool, const LEN: usize>(far: *mut u8, row: *mut u8) {
    let (from, into) = if WAY == GATHER {
        (far, row)
    } else {
        (row, far)
    };
    // SAFETY: passed on from the caller; byte arrays have no alignment.
    unsafe {
        into.cast::<[u8; LEN]>()
            .write(from.cast::<[u8; LEN]>().read())
    }
}

/// [`copy`] for a length from `HALF` to `2 * HALF`.
///
/// # Safety
/// See [`copy`]; also, the length is in that range.
#[inline(always)]
unsafe fn two<const WAY: bool, const HALF: usize>(far: *mut u8, row: *mut u8, len: usize) {
    let last = len - HALF;
    let (from, into) = if WAY == GATHER {
        (far, row)
    } else {
        (row, far)
    };
    // SAFETY: passed on from the caller; both halves lie inside the block.
    unsafe {
        let a = from.cast::<[u8; HALF]>().read();
        let b = from.add(last).cast::<[u8; HALF]>().read();
        into.cast::<[u8; HALF]>().write(a);
        into.add(last).cast::<[u8; HALF]>().write(b);
    }
}

/// Prefetches the line of a far block that will be read, or written. Any address will do.
#[inline(always)]
fn fetch<const WAY: bool>(far: *const u8) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_mm_prefetch, _MM_HINT_ET0, _MM_HINT_T0};
        // SAFETY: a hint, which never faults; every x86-64 has it.
        unsafe {
            if WAY == GATHER {
                _mm_prefetch::<_MM_HINT_T0>(far.cast());
            } else {
                _mm_prefetch::<_MM_HINT_ET0>(far.cast());
            }
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = far;
}

#[cfg(test)]
mod tests;
