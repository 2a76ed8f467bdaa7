//! Point-to-point messages: matching, and the protocols that move them (`ob1`).
//!
//! A [`Pml`] is the state of one process; it performs no I/O and knows no clock. Its driver
//! (`engine`) calls it in five families:
//!
//! * `begin_*` starts an operation and gives a request;
//! * [`Pml::arrived`] hands in what a transport received, `*_done` and [`Pml::peer_failed`]
//!   what else a transport reports;
//! * [`Pml::next_frame`] and [`Pml::frame_sent`] drain what is to be sent: a receive handler
//!   cannot send, it can only leave a frame in a peer's queue;
//! * [`Pml::outcome`] and its relatives ask about requests;
//! * `open_comm` and `close_comm` bracket a communicator.
//!
//! A message takes one of four ways, by its length, its mode and what the lane can do:
//!
//! * **eager**: header and payload at once. Where the lane takes it immediately there is no
//!   request at all ([`Pml::try_eager`]): this is the hot path;
//! * **eager with acknowledgement**: the same for synchronous mode;
//! * **read** (RGET): the announcement carries a key, the receiver reads the sender's memory;
//! * **fragments** (RNDV): the receiver says CLEAR, the sender streams;
//! * **eager in parts** (LONG): unasked as the first, and cut so that both sides copy at once,
//!   where the lane wants that.
//!
//! An announcement has the front of the message with it where the lane wants that, so that bytes
//! flow while the two sides talk.
//!
//! What eager messages, and such fronts, may pile up at a receiver is bounded: each peer has a
//! window of bytes, and a sender whose window is used up announces its messages instead, until the
//! receiver's CREDIT says that they were consumed.
#![forbid(unsafe_code)]

mod cancel;
mod matching;
mod oneself;
mod parts;
mod peer;
mod queue;
mod recv;
mod request;
mod send;
mod spare;
pub mod wire;

use std::collections::{HashMap, VecDeque};
use std::fmt;
use std::sync::Arc;

use base::{Key, PeerId, Rank, Slab};
use datatype::Buffer;
use memory::UserBuf;

pub use parts::Cut;
pub use send::Eager;

use matching::{Held, Matching, Unexpected};
use parts::Gathered;
use peer::Peer;
use request::{After, Phase, Request};
use spare::Spare;
use wire::{Encoded, Envelope};

/// Names a communicator in headers; unique in the job, never used again.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Context(pub u64);

/// What tells messages of one communicator and sender apart. An application's tags are those of
/// MPI, from 0 to 2^31 - 1; the library's own use more of the bits. Networks that match compare the
/// lowest 31 bits, and tell of the others only [`mark_of`].
pub type Tag = i64;

/// Bits 32 to 47 of a tag: 0 in those of an application.
#[inline]
pub fn mark_of(tag: Tag) -> u16 {
    (tag >> 32) as u16
}

/// A communicator of a [`Pml`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct CommId(Key);

impl CommId {
    /// The communicator under a key: for other point-to-point layers, which have their own
    /// tables of communicators and are addressed alike.
    #[inline]
    pub fn from_key(key: Key) -> CommId {
        CommId(key)
    }

    /// The key.
    #[inline]
    pub fn key(self) -> Key {
        self.0
    }
}

/// A send or receive under way.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct RequestId(Key);

impl RequestId {
    /// The request as a number, for a transport to carry.
    pub fn bits(self) -> u64 {
        self.0.bits()
    }

    /// The request that a number stands for, if it still is one.
    pub fn from_bits(bits: u64) -> RequestId {
        RequestId(Key::from_bits(bits))
    }
}

/// A message that a matched probe has taken out of matching (MPI 5.0, 3.8.2).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct MessageId(Key);

impl MessageId {
    /// The message under a key; see [`CommId::from_key`].
    pub fn from_key(key: Key) -> MessageId {
        MessageId(key)
    }

    /// The key.
    pub fn key(self) -> Key {
        self.0
    }
}

/// When a send is complete (MPI 5.0, 3.4). Ready mode is standard mode; buffered mode is made
/// of standard mode above.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// When its buffer may be reused.
    Standard,
    /// When it was matched, too.
    Synchronous,
}

/// What a receive or probe accepts. `None` stands for any source or any tag.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pattern {
    /// The sender's rank in the communicator.
    pub source: Option<Rank>,
    /// The tag.
    pub tag: Option<Tag>,
}

