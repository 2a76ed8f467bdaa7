//! Simulated communicators: random delays, deaths at any event, late reports of deaths, and
//! messages of the dead that may be lost.

mod late;
mod recovery;

use std::collections::BTreeMap;

use crate::{Member, Message, Ranks, Value, Vote};

/// Random numbers of a seed (SplitMix64).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }
}

enum Event {
    /// Bytes of a message, from and to.
    Message(u32, u32, Vec<u8>),
    /// A member learns of a death.
    Report(u32, u32),
    Die(u32),
    Begin(u32),
    Revoke(u32),
    Free(u32),
}

/// Events of a simulation that ends.
const EVENTS_MAX: u64 = 10_000_000;
const CONTEXT: u64 = 77;
const AGREEMENTS: u32 = 4;

struct World {
    random: Random,
    size: u32,
    members: Vec<Member>,
    lives: Vec<bool>,
    /// Members that have freed the communicator and answer that they do not know it.
    strangers: Ranks,
    /// Events by time, and by a number that orders events of one time.
    events: BTreeMap<(u64, u64), Event>,
    count: u64,
    now: u64,
    /// By agreement and member.
    decisions: BTreeMap<(u32, u32), Value>,
    begun: Vec<u32>,
    /// Members that are about to begin the next agreement.
    waits: Vec<bool>,
    revoked: bool,
}

impl World {
    fn new(seed: u64) -> World {
        let mut random = Random(seed);
        let size = 1 + random.below(20) as u32;
        let mut world = World::of(random, size);
        for _ in 0..world.random.below(u64::from(size).min(6)) {
            let rank = world.random.below(u64::from(size)) as u32;
            world.after(400, Event::Die(rank));
        }
        if world.random.below(2) == 0 {
            let rank = world.random.below(u64::from(size)) as u32;
            world.after(400, Event::Revoke(rank));
        }
        world
    }

    /// Returns a communicator of `size` members, all of which begin to agree.
    fn of(random: Random, size: u32) -> World {
        let mut world = World {
            random,
            size,
            members: (0..size).map(|me| Member::new(me, size)).collect(),
            lives: vec![true; size as usize],
            strangers: Ranks::default(),
            events: BTreeMap::new(),
            count: 0,
            now: 0,
            decisions: BTreeMap::new(),
            begun: vec![0; size as usize],
            waits: vec![false; size as usize],
            revoked: false,
        };
        for rank in 0..size {
            world.after(50, Event::Begin(rank));
        }
        world
    }

    fn after(&mut self, most: u64, event: Event) {
        let at = self.now + 1 + self.random.below(most);
        self.count += 1;
        self.events.insert((at, self.count), event);
    }

    fn at(&mut self, time: u64, event: Event) {
        self.count += 1;
        self.events.insert((time, self.count), event);
    }

    /// Sends what a member has to send, and notes what it has decided.
    fn settle(&mut self, rank: u32) {
        for (to, message) in self.members[rank as usize].take_outgoing() {
            assert!(to != rank && to < self.size, "rank {rank} sends to {to}");
            self.after(40, Event::Message(rank, to, message.encode(CONTEXT, rank)));
        }
        for number in 0..self.begun[rank as usize] {
            let decision = self.members[rank as usize].decision(number);
            if let Some(value) = decision.cloned() {
                let before = self.decisions.insert((number, rank), value.clone());
                assert!(before.is_none_or(|before| before == value));
            }
        }
        let begun = self.begun[rank as usize];
        let ended = begun > 0
            && !self.waits[rank as usize]
            && self.decisions.contains_key(&(begun - 1, rank));
        if ended && begun < AGREEMENTS && self.lives[rank as usize] {
            self.after(60, Event::Begin(rank));
            self.waits[rank as usize] = true;
        }
    }

