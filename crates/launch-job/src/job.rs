//! The job as a state machine without I/O: events in, actions out.
//!
//! ```text
//!   Starting ──started──▶ Running ──hello──▶ Connected ──fence──▶ InFence
//!                            │                │  ▲  ▲                │
//!                            │         finalize  │  └───all entered──┘
//!                            │                ▼  │ hello
//!                            └──▶ Exited ◀── Finalized
//! ```
//!
//! Beside that, connected ranks may meet some of the others ([`meetings`]), any number of times at
//! once. The others need not be there; a member that has exited never will be, and is a failure.
//!
//! A rank may exit from any state; in which state it was decides what that means. After
//! `Finalized` a new hello is welcome: a rank may be a script that runs one program after the
//! other. A rank that never sends a hello is no MPI program, and may exit at any time unless
//! others wait for it in a fence.
//!
//! The first failure decides the exit code and is the only one reported: what ranks do while they
//! are being ended is not reported. Ranks are ended by SIGTERM, then SIGKILL.
//!
//! Where the user wants a job to go on ([`FailurePolicy`]), the death of a rank is reported to the
//! others ([`Action::Gone`]), and fences are of those that are left. What its exit code is then,
//! [`End`] says.
//!
//! One kind of failure may be the consequence of another that is not seen yet: a rank that gives up
//! because it lost a peer can be faster than the system's report that the peer was killed. So where
//! others are at work, giving up is held in doubt for [`DOUBT`]; a rank that a signal killed takes
//! the blame when it shows up in that time. A rank that calls MPI_Abort and has met no error before
//! has a reason of its own, and ends the job at once.

mod end;
mod event;
mod losses;
mod meetings;
mod policy;
mod restart;
mod text;

use std::time::Duration;

use base::Instant;
use bootstrap::native::wire::Meet;

pub use end::End;
use end::Losses;
pub use event::{Action, Event, How};
pub use meetings::check as check_meet;
pub use meetings::Meetings;
pub use policy::FailurePolicy;
pub use text::{rank_list, signal_name};

/// From SIGTERM to SIGKILL after a failure: the whole must end within a second.
pub const TERM_TO_KILL_FAILED: Duration = Duration::from_millis(250);
/// From SIGTERM to SIGKILL after the user's wish: programs may save their state.
pub const TERM_TO_KILL_ASKED: Duration = Duration::from_millis(1000);
/// How long a failure that may have another cause is held in doubt.
pub const DOUBT: Duration = Duration::from_millis(100);
/// How long such a failure is held in doubt when ranks are on several hosts, whose messages take
/// different routes.
pub const DOUBT_BETWEEN_HOSTS: Duration = Duration::from_millis(500);
/// From SIGKILL to giving up on a rank that the system cannot end.
const KILL_TO_GIVE_UP: Duration = Duration::from_secs(5);

const SIGINT: i32 = 2;
const SIGKILL: i32 = 9;
const SIGPIPE: i32 = 13;
const SIGTERM: i32 = 15;
const SIGCONT: i32 = 18;
/// The signal that stops a process at its terminal.
pub const SIGTSTP: i32 = 20;

/// A job.
pub struct Job {
    ranks: Vec<Rank>,
    /// When the time limit runs out, and how long it was.
    limit: Option<(Instant, Duration)>,
    phase: Phase,
    /// The exit code, once something has decided it.
    verdict: Option<i32>,
    /// A failure that may be the consequence of another.
    doubt: Option<Doubt>,
    meetings: Meetings,
    /// The node of each rank, and the nodes' names; none where there is but one.
    nodes: Option<(Vec<u32>, Vec<String>)>,
    /// Whether all hosts have the order to hurry.
    hurried: bool,
    policy: FailurePolicy,
    /// The ranks that died before they were done with their peers.
    gone: Vec<u32>,
    /// The ranks that it has lost and goes on without.
    losses: Losses,
    /// Whether a fence is over that was the last one of ranks.
    has_parted: bool,
    /// Fences that are complete.
    fences: u64,
    /// A rank that was not in the fence when this was looked at last.
    awaited: usize,
    /// Whether a rank has exited, at any time.
    some_exited: bool,
    /// Text behind a rank's number in messages for the user.
    suffix: String,
}

