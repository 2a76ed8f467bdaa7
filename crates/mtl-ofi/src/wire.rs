//! The data that travels beside a label, in libfabric's remote CQ data.
//!
//! ```text
//!  63          48 47                24 23              0
//!  | note        | length            | sender + 1      |     8 bytes and more
//!                                    | sender + 1      |     4 to 7 bytes
//! ```
//!
//! The length is there because providers cannot be relied on to report that a message was cut: some
//! say nothing, others not by how much. One that does not fit its field counts as unknown. Data of
//! zeros means no data: a peer's number is one more here.

use base::PeerId;

const SENDER_BITS: u32 = 24;
const LEN_BITS: u32 = 24;
const NOTE_SHIFT: u32 = SENDER_BITS + LEN_BITS;
const LEN_UNKNOWN: u64 = (1 << LEN_BITS) - 1;

/// The data that a sender writes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct SentData {
    pub(crate) from: PeerId,
    pub(crate) len: u64,
    pub(crate) note: u16,
}

/// The data that a receiver reads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ReceivedData {
    pub(crate) from: PeerId,
    /// `None` where it does not fit, or there is no room for it.
    pub(crate) len: Option<u64>,
    pub(crate) note: Option<u16>,
}

impl SentData {
    /// Encodes the data in `bytes` bytes; `None` where those are too few.
    #[inline]
    pub(crate) fn encode(self, bytes: usize) -> Option<u64> {
        let sender = u64::from(self.from.0 + 1) & ((1 << SENDER_BITS) - 1);
        match bytes {
            0..=3 => None,
            4..=7 => Some(sender),
            _ => {
                let len = self.len.min(LEN_UNKNOWN) << SENDER_BITS;
                Some(u64::from(self.note) << NOTE_SHIFT | len | sender)
            }
        }
    }
}

impl ReceivedData {
    /// Decodes data of `bytes` bytes; `None` where it names no sender.
    #[inline]
    pub(crate) fn decode(data: u64, bytes: usize) -> Option<ReceivedData> {
        let sender = (data as u32 & ((1 << SENDER_BITS) - 1)).checked_sub(1)?;
        let len = (data >> SENDER_BITS) & LEN_UNKNOWN;
        let whole = bytes >= 8;
        Some(ReceivedData {
            from: PeerId(sender),
            len: (whole && len != LEN_UNKNOWN).then_some(len),
            note: whole.then_some((data >> NOTE_SHIFT) as u16),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_is_decoded_as_it_was_encoded() {
        for (from, len, note) in [(0, 0, 0), (1 << 20, 1000, 77), (3, 1 << 40, u16::MAX)] {
            let from = PeerId(from);
            let sent = SentData { from, len, note }.encode(8).unwrap();
            let data = ReceivedData::decode(sent, 8).unwrap();
            assert_eq!((data.from, data.note), (from, Some(note)));
            assert_eq!(data.len, (len < LEN_UNKNOWN).then_some(len));
            let short = SentData { from, len, note }.encode(4).unwrap();
            assert!(short <= u64::from(u32::MAX));
            let data = ReceivedData::decode(short, 4).unwrap();
            assert_eq!((data.from, data.len, data.note), (from, None, None));
        }
        let from = PeerId(9);
        assert_eq!(
            SentData {
                from,
                len: 1,
                note: 2
            }
            .encode(3),
            None
        );
        assert_eq!(ReceivedData::decode(0, 8), None);
    }
}
