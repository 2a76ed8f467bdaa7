//! Tests of order and exactly-once delivery, among two instances and among many, from seeds.

use std::collections::VecDeque;

use base::Random;

use super::fixture::Fixture;
use super::message::{expect_content, CONTENT_BYTES_MAX};
use super::world::{tag_of, Node, Received, World};
use crate::{Caps, Flow};

/// Bytes of a numbered message's header: its number and its length.
const NUMBERED_BYTES: usize = 16;

/// Messages of mixed lengths and kinds of send arrive once and, where promised, in order.
pub fn mixed_traffic_arrives_once_and_in_order(fixture: &mut dyn Fixture) {
    let most = fixture.count_max();
    for seed in 0..4 {
        let (mut world, from, to) = World::pair(fixture);
        if world.is_mute() {
            return;
        }
        let mut streams = vec![Stream::new(
            seed,
            &world.nodes[from],
            from,
            to,
            most.min(1500),
        )];
        exchange(&mut world, &mut streams, seed);
    }
}

/// Two instances send to each other at once.
pub fn both_ways_at_once(fixture: &mut dyn Fixture) {
    let most = fixture.count_max();
    let (mut world, a, b) = World::pair(fixture);
    if world.is_mute() {
        return;
    }
    let mut streams = vec![
        Stream::new(11, &world.nodes[a], a, b, most.min(2000)),
        Stream::new(12, &world.nodes[b], b, a, most.min(2000)),
    ];
    if a == b {
        streams.pop();
    }
    exchange(&mut world, &mut streams, 13);
}

/// Five instances send to each other at once.
pub fn many_peers_exchange(fixture: &mut dyn Fixture) {
    let most = fixture.count_max();
    let mut world = World::join(fixture, 5);
    if world.is_mute() {
        return;
    }
    let n = world.nodes.len();
    let mut streams = Vec::new();
    for from in 0..n {
        for to in (0..n).filter(|&to| to != from || n == 1) {
            let seed = 100 + (from * n + to) as u64;
            streams.push(Stream::new(
                seed,
                &world.nodes[from],
                from,
                to,
                most.min(300),
            ));
        }
    }
    exchange(&mut world, &mut streams, 20);
}

/// An instance that says it reaches itself does.
pub fn messages_to_oneself(fixture: &mut dyn Fixture) {
    let (mut world, _, last) = World::pair(fixture);
    if world.is_mute() {
        return;
    }
    let node = &mut world.nodes[last];
    let address = node.transport.address();
    if node.transport.add_peer(node.id, &address) != Ok(crate::Reach::Reachable) {
        return;
    }
    let mut streams = vec![Stream::new(31, &world.nodes[last], last, last, 500)];
    exchange(&mut world, &mut streams, 32);
}

/// Two threads, one instance each, both sending and receiving.
pub fn two_threads_exchange(fixture: &mut dyn Fixture) {
    let most = fixture.count_max();
    let (mut world, a, b) = World::pair(fixture);
    if world.is_mute() {
        return;
    }
    let forth = Stream::new(41, &world.nodes[a], a, b, most.min(20_000));
    let back = Stream::new(42, &world.nodes[b], b, a, most.min(20_000));
    let Some((a, b)) = world.two(a, b) else {
        return;
    };
    std::thread::scope(|scope| {
        scope.spawn(|| alone(a, forth.clone(), back.clone()));
        scope.spawn(|| alone(b, back.clone(), forth.clone()));
    });
}

/// Sends one stream and receives the other from one thread.
fn alone(node: &mut Node, mut out: Stream, mut in_: Stream) {
    node.until("the other thread's messages", |node| {
        out.offer_some(node);
        while let Some(message) = node.record.inbox.pop_front() {
            in_.accept(message);
        }
        out.left() == 0 && in_.missing() == 0
    });
    // Messages still in flight need this side's progress.
    let peer = base::PeerId(out.to as u32);
    node.until("a flush", |node| {
        node.transport.flush(peer) == Ok(Flow::Sent)
    });
}

/// Drives streams to their ends, progressing the instances in a random order.
fn exchange(world: &mut World, mut streams: &mut [Stream], seed: u64) {
    let mut random = Random::new(seed);
    let step = |streams: &mut &mut [Stream], world: &mut World| {
        for _ in 0..streams.len() {
            let stream = &mut streams[random.index(streams.len())];
            stream.offer_some(&mut world.nodes[stream.from]);
        }
        if random.chance(70) {
            let lucky = random.index(world.nodes.len());
            world.nodes[lucky].progress();
        }
        for to in 0..world.nodes.len() {
            while let Some(message) = world.nodes[to].record.inbox.pop_front() {
                let stream = streams
                    .iter_mut()
                    .find(|s| s.to == to && s.is_from(&message));
                stream.expect("a message of a stream").accept(message);
            }
        }
        streams.iter().all(|s| s.left() == 0 && s.missing() == 0)
    };
    world.until_in(&mut streams, step, |streams| {
        let lacks = |s: &&Stream| s.missing() > 0;
        streams.iter().filter(lacks).map(Stream::story).collect()
    });
    world.expect_silence();
    assert!(
        world.nodes.iter().all(|n| n.record.failed.is_empty()),
        "no peer failed"
    );
}

