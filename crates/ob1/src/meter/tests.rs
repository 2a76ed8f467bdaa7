//! Times of messages, as the meter counts them and as the protocol hands them to its driver.

use base::{Cut, Rank, RemoteKey, Slab};
use datatype::Buffer;
use memory::{Payload, Scratch, UserBuf};
use pml::{Context, Pattern, RequestId};

use super::*;
use crate::wire::{Envelope, Header};
use crate::{Config, Driver, Limits, Protocol};

fn time(meter: &mut Meter, request: Key, now: u64) -> Option<u64> {
    meter
        .end(request, now)
        .map(|(_, service)| service.nanoseconds)
}

#[test]
fn a_message_takes_from_when_it_could_begin_to_its_end() {
    let mut keys = Slab::default();
    let mut key = || keys.insert(());
    let mut meter = Meter::default();
    let begin = |meter: &mut Meter, request, sent, arrived| {
        meter.begin(Running {
            request,
            peer: PeerId(1),
            announced: true,
            bytes: 1 << 16,
            sent,
            arrived,
            unmeasured: 0,
        });
    };
    // The way counts.
    let one = key();
    begin(&mut meter, one, 1000, 1100);
    assert!(meter.measures(one));
    assert_eq!(time(&mut meter, one, 1500), Some(500));
    assert_eq!(time(&mut meter, one, 1600), None);
    // It was sent while the one before was received.
    let two = key();
    begin(&mut meter, two, 1200, 1520);
    assert_eq!(time(&mut meter, two, 1600), Some(100));
    // It arrived with another, which came first.
    let (three, four) = (key(), key());
    begin(&mut meter, three, 1650, 1700);
    begin(&mut meter, four, 1660, 1710);
    assert_eq!(time(&mut meter, three, 1900), Some(250));
    assert_eq!(time(&mut meter, four, 2100), Some(200));
    // Its receiver was away, or its sender's clock is another.
    let (five, six) = (key(), key());
    begin(&mut meter, five, 2200, 9000);
    assert_eq!(time(&mut meter, five, 9100), Some(200));
    begin(&mut meter, six, u64::MAX, 9200);
    assert_eq!(time(&mut meter, six, 9300), Some(100));
}

#[test]
fn measurements_of_a_peer_that_is_gone_are_given_up_and_their_number_is_bounded() {
    let mut keys = Slab::default();
    let mut meter = Meter::default();
    let mut begin = |meter: &mut Meter, peer| {
        let request = keys.insert(());
        meter.begin(Running {
            request,
            peer: PeerId(peer),
            announced: false,
            bytes: 1 << 16,
            sent: 0,
            arrived: 1,
            unmeasured: 0,
        });
        request
    };
    let gone = begin(&mut meter, 1);
    let other = begin(&mut meter, 2);
    meter.forget(PeerId(1));
    assert!(!meter.measures(gone) && meter.measures(other));
    for _ in 0..RUNNING_MAX {
        begin(&mut meter, 3);
    }
    assert!(!meter.measures(other));
    assert_eq!(meter.running.len(), RUNNING_MAX);
}

const PEER: PeerId = PeerId(1);
const TOTAL: usize = 1000;
const PART: usize = 600;

/// A driver whose clock a test sets.
#[derive(Default)]
struct TestDriver {
    now: u64,
    served: Vec<(PeerId, Service)>,
}

impl Driver for TestDriver {
    fn register(&mut self, _: PeerId, _: UserBuf) -> Option<RemoteKey> {
        RemoteKey::new(&[1])
    }
    fn deregister(&mut self, _: PeerId, _: RemoteKey) {}
    fn now(&self) -> u64 {
        self.now
    }
    fn served(&mut self, peer: PeerId, service: Service) {
        self.served.push((peer, service));
    }
}

/// A process with a lane that measures messages of some length, and its driver.
struct World {
    protocol: Protocol,
    comm: pml::CommId,
    driver: TestDriver,
    memory: Scratch,
    sequence: u64,
}

