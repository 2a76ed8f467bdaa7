//! Tests of all operations of an endpoint, over the providers that need no network.
//!
//! Which libraries: the system's, and those that the environment variable
//! `OXMPI_TEST_LIBFABRIC` lists, separated by colons. Without any the tests say so and pass.
//! Which providers: [`PROVIDERS`], or those that `OXMPI_TEST_PROVIDERS` lists, separated by commas;
//! one that is listed there and is missing fails the tests.

mod quirks;

use std::io::Write;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use memory::{Scratch, UserBuf};

use crate::*;

/// The library's providers that are tested here.
const PROVIDERS: &str = "tcp;ofi_rxm,udp;ofi_rxd,shm,sockets";

/// The providers that the environment chooses for a test, whatever is on this machine.
fn demanded() -> Option<String> {
    std::env::var("OXMPI_TEST_PROVIDERS").ok()
}

/// The libraries to test with.
fn libraries() -> Vec<Library> {
    let listed = std::env::var("OXMPI_TEST_LIBFABRIC").unwrap_or_default();
    let listed = listed.split(':').filter(|path| !path.is_empty());
    let paths = std::iter::once(None).chain(listed.map(|path| Some(path.into())));
    let load = |path: Option<std::path::PathBuf>| match Library::load(path.as_deref()) {
        Ok(library) => Some(library),
        Err(error) => {
            assert_eq!(demanded(), None, "{error}");
            println!("skipped: {error}");
            None
        }
    };
    paths.filter_map(load).collect()
}

struct Pair {
    ends: [Endpoint; 2],
    /// The other end, in the own table.
    peers: [Address; 2],
    done: [Vec<Completion>; 2],
}

impl Pair {
    fn open(library: &Library, provider: &str, caps: u64) -> Option<Pair> {
        let filter = Filter {
            include: vec![provider.into()],
            ..Filter::default()
        };
        let hints = Hints {
            tx_flags: flags::DELIVERY_COMPLETE,
            ..Hints::new(caps)
        };
        let verdict = choose(library, &hints, &filter, 0, |_| Ok(())).unwrap();
        let Some(info) = verdict.infos.first() else {
            assert_eq!(demanded(), None, "{}", verdict.explain());
            println!("skipped: {}", verdict.explain());
            return None;
        };
        let open = || {
            let domain = Domain::open(info).unwrap();
            let av = Av::open(&domain, 2).unwrap();
            Endpoint::open(info, &av, Options::default()).unwrap()
        };
        let ends = [open(), open()];
        let [a, b] = [ends[0].address().unwrap(), ends[1].address().unwrap()];
        let peers = [
            ends[0].av().insert(&b).unwrap(),
            ends[1].av().insert(&a).unwrap(),
        ];
        Some(Pair {
            ends,
            peers,
            done: Default::default(),
        })
    }

    /// Registers a local buffer, where the provider demands that.
    fn local(&self, at: usize, buf: UserBuf) -> Option<Mr> {
        let domain = self.ends[at].domain();
        let demanded = domain.info().demands(mr_mode::LOCAL);
        let register = || {
            let access = MrAccess::SOURCE.and(MrAccess::SINK);
            let key = buf.address() as u64;
            domain.register(buf, access, key, Some(&self.ends[at]))
        };
        demanded.then(|| register().unwrap())
    }

    fn poll(&mut self) {
        for (end, done) in self.ends.iter_mut().zip(&mut self.done) {
            end.poll(16).unwrap();
            done.extend(std::iter::from_fn(|| end.ended()));
        }
    }

    /// Starts an operation, again while the endpoint is busy.
    fn start(
        &mut self,
        at: usize,
        mut start: impl FnMut(&mut Endpoint, Address) -> Result<Posted, Error>,
    ) -> Op {
        let since = Instant::now();
        loop {
            if let Posted::Taken(op) = start(&mut self.ends[at], self.peers[at]).unwrap() {
                return op;
            }
            self.poll();
            assert!(since.elapsed() < Duration::from_secs(20), "busy for ever");
        }
    }

