//! The wire format: headers of one byte of kind, one of flags, then little-endian fields.
//!
//! ```text
//! kind      bytes  fields (offset: width)
//! EAGER     32     2: mark u16   4: source rank u32   8: tag i64   16: context u64
//!                  24: sequence u64
//! EAGER_ACK 40     as EAGER, 32: the sender's request u64
//! RTS       96     as EAGER, 32: the sender's request u64, 40: total bytes u64,
//!                  48: key length u8, 49: key (at most 32 bytes), 88: sent at u64
//! CTS       32     8: the sender's request u64   16: the receiver's request u64   24: bytes u64
//! FRAGMENT  24     8: the receiver's request u64   16: offset u64
//! FIN       16     8: the sender's request u64
//! CREDIT    16     8: bytes consumed since the beginning u64
//! LONG      48     as EAGER, 32: total bytes u64, 40: sent at u64
//! MORE      8      -
//! WITHDRAW  16     8: the sender's request u64
//! WITHDRAWN 16     8: the sender's request u64
//! ```
//!
//! *Sent at* is the time by the clock that the processes of a node share, in nanoseconds; 0 where
//! nobody measures.
//!
//! *Mark* is what the sender says of the elements ([`pml::Status::mark`]).
//!
//! Payload follows EAGER, EAGER_ACK, FRAGMENT, LONG and MORE. Behind RTS it is the eager prefix of
//! the message, whose length the sender chooses. The layout does not depend on the build.

use base::wire::{read_u32, read_u64, write_u64};
use base::{Key, Rank, RemoteKey};
use memory::Payload;
use pml::{Context, Tag};

/// Bytes of an EAGER header: what an eager message costs beside its payload.
pub const EAGER_BYTES: usize = 32;
/// Bytes of an EAGER_ACK header.
pub const EAGER_ACK_BYTES: usize = 40;
/// Bytes of an RTS header.
pub const RTS_BYTES: usize = 96;
/// Bytes of a FRAGMENT header.
pub const FRAGMENT_BYTES: usize = 24;
/// Bytes of a LONG header.
pub const LONG_BYTES: usize = 48;
/// Bytes of a MORE header.
pub const MORE_BYTES: usize = 8;
const CTS_BYTES: usize = 32;
const SHORT_BYTES: usize = 16;

const EAGER: u8 = 1;
const EAGER_ACK: u8 = 2;
const RTS: u8 = 3;
const CTS: u8 = 4;
const FRAGMENT: u8 = 5;
const FIN: u8 = 6;
const CREDIT: u8 = 7;
const LONG: u8 = 8;
const MORE: u8 = 9;
const WITHDRAW: u8 = 10;
const WITHDRAWN: u8 = 11;

const _: () = assert!(49 + RemoteKey::BYTES_MAX <= 88);

/// The fields by which a message is matched, and its sequence number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Envelope {
    /// The communicator's context.
    pub context: Context,
    /// The sender's rank in it.
    pub source: Rank,
    /// The tag.
    pub tag: Tag,
    /// The number of the message among those of this sender to this receiver in this context.
    pub sequence: u64,
    /// Description of the elements by the sender; see [`pml::Status::mark`].
    pub mark: u16,
}

/// A decoded header. `sender` and `receiver` identify the request on that side.
#[allow(missing_docs)] // The fields are described by the table above and by each variant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Header {
    /// A whole message.
    Eager { envelope: Envelope },
    /// A whole message that the receiver acknowledges when it is matched.
    EagerAck { envelope: Envelope, sender: Key },
    /// The announcement of a message of `total` bytes, whose eager prefix follows. The receiver can
    /// read the rest from the sender's memory if there is a key.
    Rts {
        envelope: Envelope,
        sender: Key,
        total: u64,
        key: Option<RemoteKey>,
        sent: u64,
    },
    /// The receiver's request for the rest of the first `bytes`, in fragments.
    Cts {
        sender: Key,
        receiver: Key,
        bytes: u64,
    },
    /// A fragment of a message.
    Fragment { receiver: Key, offset: u64 },
    /// The receiver's notice that it has matched the message and, if it reads it itself, read it.
    Fin { sender: Key },
    /// The receiver's total of eager bytes that it no longer buffers.
    Credit { consumed: u64 },
    /// The first part of a pipelined eager message of `total` bytes.
    Long {
        envelope: Envelope,
        total: u64,
        sent: u64,
    },
    /// The next part of the sender's pipelined message.
    More,
    /// The sender's request to drop its message, if nothing has matched it.
    Withdraw { sender: Key },
    /// The receiver's notice that it has dropped the message.
    Withdrawn { sender: Key },
}

