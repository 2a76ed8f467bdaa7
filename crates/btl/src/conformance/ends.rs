//! Tests of peers that die, close or are removed: no process hangs, and the others go on.

use std::time::{Duration, Instant};

use base::PeerId;
use memory::{Scratch, UserBuf};

use super::fixture::{Death, Fixture};
use super::pressure::fill;
use super::rma::Remote;
use super::world::{Node, SendKind, World};
use crate::{
    Access, Atomic, AtomicOp, Error, Flow, Registration, RemoteRange, Started, Token, Width,
};

/// Checks that a dead peer is reported, or at least disturbs no other.
pub fn a_dead_peer_is_noticed_or_harmless(fixture: &mut dyn Fixture) {
    let Some((mut world, victim)) = three(fixture).filter(speaks) else {
        return;
    };
    let death = fixture.kill(victim.transport);
    watch(&mut world, 0, victim.id, death);
    let others: Vec<_> = world.nodes[0]
        .record
        .failed
        .iter()
        .map(|(peer, _)| *peer)
        .collect();
    assert!(
        others.iter().all(|peer| *peer == victim.id),
        "failed: {others:?}"
    );
    expect_both_ways(&mut world, 0, 1);
}

/// Checks that all pending operations with a peer that dies complete.
pub fn a_dead_peer_frees_what_was_started(fixture: &mut dyn Fixture) {
    let Some((mut world, mut victim)) = three(fixture) else {
        return;
    };
    let region = Scratch::new(4096);
    let locals = Scratch::new(3 * 16 * 256);
    let theirs = register(&mut victim, region.buf());
    let tokens = match &theirs {
        Some(theirs) => start_some(&mut world.nodes[0], victim.id, theirs, locals.buf()),
        None => Vec::new(),
    };
    world.nodes.push(victim);
    if !world.is_mute() {
        fill(&mut world, 0, 2, (1000, 10), SendKind::Send);
    }
    let mut victim = world.nodes.pop().expect("the victim");
    victim.record.inbox.clear();
    let death = fixture.kill(victim.transport);
    watch(&mut world, 0, victim.id, death);
    if death == Death::Noticed {
        world.until("all operations with a dead peer", |world| {
            tokens
                .iter()
                .all(|token| world.nodes[0].record.done.contains_key(token))
        });
        world.until("a flush of a dead peer", |world| {
            world.nodes[0].transport.flush(victim.id) != Ok(Flow::Busy)
        });
    }
    expect_both_ways(&mut world, 0, 1);
}

/// Registers memory for all accesses that the transport supports; `None` if it supports none.
fn register(victim: &mut Node, memory: UserBuf) -> Option<Registration> {
    let caps = victim.transport.caps();
    if caps.get.is_none() && caps.put.is_none() && !caps.atomics {
        return None;
    }
    let access = Access {
        read: true,
        write: true,
    };
    let registration = victim.rma().register(memory, access);
    Some(registration.expect("a registration"))
}

/// Starts reads, writes and atomics of a peer's memory. Returns the tokens of those pending.
fn start_some(node: &mut Node, peer: PeerId, theirs: &Registration, locals: UserBuf) -> Vec<u64> {
    let caps = node.transport.caps().clone();
    let (gets, puts) = (
        caps.get.is_some() && node.transport.hints(peer).reads,
        caps.put.is_some(),
    );
    let (op, width, operand) = (AtomicOp::Add, Width::Eight, 1);
    let atomic = Atomic { op, width, operand };
    let mut tokens = Vec::new();
    for i in 0..16 {
        let remote = RemoteRange {
            key: theirs.key,
            offset: 256 * i as u64,
        };
        let local = |direction: usize| locals.part(256 * (16 * direction + i), 256);
        let token = |direction: usize| Token((1000 * direction + i) as u64);
        let mut note = |token: Token, started| {
            if started == Ok(Started::Pending) {
                tokens.push(token.0);
            }
        };
        if gets {
            note(token(0), node.rma().get(peer, local(0), remote, token(0)));
        }
        if puts {
            note(token(1), node.rma().put(peer, local(1), remote, token(1)));
        }
        if caps.atomics {
            let result = Some(local(2));
            let started = node.rma().atomic(peer, atomic, result, remote, token(2));
            note(token(2), started);
        }
    }
    tokens
}

