//! The layout of the messages of one-sided communication.
//!
//! ```text
//! byte  what
//! 0     kind u8: its lower six bits; bit 6: confirmed by `Ack` as by a flush; bit 7: one block
//! 1     operation u8: the handle of a predefined operation, 0 for none
//! 2     element u16: the handle of a predefined datatype, 0 for none
//! 4     sequence u32: counts the messages of a sender to a receiver
//! 8     window u64: the receiver's name of it
//! 16    token u64: the origin's name of its operation; the reply returns it
//! 24    position u64: where in the operation's packed bytes the message begins; in a swap of up
//!       to 8 bytes, the comparand: so the message fits a line
//! 32    bytes u64: packed bytes that are accessed, or that a reply brings
//! 40    runs u32: how many runs follow
//! 44    status u32: of a reply; a lock's kind; the epoch of an access, where that is checked
//! 40    with one block, instead of both: its offset u64. It has all bytes, and no run follows
//! 48    runs, 32 bytes each; then data
//! ```
//!
//! A run is a number of blocks of one length at one stride: `offset` u64 from the window's
//! beginning (the address in a dynamic window), `len` u64, `stride` i64, `count` u64. So a target
//! needs no datatypes, and checks plain ranges.

use base::wire::{read_u16, read_u32, read_u64};
use datatype::{Datatype, Op};
use memory::{Payload, UserBuf};

/// Bytes of a header without its runs.
pub const HEADER_BYTES: usize = 48;
/// Bytes of a run.
pub const RUN_BYTES: usize = 32;

/// Bit beside the kind: the request is to be confirmed.
const CONFIRM: u8 = 0x40;
/// Bit beside the kind: the message accesses one contiguous block.
const ONE_BLOCK: u8 = 0x80;

macro_rules! kinds {
    ($($kind:ident = $value:literal, $what:literal;)*) => {
        /// The kind of a message.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #[repr(u8)]
        pub enum Kind {
            $(#[doc = $what] $kind = $value,)*
        }

        impl Kind {
            pub(crate) fn from_byte(byte: u8) -> Option<Kind> {
                match byte {
                    $($value => Some(Kind::$kind),)*
                    _ => None,
                }
            }
        }
    };
}

kinds! {
    Put = 1, "Write data to runs.";
    Accumulate = 2, "Combine data with what is there.";
    Get = 3, "Read runs; answered by `Data`.";
    GetAccumulate = 4, "The same, and combine; the answer is what was there before.";
    CompareAndSwap = 5, "Replace one element if it equals another; answered by what was there.";
    Flush = 6, "Answered by `Ack` after all that came before.";
    Lock = 7, "Ask for the lock; `status` is 1 for an exclusive one. Answered by `Grant`.";
    Unlock = 8, "Give the lock back; with a token answered by `Ack`.";
    Post = 9, "The sender's window may be accessed by the receiver.";
    Complete = 10, "The sender is done with the receiver's window.";
    Data = 11, "What a reading operation read.";
    Ack = 12, "All before the question has been done.";
    Grant = 13, "The lock is the receiver's.";
    Fence = 14, "The sender has come to a fence, behind all its accesses.";
}

/// Results of an operation, in the field `status` of its reply.
pub mod status {
    /// Success.
    pub const OK: u32 = 0;
    /// The window has no such memory.
    pub const RANGE: u32 = 1;
    /// Accesses conflict; the details follow the header (`osc_check`).
    pub const CONFLICT: u32 = 2;
}

/// The header of a message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Header {
    /// The kind of the message.
    pub kind: Kind,
    /// The operation of an accumulate.
    pub op: Option<Op>,
    /// The handle of the elements' datatype; 0 for none.
    pub element: u16,
    /// The message's number.
    pub sequence: u32,
    /// The receiver's name of the window.
    pub window: u64,
    /// The origin's name of the operation.
    pub token: u64,
    /// Packed bytes of the operation before the message.
    pub position: u64,
    /// Packed bytes that the message covers.
    pub bytes: u64,
    /// Number of runs that follow.
    pub runs: u32,
    /// Offset of the only contiguous block, instead of runs.
    pub block_offset: Option<u64>,
    /// Whether it is to be confirmed by `Ack`, as by a flush behind it.
    pub confirm: bool,
    /// See [`status`].
    pub status: u32,
}

/// A message that no correct peer sends: the peer is given up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Violation {
    /// The malformed message, as the object of a sentence.
    pub what: &'static str,
}

/// Returns a violation as a result.
pub(crate) fn violation<T>(what: &'static str) -> Result<T, Violation> {
    Err(Violation { what })
}

