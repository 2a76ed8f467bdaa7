//! Runs the algorithms on simulated ranks, whose messages take time by a model and move no data.
//!
//! A message of m bytes keeps its sender's port for `OVERHEAD + m BETA`, arrives `LATENCY` later,
//! and keeps the receiver's port as long again; ports send and receive at the same time. Combining
//! m bytes takes `m GAMMA`. Copies inside a rank take no time.

use std::cmp::Reverse;
use std::collections::hash_map::Entry;
use std::collections::{BinaryHeap, HashMap, VecDeque};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Arc;

use coll::port::{Kind, Posted};
use coll::{Collective, Combine, Failure, Operator, Port, Reduction, Running, Team};
use datatype::{predefined, Buffer, Datatype};
use memory::{Scratch, UserBuf};

/// Picoseconds, so that all sums are exact: half a microsecond for a message at either end, a whole
/// one on the way, 10 GB/s, and 8 GB/s for combining.
const OVERHEAD: u64 = 500_000;
const LATENCY: u64 = 1_000_000;
const BETA: u64 = 100;
const GAMMA: u64 = 125;

/// Memory for the data of all ranks, which is never read.
pub struct Memory(Scratch);

impl Memory {
    pub fn new(bytes: usize) -> Memory {
        Memory(Scratch::new(2 * bytes))
    }

    /// Memory that ranks send from: the first half.
    pub fn send(&self, len: usize) -> Buffer {
        Buffer::bytes(self.0.buf().part(0, len))
    }

    /// Memory that ranks receive into: the second half.
    pub fn recv(&self, len: usize) -> Buffer {
        let half = self.0.buf().len() / 2;
        Buffer::bytes(self.0.buf().part(half, len))
    }
}

/// Counts the bytes that would be combined.
struct Tally(Arc<AtomicUsize>);

impl Combine for Tally {
    fn commutative(&self) -> bool {
        true
    }

    fn combine(&self, _: &Datatype, source: UserBuf, _: UserBuf, _: usize) -> Result<(), Failure> {
        self.0.fetch_add(source.len(), Ordering::Relaxed);
        Ok(())
    }
}

#[derive(Clone, Copy)]
enum Event {
    Arrives { from: u32, to: u32, bytes: usize },
    Ends { rank: u32, slot: u32, bytes: usize },
}

/// The time of an event, and its number, which orders events of one time.
type When = (u64, u64);

/// Events of one port, in the order in which they were planned, so only the first has to be
/// compared with those of others.
#[derive(Default)]
struct Queue(VecDeque<(When, Event)>);

/// The queues of a rank, by number: arrivals of its messages, completions of its sends, and those
/// of its receives.
const ARRIVING: usize = 0;
const SENT: usize = 1;
const RECEIVED: usize = 2;

/// The source of the next event of many.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Next {
    /// The head of a queue of a rank.
    Queue { rank: u32, queue: usize },
    /// A message that arrived before its receive was posted ends in this slot.
    Late { rank: u32, slot: u32, bytes: usize },
}

/// The messages between two ranks. Most pairs have one at most, and there are many pairs.
enum Pair {
    /// Arrival time of an unexpected message.
    There(u64),
    /// The slot of a posted receive.
    Expected(u32),
    /// Several of either, in order.
    AllThere(VecDeque<u64>),
    AllExpected(VecDeque<u32>),
}

struct Rank {
    collective: Collective,
    queues: [Queue; 3],
    combined: Arc<AtomicUsize>,
    out_free: u64,
    in_free: u64,
    over: bool,
}

struct Network {
    ranks: Vec<Rank>,
    pairs: HashMap<(u32, u32), Pair>,
    /// One entry for each queue that has something, and the rest.
    events: BinaryHeap<Reverse<(When, Next)>>,
    order: u64,
    last: u64,
}

/// Microseconds until the last of `size` ranks is through.
pub fn microseconds(size: u32, begin: &dyn Fn(&Port, Team, Reduction) -> Running) -> f64 {
    let rank = |rank| {
        let (port, combined) = (Port::new(), Arc::new(AtomicUsize::new(0)));
        let reduction = Reduction {
            operator: Operator::User(Arc::new(Tally(combined.clone()))),
            datatype: predefined(0x209).expect("MPI_INT").clone(),
            vectors: datatype::Vectors::best(),
        };
        let running = begin(&port, Team { rank, size }, reduction);
        Rank {
            collective: Collective::new(port, running),
            queues: Default::default(),
            combined,
            out_free: 0,
            in_free: 0,
            over: false,
        }
    };
    let mut network = Network {
        ranks: (0..size).map(rank).collect(),
        pairs: HashMap::new(),
        events: BinaryHeap::new(),
        order: 0,
        last: 0,
    };
    for rank in 0..size {
        network.go_on(rank, 0);
    }
    while let Some(Reverse(((now, _), next))) = network.events.pop() {
        let event = network.take(next);
        network.happen(now, event);
    }
    assert!(
        network.ranks.iter().all(|rank| rank.over),
        "all are through"
    );
    network.last as f64 / 1e6
}

