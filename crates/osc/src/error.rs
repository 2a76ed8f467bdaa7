//! The errors of one-sided calls, by who caused them.

use std::fmt;

use base::{PeerId, Rank};

use crate::Conflict;

/// Why a one-sided call failed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Error {
    /// The caller: no such epoch is open, or another one excludes the call.
    Epoch(String),
    /// The caller: the window has no such memory at the target.
    Range {
        /// The target.
        target: Rank,
        /// The range requested, and the window's.
        what: String,
    },
    /// The caller: memory that cannot be attached to the window, or was not.
    Attach(String),
    /// The caller and another: accesses of one epoch to the same bytes (`osc_check`).
    Conflict {
        /// The target.
        target: Rank,
        /// The accesses, and their bytes.
        conflict: Conflict,
    },
    /// The transport: it refuses what is done by its own atomic operations alone.
    Lane {
        /// The target.
        target: Rank,
        /// The transport's reason.
        why: String,
    },
    /// The peer: it has failed.
    PeerFailed {
        /// The peer.
        peer: PeerId,
        /// The reason of the failure.
        why: String,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Epoch(text) | Error::Attach(text) => f.write_str(text),
            Error::Range { target, what } => write!(f, "{what}, in the window of {target}"),
            Error::Conflict { target, conflict } => {
                write!(f, "{conflict} of the window of {target}")
            }
            Error::Lane { target, why } => {
                write!(f, "an accumulate in the window of {target}: {why}")
            }
            Error::PeerFailed { peer, why } => write!(f, "{peer} failed: {why}"),
        }
    }
}

impl std::error::Error for Error {}