struct Doubt {
    rank: u32,
    code: i32,
    text: String,
    until: Instant,
}

struct Rank {
    program: String,
    pid: u32,
    state: State,
    /// The number of its life, counted from 1.
    life: u32,
    /// Fences that this life has entered.
    fences: u64,
    /// Values that this life has published, where ranks are started again.
    published: Vec<u8>,
}

enum State {
    Starting,
    Running,
    Connected { pid: u32 },
    InFence { pid: u32, entries: Vec<u8> },
    Finalized,
    Exited,
}

/// Where a rank is in its life.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RankState {
    /// It runs and has not initialised MPI.
    Running {
        /// Its process id.
        pid: u32,
    },
    /// It waits for all others, at the beginning or end of MPI.
    InFence {
        /// Whether that is the beginning.
        begins: bool,
    },
    /// It uses MPI.
    Connected {
        /// The id of the process that does.
        pid: u32,
    },
    /// It has finalised MPI.
    Finalized,
    /// It has ended.
    Exited,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// No failure so far.
    Running,
    /// SIGTERM is sent; SIGKILL follows at the time given.
    Ending { kill_at: Instant },
    /// SIGKILL is sent; nothing can be done after the time given.
    Killed { give_up_at: Instant },
    /// Some rank outlived SIGKILL.
    GivenUp,
}

impl Job {
    /// A job whose ranks run `programs`; it is ended `limit` after `now`.
    pub fn new(programs: Vec<String>, limit: Option<Duration>, now: Instant) -> Job {
        let rank = |program| Rank {
            program,
            pid: 0,
            state: State::Starting,
            life: 1,
            fences: 0,
            published: Vec::new(),
        };
        Job {
            ranks: programs.into_iter().map(rank).collect(),
            limit: limit.map(|limit| (now.after(limit), limit)),
            phase: Phase::Running,
            verdict: None,
            doubt: None,
            meetings: Meetings::default(),
            nodes: None,
            hurried: false,
            policy: FailurePolicy::End,
            gone: Vec::new(),
            losses: Losses::default(),
            has_parted: false,
            awaited: 0,
            some_exited: false,
            fences: 0,
            suffix: String::new(),
        }
    }

    /// The job as a later part of another, by the number of the part.
    pub fn as_part(self, number: u32) -> Job {
        Job {
            suffix: format!(" of part {number}"),
            ..self
        }
    }

    /// The job with this policy; without one it ends when a rank dies.
    pub fn with_policy(self, policy: FailurePolicy) -> Job {
        Job { policy, ..self }
    }

    /// Notes that a rank is on another node from now on.
    pub fn moved(&mut self, rank: u32, node: u32) {
        let nodes = self.nodes.as_mut();
        if let Some(of_rank) = nodes.and_then(|(node_of, _)| node_of.get_mut(rank as usize)) {
            *of_rank = node;
        }
    }

    /// Changes the policy.
    pub fn set_policy(&mut self, policy: FailurePolicy) {
        self.policy = policy;
    }

    /// The job on several hosts: the node of each rank, and the names of the nodes.
    pub fn across(mut self, node_of: Vec<u32>, names: Vec<String>) -> Job {
        self.nodes = Some((node_of, names));
        self
    }

