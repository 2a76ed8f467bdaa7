//! The wire format: addresses, the header of a message, and the keys of registered memory.
//!
//! ```text
//! address   mark[4] epoch:u32 flags:u8 provider_len:u8 address_len:u16 room:u32 window:u32
//!           provider[provider_len] address[address_len]
//! header    epoch:u32 from:u32 number:u32 tag:u8 kind:u8 credit:u16
//! note      tag:8 credit:7 more:1 number:16 epoch:12 from:20, from the lowest bit on
//! key       key:u64 base:u64 len:u64 access:u8 0xf0
//! ```
//! All little-endian. Everything that a peer wrote is checked here before it is used.
//!
//! A message of the layers above bears a header in front, or its fields as a *note* in the 64 bits
//! that many providers carry beside a message: then it is as long as its payload, which need not be
//! copied behind a header. The note has fewer bits:
//!
//! * of the number, as many as distinguish the messages in flight, twice ([`crate::PARAMS`] allows
//!   a window of 2^14);
//! * of the epoch, 12. A message of an earlier life of its sender is taken for one of this life
//!   only when these agree by chance and the number is one of those that are due, and where the
//!   provider names senders, not even then;
//! * of the sender, 20. A process with a higher number puts headers in front.

use base::wire::{read_u16, read_u32, read_u64, write_u16, write_u32, write_u64};
use base::PeerId;
use btl::{Access, RemoteKey};
use memory::Payload;

const MARK: &[u8; 4] = b"ofi1";

/// Bytes of an address before its two texts.
const ADDRESS_HEAD: usize = 20;

/// Bytes of a message's header.
pub(crate) const HEADER_BYTES: usize = 16;

/// Bytes of a key.
const KEY_BYTES: usize = 26;

/// The last byte of a key.
const KEY_MARK: u8 = 0xf0;

/// The address that a process publishes to its peers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Address {
    /// Distinguishes this opening of the transport from others by the same process.
    pub(crate) epoch: u32,
    /// Whether the process exchanges messages.
    pub(crate) messages: bool,
    /// Whether the process's memory can be accessed.
    pub(crate) memory: bool,
    /// The provider's whole name.
    pub(crate) provider: String,
    /// The provider's address, for its table of peers.
    pub(crate) address: Vec<u8>,
    /// Bytes of its receive buffers, header included.
    pub(crate) room: u32,
    /// Messages that one peer may have in flight to it.
    pub(crate) window: u32,
}

impl Address {
    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut bytes = vec![0; ADDRESS_HEAD];
        bytes[..4].copy_from_slice(MARK);
        write_u32(&mut bytes, 4, self.epoch);
        bytes[8] = u8::from(self.messages) | u8::from(self.memory) << 1;
        bytes[9] = self.provider.len() as u8;
        write_u16(&mut bytes, 10, self.address.len() as u16);
        write_u32(&mut bytes, 12, self.room);
        write_u32(&mut bytes, 16, self.window);
        bytes.extend(self.provider.as_bytes());
        bytes.extend(&self.address);
        bytes
    }

    /// Decodes an address; `None` when the bytes are malformed.
    pub(crate) fn decode(bytes: &[u8]) -> Option<Address> {
        let (flags, provider_len) = (*bytes.get(8)?, usize::from(*bytes.get(9)?));
        let address_len = usize::from(read_u16(bytes, 10)?);
        let (provider, address) = bytes.get(ADDRESS_HEAD..)?.split_at_checked(provider_len)?;
        let address = Address {
            epoch: read_u32(bytes, 4)?,
            messages: flags & 1 != 0,
            memory: flags & 2 != 0,
            provider: String::from_utf8(provider.to_vec()).ok()?,
            address: address.to_vec(),
            room: read_u32(bytes, 12)?,
            window: read_u32(bytes, 16)?,
        };
        let whole = bytes.starts_with(MARK) && flags < 4 && address.address.len() == address_len;
        (whole && address.window >= 2).then_some(address)
    }
}

/// The kind of a message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// For the layers above.
    Message,
    /// Credit alone.
    Credit,
    /// The sender leaves; `number` is that of the message that would have come next.
    Shutdown,
    /// The sender waits for an access to the receiver's memory.
    Help,
}

/// The header of a message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Header {
    /// The sender's epoch.
    pub(crate) epoch: u32,
    /// The sender.
    pub(crate) from: PeerId,
    /// The number of the message from the sender to this receiver; wraps.
    pub(crate) number: u32,
    /// The layer that receives the message.
    pub(crate) tag: u8,
    /// The kind.
    pub(crate) kind: Kind,
    /// Messages of the receiver that the sender has handed up since its last credit.
    pub(crate) credit: u16,
    /// Whether the rest of the message follows in the next; only notes can say so.
    pub(crate) more: bool,
    /// Whether the header came as a note: `epoch` and `number` have only the lower bits.
    pub(crate) is_note: bool,
}

