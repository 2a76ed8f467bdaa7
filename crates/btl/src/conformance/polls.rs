//! Tests of `poll_for`: polls for the completion of one operation.

use memory::{Scratch, UserBuf};

use super::fixture::Fixture;
use super::message::{bytes_of, expect_content, filled};
use super::rma::Remote;
use super::world::{SendKind, World};
use crate::{Atomic, AtomicOp, Error, Polled, RemoteRange, Started, Token, Width};

/// Bytes of what is put and got.
const BYTES: usize = 64;

/// Where in the registration the word lies.
const WORD_AT: usize = BYTES;

/// Operations of each kind.
const COUNT: u64 = 30;

/// Polls between two rounds.
const POLLS: usize = 50;

/// Fill value of local memory once an operation is complete.
const AFTER: u8 = 0xee;

/// An operation whose completion `poll_for` returned is not reported again, and its local memory is
/// not touched any more.
pub fn ends_are_seen_once(fixture: &mut dyn Fixture) {
    let sees = fixture.sees_ends();
    let (mut world, from, to) = World::pair(fixture);
    let region = filled(1, WORD_AT + 8);
    region.buf().write(WORD_AT, &[0; 8]);
    let Some(remote) = registered(&mut world, to, region.buf()) else {
        return;
    };
    let (mut begun, mut seen, mut added) = (0, 0, 0u64);
    for number in 0..3 * COUNT {
        let kind = number % 3;
        let local = filled(100 + number, BYTES);
        let token = Token(number);
        let range = remote.at(if kind == 2 { WORD_AT as u64 } else { 0 });
        let started = start(&mut world, (from, to), kind, local.buf(), range, token);
        let Some(started) = started else { continue };
        let pending = started == Started::Pending;
        begun += usize::from(pending);
        let was_seen = pending && sees_end(&mut world, (from, to), token);
        seen += usize::from(was_seen);
        match kind {
            0 => {
                world.flushed(from, to);
                expect_content("what was put", 100 + number, &region_of(&region));
            }
            1 => assert_eq!(bytes_of(local.buf()), region_of(&region), "what was got"),
            _ => {
                let before = bytes_of(local.buf().part(0, 8));
                assert_eq!(before, added.to_ne_bytes(), "the word as it was");
                added += 1;
            }
        }
        local.buf().write(0, &[AFTER; BYTES]);
        for _ in 0..5 {
            world.round();
        }
        let reported = world.nodes[from].record.done.remove(&token.0);
        assert!(
            !was_seen || reported.is_none(),
            "{token:?} is reported again"
        );
        assert_eq!(bytes_of(local.buf()), [AFTER; BYTES], "{token:?} is over");
    }
    assert!(
        !sees || begun == 0 || seen > 0,
        "no end of {begun} was seen"
    );
    remote.deregister(&mut world, to);
}

/// Polling for one operation does not return the completion of another, which is reported as ever.
pub fn other_completions_are_reported(fixture: &mut dyn Fixture) {
    const SOUGHT: Token = Token(u64::MAX >> 8);
    let (mut world, from, to) = World::pair(fixture);
    let region = filled(1, WORD_AT + 8);
    let Some(remote) = registered(&mut world, to, region.buf()) else {
        return;
    };
    for number in 0..COUNT {
        let (_local, token, started) = put(&mut world, (from, to), number, remote.at(0));
        if started == Some(Started::Pending) {
            world.until("the end of a put", |world| {
                for _ in 0..POLLS {
                    world.nodes[to].progress();
                    let polled = world.nodes[from].rma().poll_for(SOUGHT, 1);
                    assert_ne!(polled, Polled::Ended, "{token:?} is not {SOUGHT:?}");
                }
                world.nodes[from].record.done.remove(&token.0) == Some(Ok(()))
            });
        }
    }
    remote.deregister(&mut world, to);
}

/// Messages that arrive meanwhile are left to `progress`, and no message is lost.
pub fn messages_are_left_to_progress(fixture: &mut dyn Fixture) {
    let (mut world, from, to) = World::pair(fixture);
    let region = filled(1, WORD_AT + 8);
    if world.is_mute() || from == to {
        return;
    }
    let Some(remote) = registered(&mut world, to, region.buf()) else {
        return;
    };
    for number in 0..COUNT {
        let (_local, token, started) = put(&mut world, (from, to), number, remote.at(0));
        let Some(started) = started else { break };
        world.send(to, from, number, (40, 8), SendKind::Send);
        if started == Started::Pending {
            sees_end(&mut world, (from, to), token);
        }
        world.receive(to, from, number, 40);
        world.flushed(from, to);
        expect_content("what was put", 100 + number, &region_of(&region));
        world.nodes[from].record.done.remove(&token.0);
    }
    remote.deregister(&mut world, to);
}

fn region_of(region: &Scratch) -> Vec<u8> {
    bytes_of(region.buf().part(0, BYTES))
}

/// Memory of an instance, where its transport has access to memory.
fn registered(world: &mut World, at: usize, memory: UserBuf) -> Option<Remote> {
    let caps = world.nodes[at].transport.caps();
    let has_memory = caps.put.is_some() || caps.get.is_some() || caps.atomics;
    has_memory.then(|| Remote::register(world, at, memory))
}

/// Starts a put of the bytes that belong to a number; returns these too, to be kept while it is
/// under way.
fn put(
    world: &mut World,
    pair: (usize, usize),
    number: u64,
    range: RemoteRange,
) -> (Scratch, Token, Option<Started>) {
    let (local, token) = (filled(100 + number, BYTES), Token(number));
    let started = start(world, pair, 0, local.buf(), range, token);
    (local, token, started)
}

/// Starts a put, a get or an addition, by the number; `None` where the transport has none.
fn start(
    world: &mut World,
    (from, to): (usize, usize),
    kind: u64,
    local: UserBuf,
    range: RemoteRange,
    token: Token,
) -> Option<Started> {
    let peer = world.nodes[to].id;
    let add = Atomic {
        op: AtomicOp::Add,
        width: Width::Eight,
        operand: 1,
    };
    let mut started = Ok(Started::Busy);
    world.until("an operation to start", |world| {
        let rma = world.nodes[from].rma();
        let room = Some(local.part(0, 8));
        started = match kind {
            0 => rma.put(peer, local, range, token),
            1 => rma.get(peer, local, range, token),
            _ => rma.atomic(peer, add, room, range, token),
        };
        started != Ok(Started::Busy)
    });
    match started {
        Err(Error::Unsupported { .. }) => None,
        outcome => Some(outcome.expect("an operation")),
    }
}

/// Polls for a completion until it has come; returns whether it was seen, and not reported.
fn sees_end(world: &mut World, (from, to): (usize, usize), token: Token) -> bool {
    let (mut seen, mut reported) = (false, false);
    world.until("an end", |world| {
        for _ in 0..POLLS {
            world.nodes[to].progress();
            match world.nodes[from].rma().poll_for(token, 2) {
                Polled::Nothing => {}
                Polled::Ended => {
                    seen = true;
                    break;
                }
                Polled::Other => break,
            }
        }
        reported = world.nodes[from].record.done.contains_key(&token.0);
        seen || reported
    });
    assert!(!(seen && reported), "{token:?} was seen and reported");
    seen
}
