//! Tests that calls which the contract forbids fail with the matching error and have no effect.

use base::{AmTag, PeerId, Random};
use memory::{Scratch, UserBuf};

use super::fixture::Fixture;
use super::world::{SendKind, World};
use crate::{Atomic, AtomicOp, Error, Reach, RemoteKey, RemoteRange, Token, Width};

const TAG: AmTag = AmTag::USER;

/// More than `max_send_size` is `TooLarge`, however it is divided.
pub fn too_large_is_refused(fixture: &mut dyn Fixture) {
    let (mut world, from, to) = World::pair(fixture);
    if world.is_mute() {
        return;
    }
    let peer = world.nodes[to].id;
    let transport = &mut world.nodes[from].transport;
    let limit = transport.caps().max_send_size;
    let memory = Scratch::new(limit + 100);
    for (head, len) in [(0, limit + 1), (10, limit + 1), (32, limit + 100)] {
        let (header, body) = (vec![1; head], memory.buf().part(0, len - head));
        let refusals = [
            transport.send(peer, TAG, &header, body),
            transport.send_packed(peer, TAG, &header, body.len(), &mut |_| {
                panic!("packed what is too large")
            }),
        ];
        for refusal in refusals {
            assert_eq!(refusal, Err(Error::TooLarge { peer, len, limit }));
        }
    }
    world.expect_silence();
    still_works(&mut world, from, to);
}

/// Peers that were never introduced are `Unreachable`.
pub fn unknown_peers_are_refused(fixture: &mut dyn Fixture) {
    let (mut world, from, to) = World::pair(fixture);
    let mute = world.is_mute();
    for peer in [PeerId(4000), PeerId(u32::MAX)] {
        let transport = &mut world.nodes[from].transport;
        let unreachable = Err(Error::Unreachable { peer });
        let sent = transport.send(peer, TAG, b"head", UserBuf::EMPTY);
        let packed = transport.send_packed(peer, TAG, b"head", 8, &mut |_| panic!("packed"));
        for refusal in [sent, packed] {
            assert!(refusal == unreachable || mute && refusal.is_err());
        }
        assert_eq!(transport.flush(peer), unreachable);
        let range = RemoteRange {
            key: RemoteKey::new(&[0; 16]).expect("short"),
            offset: 0,
        };
        let nothing = UserBuf::EMPTY;
        let atomic = Atomic {
            op: AtomicOp::Swap,
            width: Width::Four,
            operand: 1,
        };
        if let Some(rma) = transport.rma() {
            assert!(rma.get(peer, nothing, range, Token(2)).is_err());
            assert!(rma.put(peer, nothing, range, Token(3)).is_err());
            let started = rma.atomic(peer, atomic, None, range, Token(4));
            assert!(started.is_err());
        }
        let _ = transport.hints(peer);
        transport.remove_peer(peer);
    }
    world.expect_silence();
    assert!(world.nodes[from].record.done.is_empty());
    still_works(&mut world, from, to);
}

/// Addresses that are cut or altered are refused, or lead nowhere; nothing else is disturbed.
pub fn damaged_addresses_are_refused(fixture: &mut dyn Fixture) {
    let (mut world, from, to) = World::pair(fixture);
    let good = world.nodes[to].transport.address();
    let transport = &mut world.nodes[from].transport;
    let mut number = 50;
    let mut introduce = |address: &[u8]| {
        number += 1;
        transport.add_peer(PeerId(number), address)
    };
    for cut in [&[][..], &good[..1], &good[..good.len() / 2], &[0xff; 600]] {
        let reach = introduce(cut);
        assert!(
            !matches!(reach, Ok(Reach::Reachable)),
            "{} bytes of an address",
            cut.len()
        );
    }
    let mut random = Random::new(5);
    for _ in 0..60 {
        let mut altered = good.clone();
        let at = random.index(altered.len());
        altered[at] ^= 1 << random.below(8);
        let _ = introduce(&altered);
    }
    still_works(&mut world, from, to);
}

/// Operations that `Caps` denies are `Unsupported`, or their trait is absent.
pub fn what_is_lacking_is_said(fixture: &mut dyn Fixture) {
    let (mut world, from, to) = World::pair(fixture);
    let peer = world.nodes[to].id;
    let transport = &mut world.nodes[from].transport;
    let caps = transport.caps().clone();
    let memory = Scratch::new(64);
    let range = RemoteRange {
        key: RemoteKey::new(&[0; 16]).expect("short"),
        offset: 0,
    };
    let lacks = |error: Option<Error>| {
        assert!(
            matches!(error, Some(Error::Unsupported { .. })),
            "{error:?}"
        );
    };
    if caps.get.is_none() {
        assert!(!transport.hints(peer).reads);
    }
    assert_eq!(transport.presence().is_some(), caps.shares_memory);
    let Some(rma) = transport.rma() else {
        assert!(caps.get.is_none() && caps.put.is_none() && !caps.atomics);
        return still_works(&mut world, from, to);
    };
    if caps.get.is_none() {
        lacks(rma.get(peer, memory.buf(), range, Token(2)).err());
    }
    if caps.put.is_none() {
        lacks(rma.put(peer, memory.buf(), range, Token(3)).err());
    }
    if !caps.atomics {
        let atomic = Atomic {
            op: AtomicOp::Add,
            width: Width::Eight,
            operand: 1,
        };
        let started = rma.atomic(peer, atomic, None, range, Token(4));
        lacks(started.err());
    }
    still_works(&mut world, from, to);
}

fn still_works(world: &mut World, from: usize, to: usize) {
    if world.is_mute() {
        return;
    }
    world.send(from, to, 99, (77, 7), SendKind::Send);
    world.receive(from, to, 99, 77);
    world.expect_silence();
}
