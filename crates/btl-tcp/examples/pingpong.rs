//! Latency and bandwidth of the transport over the loopback interface, beside raw sockets.
//!
//! Two threads of one process play two processes: each has a transport, or a socket, of its own
//! and shares nothing with the other. Both measurements spin; they take turns, and the best of
//! several rounds counts, since anything else that runs only makes a round slower.
//!
//! `cargo run --release -p oxmpi-btl-tcp --example pingpong`
#![allow(clippy::disallowed_methods, reason = "programs may wait")]

use std::io::{self, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use base::{AmTag, PeerId};
use btl::{Arrival, Error, Flow, Sink, Token, Transport as _};
use memory::Scratch;

const ROUNDS: usize = 9;
const SIZES: [(usize, usize); 7] = [
    (8, 20000),
    (256, 20000),
    (4096, 10000),
    (16384, 5000),
    (65536, 3000),
    (131072 - 64, 1500),
    (1 << 20, 400),
];
/// Frames of one stream before the receiver answers.
const WINDOW: usize = 32;

/// Counts and copies what comes in, as a layer above would.
struct Count {
    messages: usize,
    bytes: usize,
    into: Scratch,
}

impl Sink for Count {
    fn deliver(&mut self, arrival: Arrival<'_>) {
        arrival.payload.copy_to_user(self.into.buf());
        self.messages += 1;
        self.bytes += arrival.payload.len();
    }
    fn done(&mut self, _: Token, _: Result<(), Error>) {}
    fn peer_failed(&mut self, peer: PeerId, error: Error) {
        eprintln!("{peer}: {error}");
    }
}

/// One side: what a measurement needs of a transport or of a socket.
trait Side: Send {
    /// Sends `len` bytes, in as many pieces as it takes.
    fn send(&mut self, len: usize);
    /// Receives `len` bytes.
    fn receive(&mut self, len: usize);
}

struct Oxmpi {
    transport: btl_tcp::Transport,
    peer: PeerId,
    count: Count,
    from: Scratch,
}

impl Side for Oxmpi {
    fn send(&mut self, len: usize) {
        let max = self.transport.caps().max_send_size;
        let mut sent = 0;
        while sent < len {
            let part = self.from.buf().part(sent, (len - sent).min(max));
            let flow = self
                .transport
                .send(self.peer, AmTag::USER, &[], part)
                .expect("sent");
            match flow {
                Flow::Sent => sent += part.len(),
                Flow::Busy => drop(self.transport.progress(&mut self.count)),
            }
        }
    }

    fn receive(&mut self, len: usize) {
        while self.count.bytes < len {
            self.transport.progress(&mut self.count);
        }
        self.count.bytes -= len;
    }
}

struct Raw {
    stream: TcpStream,
    bytes: Vec<u8>,
}

impl Side for Raw {
    fn send(&mut self, len: usize) {
        let mut at = 0;
        while at < len {
            match self.stream.write(&self.bytes[at..len]) {
                Ok(sent) => at += sent,
                Err(error) => assert_eq!(error.kind(), io::ErrorKind::WouldBlock),
            }
        }
    }

    fn receive(&mut self, len: usize) {
        let mut at = 0;
        while at < len {
            match self.stream.read(&mut self.bytes[at..len]) {
                Ok(got) => at += got,
                Err(error) => assert_eq!(error.kind(), io::ErrorKind::WouldBlock),
            }
        }
    }
}

fn transports() -> (Oxmpi, Oxmpi) {
    let open = |me| {
        let settings = btl_tcp::Settings {
            if_include: vec!["lo".into()],
            ..Default::default()
        };
        let config = btl_tcp::Config {
            me: PeerId(me),
            secret: [1; 32],
            job: 1,
            one_host: false,
            settings,
        };
        btl_tcp::open(config).expect("a transport")
    };
    let (mut a, mut b) = (open(0), open(1));
    let _ = a.add_peer(PeerId(1), &b.address()).expect("an address");
    let _ = b.add_peer(PeerId(0), &a.address()).expect("an address");
    let side = |transport, peer| Oxmpi {
        transport,
        peer: PeerId(peer),
        count: Count {
            messages: 0,
            bytes: 0,
            into: Scratch::new(1 << 20),
        },
        from: Scratch::new(1 << 20),
    };
    (side(a, 1), side(b, 0))
}

fn sockets() -> (Raw, Raw) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a listener");
    let a = TcpStream::connect(listener.local_addr().expect("an address")).expect("a connection");
    let (b, _) = listener.accept().expect("a connection");
    let side = |stream: TcpStream| {
        stream.set_nodelay(true).expect("no delay");
        stream.set_nonblocking(true).expect("non-blocking");
        Raw {
            stream,
            bytes: vec![0; 1 << 20],
        }
    };
    (side(a), side(b))
}

/// The best time of one way, and of one message in a stream.
fn measure<S: Side>(a: &mut S, b: &mut S, size: usize, count: usize) -> (Duration, Duration) {
    let (ready, wait) = mpsc::channel();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            ready.send(()).expect("the other thread waits");
            for _ in 0..count {
                b.receive(size);
                b.send(size);
            }
            for _ in 0..count / WINDOW {
                for _ in 0..WINDOW {
                    b.receive(size);
                }
                b.send(1);
            }
        });
        wait.recv().expect("the other thread runs");
        let start = Instant::now();
        for _ in 0..count {
            a.send(size);
            a.receive(size);
        }
        let latency = start.elapsed() / (2 * count as u32);
        let start = Instant::now();
        for _ in 0..count / WINDOW {
            for _ in 0..WINDOW {
                a.send(size);
            }
            a.receive(1);
        }
        (latency, start.elapsed() / (count / WINDOW * WINDOW) as u32)
    })
}

fn main() {
    let (mut ours, mut raw) = (transports(), sockets());
    println!("   bytes  one way us (raw, ratio)      stream MB/s (raw, ratio)");
    for (size, count) in SIZES {
        let (mut best, mut best_raw) = (
            (Duration::MAX, Duration::MAX),
            (Duration::MAX, Duration::MAX),
        );
        for _ in 0..ROUNDS {
            let round = count / ROUNDS;
            let (latency, stream) = measure(&mut ours.0, &mut ours.1, size, round);
            best = (best.0.min(latency), best.1.min(stream));
            let (latency, stream) = measure(&mut raw.0, &mut raw.1, size, round);
            best_raw = (best_raw.0.min(latency), best_raw.1.min(stream));
        }
        let us = |time: Duration| time.as_secs_f64() * 1e6;
        let rate = |time: Duration| size as f64 / us(time);
        println!(
            "{size:8}  {:7.2} ({:7.2}, {:4.2})         {:8.1} ({:8.1}, {:4.2})",
            us(best.0),
            us(best_raw.0),
            us(best.0) / us(best_raw.0),
            rate(best.1),
            rate(best_raw.1),
            rate(best.1) / rate(best_raw.1),
        );
    }
    ours.0.transport.close();
    ours.1.transport.close();
}
