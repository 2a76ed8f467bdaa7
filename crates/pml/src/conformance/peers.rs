//! Tests of peers that die, are given up, or leave.

use base::PeerId;
use memory::Scratch;

use super::fixture::Fixture;
use super::world::{bytes, filled, from, got, World, ANY};
use crate::{Failure, Mode, Outcome, Pml, Started};

fn is_loss_of(outcome: &Outcome, peer: u32) -> bool {
    matches!(&outcome.result, Err(Failure::PeerFailed { peer: PeerId(p), .. }) if *p == peer)
}

/// When a peer dies, requests that need it end with a failure that names it. A receive from any
/// source ends so, too, or reports that it may wait for the dead one, and goes on. Everything else
/// goes on.
pub fn what_needs_a_dead_peer_ends_and_nothing_else<F: Fixture>(fixture: F) {
    let mut lengths = fixture.boundaries();
    lengths.push(100);
    let mut world = World::new(fixture, 3);
    let (data, room) = (filled(100, 1), Scratch::new(100));
    let mut doomed = Vec::new();
    let sent: Vec<Scratch> = lengths.iter().map(|len| filled(*len, 2)).collect();
    for message in &sent {
        match world.send(0, 1, 1, message, Mode::Synchronous) {
            Started::Pending(request) => doomed.push(request),
            Started::Complete => panic!("complete before it was matched"),
        }
    }
    doomed.push(world.recv(0, from(1, 1), &room));
    let (any_room, data_any) = (Scratch::new(100), filled(100, 3));
    let any = world.recv(0, ANY, &any_room);
    let alive_room = Scratch::new(100);
    let alive = world.recv(0, from(2, 1), &alive_room);
    let failures = world.layers[0].failures();
    world.settle();
    world.fixture.kill(1);
    world.until(0, "the death", |layer| layer.failed().first().cloned());
    for request in doomed {
        let outcome = world.wait(0, request);
        assert!(is_loss_of(&outcome, 1), "{outcome:?}");
    }
    let outcome = world.wait(0, any);
    let one = PeerId(1);
    let goes_on = matches!(outcome.result, Err(Failure::Pending { peer, .. }) if peer == one);
    assert!(goes_on || is_loss_of(&outcome, 1), "{outcome:?}");
    let layer = &world.layers[0];
    assert!(layer.failures() > failures);
    assert_eq!(layer.failed()[0].0, PeerId(1));
    assert_eq!(layer.failed().len(), 1);
    assert!(!layer.has_left(PeerId(1)) && !layer.is_done(alive));
    if goes_on {
        let sent = world.send(2, 0, 1, &data_any, Mode::Standard);
        let reports_death =
            |outcome: &Outcome| matches!(outcome.result, Err(Failure::Pending { .. }));
        let outcome = world.until(0, "a living sender", |layer| {
            layer.outcome(any).filter(|outcome| !reports_death(outcome))
        });
        assert_eq!(outcome.status, got(2, 1, 100));
        assert_eq!(bytes(&any_room), bytes(&data_any));
        world.wait_sent(2, sent);
    }
    let sent = world.send(2, 0, 1, &data, Mode::Standard);
    assert_eq!(world.wait(0, alive).status, got(2, 1, 100));
    assert_eq!(bytes(&alive_room), bytes(&data));
    world.wait_sent(2, sent);
    assert_eq!(world.layers[0].open_requests(), 0);
}

