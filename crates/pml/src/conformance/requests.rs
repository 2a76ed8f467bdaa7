//! Tests of requests: outcomes, owners, detached and cancelled ones.

use memory::Scratch;

use super::fixture::Fixture;
use super::world::{bytes, filled, from, got, World, ANY};
use crate::{Failure, Mode, Pml, RequestId, Started};

fn pending(started: Started) -> RequestId {
    match started {
        Started::Pending(request) => request,
        Started::Complete => panic!("complete at once"),
    }
}

/// A complete request stays until its outcome is taken, and is gone afterwards.
pub fn an_outcome_is_taken_once<F: Fixture>(fixture: F) {
    let mut world = World::new(fixture, 2);
    let (data, room) = (filled(20, 1), Scratch::new(20));
    let request = world.recv(1, ANY, &room);
    let layer = &mut world.layers[1];
    assert!(layer.is_open(request) && !layer.is_done(request));
    assert_eq!(layer.outcome(request), None);
    assert_eq!(layer.peek_outcome(request), None);
    assert_eq!((layer.open_requests(), layer.held_requests()), (1, 1));
    layer.watch(request);
    let sent = world.send(0, 1, 2, &data, Mode::Standard);
    world.wait_sent(0, sent);
    world.until(1, "a receive", |layer| layer.is_done(request).then_some(()));
    let layer = &mut world.layers[1];
    for _ in 0..2 {
        let seen = layer.peek_outcome(request).expect("complete");
        assert_eq!((seen.result, seen.status), (Ok(()), got(0, 2, 20)));
    }
    assert!(layer.is_open(request));
    assert_eq!(
        layer.outcome(request).expect("complete").status,
        got(0, 2, 20)
    );
    assert!(layer.is_done(request) && !layer.is_open(request));
    assert_eq!(layer.outcome(request), None);
    assert_eq!(layer.peek_outcome(request), None);
    world.check_empty();
}

/// The status of a request that failed is not taken as a success; failures are counted.
pub fn success_is_taken_apart_from_failure<F: Fixture>(fixture: F) {
    let mut world = World::new(fixture, 2);
    let (data, room) = (filled(20, 1), Scratch::new(20));
    let request = world.recv(1, ANY, &room);
    assert_eq!(world.layers[1].take_success(request), None);
    let sent = world.send(0, 1, 2, &data, Mode::Standard);
    let status = world.until(1, "a receive", |layer| layer.take_success(request));
    assert_eq!(status, got(0, 2, 20));
    assert_eq!(world.layers[1].take_success(request), None);
    world.wait_sent(0, sent);
    let before = world.layers[1].failures();
    let short = Scratch::new(10);
    let request = world.recv(1, ANY, &short);
    let sent = world.send(0, 1, 2, &data, Mode::Standard);
    world.until(1, "a receive", |layer| layer.is_done(request).then_some(()));
    let layer = &mut world.layers[1];
    assert!(layer.failures() > before);
    assert_eq!(layer.take_success(request), None);
    let truncated = Failure::Truncated { sent: 20, room: 10 };
    assert_eq!(
        layer.outcome(request).expect("complete").result,
        Err(truncated)
    );
    world.wait_sent(0, sent);
    world.check_empty();
}

/// Detached requests, complete or not, leave nothing behind.
pub fn a_detached_request_goes_by_itself<F: Fixture>(fixture: F) {
    let mut lengths = fixture.boundaries();
    lengths.extend([20, 100_000]);
    let mut world = World::new(fixture, 2);
    for len in lengths {
        let (data, room) = (filled(len, 8), Scratch::new(len));
        let sent = pending(world.send(0, 1, 3, &data, Mode::Synchronous));
        world.layers[0].detach(sent);
        assert!(!world.layers[0].is_open(sent));
        assert_eq!(world.layers[0].held_requests(), 0);
        let request = world.recv(1, ANY, &room);
        world.layers[1].detach(request);
        world.settle();
        assert!(bytes(&room) == bytes(&data), "{len} bytes");
        let open: Vec<usize> = world.layers.iter().map(Pml::open_requests).collect();
        assert_eq!(open, [0, 0], "{len} bytes");
        // One that is complete goes at once.
        let request = world.recv(1, ANY, &room);
        let sent = world.send(0, 1, 3, &data, Mode::Standard);
        world.settle();
        world.layers[1].detach(request);
        assert_eq!(world.layers[1].open_requests(), 0);
        world.wait_sent(0, sent);
    }
    world.check_empty();
}

