//! Tests of back-pressure: `Busy` is returned, accepts nothing, and loses nothing.

use std::collections::HashMap;

use base::AmTag;

use super::fixture::Fixture;
use super::message::{content, CONTENT_BYTES_MAX};
use super::world::{tag_of, Node, SendKind, World};
use crate::Flow;

/// A transport that takes more than this for a peer that does not receive has no limit at all.
const BACKLOG_BYTES_MAX: usize = 128 << 20;

/// Refusals in a row, each after some progress, from which a peer counts as full.
const BUSY_ROW: usize = 300;

/// A receiver that does not progress makes the sender busy, and gets everything later.
pub fn a_flood_meets_busy_and_loses_nothing(fixture: &mut dyn Fixture) {
    for len in [0, 1, 100, 1000, 4096] {
        flood(fixture, |_| len, SendKind::Send);
    }
}

/// A receiver that does not progress makes a sender of the largest messages busy; none is lost.
pub fn a_flood_of_the_largest_messages(fixture: &mut dyn Fixture) {
    flood(fixture, |most| most, SendKind::Send);
    flood(fixture, |most| most, SendKind::Packed);
}

/// `pack` is not called for what is not taken. (Each offer checks the number of calls.)
pub fn a_packed_flood_packs_only_what_is_taken(fixture: &mut dyn Fixture) {
    for len in [0, 33, 777, 3000] {
        flood(fixture, |_| len, SendKind::Packed);
    }
}

/// Two instances that fill each other's queues before either receives go on.
pub fn floods_both_ways(fixture: &mut dyn Fixture) {
    let (mut world, a, b) = World::pair(fixture);
    if world.is_mute() {
        return;
    }
    if a == b {
        return;
    }
    for round in 0..4 {
        let shape = (world.possible(a, [24, 500, 3000, 64][round]), 16);
        let forth = fill(&mut world, a, b, shape, SendKind::Send);
        let back = fill(&mut world, b, a, shape, SendKind::Packed);
        drain(&mut world, a, b, forth, shape.0);
        drain(&mut world, b, a, back, shape.0);
    }
    world.expect_silence();
}

/// A full queue of one peer leaves the paths to the others open.
pub fn a_full_peer_does_not_stop_the_others(fixture: &mut dyn Fixture) {
    let mut world = World::join(fixture, 3);
    if world.is_mute() {
        return;
    }
    if world.nodes.len() < 3 {
        return;
    }
    world.send(0, 2, 0, (100, 10), SendKind::Send);
    world.receive(0, 2, 0, 100);
    let stuck = fill(&mut world, 0, 1, (1000, 10), SendKind::Send);
    let peer = world.nodes[2].id;
    for number in 0..200 {
        let mut sent = false;
        world.nodes[0].until("a send beside a full peer", |node| {
            sent = sent || node.offer(peer, number, (100, 10), SendKind::Send) == Ok(Flow::Sent);
            sent
        });
        let (first, third) = world.two(0, 2).expect("two instances");
        third.until("a message beside a full peer", |third| {
            first.progress();
            !third.record.inbox.is_empty()
        });
        third.expect(first.id, number, 100);
    }
    drain(&mut world, 0, 1, stuck, 1000);
    world.expect_silence();
}

/// After `flush` the sender need not progress for its messages to arrive.
pub fn flushed_messages_need_their_sender_no_more(fixture: &mut dyn Fixture) {
    let (mut world, from, to) = World::pair(fixture);
    if world.is_mute() {
        return;
    }
    world.send(from, to, 0, (50, 0), SendKind::Send);
    world.receive(from, to, 0, 50);
    let receiver = world.nodes[to].id;
    for count in [1, 3, 10] {
        for number in 0..count {
            world.send(from, to, number, (120, 20), SendKind::Send);
        }
        let mut tries = 0;
        world.until("a flush", |world| {
            // At first without the receiver's help, which a flush may need but seldom does.
            for _ in 0..200 {
                if world.nodes[from].transport.flush(receiver) == Ok(Flow::Sent) {
                    return true;
                }
                if from != to {
                    world.nodes[from].progress();
                }
                (world.tick)();
            }
            tries += 1;
            tries > 100_000
        });
        let node = &mut world.nodes[to];
        node.until("all flushed messages", |node| {
            node.record.inbox.len() >= count as usize
        });
        drain(&mut world, from, to, count, 120);
    }
    world.expect_silence();
}

