//! The instances under test, connected in one process, and a record of their events.

use std::collections::{HashMap, VecDeque};
use std::time::{Duration, Instant};

use base::{AmTag, PeerId};

use super::fixture::{Fixture, Tick};
use super::message::{content, content_buf, expect_content};
use crate::{Arrival, Error, Flow, Reach, Rma, Sink, Token, Transport};

/// A message that came in.
#[derive(Debug)]
pub struct Received {
    pub from: PeerId,
    pub tag: AmTag,
    pub bytes: Vec<u8>,
}

/// The reports of an instance.
#[derive(Default)]
pub struct Record {
    pub inbox: VecDeque<Received>,
    pub done: HashMap<u64, Result<(), Error>>,
    pub failed: Vec<(PeerId, Error)>,
    reports: usize,
}

impl Sink for Record {
    fn deliver(&mut self, arrival: Arrival<'_>) {
        self.reports += 1;
        let Arrival { from, tag, payload } = arrival;
        self.inbox.push_back(Received {
            from,
            tag,
            bytes: payload.to_vec(),
        });
    }

    fn done(&mut self, token: Token, outcome: Result<(), Error>) {
        self.reports += 1;
        let twice = self.done.insert(token.0, outcome);
        assert!(twice.is_none(), "{token:?} was reported twice");
    }

    fn peer_failed(&mut self, peer: PeerId, error: Error) {
        self.reports += 1;
        let twice = self.failed.iter().any(|(failed, _)| *failed == peer);
        assert!(!twice, "the failure of {peer} was reported twice");
        self.failed.push((peer, error));
    }
}

/// The kind of send for a message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SendKind {
    Send,
    Packed,
}

/// One instance and its record.
pub struct Node {
    pub id: PeerId,
    pub transport: Box<dyn Transport>,
    pub record: Record,
    pub tick: Tick,
    patience: Duration,
}

impl Node {
    /// The transport's access to memory, which it has where its `Caps` say so.
    pub fn rma(&mut self) -> &mut dyn Rma {
        self.transport.rma().expect("access to memory")
    }

    /// One round of progress.
    pub fn progress(&mut self) -> usize {
        let before = self.record.reports;
        let returned = self.transport.progress(&mut self.record);
        let made = self.record.reports - before;
        assert!(
            returned >= made,
            "progress of {} returned {returned} after {made} reports",
            self.id
        );
        made
    }

    /// Offers message `number` of `len` bytes, `head` of them as its header.
    pub fn offer(
        &mut self,
        to: PeerId,
        number: u64,
        (len, head): (usize, usize),
        way: SendKind,
    ) -> Result<Flow, Error> {
        let tag = tag_of(number);
        let (header, body) = content(number, len).split_at(head);
        let payload = content_buf(number, len).from(head);
        match way {
            SendKind::Send => self.transport.send(to, tag, header, payload),
            SendKind::Packed => {
                let mut packed = 0;
                let flow = self
                    .transport
                    .send_packed(to, tag, header, body.len(), &mut |slot| {
                        packed += 1;
                        assert_eq!(slot.len(), body.len(), "room lent for message {number}");
                        slot.write(0, body);
                    });
                let wanted = usize::from(flow == Ok(Flow::Sent));
                assert_eq!(
                    packed, wanted,
                    "calls of pack for message {number}: {flow:?}"
                );
                flow
            }
        }
    }

    /// Takes the next message, which must be `number` of `len` bytes from `from`.
    pub fn expect(&mut self, from: PeerId, number: u64, len: usize) {
        let id = self.id;
        let message = self.record.inbox.pop_front();
        let message = message.unwrap_or_else(|| panic!("{id} has no message {number}"));
        assert_eq!(message.from, from, "sender of message {number}");
        assert_eq!(message.tag, tag_of(number), "tag of message {number}");
        assert_eq!(message.bytes.len(), len, "length of message {number}");
        expect_content("message", number, &message.bytes);
    }

    /// Drives this instance alone until `done` says so. For instances in threads of their own.
    pub fn until(&mut self, what: &str, mut done: impl FnMut(&mut Node) -> bool) {
        let mut last_progress = Instant::now();
        while !done(self) {
            // Not for each event of a simulation: on a loaded machine a yield costs a slice.
            match self.progress() {
                0 if !(self.tick)() => std::thread::yield_now(),
                0 => {}
                _ => last_progress = Instant::now(),
            }
            assert!(
                last_progress.elapsed() < self.patience,
                "{} waited too long: {what}",
                self.id
            );
        }
    }
}

/// Returns the tag of message `number`: any of the 256 but [`AmTag::RMA`], which belongs to the
/// emulation of access to memory.
pub fn tag_of(number: u64) -> AmTag {
    match AmTag((number.wrapping_mul(37) >> 2) as u8) {
        AmTag::RMA => AmTag::USER,
        tag => tag,
    }
}

/// Joined instances.
pub struct World {
    pub nodes: Vec<Node>,
    pub tick: Tick,
    patience: Duration,
}

