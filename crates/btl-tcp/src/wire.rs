//! What travels: frames, and the address that peers are given.
//!
//! A frame is a header and `len` bytes (the layer's header and payload, back to back):
//!
//! | bytes | field | |
//! |---|---|---|
//! | 0-3 | `len` | bytes after the header, at most what the kind allows |
//! | 4 | `kind` | 1 data, 2 goodbye, 3 request, 4 answer, 5 refusal |
//! | 5 | `tag` | the layer that the message is for; 0 where it is no message |
//! | 6-7 | | 0 |
//! | 8-15 | `seq` | 0 for the first frame of a connection, then one more each |
//!
//! A request asks for registered memory, an answer brings a piece of it, a refusal says that there
//! is none (see [`crate::rma`]).
//!
//! An address is a head and up to 16 entries:
//!
//! | bytes | field |
//! |---|---|
//! | 0 | version, 1 |
//! | 1 | number of entries |
//! | 2-3 | 0 |
//! | 4-7 | largest frame that the process sends |
//! | 8-23 | the network that its loopback addresses belong to (see [`crate::interfaces`]) |
//! | 24- | entries: IPv4 address (4 bytes), port (2), prefix length of its network (1), 0 |
//!
//! Integers are little-endian, the bytes of an IPv4 address in their usual order.

use std::fmt;
use std::net::{Ipv4Addr, SocketAddrV4};

use base::{wire, AmTag};

use crate::rma::{OPERATION_BYTES, PIECE_BYTES, REQUEST_BYTES};

/// Largest frame that any setting allows, in bytes without its header: what a peer may announce.
pub const FRAME_MAX: usize = 16 << 20;

/// Bytes of a frame's header.
pub const HEADER_BYTES: usize = 16;

/// Most entries of an address.
pub const ENTRIES_MAX: usize = 16;

const ADDRESS_VERSION: u8 = 1;
const ADDRESS_HEAD_BYTES: usize = 24;
const ENTRY_BYTES: usize = 8;

const KIND_DATA: u8 = 1;
const KIND_GOODBYE: u8 = 2;
const KIND_REQUEST: u8 = 3;
const KIND_ANSWER: u8 = 4;
const KIND_REFUSAL: u8 = 5;

/// What a frame is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A message for the layer of this tag.
    Data(AmTag),
    /// The last frame of a process that leaves in good order.
    Goodbye,
    /// Asks for registered memory.
    Request,
    /// A piece of registered memory. Its length is judged by who asked for it.
    Answer,
    /// The registered memory that was asked for is none.
    Refusal,
}

/// The header of a frame.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Header {
    /// What the frame is.
    pub kind: Kind,
    /// Bytes that follow.
    pub len: u32,
    /// Position in the connection, from 0.
    pub seq: u64,
}

/// Why bytes are not what they should be.
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
    /// An address of another version.
    Version(u8),
    /// An address of this length cannot have the number of entries that it tells.
    Length(usize),
    /// A number outside its range.
    Value(&'static str, u64),
}

impl Header {
    /// The header as bytes.
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
        }
        wire::write_u64(&mut bytes, 8, self.seq);
        bytes
    }

    /// Checks a header that a peer sent; `limit` is the largest message agreed upon.
    #[inline]
    pub fn decode(bytes: &[u8; HEADER_BYTES], limit: usize) -> Result<Header, Malformed> {
        let len = u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
        let seq = u64::from_le_bytes(bytes[8..].try_into().expect("8 of 16 bytes"));
        if bytes[6] != 0 || bytes[7] != 0 {
            return Err(Malformed::Reserved);
        }
        let (kind, shortest, limit) = match bytes[4] {
            KIND_DATA => (Kind::Data(AmTag(bytes[5])), 0, limit),
            _ if bytes[5] != 0 => return Err(Malformed::Reserved),
            KIND_GOODBYE => (Kind::Goodbye, 0, 0),
            KIND_REQUEST => (Kind::Request, REQUEST_BYTES, REQUEST_BYTES),
            KIND_ANSWER => (Kind::Answer, OPERATION_BYTES, OPERATION_BYTES + PIECE_BYTES),
            KIND_REFUSAL => (Kind::Refusal, OPERATION_BYTES, OPERATION_BYTES),
            other => return Err(Malformed::Kind(other)),
        };
        if len as usize > limit {
            return Err(Malformed::Long { len, limit });
        }
        if (len as usize) < shortest {
            return Err(Malformed::Short { len });
        }
        Ok(Header { kind, len, seq })
    }
}

/// Where a process listens, and what must be known before it connects.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Address {
    /// Largest frame that the process sends, in bytes without its header.
    pub frame_max: u32,
    /// The network that its loopback addresses belong to.
    pub loopback: [u8; 16],
    /// Where it listens, in its order.
    pub entries: Vec<Entry>,
}

/// One listening socket.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Address and port.
    pub socket: SocketAddrV4,
    /// Bits of the network's part of the address, 0 to 32.
    pub prefix: u8,
}

