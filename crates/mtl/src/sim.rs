//! A simulated matching network for tests: any number of processes in one thread, with delays, full
//! queues and dead peers from a seed.
//!
//! A message travels in the queue of its (sender, receiver) pair until the receiver's `progress`
//! takes it out, which a seed may put off; so messages of one sender keep their order and those
//! of different senders do not. Matching is done where they arrive.

use std::collections::VecDeque;
use std::sync::Arc;

use base::{Mutex, PeerId, Random};
use memory::{Payload, UserBuf};

use crate::{
    Caps, Envelope, Error, Flow, Reach, Selector, Sink, SleepKind, Started, Token, Transport, Waker,
};

/// The network's effects on its processes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Config {
    /// Processes.
    pub size: usize,
    /// Seed of delays and full queues.
    pub seed: u64,
    /// Messages that arrive at a progress, in percent; the others wait for the next one.
    pub arrive_percent: u8,
    /// Operations that are refused as `Busy`, in percent.
    pub busy_percent: u8,
    /// The capabilities that the transports report.
    pub caps: Caps,
}

impl Config {
    /// A network without faults.
    pub fn calm(size: usize) -> Config {
        Config {
            size,
            seed: 0,
            arrive_percent: 100,
            busy_percent: 0,
            caps: Caps {
                name: "sim",
                label_bits: 64,
                inject_max: 64,
                message_max: 1 << 20,
                directed: true,
                notes: true,
                in_hardware: true,
                priority: 0,
            },
        }
    }
}

struct Message {
    bits: u64,
    note: u16,
    bytes: Vec<u8>,
    /// The token under which the send is reported once the message is out of the queue.
    token: Option<Token>,
}

struct Posted {
    selector: Selector,
    room: UserBuf,
    token: Token,
}

#[derive(Default)]
struct Node {
    /// Messages in flight to this process, by sender.
    incoming: Vec<VecDeque<Message>>,
    posted: VecDeque<Posted>,
    unexpected: VecDeque<(PeerId, Message)>,
    claimed: Vec<(Token, PeerId, Message)>,
    reports: VecDeque<Report>,
    dead: bool,
    /// Whether receives cannot be cancelled.
    seized: bool,
}

enum Report {
    Sent(Token, Result<(), Error>),
    Received(Token, Result<Envelope, Error>),
    Peeked(Token, Option<Envelope>),
    Cancelled(Token),
    PeerFailed(PeerId),
}

struct Network {
    config: Config,
    random: Random,
    nodes: Vec<Node>,
}

/// A matching network in memory. Cloning gives another handle of the same one.
#[derive(Clone)]
pub struct Fabric(Arc<Mutex<Network>>);

/// One process's end of a [`Fabric`].
pub struct Sim {
    fabric: Fabric,
    me: PeerId,
    caps: Caps,
}

impl Fabric {
    /// A network and the ends of all its processes.
    pub fn new(config: Config) -> (Fabric, Vec<Sim>) {
        let nodes = (0..config.size).map(|_| Node {
            incoming: (0..config.size).map(|_| VecDeque::new()).collect(),
            ..Node::default()
        });
        let fabric = Fabric(Arc::new(Mutex::new(Network {
            random: Random::new(config.seed),
            nodes: nodes.collect(),
            config: config.clone(),
        })));
        let end = |me| Sim {
            fabric: fabric.clone(),
            me: PeerId(me),
            caps: config.caps.clone(),
        };
        let ends = (0..config.size as u32).map(end).collect();
        (fabric, ends)
    }

    /// Ends a process: messages that it sent and that did not arrive are lost, those in flight to
    /// it fail, and the others are notified.
    pub fn kill(&self, peer: PeerId) {
        let mut network = self.0.lock();
        network.nodes[peer.index()].dead = true;
        let lost = std::mem::take(&mut network.nodes[peer.index()].incoming);
        for (node, lost) in network.nodes.iter_mut().zip(lost) {
            if let Some(from_it) = node.incoming.get_mut(peer.index()) {
                from_it.clear();
            }
            for token in lost.into_iter().filter_map(|message| message.token) {
                let failed = Report::Sent(token, Err(gone(peer)));
                node.reports.push_back(failed);
            }
            node.reports.push_back(Report::PeerFailed(peer));
        }
    }

    /// Makes the receives of a process behave from now on as if each had got the beginning of its
    /// message: none can be cancelled, nor is any reported before its message is there. Claimed
    /// messages do not arrive.
    pub fn seize(&self, peer: PeerId) {
        self.0.lock().nodes[peer.index()].seized = true;
    }