impl World {
    /// Opens up to `n` instances and introduces each to all, itself included.
    pub fn join(fixture: &mut dyn Fixture, n: usize) -> World {
        let n = n.min(fixture.instances_max());
        let transports = fixture.open(n);
        assert_eq!(transports.len(), n, "instances opened");
        let (tick, patience) = (fixture.tick(), Duration::from_secs(fixture.patience_s()));
        let mut world = World {
            nodes: Vec::new(),
            tick: tick.clone(),
            patience,
        };
        for (i, transport) in transports.into_iter().enumerate() {
            let (id, record) = (PeerId(i as u32), Record::default());
            world.nodes.push(Node {
                id,
                transport,
                record,
                tick: tick.clone(),
                patience,
            });
        }
        let addresses: Vec<_> = world.nodes.iter().map(|n| n.transport.address()).collect();
        for node in &mut world.nodes {
            for (peer, address) in addresses.iter().enumerate() {
                let reach = node.transport.add_peer(PeerId(peer as u32), address);
                let oneself = node.id.index() == peer && n > 1;
                let reached = reach == Ok(Reach::Reachable);
                assert!(reached || oneself, "{} to peer {peer}: {reach:?}", node.id);
            }
        }
        world
    }

    /// Whether there are no messages, only access to memory: properties of messages are not
    /// for such a transport.
    pub fn is_mute(&self) -> bool {
        let mute = |node: &Node| node.transport.caps().max_send_size == 0;
        self.nodes.first().is_some_and(mute)
    }

    /// Two joined instances; the positions of the sender and the receiver, which are the same
    /// where a transport reaches only itself.
    pub fn pair(fixture: &mut dyn Fixture) -> (World, usize, usize) {
        let world = World::join(fixture, 2);
        let to = world.nodes.len() - 1;
        (world, 0, to)
    }

    /// One round: every instance progresses, and time goes on.
    pub fn round(&mut self) {
        self.advance();
    }

    /// One round; false when nothing happened in it.
    fn advance(&mut self) -> bool {
        let reports: usize = self.nodes.iter_mut().map(Node::progress).sum();
        reports > 0 || (self.tick)()
    }

    /// Runs rounds until `done` says so.
    pub fn until(&mut self, what: &str, mut done: impl FnMut(&mut World) -> bool) {
        self.until_in(&mut (), |(), world| done(world), |()| what.to_string());
    }

    /// Runs rounds until `done` says so of `state`; `what` describes what is still missing.
    pub fn until_in<S>(
        &mut self,
        state: &mut S,
        mut done: impl FnMut(&mut S, &mut World) -> bool,
        what: impl Fn(&S) -> String,
    ) {
        let start = Instant::now();
        let mut idle = 0u32;
        while !done(state, self) {
            idle = match self.advance() {
                true => 0,
                false => idle + 1,
            };
            let waited = start.elapsed();
            assert!(
                waited < self.patience,
                "waited too long: {}; lost by then: {:?}",
                what(state),
                self.losses()
            );
            if idle > 1000 {
                std::thread::yield_now();
            }
        }
    }

    /// Returns the peers that each instance has lost, and why.
    fn losses(&self) -> Vec<(PeerId, &[(PeerId, Error)])> {
        let nodes = self.nodes.iter();
        let losses = nodes.map(|node| (node.id, &node.record.failed[..]));
        losses.filter(|(_, failed)| !failed.is_empty()).collect()
    }

    /// Sends message `number`, with retries while the transport is busy.
    pub fn send(
        &mut self,
        from: usize,
        to: usize,
        number: u64,
        shape: (usize, usize),
        way: SendKind,
    ) {
        let peer = self.nodes[to].id;
        self.until("a send that is not busy", |world| {
            match world.nodes[from].offer(peer, number, shape, way) {
                Ok(flow) => flow == Flow::Sent,
                Err(error) => panic!("message {number} of {shape:?} bytes: {error}"),
            }
        });
    }

    /// Waits for message `number` and checks it.
    pub fn receive(&mut self, from: usize, to: usize, number: u64, len: usize) {
        self.until("a message", |world| {
            !world.nodes[to].record.inbox.is_empty()
        });
        let peer = self.nodes[from].id;
        self.nodes[to].expect(peer, number, len);
    }

    /// Some rounds in which nothing more may come in anywhere.
    pub fn expect_silence(&mut self) {
        for _ in 0..50 {
            self.round();
        }
        for node in &self.nodes {
            let extra = node
                .record
                .inbox
                .front()
                .map(|m| (m.from, m.tag, m.bytes.len()));
            assert_eq!(extra, None, "{} has a message that no peer sent", node.id);
        }
    }

    /// The length, or the largest that an instance can send.
    pub fn possible(&self, from: usize, len: usize) -> usize {
        len.min(self.nodes[from].transport.caps().max_send_size)
    }

    /// Two instances at once, the one at `a` before the one at `b`; `None` when they are the
    /// same.
    pub fn two(&mut self, a: usize, b: usize) -> Option<(&mut Node, &mut Node)> {
        if a >= b {
            return None;
        }
        let (before, rest) = self.nodes.split_at_mut(b);
        Some((&mut before[a], &mut rest[0]))
    }
}
