//! Tests of the low layer as its users see it: lanes, memory of peers, and peers that leave.
#![allow(clippy::disallowed_methods, reason = "tests may wait")]

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::Arc;
use std::time::{Duration, Instant};

use base::{AmTag, PeerId, Random};
use bml::{Bml, Exposed, RemoteMemory};
use btl::{
    Access, Arrival, Atomic, AtomicOp, Caps, Error, Flow, Sink, Started, Token, Transport, Width,
};
use btl_sim::{Config, Gets, Net};
use memory::{Scratch, Slot, UserBuf};
use sync::Patience;

const PATIENCE: Duration = Duration::from_secs(20);

const BOTH: Access = Access {
    read: true,
    write: true,
};

/// A transport under another name and with another exclusivity; without messages too, as a network
/// card may be used; or one that backs off after empty polls, and counts how often.
struct Posing {
    inner: Box<dyn Transport>,
    caps: Caps,
    rests: Option<Arc<AtomicU32>>,
}

impl Posing {
    fn named(
        inner: impl Transport + 'static,
        name: &'static str,
        exclusivity: u32,
    ) -> Box<dyn Transport> {
        let caps = Caps {
            name,
            exclusivity,
            ..inner.caps().clone()
        };
        let inner = Box::new(inner);
        Box::new(Posing {
            inner,
            caps,
            rests: None,
        })
    }

    fn mute(inner: impl Transport + 'static, exclusivity: u32) -> Box<dyn Transport> {
        let caps = Caps {
            name: "mute",
            max_send_size: 0,
            eager_limit: 0,
            cut: None,
            rndv_eager_limit: 0,
            exclusivity,
            ..inner.caps().clone()
        };
        let inner = Box::new(inner);
        Box::new(Posing {
            inner,
            caps,
            rests: None,
        })
    }

    fn backing_off(inner: impl Transport + 'static, rests: &Arc<AtomicU32>) -> Box<dyn Transport> {
        let caps = Caps {
            backs_off: true,
            ..inner.caps().clone()
        };
        let rests = Some(rests.clone());
        let inner = Box::new(inner);
        Box::new(Posing { inner, caps, rests })
    }

    fn may_send(&self) {
        assert!(
            self.caps.max_send_size > 0,
            "a message where there are none"
        );
    }
}

/// Finds the inner transport, for [`btl::forward!`].
macro_rules! inner {
    ([$($borrow:tt)+] $self:ident $($call:tt)+) => { $self.inner.$($call)+ };
}

impl Transport for Posing {
    btl::forward!(
        inner:
        address, add_peer, expect_foreign, add_foreign, remove_peer, hints, flush, progress,
        batch, is_kept, is_live, arm, disarm, close, rma, presence, carriage,
    );

    fn caps(&self) -> &Caps {
        &self.caps
    }

    fn send(
        &mut self,
        peer: PeerId,
        tag: AmTag,
        header: &[u8],
        payload: UserBuf,
    ) -> Result<Flow, Error> {
        self.may_send();
        self.inner.send(peer, tag, header, payload)
    }