/// Returns the comparand of a swap, where it fits the header's `position`: then only the new
/// element follows. Of longer elements both follow.
#[inline]
pub(crate) fn comparand(compare: UserBuf) -> Option<u64> {
    let mut word = [0; 8];
    match compare.len() {
        8 => compare.read(0, &mut word),
        len => compare.read(0, word.get_mut(..len)?),
    }
    Some(u64::from_le_bytes(word))
}

/// Contiguous blocks of one length at one stride.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Run {
    /// The offset of the first block.
    pub offset: u64,
    /// Bytes of each block.
    pub len: u64,
    /// Distance from one block to the next.
    pub stride: i64,
    /// Number of blocks.
    pub count: u64,
}

impl Header {
    /// Returns a header without operation, data or runs.
    pub fn new(kind: Kind, window: u64) -> Header {
        Header {
            kind,
            op: None,
            element: 0,
            sequence: 0,
            window,
            token: 0,
            position: 0,
            bytes: 0,
            runs: 0,
            block_offset: None,
            confirm: false,
            status: status::OK,
        }
    }

    /// Appends the header and its runs.
    pub fn encode(&self, runs: &[Run], into: &mut Vec<u8>) {
        let block_offset = match runs {
            [run] if run.count == 1 && run.len == self.bytes && self.status == status::OK => {
                Some(run.offset)
            }
            _ => None,
        };
        let runs = if block_offset.is_some() { &[] } else { runs };
        let header = Header {
            runs: runs.len() as u32,
            block_offset,
            ..*self
        };
        into.extend_from_slice(&header.to_bytes());
        for run in runs {
            into.extend_from_slice(&run.offset.to_le_bytes());
            into.extend_from_slice(&run.len.to_le_bytes());
            into.extend_from_slice(&run.stride.to_le_bytes());
            into.extend_from_slice(&run.count.to_le_bytes());
        }
    }

    /// Returns the bytes of the header, made of 64-bit words: it is copied by words soon, and a
    /// copy would wait for smaller stores.
    #[inline]
    pub fn to_bytes(&self) -> [u8; HEADER_BYTES] {
        let confirm = if self.confirm { CONFIRM } else { 0 };
        let (block_offset, last) = match self.block_offset {
            Some(offset) => (ONE_BLOCK, offset),
            None => (0, u64::from(self.runs) | u64::from(self.status) << 32),
        };
        let op = self.op.map_or(0, |op| op.handle() as u8);
        let first = u64::from(self.kind as u8 | confirm | block_offset)
            | u64::from(op) << 8
            | u64::from(self.element) << 16
            | u64::from(self.sequence) << 32;
        let (token, position) = (self.token, self.position);
        let words = [first, self.window, token, position, self.bytes, last];
        let mut bytes = [0; HEADER_BYTES];
        for (word, place) in words.iter().zip(bytes.chunks_exact_mut(8)) {
            place.copy_from_slice(&word.to_le_bytes());
        }
        bytes
    }

    /// Decodes the header of a message.
    ///
    /// # Errors
    /// When it is malformed.
    pub fn decode(payload: &Payload<'_>) -> Result<Header, Violation> {
        let Some(head) = payload.head::<HEADER_BYTES>() else {
            return violation("a header that is too short");
        };
        let is = |bit: u8| head[0] & bit != 0;
        let (confirm, is_one_block) = (is(CONFIRM), is(ONE_BLOCK));
        let Some(kind) = Kind::from_byte(head[0] & !(CONFIRM | ONE_BLOCK)) else {
            return violation("a one-sided message of an unknown kind");
        };
        let op = match head[1] {
            0 => None,
            byte => match Op::from_handle(u32::from(byte)) {
                Some(op) => Some(op),
                None => return violation("an unknown operation"),
            },
        };
        let field = |at| read_u64(&head, at).unwrap_or(0);
        let half = |at| match is_one_block {
            true => 0,
            false => read_u32(&head, at).unwrap_or(0),
        };
        Ok(Header {
            kind,
            op,
            element: read_u16(&head, 2).unwrap_or(0),
            sequence: read_u32(&head, 4).unwrap_or(0),
            window: field(8),
            token: field(16),
            position: field(24),
            bytes: field(32),
            runs: half(40),
            block_offset: is_one_block.then(|| field(40)),
            confirm,
            status: half(44),
        })
    }

