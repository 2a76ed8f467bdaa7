//! The conformance suite of the matching contract: one function per property.
//!
//! A transport's tests call [`check`] with a function that opens two connected instances in one
//! process. Every property gets fresh ones.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use base::PeerId;
use memory::{Scratch, UserBuf};

use crate::{Envelope, Error, Flow, Reach, Selector, Sink, Started, Token, Transport};

/// Longest wait of a test.
const PATIENCE: Duration = Duration::from_secs(30);

/// The bits of labels that the suite uses: two fields of 8 bits.
const LOW: u64 = 0xff;
const HIGH: u64 = 0xff00;

/// The extent of the suite.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Extent {
    /// Number of messages in tests that send many.
    pub messages: usize,
    /// Longest message, in bytes, that is sent to a shorter receive. Some networks never complete
    /// longer ones.
    pub cut_max: usize,
}

impl Extent {
    /// Returns the whole suite, with `messages` messages in tests that send many.
    pub const fn of(messages: usize) -> Extent {
        Extent {
            messages,
            cut_max: usize::MAX,
        }
    }
}

/// Runs every property. `open` opens instances for that many processes; `None` skips the suite.
///
/// # Panics
/// When a property does not hold, with the reason.
pub fn check(open: impl Fn(u32) -> Option<Vec<Box<dyn Transport>>>, extent: Extent) {
    type Property = fn(&mut World, &Extent);
    let properties: [(&str, Property); 10] = [
        ("messages arrive whole", messages_arrive_whole),
        ("masks choose, early and late", masks_choose_early_and_late),
        ("receives match in order", receives_match_in_order),
        ("messages keep their order", messages_keep_their_order),
        ("the early hold up nobody", the_early_hold_up_nobody),
        ("long ones are cut", long_messages_are_cut),
        ("peeks see and leave", peeks_see_and_leave),
        ("claims take", claims_take),
        ("receives are cancelled", receives_are_cancelled),
        ("strangers are refused", strangers_are_refused),
    ];
    for (name, property) in properties {
        let Some(transports) = open(2) else { return };
        println!("  {name}");
        property(&mut World::new(transports), &extent);
    }
}

#[derive(Default)]
struct Log {
    sent: HashMap<u64, Result<(), Error>>,
    received: HashMap<u64, Result<Envelope, Error>>,
    peeked: HashMap<u64, Option<Envelope>>,
    cancelled: Vec<u64>,
}

impl Sink for Log {
    fn sent(&mut self, token: Token, result: Result<(), Error>) {
        assert_eq!(self.sent.insert(token.0, result), None, "reported twice");
    }

    fn received(&mut self, token: Token, result: Result<Envelope, Error>) {
        let before = self.received.insert(token.0, result);
        assert_eq!(before, None, "reported twice");
    }

    fn peeked(&mut self, token: Token, found: Option<Envelope>) {
        assert_eq!(self.peeked.insert(token.0, found), None, "reported twice");
    }

    fn cancelled(&mut self, token: Token) {
        self.cancelled.push(token.0);
    }

    fn peer_failed(&mut self, peer: PeerId, error: Error) {
        panic!("{peer} failed: {error}");
    }
}

struct World {
    nodes: Vec<(Box<dyn Transport>, Log)>,
    tokens: u64,
}

impl World {
    fn new(mut transports: Vec<Box<dyn Transport>>) -> World {
        let addresses: Vec<Vec<u8>> = transports.iter().map(|t| t.address()).collect();
        for transport in &mut transports {
            for (peer, address) in (0..).map(PeerId).zip(&addresses) {
                assert_eq!(transport.add_peer(peer, address), Ok(Reach::Reachable));
            }
        }
        let nodes = transports
            .into_iter()
            .map(|transport| (transport, Log::default()));
        World {
            nodes: nodes.collect(),
            tokens: 0,
        }
    }

    fn progress(&mut self) {
        for (transport, log) in &mut self.nodes {
            transport.progress(log);
        }
    }

    fn token(&mut self) -> Token {
        self.tokens += 1;
        Token(self.tokens)
    }