    /// Breaks all receives of a process off, without naming a failed peer.
    pub fn break_receives(&self, peer: PeerId) {
        let mut network = self.0.lock();
        let node = &mut network.nodes[peer.index()];
        for posted in std::mem::take(&mut node.posted) {
            let what = "operation of the network".to_string();
            let why = "the way broke".to_string();
            let broken = Report::Received(posted.token, Err(Error::Resource { what, why }));
            node.reports.push_back(broken);
        }
    }

    /// How many receives are posted at a process and how many messages wait there unmatched.
    pub fn queues(&self, peer: PeerId) -> (usize, usize) {
        let network = self.0.lock();
        let node = &network.nodes[peer.index()];
        (node.posted.len(), node.unexpected.len())
    }
}

impl Network {
    fn is_busy(&mut self) -> bool {
        let percent = self.config.busy_percent;
        self.random.chance(percent)
    }

    fn send(&mut self, from: PeerId, to: PeerId, message: Message) -> Result<Flow, Error> {
        match self.nodes.get(to.index()) {
            None => return Err(Error::Unreachable { peer: to }),
            Some(node) if node.dead => return Err(gone(to)),
            Some(_) => {}
        }
        if self.is_busy() {
            return Ok(Flow::Busy);
        }
        self.nodes[to.index()].incoming[from.index()].push_back(message);
        Ok(Flow::Sent)
    }

    /// Lets messages for `me` arrive.
    fn arrivals(&mut self, me: PeerId) {
        // A process that was killed has no queues any more.
        for from in 0..self.nodes[me.index()].incoming.len() {
            while !self.nodes[me.index()].incoming[from].is_empty() {
                if !self.random.chance(self.config.arrive_percent) {
                    break;
                }
                let node = &mut self.nodes[me.index()];
                let Some(mut message) = node.incoming[from].pop_front() else {
                    break;
                };
                if let Some(token) = message.token.take() {
                    let sent = Report::Sent(token, Ok(()));
                    self.nodes[from].reports.push_back(sent);
                }
                self.nodes[me.index()].arrived(PeerId(from as u32), message);
            }
        }
    }
}

impl Node {
    fn arrived(&mut self, from: PeerId, message: Message) {
        let accepts = |posted: &Posted| posted.selector.accepts(from, message.bits);
        match self.posted.iter().position(accepts) {
            Some(at) => {
                let posted = self.posted.remove(at).expect("just found");
                self.deliver(from, &message, posted.room, posted.token);
            }
            None => self.unexpected.push_back((from, message)),
        }
    }

    fn deliver(&mut self, from: PeerId, message: &Message, room: UserBuf, token: Token) {
        Payload::from(&message.bytes[..]).copy_to_user(room);
        let envelope = message.envelope(from);
        self.reports
            .push_back(Report::Received(token, Ok(envelope)));
    }

    fn find(&self, selector: &Selector) -> Option<usize> {
        self.unexpected
            .iter()
            .position(|(from, message)| selector.accepts(*from, message.bits))
    }
}

impl Message {
    fn envelope(&self, from: PeerId) -> Envelope {
        Envelope {
            from: Some(from),
            bits: self.bits,
            note: Some(self.note),
            len: self.bytes.len() as u64,
        }
    }
}

fn gone(peer: PeerId) -> Error {
    let how = "it was killed".to_string();
    Error::PeerGone { peer, how }
}

fn bytes_of(payload: UserBuf) -> Vec<u8> {
    let mut bytes = vec![0; payload.len()];
    payload.read(0, &mut bytes);
    bytes
}

impl Transport for Sim {
    fn caps(&self) -> &Caps {
        &self.caps
    }

    fn address(&self) -> Vec<u8> {
        self.me.0.to_le_bytes().to_vec()
    }

    fn add_peer(&mut self, peer: PeerId, address: &[u8]) -> Result<Reach, Error> {
        if address != peer.0.to_le_bytes() {
            let what = "an address that is not its own".to_string();
            return Err(Error::Protocol { peer, what });
        }
        Ok(Reach::Reachable)
    }

    fn remove_peer(&mut self, _peer: PeerId) {}

    fn inject(
        &mut self,
        to: PeerId,
        bits: u64,
        note: u16,
        payload: UserBuf,
    ) -> Result<Flow, Error> {
        let limit = self.caps.inject_max;
        if payload.len() > limit {
            let len = payload.len();
            return Err(Error::TooLarge {
                peer: to,
                len,
                limit,
            });
        }
        let message = Message {
            bits,
            note,
            bytes: bytes_of(payload),
            token: None,
        };
        self.fabric.0.lock().send(self.me, to, message)
    }

