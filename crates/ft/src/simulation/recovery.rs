//! Simulated recoveries of inter-communicators, as the layer above drives members: processes in two
//! groups shrink, merge and agree on one communicator after the other, while some die between any
//! two messages that they send, the reports of that reach each in an order of its own, and
//! communicators are revoked.
//!
//! Each process orders the members of both groups by itself. Messages for a communicator that is
//! not open yet are kept, and one that is freed stays as long as others need this member.

use std::collections::{BTreeMap, BTreeSet};
use std::panic::{catch_unwind, AssertUnwindSafe};

use base::PeerId;

use super::{Random, SEEDS};
use crate::{Early, Member, Message, Value, Vote};

/// A process, by a name that is the same everywhere.
type Name = u32;

/// The context of the inter-communicator with which all begin.
const FIRST: u64 = 1;
/// The bit of an agreement's flags that says that a merge went well.
const MERGED: u32 = 1;

enum Event {
    /// Bytes of a message of fault tolerance: from and to.
    Message(Name, Name, Vec<u8>),
    /// Offer of a merge of the inter-communicator of a context: from and to.
    Merge(Name, Name, u64, Offer),
    /// A process learns of a death.
    Report(Name, Name),
    Die(Name),
    /// A process makes its next call.
    Call(Name),
    Revoke(Name),
}

/// A message of a merge.
#[derive(Clone, Copy)]
enum Offer {
    /// The first of a group gives its offer to its group.
    Own(u64),
    /// It gives its offer to the first of the other group.
    Swap(u64),
    /// It gives its group the offer of the other group.
    Theirs(u64),
}

/// A communicator at a process; `remote` is empty for an intra-communicator.
struct Comm {
    own: Vec<Name>,
    remote: Vec<Name>,
    /// Members of both groups, in an order that all must have alike.
    peers: Vec<Name>,
    member: Option<Member>,
    is_freed: bool,
}

impl Comm {
    fn new(own: Vec<Name>, remote: Vec<Name>) -> Comm {
        let mut groups = [own.clone(), remote.clone()];
        groups.sort_by_key(|group| group.first().copied());
        Comm {
            peers: groups.concat(),
            own,
            remote,
            member: None,
            is_freed: false,
        }
    }

    fn rank(&self, name: Name) -> Option<u32> {
        let at = self.peers.iter().position(|peer| *peer == name)?;
        Some(at as u32)
    }

    fn is_revoked(&self) -> bool {
        self.member.as_ref().is_some_and(Member::is_revoked)
    }
}

/// The calls of a process, in their order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum ProcessCall {
    Shrink,
    Merge,
    /// Agrees on whether all have merged; otherwise all shrink again.
    AgreeMerged,
    ShrinkMerged,
    AgreeLast,
    Over,
}

#[derive(Default, Clone, Copy)]
struct Merge {
    own: Option<u64>,
    swapped: Option<u64>,
    theirs: Option<u64>,
}

struct Process {
    name: Name,
    lives: bool,
    /// Messages that it sends before it dies, once it is to die.
    fuse: Option<u64>,
    dead: BTreeSet<Name>,
    comms: BTreeMap<u64, Comm>,
    early: Early,
    merges: BTreeMap<u64, Merge>,
    step: ProcessCall,
    inter: u64,
    merged: Option<u64>,
    /// A communicator that is not freed before the next call has ended.
    old: Vec<u64>,
    /// The agreement that it waits for: of which communicator, and its number.
    awaited: Option<(u64, u32)>,
    is_merging: bool,
    contexts: u64,
}

impl Process {
    /// Returns the member of a communicator that is open here, which is made once it is needed.
    fn member(&mut self, context: u64) -> &mut Member {
        let comm = self.comms.get_mut(&context).expect("an open communicator");
        let size = comm.peers.len() as u32;
        let me = comm.rank(self.name).expect("a member");
        let dead: Vec<u32> = self
            .dead
            .iter()
            .filter_map(|name| comm.rank(*name))
            .collect();
        comm.member.get_or_insert_with(|| {
            let mut member = Member::new(me, size);
            dead.into_iter().for_each(|rank| member.died(rank));
            member
        })
    }

    /// Whether calls that need all members of a communicator fail: of either group.
    fn fails(&self, context: u64) -> bool {
        let comm = &self.comms[&context];
        comm.is_revoked() || comm.peers.iter().any(|peer| self.dead.contains(peer))
    }

    fn new_context(&mut self) -> u64 {
        self.contexts += 1;
        (u64::from(self.name) + 1) * 1000 + self.contexts
    }

    fn free(&mut self, context: u64) {
        let comm = self.comms.get_mut(&context).expect("an open communicator");
        comm.is_freed = true;
        if !comm.member.as_ref().is_some_and(Member::is_needed) {
            self.comms.remove(&context);
        }
    }
}

