//! Tests of the transfer of messages: lengths, modes, truncation, layouts.

use std::sync::Arc;

use base::Rank;
use datatype::constants::MPI_INT;
use datatype::{predefined, Buffer, Datatype};
use memory::Scratch;

use super::fixture::Fixture;
use super::world::{bytes, filled, from, got, World, ANY};
use crate::{Failure, Mode, Pml, Started};

/// Every length around a change of protocol arrives whole, in both modes, posted or unexpected.
pub fn every_length_arrives_whole_expected_and_unexpected<F: Fixture>(fixture: F) {
    let mut lengths = vec![0, 1, 8, 64, 65, 4096, 200_000];
    for boundary in fixture.boundaries() {
        lengths.extend([boundary.saturating_sub(1), boundary, boundary + 1]);
    }
    let mut world = World::new(fixture, 2);
    for len in lengths {
        for (mode, unexpected) in [
            (Mode::Standard, false),
            (Mode::Standard, true),
            (Mode::Synchronous, false),
            (Mode::Synchronous, true),
        ] {
            let (data, room) = (filled(len, 3), Scratch::new(len));
            let posted = (!unexpected).then(|| world.recv(1, from(0, 5), &room));
            let sent = world.send(0, 1, 5, &data, mode);
            if unexpected {
                world.settle();
            }
            let request = posted.unwrap_or_else(|| world.recv(1, from(0, 5), &room));
            let outcome = world.wait(1, request);
            assert_eq!(outcome.result, Ok(()), "{len} bytes");
            assert_eq!(outcome.status, got(0, 5, len));
            assert!(bytes(&room) == bytes(&data), "{len} bytes, {mode:?}");
            world.wait_sent(0, sent);
        }
    }
    world.check_empty();
}

/// A rank's messages to itself arrive as others do.
pub fn messages_to_oneself_arrive<F: Fixture>(fixture: F) {
    let mut lengths = fixture.boundaries();
    lengths.extend([0, 8, 100_000]);
    let mut world = World::new(fixture, 2);
    for len in lengths {
        for (mode, unexpected) in [
            (Mode::Standard, false),
            (Mode::Standard, true),
            (Mode::Synchronous, true),
        ] {
            let (data, room) = (filled(len, 6), Scratch::new(len));
            let posted = (!unexpected).then(|| world.recv(1, ANY, &room));
            let sent = world.send(1, 1, 2, &data, mode);
            let request = posted.unwrap_or_else(|| world.recv(1, ANY, &room));
            assert_eq!(world.wait(1, request).status, got(1, 2, len));
            assert!(bytes(&room) == bytes(&data), "{len} bytes, {mode:?}");
            world.wait_sent(1, sent);
        }
    }
    world.check_empty();
}

/// Synchronous sends complete one by one as they are matched.
pub fn a_synchronous_send_is_complete_once_matched_and_not_before<F: Fixture>(fixture: F) {
    let mut lengths = fixture.boundaries();
    lengths.extend([0, 10, 50_000]);
    let mut world = World::new(fixture, 2);
    for len in lengths {
        let (data, room) = (filled(len, 2), Scratch::new(len));
        let mut start = || match world.send(0, 1, 7, &data, Mode::Synchronous) {
            Started::Pending(request) => request,
            Started::Complete => panic!("complete before it was matched"),
        };
        let (first, second) = (start(), start());
        world.settle();
        assert!(!world.layers[0].is_done(first), "{len} bytes");
        // A receive from any source at the sender does not take the acknowledgement.
        let wild = world.recv(0, ANY, &room);
        let request = world.recv(1, ANY, &room);
        assert_eq!(world.wait(1, request).status, got(0, 7, len));
        assert_eq!(world.wait(0, first).result, Ok(()));
        world.settle();
        assert!(!world.layers[0].is_done(second), "{len} bytes");
        let request = world.recv(1, ANY, &room);
        world.wait(1, request);
        assert_eq!(world.wait(0, second).result, Ok(()));
        assert!(!world.layers[0].is_done(wild));
        world.layers[0].cancel(wild);
        assert!(world.wait(0, wild).status.cancelled);
    }
    world.check_empty();
}

