//! Tests of deaths, shutdown, refusals and invalid calls.

use super::*;

#[test]
fn a_death_is_reported_after_what_was_sent_before_it() {
    let (mut a, mut b) = connected();
    for n in 0..100 {
        a.say(1, &n.to_string());
    }
    assert_eq!(a.transport.flush(PeerId(1)), Ok(Flow::Sent));
    drop(a);
    until(&mut [&mut b], |nodes| !nodes[0].inbox.failed.is_empty());
    assert_eq!(b.received().len(), 100);
    let (peer, error) = &b.inbox.failed[0];
    assert_eq!(*peer, PeerId(0));
    assert!(
        error.to_string().contains("its process has ended"),
        "{error}"
    );
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
fn leaving_is_no_failure() {
    let (mut a, mut b) = connected();
    let memory = Scratch::new(100_000);
    for _ in 0..5 {
        assert_eq!(a.send(1, b"last words", memory.buf()), Ok(Flow::Sent));
    }
    a.transport.close();
    assert!(!a.transport.is_live());
    drop(a);
    until(&mut [&mut b], |nodes| {
        nodes[0].transport.peers.connections() == 0
    });
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
        nodes[0].received() == ["first and last"]
    });
    let a = closing.join().unwrap();
    until(&mut [&mut b], |nodes| {
        nodes[0].transport.peers.connections() == 0
    });
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
    let _ = a.send(1, b"x", memory.buf());
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
    for (at, socket) in [dead, answers].into_iter().enumerate() {
        let there = address.entries[at];
        let wrong = crate::address::Entry { socket, ..there };
        address.entries.insert(at, wrong);
    }
    assert_eq!(
        a.transport.add_peer(PeerId(1), &address.encode()),
        Ok(Reach::Reachable)
    );
    a.say(1, "found you");
    until(&mut [&mut a, &mut b], |nodes| {
        nodes[1].received() == ["found you"]
    });
}

#[test]
fn a_peer_may_be_removed_and_come_back() {
    let (mut a, mut b) = connected();
    a.transport.remove_peer(PeerId(1));
    assert_eq!(
        a.send(1, b"x", UserBuf::EMPTY),
        Err(Error::Unreachable { peer: PeerId(1) })
    );
    until(&mut [&mut a, &mut b], |nodes| {
        nodes[1].transport.peers.connections() == 0
    });
    a.meet(&b);
    a.say(1, "back again");
    until(&mut [&mut a, &mut b], |nodes| {
        nodes[1].received() == ["back again"]
    });
    b.say(0, "welcome");
    until(&mut [&mut a, &mut b], |nodes| {
        nodes[0].received() == ["welcome"]
    });
    assert!(a.inbox.failed.is_empty() && b.inbox.failed.is_empty());
}

#[test]
fn wrong_calls_are_errors() {
    let (mut a, b) = pair();
    let address = a.transport.address();
    assert!(matches!(
        a.transport.add_peer(PeerId(0), &address),
        Ok(Reach::Unreachable(_))
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
        one_host: false,
        settings,
    };
    let Err(error) = open(config(settings.clone())) else {
        panic!("nosuch0 was accepted")
    };
    assert!(
        error.to_string().contains("no interface `nosuch0`"),
        "{error}"
    );
    settings.if_include = vec!["lo".into()];
    settings.ports_v4 = crate::Ports {
        min: b_port(),
        count: 1,
    };
    let taken = TcpListener::bind(("127.0.0.1", settings.ports_v4.min)).unwrap();
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
fn who_protects_connections_otherwise_is_out_of_reach_for_that_reason() {
    let plain = Node::new(0);
    for encrypt in [false, true] {
        let mut other = Node::with(1, SECRET, 1, |settings| {
            settings.checksum = true;
            settings.encrypt = encrypt;
        });
        let reach = other
            .transport
            .add_peer(PeerId(0), &plain.transport.address());
        let Ok(Reach::Unreachable(why)) = reach else {
            panic!("{reach:?}");
        };
        let ours = ["checksums", "encryption"][usize::from(encrypt)];
        assert!(
            why.starts_with("it wants neither checksums nor encryption"),
            "{why}"
        );
        assert!(
            why.contains(&format!("this process {ours}: set btl_tcp_checksum")),
            "{why}"
        );
    }
}
