//! Copies from memory to memory: the one path that all bytes take.

use std::ptr;

/// The lengths that [`by_vectors`] is for: it takes 10 to 25 % less time for them than the C
/// library's `memmove` where the bytes are in the first cache, and up to 20 % less in the second;
/// with vectors of a line 40 % less from 4 KiB on. For longer ones that uses the processor's own
/// copy instruction, which is as quick.
const VECTORS_MIN: usize = 512;
const VECTORS_MAX: usize = 8 << 10;

/// The lengths of which [`in_pieces`] makes several, and how long these are. The C library gives up
/// the processor's copy instruction for what is longer than a second-level cache or so: 1 MiB takes
/// a fifth more time then, 16 MiB half as much again (glibc 2.36 on a Zen 5).
const PIECES_MIN: usize = 256 << 10;
const PIECE: usize = 128 << 10;

/// Copies `len` bytes; overlap is allowed. The lengths of most small messages are copied in place,
/// without a call.
///
/// # Safety
/// `from` can be read and `to` written for `len` bytes.
#[inline]
pub(crate) unsafe fn bytes(from: *const u8, to: *mut u8, len: usize) {
    // SAFETY: promised by the caller.
    unsafe { bytes_by::<true>(from, to, len) }
}

/// Copies `len` bytes that another core may just have stored; overlap is allowed. To load a line at
/// once is slower there: messages of 4 KiB one after the other are, by a tenth (Zen 5), where to
/// store one at once wins 4 % near, and an eighth where the cores share no cache.
///
/// # Safety
/// See [`bytes`].
#[inline]
pub(crate) unsafe fn arrived(from: *const u8, to: *mut u8, len: usize) {
    // SAFETY: promised by the caller.
    unsafe { bytes_by::<false>(from, to, len) }
}

/// Copies `len` bytes, with vectors of a whole line where `LINES`; overlap is allowed.
///
/// # Safety
/// See [`bytes`].
#[inline]
unsafe fn bytes_by<const LINES: bool>(from: *const u8, to: *mut u8, len: usize) {
    /// One load and one store of `T`, at any alignment.
    ///
    /// # Safety
    /// See `bytes`, for the size of `T`.
    #[inline]
    unsafe fn at_once<T>(from: *const u8, to: *mut u8) {
        // SAFETY: promised by the caller; every `T` here is plain bytes.
        unsafe {
            to.cast::<T>()
                .write_unaligned(from.cast::<T>().read_unaligned())
        }
    }
    // SAFETY: promised by the caller.
    unsafe {
        match len {
            0 => {}
            4 => at_once::<u32>(from, to),
            8 => at_once::<u64>(from, to),
            16 => at_once::<[u64; 2]>(from, to),
            VECTORS_MIN..=VECTORS_MAX => by_vectors::<LINES>(from, to, len),
            PIECES_MIN.. => in_pieces(from, to, len),
            _ => ptr::copy(from, to, len),
        }
    }
}

/// Copies `len` bytes that have just been written word by word: a wide load of them would wait for
/// the stores. Those are the headers of messages, those of one-sided ones, and these with an
/// element behind them.
///
/// # Safety
/// See [`bytes`].
#[inline]
pub(crate) unsafe fn header(from: *const u8, to: *mut u8, len: usize) {
    // SAFETY: promised by the caller.
    unsafe {
        match len {
            32 => by_words::<4>(from, to),
            48 => by_words::<6>(from, to),
            56 => by_words::<7>(from, to),
            len => bytes(from, to, len),
        }
    }
}

/// Copies 64-bit words one by one, which the compiler does not merge.
///
/// # Safety
/// See `bytes`, for `WORDS` words of 8 bytes.
#[inline]
unsafe fn by_words<const WORDS: usize>(from: *const u8, to: *mut u8) {
    for at in (0..WORDS).map(|word| word * 8) {
        let word: u64;
        // SAFETY: promised by the caller; a plain load of 8 bytes.
        #[cfg(target_arch = "x86_64")]
        unsafe {
            std::arch::asm!(
                "mov {word}, qword ptr [{from}]",
                word = out(reg) word,
                from = in(reg) from.add(at),
                options(nostack, readonly, preserves_flags, pure)
            );
        }
        // SAFETY: promised by the caller.
        #[cfg(not(target_arch = "x86_64"))]
        unsafe {
            word = from.add(at).cast::<u64>().read_unaligned();
        }
        // SAFETY: promised by the caller.
        unsafe { to.add(at).cast::<u64>().write_unaligned(word) }
    }
}

/// Copies `len` bytes piece by piece, where nothing overlaps.
///
/// # Safety
/// `from` can be read and `to` written for `len` bytes.
#[inline(never)]
unsafe fn in_pieces(from: *const u8, to: *mut u8, len: usize) {
    let piece = match from.addr().abs_diff(to.addr()) >= len {
        true => PIECE,
        false => len,
    };
    for at in (0..len).step_by(piece) {
        // SAFETY: promised by the caller, of which this is a part; one piece where they overlap.
        unsafe { ptr::copy(from.add(at), to.add(at), piece.min(len - at)) };
    }
}

