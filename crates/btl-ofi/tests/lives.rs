//! Tests that open and close the transport many times: nothing is left behind, and closing does not
//! wait. Alone in its process, because it counts what the process has.
//!
//! Another MPI slept for a second in its finalize so that the threads of `sockets` would not run
//! into freed memory, and crashed in the second life with a standard endpoint. Here endpoints are
//! closed before what they refer to, so there is nothing to wait for.
#![allow(clippy::disallowed_methods, reason = "tests may wait")]

use std::fs;
use std::time::{Duration, Instant};

use base::{AmTag, PeerId};
use btl::{
    Access, Arrival, Error, Flow, Reach, RemoteRange, Rma as _, Sink, Started, Token,
    Transport as _,
};
use btl_ofi::{Config, Settings, Transport};
use memory::{Scratch, UserBuf};
use ofi::Filter;

/// Lives before the first count: what is made once and kept.
const WARM: usize = 10;

/// Longest that closing may take, in half of the lives: the machine may be busy with others.
const CLOSE_MAX: Duration = Duration::from_millis(100);

#[derive(Default)]
struct Record {
    messages: Vec<Vec<u8>>,
    done: usize,
}

impl Sink for Record {
    fn deliver(&mut self, arrival: Arrival<'_>) {
        self.messages.push(arrival.payload.to_vec());
    }

    fn done(&mut self, _token: Token, outcome: Result<(), Error>) {
        outcome.unwrap();
        self.done += 1;
    }

    fn peer_failed(&mut self, peer: PeerId, error: Error) {
        panic!("{peer} failed: {error}");
    }
}

fn open(me: u32, provider: &str, settings: &Settings) -> Option<Transport> {
    open_as(me, provider, settings, None)
}

fn open_as(
    me: u32,
    provider: &str,
    settings: &Settings,
    opening: Option<u64>,
) -> Option<Transport> {
    let config = Config {
        me: PeerId(me),
        local_rank: me as usize,
        opening,
        filter: Filter {
            library: None,
            include: vec![provider.into()],
            exclude: Vec::new(),
        },
        settings: settings.clone(),
        monitor: None,
    };
    match btl_ofi::open(config) {
        Ok(transport) => Some(transport),
        Err(error) => {
            println!("skipped: {error}");
            None
        }
    }
}

/// Two instances that know each other; `None` where the provider is missing.
fn pair(provider: &str, settings: &Settings) -> Option<[Transport; 2]> {
    let mut pair = [open(0, provider, settings)?, open(1, provider, settings)?];
    let addresses = [pair[0].address(), pair[1].address()];
    for (me, peer) in [(0, 1), (1, 0)] {
        let reach = pair[me].add_peer(PeerId(peer as u32), &addresses[peer]);
        assert_eq!(reach, Ok(Reach::Reachable));
    }
    Some(pair)
}

fn until(what: &str, mut done: impl FnMut() -> bool) {
    let start = Instant::now();
    while !done() {
        assert!(start.elapsed() < Duration::from_secs(60), "no {what}");
    }
}

/// One life: a message and a put, then the end. How long the end took.
fn live(provider: &str, settings: &Settings) -> Option<Duration> {
    let [mut a, mut b] = pair(provider, settings)?;
    let mut records = [Record::default(), Record::default()];
    let flow = a.send(PeerId(1), AmTag::USER, b"once", UserBuf::EMPTY);
    assert_eq!(flow, Ok(Flow::Sent));
    let (region, local) = (Scratch::new(64), Scratch::new(8));
    local.buf().write(0, b"a living");
    let access = Access {
        read: true,
        write: true,
    };
    let registration = b.register(region.buf(), access).unwrap();
    let range = RemoteRange {
        key: registration.key,
        offset: 7,
    };
    let mut started = Started::Busy;
    until("message and put", || {
        if started == Started::Busy {
            started = a.put(PeerId(1), local.buf(), range, Token(1)).unwrap();
        }
        a.progress(&mut records[0]);
        b.progress(&mut records[1]);
        records[0].done == 1 && records[1].messages.len() == 1
    });
    assert_eq!(records[1].messages[0], b"once");
    let mut written = [0; 8];
    region.buf().read(7, &mut written);
    assert_eq!(&written, b"a living");
    b.deregister(registration);
    // Both close at once, as the processes of a job do. `shm` reaches peers of its own process
    // where they lie, so none is dropped while the other still speaks.
    let start = Instant::now();
    let closed = std::thread::scope(|scope| {
        scope.spawn(|| b.close());
        a.close();
        start.elapsed()
    });
    let start = Instant::now();
    drop(a);
    Some(closed + start.elapsed())
}

/// Descriptors, threads and mappings of this process.
fn belongings() -> [usize; 3] {
    let count = |folder| fs::read_dir(folder).unwrap().count();
    let maps = fs::read_to_string("/proc/self/maps").unwrap();
    [
        count("/proc/self/fd"),
        count("/proc/self/task"),
        maps.lines().count(),
    ]
}

