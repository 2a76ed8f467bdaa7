//! The state of a [`crate::Cm`]: its tables, and their changes by the network's reports.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use base::{Counters, Key, PeerCounters, PeerId, Slab};
use memory::Scratch;
use mtl::{Caps, Envelope, Error, Sink, Token};
use pml::{Context, Failure, Outcome, RequestId, Status};

use crate::comm::Comm;
use crate::label::Layout;
use crate::request::{Request, Role};
use crate::settings::Settings;

/// A message that waits until the path to a peer is free.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Queued {
    Send(Key),
    /// An acknowledgement: its label and note.
    Acknowledgement(u64, u16),
}

/// A peer.
#[derive(Default)]
pub(crate) struct Peer {
    pub(crate) queue: VecDeque<Queued>,
    /// Why it failed.
    pub(crate) failed: Option<Arc<str>>,
    pub(crate) counters: Arc<PeerCounters>,
}

impl Peer {
    fn counting(counters: &Counters, at: usize) -> Peer {
        Peer {
            counters: counters.peer(PeerId(at as u32)),
            ..Peer::default()
        }
    }
}

pub(crate) struct State {
    pub(crate) me: PeerId,
    pub(crate) layout: Layout,
    /// Counts of what is sent and of lost peers. The network does not report what it matches.
    pub(crate) counters: Arc<Counters>,
    pub(crate) fold: fn(Context, usize, u32) -> u64,
    pub(crate) inject_max: usize,
    pub(crate) message_max: u64,
    /// Room for short messages out of buffers with gaps.
    pub(crate) short: Scratch,
    pub(crate) comms: Slab<Comm>,
    /// Open communicators by their bits of a label.
    pub(crate) contexts: HashMap<u64, Key>,
    pub(crate) requests: Slab<Request>,
    pub(crate) peers: Vec<Peer>,
    /// Peers that something is queued for.
    pub(crate) ready: VecDeque<PeerId>,
    /// Receives that the network has not taken, in order of posting.
    pub(crate) receives: VecDeque<Key>,
    /// Sends that the network has.
    pub(crate) sending: usize,
    /// Entries of `requests` that only the network knows.
    pub(crate) orphans: usize,
    /// Peers that were reported as gone and not handled yet.
    pub(crate) lost_peers: Vec<(PeerId, String)>,
    /// Receives of acknowledgements that will not arrive, to be cancelled.
    pub(crate) to_cancel: Vec<Token>,
    /// Owners of reported requests that have ended, until they are taken.
    pub(crate) ended: Vec<u64>,
    /// Peers that have failed, with the reasons.
    pub(crate) failed_peers: Vec<(PeerId, String)>,
    /// How many requests, peers and calls have failed.
    pub(crate) failures: u64,
}

impl State {
    pub(crate) fn new(caps: &Caps, settings: Settings) -> Result<State, String> {
        let counters = Arc::new(Counters::default());
        Ok(State {
            me: settings.me,
            layout: Layout::new(settings.tags, caps, settings.peers)?,
            fold: settings.fold,
            inject_max: caps.inject_max,
            message_max: caps.message_max,
            short: Scratch::new(caps.inject_max),
            comms: Slab::default(),
            contexts: HashMap::new(),
            requests: Slab::default(),
            peers: (0..settings.peers)
                .map(|at| Peer::counting(&counters, at))
                .collect(),
            counters,
            ready: VecDeque::new(),
            receives: VecDeque::new(),
            sending: 0,
            orphans: 0,
            lost_peers: Vec::new(),
            to_cancel: Vec::new(),
            ended: Vec::new(),
            failed_peers: Vec::new(),
            failures: 0,
        })
    }

    pub(crate) fn ensure_peer(&mut self, peer: PeerId) {
        if self.peers.len() <= peer.index() {
            let next = self.peers.len()..=peer.index();
            let fresh = next.map(|at| Peer::counting(&self.counters, at));
            self.peers.extend(fresh);
        }
    }

    #[inline]
    pub(crate) fn has_queued(&self) -> bool {
        !self.ready.is_empty() || !self.receives.is_empty()
    }

    /// Returns whether the reports deferred anything.
    #[inline]
    pub(crate) fn has_deferred(&self) -> bool {
        self.has_queued() || !self.lost_peers.is_empty() || !self.to_cancel.is_empty()
    }

    #[inline]
    pub(crate) fn is_done(&self, request: RequestId) -> bool {
        self.requests
            .get(request.key())
            .is_none_or(Request::is_done)
    }

    pub(crate) fn is_open(&self, request: RequestId) -> bool {
        let entry = self.requests.get(request.key());
        entry.is_some_and(|entry| !entry.detached && !matches!(entry.role, Role::Orphan))
    }

