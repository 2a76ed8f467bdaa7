//! Questions to the processes about what they wait for.

use std::collections::BTreeMap;
use std::time::Duration;

use base::Instant;
use bootstrap::account::Account;

/// How long processes may take to answer. One that waits in MPI answers within a few sleeps.
pub(super) const PATIENCE: Duration = Duration::from_millis(1200);

/// A question that is not answered by all.
pub(super) struct Asking {
    pub(super) until: Instant,
    pub(super) answers: BTreeMap<u32, Account>,
    /// Whether only a deadlock is to be reported.
    pub(super) only_deadlock: bool,
}

/// When processes are asked.
#[derive(Default)]
pub(super) struct Questions {
    pub(super) asking: Option<Asking>,
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
