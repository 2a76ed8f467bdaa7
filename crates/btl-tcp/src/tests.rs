//! Whole transports over the loopback interface, in one thread unless the test says otherwise.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::time::{Duration, Instant};

use base::{AmTag, PeerId};
use btl::{
    Access, Arrival, Error, Flow, Interest, Reach, RemoteRange, Sink, SleepKind, Started, Token,
    Transport as _, Waker,
};
use memory::{Scratch, UserBuf};

use crate::connect::STRANGERS_MAX;
use crate::endpoint::Link;
use crate::handshake::{Identity, Verdict};
use crate::wire::{Address, Header, Kind};
use crate::{open, Config, Settings, Transport};

const SECRET: [u8; 32] = [42; 32];
const TAG: AmTag = AmTag(0x80);

/// A transport and what it has reported.
struct Node {
    transport: Transport,
    inbox: Inbox,
}

#[derive(Default)]
struct Inbox {
    arrivals: Vec<(PeerId, AmTag, Vec<u8>)>,
    done: Vec<(Token, Result<(), Error>)>,
    failed: Vec<(PeerId, Error)>,
}

impl Sink for Inbox {
    fn deliver(&mut self, arrival: Arrival<'_>) {
        self.arrivals
            .push((arrival.from, arrival.tag, arrival.payload.to_vec()));
    }
    fn done(&mut self, token: Token, outcome: Result<(), Error>) {
        self.done.push((token, outcome));
    }
    fn peer_failed(&mut self, peer: PeerId, error: Error) {
        self.failed.push((peer, error));
    }
}

impl Node {
    fn new(me: u32) -> Node {
        Node::with(me, SECRET, 1, |_| ())
    }

    fn with(me: u32, secret: [u8; 32], job: u64, change: impl FnOnce(&mut Settings)) -> Node {
        let mut settings = Settings {
            if_include: vec!["lo".into()],
            ..Settings::default()
        };
        change(&mut settings);
        let transport = open(Config {
            me: PeerId(me),
            secret,
            job,
            settings,
        })
        .unwrap();
        Node {
            transport,
            inbox: Inbox::default(),
        }
    }

    fn meet(&mut self, other: &Node) {
        let peer = other.transport.identity.me();
        let reach = self
            .transport
            .add_peer(peer, &other.transport.address())
            .unwrap();
        assert_eq!(reach, Reach::Yes);
    }

    fn send(&mut self, peer: u32, header: &[u8], payload: UserBuf) -> Result<Flow, Error> {
        self.transport.send(PeerId(peer), TAG, header, payload)
    }

    fn say(&mut self, peer: u32, text: &str) {
        assert_eq!(
            self.send(peer, text.as_bytes(), UserBuf::EMPTY),
            Ok(Flow::Sent)
        );
    }

    fn heard(&self) -> Vec<&str> {
        let text = |bytes| std::str::from_utf8(bytes).unwrap();
        self.inbox
            .arrivals
            .iter()
            .map(|(_, _, bytes)| text(bytes))
            .collect()
    }

    fn progress(&mut self) {
        self.transport.progress(&mut self.inbox);
    }

    /// Where it listens.
    fn socket(&self) -> SocketAddr {
        let address = Address::decode(&self.transport.address()).unwrap();
        address.entries[0].socket.into()
    }
}

fn pair() -> (Node, Node) {
    let (mut a, mut b) = (Node::new(0), Node::new(1));
    a.meet(&b);
    b.meet(&a);
    (a, b)
}

/// A pair with a connection.
fn connected() -> (Node, Node) {
    let (mut a, mut b) = pair();
    a.say(1, "hello");
    until(&mut [&mut a, &mut b], |nodes| nodes[1].heard() == ["hello"]);
    b.inbox.arrivals.clear();
    (a, b)
}

fn until(nodes: &mut [&mut Node], mut over: impl FnMut(&mut [&mut Node]) -> bool) {
    let end = Instant::now() + Duration::from_secs(60);
    while !over(nodes) {
        assert!(Instant::now() < end, "it never comes to that");
        nodes.iter_mut().for_each(|node| node.progress());
    }
}

