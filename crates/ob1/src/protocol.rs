//! The state of one process: its peers, communicators, requests and messages.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use base::{Counters, Key, PeerId, Rank, Slab};
use datatype::Buffer;
use mca::Framework;
use memory::UserBuf;
use pml::{CommId, Context};

use crate::buffer_cache::BufferCache;
use crate::driver::{Config, Limits};
use crate::matching::{Matching, Unexpected};
use crate::meter::Meter;
use crate::peer::{Gathered, Peer};
use crate::request::{Origins, Request};
use crate::resent::Restarts;

/// The point-to-point state of one process.
pub struct Protocol {
    pub(crate) config: Config,
    pub(crate) comms: Slab<Matching>,
    pub(crate) contexts: HashMap<Context, Key>,
    /// The communicator of the last arrival: most often that of the next one.
    pub(crate) recent: Option<(Context, Key)>,
    pub(crate) requests: Slab<Request>,
    pub(crate) origins: Origins,
    /// The request that a caller waits for, or one that is gone.
    pub(crate) watched: Option<Key>,
    /// Messages that matched probes took, with their communicators.
    pub(crate) messages: Slab<(Key, Unexpected)>,
    /// Parts of pipelined messages that are unexpected.
    pub(crate) gathered: Slab<Gathered>,
    /// Messages of contexts that are not open here yet, oldest first.
    pub(crate) orphans: Vec<Unexpected>,
    /// Senders of messages that nobody receives any more: their communicator is closed. Each waits
    /// until it withdraws the message.
    pub(crate) unmatched: Vec<(PeerId, Key)>,
    pub(crate) peers: Vec<Peer>,
    /// Counters that tools read.
    pub(crate) counters: Arc<Counters>,
    /// Peers with something in their queue.
    pub(crate) ready: VecDeque<PeerId>,
    /// Sends whose lanes took and buffer them.
    pub(crate) buffered: Vec<(PeerId, Key)>,
    /// Owners of requests that have ended, until they are taken.
    pub(crate) ended: Vec<u64>,
    /// Messages whose time is measured.
    pub(crate) meter: Meter,
    /// Memory for unexpected messages.
    pub(crate) buffer_cache: BufferCache,
    /// The peer that is this process itself.
    pub(crate) own: Option<PeerId>,
    /// Whether any peer has failed.
    pub(crate) any_failed: bool,
    /// How many requests and peers have failed.
    pub(crate) failures: u64,
    /// State for peers that come back; `None` where peers that die are given up.
    pub(crate) restarts: Option<Box<Restarts>>,
    /// The buffer of frames without payload.
    pub(crate) nothing: Buffer,
}

impl Protocol {
    /// Returns the state of a process among `peers` peers.
    pub fn new(config: Config, peers: usize) -> Protocol {
        let counters = Arc::new(Counters::default());
        counters.window.add(config.unexpected_limit);
        let peer = |peer| Peer::counting(counters.peer(PeerId(peer as u32)));
        Protocol {
            config,
            peers: (0..peers).map(peer).collect(),
            counters,
            comms: Slab::default(),
            contexts: HashMap::new(),
            recent: None,
            requests: Slab::default(),
            origins: Origins::default(),
            watched: None,
            messages: Slab::default(),
            gathered: Slab::default(),
            orphans: Vec::new(),
            unmatched: Vec::new(),
            ready: VecDeque::new(),
            buffered: Vec::new(),
            ended: Vec::new(),
            meter: Meter::default(),
            buffer_cache: BufferCache::default(),
            own: None,
            any_failed: false,
            failures: 0,
            restarts: None,
            nothing: Buffer::bytes(UserBuf::EMPTY),
        }
    }

    /// Returns the counters of this process, which tools read.
    pub fn counters(&self) -> &Arc<Counters> {
        &self.counters
    }

    /// Notes which peer is this process itself, before it gets its lane.
    pub fn set_own(&mut self, own: PeerId) {
        self.own = Some(own);
    }

    /// Sets the limits of a peer. Before that nothing is sent to the peer.
    pub fn set_limits(&mut self, peer: PeerId, limits: Limits) {
        for next in self.peers.len()..=peer.index() {
            let counters = self.counters.peer(PeerId(next as u32));
            self.peers.push(Peer::counting(counters));
        }
        let entry = &mut self.peers[peer.index()];
        entry.set_limits(limits);
        if self.own == Some(peer) {
            entry.set_own();
        }
    }

    /// Opens a communicator: `peers` are the processes that its ranks stand for (those of the
    /// remote group in an inter-communicator), `rank` is this process's own in messages that it
    /// sends. Messages that came before are matched as if they came now.
    pub fn open_comm(&mut self, context: Context, rank: Rank, peers: Vec<PeerId>) -> CommId {
        let id = self
            .comms
            .insert(Matching::new(context, rank, peers, self.counters.clone()));
        self.contexts.insert(context, id);
        self.skip_past(id);
        let is_of_it = |message: &mut Unexpected| message.envelope.context == context;
        let orphans: Vec<Unexpected> = self.orphans.extract_if(.., is_of_it).collect();
        for message in orphans {
            let from = message.from;
            if let Err(violation) = self.match_orphan(message) {
                Framework::Pml.warn(format_args!(
                    "dropped a message of {from}: it sent {violation}"
                ));
            }
        }
        CommId::from_key(id)
    }

    /// Sets what messages of this process on a communicator say of their elements from now on.
    pub fn set_mark(&mut self, comm: CommId, mark: u16) {
        if let Some(matching) = self.comms.get_mut(comm.key()) {
            matching.mark = mark;
        }
    }

    /// Has messages of a context go to another entry.
    pub(crate) fn rename(&mut self, context: Context, comm: Key) {
        self.contexts.insert(context, comm);
        self.recent = None;
    }

    /// Closes a communicator. Receives that wait in it may still complete.
    pub fn close_comm(&mut self, comm: CommId) {
        if let Some(matching) = self.comms.get_mut(comm.key()) {
            matching.closed = true;
            self.drop_if_closed(comm.key());
        }
    }

    /// Removes a closed communicator once no receive waits in it.
    pub(crate) fn drop_if_closed(&mut self, comm: Key) {
        let unused = |matching: &Matching| matching.closed && matching.is_idle();
        if !self.comms.get(comm).is_some_and(unused) {
            return;
        }
        if let Some(matching) = self.comms.remove(comm) {
            self.note_past(&matching);
            self.contexts.remove(&matching.context);
            matching.forget_unexpected();
            self.unmatched.extend(matching.senders());
            // Nobody receives them: their senders have the room again.
            for (from, bytes, is_early) in matching.charged() {
                let peer = &mut self.peers[from.index()];
                peer.unbuffer(Some(bytes));
                peer.ahead = peer.ahead.saturating_sub(usize::from(is_early));
                self.consumed(from, bytes);
            }
            for key in matching.gathered() {
                self.gathered.remove(key);
            }
            self.recent = None;
        }
    }

    /// Returns the open communicator of a context.
    #[inline]
    pub(crate) fn comm_of(&mut self, context: Context) -> Option<Key> {
        match self.recent {
            Some((recent, comm)) if recent == context => Some(comm),
            _ => {
                let comm = *self.contexts.get(&context)?;
                self.recent = Some((context, comm));
                Some(comm)
            }
        }
    }

    /// Returns how many messages wait for a receive in a communicator.
    pub fn unexpected_len(&self, comm: CommId) -> usize {
        self.comms
            .get(comm.key())
            .map_or(0, Matching::unexpected_len)
    }
}
