use base::{AmTag, PeerId};
use btl::{Arrival, Error, Flow, Sink, Token, Transport};
use memory::UserBuf;

use super::*;
use crate::params::Settings;
use crate::{Config, Sm};

/// Messages that arrived, and the failure of a peer.
#[derive(Default)]
struct Seen {
    messages: Vec<Vec<u8>>,
    failed: Option<String>,
}

impl Sink for Seen {
    fn deliver(&mut self, arrival: Arrival<'_>) {
        self.messages.push(arrival.payload.to_vec());
    }
    fn done(&mut self, _token: Token, _outcome: Result<(), Error>) {}
    fn peer_failed(&mut self, _peer: PeerId, error: Error) {
        self.failed = Some(error.to_string());
    }
}

const LEN: usize = 1000;
/// Bytes of a message that lies in a block only where both send in turn.
const SHORT: usize = 100;

/// Two processes that have a ring in both directions.
fn pair() -> [Sm; 2] {
    let settings = Settings {
        eager_part: LEN,
        block_min: 500,
        block_turn_min: SHORT,
        blocks_bytes: 8 * 1088,
        ring_threshold: 0,
        ..Settings::default()
    };
    let mut pair = [0, 1].map(|me| {
        let config = Config {
            settings: settings.clone(),
            ..Config::with_defaults(PeerId(me))
        };
        crate::open(config).expect("a segment")
    });
    for me in 0..2 {
        let (address, peer) = (pair[1 - me].address(), PeerId(1 - me as u32));
        pair[me].add_peer(peer, &address).expect("reached");
    }
    for me in 0..2 {
        assert_eq!(say(&mut pair[me], 10, 0), Flow::Sent);
        receive(&mut pair[1 - me], 1);
    }
    pair
}

fn say(from: &mut Sm, len: usize, value: u8) -> Flow {
    let peer = PeerId(1 - from.me.0);
    let bytes = vec![value; len];
    // SAFETY: the bytes live until the message is sent.
    let payload = unsafe { UserBuf::new(bytes.as_ptr().cast_mut(), len) };
    from.send(peer, AmTag::PML, &[value, 1, 2], payload)
        .expect("sent")
}

fn receive(at: &mut Sm, messages: usize) -> Seen {
    let mut seen = Seen::default();
    for _ in 0..200 {
        at.progress(&mut seen);
    }
    assert_eq!(seen.messages.len(), messages, "{:?}", seen.failed);
    seen
}

fn blocks(of: &Sm) -> &Blocks {
    let peer = 1 - of.me.index();
    let path = of.paths[peer].as_ref().expect("a peer");
    path.blocks.as_ref().expect("blocks")
}

fn message(value: u8, len: usize) -> Vec<u8> {
    let mut whole = vec![value, 1, 2];
    whole.resize(3 + len, value);
    whole
}

#[test]
fn both_directions_take_turns_in_one_block() {
    let [mut a, mut b] = pair();
    for round in 1..100 {
        assert_eq!(say(&mut a, LEN, round), Flow::Sent);
        assert_eq!(receive(&mut b, 1).messages[0], message(round, LEN));
        assert_eq!(blocks(&b).read.len(), 1);
        assert_eq!(say(&mut b, LEN - 1, round), Flow::Sent);
        assert_eq!(receive(&mut a, 1).messages[0], message(round, LEN - 1));
        assert_eq!(blocks(&b).read.len(), 0);
    }
    // One of those that A brought in went to and fro.
    assert_eq!(blocks(&a).fresh.len(), 7);
    assert_eq!(blocks(&b).fresh.len(), 8);
}

/// A message on trial goes without a block. If its sender used the block that it holds for the next
/// one, its receiver's reply would lie in another, and both would take turns from then on.
#[test]
fn an_exchange_stays_in_one_block_when_a_message_goes_without() {
    let [mut a, mut b] = pair();
    for trial in 1..4 {
        assert_eq!(say(&mut a, LEN, trial), Flow::Sent);
        receive(&mut b, 1);
        b.paths[0]
            .as_mut()
            .expect("a peer")
            .blocks
            .as_mut()
            .expect("blocks")
            .pass();
        // B's message is announced; A goes on.
        let mut names = std::collections::BTreeSet::new();
        for round in 0..20 {
            assert_eq!(say(&mut a, LEN, round), Flow::Sent);
            receive(&mut b, 1);
            assert_eq!(blocks(&b).read.len(), 1);
            names.extend(blocks(&b).read.front().copied());
            assert_eq!(say(&mut b, LEN, round), Flow::Sent);
            receive(&mut a, 1);
        }
        assert_eq!(names.len(), 1, "trial {trial}");
    }
}

