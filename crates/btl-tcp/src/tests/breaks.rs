//! Tests of connections that break, are cut or carry damaged bytes: no message is lost, duplicated
//! or out of order.

use std::io::ErrorKind;
use std::os::fd::AsFd;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::Arc;

use socket2::{SockFilter, SockRef};

use super::*;
use crate::address::Entry;

/// Random numbers from a seed.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }
}

/// The harm that a proxy does to the bytes that it carries.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Harm {
    /// It closes the connection in order, or resets it.
    Cut,
    /// It changes one bit.
    Flip,
}

/// Carries connections, and breaks each after a random number of bytes.
struct Proxy {
    at: SocketAddr,
    stop: Arc<AtomicBool>,
    /// Nothing passes, and no end is reported.
    silent: Arc<AtomicBool>,
    /// How many harms are left to do.
    left: Arc<AtomicUsize>,
    /// Bytes until the next one, at most.
    span: Arc<AtomicU64>,
}

impl Proxy {
    fn new(to: SocketAddr, seed: u64, harm: Harm, harms: usize, span: u64) -> Proxy {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let proxy = Proxy {
            at: listener.local_addr().unwrap(),
            stop: Arc::default(),
            silent: Arc::default(),
            left: Arc::new(AtomicUsize::new(harms)),
            span: Arc::new(AtomicU64::new(span)),
        };
        listener.set_nonblocking(true).unwrap();
        let (stop, silent) = (proxy.stop.clone(), proxy.silent.clone());
        let (left, span) = (proxy.left.clone(), proxy.span.clone());
        std::thread::spawn(move || {
            let mut random = Random(seed);
            let mut carried: Vec<Carried> = Vec::new();
            while !stop.load(Ordering::Relaxed) {
                if let Ok((from, _)) = listener.accept() {
                    if let Ok(to) = TcpStream::connect(to) {
                        carried.push(Carried::new([from, to]));
                    }
                }
                let mut moved = false;
                if !silent.load(Ordering::Relaxed) {
                    for pair in &mut carried {
                        moved |= pair.carry(&mut random, harm, &left, &span);
                    }
                }
                carried.retain(|pair| !pair.over);
                if !moved {
                    std::thread::sleep(Duration::from_micros(100));
                }
            }
        });
        proxy
    }

