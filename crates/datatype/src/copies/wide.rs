//! Copy loops with AVX-512.
//!
//! *Columns*: eight far elements are merged into one register, each by a masked broadcast, and
//! stored at once; in the other direction one instruction scatters eight. Where the lines come from
//! the second cache this is half as fast again as loops that move an element at a time or put a
//! register together from pairs. It was found by measuring, on a Zen 5; the chain of merges is part
//! of it, so the masks are hidden from the compiler, which otherwise makes pairs of them.
//!
//! *Blocks of random length*: a branch on the length would be mispredicted, so a mask ends them.
//!
//! *Blocks of up to some thousand bytes*: moves of 64 bytes without a call, merged in the same way,
//! with a mask that is full.

use std::arch::is_x86_feature_detected as has;
use std::arch::x86_64::*;
use std::hint::black_box;

use super::blocks::{blocks, FAR, GATHER, MANY};
use crate::layout::Entry;

/// Bytes of a move.
const WIDE: usize = 64;

/// Longer blocks are left to the C library.
const LONG: usize = 8 << 10;

/// Fewer bytes may lie in the nearest cache, where nothing is gained by merging moves.
const NEAREST: usize = 16 << 10;

/// Elements that are merged before they are stored.
const LANES: usize = 8;

/// Blocks past which the lines to write come from memory, and prefetching is worth more than
/// scattering.
const FROM_MEMORY: usize = 4 * MANY;

/// Whether the machine has the instructions of the functions here.
#[inline]
pub(super) fn is_here() -> bool {
    has!("avx512f") && has!("avx512bw") && has!("avx512dq") && has!("avx512vl") && has!("bmi2")
}

/// Copies the first blocks of [`super::column`], as many as there is a better loop for here, and
/// returns how many those were.
///
/// # Safety
/// See [`super::column`].
#[inline]
pub(super) unsafe fn column<const DIRECTION: bool>(
    far: (*mut u8, isize),
    row: *mut u8,
    len: usize,
    count: usize,
    whole: usize,
) -> usize {
    let merged = DIRECTION == GATHER && matches!(len, 4 | 8 | 16);
    let scattered = DIRECTION != GATHER && matches!(len, 4 | 8) && whole < len * FROM_MEMORY;
    let column = (merged || scattered) && far.1.unsigned_abs() >= FAR;
    let helps = (column && count >= LANES) || (WIDE / 2..=LONG).contains(&len);
    if !helps || !is_here() {
        return 0;
    }
    // SAFETY: passed on from the caller; the machine has the instructions.
    unsafe {
        match (DIRECTION, len) {
            (GATHER, 4) => merge::<4>(far, row, count),
            (GATHER, 8) => merge::<8>(far, row, count),
            (GATHER, 16) => merge::<16>(far, row, count),
            (_, 4) => scatter::<4>(far, row, count),
            (_, 8) => scatter::<8>(far, row, count),
            _ => moves::<DIRECTION>(far, row, len, count, whole),
        }
    }
}

/// # Safety
/// See [`column()`].
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi2")]
unsafe fn merge<const LEN: usize>(
    (mut far, step): (*mut u8, isize),
    mut row: *mut u8,
    count: usize,
) -> usize {
    let lanes = LANES * 8 / LEN.max(8);
    let mut masks = [0u8; LANES];
    for (lane, mask) in masks.iter_mut().enumerate() {
        *mask = match LEN {
            16 => 3 << (2 * (lane % 4)),
            _ => 1 << lane,
        };
    }
    let masks = black_box(masks);
    let at = |far: *mut u8, index: isize| far.wrapping_offset(index * step);
    for _ in 0..count / lanes {
        // SAFETY: the caller promised every block, and a row for all.
        unsafe {
            match LEN {
                4 => {
                    let one = |index| _mm_load_ss(at(far, index).cast());
                    let mut all = _mm256_broadcastss_ps(one(0));
                    for (lane, mask) in (1..).zip(&masks[1..8]) {
                        all = _mm256_mask_broadcastss_ps(all, *mask, one(lane));
                    }
                    _mm256_storeu_ps(row.cast(), all);
                }
                8 => {
                    let one = |index| _mm_load_sd(at(far, index).cast());
                    let mut all = _mm512_broadcastsd_pd(one(0));
                    for (lane, mask) in (1..).zip(&masks[1..8]) {
                        all = _mm512_mask_broadcastsd_pd(all, *mask, one(lane));
                    }
                    _mm512_storeu_pd(row.cast(), all);
                }
                _ => {
                    let one = |index| _mm_loadu_pd(at(far, index).cast());
                    let mut all = _mm512_broadcast_f64x2(one(0));
                    for (lane, mask) in (1..).zip(&masks[1..4]) {
                        all = _mm512_mask_broadcast_f64x2(all, *mask, one(lane));
                    }
                    _mm512_storeu_pd(row.cast(), all);
                }
            }
        }
        far = at(far, lanes as isize);
        row = row.wrapping_add(lanes * LEN);
    }
    count / lanes * lanes
}