struct World {
    random: Random,
    processes: Vec<Process>,
    /// Events by time, and by a number that orders events of one time.
    events: BTreeMap<(u64, u64), Event>,
    count: u64,
    now: u64,
    /// The longest time that a report of a death takes.
    slowness: u64,
    decisions: BTreeMap<(u64, u32), Value>,
    /// Members of each communicator, in the order of the first process that opened it.
    orders: BTreeMap<u64, Vec<Name>>,
    /// Merges that have failed at some process.
    failed: u64,
}

impl World {
    fn new(seed: u64) -> World {
        let mut random = Random(seed);
        let sizes = [1 + random.below(5) as u32, 1 + random.below(5) as u32];
        let size = sizes[0] + sizes[1];
        // Names of the groups are mixed.
        let mut names: Vec<Name> = (0..size).collect();
        for at in (1..names.len()).rev() {
            names.swap(at, random.below(at as u64 + 1) as usize);
        }
        let (left, right) = names.split_at(sizes[0] as usize);
        let slowness = [10, 60, 400][random.below(3) as usize];
        let mut world = World {
            random,
            processes: Vec::new(),
            events: BTreeMap::new(),
            count: 0,
            now: 0,
            slowness,
            decisions: BTreeMap::new(),
            orders: BTreeMap::new(),
            failed: 0,
        };
        for name in 0..size {
            let (own, remote) = match left.contains(&name) {
                true => (left, right),
                false => (right, left),
            };
            world.processes.push(process(name));
            world.open(name, FIRST, own.to_vec(), remote.to_vec());
            world.after(50, Event::Call(name));
        }
        for _ in 0..world.random.below(u64::from(size).min(5)) {
            let name = world.any();
            world.after(500, Event::Die(name));
        }
        for _ in 0..world.random.below(3) {
            let name = world.any();
            world.after(500, Event::Revoke(name));
        }
        world
    }

    fn any(&mut self) -> Name {
        self.random.below(self.processes.len() as u64) as Name
    }

    fn after(&mut self, most: u64, event: Event) {
        let at = self.now + 1 + self.random.below(most);
        self.count += 1;
        self.events.insert((at, self.count), event);
    }

    fn process(&mut self, name: Name) -> &mut Process {
        &mut self.processes[name as usize]
    }

    /// Sends an event, unless the sender dies before.
    fn send(&mut self, from: Name, event: Event) {
        if self.process(from).fuse == Some(0) {
            self.die(from);
        }
        let process = self.process(from);
        if process.lives {
            process.fuse = process.fuse.map(|left| left - 1);
            self.after(40, event);
        }
    }

    fn die(&mut self, name: Name) {
        if std::mem::take(&mut self.process(name).lives) {
            let slowness = self.slowness;
            for to in (0..self.processes.len() as Name).filter(|to| *to != name) {
                self.after(slowness, Event::Report(to, name));
            }
        }
    }

    fn open(&mut self, name: Name, context: u64, own: Vec<Name>, remote: Vec<Name>) {
        let comm = Comm::new(own, remote);
        let order = self.orders.entry(context).or_insert(comm.peers.clone());
        assert_eq!(*order, comm.peers, "{name} orders {context} otherwise");
        let process = self.process(name);
        assert!(
            process.comms.insert(context, comm).is_none(),
            "opened twice"
        );
        for (PeerId(from), rank, message) in process.early.take(context) {
            self.arrived(from, name, message.encode(context, rank));
        }
    }

    fn arrived(&mut self, from: Name, to: Name, bytes: Vec<u8>) {
        let (context, rank, message) = Message::decode(&bytes).unwrap();
        let process = self.process(to);
        let Some(comm) = process.comms.get(&context) else {
            let is_revoke = message == Message::Revoke;
            process.early.keep(context, PeerId(from), rank, message);
            if is_revoke {
                let bytes = Message::Stranger.encode(context, u32::MAX);
                self.send(to, Event::Message(to, from, bytes));
            }
            return;
        };
        let sender = comm.rank(from).expect("a member");
        assert!(message == Message::Stranger || rank == sender);
        assert!(process.member(context).arrived(sender, message));
        self.settle(to);
    }

    /// Sends what the members of a process have to send, and lets its call end.
    fn settle(&mut self, name: Name) {
        let mut out = Vec::new();
        for (context, comm) in &mut self.process(name).comms {
            let me = comm.rank(name).expect("a member");
            let Some(member) = &mut comm.member else {
                continue;
            };
            for (to, message) in member.take_outgoing() {
                out.push((comm.peers[to as usize], message.encode(*context, me)));
            }
        }
        for (to, bytes) in out {
            self.send(name, Event::Message(name, to, bytes));
        }
        if self.process(name).lives {
            self.advance_merge(name);
            self.conclude(name);
        }
    }

