//! Judgements of programs that are simulated: right ones, and ones with a message missing. Ranks
//! are stopped at random, and answer when they come to it.

use std::collections::VecDeque;

use bootstrap::account::{Object, Pending};
use proptest::prelude::*;

use super::*;

/// Milliseconds that a rank takes to fall quiet in a wait.
const QUIET_AFTER: u64 = 3;
/// Milliseconds that a message travels at most.
const LATENCY: u64 = 40;
/// How long a look waits for answers.
const PATIENCE: u64 = 1200;

/// The collective call at the end, as `MPI_Finalize` is one.
const END: u32 = u32::MAX;

/// One step of a rank.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Step {
    Work(u64),
    Send(u32),
    Receive(u32),
    /// Waits for all, in the collective call of this number.
    Barrier(u32),
}

struct Rank {
    steps: VecDeque<Step>,
    /// When the current work is over.
    busy_until: u64,
    stopped_until: u64,
    /// When the wait began, or something happened in it.
    since: Option<u64>,
    waits: u64,
    /// Messages that have come, by their senders.
    come: Vec<u32>,
    /// A question, and whether the wait was checked after it.
    asked: Option<bool>,
    answer: Option<Account>,
}

struct World {
    ranks: Vec<Rank>,
    /// Messages under way: arrival, sender, receiver.
    network: Vec<(u64, u32, u32)>,
    /// Ranks that have come to each collective call.
    there: BTreeMap<u32, BTreeSet<u32>>,
    now: u64,
    random: u64,
}

impl World {
    /// A program that is right: its ranks take their parts of one sequence of messages and
    /// barriers in the same order.
    fn right(ranks: u32, seed: u64) -> World {
        let rank = |_| Rank {
            steps: VecDeque::new(),
            busy_until: 0,
            stopped_until: 0,
            since: None,
            waits: 0,
            come: Vec::new(),
            asked: None,
            answer: None,
        };
        let mut world = World {
            ranks: (0..ranks).map(rank).collect(),
            network: Vec::new(),
            there: BTreeMap::new(),
            now: 0,
            random: seed | 1,
        };
        for number in 0..40 {
            if world.below(8) == 0 {
                let barrier = Step::Barrier(number);
                let ranks = world.ranks.iter_mut();
                ranks.for_each(|rank| rank.steps.push_back(barrier));
                continue;
            }
            let from = world.below(u64::from(ranks)) as u32;
            let to = (from + 1 + world.below(u64::from(ranks) - 1) as u32) % ranks;
            let work = world.below(600);
            let sender = &mut world.ranks[from as usize].steps;
            sender.extend([Step::Work(work), Step::Send(to)]);
            world.ranks[to as usize]
                .steps
                .push_back(Step::Receive(from));
        }
        let end = Step::Barrier(END);
        let ranks = world.ranks.iter_mut();
        ranks.for_each(|rank| rank.steps.push_back(end));
        world
    }

    /// Forgets to send a message. Returns whether there is one.
    fn break_it(&mut self) -> bool {
        let rank = self.below(self.ranks.len() as u64) as usize;
        let steps = &mut self.ranks[rank].steps;
        let sends = |step: &Step| matches!(step, Step::Send(_));
        let at = steps.iter().position(sends);
        at.is_some_and(|at| steps.remove(at).is_some())
    }

    fn below(&mut self, end: u64) -> u64 {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        self.random % end
    }

    /// A millisecond.
    fn tick(&mut self) {
        self.now += 1;
        let now = self.now;
        let ranks = &mut self.ranks;
        self.network.retain(|(at, from, to)| {
            let here = *at <= now;
            if here {
                ranks[*to as usize].come.push(*from);
            }
            !here
        });
        for rank in 0..self.ranks.len() as u32 {
            if self.below(2000) == 0 {
                let length = self.below(1500);
                self.ranks[rank as usize].stopped_until = now + length;
            }
            let own = &self.ranks[rank as usize];
            if own.stopped_until == now && own.since.is_some() {
                // It was stopped between a check and the question.
                self.wait(rank);
            }
            if self.ranks[rank as usize].stopped_until <= now {
                self.run(rank);
            }
        }
    }

    /// A rank's turn: it goes on as far as it can, and answers where it waits.
    fn run(&mut self, rank: u32) {
        let all = self.ranks.len();
        loop {
            let latency = 1 + self.below(LATENCY);
            let own = &mut self.ranks[rank as usize];
            if own.busy_until > self.now {
                return;
            }
            match own.steps.front().copied() {
                None => return,
                Some(Step::Work(length)) => own.busy_until = self.now + length,
                Some(Step::Send(to)) => self.network.push((self.now + latency, rank, to)),
                Some(Step::Receive(from)) => {
                    match own.come.iter().position(|sender| *sender == from) {
                        Some(at) => drop(own.come.remove(at)),
                        None => return self.wait(rank),
                    }
                }
                Some(Step::Barrier(number)) => {
                    let there = self.there.entry(number).or_default();
                    there.insert(rank);
                    if there.len() < all {
                        return self.wait(rank);
                    }
                }
            }
            let own = &mut self.ranks[rank as usize];
            own.steps.pop_front();
            own.since = None;
        }
    }

