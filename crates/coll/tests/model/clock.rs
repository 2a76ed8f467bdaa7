//! Runs the algorithms on simulated ranks, whose messages take time by a model and move no data.
//!
//! A message of m bytes keeps its sender's port for `overhead + m beta`, arrives `latency` later,
//! and keeps the receiver's port as long again; ports send and receive at the same time. Combining
//! m bytes takes `m GAMMA`. Copies inside a rank take no time.
//!
//! On a machine with nodes a message to another node keeps the port of its sender for the overhead
//! alone, and that of the sender's node, which all its ranks use, for `m beta`; likewise at the
//! other end.

use std::cmp::Reverse;
use std::collections::hash_map::Entry;
use std::collections::{BinaryHeap, HashMap, VecDeque};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Arc;

use coll::port::{Kind, Posted};
use coll::{Collective, Combine, Failure, Nodes, Operator, Port, Reduction, Rules, Running, Team};
use datatype::{predefined, Buffer, Datatype};
use memory::{Scratch, UserBuf};

/// Picoseconds a byte for combining: 8 GB/s.
const GAMMA: u64 = 125;

/// Costs of a message in picoseconds, so that all sums are exact.
#[derive(Clone, Copy)]
pub struct Link {
    /// At either end.
    pub overhead: u64,
    /// On the way.
    pub latency: u64,
    /// For a byte.
    pub beta: u64,
}

/// Half a microsecond for a message at either end, a whole one on the way, 10 GB/s.
const PLAIN: Link = Link {
    overhead: 500_000,
    latency: 1_000_000,
    beta: 100,
};

/// A machine of nodes.
#[derive(Clone)]
pub struct Machine {
    /// The node of each rank.
    pub node_of: Vec<u32>,
    /// Messages between ranks of a node.
    pub inside: Link,
    /// Messages between nodes.
    pub between: Link,
}

/// Memory for the data of all ranks, which is never read, and the machine that they run on.
pub struct Model {
    memory: Scratch,
    machine: Option<Machine>,
}

impl Model {
    /// A machine on which all ranks are alike.
    pub fn new(bytes: usize) -> Model {
        Model {
            memory: Scratch::new(2 * bytes),
            machine: None,
        }
    }

    /// Replaces the machine by one of nodes.
    pub fn on(self, machine: Machine) -> Model {
        Model {
            machine: Some(machine),
            ..self
        }
    }

    /// The rules of a rank that has no choice of its own.
    pub fn rules(&self, rank: u32) -> Rules {
        let machine = self.machine.as_ref();
        Rules {
            nodes: machine.and_then(|it| Nodes::new(rank, &it.node_of).map(Arc::new)),
            ..Rules::default()
        }
    }

    /// Memory that ranks send from: the first half.
    pub fn send(&self, len: usize) -> Buffer {
        Buffer::bytes(self.memory.buf().part(0, len))
    }

    /// Memory that ranks receive into: the second half.
    pub fn recv(&self, len: usize) -> Buffer {
        let half = self.memory.buf().len() / 2;
        Buffer::bytes(self.memory.buf().part(half, len))
    }

    /// Microseconds until the last of `size` ranks is through.
    pub fn microseconds(
        &self,
        size: u32,
        begin: &dyn Fn(&Port, Team, Reduction) -> Running,
    ) -> f64 {
        self.play(size, begin).0
    }

