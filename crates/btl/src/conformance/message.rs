//! Test messages: every byte follows from a number, so that damage is detected.

use std::sync::OnceLock;

use base::Random;
use memory::{Scratch, UserBuf};

/// Bytes of the pattern, of which messages are parts.
const PATTERN_BYTES: usize = 1 << 20;

/// Most bytes of a message.
pub const CONTENT_BYTES_MAX: usize = PATTERN_BYTES / 2;

/// The bytes of message `number`, at most [`CONTENT_BYTES_MAX`].
pub fn content(number: u64, len: usize) -> &'static [u8] {
    let start = (number.wrapping_mul(7919) % (PATTERN_BYTES as u64 / 2)) as usize;
    &pattern()[start..start + len]
}

/// The bytes of message `number` where the application's memory would be.
pub fn content_buf(number: u64, len: usize) -> UserBuf {
    static COPY: OnceLock<Scratch> = OnceLock::new();
    let copy = COPY.get_or_init(|| {
        let copy = Scratch::new(PATTERN_BYTES);
        copy.buf().write(0, pattern());
        copy
    });
    let start = (number.wrapping_mul(7919) % (PATTERN_BYTES as u64 / 2)) as usize;
    copy.buf().part(start, len)
}

/// Panics at the first byte that is not that of message `number`.
pub fn expect_content(what: &str, number: u64, got: &[u8]) {
    let wanted = content(number, got.len());
    if got == wanted {
        return;
    }
    let at = got
        .iter()
        .zip(wanted)
        .position(|(a, b)| a != b)
        .expect("they differ");
    panic!(
        "{what} {number} of {} bytes differs from byte {at} on",
        got.len()
    );
}

/// A scratch buffer with the bytes of message `number`.
pub fn filled(number: u64, len: usize) -> Scratch {
    let scratch = Scratch::new(len);
    scratch.buf().write(0, content(number, len));
    scratch
}

/// The bytes of a buffer.
pub fn bytes_of(buf: UserBuf) -> Vec<u8> {
    let mut bytes = vec![0; buf.len()];
    buf.read(0, &mut bytes);
    bytes
}

fn pattern() -> &'static [u8] {
    static PATTERN: OnceLock<Vec<u8>> = OnceLock::new();
    PATTERN.get_or_init(|| {
        let mut random = Random::new(0x0a5e_ed0f);
        (0..PATTERN_BYTES / 8)
            .flat_map(|_| random.bits().to_le_bytes())
            .collect()
    })
}
