//! The parts of a job: the processes that it was started with, and those of each spawn. No I/O.
//!
//! Each part is a [`Job`] of its own: ranks from 0, fences, a first failure. Here they come
//! together: events and actions name processes by their *numbers* in the whole job, which are the
//! number of the part's first process and the rank.
//!
//! ```text
//!   add ──▶ Spawning ──all have sent a hello──▶ Arrived ──all have exited──▶ forgotten
//!              │                                   ▲
//!              └──one exited, was refused──▶ ended, and the spawner learns why
//! ```
//!
//! **Spawning.** The spawner gets its answer when all processes of the part have sent their hello.
//! When one never will, the others are ended, the spawner learns the reason, and the user reads
//! nothing: it is the program that decides what the failure means.
//!
//! **Links.** A spawn links the processes that asked for it with those of the part. Each process
//! takes its side of the link back when it is disconnected or has finalized; while both sides have
//! processes, the two parts are connected. A failure ends the part that it is in, and all that are
//! connected with it, directly or not.
//!
//! **Meetings** of processes of one part are that part's matter; those of several are held here.
//! When a member cannot come any more, the others are notified.

use std::collections::{BTreeMap, BTreeSet};

use base::Instant;
use bootstrap::native::wire::Meet;
use bootstrap::native::wire::Reply;
use bootstrap::spawn::{Part as Outcome, Refusal};

use crate::job::{self, End, Event, FailurePolicy, How, Job, Meetings, RankState};

/// Actions for the driver of a job of several parts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Action {
    /// Send all processes of a part what all of them published.
    Release {
        /// The number of the part's first process.
        first: u32,
        /// The body of the frame.
        body: Vec<u8>,
    },
    /// Send the members of a meeting what all of them brought.
    Met {
        /// The members, and what each called the meeting.
        tickets: Vec<(u32, u32)>,
        /// The values, in the order of the members.
        values: Vec<Vec<u8>>,
    },
    /// Notify a process that a meeting is over, since a member will not come.
    Unmet {
        /// The process.
        number: u32,
        /// Its name of the meeting.
        ticket: u32,
        /// The cause: one clause.
        why: String,
    },
    /// Answer a request for a part.
    Spawned {
        /// The process that asked.
        number: u32,
        /// Its name of the request.
        ticket: u32,
        /// The answer.
        outcome: Result<Outcome, Refusal>,
    },
    /// Order all hosts to delay no message.
    Hurry,
    /// Notify all other processes that one has died.
    Gone {
        /// The process.
        number: u32,
        /// How: one clause.
        why: String,
    },
    /// Send a frame to a process.
    Reply {
        /// The process.
        number: u32,
        /// The frame.
        reply: Reply,
    },
    /// Start a process that was killed again.
    Restart {
        /// The process.
        number: u32,
        /// The number of its life, counted from 1.
        life: u32,
    },
    /// Send a signal to the process groups of a part.
    Signal {
        /// The number of the part's first process.
        first: u32,
        /// The signal's number.
        signal: i32,
    },
    /// All processes of a part have ended: end what they have left behind, and release it.
    Forget {
        /// The number of the part's first process.
        first: u32,
    },
    /// Print a text for the user.
    Say(String),
}

/// A job of several parts.
pub struct Parts {
    /// By the number of the first process.
    parts: BTreeMap<u32, Part>,
    /// The number of the next part's first process.
    next: u32,
    /// Meetings of processes of several parts.
    meetings: Meetings,
    /// How the parts have ended that are over and forgotten.
    over: Option<End>,
    /// The processes of those parts that were lost while the job went on.
    lost: Vec<String>,
    /// Whether the user knows what was lost of a job that has ended well.
    reported: bool,
}

struct Part {
    job: Job,
    count: u32,
    /// The policy of the part once it has arrived.
    policy: FailurePolicy,
    spawn: Option<Spawning>,
    /// Whether the spawner was notified that there is no such part: its end concerns nobody else.
    refused: bool,
    link: Link,
}

impl Part {
    /// The part's share in how the whole ends, where it has one.
    fn end(&self) -> Option<End> {
        self.job.end_of_all().filter(|_| !self.refused)
    }

