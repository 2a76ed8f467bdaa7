//! Windows of several processes in one thread, from seeds: frames are late, lanes are busy, and
//! messages overtake each other. What comes out is compared with a model that does each operation
//! at once. A failing seed is the bug report.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use base::{PeerId, Random, Rank};
use datatype::constants::MPI_INT;
use datatype::{Basic, Buffer, Datatype, Op};
use memory::{Payload, Scratch, Slot};
use osc::{Access, AccessStart, Lock, Memory, OpId, Osc, TargetBytes, Verb, WindowId};

const PROCESSES: usize = 3;
/// Words that each process has for itself in every window, and those that all add to.
const OWN: usize = 40;
const COMMON: usize = 20;
const WORDS: usize = PROCESSES * OWN + COMMON;
/// Words that no window has, before and behind.
const GUARD: usize = 64;

struct World {
    random: Random,
    osc: Vec<Osc>,
    windows: Vec<WindowId>,
    memory: Vec<Scratch>,
    wires: HashMap<(usize, usize), VecDeque<Vec<u8>>>,
    /// The longest message.
    max: usize,
    /// Accesses that were sent at once.
    at_once: usize,
}

impl World {
    fn new(seed: u64) -> World {
        let mut random = Random::new(seed);
        // Answers to one request are in several messages where these are short.
        let longest = if random.chance(30) { 100 } else { 3000 };
        let max = 128 + random.index(longest);
        let mut osc: Vec<Osc> = (0..PROCESSES).map(|_| Osc::default()).collect();
        let bytes = 4 * (WORDS + 2 * GUARD);
        let memory: Vec<Scratch> = (0..PROCESSES).map(|_| Scratch::new(bytes)).collect();
        let part = |memory: &Scratch| memory.buf().part(4 * GUARD, 4 * WORDS);
        // In a dynamic window places are addresses, and all memory is of this process.
        let open = |(osc, memory): (&mut Osc, &Scratch)| {
            osc.open_window(Memory::Attached(vec![part(memory)]))
        };
        let windows: Vec<WindowId> = osc.iter_mut().zip(&memory).map(open).collect();
        let names = windows.iter().zip(0..);
        let members: Vec<_> = names.map(|(id, peer)| (PeerId(peer), id.name())).collect();
        for (osc, window) in osc.iter_mut().zip(&windows) {
            osc.join(*window, &members);
        }
        World {
            random,
            osc,
            windows,
            memory,
            wires: HashMap::new(),
            max,
            at_once: 0,
        }
    }

    /// Moves something, somewhere. False when there is nothing to move.
    fn step(&mut self) -> bool {
        let from = self.random.index(PROCESSES);
        if self.random.chance(60) {
            self.send(from);
        }
        let full =
            |(wire, frames): (&(usize, usize), &VecDeque<_>)| (!frames.is_empty()).then_some(*wire);
        let mut full: Vec<_> = self.wires.iter().filter_map(full).collect();
        full.sort_unstable();
        if full.is_empty() {
            return self.osc.iter().any(Osc::has_frames);
        }
        let (from, to) = full[self.random.index(full.len())];
        let wire = self.wires.get_mut(&(from, to)).unwrap();
        let ahead = match self.random.chance(20) {
            true => self.random.index(wire.len().min(4)),
            false => 0,
        };
        let frame = wire.remove(ahead).unwrap();
        let payload = Payload::from(&frame[..]);
        self.osc[to].arrived(PeerId(from as u32), payload).unwrap();
        self.reply(to);
        true
    }

    /// Sends the reply to the message just handled at once, unless the lane is busy, or nobody
    /// polls.
    fn reply(&mut self, from: usize) {
        let osc = &mut self.osc[from];
        if !self.random.chance(70) {
            return;
        }
        osc.cut_reply(self.max);
        while let Some(reply) = osc.reply() {
            if reply.len() > self.max || self.random.chance(40) {
                return osc.queue_reply();
            }
            let head = reply.head();
            let mut bytes = head.to_vec();
            bytes.resize(reply.len(), 0);
            reply.pack(&mut Slot::from(&mut bytes[head.len()..]));
            let to = reply.peer.index();
            osc.reply_sent();
            self.wires.entry((from, to)).or_default().push_back(bytes);
        }
    }

