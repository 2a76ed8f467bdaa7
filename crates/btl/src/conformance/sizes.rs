//! Tests of every length around the limits, by every kind of send.

use std::collections::BTreeSet;

use super::fixture::Fixture;
use super::world::{tag_of, SendKind, World};

/// Largest length of a sweep, apart from the limits themselves.
const SWEEP_BYTES_MAX: usize = 64 << 10;

/// Checks that the capabilities are consistent, and that an address fits a modex entry.
pub fn caps_make_sense(fixture: &mut dyn Fixture) {
    let (world, from, _) = World::pair(fixture);
    let transport = &world.nodes[from].transport;
    let caps = transport.caps();
    assert!(!caps.name.is_empty());
    let mute = caps.max_send_size == 0;
    assert!(
        mute || caps.eager_limit >= 128,
        "eager limit {}",
        caps.eager_limit
    );
    assert!(caps.eager_limit <= caps.max_send_size);
    assert!(caps.bandwidth_mbps > 0);
    assert!(
        !mute || caps.get.is_some() || caps.put.is_some(),
        "neither messages nor access to memory"
    );
    assert!(!caps.puts_land || caps.put.is_some(), "no puts, that land");
    for limits in [caps.get, caps.put].into_iter().flatten() {
        assert!(limits.max_bytes > 0);
        assert!(
            limits.alignment.is_power_of_two(),
            "alignment {}",
            limits.alignment
        );
    }
    assert!(
        transport.address().len() <= 512,
        "{} bytes",
        transport.address().len()
    );
    assert_eq!(transport.address(), transport.address());
}

/// Checks that `send` delivers every length.
pub fn every_size_by_send(fixture: &mut dyn Fixture) {
    sweep(fixture, |_| SendKind::Send);
}

/// Checks that `send_packed` delivers every length, and packs once.
pub fn every_size_by_send_packed(fixture: &mut dyn Fixture) {
    sweep(fixture, |_| SendKind::Packed);
}

/// Checks that messages arrive equal wherever they are split into header and payload.
pub fn headers_of_every_length(fixture: &mut dyn Fixture) {
    let (mut world, from, to) = World::pair(fixture);
    if world.is_mute() {
        return;
    }
    let mut number = 0;
    for head in (0..=130).chain([255, 256, 257]) {
        for body in [0, 1, 7, 8, 63, 64, 65, 1000] {
            let len = head + body;
            if len > world.nodes[from].transport.caps().max_send_size {
                continue;
            }
            let way = if number % 2 == 0 {
                SendKind::Send
            } else {
                SendKind::Packed
            };
            world.send(from, to, number, (len, head), way);
            world.receive(from, to, number, len);
            number += 1;
        }
    }
    world.expect_silence();
}

/// Checks that messages arrive with their tags and senders, for all tags.
pub fn tags_and_senders_arrive(fixture: &mut dyn Fixture) {
    let mut world = World::join(fixture, 3);
    if world.is_mute() {
        return;
    }
    let mut tags = BTreeSet::new();
    for number in 0..1024 {
        let n = world.nodes.len();
        let (from, to) = (number as usize % n, (number as usize + 1) % n);
        tags.insert(tag_of(number).0);
        world.send(from, to, number, (40, 8), SendKind::Send);
        world.receive(from, to, number, 40);
    }
    assert_eq!(tags.len(), 255);
}

/// Sends every length of interest, some before earlier ones have arrived, and checks their order.
fn sweep(fixture: &mut dyn Fixture, way: impl Fn(u64) -> SendKind) {
    let boundaries = fixture.boundaries();
    let (mut world, from, to) = World::pair(fixture);
    if world.is_mute() {
        return;
    }
    let caps = world.nodes[from].transport.caps().clone();
    for (i, len) in lengths(&caps, &boundaries).into_iter().enumerate() {
        let number = i as u64;
        let head = [0, 1, 14, 24, 32][i % 5].min(len);
        let way = way(number);
        world.send(from, to, number, (len, head), way);
        world.receive(from, to, number, len);
    }
    world.expect_silence();
}

fn lengths(caps: &crate::Caps, boundaries: &[usize]) -> BTreeSet<usize> {
    let mut lengths: BTreeSet<usize> = (0..=2100).collect();
    let mut around = |at: usize, span: usize| {
        lengths.extend(at.saturating_sub(span)..=at.saturating_add(span));
    };
    for line in (0..=SWEEP_BYTES_MAX).step_by(64) {
        around(line, 1);
    }
    for power in 11..=16 {
        around(1 << power, 16);
    }
    for at in [caps.eager_limit, caps.max_send_size / 2, caps.max_send_size] {
        around(at, 70);
    }
    for &at in boundaries {
        around(at, 70);
    }
    let most = caps.max_send_size.min(super::message::CONTENT_BYTES_MAX);
    lengths.retain(|&len| len <= most);
    lengths
}