/// What message `n` of `len` bytes holds.
fn pattern(n: usize, len: usize) -> Vec<u8> {
    (0..len)
        .map(|at| (at.wrapping_mul(7) ^ (at >> 8) ^ n) as u8)
        .collect()
}

/// Drives one handshake as `from` by hand.
fn impostor(node: &mut Node, from: u32, identity: &Identity) -> TcpStream {
    let mut stream = TcpStream::connect(node.socket()).unwrap();
    let (greeted, hello) = identity.greet(node.transport.identity.me(), [from as u8; 32]);
    stream.write_all(&hello).unwrap();
    let mut challenge = [0; 80];
    receive(node, &mut stream, &mut challenge);
    let (_, proof) = greeted.prove(identity, &challenge).unwrap();
    stream.write_all(&proof).unwrap();
    let mut verdict = [0];
    receive(node, &mut stream, &mut verdict);
    assert_eq!(Verdict::decode(verdict[0]), Ok(Verdict::Accept));
    stream
}

fn receive(node: &mut Node, stream: &mut TcpStream, into: &mut [u8]) {
    stream.set_nonblocking(true).unwrap();
    let (end, mut have) = (Instant::now() + Duration::from_secs(10), 0);
    while have < into.len() {
        assert!(Instant::now() < end, "no answer");
        node.progress();
        have += stream.read(&mut into[have..]).unwrap_or(0);
    }
    stream.set_nonblocking(false).unwrap();
}

#[test]
fn messages_of_every_kind_arrive_in_order_and_unchanged() {
    let (mut a, mut b) = pair();
    let max = a.transport.caps().max_send_size;
    let eager = a.transport.caps().eager_limit;
    let mut lens: Vec<usize> = (0..300).collect();
    for around in [4096, 30720, eager, max - 40] {
        lens.extend(around - 20..around + 20);
    }
    let memory: Vec<Scratch> = lens.iter().map(|len| Scratch::new(*len)).collect();
    for (n, scratch) in memory.iter().enumerate() {
        scratch.buf().write(0, &pattern(n, lens[n]));
    }
    for (n, len) in lens.iter().enumerate() {
        let (header, buf) = ([n as u8; 13], memory[n].buf());
        loop {
            let (peer, a) = (PeerId(1), &mut a.transport);
            let flow = match n % 3 {
                0 => a.send(peer, TAG, &header, buf),
                1 => a.send_packed(peer, TAG, &header, *len, &mut |room| {
                    room.write_user(0, buf)
                }),
                _ => a.send_zero_copy(peer, TAG, &header, buf, Token(n as u64)),
            };
            if flow.unwrap() == Flow::Sent {
                break;
            }
            b.progress();
            a.progress(&mut Inbox::default());
        }
    }
    until(&mut [&mut a, &mut b], |nodes| {
        nodes[1].inbox.arrivals.len() == lens.len()
    });
    for (n, (from, tag, bytes)) in b.inbox.arrivals.iter().enumerate() {
        assert_eq!((*from, *tag), (PeerId(0), TAG));
        assert_eq!(bytes[..13], [n as u8; 13]);
        assert!(
            bytes[13..] == pattern(n, lens[n]),
            "message {n} of {} bytes",
            lens[n]
        );
    }
    assert_eq!(a.transport.flush(PeerId(1)), Ok(Flow::Sent));
}

#[test]
fn zero_copy_sends_are_reported_once_each_when_their_bytes_have_left() {
    let (mut a, mut b) = connected();
    let memory = Scratch::new(100_000);
    memory.buf().write(0, &pattern(1, 100_000));
    let mut sent = 0;
    while sent < 200 {
        let token = Token(sent);
        let flow = a
            .transport
            .send_zero_copy(PeerId(1), TAG, b"h", memory.buf(), token);
        if flow.unwrap() == Flow::Sent {
            sent += 1;
        } else {
            until(&mut [&mut a, &mut b], |nodes| {
                nodes[0].inbox.done.len() as u64 == sent
            });
        }
    }
    until(&mut [&mut a, &mut b], |nodes| {
        nodes[1].inbox.arrivals.len() == 200
    });
    a.progress();
    let done: Vec<u64> = a.inbox.done.iter().map(|(token, _)| token.0).collect();
    assert_eq!(done, (0..200).collect::<Vec<_>>());
    let whole = [b"h", &pattern(1, 100_000)[..]].concat();
    assert!(b.inbox.arrivals.iter().all(|(_, _, bytes)| *bytes == whole));
}