    fn lost(&self) -> Option<String> {
        self.job.lost_ranks().filter(|_| !self.refused)
    }
}

/// The request for a part that is not answered.
struct Spawning {
    number: u32,
    ticket: u32,
    /// The processes that have not sent their hello.
    missing: BTreeSet<u32>,
    /// The program of each process.
    programs: Vec<u32>,
}

/// The processes that a spawn has connected, by their numbers, while they are.
#[derive(Default)]
struct Link {
    parents: BTreeSet<u32>,
    children: BTreeSet<u32>,
}

impl Link {
    fn is_up(&self) -> bool {
        !self.parents.is_empty() && !self.children.is_empty()
    }

    fn remove(&mut self, number: u32) {
        self.parents.remove(&number);
        self.children.remove(&number);
    }
}

/// A request for a part, as far as the state of the job is concerned.
pub struct PartRequest {
    /// The process that asks.
    pub number: u32,
    /// Its name of the request.
    pub ticket: u32,
    /// The processes that the part will be connected to.
    pub members: Vec<u32>,
    /// The program of each process of the part.
    pub programs: Vec<u32>,
    /// The policy of the part once it has arrived.
    pub policy: FailurePolicy,
}

impl Parts {
    /// A job of one part, of `count` processes.
    pub fn new(job: Job, count: u32) -> Parts {
        let part = Part {
            job,
            count,
            policy: FailurePolicy::End,
            spawn: None,
            refused: false,
            link: Link::default(),
        };
        Parts {
            parts: BTreeMap::from([(0, part)]),
            next: count,
            meetings: Meetings::default(),
            over: None,
            lost: Vec::new(),
            reported: false,
        }
    }

    /// Whether a part is not forgotten.
    pub fn has(&self, first: u32) -> bool {
        self.parts.contains_key(&first)
    }

    /// The number that the first process of the next part gets.
    pub fn next(&self) -> u32 {
        self.next
    }

    /// Adds a part, whose processes are about to be started.
    pub fn add(&mut self, job: Job, request: PartRequest) {
        let count = request.programs.len() as u32;
        let numbers = self.next..self.next + count;
        let part = Part {
            job,
            count,
            policy: request.policy,
            refused: false,
            link: Link {
                parents: request
                    .members
                    .into_iter()
                    .chain([request.number])
                    .collect(),
                children: numbers.clone().collect(),
            },
            spawn: Some(Spawning {
                number: request.number,
                ticket: request.ticket,
                missing: numbers.collect(),
                programs: request.programs,
            }),
        };
        self.parts.insert(self.next, part);
        self.next += count;
    }

    /// Whether a process may ask for a part.
    pub fn may_spawn(&self, number: u32) -> bool {
        self.find(number).is_some_and(|(first, part)| {
            part.job.is_connected(number - first) && !part.job.is_ending()
        })
    }

    /// A process is no longer connected to the other side of the spawn of a part.
    pub fn unlink(&mut self, number: u32, first: u32) {
        if let Some(part) = self.parts.get_mut(&first) {
            part.link.remove(number);
        }
    }

    /// Notes that a process is on another node of its part from now on.
    pub fn moved(&mut self, number: u32, node: u32) {
        if let Some((first, part)) = self.parts.range_mut(..=number).next_back() {
            part.job.moved(number - first, node);
        }
    }

    /// Takes an event in, with processes by their numbers; what it calls for comes out, to be done
    /// in order.
    pub fn on(&mut self, event: Event, now: Instant) -> Vec<Action> {
        let mut actions = match event {
            Event::Interrupted { .. } | Event::Unwritable { .. } => self.on_all(&event, now),
            Event::Time => self.on_time(now),
            Event::Refused { ranks, text } => self.on_ranks(&ranks, now, |ranks| {
                let text = text.clone();
                Event::Refused { ranks, text }
            }),
            Event::Lost { ranks, text } => self.on_ranks(&ranks, now, |ranks| {
                let text = text.clone();
                Event::Lost { ranks, text }
            }),
            Event::Meet { rank, meet } => self.on_meet(rank, meet, now),
            event => match event.rank().and_then(|number| self.find(number)) {
                Some((first, _)) => self.on_one(first, event.renumbered(|n| n - first), now),
                None => Vec::new(),
            },
        };
        actions.extend(self.settle());
        actions
    }

