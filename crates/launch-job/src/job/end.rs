//! How a job ends, and what it has lost by then.

/// How a job, or a part of one, has ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// All ranks ended well that the job has not lost; there are such.
    Well,
    /// The job went on until its last rank was lost. With the code of the first loss.
    Lost(i32),
    /// A failure decided the code.
    Failed(i32),
}

impl End {
    /// Returns how a job has ended of which one part ended so and others as `other`.
    pub fn with(self, other: End) -> End {
        match (self, other) {
            (End::Failed(_), _) => self,
            (_, End::Failed(_)) => other,
            (End::Lost(_), End::Well) => other,
            _ => self,
        }
    }

    /// The exit code.
    pub fn code(self) -> i32 {
        match self {
            End::Well => 0,
            End::Lost(code) | End::Failed(code) => code,
        }
    }
}

/// Ranks that a job has lost.
#[derive(Default)]
pub(super) struct Losses {
    pub(super) ranks: Vec<u32>,
    /// The code of the first loss.
    pub(super) code: Option<i32>,
}