#[test]
fn a_full_queue_is_busy_and_loses_nothing() {
    let (mut a, mut b) = connected();
    let memory = Scratch::new(50_000);
    let (mut sent, mut busy) = (0u64, 0);
    while sent < 2000 {
        memory.buf().write(0, &sent.to_le_bytes());
        match a.send(1, &sent.to_le_bytes(), memory.buf()).unwrap() {
            Flow::Sent => sent += 1,
            Flow::Busy => {
                busy += 1;
                // Only the receiver, sometimes: the sender's own progress must not be needed
                // for the queue to stay bounded.
                b.progress();
                a.progress();
            }
        }
    }
    assert!(busy > 0, "100 MB did not fill a queue");
    until(&mut [&mut a, &mut b], |nodes| {
        nodes[1].inbox.arrivals.len() == 2000
    });
    for (n, (_, _, bytes)) in b.inbox.arrivals.iter().enumerate() {
        assert_eq!(bytes[..8], (n as u64).to_le_bytes());
        assert_eq!(bytes[8..16], (n as u64).to_le_bytes());
        assert_eq!(bytes.len(), 50_008);
    }
    let Ok(Flow::Sent) = a.transport.flush(PeerId(1)) else {
        panic!("not flushed")
    };
}

#[test]
fn simultaneous_connects_leave_one_connection() {
    let mut random = 12345u64;
    let mut next = move || {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        random
    };
    for round in 0..10_000 {
        let (mut a, mut b) = pair();
        a.say(1, "from a");
        // Most rounds send at once; some let one side come to any later point of its handshake.
        for _ in 0..[0, 0, 0, next() % 12][(next() % 4) as usize] {
            if next() % 2 == 0 {
                a.progress();
            } else {
                b.progress();
            }
        }
        b.say(0, "from b");
        let end = Instant::now() + Duration::from_secs(20);
        while a.heard().is_empty() || b.heard().is_empty() {
            assert!(Instant::now() < end, "round {round} hangs");
            if next() % 2 == 0 {
                a.progress();
            } else {
                b.progress();
            }
        }
        for _ in 0..40 {
            a.progress();
            b.progress();
        }
        assert_eq!(
            (a.heard(), b.heard()),
            (vec!["from b"], vec!["from a"]),
            "round {round}"
        );
        assert!(
            a.inbox.failed.is_empty() && b.inbox.failed.is_empty(),
            "round {round}"
        );
        assert_eq!((a.transport.lanes, b.transport.lanes), (1, 1));
        assert!(a.transport.attempts.is_empty() && b.transport.attempts.is_empty());
        reset(&a);
        reset(&b);
    }
}

/// Makes the end of a node's connections abrupt, so that thousands of tests leave no ports that
/// the system keeps for a minute.
fn reset(node: &Node) {
    for endpoint in node.transport.endpoints.values() {
        if let Link::Up(lane) = &endpoint.link {
            let abrupt = Some(Duration::ZERO);
            socket2::SockRef::from(&lane.stream)
                .set_linger(abrupt)
                .unwrap();
        }
    }
}

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
                3 => stranger
                    .write_all(
                        &Header {
                            kind: Kind::Goodbye,
                            len: 0,
                            seq: 0,
                        }
                        .encode(),
                    )
                    .unwrap(),
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
            nodes.iter().all(|node| node.heard().len() == sent)
        });
    }
    let expected: Vec<String> = (0..sent).map(|n| n.to_string()).collect();
    assert_eq!(a.heard(), expected);
    assert_eq!(b.heard(), expected);
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
    for _ in 0..STRANGERS_MAX + 50 {
        strangers.push(TcpStream::connect(a.socket()).unwrap());
        a.progress();
    }
    b.say(0, "still here");
    until(&mut [&mut a, &mut b], |nodes| {
        nodes[0].heard() == ["still here"]
    });
    until(&mut [&mut a, &mut b], |nodes| {
        nodes[0].transport.attempts.is_empty()
    });
    let mut byte = [0];
    for stranger in &mut strangers {
        assert!(
            matches!(stranger.read(&mut byte), Ok(0) | Err(_)),
            "a stranger stayed"
        );
    }
}