/// Once a peer was given up, what starts with it fails at once or soon; others are reached.
pub fn what_starts_with_a_peer_that_was_given_up_fails<F: Fixture>(fixture: F) {
    let mut world = World::new(fixture, 3);
    let (data, room) = (filled(10, 1), Scratch::new(10));
    for _ in 0..2 {
        world.layers[0].peer_failed(PeerId(1), "the launcher says so");
    }
    let failed = world.layers[0].failed();
    assert_eq!(failed.first().map(|(peer, why)| (*peer, &why[..])), {
        Some((PeerId(1), "the launcher says so"))
    });
    for mode in [Mode::Standard, Mode::Synchronous] {
        match world.send(0, 1, 1, &data, mode) {
            Started::Pending(request) => assert!(is_loss_of(&world.wait(0, request), 1)),
            Started::Complete => panic!("sent to a peer that was given up"),
        }
    }
    let request = world.recv(0, from(1, 1), &room);
    assert!(is_loss_of(&world.wait(0, request), 1));
    let sent = world.send(0, 2, 1, &data, Mode::Synchronous);
    let request = world.recv(2, ANY, &room);
    assert_eq!(world.wait(2, request).status, got(0, 1, 10));
    world.wait_sent(0, sent);
    assert_eq!(world.layers[0].open_requests(), 0);
}

/// A short message that had arrived before its sender was given up is received.
pub fn a_message_that_came_before_the_death_is_received<F: Fixture>(fixture: F) {
    let mut world = World::new(fixture, 2);
    let data = filled(10, 1);
    for tag in [1, 2] {
        let sent = world.send(1, 0, tag, &data, Mode::Standard);
        world.wait_sent(1, sent);
    }
    world.settle();
    let comm = world.comms[0];
    let (message, _) = world.claim(0, comm, from(1, 1));
    world.layers[0].peer_failed(PeerId(1), "the launcher says so");
    let room = Scratch::new(10);
    let buffer = datatype::Buffer::bytes(room.buf());
    let request = world.layers[0].start_matched_recv(message, buffer);
    let outcome = world.wait(0, request.expect("not received yet"));
    assert_eq!((outcome.result, outcome.status), (Ok(()), got(1, 1, 10)));
    assert_eq!(bytes(&room), bytes(&data));
    assert_eq!(world.layers[0].open_requests(), 0);
}

/// A peer that was removed has not failed: what is under way to it ends, receives from it stay.
pub fn a_removed_peer_is_no_failed_peer<F: Fixture>(fixture: F) {
    let mut world = World::new(fixture, 2);
    let (data, room) = (filled(100_000, 1), Scratch::new(10));
    let request = world.recv(0, from(1, 1), &room);
    let sent = match world.send(0, 1, 1, &data, Mode::Synchronous) {
        Started::Pending(sent) => sent,
        Started::Complete => panic!("complete before it was matched"),
    };
    world.settle();
    world.layers[0].remove_peer(PeerId(1));
    let outcome = world.wait(0, sent);
    assert!(is_loss_of(&outcome, 1), "{outcome:?}");
    assert_eq!(world.layers[0].failed(), []);
    assert!(!world.layers[0].is_done(request));
    world.layers[0].cancel(request);
    assert!(world.wait(0, request).status.cancelled);
    assert_eq!(world.layers[0].open_requests(), 0);
}

/// Messages that were sent before a layer departs arrive, though it closes right after.
pub fn departed_layers_have_lost_nothing<F: Fixture>(fixture: F) {
    let mut world = World::new(fixture, 2);
    let data = filled(60, 1);
    for tag in 0..3 {
        let sent = world.send(0, 1, tag, &data, Mode::Standard);
        world.wait_sent(0, sent);
    }
    world.until(0, "its flush", |layer| layer.is_flushed(2).then_some(()));
    for _ in 0..10_000 {
        // Both leave: who has departed still answers the other.
        if world.layers[0].depart() & world.layers[1].depart() {
            break;
        }
        world.progress();
    }
    assert!(world.layers[0].depart() && world.layers[1].depart());
    world.settle();
    world.layers[0].close();
    for tag in 0..3 {
        let room = Scratch::new(60);
        let request = world.recv(1, from(0, tag), &room);
        assert_eq!(world.wait(1, request).status, got(0, tag, 60));
        assert_eq!(bytes(&room), bytes(&data));
    }
    world.layers[1].close();
}
