//! Tests of sleep and wake-up, and of transports that have a thread each.

use super::*;

#[test]
fn the_waker_is_readable_exactly_when_there_is_something_to_do() {
    let readable = |node: &mut Node| {
        let Some(Waker::Descriptors(list)) = node.transport.arm(SleepKind::Descriptors) else {
            panic!("no descriptors");
        };
        assert_eq!((list.len(), list[0].1), (1, Interest::Readable));
        node.progress();
        let mut poll = libc::pollfd {
            fd: list[0].0,
            events: libc::POLLIN,
            revents: 0,
        };
        // SAFETY: one initialised `pollfd`, and the count says so.
        let ready = unsafe { libc::poll(&mut poll, 1, 100) } == 1;
        node.transport.disarm();
        ready
    };
    let (mut a, mut b) = connected();
    std::thread::sleep(Duration::from_millis(250));
    readable(&mut a);
    // Ticks come until the kernels have acknowledged everything.
    assert!((0..5).any(|_| !readable(&mut b)), "nothing was sent");
    assert!(!readable(&mut b), "nothing was sent");
    let Some(Waker::Poll) = b.transport.arm(SleepKind::Futex) else {
        panic!("no futex here")
    };
    b.transport.disarm();
    // An idle transport that has been polled long enough skips most polls, but never an armed one.
    (0..100_000).for_each(|_| b.progress());
    b.transport.arm(SleepKind::Descriptors);
    a.say(1, "wake up");
    b.progress();
    assert_eq!(b.received(), ["wake up"]);
}

/// Processes with a thread each, so with real concurrency, connect, talk and leave.
#[test]
fn threads_connect_at_once_talk_and_leave() {
    const MESSAGES: usize = 200;
    for round in 0..rounds(50, 200) {
        let (a, b) = pair();
        let barrier = std::sync::Arc::new(std::sync::Barrier::new(2));
        let run = |mut node: Node, peer: u32| {
            let barrier = barrier.clone();
            std::thread::spawn(move || {
                let memory = Scratch::new(40_000);
                let mut sent = 0;
                let end = Instant::now() + Duration::from_secs(60);
                barrier.wait();
                while sent < MESSAGES || node.inbox.arrivals.len() < MESSAGES {
                    assert!(Instant::now() < end, "round {round} hangs");
                    let part = memory.buf().part(0, (sent * 191) % 40_000);
                    let header = (sent as u32).to_le_bytes();
                    if sent < MESSAGES && node.send(peer, &header, part).unwrap() == Flow::Sent {
                        sent += 1;
                    }
                    node.progress();
                }
                for (n, (_, _, bytes)) in node.inbox.arrivals.iter().enumerate() {
                    assert_eq!(bytes[..4], (n as u32).to_le_bytes());
                    assert_eq!(bytes.len(), 4 + (n * 191) % 40_000);
                }
                // Whoever is first leaves in good order while the other may still send.
                while node.transport.flush(PeerId(peer)).unwrap() == Flow::Busy {
                    node.progress();
                }
                node.transport.close();
                assert!(
                    node.inbox.failed.is_empty(),
                    "round {round}: {:?}",
                    node.inbox.failed
                );
            })
        };
        let threads = [run(a, 1), run(b, 0)];
        for thread in threads {
            thread.join().unwrap();
        }
    }
}

#[test]
fn a_sleeper_is_woken_by_messages_and_by_news_of_a_death() {
    let sleep = |node: &mut Node| {
        let Some(Waker::Descriptors(list)) = node.transport.arm(SleepKind::Descriptors) else {
            panic!("no descriptors");
        };
        if node.transport.progress(&mut node.inbox) == 0 {
            let mut poll = libc::pollfd {
                fd: list[0].0,
                events: libc::POLLIN,
                revents: 0,
            };
            // SAFETY: one initialised `pollfd`, and the count says so.
            let ready = unsafe { libc::poll(&mut poll, 1, 20_000) };
            assert_eq!(ready, 1, "nothing woke the sleeper");
        }
        node.transport.disarm();
    };
    let (mut a, mut b) = pair();
    let sender = std::thread::spawn(move || {
        for n in 0..50 {
            std::thread::sleep(Duration::from_millis(n % 3));
            a.say(1, "news");
            // The connection is made and the message leaves while this side sleeps, too.
            while a.inbox.arrivals.len() as u64 <= n {
                sleep(&mut a);
                a.progress();
            }
        }
    });
    for n in 0..50 {
        while b.inbox.arrivals.len() <= n {
            sleep(&mut b);
            b.progress();
        }
        b.say(0, "thanks");
    }
    while b.inbox.failed.is_empty() {
        sleep(&mut b);
        b.progress();
    }
    sender.join().unwrap();
}