    /// Returns these microseconds, and how many messages the node sends to others that sends most.
    pub fn play(&self, size: u32, begin: &dyn Fn(&Port, Team, Reduction) -> Running) -> (f64, u64) {
        let mut network = Network::new(self.machine.as_ref(), size, begin);
        network.run();
        let sent = network.nodes.iter().map(|node| node.sent).max();
        (network.last as f64 / 1e6, sent.unwrap_or(0))
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

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Event {
    /// A message is at its receiver's port, or at that of the receiver's node.
    Arrives {
        from: u32,
        to: u32,
        bytes: usize,
    },
    /// A message of another node has passed the port of the receiver's node.
    Lands {
        from: u32,
        to: u32,
        bytes: usize,
    },
    Ends {
        rank: u32,
        slot: u32,
        bytes: usize,
    },
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
    /// An event that is in no order with others of its rank: of messages between nodes, and the
    /// end of one that arrived before its receive was posted.
    Alone(Event),
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

/// The port of a node: until when it sends and receives, and how many messages it has sent.
#[derive(Clone, Default)]
struct NodePort {
    sent: u64,
    out_free: u64,
    in_free: u64,
}

struct Network<'a> {
    machine: Option<&'a Machine>,
    nodes: Vec<NodePort>,
    ranks: Vec<Rank>,
    pairs: HashMap<(u32, u32), Pair>,
    /// One entry for each queue that has something, and the rest.
    events: BinaryHeap<Reverse<(When, Next)>>,
    order: u64,
    last: u64,
}

impl<'a> Network<'a> {
    fn new(
        machine: Option<&'a Machine>,
        size: u32,
        begin: &dyn Fn(&Port, Team, Reduction) -> Running,
    ) -> Network<'a> {
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
        let nodes = machine.map_or(0, |it| it.node_of.iter().max().map_or(0, |last| last + 1));
        Network {
            machine,
            nodes: vec![NodePort::default(); nodes as usize],
            ranks: (0..size).map(rank).collect(),
            pairs: HashMap::new(),
            events: BinaryHeap::new(),
            order: 0,
            last: 0,
        }
    }

    fn run(&mut self) {
        for rank in 0..self.ranks.len() as u32 {
            self.go_on(rank, 0);
        }
        while let Some(Reverse(((now, _), next))) = self.events.pop() {
            let event = self.take(next);
            self.happen(now, event);
        }
        let all_over = self.ranks.iter().all(|rank| rank.over);
        assert!(all_over, "all are through");
    }

    /// Returns the cost of a message, and whether it is one between nodes.
    fn link(&self, from: u32, to: u32) -> (Link, bool) {
        match self.machine {
            None => (PLAIN, false),
            Some(machine) => {
                let node = |rank: u32| machine.node_of[rank as usize];
                match node(from) == node(to) {
                    true => (machine.inside, false),
                    false => (machine.between, true),
                }
            }
        }
    }

    fn port_of(&mut self, rank: u32) -> &mut NodePort {
        let node = self.machine.map_or(0, |it| it.node_of[rank as usize]);
        &mut self.nodes[node as usize]
    }

    /// Plans an event that is in no order with others.
    fn alone(&mut self, time: u64, event: Event) {
        let when = self.when(time);
        self.events.push(Reverse((when, Next::Alone(event))));
    }

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
            Next::Alone(event) => return event,
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
                let (link, is_between) = self.link(from, to);
                if is_between {
                    let port = self.port_of(to);
                    let done = now.max(port.in_free + bytes as u64 * link.beta);
                    port.in_free = done;
                    return self.alone(done, Event::Lands { from, to, bytes });
                }
                let rank = &mut self.ranks[to as usize];
                let done = now.max(rank.in_free + link.overhead + bytes as u64 * link.beta);
                self.receive((from, to), bytes, done);
            }
            Event::Lands { from, to, bytes } => {
                let (link, _) = self.link(from, to);
                let done = now.max(self.ranks[to as usize].in_free) + link.overhead;
                self.receive((from, to), bytes, done);
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

    /// Takes a message in at the port of its receiver.
    fn receive(&mut self, (from, to): (u32, u32), bytes: usize, done: u64) {
        self.ranks[to as usize].in_free = done;
        if let Some(slot) = self.take_expected((from, to), done) {
            let rank = to;
            self.at(done, rank, RECEIVED, Event::Ends { rank, slot, bytes });
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
            let (link, is_between) = self.link(index, peer);
            let (from, to, rank) = (index, peer, index);
            let arrives = Event::Arrives { from, to, bytes };
            let ends = Event::Ends { rank, slot, bytes };
            let port = &mut self.ranks[index as usize].out_free;
            let start = now.max(*port) + link.overhead;
            if is_between {
                *port = start;
                let port = self.port_of(index);
                let gone = start.max(port.out_free) + bytes as u64 * link.beta;
                port.out_free = gone;
                port.sent += 1;
                self.alone(gone + link.latency, arrives);
                return self.alone(gone, ends);
            }
            let gone = start + bytes as u64 * link.beta;
            *port = gone;
            self.at(gone + link.latency, index, ARRIVING, arrives);
            return self.at(gone, index, SENT, ends);
        }
        if let Some(there) = self.take_there((peer, index), slot) {
            let rank = index;
            self.alone(now.max(there), Event::Ends { rank, slot, bytes });
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
