use base::{AmTag, PeerId};
use btl::{Arrival, Error, Flow, Sink, Token, Transport};
use memory::UserBuf;
use sync::ring::Lines;

use super::*;
use crate::{Config, Sm};

const FIRST: usize = 16 << 10;
const GROWN: usize = 32 << 10;
const LARGE: usize = 128 << 10;

/// A message that is not short, and one that is long.
const MIDDLE: usize = 1500;
const LONG: usize = 3000;

#[derive(Default)]
struct Seen(Vec<Vec<u8>>);

impl Sink for Seen {
    fn deliver(&mut self, arrival: Arrival<'_>) {
        self.0.push(arrival.payload.to_vec());
    }
    fn done(&mut self, _token: Token, _outcome: Result<(), Error>) {}
    fn peer_failed(&mut self, peer: PeerId, error: Error) {
        panic!("{peer}: {error}");
    }
}

/// One process and two peers of it, in whose segments `large_max` rings may become large.
fn trio(large_max: u32) -> (Sm, [Sm; 2]) {
    let settings = Settings {
        ring_bytes: FIRST,
        ring_grown_bytes: GROWN,
        ring_large_bytes: LARGE,
        ring_large_max: large_max,
        ring_threshold: 0,
        blocks_bytes: 0,
        ..Settings::default()
    };
    let open = |me| {
        let config = Config {
            settings: settings.clone(),
            ..Config::with_defaults(PeerId(me))
        };
        crate::open(config).expect("a segment")
    };
    let (mut own, mut peers) = (open(0), [open(1), open(2)]);
    for (index, peer) in peers.iter_mut().enumerate() {
        let id = PeerId(index as u32 + 1);
        own.add_peer(id, &peer.address()).expect("reached");
        peer.add_peer(PeerId(0), &own.address()).expect("reached");
    }
    (own, peers)
}

/// Sends messages of a length to a peer, which must take each as it was sent.
fn send(own: &mut Sm, peer: &mut Sm, len: usize, count: usize) {
    for n in 0..count {
        let bytes = vec![n as u8; len];
        // SAFETY: the bytes live until the message is sent.
        let payload = unsafe { UserBuf::new(bytes.as_ptr().cast_mut(), len) };
        let sent = own.send(peer.me, AmTag::PML, &[], payload).expect("sent");
        assert_eq!(sent, Flow::Sent);
        let mut seen = Seen::default();
        while seen.0.is_empty() {
            peer.progress(&mut seen);
        }
        assert!(seen.0 == [bytes], "message {n} of {len} bytes");
    }
}

fn ring_bytes(own: &Sm, peer: &Sm) -> usize {
    let path = own.paths[peer.me.index()].as_ref().expect("reached");
    let outlet = path.outlet().expect("a ring");
    (outlet.writer.lines() + 1) * LINE_BYTES
}

#[test]
fn a_ring_that_much_goes_through_becomes_large_and_others_as_long_as_they_need() {
    let (mut own, [mut busy, mut calm]) = trio(1);
    let enough = LARGE_AFTER * LARGE / MIDDLE + 1;
    send(&mut own, &mut busy, MIDDLE, enough);
    assert_eq!(ring_bytes(&own, &busy), FIRST, "not before it is due");
    send(&mut own, &mut busy, MIDDLE, 100);
    assert_eq!(ring_bytes(&own, &busy), LARGE);

    send(&mut own, &mut calm, LONG, 10);
    assert_eq!(ring_bytes(&own, &calm), GROWN, "long ones, but not many");
    send(&mut own, &mut busy, LONG, 100);
    assert_eq!(ring_bytes(&own, &busy), LARGE);
}

#[test]
fn rings_that_are_claimed_later_stay_shorter() {
    let (mut first, [mut peer, _other]) = trio(1);
    let mut second = {
        let config = Config {
            settings: first.settings.clone(),
            ..Config::with_defaults(PeerId(3))
        };
        crate::open(config).expect("a segment")
    };
    second.add_peer(peer.me, &peer.address()).expect("reached");
    peer.add_peer(PeerId(3), &second.address())
        .expect("reached");
    send(&mut first, &mut peer, MIDDLE, 1);
    let enough = LARGE_AFTER * LARGE / MIDDLE + 200;
    for sender in [&mut second, &mut first] {
        send(sender, &mut peer, MIDDLE, enough);
    }
    assert_eq!(ring_bytes(&second, &peer), GROWN);
    assert_eq!(ring_bytes(&first, &peer), LARGE);
}

#[test]
fn short_messages_leave_a_ring_as_it_is() {
    let (mut own, [mut peer, _other]) = trio(1);
    send(&mut own, &mut peer, 900, 10 * LARGE / 900);
    assert_eq!(ring_bytes(&own, &peer), FIRST);
}

/// The last line of a ring that was ever used.
fn lines_used(own: &Sm, peer: &Sm) -> usize {
    let path = own.paths[peer.me.index()].as_ref().expect("reached");
    let ring = peer.own.ring(path.outlet().expect("a ring").index);
    let used = |line: &usize| ring.header(*line).load(Ordering::Relaxed) != 0;
    (0..ring.lines()).rfind(used).expect("a record")
}

#[test]
fn messages_that_are_answered_stay_in_the_first_lines() {
    let (mut own, [mut replying, mut silent]) = trio(1);
    let all = FIRST / LINE_BYTES;
    for _ in 0..200 {
        send(&mut own, &mut replying, 200, 1);
        send(&mut replying, &mut own, 8, 1);
    }
    assert!(lines_used(&own, &replying) < 140);
    for _ in 0..200 {
        send(&mut own, &mut silent, 200, 1);
        send(&mut replying, &mut own, 8, 1);
    }
    assert!(lines_used(&own, &silent) > all - 10, "another has answered");
    send(&mut own, &mut replying, 200, 200);
    assert!(
        lines_used(&own, &replying) > all - 10,
        "it becomes a stream"
    );
}