/// An encoded header, on the stack.
#[derive(Clone, Copy)]
pub struct Encoded {
    bytes: [u8; RTS_BYTES],
    len: u8,
}

impl Encoded {
    /// Returns a header that is encoded already.
    pub(crate) fn of(header: &[u8]) -> Encoded {
        let mut bytes = [0; RTS_BYTES];
        bytes[..header.len()].copy_from_slice(header);
        Encoded {
            bytes,
            len: header.len() as u8,
        }
    }

    /// Returns a MORE header.
    pub(crate) const fn more() -> Encoded {
        let mut bytes = [0; RTS_BYTES];
        bytes[0] = MORE;
        Encoded {
            bytes,
            len: MORE_BYTES as u8,
        }
    }

    /// Turns an eager header into that of the first part of a message of `total` bytes.
    #[inline]
    pub(crate) fn make_long(&mut self, total: u64, sent: u64) {
        self.bytes[0] = LONG;
        write_u64(&mut self.bytes, 32, total);
        write_u64(&mut self.bytes, 40, sent);
        self.len = LONG_BYTES as u8;
    }

    /// Returns the bytes to send.
    #[inline]
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes[..self.len as usize]
    }
}

/// Encodes the header of an eager message, on the hot path.
#[inline]
pub fn encode_eager(envelope: &Envelope) -> [u8; EAGER_BYTES] {
    let mut bytes = [0; EAGER_BYTES];
    write_envelope(&mut bytes, EAGER, envelope);
    bytes
}

impl Header {
    /// Encodes the header.
    pub fn encode(&self) -> Encoded {
        let mut bytes = [0; RTS_BYTES];
        let len = match self {
            Header::Eager { envelope } => {
                write_envelope(&mut bytes, EAGER, envelope);
                EAGER_BYTES
            }
            Header::EagerAck { envelope, sender } => {
                write_envelope(&mut bytes, EAGER_ACK, envelope);
                write_u64(&mut bytes, 32, sender.bits());
                EAGER_ACK_BYTES
            }
            Header::Rts {
                envelope,
                sender,
                total,
                key,
                sent,
            } => {
                write_envelope(&mut bytes, RTS, envelope);
                write_u64(&mut bytes, 32, sender.bits());
                write_u64(&mut bytes, 40, *total);
                write_key(&mut bytes, key.as_ref());
                write_u64(&mut bytes, 88, *sent);
                RTS_BYTES
            }
            Header::Cts {
                sender,
                receiver,
                bytes: wanted,
            } => {
                bytes[0] = CTS;
                write_u64(&mut bytes, 8, sender.bits());
                write_u64(&mut bytes, 16, receiver.bits());
                write_u64(&mut bytes, 24, *wanted);
                CTS_BYTES
            }
            Header::Fragment { receiver, offset } => {
                bytes[0] = FRAGMENT;
                write_u64(&mut bytes, 8, receiver.bits());
                write_u64(&mut bytes, 16, *offset);
                FRAGMENT_BYTES
            }
            Header::Fin { sender } => write_short(&mut bytes, FIN, sender),
            Header::Withdraw { sender } => write_short(&mut bytes, WITHDRAW, sender),
            Header::Withdrawn { sender } => write_short(&mut bytes, WITHDRAWN, sender),
            Header::Credit { consumed } => {
                bytes[0] = CREDIT;
                write_u64(&mut bytes, 8, *consumed);
                SHORT_BYTES
            }
            Header::Long {
                envelope,
                total,
                sent,
            } => {
                write_envelope(&mut bytes, LONG, envelope);
                write_u64(&mut bytes, 32, *total);
                write_u64(&mut bytes, 40, *sent);
                LONG_BYTES
            }
            Header::More => return Encoded::more(),
        };
        Encoded {
            bytes,
            len: len as u8,
        }
    }