#[test]
fn another_secret_or_job_gets_nowhere() {
    for (secret, job) in [([1; 32], 1), (SECRET, 2)] {
        let (mut a, mut other) = (Node::new(0), Node::with(1, secret, job, |_| ()));
        other.meet(&a);
        other.say(0, "let me in");
        // Make it give up at once: it has one address, and the retries are spent.
        until(&mut [&mut a, &mut other], |nodes| {
            !nodes[1].inbox.failed.is_empty()
        });
        assert!(a.inbox.arrivals.is_empty() && a.inbox.failed.is_empty());
        assert!(matches!(
            other.inbox.failed[0],
            (PeerId(0), Error::PeerGone { .. })
        ));
    }
}

#[test]
fn a_listener_of_another_job_is_not_trusted() {
    let (mut a, mut other) = (Node::new(0), Node::with(1, [9; 32], 1, |_| ()));
    a.meet(&other);
    a.say(1, "for peer 1 alone");
    until(&mut [&mut a, &mut other], |nodes| {
        !nodes[0].inbox.failed.is_empty()
    });
    assert!(other.inbox.arrivals.is_empty());
}

#[test]
fn a_death_is_reported_after_what_was_sent_before_it() {
    let (mut a, mut b) = connected();
    for n in 0..100 {
        a.say(1, &n.to_string());
    }
    assert_eq!(a.transport.flush(PeerId(1)), Ok(Flow::Sent));
    drop(a);
    until(&mut [&mut b], |nodes| !nodes[0].inbox.failed.is_empty());
    assert_eq!(b.heard().len(), 100);
    let (peer, error) = &b.inbox.failed[0];
    assert_eq!(*peer, PeerId(0));
    assert!(error.to_string().contains("without a goodbye"), "{error}");
    assert!(matches!(
        b.send(0, b"x", UserBuf::EMPTY),
        Err(Error::PeerGone { .. })
    ));
    assert!(matches!(
        b.transport.flush(PeerId(0)),
        Err(Error::PeerGone { .. })
    ));
    b.progress();
    assert_eq!(b.inbox.failed.len(), 1, "reported once");
}

#[test]
fn a_death_completes_what_waits_with_errors() {
    let (mut a, b) = connected();
    let memory = Scratch::new(100_000);
    let mut tokens = 0;
    while a.transport.flush(PeerId(1)) == Ok(Flow::Sent) || tokens < 120 {
        let token = Token(tokens);
        let flow = a
            .transport
            .send_zero_copy(PeerId(1), TAG, &[], memory.buf(), token);
        assert_eq!(flow, Ok(Flow::Sent));
        tokens += 1;
    }
    drop(b);
    until(&mut [&mut a], |nodes| {
        nodes[0].inbox.done.len() as u64 == tokens
    });
    let lost = a
        .inbox
        .done
        .iter()
        .filter(|(_, outcome)| outcome.is_err())
        .count();
    assert!(lost > 0, "something was waiting");
    assert!(a
        .inbox
        .done
        .iter()
        .enumerate()
        .all(|(n, (token, _))| token.0 == n as u64));
    assert_eq!(a.inbox.failed.len(), 1);
}

#[test]
fn leaving_is_no_failure() {
    let (mut a, mut b) = connected();
    let memory = Scratch::new(100_000);
    for _ in 0..5 {
        assert_eq!(a.send(1, b"last words", memory.buf()), Ok(Flow::Sent));
    }
    a.transport.close();
    assert!(!a.transport.is_live());
    drop(a);
    until(&mut [&mut b], |nodes| nodes[0].transport.lanes == 0);
    assert_eq!(b.inbox.arrivals.len(), 5);
    assert!(b.inbox.failed.is_empty(), "{:?}", b.inbox.failed);
    let refused = b.send(0, b"x", UserBuf::EMPTY).unwrap_err();
    assert!(
        refused.to_string().contains("left in good order"),
        "{refused}"
    );
}

