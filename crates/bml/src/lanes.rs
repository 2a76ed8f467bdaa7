//! The choice of the transport that carries each lane of a peer.

use base::{AmTag, PeerId};
use btl::{
    Caps, Carriage, Error, Flow, Foreign, Hints, Presence, Reach, Registration, Rma, Sink,
    Transport,
};
use memory::UserBuf;

use crate::emulation::Messenger;
use crate::{address, Choice, Considered, Facts};

/// Polls of the lanes between two polls of transports without a lane.
const IDLE_POLL_INTERVAL: u32 = 1024;

/// Stands for no transport.
const NONE: u8 = u8::MAX;

pub(crate) struct OpenTransport {
    pub(crate) transport: Box<dyn Transport>,
    /// Whether the transport gathers short messages, and backs off after empty polls ([`Caps`]).
    pub(crate) batches: bool,
    backs_off: bool,
    /// Peers' lanes that the transport carries.
    pub(crate) lanes: usize,
    /// Peers that the transport reaches, chosen or not.
    pub(crate) reached: usize,
}

/// The lanes of one peer, as indices of transports.
#[derive(Clone, Copy)]
struct Pair {
    message: u8,
    rma: u8,
}

const NO_LANES: Pair = Pair {
    message: NONE,
    rma: NONE,
};

/// Cached lengths of the hints on a peer for a message or an access, in bytes.
#[derive(Clone, Copy, Default)]
struct Lengths {
    /// [`Hints::get_min`] of the memory lane.
    get_min: usize,
    /// [`Hints::waiting_max`] of the message lane.
    waiting_max: usize,
}

/// Opened transports, best first, and the lanes of each peer.
pub(crate) struct Lanes {
    pub(crate) opened: Vec<OpenTransport>,
    peers: Vec<Pair>,
    /// Lengths by peer, as when it was introduced.
    lengths: Vec<Lengths>,
    /// By peer: the transports that reach it.
    reach: Vec<Reaching>,
    polls: u32,
    /// Whether any of them backs off after empty polls.
    any_backs_off: bool,
}

/// A set of transports, by their places among those that are open; at most 64 are.
#[derive(Clone, Copy, Default)]
struct Reaching(u64);

impl Reaching {
    fn of(reached: &[bool]) -> Reaching {
        let bits = reached.iter().zip(0..u64::BITS);
        Reaching(bits.fold(0, |set, (reached, at)| set | u64::from(*reached) << at))
    }

    fn has(self, at: usize) -> bool {
        at < u64::BITS as usize && self.0 >> at & 1 == 1
    }
}

impl Lanes {
    pub(crate) fn new(mut transports: Vec<Box<dyn Transport>>) -> Lanes {
        transports.sort_by_key(|t| (std::cmp::Reverse(t.caps().exclusivity), t.caps().latency_ns));
        let mut lanes = Lanes {
            any_backs_off: false,
            opened: Vec::new(),
            peers: Vec::new(),
            lengths: Vec::new(),
            reach: Vec::new(),
            polls: 0,
        };
        transports
            .into_iter()
            .for_each(|transport| lanes.open(transport));
        lanes
    }

    pub(crate) fn open(&mut self, transport: Box<dyn Transport>) {
        let caps = transport.caps();
        self.any_backs_off |= caps.backs_off;
        self.opened.push(OpenTransport {
            batches: caps.batches,
            backs_off: caps.backs_off,
            transport,
            lanes: 0,
            reached: 0,
        });
    }

    pub(crate) fn len(&self) -> usize {
        self.opened.len()
    }

    pub(crate) fn address(&self) -> Vec<u8> {
        let each = self.opened.iter().map(|o| &o.transport);
        address::encode(each.map(|t| {
            let caps = t.caps();
            (caps.name, Facts::of(caps).before(t.address()))
        }))
    }