    /// The address of a node, as if it listened here.
    fn instead_of(&self, node: &Node) -> Vec<u8> {
        let mut address = Address::decode(&node.transport.address()).unwrap();
        address.entries = vec![Entry {
            socket: self.at,
            ..address.entries[0]
        }];
        address.encode()
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

/// A connection and its continuation.
struct Carried {
    ends: [TcpStream; 2],
    waiting: [Vec<u8>; 2],
    /// Bytes until the next harm.
    until: Option<u64>,
    over: bool,
}

impl Carried {
    fn new(ends: [TcpStream; 2]) -> Carried {
        for end in &ends {
            end.set_nonblocking(true).unwrap();
            end.set_nodelay(true).unwrap();
        }
        Carried {
            ends,
            waiting: Default::default(),
            until: None,
            over: false,
        }
    }

    fn carry(
        &mut self,
        random: &mut Random,
        harm: Harm,
        left: &AtomicUsize,
        span: &AtomicU64,
    ) -> bool {
        let mut moved = false;
        for from in 0..2 {
            let mut buffer = [0; 32 << 10];
            if self.waiting[from].is_empty() {
                match (&self.ends[from]).read(&mut buffer) {
                    Ok(0) => self.over = true,
                    Ok(got) => self.waiting[from].extend_from_slice(&buffer[..got]),
                    Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                    Err(_) => self.over = true,
                }
            }
            let mut most = self.waiting[from].len();
            let mut hurts = false;
            if left.load(Ordering::Relaxed) > 0 && most > 0 {
                let span = span.load(Ordering::Relaxed);
                let until = self.until.get_or_insert_with(|| random.below(span));
                hurts = *until < most as u64;
                most = most.min(*until as usize);
                *until -= most as u64;
            }
            if hurts && harm == Harm::Flip && self.waiting[from].len() > most {
                let bit = 1 << random.below(8);
                self.waiting[from][most] ^= bit;
                most += 1;
            }
            if most > 0 {
                match (&self.ends[1 - from]).write(&self.waiting[from][..most]) {
                    Ok(sent) => {
                        self.waiting[from].drain(..sent);
                        moved = true;
                    }
                    Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                    Err(_) => self.over = true,
                }
            }
            if hurts {
                left.fetch_sub(1, Ordering::Relaxed);
                self.until = None;
                if harm == Harm::Cut {
                    for end in &self.ends {
                        if random.below(2) == 0 {
                            let abrupt = Some(Duration::ZERO);
                            socket2::SockRef::from(end).set_linger(abrupt).unwrap();
                        }
                    }
                    self.over = true;
                    return true;
                }
            }
        }
        moved
    }
}

/// Two nodes that reach each other through a proxy each.
fn through_proxies(
    seed: u64,
    harm: Harm,
    (harms, span): (usize, u64),
    change: impl Fn(&mut Settings),
) -> (Node, Node, [Proxy; 2]) {
    let mut nodes = [0, 1].map(|me| Node::with(me, SECRET, 1, &change));
    let proxies =
        [0, 1].map(|at: usize| Proxy::new(nodes[at].socket(), seed + at as u64, harm, harms, span));
    for at in 0..2 {
        let address = proxies[1 - at].instead_of(&nodes[1 - at]);
        let peer = PeerId(1 - at as u32);
        assert_eq!(
            nodes[at].transport.add_peer(peer, &address),
            Ok(Reach::Reachable)
        );
    }
    let [a, b] = nodes;
    (a, b, proxies)
}

/// Bytes of the memory that is read, and of that which messages are sent from.
const SOURCE_BYTES: usize = 3_000_000;
const MESSAGE_BYTES: usize = 100_000;

/// Messages of all kinds both ways, and reads of memory beside them.
struct Exchange {
    random: Random,
    /// The source of messages.
    memory: Scratch,
    remote: RemoteRange,
    locals: Vec<Scratch>,
    /// Offset and length of each read that was started.
    ranges: Vec<(usize, usize)>,
    /// Messages sent, by node.
    sent: [usize; 2],
}

impl Exchange {
    fn len(n: usize) -> usize {
        match n % 7 {
            0 => (n * 7919) % 60_000,
            1 => (n * 977) % MESSAGE_BYTES,
            _ => (n * 31) % 200,
        }
    }

    fn send(&mut self, node: &mut Node, at: usize) {
        let n = self.sent[at];
        let peer = PeerId(1 - at as u32);
        let header = (n as u32).to_le_bytes();
        let part = self.memory.buf().part(n % 9, Exchange::len(n));
        let flow = node.transport.send(peer, TAG, &header, part);
        self.sent[at] += usize::from(flow.unwrap() == Flow::Sent);
    }

    fn read(&mut self, node: &mut Node) {
        let asked = self.ranges.len();
        let offset = self.random.below(SOURCE_BYTES as u64 - 1);
        let bytes = 1 + self.random.below(SOURCE_BYTES as u64 - offset) as usize;
        let remote = RemoteRange {
            offset,
            ..self.remote
        };
        let local = self.locals[asked].buf().part(0, bytes);
        let token = Token(asked as u64);
        let started = node.transport.get(PeerId(1), local, remote, token);
        if started.unwrap() == Started::Pending {
            self.ranges.push((offset as usize, bytes));
        }
    }

    fn check(&self, nodes: [&Node; 2]) {
        let (message, source) = (pattern(7, MESSAGE_BYTES), pattern(9, SOURCE_BYTES));
        for node in nodes {
            assert!(node.inbox.failed.is_empty(), "{:?}", node.inbox.failed);
            assert!(node.inbox.done.iter().all(|(_, outcome)| outcome.is_ok()));
            for (n, (_, _, bytes)) in node.inbox.arrivals.iter().enumerate() {
                assert_eq!(bytes[..4], (n as u32).to_le_bytes(), "message {n}");
                let expected = &message[n % 9..][..Exchange::len(n)];
                assert!(&bytes[4..] == expected, "message {n}");
            }
        }
        for (local, (offset, bytes)) in self.locals.iter().zip(&self.ranges) {
            let mut read = vec![0; *bytes];
            local.buf().read(0, &mut read);
            assert!(read == source[*offset..][..*bytes], "{bytes} at {offset}");
        }
    }
}

/// Exchanges `messages` messages each way, and `reads` reads of the second node's memory, and
/// checks everything.
fn exchange(a: &mut Node, b: &mut Node, messages: usize, reads: usize, seed: u64) {
    let (source, memory) = (Scratch::new(SOURCE_BYTES), Scratch::new(MESSAGE_BYTES));
    source.buf().write(0, &pattern(9, SOURCE_BYTES));
    memory.buf().write(0, &pattern(7, MESSAGE_BYTES));
    let (read, write) = (true, false);
    let access = Access { read, write };
    let key = b.transport.register(source.buf(), access).unwrap().key;
    let mut all = Exchange {
        random: Random(seed | 1),
        memory,
        remote: RemoteRange { key, offset: 0 },
        locals: (0..reads).map(|_| Scratch::new(SOURCE_BYTES)).collect(),
        ranges: Vec::new(),
        sent: [0; 2],
    };
    let end = Instant::now() + Duration::from_secs(120);
    loop {
        let done = a.inbox.done.len() + b.inbox.done.len();
        let arrived = a.inbox.arrivals.len() + b.inbox.arrivals.len();
        if arrived == 2 * messages && done == reads && all.ranges.len() == reads {
            return all.check([a, b]);
        }
        let (sent, failed) = (all.sent, [&a.inbox.failed, &b.inbox.failed]);
        assert!(
            Instant::now() < end,
            "hangs: {sent:?} sent, {arrived} arrived, {done} of {reads} done, {failed:?}"
        );
        for (at, node) in [&mut *a, &mut *b].into_iter().enumerate() {
            if all.sent[at] < messages {
                all.send(node, at);
            }
            if all.random.below(3) > 0 {
                node.progress();
            }
        }
        if all.ranges.len() < reads && all.random.below(50) == 0 {
            all.read(a);
        }
    }
}

#[test]
fn connections_that_break_anywhere_lose_nothing() {
    for seed in 1..=6 {
        let span = [2_000, 100_000, 1_000_000][seed as usize % 3];
        let harms = [15, 20, 10][seed as usize % 3];
        let (mut a, mut b, proxies) = through_proxies(seed * 77, Harm::Cut, (harms, span), |_| ());
        exchange(&mut a, &mut b, 1500, 4, seed);
        let done = harms * 2
            - proxies
                .iter()
                .map(|p| p.left.load(Ordering::Relaxed))
                .sum::<usize>();
        assert!(done >= 3, "seed {seed}: only {done} connections broke");
    }
}

#[test]
fn protected_connections_that_break_lose_nothing() {
    for (seed, encrypt) in [(1, false), (2, true)] {
        let protect = |settings: &mut Settings| {
            settings.encrypt = encrypt;
            settings.checksum = !encrypt;
        };
        let (mut a, mut b, _proxies) =
            through_proxies(seed * 99, Harm::Cut, (10, 300_000), protect);
        exchange(&mut a, &mut b, 1500, 3, seed);
    }
}

/// Sealed bytes that the kernel did not take are written when it has room, though nothing follows
/// them.
#[test]
fn the_last_bytes_of_a_protected_connection_leave() {
    for encrypt in [false, true] {
        let protect = |settings: &mut Settings| {
            settings.encrypt = encrypt;
            settings.checksum = !encrypt;
            (settings.sndbuf, settings.rcvbuf) = (4096, 4096);
        };
        let (mut a, mut b) = (
            Node::with(0, SECRET, 1, protect),
            Node::with(1, SECRET, 1, protect),
        );
        a.meet(&b);
        b.meet(&a);
        a.say(1, "hello");
        until(&mut [&mut a, &mut b], |nodes| {
            nodes[1].received() == ["hello"]
        });
        b.inbox.arrivals.clear();
        let memory = Scratch::new(100_000);
        memory.buf().write(0, &pattern(5, 100_000));
        assert_eq!(a.send(1, &[], memory.buf()), Ok(Flow::Sent));
        until(&mut [&mut a, &mut b], |nodes| {
            nodes[1].inbox.arrivals.len() == 1
        });
        assert!(b.inbox.arrivals[0].2 == pattern(5, 100_000));
        assert_eq!(a.transport.peers.blocked(), 0, "still waits for room");
        until(&mut [&mut a, &mut b], |nodes| {
            nodes[0].transport.flush(PeerId(1)) == Ok(Flow::Sent)
        });
    }
}

#[test]
fn damage_on_the_way_is_repaired_where_connections_are_protected() {
    for (seed, encrypt) in [(3, false), (4, true)] {
        let protect = |settings: &mut Settings| {
            settings.encrypt = encrypt;
            settings.checksum = !encrypt;
        };
        // The first bytes of a connection are those of the handshake, where damage is refusal.
        let (mut a, mut b, proxies) =
            through_proxies(seed * 55, Harm::Flip, (8, 2_000_000), protect);
        exchange(&mut a, &mut b, 1500, 3, seed);
        let left: usize = proxies.iter().map(|p| p.left.load(Ordering::Relaxed)).sum();
        assert!(
            a.transport.peers.damaged + b.transport.peers.damaged > 0,
            "{left} left"
        );
    }
}

#[test]
fn several_connections_that_break_lose_nothing() {
    let rails = |settings: &mut Settings| settings.links = 3;
    for seed in [7, 8] {
        let (mut a, mut b, _proxies) =
            through_proxies(seed * 13, Harm::Cut, (20, 1_000_000), rails);
        exchange(&mut a, &mut b, 1000, 8, seed);
    }
}

/// A large read is shared by all rails; what a rail carried that breaks goes over the others.
#[test]
fn rails_share_a_read_and_stand_in_for_each_other() {
    const LEN: usize = 40 << 20;
    let (mut a, mut b) = railed_pair(3);
    let (source, local) = (Scratch::new(LEN), Scratch::new(LEN));
    source.buf().write(0, &pattern(9, LEN));
    let access = Access {
        read: true,
        write: false,
    };
    let registration = b.transport.register(source.buf(), access).unwrap();
    let remote = RemoteRange {
        key: registration.key,
        offset: 0,
    };
    for round in 0..6 {
        local.buf().write(0, &vec![0; LEN]);
        // Rails are made, and made again, when there is something to share.
        while a.transport.peers.connections() < 3 || b.transport.peers.connections() < 3 {
            let part = local.buf().part(0, 1 << 20);
            let started = a.transport.get(PeerId(1), part, remote, Token(100));
            assert_eq!(started, Ok(Started::Pending));
            until(&mut [&mut a, &mut b], |nodes| {
                nodes[0].inbox.done.pop() == Some((Token(100), Ok(())))
            });
        }
        let started = a
            .transport
            .get(PeerId(1), local.buf(), remote, Token(round));
        assert_eq!(started, Ok(Started::Pending));
        if round > 0 {
            until(&mut [&mut a, &mut b], |nodes| {
                nodes[1].transport.peers.blocked() > 0
            });
            // The one that leads, another, or two.
            let (node, peer) = if round % 2 == 0 { (&a, 1) } else { (&b, 0) };
            let broken = [&[0][..], &[1], &[0, 2]][round as usize % 3];
            for at in broken {
                let _ = connections(node, peer)[*at].shutdown(std::net::Shutdown::Both);
            }
        }
        until(&mut [&mut a, &mut b], |nodes| {
            nodes[0].inbox.done.pop() == Some((Token(round), Ok(())))
        });
        let mut read = vec![0; LEN];
        local.buf().read(0, &mut read);
        assert!(read == pattern(9, LEN), "round {round}");
    }
    assert!(a.inbox.failed.is_empty() && b.inbox.failed.is_empty());
    a.say(1, "and messages");
    until(&mut [&mut a, &mut b], |nodes| {
        nodes[1].received() == ["and messages"]
    });
}

#[test]
fn both_ends_may_find_out_at_any_time() {
    let (mut a, mut b) = connected();
    for round in 0..60 {
        let text = format!("round {round}");
        a.say(1, &text);
        b.say(0, &text);
        // One side learns of it at once, the other when it next reads, or both.
        for (bit, node, peer) in [(1, &a, 1), (2, &b, 0)] {
            if round & bit != 0 {
                for stream in connections(node, peer) {
                    let _ = stream.shutdown(std::net::Shutdown::Both);
                }
            }
        }
        until(&mut [&mut a, &mut b], |nodes| {
            nodes.iter().all(|node| node.received().len() == round + 1)
        });
    }
    for node in [&a, &b] {
        assert!(node.inbox.failed.is_empty(), "{:?}", node.inbox.failed);
        let last = node.received().last().map(|text| text.to_string());
        assert_eq!(last.as_deref(), Some("round 59"));
    }
    until(&mut [&mut a, &mut b], |nodes| {
        nodes
            .iter()
            .all(|node| node.transport.peers.connections() == 1)
    });
}

#[test]
fn a_silent_cut_that_lasts_is_the_end_within_the_time() {
    let brief = |settings: &mut Settings| settings.reconnect_timeout = Duration::from_secs(4);
    let (mut a, mut b, proxies) = through_proxies(5, Harm::Cut, (0, 1), brief);
    a.say(1, "hello");
    until(&mut [&mut a, &mut b], |nodes| {
        nodes[1].received() == ["hello"]
    });
    // The proxies' host answers, so this is a peer that is busy, for as long as it likes.
    proxies
        .iter()
        .for_each(|proxy| proxy.silent.store(true, Ordering::Relaxed));
    a.say(1, "are you there");
    let start = Instant::now();
    while start.elapsed() < Duration::from_secs(6) {
        a.progress();
        b.progress();
        std::thread::sleep(Duration::from_millis(5));
    }
    assert!(a.inbox.failed.is_empty() && b.inbox.failed.is_empty());
    proxies
        .iter()
        .for_each(|proxy| proxy.silent.store(false, Ordering::Relaxed));
    until(&mut [&mut a, &mut b], |nodes| {
        nodes[1].received().len() == 2
    });
    // Whoever answers now hangs up: nobody is there.
    drop(b);
    let start = Instant::now();
    until(&mut [&mut a], |nodes| !nodes[0].inbox.failed.is_empty());
    assert!(
        start.elapsed() < Duration::from_secs(6),
        "{:?}",
        start.elapsed()
    );
}

/// Drops what comes to a socket from now on, as a cut network does: its kernel replies to nothing.
fn cut(socket: &impl AsFd) {
    const RETURN: u16 = (libc::BPF_RET | libc::BPF_K) as u16;
    let nothing = SockFilter::new(RETURN, 0, 0, 0);
    SockRef::from(socket).attach_filter(&[nothing]).unwrap();
}

/// A process that only received wrote an acknowledgement into the cut network, and waited for a
/// quarter of an hour: it had no frame outstanding, and a kernel that repeats something does not
/// probe a silent connection.
#[test]
fn a_process_that_only_receives_learns_of_a_cut() {
    let brief = |settings: &mut Settings| settings.reconnect_timeout = Duration::from_secs(1);
    let [mut a, mut b] = [0, 1].map(|me| Node::with(me, SECRET, 1, brief));
    a.meet(&b);
    b.meet(&a);
    a.say(1, "hello");
    until(&mut [&mut a, &mut b], |nodes| {
        nodes[1].received() == ["hello"]
    });
    for (node, peer) in [(&a, 1), (&b, 0)] {
        connections(node, peer).into_iter().for_each(cut);
        node.transport.connector.listeners().iter().for_each(cut);
    }
    until(&mut [&mut a, &mut b], |nodes| {
        nodes.iter().all(|node| !node.inbox.failed.is_empty())
    });
    assert_eq!(a.inbox.failed[0].0, PeerId(1));
    assert_eq!(b.inbox.failed[0].0, PeerId(0));
}

#[test]
fn what_nobody_acknowledges_is_bounded() {
    let (mut a, b) = connected();
    let memory = Scratch::new(1000);
    let mut sent = 0;
    while a.send(1, &[], memory.buf()).unwrap() == Flow::Sent {
        sent += 1;
        a.progress();
        assert!(sent < 100_000, "never busy");
    }
    assert!(sent >= 1000);
    drop(b);
}

/// Connections come about, and break before the first long frame is over, again and again: as over
/// a path that drops large packets.
#[test]
fn a_path_that_carries_nothing_long_is_reported() {
    let brief = |settings: &mut Settings| settings.reconnect_timeout = Duration::from_secs(1);
    let (mut a, mut b, _proxies) = through_proxies(3, Harm::Cut, (usize::MAX, 20_000), brief);
    let memory = Scratch::new(60_000);
    assert_eq!(a.send(1, b"long", memory.buf()), Ok(Flow::Sent));
    let has_warned = |node: &Node| {
        let known = node.transport.peers.get(PeerId(1));
        known.is_some_and(|known| known.stall.has_warned())
    };
    until(&mut [&mut a, &mut b], |nodes| has_warned(nodes[0]));
    assert!(a.inbox.failed.is_empty() && b.inbox.arrivals.is_empty());
}
