//! The endpoint: the table of peers, and the start of sends, receives and probes.

use std::collections::{HashMap, VecDeque};

use base::{Fnv, Key, PeerId, Slab};
use memory::{Scratch, UserBuf};
use mtl::{
    Caps, Envelope, Error, Flow, Interest, Reach, Selector, Sink, SleepKind, Started, Token,
    Transport, Waker,
};
use ofi::{mr_mode, Address, Mr, MrAccess, Op, Posted, Tagged};

use crate::config::Config;
use crate::shutdown_state::{ShutdownMessage, ShutdownState};
use crate::wire::SentData;

/// An endpoint of libfabric that matches.
pub struct Endpoint {
    pub(crate) me: PeerId,
    pub(crate) caps: Caps,
    address: Vec<u8>,
    provider: String,
    /// The back-off after an empty poll.
    pub(crate) idle: ofi::IdleBackOff,
    /// Bytes that travel beside a label.
    pub(crate) data_bytes: usize,
    /// Whether buffers of operations must be registered.
    local: bool,
    pub(crate) claim: bool,
    pub(crate) events: usize,
    next_key: u64,
    pub(crate) peers: Vec<Option<Peer>>,
    pub(crate) peers_by_address: HashMap<Address, PeerId>,
    /// Operations that libfabric has, under the token that it was given. Their registrations
    /// end before the endpoint does.
    pub(crate) operations: Slab<Operation>,
    /// Messages that were claimed, by the token of their peek.
    pub(crate) claimed: HashMap<u64, Claimed>,
    /// Reports that are no completions.
    pub(crate) reports: VecDeque<Report>,
    /// Whether the queue of completions has failed for good.
    pub(crate) broken: bool,
    pub(crate) shutdown: ShutdownState,
    /// `None` once this side has left.
    pub(crate) endpoint: Option<ofi::Endpoint>,
}

/// A process that this one was introduced to.
#[derive(Clone, Debug)]
pub(crate) struct Peer {
    pub(crate) address: Address,
    /// A digest of the address that the peer sent.
    pub(crate) digest: u64,
    /// Whether messages went to it or came from it.
    pub(crate) met: bool,
    /// Whether the peer has sent its shutdown message.
    pub(crate) left: bool,
    /// The progress of the shutdown message to the peer.
    pub(crate) shutdown: ShutdownMessage,
}

/// An operation under way.
pub(crate) struct Operation {
    pub(crate) token: Token,
    pub(crate) kind: Kind,
    op: Option<Op>,
    /// Whether its report is discarded.
    pub(crate) muted: bool,
    _mr: Option<Mr>,
}

pub(crate) enum Kind {
    Send {
        to: PeerId,
    },
    Recv {
        from: Option<PeerId>,
        room: usize,
    },
    Peek {
        selector: Selector,
        claim: bool,
    },
    /// The receive of a message that is claimed by receiving it, into memory of our own.
    Fetch {
        claim: u64,
    },
    /// The shutdown message to a peer.
    Shutdown {
        to: PeerId,
    },
    /// The receive of a peer's shutdown message, by its position.
    PeerShutdown {
        at: usize,
    },
}

/// A message that was taken out of matching.
pub(crate) enum Claimed {
    /// libfabric keeps it.
    InProvider(Op),
    /// The message is in flight to memory of our own.
    InFlight {
        room: Scratch,
        /// The receive that takes it, once there is one.
        wanted: Option<(UserBuf, Token)>,
    },
    /// The message is in flight, and its receive was cancelled.
    Discarded { _room: Scratch },
    /// The message is in memory of our own, or failed.
    Arrived {
        room: Scratch,
        result: Result<Envelope, Error>,
    },
}

pub(crate) enum Report {
    Sent(Token, Result<(), Error>),
    Received(Token, Result<Envelope, Error>),
    Cancelled(Token),
    Peeked(Token, Option<Envelope>),
    /// A message was found that is to be claimed by receiving it.
    Claim(Token, Envelope),
    PeerFailed(PeerId, Error),
}