    /// Starts an operation, retrying while the transport is busy.
    fn start(
        &mut self,
        at: usize,
        mut start: impl FnMut(&mut dyn Transport, Token) -> Result<Started, Error>,
    ) -> (u64, Started) {
        let token = self.token();
        let began = Instant::now();
        loop {
            match start(&mut *self.nodes[at].0, token).unwrap() {
                Started::Busy => self.progress(),
                started => return (token.0, started),
            }
            assert!(began.elapsed() < PATIENCE, "busy for ever");
        }
    }

    fn until<T>(&mut self, what: &str, mut look: impl FnMut(&mut World) -> Option<T>) -> T {
        let began = Instant::now();
        loop {
            if let Some(found) = look(self) {
                return found;
            }
            self.progress();
            assert!(began.elapsed() < PATIENCE, "no {what}");
        }
    }

    /// Sends a message. Returns the token of its report, if one will come.
    fn send(&mut self, at: usize, to: u32, bits: u64, data: &Scratch) -> Option<u64> {
        let (to, payload, note) = (PeerId(to), data.buf(), bits as u16);
        if payload.len() <= self.nodes[at].0.caps().inject_max {
            let began = Instant::now();
            while self.nodes[at].0.inject(to, bits, note, payload) == Ok(Flow::Busy) {
                self.progress();
                assert!(began.elapsed() < PATIENCE, "busy for ever");
            }
            return None;
        }
        let (token, started) = self.start(at, |transport, token| {
            transport.send(to, bits, note, payload, token)
        });
        (started == Started::Pending).then_some(token)
    }

    fn recv(&mut self, at: usize, selector: Selector, room: UserBuf) -> u64 {
        self.start(at, |transport, token| {
            transport.recv(&selector, room, token)
        })
        .0
    }

    fn sent(&mut self, at: usize, token: Option<u64>) {
        if let Some(token) = token {
            let result = self.until("end of a send", |world| {
                world.nodes[at].1.sent.remove(&token)
            });
            assert_eq!(result, Ok(()));
        }
    }

    fn received(&mut self, at: usize, token: u64) -> Envelope {
        let what = format!("message for receive {token} of {at}");
        let result = self.until(&what, |world| world.nodes[at].1.received.remove(&token));
        result.unwrap()
    }

    fn peek(&mut self, at: usize, selector: Selector, claim: bool) -> (u64, Option<Envelope>) {
        let (token, _) = self.start(at, |transport, token| {
            transport.peek(&selector, claim, token)
        });
        let answer = self.until("answer to a peek", |world| {
            world.nodes[at].1.peeked.remove(&token)
        });
        (token, answer)
    }

    /// Peeks until a message is found.
    fn find(&mut self, at: usize, selector: Selector, claim: bool) -> (u64, Envelope) {
        self.until("message to be seen", |world| {
            let (token, found) = world.peek(at, selector, claim);
            found.map(|envelope| (token, envelope))
        })
    }

    fn check(&self, at: usize, envelope: &Envelope, from: u32, bits: u64, len: usize) {
        assert_eq!((envelope.bits, envelope.len), (bits, len as u64));
        let caps = self.nodes[at].0.caps();
        if caps.notes {
            assert_eq!(envelope.note, Some(bits as u16));
        }
        if caps.directed {
            assert_eq!(envelope.from, Some(PeerId(from)));
        }
    }
}

fn exactly(bits: u64) -> Selector {
    Selector {
        from: None,
        bits,
        ignore: 0,
    }
}

fn filled(len: usize, seed: usize) -> Scratch {
    let scratch = Scratch::new(len);
    let bytes: Vec<u8> = (0..len).map(|at| (at * 31 + seed * 7) as u8).collect();
    scratch.buf().write(0, &bytes);
    scratch
}

fn bytes(buf: UserBuf) -> Vec<u8> {
    let mut bytes = vec![0; buf.len()];
    buf.read(0, &mut bytes);
    bytes
}

fn same(room: &Scratch, data: &Scratch, len: usize) {
    let (room, data) = (
        bytes(room.buf().part(0, len)),
        bytes(data.buf().part(0, len)),
    );
    assert!(room == data, "{len} bytes arrived altered");
}

