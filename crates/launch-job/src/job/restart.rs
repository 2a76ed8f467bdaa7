//! Ranks that were killed and are started again, as the next lives of their names.
//!
//! A next life runs the program from its beginning. Fences that its earlier life has passed it
//! passes at once: the reply has what all ranks have published last, and says so ([`PASSED`]). Its
//! address, which it publishes in its first fence, is reported to the others. So of two lives one
//! finds the other in a fence that it passes, and the other one learns of it: the latter sends
//! first, and what it sends finds a receiver that knows it.

use base::Instant;
use bootstrap::native::wire::{self, push_entry, push_released, Reply};
use bootstrap::native::{LAST, PASSED};

use super::{Action, FailurePolicy, Job, State, SIGKILL, SIGTERM};
use crate::job::{rank_list, signal_name};

/// Lives of a rank after which it is given up.
const LIVES_MAX: u32 = 100;

impl Job {
    /// Returns whether a rank that was killed is started again. One that ended by a fault of its
    /// own would do so again; one whose peers have left has nobody to send it its messages.
    pub(super) fn may_restart(&self, rank: u32, signal: i32, before: &State) -> bool {
        let was_there = !matches!(before, State::Finalized | State::Exited | State::Starting);
        self.policy.restarts()
            && !self.is_ending()
            && matches!(signal, SIGKILL | SIGTERM)
            && was_there
            && !self.have_left()
            && self.ranks[rank as usize].life < LIVES_MAX
    }

    /// Returns whether a rank is a next life without which the others do not go on: they wait for
    /// it, and do not take its earlier life for failed.
    pub(super) fn is_awaited(&self, rank: u32) -> bool {
        self.policy.restarts() && self.ranks[rank as usize].life > 1 && !self.have_left()
    }

    /// Returns whether ranks have left MPI, or are about to.
    fn have_left(&self) -> bool {
        let has_left = |rank: &super::Rank| matches!(rank.state, State::Finalized);
        self.has_parted || self.ranks.iter().any(has_left)
    }

    /// Returns why a rank that was killed is not started again, as the end of a sentence, where
    /// others would be.
    pub(super) fn why_not_restarted(&self, rank: u32, signal: i32) -> String {
        let lives = self.ranks[rank as usize].life;
        match self.policy.restarts() && !self.is_ending() && matches!(signal, SIGKILL | SIGTERM) {
            true if self.have_left() => {
                "; it is not started again: all had come to MPI_Finalize, and others leave".into()
            }
            true if lives >= LIVES_MAX => {
                format!("; it is not started again: restart limit of {LIVES_MAX} reached")
            }
            _ => String::new(),
        }
    }

    /// Notes whether a fence was the last one of ranks, by what they have published in it.
    pub(super) fn note_last(&mut self, released: &[u8]) {
        if !self.policy.restarts() {
            return;
        }
        // What cannot be read its readers will report.
        let parted = &mut self.has_parted;
        let _ = wire::released(released, |_, key, _| *parted |= key == LAST);
    }

    /// Has a rank started again.
    pub(super) fn restart(&mut self, rank: u32, signal: i32) -> Vec<Action> {
        let name = self.name(rank as usize);
        let signal = signal_name(signal);
        let life = self.begin_life(rank);
        let text =
            format!("{name} was killed by signal {signal}; it is started again, life {life}");
        vec![Action::Say(text), Action::Restart { rank, life }]
    }

    /// Makes a rank one that is about to start. Returns the number of its life.
    fn begin_life(&mut self, rank: u32) -> u32 {
        let entry = &mut self.ranks[rank as usize];
        entry.life += 1;
        entry.fences = 0;
        entry.published.clear();
        entry.state = State::Starting;
        entry.life
    }

    /// Has the ranks of a host that was lost started again on others, or ends the job where that
    /// cannot be.
    pub(super) fn restart_elsewhere(
        &mut self,
        ranks: &[u32],
        text: &str,
        now: Instant,
    ) -> Vec<Action> {
        let is_there = |rank: &u32| !matches!(self.ranks[*rank as usize].state, State::Exited);
        let lost: Vec<u32> = ranks.iter().copied().filter(is_there).collect();
        let text = format!("{text} ({})", rank_list(ranks));
        if lost.is_empty() {
            return vec![Action::Say(text)];
        }
        if let Some(why) = self.why_not_elsewhere(&lost) {
            for &rank in ranks {
                self.ranks[rank as usize].state = State::Exited;
            }
            return self.fail(
                1,
                format!("{text}; they cannot be started again: {why}"),
                now,
            );
        }
        let mut actions = vec![Action::Say(format!(
            "{text}; they are started again on other hosts"
        ))];
        for rank in lost {
            let life = self.begin_life(rank);
            actions.push(Action::Restart { rank, life });
        }
        actions
    }

    /// Returns why ranks cannot be started again on another host.
    fn why_not_elsewhere(&self, lost: &[u32]) -> Option<String> {
        let has_left = |rank: &super::Rank| matches!(rank.state, State::Finalized);
        if self.policy != (FailurePolicy::Restart { copies_logs: true }) {
            return Some(
                "their events were logged on that host alone; with `--mca \
                 vprotocol_pessimist_stable peer` mpirun has a copy"
                    .into(),
            );
        }
        if let Some(left) = self.ranks.iter().position(has_left) {
            return Some(format!(
                "rank {left} has left MPI_Finalize and cannot send its messages again"
            ));
        }
        let lives = |rank: &&u32| self.ranks[**rank as usize].life >= LIVES_MAX;
        let often = lost.iter().find(lives)?;
        Some(format!("rank {often} was started {LIVES_MAX} times"))
    }

    /// Takes a rank into a fence, or past one that its earlier life has passed.
    pub(super) fn fence_of_life(
        &mut self,
        rank: u32,
        entries: Vec<u8>,
        now: Instant,
    ) -> Vec<Action> {
        let fences = self.fences;
        let entry = &mut self.ranks[rank as usize];
        entry.published.extend_from_slice(&entries);
        entry.fences += 1;
        if entry.fences > fences {
            if let State::Connected { pid } = entry.state {
                entry.state = State::InFence { pid, entries };
            }
            return self.check_fence(now);
        }
        let mut passed = Vec::new();
        push_entry(&mut passed, PASSED, &[]);
        let mut all = Vec::new();
        push_released(&mut all, rank, &passed);
        for (number, other) in self.ranks.iter().enumerate() {
            push_released(&mut all, number as u32, &other.published);
        }
        let mut actions = vec![Action::Reply {
            rank,
            reply: Reply::Release(all),
        }];
        if !entries.is_empty() {
            let mut body = Vec::new();
            push_released(&mut body, rank, &entries);
            let others = (0..self.ranks.len() as u32).filter(|other| *other != rank);
            let there = others.filter(|other| self.is_connected(*other));
            actions.extend(there.map(|other| Action::Reply {
                rank: other,
                reply: Reply::Reborn(body.clone()),
            }));
        }
        actions
    }
}

#[cfg(test)]
mod tests;
