//! The point-to-point layer `ob1`: matching, and the protocols that move messages over lanes.
//!
//! A [`Protocol`] is the state of one process; it performs no I/O and knows no clock. Its driver
//! (`engine`) calls it in five families:
//!
//! * `begin_*` starts an operation and returns a request;
//! * [`Protocol::arrived`] hands in what a transport received, `*_done` and
//!   [`Protocol::peer_failed`] what else a transport reports;
//! * [`Protocol::next_frame`] and [`Protocol::frame_sent`] drain what is to be sent: a receive
//!   handler cannot send, it can only leave a frame in a peer's queue;
//! * [`Protocol::outcome`] and its relatives ask about requests;
//! * `open_comm` and `close_comm` bracket a communicator.
//!
//! A message takes one of five paths, by its length, its mode and what the lane can do:
//!
//! * **eager**: header and payload in one frame. Where the lane takes it immediately there is no
//!   request at all ([`Protocol::try_eager`]): this is the hot path;
//! * **eager with acknowledgement** (EAGER_ACK): an eager message in synchronous mode;
//! * **pipelined eager** (LONG, MORE): a longer eager message, cut so that sender and receiver copy
//!   at the same time, where the lane asks for that;
//! * **read** (RGET): the RTS header carries a remote key, the receiver reads the sender's
//!   memory;
//! * **fragments** (RNDV): the receiver answers the RTS header with CTS, the sender streams.
//!
//! An RTS header carries the first bytes of the message with it where the lane asks for that
//! (`rndv_eager_limit`), so that bytes flow while the two sides talk.
//!
//! Unexpected bytes at a receiver are bounded: each peer has a window, and a sender that has used
//! it up sends RTS headers instead of eager messages until the receiver's CREDIT says that
//! they were consumed.
#![forbid(unsafe_code)]

mod cancel;
#[cfg(any(test, fuzzing))]
pub mod fuzz;
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

use base::{Cut, Key, PeerId, Rank, RemoteKey, Slab};
use datatype::Buffer;
use memory::UserBuf;
use pml::{CommId, Context, Failure, Outcome, RequestId, Status};

pub use send::Eager;

use matching::{Held, Matching, Unexpected};
use parts::Gathered;
use peer::Peer;
use request::{After, Phase, Request};
use spare::Spare;
use wire::{Encoded, Envelope};

/// A peer sent what the protocol does not allow. The driver treats the peer as failed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Violation {
    /// The violation: one clause.
    pub what: &'static str,
}

/// The properties of the lane to a peer. Sizes are bytes, headers included.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lane {
    /// Largest eager message.
    pub eager_limit: usize,
    /// How to cut messages that go unasked, also longer ones; `None`: never. Only where the lane
    /// keeps the order.
    pub cut: Option<Cut>,
    /// Bytes of a longer message to send with its RTS; 0 for none.
    pub rndv_eager_limit: usize,
    /// Largest message that the lane takes.
    pub max_send: usize,
    /// Whether the peer can read this process's memory over the lane.
    pub can_get: bool,
    /// Whether the lane may buffer a message that it took in this process. Such a message is
    /// complete when [`Protocol::release_buffered`] hears that it has left.
    pub buffers: bool,
}

/// The lanes' registration of memory, lent by the driver.
pub trait Registrar {
    /// Makes memory readable for a peer; `None` when that cannot be.
    fn register(&mut self, peer: PeerId, memory: UserBuf) -> Option<RemoteKey>;
    /// Ends a registration.
    fn deregister(&mut self, peer: PeerId, key: RemoteKey);
}

/// Limits of a [`Protocol`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Config {
    /// Bytes of eager messages of one peer that may wait at this process unmatched. All
    /// processes of a job use the same value.
    pub unexpected_limit: u64,
}

/// The next act of the driver for a peer.
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
        /// The destination.
        local: UserBuf,
        /// The remote key of the memory to read.
        key: RemoteKey,
        /// The first byte of it to read.
        offset: u64,
        /// The request to report to [`Protocol::get_done`].
        request: RequestId,
    },
}

