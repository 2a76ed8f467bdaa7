//! One side of a checked exchange between two hosts: run it on both.
//!
//! `hosts RANK FOLDER MIB send|read [NAME=VALUE...]`
//!
//! MIB mebibytes go from rank 0 to rank 1, which checks them and prints how fast it was: with
//! `send` as messages, each of which must come exactly once, with `read` as large reads of rank
//! 0's memory, which all rails share. Addresses are exchanged as files in FOLDER, which both
//! hosts see; the rest are parameters of the transport:
//!
//! ```text
//! node1$ hosts 0 /shared 1024 read btl_tcp_if_include=eth0,eth1
//! node2$ hosts 1 /shared 1024 read btl_tcp_if_include=eth0,eth1
//! ```
#![allow(clippy::disallowed_methods, reason = "programs may wait")]

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use base::{AmTag, PeerId};
use btl::{
    Access, Arrival, Flow, Reach, RemoteKey, RemoteRange, Rma as _, Sink, Started, Token,
    Transport as _,
};
use memory::{Scratch, UserBuf};

/// Bytes of a message after its number.
const BODY_BYTES: usize = 120 << 10;
/// Bytes of a read.
const BLOCK_BYTES: usize = 4 << 20;
/// Reads under way at a time, each of a block of its own.
const BLOCKS: usize = 4;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [rank, folder, mib, way, parameters @ ..] = &arguments[..] else {
        return Err("usage: hosts RANK FOLDER MIB send|read [NAME=VALUE...]".into());
    };
    let (rank, folder) = (rank.parse::<u32>()?, PathBuf::from(folder));
    let bytes = mib.parse::<usize>()? << 20;
    let messages = bytes.div_ceil(BODY_BYTES).max(1);
    let mut transport = open(rank, parameters)?;
    let peer = PeerId(1 - rank);
    let theirs = exchange(&folder, rank, &transport.address())?;
    match transport.add_peer(peer, &theirs)? {
        Reach::Reachable => {}
        Reach::Unreachable(why) => return Err(format!("{peer} cannot be reached: {why}").into()),
    }
    match (way.as_str(), rank) {
        ("send", 0) => send(&mut transport, peer, messages)?,
        ("send", _) => receive(&mut transport, peer, messages)?,
        ("read", 0) => lend(&mut transport, peer)?,
        ("read", _) => read(&mut transport, peer, bytes.div_ceil(BLOCK_BYTES).max(1))?,
        (other, _) => return Err(format!("{other} is neither send nor read").into()),
    }
    transport.close();
    Ok(())
}

fn open(rank: u32, parameters: &[String]) -> Result<btl_tcp::Transport> {
    let split = |text: &String| {
        let (name, value) = text.split_once('=').ok_or("a parameter is NAME=VALUE")?;
        Ok((name.to_string(), value.to_string()))
    };
    let given = parameters.iter().map(split).collect::<Result<Vec<_>>>()?;
    let sources = mca::Sources::new("/", |path| fs::read(path)).with_command_line(given);
    let registry = mca::Registry::load(&[btl_tcp::PARAMS], &sources)?;
    mca::log::install(&registry, &format!("rank {rank}"));
    Ok(btl_tcp::open(btl_tcp::Config {
        me: PeerId(rank),
        secret: [7; 32],
        job: 1,
        one_host: false,
        settings: btl_tcp::Settings::of(&registry)?,
    })?)
}

/// Writes our address where the other side looks for it, and waits for theirs.
fn exchange(folder: &Path, rank: u32, ours: &[u8]) -> Result<Vec<u8>> {
    let file = |rank| folder.join(format!("address.{rank}"));
    let new = folder.join(format!("new.{rank}"));
    fs::write(&new, ours)?;
    fs::rename(&new, file(rank))?;
    let end = Instant::now() + Duration::from_secs(30);
    loop {
        match fs::read(file(1 - rank)) {
            Ok(theirs) => return Ok(theirs),
            Err(_) if Instant::now() < end => std::thread::sleep(Duration::from_millis(5)),
            Err(error) => return Err(format!("the other side does not come: {error}").into()),
        }
    }
}

