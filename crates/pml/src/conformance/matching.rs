//! Tests of matching: which receive gets which message.

use base::{Random, Rank};
use datatype::Buffer;
use memory::Scratch;

use super::fixture::Fixture;
use super::world::{bytes, filled, from, got, World, ANY};
use crate::{Context, Mode, Pattern, Pml, Tag};

/// Messages of one sender are received in the order of their sends, whatever their lengths and
/// modes.
pub fn messages_of_one_sender_keep_their_order<F: Fixture>(fixture: F) {
    let mut lengths = fixture.boundaries();
    lengths.extend([0, 8, 100, 70_000]);
    let mut world = World::new(fixture, 2);
    let mut sends = Vec::new();
    for round in 0..2 {
        for (at, len) in lengths.iter().enumerate() {
            let data = filled(*len, at + round);
            let mode = match (at + round) % 3 {
                0 => Mode::Synchronous,
                _ => Mode::Standard,
            };
            sends.push((world.send(0, 1, 4, &data, mode), data));
        }
    }
    for (_, data) in &sends {
        let room = Scratch::new(data.buf().len());
        let request = world.recv(1, ANY, &room);
        let outcome = world.wait(1, request);
        assert_eq!(outcome.status, got(0, 4, data.buf().len()));
        assert!(bytes(&room) == bytes(data), "{} bytes", data.buf().len());
    }
    for (started, _) in &sends {
        world.wait_sent(0, *started);
    }
    world.check_empty();
}

/// Receives of one pattern are matched in the order in which they were posted.
pub fn receives_complete_in_the_order_of_posting<F: Fixture>(fixture: F) {
    let mut world = World::new(fixture, 2);
    let rooms: Vec<Scratch> = (0..6).map(|_| Scratch::new(1)).collect();
    let mut posted = Vec::new();
    for (at, room) in rooms.iter().enumerate() {
        let pattern = if at % 2 == 0 { ANY } else { from(0, 3) };
        posted.push(world.recv(1, pattern, room));
    }
    for seed in 0..rooms.len() {
        let data = filled(1, seed);
        let sent = world.send(0, 1, 3, &data, Mode::Standard);
        world.wait_sent(0, sent);
    }
    for (seed, (request, room)) in posted.into_iter().zip(&rooms).enumerate() {
        assert_eq!(world.wait(1, request).status, got(0, 3, 1));
        assert_eq!(bytes(room), bytes(&filled(1, seed)), "receive {seed}");
    }
    world.check_empty();
}

/// A receive from any source gets the message that came first.
pub fn a_receive_from_any_source_takes_the_oldest_message<F: Fixture>(fixture: F) {
    let mut world = World::new(fixture, 3);
    let data = filled(4, 1);
    for (source, tag) in [(2, 9), (1, 7), (2, 0)] {
        let sent = world.send(source, 0, tag, &data, Mode::Standard);
        world.settle();
        world.wait_sent(source, sent);
    }
    let room = Scratch::new(4);
    let of_two = Pattern {
        source: Some(Rank(2)),
        tag: None,
    };
    for (pattern, expected) in [(of_two, (2, 9)), (ANY, (1, 7)), (ANY, (2, 0))] {
        let request = world.recv(0, pattern, &room);
        let status = world.wait(0, request).status;
        assert_eq!(status, got(expected.0, expected.1, 4));
    }
    world.check_empty();
}

/// A receive takes the oldest message of its tag, past older ones of other tags.
pub fn tags_choose_among_unexpected_messages<F: Fixture>(fixture: F) {
    let mut world = World::new(fixture, 2);
    let tag_max = Tag::from(world.layers[0].capabilities().tag_max);
    let tags = [0, 1, tag_max, 1, 0];
    let data: Vec<Scratch> = (0..tags.len()).map(|seed| filled(8, seed)).collect();
    for (tag, data) in tags.iter().zip(&data) {
        let sent = world.send(0, 1, *tag, data, Mode::Standard);
        world.wait_sent(0, sent);
    }
    world.settle();
    let room = Scratch::new(8);
    for expected in [2, 1, 3, 0, 4] {
        let request = world.recv(1, from(0, tags[expected]), &room);
        assert_eq!(world.wait(1, request).status, got(0, tags[expected], 8));
        assert_eq!(bytes(&room), bytes(&data[expected]), "message {expected}");
    }
    world.check_empty();
}

/// A message takes the oldest receive that accepts it, also past older ones that do not.
pub fn a_message_takes_the_oldest_receive_that_accepts_it<F: Fixture>(fixture: F) {
    let mut world = World::new(fixture, 3);
    let rooms: Vec<Scratch> = (0..4).map(|_| Scratch::new(2)).collect();
    let of_any = Pattern {
        source: None,
        tag: Some(5),
    };
    let patterns = [from(2, 5), of_any, from(1, 5), ANY];
    let posted: Vec<_> = patterns
        .iter()
        .zip(&rooms)
        .map(|(pattern, room)| world.recv(0, *pattern, room))
        .collect();
    // Message by message, the receive that must get it.
    for (source, tag, at) in [(1, 5, 1), (1, 6, 3), (1, 5, 2), (2, 5, 0)] {
        let data = filled(2, at);
        let sent = world.send(source, 0, tag, &data, Mode::Standard);
        world.wait_sent(source, sent);
        assert_eq!(world.wait(0, posted[at]).status, got(source, tag, 2));
        assert_eq!(bytes(&rooms[at]), bytes(&data));
    }
    world.check_empty();
}