    /// The end of an operation of one side.
    fn end(&mut self, at: usize, token: u64) -> Completion {
        let since = Instant::now();
        loop {
            let found = self.done[at].iter().position(|done| done.token == token);
            if let Some(found) = found {
                return self.done[at].swap_remove(found);
            }
            self.poll();
            let waited = since.elapsed();
            assert!(waited < Duration::from_secs(20), "no end of {token}");
        }
    }
}

/// Runs a test over every provider of every library.
fn over_all(caps: u64, test: impl Fn(&str, &mut Pair)) {
    for library in libraries() {
        let providers = demanded().unwrap_or(PROVIDERS.into());
        for provider in providers.split(',') {
            if let Some(mut pair) = Pair::open(&library, provider, caps) {
                println!("{provider} of {library:?}");
                test(provider, &mut pair);
            }
        }
    }
}

fn filled(bytes: &[u8]) -> Scratch {
    let scratch = Scratch::new(bytes.len());
    scratch.buf().write(0, bytes);
    scratch
}

fn bytes_of(buf: UserBuf) -> Vec<u8> {
    let mut bytes = vec![0; buf.len()];
    buf.read(0, &mut bytes);
    bytes
}

#[test]
fn messages_arrive_with_their_sender() {
    over_all(caps::MSG | caps::SOURCE, |_, pair| {
        let (from, into) = (filled(b"forty-two bytes at most"), Scratch::new(42));
        let into = into.buf();
        let (there, here) = (pair.local(1, into), pair.local(0, from.buf()));
        pair.start(1, |end, _| {
            end.receive(Address::ANY, into, there.as_ref(), 7)
        });
        pair.start(0, |end, peer| {
            end.send(peer, from.buf(), here.as_ref(), 0, 8)
        });
        let received = pair.end(1, 7);
        assert_eq!(received.outcome, Ok(()));
        assert_eq!(received.len, 23);
        assert_eq!(bytes_of(into.part(0, 23)), b"forty-two bytes at most");
        assert_eq!(received.source, Some(pair.peers[1]));
        assert_eq!(pair.end(0, 8).outcome, Ok(()));
        assert_eq!(pair.ends[0].under_way(), 0);
    });
}

/// A process that has sent something may compute for long before it polls again.
#[test]
fn a_message_over_sockets_leaves_without_another_look() {
    for library in libraries() {
        let Some(mut pair) = Pair::open(&library, "sockets", caps::MSG) else {
            continue;
        };
        for number in 0..20u8 {
            let (ours, theirs) = (filled(&[number; 100]), Scratch::new(100));
            let token = u64::from(number);
            pair.start(1, |end, _| {
                end.receive(Address::ANY, theirs.buf(), None, token)
            });
            pair.start(0, |end, to| end.send(to, ours.buf(), None, 0, token));
            if number > 0 {
                let (since, receiver) = (Instant::now(), &mut pair.ends[1]);
                while !receiver.poll(1).unwrap() {
                    assert!(
                        since.elapsed() < Duration::from_secs(5),
                        "{number} lies there"
                    );
                }
            }
            // The first one connects.
            assert_eq!(pair.end(1, token).outcome, Ok(()));
            assert_eq!(bytes_of(theirs.buf()), [number; 100]);
            pair.end(0, token);
        }
    }
}

#[test]
fn a_receive_can_be_cancelled() {
    over_all(caps::MSG, |_, pair| {
        let into = Scratch::new(8);
        let mr = pair.local(1, into.buf());
        let op = pair.start(1, |end, _| {
            end.receive(Address::ANY, into.buf(), mr.as_ref(), 1)
        });
        pair.ends[1].cancel(op);
        let end = pair.end(1, 1);
        assert!(end.outcome.unwrap_err().is_cancelled());
        pair.ends[1].cancel(op);
    });
}

