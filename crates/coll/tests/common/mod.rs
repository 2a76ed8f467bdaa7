//! Helpers of the tests: a network of ranks in one thread, and memory whose every byte is checked.
#![allow(dead_code)]

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::task::Poll;

use coll::port::{Kind, Posted};
use coll::{Collective, Error, Inter, Port, Running, Team};
use datatype::{predefined, Buffer, Datatype};
use memory::{Payload, Scratch};

/// A byte that is not in test data, around and between the data.
const UNTOUCHED: u8 = 0xa5;
const GUARD: usize = 64;

/// A small generator of numbers from a seed (xorshift with a multiplier).
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % end
    }
}

/// `len` bytes that depend on the tag.
pub fn data(tag: usize, len: usize) -> Vec<u8> {
    let mut random = Random::new(tag as u64 + 1);
    (0..len).map(|_| random.below(256) as u8).collect()
}

/// Bytes of data in an element of either of the test types.
pub const ELEMENT: usize = 8;

/// Two ints without gaps (0), or with gaps between and after them (1).
pub fn element(kind: u32) -> Arc<Datatype> {
    let int = predefined(0x209).expect("MPI_INT");
    match kind % 2 {
        0 => Arc::new(Datatype::contiguous(2, int).unwrap()),
        _ => {
            let gaps = Arc::new(Datatype::vector(2, 1, 3, int).unwrap());
            Arc::new(Datatype::resized(&gaps, 0, 24).unwrap())
        }
    }
}

/// Memory with elements, guarded on both sides.
pub struct Area {
    memory: Scratch,
    pub buffer: Buffer,
    datatype: Arc<Datatype>,
    count: usize,
}

impl Area {
    pub fn new(datatype: &Arc<Datatype>, count: usize) -> Area {
        let span = datatype.span_bytes(count);
        let memory = Scratch::new(span + 2 * GUARD);
        memory.buf().write(0, &vec![UNTOUCHED; span + 2 * GUARD]);
        let buffer = Buffer::over(memory.buf().part(GUARD, span), count, datatype).unwrap();
        Area {
            memory,
            buffer,
            datatype: datatype.clone(),
            count,
        }
    }

    pub fn holding(datatype: &Arc<Datatype>, packed: &[u8]) -> Area {
        let area = Area::new(datatype, packed.len() / datatype.size() as usize);
        assert_eq!(area.buffer.unpack(0, Payload::from(packed)), packed.len());
        area
    }

    pub fn packed(&self) -> Vec<u8> {
        let mut packed = vec![0; self.buffer.len()];
        self.buffer.pack_into(0, &mut packed);
        packed
    }

    fn image(&self) -> Vec<u8> {
        let mut image = vec![0; self.memory.buf().len()];
        self.memory.buf().read(0, &mut image);
        image
    }

    /// The data is `packed`, and no other byte was touched.
    #[track_caller]
    pub fn expect(&self, packed: &[u8], what: &str) {
        assert_eq!(self.packed(), packed, "{what}");
        let expected = Area::new(&self.datatype, self.count);
        expected.buffer.unpack(0, Payload::from(packed));
        assert_eq!(
            self.image(),
            expected.image(),
            "{what}: a byte outside the data changed"
        );
    }
}

/// One area per rank with a block of its own, and what all blocks make together.
pub fn blocks_of_all(size: u32, count: usize) -> (Vec<Area>, Vec<u8>) {
    let block = |rank: u32| data(rank as usize + 100 * count, count * ELEMENT);
    let blocks: Vec<_> = (0..size).map(block).collect();
    let areas = (0..size).zip(&blocks);
    let areas = areas.map(|(rank, block)| Area::holding(&element(rank), block));
    (areas.collect(), blocks.concat())
}

/// One rank's part in a test.
pub struct Actor {
    /// The group of an inter-communicator; 0 for an intra-communicator.
    pub group: usize,
    pub rank: u32,
    collective: Collective,
    result: Option<Result<(), Error>>,
    pub sends: usize,
    pub bytes_sent: usize,
    /// The receiver and the bytes of each message.
    pub sent: Vec<(u32, usize)>,
}