/// Says that the stream has begun, to whoever watches the output, and returns the time.
fn begin() -> Instant {
    println!("begun");
    Instant::now()
}

/// Returns byte `at` of message `number`.
fn pattern(number: usize, at: usize) -> u8 {
    (at.wrapping_mul(31) ^ (at >> 9) ^ number.wrapping_mul(131)) as u8
}

/// Memory with `count` patterns of `len` bytes each.
fn patterns(count: usize, len: usize) -> Scratch {
    let memory = Scratch::new(count * len);
    let bytes: Vec<u8> = (0..count * len)
        .map(|at| pattern(at / len, at % len))
        .collect();
    memory.buf().write(0, &bytes);
    memory
}

struct Sender {
    answered: bool,
    failed: Option<btl::Error>,
}

impl Sink for Sender {
    fn deliver(&mut self, _: Arrival<'_>) {
        self.answered = true;
    }
    fn done(&mut self, _: Token, outcome: std::result::Result<(), btl::Error>) {
        self.failed = self.failed.take().or(outcome.err());
    }
    fn peer_failed(&mut self, _: PeerId, error: btl::Error) {
        self.failed = Some(error);
    }
}

fn send(transport: &mut btl_tcp::Transport, peer: PeerId, messages: usize) -> Result<()> {
    // Numbers repeat after 256 messages, and so do the patterns.
    let memory = patterns(256, BODY_BYTES);
    let mut sink = Sender {
        answered: false,
        failed: None,
    };
    let mut next = 0;
    while !sink.answered {
        transport.progress(&mut sink);
        if let Some(error) = sink.failed {
            return Err(error.into());
        }
        if next == messages {
            continue;
        }
        let body = memory.buf().part(next % 256 * BODY_BYTES, BODY_BYTES);
        let header = (next as u64).to_le_bytes();
        if transport.send(peer, AmTag::USER, &header, body)? == Flow::Sent {
            next += 1;
        }
    }
    Ok(())
}

struct Receiver {
    seen: Vec<bool>,
    count: usize,
    overtook: usize,
    wrong: Option<String>,
    begun: Option<Instant>,
}

impl Sink for Receiver {
    fn deliver(&mut self, arrival: Arrival<'_>) {
        self.begun.get_or_insert_with(begin);
        let bytes = arrival.payload.to_vec();
        let (number, body) = bytes.split_at(8);
        let number = u64::from_le_bytes(number.try_into().expect("8 bytes")) as usize;
        let expected = |at| pattern(number % 256, at);
        // Each byte of the ends, and some between: the check must not be what is measured.
        let sample = (0..body.len()).filter(|at| at % 61 == 0 || *at < 64 || at + 64 > body.len());
        if body.len() != BODY_BYTES || !{ sample }.all(|at| body[at] == expected(at)) {
            self.wrong = Some(format!("message {number} is damaged"));
        }
        match self.seen.get_mut(number) {
            Some(seen) if !*seen => *seen = true,
            _ => self.wrong = Some(format!("message {number} came twice, or is invalid")),
        }
        self.overtook += usize::from(number != self.count);
        self.count += 1;
    }
    fn done(&mut self, _: Token, _: std::result::Result<(), btl::Error>) {}
    fn peer_failed(&mut self, _: PeerId, error: btl::Error) {
        self.wrong = Some(error.to_string());
    }
}

fn receive(transport: &mut btl_tcp::Transport, peer: PeerId, messages: usize) -> Result<()> {
    let mut sink = Receiver {
        seen: vec![false; messages],
        count: 0,
        overtook: 0,
        wrong: None,
        begun: None,
    };
    while sink.count < messages {
        transport.progress(&mut sink);
        if let Some(wrong) = sink.wrong {
            return Err(format!("{wrong} (after {} messages)", sink.count).into());
        }
    }
    let seconds = sink
        .begun
        .map_or(0.0, |begun| begun.elapsed().as_secs_f64());
    let bytes = (messages * BODY_BYTES) as f64;
    println!(
        "{messages} messages, {:.0} MiB, {seconds:.2} s, {:.1} MB/s, {} out of order",
        bytes / 1048576.0,
        bytes / seconds / 1e6,
        sink.overtook
    );
    say(transport, peer, b"all", &mut sink)
}