impl World {
    fn new(measured_min: Option<usize>) -> World {
        let mut protocol = Protocol::new(Config::new(1 << 20), 2);
        let limits = Limits {
            eager_limit: 100,
            cut: Some(Cut {
                part: PART,
                longest: 10_000,
            }),
            rndv_eager_limit: 0,
            max_send: PART + 100,
            can_get: true,
            buffers: false,
            measured_min,
        };
        protocol.set_limits(PEER, limits);
        let comm = protocol.open_comm(Context(8), Rank(0), vec![PeerId(0), PEER]);
        World {
            protocol,
            comm,
            driver: TestDriver::default(),
            memory: Scratch::new(TOTAL),
            sequence: 0,
        }
    }

    fn receive(&mut self) -> RequestId {
        let pattern = Pattern {
            source: Some(Rank(1)),
            tag: Some(5),
        };
        let buffer = Buffer::bytes(self.memory.buf());
        self.protocol.begin_recv(self.comm, pattern, buffer)
    }

    fn envelope(&mut self) -> Envelope {
        self.sequence += 1;
        Envelope {
            context: Context(8),
            source: Rank(1),
            tag: 5,
            sequence: self.sequence - 1,
            mark: 0,
        }
    }

    fn arrive(&mut self, now: u64, header: Header, payload: usize) {
        self.driver.now = now;
        let mut message = header.encode().as_bytes().to_vec();
        message.resize(message.len() + payload, 0xa5);
        let message = Payload::from(&message[..]);
        let arrived = self.protocol.arrived(PEER, message, &mut self.driver);
        assert_eq!(arrived, Ok(()));
    }

    fn long(&mut self, sent: u64) -> Header {
        Header::Long {
            envelope: self.envelope(),
            total: TOTAL as u64,
            sent,
        }
    }

    /// A pipelined message; its time where it was measured.
    fn pipelined(&mut self, sent: u64, arrived: u64, done: u64) -> Option<Service> {
        let header = self.long(sent);
        self.arrive(arrived, header, PART);
        self.arrive(done, Header::More, TOTAL - PART);
        self.driver.served.pop().map(|(peer, service)| {
            assert_eq!(peer, PEER);
            service
        })
    }
}

#[test]
fn pipelined_messages_of_a_posted_receive_are_measured_where_their_sender_says_when() {
    let mut world = World::new(Some(TOTAL));
    let service = |nanoseconds, unmeasured| {
        Some(Service {
            announced: false,
            bytes: TOTAL,
            nanoseconds,
            unmeasured,
        })
    };
    world.receive();
    assert_eq!(world.pipelined(100, 120, 200), service(100, 0));
    for _ in 0..3 {
        world.receive();
        assert_eq!(world.pipelined(0, 300, 400), None);
    }
    world.receive();
    assert_eq!(world.pipelined(500, 520, 700), service(200, 3));
    // No receive waits for it.
    assert_eq!(world.pipelined(800, 820, 900), None);
    let mut other = World::new(None);
    other.receive();
    assert_eq!(other.pipelined(100, 120, 200), None);
}

#[test]
fn announced_messages_are_measured_until_they_are_read() {
    let mut world = World::new(Some(TOTAL));
    let request = world.receive();
    let header = Header::Rts {
        envelope: world.envelope(),
        sender: Key::from_bits(7),
        total: TOTAL as u64,
        key: RemoteKey::new(&[9]),
        sent: 1000,
    };
    world.arrive(1010, header, 0);
    world.driver.now = 1500;
    world.protocol.get_done(request, false, &mut world.driver);
    let expected = Service {
        announced: true,
        bytes: TOTAL,
        nanoseconds: 500,
        unmeasured: 0,
    };
    assert_eq!(world.driver.served, [(PEER, expected)]);
}

#[test]
fn senders_measure_what_is_new_and_then_a_sample() {
    let mut world = World::new(Some(TOTAL));
    world.driver.now = 77;
    let mut measured = |bytes, announced, messages: usize| {
        let mut one = || {
            world
                .protocol
                .sent_at(PEER, bytes, announced, &world.driver)
                == 77
        };
        (0..messages).filter(|_| one()).count()
    };
    assert_eq!(measured(TOTAL - 1, false, 10), 0);
    assert_eq!(measured(TOTAL, false, 32), 32);
    assert_eq!(measured(TOTAL, false, 400), 100);
    assert_eq!(measured(TOTAL, true, 2), 2);
    assert_eq!(measured(TOTAL, false, 32), 32);
    assert_eq!(measured(4 * TOTAL, false, 32), 32);
}
