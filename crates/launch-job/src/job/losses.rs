//! Ranks that a job has lost and goes on without, and how it ends then.
//!
//! Who asks for a job to go on has a program that makes good for the dead. Such a job has gone well
//! where all ranks that were not killed did: they know whether the result is whole, and a rank that
//! cannot do without a dead one says so by its exit code or by MPI_Abort.

use super::{rank_list, End, Job, Phase, State};

impl Job {
    /// Returns how the job has ended, once all ranks have.
    pub fn end_of_all(&self) -> Option<End> {
        let exited = |rank: &super::Rank| matches!(rank.state, State::Exited);
        if self.phase != Phase::GivenUp && !self.ranks.iter().all(exited) {
            return None;
        }
        let lost = self.losses.code.filter(|_| !self.has_survivors());
        Some(match (self.verdict, lost) {
            (None | Some(0), None) => End::Well,
            (None | Some(0), Some(code)) => End::Lost(code),
            (Some(code), _) => End::Failed(code),
        })
    }

    /// The exit code, once all ranks have ended.
    pub fn finished(&self) -> Option<i32> {
        self.end_of_all().map(End::code)
    }

    /// Returns the ranks that were lost while the job went on, as the user reads them.
    pub fn lost_ranks(&self) -> Option<String> {
        let mut ranks = self.losses.ranks.clone();
        ranks.sort_unstable();
        (!ranks.is_empty()).then(|| format!("{}{}", rank_list(&ranks), self.suffix))
    }

    fn has_survivors(&self) -> bool {
        self.losses.ranks.len() < self.ranks.len()
    }

    /// Notes that the job goes on without ranks. No rank is a loss that the program knows of where
    /// they are started again, and the job has failed then; so it has where nothing is lost but
    /// what ranks printed that have ended.
    pub(super) fn note_lost(&mut self, ranks: &[u32], code: i32) {
        self.losses.code.get_or_insert(code);
        self.losses.ranks.extend_from_slice(ranks);
        if self.policy.restarts() || ranks.is_empty() {
            self.decide_by_losses();
        }
    }

    /// Makes the code of the first loss that of the job.
    pub(super) fn decide_by_losses(&mut self) {
        self.verdict = self.verdict.or(self.losses.code);
    }
}