/// Sends a word, and sees it off.
fn say(
    transport: &mut btl_tcp::Transport,
    peer: PeerId,
    word: &[u8],
    sink: &mut dyn Sink,
) -> Result<()> {
    while transport.send(peer, AmTag::USER, word, UserBuf::EMPTY)? == Flow::Busy {
        transport.progress(sink);
    }
    while transport.flush(peer)? == Flow::Busy {
        transport.progress(sink);
    }
    Ok(())
}

/// Lets the other side read, until it says that it has all.
fn lend(transport: &mut btl_tcp::Transport, peer: PeerId) -> Result<()> {
    let memory = patterns(BLOCKS, BLOCK_BYTES);
    let (read, write) = (true, false);
    let registration = transport.register(memory.buf(), Access { read, write })?;
    let mut sink = Sender {
        answered: false,
        failed: None,
    };
    say(transport, peer, registration.key.as_bytes(), &mut sink)?;
    while !sink.answered {
        transport.progress(&mut sink);
        if let Some(error) = sink.failed {
            return Err(error.into());
        }
    }
    transport.deregister(registration);
    Ok(())
}

/// The state of the side that reads.
struct Reader {
    key: Option<RemoteKey>,
    done: Vec<Token>,
    failed: Option<btl::Error>,
}

impl Sink for Reader {
    fn deliver(&mut self, arrival: Arrival<'_>) {
        self.key = RemoteKey::new(&arrival.payload.to_vec());
    }
    fn done(&mut self, token: Token, outcome: std::result::Result<(), btl::Error>) {
        self.done.push(token);
        self.failed = self.failed.take().or(outcome.err());
    }
    fn peer_failed(&mut self, _: PeerId, error: btl::Error) {
        self.failed = Some(error);
    }
}

fn read(transport: &mut btl_tcp::Transport, peer: PeerId, blocks: usize) -> Result<()> {
    let memory = Scratch::new(BLOCKS * BLOCK_BYTES);
    let place = |slot: usize| memory.buf().part(slot * BLOCK_BYTES, BLOCK_BYTES);
    let mut sink = Reader {
        key: None,
        done: Vec::new(),
        failed: None,
    };
    let (mut begun, mut ended, mut began) = (0, 0, None);
    let mut free: Vec<usize> = (0..BLOCKS).collect();
    while ended < blocks {
        transport.progress(&mut sink);
        if let Some(error) = sink.failed {
            return Err(error.into());
        }
        for Token(slot) in sink.done.drain(..) {
            check(place(slot as usize), slot as usize)?;
            free.push(slot as usize);
            ended += 1;
        }
        let Some(key) = sink.key else {
            continue;
        };
        began.get_or_insert_with(begin);
        while let Some(slot) = free.pop().filter(|_| begun < blocks) {
            place(slot).write(0, &[0xee; 64]);
            let offset = (slot * BLOCK_BYTES) as u64;
            let range = RemoteRange { key, offset };
            match transport.get(peer, place(slot), range, Token(slot as u64))? {
                Started::Pending => begun += 1,
                _ => {
                    free.push(slot);
                    break;
                }
            }
        }
    }
    let seconds = began.map_or(0.0, |began| began.elapsed().as_secs_f64());
    let bytes = (blocks * BLOCK_BYTES) as f64;
    println!(
        "{blocks} reads, {:.0} MiB, {seconds:.2} s, {:.1} MB/s",
        bytes / 1048576.0,
        bytes / seconds / 1e6
    );
    say(transport, peer, b"all", &mut sink)
}

/// Looks at a part of what was read: the check must not be what is measured.
fn check(block: UserBuf, slot: usize) -> Result<()> {
    let mut bytes = vec![0; BLOCK_BYTES];
    block.read(0, &mut bytes);
    let wrong = (0..BLOCK_BYTES)
        .filter(|at| at % 61 == 0 || *at < 64 || at + 64 > BLOCK_BYTES)
        .find(|at| bytes[*at] != pattern(slot, *at));
    match wrong {
        Some(at) => Err(format!("byte {at} of a read is damaged").into()),
        None => Ok(()),
    }
}
