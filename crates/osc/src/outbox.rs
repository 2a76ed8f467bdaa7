//! Messages to be sent: the queues of the peers, and the reply that goes before them.
//!
//! An arrival is handled while the lanes are being polled, so its reply has to wait for the poll's
//! end. One message at a time waits in a slot of its own, whole and numbered ([`Reply`]). The
//! driver sends it from there, or leaves it, and it goes to its peer's queue as all others do; that
//! takes twice the instructions of the request that it answers. One too long for its lane goes in
//! parts, straight out of the window's memory: the queue would copy it.

use std::collections::{BTreeMap, VecDeque};

use ::memory::{Payload, Slot, UserBuf};
use base::{Key, PeerId};

use crate::operation::Queued;
use crate::wire::{Header, Kind, HEADER_BYTES};

/// Most bytes of replies that an origin waits for before it requests more.
pub(crate) const AWAITED_MAX: usize = 1 << 20;
/// Most bytes of replies queued for one peer; a correct peer causes far fewer.
pub(crate) const ANSWERS_MAX: usize = 64 << 20;
/// Most reply buffers kept for reuse, and the largest: an origin waits for no more together.
pub(crate) const SPARE_MAX: usize = 16;
pub(crate) const SPARE_BYTES_MAX: usize = 128 << 10;
/// Most messages buffered because they overtook another.
pub(crate) const EARLY_MAX: usize = 1 << 12;

/// The state of a peer that all windows share.
#[derive(Default)]
pub(crate) struct Peer {
    /// Replies, which go before requests: they wait for nothing.
    pub(crate) answers: VecDeque<QueuedReply>,
    pub(crate) answers_bytes: usize,
    pub(crate) requests: VecDeque<Item>,
    /// The message offered to the lane and not accepted yet, and its header.
    pub(crate) current: Option<Body>,
    pub(crate) header: Vec<u8>,
    /// Bytes requested from the peer that have not arrived.
    pub(crate) awaited: usize,
    pub(crate) sent: u32,
    pub(crate) expected: u32,
    pub(crate) early: BTreeMap<u32, Vec<u8>>,
    pub(crate) failed: Option<String>,
    /// Whether the peer is in the list of those that something may be sent to.
    pub(crate) listed: bool,
}

/// An entry of the request queue of a peer.
#[derive(Debug)]
pub(crate) enum Item {
    Operation(Key),
    Control(Header),
}

pub(crate) struct QueuedReply {
    pub(crate) header: Header,
    pub(crate) data: Vec<u8>,
    /// Bytes of the data already sent.
    pub(crate) at: usize,
}

#[derive(Clone, Copy)]
pub(crate) enum Body {
    /// The first request, a control message.
    Control,
    /// This many bytes of the first reply.
    Reply(usize),
    /// A piece of the first request, an operation: `data` bytes from packed byte `at` on; `bytes`
    /// packed bytes of the operation are done with once it is sent.
    Operation {
        key: Key,
        at: usize,
        data: usize,
        bytes: usize,
    },
}

/// A message for a lane.
pub struct Frame<'a> {
    /// The header.
    pub header: &'a [u8],
    /// Bytes that follow the header.
    pub len: usize,
    pub(crate) content: Content<'a>,
}

pub(crate) enum Content<'a> {
    Bytes(&'a [u8]),
    Operation(&'a Queued, usize),
}

impl Peer {
    /// Returns the state of a failed peer.
    pub(crate) fn gone(why: &str) -> Peer {
        Peer {
            failed: Some(why.to_string()),
            ..Peer::default()
        }
    }

    /// Returns the number of the next message, where nothing is queued before it; `None` elsewhere,
    /// and when the peer has failed.
    #[inline]
    pub(crate) fn clear(&self) -> Option<u32> {
        let clear = self.is_idle() && self.current.is_none() && self.failed.is_none();
        clear.then_some(self.sent)
    }

    /// Returns how many messages were sent to it; wraps.
    pub(crate) fn sent(&self) -> u32 {
        self.sent
    }

    /// Whether `number` of its messages have been handled.
    #[inline]
    pub(crate) fn has_handled(&self, number: u32) -> bool {
        self.expected.wrapping_sub(number) as i32 >= 0
    }

    /// Counts a message that has bypassed the queues.
    #[inline]
    pub(crate) fn passed(&mut self) {
        self.sent = self.sent.wrapping_add(1);
    }

    #[inline]
    pub(crate) fn is_idle(&self) -> bool {
        self.answers.is_empty() && self.requests.is_empty()
    }

    /// Withdraws the message of an operation from the lane.
    pub(crate) fn drop_offer(&mut self, operation: Key) {
        let offered = &self.current;
        if matches!(offered, Some(Body::Operation { key, .. }) if *key == operation) {
            self.current = None;
        }
    }
}

impl Frame<'_> {
    /// Returns what follows the header, where it is empty or one contiguous run of the caller's
    /// memory.
    pub fn contiguous(&self) -> Option<UserBuf> {
        match self.content {
            _ if self.len == 0 => Some(UserBuf::EMPTY),
            Content::Bytes(_) => None,
            Content::Operation(queued, at) => queued.contiguous(at, self.len),
        }
    }

    /// Writes the data behind the header.
    pub fn pack(&self, slot: &mut Slot<'_>) {
        match self.content {
            Content::Bytes(bytes) => slot.write(0, bytes),
            Content::Operation(queued, at) => queued.pack(at, slot),
        }
    }
}