    /// A turn of a rank behind a check of what it waits for, which it has not found.
    fn wait(&mut self, rank: u32) {
        let (now, all) = (self.now, self.ranks.len() as u32);
        let own = &mut self.ranks[rank as usize];
        if own.since.is_none() {
            own.waits += 1;
        }
        let since = *own.since.get_or_insert(now);
        let is_quiet = now >= since + QUIET_AFTER;
        match own.asked {
            Some(false) if is_quiet => own.asked = Some(true),
            Some(_) => {
                own.asked = None;
                let (call, object, pending) = match own.steps.front() {
                    Some(Step::Receive(from)) => ("MPI_Recv", None, vec![pending(*from)]),
                    _ => ("MPI_Barrier", Some(world(all)), Vec::new()),
                };
                own.answer = Some(Account {
                    call: call.to_string(),
                    object,
                    wait: if is_quiet { own.waits } else { 0 },
                    waited: now - since,
                    pending,
                    ..Account::default()
                });
            }
            None => {}
        }
    }

    /// Asks all ranks, and returns what is known at the end.
    fn look(&mut self) -> BTreeMap<u32, Snapshot> {
        for rank in &mut self.ranks {
            (rank.asked, rank.answer) = (Some(false), None);
        }
        let end = self.now + PATIENCE;
        while self.now < end && self.ranks.iter().any(|rank| rank.answer.is_none()) {
            self.tick();
        }
        let known = |rank: &mut Rank| {
            rank.asked = None;
            match rank.answer.take() {
                Some(account) => Snapshot::Account(Box::new(account)),
                None if rank.steps.is_empty() => Snapshot::Finalized,
                None => Snapshot::Silent(String::new()),
            }
        };
        (0..).zip(self.ranks.iter_mut().map(known)).collect()
    }

    /// Looks twice, and returns who is stuck; once, if `hastily`.
    fn stuck(&mut self, limit: u64, hastily: bool) -> BTreeSet<u32> {
        let terms = Terms {
            limit: Duration::from_millis(limit),
            revokes: false,
        };
        let first = self.look();
        if hastily {
            return judge(&first, &first, terms).stuck;
        }
        let gap = GAP.as_millis() as u64;
        (0..gap).for_each(|_| self.tick());
        judge(&first, &self.look(), terms).stuck
    }
}

fn pending(from: u32) -> Pending {
    Pending {
        peer: Some(from),
        watched: true,
        ..Pending::default()
    }
}

fn world(ranks: u32) -> Object {
    Object {
        context: 1,
        name: "world".to_string(),
        members: (0..ranks).collect(),
    }
}

/// Whether any of some looks at a right program, at times that `seed` says, finds a deadlock.
fn is_slandered(ranks: u32, seed: u64, limit: u64, hastily: bool) -> bool {
    let mut world = World::right(ranks, seed);
    (0..12).any(|_| {
        let pause = world.below(1000);
        (0..pause).for_each(|_| world.tick());
        !world.stuck(limit, hastily).is_empty()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn a_right_program_is_never_called_deadlocked(ranks in 2u32..6, seed: u64, limit in 0u64..900) {
        prop_assert!(!is_slandered(ranks, seed, limit, false));
    }

    #[test]
    fn who_waits_for_a_message_that_nobody_sends_is_found(ranks in 2u32..6, seed: u64) {
        let mut world = World::right(ranks, seed);
        prop_assume!(world.break_it());
        (0..60_000).for_each(|_| world.tick());
        prop_assert!(world.ranks.iter().all(|rank| !rank.steps.is_empty()));
        // Some may be stopped just then.
        prop_assert!((0..20).any(|_| !world.stuck(1000, false).is_empty()));
    }
}

/// Otherwise the property above would hold for a judge that looks once.
#[test]
fn one_look_is_not_enough() {
    let wrong = (1..60).filter(|seed| is_slandered(3, seed * 7919, 0, true));
    assert!(wrong.count() > 0);
}

#[test]
fn waits_that_are_young_or_disturbed_or_may_be_revoked_are_not_stuck() {
    let receives = |from: u32, wait: u64, waited: u64| {
        Snapshot::Account(Box::new(Account {
            call: "MPI_Recv".to_string(),
            wait,
            waited,
            pending: vec![pending(from)],
            ..Account::default()
        }))
    };
    let terms = |limit, revokes| Terms {
        limit: Duration::from_millis(limit),
        revokes,
    };
    let works = Snapshot::Silent(String::new());
    let look = |wait, waited| {
        let ranks = [
            receives(1, 1, 900),
            receives(0, wait, waited),
            works.clone(),
        ];
        (0..).zip(ranks).collect::<BTreeMap<u32, Snapshot>>()
    };
    let pair = BTreeSet::from([0, 1]);
    let judged = |first, second, terms| judge(first, second, terms);
    let (old, later, young) = (look(1, 600), look(2, 600), look(1, 400));
    assert_eq!(judged(&old, &old, terms(500, false)).stuck, pair);
    assert_eq!(judged(&old, &old, terms(500, true)).stuck, BTreeSet::new());
    assert_eq!(
        judged(&old, &young, terms(500, false)).stuck,
        BTreeSet::new()
    );
    let disturbed = judged(&old, &later, terms(500, false));
    assert_eq!(disturbed.waiting, BTreeSet::from([0]));
    assert_eq!(disturbed.stuck, BTreeSet::new());
}