/// # Safety
/// See [`column()`].
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi2")]
unsafe fn scatter<const LEN: usize>(
    (mut far, step): (*mut u8, isize),
    mut row: *mut u8,
    count: usize,
) -> usize {
    let lanes = LANES;
    let step = step as i64;
    let places = _mm512_mullo_epi64(
        _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0),
        _mm512_set1_epi64(step),
    );
    for _ in 0..count / lanes {
        // SAFETY: the caller promised every block, and a row for all.
        unsafe {
            match LEN {
                4 => {
                    let all = _mm256_loadu_si256(row.cast_const().cast());
                    _mm512_i64scatter_epi32::<1>(far.cast(), places, all);
                }
                _ => {
                    let all = _mm512_loadu_si512(row.cast_const().cast());
                    _mm512_i64scatter_epi64::<1>(far.cast(), places, all);
                }
            }
        }
        far = far.wrapping_offset((lanes as i64 * step) as isize);
        row = row.wrapping_add(lanes * LEN);
    }
    count / lanes * lanes
}

/// Copies blocks from half a move to some moves long, all of them.
///
/// # Safety
/// See [`column()`].
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi2")]
unsafe fn moves<const DIRECTION: bool>(
    far: (*mut u8, isize),
    row: *mut u8,
    len: usize,
    count: usize,
    whole: usize,
) -> usize {
    // SAFETY: passed on from the caller. In the first case these are the same loops as elsewhere,
    // with longer moves.
    unsafe {
        match len {
            0..WIDE => blocks::<DIRECTION>(far, (row, len as isize), len, count, 0),
            _ if whole < NEAREST => rows::<DIRECTION, false>(far, row, len, count),
            _ => rows::<DIRECTION, true>(far, row, len, count),
        }
    }
    count
}

/// Copies blocks by whole moves, the last of which may lap over the one before; where `MERGE`,
/// each is merged into the register that had the one before, as [`merge`] does.
///
/// # Safety
/// See [`column()`]; also, the length is no less than [`WIDE`].
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi2")]
unsafe fn rows<const DIRECTION: bool, const MERGE: bool>(
    (mut far, step): (*mut u8, isize),
    mut row: *mut u8,
    len: usize,
    count: usize,
) {
    let last = len - WIDE;
    let all = if MERGE { black_box(u8::MAX) } else { u8::MAX };
    let mut bytes = _mm512_setzero_si512();
    for _ in 0..count {
        let (from, into) = if DIRECTION == GATHER {
            (far, row)
        } else {
            (row, far)
        };
        let mut at = 0;
        // SAFETY: the caller promised every block; the last move lies inside it, too.
        unsafe {
            while at < last {
                bytes = _mm512_mask_loadu_epi64(bytes, all, from.add(at).cast_const().cast());
                _mm512_storeu_si512(into.add(at).cast(), bytes);
                at += WIDE;
            }
            bytes = _mm512_mask_loadu_epi64(bytes, all, from.add(last).cast_const().cast());
            _mm512_storeu_si512(into.add(last).cast(), bytes);
        }
        far = far.wrapping_offset(step);
        row = row.wrapping_add(len);
    }
}

/// [`super::list`] with masks.
///
/// # Safety
/// See [`super::list`]; also, the machine has the features.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi2")]
pub(super) unsafe fn list<const DIRECTION: bool>(far: *mut u8, mut row: *mut u8, list: &[Entry]) {
    for pair in list.windows(2) {
        let mut len = pair[1].start - pair[0].start;
        let far = far.wrapping_offset(pair[0].offset as isize);
        let (mut from, mut into) = if DIRECTION == GATHER {
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