/// Lives, and counts before and after.
fn lives(provider: &str, settings: &Settings, count: usize) {
    for _ in 0..WARM {
        if live(provider, settings).is_none() {
            return;
        }
    }
    let before = belongings();
    let ends = (0..count).map(|_| live(provider, settings).expect("there before"));
    let mut ends: Vec<_> = ends.collect();
    ends.sort_unstable();
    let (half, longest) = (ends[count / 2], ends[count - 1]);
    // Threads of a provider end a moment after the request.
    let start = Instant::now();
    let mut after = belongings();
    while (after[0] > before[0] || after[1] > before[1]) && start.elapsed().as_secs() < 5 {
        std::thread::sleep(Duration::from_millis(10));
        after = belongings();
    }
    println!("{provider}: {before:?}, then {after:?}; ends took {half:?}, at most {longest:?}");
    assert!(after[0] <= before[0], "{provider} leaves descriptors");
    assert!(after[1] <= before[1], "{provider} leaves threads");
    assert!(after[2] <= before[2] + 8, "{provider} leaves mappings");
    assert!(half < CLOSE_MAX, "{provider} took {half:?} to close");
}

/// Many puts at once, against a queue that holds few.
fn puts(provider: &str) {
    const COUNT: usize = 10_000;
    let settings = Settings {
        transfers_max: usize::MAX,
        queue_size: 16,
        ..Settings::default()
    };
    let Some([mut a, mut b]) = pair(provider, &settings) else {
        return;
    };
    let (region, local) = (Scratch::new(8 * COUNT), Scratch::new(8 * COUNT));
    let access = Access {
        read: false,
        write: true,
    };
    let registration = b.register(region.buf(), access).unwrap();
    let mut records = [Record::default(), Record::default()];
    let (mut started, mut most) = (0, 0);
    until("end of all puts", || {
        while started < COUNT {
            let source = local.buf().part(8 * started, 8);
            source.write(0, &(started as u64 * 77).to_le_bytes());
            let range = RemoteRange {
                key: registration.key,
                offset: 8 * started as u64,
            };
            match a
                .put(PeerId(1), source, range, Token(started as u64))
                .unwrap()
            {
                Started::Pending => started += 1,
                Started::Busy => break,
                Started::Done => panic!("a put that needs no completion"),
            }
        }
        most = most.max(started - records[0].done);
        a.progress(&mut records[0]);
        b.progress(&mut records[1]);
        records[0].done == COUNT
    });
    println!("{provider}: up to {most} puts under way");
    for number in 0..COUNT {
        let mut word = [0; 8];
        region.buf().read(8 * number, &mut word);
        assert_eq!(u64::from_le_bytes(word), number as u64 * 77);
    }
    b.deregister(registration);
}

/// How many lives: 100, or as many as the environment variable `OXMPI_TEST_LIVES` says.
fn count() -> usize {
    let text = std::env::var("OXMPI_TEST_LIVES");
    text.ok().and_then(|text| text.parse().ok()).unwrap_or(100)
}

#[test]
fn lives_leave_nothing_behind_and_end_at_once() {
    let standard = Settings {
        scalable: false,
        ..Settings::default()
    };
    let several = Settings {
        contexts: 4,
        ..Settings::default()
    };
    for provider in ["tcp;ofi_rxm", "udp;ofi_rxd", "shm"] {
        lives(provider, &Settings::default(), count());
        puts(provider);
    }
    for settings in [&standard, &several] {
        lives("sockets", settings, count() / 2);
    }
}

/// `ofi_rxd` never forgets who had an address: an opening that got the port of an earlier one would
/// have all its messages acknowledged and dropped. So openings of a job have ports of their own,
/// and a port that comes again all the same is refused, not trusted.
#[test]
fn no_port_is_used_twice_where_the_provider_remembers() {
    let (provider, settings) = ("udp;ofi_rxd", Settings::default());
    let opened = |me, opening| open_as(me, provider, &settings, Some(opening));
    let Some(mut keeper) = opened(0, 40_000) else {
        return;
    };
    let mut visit = |opening| {
        let mut visitor = opened(1, opening).unwrap();
        let known = visitor.add_peer(PeerId(0), &keeper.address());
        assert_eq!(known, Ok(Reach::Reachable));
        let reach = keeper.add_peer(PeerId(1), &visitor.address()).unwrap();
        if reach == Reach::Reachable {
            let mut records = [Record::default(), Record::default()];
            let flow = visitor.send(PeerId(0), AmTag::USER, b"here", UserBuf::EMPTY);
            assert_eq!(flow, Ok(Flow::Sent));
            until("message", || {
                visitor.progress(&mut records[1]);
                keeper.progress(&mut records[0]);
                !records[0].messages.is_empty()
            });
        }
        visitor.close();
        keeper.remove_peer(PeerId(1));
        reach
    };
    for opening in 40_001..40_006 {
        assert_eq!(visit(opening), Reach::Reachable);
    }
    let Reach::Unreachable(why) = visit(40_003) else {
        panic!("a port for the second time");
    };
    assert!(why.contains("had its port before"), "{why}");
}