/// Checks that a peer that closes after its last flush is not reported as failed, and that all its
/// messages arrive.
pub fn closing_in_good_order_is_no_failure(fixture: &mut dyn Fixture) {
    let Some((mut world, mut leaver)) = three(fixture).filter(speaks) else {
        return;
    };
    let to = world.nodes[0].id;
    for number in 0..20 {
        let mut sent = false;
        leaver.until("a send", |node| {
            sent = sent || node.offer(to, number, (300, 20), SendKind::Send) == Ok(Flow::Sent);
            world.nodes[0].progress();
            sent
        });
    }
    leaver.until("a flush", |node| {
        world.nodes[0].progress();
        node.transport.flush(to) == Ok(Flow::Sent)
    });
    let from = leaver.id;
    leaver.transport.close();
    drop(leaver);
    world.until("the last messages", |world| {
        world.nodes[0].record.inbox.len() >= 20
    });
    if world.nodes[0].transport.caps().ordered {
        (0..20).for_each(|number| world.nodes[0].expect(from, number, 300));
    }
    world.nodes[0].record.inbox.clear();
    let start = Instant::now();
    while start.elapsed() < Duration::from_millis(100) {
        world.round();
    }
    for node in &world.nodes {
        assert!(
            node.record.failed.is_empty(),
            "{} reports {:?}",
            node.id,
            node.record.failed
        );
    }
    for number in 0..50 {
        match world.nodes[0].offer(from, number, (300, 20), SendKind::Packed) {
            Ok(_) | Err(Error::PeerGone { .. } | Error::Unreachable { .. }) => {}
            Err(other) => panic!("sending to a peer that left: {other}"),
        }
        world.round();
    }
    expect_both_ways(&mut world, 0, 1);
    world
        .nodes
        .iter_mut()
        .for_each(|node| node.transport.close());
}

/// Checks that messages that arrived before a peer closed in the middle of a flood are intact.
pub fn closing_while_busy(fixture: &mut dyn Fixture) {
    let Some((mut world, leaver)) = three(fixture).filter(speaks) else {
        return;
    };
    let (from, shape) = (leaver.id, (world.possible(0, 2000), 10));
    world.nodes.push(leaver);
    let count = fill(&mut world, 2, 0, shape, SendKind::Send);
    let mut leaver = world.nodes.pop().expect("the one that leaves");
    leaver.transport.close();
    drop(leaver);
    let mut idle_since = Instant::now();
    let mut next = 0;
    while idle_since.elapsed() < Duration::from_millis(100) {
        world.round();
        while !world.nodes[0].record.inbox.is_empty() {
            idle_since = Instant::now();
            if world.nodes[0].transport.caps().ordered {
                world.nodes[0].expect(from, next, shape.0);
            } else {
                world.nodes[0].record.inbox.pop_front();
            }
            next += 1;
            assert!(next <= count, "more messages than were sent");
        }
    }
    expect_both_ways(&mut world, 0, 1);
}

/// Checks that instances may be dropped with operations in flight, in any order.
pub fn dropping_with_traffic_under_way(fixture: &mut dyn Fixture) {
    for first in 0..3 {
        let mut world = World::join(fixture, 3);
        let n = world.nodes.len();
        let (mute, ways) = (world.is_mute(), [(0, 1), (1, 2), (2, 0), (1, 0)]);
        for (from, to) in ways.into_iter().filter(|_| !mute) {
            fill(&mut world, from % n, to % n, (700, 70), SendKind::Send);
        }
        drop(world.nodes.remove(first % n));
        for node in &mut world.nodes {
            for _ in 0..20 {
                node.progress();
            }
        }
    }
}

/// Checks that after `remove_peer` that peer is unreachable, and the others are not.
pub fn a_removed_peer_is_unreachable(fixture: &mut dyn Fixture) {
    let (mut world, from, to) = World::pair(fixture);
    let peer = world.nodes[to].id;
    let region = Scratch::new(64);
    let remote = world.nodes[from].transport.caps().get.is_some();
    let remote = remote.then(|| Remote::register(&mut world, to, region.buf()).at(0));
    if !world.is_mute() {
        world.send(from, to, 1, (64, 0), SendKind::Send);
        world.receive(from, to, 1, 64);
    }
    world.nodes[from].transport.remove_peer(peer);
    expect_unreachable(&mut world.nodes[from], peer);
    if let Some(range) = remote {
        let rma = world.nodes[from].rma();
        assert!(rma.get(peer, region.buf(), range, Token(9)).is_err());
    }
    (0..50).for_each(|_| world.round());
    world.nodes[from].transport.remove_peer(peer);
    if let Some((mut world, removed)) = three(fixture) {
        world.nodes[0].transport.remove_peer(removed.id);
        expect_unreachable(&mut world.nodes[0], removed.id);
        expect_both_ways(&mut world, 0, 1);
    }
}