impl Actor {
    pub fn new(group: usize, rank: u32, begin: impl FnOnce(&Port) -> Running) -> Actor {
        let port = Port::new();
        let running = begin(&port);
        let collective = Collective::new(port, running);
        Actor {
            group,
            rank,
            collective,
            result: None,
            sends: 0,
            bytes_sent: 0,
            sent: Vec::new(),
        }
    }
}

enum Sent {
    Eager(Vec<u8>),
    Waiting(Posted),
}

#[derive(Default)]
struct Lane {
    sent: VecDeque<Sent>,
    expected: VecDeque<Posted>,
}

/// The actors and the messages between them, in the order of posting.
pub struct Network {
    pub actors: Vec<Actor>,
    lanes: HashMap<(usize, usize), Lane>,
    random: Random,
}

impl Network {
    pub fn new(actors: Vec<Actor>, seed: u64) -> Network {
        Network {
            actors,
            lanes: HashMap::new(),
            random: Random::new(seed),
        }
    }

    /// Runs in random order until all are done; panics when they are stuck.
    pub fn run(&mut self) {
        loop {
            let polled = self.poll_some();
            let matched = self.match_some();
            if self.actors.iter().all(|actor| actor.result.is_some()) {
                break;
            }
            let runnable = self.actors.iter().any(Network::can_run);
            assert!(
                polled || matched || runnable || self.can_match(),
                "deadlock"
            );
        }
        for actor in &mut self.actors {
            let result = actor.result.take().expect("all are done");
            result.unwrap_or_else(|error| panic!("rank {}: {error}", actor.rank));
            assert_eq!(
                actor.collective.in_flight(),
                0,
                "rank {} left messages",
                actor.rank
            );
        }
        for (pair, lane) in &self.lanes {
            assert!(
                lane.sent.is_empty() && lane.expected.is_empty(),
                "unmatched in {pair:?}"
            );
        }
    }

    /// Runs in rounds: all messages posted in one arrive before the next. Returns how many.
    pub fn run_in_rounds(&mut self) -> usize {
        let mut rounds = 0;
        loop {
            for index in 0..self.actors.len() {
                self.poll(index, false);
            }
            if self.actors.iter().all(|actor| actor.result.is_some()) {
                return rounds;
            }
            rounds += 1;
            let pairs: Vec<_> = self.lanes.keys().copied().collect();
            let mut matched = false;
            for pair in pairs {
                while self.match_one(pair) {
                    matched = true;
                }
            }
            assert!(matched, "deadlock after {rounds} rounds");
        }
    }

    fn can_run(actor: &Actor) -> bool {
        actor.result.is_none() && actor.collective.is_runnable()
    }

    fn poll_some(&mut self) -> bool {
        let mut any = false;
        for index in 0..self.actors.len() {
            if self.random.below(3) > 0 && Network::can_run(&self.actors[index]) {
                self.poll(index, true);
                any = true;
            }
        }
        any
    }

    fn poll(&mut self, index: usize, eager: bool) {
        let actor = &mut self.actors[index];
        if actor.result.is_some() || !actor.collective.is_runnable() {
            return;
        }
        if let Poll::Ready(result) = actor.collective.poll() {
            actor.result = Some(result);
        }
        let mut posted = Vec::new();
        actor.collective.take_posted(&mut posted);
        for message in posted {
            self.post(index, message, eager);
        }
    }

    fn post(&mut self, index: usize, message: Posted, eager: bool) {
        let group = self.actors[index].group ^ message.peer.remote as usize;
        let same = |actor: &Actor| actor.group == group && actor.rank == message.peer.rank;
        let peer = self.actors.iter().position(same);
        let peer = peer.unwrap_or_else(|| panic!("no such peer: {}", message.peer));
        assert_ne!(peer, index, "a message to itself");
        match message.kind {
            Kind::Recv => {
                self.lanes
                    .entry((peer, index))
                    .or_default()
                    .expected
                    .push_back(message);
            }
            Kind::Send => {
                let actor = &mut self.actors[index];
                actor.sends += 1;
                actor.bytes_sent += message.buffer.len();
                actor.sent.push((message.peer.rank, message.buffer.len()));
                let sent = if eager && self.random.below(2) == 0 {
                    let mut bytes = vec![0; message.buffer.len()];
                    message.buffer.pack_into(0, &mut bytes);
                    actor.collective.complete(message.slot, Ok(bytes.len()));
                    Sent::Eager(bytes)
                } else {
                    Sent::Waiting(message)
                };
                self.lanes
                    .entry((index, peer))
                    .or_default()
                    .sent
                    .push_back(sent);
            }
        }
    }