#[test]
fn what_goes_one_way_alone_needs_no_blocks_back() {
    let [mut a, mut b] = pair();
    for round in 0..100 {
        assert_eq!(say(&mut a, LEN, round), Flow::Sent);
        assert_eq!(receive(&mut b, 1).messages[0], message(round, LEN));
    }
    assert_eq!((blocks(&a).fresh.len(), blocks(&a).read.len()), (0, 0));
    assert_eq!((blocks(&b).fresh.len(), blocks(&b).read.len()), (8, 8));
    assert_eq!(say(&mut b, LEN, 7), Flow::Sent);
    receive(&mut a, 1);
    assert_eq!((blocks(&a).read.len(), blocks(&b).read.len()), (1, 7));
}

#[test]
fn shorter_messages_take_blocks_where_they_come_back() {
    let [mut a, mut b] = pair();
    for round in 1..100 {
        for (from, to) in [(0, 1), (1, 0)] {
            let pair = [&mut a, &mut b];
            assert_eq!(say(pair[from], SHORT, round), Flow::Sent);
            assert_eq!(receive(pair[to], 1).messages[0], message(round, SHORT));
        }
    }
    assert_eq!((blocks(&a).fresh.len(), blocks(&b).fresh.len()), (7, 8));
    for round in 0..100 {
        assert_eq!(say(&mut a, SHORT, round), Flow::Sent);
        assert_eq!(receive(&mut b, 1).messages[0], message(round, SHORT));
    }
    let left = blocks(&a).fresh.len() + blocks(&a).read.len();
    assert_eq!((left, blocks(&b).read.len()), (6, 2));
}

/// Blocks keep their order with what goes through the ring: shorter, longer, and without a block.
#[test]
fn records_of_every_kind_arrive_in_order() {
    let [mut a, mut b] = pair();
    let (mut sent, mut expected) = (0u32, Vec::new());
    let mut received = Vec::new();
    while sent < 500 {
        let len = [20, LEN, 3 * LEN, 600, LEN + 1][sent as usize % 5];
        let value = sent as u8;
        match say(&mut a, len, value) {
            Flow::Sent => {
                expected.push(message(value, len));
                sent += 1;
            }
            Flow::Busy => {
                let mut seen = Seen::default();
                b.progress(&mut seen);
                received.extend(seen.messages);
                // A waits while something of B is here: it may be a block.
                a.progress(&mut Seen::default());
            }
        }
        if sent % 7 == 0 {
            let _ = say(&mut b, LEN, 9);
        }
    }
    let mut seen = Seen::default();
    for _ in 0..1000 {
        b.progress(&mut seen);
    }
    received.extend(seen.messages);
    assert!(
        received == expected,
        "{} of {}",
        received.len(),
        expected.len()
    );
}

#[test]
fn a_block_that_is_not_the_peer_s_is_refused() {
    let notes: [(u64, usize); 4] = [
        // One that B owns: it brought it in.
        (1 | (LEN as u64) << 32, 8),
        // There is no such block.
        (u64::from(HERE | 8) | (LEN as u64) << 32, 8),
        // Longer than a block.
        (u64::from(HERE) | (2 * LEN as u64) << 32, 8),
        // Not even a note.
        (0, 4),
    ];
    for (note, bytes) in notes {
        let [mut a, mut b] = pair();
        assert_eq!(say(&mut b, LEN, 1), Flow::Sent);
        receive(&mut a, 1);
        let path = a.paths[1].as_mut().expect("a peer");
        path.publish(LENT, &note.to_le_bytes()[..bytes]);
        let seen = receive(&mut b, 0);
        assert!(seen.failed.is_some(), "{note:#x}");
    }
}

#[test]
fn what_a_dead_peer_sent_last_still_arrives() {
    let [mut a, mut b] = pair();
    assert_eq!(say(&mut a, LEN, 3), Flow::Sent);
    b.dead.push(PeerId(0));
    let mut seen = Seen::default();
    b.report_dead(&mut seen);
    assert!(seen.failed.is_some());
    assert_eq!(receive(&mut b, 1).messages[0], message(3, LEN));
}