/// Bytes of a note.
pub(crate) const NOTE_BYTES: usize = 8;

/// Bits of a note's fields, from the lowest on.
const NOTE_TAG: u32 = 8;
const NOTE_CREDIT: u32 = 7;
const NOTE_MORE: u32 = 1;
const NOTE_NUMBER: u32 = 16;
const NOTE_EPOCH: u32 = 12;

/// The most credit that a note can give.
pub(crate) const NOTE_CREDIT_MAX: u32 = (1 << NOTE_CREDIT) - 1;

/// Processes that can write notes.
pub(crate) const NOTE_PEERS: usize =
    1 << (64 - NOTE_TAG - NOTE_CREDIT - NOTE_MORE - NOTE_NUMBER - NOTE_EPOCH);

const EPOCH_MASK: u32 = (1 << NOTE_EPOCH) - 1;
const NUMBER_MASK: u32 = (1 << NOTE_NUMBER) - 1;

impl Header {
    /// Encodes the header of a message of the layers above as a note. `from` is below
    /// [`NOTE_PEERS`], `credit` at most [`NOTE_CREDIT_MAX`].
    #[inline]
    pub(crate) fn note(&self) -> u64 {
        let upper = self.from.0 << NOTE_EPOCH | self.epoch & EPOCH_MASK;
        let more = u32::from(self.more) << (NOTE_TAG + NOTE_CREDIT);
        let lower = more | u32::from(self.credit) << NOTE_TAG | u32::from(self.tag);
        u64::from(upper) << 32 | u64::from((self.number & NUMBER_MASK) << 16 | lower)
    }

    /// Decodes a note. Every note is valid; the receiver judges it.
    #[inline]
    pub(crate) fn of_note(note: u64) -> Header {
        let (upper, lower) = ((note >> 32) as u32, note as u32);
        Header {
            epoch: upper & EPOCH_MASK,
            from: PeerId(upper >> NOTE_EPOCH),
            number: lower >> (NOTE_TAG + NOTE_CREDIT + NOTE_MORE),
            tag: lower as u8,
            kind: Kind::Message,
            credit: (lower >> NOTE_TAG) as u16 & NOTE_CREDIT_MAX as u16,
            more: lower >> (NOTE_TAG + NOTE_CREDIT) & 1 != 0,
            is_note: true,
        }
    }

    /// Returns the header of a message that came, and its payload. `None` when there is no header.
    #[inline]
    pub(crate) fn split<'a>(
        message: Payload<'a>,
        note: Option<u64>,
    ) -> Option<(Header, Payload<'a>)> {
        if let Some(note) = note {
            return Some((Header::of_note(note), message));
        }
        let (head, body) = message.split(HEADER_BYTES)?;
        Some((Header::decode(&head.head()?)?, body))
    }

    /// Whether the header may be of the life of its sender that began with `epoch`.
    #[inline]
    pub(crate) fn is_of_life(&self, epoch: u32) -> bool {
        let mask = if self.is_note { EPOCH_MASK } else { u32::MAX };
        (self.epoch ^ epoch) & mask == 0
    }

    /// Returns how many messages are due before this one, when the next is `next`.
    #[inline]
    pub(crate) fn ahead_of(&self, next: u32) -> u32 {
        let mask = if self.is_note { NUMBER_MASK } else { u32::MAX };
        self.number.wrapping_sub(next) & mask
    }

    pub(crate) fn encode(&self) -> [u8; HEADER_BYTES] {
        let mut bytes = [0; HEADER_BYTES];
        write_u32(&mut bytes, 0, self.epoch);
        write_u32(&mut bytes, 4, self.from.0);
        write_u32(&mut bytes, 8, self.number);
        bytes[12] = self.tag;
        bytes[13] = match self.kind {
            Kind::Message => 1,
            Kind::Credit => 2,
            Kind::Shutdown => 3,
            Kind::Help => 4,
        };
        write_u16(&mut bytes, 14, self.credit);
        bytes
    }

    /// Decodes a header; `None` when the bytes are malformed.
    pub(crate) fn decode(bytes: &[u8; HEADER_BYTES]) -> Option<Header> {
        Some(Header {
            epoch: read_u32(bytes, 0)?,
            from: PeerId(read_u32(bytes, 4)?),
            number: read_u32(bytes, 8)?,
            tag: bytes[12],
            kind: match bytes[13] {
                1 => Kind::Message,
                2 => Kind::Credit,
                3 => Kind::Shutdown,
                4 => Kind::Help,
                _ => return None,
            },
            credit: read_u16(bytes, 14)?,
            more: false,
            is_note: false,
        })
    }
}

