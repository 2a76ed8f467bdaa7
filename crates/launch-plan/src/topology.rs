//! The topology of one machine: hardware threads, with the core, caches, NUMA domain and package
//! that each belongs to.
//!
//! A [`Topology`] is a plain value. [`Topology::of_this_machine`] reads it from the system; a
//! launcher on another host sends it as bytes ([`Topology::encode`], [`Topology::decode`]).
//! Numbers of objects are logical: they count from 0 in the order in which the objects are found
//! when one goes from package to package, so they have no gaps and do not repeat, other than the
//! system's.

mod read;
mod wire;

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

pub use wire::Malformed;

/// Processors are numbered below this, the size of the system's default processor set.
pub const CPUS_MAX: usize = 1024;

/// A kind of object that ranks are put on or bound to, from wide to narrow.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Unit {
    /// A whole machine.
    Node,
    /// A package: the processors in one socket.
    Package,
    /// Processors that share near memory.
    Numa,
    /// Processors that share a cache of the third level.
    L3,
    /// Processors that share a cache of the second level.
    L2,
    /// Processors that share a data cache of the first level.
    L1,
    /// A core.
    Core,
    /// A hardware thread.
    Thread,
}

impl Unit {
    /// All kinds.
    pub const ALL: [Unit; 8] = [
        Unit::Node,
        Unit::Package,
        Unit::Numa,
        Unit::L3,
        Unit::L2,
        Unit::L1,
        Unit::Core,
        Unit::Thread,
    ];

    /// The name that options and messages use.
    pub fn name(self) -> &'static str {
        match self {
            Unit::Node => "node",
            Unit::Package => "package",
            Unit::Numa => "numa",
            Unit::L3 => "l3cache",
            Unit::L2 => "l2cache",
            Unit::L1 => "l1cache",
            Unit::Core => "core",
            Unit::Thread => "hwthread",
        }
    }
}

/// A hardware thread.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Thread {
    /// The thread's processor, as the system counts.
    pub cpu: u32,
    /// Number of the object of each unit that it is part of.
    of: [u32; Unit::ALL.len()],
    /// Where it is in the whole machine, of which this process may not use all.
    pub whole: Whole,
}

/// The position of a hardware thread in its whole machine, for people to read.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Whole {
    /// The number of its package.
    pub package: u32,
    /// The number of its core, counted over all packages.
    pub core: u32,
    /// The thread's number among those of its core.
    pub thread: u32,
}

impl Thread {
    /// The logical number of the object of this kind that the thread is part of. Where a machine
    /// has no such cache, that of the package (level 3) or of the core.
    pub fn number(&self, unit: Unit) -> u32 {
        self.of[unit as usize]
    }
}

/// The processors of one machine that ranks may run on.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Topology {
    /// Threads of one object side by side, from package to core. Never empty.
    threads: Vec<Thread>,
    /// How many threads run at a time, where a quota allows fewer than there are.
    quota: u32,
}

impl Topology {
    /// A machine of `packages` with `cores` each, of `threads` each, for tests. The system counts
    /// the first threads of all cores before the second ones.
    pub fn regular(packages: u32, cores: u32, threads: u32) -> Topology {
        let all = packages * cores;
        let thread = |core: u32, which: u32| Thread {
            cpu: which * all + core,
            of: [
                0,
                core / cores,
                core / cores,
                core / cores,
                core,
                core,
                core,
                0,
            ],
            whole: Whole::default(),
        };
        let list = (0..all).flat_map(|core| (0..threads).map(move |which| thread(core, which)));
        Topology::whole(list.collect(), u32::MAX)
    }

    /// As [`Topology::new`], where `threads` are all that the machine has.
    fn whole(threads: Vec<Thread>, quota: u32) -> Topology {
        let mut topology = Topology::new(threads, quota);
        let mut before: Option<Whole> = None;
        for thread in &mut topology.threads {
            let (package, core) = (thread.number(Unit::Package), thread.number(Unit::Core));
            let beside = before.filter(|before| before.core == core);
            thread.whole = Whole {
                package,
                core,
                thread: beside.map_or(0, |before| before.thread + 1),
            };
            before = Some(thread.whole);
        }
        topology
    }

