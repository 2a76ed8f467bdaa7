//! The state of a [`crate::Cm`]: its tables, and their changes by the network's reports.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use base::{Key, PeerId, Slab};
use memory::Scratch;
use mtl::{Caps, Envelope, Error, Sink, Token};
use pml::{Context, Failure, Outcome, RequestId, Status};

use crate::comm::Comm;
use crate::label::Layout;
use crate::request::{Request, Role};
use crate::settings::Settings;

/// A message that waits until the path to a peer is free.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Parked {
    Send(Key),
    /// An acknowledgement: its label and note.
    Answer(u64, u16),
}

/// A peer.
#[derive(Default)]
pub(crate) struct Peer {
    pub(crate) parked: VecDeque<Parked>,
    /// Why it failed.
    pub(crate) failed: Option<Arc<str>>,
}

pub(crate) struct State {
    pub(crate) me: PeerId,
    pub(crate) layout: Layout,
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
    /// Peers that something is parked for.
    pub(crate) ready: VecDeque<PeerId>,
    /// Receives that the network has not taken, in order of posting.
    pub(crate) receives: VecDeque<Key>,
    /// Sends that the network has.
    pub(crate) sending: usize,
    /// Entries of `requests` that only the network knows.
    pub(crate) orphans: usize,
    /// Peers that were reported as gone, not looked after yet.
    pub(crate) lost: Vec<(PeerId, String)>,
    /// Receives of acknowledgements that will not come: the network is to give them back.
    pub(crate) withdrawn: Vec<Token>,
    /// Whose requests have ended, where the owner wants to hear of it.
    pub(crate) ended: Vec<u64>,
    /// Peers that failed and that the layer above was not told about.
    pub(crate) news: Vec<(PeerId, String)>,
    /// How many requests, peers and calls have failed.
    pub(crate) failures: u64,
}

impl State {
    pub(crate) fn new(caps: &Caps, settings: Settings) -> Result<State, String> {
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
            peers: (0..settings.peers).map(|_| Peer::default()).collect(),
            ready: VecDeque::new(),
            receives: VecDeque::new(),
            sending: 0,
            orphans: 0,
            lost: Vec::new(),
            withdrawn: Vec::new(),
            ended: Vec::new(),
            news: Vec::new(),
            failures: 0,
        })
    }

    pub(crate) fn make_room_for(&mut self, peer: PeerId) {
        if self.peers.len() <= peer.index() {
            self.peers.resize_with(peer.index() + 1, Peer::default);
        }
    }

    #[inline]
    pub(crate) fn has_parked(&self) -> bool {
        !self.ready.is_empty() || !self.receives.is_empty()
    }

    /// Whether the reports left anything to do.
    #[inline]
    pub(crate) fn has_late(&self) -> bool {
        self.has_parked() || !self.lost.is_empty() || !self.withdrawn.is_empty()
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
        self.let_go(key);
        Some(Outcome { status, result })
    }

    pub(crate) fn take_success(&mut self, request: RequestId) -> Option<Status> {
        let key = request.key();
        let entry = self.requests.get(key)?;
        if !matches!(entry.role, Role::Done(Ok(()))) {
            return None;
        }
        let status = entry.status;
        self.let_go(key);
        Some(status)
    }

    /// Removes a request that is complete and that nobody asks about any more; what the network has
    /// not given back stays for it, as an orphan.
    #[inline]
    fn let_go(&mut self, key: Key) {
        match self.requests.get_mut(key) {
            Some(entry) if entry.lent => {
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
                self.let_go(key);
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
        if !entry.lent {
            entry.packed = None;
        }
        if let Some(owner) = entry.owner.take() {
            self.ended.push(owner);
        }
        if entry.detached {
            self.let_go(key);
        }
        if let Role::Recv { comm, .. } = was {
            self.leave_comm(comm);
        }
    }

    /// Parks something for a peer.
    pub(crate) fn park(&mut self, peer: PeerId, parked: Parked) {
        let entry = &mut self.peers[peer.index()];
        if entry.failed.is_some() {
            return;
        }
        if entry.parked.is_empty() {
            self.ready.push_back(peer);
        }
        entry.parked.push_back(parked);
    }

    /// Returns the envelope of a message with the sender that its label tells. A label has bits
    /// for more senders than there are: one that names no process has no sender.
    #[inline]
    fn named(&self, envelope: Envelope) -> Envelope {
        match self.layout.sender_of(envelope.bits) {
            None => envelope,
            told => Envelope {
                from: told.filter(|told| told.index() < self.peers.len()),
                ..envelope
            },
        }
    }

    /// Returns the failure of a request that a network error ended; notes a peer that is gone.
    pub(crate) fn failure_of(&mut self, error: Error) -> Failure {
        match error {
            Error::PeerGone { peer, how } => {
                let why: Arc<str> = how.as_str().into();
                self.lost.push((peer, how));
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
        if !self.given_back(key) {
            self.send_over(key, result);
        }
    }

    fn received(&mut self, token: Token, result: Result<Envelope, Error>) {
        let key = Key::from_bits(token.0);
        if self.given_back(key) {
            return;
        }
        match result {
            Ok(envelope) => self.arrived(key, &self.named(envelope)),
            Err(error) => {
                let error = self.blame(key, error);
                let failure = self.failure_of(error);
                self.lost_receive(key, failure);
            }
        }
    }

    fn peeked(&mut self, token: Token, found: Option<Envelope>) {
        let named = found.map(|envelope| self.named(envelope));
        if let Some(entry) = self.requests.get_mut(Key::from_bits(token.0)) {
            if let Role::Look { answer } = &mut entry.role {
                *answer = Some(named);
            }
        }
    }

    fn cancelled(&mut self, token: Token) {
        let key = Key::from_bits(token.0);
        if !self.given_back(key) {
            self.receive_cancelled(key);
        }
    }

    fn peer_failed(&mut self, peer: PeerId, error: Error) {
        self.lost.push((peer, error.to_string()));
    }
}