    fn send(
        &mut self,
        to: PeerId,
        bits: u64,
        note: u16,
        payload: UserBuf,
        token: Token,
    ) -> Result<Started, Error> {
        let message = Message {
            bits,
            note,
            bytes: bytes_of(payload),
            token: Some(token),
        };
        Ok(match self.fabric.0.lock().send(self.me, to, message)? {
            Flow::Sent => Started::Pending,
            Flow::Busy => Started::Busy,
        })
    }

    fn recv(&mut self, selector: &Selector, room: UserBuf, token: Token) -> Result<Started, Error> {
        assert!(self.caps.directed || selector.from.is_none());
        let mut network = self.fabric.0.lock();
        if network.is_busy() {
            return Ok(Started::Busy);
        }
        let node = &mut network.nodes[self.me.index()];
        match node.find(selector) {
            Some(at) => {
                let (from, message) = node.unexpected.remove(at).expect("just found");
                node.deliver(from, &message, room, token);
            }
            None => node.posted.push_back(Posted {
                selector: *selector,
                room,
                token,
            }),
        }
        Ok(Started::Pending)
    }

    fn peek(&mut self, selector: &Selector, claim: bool, token: Token) -> Result<Started, Error> {
        let mut network = self.fabric.0.lock();
        if network.is_busy() {
            return Ok(Started::Busy);
        }
        let node = &mut network.nodes[self.me.index()];
        let found = node.find(selector);
        let envelope = found.map(|at| {
            let (from, message) = &node.unexpected[at];
            message.envelope(*from)
        });
        if let Some(at) = found.filter(|_| claim) {
            let (from, message) = node.unexpected.remove(at).expect("just found");
            node.claimed.push((token, from, message));
        }
        node.reports.push_back(Report::Peeked(token, envelope));
        Ok(Started::Pending)
    }

    fn recv_claimed(
        &mut self,
        claimed: Token,
        _selector: &Selector,
        room: UserBuf,
        token: Token,
    ) -> Result<Started, Error> {
        let mut network = self.fabric.0.lock();
        if network.is_busy() {
            return Ok(Started::Busy);
        }
        let node = &mut network.nodes[self.me.index()];
        let Some(at) = node.claimed.iter().position(|(of, _, _)| *of == claimed) else {
            let what = "a message that was claimed".to_string();
            let why = "it is not there".to_string();
            return Err(Error::Resource { what, why });
        };
        if node.seized {
            return Ok(Started::Pending);
        }
        let (_, from, message) = node.claimed.swap_remove(at);
        node.deliver(from, &message, room, token);
        Ok(Started::Pending)
    }

    fn cancel(&mut self, token: Token) {
        let mut network = self.fabric.0.lock();
        let node = &mut network.nodes[self.me.index()];
        if node.seized {
            return;
        }
        let waits = node.posted.iter().position(|posted| posted.token == token);
        if let Some(at) = waits {
            node.posted.remove(at);
            node.reports.push_back(Report::Cancelled(token));
        }
    }

    fn progress(&mut self, sink: &mut dyn Sink) -> usize {
        let mut network = self.fabric.0.lock();
        network.arrivals(self.me);
        let reports = std::mem::take(&mut network.nodes[self.me.index()].reports);
        drop(network);
        let count = reports.len();
        for report in reports {
            match report {
                Report::Sent(token, result) => sink.sent(token, result),
                Report::Received(token, result) => sink.received(token, result),
                Report::Peeked(token, found) => sink.peeked(token, found),
                Report::Cancelled(token) => sink.cancelled(token),
                Report::PeerFailed(peer) => sink.peer_failed(peer, gone(peer)),
            }
        }
        count
    }

    fn arm(&mut self, _kind: SleepKind) -> Option<Waker> {
        Some(Waker::Poll)
    }

    fn disarm(&mut self) {}

    fn close(&mut self) {}
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conformance;

    #[test]
    fn the_network_in_memory_conforms() {
        for seed in 0..20 {
            let open = |size: u32| {
                let mut config = Config::calm(size as usize);
                config.seed = seed;
                config.arrive_percent = 50;
                config.busy_percent = 20;
                let (_, ends) = Fabric::new(config);
                let boxed = ends
                    .into_iter()
                    .map(|end| Box::new(end) as Box<dyn Transport>);
                Some(boxed.collect())
            };
            conformance::check(open, conformance::Extent::of(50));
        }
    }
}