    fn send_packed(
        &mut self,
        peer: PeerId,
        tag: AmTag,
        header: &[u8],
        len: usize,
        pack: &mut dyn FnMut(&mut Slot<'_>),
    ) -> Result<Flow, Error> {
        self.may_send();
        self.inner.send_packed(peer, tag, header, len, pack)
    }

    fn back_off(&mut self) {
        let rests = self.rests.as_ref().expect("one that rests");
        rests.fetch_add(1, Ordering::Relaxed);
    }
}

#[derive(Default)]
struct Record {
    messages: Vec<(PeerId, AmTag, Vec<u8>)>,
    done: HashMap<u64, Result<(), Error>>,
}

impl Sink for Record {
    fn deliver(&mut self, arrival: Arrival<'_>) {
        let bytes = arrival.payload.to_vec();
        self.messages.push((arrival.from, arrival.tag, bytes));
    }
    fn done(&mut self, token: Token, outcome: Result<(), Error>) {
        let twice = self.done.insert(token.0, outcome);
        assert!(twice.is_none(), "{token:?} was reported twice");
    }
    fn peer_failed(&mut self, _: PeerId, _: Error) {}
}

/// Processes in one thread.
struct World {
    nodes: Vec<(Bml, Record)>,
    nets: Vec<Net>,
}

impl World {
    /// Introduces all to all.
    fn join(layers: Vec<Bml>, nets: Vec<Net>) -> World {
        let addresses: Vec<_> = layers.iter().map(Bml::address).collect();
        let mut nodes: Vec<_> = layers
            .into_iter()
            .map(|bml| (bml, Record::default()))
            .collect();
        for (bml, _) in &mut nodes {
            for (peer, address) in addresses.iter().enumerate() {
                let choice = bml.add_peer(PeerId(peer as u32), address);
                choice.expect("a good address");
            }
        }
        World { nodes, nets }
    }

    fn round(&mut self) {
        for (bml, record) in &mut self.nodes {
            bml.progress(record);
        }
        for net in &self.nets {
            net.step();
        }
    }

    fn until(&mut self, what: &str, mut done: impl FnMut(&mut World) -> bool) {
        let began = Instant::now();
        while !done(self) {
            self.round();
            assert!(began.elapsed() < PATIENCE, "waited too long: {what}");
        }
    }

    fn expose(&mut self, at: usize, memory: &Scratch, for_: usize) -> (Exposed, RemoteMemory) {
        let exposed = self.nodes[at].0.expose(memory.buf(), BOTH).expect("memory");
        let import = self.nodes[for_]
            .0
            .import(PeerId(at as u32), &exposed.pack());
        (exposed, import.expect("a good pack"))
    }

    /// Starts something and waits for its outcome.
    fn complete(
        &mut self,
        at: usize,
        token: u64,
        mut start: impl FnMut(&mut Bml) -> Result<Started, Error>,
    ) -> Result<(), Error> {
        let mut started = Ok(Started::Busy);
        self.until("an operation to start", |world| {
            started = start(&mut world.nodes[at].0);
            started != Ok(Started::Busy)
        });
        if started? == Started::Pending {
            self.until("an operation", |world| {
                world.nodes[at].1.done.contains_key(&token)
            });
            return self.nodes[at].1.done.remove(&token).expect("reported");
        }
        Ok(())
    }

    fn flush(&mut self, at: usize, peer: PeerId) {
        self.until("a flush", |world| {
            world.nodes[at].0.flush(peer).expect("a flush") == Flow::Sent
        });
    }

    /// Puts, gets and adds between the first two, and checks every byte.
    fn use_memory(&mut self) {
        let (theirs, ours) = (Scratch::new(100_000), Scratch::new(100_000));
        let (exposed, memory) = self.expose(1, &theirs, 0);
        let (peer, mut random) = (PeerId(1), Random::new(5));
        let bytes: Vec<u8> = (0..90_000).map(|_| random.bits() as u8).collect();
        ours.buf().write(0, &bytes);
        let local = ours.buf().part(0, bytes.len());
        let put = self.complete(0, 1, |bml| bml.put(peer, local, memory.at(1003), Token(1)));
        assert_eq!(put, Ok(()));
        self.flush(0, peer);
        assert_eq!(bytes_of(theirs.buf().part(1003, bytes.len())), bytes);
        ours.buf().write(0, &vec![0; 100_000]);
        let get = self.complete(0, 2, |bml| bml.get(peer, local, memory.at(1003), Token(2)));
        assert_eq!(get, Ok(()));
        assert_eq!(bytes_of(local), bytes);
        let result = Scratch::new(8);
        for number in 0..20u64 {
            let (op, width) = (AtomicOp::Add, Width::Eight);
            let atomic = Atomic {
                op,
                width,
                operand: 3,
            };
            let (room, place, token) = (Some(result.buf()), memory.at(16), Token(10 + number));
            let added = self.complete(0, token.0, |bml| {
                bml.atomic(peer, atomic, room, place, token)
            });
            assert_eq!(added, Ok(()));
            assert_eq!(bytes_of(result.buf()), (3 * number).to_ne_bytes());
        }
        self.flush(0, peer);
        assert_eq!(bytes_of(theirs.buf().part(16, 8)), 60u64.to_ne_bytes());
        self.nodes[1].0.withdraw(exposed);
        let (op, width) = (AtomicOp::Swap, Width::Eight);
        let atomic = Atomic {
            op,
            width,
            operand: 0,
        };
        let (place, token) = (memory.at(16), Token(99));
        let late = self.complete(0, 99, |bml| bml.atomic(peer, atomic, None, place, token));
        assert!(late.is_err(), "memory that was withdrawn is changed");
    }

