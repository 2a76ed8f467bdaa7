//! Ranks that were killed and are started again, as the next lives of their names.
//!
//! A next life runs the program from its beginning. Fences that its earlier life has passed it
//! passes at once: the reply has what all ranks have published last, and says so ([`PASSED`]). Its
//! address, which it publishes in its first fence, is reported to the others. So of two lives one
//! finds the other in a fence that it passes, and the other one hears of it: the latter sends
//! first, and what it sends finds a receiver that knows it.

use base::Instant;
use bootstrap::native::wire::{push_entry, push_released, Reply};
use bootstrap::native::PASSED;

use super::{Action, Job, State, SIGKILL, SIGTERM};
use crate::job::signal_name;

/// Lives of a rank after which it is given up.
const LIVES_MAX: u32 = 100;

impl Job {
    /// Returns whether a rank that was killed is started again. One that ended by a fault of its
    /// own would do so again; one whose peers have left has nobody to send it its messages.
    pub(super) fn may_restart(&self, rank: u32, signal: i32, before: &State) -> bool {
        let was_there = !matches!(before, State::Finalized | State::Exited | State::Starting);
        let has_left = |rank: &super::Rank| matches!(rank.state, State::Finalized);
        self.restarts
            && !self.is_ending()
            && matches!(signal, SIGKILL | SIGTERM)
            && was_there
            && !self.ranks.iter().any(has_left)
            && self.ranks[rank as usize].life < LIVES_MAX
    }

    /// Has a rank started again.
    pub(super) fn restart(&mut self, rank: u32, signal: i32) -> Vec<Action> {
        let name = self.name(rank as usize);
        let entry = &mut self.ranks[rank as usize];
        entry.life += 1;
        entry.fences = 0;
        entry.published.clear();
        entry.state = State::Starting;
        let (life, signal) = (entry.life, signal_name(signal));
        let text =
            format!("{name} was killed by signal {signal}; it is started again, life {life}");
        vec![Action::Say(text), Action::Restart { rank, life }]
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
