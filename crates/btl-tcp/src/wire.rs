//! Frames: the units that travel over a connection.
//!
//! A frame is a header and `len` bytes (the layer's header and payload, back to back):
//!
//! | bytes | field | |
//! |---|---|---|
//! | 0-3 | `len` | bytes after the header, at most what the kind allows |
//! | 4 | `kind` | 1 data, 2 goodbye, 3 request, 4 answer, 5 refusal, 6 ack |
//! | 5 | `tag` | the layer that the message is for; 0 where it is no message |
//! | 6-7 | | 0 |
//! | 8-15 | `seq` | the frame's number |
//! | 16-23 | `ack` | the number of the peer's frame that is due at the sender |
//!
//! Data, goodbye, request and refusal are numbered from 0 for each pair of processes, whatever
//! becomes of connections, and are buffered until they are acknowledged ([`crate::stream`]).
//! Answers are numbered from 0 for each connection. An ack is in no order: its `seq` is the number
//! of answers that have come over the connection.
//!
//! A request asks for registered memory, an answer brings a piece of it, a refusal says that the
//! memory is not registered (see [`crate::rma`]).
//!
//! Integers are little-endian.

use std::fmt;

use base::{wire, AmTag};

/// Largest frame that any setting allows, in bytes without its header: what a peer may announce.
pub const FRAME_MAX: usize = 16 << 20;

/// Offset of `ack` in a header.
pub const ACK_AT: usize = 16;

/// Bytes of a frame's header.
pub const HEADER_BYTES: usize = 24;

/// Most bytes of registered memory in one frame.
pub const PIECE_BYTES: usize = 512 << 10;

/// Bytes of a request after its frame's header: operation, registration, offset, length, and
/// the size of pieces with four bytes that are 0.
pub const REQUEST_BYTES: usize = 40;
/// Bytes of a refusal: the operation.
pub const OPERATION_BYTES: usize = 8;
/// Bytes before the data of a reply: the operation, and the offset of the first byte in it.
pub const POSITION_BYTES: usize = 16;

const KIND_DATA: u8 = 1;
const KIND_GOODBYE: u8 = 2;
const KIND_REQUEST: u8 = 3;
const KIND_ANSWER: u8 = 4;
const KIND_REFUSAL: u8 = 5;
const KIND_ACK: u8 = 6;

/// The kind of a frame.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A message for the layer with this tag.
    Data(AmTag),
    /// The last frame of a process that leaves in good order.
    Goodbye,
    /// Asks for registered memory.
    Request,
    /// A piece of registered memory. Its length is checked by the side that asked for it.
    Answer,
    /// The registered memory that was asked for does not exist.
    Refusal,
    /// Acknowledges frames, and carries nothing else.
    Ack,
}

/// The header of a frame.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Header {
    /// The frame's kind.
    pub kind: Kind,
    /// Bytes that follow.
    pub len: u32,
    /// The frame's number, from 0; what is counted depends on the kind.
    pub seq: u64,
    /// The number of the peer's frame that is due at the sender.
    pub ack: u64,
}

/// The fault of malformed bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Malformed {
    /// No such kind of frame.
    Kind(u8),
    /// A frame longer than agreed.
    Long {
        /// Bytes announced.
        len: u32,
        /// Bytes possible.
        limit: usize,
    },
    /// A frame shorter than its kind is.
    Short {
        /// Bytes announced.
        len: u32,
    },
    /// A field that must be zero is not.
    Reserved,
    /// An address of the first version, where it should be of the second.
    Version(u8, u8),
    /// An address of this length cannot have the number of entries that it announces.
    Length(usize),
    /// A number outside its range.
    Value(&'static str, u64),
}