    /// Takes an event in; what it calls for comes out, to be done in order. An event about ranks
    /// that the job does not have, as a broken host may report it, is ignored but for a word.
    pub fn on(&mut self, event: Event, now: Instant) -> Vec<Action> {
        let size = self.ranks.len();
        if let Some(stranger) = event.ranks().iter().find(|rank| **rank as usize >= size) {
            let suffix = &self.suffix;
            return vec![Action::Say(format!(
                "an event of rank {stranger}{suffix} is ignored: there are {size} ranks"
            ))];
        }
        let mut actions = self.hurry(&event);
        actions.extend(match event {
            Event::Started { rank, pid } => self.started(rank, pid),
            Event::Hello { rank, pid } => self.hello(rank, pid, now),
            Event::Fence { rank, entries } => self.fence(rank, entries, now),
            Event::Meet { rank, meet } => self.meet(rank, meet, now),
            Event::Finalize { rank } => self.finalize(rank, now),
            Event::Abort {
                rank,
                code,
                in_doubt,
                reason,
            } => self.abort(rank, code, (in_doubt, &reason), now),
            Event::Malformed { rank, detail } => self.nonsense(rank, &detail, now),
            Event::Exited { rank, how } => self.exited(rank, how, now),
            Event::Refused { ranks, text } => self.refused(&ranks, text, now),
            Event::Lost { ranks, text } => self.lost(&ranks, text, now),
            Event::Interrupted { signal } => self.interrupted(signal, now),
            Event::Unwritable { text } => self.fail(1, text, now),
            Event::Time => self.time(now),
        });
        actions.extend(self.resolve_doubt(now));
        actions
    }

    /// Orders the hosts, at the first exit of a rank, not to delay messages any more. The others
    /// may wait for that rank in a fence that never completes, and it must be known which ranks
    /// wait.
    fn hurry(&mut self, event: &Event) -> Vec<Action> {
        let matters = matches!(event, Event::Exited { .. } | Event::Lost { .. });
        match matters && self.nodes.is_some() && !std::mem::replace(&mut self.hurried, true) {
            true => vec![Action::Hurry],
            false => Vec::new(),
        }
    }

    /// Returns the time of the next [`Event::Time`], if no other event comes before.
    pub fn deadline(&self) -> Option<Instant> {
        match self.phase {
            Phase::Running => {
                let limit = self.limit.map(|(at, _)| at);
                limit
                    .into_iter()
                    .chain(self.doubt.as_ref().map(|doubt| doubt.until))
                    .min()
            }
            Phase::Ending { kill_at } => Some(kill_at),
            Phase::Killed { give_up_at } => Some(give_up_at),
            Phase::GivenUp => None,
        }
    }

    /// Whether the job is being ended.
    pub fn is_ending(&self) -> bool {
        self.phase != Phase::Running
    }

    /// The exit code, once something has decided it.
    pub fn verdict(&self) -> Option<i32> {
        self.verdict
    }

    /// Ends the job without a word to the user, unless it is being ended already.
    pub fn give_up(&mut self, code: i32, now: Instant) -> Vec<Action> {
        match self.is_ending() {
            true => Vec::new(),
            false => self.end(code, TERM_TO_KILL_FAILED, now),
        }
    }

    /// Returns where the rank is in its life; `None` before it has started.
    pub fn life(&self, rank: u32) -> Option<RankState> {
        let rank = self.ranks.get(rank as usize)?;
        Some(match rank.state {
            State::Starting => return None,
            State::Running => RankState::Running { pid: rank.pid },
            State::Connected { pid } => RankState::Connected { pid },
            State::InFence { .. } => RankState::InFence {
                begins: self.fences == 0,
            },
            State::Finalized => RankState::Finalized,
            State::Exited => RankState::Exited,
        })
    }

    /// Whether the time limit has run out and nothing has ended the job.
    pub fn is_out_of_time(&self, now: Instant) -> bool {
        !self.is_ending() && self.limit.is_some_and(|(at, _)| now >= at)
    }

    /// Whether the rank uses MPI at this moment.
    pub fn is_connected(&self, rank: u32) -> bool {
        let state = self.ranks.get(rank as usize).map(|rank| &rank.state);
        matches!(state, Some(State::Connected { .. } | State::InFence { .. }))
    }

    /// Whether nothing can be expected from the rank any more.
    pub fn is_over(&self, rank: u32) -> bool {
        let state = self.ranks.get(rank as usize).map(|rank| &rank.state);
        let exited = matches!(state, None | Some(State::Exited | State::Finalized));
        exited || self.is_ending() || self.gone.contains(&rank)
    }