    fn handle(&mut self, event: Event) {
        match event {
            Event::Message(from, to, bytes) => {
                // Messages of a dead member may be lost.
                let lost = !self.lives[from as usize] && self.random.below(2) == 0;
                if lost || !self.lives[to as usize] {
                    return;
                }
                let (context, sender, message) = Message::decode(&bytes).unwrap();
                assert_eq!((context, sender), (CONTEXT, from));
                if self.strangers.contains(to) {
                    if message == Message::Revoke {
                        let bytes = Message::Stranger.encode(CONTEXT, to);
                        self.after(40, Event::Message(to, from, bytes));
                    }
                    return;
                }
                assert!(self.members[to as usize].arrived(from, message));
                self.settle(to);
            }
            Event::Report(to, dead) if self.lives[to as usize] => {
                self.members[to as usize].died(dead);
                self.settle(to);
            }
            Event::Die(rank) if self.lives[rank as usize] => {
                self.lives[rank as usize] = false;
                for to in (0..self.size).filter(|to| *to != rank) {
                    self.after(100, Event::Report(to, rank));
                }
            }
            Event::Begin(rank) if self.lives[rank as usize] => self.begin(rank),
            Event::Revoke(rank) if self.lives[rank as usize] => {
                self.revoked = true;
                self.members[rank as usize].revoke();
                self.settle(rank);
            }
            Event::Free(rank) if !self.members[rank as usize].is_revoked() => {
                self.strangers.insert(rank);
            }
            _ => {}
        }
    }

    fn begin(&mut self, rank: u32) {
        let number = self.begun[rank as usize];
        self.waits[rank as usize] = false;
        let member = &mut self.members[rank as usize];
        let begun = member.begin(Vote {
            flags: flags(number, rank),
            acked: member.dead().clone(),
            context: u64::from(rank) + 1000,
        });
        assert_eq!(begun, number);
        self.begun[rank as usize] = number + 1;
        self.settle(rank);
    }

    fn run(&mut self) {
        while let Some(((now, _), event)) = self.events.pop_first() {
            self.now = now;
            self.handle(event);
            assert!(self.count < EVENTS_MAX, "it does not end");
        }
    }

    fn living(&self) -> impl Iterator<Item = u32> + '_ {
        (0..self.size).filter(|rank| self.lives[*rank as usize])
    }

    fn check_agreements(&self) {
        for number in 0..AGREEMENTS {
            let mut decided = self.decisions.iter().filter(|((of, _), _)| *of == number);
            let Some(((_, first), value)) = decided.next() else {
                assert_eq!(self.living().count(), 0, "nobody decides on {number}");
                continue;
            };
            for ((_, rank), other) in decided {
                assert_eq!(value, other, "{number}: ranks {first} and {rank} differ");
            }
            for rank in self.living() {
                assert!(
                    self.decisions.contains_key(&(number, rank)),
                    "{rank} {number}"
                );
                assert!(!value.failed.contains(rank), "rank {rank} lives");
                assert_eq!(value.flags & !flags(number, rank), 0, "rank {rank}'s vote");
            }
            for rank in (0..self.size).filter(|rank| !value.failed.contains(*rank)) {
                let has_voted = self.begun[rank as usize] > number;
                assert!(
                    has_voted,
                    "{rank} has no vote in {number} and has not failed"
                );
            }
            let voter = value.offer.0;
            assert_eq!(value.offer.1, u64::from(voter) + 1000);
        }
    }
}

/// The flags that a member votes.
fn flags(number: u32, rank: u32) -> u32 {
    !(1 << ((number * 7 + rank) % 32))
}

/// Seeds of each property.
const SEEDS: u64 = 10_000;

#[test]
fn all_that_live_decide_and_all_that_decide_decide_alike() {
    for seed in 0..SEEDS {
        let mut world = World::new(seed);
        let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            world.run();
            world.check_agreements();
            let held = world
                .living()
                .map(|r| world.members[r as usize].agreements.len());
            assert!(held.max().unwrap_or(0) <= 2, "decided agreements pile up");
        }));
        assert!(outcome.is_ok(), "seed {seed}");
    }
}

#[test]
fn a_revocation_reaches_all_that_live() {
    for seed in 0..SEEDS {
        let mut world = World::new(seed);
        if seed % 3 == 0 {
            // Members that do not know the communicator any more, or not yet.
            let rank = world.random.below(u64::from(world.size)) as u32;
            world.after(400, Event::Free(rank));
        }
        if seed % 3 == 0 {
            // Only the flood matters here.
            world
                .events
                .retain(|_, event| !matches!(event, Event::Begin(_)));
        }
        world.run();
        let knows = |rank: &u32| world.members[*rank as usize].is_revoked();
        let mut members = world
            .living()
            .filter(|rank| !world.strangers.contains(*rank));
        let count = members.by_ref().filter(knows).count();
        let all = world
            .living()
            .filter(|rank| !world.strangers.contains(*rank));
        assert!(count == 0 || count == all.count(), "seed {seed}");
        let revoker_lives = world.revoked && world.living().count() == world.size as usize;
        let someone = count > 0 || !world.strangers.is_empty();
        assert!(
            !revoker_lives || someone,
            "seed {seed}: nobody was notified"
        );
    }
}

