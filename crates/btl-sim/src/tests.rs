//! The conformance suite over several kinds of network, and tests of the simulation itself.

use std::sync::Arc;

use base::{AmTag, Clock, Instant, PeerId};
use btl::conformance::{Death, Fixture, Tick};
use btl::{Access, Arrival, Error, Flow, RemoteRange, Rma as _, Sink, Started, Token, Transport};
use memory::{Scratch, UserBuf};

use crate::{Config, Endpoint, Gets, Net};

struct Simulated {
    config: Config,
    net: Net,
}

impl Simulated {
    fn new(config: Config) -> Simulated {
        Simulated {
            net: Net::new(config.clone()),
            config,
        }
    }
}

impl Fixture for Simulated {
    fn open(&mut self, n: usize) -> Vec<Box<dyn Transport>> {
        self.net = Net::new(self.config.clone());
        let open = |id| Box::new(self.net.open(PeerId(id))) as Box<dyn Transport>;
        (0..n as u32).map(open).collect()
    }

    fn count_max(&self) -> usize {
        // Each message into a queue of one may wait for the other thread's slice.
        match self.config.queue_messages_max {
            1 => 2000,
            _ => usize::MAX,
        }
    }

    fn tick(&self) -> Tick {
        let net = self.net.clone();
        Arc::new(move || net.step())
    }

    fn kill(&mut self, victim: Box<dyn Transport>) -> Death {
        drop(victim);
        Death::Noticed
    }
}

mod ordered {
    use crate::{Config, Gets};

    btl::conformance_tests!(super::Simulated::new(Config {
        gets: Gets::Pairs(100),
        ..Config::of(1)
    }));
}

mod unordered {
    use crate::Config;

    btl::conformance_tests!(super::Simulated::new(Config {
        ordered: false,
        ..Config::of(2)
    }));
}

mod bare {
    use crate::{Config, Gets};

    btl::conformance_tests!(super::Simulated::new(Config {
        gets: Gets::None,
        puts: false,
        queue_messages_max: 1,
        busy_percent: 30,
        max_send_size: 1000,
        eager_limit: 200,
        ..Config::of(3)
    }));
}

#[derive(Default)]
struct Record {
    messages: Vec<(PeerId, Vec<u8>)>,
    done: Vec<(Token, Result<(), Error>)>,
    failed: Vec<PeerId>,
}

impl Sink for Record {
    fn deliver(&mut self, arrival: Arrival<'_>) {
        self.messages.push((arrival.from, arrival.payload.to_vec()));
    }

    fn done(&mut self, token: Token, outcome: Result<(), Error>) {
        self.done.push((token, outcome));
    }

    fn peer_failed(&mut self, peer: PeerId, _error: Error) {
        self.failed.push(peer);
    }
}

fn joined(config: Config, n: u32) -> (Net, Vec<Endpoint>) {
    let net = Net::new(config);
    let mut endpoints: Vec<_> = (0..n).map(|id| net.open(PeerId(id))).collect();
    let addresses: Vec<_> = endpoints.iter().map(|e| e.address()).collect();
    for endpoint in &mut endpoints {
        for (id, address) in addresses.iter().enumerate() {
            let reach = endpoint.add_peer(PeerId(id as u32), address);
            assert_eq!(reach, Ok(btl::Reach::Reachable));
        }
    }
    (net, endpoints)
}

/// Four endpoints that all send to all until everything has arrived.
fn traffic(seed: u64, ordered: bool) -> (u64, Instant, Vec<Record>) {
    let (net, mut endpoints) = joined(
        Config {
            ordered,
            ..Config::of(seed)
        },
        4,
    );
    let mut records: Vec<_> = endpoints.iter().map(|_| Record::default()).collect();
    let mut left = [[40u8; 4]; 4];
    loop {
        for (from, endpoint) in endpoints.iter_mut().enumerate() {
            endpoint.progress(&mut records[from]);
            for (to, left) in left[from]
                .iter_mut()
                .enumerate()
                .filter(|(_, left)| **left > 0)
            {
                let header = [from as u8, *left];
                let peer = PeerId(to as u32);
                let flow = endpoint.send(peer, AmTag::USER, &header, UserBuf::EMPTY);
                *left -= u8::from(flow.unwrap() == Flow::Sent);
            }
        }
        if !net.step() && left.iter().flatten().all(|left| *left == 0) {
            break;
        }
    }
    for (endpoint, record) in endpoints.iter_mut().zip(&mut records) {
        endpoint.progress(record);
        assert_eq!(record.messages.len(), 160);
    }
    (net.fingerprint(), net.clock().now(), records)
}