    /// Returns the time of the next [`Event::Time`], if no other event comes before.
    pub fn deadline(&self) -> Option<Instant> {
        self.parts
            .values()
            .filter_map(|part| part.job.deadline())
            .min()
    }

    /// The exit code, once all processes have ended.
    pub fn finished(&self) -> Option<i32> {
        let are_over = self.parts.values().all(|p| p.job.finished().is_some());
        let ends = self.parts.values().filter_map(Part::end);
        let end = ends.chain(self.over).reduce(End::with);
        are_over.then(|| end.map_or(0, End::code))
    }

    /// Returns what the user reads of a job that has ended well although processes were lost.
    fn losses(&mut self) -> Option<Action> {
        if self.reported || self.finished() != Some(0) {
            return None;
        }
        let own = self.parts.values().filter_map(Part::lost);
        let lost: Vec<String> = own.chain(self.lost.iter().cloned()).collect();
        self.reported = !lost.is_empty();
        self.reported.then(|| {
            let lost = lost.join(", ");
            Action::Say(format!("the job lost {lost}; all others ended well"))
        })
    }

    /// Returns where a process is in its life.
    pub fn life(&self, number: u32) -> Option<RankState> {
        let (first, part) = self.find(number)?;
        part.job.life(number - first)
    }

    /// Returns the processes of the first part that use MPI.
    pub fn connected(&self) -> Vec<u32> {
        let Some(part) = self.parts.get(&0) else {
            return Vec::new();
        };
        let numbers = 0..part.count;
        numbers
            .filter(|rank| part.job.is_connected(*rank))
            .collect()
    }

    /// Whether the time limit of the job has run out and nothing has ended it.
    pub fn is_out_of_time(&self, now: Instant) -> bool {
        self.parts
            .get(&0)
            .is_some_and(|part| part.job.is_out_of_time(now))
    }

    /// Whether the first part is being ended.
    pub fn is_ending(&self) -> bool {
        self.parts.get(&0).is_none_or(|part| part.job.is_ending())
    }

    fn find(&self, number: u32) -> Option<(u32, &Part)> {
        let (&first, part) = self.parts.range(..=number).next_back()?;
        (number - first < part.count).then_some((first, part))
    }

    fn on_all(&mut self, event: &Event, now: Instant) -> Vec<Action> {
        let mut actions = Vec::new();
        let firsts: Vec<u32> = self.parts.keys().copied().collect();
        for first in firsts {
            let own = self.on_one(first, event.clone(), now);
            // The user reads it once.
            let said = |action: &Action| matches!(action, Action::Say(_));
            let again = actions.iter().any(said);
            actions.extend(own.into_iter().filter(|action| !(again && said(action))));
        }
        actions
    }

    fn on_time(&mut self, now: Instant) -> Vec<Action> {
        let mut actions = Vec::new();
        let due = |part: &Part| part.job.deadline().is_some_and(|at| now >= at);
        let parts = self.parts.iter().filter(|(_, part)| due(part));
        let firsts: Vec<u32> = parts.map(|(first, _)| *first).collect();
        for first in firsts {
            actions.extend(self.on_one(first, Event::Time, now));
        }
        let verdict = self.parts.get(&0).and_then(|part| part.job.verdict());
        if verdict == Some(crate::exit::EXIT_TIMEOUT) {
            for (&first, part) in &mut self.parts {
                let ending = part.job.give_up(crate::exit::EXIT_TIMEOUT, now);
                actions.extend(numbered(first, ending));
            }
        }
        actions
    }