/// What is known of a completed or probed message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Status {
    /// The sender's rank; `None` in the status of a send.
    pub source: Option<Rank>,
    /// The tag; 0 in the status of a send.
    pub tag: Tag,
    /// The bytes received; of a probed message, its length.
    pub bytes: u64,
    /// Whether the operation was cancelled.
    pub cancelled: bool,
    /// Whether it was a receive from nobody (`MPI_PROC_NULL`). Never so for messages.
    pub nobody: bool,
}

impl Status {
    /// The status of an operation that received nothing.
    pub const EMPTY: Status = Status {
        source: None,
        tag: 0,
        bytes: 0,
        cancelled: false,
        nobody: false,
    };
}

/// How a request ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// What was received.
    pub status: Status,
    /// Whether it ended well.
    pub result: Result<(), Failure>,
}

/// Why a request failed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Failure {
    /// The message was longer than the receive's buffer; what fits was received.
    Truncated {
        /// Bytes of the message.
        sent: u64,
        /// Bytes of the buffer.
        room: u64,
    },
    /// The peer is gone.
    PeerFailed {
        /// The peer.
        peer: PeerId,
        /// What was seen of it.
        why: Arc<str>,
    },
    /// The network refused the operation, or ended it without its peer being gone.
    Refused {
        /// What it said.
        why: Arc<str>,
    },
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Truncated { sent, room } => {
                write!(f, "a message of {sent} bytes met a receive of {room} bytes")
            }
            Failure::PeerFailed { peer, why } => write!(f, "{peer} failed: {why}"),
            Failure::Refused { why } => why.fmt(f),
        }
    }
}

/// A peer sent what the protocol does not allow. The driver treats the peer as failed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Violation {
    /// What was wrong: one clause.
    pub what: &'static str,
}

/// What the PML needs to know of the lane to a peer. Sizes are bytes, headers included.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lane {
    /// Largest message to send unasked.
    pub eager_limit: usize,
    /// How to cut messages that go unasked, also longer ones; `None`: never. Only where the lane
    /// keeps the order.
    pub cut: Option<Cut>,
    /// How much of a longer one to send with its announcement; 0 for none of it.
    pub rndv_eager_limit: usize,
    /// Largest message that the lane takes.
    pub max_send: usize,
    /// Whether the peer can read this process's memory over the lane.
    pub can_get: bool,
    /// Whether a message that the lane took may still be in this process: then it is complete
    /// when [`Pml::release_kept`] hears that it is not.
    pub keeps: bool,
}

/// What a peer needs to read a message at its sender: at most 32 bytes that the lane chose.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RemoteKey {
    bytes: [u8; RemoteKey::BYTES_MAX],
    len: u8,
}

impl RemoteKey {
    /// Most bytes of a key.
    pub const BYTES_MAX: usize = 32;

    /// A key of these bytes; `None` when there are more than [`RemoteKey::BYTES_MAX`].
    pub fn new(key: &[u8]) -> Option<RemoteKey> {
        let mut bytes = [0; RemoteKey::BYTES_MAX];
        bytes.get_mut(..key.len())?.copy_from_slice(key);
        Some(RemoteKey {
            bytes,
            len: key.len() as u8,
        })
    }

    /// The bytes.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes[..self.len as usize]
    }
}

/// The lanes' registration of memory, lent by the driver.
pub trait Registrar {
    /// Makes memory readable for a peer; `None` when that cannot be.
    fn register(&mut self, peer: PeerId, memory: UserBuf) -> Option<RemoteKey>;
    /// Ends what `register` gave.
    fn deregister(&mut self, peer: PeerId, key: RemoteKey);
}

/// Limits of a [`Pml`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Config {
    /// Bytes of eager messages of one peer that may wait at this process unmatched. All
    /// processes of a job use the same value.
    pub unexpected_limit: u64,
}

/// What the driver is to do for a peer next.
pub enum Frame<'a> {
    /// Send a header and, after it, `len` bytes of a buffer from its byte `at` on.
    Send {
        /// The header.
        header: Encoded,
        /// The buffer that the payload comes from.
        buffer: &'a Buffer,
        /// Its first byte to send.
        at: usize,
        /// The bytes to send.
        len: usize,
    },
    /// Read the peer's memory into `local`, and report it under `request`.
    Get {
        /// Where to.
        local: UserBuf,
        /// What to read.
        key: RemoteKey,
        /// The byte of it to begin with.
        offset: u64,
        /// The request that [`Pml::get_done`] is to be told.
        request: RequestId,
    },
}