#[test]
fn the_same_seed_is_the_same_run_and_another_is_another() {
    for seed in 0..20 {
        let (first, again) = (traffic(seed, true), traffic(seed, true));
        assert_eq!((first.0, first.1), (again.0, again.1), "seed {seed}");
        for (a, b) in first.2.iter().zip(&again.2) {
            assert_eq!(a.messages, b.messages, "seed {seed}");
        }
        assert_ne!(
            first.0,
            traffic(seed + 1, true).0,
            "seeds {seed} and the next"
        );
    }
}

#[test]
fn an_unordered_network_does_reorder_and_an_ordered_one_does_not() {
    let reordered = |ordered| {
        let (_, _, records) = traffic(9, ordered);
        let streams = records
            .iter()
            .flat_map(|r| (0..4).map(move |from| (r, PeerId(from))));
        let streams = streams.map(|(r, from)| {
            let of = r.messages.iter().filter(|m| m.0 == from).map(|m| m.1[1]);
            of.collect::<Vec<_>>()
        });
        streams
            .filter(|counts| !counts.is_sorted_by(|a, b| a > b))
            .count()
    };
    assert_eq!(reordered(true), 0);
    assert!(reordered(false) > 8);
}

#[test]
fn a_cut_link_is_noticed_at_both_ends_and_nowhere_else() {
    let (net, mut ends) = joined(
        Config {
            busy_percent: 0,
            ..Config::of(5)
        },
        3,
    );
    assert_eq!(
        ends[0].send(PeerId(1), AmTag::USER, b"late", UserBuf::EMPTY),
        Ok(Flow::Sent)
    );
    assert_eq!(
        ends[0].send(PeerId(2), AmTag::USER, b"fine", UserBuf::EMPTY),
        Ok(Flow::Sent)
    );
    net.cut(PeerId(0), PeerId(1));
    let mut records = [Record::default(), Record::default(), Record::default()];
    while net.step() {
        for (end, record) in ends.iter_mut().zip(&mut records) {
            end.progress(record);
        }
    }
    assert_eq!(
        [&records[0].failed[..], &records[1].failed[..]],
        [[PeerId(1)], [PeerId(0)]]
    );
    assert!(records[1].messages.is_empty() && records[2].failed.is_empty());
    assert_eq!(records[2].messages.len(), 1);
    let refused = ends[1].send(PeerId(0), AmTag::USER, b"no", UserBuf::EMPTY);
    assert!(matches!(refused, Err(Error::PeerGone { .. })));
}

#[test]
fn gets_fail_at_random_where_the_network_says_so() {
    let config = Config {
        gets: Gets::Failing(50),
        busy_percent: 0,
        ..Config::of(6)
    };
    let (net, mut ends) = joined(config, 2);
    let (theirs, ours) = (Scratch::new(64), Scratch::new(64));
    let access = Access {
        read: true,
        write: false,
    };
    let key = ends[1].register(theirs.buf(), access).unwrap().key;
    let (mut at_once, mut record) = (0, Record::default());
    for i in 0..200 {
        match ends[0].get(
            PeerId(1),
            ours.buf(),
            RemoteRange { key, offset: 0 },
            Token(i),
        ) {
            Ok(started) => assert_eq!(started, Started::Pending),
            Err(error) => {
                assert_eq!(
                    error,
                    Error::Unsupported {
                        peer: PeerId(1),
                        what: "get"
                    }
                );
                at_once += 1;
            }
        }
    }
    while net.step() {
        ends[0].progress(&mut record);
    }
    let late = record
        .done
        .iter()
        .filter(|(_, outcome)| outcome.is_err())
        .count();
    assert_eq!(record.done.len() + at_once, 200);
    assert!(
        (20..80).contains(&at_once) && (20..80).contains(&late),
        "{at_once}, {late}"
    );
}

#[test]
fn withdrawn_and_read_only_memory_is_refused() {
    let (net, mut ends) = joined(
        Config {
            busy_percent: 0,
            ..Config::of(7)
        },
        2,
    );
    let (theirs, ours) = (Scratch::new(64), Scratch::new(8));
    let access = Access {
        read: true,
        write: false,
    };
    let registration = ends[1].register(theirs.buf(), access).unwrap();
    let range = RemoteRange {
        key: registration.key,
        offset: 8,
    };
    let refused = Error::OutOfRange {
        peer: PeerId(1),
        offset: 8,
        len: 8,
    };
    assert_eq!(
        ends[0].put(PeerId(1), ours.buf(), range, Token(1)),
        Ok(Started::Pending)
    );
    assert_eq!(
        ends[0].get(PeerId(1), ours.buf(), range, Token(2)),
        Ok(Started::Pending)
    );
    ends[1].deregister(registration);
    let mut record = Record::default();
    while net.step() {
        ends[0].progress(&mut record);
    }
    record.done.sort_by_key(|(token, _)| token.0);
    let wanted = [(Token(1), Err(refused.clone())), (Token(2), Err(refused))];
    assert_eq!(record.done, wanted);
}
