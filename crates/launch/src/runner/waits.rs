//! Asking the processes what they wait for, when the time limit runs out, when the user wants to
//! know, or now and then.

use std::collections::BTreeMap;

use base::Clock;
use bootstrap::account::Account;
use bootstrap::native::wire::Reply;

use super::questions::{Asking, PATIENCE};
use super::{reply, Runner};
use crate::job::Life;
use crate::tree::shape::ROOT;
use crate::visitors::activity;
use crate::waits::{self, Known};

impl Runner<'_> {
    /// Asks all processes that use MPI. False where none does. Where they are asked already, their
    /// answers serve this question, too: asked again and again, they would never be reported.
    pub(super) fn ask(&mut self, only_deadlock: bool) -> bool {
        let now = self.vertex.clock.now();
        let Some(running) = &mut self.running else {
            return false;
        };
        if let Some(asking) = &mut running.questions.asking {
            asking.only_deadlock &= only_deadlock;
            return true;
        }
        let numbers = running.job.connected();
        if numbers.is_empty() {
            return false;
        }
        running.questions.asking = Some(Asking {
            until: now.after(PATIENCE),
            answers: BTreeMap::new(),
            only_deadlock,
        });
        for number in numbers {
            self.vertex.give(&reply(number, &Reply::Tell));
        }
        true
    }

    /// Asks because the time limit has run out, once. Whether the end of the job has to wait.
    pub(super) fn ask_at_limit(&mut self) -> bool {
        let now = self.vertex.clock.now();
        let Some(running) = &mut self.running else {
            return false;
        };
        if running.questions.asking.is_some() {
            return true;
        }
        if !running.job.is_out_of_time(now) || running.questions.at_limit {
            return false;
        }
        running.questions.at_limit = true;
        self.ask(false)
    }

    /// Takes the answer of a process.
    pub(super) fn take_account(&mut self, number: u32, account: Account) {
        let Some(running) = &mut self.running else {
            return;
        };
        let Some(asking) = &mut running.questions.asking else {
            return;
        };
        asking.answers.insert(number, account);
        let connected = running.job.connected();
        if connected
            .iter()
            .all(|number| asking.answers.contains_key(number))
        {
            self.conclude();
        }
    }

    /// Does what has become due.
    pub(super) fn question(&mut self) {
        let now = self.vertex.clock.now();
        let Some(running) = &mut self.running else {
            return;
        };
        let questions = &mut running.questions;
        if questions
            .asking
            .as_ref()
            .is_some_and(|asking| now >= asking.until)
        {
            self.conclude();
        } else if questions.next.is_some_and(|next| now >= next) && questions.asking.is_none() {
            questions.next = questions.period.map(|period| now.after(period));
            self.ask(true);
        }
    }

    /// Reports what the processes have answered.
    fn conclude(&mut self) {
        let Some(running) = &mut self.running else {
            return;
        };
        let Some(asking) = running.questions.asking.take() else {
            return;
        };
        let ranks = known(running, &asking);
        if asking.only_deadlock {
            let period = running.questions.period.unwrap_or_default();
            let old = |account: &Account| u128::from(account.waited) >= period.as_millis();
            if !asking.answers.values().all(old) || !waits::is_stuck(&ranks) {
                return;
            }
            // Reported once: nothing will change.
            running.questions.next = None;
        }
        for line in waits::report(&ranks) {
            self.say(&line);
        }
    }
}

/// Returns what is known of each process of the first part.
fn known(running: &super::Running<'_>, asking: &Asking) -> BTreeMap<u32, Known> {
    let numbers = running.start().numbers();
    let state = |number: u32, pid: u32| match running.vertex(number) {
        Some(ROOT) => activity(pid).to_string(),
        _ => String::new(),
    };
    let known = |number: u32| {
        let life = running.job.life(number);
        Some(match (asking.answers.get(&number), life?) {
            (_, Life::Exited) => Known::Exited,
            (_, Life::Finalized) => Known::Finalized,
            (_, Life::InFence { begins }) => Known::in_fence(begins, running.start().plan.size()),
            (Some(account), _) => Known::Account(Box::new(account.clone())),
            (None, Life::Connected { pid }) => Known::Silent(state(number, pid)),
            (None, Life::Running { pid }) => Known::Unconnected(state(number, pid)),
        })
    };
    numbers
        .filter_map(|number| Some((number, known(number)?)))
        .collect()
}