impl Endpoint {
    /// The provider's device; `None` once this side has left.
    pub fn device(&self) -> Option<&ofi::Info> {
        Some(self.endpoint.as_ref()?.domain().info())
    }

    pub(crate) fn new(
        endpoint: ofi::Endpoint,
        address: Vec<u8>,
        caps: Caps,
        config: &Config,
        claim: bool,
    ) -> Endpoint {
        let info = endpoint.domain().info();
        let shutdown = ShutdownState::new(config.me, &address, info);
        Endpoint {
            me: config.me,
            caps,
            shutdown,
            address,
            provider: info.provider.clone(),
            idle: ofi::IdleBackOff::of(info),
            data_bytes: info.cq_data_bytes,
            local: info.demands(mr_mode::LOCAL),
            claim,
            events: config.settings.events,
            next_key: 1,
            peers: vec![None; config.peers],
            peers_by_address: HashMap::new(),
            operations: Slab::default(),
            claimed: HashMap::new(),
            reports: VecDeque::new(),
            broken: false,
            endpoint: Some(endpoint),
        }
    }

    /// The provider's whole name.
    pub fn provider(&self) -> &str {
        &self.provider
    }

    fn open(&mut self) -> Result<&mut ofi::Endpoint, Error> {
        self.endpoint.as_mut().ok_or_else(|| Error::Resource {
            what: "endpoint of libfabric".into(),
            why: "it was closed".into(),
        })
    }

    fn address_of(&self, peer: PeerId) -> Result<Address, Error> {
        match self.peers.get(peer.index()) {
            Some(Some(known)) => Ok(known.address),
            _ => Err(Error::Unreachable { peer }),
        }
    }

    /// The address of a peer that a message is for.
    #[inline]
    fn target(&mut self, peer: PeerId) -> Result<Address, Error> {
        match self.peers.get_mut(peer.index()) {
            Some(Some(known)) if !known.left => {
                known.met = true;
                Ok(known.address)
            }
            Some(Some(_)) => Err(Error::PeerGone {
                peer,
                how: "it has closed".into(),
            }),
            _ => Err(Error::Unreachable { peer }),
        }
    }

    /// Records that a message came from a peer.
    #[inline]
    pub(crate) fn meet(&mut self, peer: PeerId) {
        if let Some(Some(known)) = self.peers.get_mut(peer.index()) {
            known.met = true;
        }
    }

    fn source(&self, from: Option<PeerId>) -> Result<Address, Error> {
        from.map_or(Ok(Address::ANY), |peer| self.address_of(peer))
    }

    /// Returns the data that goes beside a label.
    #[inline]
    fn beside(&self, note: u16, len: usize) -> Option<u64> {
        SentData {
            from: self.me,
            len: len as u64,
            note,
        }
        .encode(self.data_bytes)
    }

    /// Registers the buffer of an operation where the provider wants that.
    fn register(&mut self, memory: UserBuf, access: MrAccess) -> Result<Option<Mr>, Error> {
        if !self.local || memory.is_empty() {
            return Ok(None);
        }
        self.next_key += 1;
        let key = self.next_key;
        let endpoint = self.open()?;
        let domain = endpoint.domain().clone();
        let mr = domain.register(memory, access, key, Some(endpoint));
        mr.map(Some).map_err(|error| Error::Registration {
            len: memory.len(),
            why: error.of_registration(),
        })
    }

