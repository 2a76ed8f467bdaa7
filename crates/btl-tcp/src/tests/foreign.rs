//! Tests of peers of other jobs, whose numbers differ at both ends.

use btl::{Alias, Foreign};

use super::*;

fn foreign(known_as: u32, secret: u8, is_first: bool) -> Foreign {
    Foreign {
        known_as: Alias::new(PeerId(known_as), 0),
        generation: 0,
        realm: 77,
        secret: [secret; 32],
        is_first,
    }
}

/// Introduces `other` as `number` to a process that it knows by another number.
fn meet(node: &mut Node, number: u32, other: &Node, terms: &Foreign) {
    let (peer, address) = (PeerId(number), other.transport.address());
    let reach = node.transport.add_foreign(peer, terms, &address);
    assert_eq!(reach, Ok(Reach::Reachable));
}

/// Two processes 0 of two jobs: the first knows the second as 5, which knows it as 9.
fn unrelated() -> (Node, Node) {
    let mut a = Node::with(0, [1; 32], 11, |_| ());
    let mut b = Node::with(0, [2; 32], 22, |_| ());
    meet(&mut a, 5, &b, &foreign(9, 3, true));
    meet(&mut b, 9, &a, &foreign(5, 3, false));
    (a, b)
}

#[test]
fn each_knows_the_other_by_its_own_number() {
    let (mut a, mut b) = unrelated();
    a.say(5, "to b");
    b.say(9, "to a");
    until(&mut [&mut a, &mut b], |nodes| {
        nodes.iter().all(|node| node.received().len() == 1)
    });
    assert_eq!(a.inbox.arrivals[0].0, PeerId(5));
    assert_eq!(b.inbox.arrivals[0].0, PeerId(9));
}

/// Both numbers are equal, and those of the processes themselves.
#[test]
fn equal_numbers_do_not_mean_one_process() {
    let mut a = Node::with(0, [1; 32], 11, |_| ());
    let mut b = Node::with(0, [1; 32], 11, |_| ());
    meet(&mut a, 1, &b, &foreign(1, 3, true));
    meet(&mut b, 1, &a, &foreign(1, 3, false));
    b.say(1, "hello");
    until(&mut [&mut a, &mut b], |nodes| {
        nodes[0].received() == ["hello"]
    });
}

#[test]
fn neither_the_secret_of_the_job_nor_another_lets_a_process_pose_as_a_foreign_one() {
    for (secret, job) in [([1; 32], 11), ([4; 32], 77)] {
        let (mut a, mut b) = unrelated();
        let posing = Identity::new(&secret, job, PeerId(5), 4096, Protection::None);
        let (_, hello) = posing.greet(PeerId(0), ConnectionId::default(), FRESH, [7; 32]);
        let mut stream = TcpStream::connect(a.socket()).unwrap();
        stream.write_all(&hello).unwrap();
        b.say(9, "still here");
        until(&mut [&mut a, &mut b], |nodes| {
            nodes[0].received().len() == 1
        });
        stream.set_nonblocking(true).unwrap();
        let mut answer = Vec::new();
        let _ = (&stream).read_to_end(&mut answer);
        // With the job's secret it is a process 5 of the job until it has to prove itself.
        if !answer.is_empty() {
            stream
                .write_all(&[0; crate::handshake::PROOF_BYTES])
                .unwrap();
            b.say(9, "and still");
            until(&mut [&mut a, &mut b], |nodes| {
                nodes[0].received().len() == 2
            });
        }
        assert!(a.inbox.arrivals.iter().all(|(from, ..)| *from == PeerId(5)));
        assert!(a.inbox.failed.is_empty());
    }
}

#[test]
fn what_was_sent_before_a_removal_arrives_and_nothing_is_left() {
    let (mut a, mut b) = unrelated();
    for round in 0..20 {
        a.say(5, "last");
        until(&mut [&mut a, &mut b], |nodes| {
            nodes[0].transport.flush(PeerId(5)) == Ok(Flow::Sent)
        });
        a.transport.remove_peer(PeerId(5));
        until(&mut [&mut b], |nodes| {
            nodes[0].received().len() == round + 1
        });
        b.transport.remove_peer(PeerId(9));
        meet(&mut a, 5, &b, &foreign(9, 3, true));
        meet(&mut b, 9, &a, &foreign(5, 3, false));
    }
    assert!(a.inbox.failed.is_empty() && b.inbox.failed.is_empty());
    until(&mut [&mut a, &mut b], |nodes| {
        let now = Instant::now();
        nodes
            .iter_mut()
            .all(|node| !node.transport.clock.draining.tend(now))
    });
}