    /// Takes a few messages of a process, unless its lanes are busy.
    fn send(&mut self, from: usize) {
        let mut at = 0;
        while let Some(peer) = self.osc[from].ready_peer(at) {
            let Some(frame) = self.osc[from].next_frame(peer, self.max) else {
                continue;
            };
            if self.random.chance(40) {
                at += 1;
                continue;
            }
            assert!(frame.header.len() + frame.len <= self.max);
            let mut data = vec![0; frame.len];
            frame.pack(&mut Slot::from(&mut data[..]));
            let bytes = [frame.header, &data].concat();
            self.osc[from].frame_sent(peer);
            let wire = self.wires.entry((from, peer.index())).or_default();
            wire.push_back(bytes);
        }
    }

    /// Offers an access to the lane at once. False where it is to be queued, as it is where its
    /// lane is busy.
    fn send_now(&mut self, origin: usize, target: usize, access: &Access) -> bool {
        let (window, rank) = (self.windows[origin], Rank(target as u32));
        let (random, wires) = (&mut self.random, &mut self.wires);
        let sent = self.osc[origin].send_now((window, rank), access, |peer, header, data| {
            if random.chance(40) {
                return AccessStart::Busy;
            }
            let mut bytes = header.to_vec();
            bytes.resize(header.len() + data.len(), 0);
            data.read(0, &mut bytes[header.len()..]);
            assert_eq!(peer, PeerId(target as u32));
            let wire = wires.entry((origin, target)).or_default();
            wire.push_back(bytes);
            AccessStart::Sent
        });
        self.at_once += usize::from(sent == AccessStart::Sent);
        sent == AccessStart::Sent
    }

    fn settle(&mut self) {
        while self.step() {}
    }

    fn words(&self, process: usize) -> Vec<i32> {
        let mut bytes = vec![0; 4 * WORDS];
        self.memory[process].buf().read(4 * GUARD, &mut bytes);
        ints(&bytes)
    }

    fn check_guards(&self) {
        for memory in &self.memory {
            let mut guard = [1; 4 * GUARD];
            memory.buf().read(0, &mut guard);
            assert_eq!(guard, [0; 4 * GUARD]);
            memory.buf().read(4 * (GUARD + WORDS), &mut guard);
            assert_eq!(guard, [0; 4 * GUARD]);
        }
    }

    /// Elements in the memory of a process from a word on.
    fn place(
        &self,
        process: usize,
        word: usize,
        count: usize,
        datatype: &Arc<Datatype>,
    ) -> TargetBytes {
        let room = self.memory[process].buf().from(4 * (GUARD + word));
        TargetBytes::Layout(Buffer::over(room, count, datatype).unwrap())
    }
}

fn ints(bytes: &[u8]) -> Vec<i32> {
    let int = |word: &[u8]| i32::from_le_bytes(word.try_into().unwrap());
    bytes.chunks_exact(4).map(int).collect()
}

fn int() -> (&'static Arc<Datatype>, &'static Basic) {
    let datatype = datatype::predefined(MPI_INT).unwrap();
    (datatype, datatype.predefined().unwrap())
}

/// Words as an origin's buffer.
fn holding(words: &[i32]) -> Scratch {
    let scratch = Scratch::new(4 * words.len());
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    scratch.buf().write(0, &bytes);
    scratch
}