/// What waits for a peer's lane.
enum Outgoing {
    Control(Encoded),
    /// A parked eager message: its header; the payload is its request's buffer.
    Eager(Encoded, Key),
    /// A parked message that is cut: the header of its first part; the rest as of `Eager`.
    Parts(Encoded, Key),
    /// An announcement; the front of the message is in its request's buffer.
    Announcement(Encoded, Key),
    /// The next fragment of a streaming request.
    Stream(Key),
    Get(RemoteKey, Key),
}

/// The point-to-point state of one process.
pub struct Pml {
    config: Config,
    comms: Slab<Matching>,
    contexts: HashMap<Context, Key>,
    /// The communicator of the last arrival: most often that of the next one.
    recent: Option<(Context, Key)>,
    requests: Slab<Request>,
    /// The request that somebody waits for, or one that is gone.
    watched: Option<Key>,
    messages: Slab<(Key, Unexpected)>,
    /// Messages in parts that nobody receives yet.
    gathered: Slab<Gathered>,
    /// Messages of contexts that are not open here yet.
    orphans: HashMap<Context, VecDeque<(PeerId, Envelope, Held)>>,
    peers: Vec<Peer>,
    /// Peers with something in their queue.
    ready: VecDeque<PeerId>,
    /// Messages that their lanes took and keep.
    kept: Vec<(PeerId, Key)>,
    /// Whose requests have ended, where the owner wants to hear of it.
    ended: Vec<u64>,
    /// Memory for messages that wait.
    spare: Spare,
    /// Which of them is this process itself.
    own: Option<PeerId>,
    /// Whether any peer has failed.
    any_failed: bool,
    /// How many requests, peers and calls have failed.
    failures: u64,
    /// The buffer of frames without payload.
    nothing: Buffer,
}

impl Pml {
    /// The state of a process among `peers` peers.
    pub fn new(config: Config, peers: usize) -> Pml {
        Pml {
            config,
            comms: Slab::default(),
            contexts: HashMap::new(),
            recent: None,
            requests: Slab::default(),
            watched: None,
            messages: Slab::default(),
            gathered: Slab::default(),
            orphans: HashMap::new(),
            peers: (0..peers).map(|_| Peer::default()).collect(),
            ready: VecDeque::new(),
            kept: Vec::new(),
            ended: Vec::new(),
            spare: Spare::default(),
            own: None,
            any_failed: false,
            failures: 0,
            nothing: Buffer::bytes(UserBuf::EMPTY),
        }
    }

    /// Tells what the lane to a peer can do. Before that the peer gets nothing.
    pub fn set_lane(&mut self, peer: PeerId, lane: Lane) {
        if self.peers.len() <= peer.index() {
            self.peers.resize_with(peer.index() + 1, Peer::default);
        }
        let entry = &mut self.peers[peer.index()];
        entry.set_lane(lane);
        if self.own == Some(peer) {
            entry.set_own();
        }
    }

    /// Opens a communicator: `peers` are the processes that its ranks stand for (those of the
    /// remote group in an inter-communicator), `rank` is what this process signs messages with.
    /// Messages that came before are matched as if they came now.
    pub fn open_comm(&mut self, context: Context, rank: Rank, peers: Vec<PeerId>) -> CommId {
        let id = self.comms.insert(Matching::new(context, rank, peers));
        self.contexts.insert(context, id);
        for (from, envelope, held) in self.orphans.remove(&context).into_iter().flatten() {
            if let Err(violation) = self.arrived_held(from, envelope, held) {
                log::warn!(target: "pml", "message of {from} dropped: {}", violation.what);
            }
        }
        CommId(id)
    }

    /// Closes a communicator. Receives that wait in it may still complete.
    pub fn close_comm(&mut self, comm: CommId) {
        if let Some(matching) = self.comms.get_mut(comm.0) {
            matching.closed = true;
            self.drop_if_closed(comm.0);
        }
    }

