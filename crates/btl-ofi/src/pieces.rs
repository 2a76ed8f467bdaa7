//! Cuts messages that are slightly too long for the provider's fast path into pieces.
//!
//! Providers copy messages up to some length immediately, and use a rendezvous for longer ones:
//! over `shm` and `ofi_rxm` one byte more triples the time of a message. So a message that is not
//! much longer is sent as two or a few pieces. All but the last piece are marked as such; each
//! piece is a numbered message of the transport and uses a credit.
//!
//! Usually the payload is a power of two that only the header makes too long. Then the header is a
//! piece of its own, which the receiver writes directly in front of the payload, where it arrived
//! ([`HEADROOM`]), without another copy. Otherwise the pieces are joined in a buffer
//! ([`crate::reassembly`]).

use memory::UserBuf;
use ofi::Info;

use crate::reassembly::HEADROOM;

/// Bytes that must be copied at once for pieces to pay.
const PIECE_MIN: usize = 2048;

/// Most pieces of a message: beyond these a rendezvous costs less.
pub(crate) const PIECES_MAX: usize = 5;

/// Returns the longest message that the provider copies at once; `None` if unknown, or too short.
pub(crate) fn piece_max(info: &Info, inject_max: usize) -> Option<usize> {
    let copied = match info.quirks.copied {
        Some((usual, variable)) => {
            let value = environment::var(variable);
            value.map_or(Some(usual), |text| text.trim().parse().ok())
        }
        None => Some(inject_max),
    };
    copied.filter(|most| (PIECE_MIN..=1 << 20).contains(most))
}

/// The pieces of a message, each of one or two runs of memory.
pub(crate) struct MessagePieces {
    pub(crate) header: UserBuf,
    pub(crate) payload: UserBuf,
    /// Most bytes of a piece.
    pub(crate) most: usize,
}

impl MessagePieces {
    pub(crate) fn count(&self) -> usize {
        match self.header_is_apart() {
            true => 2,
            false => (self.header.len() + self.payload.len()).div_ceil(self.most),
        }
    }

    /// Whether the header goes first and the payload follows whole.
    fn header_is_apart(&self) -> bool {
        (1..=HEADROOM).contains(&self.header.len()) && self.payload.len() <= self.most
    }

    /// Returns the runs of a piece.
    pub(crate) fn piece(&self, number: usize) -> [UserBuf; 2] {
        if self.header_is_apart() {
            let piece = if number == 0 {
                self.header
            } else {
                self.payload
            };
            return [piece, UserBuf::EMPTY];
        }
        let (start, head) = (number * self.most, self.header.len());
        let end = (start + self.most).min(head + self.payload.len());
        let of_header = self
            .header
            .part(start.min(head), end.min(head) - start.min(head));
        let (from, to) = (start.max(head) - head, end.max(head) - head);
        let of_payload = self.payload.part(from, to - from);
        match of_header.is_empty() {
            true => [of_payload, UserBuf::EMPTY],
            false => [of_header, of_payload],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use memory::Scratch;

    #[test]
    fn pieces_are_the_whole_message_in_order() {
        let memory = Scratch::new(300);
        let bytes: Vec<u8> = (0..300).map(|n| n as u8).collect();
        memory.buf().write(0, &bytes);
        for (header, payload, count) in [
            (0, 100, 1),
            (0, 101, 2),
            (1, 100, 2),
            (32, 100, 2),
            (64, 69, 2),
            (65, 100, 2),
            (65, 136, 3),
            (150, 50, 2),
            (250, 0, 3),
            (32, 101, 2),
            (32, 168, 2),
            (32, 169, 3),
        ] {
            let pieces = MessagePieces {
                header: memory.buf().part(0, header),
                payload: memory.buf().part(header, payload),
                most: 100,
            };
            assert_eq!(pieces.count(), count, "{header} and {payload}");
            let mut joined = Vec::new();
            for number in 0..count {
                let before = joined.len();
                for run in pieces.piece(number) {
                    let mut part = vec![0; run.len()];
                    run.read(0, &mut part);
                    joined.extend(part);
                }
                assert!((1..=100).contains(&(joined.len() - before)));
            }
            assert_eq!(joined, bytes[..header + payload]);
        }
    }
}