/// Messages from one instance to another, whose lengths and kinds of send follow from a seed.
#[derive(Clone)]
struct Stream {
    from: usize,
    to: usize,
    random: Random,
    ordered: bool,
    len_max: usize,
    eager: usize,
    /// Lengths of the messages not yet sent, first the next.
    unsent: VecDeque<usize>,
    /// Lengths of the messages that have not arrived, by number.
    awaited: Vec<Option<usize>>,
    next: usize,
    arrived: usize,
}

impl Stream {
    fn new(seed: u64, sender: &Node, from: usize, to: usize, count: usize) -> Stream {
        let caps: &Caps = sender.transport.caps();
        let mut stream = Stream {
            from,
            to,
            random: Random::new(seed),
            ordered: caps.ordered,
            len_max: caps.max_send_size.min(CONTENT_BYTES_MAX),
            eager: caps.eager_limit,
            unsent: VecDeque::new(),
            awaited: Vec::new(),
            next: 0,
            arrived: 0,
        };
        stream.unsent = (0..count).map(|_| stream.draw_len()).collect();
        stream.awaited = stream.unsent.iter().copied().map(Some).collect();
        stream
    }

    /// Mostly short, sometimes near the limits.
    fn draw_len(&mut self) -> usize {
        let len = match self.random.below(100) {
            0..60 => self.random.index(200),
            60..90 => self.random.index(4096),
            90..96 => self.eager - self.random.index(100),
            96..99 => self.random.index(self.len_max),
            _ => self.len_max,
        };
        len.clamp(NUMBERED_BYTES, self.len_max)
    }

    fn left(&self) -> usize {
        self.unsent.len()
    }

    fn missing(&self) -> usize {
        self.awaited.len() - self.arrived
    }

    /// Returns how much was sent and how much arrived, for a panic's message.
    fn story(&self) -> String {
        let (from, to, all) = (self.from, self.to, self.awaited.len());
        let sent = all - self.left();
        format!("{from} sent {to} {sent} of {all}, {} came; ", self.arrived)
    }

    fn is_from(&self, message: &Received) -> bool {
        message.from.index() == self.from
    }

    /// Sends until the transport is busy or a random number is sent.
    fn offer_some(&mut self, node: &mut Node) {
        for _ in 0..1 + self.random.below(20) {
            let Some(&len) = self.unsent.front() else {
                return;
            };
            let number = (self.awaited.len() - self.unsent.len()) as u64;
            match self.offer(node, number, len) {
                Flow::Sent => self.unsent.pop_front(),
                Flow::Busy => return,
            };
        }
    }

    fn offer(&mut self, node: &mut Node, number: u64, len: usize) -> Flow {
        let mut header = [0; NUMBERED_BYTES];
        header[..8].copy_from_slice(&number.to_le_bytes());
        header[8..].copy_from_slice(&(len as u64).to_le_bytes());
        let peer = base::PeerId(self.to as u32);
        let tag = tag_of(number);
        let payload = super::message::content_buf(number, len - NUMBERED_BYTES);
        let flow = match self.random.below(2) {
            0 => node.transport.send(peer, tag, &header, payload),
            _ => node
                .transport
                .send_packed(peer, tag, &header, payload.len(), &mut |slot| {
                    slot.write_user(0, payload);
                }),
        };
        flow.unwrap_or_else(|error| panic!("message {number} of {len} bytes: {error}"))
    }

    /// Checks a message and ticks it off.
    fn accept(&mut self, message: Received) {
        let word = |at| base::wire::read_u64(&message.bytes, at).expect("a numbered message");
        let (number, len) = (word(0), word(8) as usize);
        assert_eq!(message.bytes.len(), len, "length of message {number}");
        assert_eq!(message.tag, tag_of(number), "tag of message {number}");
        let awaited = self.awaited.get_mut(number as usize).and_then(Option::take);
        assert_eq!(
            awaited,
            Some(len),
            "message {number} came twice or was never sent"
        );
        expect_content("message", number, &message.bytes[NUMBERED_BYTES..]);
        if self.ordered {
            assert_eq!(number as usize, self.next, "messages out of order");
            self.next += 1;
        }
        self.arrived += 1;
    }
}