    fn drop_if_closed(&mut self, comm: Key) {
        if self
            .comms
            .get(comm)
            .is_some_and(|m| m.closed && m.is_idle())
        {
            if let Some(matching) = self.comms.remove(comm) {
                self.contexts.remove(&matching.context);
                for key in matching.gathered() {
                    self.gathered.remove(key);
                }
                self.recent = None;
            }
        }
    }

    /// Says which request somebody waits for.
    #[inline]
    pub fn watch(&mut self, request: RequestId) {
        self.watched = Some(request.0);
    }

    /// Whether the request that somebody waits for is complete, and not taken yet.
    pub fn is_content(&self) -> bool {
        let watched = self.watched.and_then(|key| self.requests.get(key));
        watched.is_some_and(Request::is_done)
    }

    /// Whether a request is complete. A request that is gone is.
    #[inline]
    pub fn is_done(&self, request: RequestId) -> bool {
        self.requests.get(request.0).is_none_or(Request::is_done)
    }

    /// How a complete request ended; it is gone after this. `None` while it is under way.
    #[inline]
    pub fn outcome(&mut self, request: RequestId) -> Option<Outcome> {
        let outcome = self.requests.get(request.0)?.outcome()?;
        self.requests.discard(request.0);
        Some(outcome)
    }

    /// Ends a request that is complete and did not fail, and gives its status; it is gone after
    /// this. `None`: it stays, if there is one, and [`Pml::outcome`] tells more.
    #[inline]
    pub fn take_success(&mut self, request: RequestId) -> Option<Status> {
        let entry = self.requests.get(request.0)?;
        if !entry.is_done() || entry.failure.is_some() {
            return None;
        }
        let status = entry.status;
        self.requests.discard(request.0);
        Some(status)
    }

    /// Whether a request is under way or its outcome to be had, and somebody may still ask.
    #[inline]
    pub fn is_open(&self, request: RequestId) -> bool {
        let entry = self.requests.get(request.0);
        entry.is_some_and(|entry| entry.after != After::Goes)
    }

    /// How a complete request ended, which it stays.
    pub fn peek_outcome(&self, request: RequestId) -> Option<Outcome> {
        self.requests.get(request.0)?.outcome()
    }

    /// How many failures there have been. Who waits for several requests looks whether one of them
    /// has failed when this has changed.
    #[inline]
    pub fn failures(&self) -> u64 {
        self.failures
    }

    /// Counts a failure of something that is made of messages.
    pub fn note_failure(&mut self) {
        self.failures += 1;
    }

    /// Lets a request go by itself when it is complete (MPI 5.0, 3.7.3, MPI_Request_free).
    pub fn detach(&mut self, request: RequestId) {
        if let Some(entry) = self.requests.get_mut(request.0) {
            entry.after = After::Goes;
            if entry.is_done() {
                self.requests.remove(request.0);
            }
        }
    }

    /// Has the end of a request that is under way told to `owner`, whose it is: by
    /// [`Pml::take_ended`].
    pub fn report(&mut self, request: RequestId, owner: u64) {
        if let Some(entry) = self.requests.get_mut(request.0) {
            entry.after = After::Tells(owner);
        }
    }

    /// Adds the owners of requests that have ended since the last call, once for each request.
    #[inline]
    pub fn take_ended(&mut self, owners: &mut Vec<u64>) {
        owners.append(&mut self.ended);
    }

    /// How many requests are not gone: those under way and those whose outcome nobody took.
    pub fn open_requests(&self) -> usize {
        self.requests.len()
    }

    /// Those of them that somebody may still ask about: a detached one ends by itself, or with the
    /// process.
    pub fn held_requests(&self) -> usize {
        let held = self
            .requests
            .iter()
            .filter(|(_, entry)| entry.after != After::Goes);
        held.count()
    }

    /// How many messages wait for a receive in a communicator.
    pub fn unexpected_len(&self, comm: CommId) -> usize {
        self.comms.get(comm.0).map_or(0, Matching::unexpected_len)
    }

    fn finish(&mut self, request: Key, result: Result<(), Failure>) {
        let Some(entry) = self.requests.get_mut(request) else {
            return;
        };
        entry.phase = Phase::Done;
        entry.failure = match result {
            Ok(()) => None,
            Err(failure) => {
                self.failures += 1;
                Some(Box::new(failure))
            }
        };
        match entry.after {
            After::Stays => {}
            After::Goes => drop(self.requests.remove(request)),
            After::Tells(owner) => self.ended.push(owner),
        }
    }
}