#[test]
fn closing_sends_what_waits_even_before_there_is_a_connection() {
    let (mut a, mut b) = pair();
    a.say(1, "first and last");
    let closing = std::thread::spawn(move || {
        a.transport.close();
        a
    });
    until(&mut [&mut b], |nodes| {
        nodes[0].heard() == ["first and last"]
    });
    let a = closing.join().unwrap();
    until(&mut [&mut b], |nodes| nodes[0].transport.lanes == 0);
    assert!(b.inbox.failed.is_empty());
    assert!(a.inbox.failed.is_empty());
}

#[test]
fn closing_takes_a_second_at_most() {
    let (mut a, b) = connected();
    let memory = Scratch::new(100_000);
    while a.send(1, &[], memory.buf()) == Ok(Flow::Sent) {}
    let start = Instant::now();
    a.transport.close();
    assert!(start.elapsed() < Duration::from_secs(3));
    drop(b);
}

#[test]
fn an_address_that_refuses_is_a_dead_peer() {
    let mut a = Node::new(0);
    let gone = Node::new(1);
    a.meet(&gone);
    drop(gone);
    let memory = Scratch::new(10);
    let sent = a
        .transport
        .send_zero_copy(PeerId(1), TAG, b"x", memory.buf(), Token(5));
    if sent.is_ok() {
        until(&mut [&mut a], |nodes| nodes[0].inbox.done.len() == 1);
        assert!(matches!(
            a.inbox.done[0],
            (Token(5), Err(Error::PeerGone { .. }))
        ));
    }
    until(&mut [&mut a], |nodes| nodes[0].inbox.failed.len() == 1);
    let (_, error) = &a.inbox.failed[0];
    assert!(error.to_string().contains("refused"), "{error}");
}

#[test]
fn another_address_is_tried_when_the_first_does_not_serve() {
    let (mut a, mut b) = pair();
    let dead = TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap();
    // Listens, and is no part of the job.
    let deaf = TcpListener::bind("127.0.0.1:0").unwrap();
    let answers = deaf.local_addr().unwrap();
    std::thread::spawn(move || {
        while let Ok((mut stream, _)) = deaf.accept() {
            let _ = stream.write_all(&[b'!'; 80]);
        }
    });
    let mut address = Address::decode(&b.transport.address()).unwrap();
    for (at, wrong) in [dead, answers].into_iter().enumerate() {
        let SocketAddr::V4(socket) = wrong else {
            panic!()
        };
        address
            .entries
            .insert(at, crate::wire::Entry { socket, prefix: 8 });
    }
    assert_eq!(
        a.transport.add_peer(PeerId(1), &address.encode()),
        Ok(Reach::Yes)
    );
    a.say(1, "found you");
    until(&mut [&mut a, &mut b], |nodes| {
        nodes[1].heard() == ["found you"]
    });
}

#[test]
fn a_peer_that_breaks_the_protocol_is_given_up_and_named() {
    let frame = |len, seq| {
        Header {
            kind: Kind::Data(TAG),
            len,
            seq,
        }
        .encode()
    };
    let cases: [(&[u8], &str); 3] = [
        (&frame(5000, 0), "5000 bytes where at most 4096"),
        (&frame(0, 7), "frame 7 where 0 was due"),
        (&[7; 16], "reserved field"),
    ];
    for (bytes, expected) in cases {
        let mut a = Node::new(0);
        let identity = Identity::new(&SECRET, 1, PeerId(3), 4096);
        let mut stream = impostor(&mut a, 3, &identity);
        stream.write_all(bytes).unwrap();
        until(&mut [&mut a], |nodes| nodes[0].inbox.failed.len() == 1);
        let (peer, error) = &a.inbox.failed[0];
        assert_eq!(*peer, PeerId(3));
        assert!(matches!(error, Error::Protocol { .. }));
        assert!(error.to_string().contains(expected), "{error}");
    }
}