/// Checks messages of every length, expected and unexpected, from another process and from itself.
fn messages_arrive_whole(world: &mut World, _extent: &Extent) {
    let inject = world.nodes[0].0.caps().inject_max;
    let max = world.nodes[0].0.caps().message_max.min(3 << 20) as usize;
    let lens = [0, 1, inject, inject + 1, 5000, 70_000, max];
    for (number, len) in lens.into_iter().enumerate() {
        for (at, to) in [(0, 1), (1, 1)] {
            for early in [true, false] {
                let (data, room) = (filled(len, number), Scratch::new(len));
                let bits = number as u64 | 0x300;
                let posted = early.then(|| world.recv(to, exactly(bits), room.buf()));
                let sent = world.send(at, to as u32, bits, &data);
                for _ in 0..3 {
                    world.progress();
                }
                let posted = posted.unwrap_or_else(|| world.recv(to, exactly(bits), room.buf()));
                let envelope = world.received(to, posted);
                world.check(to, &envelope, at as u32, bits, len);
                same(&room, &data, len);
                world.sent(at, sent);
            }
        }
    }
}

/// Checks that a receive compares exactly the bits that it does not ignore, with messages that
/// arrive at a posted receive and with unexpected ones.
fn masks_choose_early_and_late(world: &mut World, _extent: &Extent) {
    let labels = [0x101, 0x102, 0x202, 0x201];
    let (data, room) = (filled(8, 0), Scratch::new(8));
    let any_low = Selector {
        ignore: LOW,
        ..exactly(0x200)
    };
    let any_high = Selector {
        ignore: HIGH,
        ..exactly(0x002)
    };
    for late in [false, true] {
        let mut posted = Vec::new();
        if !late {
            posted.push(world.recv(1, any_low, room.buf()));
            posted.push(world.recv(1, any_high, room.buf()));
        }
        for bits in labels {
            let sent = world.send(0, 1, bits, &data);
            world.sent(0, sent);
        }
        if late {
            world.find(1, exactly(0x201), false);
            posted.push(world.recv(1, any_low, room.buf()));
            posted.push(world.recv(1, any_high, room.buf()));
        }
        let got: Vec<u64> = posted
            .into_iter()
            .map(|token| world.received(1, token).bits)
            .collect();
        assert_eq!(got, [0x202, 0x102], "late: {late}");
        for bits in [0x101, 0x201] {
            let token = world.recv(1, exactly(bits), room.buf());
            assert_eq!(world.received(1, token).bits, bits);
        }
    }
}

/// Checks that of several receives that accept a message the first posted gets it, whatever else
/// each accepts, and whether it names the sender or not.
fn receives_match_in_order(world: &mut World, _extent: &Extent) {
    let any = Selector {
        ignore: LOW | HIGH,
        ..exactly(0)
    };
    let mut kinds = vec![exactly(0x105), any, exactly(0x105), any];
    if world.nodes[0].0.caps().directed {
        let named = Selector {
            from: Some(PeerId(0)),
            ..exactly(0x105)
        };
        kinds.extend([named, any, named, exactly(0x105)]);
    }
    let rooms: Vec<Scratch> = kinds.iter().map(|_| Scratch::new(1)).collect();
    let mut posted = Vec::new();
    for (selector, room) in kinds.iter().zip(&rooms) {
        posted.push(world.recv(1, *selector, room.buf()));
    }
    for number in 0..kinds.len() {
        let data = filled(1, number);
        let sent = world.send(0, 1, 0x105, &data);
        world.sent(0, sent);
    }
    for (number, (token, room)) in posted.into_iter().zip(&rooms).enumerate() {
        world.received(1, token);
        same(room, &filled(1, number), 1);
    }
}

