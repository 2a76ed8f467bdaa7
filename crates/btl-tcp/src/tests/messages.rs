//! Tests that messages arrive whole, once and in order, by every kind of send and with any limit.

use super::*;

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
            let flow = match n % 2 {
                0 => a.send(peer, TAG, &header, buf),
                _ => a.send_packed(peer, TAG, &header, *len, &mut |room| {
                    room.write_user(0, buf)
                }),
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
    for round in 0..rounds(2500, 10_000) {
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
        while a.received().is_empty() || b.received().is_empty() {
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
            (a.received(), b.received()),
            (vec!["from b"], vec!["from a"]),
            "round {round}"
        );
        assert!(
            a.inbox.failed.is_empty() && b.inbox.failed.is_empty(),
            "round {round}"
        );
        assert_eq!(
            (
                a.transport.peers.connections(),
                b.transport.peers.connections()
            ),
            (1, 1)
        );
        assert!(
            !a.transport.connector.dialer.is_connecting()
                && !b.transport.connector.dialer.is_connecting()
        );
        reset(&a);
        reset(&b);
    }
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
            .all(|node| node.received().len() == 20 * (N as usize - 1))
    });
    for node in &nodes {
        for from in (0..N).filter(|from| PeerId(*from) != node.transport.connector.identity.me()) {
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

#[test]
fn a_batch_leaves_at_its_end_in_order_and_a_long_message_takes_it_along() {
    let (mut a, mut b) = connected();
    let peer = PeerId(1);
    a.transport.batch(peer, true);
    a.say(1, "one");
    a.say(1, "two");
    assert!(a.transport.is_kept(peer), "a short message went alone");
    a.transport.batch(peer, false);
    assert!(!a.transport.is_kept(peer), "the end of a batch sends it");
    let memory = Scratch::new(5000);
    memory.buf().write(0, &[b'x'; 5000]);
    a.transport.batch(peer, true);
    a.say(1, "three");
    assert_eq!(a.send(1, b"long", memory.buf()), Ok(Flow::Sent));
    assert!(!a.transport.is_kept(peer), "a long message takes it along");
    a.say(1, "four");
    a.transport.batch(peer, false);
    until(&mut [&mut a, &mut b], |nodes| {
        nodes[1].received().len() == 5
    });
    let received = b.received();
    assert_eq!(
        (&received[..3], received[4]),
        (&["one", "two", "three"][..], "four")
    );
    assert!(received[3].len() == 5004 && received[3].starts_with("longx"));
}