#[test]
fn a_second_connection_of_a_connected_peer_is_dropped() {
    let mut a = Node::new(0);
    let identity = Identity::new(&SECRET, 1, PeerId(3), 4096);
    let mut first = impostor(&mut a, 3, &identity);
    let mut second = TcpStream::connect(a.socket()).unwrap();
    let (greeted, hello) = identity.greet(PeerId(0), [8; 32]);
    second.write_all(&hello).unwrap();
    let mut challenge = [0; 80];
    receive(&mut a, &mut second, &mut challenge);
    second
        .write_all(&greeted.prove(&identity, &challenge).unwrap().1)
        .unwrap();
    until(&mut [&mut a], |nodes| {
        nodes[0].transport.attempts.is_empty()
    });
    second
        .set_read_timeout(Some(Duration::from_secs(5)))
        .unwrap();
    assert_eq!(second.read(&mut [0]).unwrap_or(0), 0);
    let message = [
        &Header {
            kind: Kind::Data(TAG),
            len: 2,
            seq: 0,
        }
        .encode()[..],
        b"ok",
    ]
    .concat();
    first.write_all(&message).unwrap();
    until(&mut [&mut a], |nodes| nodes[0].heard() == ["ok"]);
}

#[test]
fn a_peer_may_be_removed_and_come_back() {
    let (mut a, mut b) = connected();
    a.transport.remove_peer(PeerId(1));
    assert_eq!(
        a.send(1, b"x", UserBuf::EMPTY),
        Err(Error::Unreachable { peer: PeerId(1) })
    );
    until(&mut [&mut a, &mut b], |nodes| nodes[1].transport.lanes == 0);
    a.meet(&b);
    a.say(1, "back again");
    until(&mut [&mut a, &mut b], |nodes| {
        nodes[1].heard() == ["back again"]
    });
    b.say(0, "welcome");
    until(&mut [&mut a, &mut b], |nodes| {
        nodes[0].heard() == ["welcome"]
    });
    assert!(a.inbox.failed.is_empty() && b.inbox.failed.is_empty());
}

#[test]
fn wrong_calls_are_errors() {
    let (mut a, b) = pair();
    let address = a.transport.address();
    assert!(matches!(
        a.transport.add_peer(PeerId(0), &address),
        Ok(Reach::No(_))
    ));
    assert!(matches!(
        a.transport.add_peer(PeerId(5), b"short"),
        Err(Error::Protocol { .. })
    ));
    assert_eq!(
        a.send(9, b"x", UserBuf::EMPTY),
        Err(Error::Unreachable { peer: PeerId(9) })
    );
    let limit = a.transport.caps().max_send_size;
    let memory = Scratch::new(limit);
    assert_eq!(
        a.send(1, b"x", memory.buf()),
        Err(Error::TooLarge {
            peer: PeerId(1),
            len: limit + 1,
            limit
        })
    );
    drop(b);
    let mut settings = Settings {
        if_include: vec!["nosuch0".into()],
        ..Settings::default()
    };
    let config = |settings| Config {
        me: PeerId(0),
        secret: SECRET,
        job: 1,
        settings,
    };
    let Err(error) = open(config(settings.clone())) else {
        panic!("nosuch0 was accepted")
    };
    assert!(
        error.to_string().contains("nosuch0, which no interface is"),
        "{error}"
    );
    settings.if_include = vec!["lo".into()];
    (settings.port_min, settings.port_range) = (b_port(), 1);
    let taken = TcpListener::bind(("127.0.0.1", settings.port_min)).unwrap();
    let Err(error) = open(config(settings)) else {
        panic!("a used port was taken")
    };
    assert!(
        error
            .to_string()
            .contains("listening socket on 127.0.0.1 (lo)"),
        "{error}"
    );
    drop(taken);
}

fn b_port() -> u16 {
    TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap()
        .port()
}

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
    // The timer's last tick may still come.
    std::thread::sleep(Duration::from_millis(250));
    readable(&mut a);
    readable(&mut b);
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
    assert_eq!(b.heard(), ["wake up"]);
}

