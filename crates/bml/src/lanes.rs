//! Which transport carries what of a peer.

use std::sync::Arc;

use base::{AmTag, PeerId};
use btl::{Caps, Error, Flow, FutexWord, Reach, Sink, Transport};
use memory::UserBuf;

use crate::emulation::Messenger;
use crate::{address, Choice, Considered, Facts};

/// Polls of the lanes between two polls of transports without a lane.
const IDLE_POLL_INTERVAL: u32 = 1024;

/// Stands for no transport.
const NONE: u8 = u8::MAX;

pub(crate) struct Opened {
    pub(crate) transport: Box<dyn Transport>,
    /// Peers' lanes that this carries.
    pub(crate) lanes: usize,
    /// Peers that this reaches, chosen or not.
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

/// Opened transports, best first, and the lanes of each peer.
pub(crate) struct Lanes {
    pub(crate) opened: Vec<Opened>,
    peers: Vec<Pair>,
    /// By peer and transport: whether it reaches it.
    reach: Vec<Vec<bool>>,
    polls: u32,
    /// Whether any of them rests after looks in vain.
    any_rests: bool,
}

impl Lanes {
    pub(crate) fn new(mut transports: Vec<Box<dyn Transport>>) -> Lanes {
        transports.sort_by_key(|t| (std::cmp::Reverse(t.caps().exclusivity), t.caps().latency_ns));
        let opened = transports.into_iter().map(|transport| Opened {
            transport,
            lanes: 0,
            reached: 0,
        });
        let opened: Vec<Opened> = opened.collect();
        Lanes {
            any_rests: opened.iter().any(|opened| opened.transport.rests()),
            opened,
            peers: Vec::new(),
            reach: Vec::new(),
            polls: 0,
        }
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

    pub(crate) fn add_peer(&mut self, peer: PeerId, address: &[u8]) -> Result<Choice, Error> {
        let no_list = || Error::Protocol {
            peer,
            what: "a list of addresses that is none".into(),
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
                    let reach = opened.transport.add_peer(peer, address)?;
                    (reach, own.with(theirs))
                }
                None => (Reach::No("the peer does not have it open".into()), own),
            };
            considered.push(Considered {
                name,
                reach,
                facts: Some(facts),
            });
            all_facts.push(facts);
        }
        let reached: Vec<bool> = considered.iter().map(|c| c.reach == Reach::Yes).collect();
        let order = self.order(&all_facts);
        let pair = self.choose(peer, &order, &all_facts, &reached);
        self.set(peer, pair, reached);
        let name = |lane: Option<usize>| Some(self.caps(lane?)?.name);
        let memory = self.rma(peer).map(|lane| self.transport(lane));
        Ok(Choice {
            peer,
            lane: name(self.message(peer)),
            memory: name(self.rma(peer)),
            reads: memory.is_some_and(|memory| memory.can_get(peer)),
            through: memory.and_then(|memory| memory.explain_memory(peer)),
            reads_from: memory.map_or(0, |memory| memory.get_min(peer)),
            considered: order.iter().map(|at| considered[*at].clone()).collect(),
        })
    }

    /// The transports by these numbers, the best first.
    fn order(&self, facts: &[Facts]) -> Vec<usize> {
        let mut order: Vec<usize> = (0..facts.len()).collect();
        order.sort_by_key(|at| facts[*at].order(self.transport(*at).caps().name));
        order
    }

    /// The lanes of a peer that these transports reach, the first in `order` if it can serve.
    fn choose(&self, peer: PeerId, order: &[usize], facts: &[Facts], reached: &[bool]) -> Pair {
        let usable = || order.iter().copied().filter(|at| reached[*at]);
        let message = usable().find(|at| self.transport(*at).caps().max_send_size > 0);
        // Messages in pieces over a near lane beat reading over a far one.
        let least = message.map_or(0, |at| facts[at].exclusivity);
        let reads =
            |at: &usize| facts[*at].exclusivity >= least && self.transport(*at).can_get(peer);
        let rma = usable().find(reads).or(message).or_else(|| usable().next());
        let index = |at: Option<usize>| at.map_or(NONE, |at| at as u8);
        Pair {
            message: index(message),
            rma: index(rma),
        }
    }

    fn set(&mut self, peer: PeerId, pair: Pair, reached: Vec<bool>) {
        if self.peers.len() <= peer.index() {
            self.peers.resize(peer.index() + 1, NO_LANES);
            self.reach.resize(peer.index() + 1, Vec::new());
        }
        let before = std::mem::replace(&mut self.peers[peer.index()], pair);
        let reached_before = std::mem::replace(&mut self.reach[peer.index()], reached);
        for (at, opened) in self.opened.iter_mut().enumerate() {
            let uses = |pair: Pair| {
                usize::from(usize::from(pair.message) == at)
                    + usize::from(usize::from(pair.rma) == at)
            };
            let reaches = |reach: &[bool]| usize::from(reach.get(at) == Some(&true));
            opened.lanes = opened.lanes + uses(pair) - uses(before);
            opened.reached += reaches(&self.reach[peer.index()]);
            opened.reached -= reaches(&reached_before);
        }
    }

    pub(crate) fn remove_peer(&mut self, peer: PeerId) {
        for opened in &mut self.opened {
            opened.transport.remove_peer(peer);
        }
        if peer.index() < self.peers.len() {
            self.set(peer, NO_LANES, Vec::new());
        }
    }

    /// The transport that carries a peer's messages.
    #[inline]
    pub(crate) fn message(&self, peer: PeerId) -> Option<usize> {
        let pair = self.peers.get(peer.index())?;
        (pair.message != NONE).then_some(usize::from(pair.message))
    }

    /// The transport over which a peer's memory is reached.
    #[inline]
    pub(crate) fn rma(&self, peer: PeerId) -> Option<usize> {
        let pair = self.peers.get(peer.index())?;
        (pair.rma != NONE).then_some(usize::from(pair.rma))
    }

    /// Whether a transport reaches a peer, chosen or not.
    pub(crate) fn reaches(&self, peer: PeerId, lane: usize) -> bool {
        let reach = self.reach.get(peer.index());
        reach.is_some_and(|reach| reach.get(lane) == Some(&true))
    }

    /// The transports over which any peer's memory is reached.
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

    pub(crate) fn transport_mut(&mut self, lane: usize) -> &mut dyn Transport {
        &mut *self.opened[lane].transport
    }

    #[inline]
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

    /// Whether a transport with a lane rests after looks in vain.
    #[inline]
    pub(crate) fn rests(&self) -> bool {
        let rests = |opened: &Opened| opened.lanes != 0 && opened.transport.rests();
        self.any_rests && self.opened.iter().any(rests)
    }

    /// What follows a look at all lanes that found nothing.
    #[cold]
    fn rest(&mut self) {
        for opened in self.opened.iter_mut().filter(|opened| opened.lanes != 0) {
            opened.transport.rest();
        }
    }

    /// Ends a look that has found so much.
    #[inline]
    pub(crate) fn found(&mut self, happened: usize) -> usize {
        if happened == 0 && self.any_rests {
            self.rest();
        }
        happened
    }

    /// Has all transports say whether this process waits for messages.
    pub(crate) fn attend(&mut self, attends: bool) {
        for opened in &mut self.opened {
            opened.transport.attend(attends);
        }
    }

    /// The word of the first transport that has one to stand by on.
    pub(crate) fn standby(&self) -> Option<Arc<dyn FutexWord>> {
        self.opened
            .iter()
            .find_map(|opened| opened.transport.standby())
    }

    /// Lets the next progress look at transports without a lane too.
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