/// An entry of the queue for a peer's lane.
enum Outgoing {
    Control(Encoded),
    /// The header of a queued eager message; the payload is its request's buffer.
    Eager(Encoded, Key),
    /// The header of the first part of a pipelined eager message; the payload is its request's
    /// buffer.
    Parts(Encoded, Key),
    /// An RTS header; the eager prefix of the message is in its request's buffer.
    Rts(Encoded, Key),
    /// The next fragment of a streaming request.
    Stream(Key),
    Get(RemoteKey, Key),
}

/// The point-to-point state of one process.
pub struct Protocol {
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
    buffered: Vec<(PeerId, Key)>,
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

impl Protocol {
    /// The state of a process among `peers` peers.
    pub fn new(config: Config, peers: usize) -> Protocol {
        Protocol {
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
            buffered: Vec::new(),
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
        CommId::from_key(id)
    }

    /// Closes a communicator. Receives that wait in it may still complete.
    pub fn close_comm(&mut self, comm: CommId) {
        if let Some(matching) = self.comms.get_mut(comm.key()) {
            matching.closed = true;
            self.drop_if_closed(comm.key());
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
        self.watched = Some(request.key());
    }

    /// Whether the request that somebody waits for is complete, and not taken yet.
    pub fn is_watched_done(&self) -> bool {
        let watched = self.watched.and_then(|key| self.requests.get(key));
        watched.is_some_and(Request::is_done)
    }

    /// Whether a request is complete. A request that is gone is.
    #[inline]
    pub fn is_done(&self, request: RequestId) -> bool {
        self.requests
            .get(request.key())
            .is_none_or(Request::is_done)
    }

    /// How a complete request ended; it is gone after this. `None` while it is under way.
    #[inline]
    pub fn outcome(&mut self, request: RequestId) -> Option<Outcome> {
        let outcome = self.requests.get(request.key())?.outcome()?;
        self.requests.discard(request.key());
        Some(outcome)
    }

    /// Ends a request that is complete and did not fail, and gives its status; it is gone after
    /// this. `None`: it stays, if there is one, and [`Protocol::outcome`] tells more.
    #[inline]
    pub fn take_success(&mut self, request: RequestId) -> Option<Status> {
        let entry = self.requests.get(request.key())?;
        if !entry.is_done() || entry.failure.is_some() {
            return None;
        }
        let status = entry.status;
        self.requests.discard(request.key());
        Some(status)
    }

    /// Whether a request is under way or its outcome to be had, and somebody may still ask.
    #[inline]
    pub fn is_open(&self, request: RequestId) -> bool {
        let entry = self.requests.get(request.key());
        entry.is_some_and(|entry| entry.after != After::Goes)
    }

    /// How a complete request ended, which it stays.
    pub fn peek_outcome(&self, request: RequestId) -> Option<Outcome> {
        self.requests.get(request.key())?.outcome()
    }

    /// How many failures there have been. Who waits for several requests looks whether one of them
    /// has failed when this has changed.
    #[inline]
    pub fn failures(&self) -> u64 {
        self.failures
    }

    /// Lets a request go by itself when it is complete (MPI 5.0, 3.7.3, MPI_Request_free).
    pub fn detach(&mut self, request: RequestId) {
        if let Some(entry) = self.requests.get_mut(request.key()) {
            entry.after = After::Goes;
            if entry.is_done() {
                self.requests.remove(request.key());
            }
        }
    }

    /// Has the end of a request that is under way told to `owner`, whose it is: by
    /// [`Protocol::take_ended`].
    pub fn report(&mut self, request: RequestId, owner: u64) {
        if let Some(entry) = self.requests.get_mut(request.key()) {
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
        self.comms
            .get(comm.key())
            .map_or(0, Matching::unexpected_len)
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
                if matches!(failure, Failure::PeerFailed { .. }) {
                    // The status of a receive has the length that was announced: more than
                    // came, and perhaps more than the buffer holds.
                    entry.status.bytes = 0;
                }
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
