//! The conformance suite over the loopback, and what only this transport promises.

use base::{AmTag, PeerId};
use btl::conformance::Fixture;
use btl::{Access, Arrival, Error, RemoteRange, Rma as _, Sink, Started, Token, Transport};
use memory::{Scratch, UserBuf};

struct Alone;

impl Fixture for Alone {
    fn open(&mut self, n: usize) -> Vec<Box<dyn Transport>> {
        assert_eq!(n, 1);
        vec![Box::new(crate::open(PeerId(0)))]
    }

    fn instances_max(&self) -> usize {
        1
    }
}

mod conformance {
    btl::conformance_tests!(super::Alone);
}

struct Last(Option<Vec<u8>>);

impl Sink for Last {
    fn deliver(&mut self, arrival: Arrival<'_>) {
        self.0 = Some(arrival.payload.to_vec());
    }

    fn done(&mut self, _token: Token, _outcome: Result<(), Error>) {
        panic!("nothing is ever pending");
    }

    fn peer_failed(&mut self, _peer: PeerId, _error: Error) {
        panic!("a process does not lose itself");
    }
}

fn joined() -> crate::Loopback {
    let mut loopback = crate::open(PeerId(3));
    let address = loopback.address();
    assert_eq!(
        loopback.add_peer(PeerId(3), &address),
        Ok(btl::Reach::Reachable)
    );
    loopback
}

#[test]
fn only_the_process_itself_is_in_reach() {
    let mut loopback = joined();
    let other = crate::open(PeerId(4)).address();
    assert!(matches!(
        loopback.add_peer(PeerId(4), &other),
        Ok(btl::Reach::Unreachable(_))
    ));
    assert!(matches!(
        loopback.add_peer(PeerId(3), &other),
        Err(Error::Protocol { .. })
    ));
}

#[test]
fn a_short_message_after_a_long_one_has_no_tail_of_it() {
    let mut loopback = joined();
    let mut last = Last(None);
    for message in [&b"a long message"[..], b"short", b""] {
        let sent = loopback.send(PeerId(3), AmTag::USER, message, UserBuf::EMPTY);
        assert_eq!(sent, Ok(btl::Flow::Sent));
        assert_eq!(loopback.progress(&mut last), 1);
        assert_eq!(last.0.take().as_deref(), Some(message));
    }
}

#[test]
fn access_and_withdrawal_are_heeded() {
    let mut loopback = joined();
    let (region, local) = (Scratch::new(64), Scratch::new(8));
    let reads = Access {
        read: true,
        write: false,
    };
    let registration = loopback.register(region.buf(), reads).unwrap();
    let range = RemoteRange {
        key: registration.key,
        offset: 56,
    };
    let me = PeerId(3);
    let refused = Err(Error::OutOfRange {
        peer: me,
        offset: 56,
        len: 8,
    });
    assert_eq!(
        loopback.get(me, local.buf(), range, Token(1)),
        Ok(Started::Done)
    );
    assert_eq!(loopback.put(me, local.buf(), range, Token(2)), refused);
    loopback.deregister(registration);
    assert_eq!(loopback.get(me, local.buf(), range, Token(3)), refused);
}