#[test]
fn many_processes_all_talk_to_all() {
    const N: u32 = 8;
    let mut nodes: Vec<Node> = (0..N).map(Node::new).collect();
    let addresses: Vec<Vec<u8>> = nodes.iter().map(|node| node.transport.address()).collect();
    for (me, node) in nodes.iter_mut().enumerate() {
        for (peer, address) in addresses.iter().enumerate() {
            if peer != me {
                node.transport
                    .add_peer(PeerId(peer as u32), address)
                    .unwrap();
            }
        }
    }
    for round in 0..20 {
        for from in 0..N {
            for to in (0..N).filter(|to| *to != from) {
                nodes[from as usize].say(to, &format!("{from} {round}"));
            }
        }
        nodes.iter_mut().for_each(Node::progress);
    }
    let mut all: Vec<&mut Node> = nodes.iter_mut().collect();
    until(&mut all, |nodes| {
        nodes
            .iter()
            .all(|node| node.heard().len() == 20 * (N as usize - 1))
    });
    for node in &nodes {
        for from in (0..N).filter(|from| PeerId(*from) != node.transport.identity.me()) {
            let said = node
                .inbox
                .arrivals
                .iter()
                .filter(|(peer, _, _)| peer.0 == from);
            let said: Vec<String> = said
                .map(|(_, _, bytes)| String::from_utf8(bytes.clone()).unwrap())
                .collect();
            assert_eq!(
                said,
                (0..20)
                    .map(|round| format!("{from} {round}"))
                    .collect::<Vec<_>>()
            );
        }
    }
}

#[test]
fn small_kernel_buffers_cut_frames_anywhere() {
    let small = |settings: &mut Settings| {
        (settings.sndbuf, settings.rcvbuf) = (4096, 4096);
        settings.endpoint_cache = 5000;
    };
    let (mut a, mut b) = (
        Node::with(0, SECRET, 1, small),
        Node::with(1, SECRET, 1, small),
    );
    a.meet(&b);
    b.meet(&a);
    let memory = Scratch::new(70_000);
    memory.buf().write(0, &pattern(3, 70_000));
    let len = |n: usize| (n * 7919) % 70_000;
    let (mut from_a, mut from_b) = (0, 0);
    while from_a < 300 || from_b < 300 {
        for (node, peer, sent) in [(&mut a, 1, &mut from_a), (&mut b, 0, &mut from_b)] {
            let part = memory.buf().part(0, len(*sent));
            let wanted = *sent < 300;
            if wanted && node.send(peer, &[*sent as u8], part).unwrap() == Flow::Sent {
                *sent += 1;
            }
            node.progress();
        }
    }
    until(&mut [&mut a, &mut b], |nodes| {
        nodes.iter().all(|node| node.inbox.arrivals.len() == 300)
    });
    for node in [&a, &b] {
        for (n, (_, _, bytes)) in node.inbox.arrivals.iter().enumerate() {
            assert_eq!((bytes[0], bytes.len()), (n as u8, 1 + len(n)));
            assert!(bytes[1..] == pattern(3, len(n)), "message {n}");
        }
    }
}