    fn call(&mut self, name: Name) {
        let process = self.process(name);
        let context = match process.step {
            ProcessCall::Merge => return self.begin_merge(name),
            ProcessCall::Shrink | ProcessCall::AgreeMerged => process.inter,
            ProcessCall::ShrinkMerged | ProcessCall::AgreeLast => process.merged.expect("merged"),
            ProcessCall::Over => return,
        };
        let flags = match (process.step, process.merged) {
            (ProcessCall::AgreeMerged, None) => !MERGED,
            _ => u32::MAX,
        };
        let vote = Vote {
            flags,
            context: process.new_context(),
            ..Vote::default()
        };
        let number = process.member(context).begin(vote);
        process.awaited = Some((context, number));
        self.settle(name);
    }

    fn begin_merge(&mut self, name: Name) {
        let process = self.process(name);
        let context = process.inter;
        process.is_merging = true;
        let comm = &process.comms[&context];
        let (own, far) = (comm.own.clone(), comm.remote[0]);
        if own[0] == name && !process.fails(context) {
            let offer = process.new_context();
            process.merges.entry(context).or_default().own = Some(offer);
            for to in &own[1..] {
                self.send(name, Event::Merge(name, *to, context, Offer::Own(offer)));
            }
            self.send(name, Event::Merge(name, far, context, Offer::Swap(offer)));
        }
        self.settle(name);
    }

    /// Ends a merge that has all it needs, or that fails.
    fn advance_merge(&mut self, name: Name) {
        let process = self.process(name);
        if !process.is_merging {
            return;
        }
        let context = process.inter;
        let fails = process.fails(context);
        let comm = &process.comms[&context];
        let (own, remote) = (comm.own.clone(), comm.remote.clone());
        let merge = process.merges.entry(context).or_default();
        let has_swapped = own[0] == name && merge.own.is_some() && merge.swapped.is_some();
        if has_swapped {
            merge.theirs = merge.swapped;
        }
        let merge = *merge;
        match (merge.own, merge.theirs) {
            (Some(mine), Some(theirs)) => {
                process.is_merging = false;
                process.step = ProcessCall::AgreeMerged;
                process.merged = Some(mine.min(theirs));
                for to in own[1..].iter().filter(|_| has_swapped) {
                    self.send(
                        name,
                        Event::Merge(name, *to, context, Offer::Theirs(theirs)),
                    );
                }
                let all = match mine < theirs {
                    true => [own, remote].concat(),
                    false => [remote, own].concat(),
                };
                self.open(name, mine.min(theirs), all, Vec::new());
                self.after(60, Event::Call(name));
            }
            _ if fails => {
                process.is_merging = false;
                process.step = ProcessCall::AgreeMerged;
                self.failed += 1;
                self.after(60, Event::Call(name));
            }
            _ => {}
        }
    }

    /// Goes on to the next call once the agreement of this one is decided.
    fn conclude(&mut self, name: Name) {
        let process = self.process(name);
        let Some((context, number)) = process.awaited else {
            return;
        };
        let Some(value) = process.member(context).decision(number).cloned() else {
            return;
        };
        process.awaited = None;
        let known = self
            .decisions
            .entry((context, number))
            .or_insert(value.clone());
        assert_eq!(*known, value, "{name} decides otherwise on {context}");
        for old in std::mem::take(&mut self.process(name).old) {
            self.process(name).free(old);
        }
        match self.process(name).step {
            ProcessCall::Shrink => {
                let shrunk = self.shrink(name, context, &value);
                let process = self.process(name);
                process.inter = shrunk;
                process.step = match process.comms[&shrunk].remote.is_empty() {
                    true => ProcessCall::Over,
                    false => ProcessCall::Merge,
                };
            }
            ProcessCall::AgreeMerged if value.flags & MERGED != 0 => {
                self.process(name).step = ProcessCall::ShrinkMerged;
            }
            ProcessCall::AgreeMerged => {
                let merged = self.process(name).merged.take();
                merged
                    .into_iter()
                    .for_each(|merged| self.let_go(name, merged));
                self.process(name).step = ProcessCall::Shrink;
            }
            ProcessCall::ShrinkMerged => {
                let shrunk = self.shrink(name, context, &value);
                self.process(name).merged = Some(shrunk);
                self.process(name).step = ProcessCall::AgreeLast;
            }
            ProcessCall::AgreeLast => self.process(name).step = ProcessCall::Over,
            ProcessCall::Merge | ProcessCall::Over => unreachable!("they begin no agreement"),
        }
        self.after(60, Event::Call(name));
    }