/// Copies `len` bytes by vectors of 64 bytes or, if not whole `LINES`, of 32, where the processor
/// has them and nothing overlaps.
///
/// # Safety
/// `from` can be read and `to` written for `len` bytes, [`VECTORS_MIN`] or more.
#[inline(never)]
unsafe fn by_vectors<const LINES: bool>(from: *const u8, to: *mut u8, len: usize) {
    #[cfg(target_arch = "x86_64")]
    if from.addr().abs_diff(to.addr()) >= len {
        // A processor with AVX-512 but no VBMI2 lowers its clock for vectors of 64 bytes.
        if LINES && std::arch::is_x86_feature_detected!("avx512vbmi2") {
            // SAFETY: just checked; the rest is promised by the caller.
            return unsafe { by_lines(from, to, len) };
        }
        if std::arch::is_x86_feature_detected!("avx") {
            // SAFETY: just checked; the rest is promised by the caller.
            return unsafe { by_half_lines(from, to, len) };
        }
    }
    // SAFETY: promised by the caller.
    unsafe { ptr::copy(from, to, len) }
}

/// Defines a function that copies four vectors in a step. What it stores lies at multiples of a
/// vector, but for the first one and the last step.
#[cfg(target_arch = "x86_64")]
macro_rules! forward {
    ($name:ident, $feature:literal, $vector:ident, $load:ident, $store:ident) => {
        /// Copies as [`by_vectors`] does.
        ///
        /// # Safety
        /// See [`by_vectors`]; the processor has the feature, and the two blocks do not overlap.
        #[target_feature(enable = $feature)]
        unsafe fn $name(from: *const u8, to: *mut u8, len: usize) {
            use std::arch::x86_64::{$load, $store, $vector};

            const VECTOR: usize = size_of::<$vector>();
            const STEP: usize = 4 * VECTOR;
            const { assert!(STEP <= VECTORS_MIN) };
            // SAFETY: each call is for a place at least `STEP` bytes before the end of both
            // stretches, which are longer than the first vector.
            unsafe {
                let step = |at: usize| {
                    let (from, to) = (from.add(at).cast::<$vector>(), to.add(at).cast::<$vector>());
                    let parts = [0, 1, 2, 3].map(|part| $load(from.add(part)));
                    for (part, bytes) in parts.into_iter().enumerate() {
                        $store(to.add(part), bytes);
                    }
                };
                let mut at = to.addr().wrapping_neg() % VECTOR;
                if at > 0 {
                    $store(to.cast(), $load(from.cast()));
                }
                while at + STEP < len {
                    step(at);
                    at += STEP;
                }
                step(len - STEP);
            }
        }
    };
}

#[cfg(target_arch = "x86_64")]
forward!(
    by_half_lines,
    "avx",
    __m256i,
    _mm256_loadu_si256,
    _mm256_storeu_si256
);
#[cfg(target_arch = "x86_64")]
forward!(
    by_lines,
    "avx512f",
    __m512i,
    _mm512_loadu_si512,
    _mm512_storeu_si512
);

#[cfg(test)]
mod tests {
    use super::{PIECE, PIECES_MIN, VECTORS_MAX, VECTORS_MIN};

    type Way = unsafe fn(*const u8, *mut u8, usize);

    /// Copies inside one stretch of memory, and compares all of it.
    fn check(len: usize, source: usize, target: usize) {
        check_by(super::bytes, len, source, target);
        check_by(super::arrived, len, source, target);
    }

    fn check_by(way: Way, len: usize, source: usize, target: usize) {
        let room = 2 * len + 300;
        let before: Vec<u8> = (0..room as u32).map(|n| (n * 7 + n / 256) as u8).collect();
        let mut after = before.clone();
        let start = after.as_mut_ptr();
        // SAFETY: places and lengths lie inside.
        unsafe { way(start.add(source), start.add(target), len) };
        let mut expected = before;
        expected.copy_within(source..source + len, target);
        assert!(after == expected, "{len} bytes from {source} to {target}");
    }

    #[test]
    fn bytes_of_every_length_are_copied_whole_and_nothing_else() {
        let vectors = (VECTORS_MIN - 2..VECTORS_MIN + 300).chain(VECTORS_MAX - 2..VECTORS_MAX + 3);
        for len in (0..=80).chain(vectors) {
            check(len, 3, len + 100);
            check(len, len + 101 + len % 67, len % 33);
        }
        for len in [PIECES_MIN - 1, PIECES_MIN, PIECES_MIN + 1, 5 * PIECE + 77] {
            check(len, 3, len + 100);
            check(len, len + 101, 5);
        }
    }

    #[test]
    fn what_overlaps_is_copied_as_it_was() {
        for len in [VECTORS_MIN, 1000, 4096, PIECES_MIN + 100] {
            for apart in [1, 31, 32, 127, 128, len - 1, len] {
                check(len, 0, apart);
                check(len, apart, 0);
            }
        }
    }
}