    /// Starts an operation under a token of its own.
    #[inline]
    pub(crate) fn start(
        &mut self,
        token: Token,
        kind: Kind,
        memory: UserBuf,
        start: impl FnOnce(&mut ofi::Endpoint, Option<&Mr>, u64) -> Result<Posted, ofi::Error>,
    ) -> Result<Started, Error> {
        let (peer, access) = match kind {
            Kind::Send { to } | Kind::Shutdown { to } => (Some(to), MrAccess::SOURCE),
            _ => (None, MrAccess::SINK),
        };
        let mr = self.register(memory, access)?;
        let key = self.operations.insert(Operation {
            token,
            kind,
            op: None,
            muted: false,
            _mr: mr,
        });
        let operation = self.operations.get_mut(key).expect("just inserted");
        let endpoint = match &mut self.endpoint {
            Some(endpoint) => endpoint,
            None => {
                self.operations.remove(key);
                return Err(Error::Resource {
                    what: "endpoint of libfabric".into(),
                    why: "it was closed".into(),
                });
            }
        };
        match start(endpoint, operation._mr.as_ref(), key.bits()) {
            Ok(Posted::Taken(op)) => {
                operation.op = Some(op);
                Ok(Started::Pending)
            }
            Ok(Posted::Busy) => {
                self.operations.remove(key);
                Ok(Started::Busy)
            }
            Err(error) => {
                self.operations.remove(key);
                Err(refused(error, peer))
            }
        }
    }

    /// Posts the receive that claims a message, which was just found.
    pub(crate) fn fetch(&mut self, token: Token, envelope: &Envelope) -> Result<Started, Error> {
        let from = self.source(envelope.from)?;
        let room = Scratch::new(envelope.len as usize);
        let into = room.buf();
        let claim = token.0;
        let what = Tagged {
            tag: envelope.bits,
            ignore: 0,
        };
        let started = self.start(token, Kind::Fetch { claim }, into, |endpoint, mr, key| {
            endpoint.receive_tagged(from, into, mr, what, key)
        })?;
        if started == Started::Pending {
            let wanted = None;
            self.claimed
                .insert(claim, Claimed::InFlight { room, wanted });
        }
        Ok(started)
    }

    /// Detaches a claimed message in flight from the receive that takes it.
    fn discard_claim_of(&mut self, receive: Token) {
        for claimed in self.claimed.values_mut() {
            let Claimed::InFlight { room, wanted } = claimed else {
                continue;
            };
            if wanted.as_ref().is_some_and(|(_, token)| *token == receive) {
                let _room = std::mem::replace(room, Scratch::new(0));
                *claimed = Claimed::Discarded { _room };
                self.reports.push_back(Report::Cancelled(receive));
                return;
            }
        }
    }

    fn operation_of(&self, token: Token) -> Option<(Key, Op)> {
        let mine = |(key, operation): (Key, &Operation)| {
            let op = operation.op.filter(|_| operation.token == token)?;
            matches!(operation.kind, Kind::Recv { .. }).then_some((key, op))
        };
        self.operations.iter().find_map(mine)
    }
}

/// Returns the error for a refused call.
pub(crate) fn refused(error: ofi::Error, peer: Option<PeerId>) -> Error {
    if let Some(peer) = peer.filter(|_| error.is_no_way()) {
        let how = format!("libfabric has no path to it: {error}");
        return Error::PeerGone { peer, how };
    }
    let failure = ofi::Failure {
        code: error.code().unwrap_or(0),
        text: error.to_string(),
        cut: 0,
    };
    failed(&failure, peer)
}

/// Returns the error for a failed operation.
pub(crate) fn failed(failure: &ofi::Failure, peer: Option<PeerId>) -> Error {
    match peer.filter(|_| failure.is_of_peer()) {
        Some(peer) => Error::PeerGone {
            peer,
            how: failure.text.clone(),
        },
        None => Error::Resource {
            what: "operation of libfabric".into(),
            why: failure.text.clone(),
        },
    }
}

fn tagged(selector: &Selector) -> Tagged {
    Tagged {
        tag: selector.bits,
        ignore: selector.ignore,
    }
}

impl Transport for Endpoint {
    fn caps(&self) -> &Caps {
        &self.caps
    }