/// Checks that short and long messages of one sender are received in the order of sending.
fn messages_keep_their_order(world: &mut World, extent: &Extent) {
    let lens = [1, 20_000, 2, 80_000, 1, 64, 3000, 1];
    let data: Vec<Scratch> = (0..extent.messages)
        .map(|number| filled(lens[number % lens.len()], number))
        .collect();
    let any = Selector {
        ignore: LOW | HIGH,
        ..exactly(0)
    };
    let mut sends = Vec::new();
    let mut next = 0;
    for (number, data) in data.iter().enumerate() {
        sends.push(world.send(0, 1, 0x100 | (number as u64 % 3), data));
        // Some are received while others are still sent.
        if number % 4 == 3 {
            take_next(world, &any, &data_at(&lens, next), next);
            next += 1;
        }
    }
    while next < extent.messages {
        take_next(world, &any, &data_at(&lens, next), next);
        next += 1;
    }
    for token in sends {
        world.sent(0, token);
    }
}

fn data_at(lens: &[usize], number: usize) -> Scratch {
    filled(lens[number % lens.len()], number)
}

fn take_next(world: &mut World, selector: &Selector, expected: &Scratch, number: usize) {
    let room = Scratch::new(80_000);
    let token = world.recv(1, *selector, room.buf());
    let envelope = world.received(1, token);
    let len = expected.buf().len();
    assert_eq!(envelope.len, len as u64, "message {number}");
    assert_eq!(envelope.bits, 0x100 | (number as u64 % 3));
    same(&room, expected, len);
}

/// Checks that a message is received while many earlier ones wait for receives.
fn the_early_hold_up_nobody(world: &mut World, extent: &Extent) {
    let data: Vec<Scratch> = (0..extent.messages).map(|n| filled(700, n)).collect();
    let mut sends = Vec::new();
    for data in &data {
        sends.push(world.send(0, 1, 0x801, data));
    }
    let last = world.send(0, 1, 0x802, &data[0]);
    let room = Scratch::new(700);
    let token = world.recv(1, exactly(0x802), room.buf());
    assert_eq!(world.received(1, token).bits, 0x802);
    world.sent(0, last);
    for (data, sent) in data.iter().zip(sends) {
        let token = world.recv(1, exactly(0x801), room.buf());
        world.received(1, token);
        same(&room, data, 700);
        world.sent(0, sent);
    }
}

/// Checks that messages too long for their receive are truncated, and reported as longer.
fn long_messages_are_cut(world: &mut World, extent: &Extent) {
    let lens = [40, 5000, 200_000];
    for len in lens.into_iter().filter(|len| *len <= extent.cut_max) {
        for early in [true, false] {
            let (data, room) = (filled(len, len), Scratch::new(33));
            let posted = early.then(|| world.recv(1, exactly(0x301), room.buf()));
            let sent = world.send(0, 1, 0x301, &data);
            for _ in 0..3 {
                world.progress();
            }
            let posted = posted.unwrap_or_else(|| world.recv(1, exactly(0x301), room.buf()));
            let envelope = world.received(1, posted);
            assert_eq!(envelope.bits, 0x301);
            // Some networks do not report by how much it was too long.
            assert!(envelope.len > 33, "{} of {len}", envelope.len);
            world.sent(0, sent);
        }
    }
}

/// Checks that a peek returns the oldest message that it accepts, and leaves it.
fn peeks_see_and_leave(world: &mut World, _extent: &Extent) {
    let any = Selector {
        ignore: LOW,
        ..exactly(0x400)
    };
    assert_eq!(world.peek(1, any, false).1, None);
    let (first, second) = (filled(700, 1), filled(3, 2));
    let sends = [(0x401, &first), (0x402, &second)];
    let sends = sends.map(|(bits, data)| world.send(0, 1, bits, data));
    for _ in 0..2 {
        let (_, envelope) = world.find(1, any, false);
        world.check(1, &envelope, 0, 0x401, 700);
    }
    let (_, envelope) = world.find(1, exactly(0x402), false);
    world.check(1, &envelope, 0, 0x402, 3);
    assert_eq!(world.peek(1, exactly(0x403), false).1, None);
    let room = Scratch::new(700);
    for (bits, data) in [(0x401, &first), (0x402, &second)] {
        let token = world.recv(1, any, room.buf());
        assert_eq!(world.received(1, token).bits, bits);
        same(&room, data, data.buf().len());
    }
    for token in sends {
        world.sent(0, token);
    }
}