    fn match_some(&mut self) -> bool {
        let mut pairs: Vec<_> = self.lanes.keys().copied().collect();
        pairs.sort_unstable();
        let mut any = false;
        for pair in pairs {
            if self.random.below(2) == 0 {
                any |= self.match_one(pair);
            }
        }
        any
    }

    fn can_match(&self) -> bool {
        self.lanes
            .values()
            .any(|lane| !lane.sent.is_empty() && !lane.expected.is_empty())
    }

    fn match_one(&mut self, (from, to): (usize, usize)) -> bool {
        let lane = self.lanes.get_mut(&(from, to)).expect("a known lane");
        if lane.sent.is_empty() || lane.expected.is_empty() {
            return false;
        }
        let (sent, expected) = (lane.sent.pop_front(), lane.expected.pop_front());
        let (sent, expected) = (sent.expect("checked"), expected.expect("checked"));
        let bytes = match sent {
            Sent::Eager(bytes) => bytes,
            Sent::Waiting(message) => {
                let mut bytes = vec![0; message.buffer.len()];
                message.buffer.pack_into(0, &mut bytes);
                self.actors[from]
                    .collective
                    .complete(message.slot, Ok(bytes.len()));
                bytes
            }
        };
        expected.buffer.unpack(0, Payload::from(&bytes[..]));
        self.actors[to]
            .collective
            .complete(expected.slot, Ok(bytes.len()));
        true
    }
}

/// Runs one collective of an intra-communicator of `size` ranks.
pub fn intra(size: u32, seed: u64, mut begin: impl FnMut(&Port, Team) -> Running) {
    let actor = |rank| Actor::new(0, rank, |port| begin(port, Team { rank, size }));
    Network::new((0..size).map(actor).collect(), seed).run();
}

/// Runs one collective of an inter-communicator of two groups.
pub fn inter(sizes: [u32; 2], seed: u64, mut begin: impl FnMut(&Port, usize, Inter) -> Running) {
    let mut actors = Vec::new();
    for group in 0..2 {
        let (local_size, remote_size) = (sizes[group], sizes[1 - group]);
        for rank in 0..local_size {
            let inter = Inter {
                rank,
                local_size,
                remote_size,
            };
            actors.push(Actor::new(group, rank, |port| begin(port, group, inter)));
        }
    }
    Network::new(actors, seed).run();
}

/// Rounds that `size` ranks need, and the most messages that any of them sends.
pub fn cost(size: u32, mut begin: impl FnMut(&Port, Team) -> Running) -> (usize, usize) {
    let actor = |rank| Actor::new(0, rank, |port| begin(port, Team { rank, size }));
    let mut network = Network::new((0..size).map(actor).collect(), 1);
    let rounds = network.run_in_rounds();
    (
        rounds,
        network
            .actors
            .iter()
            .map(|actor| actor.sends)
            .max()
            .unwrap_or(0),
    )
}

/// Log2, rounded up.
pub fn log2_up(size: u32) -> usize {
    size.next_power_of_two().ilog2() as usize
}

/// Composition of affine maps `x -> a x + b` on 32-bit integers, first map first: associative,
/// and not commutative, so a wrong order gives a wrong result.
pub struct Affine;

impl coll::Combine for Affine {
    fn commutative(&self) -> bool {
        false
    }

    fn combine(
        &self,
        datatype: &Datatype,
        source: memory::UserBuf,
        inout: memory::UserBuf,
        count: usize,
    ) -> Result<(), coll::Failure> {
        let second_int = if datatype.extent() == 8 { 4 } else { 12 };
        for index in 0..count {
            let at = index * datatype.extent() as usize;
            let get = |from: memory::UserBuf, at| {
                let mut bytes = [0; 4];
                from.read(at, &mut bytes);
                u32::from_ne_bytes(bytes)
            };
            let lower = (get(source, at), get(source, at + second_int));
            let upper = (get(inout, at), get(inout, at + second_int));
            let result = compose(lower, upper);
            inout.write(at, &result.0.to_ne_bytes());
            inout.write(at + second_int, &result.1.to_ne_bytes());
        }
        Ok(())
    }
}

