//! The reaction of a job to the death of a rank.

/// The reaction of a job to the death of a rank.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum FailurePolicy {
    /// It ends.
    #[default]
    End,
    /// It goes on without that rank.
    GoOn,
    /// It starts a rank that was killed again: the next life does again what the earlier one did,
    /// by a log of messages. Without a rank that cannot be started again the job goes on.
    Restart {
        /// Whether logs outlive their hosts: ranks of a host that is lost are started again on
        /// others.
        copies_logs: bool,
    },
}

impl FailurePolicy {
    /// Returns whether the job goes on when a rank dies.
    pub(super) fn goes_on(self) -> bool {
        self != FailurePolicy::End
    }

    /// Returns whether ranks that are killed are started again.
    pub(super) fn restarts(self) -> bool {
        matches!(self, FailurePolicy::Restart { .. })
    }
}