    fn started(&mut self, rank: u32, pid: u32) -> Vec<Action> {
        let entry = &mut self.ranks[rank as usize];
        entry.pid = pid;
        entry.state = State::Running;
        Vec::new()
    }

    fn hello(&mut self, rank: u32, pid: u32, now: Instant) -> Vec<Action> {
        let state = &mut self.ranks[rank as usize].state;
        match state {
            State::Running | State::Finalized => {
                *state = State::Connected { pid };
                Vec::new()
            }
            State::Connected { pid: first } | State::InFence { pid: first, .. } => {
                let first = *first;
                self.nonsense(
                    rank,
                    &format!(
                        "process {pid} called MPI_Init before process {first} called MPI_Finalize"
                    ),
                    now,
                )
            }
            State::Starting | State::Exited => Vec::new(),
        }
    }

    fn fence(&mut self, rank: u32, entries: Vec<u8>, now: Instant) -> Vec<Action> {
        let state = &mut self.ranks[rank as usize].state;
        match state {
            State::Connected { .. } if self.policy.restarts() => {
                self.fence_of_life(rank, entries, now)
            }
            State::Connected { pid } => {
                *state = State::InFence { pid: *pid, entries };
                match self.awaits_ranks() {
                    true => Vec::new(),
                    false => self.check_fence(now),
                }
            }
            State::Exited => Vec::new(),
            _ => self.nonsense(rank, "it entered a fence out of turn", now),
        }
    }

    /// Whether ranks have yet to enter the fence, and all of them may. Where ten thousand ranks
    /// enter, one after the other, this looks at most of them once.
    fn awaits_ranks(&mut self) -> bool {
        if self.some_exited {
            return false;
        }
        let is_outside = |rank: &Rank| !matches!(rank.state, State::InFence { .. });
        let from = self.awaited.min(self.ranks.len());
        let (before, after) = self.ranks.split_at(from);
        let found = after.iter().position(is_outside).map(|at| from + at);
        match found.or_else(|| before.iter().position(is_outside)) {
            Some(rank) => {
                self.awaited = rank;
                true
            }
            None => false,
        }
    }

    /// Completes the fence when all ranks have entered; fails if one never will.
    fn check_fence(&mut self, now: Instant) -> Vec<Action> {
        let in_fence = |rank: &Rank| matches!(rank.state, State::InFence { .. });
        if self.is_ending() || self.doubt.is_some() || !self.ranks.iter().any(in_fence) {
            return Vec::new();
        }
        let exited = |rank: &Rank| matches!(rank.state, State::Exited);
        if let Some(gone) = self
            .ranks
            .iter()
            .position(exited)
            .filter(|_| !self.policy.goes_on())
        {
            let text = format!(
                "{} exited while others wait for it in MPI_Init",
                self.name(gone)
            );
            return self.fail(1, text, now);
        }
        if !self.ranks.iter().all(|rank| in_fence(rank) || exited(rank)) {
            return Vec::new();
        }
        let mut body = Vec::new();
        for (rank, entry) in self.ranks.iter_mut().enumerate() {
            if let State::InFence { pid, entries } = &entry.state {
                bootstrap::native::wire::push_released(&mut body, rank as u32, entries);
                entry.state = State::Connected { pid: *pid };
            }
        }
        self.fences += 1;
        self.note_last(&body);
        vec![Action::Release { body }]
    }

    fn meet(&mut self, rank: u32, meet: Meet, now: Instant) -> Vec<Action> {
        match self.ranks[rank as usize].state {
            State::Connected { .. } | State::InFence { .. } => {}
            State::Exited => return Vec::new(),
            _ => return self.nonsense(rank, "it came to a meeting out of turn", now),
        }
        if let Err(detail) = meetings::check(rank, &meet, self.ranks.len() as u32) {
            return self.nonsense(rank, &detail, now);
        }
        if meet.members.iter().any(|member| self.gone.contains(member)) {
            // The rank was notified, and does not wait for a reply.
            return Vec::new();
        }
        let met = self.meetings.enter(rank, meet);
        let met = met.map(|(tickets, values)| Action::Met { tickets, values });
        let mut actions: Vec<Action> = met.into_iter().collect();
        actions.extend(self.check_meetings(now));
        actions
    }

