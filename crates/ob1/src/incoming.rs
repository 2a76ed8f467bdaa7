//! Incoming messages, which are buffered if no receive is posted.

use base::{Key, RemoteKey};
use memory::Payload;

use crate::matching::Held;
use crate::spare::Spare;

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
    pub(crate) fn hold(self, spare: &mut Spare) -> Held {
        match self {
            Incoming::Eager(payload) => Held::Eager {
                bytes: spare.copy(payload, 0),
            },
            Incoming::EagerAck(payload, sender) => Held::EagerAck {
                bytes: spare.copy(payload, 0),
                sender,
            },
            Incoming::Rts(prefix, announced) => Held::Rts {
                prefix: spare.copy(prefix, 0),
                sender: announced.sender,
                total: announced.total,
                key: announced.key,
            },
            Incoming::Pipelined { key, total } => Held::Pipelined { key, total },
            Incoming::Withdrawn => Held::Withdrawn,
            Incoming::Lost { total } => Held::Lost { total },
        }
    }
}

impl Held {
    /// Returns the message as if it came in now.
    pub(crate) fn as_incoming(&self) -> Incoming<'_> {
        match self {
            Held::Eager { bytes } => Incoming::Eager(Payload::from(&bytes[..])),
            Held::EagerAck { bytes, sender } => {
                Incoming::EagerAck(Payload::from(&bytes[..]), *sender)
            }
            Held::Rts {
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
            Held::Pipelined { key, total } => Incoming::Pipelined {
                key: *key,
                total: *total,
            },
            Held::Withdrawn | Held::Past { .. } => Incoming::Withdrawn,
            Held::Lost { total } => Incoming::Lost { total: *total },
        }
    }
}