    /// Opens the communicator of those that have not failed. Returns its context.
    fn shrink(&mut self, name: Name, context: u64, value: &Value) -> u64 {
        let comm = &self.process(name).comms[&context];
        let left = |group: &[Name]| -> Vec<Name> {
            let is_left = |name: &&Name| !value.failed.contains(comm.rank(**name).unwrap());
            group.iter().filter(is_left).copied().collect()
        };
        let (own, remote) = (left(&comm.own), left(&comm.remote));
        assert!(own.contains(&name), "{name} is taken for a failed one");
        self.let_go(name, context);
        self.open(name, value.offer.1, own, remote);
        value.offer.1
    }

    /// Frees a communicator, now or after the next call.
    fn let_go(&mut self, name: Name, context: u64) {
        match self.random.below(2) {
            0 => self.process(name).free(context),
            _ => self.process(name).old.push(context),
        }
    }

    fn handle(&mut self, event: Event) {
        match event {
            Event::Message(from, to, bytes) if self.arrives(from, to) => {
                self.arrived(from, to, bytes);
            }
            Event::Merge(from, to, context, part) if self.arrives(from, to) => {
                let merge = self.process(to).merges.entry(context).or_default();
                match part {
                    Offer::Own(offer) => merge.own = Some(offer),
                    Offer::Swap(offer) => merge.swapped = Some(offer),
                    Offer::Theirs(offer) => merge.theirs = Some(offer),
                }
                self.settle(to);
            }
            Event::Report(to, dead) if self.process(to).lives => {
                let process = self.process(to);
                process.dead.insert(dead);
                for comm in process.comms.values_mut() {
                    let rank = comm.rank(dead);
                    if let (Some(member), Some(rank)) = (&mut comm.member, rank) {
                        member.died(rank);
                    }
                }
                self.settle(to);
            }
            Event::Die(name) if self.process(name).fuse.is_none() => {
                self.process(name).fuse = Some(self.random.below(6));
                self.after(100, Event::Die(name));
            }
            Event::Die(name) => self.die(name),
            Event::Call(name) if self.process(name).lives => self.call(name),
            Event::Revoke(name) if self.process(name).lives => {
                let process = self.process(name);
                let context = process.merged.unwrap_or(process.inter);
                process.member(context).revoke();
                self.settle(name);
            }
            _ => {}
        }
    }

    /// Whether a message arrives: what a dead process has sent may be lost.
    fn arrives(&mut self, from: Name, to: Name) -> bool {
        let is_lost = !self.process(from).lives && self.random.below(2) == 0;
        self.process(to).lives && !is_lost
    }

    fn run(&mut self) {
        while let Some(((now, _), event)) = self.events.pop_first() {
            self.now = now;
            self.handle(event);
            assert!(self.count < 1_000_000, "it does not end");
        }
    }

    /// All that live are at the end, on the same communicator, and no decision takes one for dead.
    fn check(&self) {
        let living = || self.processes.iter().filter(|process| process.lives);
        for process in living() {
            let (name, step) = (process.name, process.step);
            assert_eq!(
                step,
                ProcessCall::Over,
                "{name} waits for ever: {:?}",
                process.awaited
            );
        }
        let ends: BTreeSet<_> = living()
            .filter(|process| process.merged.is_some())
            .map(|process| process.merged)
            .collect();
        assert!(ends.len() <= 1, "they end on {ends:?}");
        for ((context, _), value) in &self.decisions {
            for rank in value.failed.iter() {
                let name = self.orders[context][rank as usize];
                assert!(!self.processes[name as usize].lives, "{name} lives");
            }
        }
    }
}

fn process(name: Name) -> Process {
    Process {
        name,
        lives: true,
        fuse: None,
        dead: BTreeSet::new(),
        comms: BTreeMap::new(),
        early: Early::default(),
        merges: BTreeMap::new(),
        step: ProcessCall::Shrink,
        inter: FIRST,
        merged: None,
        old: Vec::new(),
        awaited: None,
        is_merging: false,
        contexts: 0,
    }
}

#[test]
fn all_that_live_recover_an_inter_communicator() {
    let (mut deaths, mut failed, mut recovered) = (0, 0, 0);
    for seed in 0..SEEDS {
        let mut world = World::new(seed);
        let outcome = catch_unwind(AssertUnwindSafe(|| {
            world.run();
            world.check();
        }));
        assert!(outcome.is_ok(), "seed {seed}");
        deaths += world.processes.iter().filter(|p| !p.lives).count();
        failed += world.failed;
        recovered += u64::from(
            world
                .processes
                .iter()
                .any(|p| p.lives && p.merged.is_some()),
        );
    }
    println!("{deaths} deaths, {failed} merges failed, {recovered} seeds merged");
    // The seeds meet what they are for.
    assert!(deaths as u64 > SEEDS && failed > SEEDS && recovered > SEEDS / 2);
}