    /// Fails when a member of a meeting is waited for that never will come.
    fn check_meetings(&mut self, now: Instant) -> Vec<Action> {
        let exited = |rank: u32| matches!(self.ranks[rank as usize].state, State::Exited);
        if self.is_ending() || self.doubt.is_some() {
            return Vec::new();
        }
        let Some(gone) = self.meetings.missing().find(|&rank| exited(rank)) else {
            return Vec::new();
        };
        if self.policy.goes_on() {
            return self.lose(gone, "it exited before it came to a meeting".into());
        }
        let text = format!(
            "{} exited while others wait for it in MPI_Comm_create_from_group",
            self.name(gone as usize)
        );
        self.fail(1, text, now)
    }

    fn finalize(&mut self, rank: u32, now: Instant) -> Vec<Action> {
        let state = &mut self.ranks[rank as usize].state;
        match state {
            State::Connected { .. } => {
                *state = State::Finalized;
                match self.meetings.waits(rank) {
                    false => Vec::new(),
                    true => self.nonsense(rank, "it finalized during a meeting", now),
                }
            }
            State::Exited => Vec::new(),
            _ => self.nonsense(rank, "it finalized out of turn", now),
        }
    }

    fn abort(
        &mut self,
        rank: u32,
        code: i32,
        (in_doubt, reason): (bool, &str),
        now: Instant,
    ) -> Vec<Action> {
        let mut text = format!(
            "{} called MPI_Abort with code {code}",
            self.name(rank as usize)
        );
        // The reason may be anything; it must not pass for lines of the launcher's own.
        let reason: String = reason
            .chars()
            .map(|c| if c.is_control() { ' ' } else { c })
            .collect();
        if !reason.trim().is_empty() {
            text.push_str(&format!(": {}", reason.trim()));
        }
        // The system keeps 8 bits of an exit code; an abort never counts as success.
        let kept = (code & 0xff).max(i32::from(code & 0xff == 0));
        match in_doubt {
            true => self.fail_in_doubt(rank, kept, text, now),
            false => self.fail(kept, text, now),
        }
    }

    fn nonsense(&mut self, rank: u32, detail: &str, now: Instant) -> Vec<Action> {
        let text = format!("{} cannot go on: {detail}", self.name(rank as usize));
        self.fail(1, text, now)
    }

    fn exited(&mut self, rank: u32, how: How, now: Instant) -> Vec<Action> {
        let name = self.name(rank as usize);
        let state = &mut self.ranks[rank as usize].state;
        let before = std::mem::replace(state, State::Exited);
        self.some_exited = true;
        let culprit = self.doubt.as_ref().map(|doubt| doubt.rank);
        match (how, before) {
            (_, State::Exited) => Vec::new(),
            // It has given its reason; how it goes then adds nothing.
            _ if culprit == Some(rank) => Vec::new(),
            (How::Signal(signal), before) if self.may_restart(rank, signal, &before) => {
                self.restart(rank, signal)
            }
            (How::Signal(signal), before) => {
                let mut why = format!("was killed by signal {}", signal_name(signal));
                why.push_str(&self.why_not_restarted(rank, signal));
                self.fallen(rank, before, 128 + signal, (&name, &why), now)
            }
            (How::Code(0), before @ (State::Connected { .. } | State::InFence { .. }))
                if self.ranks.len() > 1 && self.doubt.is_none() =>
            {
                let why = "exited with code 0 without MPI_Finalize";
                self.fallen(rank, before, 1, (&name, why), now)
            }
            (How::Code(0), _) => {
                let mut actions = self.check_fence(now);
                actions.extend(self.check_meetings(now));
                actions
            }
            (How::Code(code), before) => {
                let mut text = format!("exited with code {code}");
                if (129..160).contains(&code) {
                    // A shell's exit code for a child that ended by a signal.
                    text.push_str(&format!(" (128 + signal {})", signal_name(code - 128)));
                }
                match before {
                    // No MPI program, or not yet one: it cannot have lost a peer.
                    State::Running => self.failed(rank, before, code, (&name, &text), now),
                    _ if self.policy.goes_on() => {
                        self.failed(rank, before, code, (&name, &text), now)
                    }
                    _ => self.fail_in_doubt(rank, code, format!("{name} {text}"), now),
                }
            }
        }
    }

