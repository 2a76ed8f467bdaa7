//! Incoming messages, which are buffered if no receive is posted.

use base::{Key, RemoteKey};
use memory::Payload;

use crate::buffer_cache::BufferCache;
use crate::matching::UnexpectedData;

/// A message as it comes in, its payload borrowed from the transport.
pub(crate) enum Incoming<'a> {
    Eager(Payload<'a>),
    EagerAck(Payload<'a>, Key),
    Rts(Payload<'a>, Rendezvous),
    Pipelined { key: Key, total: u64 },
    Withdrawn,
    Lost { total: u64 },
}

/// A rendezvous message, as described by its RTS.
#[derive(Clone, Copy)]
pub(crate) struct Rendezvous {
    pub(crate) sender: Key,
    pub(crate) total: u64,
    pub(crate) key: Option<RemoteKey>,
    /// When it was sent, and when its RTS arrived for a receive; 0 where it is not measured.
    pub(crate) sent: u64,
    pub(crate) arrived: u64,
}

impl Incoming<'_> {
    /// Returns the payload bytes that the sender has charged to its window; `None` where it has
    /// charged nothing.
    pub(crate) fn charged(&self) -> Option<usize> {
        match self {
            Incoming::Eager(payload) | Incoming::EagerAck(payload, _) => Some(payload.len()),
            Incoming::Rts(prefix, _) => Some(prefix.len()).filter(|len| *len > 0),
            Incoming::Pipelined { total, .. } => Some(*total as usize),
            Incoming::Withdrawn | Incoming::Lost { .. } => None,
        }
    }

    /// Returns what is to be buffered of the message.
    pub(crate) fn hold(self, buffer_cache: &mut BufferCache) -> UnexpectedData {
        match self {
            Incoming::Eager(payload) => UnexpectedData::Eager {
                bytes: buffer_cache.copy(payload, 0),
            },
            Incoming::EagerAck(payload, sender) => UnexpectedData::EagerAck {
                bytes: buffer_cache.copy(payload, 0),
                sender,
            },
            Incoming::Rts(prefix, announced) => UnexpectedData::Rts {
                prefix: buffer_cache.copy(prefix, 0),
                sender: announced.sender,
                total: announced.total,
                key: announced.key,
            },
            Incoming::Pipelined { key, total } => UnexpectedData::Pipelined { key, total },
            Incoming::Withdrawn => UnexpectedData::Withdrawn,
            Incoming::Lost { total } => UnexpectedData::Lost { total },
        }
    }
}

impl UnexpectedData {
    /// Returns the message as if it came in now.
    pub(crate) fn as_incoming(&self) -> Incoming<'_> {
        match self {
            UnexpectedData::Eager { bytes } => Incoming::Eager(Payload::from(&bytes[..])),
            UnexpectedData::EagerAck { bytes, sender } => {
                Incoming::EagerAck(Payload::from(&bytes[..]), *sender)
            }
            UnexpectedData::Rts {
                prefix,
                sender,
                total,
                key,
            } => Incoming::Rts(
                Payload::from(&prefix[..]),
                Rendezvous {
                    sender: *sender,
                    total: *total,
                    key: *key,
                    sent: 0,
                    arrived: 0,
                },
            ),
            UnexpectedData::Pipelined { key, total } => Incoming::Pipelined {
                key: *key,
                total: *total,
            },
            UnexpectedData::Withdrawn | UnexpectedData::Past { .. } => Incoming::Withdrawn,
            UnexpectedData::Lost { total } => Incoming::Lost { total: *total },
        }
    }
}