impl Network {
    fn when(&mut self, time: u64) -> When {
        self.order += 1;
        (time, self.order)
    }

    /// Plans an event that comes after all others of its queue.
    fn at(&mut self, time: u64, rank: u32, queue: usize, event: Event) {
        let when = self.when(time);
        let all = &mut self.ranks[rank as usize].queues[queue].0;
        if let Some((last, _)) = all.back() {
            assert!(*last < when, "a port keeps its order");
        } else {
            let next = Next::Queue { rank, queue };
            self.events.push(Reverse((when, next)));
        }
        all.push_back((when, event));
    }

    /// The next event, whose queue goes on with the one after it.
    fn take(&mut self, next: Next) -> Event {
        let (rank, queue) = match next {
            Next::Queue { rank, queue } => (rank, queue),
            Next::Late { rank, slot, bytes } => return Event::Ends { rank, slot, bytes },
        };
        let all = &mut self.ranks[rank as usize].queues[queue].0;
        let (_, event) = all.pop_front().expect("it was announced");
        if let Some((when, _)) = all.front() {
            let next = Next::Queue { rank, queue };
            self.events.push(Reverse((*when, next)));
        }
        event
    }

    fn happen(&mut self, now: u64, event: Event) {
        match event {
            Event::Arrives { from, to, bytes } => {
                let rank = &mut self.ranks[to as usize];
                let done = now.max(rank.in_free + OVERHEAD + bytes as u64 * BETA);
                rank.in_free = done;
                if let Some(slot) = self.take_expected((from, to), done) {
                    let rank = to;
                    self.at(done, rank, RECEIVED, Event::Ends { rank, slot, bytes });
                }
            }
            Event::Ends { rank, slot, bytes } => {
                let collective = &mut self.ranks[rank as usize].collective;
                collective.complete(slot, Ok(bytes));
                if collective.is_runnable() {
                    self.go_on(rank, now);
                }
            }
        }
    }

    fn go_on(&mut self, index: u32, now: u64) {
        let rank = &mut self.ranks[index as usize];
        if rank.over {
            return;
        }
        let over = rank.collective.poll().is_ready();
        let combined = rank.combined.swap(0, Ordering::Relaxed);
        let now = now + combined as u64 * GAMMA;
        rank.over = over;
        if over {
            self.last = self.last.max(now);
        }
        let mut posted = Vec::new();
        rank.collective.take_posted(&mut posted);
        for message in posted {
            self.post(index, now, &message);
        }
    }

    fn post(&mut self, index: u32, now: u64, message: &Posted) {
        let (peer, slot) = (message.peer.rank, message.slot);
        let bytes = message.buffer.len();
        if message.kind == Kind::Send {
            let rank = &mut self.ranks[index as usize];
            let start = now.max(rank.out_free);
            let gone = start + OVERHEAD + bytes as u64 * BETA;
            rank.out_free = gone;
            let (from, to) = (index, peer);
            let arrives = Event::Arrives { from, to, bytes };
            self.at(gone + LATENCY, index, ARRIVING, arrives);
            let rank = index;
            return self.at(gone, rank, SENT, Event::Ends { rank, slot, bytes });
        }
        if let Some(there) = self.take_there((peer, index), slot) {
            let when = self.when(now.max(there));
            let rank = index;
            self.events
                .push(Reverse((when, Next::Late { rank, slot, bytes })));
        }
    }

    /// The slot that waits for a message of a pair. Where none does the message stays, since
    /// `done`.
    fn take_expected(&mut self, pair: (u32, u32), done: u64) -> Option<u32> {
        let mut entry = match self.pairs.entry(pair) {
            Entry::Vacant(vacant) => {
                vacant.insert(Pair::There(done));
                return None;
            }
            Entry::Occupied(entry) => entry,
        };
        let slot = match entry.get_mut() {
            Pair::Expected(slot) => *slot,
            Pair::AllExpected(slots) if slots.len() > 1 => return slots.pop_front(),
            Pair::AllExpected(slots) => slots[0],
            Pair::AllThere(all) => {
                all.push_back(done);
                return None;
            }
            Pair::There(first) => {
                let all = VecDeque::from([*first, done]);
                entry.insert(Pair::AllThere(all));
                return None;
            }
        };
        entry.remove();
        Some(slot)
    }

    /// Since when a message of a pair is there. Where none is `slot` waits for it.
    fn take_there(&mut self, pair: (u32, u32), slot: u32) -> Option<u64> {
        let mut entry = match self.pairs.entry(pair) {
            Entry::Vacant(vacant) => {
                vacant.insert(Pair::Expected(slot));
                return None;
            }
            Entry::Occupied(entry) => entry,
        };
        let there = match entry.get_mut() {
            Pair::There(there) => *there,
            Pair::AllThere(all) if all.len() > 1 => return all.pop_front(),
            Pair::AllThere(all) => all[0],
            Pair::AllExpected(slots) => {
                slots.push_back(slot);
                return None;
            }
            Pair::Expected(first) => {
                let slots = VecDeque::from([*first, slot]);
                entry.insert(Pair::AllExpected(slots));
                return None;
            }
        };
        entry.remove();
        Some(there)
    }
}