    /// Makes a topology of `threads`, which must not be empty; their objects may have any distinct
    /// numbers.
    fn new(mut threads: Vec<Thread>, quota: u32) -> Topology {
        debug_assert!(!threads.is_empty());
        threads.sort_by_key(|thread| (thread.of, thread.cpu));
        for (at, thread) in threads.iter_mut().enumerate() {
            thread.of[Unit::Thread as usize] = at as u32;
        }
        for unit in Unit::ALL {
            renumber(&mut threads, unit);
        }
        let quota = quota.clamp(1, threads.len() as u32);
        Topology { threads, quota }
    }

    /// All hardware threads, those of a core side by side.
    pub fn threads(&self) -> &[Thread] {
        &self.threads
    }

    /// How many objects of this kind there are; at least 1.
    pub fn count(&self, unit: Unit) -> u32 {
        let last = self.threads.iter().map(|thread| thread.number(unit)).max();
        last.map_or(1, |last| last + 1)
    }

    /// The processors of each object of this kind, as the system counts them: at index `n` those
    /// of the object with the logical number `n`.
    pub fn objects(&self, unit: Unit) -> Vec<Vec<u32>> {
        let mut objects = vec![Vec::new(); self.count(unit) as usize];
        for thread in &self.threads {
            objects[thread.number(unit) as usize].push(thread.cpu);
        }
        objects
    }

    /// How many ranks run side by side, one to each core or hardware thread, and no more than a
    /// quota allows.
    pub fn room(&self, unit: Unit) -> u32 {
        self.count(unit).min(self.quota)
    }

    /// Returns this machine with only the threads that `keep` accepts; `None` when there are no
    /// such threads.
    pub fn only(&self, keep: impl Fn(&Thread) -> bool) -> Option<Topology> {
        let threads: Vec<Thread> = self.threads.iter().copied().filter(|t| keep(t)).collect();
        (!threads.is_empty()).then(|| Topology::new(threads, self.quota))
    }
}

/// Gives the objects of a kind new numbers, in the order in which they come.
fn renumber(threads: &mut [Thread], unit: Unit) {
    let mut numbers = HashMap::new();
    for thread in threads {
        let number = &mut thread.of[unit as usize];
        let next = numbers.len() as u32;
        *number = *numbers.entry(*number).or_insert(next);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_have_logical_numbers_and_the_systems_processors() {
        let machine = Topology::regular(2, 2, 2);
        assert_eq!(
            machine.objects(Unit::Core),
            [[0, 4], [1, 5], [2, 6], [3, 7]]
        );
        assert_eq!(machine.objects(Unit::Package), [[0, 4, 1, 5], [2, 6, 3, 7]]);
        assert_eq!(machine.objects(Unit::Node).len(), 1);
        assert_eq!(machine.objects(Unit::Thread)[1], [4]);
        let counts = Unit::ALL.map(|unit| machine.count(unit));
        assert_eq!(counts, [1, 2, 2, 2, 4, 4, 4, 8]);
    }

    #[test]
    fn a_part_of_a_machine_counts_from_zero() {
        let machine = Topology::regular(2, 2, 2);
        let part = machine.only(|thread| thread.cpu % 4 >= 2).unwrap();
        assert_eq!(part.objects(Unit::Package), [[2, 6, 3, 7]]);
        assert_eq!(part.objects(Unit::Core), [[2, 6], [3, 7]]);
        let last = Whole {
            package: 1,
            core: 3,
            thread: 1,
        };
        assert_eq!((part.threads()[3].cpu, part.threads()[3].whole), (7, last));
        assert_eq!(machine.only(|_| false), None);
    }

    #[test]
    fn a_quota_leaves_less_room() {
        let mut machine = Topology::regular(1, 4, 2);
        assert_eq!(
            (machine.room(Unit::Core), machine.room(Unit::Thread)),
            (4, 8)
        );
        machine.quota = 3;
        assert_eq!(
            (machine.room(Unit::Core), machine.room(Unit::Thread)),
            (3, 3)
        );
    }
}