    fn use_messages(&mut self) {
        self.nodes[1].1.messages.clear();
        let payload = Scratch::new(300);
        payload.buf().write(0, &[7; 300]);
        self.until("a send", |world| {
            let sent = world.nodes[0]
                .0
                .send(PeerId(1), AmTag::USER, b"head", payload.buf());
            sent.expect("a send") == Flow::Sent
        });
        self.until("a message", |world| !world.nodes[1].1.messages.is_empty());
        let wanted = (PeerId(0), AmTag::USER, [&b"head"[..], &[7; 300]].concat());
        assert_eq!(self.nodes[1].1.messages, [wanted]);
    }
}

fn bytes_of(buf: UserBuf) -> Vec<u8> {
    let mut bytes = vec![0; buf.len()];
    buf.read(0, &mut bytes);
    bytes
}

/// Two processes with a network of messages alone and one of memory alone.
fn divided(seed: u64) -> World {
    let messages = Net::new(Config {
        gets: Gets::None,
        puts: false,
        ..Config::of(seed)
    });
    let memory = Net::new(Config::of(seed + 1));
    let layer = |id| {
        let mute = Posing::mute(memory.open(PeerId(id)), 10);
        Bml::new(vec![mute, Box::new(messages.open(PeerId(id)))])
    };
    World::join(
        (0..2).map(layer).collect(),
        vec![messages.clone(), memory.clone()],
    )
}

#[test]
fn messages_and_memory_may_have_lanes_of_their_own() {
    for seed in 0..10 {
        let mut world = divided(seed);
        let bml = &world.nodes[0].0;
        assert_eq!(bml.caps(PeerId(1)).map(|caps| caps.name), Some("sim"));
        let rma = bml.rma_caps(PeerId(1)).expect("a lane");
        assert_eq!(rma.name, "mute");
        assert!(!rma.emulated.get && !rma.emulated.put && rma.emulated.atomics);
        assert!(bml.hints(PeerId(1)).reads);
        world.use_messages();
        world.use_memory();
    }
}

impl World {
    fn gone(&self, at: usize, token: u64) -> bool {
        let outcome = self.nodes[at].1.done.get(&token);
        assert!(
            !matches!(outcome, Some(Ok(()))),
            "nobody was there to do it"
        );
        outcome.is_some()
    }
}

/// One process with a single transport.
fn layers(mut open: impl FnMut(u32) -> Box<dyn Transport>, n: u32) -> Vec<Bml> {
    (0..n).map(|id| Bml::new(vec![open(id)])).collect()
}

fn sm(id: u32) -> Box<dyn Transport> {
    let config = btl_sm::Config::with_defaults(PeerId(id));
    Box::new(btl_sm::open(config).expect("a segment"))
}

fn tcp(id: u32) -> Box<dyn Transport> {
    let settings = btl_tcp::Settings {
        if_include: vec!["lo".into()],
        ..Default::default()
    };
    let config = btl_tcp::Config {
        me: PeerId(id),
        secret: [23; 32],
        job: 5,
        one_host: false,
        settings,
    };
    Box::new(btl_tcp::open(config).expect("a transport"))
}

#[test]
fn every_transport_does_everything() {
    for seed in 0..20 {
        let config = match seed % 2 {
            0 => Config::of(seed),
            _ => Config {
                gets: Gets::None,
                puts: false,
                ordered: false,
                ..Config::of(seed)
            },
        };
        let net = Net::new(config);
        let layers = layers(|id| Box::new(net.open(PeerId(id))), 2);
        let mut world = World::join(layers, vec![net.clone()]);
        world.use_messages();
        world.use_memory();
    }
    for open in [sm, tcp] {
        let mut world = World::join(layers(open, 2), Vec::new());
        world.use_messages();
        world.use_memory();
    }
}

/// A lane that is less exclusive than that of the messages would be a detour, even where it has
/// operations that are emulated otherwise.
#[test]
fn a_far_lane_is_not_preferred_for_memory() {
    let near = Net::new(Config {
        gets: Gets::None,
        puts: false,
        ..Config::of(1)
    });
    let far = Net::new(Config::of(2));
    let layer = |id| {
        let near = Posing::named(near.open(PeerId(id)), "near", 10);
        Bml::new(vec![Box::new(far.open(PeerId(id))), near])
    };
    let layers = (0..2).map(layer).collect();
    let mut world = World::join(layers, vec![near.clone(), far.clone()]);
    let bml = &world.nodes[0].0;
    assert_eq!(bml.caps(PeerId(1)).map(|caps| caps.name), Some("near"));
    assert_eq!(bml.rma_caps(PeerId(1)).map(|caps| caps.name), Some("near"));
    assert!(!bml.hints(PeerId(1)).reads);
    world.use_messages();
    world.use_memory();
}

#[test]
fn two_ends_that_rate_their_transports_differently_choose_alike() {
    let (one, other) = (Net::new(Config::of(1)), Net::new(Config::of(2)));
    // What each end would choose by itself is what the other would not.
    let layer = |id, ratings: [u32; 2]| {
        Bml::new(vec![
            Posing::named(one.open(PeerId(id)), "one", ratings[0]),
            Posing::named(other.open(PeerId(id)), "other", ratings[1]),
        ])
    };
    let layers = vec![layer(0, [30, 20]), layer(1, [10, 40])];
    let world = World::join(layers, vec![one.clone(), other.clone()]);
    for (node, peer) in [(0, 1), (1, 0)] {
        let bml = &world.nodes[node].0;
        let lanes = [bml.caps(PeerId(peer)), bml.rma_caps(PeerId(peer)).as_ref()]
            .map(|caps| caps.map(|caps| caps.name));
        assert_eq!(lanes, [Some("other"); 2], "of process {node}");
    }
}

/// A word that the owner changes over its loopback and others by messages: none of the two may
/// come between the other's reading and writing.
#[test]
fn atomics_over_different_lanes_exclude_each_other() {
    let layer = |id| Bml::new(vec![Box::new(btl_self::open(PeerId(id))), sm(id)]);
    let mut world = World::join((0..2).map(layer).collect(), Vec::new());
    assert_eq!(
        world.nodes[1].0.rma_caps(PeerId(1)).map(|caps| caps.name),
        Some("self")
    );
    let word = Scratch::new(8);
    let (exposed, theirs) = world.expose(1, &word, 0);
    let own = world.nodes[1]
        .0
        .import(PeerId(1), &exposed.pack())
        .expect("a pack");
    let over = [AtomicBool::new(false), AtomicBool::new(false)];
    let (first, rest) = world.nodes.split_at_mut(1);
    let add = |(bml, record): &mut (Bml, Record), memory: RemoteMemory, at: usize| {
        let (op, width) = (AtomicOp::Add, Width::Four);
        let atomic = Atomic {
            op,
            width,
            operand: 1,
        };
        let (mut next, mut pending, began) = (0, 0, Instant::now());
        while next < 5000 || pending > 0 || !over.iter().all(|o| o.load(Ordering::Acquire)) {
            let started = match next < 5000 {
                true => bml.atomic(PeerId(1), atomic, None, memory.at(4), Token(next)),
                false => Ok(Started::Busy),
            };
            match started.expect("an addition") {
                Started::Pending => (next, pending) = (next + 1, pending + 1),
                Started::Done => next += 1,
                Started::Busy => {}
            }
            bml.progress(record);
            pending -= record
                .done
                .drain()
                .filter(|(_, outcome)| outcome.is_ok())
                .count();
            over[at].store(next == 5000 && pending == 0, Ordering::Release);
            assert!(
                began.elapsed() < PATIENCE,
                "waited too long: {next} additions"
            );
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(|| add(&mut first[0], theirs, 0));
        scope.spawn(|| add(&mut rest[0], own, 1));
    });
    assert_eq!(bytes_of(word.buf().part(4, 4)), 10_000u32.to_ne_bytes());
}

/// Operations with a peer that is removed, that closes or that dies end with an error.
#[test]
fn operations_with_a_peer_that_goes_end() {
    let nets = || {
        let config = Config {
            gets: Gets::None,
            puts: false,
            ..Config::of(6)
        };
        Net::new(config)
    };
    for way in 0..9 {
        let net = nets();
        let mut open = |id: u32| -> Box<dyn Transport> {
            match way % 3 {
                0 => Box::new(net.open(PeerId(id))),
                1 => sm(id),
                _ => tcp(id),
            }
        };
        let mut world = World::join(layers(&mut open, 3), vec![net.clone()]);
        let (memory, local) = (Scratch::new(64), Scratch::new(64));
        let (_exposed, theirs) = world.expose(2, &memory, 0);
        world.use_messages();
        let victim = world.nodes.remove(2);
        let (op, width) = (AtomicOp::Add, Width::Eight);
        let atomic = Atomic {
            op,
            width,
            operand: 1,
        };
        let mut pending = Vec::new();
        for token in 0..50 {
            let (bml, record) = &mut world.nodes[0];
            let room = Some(local.buf());
            let started = bml.atomic(PeerId(2), atomic, room, theirs.at(8), Token(token));
            if started == Ok(Started::Pending) {
                pending.push(token);
            }
            bml.progress(record);
        }
        assert!(pending.len() > 20, "{} under way", pending.len());
        let (mut bml, _) = victim;
        match way / 3 {
            0 => world.nodes[0].0.remove_peer(PeerId(2)),
            1 => bml.close(),
            _ if way % 3 == 1 => {
                // Its process would be gone; of instances in one process that cannot be seen.
                std::mem::forget(bml);
                world.nodes[0].0.remove_peer(PeerId(2));
                bml = Bml::new(Vec::new());
            }
            _ => bml = Bml::new(Vec::new()),
        }
        world.until(&format!("operations to end, way {way}"), |world| {
            pending.iter().all(|token| world.gone(0, *token))
        });
        drop(bml);
        let first = &mut world.nodes[0].0;
        let again = first.atomic(PeerId(2), atomic, None, theirs.at(8), Token(1000));
        assert!(again.is_err(), "way {way}: {again:?}");
        world.nodes[1].1.messages.clear();
        world.use_messages();
    }
}

#[test]
fn a_peer_that_comes_back_is_used_as_before() {
    for open in [sm, tcp] {
        let mut world = World::join(layers(open, 2), Vec::new());
        for _ in 0..5 {
            world.use_messages();
            world.use_memory();
            // The second process begins anew; the first only receives its new address.
            let old = world.nodes.pop();
            drop(old);
            let mut fresh = Bml::new(vec![open(1)]);
            let first = &mut world.nodes[0].0;
            first.remove_peer(PeerId(1));
            first
                .add_peer(PeerId(1), &fresh.address())
                .expect("an address");
            fresh
                .add_peer(PeerId(0), &first.address())
                .expect("an address");
            fresh
                .add_peer(PeerId(1), &fresh.address())
                .expect("an address");
            world.nodes.push((fresh, Record::default()));
        }
    }
}

/// Packed names of memory come from peers: any corruption is refused or leads nowhere.
#[test]
fn damaged_packs_are_refused() {
    let mut world = World::join(layers(sm, 2), Vec::new());
    let (memory, local) = (Scratch::new(64), Scratch::new(8));
    let exposed = world.nodes[1].0.expose(memory.buf(), BOTH).expect("memory");
    let (good, peer, mut random) = (exposed.pack(), PeerId(1), Random::new(2));
    assert!(good.len() <= 512, "{} bytes", good.len());
    let unknown = world.nodes[0].0.import(PeerId(77), &good);
    assert_eq!(unknown, Err(Error::Unreachable { peer: PeerId(77) }));
    for _ in 0..2000 {
        let mut bytes = good[..random.index(good.len() + 1)].to_vec();
        for _ in 0..random.below(3) {
            if let Some(byte) = bytes.get_mut(random.index(good.len())) {
                *byte = random.bits() as u8;
            }
        }
        let _ = world.nodes[0].0.import(peer, &bytes);
    }
    let nothing = world.nodes[0]
        .0
        .import(peer, &[])
        .expect("a pack of nothing");
    let got = world.nodes[0]
        .0
        .get(peer, local.buf(), nothing.at(0), Token(1));
    assert!(matches!(got, Err(Error::Unsupported { .. })), "{got:?}");
}

/// A peer may send anything under the tag of the emulation, including handles that it knows: only
/// memory that it may write is touched, and honest peers are served.
#[test]
fn hostile_requests_touch_nothing_else() {
    const GUARD: usize = 256;
    let net = Net::new(Config {
        gets: Gets::None,
        puts: false,
        ..Config::of(12)
    });
    let layers = layers(|id| Box::new(net.open(PeerId(id))), 2);
    let mut world = World::join(layers, vec![net.clone()]);
    let memory = Scratch::new(2 * GUARD + 64);
    memory.buf().write(0, &[0xa5; 2 * GUARD + 64]);
    let open = memory.buf().part(GUARD, 64);
    let exposed = world.nodes[1].0.expose(open, BOTH).expect("memory");
    let pack = exposed.pack();
    let handle = pack[pack.len() - 8..].to_vec();
    let mut random = Random::new(13);
    for _ in 0..20_000 {
        let mut frame: Vec<u8> = (0..random.index(200))
            .map(|_| random.bits() as u8)
            .collect();
        if let Some(kind) = frame.first_mut() {
            *kind = [1, 2, 3, 0x81, 0x82, 0x83, 9][random.index(7)];
        }
        if frame.len() >= 64 && random.chance(80) {
            frame[16..24].copy_from_slice(&handle);
            for field in [4, 24, 32, 40] {
                let small = random.below(100).to_le_bytes();
                let bytes = if field == 4 { 4 } else { 8 };
                frame[field..field + bytes].copy_from_slice(&small[..bytes]);
            }
            let body = (frame.len() - 64) as u32;
            if frame[0] == 2 && random.chance(90) {
                frame[4..8].copy_from_slice(&body.to_le_bytes());
            }
            (frame[1], frame[2]) = (random.below(9) as u8, 4 * random.below(4) as u8);
        }
        let bml = &mut world.nodes[0].0;
        let _ = bml
            .send(PeerId(1), AmTag::RMA, &frame, UserBuf::EMPTY)
            .expect("a message to be offered");
        world.round();
    }
    let bytes = bytes_of(memory.buf());
    let guards = bytes[..GUARD].iter().chain(&bytes[GUARD + 64..]);
    assert!(
        guards.copied().all(|byte| byte == 0xa5),
        "bytes beside the memory changed"
    );
    assert!(
        bytes[GUARD..GUARD + 64].iter().any(|byte| *byte != 0xa5),
        "no request was good"
    );
    world.use_memory();
}

#[test]
fn a_waiting_process_sleeps_until_something_happens() {
    for open in [sm, tcp] {
        let mut world = World::join(layers(open, 2), Vec::new());
        world.use_messages();
        let (memory, ours) = (Scratch::new(64), Scratch::new(8));
        memory.buf().write(0, &[5; 64]);
        let exposed = world.nodes[1].0.expose(memory.buf(), BOTH).expect("memory");
        let theirs = world.nodes[0]
            .0
            .import(PeerId(1), &exposed.pack())
            .expect("a pack");
        let patience = Patience {
            spin: Duration::ZERO,
            awake: Duration::ZERO,
            threads: 1,
            sharers: 1,
        };
        let (first, second) = world.nodes.split_at_mut(1);
        let (over, began) = (AtomicBool::new(false), Instant::now());
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let (bml, record) = &mut second[0];
                while !over.load(Ordering::Acquire) {
                    bml.wait(record, patience, Duration::from_millis(200));
                }
            });
            let (bml, record) = &mut first[0];
            for round in 0..20 {
                std::thread::sleep(Duration::from_millis(3));
                let (op, width) = (AtomicOp::Xor, Width::Eight);
                let atomic = Atomic {
                    op,
                    width,
                    operand: 1 << round,
                };
                let (room, place) = (Some(ours.buf()), theirs.at(8));
                let started = bml.atomic(PeerId(1), atomic, room, place, Token(round));
                assert_eq!(started, Ok(Started::Pending));
                while !record.done.contains_key(&round) {
                    bml.wait(record, patience, Duration::from_millis(200));
                    assert!(began.elapsed() < PATIENCE, "waited too long");
                }
                assert_eq!(record.done[&round], Ok(()));
            }
            over.store(true, Ordering::Release);
        });
        let wanted = u64::from_ne_bytes([5; 8]) ^ 0xf_ffff;
        assert_eq!(bytes_of(memory.buf().part(8, 8)), wanted.to_ne_bytes());
        assert!(
            began.elapsed() < Duration::from_secs(3),
            "{:?}",
            began.elapsed()
        );
    }
}

