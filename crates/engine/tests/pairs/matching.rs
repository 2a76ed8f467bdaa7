//! Tests of matching among two and three processes.

use base::Rank;
use pml::{Mode, Pattern, Pml};

use crate::world::{from, lanes, World, ANY};

#[test]
fn of_two_receives_the_older_gets_the_message_whether_it_names_the_sender_or_not() {
    for (_, config) in lanes() {
        for wild_first in [true, false] {
            let mut world = World::new(3, config.clone());
            let patterns = if wild_first {
                [ANY, from(1, 5)]
            } else {
                [from(1, 5), ANY]
            };
            let receives = patterns.map(|pattern| world.recv(0, pattern, 5000));
            let sends = [2000, 5000].map(|len| world.send(1, 0, 5, len, Mode::Standard));
            world.wait_recv(0, &receives[0], 1, 5, 2000);
            world.wait_recv(0, &receives[1], 1, 5, 5000);
            sends.into_iter().for_each(|sent| world.wait_send(1, sent));
            world.check_is_idle();
        }
    }
}

/// Short and long messages of two senders, received from anybody: those of each sender in order.
#[test]
fn a_receive_from_anybody_takes_the_messages_of_each_sender_in_their_order() {
    for (name, config) in lanes() {
        for early in [true, false] {
            println!("{name}, {early}");
            let mut world = World::new(3, config.clone());
            let len = |n: usize| [20, 9000, 300, 4500][n % 4];
            let mut receives = Vec::new();
            if early {
                receives.extend((0..20).map(|_| world.recv(0, ANY, 9000)));
            }
            let mut sends = Vec::new();
            for n in 0..10 {
                for sender in [1, 2] {
                    let sent = world.send(sender, 0, n as i64, len(n), Mode::Standard);
                    sends.push((sender, sent));
                }
            }
            if !early {
                receives.extend((0..20).map(|_| world.recv(0, ANY, 9000)));
            }
            let mut next = [0; 3];
            for posted in &receives {
                let outcome = world.wait(0, posted.request);
                let source = outcome.status.source.expect("a sender").index();
                let n = next[source];
                assert_eq!(outcome.status.tag, n as i64, "of {source}");
                let bytes = posted.bytes(len(n));
                assert!(bytes == crate::world::content(source, n as i64, len(n)));
                next[source] += 1;
            }
            assert_eq!(next, [0, 10, 10]);
            for (sender, sent) in sends {
                world.wait_send(sender, sent);
            }
            world.check_is_idle();
        }
    }
}

#[test]
fn a_tag_that_is_wanted_is_found_behind_others() {
    for (_, config) in lanes() {
        let mut world = World::new(2, config);
        let sends: Vec<_> = (0..30)
            .map(|tag| world.send(0, 1, tag, 100 * tag as usize, Mode::Standard))
            .collect();
        for tag in (0..30).rev() {
            let posted = world.recv(1, from(0, tag), 3000);
            world.wait_recv(1, &posted, 0, tag, 100 * tag as usize);
        }
        sends.into_iter().for_each(|sent| world.wait_send(0, sent));
        world.check_is_idle();
    }
}

#[test]
fn a_probe_leaves_the_message_and_a_matched_probe_takes_it() {
    for (name, config) in lanes() {
        for len in [0, 100, 3000, 30_000] {
            println!("{name}, {len} bytes");
            let mut world = World::new(2, config.clone());
            assert_eq!(world.probe(1, ANY), None);
            let first = world.send(0, 1, 5, len, Mode::Standard);
            let second = world.send(0, 1, 5, len, Mode::Synchronous);
            let status = world.until("a message", |world| world.probe(1, ANY));
            assert_eq!((status.source, status.tag), (Some(Rank(0)), 5));
            assert_eq!(status.bytes, len as u64);
            world.until("both", |world| (world.unexpected(1) == 2).then_some(()));
            let other = Pattern {
                tag: Some(6),
                ..ANY
            };
            assert_eq!(world.probe(1, other), None);
            let (message, taken) = world.matched_probe(1, from(0, 5)).expect("a message");
            assert_eq!(taken, status);
            // The second message is the next one for everybody else.
            let later = world.recv(1, ANY, len);
            world.wait_recv(1, &later, 0, 5, len);
            world.wait_send(0, second);
            assert_eq!(world.probe(1, ANY), None);
            let posted = world.recv_matched(1, message, len);
            world.wait_recv(1, &posted, 0, 5, len);
            world.wait_send(0, first);
            world.check_is_idle();
        }
    }
}

#[test]
fn a_receive_is_cancelled_while_it_waits_and_not_later() {
    for (_, config) in lanes() {
        let mut world = World::new(2, config);
        let posted = world.recv(1, ANY, 100);
        assert!(world.cancel(1, posted.request));
        let outcome = world.outcome(1, posted.request).expect("cancelled");
        assert!(outcome.status.cancelled && outcome.result.is_ok());
        // The message is the next receive's.
        let posted = world.recv(1, ANY, 100);
        let sent = world.send(0, 1, 5, 100, Mode::Standard);
        world.until("the message", |world| {
            let core = world.engines[1].enter();
            core.is_done(posted.request).then_some(())
        });
        assert!(!world.cancel(1, posted.request));
        world.wait_recv(1, &posted, 0, 5, 100);
        world.wait_send(0, sent);
        world.check_is_idle();
    }
}

/// A send that nobody has matched is taken back; one that a receive has goes on to its end.
#[test]
fn a_send_is_cancelled_until_it_is_matched() {
    for (name, config) in lanes() {
        for (len, mode) in [(10, Mode::Synchronous), (30_000, Mode::Standard)] {
            for matched in [false, true] {
                println!("{name}, {len} bytes, {matched}");
                let mut world = World::new(2, config.clone());
                let sent = world.send(0, 1, 5, len, mode).expect("under way");
                world.until("the message", |world| {
                    (world.unexpected(1) == 1).then_some(())
                });
                let posted = matched.then(|| world.recv(1, ANY, len));
                assert!(!world.cancel(0, sent), "its receiver decides");
                let outcome = world.wait(0, sent);
                assert_eq!(outcome.result, Ok(()));
                assert_eq!(outcome.status.cancelled, !matched);
                match posted {
                    Some(posted) => world.wait_recv(1, &posted, 0, 5, len),
                    None => assert_eq!(world.unexpected(1), 0),
                }
                let posted = world.recv(1, ANY, 10);
                let sent = world.send(0, 1, 6, 10, Mode::Standard);
                world.wait_recv(1, &posted, 0, 6, 10);
                world.wait_send(0, sent);
                world.check_is_idle();
            }
        }
    }
}