/// A driver that skips transports that are not live misses nothing.
pub fn progress_is_needed_only_while_live(fixture: &mut dyn Fixture) {
    let (mut world, from, to) = World::pair(fixture);
    if world.is_mute() {
        return;
    }
    let (sender, receiver) = (world.nodes[from].id, world.nodes[to].id);
    for number in 0..300 {
        let mut sent = false;
        let tick = world.tick.clone();
        let skim = |node: &mut Node| {
            if node.transport.is_live() {
                node.progress();
            }
            tick();
        };
        let start = std::time::Instant::now();
        while world.nodes[to].record.inbox.is_empty() {
            let offer = |node: &mut Node| node.offer(receiver, number, (80, 8), SendKind::Send);
            sent = sent || offer(&mut world.nodes[from]) == Ok(Flow::Sent);
            skim(&mut world.nodes[from]);
            skim(&mut world.nodes[to]);
            let waited = start.elapsed().as_secs();
            assert!(
                waited < 20,
                "message {number} waits for a transport that is not live"
            );
        }
        world.nodes[to].expect(sender, number, 80);
    }
}

/// Fills, drains, and does it again, so that rings wrap around at odd places.
fn flood(fixture: &mut dyn Fixture, len: impl Fn(usize) -> usize, way: SendKind) {
    let (mut world, from, to) = World::pair(fixture);
    if world.is_mute() {
        return;
    }
    let caps = world.nodes[from].transport.caps();
    let len = len(caps.max_send_size.min(CONTENT_BYTES_MAX)).min(caps.max_send_size);
    for cycle in 0..3 {
        let shape = (len, [0, 8, 31][cycle].min(len));
        let count = fill(&mut world, from, to, shape, way);
        assert!(count > 0, "not one message of {len} bytes was taken");
        drain(&mut world, from, to, count, len);
    }
    world.expect_silence();
}

/// Sends until the peer is full, while only the sender progresses; the number of messages.
pub(super) fn fill(
    world: &mut World,
    from: usize,
    to: usize,
    shape: (usize, usize),
    way: SendKind,
) -> u64 {
    let receiver = world.nodes[to].id;
    let (mut count, mut busy) = (0, 0);
    while busy < BUSY_ROW {
        let node = &mut world.nodes[from];
        match node.offer(receiver, count, shape, way) {
            Ok(Flow::Sent) => (count, busy) = (count + 1, 0),
            Ok(Flow::Busy) => {
                busy += 1;
                if from != to {
                    node.progress();
                }
            }
            Err(error) => panic!("message {count} of {shape:?} bytes: {error}"),
        }
        let taken = count as usize * (shape.0 + 16);
        assert!(
            taken < BACKLOG_BYTES_MAX,
            "{taken} bytes taken and never busy"
        );
    }
    count
}

/// Receives messages `0..count` of `len` bytes each, in order where that is promised.
fn drain(world: &mut World, from: usize, to: usize, count: u64, len: usize) {
    if world.nodes[from].transport.caps().ordered {
        for number in 0..count {
            world.receive(from, to, number, len);
        }
        return;
    }
    let mut awaited: HashMap<(AmTag, Vec<u8>), u64> = HashMap::new();
    for number in 0..count {
        *awaited
            .entry((tag_of(number), content(number, len).to_vec()))
            .or_default() += 1;
    }
    for _ in 0..count {
        world.until("a message", |world| {
            !world.nodes[to].record.inbox.is_empty()
        });
        let message = world.nodes[to].record.inbox.pop_front().expect("not empty");
        let left = awaited
            .get_mut(&(message.tag, message.bytes))
            .filter(|left| **left > 0);
        *left.expect("a message that was sent and did not come before") -= 1;
    }
}