/// A lane that leaves the core to its own thread does so where no lane has found anything: what
/// comes over another one must not wait for the end of the back-off.
#[test]
fn only_an_empty_poll_is_followed_by_an_idle_back_off() {
    let (net, rests) = (Net::new(Config::of(3)), Arc::new(AtomicU32::new(0)));
    let own = Box::new(btl_self::open(PeerId(0)));
    let resting = Posing::backing_off(net.open(PeerId(0)), &rests);
    let mut bml = Bml::new(vec![own, resting]);
    let (address, mut record) = (bml.address(), Record::default());
    bml.add_peer(PeerId(0), &address).expect("this process");
    assert_eq!((bml.progress(&mut record), bml.backs_off()), (0, false));
    assert_eq!(rests.load(Ordering::Relaxed), 0, "it has no lane yet");
    let other = Bml::new(vec![Box::new(net.open(PeerId(1)))]);
    bml.add_peer(PeerId(1), &other.address()).expect("a peer");
    assert_eq!((bml.progress(&mut record), bml.backs_off()), (0, true));
    assert_eq!(rests.load(Ordering::Relaxed), 1);
    let payload = Scratch::new(8);
    let sent = bml.send(PeerId(0), AmTag::USER, b"head", payload.buf());
    assert_eq!(sent, Ok(Flow::Sent));
    assert_eq!(bml.progress(&mut record), 1);
    assert_eq!(
        (record.messages.len(), rests.load(Ordering::Relaxed)),
        (1, 1)
    );
    assert_eq!(bml.progress_all(&mut record), 0);
    assert_eq!(
        rests.load(Ordering::Relaxed),
        1,
        "who is about to sleep does not back off first"
    );
    assert_eq!(bml.progress(&mut record), 0);
    assert_eq!(rests.load(Ordering::Relaxed), 2);
}