/// A peer's registered memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Window {
    /// The provider's key.
    pub(crate) key: u64,
    /// The provider's name of the first byte.
    pub(crate) base: u64,
    /// Bytes.
    pub(crate) len: u64,
    /// Permitted accesses.
    pub(crate) access: Access,
}

impl Window {
    pub(crate) fn encode(&self) -> RemoteKey {
        let mut bytes = [0; KEY_BYTES];
        write_u64(&mut bytes, 0, self.key);
        write_u64(&mut bytes, 8, self.base);
        write_u64(&mut bytes, 16, self.len);
        bytes[24] = u8::from(self.access.read) | u8::from(self.access.write) << 1;
        bytes[25] = KEY_MARK;
        RemoteKey::new(&bytes).expect("at most 32 bytes")
    }

    /// Decodes a key; `None` when it is not one of this transport.
    pub(crate) fn decode(key: &RemoteKey) -> Option<Window> {
        let bytes = key.as_bytes();
        if bytes.len() != KEY_BYTES || bytes[25] != KEY_MARK || bytes[24] > 3 {
            return None;
        }
        Some(Window {
            key: read_u64(bytes, 0)?,
            base: read_u64(bytes, 8)?,
            len: read_u64(bytes, 16)?,
            access: Access {
                read: bytes[24] & 1 != 0,
                write: bytes[24] & 2 != 0,
            },
        })
    }

    /// Returns the provider's name of the byte at `offset`, when `len` bytes from there lie inside.
    pub(crate) fn at(&self, offset: u64, len: usize) -> Option<u64> {
        let end = offset.checked_add(len as u64)?;
        (end <= self.len).then(|| self.base.wrapping_add(offset))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_encoded_is_decoded() {
        let address = Address {
            epoch: 7,
            messages: true,
            memory: false,
            provider: "tcp;ofi_rxm".into(),
            address: vec![1, 2, 3],
            room: 4096,
            window: 64,
        };
        let bytes = address.encode();
        assert_eq!(Address::decode(&bytes), Some(address));
        for len in 0..bytes.len() {
            assert_eq!(Address::decode(&bytes[..len]), None, "{len} bytes");
        }
        let header = Header {
            epoch: 1,
            from: PeerId(2),
            number: 3,
            tag: 4,
            kind: Kind::Shutdown,
            credit: 5,
            more: false,
            is_note: false,
        };
        assert_eq!(Header::decode(&header.encode()), Some(header));
        let mut bytes = header.encode();
        bytes[13] = 9;
        assert_eq!(Header::decode(&bytes), None);
    }

    #[test]
    fn a_note_says_the_same_in_fewer_bits() {
        let header = Header {
            epoch: 0xfedc_ba98,
            from: PeerId(NOTE_PEERS as u32 - 1),
            number: 0x0123_fffe,
            tag: 0xa5,
            kind: Kind::Message,
            credit: NOTE_CREDIT_MAX as u16,
            more: true,
            is_note: false,
        };
        let decoded = Header::of_note(header.note());
        let fields = (
            decoded.from,
            decoded.tag,
            decoded.kind,
            decoded.credit,
            decoded.more,
        );
        assert_eq!(fields, (header.from, 0xa5, Kind::Message, 127, true));
        assert!(decoded.is_of_life(header.epoch));
        assert!(!decoded.is_of_life(header.epoch ^ 0x800));
        assert_eq!(decoded.ahead_of(0x0123_fffe), 0);
        assert_eq!(decoded.ahead_of(0x0123_fff0), 14);
        assert_eq!(decoded.ahead_of(0x0123_ffff), 0xffff);
        let wrapped = Header {
            number: 0x0124_0003,
            ..header
        };
        assert_eq!(Header::of_note(wrapped.note()).ahead_of(0x0123_fffe), 5);
        for note in [0, u64::MAX] {
            assert_eq!(Header::of_note(note).note(), note);
        }
        let whole = Header {
            number: 7,
            ..header
        };
        assert_eq!(whole.ahead_of(0x0001_0007), 0xffff_0000);
        assert!(!whole.is_of_life(header.epoch ^ 0x8000_0000));
    }

    #[test]
    fn a_window_has_an_inside() {
        let window = Window {
            key: 1,
            base: 1000,
            len: 100,
            access: Access {
                read: true,
                write: false,
            },
        };
        assert_eq!(Window::decode(&window.encode()), Some(window));
        assert_eq!(window.at(0, 100), Some(1000));
        assert_eq!(window.at(99, 1), Some(1099));
        for (offset, len) in [(100, 1), (0, 101), (u64::MAX, 2), (u64::MAX, 1)] {
            assert_eq!(window.at(offset, len), None, "{len} at {offset}");
        }
        for key in [&[][..], &[0xff; 32], &[0; 26], &[0; 8]] {
            assert_eq!(Window::decode(&RemoteKey::new(key).unwrap()), None);
        }
    }
}