/// 4,096 members on 256 hosts: hosts die with all of their members, and single members do, while
/// all agree four times and one revokes. The failed that an agreement names are those that a shrink
/// leaves out.
#[test]
fn thousands_agree_while_hosts_die() {
    const MEMBERS: u32 = 4096;
    const EACH: u32 = 16;
    for seed in 0..2 {
        let mut world = World::of(Random(seed), MEMBERS);
        for _ in 0..3 {
            let host = world.random.below(u64::from(MEMBERS / EACH)) as u32;
            let at = world.random.below(400);
            for rank in host * EACH..(host + 1) * EACH {
                world.at(at, Event::Die(rank));
            }
        }
        for event in [Event::Die, Event::Die, Event::Revoke] {
            let rank = world.random.below(u64::from(MEMBERS)) as u32;
            world.after(400, event(rank));
        }
        world.run();
        world.check_agreements();
        let knows = world
            .living()
            .filter(|rank| world.members[*rank as usize].is_revoked());
        let known = knows.count();
        assert!(known == 0 || known == world.living().count(), "seed {seed}");
        let last = world.decisions.iter().next_back();
        let failed = last.map_or(0, |(_, value)| value.failed.iter().count());
        println!(
            "seed {seed}: {} events, {failed} failed at the last",
            world.count
        );
    }
}

#[test]
fn sixty_four_members_agree_in_twelve_rounds() {
    let size = 64;
    let mut members: Vec<Member> = (0..size).map(|me| Member::new(me, size)).collect();
    for member in &mut members {
        member.begin(Vote::default());
    }
    let mut rounds = 0;
    while members.iter().any(|member| member.decision(0).is_none()) {
        let sent: Vec<(u32, u32, Message)> = members
            .iter_mut()
            .zip(0..)
            .flat_map(|(member, from)| {
                let out = member.take_outgoing();
                out.into_iter()
                    .map(move |(to, message)| (from, to, message))
            })
            .collect();
        assert!(!sent.is_empty());
        for (from, to, message) in sent {
            assert!(members[to as usize].arrived(from, message));
        }
        rounds += 1;
    }
    assert!(rounds <= 12, "{rounds} rounds");
}

/// Returns the rounds until all that live of 64 members have decided, where the lowest `deaths` die
/// one after the other, two rounds apart: the coordinator, again and again.
fn rounds_with(deaths: u32) -> u32 {
    let size = 64;
    let mut members: Vec<Member> = (0..size).map(|me| Member::new(me, size)).collect();
    for member in &mut members {
        member.begin(Vote::default());
    }
    let (mut rounds, mut dead) = (0, 0);
    loop {
        let living = &members[dead as usize..];
        if living.iter().all(|member| member.decision(0).is_some()) {
            return rounds;
        }
        if dead < deaths && rounds % 2 == 1 {
            for member in &mut members[dead as usize + 1..] {
                member.died(dead);
            }
            dead += 1;
        }
        let mut sent = Vec::new();
        for (member, from) in members.iter_mut().zip(0..).skip(dead as usize) {
            let out = member.take_outgoing().into_iter();
            sent.extend(out.map(|(to, message)| (from, to, message)));
        }
        for (from, to, message) in sent.into_iter().filter(|(_, to, _)| *to >= dead) {
            assert!(members[to as usize].arrived(from, message));
        }
        rounds += 1;
        assert!(rounds < 1000, "it does not end");
    }
}

/// After the last death an agreement takes a ballot along a tree of 64 members: query, reply,
/// proposal, acceptance and decision, of log2(n) rounds each.
#[test]
fn deaths_of_coordinators_cost_a_ballot_and_no_more() {
    let log = 6;
    let rounds: Vec<u32> = [0, 1, 2, 4, 8].map(rounds_with).to_vec();
    for (deaths, rounds) in [0, 1, 2, 4, 8].into_iter().zip(rounds) {
        println!("{deaths} deaths: {rounds} rounds");
        let most = if deaths == 0 {
            2 * log
        } else {
            2 * deaths + 5 * log
        };
        assert!(
            rounds <= most,
            "{deaths} deaths: {rounds} rounds, {most} are due"
        );
    }
}