/// Each reported request names its owner once when it ends, however it ends.
pub fn owners_are_notified_of_each_end_once<F: Fixture>(fixture: F) {
    let mut world = World::new(fixture, 2);
    let data = filled(20, 1);
    let rooms = [Scratch::new(20), Scratch::new(10), Scratch::new(20)];
    let requests: Vec<RequestId> = (0..3).map(|at| world.recv(1, ANY, &rooms[at])).collect();
    for (request, owner) in requests.iter().zip([7, 8, 7]) {
        world.layers[1].report(*request, owner);
    }
    let mut owners = Vec::new();
    world.settle();
    world.layers[1].take_ended(&mut owners);
    assert_eq!(owners, []);
    for _ in 0..2 {
        let sent = world.send(0, 1, 3, &data, Mode::Standard);
        world.wait_sent(0, sent);
    }
    world.settle();
    world.layers[1].cancel(requests[2]);
    world.settle();
    owners.push(1);
    world.layers[1].take_ended(&mut owners);
    assert_eq!(owners, [1, 7, 8, 7]);
    owners.clear();
    for request in requests {
        world.wait(1, request);
    }
    world.layers[1].take_ended(&mut owners);
    assert_eq!(owners, []);
    world.check_empty();
}

/// A receive is cancelled where nothing has matched it; one that was matched is not.
pub fn a_receive_that_was_not_matched_is_cancelled<F: Fixture>(fixture: F) {
    let mut world = World::new(fixture, 2);
    let (data, room) = (filled(20, 1), Scratch::new(20));
    let idle = world.recv(1, from(0, 9), &room);
    let matched = world.recv(1, ANY, &room);
    let sent = world.send(0, 1, 2, &data, Mode::Standard);
    world.settle();
    assert!(!world.layers[1].cancel(matched));
    let outcome = world.wait(1, matched);
    assert_eq!((outcome.result, outcome.status), (Ok(()), got(0, 2, 20)));
    let in_time = world.layers[1].cancel(idle);
    assert!(!in_time || world.layers[1].is_done(idle));
    let outcome = world.wait(1, idle);
    assert!(outcome.status.cancelled && outcome.result.is_ok());
    world.wait_sent(0, sent);
    // What was cancelled takes no message any more.
    let sent = world.send(0, 1, 9, &data, Mode::Standard);
    world.settle();
    let request = world.recv(1, from(0, 9), &room);
    assert_eq!(world.wait(1, request).status, got(0, 9, 20));
    world.wait_sent(0, sent);
    world.check_empty();
}

/// A synchronous send that somebody cancels ends: cancelled, and then it is never received, or
/// received as if it had not been cancelled.
pub fn a_cancelled_synchronous_send_ends_in_any_case<F: Fixture>(fixture: F) {
    let mut lengths = fixture.boundaries();
    lengths.extend([20, 100_000]);
    let mut world = World::new(fixture, 2);
    for len in lengths {
        let (data, room) = (filled(len, 1), Scratch::new(len));
        let request = pending(world.send(0, 1, 2, &data, Mode::Synchronous));
        world.settle();
        world.layers[0].cancel(request);
        world.settle();
        if let Some(outcome) = world.layers[0].outcome(request) {
            assert!(outcome.status.cancelled, "{len} bytes");
        } else {
            let received = world.recv(1, ANY, &room);
            assert_eq!(world.wait(1, received).status, got(0, 2, len));
            assert!(!world.wait(0, request).status.cancelled, "{len} bytes");
        }
        assert_eq!(world.layers[1].probe(world.comms[1], ANY), None);
        // One that was matched is not cancelled.
        let received = world.recv(1, ANY, &room);
        let request = pending(world.send(0, 1, 2, &data, Mode::Synchronous));
        world.settle();
        world.layers[0].cancel(request);
        let outcome = world.wait(0, request);
        assert!(outcome.result.is_ok() && !outcome.status.cancelled);
        assert_eq!(world.wait(1, received).status, got(0, 2, len));
        assert!(bytes(&room) == bytes(&data), "{len} bytes");
    }
    world.check_empty();
}

/// Receives that wait in a communicator complete also after it was closed.
pub fn a_closed_communicator_completes_what_waits_in_it<F: Fixture>(fixture: F) {
    let mut world = World::new(fixture, 2);
    let (data, room) = (filled(20, 1), Scratch::new(20));
    let comms = [0, 1].map(|at| world.open(at, crate::Context(12)));
    let before = world.comms.clone();
    world.comms = comms.to_vec();
    let request = world.recv(1, ANY, &room);
    world.layers[1].close_comm(comms[1]);
    let sent = world.send(0, 1, 2, &data, Mode::Standard);
    assert_eq!(world.wait(1, request).status, got(0, 2, 20));
    assert_eq!(bytes(&room), bytes(&data));
    world.wait_sent(0, sent);
    world.layers[0].close_comm(comms[0]);
    world.comms = before;
    world.check_empty();
}