#[test]
fn tags_are_matched_peeked_at_and_claimed() {
    over_all(caps::TAGGED | caps::DIRECTED_RECV, |provider, pair| {
        let what = |tag| Tagged { tag, ignore: 0 };
        let (one, two) = (filled(b"one"), filled(b"number two"));
        let into = Scratch::new(16);
        let into = into.buf();
        let mr = pair.local(1, into);
        let mr = mr.as_ref();
        let sent = [one.buf(), two.buf()].map(|data| (data, pair.local(0, data)));
        for ((data, mr), tag) in sent.iter().zip(1..) {
            pair.start(0, |end, peer| {
                end.send_tagged(peer, *data, mr.as_ref(), tag, None, 0, 10 + tag)
            });
        }
        pair.start(1, |end, peer| {
            end.receive_tagged(peer, into, mr, what(2), 2)
        });
        let received = pair.end(1, 2);
        assert_eq!((received.outcome, received.len), (Ok(()), 10));
        assert_eq!(bytes_of(into.part(0, 10)), b"number two");
        let library = pair.ends[0].domain().info().library().version();
        if provider == "udp;ofi_rxd" || provider == "shm" && library.starts_with("1.") {
            // Their peeks with a claim never end.
            pair.start(1, |end, peer| {
                end.receive_tagged(peer, into, mr, what(1), 1)
            });
            assert_eq!(pair.end(1, 1).len, 3);
            return;
        }
        let claim =
            |end: &mut Endpoint, peer, tag| match end.peek_tagged(peer, what(tag), true, 100 + tag)
            {
                Err(error) if error.code() == Some(libc::ENOMSG) => Ok(Posted::Busy),
                other => other,
            };
        let found = loop {
            pair.start(1, |end, peer| claim(end, peer, 1));
            let found = pair.end(1, 101);
            if found.outcome.is_ok() {
                break found;
            }
        };
        assert_eq!(found.len, 3);
        let from = pair.peers[1];
        pair.start(1, |end, _| {
            end.fetch_claimed(found.op, (from, what(1)), into, mr, 5)
        });
        let fetched = pair.end(1, 5);
        assert_eq!((fetched.outcome, fetched.len), (Ok(()), 3));
        assert_eq!(bytes_of(into.part(0, 3)), b"one");
        pair.end(0, 11);
        pair.end(0, 12);
        assert_eq!((pair.ends[0].under_way(), pair.ends[1].under_way()), (0, 0));
    });
}

#[test]
fn memory_is_read_written_and_changed() {
    over_all(caps::MSG | caps::RMA | caps::ATOMIC, |_, pair| {
        let region = Scratch::new(4096);
        let access = MrAccess::REMOTE_READ.and(MrAccess::REMOTE_WRITE);
        let domain = pair.ends[1].domain().clone();
        let mr = domain
            .register(region.buf(), access, 77, Some(&pair.ends[1]))
            .unwrap();
        let base = match domain.info().demands(mr_mode::VIRT_ADDR) {
            true => region.buf().address() as u64,
            false => 0,
        };
        let remote = |peer, offset| Remote {
            peer,
            at: base + offset,
            key: mr.key(),
        };
        let (from, into) = (filled(b"written"), Scratch::new(7));
        let (source, sink) = (pair.local(0, from.buf()), pair.local(0, into.buf()));
        pair.start(0, |end, peer| {
            let done = flags::DELIVERY_COMPLETE;
            end.write(remote(peer, 100), from.buf(), source.as_ref(), done, 1)
        });
        assert_eq!(pair.end(0, 1).outcome, Ok(()));
        assert_eq!(bytes_of(region.buf().part(100, 7)), b"written");
        pair.start(0, |end, peer| {
            end.read(remote(peer, 100), into.buf(), sink.as_ref(), 2)
        });
        assert_eq!(pair.end(0, 2).outcome, Ok(()));
        assert_eq!(bytes_of(into.buf()), b"written");

        region.buf().write(8, &40u64.to_le_bytes());
        let local = filled(&[2u64, 0, 42].map(u64::to_le_bytes).concat());
        let [operand, old, compare] = [0, 8, 16].map(|at| local.buf().part(at, 8));
        let mr = pair.local(0, local.buf());
        let count = domain.atomic_count(AtomicKind::Fetch, AtomicType::U64, AtomicOp::Sum);
        assert!(count > 0);
        let words = AtomicOperands {
            operand,
            compare: None,
            result: Some(old),
            mr: mr.as_ref(),
        };
        pair.start(0, |end, peer| {
            let what = (AtomicOp::Sum, AtomicType::U64);
            end.atomic(remote(peer, 8), what, words, 0, 3)
        });
        assert_eq!(pair.end(0, 3).outcome, Ok(()));
        assert_eq!(bytes_of(old), 40u64.to_le_bytes());
        assert_eq!(bytes_of(region.buf().part(8, 8)), 42u64.to_le_bytes());
        let words = AtomicOperands {
            compare: Some(compare),
            ..words
        };
        pair.start(0, |end, peer| {
            let what = (AtomicOp::CompareSwap, AtomicType::U64);
            end.atomic(remote(peer, 8), what, words, 0, 4)
        });
        assert_eq!(pair.end(0, 4).outcome, Ok(()));
        assert_eq!(bytes_of(old), 42u64.to_le_bytes());
        assert_eq!(bytes_of(region.buf().part(8, 8)), 2u64.to_le_bytes());
    });
}

