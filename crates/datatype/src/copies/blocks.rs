//! Loops that copy blocks between two strides, each for the length of its blocks.

use std::ptr;

/// Direction from elements to row: packing.
pub(crate) const GATHER: bool = true;

/// Direction from row to elements: unpacking.
pub(crate) const SCATTER: bool = false;

/// Least stride, in bytes, of blocks that are prefetched: others come with their neighbours.
pub(super) const FAR: usize = 128;

/// Number of far blocks that the nearer caches do not hold any more.
pub(super) const MANY: usize = 8192;

/// Blocks by which the prefetch is ahead.
pub(super) const AHEAD: usize = 64;

/// Copies blocks by the loop for their length, prefetching in the first `asked` steps.
///
/// # Safety
/// See [`super::column`]; also, `asked` is no more than `count`.
#[inline(always)]
pub(super) unsafe fn blocks<const DIRECTION: bool>(
    far: (*mut u8, isize),
    row: (*mut u8, isize),
    len: usize,
    count: usize,
    asked: usize,
) {
    // SAFETY: passed on from the caller. `halves` takes lengths from its number to its double.
    unsafe {
        match len {
            1 => fixed::<DIRECTION, 1>(far, row, count, asked),
            2 => fixed::<DIRECTION, 2>(far, row, count, asked),
            4 => fixed::<DIRECTION, 4>(far, row, count, asked),
            8 => fixed::<DIRECTION, 8>(far, row, count, asked),
            16 => fixed::<DIRECTION, 16>(far, row, count, asked),
            32 => fixed::<DIRECTION, 32>(far, row, count, asked),
            64 => fixed::<DIRECTION, 64>(far, row, count, asked),
            3 => halves::<DIRECTION, 2>(far, row, len, count),
            5..8 => halves::<DIRECTION, 4>(far, row, len, count),
            9..16 => halves::<DIRECTION, 8>(far, row, len, count),
            17..32 => halves::<DIRECTION, 16>(far, row, len, count),
            33..64 => halves::<DIRECTION, 32>(far, row, len, count),
            _ => {
                for index in 0..count as isize {
                    copy::<DIRECTION>(
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
unsafe fn fixed<const DIRECTION: bool, const LEN: usize>(
    far: (*mut u8, isize),
    row: (*mut u8, isize),
    count: usize,
    asked: usize,
) {
    // SAFETY: passed on from the caller, in two parts.
    unsafe {
        let (far, row) = steps::<DIRECTION, LEN, true>(far, row, asked);
        steps::<DIRECTION, LEN, false>(far, row, count - asked);
    }
}

/// Copies blocks, four at a time, and returns the addresses of the next ones.
///
/// # Safety
/// See [`super::column`].
#[inline(always)]
unsafe fn steps<const DIRECTION: bool, const LEN: usize, const ASK: bool>(
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
                fetch::<DIRECTION>(far_at(far, index).wrapping_offset(ahead));
            }
        }
        let (from, into) = if DIRECTION == GATHER {
            (far, row)
        } else {
            (row, far)
        };
        let (from_step, into_step) = if DIRECTION == GATHER {
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
            fetch::<DIRECTION>(far_at(far, 0).wrapping_offset(ahead));
        }
        // SAFETY: the caller promised every block.
        unsafe { one::<DIRECTION, LEN>(far, row) };
        (far, row) = (far_at(far, 1), row_at(row, 1));
    }
    ((far, far_step), (row, row_step))
}

/// [`blocks`] for a length from `HALF` to `2 * HALF`: two moves, which may overlap.
///
/// # Safety
/// See [`super::column`]; also, the length is in that range.
#[inline]
unsafe fn halves<const DIRECTION: bool, const HALF: usize>(
    far: (*mut u8, isize),
    row: (*mut u8, isize),
    len: usize,
    count: usize,
) {
    for index in 0..count as isize {
        // SAFETY: the caller promised every block; its last half lies inside, too.
        unsafe {
            two::<DIRECTION, HALF>(
                far.0.wrapping_offset(index * far.1),
                row.0.wrapping_offset(index * row.1),
                len,
            );
        }
    }
}

/// Copies one block.
///
/// # Safety
/// `len` bytes are readable at one side and writable at the other, without overlap.
#[inline]
pub(crate) unsafe fn copy<const DIRECTION: bool>(far: *mut u8, row: *mut u8, len: usize) {
    // SAFETY: passed on from the caller.
    unsafe {
        if DIRECTION == GATHER {
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
pub(super) unsafe fn one<const DIRECTION: bool, const LEN: usize>(far: *mut u8, row: *mut u8) {
    let (from, into) = if DIRECTION == GATHER {
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
pub(super) unsafe fn two<const DIRECTION: bool, const HALF: usize>(
    far: *mut u8,
    row: *mut u8,
    len: usize,
) {
    let last = len - HALF;
    let (from, into) = if DIRECTION == GATHER {
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
pub(super) fn fetch<const DIRECTION: bool>(far: *const u8) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_mm_prefetch, _MM_HINT_ET0, _MM_HINT_T0};
        // SAFETY: a hint, which never faults; every x86-64 has it.
        unsafe {
            if DIRECTION == GATHER {
                _mm_prefetch::<_MM_HINT_T0>(far.cast());
            } else {
                _mm_prefetch::<_MM_HINT_ET0>(far.cast());
            }
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = far;
}
