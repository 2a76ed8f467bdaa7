//! Questions to the processes about what they wait for.

use std::collections::BTreeMap;
use std::time::Duration;

use base::Instant;
use bootstrap::account::Account;

use launch_report::waits::{Snapshot, GAP};

/// How long processes may take to answer. One that waits in MPI answers within a few sleeps.
pub(super) const PATIENCE: Duration = Duration::from_millis(1200);

/// A question that is not answered by all, or the pause before the second one.
pub(super) struct Asking {
    /// The number of the question; answers to others are late.
    pub(super) question: u32,
    pub(super) until: Instant,
    pub(super) answers: BTreeMap<u32, Account>,
    /// Whether only a deadlock is to be reported.
    pub(super) only_deadlock: bool,
    /// The first look, once it is over.
    pub(super) first: Option<BTreeMap<u32, Snapshot>>,
    /// Whether the second look has not begun.
    pub(super) pauses: bool,
}

impl Asking {
    /// A first look.
    pub(super) fn first(question: u32, now: Instant, only_deadlock: bool) -> Asking {
        Asking {
            question,
            until: now.after(PATIENCE),
            answers: BTreeMap::new(),
            only_deadlock,
            first: None,
            pauses: false,
        }
    }

    /// Waits for the second look.
    pub(super) fn pause(&mut self, first: BTreeMap<u32, Snapshot>, now: Instant) {
        self.first = Some(first);
        self.answers.clear();
        self.pauses = true;
        self.until = now.after(GAP);
    }

    /// Begins the second look.
    pub(super) fn second(&mut self, question: u32, now: Instant) {
        self.question = question;
        self.pauses = false;
        self.until = now.after(PATIENCE);
    }
}

/// When processes are asked.
#[derive(Default)]
pub(super) struct Questions {
    pub(super) asking: Option<Asking>,
    /// Questions so far. Zero is the number of visitors' questions.
    pub(super) asked: u32,
    /// Whether they were asked because the time limit has run out.
    pub(super) at_limit: bool,
    /// How often to look for a deadlock.
    pub(super) period: Option<Duration>,
    pub(super) next: Option<Instant>,
}

impl Questions {
    /// Looks for a deadlock every `period`.
    pub(super) fn every(period: Option<Duration>, now: Instant) -> Questions {
        Questions {
            period,
            next: period.map(|period| now.after(period)),
            ..Questions::default()
        }
    }

    /// Returns the number of the next question.
    pub(super) fn number(&mut self) -> u32 {
        self.asked += 1;
        self.asked
    }

    /// Whether the user wants reports.
    pub(super) fn are_wanted(&self) -> bool {
        self.period.is_some()
    }

    /// Returns when something is to be done, given the deadline of the job.
    pub(super) fn deadline(&self, job: Option<Instant>) -> Option<Instant> {
        match &self.asking {
            Some(asking) => Some(asking.until),
            None => job.into_iter().chain(self.next).min(),
        }
    }
}
