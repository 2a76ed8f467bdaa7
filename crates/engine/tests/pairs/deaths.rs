//! Tests in which a peer dies at each step of a message.
//!
//! Each case ends one of both processes after a number of steps, one more each time, until the
//! message is through before: a moment of the network and the progress of a process are a step
//! each. What the other one has begun then ends: well, with all of its bytes, or with an error that
//! names the peer. It never waits on.

use base::PeerId;
use pml::{Failure, Mode, Outcome, Pml};

use crate::world::{content, from, lanes, World, ANY};

/// Steps after which every message of these tests is through.
const STEPS_MAX: usize = 1000;

const LENGTHS: [usize; 4] = [10, 3000, 9000, 70_000];

/// Whether a request ended as it may when a peer has died.
fn ended_well(outcome: &Outcome, peer: u32) -> bool {
    match &outcome.result {
        Ok(()) => true,
        Err(Failure::PeerFailed { peer: lost, .. }) => {
            assert_eq!((*lost, outcome.status.bytes), (PeerId(peer), 0));
            false
        }
        Err(failure) => panic!("{failure}"),
    }
}

/// Kills a process after each number of steps. `play` begins the message, kills, and says whether
/// it was complete before.
fn at_each_cut(mut play: impl FnMut(usize) -> bool) {
    let through = (0..STEPS_MAX).find(|cut| play(*cut));
    assert!(through.is_some_and(|cut| cut >= 3), "{through:?}");
}

#[test]
fn a_receiver_whose_sender_dies_has_the_whole_message_or_an_error() {
    for (name, config) in lanes() {
        for len in LENGTHS {
            let (mut whole, mut lost) = (0, 0);
            at_each_cut(|cut| {
                let mut world = World::new(2, config.clone());
                let posted = world.recv(1, from(0, 5), len);
                let _ = world.send(0, 1, 5, len, Mode::Synchronous);
                world.steps(cut);
                let before = world.engines[1].enter().is_done(posted.request);
                world.kill(0);
                let outcome = world.wait(1, posted.request);
                if ended_well(&outcome, 0) {
                    assert!(posted.bytes(len) == content(0, 5, len), "{name}, {cut}");
                    whole += 1;
                } else {
                    lost += 1;
                }
                world.settle();
                assert_eq!(world.engines[1].enter().open_requests(), 0);
                before
            });
            assert!(whole > 0 && lost > 0, "{name}, {len}: {whole}, {lost}");
        }
    }
}

#[test]
fn a_sender_whose_receiver_dies_is_done_or_has_an_error() {
    for (name, config) in lanes() {
        for len in LENGTHS {
            let (mut done, mut lost) = (0, 0);
            at_each_cut(|cut| {
                let mut world = World::new(2, config.clone());
                let _posted = world.recv(1, from(0, 5), len);
                let sent = world.send(0, 1, 5, len, Mode::Synchronous);
                let sent = sent.expect("under way");
                world.steps(cut);
                let before = world.engines[0].enter().is_done(sent);
                world.kill(1);
                match ended_well(&world.wait(0, sent), 1) {
                    true => done += 1,
                    false => lost += 1,
                }
                world.settle();
                assert_eq!(world.engines[0].enter().open_requests(), 0);
                before
            });
            assert!(done > 0 && lost > 0, "{name}, {len}: {done}, {lost}");
        }
    }
}

/// A message that was announced and not received when its sender died: what a probe shows can be
/// received, with its bytes or with an error.
#[test]
fn a_message_of_the_dead_that_waits_is_received_whole_or_fails() {
    for (name, config) in lanes() {
        for len in LENGTHS {
            println!("{name}, {len} bytes");
            let mut world = World::new(2, config.clone());
            let _ = world.send(0, 1, 5, len, Mode::Synchronous);
            world.until("the message", |world| world.probe(1, ANY));
            world.settle();
            world.kill(0);
            world.settle();
            assert!(
                !world.engines[1].enter().failed().is_empty(),
                "no report of the death"
            );
            let posted = world.recv(1, from(0, 5), len);
            if ended_well(&world.wait(1, posted.request), 0) {
                assert!(posted.bytes(len) == content(0, 5, len));
            }
            assert_eq!(world.unexpected(1), 0);
            // Nothing more can come from it.
            let posted = world.recv(1, from(0, 5), len);
            assert!(!ended_well(&world.wait(1, posted.request), 0));
        }
    }
}

/// The third process goes on with both a receive from the dead and one from the living.
#[test]
fn the_death_of_one_peer_leaves_the_messages_of_the_other() {
    for (name, config) in lanes() {
        for cut in 0..60 {
            println!("{name}, {cut}");
            let mut world = World::new(3, config.clone());
            let of_dead = world.recv(0, from(1, 5), 9000);
            let of_living = world.recv(0, from(2, 5), 9000);
            let _ = world.send(1, 0, 5, 9000, Mode::Standard);
            let sent = world.send(2, 0, 5, 9000, Mode::Standard);
            world.steps(cut);
            world.kill(1);
            world.wait_recv(0, &of_living, 2, 5, 9000);
            world.wait_send(2, sent);
            ended_well(&world.wait(0, of_dead.request), 1);
        }
    }
}
