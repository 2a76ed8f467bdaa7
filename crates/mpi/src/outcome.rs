//! How operations end, and the modes of sends: words that requests and messages share.

use pml::Status;

use crate::Error;

/// Outcome of an operation.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Status of the operation.
    pub status: Status,
    /// Success, or the error.
    pub result: Result<(), Error>,
}

impl Outcome {
    /// The outcome of an operation that failed and received nothing.
    pub fn failed(error: Error) -> Outcome {
        Outcome {
            status: Status::EMPTY,
            result: Err(error),
        }
    }
}

impl From<pml::Outcome> for Outcome {
    #[inline]
    fn from(outcome: pml::Outcome) -> Outcome {
        Outcome {
            status: outcome.status,
            result: outcome.result.map_err(Error::from),
        }
    }
}

/// The four send modes (MPI 5.0, 3.4).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SendMode {
    /// Complete when the buffer may be reused.
    Standard,
    /// Complete at once, out of the attached buffer.
    Buffered,
    /// Complete when it was matched.
    Synchronous,
    /// The receive is posted already: treated as a standard send here.
    Ready,
}

/// Outcome of a completed operation on `MPI_PROC_NULL` (MPI 5.0, 3.10).
pub const NO_PARTNER: Outcome = Outcome {
    status: Status::EMPTY,
    result: Ok(()),
};

/// The outcome of a receive from nobody (`MPI_PROC_NULL`; MPI 5.0, 3.10).
pub const FROM_NOBODY: Outcome = Outcome {
    status: Status {
        nobody: true,
        ..Status::EMPTY
    },
    result: Ok(()),
};