    /// Decodes the header at the front of a message, and returns it and the rest; `None` if it is
    /// malformed. The header is copied before it is examined.
    #[inline]
    pub fn decode<'a>(message: Payload<'a>) -> Option<(Header, Payload<'a>)> {
        match decode_eager(message) {
            Some((envelope, payload)) => Some((Header::Eager { envelope }, payload)),
            None => decode_other(message),
        }
    }
}

/// Decodes the header of an eager message, and returns it and the payload; `None` for others.
#[inline]
pub(crate) fn decode_eager(message: Payload<'_>) -> Option<(Envelope, Payload<'_>)> {
    let bytes = message.head::<EAGER_BYTES>()?;
    if bytes[0] != EAGER {
        return None;
    }
    let rest = message.part(EAGER_BYTES, message.len() - EAGER_BYTES);
    Some((read_envelope(&bytes)?, rest))
}

/// Returns the payload of a MORE message; `None` for others.
#[inline]
pub(crate) fn decode_more(message: Payload<'_>) -> Option<Payload<'_>> {
    let bytes = message.head::<MORE_BYTES>()?;
    let rest = || message.part(MORE_BYTES, message.len() - MORE_BYTES);
    (bytes[0] == MORE).then(rest)
}

/// Writes the header by 64-bit words, so that a transport that copies it word by word is served
/// from the store buffer.
#[inline]
fn write_envelope(bytes: &mut [u8], kind: u8, envelope: &Envelope) {
    write_u64(
        bytes,
        0,
        u64::from(kind) | u64::from(envelope.mark) << 16 | u64::from(envelope.source.0) << 32,
    );
    write_u64(bytes, 8, envelope.tag as u64);
    write_u64(bytes, 16, envelope.context.0);
    write_u64(bytes, 24, envelope.sequence);
}

fn write_key(bytes: &mut [u8], key: Option<&RemoteKey>) {
    if let Some(key) = key {
        let key = key.as_bytes();
        bytes[48] = key.len() as u8;
        bytes[49..49 + key.len()].copy_from_slice(key);
    }
}

fn write_short(bytes: &mut [u8], kind: u8, sender: &Key) -> usize {
    bytes[0] = kind;
    write_u64(bytes, 8, sender.bits());
    SHORT_BYTES
}

#[inline]
fn read_envelope(bytes: &[u8]) -> Option<Envelope> {
    Some(Envelope {
        source: Rank(read_u32(bytes, 4)?),
        tag: read_u64(bytes, 8)? as Tag,
        context: Context(read_u64(bytes, 16)?),
        sequence: read_u64(bytes, 24)?,
        mark: u16::from_le_bytes([bytes[2], bytes[3]]),
    })
}

fn decode_other(message: Payload<'_>) -> Option<(Header, Payload<'_>)> {
    let mut bytes = [0; RTS_BYTES];
    let seen = message.len().min(RTS_BYTES);
    message.copy_to(&mut bytes[..seen]);
    let bytes = &bytes[..seen];
    let key = |at| read_u64(bytes, at).map(Key::from_bits);
    let (header, len) = match *bytes.first()? {
        EAGER_ACK => {
            let envelope = read_envelope(bytes)?;
            (
                Header::EagerAck {
                    envelope,
                    sender: key(32)?,
                },
                EAGER_ACK_BYTES,
            )
        }
        RTS => (decode_rendezvous(bytes)?, RTS_BYTES),
        CTS => {
            let bytes = read_u64(bytes, 24)?;
            (
                Header::Cts {
                    sender: key(8)?,
                    receiver: key(16)?,
                    bytes,
                },
                CTS_BYTES,
            )
        }
        FRAGMENT => {
            let offset = read_u64(bytes, 16)?;
            (
                Header::Fragment {
                    receiver: key(8)?,
                    offset,
                },
                FRAGMENT_BYTES,
            )
        }
        LONG => {
            let header = Header::Long {
                envelope: read_envelope(bytes)?,
                total: read_u64(bytes, 32)?,
                sent: read_u64(bytes, 40)?,
            };
            (header, LONG_BYTES)
        }
        MORE => (Header::More, MORE_BYTES),
        FIN => (Header::Fin { sender: key(8)? }, SHORT_BYTES),
        WITHDRAW => (Header::Withdraw { sender: key(8)? }, SHORT_BYTES),
        WITHDRAWN => (Header::Withdrawn { sender: key(8)? }, SHORT_BYTES),
        CREDIT => (
            Header::Credit {
                consumed: read_u64(bytes, 8)?,
            },
            SHORT_BYTES,
        ),
        _ => return None,
    };
    Some((header, message.split(len)?.1))
}

fn decode_rendezvous(bytes: &[u8]) -> Option<Header> {
    let len = *bytes.get(48)? as usize;
    let key = match len {
        0 => None,
        _ => Some(RemoteKey::new(bytes.get(49..49 + len)?)?),
    };
    Some(Header::Rts {
        envelope: read_envelope(bytes)?,
        sender: Key::from_bits(read_u64(bytes, 32)?),
        total: read_u64(bytes, 40)?,
        key,
        sent: read_u64(bytes, 88)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn headers() -> impl Strategy<Value = Header> {
        let envelope = (any::<u64>(), any::<u32>(), any::<Tag>(), any::<u64>()).prop_map(
            |(context, source, tag, sequence)| Envelope {
                context: Context(context),
                source: Rank(source),
                tag,
                sequence,
                mark: (source >> 7) as u16,
            },
        );
        let id = any::<u64>().prop_map(Key::from_bits);
        let key = proptest::collection::vec(any::<u8>(), 0..=RemoteKey::BYTES_MAX)
            .prop_map(|bytes| RemoteKey::new(&bytes).filter(|_| !bytes.is_empty()));
        let long =
            (envelope.clone(), any::<u64>(), any::<u64>()).prop_map(|(envelope, total, sent)| {
                Header::Long {
                    envelope,
                    total,
                    sent,
                }
            });
        let sizes = (any::<u64>(), any::<u64>());
        prop_oneof![
            long,
            Just(Header::More),
            envelope
                .clone()
                .prop_map(|envelope| Header::Eager { envelope }),
            (envelope.clone(), id.clone())
                .prop_map(|(envelope, sender)| Header::EagerAck { envelope, sender }),
            (envelope, id.clone(), sizes, key).prop_map(
                |(envelope, sender, (total, sent), key)| Header::Rts {
                    envelope,
                    sender,
                    total,
                    key,
                    sent,
                }
            ),
            (id.clone(), id.clone(), any::<u64>()).prop_map(|(sender, receiver, bytes)| {
                Header::Cts {
                    sender,
                    receiver,
                    bytes,
                }
            }),
            (id.clone(), any::<u64>())
                .prop_map(|(receiver, offset)| Header::Fragment { receiver, offset }),
            id.prop_map(|sender| Header::Fin { sender }),
            any::<u64>().prop_map(|consumed| Header::Credit { consumed }),
        ]
    }

    proptest! {
        #[test]
        fn headers_are_decoded_as_they_were_encoded(header in headers(), payload: Vec<u8>) {
            let mut message = header.encode().as_bytes().to_vec();
            message.extend(&payload);
            let (read, rest) = Header::decode(Payload::from(&message[..])).unwrap();
            prop_assert_eq!(read, header);
            prop_assert_eq!(rest.to_vec(), payload);
        }

        #[test]
        fn no_bytes_make_the_decoder_panic(bytes: Vec<u8>) {
            let _ = Header::decode(Payload::from(&bytes[..]));
        }

        #[test]
        fn a_short_header_is_refused(header in headers(), cut in 1usize..100) {
            let bytes = header.encode();
            let bytes = bytes.as_bytes();
            let short = &bytes[..bytes.len().saturating_sub(cut)];
            prop_assert!(Header::decode(Payload::from(short)).is_none());
        }
    }
}
