//! Two instances in one process: the receiver's measured times decide what the sender does.

use std::sync::Arc;

use base::AmTag;
use btl::{Access, Arrival, Error, RemoteRange, Rma, Sink, Token, Transport};
use memory::Scratch;

use super::*;
use crate::component::{open, Config};
use crate::params::Settings;
use crate::path::Path;
use crate::smsc::fake::Fake;
use crate::smsc::Mechanism;

const LEN: usize = 100_000;

struct Nothing;

impl Sink for Nothing {
    fn deliver(&mut self, _: Arrival<'_>) {}
    fn done(&mut self, _: Token, _: Result<(), Error>) {}
    fn peer_failed(&mut self, _: PeerId, _: Error) {}
}

struct Pair {
    sender: Sm,
    receiver: Sm,
    fake: Fake,
}

/// A sender that has a ring at the receiver.
fn pair(rule: Rule, settings: Settings) -> Pair {
    let fake = Fake::default();
    let config = |peer| Config {
        me: PeerId(peer),
        generation: 0,
        attach_late: false,
        crowded: false,
        settings: Settings {
            rule,
            ..settings.clone()
        },
        system: Arc::new(fake.clone()),
    };
    let mut sender = open(config(0)).expect("a segment");
    let mut receiver = open(config(1)).expect("a segment");
    sender.add_peer(PeerId(1), &receiver.address()).unwrap();
    receiver.add_peer(PeerId(0), &sender.address()).unwrap();
    let long = Scratch::new(4096);
    let sent = sender.send(PeerId(1), AmTag(9), &[], long.buf());
    assert_eq!(sent, Ok(btl::Flow::Sent));
    receiver.progress(&mut Nothing);
    Pair {
        sender,
        receiver,
        fake,
    }
}

impl Pair {
    /// Sends messages that take these times, by the ring and by reading. Returns how many were
    /// announced.
    fn send(&mut self, messages: usize, times: [u64; 2]) -> usize {
        let mut announced = 0;
        for _ in 0..messages {
            let reads = self.sender.announces(PeerId(1), LEN);
            announced += usize::from(reads);
            let service = Service {
                announced: reads,
                bytes: LEN,
                nanoseconds: times[usize::from(reads)],
                unmeasured: 0,
            };
            self.receiver.served(PeerId(0), service);
        }
        announced
    }

    /// Reads memory of the sender.
    fn read(&mut self) -> Result<btl::Started, Error> {
        let (there, here) = (Scratch::new(64), Scratch::new(64));
        let access = Access {
            read: true,
            write: false,
        };
        let made = self.sender.register(there.buf(), access).expect("a key");
        let remote = RemoteRange {
            key: made.key,
            offset: 0,
        };
        self.receiver.get(PeerId(0), here.buf(), remote, Token(1))
    }
}

#[test]
fn measured_times_decide_and_are_reported() {
    let mut pair = pair(Rule::Measured, Settings::default());
    assert_eq!(pair.receiver.account(PeerId(0)), None);
    // The first messages go through the ring, and a trial is short.
    assert_eq!(pair.send(4, [20_000, 40_000]), 0);
    let tried = pair.send(60, [20_000, 40_000]);
    assert!((2..8).contains(&tried), "{tried}");
    let account = pair.receiver.account(PeerId(0)).expect("measured");
    assert_eq!(account, "64 KiB by ring (ring 5.0 GB/s, xpmem 2.5 GB/s)");
    // The ring slows down.
    assert!(pair.send(200, [80_000, 40_000]) > 170);
    let account = pair.receiver.account(PeerId(0)).expect("measured");
    assert!(account.starts_with("64 KiB by xpmem (ring 1."), "{account}");
    // Nothing was measured in the other direction, or of other lengths.
    assert_eq!(pair.sender.account(PeerId(1)), None);
    assert!(!pair.sender.announces(PeerId(1), CLASS_MIN_BYTES - 1));
    assert!(!pair.sender.announces(PeerId(1), 1 << 20));
    assert!(!pair.receiver.announces(PeerId(0), LEN));
}

/// The kernel refuses in the middle of a job: the next message is not announced any more.
#[test]
fn reading_that_is_refused_is_not_asked_for_again() {
    let mut settings = Settings::default();
    settings.smsc.priorities = [-1, 0, -1];
    let mut pair = pair(Rule::Measured, settings);
    assert!(pair.send(200, [80_000, 40_000]) > 170);
    assert!(pair.read().is_ok());
    pair.fake.world().copy_fails = Some((0, libc::EPERM, usize::MAX));
    assert!(matches!(pair.read(), Err(Error::Unsupported { .. })));
    assert_eq!(pair.send(2000, [80_000, 40_000]), 0);
    let account = pair.receiver.account(PeerId(0)).expect("measured");
    assert!(
        account.contains("by ring") && account.contains("read refused"),
        "{account}"
    );
}

#[test]
fn without_access_to_memory_nothing_is_measured() {
    let mut settings = Settings::default();
    settings.smsc.priorities = [-1; 3];
    let mut pair = pair(Rule::Measured, settings);
    assert_eq!(pair.send(1000, [80_000, 40_000]), 0);
    assert_eq!(pair.receiver.account(PeerId(0)), None);
}

#[test]
fn a_setting_decides_without_measuring() {
    let mut ring = pair(Rule::Ring, Settings::default());
    assert_eq!(ring.send(200, [80_000, 40_000]), 0);
    let mut read = pair(Rule::Read(Mechanism::Cma), Settings::default());
    assert_eq!(read.send(200, [20_000, 40_000]), 200);
    assert!(!read.sender.announces(PeerId(1), CLASS_MIN_BYTES - 1));
    assert_eq!(read.receiver.account(PeerId(0)), None);
}

/// Whatever a broken peer writes, messages go by one mechanism or the other.
#[test]
fn words_of_a_broken_peer_are_no_wishes() {
    let mut pair = pair(Rule::Measured, Settings::default());
    let index = pair.sender.paths[1].as_ref().and_then(Path::ring_index);
    let (index, class) = (index.expect("a ring"), class_of(LEN).expect("a class"));
    for word in [u32::MAX, 0xff, 0x0000_ff00, 2] {
        let wish = pair.receiver.own.ring_wish(index, class);
        wish.store(word, Ordering::Relaxed);
        assert!(!pair.sender.announces(PeerId(1), LEN), "{word:#x}");
    }
    // Wishes that are possible, however often they change, are followed.
    for turn in 0..1000_u32 {
        let wish = pair.receiver.own.ring_wish(index, class);
        wish.store(turn << 24 | 0x00ff_0100, Ordering::Relaxed);
        assert_eq!(pair.sender.announces(PeerId(1), LEN), turn > 0, "{turn}");
    }
}

#[test]
fn a_peer_without_a_ring_announces_nothing() {
    let settings = Settings {
        ring_max: 0,
        ..Settings::default()
    };
    let mut pair = pair(Rule::Measured, settings);
    assert_eq!(pair.send(200, [80_000, 40_000]), 0);
    assert_eq!(pair.sender.flush(PeerId(1)), Ok(btl::Flow::Sent));
}