/// Words of a target's memory that an operation accesses, in order.
fn selection(random: &mut Random, origin: usize) -> (usize, usize, Arc<Datatype>, Vec<usize>) {
    let (int, _) = int();
    let own = origin * OWN;
    let (first, room) = match random.chance(50) {
        true => (own, OWN),
        false => (PROCESSES * OWN, COMMON),
    };
    let gap = 1 + random.index(4);
    let count = 1 + random.index(room / gap);
    let begin = first + random.index(room - (count - 1) * gap);
    let words = (0..count).map(|index| begin + index * gap).collect();
    if gap == 1 {
        return (begin, count, int.clone(), words);
    }
    let column = Datatype::vector(count as i64, 1, gap as i64, int).unwrap();
    (begin, 1, Arc::new(column), words)
}

/// One operation under way, and its expected result.
struct Reading {
    process: usize,
    /// The operation; `None` for one that was sent at once.
    id: Option<OpId>,
    into: Scratch,
    expected: Option<Vec<i32>>,
}

#[test]
fn random_programs_do_what_a_model_does() {
    let mut at_once = 0;
    for seed in 0..150 {
        let mut world = World::new(seed);
        let mut model = vec![vec![0i32; WORDS]; PROCESSES];
        let (mut readings, mut kept) = (Vec::new(), Vec::new());
        for process in 0..PROCESSES {
            let window = world.windows[process];
            world.osc[process].begin_lock_all(window, true).unwrap();
        }
        world.settle();
        for _ in 0..120 {
            begin_some(&mut world, &mut model, &mut readings, &mut kept);
            for _ in 0..world.random.index(6) {
                world.step();
            }
        }
        world.settle();
        for reading in readings {
            let Reading {
                process,
                id,
                into,
                expected,
            } = reading;
            if let Some(id) = id {
                assert_eq!(world.osc[process].outcome(id), Some(Ok(())), "seed {seed}");
            }
            let mut bytes = vec![0; into.buf().len()];
            into.buf().read(0, &mut bytes);
            if let Some(expected) = expected {
                assert_eq!(ints(&bytes), expected, "seed {seed}");
            }
        }
        for process in 0..PROCESSES {
            let window = world.windows[process];
            world.osc[process].begin_unlock_all(window).unwrap();
        }
        world.settle();
        for (process, expected) in model.iter().enumerate() {
            let window = world.windows[process];
            assert_eq!(world.osc[process].is_all_settled(window), Ok(true));
            assert_eq!(&world.words(process), expected, "seed {seed}");
            assert!(world.osc[process].is_idle());
        }
        world.check_guards();
        at_once += world.at_once;
    }
    assert!(at_once > 1000, "{at_once}");
}

/// A random operation of a random process. In its own words a process sees all that it did before;
/// to the common ones all add, and nobody knows what they see.
fn begin_some(
    world: &mut World,
    model: &mut [Vec<i32>],
    readings: &mut Vec<Reading>,
    kept: &mut Vec<Scratch>,
) {
    let (origin, target) = (world.random.index(PROCESSES), world.random.index(PROCESSES));
    let (mut begin, mut count, mut datatype, mut words) = selection(&mut world.random, origin);
    let common = begin >= PROCESSES * OWN;
    let swaps = !common && world.random.chance(20);
    if swaps {
        words.truncate(1);
        (begin, count, datatype) = (words[0], 1, int().0.clone());
    }
    let values: Vec<i32> = words.iter().map(|_| world.random.bits() as i32).collect();
    let from = holding(&values);
    let before: Vec<i32> = words.iter().map(|word| model[target][*word]).collect();
    let into = holding(&vec![-1; words.len()]);
    let equals = world.random.chance(60);
    let compare = holding(&[if equals { before[0] } else { values[0] }]);
    let choice = if swaps { 4 } else { world.random.index(4) };
    let op = match common {
        _ if choice == 2 && world.random.chance(30) => Op::NoOp,
        true => Op::Sum,
        false => Op::Replace,
    };
    let verb = verb((choice, common), op, [&from, &into, &compare]);
    if choice != 1 && (!swaps || equals) {
        for (word, value) in words.iter().zip(&values) {
            let place = &mut model[target][*word];
            *place = match op {
                Op::NoOp => *place,
                Op::Sum => place.wrapping_add(*value),
                _ => *value,
            };
        }
    }
    let reads = [1, 2, 4].contains(&choice);
    let place = world.place(target, begin, count, &datatype);
    let (window, rank) = (world.windows[origin], Rank(target as u32));
    assert_eq!(world.osc[origin].may_begin(window, rank), Ok(true));
    let access = Access { verb, place };
    let contiguous = datatype.predefined().is_some() && world.random.chance(70);
    let begun = match contiguous && world.send_now(origin, target, &access) {
        true => Some(None),
        false => {
            let begun = world.osc[origin].begin(window, rank, access, reads);
            begun.map(Some)
        }
    };
    kept.extend([from, compare]);
    match begun {
        Some(id) if reads => readings.push(Reading {
            process: origin,
            id,
            into,
            expected: (!common).then_some(before),
        }),
        _ => kept.push(into),
    }
}