/// A message for a lane, whose fate the driver reports ([`crate::Osc::reply_sent`],
/// [`crate::Osc::queue_reply`]).
#[derive(Debug)]
pub struct Reply {
    /// The receiver.
    pub peer: PeerId,
    /// The data behind `head`, without what has been sent already.
    pub(crate) data: Data,
    /// Bytes of the data that go now.
    pub(crate) part: usize,
    pub(crate) head: [u8; HEADER_BYTES + WITH_HEADER_MAX],
    /// Bytes behind the header in `head`.
    pub(crate) with_header: usize,
}

/// Most bytes that go with the header, as if part of it: every single element fits.
pub(crate) const WITH_HEADER_MAX: usize = 16;

impl Reply {
    /// Returns the header, and the data that goes with it.
    #[inline]
    pub fn head(&self) -> &[u8] {
        &self.head[..HEADER_BYTES + self.with_header]
    }

    /// Reserves `len` bytes that go with the header.
    #[inline]
    pub(crate) fn behind_header(&mut self, len: usize) -> &mut [u8] {
        self.with_header = len;
        &mut self.head[HEADER_BYTES..][..len]
    }

    /// Bytes of the message.
    #[allow(clippy::len_without_is_empty)]
    #[inline]
    pub fn len(&self) -> usize {
        self.head().len() + self.part
    }

    /// Returns the data behind the head, where it is memory of this process's window, or empty.
    #[inline]
    pub fn contiguous(&self) -> Option<UserBuf> {
        match &self.data {
            Data::Memory(bytes) => Some(bytes.part(0, self.part)),
            Data::Now(_) | Data::Read(_) => None,
        }
    }

    /// Writes the data behind the head.
    pub fn pack(&self, slot: &mut Slot<'_>) {
        match &self.data {
            Data::Memory(bytes) | Data::Now(bytes) => slot.write_user(0, bytes.part(0, self.part)),
            Data::Read(bytes) => slot.write(0, bytes),
        }
    }

    /// Cuts `part` bytes off the data, with a header that says so.
    #[cold]
    pub(crate) fn cut(&mut self, part: usize, sequence: u32, begun: usize) {
        let Ok(header) = Header::decode(&Payload::from(&self.head[..HEADER_BYTES])) else {
            return debug_assert!(false, "it is one of this process");
        };
        let header = Header {
            sequence,
            position: header.position + begun as u64,
            bytes: part as u64,
            ..header
        };
        self.part = part;
        self.head[..HEADER_BYTES].copy_from_slice(&header.to_bytes());
    }
}

/// The data of a message.
#[derive(Debug)]
pub(crate) enum Data {
    /// Bytes of this process's window, or none, to be read as they are sent.
    Memory(UserBuf),
    /// A few bytes of this process's window, to be read as the reply is made.
    Now(UserBuf),
    /// Bytes of its own, such as the previous content.
    Read(Vec<u8>),
}

impl Data {
    /// No bytes.
    pub(crate) const NONE: Data = Data::Memory(UserBuf::EMPTY);

    /// Returns the number of bytes.
    #[inline]
    pub fn len(&self) -> usize {
        match self {
            Data::Memory(bytes) | Data::Now(bytes) => bytes.len(),
            Data::Read(bytes) => bytes.len(),
        }
    }
}

/// Whether a message is a reply.
pub(crate) fn is_answer(kind: Kind) -> bool {
    matches!(kind, Kind::Data | Kind::Ack | Kind::Grant)
}
