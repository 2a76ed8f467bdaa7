//! Tests of connections from processes of the job and from others.

use super::*;
use socket2::{Domain, Type};

#[test]
fn garbage_silence_and_hang_ups_disturb_nothing() {
    let (mut a, mut b) = pair();
    let mut strangers = Vec::new();
    let mut sent = 0;
    for round in 0..60 {
        for target in [a.socket(), b.socket()] {
            let mut stranger = TcpStream::connect(target).unwrap();
            match round % 6 {
                0 => stranger.write_all(b"GET / HTTP/1.0\r\n\r\n").unwrap(),
                1 => stranger.write_all(&[0xff; 5000]).unwrap(),
                2 => stranger.write_all(b"OXMPITCP").unwrap(),
                3 => stranger.write_all(&header(Kind::Goodbye, 0, 0)).unwrap(),
                4 => drop(stranger.shutdown(std::net::Shutdown::Both)),
                _ => {}
            }
            strangers.push(stranger);
        }
        for _ in 0..20 {
            a.say(1, &format!("{sent}"));
            b.say(0, &format!("{sent}"));
            sent += 1;
        }
        until(&mut [&mut a, &mut b], |nodes| {
            nodes.iter().all(|node| node.received().len() == sent)
        });
    }
    let expected: Vec<String> = (0..sent).map(|n| n.to_string()).collect();
    assert_eq!(a.received(), expected);
    assert_eq!(b.received(), expected);
    assert!(a.inbox.failed.is_empty() && b.inbox.failed.is_empty());
    // Who spoke something else has been dropped.
    let mut byte = [0];
    strangers[0]
        .set_read_timeout(Some(Duration::from_secs(5)))
        .unwrap();
    assert!(matches!(strangers[0].read(&mut byte), Ok(0) | Err(_)));
}

#[test]
fn strangers_are_limited_in_number_and_time() {
    let mut a = Node::with(0, SECRET, 1, |settings| {
        settings.handshake_timeout = Duration::from_millis(150);
    });
    let mut b = Node::new(1);
    b.meet(&a);
    let mut strangers = Vec::new();
    let most = (crate::sys::descriptors() / 16).min(256);
    for n in 0..most + 50 {
        strangers.push(TcpStream::connect(a.socket()).unwrap());
        a.progress();
        assert!(a.transport.connector.accepted().len() <= most, "after {n}");
    }
    b.say(0, "still here");
    until(&mut [&mut a, &mut b], |nodes| {
        nodes[0].received() == ["still here"]
    });
    until(&mut [&mut a, &mut b], |nodes| {
        !nodes[0].transport.connector.dialer.is_connecting()
    });
    let mut byte = [0];
    for stranger in &mut strangers {
        assert!(
            matches!(stranger.read(&mut byte), Ok(0) | Err(_)),
            "a stranger stayed"
        );
    }
}

/// While a process computes outside MPI, silent strangers fill the queue of its listener, and the
/// kernel drops what peers send to connect. They took it for dead; its own host would say so.
#[test]
fn strangers_in_the_queue_of_a_process_that_computes_are_no_end_of_it() {
    let brief = |settings: &mut Settings| {
        settings.handshake_timeout = Duration::from_millis(300);
        settings.reconnect_timeout = Duration::from_millis(300);
    };
    let (mut a, mut b) = (Node::new(0), Node::with(1, SECRET, 1, brief));
    let listener = socket2::SockRef::from(&a.transport.connector.listeners()[0]);
    listener.listen(3).unwrap();
    b.meet(&a);
    let strange = || {
        let socket = socket2::Socket::new(Domain::IPV4, Type::STREAM.nonblocking(), None).unwrap();
        let _ = socket.connect(&a.socket().into());
        socket
    };
    let strangers: Vec<socket2::Socket> = (0..12).map(|_| strange()).collect();
    b.say(0, "when you are back");
    let begin = Instant::now();
    while begin.elapsed() < Duration::from_millis(1500) {
        b.progress();
        std::thread::sleep(Duration::from_millis(5));
    }
    assert!(b.inbox.failed.is_empty(), "{:?}", b.inbox.failed);
    until(&mut [&mut a, &mut b], |nodes| {
        nodes[0].received() == ["when you are back"]
    });
    drop(strangers);
}

/// Gives up soon a side that does not reply as it should.
fn impatient(settings: &mut Settings) {
    settings.handshake_timeout = Duration::from_secs(1);
    settings.reconnect_timeout = Duration::from_secs(2);
}

#[test]
fn another_secret_or_job_gets_nowhere() {
    let is_refused = |secret, job| {
        let (mut a, mut other) = (Node::new(0), Node::with(1, secret, job, impatient));
        other.meet(&a);
        other.say(0, "let me in");
        until(&mut [&mut a, &mut other], |nodes| {
            !nodes[1].inbox.failed.is_empty()
        });
        assert!(a.inbox.arrivals.is_empty() && a.inbox.failed.is_empty());
        assert!(matches!(
            other.inbox.failed[0],
            (PeerId(0), Error::PeerGone { .. })
        ));
    };
    // Each calls again, with pauses, for 18 s.
    thread::scope(|scope| {
        scope.spawn(|| is_refused([1; 32], 1));
        scope.spawn(|| is_refused(SECRET, 2));
    });
}