impl Address {
    /// The address as bytes. At most [`ENTRIES_MAX`] entries are told.
    pub fn encode(&self) -> Vec<u8> {
        let entries = &self.entries[..self.entries.len().min(ENTRIES_MAX)];
        let mut bytes = vec![0; ADDRESS_HEAD_BYTES];
        bytes[0] = ADDRESS_VERSION;
        bytes[1] = entries.len() as u8;
        wire::write_u32(&mut bytes, 4, self.frame_max);
        bytes[8..24].copy_from_slice(&self.loopback);
        for entry in entries {
            bytes.extend_from_slice(&entry.socket.ip().octets());
            bytes.extend_from_slice(&entry.socket.port().to_le_bytes());
            bytes.extend_from_slice(&[entry.prefix, 0]);
        }
        bytes
    }

    /// Checks an address that a peer gave.
    pub fn decode(bytes: &[u8]) -> Result<Address, Malformed> {
        let head = bytes
            .get(..ADDRESS_HEAD_BYTES)
            .ok_or(Malformed::Length(bytes.len()))?;
        if head[0] != ADDRESS_VERSION {
            return Err(Malformed::Version(head[0]));
        }
        let count = head[1] as usize;
        let entries = &bytes[ADDRESS_HEAD_BYTES..];
        if count > ENTRIES_MAX || entries.len() != count * ENTRY_BYTES {
            return Err(Malformed::Length(bytes.len()));
        }
        if head[2] != 0 || head[3] != 0 {
            return Err(Malformed::Reserved);
        }
        let frame_max = wire::read_u32(head, 4).ok_or(Malformed::Length(bytes.len()))?;
        check_frame_max(frame_max)?;
        let mut loopback = [0; 16];
        loopback.copy_from_slice(&head[8..24]);
        let entries = entries.chunks_exact(ENTRY_BYTES).map(Entry::decode);
        let entries = entries.collect::<Result<Vec<_>, _>>()?;
        Ok(Address {
            frame_max,
            loopback,
            entries,
        })
    }
}

impl Entry {
    fn decode(bytes: &[u8]) -> Result<Entry, Malformed> {
        let ip = Ipv4Addr::new(bytes[0], bytes[1], bytes[2], bytes[3]);
        let port = u16::from_le_bytes([bytes[4], bytes[5]]);
        if port == 0 {
            return Err(Malformed::Value("port", 0));
        }
        if bytes[6] > 32 {
            return Err(Malformed::Value("prefix length", bytes[6].into()));
        }
        if bytes[7] != 0 {
            return Err(Malformed::Reserved);
        }
        Ok(Entry {
            socket: SocketAddrV4::new(ip, port),
            prefix: bytes[6],
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
            Malformed::Version(version) => {
                write!(f, "an address of version {version}, not {ADDRESS_VERSION}")
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

    fn address(count: u8) -> Address {
        let entry = |n| Entry {
            socket: SocketAddrV4::new(Ipv4Addr::new(10, 0, 0, n), 1000 + u16::from(n)),
            prefix: n,
        };
        Address {
            frame_max: 128 << 10,
            loopback: [7; 16],
            entries: (1..=count).map(entry).collect(),
        }
    }

    #[test]
    fn an_address_survives_and_every_truncation_is_refused() {
        for count in [0, 1, 16] {
            let bytes = address(count).encode();
            assert_eq!(Address::decode(&bytes), Ok(address(count)));
            for len in 0..bytes.len() {
                assert!(
                    Address::decode(&bytes[..len]).is_err(),
                    "{len} of {}",
                    bytes.len()
                );
            }
        }
        assert_eq!(address(17).encode(), address(16).encode());
    }

    #[test]
    fn a_damaged_address_is_refused_with_its_reason() {
        let damage = |at: usize, value: u8| {
            let mut bytes = address(2).encode();
            bytes[at] = value;
            Address::decode(&bytes)
        };
        assert_eq!(damage(0, 9), Err(Malformed::Version(9)));
        assert_eq!(damage(1, 3), Err(Malformed::Length(40)));
        assert_eq!(damage(2, 1), Err(Malformed::Reserved));
        assert_eq!(
            damage(7, 0xff),
            Err(Malformed::Value("largest frame", 0xff02_0000))
        );
        assert_eq!(damage(30, 33), Err(Malformed::Value("prefix length", 33)));
    }

    #[test]
    fn a_header_announcing_too_much_is_refused() {
        let header = Header {
            kind: Kind::Data(AmTag::PML),
            len: 4097,
            seq: 3,
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
                let limit = if bytes[4] == KIND_DATA { limit } else { 8 + PIECE_BYTES };
                prop_assert!(header.len as usize <= limit);
                prop_assert_eq!(header.encode(), bytes);
            }
        }

        #[test]
        fn any_bytes_are_an_address_or_refused(
            bytes in proptest::collection::vec(any::<u8>(), 0..200),
            plausible: bool,
        ) {
            let mut bytes = bytes;
            if plausible && bytes.len() >= ADDRESS_HEAD_BYTES {
                let count = ((bytes.len() - 24) / 8) as u8;
                bytes[..4].copy_from_slice(&[1, count, 0, 0]);
                bytes[7] = 0;
                bytes.truncate(bytes.len() / 8 * 8);
            }
            if let Ok(address) = Address::decode(&bytes) {
                prop_assert_eq!(address.encode(), bytes);
            }
        }
    }
}