    /// A rank ended as it should not have. `before` is what it was at.
    fn fallen(
        &mut self,
        rank: u32,
        before: State,
        code: i32,
        (name, why): (&str, &str),
        now: Instant,
    ) -> Vec<Action> {
        let text = format!("{name} {why}");
        if !self.policy.goes_on() || self.is_ending() || self.is_awaited(rank) {
            return self.fail(code, text, now);
        }
        self.note_lost(&[rank], code);
        let mut actions = vec![Action::Say(text)];
        if !matches!(before, State::Finalized) {
            actions.extend(self.lose(rank, format!("it {why}")));
        }
        actions.extend(self.check_fence(now));
        actions.extend(self.check_meetings(now));
        actions
    }

    /// A rank ended by itself with a code that reports a failure.
    fn failed(
        &mut self,
        rank: u32,
        before: State,
        code: i32,
        texts: (&str, &str),
        now: Instant,
    ) -> Vec<Action> {
        let actions = self.fallen(rank, before, code, texts, now);
        self.decide_by_losses();
        actions
    }

    /// Notifies the others that a rank has died; meetings that wait for it are over for all.
    fn lose(&mut self, rank: u32, why: String) -> Vec<Action> {
        self.meetings.give_up(rank);
        self.gone.push(rank);
        vec![Action::Gone { rank, why }]
    }

    fn refused(&mut self, ranks: &[u32], text: String, now: Instant) -> Vec<Action> {
        for &rank in ranks {
            let state = &mut self.ranks[rank as usize].state;
            if matches!(state, State::Starting) {
                *state = State::Exited;
            }
        }
        self.fail(crate::exit::EXIT_USAGE, text, now)
    }

    fn lost(&mut self, ranks: &[u32], text: String, now: Instant) -> Vec<Action> {
        if self.policy.restarts() && !ranks.is_empty() && !self.is_ending() {
            return self.restart_elsewhere(ranks, &text, now);
        }
        let (mut lost, mut unknown) = (Vec::new(), Vec::new());
        self.some_exited = true;
        for &rank in ranks {
            let state = &mut self.ranks[rank as usize].state;
            match std::mem::replace(state, State::Exited) {
                State::Exited => {}
                State::Finalized => unknown.push(rank),
                _ => lost.push(rank),
            }
        }
        let reason = text.clone();
        let text = match ranks.is_empty() {
            true => text,
            false => format!("{text} ({})", rank_list(ranks)),
        };
        // A host without ranks is one that could not be started.
        if !self.policy.goes_on() || self.is_ending() || ranks.is_empty() {
            return self.fail(1, text, now);
        }
        self.note_lost(&[&lost[..], &unknown].concat(), 1);
        let mut actions = vec![Action::Say(text)];
        for rank in lost {
            actions.extend(self.lose(rank, reason.clone()));
        }
        actions.extend(self.check_fence(now));
        actions.extend(self.check_meetings(now));
        actions
    }

    fn interrupted(&mut self, signal: i32, now: Instant) -> Vec<Action> {
        if self.is_ending() {
            // Asked twice: the user does not want to wait.
            return self.kill(now);
        }
        let code = 128 + signal;
        let mut actions = self.end(code, TERM_TO_KILL_ASKED, now);
        // The user who closed the output does not want to read about it, and the one who typed
        // Ctrl-C knows.
        if !matches!(signal, SIGPIPE | SIGINT) {
            let text = format!("ending the job: got signal {}", signal_name(signal));
            actions.insert(0, Action::Say(text));
        }
        actions
    }