#[test]
fn a_damaged_address_is_not_inserted() {
    over_all(caps::MSG, |_, pair| {
        let av = pair.ends[0].av();
        for damaged in [&[][..], &[0xff; 3], &[0; 16], &[0xff; 28], &[0xff; 4097]] {
            assert!(av.insert(damaged).is_err(), "{damaged:?}");
        }
    });
}

#[test]
fn refusals_name_every_provider_that_was_seen() {
    for library in libraries() {
        let filter = Filter {
            include: vec!["no such provider".into()],
            ..Filter::default()
        };
        let hints = Hints::new(caps::MSG);
        let verdict = choose(&library, &hints, &filter, 0, |_| Ok(())).unwrap();
        assert!(verdict.infos.is_empty());
        let text = verdict.explain();
        let what = [
            "give `--mca opal_common_ofi_provider_include '",
            "; no such provider: libfabric ",
            "shm",
            "tcp;ofi_rxm",
            ": not in opal_common_ofi_provider_include",
        ];
        let mut rest = text.as_str();
        for part in &what[..2] {
            let at = rest
                .find(part)
                .unwrap_or_else(|| panic!("{part} in {text}"));
            rest = &rest[at..];
        }
        assert!(what[2..].iter().all(|part| rest.contains(part)), "{text}");
        assert_eq!(text.matches("not in").count(), 1, "{text}");
    }
}

/// The region of an endpoint of `shm`, and of those that this process opens next.
fn regions(end: &Endpoint) -> Option<(PathBuf, Vec<PathBuf>)> {
    const NEXT: u32 = 12;
    let address = end.address().ok()?;
    let name = address.split(|byte| *byte == 0).next()?;
    let name = std::str::from_utf8(name).ok()?.rsplit('/').next()?;
    let (stem, number) = name.rsplit_once(':')?;
    let number: u32 = number.parse().ok()?;
    let region = |name: String| Path::new("/dev/shm").join(name);
    let next = (number + 1..=number + NEXT).map(|number| region(format!("{stem}:{number}")));
    Some((region(name.into()), next.collect()))
}

/// Process numbers come again, and regions of the dead stay.
#[test]
fn a_region_that_a_killed_process_has_left_is_no_obstacle() {
    for library in libraries() {
        let Some(pair) = Pair::open(&library, "shm", caps::MSG) else {
            continue;
        };
        let Some((own, next)) = regions(&pair.ends[0]) else {
            println!("skipped: addresses of shm are not understood here");
            continue;
        };
        let Ok(bytes) = std::fs::read(&own) else {
            println!("skipped: there is no {}", own.display());
            continue;
        };
        let left = next.into_iter().filter_map(|path| {
            let mut file = std::fs::File::create_new(&path).ok()?;
            file.write_all(&bytes).ok()?;
            Some((path, file.metadata().ok()?.ino()))
        });
        let left: Vec<(PathBuf, u64)> = left.collect();
        assert!(!left.is_empty(), "no region could be made");
        for _ in 0..3 {
            assert!(Pair::open(&library, "shm", caps::MSG).is_some());
        }
        let is_there = |path: &Path, inode: u64| {
            std::fs::metadata(path).is_ok_and(|metadata| metadata.ino() == inode)
        };
        let all = left.len();
        let stay = left.iter().filter(|(path, inode)| is_there(path, *inode));
        let stay: Vec<_> = stay.collect();
        for (path, _) in &stay {
            // A test beside this one may have met it and taken it away since.
            let _ = std::fs::remove_file(path);
        }
        assert!(stay.len() < all, "none was in the way");
    }
}