/// A receive gets no message of another communicator.
pub fn communicators_do_not_mix<F: Fixture>(fixture: F) {
    let mut world = World::new(fixture, 2);
    let (theirs, ours) = (world.open(0, Context(12)), world.open(1, Context(12)));
    let room = Scratch::new(3);
    let in_world = world.recv(1, ANY, &room);
    let data = filled(3, 9);
    let buffer = Buffer::bytes(data.buf());
    let sent = world.layers[0].start_send(theirs, Rank(1), 4, buffer, Mode::Standard);
    world.settle();
    world.wait_sent(0, sent);
    assert!(!world.layers[1].is_done(in_world));
    assert_eq!(world.probe(1, ours, ANY), got(0, 4, 3));
    let other = Scratch::new(3);
    let in_other = world.layers[1].start_recv(ours, ANY, Buffer::bytes(other.buf()));
    assert_eq!(world.wait(1, in_other).status, got(0, 4, 3));
    assert_eq!(bytes(&other), bytes(&data));
    let sent = world.send(0, 1, 5, &data, Mode::Standard);
    assert_eq!(world.wait(1, in_world).status, got(0, 5, 3));
    world.wait_sent(0, sent);
    world.check_empty();
}

/// A message that comes before its receiver has opened the communicator is matched afterwards.
pub fn a_message_may_come_before_its_communicator<F: Fixture>(fixture: F) {
    let mut world = World::new(fixture, 2);
    let theirs = world.open(0, Context(12));
    let data = filled(5, 2);
    let mut sends = Vec::new();
    for mode in [Mode::Standard, Mode::Synchronous] {
        let buffer = Buffer::bytes(data.buf());
        sends.push(world.layers[0].start_send(theirs, Rank(1), 1, buffer, mode));
        world.settle();
    }
    let ours = world.open(1, Context(12));
    for started in sends {
        let room = Scratch::new(5);
        let request = world.layers[1].start_recv(ours, ANY, Buffer::bytes(room.buf()));
        assert_eq!(world.wait(1, request).status, got(0, 1, 5));
        assert_eq!(bytes(&room), bytes(&data));
        world.wait_sent(0, started);
    }
    world.check_empty();
}

/// A layer that holds unexpected messages counts them and finds them by their tags; the oldest
/// first.
pub fn unexpected_messages_are_seen_where_they_are_held<F: Fixture>(fixture: F) {
    let mut world = World::new(fixture, 2);
    let data = filled(5, 2);
    for (tag, len) in [(1, 5), (2, 4), (3, 3)] {
        let part = filled(len, 1);
        let sent = world.send(0, 1, tag, &part, Mode::Standard);
        world.wait_sent(0, sent);
    }
    world.settle();
    let (layer, comm) = (&world.layers[1], world.comms[1]);
    let holds = layer.capabilities().holds_unexpected;
    let expected = |status| holds.then_some(status);
    let find = |is_wanted: &dyn Fn(Tag) -> bool| layer.find_unexpected(comm, is_wanted);
    assert_eq!(layer.unexpected_len(comm), if holds { 3 } else { 0 });
    assert_eq!(find(&|_| true), expected(got(0, 1, 5)));
    assert_eq!(find(&|tag| tag > 1), expected(got(0, 2, 4)));
    assert_eq!(find(&|tag| tag > 3), None);
    for tag in [1, 2, 3] {
        let request = world.recv(1, from(0, tag), &data);
        world.wait(1, request);
    }
    world.check_empty();
}

/// Random traffic of all modes and lengths among three ranks: each pair's messages of a tag are
/// received in order, some of them through matched probes.
pub fn random_traffic_arrives_once_and_in_order<F: Fixture>(fixture: F) {
    let mut lengths = fixture.boundaries();
    lengths.extend([0, 1, 64, 300]);
    let mut world = World::new(fixture, 3);
    let mut random = Random::new(1);
    let (mut sends, mut receives) = (Vec::new(), Vec::new());
    for number in 0..200 {
        let (source, to) = (random.index(3), random.index(3));
        let tag = random.below(3) as Tag;
        let data = filled(lengths[random.index(lengths.len())], number);
        let mode = match random.chance(30) {
            true => Mode::Synchronous,
            false => Mode::Standard,
        };
        let started = world.send(source, to, tag, &data, mode);
        let room = Scratch::new(data.buf().len());
        receives.push((to, (source, tag), bytes(&data), room));
        sends.push((source, started, data));
        if random.chance(50) {
            world.progress();
        }
    }
    let mut posted = Vec::new();
    for (at, (source, tag), expected, room) in receives {
        let (comm, pattern) = (world.comms[at], from(source, tag));
        let buffer = Buffer::bytes(room.buf());
        let layer = &mut world.layers[at];
        let probed = match random.chance(20) {
            true => layer.matched_probe(comm, pattern),
            false => None,
        };
        let request = match probed {
            Some((message, status)) => {
                assert_eq!(status.bytes, expected.len() as u64);
                layer
                    .start_matched_recv(message, buffer)
                    .expect("not received")
            }
            None => layer.start_recv(comm, pattern, buffer),
        };
        posted.push((
            at,
            request,
            got(source, tag, expected.len()),
            expected,
            room,
        ));
        if random.chance(30) {
            world.progress();
        }
    }
    for (at, request, status, expected, room) in posted {
        let outcome = world.wait(at, request);
        assert_eq!((outcome.result, outcome.status), (Ok(()), status));
        assert!(bytes(&room) == expected, "{status:?} at rank {at}");
    }
    for (source, started, _data) in sends {
        world.wait_sent(source, started);
    }
    world.check_empty();
}