    #[inline]
    pub(crate) fn outcome(&mut self, request: RequestId) -> Option<Outcome> {
        if !self.is_done(request) {
            return None;
        }
        let key = request.key();
        let entry = self.requests.get_mut(key)?;
        let status = entry.status;
        let Role::Done(result) = std::mem::replace(&mut entry.role, Role::Orphan) else {
            return None;
        };
        self.release(key);
        Some(Outcome { status, result })
    }

    pub(crate) fn take_success(&mut self, request: RequestId) -> Option<Status> {
        let key = request.key();
        let entry = self.requests.get(key)?;
        if !matches!(entry.role, Role::Done(Ok(()))) {
            return None;
        }
        let status = entry.status;
        self.release(key);
        Some(status)
    }

    /// Removes a request that is complete and will not be queried any more; one that the network
    /// has not released stays as an orphan.
    #[inline]
    fn release(&mut self, key: Key) {
        match self.requests.get_mut(key) {
            Some(entry) if entry.abandoned => {
                entry.role = Role::Orphan;
                self.orphans += 1;
            }
            _ => drop(self.requests.remove(key)),
        }
    }

    pub(crate) fn peek_outcome(&self, request: RequestId) -> Option<Outcome> {
        let request = self.requests.get(request.key())?;
        let Role::Done(result) = &request.role else {
            return None;
        };
        Some(Outcome {
            status: request.status,
            result: result.clone(),
        })
    }

    pub(crate) fn detach(&mut self, request: RequestId) {
        let key = request.key();
        if let Some(entry) = self.requests.get_mut(key) {
            entry.detached = true;
            if entry.is_done() {
                self.release(key);
            }
        }
    }

    /// Ends a request.
    pub(crate) fn finish(&mut self, key: Key, result: Result<(), Failure>) {
        let Some(entry) = self.requests.get_mut(key) else {
            return;
        };
        self.failures += u64::from(result.is_err());
        let was = std::mem::replace(&mut entry.role, Role::Done(result));
        if !entry.abandoned {
            entry.packed = None;
        }
        if let Some(owner) = entry.owner.take() {
            self.ended.push(owner);
        }
        if entry.detached {
            self.release(key);
        }
        if let Role::Recv { comm, .. } = was {
            self.leave_comm(comm);
        }
    }

    /// Queues something for a peer.
    pub(crate) fn enqueue(&mut self, peer: PeerId, queued: Queued) {
        let entry = &mut self.peers[peer.index()];
        if entry.failed.is_some() {
            return;
        }
        if entry.queue.is_empty() {
            self.ready.push_back(peer);
        }
        entry.queue.push_back(queued);
    }

    /// Returns the envelope of a message with the sender in its label. A label has bits for more
    /// senders than there are: one that names no process has no sender.
    #[inline]
    fn with_sender(&self, envelope: Envelope) -> Envelope {
        match self.layout.sender_of(envelope.bits) {
            None => envelope,
            sender => Envelope {
                from: sender.filter(|sender| sender.index() < self.peers.len()),
                ..envelope
            },
        }
    }

    /// Returns the failure of a request that a network error ended; records a peer that is gone.
    pub(crate) fn failure_of(&mut self, error: Error) -> Failure {
        match error {
            Error::PeerGone { peer, how } => {
                let why: Arc<str> = how.as_str().into();
                self.lost_peers.push((peer, how));
                Failure::PeerFailed { peer, why }
            }
            error => Failure::Refused {
                why: error.to_string().into(),
            },
        }
    }
}

impl Sink for State {
    fn sent(&mut self, token: Token, result: Result<(), Error>) {
        let key = Key::from_bits(token.0);
        if !self.released(key) {
            self.send_reported(key, result);
        }
    }

    fn received(&mut self, token: Token, result: Result<Envelope, Error>) {
        let key = Key::from_bits(token.0);
        if self.released(key) {
            return;
        }
        match result {
            Ok(envelope) => self.arrived(key, &self.with_sender(envelope)),
            Err(error) => {
                let error = self.blame(key, error);
                let failure = self.failure_of(error);
                self.lost_receive(key, failure);
            }
        }
    }

    fn peeked(&mut self, token: Token, found: Option<Envelope>) {
        let named = found.map(|envelope| self.with_sender(envelope));
        if let Some(entry) = self.requests.get_mut(Key::from_bits(token.0)) {
            if let Role::Peek { found: result } = &mut entry.role {
                *result = Some(named);
            }
        }
    }

    fn cancelled(&mut self, token: Token) {
        let key = Key::from_bits(token.0);
        if !self.released(key) {
            self.receive_cancelled(key);
        }
    }

    fn peer_failed(&mut self, peer: PeerId, error: Error) {
        self.lost_peers.push((peer, error.to_string()));
    }
}
