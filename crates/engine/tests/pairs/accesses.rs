//! Tests of put, get and accumulate in the other process's memory, over lanes that can do some of
//! them and over messages.

use base::{PeerId, Rank};
use btl_sim::{Config, Gets};
use datatype::constants::MPI_INT64_T;
use datatype::{Basic, Buffer, Op};
use memory::Scratch;
use osc::{Access, Lock, Memory, OpId, Osc, TargetBytes, Verb, WindowId};

use crate::world::{content, lanes, World};

/// Bytes of each window: it holds the longest access behind the shortest offset.
const WINDOW: usize = 100_008;

/// Two processes with a window each.
struct Windows {
    world: World,
    memory: Vec<Scratch>,
    windows: Vec<WindowId>,
    _lent: Vec<Scratch>,
}

impl Windows {
    fn new(config: Config) -> Windows {
        let world = World::new(2, config);
        let memory: Vec<Scratch> = (0..2).map(|_| Scratch::new(WINDOW)).collect();
        let mut windows = Vec::new();
        for (engine, memory) in world.engines.iter().zip(&memory) {
            let mut core = engine.enter();
            windows.push(core.osc().open_window(Memory::Attached(vec![memory.buf()])));
        }
        let names: Vec<_> = (0..).map(PeerId).zip(&windows).collect();
        let names: Vec<_> = names
            .into_iter()
            .map(|(peer, window)| (peer, window.name()))
            .collect();
        for (engine, window) in world.engines.iter().zip(&windows) {
            engine.enter().osc().join(*window, &names);
        }
        Windows {
            world,
            memory,
            windows,
            _lent: Vec::new(),
        }
    }

    /// Something that process 0 does with process 1's window.
    fn act<T>(&self, act: impl FnOnce(&mut Osc, WindowId, Rank) -> T) -> T {
        let mut core = self.world.engines[0].enter();
        let result = act(core.osc(), self.windows[0], Rank(1));
        core.send_accesses();
        result
    }

    fn until(&mut self, what: &str, done: impl Fn(&mut Osc, WindowId, Rank) -> bool) {
        for _ in 0..20_000 {
            if self.act(&done) {
                return;
            }
            self.world.round();
        }
        panic!("stuck: {what}");
    }

    /// Does an access at an offset under a lock, and waits until it is over at the other.
    fn access(&mut self, verb: Verb, offset: usize, len: usize) {
        self.act(|osc, window, target| osc.begin_lock(window, target, Lock::Exclusive, true))
            .expect("no lock is held");
        self.until("the lock", |osc, window, target| {
            osc.is_granted(window, target).expect("nobody fails")
        });
        let place = TargetBytes::Layout(self.memory[1].buf().part(offset, len).into());
        let access = Access { verb, place };
        let begun: Option<OpId> = self.act(|osc, window, target| {
            assert!(osc.may_begin(window, target).expect("nobody fails"));
            osc.begin(window, target, access, true)
        });
        self.act(|osc, window, target| osc.begin_unlock(window, target))
            .expect("it is locked");
        self.until("the unlock", |osc, window, target| {
            osc.is_settled(window, target).expect("nobody fails")
        });
        if let Some(begun) = begun {
            let outcome = self.act(|osc, _, _| osc.outcome(begun));
            assert_eq!(outcome, Some(Ok(())));
        }
    }

    fn fill(&self, process: usize, bytes: &[u8], offset: usize) {
        self.memory[process].buf().write(offset, bytes);
    }

    fn bytes(&self, process: usize) -> Vec<u8> {
        let mut bytes = vec![0; WINDOW];
        self.memory[process].buf().read(0, &mut bytes);
        bytes
    }

    fn lend(&mut self, bytes: &[u8]) -> Buffer {
        let memory = Scratch::new(bytes.len());
        memory.buf().write(0, bytes);
        let buffer = Buffer::bytes(memory.buf());
        self._lent.push(memory);
        buffer
    }
}

/// The lanes, and those that cannot put.
fn all_lanes() -> Vec<(&'static str, Config)> {
    let mut lanes = lanes();
    let without_puts = Config {
        puts: false,
        gets: Gets::None,
        ..lanes[0].1.clone()
    };
    lanes.push(("messages alone", without_puts));
    lanes
}

#[test]
fn what_is_put_lies_there_and_nothing_beside_it_changes() {
    for (name, config) in all_lanes() {
        for len in [1, 8, 1000, 5000, 100_000] {
            println!("{name}, {len} bytes");
            let mut windows = Windows::new(config.clone());
            windows.fill(1, &[0x5a; WINDOW], 0);
            let said = content(0, 1, len);
            let from = windows.lend(&said);
            windows.access(Verb::Put { from }, 3, len);
            let bytes = windows.bytes(1);
            assert!(bytes[3..3 + len] == said, "other bytes");
            let beside = bytes[..3].iter().chain(&bytes[3 + len..]);
            assert!(beside.into_iter().all(|byte| *byte == 0x5a));
        }
    }
}

#[test]
fn what_is_got_is_what_lies_there() {
    for (name, config) in all_lanes() {
        for len in [1, 8, 1000, 5000, 100_000] {
            println!("{name}, {len} bytes");
            let mut windows = Windows::new(config.clone());
            let there = content(1, 2, len);
            windows.fill(1, &there, 5);
            let into = windows.lend(&vec![0; len]);
            let room = into.contiguous().expect("bytes");
            windows.access(Verb::Get { into }, 5, len);
            let mut got = vec![0; len];
            room.read(0, &mut got);
            assert!(got == there, "other bytes");
        }
    }
}

#[test]
fn an_accumulate_adds_each_element_and_brings_what_was_there() {
    let known = datatype::predefined(MPI_INT64_T).and_then(|known| known.predefined());
    let element: &'static Basic = known.expect("a predefined datatype");
    for (name, config) in all_lanes() {
        for count in [1usize, 100, 9000] {
            println!("{name}, {count} elements");
            let mut windows = Windows::new(config.clone());
            let words = |first: i64| -> Vec<u8> {
                let words = (0..count as i64).map(|n| first + 3 * n);
                words.flat_map(i64::to_ne_bytes).collect()
            };
            windows.fill(1, &words(100), 8);
            let from = windows.lend(&words(7));
            let before = windows.lend(&vec![0; 8 * count]);
            let brought = before.contiguous().expect("bytes");
            let verb = Verb::Accumulate {
                op: Op::Sum,
                element,
                from,
                before: Some(before),
            };
            windows.access(verb, 8, 8 * count);
            let mut was = vec![0; 8 * count];
            brought.read(0, &mut was);
            assert!(was == words(100), "what was there");
            let sums = (0..count as i64).map(|n| 107 + 6 * n);
            let sums: Vec<u8> = sums.flat_map(i64::to_ne_bytes).collect();
            assert!(windows.bytes(1)[8..8 + 8 * count] == sums, "the sums");
        }
    }
}