/// The same stories with real concurrency: each process has a thread.
#[test]
fn threads_connect_at_once_talk_and_leave() {
    const MESSAGES: usize = 200;
    for round in 0..200 {
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

/// A `get` that has started.
fn start_get(node: &mut Node, peer: u32, local: UserBuf, remote: RemoteRange, token: u64) {
    let started = node
        .transport
        .get(PeerId(peer), local, remote, Token(token));
    assert_eq!(started, Ok(Started::Pending));
}

const READ: Access = Access {
    read: true,
    write: false,
};

fn bytes_of(buf: UserBuf) -> Vec<u8> {
    let mut bytes = vec![0; buf.len()];
    buf.read(0, &mut bytes);
    bytes
}

#[test]
fn messages_do_not_wait_for_a_long_read_and_reads_take_turns() {
    const LEN: usize = 20 << 20;
    let (mut a, mut b) = connected();
    let (source, local, small) = (Scratch::new(LEN), Scratch::new(LEN), Scratch::new(100_000));
    source.buf().write(0, &pattern(9, LEN));
    let registration = b.transport.register(source.buf(), READ).unwrap();
    let remote = |offset| RemoteRange {
        key: registration.key,
        offset,
    };
    start_get(&mut a, 1, local.buf(), remote(0), 1);
    start_get(&mut a, 1, small.buf(), remote(12_345), 2);
    until(&mut [&mut a, &mut b], |nodes| {
        nodes[1].transport.blocked > 0
    });
    b.say(0, "by the way");
    until(&mut [&mut a, &mut b], |nodes| {
        nodes[0].heard() == ["by the way"]
    });
    until(&mut [&mut a, &mut b], |nodes| {
        nodes[0].inbox.done.len() == 1
    });
    assert_eq!(
        a.inbox.done[0],
        (Token(2), Ok(())),
        "the short one is served in between"
    );
    assert!(bytes_of(small.buf()) == pattern(9, LEN)[12_345..112_345]);
    until(&mut [&mut a, &mut b], |nodes| {
        nodes[0].inbox.done.len() == 2
    });
    assert!(bytes_of(local.buf()) == pattern(9, LEN));
    assert!(a.transport.reads.count(PeerId(1)) == 0 && b.transport.blocked == 0);
}

#[test]
fn a_registration_that_is_withdrawn_is_not_touched_any_more() {
    const LEN: usize = 20 << 20;
    let (mut a, mut b) = connected();
    let (source, local) = (Scratch::new(LEN), Scratch::new(LEN));
    source.buf().write(0, &vec![1; LEN]);
    let registration = b.transport.register(source.buf(), READ).unwrap();
    let remote = RemoteRange {
        key: registration.key,
        offset: 0,
    };
    start_get(&mut a, 1, local.buf(), remote, 1);
    until(&mut [&mut a, &mut b], |nodes| {
        nodes[1].transport.blocked > 0
    });
    b.transport.deregister(registration);
    source.buf().write(0, &vec![2; LEN]);
    until(&mut [&mut a, &mut b], |nodes| {
        nodes[0].inbox.done.len() == 1
    });
    assert!(matches!(
        a.inbox.done[0],
        (Token(1), Err(Error::OutOfRange { .. }))
    ));
    assert!(
        !bytes_of(local.buf()).contains(&2),
        "withdrawn memory was sent"
    );
    start_get(&mut a, 1, local.buf(), remote, 2);
    until(&mut [&mut a, &mut b], |nodes| {
        nodes[0].inbox.done.len() == 2
    });
    assert!(matches!(
        a.inbox.done[1],
        (Token(2), Err(Error::OutOfRange { .. }))
    ));
    a.say(1, "still friends");
    until(&mut [&mut a, &mut b], |nodes| {
        nodes[1].heard() == ["still friends"]
    });
}

#[test]
fn a_read_from_a_peer_that_dies_fails_and_its_memory_is_let_go() {
    const LEN: usize = 20 << 20;
    let (mut a, mut b) = connected();
    let (source, local) = (Scratch::new(LEN), Scratch::new(LEN));
    let registration = b.transport.register(source.buf(), READ).unwrap();
    let remote = RemoteRange {
        key: registration.key,
        offset: 0,
    };
    start_get(&mut a, 1, local.buf(), remote, 1);
    until(&mut [&mut a, &mut b], |nodes| {
        nodes[1].transport.blocked > 0
    });
    drop(b);
    until(&mut [&mut a], |nodes| nodes[0].inbox.failed.len() == 1);
    assert!(matches!(
        a.inbox.done[..],
        [(Token(1), Err(Error::PeerGone { .. }))]
    ));
    local.buf().write(0, &vec![5; LEN]);
    (0..1000).for_each(|_| a.progress());
    assert!(
        bytes_of(local.buf()).iter().all(|byte| *byte == 5),
        "written after its end"
    );
}

#[test]
fn reads_beyond_the_limit_are_busy() {
    let (mut a, mut b) = connected();
    let (source, local) = (Scratch::new(1000), Scratch::new(1000 * 1000));
    source.buf().write(0, &pattern(4, 1000));
    let registration = b.transport.register(source.buf(), READ).unwrap();
    let remote = RemoteRange {
        key: registration.key,
        offset: 0,
    };
    let (mut started, mut busy) = (0, 0);
    while started < 1000 {
        let part = local.buf().part(started * 1000, 1000);
        match a
            .transport
            .get(PeerId(1), part, remote, Token(started as u64))
            .unwrap()
        {
            Started::Pending => started += 1,
            Started::Busy => {
                busy += 1;
                a.progress();
                b.progress();
            }
            Started::Done => panic!("not yet"),
        }
    }
    until(&mut [&mut a, &mut b], |nodes| {
        nodes[0].inbox.done.len() == 1000
    });
    assert!(busy > 0);
    assert!(a.inbox.done.iter().all(|(_, outcome)| outcome.is_ok()));
    assert!(bytes_of(local.buf())
        .chunks(1000)
        .all(|part| part == pattern(4, 1000)));
}
