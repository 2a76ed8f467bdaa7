//! Copies from memory to memory: the one path that all bytes take.

use std::ptr;

/// The lengths of which [`in_pieces`] makes several, and how long these are. The C library gives up
/// the processor's copy instruction for what is longer than a second-level cache or so: 1 MiB takes
/// a fifth more time then, 16 MiB half as much again (glibc 2.36 on a Zen 5).
const PIECES_MIN: usize = 256 << 10;
const PIECE: usize = 128 << 10;

/// Copies `len` bytes; overlap is allowed. The lengths of most small messages are copied in place,
/// without a call; the C library, which knows the processor, copies the others. Loops of wide
/// vectors are no faster where two cores share a cache, and halve the rate of messages of 4 KiB
/// where they do not: such stores fetch each line from the other core before they overwrite it.
///
/// # Safety
/// `from` can be read and `to` written for `len` bytes.
#[inline]
pub(crate) unsafe fn bytes(from: *const u8, to: *mut u8, len: usize) {
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
            PIECES_MIN.. => in_pieces(from, to, len),
            _ => ptr::copy(from, to, len),
        }
    }
}

/// The lengths that [`shared`] copies by the processor's copy instruction, which overwrites a whole
/// line without fetching it first. The C library does so too, but only from 4 KiB or so on: where
/// two cores share no cache (200 ns), two threads that show each other 2 KiB take 690 ns by its
/// copies and 500 by this one. Shorter copies are over before the instruction gets going.
const BY_INSTRUCTION: std::ops::Range<usize> = 1 << 10..4 << 10;

/// Copies `len` bytes to memory that another core has read, without overlap.
///
/// # Safety
/// See [`bytes`].
#[inline]
pub(crate) unsafe fn shared(from: *const u8, to: *mut u8, len: usize) {
    #[cfg(target_arch = "x86_64")]
    if BY_INSTRUCTION.contains(&len) && is_x86_feature_detected!("ermsb") {
        // SAFETY: promised by the caller.
        return unsafe { by_instruction(from, to, len) };
    }
    // SAFETY: promised by the caller.
    unsafe { bytes(from, to, len) }
}

/// Copies `len` bytes by the copy instruction, from the first whole line of the target on.
///
/// # Safety
/// See [`bytes`], for at least a line, without overlap.
#[cfg(target_arch = "x86_64")]
#[inline]
unsafe fn by_instruction(from: *const u8, to: *mut u8, len: usize) {
    const LINE: usize = 64;
    let before = to.addr().wrapping_neg() % LINE;
    // SAFETY: promised by the caller: there is a line at both, of which `before` bytes count. The
    // direction flag is clear, as it is at every `asm!` block.
    unsafe {
        // Not where nothing needs it: the instruction would wait for these stores.
        if before > 0 {
            to.cast::<[u8; LINE]>()
                .write_unaligned(from.cast::<[u8; LINE]>().read_unaligned());
        }
        std::arch::asm!(
            "rep movsb",
            inout("rcx") len - before => _,
            inout("rsi") from.add(before) => _,
            inout("rdi") to.add(before) => _,
            options(nostack, preserves_flags)
        );
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

#[cfg(test)]
mod tests {
    use super::{PIECE, PIECES_MIN};

    /// Copies inside one piece of memory, and compares all of it.
    fn check(len: usize, source: usize, target: usize) {
        let room = 2 * len + 300;
        let before: Vec<u8> = (0..room as u32).map(|n| (n * 7 + n / 256) as u8).collect();
        let mut after = before.clone();
        let start = after.as_mut_ptr();
        // SAFETY: offsets and lengths lie inside.
        unsafe { super::bytes(start.add(source), start.add(target), len) };
        let mut expected = before;
        expected.copy_within(source..source + len, target);
        assert!(after == expected, "{len} bytes from {source} to {target}");
    }

    #[test]
    fn bytes_of_every_length_are_copied_whole_and_nothing_else() {
        for len in (0..=80).chain(510..520).chain(4094..4099) {
            check(len, 3, len + 100);
            check(len, len + 101 + len % 67, len % 33);
        }
        for len in [PIECES_MIN - 1, PIECES_MIN, PIECES_MIN + 1, 5 * PIECE + 77] {
            check(len, 3, len + 100);
            check(len, len + 101, 5);
        }
    }

    #[test]
    fn shared_memory_is_filled_whole_and_nothing_else_changes() {
        for len in (0..=70).chain(1020..1030).chain(4092..4100) {
            let from: Vec<u8> = (0..len as u32).map(|n| (n * 7 + n / 256) as u8).collect();
            for at in [0, 1, 16, 63, 64] {
                let mut to = vec![0xEE; len + 80];
                // SAFETY: both have `len` bytes there.
                unsafe { super::shared(from.as_ptr(), to[at..].as_mut_ptr(), len) };
                assert!(to[at..at + len] == from[..], "{len} bytes at {at}");
                let others = to[..at].iter().chain(&to[at + len..]);
                assert!(others.into_iter().all(|byte| *byte == 0xEE));
            }
        }
    }

    #[test]
    fn what_overlaps_is_copied_as_it_was() {
        for len in [512, 1000, 4096, PIECES_MIN + 100] {
            for apart in [1, 31, 32, 127, 128, len - 1, len] {
                check(len, 0, apart);
                check(len, apart, 0);
            }
        }
    }
}