    /// The provider's name, its length in a byte before it, and the provider's own address.
    fn address(&self) -> Vec<u8> {
        let name = self.provider.as_bytes();
        [&[name.len() as u8], name, &self.address].concat()
    }

    fn add_peer(&mut self, peer: PeerId, address: &[u8]) -> Result<Reach, Error> {
        let parts = address
            .split_first()
            .and_then(|(len, rest)| rest.split_at_checked(usize::from(*len)));
        let Some((provider, address)) = parts else {
            let what = "malformed address".to_string();
            return Err(Error::Protocol { peer, what });
        };
        if provider != self.provider.as_bytes() {
            let theirs = String::from_utf8_lossy(provider);
            let why = format!("it uses {theirs}, this process {}", self.provider);
            return Ok(Reach::Unreachable(why));
        }
        let inserted = match self.open()?.av().insert(address) {
            Ok(inserted) => inserted,
            Err(why) => return Ok(Reach::Unreachable(why)),
        };
        if self.peers.len() <= peer.index() {
            self.peers.resize(peer.index() + 1, None);
        }
        self.peers[peer.index()] = Some(Peer {
            address: inserted,
            digest: Fnv::of(address.iter().copied()),
            met: false,
            left: false,
            shutdown: ShutdownMessage::Unsent,
        });
        self.peers_by_address.insert(inserted, peer);
        self.post_shutdown_receives();
        Ok(Reach::Reachable)
    }

    fn remove_peer(&mut self, peer: PeerId) {
        let Some(known) = self.peers.get_mut(peer.index()).and_then(Option::take) else {
            return;
        };
        let address = known.address;
        self.peers_by_address.remove(&address);
        let to_it = |(key, operation): (Key, &Operation)| match operation.kind {
            Kind::Send { to } if to == peer && !operation.muted => Some(key),
            _ => None,
        };
        let sends: Vec<Key> = self.operations.iter().filter_map(to_it).collect();
        for key in sends {
            if let Some(operation) = self.operations.get_mut(key) {
                operation.muted = true;
                let how = "it left".to_string();
                let gone = Error::PeerGone { peer, how };
                let report = Report::Sent(operation.token, Err(gone));
                self.reports.push_back(report);
            }
        }
        if let Some(endpoint) = &self.endpoint {
            endpoint.av().remove(address);
        }
    }

    #[inline]
    fn inject(
        &mut self,
        to: PeerId,
        bits: u64,
        note: u16,
        payload: UserBuf,
    ) -> Result<Flow, Error> {
        let address = self.target(to)?;
        let data = self.beside(note, payload.len());
        match self.open()?.inject_tagged(address, payload, bits, data) {
            Ok(true) => Ok(Flow::Sent),
            Ok(false) => Ok(Flow::Busy),
            Err(error) => Err(refused(error, Some(to))),
        }
    }

    fn send(
        &mut self,
        to: PeerId,
        bits: u64,
        note: u16,
        payload: UserBuf,
        token: Token,
    ) -> Result<Started, Error> {
        let address = self.target(to)?;
        let data = self.beside(note, payload.len());
        self.start(token, Kind::Send { to }, payload, |endpoint, mr, key| {
            endpoint.send_tagged(address, payload, mr, bits, data, 0, key)
        })
    }

    fn recv(&mut self, selector: &Selector, room: UserBuf, token: Token) -> Result<Started, Error> {
        let from = self.source(selector.from)?;
        let what = tagged(selector);
        let kind = Kind::Recv {
            from: selector.from,
            room: room.len(),
        };
        self.start(token, kind, room, |endpoint, mr, key| {
            endpoint.receive_tagged(from, room, mr, what, key)
        })
    }

