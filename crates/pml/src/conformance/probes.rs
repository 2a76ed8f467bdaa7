//! Tests of probes, and of messages that a matched probe has taken.

use datatype::Buffer;
use memory::Scratch;

use super::fixture::Fixture;
use super::world::{bytes, filled, from, got, World, ANY};
use crate::{Mode, Pml};

/// A probe reports the oldest message that a receive would accept, and leaves it.
pub fn a_probed_message_stays<F: Fixture>(fixture: F) {
    let mut lengths = fixture.boundaries();
    lengths.extend([0, 80, 100_000]);
    let mut world = World::new(fixture, 2);
    let comm = world.comms[1];
    assert_eq!(world.layers[1].probe(comm, ANY), None);
    for len in lengths {
        let (data, room) = (filled(len, 6), Scratch::new(len));
        let sent = world.send(0, 1, 3, &data, Mode::Standard);
        world.settle();
        assert_eq!(world.layers[1].probe(comm, from(0, 4)), None);
        assert_eq!(world.layers[1].probe(comm, from(1, 3)), None);
        for _ in 0..2 {
            assert_eq!(world.probe(1, comm, ANY), got(0, 3, len));
        }
        let request = world.recv(1, from(0, 3), &room);
        assert_eq!(world.wait(1, request).status, got(0, 3, len));
        assert!(bytes(&room) == bytes(&data), "{len} bytes");
        assert_eq!(world.layers[1].probe(comm, ANY), None);
        world.wait_sent(0, sent);
    }
    world.check_empty();
}

/// A message that a matched probe took is found by nobody else, and is received once.
pub fn a_matched_probe_takes_the_message<F: Fixture>(fixture: F) {
    let mut lengths = fixture.boundaries();
    lengths.extend([80, 100_000]);
    let mut world = World::new(fixture, 2);
    let comm = world.comms[1];
    assert_eq!(world.layers[1].matched_probe(comm, ANY), None);
    for len in lengths {
        let (first, second) = (filled(len, 6), filled(4, 7));
        let sent = world.send(0, 1, 3, &first, Mode::Synchronous);
        let other_sent = world.send(0, 1, 3, &second, Mode::Standard);
        world.settle();
        let (message, status) = world.claim(1, comm, ANY);
        assert_eq!(status, got(0, 3, len));
        assert_eq!(world.probe(1, comm, ANY), got(0, 3, 4));
        let room = Scratch::new(len);
        let other = world.recv(1, ANY, &room);
        assert_eq!(world.wait(1, other).status, got(0, 3, 4));
        world.wait_sent(0, other_sent);
        let buffer = Buffer::bytes(room.buf());
        let taken = world.layers[1].start_matched_recv(message, buffer.clone());
        let outcome = world.wait(1, taken.expect("not received yet"));
        assert_eq!((outcome.result, outcome.status), (Ok(()), got(0, 3, len)));
        assert!(bytes(&room) == bytes(&first), "{len} bytes");
        world.wait_sent(0, sent);
        assert_eq!(world.layers[1].start_matched_recv(message, buffer), None);
    }
    world.check_empty();
}