    fn time(&mut self, now: Instant) -> Vec<Action> {
        match (self.phase, self.limit) {
            (Phase::Running, Some((at, limit))) if now >= at => {
                let text = format!("the time limit of {} s ran out", limit.as_secs_f64());
                self.fail(crate::exit::EXIT_TIMEOUT, text, now)
            }
            (Phase::Ending { kill_at }, _) if now >= kill_at => self.kill(now),
            (Phase::Killed { give_up_at }, _) if now >= give_up_at => {
                self.phase = Phase::GivenUp;
                let left = |r: &Rank| !matches!(r.state, State::Exited);
                let left = self.ranks.iter().position(left);
                let name = left.map_or(String::new(), |rank| self.name(rank));
                vec![Action::Say(format!(
                    "{name} cannot be ended, and is left behind"
                ))]
            }
            _ => Vec::new(),
        }
    }

    /// A failure that may be the consequence of another which is not seen yet.
    fn fail_in_doubt(&mut self, rank: u32, code: i32, text: String, now: Instant) -> Vec<Action> {
        if self.doubt.is_none() && !self.is_ending() {
            self.doubt = Some(Doubt {
                rank,
                code,
                text,
                until: now.after(match self.nodes {
                    Some(_) => DOUBT_BETWEEN_HOSTS,
                    None => DOUBT,
                }),
            });
        }
        Vec::new()
    }

    /// Reports a doubtful failure when its time has passed, or when no rank is left that could have
    /// caused it.
    fn resolve_doubt(&mut self, now: Instant) -> Vec<Action> {
        let Some(doubt) = &self.doubt else {
            return Vec::new();
        };
        let culprit = doubt.rank as usize;
        let is_other = |(rank, entry): (usize, &Rank)| {
            let at_work = matches!(entry.state, State::Connected { .. } | State::InFence { .. });
            rank != culprit && at_work
        };
        if now < doubt.until && self.ranks.iter().enumerate().any(is_other) {
            return Vec::new();
        }
        match self.doubt.take() {
            Some(doubt) => self.fail(doubt.code, doubt.text, now),
            None => Vec::new(),
        }
    }

    /// The first failure decides; later ones are consequences.
    fn fail(&mut self, code: i32, text: String, now: Instant) -> Vec<Action> {
        if self.is_ending() {
            return Vec::new();
        }
        let mut actions = vec![Action::Say(text)];
        actions.extend(self.end(code, TERM_TO_KILL_FAILED, now));
        actions
    }

    fn end(&mut self, code: i32, patience: Duration, now: Instant) -> Vec<Action> {
        self.verdict = Some(code);
        self.doubt = None;
        self.phase = Phase::Ending {
            kill_at: now.after(patience),
        };
        // A stopped process sees SIGTERM only when it is continued.
        vec![
            Action::SignalAll { signal: SIGTERM },
            Action::SignalAll { signal: SIGCONT },
        ]
    }

    fn kill(&mut self, now: Instant) -> Vec<Action> {
        if !matches!(self.phase, Phase::Killed { .. } | Phase::GivenUp) {
            self.phase = Phase::Killed {
                give_up_at: now.after(KILL_TO_GIVE_UP),
            };
        }
        vec![Action::SignalAll { signal: SIGKILL }]
    }

    /// Returns what the user reads of a rank.
    pub fn name(&self, rank: usize) -> String {
        let entry = &self.ranks[rank];
        let pid = match entry.state {
            State::Connected { pid } | State::InFence { pid, .. } => pid,
            _ => entry.pid,
        };
        let on = self.nodes.as_ref().and_then(|(node_of, names)| {
            let node = *node_of.get(rank)?;
            names.get(node as usize).map(|name| format!(" on {name}"))
        });
        let on = on.unwrap_or_default();
        let suffix = &self.suffix;
        format!("rank {rank}{suffix}{on} (pid {pid}, {})", entry.program)
    }
}

#[cfg(test)]
mod tests;
