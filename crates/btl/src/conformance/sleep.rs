//! Tests of the wake-up of a driver that sleeps.

use std::os::fd::RawFd;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::fixture::Fixture;
use super::world::{Node, SendKind, World};
use crate::{Flow, Interest, SleepKind, Waker};

/// The longest sleep. One that lasts as long was not ended by a waker.
const SLEEP_MAX: Duration = Duration::from_secs(5);

/// How long a message takes to leave a sender that progresses.
const LEAVING_MAX: Duration = Duration::from_millis(100);

/// Rounds of a test that looks for a message that is missed, and the time after which no more
/// begin: those of a transport whose flushes need the receiver take [`LEAVING_MAX`] each.
const ROUNDS_MAX: u64 = 50;
const ROUNDS_TIME: Duration = Duration::from_secs(1);

/// Sleeps that a waker may end for nothing before the driver counts as awake all the time.
const VAIN_MAX: usize = 200;

const KINDS: [SleepKind; 2] = [SleepKind::Futex, SleepKind::Descriptors];

/// A message wakes a receiver, even if it is the first ever.
pub fn a_sleeper_is_woken_by_a_message(fixture: &mut dyn Fixture) {
    for (kind, warm) in KINDS
        .into_iter()
        .flat_map(|kind| [(kind, false), (kind, true)])
    {
        let (mut world, from, to) = World::pair(fixture);
        if world.is_mute() {
            return;
        }
        if warm {
            world.send(from, to, 0, (10, 0), SendKind::Send);
            world.receive(from, to, 0, 10);
        }
        let Some((sender, receiver)) = world.two(from, to) else {
            return;
        };
        let (peer, back) = (receiver.id, sender.id);
        let arrived = AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(Duration::from_millis(30));
                let mut sent = false;
                sender.until("the sleeper", |node| {
                    sent = sent || node.offer(peer, 7, (99, 9), SendKind::Send) == Ok(Flow::Sent);
                    arrived.load(Ordering::Acquire)
                });
            });
            sleep_until_message(receiver, kind);
            arrived.store(true, Ordering::Release);
        });
        receiver.expect(back, 7, 99);
    }
}

/// Messages that arrive between `arm` and the sleep end the sleep at once.
pub fn what_came_before_the_sleep_prevents_it(fixture: &mut dyn Fixture) {
    for kind in KINDS {
        let (mut world, from, to) = World::pair(fixture);
        if world.is_mute() {
            return;
        }
        world.send(from, to, 0, (10, 0), SendKind::Send);
        world.receive(from, to, 0, 10);
        let Some((sender, receiver)) = world.two(from, to) else {
            return;
        };
        let begin = Instant::now();
        for number in (0..ROUNDS_MAX).take_while(|_| begin.elapsed() < ROUNDS_TIME) {
            let waker = receiver
                .transport
                .arm(kind)
                .expect("a waker: a peer may send");
            receiver.progress();
            let mut sent = None;
            sender.until("a flush", |node| {
                if sent.is_none() {
                    let flow = node.offer(receiver.id, number, (99, 9), SendKind::Send);
                    sent = (flow == Ok(Flow::Sent)).then(Instant::now);
                }
                // A flush may need the receiver, but time enough is as good as one.
                let left = node.transport.flush(receiver.id) == Ok(Flow::Sent);
                sent.is_some_and(|since| left || since.elapsed() > LEAVING_MAX)
            });
            let start = Instant::now();
            nap(&waker, kind);
            assert!(
                start.elapsed() < SLEEP_MAX,
                "message {number} came and the sleep went on"
            );
            receiver.transport.disarm();
            receiver.until("the message", |node| !node.record.inbox.is_empty());
            receiver.expect(sender.id, number, 99);
        }
    }
}

/// Two drivers that sleep whenever they have nothing to do wake each other, time after time.
pub fn ping_pong_between_sleepers(fixture: &mut dyn Fixture) {
    for kind in KINDS {
        let (mut world, from, to) = World::pair(fixture);
        if world.is_mute() {
            return;
        }
        let Some((a, b)) = world.two(from, to) else {
            return;
        };
        let (id_a, id_b) = (a.id, b.id);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                for number in 0..300 {
                    send(a, id_b, 2 * number);
                    sleep_until_message(a, kind);
                    a.expect(id_b, 2 * number + 1, 99);
                }
            });
            for number in 0..300 {
                sleep_until_message(b, kind);
                b.expect(id_a, 2 * number, 99);
                send(b, id_a, 2 * number + 1);
            }
            b.until("a flush", |node| {
                node.transport.flush(id_a) == Ok(Flow::Sent)
            });
        });
    }
}

fn send(node: &mut Node, to: base::PeerId, number: u64) {
    node.until("a send", |node| {
        node.offer(to, number, (99, 9), SendKind::Send) == Ok(Flow::Sent)
    });
}

/// Sleeps as a driver does: arm, poll once more, sleep, disarm, poll again.
fn sleep_until_message(node: &mut Node, kind: SleepKind) {
    let mut vain = 0;
    while node.record.inbox.is_empty() {
        let waker = node.transport.arm(kind).expect("a waker: a peer may send");
        if node.progress() == 0 {
            let start = Instant::now();
            nap(&waker, kind);
            assert!(start.elapsed() < SLEEP_MAX, "{} was not woken", node.id);
            vain += usize::from(!matches!(waker, Waker::Poll));
            assert!(
                vain < VAIN_MAX,
                "{} is woken again and again for nothing",
                node.id
            );
        }
        node.transport.disarm();
        node.progress();
        (node.tick)();
    }
}

fn nap(waker: &Waker, kind: SleepKind) {
    match waker {
        Waker::Futex(futex, value) => {
            assert_eq!(
                kind,
                SleepKind::Futex,
                "a futex where descriptors were asked for"
            );
            sync::futex::wait(futex.word(), *value, Some(SLEEP_MAX));
        }
        Waker::Descriptors(descriptors) => poll(descriptors),
        Waker::Poll => std::thread::sleep(Duration::from_millis(1)),
    }
}

fn poll(descriptors: &[(RawFd, Interest)]) {
    let mut entries: Vec<_> = descriptors
        .iter()
        .map(|&(fd, interest)| libc::pollfd {
            fd,
            events: match interest {
                Interest::Readable => libc::POLLIN,
                Interest::ReadableOrWritable => libc::POLLIN | libc::POLLOUT,
            },
            revents: 0,
        })
        .collect();
    let limit_ms = SLEEP_MAX.as_millis() as libc::c_int;
    // SAFETY: the entries are a live array of the length given; poll writes `revents` only.
    unsafe {
        libc::poll(
            entries.as_mut_ptr(),
            entries.len() as libc::nfds_t,
            limit_ms,
        )
    };
}
