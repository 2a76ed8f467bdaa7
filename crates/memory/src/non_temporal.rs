//! Copies with non-temporal stores, which bypass the caches.
//!
//! An ordinary store first fetches its line, perhaps from the cache of a distant core. Non-temporal
//! stores fetch nothing: the processor combines them until a line is complete and writes it to
//! memory, which invalidates copies in other caches (Intel 64 and IA-32 Architectures Software
//! Developer's Manual, volume 1, 10.4.6.2).

/// Bytes of a line.
#[cfg(target_arch = "x86_64")]
const LINE: usize = 64;

/// Copies `len` bytes so. Whoever sees what this thread stores afterwards sees them, too.
///
/// # Safety
/// `from` can be read and `to` written for `len` bytes. Where they overlap, what is copied may have
/// been copied before.
#[cfg(target_arch = "x86_64")]
pub(crate) unsafe fn copy(from: *const u8, to: *mut u8, len: usize) {
    use std::arch::x86_64::{__m128i, _mm_loadu_si128, _mm_sfence, _mm_stream_si128};

    let head = (to.addr().wrapping_neg() % LINE).min(len);
    let lines = (len - head) / LINE;
    let tail = head + lines * LINE;
    // SAFETY: the caller's promise; `head`, the lines and the tail lie inside one after the other,
    // and the lines begin with a line, as these stores need it. Every x86-64 has SSE2.
    unsafe {
        from.copy_to(to, head);
        for line in 0..lines {
            let at = head + line * LINE;
            let (from, to) = (from.add(at).cast::<__m128i>(), to.add(at).cast::<__m128i>());
            // One by one: a closure may be left a function of its own, called for each line.
            let (a, b) = (_mm_loadu_si128(from), _mm_loadu_si128(from.add(1)));
            let (c, d) = (_mm_loadu_si128(from.add(2)), _mm_loadu_si128(from.add(3)));
            _mm_stream_si128(to, a);
            _mm_stream_si128(to.add(1), b);
            _mm_stream_si128(to.add(2), c);
            _mm_stream_si128(to.add(3), d);
        }
        from.add(tail).copy_to(to.add(tail), len - tail);
        // Such stores are ordered with no others, and atomic ones that follow take them for done.
        _mm_sfence();
    }
}

/// Copies `len` bytes by ordinary stores, on processors without such stores.
///
/// # Safety
/// `from` can be read and `to` written for `len` bytes. Where they overlap, what is copied may have
/// been copied before.
#[cfg(not(target_arch = "x86_64"))]
pub(crate) unsafe fn copy(from: *const u8, to: *mut u8, len: usize) {
    // SAFETY: the caller's promise.
    unsafe { from.copy_to(to, len) }
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_length_at_every_place_of_a_line_is_copied_whole_and_nothing_else() {
        let from: Vec<u8> = (0..1000u32).map(|n| (n * 7 + n / 256) as u8).collect();
        for len in [0, 1, 15, 63, 64, 65, 127, 128, 500, 777] {
            for (source, target) in [(0, 0), (3, 0), (0, 5), (17, 64), (8, 63), (1, 1)] {
                let mut to = vec![0xEE_u8; 1000];
                // SAFETY: both vectors have 1000 bytes, more than place and length need.
                unsafe {
                    super::copy(from.as_ptr().add(source), to.as_mut_ptr().add(target), len);
                }
                assert!(to[target..target + len] == from[source..source + len]);
                let others = to[..target].iter().chain(&to[target + len..]);
                assert!(others.into_iter().all(|byte| *byte == 0xEE), "{len}");
            }
        }
    }
}
