//! Tests of reads of a peer's registered memory.

use super::*;

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
        nodes[1].transport.peers.blocked() > 0
    });
    b.say(0, "by the way");
    until(&mut [&mut a, &mut b], |nodes| {
        nodes[0].received() == ["by the way"]
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
    assert!(a.transport.peers.reads.count(PeerId(1)) == 0 && b.transport.peers.blocked() == 0);
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
        nodes[1].transport.peers.blocked() > 0
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
        nodes[1].received() == ["still friends"]
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
        nodes[1].transport.peers.blocked() > 0
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

/// Rails ask for the loads at different times, so that each may leave a piece to the others; it
/// must not wait for the next tick then.
#[test]
fn no_piece_is_left_by_all_rails() {
    const LEN: usize = 640 << 10;
    let (mut a, mut b) = railed_pair(3);
    let (source, local) = (Scratch::new(LEN), Scratch::new(LEN));
    let registration = b.transport.register(source.buf(), READ).unwrap();
    let remote = RemoteRange {
        key: registration.key,
        offset: 0,
    };
    let mut slow = 0;
    for read in 0..2000 {
        let begin = Instant::now();
        start_get(&mut a, 1, local.buf(), remote, read);
        until(&mut [&mut a, &mut b], |nodes| {
            nodes[0].inbox.done.len() as u64 == read + 1
        });
        slow += usize::from(begin.elapsed() > crate::clock::TICK / 3);
    }
    assert!(slow < 5, "{slow} reads waited for a tick");
}