/// A receive shorter than its message gets what fits and says how long the message was; its sender
/// is not affected.
pub fn what_does_not_fit_is_cut_off_and_reported<F: Fixture>(fixture: F) {
    let mut lengths = fixture.boundaries();
    lengths.extend([300, 100_000]);
    lengths.retain(|len| *len > 100);
    let mut world = World::new(fixture, 2);
    for len in lengths {
        for (mode, unexpected) in [
            (Mode::Standard, true),
            (Mode::Standard, false),
            (Mode::Synchronous, true),
        ] {
            let (data, room) = (filled(len, 4), Scratch::new(100));
            let posted = (!unexpected).then(|| world.recv(1, ANY, &room));
            let sent = world.send(0, 1, 1, &data, mode);
            if unexpected {
                world.settle();
            }
            let request = posted.unwrap_or_else(|| world.recv(1, ANY, &room));
            let outcome = world.wait(1, request);
            let (sent_bytes, room_bytes) = (len as u64, 100);
            let truncated = Failure::Truncated {
                sent: sent_bytes,
                room: room_bytes,
            };
            assert_eq!(outcome.result, Err(truncated));
            assert_eq!(outcome.status, got(0, 1, 100));
            assert_eq!(bytes(&room), bytes(&data)[..100], "{len} bytes, {mode:?}");
            world.wait_sent(0, sent);
        }
    }
    world.check_empty();
}

/// Elements with gaps arrive in their places, and the gaps stay as they were.
pub fn buffers_with_gaps_are_packed_and_unpacked<F: Fixture>(fixture: F) {
    let mut world = World::new(fixture, 2);
    let int = predefined(MPI_INT).expect("a predefined datatype");
    for rows in [3, 400, 30_000] {
        for unexpected in [false, true] {
            let column = Datatype::vector(rows, 1, 4, int).expect("a vector");
            let column = Arc::new(column);
            let len = rows as usize * 16;
            let (data, room) = (filled(len, 5), Scratch::new(len));
            let over = |memory: &Scratch| {
                Buffer::over(memory.buf(), 1, &column).expect("it fits the memory")
            };
            let (theirs, ours) = (world.comms[0], world.comms[1]);
            let pattern = from(0, 2);
            let posted =
                (!unexpected).then(|| world.layers[1].start_recv(ours, pattern, over(&room)));
            let layer = &mut world.layers[0];
            let sent = layer.start_send(theirs, Rank(1), 2, over(&data), Mode::Standard);
            if unexpected {
                world.settle();
            }
            let request =
                posted.unwrap_or_else(|| world.layers[1].start_recv(ours, pattern, over(&room)));
            assert_eq!(world.wait(1, request).status, got(0, 2, rows as usize * 4));
            let (sent_bytes, here) = (bytes(&data), bytes(&room));
            for (at, byte) in here.iter().enumerate() {
                let expected = if at % 16 < 4 { sent_bytes[at] } else { 0 };
                assert_eq!(*byte, expected, "byte {at} of {rows} rows");
            }
            world.wait_sent(0, sent);
        }
    }
    world.check_empty();
}

/// Many messages both ways, received late: back-pressure loses none.
pub fn a_flood_in_both_directions_loses_nothing<F: Fixture>(fixture: F) {
    const COUNT: usize = 300;
    let mut world = World::new(fixture, 2);
    let mut sends = Vec::new();
    for number in 0..COUNT {
        for at in [0, 1] {
            let data = filled(number % 7 * 100, number);
            sends.push((at, world.send(at, 1 - at, 3, &data, Mode::Standard), data));
        }
    }
    for number in 0..COUNT {
        let expected = filled(number % 7 * 100, number);
        for at in [0, 1] {
            let room = Scratch::new(expected.buf().len());
            let request = world.recv(at, from(1 - at, 3), &room);
            assert_eq!(world.wait(at, request).result, Ok(()));
            assert!(bytes(&room) == bytes(&expected), "message {number}");
        }
    }
    for (at, started, _data) in sends {
        world.wait_sent(at, started);
    }
    world.check_empty();
}

/// While a layer says that it has something queued or to send, it is not flushed; it ends.
pub fn flushed_means_that_nothing_is_queued<F: Fixture>(fixture: F) {
    const COUNT: usize = 200;
    let mut world = World::new(fixture, 2);
    let data = filled(900, 1);
    for _ in 0..COUNT {
        if let Started::Pending(request) = world.send(0, 1, 3, &data, Mode::Standard) {
            world.layers[0].detach(request);
        }
        let layer = &mut world.layers[0];
        assert!(!layer.has_queued() || !layer.is_flushed(2));
    }
    let room = Scratch::new(900);
    for _ in 0..COUNT {
        let request = world.recv(1, from(0, 3), &room);
        assert_eq!(world.wait(1, request).status, got(0, 3, 900));
    }
    world.until(0, "its flush", |layer| layer.is_flushed(2).then_some(()));
    world.check_empty();
}