fn compose(first: (u32, u32), then: (u32, u32)) -> (u32, u32) {
    (
        first.0.wrapping_mul(then.0),
        first.1.wrapping_mul(then.0).wrapping_add(then.1),
    )
}

/// Returns the vector that [`Affine`] makes of packed vectors, in order.
pub fn composed(vectors: &[Vec<u8>]) -> Vec<u8> {
    let pairs = |vector: &[u8]| -> Vec<(u32, u32)> {
        let int = |bytes: &[u8]| u32::from_ne_bytes(bytes.try_into().unwrap());
        vector
            .chunks(8)
            .map(|pair| (int(&pair[..4]), int(&pair[4..])))
            .collect()
    };
    let mut result = pairs(&vectors[0]);
    for vector in &vectors[1..] {
        for (sum, next) in result.iter_mut().zip(pairs(vector)) {
            *sum = compose(*sum, next);
        }
    }
    result
        .iter()
        .flat_map(|(a, b)| [a.to_ne_bytes(), b.to_ne_bytes()].concat())
        .collect()
}

/// The sum of packed 32-bit integers.
pub fn summed(vectors: &[Vec<u8>]) -> Vec<u8> {
    let ints = |vector: &[u8]| -> Vec<u32> {
        vector
            .chunks(4)
            .map(|int| u32::from_ne_bytes(int.try_into().unwrap()))
            .collect()
    };
    let mut result = ints(&vectors[0]);
    for vector in &vectors[1..] {
        for (sum, next) in result.iter_mut().zip(ints(vector)) {
            *sum = sum.wrapping_add(next);
        }
    }
    result.iter().flat_map(|int| int.to_ne_bytes()).collect()
}

/// The kinds of reductions in the tests.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sums {
    /// MPI_SUM of ints.
    Sum,
    /// [`Affine`] on elements without gaps.
    Affine,
    /// [`Affine`] on elements with gaps.
    AffineWithGaps,
}

impl Sums {
    pub const ALL: [Sums; 3] = [Sums::Sum, Sums::Affine, Sums::AffineWithGaps];

    pub fn reduction(self) -> coll::Reduction {
        use coll::{Operator, Reduction};
        let affine = || Operator::User(Arc::new(Affine));
        let vectors = datatype::Vectors::best();
        match self {
            Sums::Sum => Reduction {
                operator: Operator::Predefined(datatype::Op::Sum),
                datatype: predefined(0x209).expect("MPI_INT").clone(),
                vectors,
            },
            Sums::Affine => Reduction {
                operator: affine(),
                datatype: element(0),
                vectors,
            },
            Sums::AffineWithGaps => Reduction {
                operator: affine(),
                datatype: element(1),
                vectors,
            },
        }
    }

    /// Bytes of data in an element.
    pub fn size(self) -> usize {
        self.reduction().datatype.size() as usize
    }

    pub fn reference(self, vectors: &[Vec<u8>]) -> Vec<u8> {
        match self {
            Sums::Sum => summed(vectors),
            Sums::Affine | Sums::AffineWithGaps => composed(vectors),
        }
    }
}

/// All ranks but `late` go as far as possible; none may be done before `late` begins.
pub fn barrier_with_a_late_rank(size: u32, late: u32, algorithm: coll::rules::Barrier) {
    let rules = coll::Rules {
        barrier_algorithm: Some(algorithm),
        ..coll::Rules::default()
    };
    let begin = |port: &Port, rank| coll::barrier_by(port, &rules, Team { rank, size });
    let actor = |rank| Actor::new(0, rank, |port| begin(port, rank));
    let mut network = Network::new((0..size).map(actor).collect(), 5);
    for _ in 0..3 * size {
        for index in (0..size as usize).filter(|index| *index != late as usize) {
            network.poll(index, true);
            assert!(
                network.actors[index].result.is_none(),
                "rank {index} left too early"
            );
        }
        let pairs: Vec<_> = network.lanes.keys().copied().collect();
        for pair in pairs {
            while network.match_one(pair) {}
        }
    }
    network.run();
}
