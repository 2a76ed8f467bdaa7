//! Tests of every protocol with every length, matched before and after the message arrives.

use btl_sim::{Config, Gets};
use pml::{Failure, Mode, Pml};

use crate::world::{from, lanes, World, ANY};

/// Around the limits of the lanes: of a part, a front, an eager message and a fragment, and of some
/// of them.
const LENGTHS: &[usize] = &[
    0, 1, 500, 501, 999, 1500, 4055, 4056, 4057, 4096, 5000, 19_999, 20_001, 40_000, 100_001,
];

const MODES: [Mode; 2] = [Mode::Standard, Mode::Synchronous];

#[test]
fn every_lane_brings_every_length_in_both_modes_to_receives_that_wait() {
    for (name, config) in lanes() {
        let mut world = World::new(2, config);
        for &len in LENGTHS {
            for mode in MODES {
                println!("{name}: {len} bytes, {mode:?}");
                let posted = world.recv(1, from(0, 5), len);
                let sent = world.send(0, 1, 5, len, mode);
                world.wait_recv(1, &posted, 0, 5, len);
                world.wait_send(0, sent);
            }
        }
        world.check_is_idle();
    }
}

#[test]
fn every_lane_brings_every_length_in_both_modes_to_receives_that_come_later() {
    for (name, config) in lanes() {
        let mut world = World::new(2, config);
        for &len in LENGTHS {
            for mode in MODES {
                println!("{name}: {len} bytes, {mode:?}");
                let sent = world.send(0, 1, 5, len, mode);
                world.until("the message", |world| {
                    (world.unexpected(1) == 1).then_some(())
                });
                world.settle();
                if let (Mode::Synchronous, Some(request)) = (mode, sent) {
                    assert_eq!(world.outcome(0, request), None, "it is not matched");
                }
                let posted = world.recv(1, ANY, len + 10);
                world.wait_recv(1, &posted, 0, 5, len);
                world.wait_send(0, sent);
            }
        }
        world.check_is_idle();
    }
}

#[test]
fn a_synchronous_send_is_pending_until_it_is_matched_on_every_lane() {
    for (name, config) in lanes() {
        let mut world = World::new(2, config);
        for len in [0, 3000, 30_000] {
            let sent = world.send(0, 1, 5, len, Mode::Synchronous);
            let sent = sent.unwrap_or_else(|| panic!("{name}: {len} bytes are matched by nobody"));
            world.settle();
            assert_eq!(world.outcome(0, sent), None, "{name}: {len} bytes");
            let posted = world.recv(1, ANY, len);
            world.wait_recv(1, &posted, 0, 5, len);
            world.wait_send(0, Some(sent));
        }
    }
}

/// Both sides learn the lengths of message and buffer, the buffer is filled, and the next message
/// arrives.
#[test]
fn a_message_that_is_too_long_fills_the_receive_and_fails_it_alone() {
    for (name, config) in lanes() {
        for (len, room) in [
            (1, 0),
            (1500, 700),
            (5000, 4000),
            (30_000, 450),
            (30_000, 29_999),
        ] {
            for early in [true, false] {
                println!("{name}: {len} bytes into {room}, {early}");
                let mut world = World::new(2, config.clone());
                let posted = early.then(|| world.recv(1, from(0, 5), room));
                let sent = world.send(0, 1, 5, len, Mode::Standard);
                if posted.is_none() {
                    world.until("the message", |world| {
                        (world.unexpected(1) == 1).then_some(())
                    });
                }
                let posted = posted.unwrap_or_else(|| world.recv(1, from(0, 5), room));
                let outcome = world.wait(1, posted.request);
                let truncated = Failure::Truncated {
                    sent: len as u64,
                    room: room as u64,
                };
                assert_eq!(outcome.result, Err(truncated));
                assert_eq!(outcome.status.bytes, room as u64);
                let wanted = crate::world::content(0, 5, len);
                assert!(posted.bytes(room) == wanted[..room], "other bytes");
                world.wait_send(0, sent);
                let posted = world.recv(1, ANY, 10);
                let sent = world.send(0, 1, 6, 10, Mode::Standard);
                world.wait_recv(1, &posted, 0, 6, 10);
                world.wait_send(0, sent);
                world.check_is_idle();
            }
        }
    }
}

/// A sender never waits for a lane, or for a window that is used up: its messages wait in order.
#[test]
fn messages_of_all_lengths_keep_their_order_through_a_narrow_lane_and_a_narrow_window() {
    for gets in [Gets::None, Gets::Pairs(100)] {
        let config = Config {
            busy_percent: 60,
            queue_messages_max: 1,
            gets,
            ..Config::of(3)
        };
        let mut world = World::with_window(2, config, 5000);
        let lens: Vec<usize> = (0..200).map(|n| [0, 10, 3000, 6000, 50][n % 5]).collect();
        let mut sends = Vec::new();
        for (n, len) in lens.iter().enumerate() {
            sends.push(world.send(0, 1, n as i64, *len, Mode::Standard));
        }
        assert!(sends.iter().any(Option::is_some), "nothing had to wait");
        for (n, len) in lens.iter().enumerate() {
            let posted = world.recv(1, ANY, 6000);
            world.wait_recv(1, &posted, 0, n as i64, *len);
        }
        sends.into_iter().for_each(|sent| world.wait_send(0, sent));
        world.check_is_idle();
    }
}

/// Unexpected messages are bounded at the receiver: those behind the window send an RTS only.
#[test]
fn unmatched_messages_fill_a_window_and_no_more() {
    let config = lanes().remove(1).1;
    let mut world = World::with_window(2, config, 10_000);
    let sends: Vec<_> = (0..50)
        .map(|tag| world.send(0, 1, tag, 1000, Mode::Standard))
        .collect();
    world.settle();
    let done = |world: &mut World, sent: &Option<_>| match sent {
        None => true,
        Some(request) => world.engines[0].enter().is_done(*request),
    };
    let complete = sends.iter().filter(|sent| done(&mut world, sent)).count();
    // A message costs 64 bytes of the window beside its payload.
    assert_eq!(complete, 10_000 / 1064);
    for tag in (0..50).rev() {
        let posted = world.recv(1, from(0, tag), 1000);
        world.wait_recv(1, &posted, 0, tag, 1000);
    }
    sends.into_iter().for_each(|sent| world.wait_send(0, sent));
    world.check_is_idle();
}

/// A request that nobody asks about any more ends by itself, with its message.
#[test]
fn a_detached_send_arrives_and_is_gone() {
    for (_, config) in lanes() {
        let mut world = World::new(2, config);
        for len in [10, 30_000] {
            if let Some(sent) = world.send(0, 1, 5, len, Mode::Standard) {
                world.engines[0].enter().detach(sent);
            }
            let posted = world.recv(1, ANY, len);
            world.wait_recv(1, &posted, 0, 5, len);
        }
        world.check_is_idle();
    }
}
