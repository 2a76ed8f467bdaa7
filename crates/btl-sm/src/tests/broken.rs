//! Tests of peers that are broken, or were started with other parameters.
//!
//! Faults that these tests guard against: a ring claimed in the name of an unknown process was
//! read, and its messages crashed layers that index tables by the sender; a message in cells could
//! grow without limit; a message to a peer with shorter rings was busy for ever.

use std::sync::atomic::Ordering;

use base::{AmTag, PeerId};
use btl::{Arrival, Error, Flow, Reach, Sink, Token, Transport};
use memory::UserBuf;
use sync::fifo;

use crate::params::{Settings, MAX_SEND_BYTES};
use crate::segment::{CELL_HEAD_BYTES, CELL_PAYLOAD_BYTES, RING_READY};
use crate::{Config, Sm};

/// Senders of what arrived, and peers that failed.
#[derive(Default)]
struct Seen {
    from: Vec<PeerId>,
    failed: Vec<Error>,
}

impl Sink for Seen {
    fn deliver(&mut self, arrival: Arrival<'_>) {
        self.from.push(arrival.from);
    }
    fn done(&mut self, _token: Token, _outcome: Result<(), Error>) {}
    fn peer_failed(&mut self, _peer: PeerId, error: Error) {
        self.failed.push(error);
    }
}

fn open(me: u32, settings: Settings) -> Sm {
    let config = Config {
        settings,
        ..Config::with_defaults(PeerId(me))
    };
    crate::open(config).expect("a segment")
}

fn polls(own: &mut Sm) -> Seen {
    let mut seen = Seen::default();
    for _ in 0..100 {
        own.progress(&mut seen);
    }
    seen
}

#[test]
fn a_ring_is_read_when_its_writer_was_introduced() {
    let settings = Settings {
        ring_threshold: 0,
        ..Settings::default()
    };
    let (mut own, mut peer) = (open(0, settings.clone()), open(7, settings));
    peer.add_peer(PeerId(0), &own.address()).expect("attached");
    let sent = peer.send(PeerId(0), AmTag::PML, &[1], UserBuf::EMPTY);
    assert_eq!(sent, Ok(Flow::Sent));
    assert_eq!(own.own.ring_state(0).load(Ordering::Relaxed), RING_READY);
    assert_eq!(polls(&mut own).from, []);
    own.add_peer(PeerId(7), &peer.address()).expect("attached");
    assert_eq!(polls(&mut own).from, [PeerId(7)]);
}

#[test]
fn a_message_in_cells_is_no_longer_than_any_process_sends() {
    let (mut own, peer) = (open(0, Settings::default()), open(1, Settings::default()));
    own.add_peer(PeerId(1), &peer.address()).expect("attached");
    let cells = MAX_SEND_BYTES / CELL_PAYLOAD_BYTES;
    let mut seen = Seen::default();
    for n in 0..=cells {
        assert!(seen.failed.is_empty(), "after {n} cells");
        let claim = fifo::claim(&own.own, 1).expect("a free cell");
        // SAFETY: the cell is this test's until it is published.
        let mut head = unsafe { memory::Slot::new(claim.bytes, CELL_HEAD_BYTES) };
        head.write(8, &1u32.to_le_bytes());
        head.write(12, &(CELL_PAYLOAD_BYTES as u16).to_le_bytes());
        head.write(14, &[AmTag::PML.0, 1]);
        fifo::publish(&own.own, claim);
        own.progress(&mut seen);
    }
    let [Error::Protocol { peer, what }] = &seen.failed[..] else {
        panic!("{:?}", seen.failed);
    };
    assert_eq!(*peer, PeerId(1));
    assert!(what.contains("1048576 allowed"), "{what}");
}

#[test]
fn a_peer_whose_rings_are_too_short_is_not_reached() {
    let short = Settings {
        ring_bytes: 4096,
        ring_grown_bytes: 4096,
        ring_large_bytes: 4096,
        ..Settings::default()
    };
    let (mut own, mut peer) = (open(0, Settings::default()), open(1, short));
    let Ok(Reach::Unreachable(why)) = own.add_peer(PeerId(1), &peer.address()) else {
        panic!("a peer that cannot be sent everything");
    };
    assert!(why.contains("take messages of 1912 bytes"), "{why}");
    // The peer sends no more than any ring takes.
    assert_eq!(
        peer.add_peer(PeerId(0), &own.address()),
        Ok(Reach::Reachable)
    );
}