    /// Passes each part what concerns its processes; the first part where it concerns none.
    fn on_ranks(
        &mut self,
        numbers: &[u32],
        now: Instant,
        event: impl Fn(Vec<u32>) -> Event,
    ) -> Vec<Action> {
        if numbers.is_empty() {
            return self.on_one(0, event(Vec::new()), now);
        }
        let mut of_parts: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for &number in numbers {
            if let Some((first, _)) = self.find(number) {
                of_parts.entry(first).or_default().push(number - first);
            }
        }
        let mut actions = Vec::new();
        for (first, ranks) in of_parts {
            actions.extend(self.on_one(first, event(ranks), now));
        }
        actions
    }

    /// Passes an event to a part, and ends what is connected with it where that made it fail.
    fn on_one(&mut self, first: u32, event: Event, now: Instant) -> Vec<Action> {
        let Some(part) = self.parts.get_mut(&first) else {
            return Vec::new();
        };
        let was_ending = part.job.is_ending();
        let (greets, leaves) = match &event {
            Event::Hello { rank, .. } => (Some(first + rank), None),
            Event::Finalize { rank } => (None, Some(first + rank)),
            _ => (None, None),
        };
        let blamed = event.rank();
        let spawn = part.spawn.as_ref().filter(|_| !was_ending);
        let early = spawn.and_then(|spawn| ended_early(&part.job, first, spawn, &event));
        let mut actions = numbered(first, part.job.on(event, now));
        if let (Some(text), false) = (early, part.job.is_ending()) {
            actions.push(Action::Say(text));
            actions.extend(numbered(first, part.job.give_up(1, now)));
        }
        if !was_ending && part.job.is_ending() {
            match part.spawn.take() {
                Some(spawn) => {
                    part.refused = true;
                    refuse(spawn, blamed, &mut actions);
                }
                None => actions.extend(self.end_connected(first, now)),
            }
        }
        if let Some(number) = greets {
            actions.extend(self.greeted(first, number));
        }
        if let Some(number) = leaves {
            self.parts
                .values_mut()
                .for_each(|part| part.link.remove(number));
        }
        actions
    }

    /// Notes that a process of a part has sent its hello; the last one answers the spawner.
    fn greeted(&mut self, first: u32, number: u32) -> Option<Action> {
        let part = self.parts.get_mut(&first)?;
        let spawn = part.spawn.as_mut()?;
        spawn.missing.remove(&number);
        if !spawn.missing.is_empty() || part.job.is_ending() {
            return None;
        }
        let spawn = part.spawn.take()?;
        part.job.set_policy(part.policy);
        let count = part.count;
        Some(Action::Spawned {
            number: spawn.number,
            ticket: spawn.ticket,
            outcome: Ok(Outcome { first, count }),
        })
    }

    /// Ends the parts that are connected with one that failed.
    fn end_connected(&mut self, failed: u32, now: Instant) -> Vec<Action> {
        let code = self.parts.get(&failed).and_then(|part| part.job.verdict());
        let mut actions = Vec::new();
        let (mut seen, mut next) = (vec![failed], 0);
        while let Some(&at) = seen.get(next) {
            next += 1;
            for first in self.neighbors(at) {
                if seen.contains(&first) {
                    continue;
                }
                seen.push(first);
                if let Some(part) = self.parts.get_mut(&first) {
                    part.spawn = None;
                    let ending = part.job.give_up(code.unwrap_or(1), now);
                    actions.extend(numbered(first, ending));
                }
            }
        }
        actions
    }

    /// The parts that a part is linked with.
    fn neighbors(&self, of: u32) -> Vec<u32> {
        let part_of = |number: &u32| self.find(*number).map(|(first, _)| first);
        let mut found = Vec::new();
        for (&child, part) in self.parts.iter().filter(|(_, part)| part.link.is_up()) {
            let parents: BTreeSet<u32> = part.link.parents.iter().filter_map(part_of).collect();
            if child == of {
                found.extend(parents);
            } else if parents.contains(&of) {
                found.push(child);
            }
        }
        found
    }