impl Header {
    /// Encodes the header.
    #[inline]
    pub fn encode(&self) -> [u8; HEADER_BYTES] {
        let mut bytes = [0; HEADER_BYTES];
        wire::write_u32(&mut bytes, 0, self.len);
        match self.kind {
            Kind::Data(tag) => {
                bytes[4] = KIND_DATA;
                bytes[5] = tag.0;
            }
            Kind::Goodbye => bytes[4] = KIND_GOODBYE,
            Kind::Request => bytes[4] = KIND_REQUEST,
            Kind::Answer => bytes[4] = KIND_ANSWER,
            Kind::Refusal => bytes[4] = KIND_REFUSAL,
            Kind::Ack => bytes[4] = KIND_ACK,
        }
        wire::write_u64(&mut bytes, 8, self.seq);
        wire::write_u64(&mut bytes, ACK_AT, self.ack);
        bytes
    }

    /// Checks a header that a peer sent; `limit` is the largest message agreed upon.
    #[inline]
    pub fn decode(bytes: &[u8; HEADER_BYTES], limit: usize) -> Result<Header, Malformed> {
        let len = u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
        let number = |at: usize| wire::read_u64(bytes, at).unwrap_or_default();
        let (seq, ack) = (number(8), number(ACK_AT));
        if bytes[6] != 0 || bytes[7] != 0 {
            return Err(Malformed::Reserved);
        }
        let (kind, shortest, limit) = match bytes[4] {
            KIND_DATA => (Kind::Data(AmTag(bytes[5])), 0, limit),
            _ if bytes[5] != 0 => return Err(Malformed::Reserved),
            KIND_GOODBYE => (Kind::Goodbye, 0, 0),
            KIND_REQUEST => (Kind::Request, REQUEST_BYTES, REQUEST_BYTES),
            KIND_ANSWER => (Kind::Answer, POSITION_BYTES, POSITION_BYTES + PIECE_BYTES),
            KIND_ACK => (Kind::Ack, 0, 0),
            KIND_REFUSAL => (Kind::Refusal, OPERATION_BYTES, OPERATION_BYTES),
            other => return Err(Malformed::Kind(other)),
        };
        if len as usize > limit {
            return Err(Malformed::Long { len, limit });
        }
        if (len as usize) < shortest {
            return Err(Malformed::Short { len });
        }
        Ok(Header {
            kind,
            len,
            seq,
            ack,
        })
    }
}

/// Checks the largest frame that a peer announces to send.
pub fn check_frame_max(frame_max: u32) -> Result<(), Malformed> {
    if frame_max as usize > FRAME_MAX {
        return Err(Malformed::Value("largest frame", frame_max.into()));
    }
    Ok(())
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Malformed::Kind(kind) => write!(f, "a frame of unknown kind {kind}"),
            Malformed::Long { len, limit } => {
                write!(
                    f,
                    "a frame of {len} bytes where at most {limit} were agreed"
                )
            }
            Malformed::Short { len } => write!(f, "a frame of {len} bytes, too short for its kind"),
            Malformed::Reserved => write!(f, "a reserved field that is not zero"),
            Malformed::Version(version, due) => {
                write!(f, "an address of version {version}, not {due}")
            }
            Malformed::Length(len) => write!(f, "an address of {len} bytes"),
            Malformed::Value(what, value) => write!(f, "a {what} of {value}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_header_announcing_too_much_is_refused() {
        let header = Header {
            kind: Kind::Data(AmTag::PML),
            len: 4097,
            seq: 3,
            ack: 1 << 40,
        };
        assert_eq!(Header::decode(&header.encode(), 4097), Ok(header));
        let refused = Header::decode(&header.encode(), 4096);
        assert_eq!(
            refused,
            Err(Malformed::Long {
                len: 4097,
                limit: 4096
            })
        );
    }

    proptest! {
        #[test]
        fn any_bytes_are_a_header_or_refused(bytes: [u8; HEADER_BYTES], limit in 0usize..1 << 32) {
            if let Ok(header) = Header::decode(&bytes, limit) {
                let limit = if bytes[4] == KIND_DATA { limit } else { 16 + PIECE_BYTES };
                prop_assert!(header.len as usize <= limit);
                prop_assert_eq!(header.encode(), bytes);
            }
        }
    }
}