    pub(crate) fn add_peer(
        &mut self,
        peer: PeerId,
        address: &[u8],
        foreign: Option<&Foreign>,
    ) -> Result<Choice, Error> {
        let no_list = || Error::Protocol {
            peer,
            what: "malformed address list".into(),
        };
        let offers = address::decode(address).ok_or_else(no_list)?;
        let mut considered = Vec::new();
        let mut all_facts = Vec::new();
        for opened in &mut self.opened {
            let caps = opened.transport.caps();
            let (name, own) = (caps.name, Facts::of(caps));
            let (reach, facts) = match offers.iter().find(|(theirs, _)| *theirs == name) {
                Some((_, offer)) => {
                    let (theirs, address) = Facts::split(offer).ok_or_else(no_list)?;
                    let transport = &mut opened.transport;
                    let reach = match foreign {
                        Some(foreign) => transport.add_foreign(peer, foreign, address)?,
                        None => transport.add_peer(peer, address)?,
                    };
                    (reach, own.with(theirs))
                }
                None => (
                    Reach::Unreachable("the peer does not have it open".into()),
                    own,
                ),
            };
            considered.push(Considered {
                name,
                reach,
                facts: Some(facts),
            });
            all_facts.push(facts);
        }
        let reached: Vec<bool> = considered
            .iter()
            .map(|c| c.reach == Reach::Reachable)
            .collect();
        let opened = self.opened.iter().zip(&reached);
        let hints = opened.map(|(opened, reached)| match reached {
            true => opened.transport.hints(peer),
            false => Hints::default(),
        });
        let hints: Vec<Hints> = hints.collect();
        let order = self.order(&all_facts);
        let pair = self.choose(&order, &all_facts, &hints, &reached);
        self.set(peer, pair, Reaching::of(&reached));
        let name = |lane: Option<usize>| Some(self.caps(lane?)?.name);
        let (message, rma) = (self.message(peer), self.rma(peer));
        let (lane, memory) = (name(message), name(rma));
        let memory_hints = rma.map(|at| hints[at].clone()).unwrap_or_default();
        self.lengths[peer.index()] = Lengths {
            get_min: memory_hints.get_min,
            waiting_max: message.map_or(0, |at| hints[at].waiting_max),
        };
        Ok(Choice {
            peer,
            lane,
            memory,
            reads: memory_hints.reads,
            through: memory_hints.explain,
            reads_from: memory_hints.get_min,
            considered: order.iter().map(|at| considered[*at].clone()).collect(),
        })
    }

    /// Returns the transports by these numbers, the best first.
    fn order(&self, facts: &[Facts]) -> Vec<usize> {
        let mut order: Vec<usize> = (0..facts.len()).collect();
        order.sort_by_key(|at| facts[*at].order(self.transport(*at).caps().name));
        order
    }

    /// Chooses a peer's lanes: the first in `order` that reaches it and can serve.
    fn choose(&self, order: &[usize], facts: &[Facts], hints: &[Hints], reached: &[bool]) -> Pair {
        let usable = || order.iter().copied().filter(|at| reached[*at]);
        let message = usable().find(|at| self.transport(*at).caps().max_send_size > 0);
        // Fragments over a more exclusive lane beat reading over a less exclusive one.
        let least = message.map_or(0, |at| facts[at].exclusivity);
        let reads = |at: &usize| facts[*at].exclusivity >= least && hints[*at].reads;
        let rma = usable().find(reads).or(message).or_else(|| usable().next());
        let index = |at: Option<usize>| at.map_or(NONE, |at| at as u8);
        Pair {
            message: index(message),
            rma: index(rma),
        }
    }

    fn set(&mut self, peer: PeerId, pair: Pair, reached: Reaching) {
        if self.peers.len() <= peer.index() {
            self.peers.resize(peer.index() + 1, NO_LANES);
            self.lengths.resize(peer.index() + 1, Lengths::default());
            self.reach.resize(peer.index() + 1, Reaching::default());
        }
        let before = std::mem::replace(&mut self.peers[peer.index()], pair);
        let reached_before = std::mem::replace(&mut self.reach[peer.index()], reached);
        for (at, opened) in self.opened.iter_mut().enumerate() {
            let uses = |pair: Pair| {
                usize::from(usize::from(pair.message) == at)
                    + usize::from(usize::from(pair.rma) == at)
            };
            opened.lanes = opened.lanes + uses(pair) - uses(before);
            opened.reached += usize::from(reached.has(at));
            opened.reached -= usize::from(reached_before.has(at));
        }
    }

