//! Asking the processes what they wait for, when the time limit runs out, when the user wants to
//! know, or now and then.

use std::collections::BTreeMap;
use std::time::Duration;

use base::Clock;
use bootstrap::account::Account;
use bootstrap::native::wire::Reply;

use super::questions::Asking;
use super::{reply, Runner};
use launch_job::RankState;
use launch_report::process::activity;
use launch_report::waits::{self, Judgement, Snapshot, Terms};
use launch_tree::shape::ROOT;

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
        if running.job.connected().is_empty() {
            return false;
        }
        let question = running.questions.number();
        running.questions.asking = Some(Asking::first(question, now, only_deadlock));
        self.look(question);
        true
    }

    /// Asks all processes that use MPI.
    fn look(&mut self, question: u32) {
        let running = self.running.as_ref();
        let numbers = running.map_or_else(Vec::new, |running| running.job.connected());
        for number in numbers {
            self.vertex.give(&reply(number, &Reply::Ask { question }));
        }
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
        if asking.pauses || account.question != asking.question {
            return;
        }
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

        match &mut questions.asking {
            Some(asking) if now < asking.until => {}
            Some(asking) if asking.pauses => {
                questions.asked += 1;
                let number = questions.asked;
                asking.second(number, now);
                self.look(number);
            }
            Some(_) => self.conclude(),
            None if questions.next.is_some_and(|next| now >= next) => {
                questions.next = questions.period.map(|period| now.after(period));
                self.ask(true);
            }
            None => {}
        }
    }

    /// Ends a look: the first is followed by a second one where any process waits, and the second
    /// by the report.
    fn conclude(&mut self) {
        let now = self.vertex.clock.now();
        let Some(running) = &mut self.running else {
            return;
        };
        let Some(mut asking) = running.questions.asking.take() else {
            return;
        };
        let ranks = known(running, &asking);
        let terms = Terms {
            limit: match asking.only_deadlock {
                true => running.questions.period.unwrap_or_default(),
                false => Duration::ZERO,
            },
            revokes: running.start().plan.front.keep_going,
        };
        let Some(first) = asking.first.take() else {
            let judged = waits::judge(&ranks, &ranks, terms);
            // The second look cannot find more.
            let goes_on = match asking.only_deadlock {
                true => !judged.stuck.is_empty(),
                false => !judged.waiting.is_empty(),
            };
            if goes_on {
                asking.pause(ranks, now);
                running.questions.asking = Some(asking);
            } else if !asking.only_deadlock {
                self.report(&ranks, &judged);
            }
            return;
        };
        let judged = waits::judge(&first, &ranks, terms);
        if asking.only_deadlock {
            if judged.stuck.is_empty() {
                return;
            }
            // Reported once: nothing will change.
            running.questions.next = None;
        }
        self.report(&ranks, &judged);
    }

    fn report(&mut self, ranks: &BTreeMap<u32, Snapshot>, judged: &Judgement) {
        for line in waits::report(ranks, judged) {
            self.say(&line);
        }
    }
}

/// Returns what is known of each process of the first part.
fn known(running: &super::Running<'_>, asking: &Asking) -> BTreeMap<u32, Snapshot> {
    let numbers = running.start().numbers();
    let state = |number: u32, pid: u32| match running.vertex(number) {
        Some(ROOT) => activity(pid).to_string(),
        _ => String::new(),
    };
    let known = |number: u32| {
        let life = running.job.life(number);
        Some(match (asking.answers.get(&number), life?) {
            (_, RankState::Exited) => Snapshot::Exited,
            (_, RankState::Finalized) => Snapshot::Finalized,
            (_, RankState::InFence { begins }) => {
                Snapshot::in_fence(begins, running.start().plan.size())
            }
            (Some(account), _) => Snapshot::Account(Box::new(account.clone())),
            (None, RankState::Connected { pid }) => Snapshot::Silent(state(number, pid)),
            (None, RankState::Running { pid }) => Snapshot::Unconnected(state(number, pid)),
        })
    };
    numbers
        .filter_map(|number| Some((number, known(number)?)))
        .collect()
}