#[test]
fn a_listener_of_another_job_is_not_trusted() {
    let (mut a, mut other) = (
        Node::with(0, SECRET, 1, impatient),
        Node::with(1, [9; 32], 1, |_| ()),
    );
    a.meet(&other);
    a.say(1, "for peer 1 alone");
    until(&mut [&mut a, &mut other], |nodes| {
        !nodes[0].inbox.failed.is_empty()
    });
    assert!(other.inbox.arrivals.is_empty());
}

#[test]
fn a_peer_that_breaks_the_protocol_is_given_up_and_named() {
    let frame = |len, seq| header(Kind::Data(TAG), len, seq);
    let cases: [(&[u8], &str); 3] = [
        (&frame(5000, 0), "5000 bytes where at most 4096"),
        (&frame(0, 7), "frame 7 where 0 was due"),
        (&[7; 24], "reserved field"),
    ];
    for (bytes, expected) in cases {
        let mut a = Node::new(0);
        let mut stream = let_in(&mut a, &played(3));
        stream.write_all(bytes).unwrap();
        until(&mut [&mut a], |nodes| nodes[0].inbox.failed.len() == 1);
        let (peer, error) = &a.inbox.failed[0];
        assert_eq!(*peer, PeerId(3));
        assert!(matches!(error, Error::Protocol { .. }));
        assert!(error.to_string().contains(expected), "{error}");
    }
}

#[test]
fn of_two_connections_of_a_peer_the_one_that_it_means_last_stays() {
    let mut a = Node::new(0);
    let identity = played(3);
    let frame = |seq: u64, text: &str| {
        let header = header(Kind::Data(TAG), text.len() as u32, seq);
        [&header[..], text.as_bytes()].concat()
    };
    let mut first = let_in(&mut a, &identity);
    first.write_all(&frame(0, "one")).unwrap();
    until(&mut [&mut a], |nodes| nodes[0].received() == ["one"]);
    // An attempt from before the first was accepted: nothing that the peer still wants.
    let mut late = TcpStream::connect(a.socket()).unwrap();
    let (greeted, hello) = identity.greet(PeerId(0), ConnectionId::default(), FRESH, [8; 32]);
    late.write_all(&hello).unwrap();
    let mut challenge = [0; CHALLENGE_BYTES];
    receive(&mut a, &mut late, &mut challenge);
    let (proven, proof) = greeted.prove(&identity, &challenge).unwrap();
    late.write_all(&proof).unwrap();
    until(&mut [&mut a], |nodes| {
        !nodes[0].transport.connector.dialer.is_connecting()
    });
    late.set_read_timeout(Some(Duration::from_secs(5))).unwrap();
    assert_eq!(late.read(&mut [0]).unwrap_or(0), 0);
    first.write_all(&frame(1, "two")).unwrap();
    until(&mut [&mut a], |nodes| nodes[0].received().len() == 2);
    // The next one: the peer knows that the first is of no use.
    assert_eq!(proven.state.due, 1);
    let connection = ConnectionId { rail: 0, round: 1 };
    let (mut second, verdict, state) = impostor(&mut a, &identity, connection, FRESH);
    assert_eq!((verdict, state.due), (Verdict::Accept, 2));
    second.write_all(&frame(1, "two")).unwrap();
    second.write_all(&frame(2, "three")).unwrap();
    until(&mut [&mut a], |nodes| nodes[0].received().len() == 3);
    assert_eq!(a.received(), ["one", "two", "three"]);
    assert!(a.inbox.failed.is_empty());
}

#[test]
fn a_peer_that_knows_another_life_of_this_process_is_sent_away() {
    let mut a = Node::new(0);
    let state = State {
        other: 4711,
        ..FRESH
    };
    let (_, verdict, _) = impostor(&mut a, &played(3), ConnectionId::default(), state);
    assert_eq!(verdict, Verdict::Gone);
    // It may still come as a new one.
    let_in(&mut a, &played(3));
}

#[test]
fn a_peer_for_which_no_descriptor_is_left_learns_why_it_is_sent_away() {
    let (mut a, mut b) = pair();
    let (peer, why) = (
        PeerId(1),
        crate::descriptor_shortage::explain("Too many open files"),
    );
    a.transport
        .peers
        .lose(peer, Error::Unconnected { peer, why });
    b.say(0, "let me in");
    until(&mut [&mut a, &mut b], |nodes| {
        nodes[1].inbox.failed.len() == 1
    });
    let (peer, error) = &b.inbox.failed[0];
    assert_eq!(*peer, PeerId(0));
    assert!(matches!(error, Error::Unconnected { .. }), "{error}");
    assert!(error.to_string().contains("(ulimit -n)"), "{error}");
}