    fn on_meet(&mut self, number: u32, meet: Meet, now: Instant) -> Vec<Action> {
        let Some((first, part)) = self.find(number) else {
            return Vec::new();
        };
        let own = first..first + part.count;
        if meet.members.iter().all(|member| own.contains(member)) {
            let members = meet.members.iter().map(|member| member - first).collect();
            let rank = number - first;
            let meet = Meet { members, ..meet };
            return self.on_one(first, Event::Meet { rank, meet }, now);
        }
        if !part.job.is_connected(number - first) {
            return Vec::new();
        }
        if let Err(detail) = job::check_meet(number, &meet, self.next) {
            let rank = number - first;
            return self.on_one(first, Event::Malformed { rank, detail }, now);
        }
        match self.meetings.enter(number, meet) {
            Some((tickets, values)) => vec![Action::Met { tickets, values }],
            None => Vec::new(),
        }
    }

    /// Ends meetings that never will be complete, and forgets parts that are over.
    fn settle(&mut self) -> Vec<Action> {
        let parts = &self.parts;
        let find = |number: u32| {
            let (&first, part) = parts.range(..=number).next_back()?;
            (number - first < part.count).then_some((first, part))
        };
        let is_over = |number: u32| match find(number) {
            Some((first, part)) => part.job.is_over(number - first),
            None => true,
        };
        let name = |number: u32| match find(number) {
            Some((first, part)) => part.job.name((number - first) as usize),
            None => format!("process {number} of the job"),
        };
        let mut actions = Vec::new();
        for (waiting, lost) in self.meetings.cancel(is_over) {
            let why = format!("{} has ended", name(lost));
            actions.extend(waiting.into_iter().map(|(number, ticket)| Action::Unmet {
                number,
                ticket,
                why: why.clone(),
            }));
        }
        let (over, lost) = (&mut self.over, &mut self.lost);
        self.parts.retain(|&first, part| {
            if first == 0 || part.job.finished().is_none() {
                return true;
            }
            *over = over.iter().copied().chain(part.end()).reduce(End::with);
            lost.extend(part.lost());
            actions.push(Action::Forget { first });
            false
        });
        actions.extend(self.losses());
        actions
    }
}

/// Returns what is wrong when a process of a part exits with success and has sent no hello: it
/// never will.
fn ended_early(job: &Job, first: u32, spawn: &Spawning, event: &Event) -> Option<String> {
    match event {
        Event::Exited {
            rank,
            how: How::Code(0),
        } if spawn.missing.contains(&(first + rank)) => {
            let name = job.name(*rank as usize);
            Some(format!("{name} exited with code 0 before MPI_Init"))
        }
        _ => None,
    }
}

/// Answers the spawner of a part that failed before it had arrived: in the place of the user it
/// gets the text.
fn refuse(spawn: Spawning, blamed: Option<u32>, actions: &mut Vec<Action>) {
    let mut reasons = Vec::new();
    actions.retain_mut(|action| match action {
        Action::Say(text) => {
            reasons.push(std::mem::take(text));
            false
        }
        _ => true,
    });
    let program = blamed.and_then(|rank| spawn.programs.get(rank as usize).copied());
    let reason = match reasons.is_empty() {
        true => "the job is being ended".to_string(),
        false => reasons.join("; "),
    };
    actions.push(Action::Spawned {
        number: spawn.number,
        ticket: spawn.ticket,
        outcome: Err(Refusal { program, reason }),
    });
}

/// The actions of a part, with processes by their numbers.
fn numbered(first: u32, actions: Vec<job::Action>) -> Vec<Action> {
    let number = |action| match action {
        job::Action::Release { body } => Action::Release { first, body },
        job::Action::Met { tickets, values } => Action::Met {
            tickets: tickets
                .into_iter()
                .map(|(rank, ticket)| (first + rank, ticket))
                .collect(),
            values,
        },
        job::Action::Hurry => Action::Hurry,
        job::Action::Gone { rank, why } => Action::Gone {
            number: first + rank,
            why,
        },
        job::Action::Reply { rank, reply } => Action::Reply {
            number: first + rank,
            reply,
        },
        job::Action::Restart { rank, life } => Action::Restart {
            number: first + rank,
            life,
        },
        job::Action::SignalAll { signal } => Action::Signal { first, signal },
        job::Action::Say(text) => Action::Say(text),
    };
    actions.into_iter().map(number).collect()
}

#[cfg(test)]
mod tests;