    fn peek(&mut self, selector: &Selector, claim: bool, token: Token) -> Result<Started, Error> {
        let from = self.source(selector.from)?;
        let what = tagged(selector);
        let keep = claim && self.claim;
        let kind = Kind::Peek {
            selector: *selector,
            claim,
        };
        // Some providers report "no message" by refusing the call.
        let mut nothing = false;
        let started = self.start(token, kind, UserBuf::EMPTY, |endpoint, _, key| {
            let posted = endpoint.peek_tagged(from, what, keep, key);
            nothing = posted
                .as_ref()
                .is_err_and(|error| error.code() == Some(NO_MESSAGE));
            posted
        });
        if nothing {
            self.reports.push_back(Report::Peeked(token, None));
            return Ok(Started::Pending);
        }
        started
    }

    fn recv_claimed(
        &mut self,
        claimed: Token,
        selector: &Selector,
        room: UserBuf,
        token: Token,
    ) -> Result<Started, Error> {
        match self.claimed.remove(&claimed.0) {
            None | Some(Claimed::Discarded { .. }) => Err(Error::Resource {
                what: "message that was claimed".into(),
                why: "it is not there".into(),
            }),
            Some(Claimed::InProvider(op)) => {
                let from = self.source(selector.from)?;
                let what = (from, tagged(selector));
                let kind = Kind::Recv {
                    from: selector.from,
                    room: room.len(),
                };
                let started = self.start(token, kind, room, |endpoint, mr, key| {
                    endpoint.fetch_claimed(op, what, room, mr, key)
                });
                if started == Ok(Started::Busy) {
                    self.claimed.insert(claimed.0, Claimed::InProvider(op));
                }
                started
            }
            Some(Claimed::InFlight { room: from, .. }) => {
                let in_flight = Claimed::InFlight {
                    room: from,
                    wanted: Some((room, token)),
                };
                self.claimed.insert(claimed.0, in_flight);
                Ok(Started::Pending)
            }
            Some(Claimed::Arrived { room: from, result }) => {
                room.copy_from(&from.buf());
                self.reports.push_back(Report::Received(token, result));
                Ok(Started::Pending)
            }
        }
    }

    fn cancel(&mut self, token: Token) {
        if let (Some((_, op)), Some(endpoint)) = (self.operation_of(token), &mut self.endpoint) {
            endpoint.cancel(op);
        } else {
            self.discard_claim_of(token);
        }
    }

    fn progress(&mut self, sink: &mut dyn Sink) -> usize {
        self.poll(sink)
    }

    fn backs_off(&self) -> bool {
        self.idle == ofi::IdleBackOff::Nap
    }

    /// Leaving has time limits, so it does not sleep for long.
    fn arm(&mut self, _kind: SleepKind) -> Option<Waker> {
        let leaves = self.shutdown.idle_since.is_some();
        let endpoint = self.endpoint.as_ref()?;
        match endpoint.descriptor() {
            Some(descriptor) if !leaves && endpoint.may_sleep() => {
                let wakes = vec![(descriptor, Interest::Readable)];
                Some(Waker::Descriptors(wakes))
            }
            _ => Some(Waker::Poll),
        }
    }

    fn disarm(&mut self) {}

    fn depart(&mut self, gone: &dyn Fn(PeerId) -> bool) -> bool {
        self.leave(gone)
    }

    fn close(&mut self) {
        if let Some(endpoint) = &mut self.endpoint {
            let posted = |(_, operation): (Key, &Operation)| operation.op;
            let ops: Vec<Op> = self.operations.iter().filter_map(posted).collect();
            for op in ops {
                endpoint.cancel(op);
            }
        }
        // Registrations first: they may belong to the endpoint.
        self.operations = Slab::default();
        self.endpoint = None;
        self.claimed.clear();
        self.peers.clear();
        self.peers_by_address.clear();
    }
}

impl Drop for Endpoint {
    fn drop(&mut self) {
        self.close();
    }
}

/// The code of "no message".
pub(crate) const NO_MESSAGE: i32 = 42;