/// Messages both ways, each of which must arrive.
fn go_on(a: &mut Node, b: &mut Node, count: usize) {
    let before = (a.received().len(), b.received().len());
    for n in 0..count {
        a.say(1, &n.to_string());
        b.say(0, &n.to_string());
        until(&mut [a, b], |nodes| {
            nodes[0].received().len() == before.0 + n + 1
                && nodes[1].received().len() == before.1 + n + 1
        });
    }
    assert!(a.inbox.failed.is_empty() && b.inbox.failed.is_empty());
}

#[test]
fn a_scanner_with_a_thousand_connections_disturbs_nothing() {
    let (mut a, mut b) = connected();
    let target = a.socket();
    let scanner = std::thread::spawn(move || {
        let mut kept = std::collections::VecDeque::new();
        for n in 0..1000u32 {
            let Ok(mut stream) = TcpStream::connect(target) else {
                continue;
            };
            let word =
                [&b"GET / HTTP/1.1\r\n\r\n"[..], b"OXMPITCP", b"", &[0; 200]][n as usize % 4];
            let _ = stream.write_all(word);
            kept.push_back(stream);
            // No more than what one process may have open.
            if kept.len() > 300 {
                kept.pop_front();
            }
        }
    });
    while !scanner.is_finished() {
        go_on(&mut a, &mut b, 20);
    }
    scanner.join().unwrap();
    go_on(&mut a, &mut b, 200);
    // A peer that comes now is let in.
    let mut c = Node::new(2);
    c.meet(&a);
    c.say(0, "late");
    until(&mut [&mut a, &mut c], |nodes| {
        nodes[0].received().last() == Some(&"late")
    });
}

#[test]
fn whoever_speaks_a_byte_at_a_time_is_dropped_in_time() {
    let brief = |settings: &mut Settings| settings.handshake_timeout = Duration::from_millis(400);
    let (mut a, mut b) = (Node::with(0, SECRET, 1, brief), Node::new(1));
    a.meet(&b);
    b.meet(&a);
    let mut slow: Vec<TcpStream> = (0..20)
        .map(|_| TcpStream::connect(a.socket()).unwrap())
        .collect();
    let (_, hello) = played(3).greet(PeerId(0), ConnectionId::default(), FRESH, [1; 32]);
    let start = Instant::now();
    let mut at = 0;
    while slow.iter().any(|stream| {
        stream.set_nonblocking(true).unwrap();
        let answer = (&*stream).read(&mut [0]);
        !matches!(answer, Ok(0))
            && !matches!(&answer, Err(error) if error.kind() != std::io::ErrorKind::WouldBlock)
    }) {
        assert!(start.elapsed() < Duration::from_secs(5), "they stay");
        for stream in &mut slow {
            // The magic at first, so that only the time limit drops it.
            let _ = stream.write_all(&hello[at.min(127)..][..1]);
        }
        at += usize::from(at < 100);
        go_on(&mut a, &mut b, 2);
        std::thread::sleep(Duration::from_millis(2));
    }
    until(&mut [&mut a, &mut b], |nodes| {
        !nodes[0].transport.connector.dialer.is_connecting()
    });
    go_on(&mut a, &mut b, 10);
}

#[test]
fn a_handshake_that_is_replayed_gets_nowhere() {
    let (mut a, mut b) = (Node::new(0), Node::new(1));
    // A recording of the whole first connection.
    let identity = played(1);
    let (greeted, hello) = identity.greet(PeerId(0), ConnectionId::default(), FRESH, [1; 32]);
    let mut stream = TcpStream::connect(a.socket()).unwrap();
    stream.write_all(&hello).unwrap();
    let mut challenge = [0; CHALLENGE_BYTES];
    receive(&mut a, &mut stream, &mut challenge);
    let (_, proof) = greeted.prove(&identity, &challenge).unwrap();
    drop(stream);
    for whole in [true, false] {
        let mut replay = TcpStream::connect(a.socket()).unwrap();
        replay.write_all(&hello).unwrap();
        if whole {
            replay.write_all(&proof).unwrap();
        }
        let mut again = [0; CHALLENGE_BYTES];
        receive(&mut a, &mut replay, &mut again);
        assert_ne!(again, challenge);
        // Without a reply it stays; the real peer is not kept out by it.
        if whole {
            replay
                .set_read_timeout(Some(Duration::from_millis(1)))
                .unwrap();
            let end = Instant::now() + Duration::from_secs(5);
            while !matches!(replay.read(&mut [0]), Ok(0)) {
                assert!(Instant::now() < end, "a replayed proof was not refused");
                a.progress();
            }
        }
    }
    a.meet(&b);
    b.meet(&a);
    go_on(&mut a, &mut b, 10);
}