/// Returns the access that was drawn, with its data, its destination and its comparand.
fn verb((choice, common): (usize, bool), op: Op, [from, into, compare]: [&Scratch; 3]) -> Verb {
    let (_, element) = int();
    let accumulate = |before| Verb::Accumulate {
        op,
        element,
        from: from.buf().into(),
        before,
    };
    match choice {
        0 if !common => Verb::Put {
            from: from.buf().into(),
        },
        1 => Verb::Get {
            into: into.buf().into(),
        },
        2 => accumulate(Some(into.buf().into())),
        4 => Verb::CompareAndSwap {
            element,
            compare: compare.buf(),
            new: from.buf(),
            before: into.buf().into(),
        },
        _ => accumulate(None),
    }
}

/// All count with the same word, by a read and a write under an exclusive lock.
#[test]
fn an_exclusive_lock_is_held_by_one_at_a_time() {
    const ROUNDS: i32 = 12;
    for seed in 0..60 {
        let mut world = World::new(seed);
        let (int, _) = int();
        let word = holding(&[0]);
        let mut counters = [0; PROCESSES];
        // What each waits for: 0 nothing, 1 the lock, 2 what it reads, 3 the end of the lock.
        let mut waits = [0; PROCESSES];
        let mut reads: Vec<Option<(OpId, Scratch)>> = (0..PROCESSES).map(|_| None).collect();
        let mut written = Vec::new();
        while counters.iter().any(|count| *count < ROUNDS) {
            world.step();
            let process = world.random.index(PROCESSES);
            let (window, target) = (world.windows[process], Rank(0));
            let place = world.place(0, 5, 1, int);
            let osc = &mut world.osc[process];
            match waits[process] {
                0 if counters[process] < ROUNDS => {
                    osc.begin_lock(window, target, Lock::Exclusive, true)
                        .unwrap();
                    waits[process] = 1;
                }
                1 if osc.is_granted(window, target).unwrap() => {
                    let into = holding(&[0]);
                    let access = Access {
                        verb: Verb::Get {
                            into: into.buf().into(),
                        },
                        place,
                    };
                    let id = osc.begin(window, target, access, true).unwrap();
                    reads[process] = Some((id, into));
                    waits[process] = 2;
                }
                2 if reads[process]
                    .as_ref()
                    .is_some_and(|(id, _)| osc.is_done(*id)) =>
                {
                    let (id, into) = reads[process].take().unwrap();
                    osc.outcome(id).unwrap().unwrap();
                    let mut bytes = [0; 4];
                    into.buf().read(0, &mut bytes);
                    let next = holding(&[i32::from_le_bytes(bytes) + 1]);
                    let access = Access {
                        verb: Verb::Put {
                            from: next.buf().into(),
                        },
                        place,
                    };
                    osc.begin(window, target, access, false);
                    osc.begin_unlock(window, target).unwrap();
                    written.push(next);
                    waits[process] = 3;
                }
                3 if osc.is_settled(window, target).unwrap() => {
                    counters[process] += 1;
                    waits[process] = 0;
                }
                _ => {}
            }
        }
        drop(word);
        assert_eq!(world.words(0)[5], ROUNDS * PROCESSES as i32, "seed {seed}");
    }
}