    pub(crate) fn remove_peer(&mut self, peer: PeerId) {
        for opened in &mut self.opened {
            opened.transport.remove_peer(peer);
        }
        if peer.index() < self.peers.len() {
            self.set(peer, NO_LANES, Reaching::default());
            self.lengths[peer.index()] = Lengths::default();
        }
    }

    /// Returns the transport that carries a peer's messages.
    #[inline]
    pub(crate) fn message(&self, peer: PeerId) -> Option<usize> {
        let pair = self.peers.get(peer.index())?;
        (pair.message != NONE).then_some(usize::from(pair.message))
    }

    /// Returns the transport over which a peer's memory is reached.
    #[inline]
    pub(crate) fn rma(&self, peer: PeerId) -> Option<usize> {
        let pair = self.peers.get(peer.index())?;
        (pair.rma != NONE).then_some(usize::from(pair.rma))
    }

    /// Whether a transport reaches a peer, chosen or not.
    pub(crate) fn reaches(&self, peer: PeerId, lane: usize) -> bool {
        let reach = self.reach.get(peer.index());
        reach.is_some_and(|reach| reach.has(lane))
    }

    /// Returns the transports over which any peer's memory is reached.
    pub(crate) fn rma_lanes(&self) -> impl Iterator<Item = usize> + '_ {
        let used = |at: &usize| self.peers.iter().any(|pair| usize::from(pair.rma) == *at);
        (0..self.opened.len()).filter(used)
    }

    pub(crate) fn caps(&self, lane: usize) -> Option<&Caps> {
        self.opened.get(lane).map(|opened| opened.transport.caps())
    }

    pub(crate) fn transport(&self, lane: usize) -> &dyn Transport {
        &*self.opened[lane].transport
    }

    #[inline(always)]
    pub(crate) fn message_lane(&mut self, peer: PeerId) -> Result<&mut dyn Transport, Error> {
        match self.message(peer) {
            Some(lane) => Ok(&mut *self.opened[lane].transport),
            None => Err(Error::Unreachable { peer }),
        }
    }

    #[inline]
    pub(crate) fn rma_lane(&mut self, peer: PeerId) -> Result<&mut dyn Transport, Error> {
        match self.rma(peer) {
            Some(lane) => Ok(&mut *self.opened[lane].transport),
            None => Err(Error::Unreachable { peer }),
        }
    }

    /// Returns a transport's access to memory, if it has any.
    #[inline]
    pub(crate) fn access(&mut self, lane: usize) -> Option<&mut dyn Rma> {
        self.opened[lane].transport.rma()
    }

    /// Returns the bytes from which on reading moves a peer's message faster.
    #[inline]
    pub(crate) fn get_min(&self, peer: PeerId) -> usize {
        let lengths = self.lengths.get(peer.index());
        lengths.map_or(0, |lengths| lengths.get_min)
    }

    /// Whether a peer waits right now, so that a transfer of `len` bytes is faster by messages.
    #[inline]
    pub(crate) fn prefers_messages(&mut self, peer: PeerId, len: usize) -> bool {
        let lengths = self.lengths.get(peer.index()).copied().unwrap_or_default();
        if len == 0 || len > lengths.waiting_max {
            return len == 0;
        }
        let presence = self.presence(peer);
        presence.is_some_and(|presence| presence.is_waiting(peer))
    }

    /// Returns the peer's and this process's view of each other's waiting, by the lane of messages.
    pub(crate) fn presence(&mut self, peer: PeerId) -> Option<&mut dyn Presence> {
        let lane = self.message(peer)?;
        self.opened[lane].transport.presence()
    }

    /// Returns the choice of what carries long messages to a peer, where one transport moves its
    /// messages and reads its memory.
    pub(crate) fn carriage(&mut self, peer: PeerId) -> Option<&mut dyn Carriage> {
        let lane = self.message(peer)?;
        match self.rma(peer) == Some(lane) {
            true => self.opened[lane].transport.carriage(),
            false => None,
        }
    }

    /// Ends a registration with a transport.
    pub(crate) fn deregister(&mut self, lane: usize, registration: Registration) {
        if let Some(rma) = self.access(lane) {
            rma.deregister(registration);
        }
    }

    /// Returns every transport's presence.
    pub(crate) fn presences(&mut self) -> impl Iterator<Item = &mut dyn Presence> {
        let opened = self.opened.iter_mut();
        opened.filter_map(|opened| opened.transport.presence())
    }

    pub(crate) fn is_kept(&self, peer: PeerId) -> bool {
        let lane = self.message(peer);
        lane.is_some_and(|lane| self.opened[lane].transport.is_kept(peer))
    }

    pub(crate) fn flush(&mut self, peer: PeerId) -> Result<Flow, Error> {
        let (message, rma) = (self.message(peer), self.rma(peer));
        let mut flow = self.rma_lane(peer)?.flush(peer)?;
        if message.is_some()
            && message != rma
            && self.message_lane(peer)?.flush(peer)? == Flow::Busy
        {
            flow = Flow::Busy;
        }
        Ok(flow)
    }

    #[inline]
    pub(crate) fn progress(&mut self, sink: &mut dyn Sink) -> usize {
        self.polls = self.polls.wrapping_add(1);
        let everywhere = self.polls.is_multiple_of(IDLE_POLL_INTERVAL);
        let mut reports = 0;
        for opened in &mut self.opened {
            if opened.lanes != 0 || everywhere {
                reports += opened.transport.progress(sink);
            }
        }
        reports
    }

    /// Returns a number that changes as parts of messages come in; see [`Transport::moves`].
    pub(crate) fn moves(&self) -> u64 {
        let moves = self.opened.iter().map(|opened| opened.transport.moves());
        moves.fold(0, u64::wrapping_add)
    }

    /// Whether a transport with a lane backs off after empty polls.
    #[inline]
    pub(crate) fn backs_off(&self) -> bool {
        let backs_off = |opened: &OpenTransport| opened.lanes != 0 && opened.backs_off;
        self.any_backs_off && self.opened.iter().any(backs_off)
    }

    /// Follows an empty poll of all lanes.
    #[cold]
    fn back_off(&mut self) {
        for opened in &mut self.opened {
            if opened.lanes != 0 && opened.backs_off {
                opened.transport.back_off();
            }
        }
    }

    /// Ends a poll with `happened` events.
    #[inline]
    pub(crate) fn polled(&mut self, happened: usize) -> usize {
        if happened == 0 && self.any_backs_off {
            self.back_off();
        }
        happened
    }

    /// Makes the next progress poll transports without a lane too.
    pub(crate) fn look_everywhere(&mut self) {
        self.polls = IDLE_POLL_INTERVAL - 1;
    }

    pub(crate) fn close(&mut self) {
        for opened in &mut self.opened {
            opened.transport.close();
        }
    }
}

impl Messenger for Lanes {
    fn send(&mut self, peer: PeerId, header: &[u8], payload: UserBuf) -> Result<Flow, Error> {
        self.message_lane(peer)?
            .send(peer, AmTag::RMA, header, payload)
    }

    fn message_bytes_max(&self, peer: PeerId) -> usize {
        let lane = self.message(peer).and_then(|lane| self.caps(lane));
        lane.map_or(0, |caps| caps.max_send_size)
    }

    fn check(&mut self, peer: PeerId) -> Result<(), Error> {
        self.message_lane(peer)?.flush(peer).map(drop)
    }
}
