//! The cut of a partitioned operation's bytes into pieces. Both sides compute it.

use std::ops::Range;

/// Number of pieces.
pub const PIECES: usize = 16;

/// Bytes from which on a message is cut. Pieces of less than 1 KiB cost more by their number than
/// they gain by going early.
pub const CUT_FROM: usize = 16 * 1024;

/// Returns the offset at which piece `index` of `len` bytes begins; for [`PIECES`] the end. The
/// first pieces are one byte longer where `len` is no multiple, so none shrinks as `len` grows.
pub fn begin(len: usize, index: usize) -> usize {
    index * (len / PIECES) + index.min(len % PIECES)
}

/// Returns the piece that byte `at` of `len` bytes is in.
fn holder(len: usize, at: usize) -> usize {
    let (each, longer) = (len / PIECES, len % PIECES);
    match at < longer * (each + 1) {
        true => at / (each + 1),
        false => longer + (at - longer * (each + 1)) / each,
    }
}

/// Returns the pieces that overlap partition `part` of `parts` in `len` bytes. Pieces behind the
/// last whole partition belong to the last one. If partitions have no byte each, the pieces are
/// divided evenly among them.
pub fn touched(len: usize, part: usize, parts: usize) -> Range<usize> {
    let each = len / parts;
    if each == 0 {
        return part * PIECES / parts..((part + 1) * PIECES).div_ceil(parts);
    }
    let last = match part + 1 == parts {
        true => PIECES - 1,
        false => holder(len, (part + 1) * each - 1),
    };
    holder(len, part * each)..last + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_that_share_a_byte_with_a_partition_are_those_that_it_touches() {
        for (len, parts) in [
            (7, 7),
            (48, 3),
            (1000, 8),
            (1000, 100),
            (96, 32),
            (5, 1),
            (17, 17),
        ] {
            for part in 0..parts {
                let bytes = part * len / parts..(part + 1) * len / parts;
                let touched = touched(len, part, parts);
                for index in 0..PIECES {
                    let (from, to) = (begin(len, index), begin(len, index + 1));
                    let shared = from.max(bytes.start) < to.min(bytes.end);
                    let spare = from == to && part + 1 == parts;
                    let is_touched = touched.contains(&index);
                    assert_eq!(
                        is_touched,
                        shared || spare,
                        "{len} bytes, {part} of {parts}, {index}"
                    );
                }
            }
            assert_eq!(begin(len, PIECES), len);
        }
    }

    #[test]
    fn without_bytes_every_piece_waits_for_a_partition() {
        for parts in [1, 3, 16, 40] {
            let mut touches = [0; PIECES];
            (0..parts).for_each(|part| touched(0, part, parts).for_each(|at| touches[at] += 1));
            assert!(touches.iter().all(|waits| *waits > 0), "{parts}");
        }
    }

    #[test]
    fn no_piece_of_a_longer_message_is_shorter() {
        for len in 0..200 {
            let bytes = |len, index| begin(len, index + 1) - begin(len, index);
            assert!((0..PIECES).all(|index| bytes(len, index) <= bytes(len + 1, index)));
        }
    }
}