/// Checks that two instances that removed each other and are introduced again exchange messages as
/// before, repeatedly, and enough of them to change the path.
pub fn a_removed_peer_comes_back(fixture: &mut dyn Fixture) {
    let (mut world, a, b) = World::pair(fixture);
    if a == b || world.is_mute() {
        return;
    }
    for round in 0..4 {
        for number in 0..60 {
            for (from, to) in [(a, b), (b, a)] {
                world.send(from, to, number, (40 + number as usize, 8), SendKind::Send);
                world.receive(from, to, number, 40 + number as usize);
            }
        }
        let ids = [a, b].map(|at| world.nodes[at].id);
        let addresses = [a, b].map(|at| world.nodes[at].transport.address());
        world.nodes[a].transport.remove_peer(ids[1]);
        if round % 2 == 0 {
            (0..50).for_each(|_| world.round());
        }
        world.nodes[b].transport.remove_peer(ids[0]);
        for (at, other) in [(a, 1), (b, 0)] {
            let transport = &mut world.nodes[at].transport;
            let reach = transport.add_peer(ids[other], &addresses[other]);
            assert_eq!(reach, Ok(crate::Reach::Reachable));
        }
        for node in &mut world.nodes {
            node.record.failed.clear();
        }
    }
}

/// Whether the instances carry messages.
fn speaks((world, _): &(World, Node)) -> bool {
    !world.is_mute()
}

/// Returns three instances that have all exchanged messages, the third separately; `None` if there
/// cannot be three.
fn three(fixture: &mut dyn Fixture) -> Option<(World, Node)> {
    if fixture.instances_max() < 3 {
        return None;
    }
    let mut world = World::join(fixture, 3);
    for (a, b) in [(0, 1), (0, 2), (1, 2)] {
        expect_both_ways(&mut world, a, b);
    }
    let third = world.nodes.pop()?;
    Some((world, third))
}

/// Sends to a dead peer until the death is noticed, or for a limited number of rounds.
fn watch(world: &mut World, at: usize, dead: PeerId, death: Death) {
    if world.is_mute() {
        // The peer's registrations are gone, so no further operation can be started.
        (0..500).for_each(|_| world.round());
        return;
    }
    let mut number = 0;
    let mut attempt = |world: &mut World| {
        number += 1;
        match world.nodes[at].offer(dead, number, (100, 10), SendKind::Packed) {
            Ok(_) => false,
            Err(Error::PeerGone { peer, .. } | Error::Unreachable { peer }) => peer == dead,
            Err(other) => panic!("sending to a dead peer: {other}"),
        }
    };
    if death == Death::Noticed {
        world.until("a dead peer to be noticed", |world| {
            let refused = attempt(world);
            let reported = world.nodes[at]
                .record
                .failed
                .iter()
                .any(|(peer, _)| *peer == dead);
            refused && reported
        });
        return;
    }
    for _ in 0..500 {
        attempt(world);
        world.round();
    }
    world.nodes[at].transport.remove_peer(dead);
    expect_unreachable(&mut world.nodes[at], dead);
}

fn expect_unreachable(node: &mut Node, peer: PeerId) {
    let unreachable = Err(Error::Unreachable { peer });
    if node.transport.caps().max_send_size > 0 {
        assert_eq!(node.offer(peer, 1, (100, 10), SendKind::Send), unreachable);
        assert_eq!(
            node.offer(peer, 2, (100, 10), SendKind::Packed),
            unreachable
        );
    }
    assert_eq!(node.transport.flush(peer), unreachable);
}

fn expect_both_ways(world: &mut World, a: usize, b: usize) {
    if world.is_mute() {
        return;
    }
    for (number, (from, to)) in [(a, b), (b, a)].into_iter().enumerate() {
        world.nodes[to].record.inbox.clear();
        world.send(from, to, number as u64, (150, 15), SendKind::Send);
        world.receive(from, to, number as u64, 150);
    }
}
