//! Encoding of pending operations in the tokens of libfabric's operations.
//!
//! A completion returns the token of its operation, and `ofi` guarantees that each token comes
//! once. So the token itself identifies the operation, and no table is needed.
//!
//! ```text
//! token   rest:32 kind:4 number:28
//!   send      the peer | 1 | slot          a message of the layers above
//!   control         0  | 2 | slot          credit or shutdown message
//!   receive         0  | 3 | slot          a posted buffer
//!   piece   generation | 4 | transfer      a part of one, or the whole, which changes a word
//!   short    the peer  | 5 | 0             a message that the provider has copied
//! ```

use base::{Key, PeerId};

use crate::buffers::Slot;

const NUMBER_BITS: u32 = 28;
const NUMBER_MASK: u64 = (1 << NUMBER_BITS) - 1;

/// Slots, and transfers under way, that tokens can distinguish.
pub(crate) const NUMBERS: usize = 1 << NUMBER_BITS;

/// An operation that the provider has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Op {
    /// A message of the layers above, in a slot.
    Send { peer: PeerId, slot: Slot },
    /// Credit or shutdown message.
    Control { slot: Slot },
    /// A posted buffer.
    Receive { slot: Slot },
    /// A part of a transfer, or the operation of one that changes a word.
    Piece { transfer: Key },
    /// A message of the layers above that the provider copied when it accepted it.
    Short { peer: PeerId },
}

impl Op {
    /// Returns the token of the operation. Slots and positions of transfers are below [`NUMBERS`].
    #[inline(always)]
    pub(crate) fn token(self) -> u64 {
        let (kind, number, rest) = match self {
            Op::Send { peer, slot } => (1, slot.number(), u64::from(peer.0)),
            Op::Control { slot } => (2, slot.number(), 0),
            Op::Receive { slot } => (3, slot.number(), 0),
            Op::Piece { transfer } => (4, transfer.index() as u64, transfer.bits() >> 32),
            Op::Short { peer } => (5, 0, u64::from(peer.0)),
        };
        rest << 32 | kind << NUMBER_BITS | number
    }

    /// Decodes a token; `None` when it is not one of this transport's.
    #[inline]
    pub(crate) fn of(token: u64) -> Option<Op> {
        let (number, rest) = (token & NUMBER_MASK, token >> 32);
        let slot = Slot::numbered(number);
        Some(match (token as u32) >> NUMBER_BITS {
            1 => Op::Send {
                peer: PeerId(rest as u32),
                slot,
            },
            2 => Op::Control { slot },
            3 => Op::Receive { slot },
            4 => Op::Piece {
                transfer: Key::from_bits(rest << 32 | number),
            },
            5 => Op::Short {
                peer: PeerId(rest as u32),
            },
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_names_its_operation() {
        let last = Slot::numbered(NUMBERS as u64 - 1);
        let peer = PeerId(u32::MAX);
        let transfer = Key::from_bits(u64::from(u32::MAX) << 32 | (NUMBERS as u64 - 1));
        let ops = [
            Op::Send { peer, slot: last },
            Op::Control { slot: last },
            Op::Receive { slot: last },
            Op::Piece { transfer },
            Op::Short { peer },
            Op::Receive {
                slot: Slot::numbered(0),
            },
        ];
        for op in ops {
            assert_eq!(Op::of(op.token()), Some(op));
        }
        assert_eq!(Op::of(0), None);
        assert_eq!(Op::of(u64::MAX), None);
    }
}