/// Whatever a broken peer sends, nothing is written outside the window, and nothing panics.
#[test]
fn damaged_messages_do_no_harm() {
    let mut refused = 0;
    for seed in 0..400 {
        let mut world = World::new(seed);
        let window = world.windows[1];
        world.osc[1].begin_lock_all(window, false).unwrap();
        for _ in 0..8 {
            let (mut model, mut readings) = (vec![vec![0; WORDS]; PROCESSES], Vec::new());
            for process in [0, 2] {
                let window = world.windows[process];
                // All but the first of these calls are refused: the epoch is open.
                let _ = world.osc[process].begin_lock_all(window, false);
            }
            let mut kept = Vec::new();
            begin_some(&mut world, &mut model, &mut readings, &mut kept);
            for from in 0..PROCESSES {
                world.send(from);
            }
            let wires: Vec<_> = world.wires.keys().copied().collect();
            for (from, to) in wires {
                while let Some(mut frame) = world.wires.get_mut(&(from, to)).unwrap().pop_front() {
                    for _ in 0..1 + world.random.index(3) {
                        let at = world.random.index(frame.len());
                        frame[at] = world.random.bits() as u8;
                    }
                    let payload = Payload::from(&frame[..]);
                    let taken = world.osc[to].arrived(PeerId(from as u32), payload);
                    refused += usize::from(taken.is_err());
                }
            }
            // What they were to be read into is gone; those who began give up on them.
            for (process, osc) in world.osc.iter_mut().enumerate() {
                for peer in (0..PROCESSES).filter(|peer| *peer != process) {
                    osc.peer_failed(PeerId(peer as u32), "a test");
                    osc.forget_peer(PeerId(peer as u32));
                }
                osc.peer_failed(PeerId(process as u32), "a test");
                osc.forget_peer(PeerId(process as u32));
            }
            world.check_guards();
        }
    }
    assert!(refused > 100, "{refused}");
}

#[test]
fn a_peer_that_dies_ends_what_needs_it_and_holds_no_lock() {
    let mut world = World::new(7);
    let (int, _) = int();
    let target = Rank(0);
    let windows = world.windows.clone();
    world.osc[1]
        .begin_lock(windows[1], target, Lock::Exclusive, true)
        .unwrap();
    world.settle();
    assert_eq!(world.osc[1].is_granted(windows[1], target), Ok(true));
    world.osc[2]
        .begin_lock(windows[2], target, Lock::Exclusive, true)
        .unwrap();
    world.settle();
    assert_eq!(world.osc[2].is_granted(windows[2], target), Ok(false));
    world.osc[0].peer_failed(PeerId(1), "it died");
    world.osc[2].peer_failed(PeerId(1), "it died");
    world.settle();
    assert_eq!(world.osc[2].is_granted(windows[2], target), Ok(true));

    let into = holding(&[0]);
    let place = world.place(0, 0, 1, int);
    let access = Access {
        verb: Verb::Get {
            into: into.buf().into(),
        },
        place,
    };
    let id = world.osc[2]
        .begin(windows[2], target, access, true)
        .unwrap();
    assert!(!world.osc[2].is_done(id));
    world.osc[2].peer_failed(PeerId(0), "it died");
    assert!(matches!(
        world.osc[2].outcome(id),
        Some(Err(osc::Error::PeerFailed { .. }))
    ));
    world.osc[2].begin_unlock(windows[2], target).unwrap();
    assert_eq!(world.osc[2].is_settled(windows[2], target), Ok(true));
}
