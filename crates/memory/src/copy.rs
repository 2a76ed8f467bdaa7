//! Copies from memory to memory: the one way that all bytes go.

use std::ptr;

/// The lengths that [`by_vectors`] is for: it takes 10 to 25 % less time for them than the C
/// library's `memmove` where the bytes are in the first cache, and up to 20 % less in the second.
/// For longer ones that uses the processor's own copy instruction, which is as quick.
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
    /// One load and one store of `T`, at any alignment.
    ///
    /// # Safety
    /// As for `bytes`, for the size of `T`.
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
            VECTORS_MIN..=VECTORS_MAX => by_vectors(from, to, len),
            PIECES_MIN.. => in_pieces(from, to, len),
            _ => ptr::copy(from, to, len),
        }
    }
}

/// The same for what has just been written word by word: a wide load of it would wait for the
/// stores. Those are the headers of messages, those of one-sided ones, and these with an element
/// behind them.
///
/// # Safety
/// As for [`bytes`].
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

/// Words, which the compiler does not merge.
///
/// # Safety
/// As for `bytes`, for `WORDS` words of 8 bytes.
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

/// Copies `len` bytes by vectors of 32 bytes, where the processor has them and nothing overlaps.
///
/// # Safety
/// `from` can be read and `to` written for `len` bytes, [`VECTORS_MIN`] or more.
unsafe fn by_vectors(from: *const u8, to: *mut u8, len: usize) {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx") && from.addr().abs_diff(to.addr()) >= len {
        // SAFETY: just checked; the rest is promised by the caller.
        return unsafe { forward(from, to, len) };
    }
    // SAFETY: promised by the caller.
    unsafe { ptr::copy(from, to, len) }
}

/// The same, where it may be done. What is stored lies at multiples of 32, but for the first vector
/// and the last ones.
///
/// # Safety
/// As for [`by_vectors`]; the processor has AVX, and the two stretches do not overlap.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx")]
unsafe fn forward(from: *const u8, to: *mut u8, len: usize) {
    use std::arch::x86_64::{__m256i, _mm256_loadu_si256, _mm256_storeu_si256};

    const VECTOR: usize = size_of::<__m256i>();
    const STEP: usize = 4 * VECTOR;
    // SAFETY: each call is for a place at least `STEP` bytes, or for `first` one vector, before the
    // end of both stretches.
    unsafe {
        let step = |at: usize| {
            let (from, to) = (from.add(at).cast::<__m256i>(), to.add(at).cast::<__m256i>());
            let parts = [0, 1, 2, 3].map(|part| _mm256_loadu_si256(from.add(part)));
            for (part, bytes) in parts.into_iter().enumerate() {
                _mm256_storeu_si256(to.add(part), bytes);
            }
        };
        let first = VECTOR - to.addr() % VECTOR;
        _mm256_storeu_si256(to.cast(), _mm256_loadu_si256(from.cast()));
        let mut at = first;
        while at + STEP < len {
            step(at);
            at += STEP;
        }
        step(len - STEP);
    }
}

#[cfg(test)]
mod tests {
    use super::{PIECE, PIECES_MIN, VECTORS_MAX, VECTORS_MIN};

    /// Copies inside one stretch of memory, and compares all of it.
    fn check(len: usize, source: usize, target: usize) {
        let room = 2 * len + 300;
        let before: Vec<u8> = (0..room as u32).map(|n| (n * 7 + n / 256) as u8).collect();
        let mut after = before.clone();
        let start = after.as_mut_ptr();
        // SAFETY: places and lengths lie inside.
        unsafe { super::bytes(start.add(source), start.add(target), len) };
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
