//! One side of a checked stream between two hosts: run it on both.
//!
//! `hosts RANK FOLDER MIB [NAME=VALUE...]`
//!
//! Rank 0 sends MIB mebibytes to rank 1, which checks each byte and that every message came
//! exactly once, answers, and tells how fast it was. Addresses are exchanged as files in FOLDER,
//! which both hosts see; the rest are parameters of the transport:
//!
//! ```text
//! node1$ hosts 0 /shared 1024 btl_tcp_if_include=eth0,eth1
//! node2$ hosts 1 /shared 1024 btl_tcp_if_include=eth0,eth1
//! ```

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use base::{AmTag, PeerId};
use btl::{Arrival, Flow, Reach, Sink, Token, Transport as _};
use memory::Scratch;

/// Bytes of a message after its number.
const BODY_BYTES: usize = 120 << 10;
/// Messages whose memory is lent at a time.
const LENT_MAX: usize = 16;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [rank, folder, mib, parameters @ ..] = &arguments[..] else {
        return Err("usage: hosts RANK FOLDER MIB [NAME=VALUE...]".into());
    };
    let (rank, folder) = (rank.parse::<u32>()?, PathBuf::from(folder));
    let messages = (mib.parse::<usize>()? << 20).div_ceil(BODY_BYTES).max(1);
    let mut transport = open(rank, parameters)?;
    let peer = PeerId(1 - rank);
    let theirs = exchange(&folder, rank, &transport.address())?;
    match transport.add_peer(peer, &theirs)? {
        Reach::Yes => {}
        Reach::No(why) => return Err(format!("{peer} cannot be reached: {why}").into()),
    }
    match rank {
        0 => send(&mut transport, peer, messages)?,
        _ => receive(&mut transport, peer, messages)?,
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

/// What byte `at` of message `number` is.
fn pattern(number: usize, at: usize) -> u8 {
    (at.wrapping_mul(31) ^ (at >> 9) ^ number.wrapping_mul(131)) as u8
}

struct Sender {
    lent: usize,
    answered: bool,
    failed: Option<btl::Error>,
}

impl Sink for Sender {
    fn deliver(&mut self, _: Arrival<'_>) {
        self.answered = true;
    }
    fn done(&mut self, _: Token, outcome: std::result::Result<(), btl::Error>) {
        self.lent -= 1;
        self.failed = self.failed.take().or(outcome.err());
    }
    fn peer_failed(&mut self, _: PeerId, error: btl::Error) {
        self.failed = Some(error);
    }
}

fn send(transport: &mut btl_tcp::Transport, peer: PeerId, messages: usize) -> Result<()> {
    // Numbers repeat after 256 messages, and so do the patterns.
    let memory = Scratch::new(256 * BODY_BYTES);
    let bytes: Vec<u8> = (0..256 * BODY_BYTES)
        .map(|at| pattern(at / BODY_BYTES, at % BODY_BYTES))
        .collect();
    memory.buf().write(0, &bytes);
    let mut sink = Sender {
        lent: 0,
        answered: false,
        failed: None,
    };
    let mut next = 0;
    while !sink.answered {
        transport.progress(&mut sink);
        if let Some(error) = sink.failed {
            return Err(error.into());
        }
        if next == messages || sink.lent == LENT_MAX {
            continue;
        }
        let body = memory.buf().part(next % 256 * BODY_BYTES, BODY_BYTES);
        let header = (next as u64).to_le_bytes();
        let token = Token(next as u64);
        if transport.send_zero_copy(peer, AmTag::USER, &header, body, token)? == Flow::Sent {
            (next, sink.lent) = (next + 1, sink.lent + 1);
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
        self.begun.get_or_insert_with(Instant::now);
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
            _ => self.wrong = Some(format!("message {number} came twice, or is none")),
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
    while transport.send(peer, AmTag::USER, b"all", memory::UserBuf::EMPTY)? == Flow::Busy {
        transport.progress(&mut sink);
    }
    while transport.flush(peer)? == Flow::Busy {
        transport.progress(&mut sink);
    }
    Ok(())
}
