//! Tests of a peer that is killed in the middle of transfers: every transfer ends, with an error
//! where it did not get through, and this process goes on.
//!
//! The peer is this test program again, in a process of its own; the environment variable
//! `OXMPI_TEST_VICTIM` marks it.
#![allow(clippy::disallowed_methods, reason = "tests may wait")]

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use base::PeerId;
use btl::{Access, Arrival, Error, Reach, RemoteKey, RemoteRange, Sink, Started, Token};
use btl::{Flow, Rma as _, Transport as _};
use btl_ofi::{Config, Settings, Transport};
use memory::Scratch;
use ofi::Filter;

const VICTIM: &str = "OXMPI_TEST_VICTIM";

/// Bytes of one put.
const PUT_BYTES: usize = 64 << 10;

/// Puts that must get through before the peer is killed.
const BEFORE: u64 = 20;

/// How long a death may go unnoticed before the peer is removed by hand.
const PATIENCE: Duration = Duration::from_secs(5);

#[derive(Default)]
struct Record {
    ended: Vec<(u64, Result<(), Error>)>,
    failed: Vec<(PeerId, Error)>,
}

impl Sink for Record {
    fn deliver(&mut self, _arrival: Arrival<'_>) {}

    fn done(&mut self, token: Token, outcome: Result<(), Error>) {
        self.ended.push((token.0, outcome));
    }

    fn peer_failed(&mut self, peer: PeerId, error: Error) {
        self.failed.push((peer, error));
    }
}

fn open(me: u32, provider: &str) -> Option<Transport> {
    let config = Config {
        me: PeerId(me),
        local_rank: me as usize,
        opening: None,
        filter: Filter {
            library: None,
            include: vec![provider.into()],
            exclude: Vec::new(),
        },
        settings: Settings::default(),
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

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn bytes(text: &str) -> Vec<u8> {
    let digits = text.trim().as_bytes().chunks(2);
    let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap();
    digits.map(byte).collect()
}

/// The peer: publishes its address and what may be written to, and progresses until it is killed.
fn be_killed(provider: &str) {
    let mut transport = open(1, provider).expect("opened by the other side");
    println!("address {}", hex(&transport.address()));
    let mut line = String::new();
    std::io::stdin().read_line(&mut line).unwrap();
    let reach = transport.add_peer(PeerId(0), &bytes(&line));
    assert_eq!(reach, Ok(Reach::Reachable));
    let region = Scratch::new(PUT_BYTES);
    let access = Access {
        read: true,
        write: true,
    };
    let registration = transport.register(region.buf(), access).unwrap();
    println!("key {}", hex(registration.key.as_bytes()));
    let start = Instant::now();
    while start.elapsed() < Duration::from_secs(60) {
        transport.progress(&mut Record::default());
    }
}

struct Victim {
    child: Child,
    lines: BufReader<std::process::ChildStdout>,
}

impl Victim {
    fn start(provider: &str) -> Victim {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args([
                "--exact",
                "a_killed_peer_ends_what_was_started",
                "--nocapture",
            ])
            .env(VICTIM, provider)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap());
        Victim { child, lines }
    }

    /// The rest of the line that holds `word`.
    fn says(&mut self, word: &str) -> Vec<u8> {
        loop {
            let mut line = String::new();
            let read = self.lines.read_line(&mut line).unwrap();
            assert!(read > 0, "the other process ended without its {word}");
            if let Some((_, rest)) = line.split_once(word) {
                return bytes(rest);
            }
        }
    }
}

impl Drop for Victim {
    fn drop(&mut self) {
        // It may be dead already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn kill_in_mid_transfer(provider: &str) {
    let Some(mut transport) = open(0, provider) else {
        return;
    };
    let (mut victim, peer) = (Victim::start(provider), PeerId(1));
    let address = victim.says("address ");
    assert_eq!(transport.add_peer(peer, &address), Ok(Reach::Reachable));
    let own = hex(&transport.address());
    writeln!(victim.child.stdin.as_mut().unwrap(), "{own}").unwrap();
    let key = RemoteKey::new(&victim.says("key ")).unwrap();
    let (range, local) = (RemoteRange { key, offset: 0 }, Scratch::new(PUT_BYTES));
    let (mut record, mut next, mut pending) = (Record::default(), 0, BTreeSet::new());
    let (mut killed, mut removed) = (None::<Instant>, false);
    let start = Instant::now();
    loop {
        assert!(
            start.elapsed() < Duration::from_secs(60),
            "{provider}: {pending:?}"
        );
        match transport.put(peer, local.buf(), range, Token(next)) {
            Ok(Started::Pending) => _ = pending.insert(next),
            Ok(Started::Busy) => {}
            Ok(Started::Done) => panic!("a put that needs no completion"),
            // A provider that notices may refuse in its own words; the peer is dead all the same.
            Err(_) if killed.is_some() => {}
            Err(error) => panic!("{provider}: {error}"),
        }
        next += u64::from(pending.contains(&next));
        transport.progress(&mut record);
        for (token, outcome) in record.ended.drain(..) {
            assert!(pending.remove(&token), "{token} ended twice");
            assert!(outcome.is_ok() || killed.is_some(), "{outcome:?}");
        }
        let done = next - pending.len() as u64;
        if killed.is_none() && done >= BEFORE && !pending.is_empty() {
            victim.child.kill().unwrap();
            killed = Some(Instant::now());
        }
        let Some(since) = killed else { continue };
        if !record.failed.is_empty() || removed {
            break;
        }
        if since.elapsed() > PATIENCE {
            transport.remove_peer(peer);
            removed = true;
        }
    }
    transport.progress(&mut record);
    for (token, outcome) in record.ended.drain(..) {
        assert!(pending.remove(&token), "{token} ended twice");
        assert!(outcome.is_err(), "{token} of a dead peer: {outcome:?}");
    }
    assert!(pending.is_empty(), "{provider}: {pending:?} never ended");
    assert_ne!(transport.flush(peer), Ok(Flow::Busy));
    let how = match record.failed.first() {
        Some((_, error)) => format!("noticed: {error}"),
        None => "not noticed until it was removed".into(),
    };
    println!("{provider}: {how}");
    transport.close();
}

#[test]
fn a_killed_peer_ends_what_was_started() {
    if let Ok(provider) = std::env::var(VICTIM) {
        return be_killed(&provider);
    }
    // Not over `shm`: a process that dies inside that provider may leave a lock taken, for which
    // the provider in this process spins for ever.
    for provider in ["tcp;ofi_rxm", "udp;ofi_rxd", "sockets"] {
        kill_in_mid_transfer(provider);
    }
}
