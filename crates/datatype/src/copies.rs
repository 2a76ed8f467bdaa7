//! The copy loops between elements with gaps, the far side, and a row of packed bytes.
//!
//! What makes them fast: a block's length is a constant of its loop, or bounded by one, so that
//! it is a move or two and not a call; far blocks that no prefetcher of the machine foresees are
//! asked for ahead; blocks of random length are moved with masks where the machine has them,
//! since a branch on the length would be mispredicted.
//!
//! Bytes in the gaps are neither read nor written.

use std::ptr;

use crate::layout::{Entry, Grid};

/// Elements to row: what packs.
pub(crate) const GATHER: bool = true;

/// Row to elements: what unpacks.
pub(crate) const SCATTER: bool = false;

/// How many bytes apart blocks have to be for asking ahead: others come with their neighbours.
const FAR: usize = 128;

/// The same for blocks at places without a pattern.
const NEAR: u64 = 32;

/// How many such blocks the nearer caches do not hold any more.
const MANY: usize = 8192;

/// How many blocks ahead is asked.
const AHEAD: usize = 64;

/// Copies `count` blocks of `len` bytes between `far` and `row`, each with a stride of its own.
///
/// # Safety
/// All blocks are readable at one side and writable at the other, and do not overlap.
#[inline]
pub(crate) unsafe fn strided<const WAY: bool>(
    far: (*mut u8, isize),
    row: (*mut u8, isize),
    len: usize,
    count: usize,
) {
    // SAFETY: passed on from the caller. `halves` takes lengths from its number to its double.
    unsafe {
        match len {
            1 => fixed::<WAY, 1>(far, row, count),
            2 => fixed::<WAY, 2>(far, row, count),
            4 => fixed::<WAY, 4>(far, row, count),
            8 => fixed::<WAY, 8>(far, row, count),
            16 => fixed::<WAY, 16>(far, row, count),
            32 => fixed::<WAY, 32>(far, row, count),
            64 => fixed::<WAY, 64>(far, row, count),
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

/// [`strided`] for a length known to the compiler.
///
/// # Safety
/// As for [`strided`].
#[inline]
unsafe fn fixed<const WAY: bool, const LEN: usize>(
    far: (*mut u8, isize),
    row: (*mut u8, isize),
    count: usize,
) {
    let asked = match far.1.unsigned_abs() >= FAR && count >= MANY {
        true => count - AHEAD,
        false => 0,
    };
    // SAFETY: passed on from the caller, in two parts.
    unsafe {
        let (far, row) = steps::<WAY, LEN, true>(far, row, asked);
        steps::<WAY, LEN, false>(far, row, count - asked);
    }
}

/// Copies blocks, four at a time, and returns where the next ones lie.
///
/// # Safety
/// As for [`strided`].
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

/// [`strided`] for a length from `HALF` to `2 * HALF`: two moves, which may overlap.
///
/// # Safety
/// As for [`strided`], and the length is in that range.
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
/// As for [`strided`], for every block of the grid.
pub(crate) unsafe fn grid<const WAY: bool>(
    (far, stride): (*mut u8, isize),
    row: *mut u8,
    grid: &Grid,
    count: usize,
) {
    // SAFETY: passed on from the caller.
    unsafe {
        match grid.len {
            4 => grid_fixed::<WAY, 4>((far, stride), row, grid, count),
            8 => grid_fixed::<WAY, 8>((far, stride), row, grid, count),
            16 => grid_fixed::<WAY, 16>((far, stride), row, grid, count),
            32 => grid_fixed::<WAY, 32>((far, stride), row, grid, count),
            len => {
                for index in 0..count {
                    let far = far.wrapping_offset(index as isize * stride);
                    let row = row.add(index * len * grid.count);
                    strided::<WAY>((far, grid.stride), (row, len as isize), len, grid.count);
                }
            }
        }
    }
}

/// # Safety
/// As for [`grid`].
unsafe fn grid_fixed<const WAY: bool, const LEN: usize>(
    far: (*mut u8, isize),
    row: *mut u8,
    grid: &Grid,
    count: usize,
) {
    let items = AHEAD.div_ceil(grid.count);
    let asked = match far.1.unsigned_abs() >= FAR && count * grid.count >= MANY {
        true => count - items,
        false => 0,
    };
    // SAFETY: passed on from the caller, in two parts.
    unsafe {
        let (far, row) = items_fixed::<WAY, LEN, true>(far, row, grid, asked);
        items_fixed::<WAY, LEN, false>(far, row, grid, count - asked);
    }
}

/// # Safety
/// As for [`grid`].
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

/// Copies blocks of `len` bytes at any places to or from a dense row.
///
/// # Safety
/// As for [`strided`], for the block at each place.
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
/// As for [`places`].
unsafe fn places_fixed<const WAY: bool, const LEN: usize>(
    far: *mut u8,
    row: *mut u8,
    places: &[i64],
) {
    let at = |place: i64| far.wrapping_offset(place as isize);
    let mut index = 0;
    // Places as near to each other as that come with their neighbours.
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
/// As for [`strided`], for the block of each entry.
pub(crate) unsafe fn list<const WAY: bool>(far: *mut u8, row: *mut u8, list: &[Entry]) {
    #[cfg(target_arch = "x86_64")]
    if masks::are_here() {
        // SAFETY: passed on from the caller; the machine has the instructions.
        return unsafe { masks::list::<WAY>(far, row, list) };
    }
    // SAFETY: passed on from the caller.
    unsafe { list_plain::<WAY>(far, row, list) }
}

/// # Safety
/// As for [`list`].
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
/// As for [`copy`].
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
/// As for [`copy`], and the length is in that range.
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

/// Asks for the line of a far block that will be read, or written. Any address will do.
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

/// Loops with masked moves: no branch on the length of a block.
#[cfg(target_arch = "x86_64")]
mod masks {
    use std::arch::is_x86_feature_detected as has;
    use std::arch::x86_64::{
        _bzhi_u64, _mm512_loadu_epi8, _mm512_mask_storeu_epi8, _mm512_maskz_loadu_epi8,
        _mm512_storeu_epi8,
    };

    use super::{Entry, GATHER};

    /// Bytes of a move.
    const WIDE: usize = 64;

    /// Whether the machine has what the functions here need.
    #[inline]
    pub(super) fn are_here() -> bool {
        has!("avx512f") && has!("avx512bw") && has!("bmi2")
    }

    /// [`super::list`].
    ///
    /// # Safety
    /// As there, and the machine has the features.
    #[target_feature(enable = "avx512f,avx512bw,bmi2")]
    pub(super) unsafe fn list<const WAY: bool>(far: *mut u8, mut row: *mut u8, list: &[Entry]) {
        for pair in list.windows(2) {
            let mut len = pair[1].start - pair[0].start;
            let far = far.wrapping_offset(pair[0].offset as isize);
            let (mut from, mut into) = if WAY == GATHER {
                (far, row)
            } else {
                (row, far)
            };
            row = row.wrapping_add(len);
            // SAFETY: the caller promised the block of each entry, and a row for all; no masked
            // byte is touched.
            unsafe {
                while len > WIDE {
                    let bytes = _mm512_loadu_epi8(from.cast_const().cast());
                    _mm512_storeu_epi8(into.cast(), bytes);
                    (from, into, len) = (from.add(WIDE), into.add(WIDE), len - WIDE);
                }
                let mask = _bzhi_u64(u64::MAX, len as u32);
                let bytes = _mm512_maskz_loadu_epi8(mask, from.cast_const().cast());
                _mm512_mask_storeu_epi8(into.cast(), mask, bytes);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bytes that differ from their neighbours and from those 256 further.
    fn bytes(len: usize) -> Vec<u8> {
        (0..len).map(|i| (i * 7 + i / 251) as u8).collect()
    }

    #[test]
    fn blocks_of_every_length_go_both_ways_and_leave_the_gaps() {
        let (count, room) = (7, 8192);
        for len in 1..=140 {
            for stride in [len + 3, 300] {
                let (mut far, mut row) = (bytes(room), vec![0xee; count * len + 1]);
                let sides = (
                    (far.as_mut_ptr(), stride as isize),
                    (row.as_mut_ptr(), len as isize),
                );
                // SAFETY: both sides have room for the blocks.
                unsafe { strided::<GATHER>(sides.0, sides.1, len, count) };
                let blocks = (0..count).flat_map(|i| &far[i * stride..][..len]);
                assert!(
                    blocks.eq(&row[..count * len]),
                    "{len} bytes, {stride} apart"
                );
                assert_eq!(row[count * len], 0xee);
                let before = far.clone();
                row.iter_mut().for_each(|byte| *byte = !*byte);
                let sides = (
                    (far.as_mut_ptr(), stride as isize),
                    (row.as_mut_ptr(), len as isize),
                );
                // SAFETY: as above.
                unsafe { strided::<SCATTER>(sides.0, sides.1, len, count) };
                for at in 0..room {
                    let data = at / stride < count && at % stride < len;
                    let expected = if data { !before[at] } else { before[at] };
                    assert_eq!(far[at], expected, "{len} bytes, {stride} apart, at {at}");
                }
            }
        }
    }

    #[test]
    fn many_blocks_with_prefetching_are_the_same_blocks() {
        let (count, stride) = (MANY + 5, 136);
        let (mut far, mut row) = (bytes(count * stride), vec![0; count * 16]);
        let places: Vec<i64> = (0..count as i64).rev().map(|i| i * stride as i64).collect();
        let grid = Grid {
            len: 16,
            count: 1,
            stride: 0,
        };
        let expected: Vec<u8> = (0..count)
            .flat_map(|i| far[i * stride..][..16].to_vec())
            .collect();
        let (from, into) = ((far.as_mut_ptr(), stride as isize), row.as_mut_ptr());
        // SAFETY: both sides have room for the blocks.
        unsafe { strided::<GATHER>(from, (into, 16), 16, count) };
        assert_eq!(row, expected);
        row.fill(0);
        let into = row.as_mut_ptr();
        // SAFETY: as above.
        unsafe { super::grid::<GATHER>(from, into, &grid, count) };
        assert_eq!(row, expected);
        let into = row.as_mut_ptr();
        // SAFETY: as above.
        unsafe { super::places::<GATHER>(from.0, into, &places, 16) };
        assert!(row.chunks(16).rev().eq(expected.chunks(16)));
    }

    #[test]
    fn lists_are_the_same_with_masks_and_without() {
        let far = bytes(20_000);
        let mut list = Vec::new();
        let (mut start, mut offset) = (0, 1);
        for len in (1..=140).chain([1, 64, 65, 63, 128, 2]) {
            list.push(Entry { offset, start });
            start += len;
            offset += len as i64 + 2;
        }
        list.push(Entry { offset: 0, start });
        type Copy = unsafe fn(*mut u8, *mut u8, &[Entry]);
        let ways: [(Copy, Copy); 2] = [
            (super::list::<GATHER>, super::list::<SCATTER>),
            (list_plain::<GATHER>, list_plain::<SCATTER>),
        ];
        for (gather, scatter) in ways {
            let (mut from, mut row, mut back) = (far.clone(), vec![0; start], vec![0; far.len()]);
            // SAFETY: the list's stretches lie in both, and the row has room for them.
            unsafe {
                gather(from.as_mut_ptr(), row.as_mut_ptr(), &list);
                scatter(back.as_mut_ptr(), row.as_mut_ptr(), &list);
            }
            let mut expected = vec![0; far.len()];
            for pair in list.windows(2) {
                let (at, len) = (pair[0].offset as usize, pair[1].start - pair[0].start);
                assert_eq!(row[pair[0].start..pair[1].start], far[at..at + len]);
                expected[at..at + len].copy_from_slice(&far[at..at + len]);
            }
            assert!(back == expected, "the gaps stay");
        }
    }
}