    /// Decodes the runs of a message, and returns its data.
    ///
    /// # Errors
    /// When the runs do not fit the message, are empty, or do not cover `bytes` bytes.
    pub fn runs<'a>(
        &self,
        payload: &Payload<'a>,
        into: &mut Vec<Run>,
    ) -> Result<Payload<'a>, Violation> {
        into.clear();
        if let Some(offset) = self.block_offset {
            into.push(Run {
                offset,
                len: self.bytes,
                stride: 0,
                count: 1,
            });
            return match (self.bytes, payload.split(HEADER_BYTES)) {
                (1.., Some((_, data))) => Ok(data),
                _ => violation("a contiguous block of no bytes"),
            };
        }
        let count = self.runs as usize;
        let end = count
            .checked_mul(RUN_BYTES)
            .and_then(|bytes| bytes.checked_add(HEADER_BYTES));
        let Some((front, data)) = end.and_then(|end| payload.split(end)) else {
            return violation("runs that do not fit their message");
        };
        let mut total = 0u64;
        for index in 0..count {
            let mut bytes = [0; RUN_BYTES];
            front
                .part(HEADER_BYTES + index * RUN_BYTES, RUN_BYTES)
                .copy_to(&mut bytes);
            let field = |at| read_u64(&bytes, at).unwrap_or(0);
            let run = Run {
                offset: field(0),
                len: field(8),
                stride: field(16) as i64,
                count: field(24),
            };
            let sum = run.len.checked_mul(run.count);
            match sum.and_then(|sum| total.checked_add(sum)) {
                Some(sum) if run.len > 0 && run.count > 0 => total = sum,
                _ => return violation("runs that hold nothing, or too much"),
            }
            into.push(run);
        }
        match total == self.bytes {
            true => Ok(data),
            false => violation("runs that are not about the bytes of their message"),
        }
    }
}

/// Returns the predefined datatype of a handle from the wire.
pub(crate) fn element(handle: u16) -> Result<&'static Datatype, Violation> {
    match datatype::predefined(u32::from(handle)) {
        Some(datatype) if datatype.size() > 0 => Ok(datatype),
        _ => violation("a datatype that is not predefined"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_encoded_is_decoded() {
        let runs = [
            Run {
                offset: 8,
                len: 4,
                stride: -16,
                count: 3,
            },
            Run {
                offset: 1 << 40,
                len: 2,
                stride: 0,
                count: 1,
            },
        ];
        let header = Header {
            op: Some(Op::Sum),
            element: 0x209,
            sequence: 7,
            token: 9,
            position: 24,
            bytes: 14,
            runs: 2,
            status: 1,
            ..Header::new(Kind::GetAccumulate, 5)
        };
        let mut bytes = Vec::new();
        header.encode(&runs, &mut bytes);
        bytes.extend([1, 2, 3]);
        let payload = Payload::from(&bytes[..]);
        assert_eq!(Header::decode(&payload), Ok(header));
        let mut found = Vec::new();
        let data = header.runs(&payload, &mut found).unwrap();
        assert_eq!((found, data.to_vec()), (runs.to_vec(), vec![1, 2, 3]));
    }

    #[test]
    fn a_single_run_needs_no_list() {
        let run = Run {
            offset: 1 << 40,
            len: 14,
            stride: 0,
            count: 1,
        };
        let header = Header {
            token: 9,
            bytes: 14,
            confirm: true,
            ..Header::new(Kind::Put, 5)
        };
        let mut bytes = Vec::new();
        header.encode(&[run], &mut bytes);
        assert_eq!(bytes.len(), HEADER_BYTES);
        bytes.extend([1, 2, 3]);
        let payload = Payload::from(&bytes[..]);
        let seen = Header::decode(&payload).unwrap();
        assert_eq!((seen.kind, seen.status), (Kind::Put, 0));
        assert!(seen.confirm);
        let mut found = Vec::new();
        let data = seen.runs(&payload, &mut found).unwrap();
        assert_eq!((found, data.to_vec()), (vec![run], vec![1, 2, 3]));
        let empty = Header { bytes: 0, ..seen };
        assert!(empty.runs(&payload, &mut Vec::new()).is_err());
    }

    #[test]
    fn runs_must_cover_the_bytes_of_the_header() {
        let mut found = Vec::new();
        for (bytes, len, count) in [(13, 4, 3), (0, 0, 3), (0, 4, 0), (8, u64::MAX, 2)] {
            let header = Header {
                bytes,
                runs: 1,
                ..Header::new(Kind::Get, 5)
            };
            let run = Run {
                offset: 0,
                len,
                stride: 8,
                count,
            };
            let mut message = Vec::new();
            header.encode(&[run], &mut message);
            let payload = Payload::from(&message[..]);
            let header = Header::decode(&payload).unwrap();
            assert!(header.runs(&payload, &mut found).is_err(), "{run:?}");
            let cut = Payload::from(&message[..message.len() - 1]);
            assert!(header.runs(&cut, &mut found).is_err());
        }
    }
}