/// Checks that a claimed message matches no other receive and is received later, also a message
/// that some networks carry in parts, of which only the first may have arrived when it is claimed.
fn claims_take(world: &mut World, _extent: &Extent) {
    for len in [8, 5000, 40_000, 100_000, 200_000] {
        let data: Vec<Scratch> = (0..3).map(|number| filled(len, number)).collect();
        let sends: Vec<_> = data
            .iter()
            .map(|data| world.send(0, 1, 0x501, data))
            .collect();
        let any = Selector {
            ignore: LOW,
            ..exactly(0x500)
        };
        let (claimed, envelope) = world.find(1, any, true);
        world.check(1, &envelope, 0, 0x501, len);
        let (other, _) = world.find(1, any, true);
        let rooms: Vec<Scratch> = (0..3).map(|_| Scratch::new(len)).collect();
        let last = world.recv(1, any, rooms[2].buf());
        world.received(1, last);
        let found = Selector {
            from: envelope.from.filter(|_| world.nodes[1].0.caps().directed),
            ..exactly(0x501)
        };
        for (claim, room) in [(other, &rooms[1]), (claimed, &rooms[0])] {
            let (token, _) = world.start(1, |transport, token| {
                transport.recv_claimed(Token(claim), &found, room.buf(), token)
            });
            let envelope = world.received(1, token);
            world.check(1, &envelope, 0, 0x501, len);
        }
        for (room, data) in rooms.iter().zip(&data) {
            same(room, data, len);
        }
        assert_eq!(world.peek(1, any, false).1, None);
        for token in sends {
            world.sent(0, token);
        }
    }
    let nothing = world.until("refusal", |world| {
        let (claim, token) = (Token(u64::MAX), Token(0));
        let transport = &mut world.nodes[1].0;
        let answer = transport.recv_claimed(claim, &exactly(0), UserBuf::EMPTY, token);
        (answer != Ok(Started::Busy)).then_some(answer)
    });
    assert!(nothing.is_err());
}

/// Checks that a cancelled receive is reported and gets no message, and that one that has a message
/// is not cancelled.
fn receives_are_cancelled(world: &mut World, extent: &Extent) {
    let (data, room) = (filled(16, 1), Scratch::new(16));
    for _ in 0..extent.messages.min(20) {
        let cancelled = world.recv(1, exactly(0x601), room.buf());
        let kept = Scratch::new(16);
        let other = world.recv(1, exactly(0x601), kept.buf());
        world.nodes[1].0.cancel(Token(cancelled));
        world.until("cancellation", |world| {
            let list = &mut world.nodes[1].1.cancelled;
            list.iter()
                .position(|token| *token == cancelled)
                .map(|at| list.swap_remove(at))
        });
        let sent = world.send(0, 1, 0x601, &data);
        world.received(1, other);
        same(&kept, &data, 16);
        world.sent(0, sent);
        world.nodes[1].0.cancel(Token(other));
        world.nodes[1].0.cancel(Token(u64::MAX));
        world.progress();
        assert!(world.nodes[1].1.cancelled.is_empty());
    }
    assert!(bytes(room.buf()).iter().all(|byte| *byte == 0));
}

/// Checks that unknown peers, malformed addresses, and calls after the end are refused.
fn strangers_are_refused(world: &mut World, _extent: &Extent) {
    let stranger = PeerId(77);
    let transport = &mut world.nodes[0].0;
    assert!(transport.inject(stranger, 1, 0, UserBuf::EMPTY).is_err());
    for damaged in [&[][..], &[9, 1], &[0xff; 40]] {
        assert_ne!(transport.add_peer(stranger, damaged), Ok(Reach::Reachable));
    }
    // The transport drops operations that are in flight at the end.
    let room = Scratch::new(100);
    world.recv(0, exactly(0x701), room.buf());
    let transport = &mut world.nodes[0].0;
    transport.close();
    transport.close();
    assert_eq!(transport.progress(&mut Log::default()), 0);
}
